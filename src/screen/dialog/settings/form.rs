//! An entry of a map whose parts are typed into fields of their own: a server, an agent, a price.

use crossterm::event::KeyEvent;
use serde_json::{Map, Value};

use crate::model::setting::TriedSetting;
use crate::model::setting::{MapOf, Setting, SettingEdit, SettingKind, SettingPlace};

use super::super::super::hint::Hint;
use super::super::tables::{FORM, FormKey, SETTING_TYPED, SettingTypedKey};
use super::super::{Field, Room};

/// What is typed into one field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EntryPart {
    Name,
    Text,
    /// Words as in a shell.
    Words,
    /// `NAME=value`, as words of a shell.
    Pairs,
    Number,
}

pub struct EntryLine {
    /// In `config.json`; that of the name is not.
    key: &'static str,
    pub label: &'static str,
    /// What belongs there.
    pub hint: &'static str,
    part: EntryPart,
    pub field: Field,
}

pub struct EntryForm {
    pub setting: &'static Setting,
    pub lines: Vec<EntryLine>,
    /// Where the cursor is.
    pub at: usize,
    pub problem: Option<String>,
    /// What came of trying it.
    pub tried: Option<TriedSetting>,
    pub is_trying: bool,
    /// It is kept if it starts.
    pub keeps: bool,
    /// The entry that is edited, with what has no field.
    before: Option<(String, Value)>,
}

/// What a key leads to.
#[derive(Debug, PartialEq)]
pub enum EntryReply {
    Stay,
    GiveUp,
    /// It is to be tried first.
    Try(String, Value),
    Keep(Vec<SettingEdit>),
}

