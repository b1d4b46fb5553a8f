//! What is handed on holds no secrets that are known, and nothing that a reader would not see or that would move what they
//! see.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::model::Settings;
use crate::model::secret::known::{KnownSecrets, is_secret_variable};
use crate::model::secret::{MASK, is_secret_field, without_secrets};
use crate::model::text::{Seen, seen, without_sequences};

/// Values that are known to be secret, beside what looks like a token.
#[derive(Default)]
pub struct Secrets {
    known: KnownSecrets,
}

impl Secrets {
    /// Those of MCP servers in `config.json`, of the person's environment by the names that they have there, and what saved
    /// setup files hold.
    pub fn known(
        settings: &Settings,
        environment: impl Iterator<Item = (String, String)>,
        saved: BTreeSet<String>,
    ) -> Secrets {
        let mut values = saved;
        let servers = serde_json::to_value(&settings.global_mcp_servers).unwrap_or_default();
        for server in servers.as_object().into_iter().flat_map(|servers| servers.values()) {
            for field in ["env", "headers"] {
                let held = server[field].as_object().into_iter().flat_map(|held| held.values());
                let held: Vec<&str> = held.filter_map(Value::as_str).collect();
                // In a header the secret is the last word.
                let words = held.iter().filter_map(|value| Some(value.rsplit_once(' ')?.1));
                let words: Vec<String> = words.filter(|_| field == "headers").map(String::from).collect();
                values.extend(held.into_iter().map(String::from).chain(words));
            }
        }
        values.extend(
            environment
                .filter(|(name, _)| is_secret_variable(name))
                .map(|(_, value)| value),
        );
        Secrets {
            known: KnownSecrets::of(values),
        }
    }

    /// Many lines, as a person may read them.
    pub fn clean(&self, text: &str) -> String {
        without_secrets(&self.known.mask(&readable(text)))
    }

    /// The same in all texts of a value, names of fields among them.
    pub fn clean_value(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.clean(&text)),
            Value::Array(values) => values.into_iter().map(|value| self.clean_value(value)).collect(),
            Value::Object(fields) => {
                let clean = |(name, value): (String, Value)| {
                    let value = match &value {
                        Value::String(text) if is_secret_field(&name, text) => MASK.into(),
                        _ => self.clean_value(value),
                    };
                    (self.clean(&name), value)
                };
                Value::Object(fields.into_iter().map(clean).collect())
            }
            other @ (Value::Null | Value::Bool(_) | Value::Number(_)) => other,
        }
    }
}

/// Without control sequences of terminals. Other characters that would be hidden are spelled out.
pub fn readable(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    for (c, seen) in seen(&without_sequences(text)) {
        match (c, seen) {
            ('\n' | '\t', _) => kept.push(c),
            (_, Seen::Hidden) => kept.extend(c.escape_default()),
            (_, Seen::Plain | Seen::Joiner | Seen::JoinsEmoji) => kept.push(c),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_hidden_is_left_and_sequences_go() {
        let text = "a\u{202e}b\u{1b}[31mred\u{1b}[0m\u{1b}]0;title\u{7}c\r\nd\u{0}\u{1b}(Be\u{1b}";
        assert_eq!(readable(text), "a\\u{202e}bredc\nd\\u{0}Be");
        assert_eq!(readable("größe\t修\n"), "größe\t修\n");
        assert_eq!(readable("👩\u{200d}👧"), "👩\u{200d}👧", "a family is one");
    }

    #[test]
    fn secrets_that_are_known_are_masked_wherever_they_stand() {
        let environment = [
            ("GITHUB_TOKEN", "short-but-known"),
            ("PATH", "/usr/bin:/bin"),
            ("DB_PASSWORD", "x"),
        ];
        let environment = environment.map(|(name, value)| (name.to_string(), value.to_string()));
        let mut settings = Settings::default();
        let server =
            serde_json::json!({"url": "https://x.example/mcp", "headers": {"Authorization": "Bearer tok.en/9"}});
        let server = crate::model::server::Server::parse("x", &server).unwrap();
        settings.global_mcp_servers.insert("x".into(), server);
        let saved = ["kept in a file", "please restart everything"].map(String::from).into();
        let secrets = Secrets::known(&settings, environment.into_iter(), saved);
        let key = ["ghp_", "0123456789abcdefghij"].concat();
        let text = format!("kept in a file, short-but-known, Bearer tok.en/9, tok.en/9x, /usr/bin:/bin {key} x");
        assert_eq!(secrets.clean(&text), "•••, •••, •••, •••x, /usr/bin:/bin ••• x");
        // The last word of a value alone is secret in a header only.
        let text = "please restart everything; everything is fine";
        assert_eq!(secrets.clean(text), "•••; everything is fine");
        let value = serde_json::json!({"a": ["short-but-known"], "n": 1});
        assert_eq!(secrets.clean_value(value), serde_json::json!({"a": ["•••"], "n": 1}));
        let value = serde_json::json!({"input": {"user": "ada", "password": "swordfish"}});
        let masked = serde_json::json!({"input": {"user": "ada", "password": "•••"}});
        assert_eq!(secrets.clean_value(value), masked, "by the field's name");
    }
}
