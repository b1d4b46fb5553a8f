//! Changes of a JSON text that a person wrote: what is not changed stays as it stands, blanks and line breaks included.
//!
//! The text parses: whoever calls has seen to that. Of keys that stand twice the last one counts, as when it is read.

use std::ops::Range;

use serde_json::{Map, Value};

/// Sets the value at `path`, and makes the objects that lead there.
pub(super) fn set(text: &str, path: &[&str], value: &Value) -> Result<String, String> {
    let json = JsonText { text };
    let place = json.find(path)?;
    Ok(match place.rest {
        [] => splice(
            text,
            place.value.clone(),
            &pretty(value, &json.indent_at(place.value.start)),
        ),
        [name, rest @ ..] => json.insert(place.value, Some(name), &nested(rest, value)),
    })
}

/// Appends to the list at `path`, and makes it where there is none.
pub(super) fn push(text: &str, path: &[&str], value: &Value) -> Result<String, String> {
    let json = JsonText { text };
    let place = json.find(path)?;
    match place.rest {
        [] if text[place.value.clone()].starts_with('[') => Ok(json.insert(place.value, None, value)),
        [] => Err("it is not a list".into()),
        [name, rest @ ..] => {
            let list = nested(rest, &Value::Array(vec![value.clone()]));
            Ok(json.insert(place.value, Some(name), &list))
        }
    }
}

/// The value beneath objects with these names.
fn nested(names: &[&str], value: &Value) -> Value {
    names.iter().rev().fold(value.clone(), |value, name| {
        Value::Object(Map::from_iter([((*name).to_string(), value)]))
    })
}

/// The last of a path that is there, and what is not.
struct JsonPlace<'p> {
    value: Range<usize>,
    rest: &'p [&'p str],
}

struct JsonText<'t> {
    text: &'t str,
}

impl JsonText<'_> {
    fn find<'p>(&self, path: &'p [&'p str]) -> Result<JsonPlace<'p>, String> {
        let start = self.skip_blank(0);
        let mut place = JsonPlace {
            value: start..self.end_of(start),
            rest: path,
        };
        while let [name, rest @ ..] = place.rest {
            if !self.text[place.value.clone()].starts_with('{') {
                return Err("what holds it is not an object".into());
            }
            let members = self.items(&place.value);
            let is_it = |item: &&JsonItem| item.name.as_deref() == Some(*name);
            match members.iter().rev().find(is_it) {
                Some(member) => {
                    place = JsonPlace {
                        value: member.value.clone(),
                        rest,
                    }
                }
                None => break,
            }
        }
        Ok(place)
    }

    /// The items of a list, or the members of an object.
    fn items(&self, whole: &Range<usize>) -> Vec<JsonItem> {
        let named = self.text[whole.clone()].starts_with('{');
        let mut items = Vec::new();
        let mut at = self.skip_blank(whole.start + 1);
        while at + 1 < whole.end {
            let start = at;
            let name = named.then(|| {
                let end = self.end_of(at);
                let name = serde_json::from_str(&self.text[at..end]).unwrap_or_default();
                // Behind the colon.
                at = self.skip_blank(self.skip_blank(end) + 1);
                name
            });
            let end = self.end_of(at);
            items.push(JsonItem {
                name,
                start,
                value: at..end,
            });
            // Behind the comma, or the end.
            at = self.skip_blank(self.skip_blank(end) + 1);
        }
        items
    }

    fn skip_blank(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        at + rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r', '\u{feff}']).len()
    }

    /// The end of the value that begins here.
    fn end_of(&self, at: usize) -> usize {
        let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
        for (place, b) in self.text.bytes().enumerate().skip(at) {
            match b {
                _ if escaped => escaped = false,
                b'\\' if quoted => escaped = true,
                b'"' => {
                    quoted = !quoted;
                    if !quoted && depth == 0 {
                        return place + 1;
                    }
                }
                _ if quoted => {}
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth == 0 => return place,
                b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        return place + 1;
                    }
                }
                b',' | b':' | b' ' | b'\t' | b'\r' | b'\n' if depth == 0 => return place,
                _ => {}
            }
        }
        self.text.len()
    }

    /// Appends an item to a list or object: below the last one if that stands in a line of its own, else behind it.
    fn insert(&self, whole: Range<usize>, name: Option<&str>, value: &Value) -> String {
        let items = self.items(&whole);
        let named = |indent: &str| match name {
            Some(name) => format!("{}: {}", Value::from(name), pretty(value, indent)),
            None => pretty(value, indent),
        };
        let outer = self.indent_at(whole.start);
        match items.last() {
            Some(last) if self.is_first_in_line(last.start) => {
                let indent = self.indent_at(last.start);
                let added = format!(",{}{indent}{}", self.line_break(), named(&indent));
                splice(self.text, last.value.end..last.value.end, &added)
            }
            Some(last) => splice(
                self.text,
                last.value.end..last.value.end,
                &format!(", {}", named(&outer)),
            ),
            None if name.is_none() => splice(self.text, whole, &format!("[{}]", named(&outer))),
            None => {
                let (indent, ends) = (format!("{outer}  "), self.line_break());
                let object = format!("{{{ends}{indent}{}{ends}{outer}}}", named(&indent));
                splice(self.text, whole, &object)
            }
        }
    }

    fn line_break(&self) -> &'static str {
        match self.text.contains("\r\n") {
            true => "\r\n",
            false => "\n",
        }
    }

    fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |end| end + 1)
    }

    /// The blanks at the beginning of the line.
    fn indent_at(&self, at: usize) -> String {
        let line = &self.text[self.line_start(at)..];
        line.chars().take_while(|c| matches!(c, ' ' | '\t')).collect()
    }

    fn is_first_in_line(&self, at: usize) -> bool {
        let start = self.line_start(at);
        start > 0 && self.text[start..at].trim().is_empty()
    }
}

