//! What was said before: the demo agent's own transcript, so that a resumed one shows it.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::fs::Dir;

/// A resumed terminal needs no more than its last screens.
const MOST_SHOWN: usize = 200;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum DemoSaid {
    Prompt {
        text: String,
        /// As its hook tells it.
        #[serde(default)]
        id: String,
    },
    Words {
        text: String,
    },
    Tool {
        line: String,
    },
    /// A repository and the clone of it that this session works in.
    Opened {
        source: String,
        path: PathBuf,
    },
}

/// The file, or nothing where a person runs the demo agent by hand.
pub struct Talk {
    path: Option<PathBuf>,
}

impl Talk {
    pub fn new(path: Option<PathBuf>) -> Talk {
        Talk { path }
    }

    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// What can be read of it; a broken line is passed over.
    pub fn load(&self) -> Vec<DemoSaid> {
        let Some((dir, name)) = self.place() else {
            return Vec::new();
        };
        let Ok(Some(file)) = dir.open_file(name) else {
            return Vec::new();
        };
        let lines = BufReader::new(file).lines().map_while(Result::ok);
        let mut said: Vec<DemoSaid> = lines.filter_map(|line| serde_json::from_str(&line).ok()).collect();
        let old = said.len().saturating_sub(MOST_SHOWN);
        said.split_off(old)
    }

    /// A talk that cannot be kept is only not shown again.
    pub fn keep(&self, said: &DemoSaid) {
        let kept = self.place().zip(serde_json::to_string(said).ok());
        if let Some(((dir, name), line)) = kept
            && let Ok(mut file) = dir.append(name)
        {
            let _ = writeln!(file, "{line}");
        }
    }

    fn place(&self) -> Option<(Dir, &Path)> {
        let path = self.path.as_deref()?;
        let dir = Dir::open(path.parent()?).ok()?;
        Some((dir, Path::new(path.file_name()?)))
    }
}