type EntryField = (&'static str, &'static str, &'static str, EntryPart);

const SERVER: &[EntryField] = &[
    (
        "command",
        "Command",
        "the program of a server on this machine; or give a URL",
        EntryPart::Text,
    ),
    (
        "args",
        "Arguments",
        "words as in a shell: --read-only 'a b'",
        EntryPart::Words,
    ),
    (
        "env",
        "Variables",
        "NAME=value, one after the other; ${NAME} is a variable of the agent's",
        EntryPart::Pairs,
    ),
    (
        "url",
        "URL",
        "the address of a server elsewhere; or give a command",
        EntryPart::Text,
    ),
    (
        "headers",
        "Headers",
        "Name=value; 'Authorization=Bearer ${TOKEN}' takes the token from the agent's variables",
        EntryPart::Pairs,
    ),
];

const AGENT: &[EntryField] = &[
    (
        "command",
        "Command",
        "the program that starts the agent in a terminal",
        EntryPart::Text,
    ),
    ("args", "Arguments", "words as in a shell", EntryPart::Words),
    (
        "resumeArgs",
        "To resume",
        "the arguments with which it goes on with its conversation",
        EntryPart::Words,
    ),
    (
        "ready",
        "Ready",
        "a pattern over its screen that says that it waits for a prompt, such as ^> $",
        EntryPart::Text,
    ),
    ("env", "Variables", "NAME=value, one after the other", EntryPart::Pairs),
    (
        "instructionsFile",
        "Instructions",
        "the file that it reads for its instructions, such as AGENT.md",
        EntryPart::Text,
    ),
];

const PRICE: &[EntryField] = &[
    ("input", "Input", "US dollars a million tokens", EntryPart::Number),
    ("output", "Output", "US dollars a million tokens", EntryPart::Number),
    (
        "cacheRead",
        "Cache read",
        "the same as input if it is left out",
        EntryPart::Number,
    ),
    (
        "cacheWrite",
        "Cache write",
        "the same as input if it is left out",
        EntryPart::Number,
    ),
];

impl EntryForm {
    /// Of a new entry, or of one that is there. `None` for settings whose entries have no parts.
    pub fn new(setting: &'static Setting, before: Option<(String, Value)>) -> Option<EntryForm> {
        let (fields, name) = match setting.kind {
            SettingKind::Map(MapOf::Servers) => (SERVER, "letters, digits, - and _"),
            SettingKind::Map(MapOf::Agents) => (AGENT, "what you call it when you start a chat with it"),
            SettingKind::Map(MapOf::Prices) => (PRICE, "the name of a model, or its beginning"),
            SettingKind::Map(MapOf::Keys | MapOf::Switches)
            | SettingKind::Switch
            | SettingKind::Number(_)
            | SettingKind::Choice(_)
            | SettingKind::Text
            | SettingKind::List(_) => return None,
        };
        let line = |(key, label, hint, part): EntryField, text: String| EntryLine {
            key,
            label,
            hint,
            part,
            field: Field::new(&text, Room::Line),
        };
        let named = before.as_ref().map(|(name, _)| name.clone()).unwrap_or_default();
        let value = |key: &str| before.as_ref().and_then(|(_, value)| value.get(key));
        let typed = fields
            .iter()
            .map(|field| line(*field, value(field.0).map(text_of).unwrap_or_default()));
        let first = line(("", "Name", name, EntryPart::Name), named);
        Some(EntryForm {
            setting,
            lines: [first].into_iter().chain(typed).collect(),
            at: 0,
            problem: None,
            tried: None,
            is_trying: false,
            keeps: false,
            before,
        })
    }

    pub fn title(&self) -> String {
        let one = match self.setting.kind {
            SettingKind::Map(of) => of.words().0,
            SettingKind::Switch
            | SettingKind::Number(_)
            | SettingKind::Choice(_)
            | SettingKind::Text
            | SettingKind::List(_) => "entry",
        };
        match &self.before {
            Some((name, _)) => format!("The {one} {name}"),
            None => format!("A new {one}"),
        }
    }

    /// Agents and servers are started to see whether they can be.
    pub fn can_be_tried(&self) -> bool {
        matches!(self.setting.kind, SettingKind::Map(MapOf::Agents | MapOf::Servers))
    }

    /// An agent is kept once it started.
    fn is_tried_first(&self) -> bool {
        self.setting.kind == SettingKind::Map(MapOf::Agents)
    }

    pub fn press(&mut self, key: KeyEvent) -> EntryReply {
        let last = self.lines.len() - 1;
        match FORM.command(key) {
            Some(FormKey::Close | FormKey::GiveUp) => return EntryReply::GiveUp,
            Some(FormKey::Submit) => return self.submit(),
            Some(FormKey::Enter) if self.at == last => return self.submit(),
            Some(FormKey::Enter | FormKey::Next | FormKey::Down) => self.at = (self.at + 1) % self.lines.len(),
            Some(FormKey::Previous | FormKey::Up) => self.at = self.at.checked_sub(1).unwrap_or(last),
            Some(FormKey::NewLine | FormKey::Left | FormKey::Right | FormKey::Tick | FormKey::Clear) | None => {
                if self.lines[self.at].field.press(key) {
                    self.changed();
                }
            }
        }
        EntryReply::Stay
    }

    pub fn paste(&mut self, text: &str) {
        if let Some(line) = self.lines.get_mut(self.at) {
            line.field.paste(text);
            self.changed();
        }
    }

    /// What was tried is something else now.
    fn changed(&mut self) {
        (self.problem, self.tried, self.keeps) = (None, None, false);
    }

    pub fn hints(&self) -> Vec<Hint> {
        let start = self
            .can_be_tried()
            .then(|| SETTING_TYPED.hint(&[SettingTypedKey::Start], "test"));
        let hints = [
            FORM.hint(&[FormKey::Next], "next"),
            FORM.hint(&[FormKey::Submit], "keep"),
            FORM.hint(&[FormKey::Close], "cancel").way_out(),
        ];
        hints.into_iter().chain(start).collect()
    }

    /// Starts what is typed, without keeping it.
    pub fn try_it(&mut self) -> EntryReply {
        self.keeps = false;
        match self.entry() {
            Ok((name, value)) => EntryReply::Try(name, value),
            Err(why) => {
                self.problem = Some(why);
                EntryReply::Stay
            }
        }
    }

    pub(super) fn submit(&mut self) -> EntryReply {
        if self.is_trying {
            return EntryReply::Stay;
        }
        let started = self.tried.as_ref().is_some_and(|tried| tried.outcome.is_ok());
        match self.entry() {
            Ok((name, value)) if self.is_tried_first() && !started => {
                self.keeps = true;
                EntryReply::Try(name, value)
            }
            Ok((name, value)) => EntryReply::Keep(self.edits(name, value)),
            Err(why) => {
                self.problem = Some(why);
                EntryReply::Stay
            }
        }
    }

    fn edits(&self, name: String, value: Value) -> Vec<SettingEdit> {
        let way = |name: String| vec![self.setting.path.to_string(), name];
        let old = self.before.as_ref().filter(|(before, _)| *before != name);
        let gone = old.map(|(before, _)| SettingEdit::Unset(way(before.clone())));
        let kept = SettingEdit::Set(way(name), value);
        gone.into_iter().chain([kept]).collect()
    }

    /// What is written, by its name; or what is wrong with it.
    pub fn entry(&self) -> Result<(String, Value), String> {
        let mut name = String::new();
        let mut members = match &self.before {
            Some((_, Value::Object(members))) => members.clone(),
            Some(_) | None => Map::new(),
        };
        for line in &self.lines {
            let text = line.field.text().trim().to_string();
            if line.part == EntryPart::Name {
                name = text;
                continue;
            }
            match line.value(&text).map_err(|why| format!("{}: {why}", line.label))? {
                Some(value) => drop(members.insert(line.key.into(), value)),
                None => drop(members.shift_remove(line.key)),
            }
        }
        if name.is_empty() {
            return Err("it needs a name".into());
        }
        let value = Value::Object(members);
        let place = SettingPlace {
            setting: self.setting,
            within: vec![name.clone()],
        };
        place.check(&value)?;
        Ok((name, value))
    }
}

impl EntryLine {
    fn value(&self, text: &str) -> Result<Option<Value>, String> {
        if text.is_empty() {
            return Ok(None);
        }
        let words = || shell_words::split(text).map_err(|_| "a quote is not closed".to_string());
        Ok(Some(match self.part {
            EntryPart::Name | EntryPart::Text => text.into(),
            EntryPart::Words => words()?.into(),
            EntryPart::Pairs => {
                let pair = |word: String| {
                    let (name, value) = word.split_once('=').ok_or("write NAME=value")?;
                    Ok::<_, String>((name.to_string(), Value::from(value)))
                };
                Value::Object(
                    words()?
                        .into_iter()
                        .map(pair)
                        .collect::<Result<Map<String, Value>, String>>()?,
                )
            }
            EntryPart::Number => {
                let number: serde_json::Number =
                    serde_json::from_str(text).map_err(|_| "it is a number".to_string())?;
                Value::Number(number)
            }
        }))
    }
}

/// As it is typed: quoted where it has to be. Nothing is replaced in it, so `$` needs no quotes.
fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./:=@%+,${}".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.into(),
        false => shell_words::quote(text).into_owned(),
    }
}

