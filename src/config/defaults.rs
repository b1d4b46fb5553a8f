//! The files a new chat starts from, by agent CLI: the shipped ones, and a user's own in `llm-defaults/{cli}/`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::{jsonc, policy};
use crate::fs::{Dir, DirEntryKind, Error, SafeName};
use crate::model::setting::DefaultsFile;

/// Templates are settings, not payloads: more than this is somebody's mistake.
const LARGEST: u64 = 256 << 10;
const MOST: usize = 200;
const DEEPEST: usize = 10;

macro_rules! shipped {
    ($(($cli:literal, $path:literal)),* $(,)?) => {
        &[$(($cli, $path, include_str!(concat!("../../llm-defaults/", $cli, "/", $path)))),*]
    };
}

/// CLI, file in its folder here, and where the CLI reads it in a chat.
const SETTINGS: &[(&str, &str, &str)] = &[
    ("claude", "settings.local.json", ".claude/settings.local.json"),
    ("claude", "settings.json", ".claude/settings.json"),
    ("codex", "config.toml", ".codex/config.toml"),
    ("codex", "hooks.json", ".codex/hooks.json"),
    ("cursor", "cli.json", ".cursor/cli.json"),
    ("gemini", "settings.json", ".gemini/settings.json"),
    ("opencode", "opencode.json", "opencode.json"),
    ("opencode", "opencode.jsonc", "opencode.jsonc"),
];

/// CLI, path in its folder, text.
const SHIPPED: &[(&str, &str, &str)] = shipped![
    ("claude", "settings.local.json"),
    ("cline", ".clinerules/parlour.md"),
    ("codex", "config.toml"),
    ("cursor", ".cursor/rules/parlour.mdc"),
    ("gemini", "settings.json"),
    ("opencode", "opencode.json"),
    ("windsurf", ".windsurf/rules/parlour.md"),
];

/// Path in the chat and bytes of each template of `cli`. Where both have one, the user's takes its place, but for
/// settings: those are put over the shipped ones, key by key. The same holds of settings that lie at the top of the folder
/// and once more at the path that the CLI reads.
pub fn templates(cli: &SafeName, home: &Dir) -> Result<Vec<(PathBuf, Vec<u8>)>, Error> {
    let mut found: BTreeMap<PathBuf, Vec<u8>> = SHIPPED
        .iter()
        .filter(|(of, ..)| *of == cli.as_str())
        .map(|(_, path, text)| (placed(cli.as_str(), path), text.as_bytes().to_vec()))
        .collect();
    let own = match home.dir(Path::new("llm-defaults").join(cli)) {
        Ok(own) => own,
        Err(e) if e.is_missing() => return Ok(found.into_iter().collect()),
        Err(e) => return Err(e),
    };
    let mut theirs = BTreeMap::new();
    collect(&own, Path::new(""), DEEPEST, &mut theirs)?;
    let (short, whole): (Vec<_>, Vec<_>) = theirs.into_iter().partition(|(path, _)| is_settings(cli, path));
    for (path, bytes) in short.into_iter().chain(whole) {
        let path = path.to_str().map_or(path.clone(), |name| placed(cli.as_str(), name));
        // A CLI that cannot read its settings goes without our hooks and rules, or does not start.
        if let Some(why) = fault(cli, &path, &bytes) {
            tracing::warn!("llm-defaults/{cli}: {}: {why}; new chats go without it", path.display());
            continue;
        }
        let both = found.get(&path).and_then(|before| merged(&path, before, &bytes));
        found.insert(path, both.unwrap_or(bytes));
    }
    Ok(found.into_iter().collect())
}

/// A person's own settings for `cli` that nobody can read, each with the reason: new chats go without them.
pub fn broken(cli: &SafeName, home: &Dir) -> Result<Vec<(PathBuf, String)>, Error> {
    let folder = Path::new("llm-defaults").join(cli);
    let mut theirs = BTreeMap::new();
    collect(&home.dir(&folder)?, Path::new(""), DEEPEST, &mut theirs)?;
    let broken = theirs.into_iter().filter_map(|(path, bytes)| {
        let place = path.to_str().map_or(path.clone(), |name| placed(cli.as_str(), name));
        Some((folder.join(&path), fault(cli, &place, &bytes)?))
    });
    Ok(broken.collect())
}

