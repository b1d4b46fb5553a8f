//! `config.json`: read whole, judged, and changed one key at a time.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::json_position::spot;
use super::jsonc;
use crate::fs::SafeName;
use crate::model::keeping::Keep;
use crate::model::price::Price;
use crate::model::setting::{self, FoundSetting, UnknownKey};
use crate::model::settings::PermissionSettings;
use crate::model::{AgentEntry, Failure, ProblemKind, Server, Settings};
use crate::permission;
use crate::term::key;

/// Far above any real file; a log piped into it by accident must not fill the memory.
const LARGEST: u64 = 1 << 20;

/// What goes on without what may forbid something.
const DOUBTFUL: &str = "and agents ask about every call until it is right";

#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    pub settings: Settings,
    /// What the file says, as it stands there.
    pub written: Value,
    /// Keys that this version does not know.
    pub unknown: Vec<UnknownSetting>,
    /// Permission rules and servers that are none, each with its place. The others are in force, and where one may forbid
    /// something agents ask about all: one slip must not open the gate.
    pub misfits: Vec<Stray>,
}

/// Of no file.
impl Default for Loaded {
    fn default() -> Loaded {
        Loaded {
            settings: Settings::default(),
            written: Value::Object(Map::new()),
            unknown: Vec::new(),
            misfits: Vec::new(),
        }
    }
}

/// A key that no setting has, and where it stands in `config.json`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSetting {
    /// Line and column, from 1.
    pub at: Option<(usize, usize)>,
    /// `limits.liveagents`
    pub key: String,
    /// What may have been meant, in words.
    pub meant: String,
}

impl std::fmt::Display for UnknownSetting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        place(f, self.at)?;
        write!(f, " no such setting: {}; {}", self.key, self.meant)
    }
}

/// `config.json:3:7:`
fn place(f: &mut std::fmt::Formatter<'_>, at: Option<(usize, usize)>) -> std::fmt::Result {
    write!(f, "config.json:")?;
    at.map_or(Ok(()), |(line, column)| write!(f, "{line}:{column}:"))
}

/// A permission rule or a server that cannot be meant, and where it stands in `config.json`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stray {
    /// Line and column, from 1.
    pub at: Option<(usize, usize)>,
    /// `permissions.deny.1`, counted from 0.
    pub key: String,
    pub why: String,
    /// What goes on without it: "the other rules hold".
    pub rest: &'static str,
}

impl std::fmt::Display for Stray {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        place(f, self.at)?;
        write!(f, " {}: {}; it is left out, {}", self.key, self.why, self.rest)
    }
}

/// A file of settings that cannot be used as it is. It is left as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct BrokenFile {
    pub path: PathBuf,
    /// Line and column, from 1, where there is one to blame.
    pub at: Option<(usize, usize)>,
    /// `limits.liveAgents`; empty where the file as a whole is meant.
    pub key: String,
    pub why: String,
}

impl std::fmt::Display for BrokenFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        let at = self.at.map(|(line, column)| format!("{line}:{column}:"));
        write!(f, "{}:{} {}", name.display(), at.unwrap_or_default(), self.what())
    }
}

impl BrokenFile {
    /// What is wrong, without its place.
    pub fn what(&self) -> String {
        match self.key.is_empty() {
            true => self.why.clone(),
            false => format!("{}: {}", self.key, self.why),
        }
    }
}

/// A person wrote it, so a person can correct it.
impl Failure for BrokenFile {
    fn problem_kind(&self) -> ProblemKind {
        ProblemKind::User
    }

    fn hint(&self) -> Option<&'static str> {
        Some("correct config.json")
    }
}

/// The settings in the file at `path`; the defaults where there is none.
pub fn load(path: &Path) -> Result<Loaded, BrokenFile> {
    match text_of(path)? {
        Some(text) => parse(path, &text),
        None => Ok(Loaded::default()),
    }
}

pub(super) fn text_of(path: &Path) -> Result<Option<String>, BrokenFile> {
    let failed = |why: String| broken(path, "", why);
    match std::fs::metadata(path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(failed(e.to_string())),
        Ok(found) if !found.is_file() => return Err(failed("it is not a regular file".into())),
        Ok(found) if found.len() > LARGEST => return Err(failed("it is larger than 1 MiB".into())),
        Ok(_) => {}
    }
    let bytes = std::fs::read(path).map_err(|e| failed(e.to_string()))?;
    String::from_utf8(bytes).map(Some).map_err(|e| {
        let good = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        let line = 1 + good.iter().filter(|b| **b == b'\n').count();
        let column = 1 + good.iter().rev().take_while(|b| **b != b'\n').count();
        BrokenFile {
            at: Some((line, column)),
            ..failed("this is not UTF-8 text".into())
        }
    })
}