/// As it is typed into a field.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items
            .iter()
            .filter_map(Value::as_str)
            .map(word)
            .collect::<Vec<_>>()
            .join(" "),
        Value::Object(members) => {
            let pair =
                |(name, value): (&String, &Value)| word(&format!("{name}={}", value.as_str().unwrap_or_default()));
            members.iter().map(pair).collect::<Vec<_>>().join(" ")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::setting::all;

    fn form(path: &str, before: Option<(&str, Value)>) -> EntryForm {
        let setting = all().iter().find(|setting| setting.path == path).unwrap();
        EntryForm::new(setting, before.map(|(name, value)| (name.into(), value))).unwrap()
    }

    #[test]
    fn an_entry_is_shown_in_fields_and_comes_out_as_it_was() {
        let server = json!({"command": "db", "args": ["--x", "a b"], "env": {"A": "${A} b"}, "soon": 1});
        let shown = form("globalMcpServers", Some(("db", server.clone())));
        assert_eq!(shown.lines[2].field.text(), "--x 'a b'");
        assert_eq!(shown.entry(), Ok(("db".into(), server)));
        let price = json!({"input": 1.5, "output": 4});
        assert_eq!(
            form("prices", Some(("m", price.clone()))).entry(),
            Ok(("m".into(), price))
        );
    }

    #[test]
    fn what_cannot_be_one_says_why() {
        assert_eq!(form("prices", None).entry(), Err("it needs a name".into()));
        let mut server = form("globalMcpServers", None);
        server.lines[0].field.set("db");
        assert_eq!(server.entry(), Err("it needs a command, or a url".into()));
        server.lines[2].field.set("'a");
        assert_eq!(server.entry(), Err("Arguments: a quote is not closed".into()));
    }

    #[test]
    fn another_name_takes_the_place_of_the_old_one_and_an_agent_is_tried_first() {
        let mut agent = form("customLlms", Some(("mine", json!({"command": "x"}))));
        agent.lines[0].field.set("yours");
        assert!(matches!(agent.submit(), EntryReply::Try(name, _) if name == "yours"));
        agent.tried = Some(TriedSetting {
            name: "yours".into(),
            outcome: Ok("it runs".into()),
        });
        let way = |name: &str| vec!["customLlms".to_string(), name.to_string()];
        let edits = vec![
            SettingEdit::Unset(way("mine")),
            SettingEdit::Set(way("yours"), json!({"command": "x"})),
        ];
        assert_eq!(agent.submit(), EntryReply::Keep(edits));
    }
}
