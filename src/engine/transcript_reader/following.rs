//! Which of a session's sub-agents are listened to, and from where. A hook waits for each look, and the hooks of all other
//! agents with it, so a look begins with some new transcripts at most and reads our own once for all of them.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use crate::agents::OfSubAgent;
use crate::engine::inbound::Inbound;
use crate::engine::sub_agents::{FoundTranscript, ReadFrom, SubAgents, written};
use crate::engine::tail::Tail;
use crate::model::ChatId;
use crate::store::ReadOffsets;

use super::{FollowedFile, Listened, Reader, name_of};

/// Transcripts of sub-agents that are followed for one session.
const SUB_AGENTS: usize = 64;

impl Reader {
    /// Listens again to those that were followed when the session's last agent ended.
    pub(super) fn take_up_sub_agents(&mut self, transcript: &Path) {
        let mut resting = Vec::new();
        for (path, file) in &mut self.files {
            if !file.live && matches!(&file.what, FollowedFile::SubAgent(_, of) if of == transcript) {
                (file.grew, file.live) = (None, true);
                resting.push(path.clone());
            }
        }
        for path in resting {
            self.services.watch_file(&path);
            self.read(&path);
        }
    }

    /// Follows the transcripts of the session's sub-agents that hold something unread.
    pub(super) fn follow_sub_agents(&mut self, transcript: &Path) {
        let Some(mut file) = self.files.remove(transcript) else {
            return;
        };
        let mut new = Vec::new();
        if let FollowedFile::Transcript {
            adapter, sub_agents, ..
        } = &mut file.what
        {
            let found = sub_agents.look(adapter.as_ref(), transcript, |path| self.files.contains_key(path));
            let ReadOffsets { to, told } = self.read_offsets(&file.chat, &found);
            let told = Arc::new(told);
            for FoundTranscript { path, id, begins } in found {
                let reader = Box::new(OfSubAgent::new(id, adapter.sub_agent_reader()));
                let tail = match begins {
                    ReadFrom::Byte(at) => Tail::of_many(&path, at, Arc::default(), reader),
                    ReadFrom::Mark => {
                        let at = to.get(&name_of(&path)).copied().unwrap_or_default();
                        Tail::of_many(&path, at, told.clone(), reader)
                    }
                };
                let what = FollowedFile::SubAgent(tail, transcript.into());
                self.files
                    .insert(path.clone(), Listened::new(file.chat.clone(), what, file.kept.clone()));
                new.push(path);
            }
            self.let_rest(transcript, sub_agents);
        }
        let has_more = file.has_more_sub_agents();
        self.files.insert(transcript.into(), file);
        for path in new {
            self.services.watch_file(&path);
            self.read(&path);
        }
        if has_more {
            // Hooks that wait are told first.
            self.sender.send(Inbound::Touched(transcript.into()));
        }
    }

    /// What is known of those that may have been read before, by one reading of our own transcript.
    fn read_offsets(&self, chat: &ChatId, found: &[FoundTranscript]) -> ReadOffsets {
        let marked = found.iter().filter(|one| one.begins == ReadFrom::Mark);
        let names: HashSet<String> = marked.map(|one| name_of(&one.path)).collect();
        if names.is_empty() {
            return ReadOffsets::default();
        }
        let known = self.services.home.read_offsets(chat, &names);
        known.unwrap_or_else(|error| {
            tracing::warn!("what was read of {chat}'s sub-agents before is not known: {error}");
            ReadOffsets::default()
        })
    }

    /// Lets go of those that rest longest, where there are many.
    fn let_rest(&mut self, transcript: &Path, sub_agents: &mut SubAgents) {
        let mut read = Vec::new();
        let mut followed: usize = 0;
        for (path, file) in &self.files {
            if let FollowedFile::SubAgent(tail, of) = &file.what
                && of == transcript
            {
                followed += 1;
                let meta = std::fs::symlink_metadata(path).ok();
                read.extend(
                    meta.filter(|meta| tail.offset >= meta.len())
                        .map(|meta| (path.clone(), meta, tail.offset)),
                );
            }
        }
        read.sort_by_key(|(_, meta, _)| written(meta));
        for (path, meta, to) in read.into_iter().take(followed.saturating_sub(SUB_AGENTS)) {
            self.files.remove(&path);
            self.services.forget_file(&path);
            sub_agents.pass(path, &meta, to);
        }
    }
}
