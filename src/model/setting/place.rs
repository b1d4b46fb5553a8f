//! What a person means by a key: a setting, an entry of one, or a group of them.

use serde_json::Value;

use super::edit::steps;
use super::{MapOf, Setting, SettingKind, all};

/// A setting, or something within it.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingPlace {
    pub setting: &'static Setting,
    /// The name of an entry, then of its fields.
    pub within: Vec<String>,
}

/// What a key names.
#[derive(Clone, Debug, PartialEq)]
pub enum FoundSetting {
    One(SettingPlace),
    /// `limits`: the settings below it.
    Group(Vec<&'static Setting>),
}

/// Fields of entries that are objects. The name before them may hold dots, as that of a model does.
const FIELDS: [(MapOf, &[&str]); 3] = [
    (
        MapOf::Agents,
        &[
            "command",
            "args",
            "env",
            "ready",
            "resumeArgs",
            "promptArg",
            "instructionsFile",
            "lacksTools",
            "mcpConfig",
            "transcript",
        ],
    ),
    (MapOf::Servers, &["type", "command", "args", "env", "url", "headers"]),
    (MapOf::Prices, &["input", "output", "cacheRead", "cacheWrite"]),
];

/// The names of fields that an entry of such a map may have; none where an entry is a single value.
pub(super) fn fields(of: MapOf) -> &'static [&'static str] {
    let found = FIELDS.iter().find(|(map, _)| *map == of);
    found.map_or(&[], |(_, fields)| fields)
}

/// What the key names; if it names nothing, what may have been meant.
pub fn find(key: &str) -> Result<FoundSetting, String> {
    for setting in all() {
        if setting.path == key {
            let within = Vec::new();
            return Ok(FoundSetting::One(SettingPlace { setting, within }));
        }
        let below = key.strip_prefix(setting.path).and_then(|rest| rest.strip_prefix('.'));
        if let (Some(rest), SettingKind::Map(of)) = (below, setting.kind)
            && !rest.is_empty()
        {
            let within = within(of, rest);
            return Ok(FoundSetting::One(SettingPlace { setting, within }));
        }
    }
    let is_below = |setting: &&Setting| setting.path.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'));
    let group: Vec<&'static Setting> = all().iter().filter(is_below).collect();
    match group.is_empty() {
        true => Err(near(key)),
        false => Ok(FoundSetting::Group(group)),
    }
}

fn within(of: MapOf, rest: &str) -> Vec<String> {
    let fields = fields(of);
    let parts: Vec<&str> = rest.split('.').collect();
    let field = (1..parts.len()).find(|at| fields.contains(&parts[*at]));
    let Some(field) = field else {
        return vec![rest.into()];
    };
    let name = parts[..field].join(".");
    [name]
        .into_iter()
        .chain(parts[field..].iter().map(|part| (*part).into()))
        .collect()
}

/// Settings whose path or last name looks like it.
pub(super) fn near(key: &str) -> String {
    let wanted = key.to_lowercase();
    let spelled = |setting: &Setting| setting.path.to_lowercase();
    let paths: Vec<String> = all().iter().map(spelled).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let last = wanted.rsplit('.').next().unwrap_or_default();
    let slips = (last.len() / 3).min(2);
    let is_named = |setting: &&Setting| strsim::damerau_levenshtein(&setting.name().to_lowercase(), last) <= slips;
    let mut meant: Vec<&str> = all().iter().filter(is_named).map(|setting| setting.path).collect();
    if meant.is_empty() {
        let close = similar::get_close_matches(wanted.as_str(), &paths, 3, 0.6);
        let is_close = |setting: &&Setting| close.contains(&spelled(setting).as_str());
        meant = all().iter().filter(is_close).map(|setting| setting.path).collect();
    }
    meant.truncate(3);
    match meant.is_empty() {
        true => "`parlour config list` shows all settings".into(),
        false => format!("did you mean {}?", meant.join(" or ")),
    }
}

impl SettingPlace {
    /// The names that lead there.
    pub fn way(&self) -> Vec<String> {
        steps(self.setting.path)
            .into_iter()
            .chain(self.within.iter().cloned())
            .collect()
    }

    /// The value there; `None` where the file has none.
    pub fn value_in<'v>(&self, root: &'v Value) -> Option<&'v Value> {
        self.way().iter().try_fold(root, |value, name| value.get(name))
    }
}
