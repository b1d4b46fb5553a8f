//! Which files hold the transcripts of one session's sub-agents. They are looked for when its transcript is first listened
//! to and at each hook of its agent: no CLI tells where they lie.

use std::collections::HashMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::agents::Adapter;
use crate::fs::{Dir, DirEntryKind};
use crate::model::Timestamp;

/// What is written so shortly before the newest line that was read may be unread.
const UNREAD: Duration = Duration::from_secs(10);

/// A found transcript and its sub-agent's id.
pub(super) type FoundTranscript = (PathBuf, String);

pub(super) struct SubAgents {
    /// What was not written to since is read already.
    since: SystemTime,
    /// Files that were looked at, and are not followed.
    passed: HashMap<PathBuf, Passed>,
}

enum Passed {
    /// Somebody else's.
    Foreign,
    /// Read up to what was written at that time.
    Rests(SystemTime),
}

impl SubAgents {
    /// `read` is when the newest that we hold of the session was told.
    pub fn new(read: Option<Timestamp>) -> SubAgents {
        let told = read.and_then(|at| u64::try_from(at.0).ok()).unwrap_or_default();
        SubAgents {
            since: UNIX_EPOCH + Duration::from_millis(told).saturating_sub(UNREAD),
            passed: HashMap::new(),
        }
    }

    /// Those that hold something unread and are not followed, the oldest first.
    pub fn look(
        &mut self,
        adapter: &dyn Adapter,
        transcript: &Path,
        followed: impl Fn(&Path) -> bool,
    ) -> Vec<FoundTranscript> {
        let mut found = Vec::new();
        for folder in adapter.sub_agent_folders(transcript) {
            let Ok(dir) = Dir::open(&folder) else {
                continue;
            };
            let entries = dir.entries(".").unwrap_or_default();
            for entry in entries.into_iter().filter(|entry| entry.kind == DirEntryKind::File) {
                let path = folder.join(entry.name);
                if path != transcript && !followed(&path) {
                    found.extend(self.unread(adapter, transcript, path));
                }
            }
        }
        found.sort_by_key(|(written, ..)| *written);
        found.into_iter().map(|(_, path, id)| (path, id)).collect()
    }

    fn unread(
        &mut self,
        adapter: &dyn Adapter,
        transcript: &Path,
        path: PathBuf,
    ) -> Option<(SystemTime, PathBuf, String)> {
        if let Some(Passed::Foreign) = self.passed.get(&path) {
            return None;
        }
        let meta = std::fs::symlink_metadata(&path).ok()?;
        let written = written(&meta);
        let rests = match self.passed.get(&path) {
            Some(Passed::Rests(read)) => written <= *read,
            Some(Passed::Foreign) | None => written < self.since,
        };
        // Nobody can say yet whose an empty one is.
        if rests || meta.len() == 0 {
            return None;
        }
        match adapter.sub_agent(transcript, &path) {
            Some(id) => Some((written, path, id)),
            None => {
                self.passed.insert(path, Passed::Foreign);
                None
            }
        }
    }

    /// It was read to its end and is followed no more, until it grows again.
    pub fn pass(&mut self, path: PathBuf, meta: &Metadata) {
        self.passed.insert(path, Passed::Rests(written(meta)));
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
            found.into_iter().map(|(_, id)| id).collect::<Vec<_>>()
        };
        assert_eq!(look(&[]), ["amid"]);
        write(&old, 120);
        assert_eq!(look(&[&amid]), ["old"]);
        assert_eq!(look(&[&amid, &old]), [""; 0]);

        sub_agents.pass(amid.clone(), &fs::symlink_metadata(&amid).unwrap());
        let mut look = || sub_agents.look(adapter.as_ref(), &transcript, |path| path == old).len();
        assert_eq!(look(), 0);
        write(&amid, 130);
        assert_eq!(look(), 1);
    }
}
