//! A JSON text that a person wrote, perhaps with comments: read as it is meant, and changed in one place.
//!
//! What is not changed keeps its order, its comments and its blanks. Of keys that stand twice the last one counts, as
//! when it is read.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode};
use jsonc_parser::tokens::Token;
use jsonc_parser::{Scanner, ScannerOptions};
use serde_json::Value;

use crate::model::setting::SettingEdit;

/// The text without its comments. Blanks take their place, so that lines and columns stay.
pub(super) fn plain(text: &str) -> String {
    let mut plain = text.as_bytes().to_vec();
    let mut scanner = Scanner::new(text, &ScannerOptions::default());
    // What cannot be read from here on is said by whoever reads it.
    while let Ok(Some(token)) = scanner.scan() {
        if matches!(token, Token::CommentLine(_) | Token::CommentBlock(_)) {
            let comment = &mut plain[scanner.token_start()..scanner.token_end()];
            comment
                .iter_mut()
                .filter(|byte| **byte != b'\n')
                .for_each(|byte| *byte = b' ');
        }
    }
    String::from_utf8(plain).unwrap_or_else(|_| text.into())
}

/// Why nobody can read it, not even one who takes comments.
pub(super) fn fault(text: &str) -> Option<String> {
    let parsed = CstRootNode::parse(text, &ParseOptions::default());
    parsed.err().map(|error| error.to_string())
}

/// The text after the change. It parses before: whoever calls has seen to that.
pub(super) fn edited(text: &str, edit: &SettingEdit) -> Result<String, String> {
    const MARK: char = '\u{feff}';
    let begins = if text.starts_with(MARK) { "\u{feff}" } else { "" };
    let root = CstRootNode::parse(text.trim_start_matches(MARK), &ParseOptions::default());
    let root = root.map_err(|error| error.to_string())?;
    match edit {
        SettingEdit::Set(way, value) => set(&root, way, value)?,
        SettingEdit::Push(way, value) => push(&root, way, value)?,
        SettingEdit::Unset(way) => unset(&root, way)?,
    }
    Ok(format!("{begins}{root}"))
}

/// What a step leads to.
enum JsonSlot {
    Member(CstObject, String),
    Item(CstArray, usize),
}

fn set(root: &CstRootNode, way: &[String], value: &Value) -> Result<(), String> {
    match slot(root, way)? {
        JsonSlot::Member(object, name) => match member(&object, &name) {
            Some(found) => found.set_value(written(value)),
            None => drop(object.append(&name, written(value))),
        },
        JsonSlot::Item(list, at) => {
            let item = list.elements().into_iter().nth(at).ok_or("the list has no such item")?;
            item.remove();
            list.insert(at, written(value));
        }
    }
    Ok(())
}

fn push(root: &CstRootNode, way: &[String], value: &Value) -> Result<(), String> {
    let JsonSlot::Member(object, name) = slot(root, way)? else {
        return Err("it is not a list".into());
    };
    match member(&object, &name) {
        Some(found) => drop(found.array_value().ok_or("it is not a list")?.append(written(value))),
        None => drop(object.append(&name, CstInputValue::Array(vec![written(value)]))),
    }
    Ok(())
}

/// Objects that hold nothing any more go with it.
fn unset(root: &CstRootNode, way: &[String]) -> Result<(), String> {
    if !is_there(root, way) {
        return Ok(());
    }
    match slot(root, way)? {
        JsonSlot::Member(object, name) => {
            // All of that name: one left behind would count.
            while let Some(found) = member(&object, &name) {
                found.remove();
            }
            if let [above @ .., _] = way
                && !above.is_empty()
                && object
                    .children()
                    .iter()
                    .all(|child| child.is_whitespace() || child.is_newline() || child.is_token())
            {
                unset(root, above)?;
            }
        }
        JsonSlot::Item(list, at) => {
            let item = list.elements().into_iter().nth(at);
            item.ok_or("the list has no such item")?.remove();
        }
    }
    Ok(())
}

fn is_there(root: &CstRootNode, way: &[String]) -> bool {
    let mut node = root.value();
    for step in way {
        node = match node {
            Some(node) => match (node.as_object(), node.as_array()) {
                (Some(object), _) => member(&object, step).and_then(|found| found.value()),
                (None, Some(list)) => step
                    .parse()
                    .ok()
                    .and_then(|at: usize| list.elements().into_iter().nth(at)),
                (None, None) => None,
            },
            None => None,
        };
    }
    node.is_some()
}

/// Where the last step of a way stands. The objects that lead there are made.
fn slot(root: &CstRootNode, way: &[String]) -> Result<JsonSlot, String> {
    const NO_OBJECT: &str = "what holds it is not an object";
    let mut object = root.object_value_or_create().ok_or(NO_OBJECT)?;
    let [before @ .., last] = way else {
        return Err("it is not a key".into());
    };
    for (at, step) in before.iter().enumerate() {
        let Some(found) = member(&object, step) else {
            let made = object.append(step, CstInputValue::Object(Vec::new()));
            object = made.object_value().ok_or(NO_OBJECT)?;
            continue;
        };
        let list = found.value().as_ref().and_then(CstNode::as_array);
        if let (Some(list), true) = (list, at + 1 == before.len()) {
            let number = last.parse().map_err(|_| NO_OBJECT)?;
            return Ok(JsonSlot::Item(list, number));
        }
        object = found.object_value().ok_or(NO_OBJECT)?;
    }
    Ok(JsonSlot::Member(object, last.clone()))
}