pub(super) fn parse(path: &Path, text: &str) -> Result<Loaded, BrokenFile> {
    // Some editors put a byte order mark before the text.
    let text = &jsonc::plain(text.strip_prefix('\u{feff}').unwrap_or(text));
    let mut json = serde_json::Deserializer::from_str(text);
    let mut settings: Settings = serde_path_to_error::deserialize(&mut json).map_err(|e| {
        let key: String = match e.path().to_string().as_str() {
            "." | "?" => String::new(),
            // A name that was not read.
            key => key.trim_end_matches(".?").to_string(),
        };
        let meant = unmeant(text, &key, e.inner());
        let broken = syntax(path, text, key, e.inner());
        let why = meant.unwrap_or_else(|| broken.why.clone());
        BrokenFile { why, ..broken }
    })?;
    json.end().map_err(|e| syntax(path, text, String::new(), &e))?;
    let known = serde_json::to_value(&settings).unwrap_or_default();
    let root: Value = serde_json::from_str(text).unwrap_or_default();
    if let Some(keys) = list_for_object(&root, &known) {
        return Err(BrokenFile {
            path: path.to_path_buf(),
            at: spot(text, &keys),
            key: keys.join("."),
            why: "an object, {…}, is expected here, not a list".into(),
        });
    }
    judge(&settings).map_err(|(keys, why)| BrokenFile {
        path: path.to_path_buf(),
        at: spot(text, &keys),
        key: keys.join("."),
        why,
    })?;
    let root = root.as_object().cloned().unwrap_or_default();
    let bytes = root.get("limits").and_then(|limits| limits.get("historyBytes"));
    if bytes.is_none() {
        settings.limits.make_room_for_history();
    }
    let (lists, unknown) = unknown(text, &root);
    settings.permissions.unknown_lists = lists
        .iter()
        .filter_map(|list| list.key.split_once('.'))
        .map(|(_, name)| name.into())
        .collect();
    let mut misfits = misfits(text, &settings);
    misfits.extend(lists);
    misfits.extend(strange_servers(text, &root));
    misfits.extend(strange_prices(text, &root));
    misfits.extend(strange_agents(text, &settings));
    Ok(Loaded {
        settings,
        written: Value::Object(root),
        unknown,
        misfits,
    })
}

/// The way to a list where an object was read: what has defaults is also taken as a list of its values in order, so that
/// `[]` would be all of them, with no rule that denies anything.
fn list_for_object<'v>(written: &'v Value, read: &Value) -> Option<Vec<&'v str>> {
    match (written, read) {
        (Value::Array(_), Value::Object(_)) => Some(Vec::new()),
        (Value::Object(written), Value::Object(read)) => written.iter().find_map(|(key, value)| {
            let mut way = list_for_object(value, read.get(key)?)?;
            way.insert(0, key);
            Some(way)
        }),
        _ => None,
    }
}

/// Of a word that is none of those a setting takes, what is said to somebody who sets it in the shell.
fn unmeant(text: &str, key: &str, error: &serde_json::Error) -> Option<String> {
    if !error.to_string().starts_with("unknown variant") {
        return None;
    }
    let root: Value = serde_json::from_str(text).ok()?;
    let setting = key.split('[').next()?;
    match setting::find(setting).ok()? {
        FoundSetting::One(place) => place.check(place.value_in(&root)?).err(),
        FoundSetting::Group(_) => None,
    }
}

fn syntax(path: &Path, text: &str, key: String, error: &serde_json::Error) -> BrokenFile {
    let said = error.to_string();
    let why = said.rsplit_once(" at line ").map_or(said.as_str(), |(why, _)| why);
    // What is wrong with the end of a line is placed before the next.
    let at = match (error.line(), error.column()) {
        (0, _) => None,
        (1, 0) => Some((1, 1)),
        (line, 0) => {
            let before = text.lines().nth(line - 2).unwrap_or_default();
            Some((line - 1, before.len() + 1))
        }
        (line, column) => Some((line, column)),
    };
    BrokenFile {
        path: path.to_path_buf(),
        at,
        key,
        why: match text.trim().is_empty() {
            true => "it is empty; the least is {}".into(),
            false => plainly(why),
        },
    }
}

/// What serde says, in the words of people who write JSON.
fn plainly(why: &str) -> String {
    const WORDS: [(&str, &str); 10] = [
        ("expected usize", "expected a number"),
        ("expected u64", "expected a number"),
        ("expected u32", "expected a number"),
        ("expected u16", "expected a number"),
        ("expected f64", "expected a number"),
        ("expected a sequence", "expected a list, […]"),
        ("expected a map", "expected an object, {…}"),
        ("invalid type: sequence", "invalid type: a list"),
        ("invalid type: map", "invalid type: an object"),
        ("EOF while parsing", "the file ends within"),
    ];
    if why.starts_with("control character") {
        return "a quotation mark is missing before the end of the line".into();
    }
    let why = WORDS
        .iter()
        .fold(why.to_string(), |why, (said, plain)| why.replace(said, plain));
    match why.split_once("expected struct ") {
        Some((before, _)) => format!("{before}expected an object, {{…}}"),
        None => why,
    }
}

