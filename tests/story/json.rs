//! What `--json` prints, against the page that tells scripts about it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::reviews::repository;
use crate::support::parlour::{Parlour, git};

/// The fields that the page names in a part of it, up to what is left open by a `…`.
fn documented(part: &str) -> BTreeSet<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/json.md");
    let page = fs::read_to_string(page).unwrap();
    let rows = page.lines().filter(|line| line.starts_with(part));
    let named = rows.flat_map(|line| line.split('`').skip(1).step_by(2));
    named.map(str::to_string).collect()
}

/// Of the list that begins under a heading, up to the next one.
fn documented_under(heading: &str) -> BTreeSet<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/json.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, part) = page.split_once(heading).expect(heading);
    let part = part.split("\n## ").next().unwrap();
    let named = part.split('`').skip(1).step_by(2);
    named.map(str::to_string).collect()
}

fn fields(value: &Value, at: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(all) => {
            for (name, value) in all {
                let dot = if at.is_empty() { "" } else { "." };
                fields(value, &format!("{at}{dot}{name}"), found);
            }
        }
        Value::Array(all) => {
            for value in all {
                fields(value, &format!("{at}[]"), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => _ = found.insert(at.to_string()),
    }
}

fn is_told(field: &str, known: &BTreeSet<String>) -> bool {
    let begins = |open: &String| {
        let open = open.strip_suffix('…');
        open.is_some_and(|open| {
            field
                .strip_prefix(open)
                .is_some_and(|rest| rest.starts_with(['.', '[']) || rest.is_empty())
        })
    };
    // A field that may be an object is told by what is in it.
    let holds = |longer: &String| longer.strip_prefix(field).is_some_and(|rest| rest.starts_with('.'));
    known.contains(field) || known.iter().any(|known| begins(known) || holds(known))
}

#[test]
fn every_field_that_a_verb_prints_is_told_on_the_page() {
    let parlour = Parlour::new();
    let grove = repository(&parlour.scratch().join("grove"));
    let made = parlour.json(&["new", "work", "--llm", "demo", "--dir", &grove, "-p", "noask hello"]);
    parlour.wait("work", "idle");
    let of_chats = documented_under("## `list`, `new`, `wait`");
    let listed = parlour.json(&["list"]);
    let mut lacking = Vec::new();
    let mut compare = |verb: &str, printed: &Value, known: &BTreeSet<String>, at: &str| {
        let mut found = BTreeSet::new();
        fields(printed, at, &mut found);
        assert!(found.len() > 1, "{verb}: {printed}");
        let unknown = found.into_iter().filter(|field| !is_told(field, known));
        lacking.extend(unknown.map(|field| format!("{verb}: {field}")));
    };
    compare("list", &listed, &of_chats, "");
    compare("new", &made, &of_chats, "chats[]");
    compare(
        "status",
        &parlour.json(&["status"]),
        &documented_under("## `status`"),
        "",
    );
    let saved = parlour.json(&["checkpoint", "work"]);
    let store = parlour.home().join("records").join(made["id"].as_str().unwrap());
    let name = format!("refs/parlour/{:010}", saved["id"].as_u64().unwrap());
    let commit = git(&store.join("checkpoints/grove.git"), &["rev-parse", &name]);
    assert_eq!(saved["projects"], json!({"grove": commit}));
    compare("checkpoint", &saved, &documented("| `checkpoint` |"), "");
    for words in [
        ["checkpoints", "work"].as_slice(),
        &["diff", "work", "--since", "1"],
        &["compare", "work"],
        &["usage"],
        &["search", "hello"],
        &["cache", "list"],
    ] {
        let verb = match words {
            ["cache", ..] => "cache list",
            [verb, ..] => verb,
            [] => unreachable!("a verb"),
        };
        compare(verb, &parlour.json(words), &documented(&format!("| `{verb}` |")), "");
    }
    parlour.say(&[
        "work",
        "add",
        "work",
        "plan",
        "first",
        "--title",
        "Do it",
        "--detail",
        "all",
        "--context",
        "none",
    ]);
    parlour.say(&[
        "work", "add", "work", "plan", "then", "--title", "Tell", "--needs", "first",
    ]);
    let (of_work, atoms) = (documented("| `work list` |"), parlour.json(&["work", "list", "work"]));
    compare("work list", &atoms, &of_work, "");
    let mut printed = BTreeSet::new();
    fields(&atoms, "", &mut printed);
    let of_atoms = of_work.iter().filter(|name| name.starts_with("atoms[]"));
    let missing: Vec<&String> = of_atoms.filter(|name| !printed.contains(*name)).collect();
    assert!(
        missing.is_empty(),
        "docs/json.md tells of {missing:?}, which `work list` has not"
    );
    let events = documented_under("## `events`");
    for line in parlour.say(&["events", "work", "--json"]).lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        let own = event.as_object().unwrap();
        let kind = own["kind"].as_str().unwrap();
        assert!(events.contains(kind), "{kind}");
        let unknown = own.keys().filter(|name| !events.contains(*name));
        lacking.extend(unknown.map(|name| format!("events: {name} of {kind}")));
    }
    assert!(lacking.is_empty(), "docs/json.md does not tell {lacking:#?}");
}
