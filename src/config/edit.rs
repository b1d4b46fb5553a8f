//! Changes of `config.json`: tried first, and written only if the file that comes of them can be meant.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use super::file::{BrokenFile, Loaded, Stray, broken, load, parse, text_of};
use super::themes::{SHIPPED, load_theme, own_themes};
use super::{jsonc, schema_file};
use crate::fs::Dir;
use crate::model::setting::SettingEdit;
use crate::model::{Failure, ProblemKind, Settings, built_in};
use crate::sys::lock::FileLock;

/// A change takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(3);

/// What a new file begins with.
const BEGINNING: &str = "{\n  \"$schema\": \"config.schema.json\",\n  \"v\": 1\n}\n";

/// The version of a home and of its settings that this parlour writes.
const VERSION: u64 = 1;

/// Beside the settings: it has the version of the home.
const HOME: &str = "home.json";

/// Why nothing was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unwritten {
    /// The file cannot be read as it is.
    #[error(transparent)]
    Broken(#[from] BrokenFile),
    #[error("{} was made by a newer parlour (version {version}) and is only read", path.display())]
    Newer { path: PathBuf, version: u64 },
    /// It can, and what was wanted cannot be meant.
    #[error("{key}: {why}")]
    Refused { key: String, why: String },
}

impl Failure for Unwritten {
    fn problem_kind(&self) -> ProblemKind {
        ProblemKind::User
    }

    fn hint(&self) -> Option<&'static str> {
        match self {
            Unwritten::Newer { .. } => Some("start the newer parlour"),
            Unwritten::Broken(_) => Some("correct config.json, then try again"),
            Unwritten::Refused { .. } => Some("nothing was written"),
        }
    }
}

/// Carries out some changes in the file as it is at this moment, all or none; all else stays as it is written.
pub fn edit(path: &Path, edits: &[SettingEdit]) -> Result<Loaded, Unwritten> {
    edit_if(path, edits, |_| Ok(()))
}

/// As [`edit`], if the settings that come of it pass; else it says which key is wrong, and why.
pub fn edit_if(
    path: &Path,
    edits: &[SettingEdit],
    judge: impl FnOnce(&Settings) -> Result<(), (String, String)>,
) -> Result<Loaded, Unwritten> {
    let _lock = lock(path)?;
    is_ours(
        &path.with_file_name(HOME),
        text_of(&path.with_file_name(HOME))?.as_deref(),
    )?;
    let before = text_of(path)?;
    if let Some(text) = &before {
        parse(path, text)?;
        is_ours(path, Some(text))?;
    }
    let mut text = before.clone().unwrap_or_else(|| BEGINNING.into());
    for edit in edits {
        let way = edit.way();
        let key = way.join(".");
        if way.is_empty() || way.iter().any(String::is_empty) {
            let why = "it is not a key: write it like limits.liveAgents".to_string();
            return Err(Unwritten::Refused { key, why });
        }
        text = jsonc::edited(&text, edit).map_err(|why| Unwritten::Refused { key, why })?;
    }
    // What is wrong now is so because of the change: its place is in no file.
    let loaded = parse(path, &text).map_err(|BrokenFile { key, why, .. }| Unwritten::Refused { key, why })?;
    for edit in edits {
        refused(path, &loaded, edit).map_err(|(key, why)| Unwritten::Refused { key, why })?;
    }
    judge(&loaded.settings).map_err(|(key, why)| Unwritten::Refused { key, why })?;
    if text_of(path)? != before {
        let why = "someone else changed it meanwhile; try again".to_string();
        return Err(broken(path, "", why).into());
    }
    write(path, &text)?;
    Ok(loaded)
}

/// What a newer parlour has made may mean something else than what is known here.
fn is_ours(path: &Path, text: Option<&str>) -> Result<(), Unwritten> {
    let read = |text: &str| {
        serde_json::from_str::<Value>(&jsonc::plain(text))
            .ok()?
            .get("v")?
            .as_u64()
    };
    match text.and_then(read).filter(|version| *version > VERSION) {
        None => Ok(()),
        Some(version) => Err(Unwritten::Newer {
            path: path.to_path_buf(),
            version,
        }),
    }
}

/// Keeps other changes waiting, of the shell and of the engine. Where no lock can be made, the file is not written either.
fn lock(path: &Path) -> Result<Option<FileLock>, BrokenFile> {
    match FileLock::acquire_within(&path.with_extension("lock"), PATIENCE) {
        Ok(Some(lock)) => Ok(Some(lock)),
        Ok(None) => {
            let why = "someone else has been changing it for seconds; try again".to_string();
            Err(broken(path, "", why))
        }
        Err(_) => Ok(None),
    }
}

