//! An error as a person reads it: CLIs pass on the JSON that a provider answered with.

use serde_json::{Deserializer, Value};

/// What the provider says, among the words of the CLI. What has no such JSON in it stays as it is.
pub fn plain(said: &str) -> String {
    told(said).unwrap_or_else(|| said.to_owned())
}

fn told(said: &str) -> Option<String> {
    let (before, json) = said.split_at(said.find('{')?);
    let mut values = Deserializer::from_str(json).into_iter::<Value>();
    let answer = values.next()?.ok()?;
    let after = json[values.byte_offset()..].trim_end();
    let error = if answer["error"].is_null() {
        &answer
    } else {
        &answer["error"]
    };
    // Some wrap the answer of another one.
    let message = plain(error["message"].as_str().or(error.as_str())?.trim());
    let (before, after) = match (before.strip_prefix('['), after.strip_suffix(']')) {
        (Some(before), Some(after)) => (before, after),
        (Some(_) | None, _) => (before, after),
    };
    let code = match &error["code"] {
        Value::Number(code) => code.to_string(),
        Value::String(code) => code.replace('_', " "),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => String::new(),
    };
    let mut words = before.trim_end().to_owned();
    if !words.is_empty() {
        words.push(' ');
    }
    words.push_str(&message);
    if !code.is_empty() && !words.contains(&code) {
        words.push_str(&format!(" ({code})"));
    }
    words.push_str(after);
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_json_of_a_provider_is_read_as_what_it_says() {
        let cases = [
            (
                r#"[API Error: {"error":{"code":400,"message":"you may not","status":"UNAVAILABLE"}}]"#,
                "API Error: you may not (400)",
            ),
            (
                r#"API Error: 401 {"type":"error","error":{"type":"authentication_error","message":"no such key"}} · Please run /login"#,
                "API Error: 401 no such key · Please run /login",
            ),
            (
                r#"{"error": {"message": "{\"error\": {\"message\": \"high demand\", \"code\": \"over_loaded\"}}", "code": 503}}"#,
                "high demand (over loaded) (503)",
            ),
            (r#"stream error: {"message": "gone"}"#, "stream error: gone"),
            (r#"{"error": "no"}"#, "no"),
            ("API Error: 529 overloaded", "API Error: 529 overloaded"),
            ("fn main() { }", "fn main() { }"),
            (r#"{"code": 4}"#, r#"{"code": 4}"#),
            ("{{{", "{{{"),
            ("", ""),
        ];
        for (said, expected) in cases {
            assert_eq!(plain(said), expected);
        }
    }
}
