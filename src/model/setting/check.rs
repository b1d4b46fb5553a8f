//! Values: from what a person types, to what a person reads, and whether they can be meant.

use serde_json::{Value, json};

use super::{MapOf, NumberRange, Setting, SettingKind, SettingPlace};
use crate::model::price::Price;
use crate::model::{AgentEntry, Server, bytes, text, tool};

/// Values as people write and read them.
pub struct SettingText;

impl SettingPlace {
    /// The value that these words are, if it can be meant.
    pub fn parse(&self, words: &[String]) -> Result<Value, String> {
        let value = match (self.within.is_empty(), self.setting.kind) {
            (true, kind) => parse(kind, words)?,
            (false, SettingKind::Map(MapOf::Switches)) => parse(SettingKind::Switch, words)?,
            (false, SettingKind::Map(MapOf::Keys)) => Value::from(one(words)?),
            (false, _) => loose(words)?,
        };
        self.check(&value)?;
        if self.setting.path == "mcp.tools" {
            known_tools(&value)?;
        }
        Ok(value)
    }

    /// Whether the value can be meant. What only another part of parlour knows, such as whether a rule is one, it does
    /// not say.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        match (self.within.as_slice(), self.setting.kind) {
            ([], _) => self.setting.check(value),
            ([name], SettingKind::Map(of)) => entry(of, name, value),
            (_, _) => Ok(()),
        }
    }
}

impl Setting {
    pub fn check(&self, value: &Value) -> Result<(), String> {
        match (self.kind, value) {
            (SettingKind::Switch, Value::Bool(_)) | (SettingKind::Text, Value::String(_)) => Ok(()),
            (SettingKind::Switch, _) => Err("it is on or off: write true or false".into()),
            (SettingKind::Text, _) => Err("it is a text".into()),
            (SettingKind::Number(range), Value::Number(number)) => range.check(number),
            (SettingKind::Number(range), _) => Err(format!("it is a number ({})", range.unit)),
            (SettingKind::Choice(words), value) => is_word(words, value),
            (SettingKind::List(words), Value::Array(items)) => {
                let is_text = |item: &Value| match (words, item) {
                    ([], Value::String(_)) => Ok(()),
                    ([], _) => Err("each of the list is a text".into()),
                    (words, item) => is_word(words, item),
                };
                items.iter().try_for_each(is_text)
            }
            (SettingKind::List(_), _) => Err("it is a list: write [\"a\", \"b\"], or one value after the other".into()),
            (SettingKind::Map(of), Value::Object(entries)) => entries
                .iter()
                .try_for_each(|(name, value)| entry(of, name, value).map_err(|why| format!("{name}: {why}"))),
            (SettingKind::Map(of), _) => Err(format!("it is an object with {} by name", of.words().1)),
        }
    }
}

impl NumberRange {
    fn check(self, number: &serde_json::Number) -> Result<(), String> {
        let given = number.as_f64().unwrap_or(f64::NAN);
        if self.is_whole && !number.is_u64() {
            return Err(format!("it is {}, and {number} is not", self.words()));
        }
        match (given < self.least, given > self.most) {
            (true, _) => Err(format!("{number} is too small, it is {}", self.words())),
            (_, true) => Err(format!("{number} is too large, it is {}", self.words())),
            (false, false) => Ok(()),
        }
    }

    /// `a number from 1 to 65535`, `a number, 0 or more`
    pub fn words(self) -> String {
        let what = match (self.unit, self.is_whole) {
            ("port", _) => "a port".into(),
            (unit, true) => format!("a whole number of {unit}"),
            (unit, false) => format!("a number of {unit}"),
        };
        match self.most >= super::table::ANY {
            true => format!("{what}, {} or more", self.least),
            false => format!("{what} from {} to {}", self.least, self.most),
        }
    }
}

fn is_word(words: &[&str], value: &Value) -> Result<(), String> {
    match value.as_str() {
        Some(word) if words.contains(&word) => Ok(()),
        Some(word) => {
            let near = similar::get_close_matches(word, words, 1, 0.6);
            let hint = near
                .first()
                .map_or(String::new(), |near| format!("; did you mean {near}?"));
            Err(format!("{word:?} is none of {}{hint}", words.join(", ")))
        }
        None => Err(format!("it is one of {}", words.join(", "))),
    }
}

/// A file may name tools of another version; a person who types a name means one that there is.
fn known_tools(value: &Value) -> Result<(), String> {
    let named = value.as_array().into_iter().flatten().filter_map(Value::as_str);
    named.map(tool::unknown).find_map(|unknown| unknown).map_or(Ok(()), Err)
}

/// An entry of a map.
fn entry(of: MapOf, name: &str, value: &Value) -> Result<(), String> {
    match of {
        MapOf::Switches if value.is_boolean() => Ok(()),
        MapOf::Switches => Err("it is on or off: write true or false".into()),
        MapOf::Keys if value.is_string() => Ok(()),
        MapOf::Keys => Err("it is a key, such as \"ctrl+b\"".into()),
        MapOf::Servers => Server::parse(name, value).map(drop),
        MapOf::Prices => Price::parse(value).map(drop),
        MapOf::Agents if value.get("command").is_some_and(Value::is_string) => {
            let entry: AgentEntry = serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
            entry.check(name).map_err(|(field, why)| match field {
                Some(field) => format!("{field}: {why}"),
                None => why,
            })
        }
        MapOf::Agents => Err("it needs a command, a text".into()),
    }
}