/// Why what would lie at `place` in a chat are no settings of `cli`, if it reads its settings there.
fn fault(cli: &SafeName, place: &Path, bytes: &[u8]) -> Option<String> {
    let is_read = |(of, _, read): &(&str, &str, &str)| *of == cli.as_str() && Path::new(read) == place;
    if !SETTINGS.iter().any(is_read) {
        return None;
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Some("it is not UTF-8 text".into());
    };
    match place.extension()?.to_str()? {
        "json" | "jsonc" => jsonc::fault(text),
        "toml" => text.parse::<toml::Table>().err().map(|error| toml_fault(text, &error)),
        _ => None,
    }
}

fn toml_fault(text: &str, error: &toml::de::Error) -> String {
    let before = error.span().and_then(|span| text.get(..span.start));
    match before.map(|before| 1 + before.matches('\n').count()) {
        Some(line) => format!("{} in line {line}", error.message()),
        None => error.message().into(),
    }
}

/// Where a file of the folder of `cli` lies in a chat.
fn placed(cli: &str, path: &str) -> PathBuf {
    let known = SETTINGS.iter().find(|(of, file, _)| *of == cli && *file == path);
    known.map_or(path, |(_, _, place)| place).into()
}

fn is_settings(cli: &SafeName, path: &Path) -> bool {
    let known = |(of, file, _): &(&str, &str, &str)| *of == cli.as_str() && Path::new(file) == path;
    SETTINGS.iter().any(known)
}

/// The settings files that each chat of `cli` reads, as they are named at the top of its folder.
fn named(cli: &str) -> Vec<&'static str> {
    let own = SETTINGS.iter().filter(|(of, ..)| *of == cli);
    own.map(|(_, file, _)| *file).collect()
}

/// The shipped settings that a person may put their own over.
pub fn own_settings(home: &Dir) -> Vec<DefaultsFile> {
    let shipped = SHIPPED.iter().filter(|(cli, file, _)| named(cli).contains(file));
    let own = shipped.map(|(cli, file, _)| {
        let path = Path::new("llm-defaults").join(cli).join(file);
        let own = home.read(&path, LARGEST).ok().flatten();
        DefaultsFile {
            is_own: own.is_some(),
            policy: own.and_then(|own| policy::read(&path, &own)),
            path,
        }
    });
    own.collect()
}

/// Puts the shipped text there if nothing is, so that it can be edited.
pub fn begin_own_settings(home: &Dir, path: &Path) -> Result<(), Error> {
    let shipped = SHIPPED
        .iter()
        .find(|(cli, file, _)| Path::new("llm-defaults").join(cli).join(file) == path);
    if let (Some((_, _, text)), Some(folder), None) = (shipped, path.parent(), home.read(path, LARGEST)?) {
        home.create_dir(folder)?;
        home.write_atomic(path, text)?;
    }
    Ok(())
}

/// What of a person's folder for `cli` has no effect, each with what would have.
pub fn idle(cli: &SafeName, home: &Dir) -> Vec<(PathBuf, String)> {
    let folder = Path::new("llm-defaults").join(cli);
    let known = named(cli.as_str());
    let entries = home.entries(&folder).unwrap_or_default().into_iter();
    let files = entries.filter(|entry| entry.kind == DirEntryKind::File && !known.is_empty());
    let idle = files.filter_map(|entry| {
        let name = entry.name.to_str()?;
        let looks_like_settings = [".json", ".jsonc", ".toml"].iter().any(|end| name.ends_with(end));
        let strange = looks_like_settings && !name.starts_with('.') && !known.contains(&name);
        strange.then(|| {
            (
                folder.join(name),
                format!("its settings are read from {}", known.join(" or ")),
            )
        })
    });
    idle.collect()
}

