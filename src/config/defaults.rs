//! The files a new chat starts from, by agent CLI: the shipped ones, and a user's own in `llm-defaults/{cli}/`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::fs::{Dir, Error, Kind, SafeName};

/// Templates are settings, not payloads: more than this is somebody's mistake.
const LARGEST: u64 = 256 << 10;
const MOST: usize = 200;

const SHIPPED: [(&str, &str, &str); 1] = [(
    "claude",
    ".claude/settings.local.json",
    include_str!("../../llm-defaults/claude/.claude/settings.local.json"),
)];

/// Path in the chat and text of each template of `cli`; where both have one, the user's wins.
pub fn templates(cli: &SafeName, home: &Dir) -> Result<Vec<(PathBuf, String)>, Error> {
    let mut found: BTreeMap<PathBuf, String> = SHIPPED
        .iter()
        .filter(|(of, ..)| *of == cli.as_str())
        .map(|(_, path, text)| (PathBuf::from(path), text.to_string()))
        .collect();
    match home.dir(Path::new("llm-defaults").join(cli)) {
        Ok(own) => collect(&own, Path::new(""), &mut found)?,
        Err(e) if e.is_missing() => {}
        Err(e) => return Err(e),
    }
    Ok(found.into_iter().collect())
}

fn collect(dir: &Dir, at: &Path, found: &mut BTreeMap<PathBuf, String>) -> Result<(), Error> {
    for entry in dir.entries(".")? {
        if found.len() >= MOST {
            return Ok(());
        }
        let path = at.join(&entry.name);
        match entry.kind {
            Kind::Dir => collect(&dir.dir(&entry.name)?, &path, found)?,
            Kind::File => {
                let bytes = dir.read(&entry.name, LARGEST)?.unwrap_or_default();
                found.insert(path, String::from_utf8_lossy(&bytes).into_owned());
            }
            Kind::Link | Kind::Other => {}
        }
    }
    Ok(())
}
