//! `status.json`: what an agent says of itself. The agent's own file, so anything may be in it.

use serde_json::{Map, Value, json};

use super::{Error, Home};
use crate::fs::Dir;
use crate::model::inbox::DECLARED;
use crate::model::text::{one_line, visible};
use crate::model::{Chat, ChatId, Declared};

const FILE: &str = "status.json";
const LARGEST: u64 = 64 << 10;

/// What it declares, if anything; an error says in words why the file cannot be read.
pub(super) fn read(chat: &Dir) -> Result<Option<Declared>, String> {
    match chat.read(FILE, LARGEST) {
        Ok(None) => Ok(None),
        Ok(Some(bytes)) => parse(&bytes),
        Err(e) => Err(e.to_string()),
    }
}

impl Home {
    /// Writes what an agent declares by a tool, beside what else it keeps there. A broken file is replaced: it says nothing.
    pub fn declare(&self, id: &ChatId, declared: &Declared) -> Result<Chat, Error> {
        self.writable()?;
        let dir = self.chat_dir(id)?;
        let before = dir.read(FILE, LARGEST).ok().flatten();
        let parsed = before.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let mut file = match parsed {
            Some(Value::Object(file)) => file,
            Some(_) | None => Map::new(),
        };
        file.entry("v").or_insert(json!(1));
        file.insert("status".into(), json!(declared.status));
        file.insert("note".into(), json!(declared.note));
        dir.write_atomic(FILE, format!("{:#}\n", Value::Object(file)))?;
        self.load(id)
    }
}

fn parse(bytes: &[u8]) -> Result<Option<Declared>, String> {
    let value: Value = serde_json::from_slice(bytes).map_err(|e| format!("{FILE} is not JSON: {e}"))?;
    let Value::Object(fields) = value else {
        return Err(format!("{FILE} holds no object"));
    };
    let text = |key: &str, most: usize| match fields.get(key) {
        None | Some(Value::Null) => Ok(String::new()),
        Some(Value::String(text)) => Ok(one_line(text, most)),
        Some(_) => Err(format!("{FILE}: {key} is no text")),
    };
    let (status, note) = (text("status", 40)?, text("note", 500)?);
    if !status.is_empty() && !DECLARED.contains(&status.as_str()) {
        let status = visible(&status);
        return Err(format!(
            "{FILE}: {status} is no status; it is one of {}",
            DECLARED.join(", ")
        ));
    }
    Ok((!status.is_empty()).then_some(Declared { status, note }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_agent_declares_is_cut_to_plain_words() {
        let declared = parse(b"{\"v\":1,\"status\":\"blocked\",\"note\":\"on\\u001b[31m\\nred\",\"x\":[]}");
        let expected = Declared {
            status: "blocked".into(),
            note: "on[31m red".into(),
        };
        assert_eq!(declared, Ok(Some(expected)));
        assert_eq!(parse(b"{\"v\":1}"), Ok(None));
    }

    #[test]
    fn what_does_not_parse_is_said() {
        assert!(parse(b"{").unwrap_err().starts_with("status.json is not JSON"));
        assert_eq!(parse(b"[]"), Err("status.json holds no object".into()));
        let odd = parse(b"{\"status\":\"weird\"}");
        let said = "status.json: weird is no status; it is one of active, ready, blocked, done";
        assert_eq!(odd, Err(said.into()));
        let number = parse(b"{\"status\":1}");
        assert_eq!(number, Err("status.json: status is no text".into()));
    }
}
