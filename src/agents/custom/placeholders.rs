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
    texts(value).iter().any(|text| text.contains(placeholder))
}

/// All texts in the value; keys are none.
pub(super) fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(map) => map.values().flat_map(texts).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

/// What looks like a placeholder in a text and is none: `{{parlour_url}}`.
pub(super) fn unknown(text: &str) -> Vec<&str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_- .".contains(c);
    let behind = text.match_indices("{{").map(|(at, _)| &text[at..]);
    let whole = behind.filter_map(|rest| {
        let end = rest.find("}}")?;
        let name = &rest[2..end];
        (!name.is_empty() && name.chars().all(is_name)).then(|| &rest[..end + 2])
    });
    whole.filter(|found| ![URL, TOKEN, SESSION].contains(found)).collect()
}