/// What parses but cannot be meant.
fn judge(settings: &Settings) -> Result<(), (Vec<&str>, String)> {
    for (action, written) in &settings.keys {
        key::parse(written).map_err(|e| (vec!["keys", action.as_str()], e.to_string()))?;
    }
    if let Some(theme) = &settings.theme {
        SafeName::parse(theme).map_err(|e| (vec!["theme"], e.to_string()))?;
    }
    for (name, agent) in &settings.custom_llms {
        let at = || vec!["customLlms", name.as_str()];
        SafeName::parse(name).map_err(|e| (at(), e.to_string()))?;
        if agent.command.trim().is_empty() {
            return Err((at(), "its command is empty".into()));
        }
    }
    if settings.limits.live_agents == 0 {
        let why = "0 would let no agent run; the least is 1".to_string();
        return Err((vec!["limits", "liveAgents"], why));
    }
    for (name, most) in [
        ("chat", &settings.limits.budget.chat),
        ("tree", &settings.limits.budget.tree),
        ("day", &settings.limits.budget.day),
    ] {
        if most.is_some_and(|most| most <= 0.0) {
            let why = "a budget is more than 0 US dollars; leave it out for none".to_string();
            return Err((vec!["limits", "budget", name], why));
        }
    }
    let Keep { days, number } = settings.checkpoints.keep;
    if number == 0 {
        let why = "0 would keep no checkpoint to go back to; the least is 1".to_string();
        return Err((vec!["checkpoints", "keep", "number"], why));
    }
    if days > Keep::MOST_DAYS {
        let why = format!(
            "{days} days are more than a hundred years; the most is {}",
            Keep::MOST_DAYS
        );
        return Err((vec!["checkpoints", "keep", "days"], why));
    }
    Ok(())
}

/// The permission rules that cannot be meant.
fn misfits(text: &str, settings: &Settings) -> Vec<Stray> {
    let PermissionSettings { allow, ask, deny, .. } = &settings.permissions;
    let mut found = Vec::new();
    let lost = "the other rules hold";
    for (list, rules, rest) in [("allow", allow, lost), ("ask", ask, DOUBTFUL), ("deny", deny, DOUBTFUL)] {
        for (at, rule) in rules.iter().enumerate() {
            if let Err(misfit) = permission::check(rule) {
                let at = at.to_string();
                found.push(Stray {
                    at: spot(text, &["permissions", list, &at]),
                    key: format!("permissions.{list}.{at}"),
                    why: misfit.to_string(),
                    rest,
                });
            }
        }
    }
    found
}

/// Keys that no setting has. Lists among those of permissions may be rules that forbid.
fn unknown(text: &str, root: &Map<String, Value>) -> (Vec<Stray>, Vec<UnknownSetting>) {
    let (mut lists, mut others) = (Vec::new(), Vec::new());
    for UnknownKey { way, meant } in setting::unknown(root) {
        let way: Vec<&str> = way.iter().map(String::as_str).collect();
        let (at, key) = (spot(text, &way), way.join("."));
        match way.as_slice() {
            ["permissions", name] if root["permissions"][*name].is_array() => lists.push(Stray {
                at,
                key,
                why: format!("there is no such list of rules ({meant})"),
                rest: DOUBTFUL,
            }),
            _ => others.push(UnknownSetting { at, key, meant }),
        }
    }
    (lists, others)
}

/// The servers that the settings leave out.
fn strange_servers(text: &str, root: &Map<String, Value>) -> Vec<Stray> {
    let servers = root.get("globalMcpServers").and_then(Value::as_object);
    let strange = |(name, value): (&String, &Value)| {
        let why = Server::parse(name, value).err()?;
        Some(Stray {
            at: spot(text, &["globalMcpServers", name]),
            key: format!("globalMcpServers.{name}"),
            why,
            rest: "the other servers are there",
        })
    };
    servers.into_iter().flatten().filter_map(strange).collect()
}

/// The agents of a person's own that cannot be used as they are written.
fn strange_agents(text: &str, settings: &Settings) -> Vec<Stray> {
    let strange = |(name, entry): (&String, &AgentEntry)| {
        let (field, why) = entry.check(name).err()?;
        let way: Vec<&str> = ["customLlms", name].into_iter().chain(field).collect();
        Some(Stray {
            at: spot(text, &way),
            key: way.join("."),
            why,
            rest: match field {
                Some(_) => "and nothing is typed to that agent",
                None => "the other agents are there",
            },
        })
    };
    settings.custom_llms.iter().filter_map(strange).collect()
}

/// The prices that the settings leave out.
fn strange_prices(text: &str, root: &Map<String, Value>) -> Vec<Stray> {
    let prices = root.get("prices").and_then(Value::as_object);
    let strange = |(model, value): (&String, &Value)| {
        let why = Price::parse(value).err()?;
        Some(Stray {
            at: spot(text, &["prices", model]),
            key: format!("prices.{model}"),
            why,
            rest: "the other prices hold",
        })
    };
    prices.into_iter().flatten().filter_map(strange).collect()
}

pub(super) fn broken(path: &Path, key: &str, why: String) -> BrokenFile {
    BrokenFile {
        path: path.to_path_buf(),
        at: None,
        key: key.to_string(),
        why,
    }
}