/// Appends a rule to those that allow, unless it stands there.
pub fn allow(path: &Path, rule: &str) -> Result<Loaded, Unwritten> {
    let loaded = load(path)?;
    if loaded.settings.permissions.allow.iter().any(|known| known == rule) {
        return Ok(loaded);
    }
    let way = ["permissions", "allow"].map(String::from).into();
    edit(path, &[SettingEdit::Push(way, rule.into())])
}

/// Makes a file to be edited by hand where there is none.
pub fn begin(path: &Path) -> Result<(), BrokenFile> {
    match text_of(path)? {
        Some(_) => schema_file::keep(path).map_err(|error| broken(path, "", error.to_string())),
        None => write(path, BEGINNING),
    }
}

fn write(path: &Path, text: &str) -> Result<(), BrokenFile> {
    // A person may keep the file elsewhere and link to it: the link stays.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let (Some(folder), Some(name)) = (target.parent(), target.file_name()) else {
        return Err(broken(path, "", "it is not the path of a file".into()));
    };
    let written = Dir::open(folder).and_then(|folder| folder.write_atomic(name, text));
    written
        .and_then(|()| schema_file::keep(path))
        .map_err(|error| broken(path, "", error.to_string()))
}

/// Why a change wrote what cannot be meant. Other slips in the file are not its doing.
fn refused(path: &Path, loaded: &Loaded, edit: &SettingEdit) -> Result<(), (String, String)> {
    let stray = loaded.misfits.iter().find(|stray| is_of(edit, stray, &loaded.written));
    if let Some(stray) = stray {
        return Err((stray.key.clone(), stray.why.clone()));
    }
    let key = edit.way().join(".");
    let why = match (key.as_str(), edit) {
        ("theme", SettingEdit::Set(_, Value::String(name))) => no_theme(path, name),
        ("defaultLlm", SettingEdit::Set(_, Value::String(name))) => no_agent(&loaded.settings, name),
        (_, _) => None,
    };
    why.map_or(Ok(()), |why| Err((key, why)))
}

fn is_of(edit: &SettingEdit, stray: &Stray, written: &Value) -> bool {
    let key = match edit {
        SettingEdit::Unset(_) => return false,
        SettingEdit::Set(way, _) => way.join("."),
        SettingEdit::Push(way, _) => {
            let list = way.iter().try_fold(written, |value, name| value.get(name));
            let last = list
                .and_then(Value::as_array)
                .map_or(0, |list| list.len().saturating_sub(1));
            format!("{}.{last}", way.join("."))
        }
    };
    let is_below = |one: &str, other: &str| one.strip_prefix(other).is_some_and(|rest| rest.starts_with('.'));
    // A price is one as a whole, of which one part may have been set.
    stray.key == key || is_below(&stray.key, &key) || is_below(&key, &stray.key)
}

fn no_theme(config: &Path, name: &str) -> Option<String> {
    let home = Dir::open(config.parent()?).ok()?;
    let broken = load_theme(&home, name).err()?;
    let own = own_themes(&home);
    if own.iter().any(|own| own == name) {
        return Some(broken.to_string());
    }
    let shipped = SHIPPED.iter().map(|theme| theme.name);
    let known: Vec<&str> = shipped.chain(own.iter().map(String::as_str)).collect();
    Some(format!("there is no theme {name}; {}", meant(name, &known)))
}

fn no_agent(settings: &Settings, name: &str) -> Option<String> {
    let own = settings.custom_llms.keys().map(String::as_str);
    let known: Vec<&str> = built_in::names().into_iter().chain(own).collect();
    (!known.contains(&name)).then(|| format!("there is no agent {name}; {}", meant(name, &known)))
}

fn meant(name: &str, known: &[&str]) -> String {
    match similar::get_close_matches(name, known, 2, 0.6).as_slice() {
        [] => format!("there are {}", known.join(", ")),
        near => format!("did you mean {}?", near.join(" or ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_where_a_newer_parlour_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.json");
        let set = || {
            edit(&path, &[SettingEdit::of("theme", "dark".into())])
                .unwrap_err()
                .to_string()
        };
        let newer = "{\n  // mine\n  \"v\": 99\n}\n";
        std::fs::write(&path, newer).unwrap();
        let unwritten = set();
        assert!(
            unwritten.ends_with("config.json was made by a newer parlour (version 99) and is only read"),
            "{unwritten}"
        );
        assert_eq!(std::fs::read_to_string(&path).unwrap(), newer);
        std::fs::remove_file(&path).unwrap();
        std::fs::write(path.with_file_name("home.json"), "{\"v\": 2}").unwrap();
        let unwritten = set();
        assert!(
            unwritten.ends_with("home.json was made by a newer parlour (version 2) and is only read"),
            "{unwritten}"
        );
        assert!(!path.exists());
    }
}
