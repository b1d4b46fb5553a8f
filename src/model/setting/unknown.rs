//! Keys of `config.json` that no setting has. The file keeps them, but a typing error is worth a word.

use serde_json::{Map, Value};

use super::place::{fields, near};
use super::{MapOf, Setting, SettingKind, all};

/// A key that no setting has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownKey {
    /// The names that lead there.
    pub way: Vec<String>,
    /// What may have been meant, in words.
    pub meant: String,
}

/// What a file may say beside settings.
const BESIDE: [&str; 2] = ["v", "$schema"];

/// All of them, in the order of the file.
pub fn unknown(root: &Map<String, Value>) -> Vec<UnknownKey> {
    let mut found = Vec::new();
    let settings = root.iter().filter(|(key, _)| !BESIDE.contains(&key.as_str()));
    for (key, value) in settings {
        look(vec![key.clone()], value, &mut found);
    }
    found
}

fn look(way: Vec<String>, value: &Value, found: &mut Vec<UnknownKey>) {
    let path = way.join(".");
    if let Some(setting) = all().iter().find(|setting| setting.path == path) {
        look_into_entries(setting, value, found);
        return;
    }
    let is_below = |setting: &Setting| {
        setting
            .path
            .strip_prefix(&*path)
            .is_some_and(|rest| rest.starts_with('.'))
    };
    match (all().iter().any(is_below), value) {
        (true, Value::Object(group)) => {
            for (name, value) in group {
                look([&way[..], std::slice::from_ref(name)].concat(), value, found);
            }
        }
        // That it is no object is told by whoever reads it.
        (true, _) => {}
        (false, _) => found.push(UnknownKey {
            meant: near(&path),
            way,
        }),
    }
}

/// Names of entries are a person's own; those of their fields are not.
fn look_into_entries(setting: &Setting, value: &Value, found: &mut Vec<UnknownKey>) {
    let fields = match setting.kind {
        // A price with another field is none, and is told as that.
        SettingKind::Map(MapOf::Prices) => &[],
        SettingKind::Map(of) => fields(of),
        SettingKind::Switch
        | SettingKind::Number(_)
        | SettingKind::Choice(_)
        | SettingKind::Text
        | SettingKind::List(_) => &[],
    };
    let entries = value.as_object().filter(|_| !fields.is_empty());
    for (name, entry) in entries.into_iter().flatten() {
        let strange = entry.as_object().into_iter().flat_map(Map::keys);
        for field in strange.filter(|field| !fields.contains(&field.as_str())) {
            let way = setting.path.split('.').chain([name.as_str(), field.as_str()]);
            let near = similar::get_close_matches(field.as_str(), fields, 1, 0.6);
            found.push(UnknownKey {
                way: way.map(String::from).collect(),
                meant: match near.first() {
                    Some(near) => format!("did you mean {near}?"),
                    None => format!("there are {}", fields.join(", ")),
                },
            });
        }
    }
}
