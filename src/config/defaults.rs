//! The files a new chat starts from, by agent CLI: the shipped ones, and a user's own in `llm-defaults/{cli}/`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::fs::{Dir, Error, Kind, SafeName};

/// Templates are settings, not payloads: more than this is somebody's mistake.
const LARGEST: u64 = 256 << 10;
const MOST: usize = 200;
const DEEPEST: usize = 10;

macro_rules! shipped {
    ($(($cli:literal, $path:literal)),* $(,)?) => {
        &[$(($cli, $path, include_str!(concat!("../../llm-defaults/", $cli, "/", $path)))),*]
    };
}

/// CLI, path in the chat, text.
const SHIPPED: &[(&str, &str, &str)] = shipped![
    ("claude", ".claude/settings.local.json"),
    ("cline", ".clinerules/parlour.md"),
    ("cursor", ".cursor/rules/parlour.mdc"),
    ("windsurf", ".windsurf/rules/parlour.md"),
];

/// Path in the chat and bytes of each template of `cli`; where both have one, the user's wins.
pub fn templates(cli: &SafeName, home: &Dir) -> Result<Vec<(PathBuf, Vec<u8>)>, Error> {
    let mut found: BTreeMap<PathBuf, Vec<u8>> = SHIPPED
        .iter()
        .filter(|(of, ..)| *of == cli.as_str())
        .map(|(_, path, text)| (PathBuf::from(path), text.as_bytes().to_vec()))
        .collect();
    match home.dir(Path::new("llm-defaults").join(cli)) {
        Ok(own) => collect(&own, Path::new(""), DEEPEST, &mut found)?,
        Err(e) if e.is_missing() => {}
        Err(e) => return Err(e),
    }
    Ok(found.into_iter().collect())
}

fn collect(dir: &Dir, at: &Path, deeper: usize, found: &mut BTreeMap<PathBuf, Vec<u8>>) -> Result<(), Error> {
    for entry in dir.entries(".")? {
        if found.len() >= MOST {
            return Ok(());
        }
        let path = at.join(&entry.name);
        match entry.kind {
            Kind::Dir if deeper > 0 => collect(&dir.dir(&entry.name)?, &path, deeper - 1, found)?,
            Kind::File => {
                let bytes = dir.read(&entry.name, LARGEST)?.unwrap_or_default();
                found.insert(path, bytes);
            }
            Kind::Dir | Kind::Link | Kind::Other => {}
        }
    }
    Ok(())
}