fn parse(kind: SettingKind, words: &[String]) -> Result<Value, String> {
    match kind {
        SettingKind::Switch => match one(words)?.to_lowercase().as_str() {
            "true" | "on" | "yes" => Ok(true.into()),
            "false" | "off" | "no" => Ok(false.into()),
            other => Err(format!("{other:?} is neither on nor off: write true or false")),
        },
        SettingKind::Number(range) => {
            let text = one(words)?;
            if range.unit == "bytes" {
                let size = parse_size::parse_size(text);
                return size
                    .map(Value::from)
                    .map_err(|_| format!("{text:?} is no size; write 512 MiB, 2 GB or a number of bytes"));
            }
            let number = serde_json::from_str::<serde_json::Number>(&text.replace('_', ""));
            number
                .map(Value::Number)
                .map_err(|_| format!("{text:?} is no number; it is {}", range.words()))
        }
        SettingKind::Choice(_) | SettingKind::Text => Ok(one(words)?.into()),
        SettingKind::List(_) => match words {
            [only] if only.trim_start().starts_with('[') => json_of(only),
            all => Ok(json!(all)),
        },
        SettingKind::Map(_) => json_of(one(words)?),
    }
}

/// JSON where it is any, else a text.
fn loose(words: &[String]) -> Result<Value, String> {
    let text = one(words)?;
    Ok(serde_json::from_str(text).unwrap_or_else(|_| text.into()))
}

fn json_of(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("it is written as JSON: {error}"))
}

fn one(words: &[String]) -> Result<&str, String> {
    match words {
        [only] => Ok(only),
        _ => Err("it takes one value".into()),
    }
}

impl SettingText {
    /// In a line, as a person reads it.
    pub fn shown(setting: &Setting, value: &Value) -> String {
        match (setting.kind, value) {
            (_, Value::Null) => SettingText::absent(setting).into(),
            (_, Value::Bool(true)) => "on".into(),
            (_, Value::Bool(false)) => "off".into(),
            (_, Value::Number(number)) => number.to_string().trim_end_matches(".0").to_string(),
            (_, Value::String(text)) => text::one_line(text, 200),
            (_, Value::Array(items)) if items.is_empty() => "empty".into(),
            (_, Value::Array(items)) => {
                let items = items
                    .iter()
                    .map(|item| item.as_str().map_or_else(|| item.to_string(), String::from));
                text::one_line(&items.collect::<Vec<_>>().join(", "), 200)
            }
            (_, Value::Object(entries)) if entries.is_empty() => "empty".into(),
            (SettingKind::Map(MapOf::Keys | MapOf::Switches), Value::Object(entries)) => {
                let word = |value: &Value| match value {
                    Value::Bool(true) => "on".to_string(),
                    Value::Bool(false) => "off".to_string(),
                    other => other.as_str().map_or_else(|| other.to_string(), String::from),
                };
                let entries = entries.iter().map(|(name, value)| format!("{name}: {}", word(value)));
                text::one_line(&entries.collect::<Vec<_>>().join(", "), 200)
            }
            // Their arguments and variables may be secrets.
            (_, Value::Object(entries)) => {
                let names: Vec<&str> = entries.keys().map(String::as_str).collect();
                text::one_line(&names.join(", "), 200)
            }
        }
    }

    /// What holds where nothing is set, and no value stands for it.
    fn absent(setting: &Setting) -> &'static str {
        match setting.path {
            "defaultLlm" => "the first found",
            "theme" => "as your terminal",
            "permissions.profile" => "ask",
            "mcp.port" => "by the home's path",
            "mcp.tools" => "all",
            _ => "none",
        }
    }

    /// The same with what is counted; a size as people write sizes.
    pub fn told(setting: &Setting, value: &Value) -> String {
        let shown = SettingText::shown(setting, value);
        let (SettingKind::Number(range), Value::Number(number)) = (setting.kind, value) else {
            return shown;
        };
        match (range.unit, number.as_u64()) {
            ("bytes", Some(bytes)) if bytes >= 1000 => bytes::exactly(bytes).unwrap_or(shown + " bytes"),
            ("port", _) => shown,
            (unit, Some(1)) => format!("{shown} {}", unit.strip_suffix('s').unwrap_or(unit)),
            (unit, _) => format!("{shown} {unit}"),
        }
    }

    /// What its value may be, in words.
    pub fn kind(setting: &Setting) -> String {
        match setting.kind {
            SettingKind::Switch => "on or off (`true`, `false`)".into(),
            SettingKind::Number(range) => range.words(),
            SettingKind::Choice(words) => format!("one of {}", quoted(words)),
            SettingKind::Text => match setting.path {
                "defaultLlm" => "the name of an agent".into(),
                "theme" => "the name of a theme (`parlour theme list`)".into(),
                _ => "a text".into(),
            },
            SettingKind::List([]) => "a list of texts".into(),
            SettingKind::List(words) => format!("a list of {}", quoted(words)),
            SettingKind::Map(of) => format!("{} by name", of.words().1),
        }
    }
}

fn quoted(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}
