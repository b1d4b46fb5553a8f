//! What stands in for values that are known only when an agent starts.

use serde_json::Value;

pub(super) const URL: &str = "{{parlour_mcp_url}}";
pub(super) const TOKEN: &str = "{{parlour_token}}";
pub(super) const SESSION: &str = "{{parlour_session}}";

/// The values of one start.
pub(super) struct Values<'v> {
    pub url: &'v str,
    pub token: &'v str,
    pub session: &'v str,
}

impl Values<'_> {
    /// Goes over the text once: what is put in is never looked through again.
    pub fn fill(&self, text: &str) -> String {
        let known = [(URL, self.url), (TOKEN, self.token), (SESSION, self.session)];
        let mut filled = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("{{") {
            let (before, behind) = rest.split_at(at);
            filled.push_str(before);
            let found = known.iter().find(|(name, _)| behind.starts_with(name));
            let (put, taken) = found.map_or(("{", 1), |(name, value)| (*value, name.len()));
            filled.push_str(put);
            rest = &behind[taken..];
        }
        filled + rest
    }

    /// Fills the texts of a parsed value, so that none can break out of its place. Keys stay.
    pub fn fill_value(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.fill(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.fill_value(item)),
            Value::Object(map) => map.values_mut().for_each(|item| self.fill_value(item)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// Whether a text anywhere in the value has this placeholder.
pub(super) fn names(value: &Value, placeholder: &str) -> bool {
    match value {
        Value::String(text) => text.contains(placeholder),
        Value::Array(items) => items.iter().any(|item| names(item, placeholder)),
        Value::Object(map) => map.values().any(|item| names(item, placeholder)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}