fn member(object: &CstObject, name: &str) -> Option<CstObjectProp> {
    let mut members = object.properties().into_iter().rev();
    members.find(|member| member.decoded_name().as_deref() == Some(name))
}

fn written(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(on) => CstInputValue::Bool(*on),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(written).collect()),
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| (name.clone(), written(value));
            CstInputValue::Object(members.iter().map(member).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn way(path: &str) -> Vec<String> {
        path.split('.').map(String::from).collect()
    }

    fn pushed(text: &str) -> String {
        edited(text, &SettingEdit::Push(way("permissions.allow"), json!("Edit"))).expect("a list")
    }

    fn set(text: &str, path: &str, value: Value) -> String {
        edited(text, &SettingEdit::Set(way(path), value)).expect("an object")
    }

    fn unset(text: &str, path: &str) -> String {
        edited(text, &SettingEdit::Unset(way(path))).expect("an object")
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
            (
                "{\n  \"v\": 1\n}\n",
                "{\n  \"v\": 1,\n  \"permissions\": {\n    \"allow\": [\"Edit\"]\n  }\n}\n",
            ),
            (
                "{\n  \"permissions\": {\n    \"deny\": []\n  },\n  \"v\": 1\n}\n",
                "{\n  \"permissions\": {\n    \"deny\": [],\n    \"allow\": [\"Edit\"]\n  },\n  \"v\": 1\n}\n",
            ),
        ] {
            assert_eq!(pushed(before), after, "{before}");
        }
    }

    #[test]
    fn comments_order_and_what_is_not_known_stay() {
        let text = "{\n  // Mine.\n  \"zeta\" : [1,2] , /* why */\n  \"limits\": {\n    \"liveAgents\": 3 // few\n  },\n  \
                    \"theme\": \"light\"\n}\n";
        assert_eq!(
            set(text, "limits.liveAgents", json!(5)),
            text.replace(": 3 //", ": 5 //")
        );
        let added = set(text, "limits.descendants", json!(9));
        assert_eq!(added, text.replace("3 // few", "3, // few\n    \"descendants\": 9"));
        assert_eq!(
            unset(text, "theme"),
            text.replace("  },\n  \"theme\": \"light\"\n", "  }\n")
        );
        assert_eq!(unset(text, "limits.descendants"), text, "it was not there");
    }

    #[test]
    fn an_object_that_holds_nothing_any_more_goes() {
        let text = "{\n  \"v\": 1,\n  \"limits\": {\n    \"budget\": {\n      \"day\": 5\n    }\n  }\n}\n";
        assert_eq!(unset(text, "limits.budget.day"), "{\n  \"v\": 1\n}\n");
        let commented = "{\"limits\": {\n  // later\n  \"liveAgents\": 3\n}}";
        assert!(unset(commented, "limits.liveAgents").contains("// later"));
    }

    #[test]
    fn an_item_of_a_list_is_replaced_or_removed_where_it_stands() {
        let text = "{\n  \"deny\": [\n    \"a\", // first\n    \"b\",\n    \"c\"\n  ]\n}";
        assert_eq!(set(text, "deny.1", json!("x")), text.replace("\"b\"", "\"x\""));
        assert_eq!(unset(text, "deny.1"), text.replace("    \"b\",\n", ""));
        assert!(edited(text, &SettingEdit::Set(way("deny.7"), json!("x"))).is_err());
    }

    #[test]
    fn the_last_of_two_alike_counts() {
        let text = "{\"theme\": \"dark\", \"theme\": \"light\"}";
        assert_eq!(
            set(text, "theme", json!("nord")),
            "{\"theme\": \"dark\", \"theme\": \"nord\"}"
        );
        let gone: Value = serde_json::from_str(&unset(text, "theme")).unwrap();
        assert_eq!(gone, json!({}));
    }

    #[test]
    fn what_is_no_list_or_object_stays() {
        let push = |text: &str| edited(text, &SettingEdit::Push(way("permissions.allow"), json!(1)));
        assert_eq!(
            push("{\"permissions\": 3}"),
            Err("what holds it is not an object".into())
        );
        assert_eq!(
            push("{\"permissions\": {\"allow\": 3}}"),
            Err("it is not a list".into())
        );
    }

    #[test]
    fn comments_become_blanks_so_that_columns_stay() {
        let text = "{ // größe\n  \"a\": \"// no\", /* x\ny */ \"b\": 1 }";
        let plain = plain(text);
        assert_eq!(plain.len(), text.len());
        assert_eq!(plain.find("\"b\""), text.find("\"b\""));
        assert_eq!(
            serde_json::from_str::<Value>(&plain).unwrap(),
            json!({"a": "// no", "b": 1})
        );
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "[a-z\"\\\\{}\\[\\],: \n/*]{0,8}".prop_map(Value::from),
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
            let after = set(&text, &name, json!({"x": ["y"]}));
            root[&name] = json!({"x": ["y"]});
            prop_assert_eq!(serde_json::from_str::<Value>(&after).expect("it parses"), root.clone());
            root.as_object_mut().expect("an object").shift_remove(&name);
            let gone = unset(&after, &name);
            prop_assert_eq!(serde_json::from_str::<Value>(&gone).expect("it parses"), root);
        }
    }
}
