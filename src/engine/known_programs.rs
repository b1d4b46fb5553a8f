//! Programs of agent CLIs that have told their version once. While such a program is the same file, nobody waits for it to
//! tell it again, which takes up to seconds.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use parking_lot::Mutex;

use crate::fs::Dir;

const FILE: &str = "cache/agents.json";
const LARGEST: u64 = 64 << 10;
/// More are those of installations that are long gone.
const MOST: usize = 50;

/// By path, what tells one file from another there. Read from the home at the first question.
#[derive(Default)]
pub struct KnownPrograms(Mutex<Option<Programs>>);

type Programs = BTreeMap<String, String>;

impl KnownPrograms {
    pub fn has(&self, home: &Dir, program: &Path) -> bool {
        let mark = mark(program);
        let of = |known: &mut Programs| program.to_str().and_then(|path| known.get(path)) == mark.as_ref();
        mark.is_some() && self.with(home, of)
    }

    pub fn note(&self, home: &Dir, program: &Path) {
        let (Some(path), Some(mark)) = (program.to_str(), mark(program)) else {
            return;
        };
        let changed = self.with(home, |known| {
            if known.len() >= MOST {
                known.clear();
            }
            let before = known.insert(path.into(), mark.clone());
            (before.as_ref() != Some(&mark)).then(|| serde_json::to_vec(known).ok())?
        });
        if let Some(text) = changed {
            let written = home.create_dir("cache").and_then(|_| home.write_atomic(FILE, text));
            // Then the next engine asks once more.
            written.unwrap_or_else(|error| tracing::warn!("which agent CLIs are usable is not kept: {error}"));
        }
    }

    fn with<R>(&self, home: &Dir, of: impl FnOnce(&mut Programs) -> R) -> R {
        let mut known = self.0.lock();
        let read = || {
            let text = home.read(FILE, LARGEST).ok().flatten();
            text.and_then(|text| serde_json::from_slice(&text).ok())
                .unwrap_or_default()
        };
        of(known.get_or_insert_with(read))
    }
}

/// Links are followed: a package is updated behind them.
fn mark(program: &Path) -> Option<String> {
    let found = std::fs::metadata(program).ok()?;
    let (place, written) = ((found.dev(), found.ino()), (found.mtime(), found.mtime_nsec()));
    Some(format!("{place:?} {} {written:?}", found.size()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_program_is_known_to_the_next_engine_until_its_file_is_another() {
        let place = tempfile::tempdir().unwrap();
        let home = Dir::open(place.path()).unwrap();
        let program = place.path().join("claude");
        assert!(!KnownPrograms::default().has(&home, &program), "it is not there");
        fs::write(&program, "1").unwrap();
        let first = KnownPrograms::default();
        assert!(!first.has(&home, &program));
        first.note(&home, &program);
        assert!(first.has(&home, &program));
        let next = KnownPrograms::default();
        assert!(next.has(&home, &program));
        fs::write(&program, "22").unwrap();
        assert!(!next.has(&home, &program));
        fs::write(place.path().join(FILE), "[").unwrap();
        assert!(!KnownPrograms::default().has(&home, &program));
    }
}
