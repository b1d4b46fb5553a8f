//! Which files hold the transcripts of one session's sub-agents. They are looked for when its transcript is first listened
//! to and at each hook of its agent: no CLI tells where they lie.

use std::collections::{HashMap, HashSet};
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::agents::Adapter;
use crate::fs::{Dir, DirEntryKind};
use crate::model::Timestamp;

/// What is written so shortly before the newest line that was read may be unread.
const UNREAD: Duration = Duration::from_secs(10);

/// So many are begun with at one look: a hook waits for it, and those of all other agents with it.
const MOST: usize = 16;

/// A found transcript and its sub-agent's id.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FoundTranscript {
    pub path: PathBuf,
    pub id: String,
    pub begins: ReadFrom,
}

/// One in which something may stand that was not read.
struct UnreadTranscript {
    written: SystemTime,
    path: PathBuf,
    id: String,
}

/// Where to begin to read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadFrom {
    /// So many bytes of it were read.
    Byte(u64),
    /// It was there when the session was first listened to: our own transcript may say.
    Mark,
}

pub(super) struct SubAgents {
    /// What was not written to since is read already.
    since: SystemTime,
    /// Files that were there at the first look, once there was one. Of what came later nothing was ever read.
    first: Option<HashSet<PathBuf>>,
    /// Files that were looked at, and are not followed.
    passed: HashMap<PathBuf, Passed>,
    /// The last look found more than are begun with at one.
    pub has_more: bool,
}

enum Passed {
    /// Somebody else's.
    Foreign,
    /// Read up to this byte, which was written at that time.
    Rests(SystemTime, u64),
}

impl SubAgents {
    /// `read` is when the newest that we hold of the session was told.
    pub fn new(read: Option<Timestamp>) -> SubAgents {
        let told = read.and_then(|at| u64::try_from(at.0).ok()).unwrap_or_default();
        SubAgents {
            since: UNIX_EPOCH + Duration::from_millis(told).saturating_sub(UNREAD),
            first: None,
            passed: HashMap::new(),
            has_more: false,
        }
    }

    /// Those that hold something unread and are not followed, the oldest first, and some of them at most.
    pub fn look(
        &mut self,
        adapter: &dyn Adapter,
        transcript: &Path,
        followed: impl Fn(&Path) -> bool,
    ) -> Vec<FoundTranscript> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        for folder in adapter.sub_agent_folders(transcript) {
            let Ok(dir) = Dir::open(&folder) else {
                continue;
            };
            let entries = dir.entries(".").unwrap_or_default();
            for entry in entries.into_iter().filter(|entry| entry.kind == DirEntryKind::File) {
                let path = folder.join(entry.name);
                if self.first.is_none() {
                    seen.insert(path.clone());
                }
                if path != transcript && !followed(&path) {
                    found.extend(self.unread(adapter, transcript, path));
                }
            }
        }
        let first = self.first.get_or_insert(seen);
        found.sort_by_key(|unread| unread.written);
        self.has_more = found.len() > MOST;
        found.truncate(MOST);
        let begins = |path: &Path| match self.passed.get(path) {
            Some(Passed::Rests(_, to)) => ReadFrom::Byte(*to),
            Some(Passed::Foreign) | None if first.contains(path) => ReadFrom::Mark,
            Some(Passed::Foreign) | None => ReadFrom::Byte(0),
        };
        let found = found
            .into_iter()
            .map(|UnreadTranscript { path, id, .. }| FoundTranscript {
                begins: begins(&path),
                path,
                id,
            });
        found.collect()
    }

    fn unread(&mut self, adapter: &dyn Adapter, transcript: &Path, path: PathBuf) -> Option<UnreadTranscript> {
        if let Some(Passed::Foreign) = self.passed.get(&path) {
            return None;
        }
        let meta = std::fs::symlink_metadata(&path).ok()?;
        let written = written(&meta);
        let rests = match self.passed.get(&path) {
            Some(Passed::Rests(read, _)) => written <= *read,
            Some(Passed::Foreign) | None => written < self.since,
        };
        // Nobody can say yet whose an empty one is.
        if rests || meta.len() == 0 {
            return None;
        }
        match adapter.sub_agent(transcript, &path) {
            Some(id) => Some(UnreadTranscript { written, path, id }),
            None => {
                self.passed.insert(path, Passed::Foreign);
                None
            }
        }
    }

    /// It was read to its end, which is this byte, and is followed no more, until it grows again.
    pub fn pass(&mut self, path: PathBuf, meta: &Metadata, to: u64) {
        self.passed.insert(path, Passed::Rests(written(meta), to));
    }
}

