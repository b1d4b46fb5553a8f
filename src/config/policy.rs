//! When an agent CLI asks, as a person's file in `llm-defaults` says it: read, and changed where it stands.

use std::path::Path;

use serde_json::Value;
use toml_edit::{DocumentMut, Item, Table};

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
        true => in_toml(&text, policy.way, value).map_err(|why| broken(&why))?,
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

/// What is written around it stays: comments above it and behind it.
fn in_toml(text: &str, way: &[&str], value: Option<&str>) -> Result<String, String> {
    let mut file: DocumentMut = text.parse().map_err(|why: toml_edit::TomlError| why.to_string())?;
    let Some((key, above)) = way.split_last() else {
        return Ok(file.to_string());
    };
    let known = way.iter().try_fold(file.as_item(), |at, key| at.get(key));
    if known.is_none() && value.is_none() {
        return Ok(file.to_string());
    }
    let mut at = file.as_item_mut();
    for name in above {
        let table = at.as_table_like_mut().ok_or(format!("{name:?} has no place in it"))?;
        at = table.entry(name).or_insert(Item::Table(Table::new()));
    }
    let table = at.as_table_like_mut().ok_or(format!("{key:?} has no place in it"))?;
    match (value, table.get_mut(key).and_then(Item::as_value_mut)) {
        (Some(value), Some(known)) => {
            let around = known.decor().clone();
            *known = value.into();
            *known.decor_mut() = around;
        }
        (Some(value), None) => _ = table.insert(key, toml_edit::value(value)),
        (None, _) => _ = table.remove(key),
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
    fn comments_at_the_key_stay_and_a_key_within_a_table_is_written() {
        let written = |text, way: &[&str]| in_toml(text, way, Some("on-request")).unwrap();
        let noted = "# never on this box\napproval_policy = \"never\"  # until June\n";
        assert_eq!(
            written(noted, &["approval_policy"]),
            noted.replace("\"never\"", "\"on-request\"")
        );
        let table = "model = \"x\"\n\n[a]\nb = 1\n";
        assert_eq!(written(table, &["a", "c"]), format!("{table}c = \"on-request\"\n"));
        assert_eq!(written("", &["a", "c"]), "[a]\nc = \"on-request\"\n");
        assert_eq!(in_toml(table, &["model", "c"], None).unwrap(), table);
        assert!(in_toml(table, &["model", "c"], Some("never")).is_err());
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
