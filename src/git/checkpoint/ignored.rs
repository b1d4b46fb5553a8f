//! Which files git is told to ignore: by `.gitignore` files on the way down, `info/exclude`, and a person's own list.

use std::path::Path;
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::fs::{self, Dir};
use crate::git::Error;

/// A larger list is no list.
const MAX: u64 = 1 << 20;

/// The lists that hold in one directory: the nearest decides.
#[derive(Clone)]
pub(super) struct Ignored {
    /// The lists from here upwards.
    nearest: Option<Arc<IgnoreLevel>>,
    /// What decides where none of these has a word: `info/exclude`, then the person's own.
    last: Arc<Vec<Gitignore>>,
}

struct IgnoreLevel {
    list: Gitignore,
    above: Option<Arc<IgnoreLevel>>,
}

impl Ignored {
    /// The lists of a whole clone. `git` is its git directory.
    pub fn of_clone(git: Option<&Dir>) -> Result<Ignored, Error> {
        let exclude = git.map(|git| list(git, Path::new("info/exclude"), Path::new("")));
        let (own, slips) = Gitignore::global();
        let unread = slips.and_then(ignore::Error::into_io_error);
        if let Some(source) = unread {
            let error = fs::Error::Io {
                doing: "reading the list of ignored files at",
                path: ignore::gitignore::gitconfig_excludes_path().unwrap_or_default(),
                source,
            };
            if !error.is_of_the_file() {
                return Err(error.into());
            }
        }
        Ok(Ignored {
            nearest: None,
            last: Arc::new(exclude.transpose()?.flatten().into_iter().chain([own]).collect()),
        })
    }

    /// With the list that lies in the directory `dir`, which is at `at` in the clone.
    pub fn with(&self, dir: &Dir, at: &Path) -> Result<Ignored, fs::Error> {
        let Some(list) = list(dir, Path::new(".gitignore"), at)? else {
            return Ok(self.clone());
        };
        Ok(Ignored {
            nearest: Some(Arc::new(IgnoreLevel {
                list,
                above: self.nearest.clone(),
            })),
            last: Arc::clone(&self.last),
        })
    }

    pub fn has(&self, path: &Path, is_dir: bool) -> bool {
        let mut level = self.nearest.as_deref();
        while let Some(IgnoreLevel { list, above }) = level {
            match list.matched(path, is_dir) {
                Match::None => level = above.as_deref(),
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
            }
        }
        let word = self.last.iter().map(|list| list.matched(path, is_dir));
        word.into_iter()
            .find(|word| !word.is_none())
            .is_some_and(|word| word.is_ignore())
    }
}

/// A link is no list: it could lead anywhere.
fn list(dir: &Dir, name: &Path, at: &Path) -> Result<Option<Gitignore>, fs::Error> {
    let bytes = match dir.read(name, MAX) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return Ok(None),
        Err(error) if error.is_of_the_file() => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut builder = GitignoreBuilder::new(at);
    for line in String::from_utf8_lossy(&bytes).lines() {
        // Git passes over a pattern that it cannot read, too.
        let _ = builder.add_line(None, line);
    }
    Ok(builder.build().ok())
}
