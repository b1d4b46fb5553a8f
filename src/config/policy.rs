//! When an agent CLI asks, as a person's file in `llm-defaults` says it: read, and changed where it stands.

use std::path::Path;

use serde_json::Value;
use toml_edit::DocumentMut;

use super::jsonc;
use crate::fs::Dir;
use crate::model::setting::{ApprovalPolicy, PolicyHolds, SettingEdit};
use crate::model::{Problem, ResultExt};

const LARGEST: u64 = 256 << 10;
const DOING: &str = "changing when an agent CLI asks";

/// What the file says of it, where it can be read.
pub(super) fn read(path: &Path, bytes: &[u8]) -> Option<String> {
    let policy = ApprovalPolicy::of(path).filter(|policy| policy.holds != PolicyHolds::ByRules)?;
    let text = std::str::from_utf8(bytes).ok()?;
    match is_toml(path) {
        true => {
            let file: DocumentMut = text.parse().ok()?;
            let mut at = file.as_item();
            for key in policy.way {
                at = at.get(key)?;
            }
            at.as_str().map(String::from)
        }
        false => {
            let file: Value = serde_json::from_str(&jsonc::plain(text)).ok()?;
            let value = policy.way.iter().try_fold(&file, |at, key| at.get(key))?;
            value.as_str().map(String::from)
        }
    }
}

/// Puts it into the person's own file, which has to be there; all else in it stays as it is written.
pub fn set_policy(home: &Dir, path: &Path, value: Option<&str>) -> Result<(), Problem> {
    let policy = ApprovalPolicy::of(path).filter(|policy| policy.holds != PolicyHolds::ByRules);
    let Some(policy) = policy else {
        let why = format!("{} says nothing of it", path.display());
        return Err(Problem::new(DOING, why, "edit the file by hand"));
    };
    let bytes = home.read(path, LARGEST).doing(DOING)?.unwrap_or_default();
    let broken = |why: &dyn std::fmt::Display| {
        let hint = format!("correct {} in parlour's home, then try again", path.display());
        Problem::new(DOING, why, hint)
    };
    let text = String::from_utf8(bytes).map_err(|why| broken(&why))?;
    let changed = match is_toml(path) {
        true => in_toml(&text, policy, value).map_err(|why| broken(&why))?,
        false => {
            let way = policy.way.iter().map(|key| key.to_string()).collect();
            let edit = match value {
                Some(value) => SettingEdit::Set(way, value.into()),
                None => SettingEdit::Unset(way),
            };
            jsonc::edited(&text, &edit).map_err(|why| broken(&why))?
        }
    };
    home.write_atomic(path, changed).doing(DOING)
}

fn is_toml(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "toml")
}

/// It stands at the top of the file there.
fn in_toml(text: &str, policy: &ApprovalPolicy, value: Option<&str>) -> Result<String, toml_edit::TomlError> {
    let mut file: DocumentMut = text.parse()?;
    if let [key] = policy.way {
        match value {
            Some(value) => _ = file.insert(key, toml_edit::value(value)),
            None => _ = file.remove(key),
        }
    }
    Ok(file.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_put_where_it_stands_and_taken_out_again() {
        let folder = tempfile::tempdir().unwrap();
        let home = Dir::open(folder.path()).unwrap();
        for (file, before) in [
            (
                "llm-defaults/claude/settings.local.json",
                "{\n  // mine\n  \"env\": {\"A\": \"1\"}\n}\n",
            ),
            (
                "llm-defaults/codex/config.toml",
                "# mine\nmodel = \"x\"\n\n[a]\nb = 1\n",
            ),
            ("llm-defaults/gemini/settings.json", "{}\n"),
        ] {
            let path = Path::new(file);
            home.create_dir(path.parent().unwrap()).unwrap();
            home.write_atomic(path, before).unwrap();
            let policy = ApprovalPolicy::of(path).unwrap();
            let text = || String::from_utf8(home.read(path, LARGEST).unwrap().unwrap()).unwrap();
            for (word, _) in policy.words {
                set_policy(&home, path, Some(word)).unwrap();
                assert_eq!(read(path, text().as_bytes()).as_deref(), Some(*word), "{}", text());
            }
            assert_eq!(text().contains("mine"), before.contains("mine"), "{}", text());
            set_policy(&home, path, None).unwrap();
            assert_eq!(read(path, text().as_bytes()), None, "{}", text());
        }
    }

    #[test]
    fn a_file_that_cannot_be_read_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let home = Dir::open(folder.path()).unwrap();
        let path = Path::new("llm-defaults/codex/config.toml");
        home.create_dir(path.parent().unwrap()).unwrap();
        home.write_atomic(path, "= torn").unwrap();
        assert!(set_policy(&home, path, Some("never")).is_err());
        assert_eq!(home.read(path, LARGEST).unwrap().unwrap(), b"= torn");
    }
}