struct JsonItem {
    name: Option<String>,
    /// That of its name, where it has one.
    start: usize,
    value: Range<usize>,
}

/// A value as it is written into a line that begins like this. Lists of what is short stay in that line.
fn pretty(value: &Value, indent: &str) -> String {
    match value {
        Value::Object(members) if !members.is_empty() => {
            let deeper = format!("{indent}  ");
            let member = |(name, value): (&String, &Value)| {
                format!("{deeper}{}: {}", Value::from(name.as_str()), pretty(value, &deeper))
            };
            let members: Vec<String> = members.iter().map(member).collect();
            format!("{{\n{}\n{indent}}}", members.join(",\n"))
        }
        other => other.to_string(),
    }
}

fn splice(text: &str, range: Range<usize>, with: &str) -> String {
    [&text[..range.start], with, &text[range.end..]].concat()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    const PATH: [&str; 2] = ["permissions", "allow"];

    fn pushed(text: &str) -> String {
        push(text, &PATH, &json!("Edit")).expect("a list")
    }

    #[test]
    fn a_list_keeps_its_form() {
        for (before, after) in [
            (
                "{\"permissions\":{\"allow\":[\"Read\"]},\"x\" : 1}",
                "{\"permissions\":{\"allow\":[\"Read\", \"Edit\"]},\"x\" : 1}",
            ),
            (
                "{\n\t\"permissions\": {\n\t\t\"allow\": [\n\t\t\t\"Read\"\n\t\t]\n\t},\n\t\"mine\": [1,\n2]\n}\n",
                "{\n\t\"permissions\": {\n\t\t\"allow\": [\n\t\t\t\"Read\",\n\t\t\t\"Edit\"\n\t\t]\n\t},\n\t\"mine\": [1,\n2]\n}\n",
            ),
            (
                "{\"permissions\": {\"allow\": [ ]}}",
                "{\"permissions\": {\"allow\": [\"Edit\"]}}",
            ),
            (
                "{\"permissions\": {\"allow\": [\"a\\\"],]\"]}}",
                "{\"permissions\": {\"allow\": [\"a\\\"],]\", \"Edit\"]}}",
            ),
        ] {
            assert_eq!(pushed(before), after, "{before}");
        }
    }

    #[test]
    fn what_leads_there_is_made() {
        for (before, after) in [
            ("{}", "{\n  \"permissions\": {\n    \"allow\": [\"Edit\"]\n  }\n}"),
            (
                "{\n  \"v\": 1\n}\n",
                "{\n  \"v\": 1,\n  \"permissions\": {\n    \"allow\": [\"Edit\"]\n  }\n}\n",
            ),
            (
                "{\n  \"permissions\": {\n    \"deny\": []\n  },\n  \"v\": 1\n}\n",
                "{\n  \"permissions\": {\n    \"deny\": [],\n    \"allow\": [\"Edit\"]\n  },\n  \"v\": 1\n}\n",
            ),
            (
                "{\"v\": 1}",
                "{\"v\": 1, \"permissions\": {\n  \"allow\": [\"Edit\"]\n}}",
            ),
        ] {
            assert_eq!(pushed(before), after, "{before}");
        }
    }

    #[test]
    fn the_last_of_two_alike_counts() {
        let text = "{\"permissions\": {\"allow\": [\"a\"], \"allow\": [\"b\"]}}";
        assert_eq!(
            pushed(text),
            "{\"permissions\": {\"allow\": [\"a\"], \"allow\": [\"b\", \"Edit\"]}}"
        );
    }

    #[test]
    fn what_is_no_list_or_object_stays() {
        assert_eq!(
            push("{\"permissions\": 3}", &PATH, &json!(1)),
            Err("what holds it is not an object".into())
        );
        assert_eq!(
            push("{\"permissions\": {\"allow\": 3}}", &PATH, &json!(1)),
            Err("it is not a list".into())
        );
    }

    #[test]
    fn a_value_is_replaced_where_it_stands() {
        let text = "{\n  \"theme\" : \"light\" ,\n  \"limits\": {\"liveAgents\": 3}\n}";
        assert_eq!(
            set(text, &["theme"], &json!("dark")).as_deref(),
            Ok("{\n  \"theme\" : \"dark\" ,\n  \"limits\": {\"liveAgents\": 3}\n}")
        );
        assert_eq!(
            set(text, &["limits", "liveAgents"], &json!(20)).as_deref(),
            Ok("{\n  \"theme\" : \"light\" ,\n  \"limits\": {\"liveAgents\": 20}\n}")
        );
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "[a-z\"\\\\{}\\[\\],: \n]{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::vec(("[a-c\"\\]]{0,3}", inner), 0..5)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_text_says_the_same_but_for_what_is_set(root in value(), name in "[a-c]{1,2}", is_pretty: bool) {
            let mut root = root;
            if !root.is_object() {
                root = json!({"a": root});
            }
            let text = if is_pretty { format!("{root:#}") } else { root.to_string() };
            let after = set(&text, &[&name], &json!({"x": ["y"]})).expect("an object");
            root[&name] = json!({"x": ["y"]});
            prop_assert_eq!(serde_json::from_str::<Value>(&after).expect("it parses"), root);
        }
    }
}
