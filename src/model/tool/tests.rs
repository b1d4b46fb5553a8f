//! The table, and the documents that repeat it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::json;

use super::{ADD_REMARK, Equipped, Reads, ToolCall, named, tools};

/// The table that people read, in whichever document it stands.
fn documented() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = fs::read_dir(root.join("docs")).into_iter().flatten().flatten();
    let files = docs.map(|entry| entry.path()).chain([root.join("README.md")]);
    let texts = files.filter_map(|file| fs::read_to_string(file).ok());
    let mut tables = texts.filter_map(|text| {
        text.split_once("| tool | does |\n|---|---|\n")
            .map(|(_, table)| table.into())
    });
    tables.next().expect("a document has the table")
}

/// The words between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

fn names() -> Vec<&'static str> {
    tools(Equipped::Bare).map(|tool| tool.name).collect()
}

#[test]
fn each_tool_has_its_own_name_and_words() {
    let unique: BTreeSet<&str> = names().into_iter().collect();
    assert_eq!(unique.len(), names().len());
    for tool in tools(Equipped::Bare) {
        assert!(!tool.name.is_empty() && !tool.does.is_empty(), "{:?}", tool.name);
    }
}

/// Those for files and commands need no line: an agent that has no others finds them in the list.
#[test]
fn each_tool_stands_in_a_line_of_agents_md() {
    let lines = tools(Equipped::WithTools).filter_map(|tool| Some((tool.name, tool.when?)));
    let named: BTreeSet<&str> = lines.flat_map(|(name, when)| quoted(when).chain([name])).collect();
    // A reviewer reads of it in its first prompt.
    for tool in tools(Equipped::WithTools).filter(|tool| tool.name != ADD_REMARK) {
        assert!(named.contains(tool.name), "{} has no `when`", tool.name);
    }
}

#[test]
fn people_read_of_just_these_tools() {
    let table = documented();
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let mut listed: Vec<&str> = rows
        .flat_map(|row| quoted(row.split('|').nth(1).unwrap_or_default()))
        .collect();
    listed.sort_unstable();
    let mut known = names();
    known.sort_unstable();
    assert_eq!(listed, known);
}

#[test]
fn what_only_reads_says_so_and_nothing_else_does() {
    let readers: Vec<&str> = tools(Equipped::Bare)
        .filter(|tool| tool.reads == Reads::Only)
        .map(|tool| tool.name)
        .collect();
    let expected = [
        "list_projects",
        "get_status",
        "wait_for",
        "list_children",
        "get_parent_output",
        "list_atoms",
        "list_schedules",
        "list_todos",
        "list_remarks",
        "search_history",
        "read_file",
    ];
    assert_eq!(readers, expected);
}

#[test]
fn no_agent_sets_what_is_a_persons_to_say() {
    let open = named("open_dir").expect("it is there");
    for own in ["branch_after", "in_place", "cwd", "by"] {
        let arguments = json!({"path_or_url": "/src/grove", own: true});
        let refused = (open.parse)(arguments.as_object().expect("it is one").clone());
        let why = refused.expect_err("it is not an agent's").to_string();
        assert!(
            why.starts_with(&format!("unknown field `{own}`, expected one of `path_or_url`, ")),
            "{why}"
        );
    }
}

/// Rules and the transcript know a local call by the name of its tool.
#[test]
fn a_deed_has_the_name_of_its_tool() {
    let arguments = json!({"path": "a", "content": "", "patch": "", "command": "ls"});
    for tool in tools(Equipped::Bare).skip(tools(Equipped::WithTools).count()) {
        let mut given = arguments.as_object().expect("it is one").clone();
        let known = (tool.arguments)();
        given.retain(|name, _| known["properties"].get(name).is_some());
        match (tool.parse)(given).expect("it is a call") {
            ToolCall::LocalCall(local_call) => assert_eq!(local_call.tool(), tool.name),
            other => panic!("{} became {other:?}", tool.name),
        }
    }
}

#[test]
fn what_is_empty_counts_as_left_out_and_what_is_misspelt_is_refused_at_any_depth() {
    let parse = |name: &str, arguments: serde_json::Value| {
        let tool = named(name).expect("it is there");
        (tool.parse)(arguments.as_object().expect("it is one").clone()).map_err(|error| error.to_string())
    };
    let bare = parse("dispatch", json!({"prompt": "Go"})).expect("it is a call");
    let filled = json!({"prompt": "Go", "project": "", "branch": null, "atom": " ", "name": "\n"});
    assert_eq!(parse("dispatch", filled), Ok(bare));
    let kept = parse("write_file", json!({"path": "a", "content": ""}));
    assert!(kept.is_ok(), "{kept:?}");
    let atoms = json!({"molecule": "m", "atoms": [{"id": "a", "title": "A", "need": []}]});
    let why = parse("add_atoms", atoms).expect_err("it is misspelt");
    assert!(why.starts_with("unknown field `need`, expected one of `id`, "), "{why}");
    let nothing = parse("list_projects", json!({"all": true}));
    assert_eq!(nothing, Err("unknown field `all`, there are no fields".into()));
    let atom = parse("dispatch", json!({"prompt": "Go", "atom": "parser"}));
    assert_eq!(atom, Err("atom is MOLECULE/ID".into()));
}