pub(super) fn written(meta: &Metadata) -> SystemTime {
    meta.modified().unwrap_or(UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use super::*;
    use crate::agents;
    use crate::model::Settings;

    /// Writes it as if that many seconds after 1970.
    fn write(path: &Path, seconds: u64) {
        fs::write(path, "{}\n").unwrap();
        let file = File::options().write(true).open(path).unwrap();
        file.set_modified(UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
    }

    #[test]
    fn what_was_read_before_is_left_alone_until_it_grows() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("s/subagents");
        fs::create_dir_all(&folder).unwrap();
        let (old, amid) = (folder.join("agent-old.jsonl"), folder.join("agent-amid.jsonl"));
        write(&old, 80);
        write(&amid, 95);
        fs::write(folder.join("agent-empty.jsonl"), "").unwrap();
        fs::write(folder.join("notes.jsonl"), "{}").unwrap();
        let adapter = agents::find("claude", &Settings::default()).unwrap();
        let mut sub_agents = SubAgents::new(Some(Timestamp(100_000)));
        let transcript = home.path().join("s.jsonl");
        let mut look = |followed: &[&PathBuf]| {
            let found = sub_agents.look(adapter.as_ref(), &transcript, |path| {
                followed.iter().any(|one| *one == path)
            });
            found.into_iter().map(|one| (one.id, one.begins)).collect::<Vec<_>>()
        };
        let found = |id: &str, begins| vec![(id.to_string(), begins)];
        assert_eq!(look(&[]), found("amid", ReadFrom::Mark));
        write(&old, 120);
        assert_eq!(look(&[&amid]), found("old", ReadFrom::Mark));
        assert!(look(&[&amid, &old]).is_empty());
        let new = folder.join("agent-new.jsonl");
        write(&new, 120);
        assert_eq!(
            look(&[&amid, &old]),
            found("new", ReadFrom::Byte(0)),
            "nobody has read it"
        );

        sub_agents.pass(amid.clone(), &fs::symlink_metadata(&amid).unwrap(), 3);
        let mut look = || sub_agents.look(adapter.as_ref(), &transcript, |path| path == old || path == new);
        assert!(look().is_empty());
        write(&amid, 130);
        assert_eq!(look()[0].begins, ReadFrom::Byte(3), "it goes on where it was let go");
    }

    #[test]
    fn many_that_are_new_are_begun_with_some_at_a_time() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("s/subagents");
        fs::create_dir_all(&folder).unwrap();
        let names: Vec<_> = (0..20).map(|at| folder.join(format!("agent-{at}.jsonl"))).collect();
        names.iter().for_each(|path| write(path, 80));
        let adapter = agents::find("claude", &Settings::default()).unwrap();
        let mut sub_agents = SubAgents::new(None);
        let transcript = home.path().join("s.jsonl");
        let found = sub_agents.look(adapter.as_ref(), &transcript, |_| false);
        assert_eq!((found.len(), sub_agents.has_more), (MOST, true));
        let is_followed = |path: &Path| found.iter().any(|one| one.path == path);
        let rest = sub_agents.look(adapter.as_ref(), &transcript, is_followed);
        assert_eq!((rest.len(), sub_agents.has_more), (20 - MOST, false));
    }
}