fn collect(dir: &Dir, at: &Path, deeper: usize, found: &mut BTreeMap<PathBuf, Vec<u8>>) -> Result<(), Error> {
    for entry in dir.entries(".")? {
        if found.len() >= MOST {
            return Ok(());
        }
        let path = at.join(&entry.name);
        match entry.kind {
            DirEntryKind::Dir if deeper > 0 => collect(&dir.dir(&entry.name)?, &path, deeper - 1, found)?,
            DirEntryKind::File => {
                found.insert(path, dir.read(&entry.name, LARGEST)?.unwrap_or_default());
            }
            DirEntryKind::Dir | DirEntryKind::Link | DirEntryKind::Other => {}
        }
    }
    Ok(())
}

/// The settings of both files, the user's over the shipped ones; `None` where not both are settings.
fn merged(path: &Path, shipped: &[u8], own: &[u8]) -> Option<Vec<u8>> {
    match path.extension()?.to_str()? {
        "json" => {
            let mut all: Map<String, Value> = serde_json::from_slice(shipped).ok()?;
            over(&mut all, serde_json::from_slice(own).ok()?);
            Some(format!("{:#}\n", Value::Object(all)).into_bytes())
        }
        "toml" => {
            let read = |bytes| std::str::from_utf8(bytes).ok()?.parse::<toml::Table>().ok();
            let mut all = read(shipped)?;
            over_toml(&mut all, read(own)?);
            Some(all.to_string().into_bytes())
        }
        _ => None,
    }
}

fn over(all: &mut Map<String, Value>, own: Map<String, Value>) {
    for (key, value) in own {
        match (all.get_mut(&key), value) {
            (Some(Value::Object(inner)), Value::Object(own)) => over(inner, own),
            (_, value) => drop(all.insert(key, value)),
        }
    }
}

fn over_toml(all: &mut toml::Table, own: toml::Table) {
    for (key, value) in own {
        match (all.get_mut(&key), value) {
            (Some(toml::Value::Table(inner)), toml::Value::Table(own)) => over_toml(inner, own),
            (_, value) => drop(all.insert(key, value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(path: &str, shipped: &str, own: &str) -> Option<String> {
        merged(Path::new(path), shipped.as_bytes(), own.as_bytes()).map(|bytes| String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn a_users_keys_win_and_the_others_stay() {
        let json = both(
            "a.json",
            r#"{"a": {"b": 1, "c": [1]}, "d": 2}"#,
            r#"{"a": {"c": [2], "e": 3}, "d": {}}"#,
        );
        let json: Value = serde_json::from_str(&json.unwrap()).unwrap();
        assert_eq!(json, serde_json::json!({"a": {"b": 1, "c": [2], "e": 3}, "d": {}}));
        let toml = both("a.toml", "x = 1\n[a]\nb = 1\nc = 2\n", "[a]\nc = 3\n");
        assert_eq!(
            toml.unwrap().parse::<toml::Table>(),
            "x = 1\n[a]\nb = 1\nc = 3\n".parse()
        );
    }

    #[test]
    fn settings_that_nobody_can_read_are_named_and_the_shipped_ones_laid_in_their_place() {
        let folder = tempfile::tempdir().unwrap();
        let home = Dir::open(folder.path()).unwrap();
        for (cli, own, text) in [
            ("gemini", "settings.json", "{"),
            ("codex", ".codex/config.toml", "x = 1\napproval_policy = \"never\n"),
            ("opencode", "opencode.json", "{} // mine"),
        ] {
            let path = Path::new("llm-defaults").join(cli).join(own);
            home.create_dir(path.parent().unwrap()).unwrap();
            home.write_atomic(&path, text).unwrap();
            let name = SafeName::parse(cli).unwrap();
            let broken = broken(&name, &home).unwrap();
            let laid = templates(&name, &home).unwrap();
            let is_laid = laid.iter().any(|(_, bytes)| bytes == text.as_bytes());
            assert_eq!(
                (broken.len(), is_laid),
                if cli == "opencode" { (0, true) } else { (1, false) }
            );
            assert!(broken.iter().all(|(place, why)| *place == path && !why.is_empty()));
        }
    }

    #[test]
    fn what_is_no_settings_is_taken_as_it_is() {
        for (path, own) in [
            ("a.json", "[1]"),
            ("a.json", "{torn"),
            ("a.toml", "= x"),
            ("a.md", "{}"),
            ("a", "{}"),
        ] {
            assert_eq!(both(path, "{}", own), None, "{path} {own}");
        }
    }
}
