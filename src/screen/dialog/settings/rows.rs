//! The rows of the settings screen: a setting is one, or several where it is a list or a map.

use serde_json::Value;

use super::access::{self, ChatAccess};
use super::keys::KeyBinding;

use crate::model::agent::TRUSTING;
use crate::model::setting::{
    self, ApprovalPolicy, DefaultsFile, MapOf, PolicyHolds, Setting, SettingKind, SettingSection, SettingText,
    SettingsFile,
};
use crate::model::text::one_line;
use crate::model::tool;

/// Something that can be chosen in the list.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingRow {
    /// A setting with a value of its own.
    Field(&'static Setting),
    /// A word of a list of known words, in it or not.
    Word(&'static Setting, &'static str),
    /// An item of a list.
    Item(&'static Setting, usize),
    /// An entry of a map.
    Entry(&'static Setting, String),
    /// A command and its keys, by its number.
    Key(&'static Setting, usize),
    /// Where one is added.
    Add(&'static Setting),
    /// Where a call is tried against the rules.
    Try(&'static Setting),
    /// What new chats of an agent CLI start with, by its number.
    Defaults(&'static Setting, usize),
    /// When that CLI asks.
    Policy(&'static Setting, usize),
    /// A tool of parlour's own, for all agents.
    Tool(&'static Setting, &'static str),
    /// What a chat of this number may use of MCP.
    Chat(&'static Setting, usize),
}

/// What the rows are made of.
pub struct SettingsKnown {
    pub file: SettingsFile,
    pub keys: Vec<KeyBinding>,
    pub chats: Vec<ChatAccess>,
}

/// What the files of `llm-defaults` are found by.
const DEFAULTS: &str = "llm-defaults agents settings that new chats start with approval policy permission mode";

/// What the row says at which a call is tried.
const TRY: &str = "? try what a call would get";

/// The settings of a section; where something is searched for, those of all sections that have all words.
pub fn rows(section: SettingSection, sought: &str, known: &SettingsKnown) -> Vec<SettingRow> {
    let words: Vec<String> = sought.split_whitespace().map(str::to_lowercase).collect();
    let has = |text: &str| words.iter().all(|word| text.to_lowercase().contains(word));
    let is_shown = |setting: &&Setting| match words.is_empty() {
        true => setting.section == section,
        false => {
            let value = SettingText::shown(setting, known.file.value_or_default(setting));
            let title = setting.section.title();
            has(&format!("{} {title} {} {value}", setting.path, setting.about))
        }
    };
    let mut found: Vec<SettingRow> = Vec::new();
    for setting in setting::all() {
        if is_shown(&setting) {
            found.extend(of(setting, &known.file));
        } else if is_tried_at(setting) && !words.is_empty() && has(TRY) {
            found.push(SettingRow::Try(setting));
        }
        let is_here = words.is_empty() && setting.section == section;
        if setting.path == "trust" && (is_here || !words.is_empty()) {
            for (at, file) in known.file.defaults.iter().enumerate() {
                let policy = ApprovalPolicy::of(&file.path);
                let name = policy.map(ApprovalPolicy::name).unwrap_or_default();
                if !is_here && !has(&format!("{DEFAULTS} {} {name}", file.path.display())) {
                    continue;
                }
                found.push(SettingRow::Defaults(setting, at));
                if policy.is_some() {
                    found.push(SettingRow::Policy(setting, at));
                }
            }
        }
        if setting.path == access::TOOLS {
            let numbered = known.chats.iter().enumerate();
            let shown = numbered.filter(|(_, chat)| is_here || !words.is_empty() && has(&chat.sought()));
            found.extend(shown.map(|(at, _)| SettingRow::Chat(setting, at)));
        }
        if setting.kind == SettingKind::Map(MapOf::Keys) && (setting.section == section || !words.is_empty()) {
            let numbered = known.keys.iter().enumerate();
            let shown =
                numbered.filter(|(_, key)| has(&format!("{} keys.{} {} keys", key.title, key.name, key.heading)));
            found.extend(shown.map(|(at, _)| SettingRow::Key(setting, at)));
        }
    }
    // What is called so comes before what only speaks of it.
    let is_called = |row: &SettingRow| match row {
        SettingRow::Key(_, at) => {
            let key = &known.keys[*at];
            has(&format!("{} keys.{}", key.title, key.name))
        }
        SettingRow::Field(setting)
        | SettingRow::Word(setting, _)
        | SettingRow::Item(setting, _)
        | SettingRow::Entry(setting, _)
        | SettingRow::Add(setting)
        | SettingRow::Tool(setting, _) => has(setting.path),
        SettingRow::Try(_) => has(TRY),
        SettingRow::Defaults(..) | SettingRow::Policy(..) | SettingRow::Chat(..) => false,
    };
    if !words.is_empty() {
        found.sort_by_key(|row| !is_called(row));
    }
    found
}

/// The row that tries calls stands below the last of the lists of rules.
fn is_tried_at(setting: &Setting) -> bool {
    setting.path == "permissions.deny"
}

fn of(setting: &'static Setting, file: &SettingsFile) -> Vec<SettingRow> {
    let value = file.value_or_default(setting);
    let add = [SettingRow::Add(setting)];
    match setting.kind {
        SettingKind::Switch | SettingKind::Number(_) | SettingKind::Choice(_) | SettingKind::Text => {
            vec![SettingRow::Field(setting)]
        }
        SettingKind::List([]) if setting.path == access::TOOLS => {
            let tools = access::tools().map(|tool| SettingRow::Tool(setting, tool));
            [SettingRow::Field(setting)].into_iter().chain(tools).collect()
        }
        SettingKind::List([]) => {
            let items = 0..value.as_array().map_or(0, Vec::len);
            let items = items.map(|at| SettingRow::Item(setting, at));
            let tried = is_tried_at(setting).then_some(SettingRow::Try(setting));
            let first = [SettingRow::Field(setting)];
            first.into_iter().chain(items).chain(add).chain(tried).collect()
        }
        SettingKind::List(words) => {
            let words = words.iter().map(|word| SettingRow::Word(setting, word));
            words.collect()
        }
        SettingKind::Map(MapOf::Switches) => {
            let set = value.as_object().into_iter().flatten().map(|(llm, _)| llm.as_str());
            let others = set.filter(|llm| *llm != TRUSTING);
            let clis = [TRUSTING].into_iter().chain(others);
            clis.map(|llm| SettingRow::Entry(setting, llm.to_string())).collect()
        }
        // Its commands follow.
        SettingKind::Map(MapOf::Keys) => vec![SettingRow::Field(setting)],
        SettingKind::Map(_) => {
            let entries = value.as_object().into_iter().flatten();
            let entries = entries.map(|(name, _)| SettingRow::Entry(setting, name.clone()));
            [SettingRow::Field(setting)]
                .into_iter()
                .chain(entries)
                .chain(add)
                .collect()
        }
    }
}

impl SettingRow {
    pub fn setting(&self) -> &'static Setting {
        match self {
            SettingRow::Field(setting)
            | SettingRow::Word(setting, _)
            | SettingRow::Item(setting, _)
            | SettingRow::Entry(setting, _)
            | SettingRow::Key(setting, _)
            | SettingRow::Add(setting)
            | SettingRow::Try(setting)
            | SettingRow::Defaults(setting, _)
            | SettingRow::Policy(setting, _)
            | SettingRow::Tool(setting, _)
            | SettingRow::Chat(setting, _) => setting,
        }
    }

    /// It stands below the setting that it is a part of.
    pub fn is_part(&self) -> bool {
        match self {
            SettingRow::Entry(setting, _) => setting.kind != SettingKind::Map(MapOf::Switches),
            SettingRow::Field(_) | SettingRow::Word(..) | SettingRow::Key(..) => false,
            SettingRow::Try(_) | SettingRow::Defaults(..) | SettingRow::Chat(..) => false,
            SettingRow::Item(..) | SettingRow::Add(_) | SettingRow::Policy(..) | SettingRow::Tool(..) => true,
        }
    }

    /// The names that lead to it in `config.json`.
    pub fn way(&self, known: &SettingsKnown) -> Vec<String> {
        let path = self.setting().path.split('.').map(String::from);
        let within = match self {
            SettingRow::Item(_, at) => Some(at.to_string()),
            SettingRow::Entry(_, name) => Some(name.clone()),
            SettingRow::Key(_, at) => known.keys.get(*at).map(|key| key.name.to_string()),
            SettingRow::Field(_) | SettingRow::Word(..) | SettingRow::Add(_) => None,
            SettingRow::Try(_) | SettingRow::Defaults(..) | SettingRow::Policy(..) => None,
            SettingRow::Tool(..) | SettingRow::Chat(..) => None,
        };
        path.chain(within).collect()
    }

    pub fn label(&self, known: &SettingsKnown) -> String {
        match self {
            SettingRow::Key(_, at) => known.keys.get(*at).map_or("", |key| key.title).into(),
            SettingRow::Defaults(_, at) => {
                let file = known.file.defaults.get(*at);
                file.map(|file| file.path.display().to_string()).unwrap_or_default()
            }
            SettingRow::Policy(_, at) => known
                .file
                .defaults
                .get(*at)
                .and_then(|file| ApprovalPolicy::of(&file.path))
                .map(ApprovalPolicy::name)
                .unwrap_or_default(),
            SettingRow::Try(_) => TRY.into(),
            SettingRow::Tool(_, tool) => (*tool).into(),
            SettingRow::Chat(_, at) => known.chats.get(*at).map(ChatAccess::label).unwrap_or_default(),
            SettingRow::Field(setting) => setting.path.into(),
            SettingRow::Word(setting, word) => format!("{} {word}", setting.path),
            SettingRow::Item(_, at) => format!("{}", at + 1),
            SettingRow::Entry(setting, name) if setting.kind == SettingKind::Map(MapOf::Switches) => {
                format!("{}.{name}", setting.path)
            }
            SettingRow::Entry(_, name) => name.clone(),
            SettingRow::Add(setting) => match setting.kind {
                SettingKind::Map(of) => add(of.words().0),
                SettingKind::List(_) if setting.section == SettingSection::Permissions => "+ add a rule".into(),
                SettingKind::List(_)
                | SettingKind::Switch
                | SettingKind::Number(_)
                | SettingKind::Choice(_)
                | SettingKind::Text => "+ add one".into(),
            },
        }
    }

    /// What holds, in a line.
    pub fn value(&self, known: &SettingsKnown) -> String {
        let file = &known.file;
        let setting = self.setting();
        let value = file.value_or_default(setting);
        let count = |many: usize, (one, more): (&str, &str)| match many {
            0 => "none".to_string(),
            1 => format!("1 {one}"),
            many => format!("{many} {more}"),
        };
        match self {
            SettingRow::Field(_) => match (setting.kind, value) {
                (SettingKind::Map(of), Value::Object(entries)) => count(entries.len(), of.words()),
                (_, value) if setting.path == access::TOOLS => access::told(value),
                (SettingKind::List([]), Value::Array(items)) => count(items.len(), items_of(setting)),
                (_, value) => SettingText::told(setting, value),
            },
            SettingRow::Word(_, word) => switch(self.is_in(word, value)),
            SettingRow::Item(_, at) => {
                let item = value.get(at).and_then(Value::as_str);
                one_line(item.unwrap_or_default(), 200)
            }
            SettingRow::Entry(_, name) => match (setting.kind, value.get(name)) {
                (SettingKind::Map(MapOf::Switches), None) => "not answered".into(),
                (_, Some(Value::Bool(on))) => switch(*on),
                (_, Some(value)) => entry(value),
                (_, None) => String::new(),
            },
            SettingRow::Key(_, at) => {
                let keys = known.keys.get(*at).map_or("", |key| key.keys.as_str());
                if keys.is_empty() { "no key".into() } else { keys.into() }
            }
            SettingRow::Defaults(_, at) => match file.defaults.get(*at).is_some_and(|file| file.is_own) {
                true => "your own".into(),
                false => "as shipped".into(),
            },
            SettingRow::Policy(_, at) => match file.defaults.get(*at) {
                Some(file) if file.asks_by_rules() => "by parlour's rules".into(),
                Some(DefaultsFile {
                    policy: Some(policy), ..
                }) => policy.clone(),
                Some(_) | None => "as it does by itself".into(),
            },
            SettingRow::Tool(_, tool) => switch(access::is_offered(tool, value)),
            SettingRow::Chat(_, at) => known.chats.get(*at).map(ChatAccess::told).unwrap_or_default(),
            SettingRow::Add(_) | SettingRow::Try(_) => String::new(),
        }
    }

    /// What is said of it in place of what is said of its setting.
    pub fn about(&self, known: &SettingsKnown) -> Option<String> {
        match self {
            SettingRow::Try(_) => Some(
                "Type a call, such as Bash(git push --force), and see what the rules say of it. Nothing is run or kept."
                    .into(),
            ),
            SettingRow::Defaults(..) => Some(
                "What new chats of this agent CLI start with. Enter opens it in your editor; yours goes over the shipped one key by key."
                    .into(),
            ),
            SettingRow::Policy(_, at) => known.file.defaults.get(*at).and_then(policy),
            SettingRow::Tool(_, name) => {
                let does = tool::named(name).map_or("", |tool| tool.does);
                Some(format!("{does} This is for all agents, and acts at once."))
            }
            SettingRow::Chat(_, at) => {
                let off = &known.chats.get(*at)?.off;
                let off = match off.is_empty() {
                    true => "It has all servers, and all tools that are on above.".into(),
                    false => format!("Off in this chat: {}.", one_line(&off.join(", "), 300)),
                };
                Some(format!("{off} Enter shows its servers and tools, and switches each."))
            }
            SettingRow::Field(setting) if setting.path == access::TOOLS => {
                let all = "Below the tools stand the chats, each with what is off in it alone.";
                Some(format!("{} {all}", setting.about))
            }
            SettingRow::Field(_) | SettingRow::Word(..) | SettingRow::Item(..) | SettingRow::Entry(..) => None,
            SettingRow::Key(..) | SettingRow::Add(_) => None,
        }
    }

    fn is_in(&self, word: &str, value: &Value) -> bool {
        let items = value.as_array().into_iter().flatten();
        items.into_iter().any(|item| item.as_str() == Some(word))
    }

    /// `config.json` says so.
    pub fn is_set(&self, known: &SettingsKnown) -> bool {
        let written = known.file.value_of(self.setting());
        match self {
            SettingRow::Add(_) | SettingRow::Try(_) => false,
            SettingRow::Chat(_, at) => known.chats.get(*at).is_some_and(|chat| !chat.off.is_empty()),
            SettingRow::Defaults(_, at) => known.file.defaults.get(*at).is_some_and(|file| file.is_own),
            SettingRow::Policy(_, at) => known.file.defaults.get(*at).is_some_and(|file| file.policy.is_some()),
            SettingRow::Field(_) | SettingRow::Word(..) | SettingRow::Item(..) | SettingRow::Tool(..) => {
                written.is_some()
            }
            SettingRow::Entry(_, name) => written.is_some_and(|entries| entries.get(name).is_some()),
            SettingRow::Key(_, at) => {
                let name = known.keys.get(*at).map_or("", |key| key.name);
                written.is_some_and(|entries| entries.get(name).is_some())
            }
        }
    }

    /// How many entries are written where this row leads.
    pub fn entries(&self, known: &SettingsKnown) -> usize {
        let way = self.way(known);
        let is_whole = way.join(".") == self.setting().path;
        let written = known.file.value_of(self.setting()).filter(|_| is_whole);
        written.map_or(0, |value| match value {
            Value::Object(entries) => entries.len(),
            Value::Array(entries) => entries.len(),
            _ => 1,
        })
    }

    /// The words of a list with this one in it, or without it.
    pub fn toggled(&self, word: &str, file: &SettingsFile) -> Value {
        let SettingKind::List(known) = self.setting().kind else {
            return Value::Null;
        };
        let value = file.value_or_default(self.setting());
        let wanted = |one: &&str| self.is_in(one, value) != (**one == *word);
        known
            .iter()
            .copied()
            .filter(|one| wanted(one))
            .map(Value::from)
            .collect()
    }
}

/// When a CLI asks, and where another word for that would count.
fn policy(file: &DefaultsFile) -> Option<String> {
    let policy = ApprovalPolicy::of(&file.path)?;
    Some(match policy.holds {
        PolicyHolds::ByRules => "OpenCode asks by parlour's rules, whatever its own files allow: before it edits, and \
            before it runs a command. permissions.allow and the profile of a chat lift that; Enter leads there."
            .into(),
        PolicyHolds::NewChats | PolicyHolds::NextStart => format!(
            "When the agent CLI asks you before it acts, in {}. Your rules in permissions hold whatever is chosen.",
            policy.holds.words()
        ),
    })
}

fn add(one: &str) -> String {
    let article = if one.starts_with(['a', 'e', 'i', 'o']) {
        "an"
    } else {
        "a"
    };
    format!("+ add {article} {one}")
}

fn items_of(setting: &Setting) -> (&'static str, &'static str) {
    match setting.section == SettingSection::Permissions {
        true => ("rule", "rules"),
        false => ("entry", "entries"),
    }
}

fn switch(on: bool) -> String {
    if on { "on".into() } else { "off".into() }
}

/// What an entry of a map is known by. Arguments, variables and headers may be secrets.
fn entry(value: &Value) -> String {
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(String::from);
    let price = |name: &str| value.get(name).map(ToString::to_string);
    let prices = || Some(format!("{} in, {} out", price("input")?, price("output")?));
    let known = value.as_str().map(String::from);
    let known = known
        .or_else(|| text("command"))
        .or_else(|| text("url"))
        .or_else(prices);
    one_line(&known.unwrap_or_else(|| "cannot be used".into()), 200)
}
