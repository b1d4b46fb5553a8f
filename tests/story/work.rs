//! The work graph through the real binary: agents over MCP, a person from the shell, both in the files.

use std::path::PathBuf;
use std::{fs, thread};

use serde_json::{Value, json};

use crate::support::mcp::Server;
use crate::support::parlour::{PATIENCE, Parlour, until};

/// One that does nothing, with its address and token in a file.
const STILL: &str = r#"{"customLlms": {"still": {"command": "/bin/sleep", "args": ["600"], "mcpConfig": {
    "file": "mcp.json", "template": {"url": "{{parlour_mcp_url}}", "token": "{{parlour_token}}"}}}}}"#;

/// Calls a tool as the agent of a chat: what it answers, or the words of its error.
fn call(chat: &Value, tool: &str, arguments: Value) -> Result<Value, String> {
    let file = PathBuf::from(chat["dir"].as_str().unwrap()).join("mcp.json");
    Server::named_in(&file).call(tool, &arguments).unwrap()
}

/// A tree of two whose agents run, until a chat can be made by another one: its record says so.
fn tree(parlour: &Parlour) -> (Value, Value) {
    parlour.configure(STILL);
    let lead = parlour.json(&["new", "Lead", "--llm", "still"]);
    let one = parlour.json(&["new", "One", "--llm", "still"]);
    parlour.say(&["kill-engine"]);
    let record = parlour
        .home()
        .join("records")
        .join(one["id"].as_str().unwrap())
        .join("chat.json");
    let mut fields: Value = serde_json::from_slice(&fs::read(&record).unwrap()).unwrap();
    fields["parent"] = lead["id"].clone();
    fs::write(&record, fields.to_string()).unwrap();
    parlour.say(&["resume", "lead"]);
    parlour.say(&["resume", "one"]);
    (lead, one)
}

#[test]
fn a_tree_that_is_stopped_is_told_of_chat_by_chat() {
    let parlour = Parlour::new();
    tree(&parlour);
    let said = parlour.say(&["stop", "lead", "--tree"]);
    let first_words = |line: &str| line.split(": ").next().unwrap().to_owned();
    let stopped: Vec<String> = said.lines().map(first_words).collect();
    assert_eq!(stopped, ["lead (Lead)", "one (One)"], "{said}");
    parlour.say(&["resume", "one"]);
    let told = parlour.json(&["stop", "lead", "--tree"]);
    assert_eq!(told["handle"], "lead");
    let stopped = told["stopped"].as_array().unwrap();
    assert_eq!(stopped.len(), 1, "the other did not run: {told}");
    assert_eq!(
        (&stopped[0]["handle"], &stopped[0]["status"]),
        (&json!("one"), &json!("exited"))
    );
}

fn atom(id: &str, needs: &[&str]) -> Value {
    json!({"id": id, "title": format!("Do {id}"), "needs": needs})
}

#[test]
fn agents_share_a_plan_and_two_claims_at_once_give_one_owner() {
    let parlour = Parlour::new();
    let (lead, one) = tree(&parlour);
    let ids = ["a", "b", "c", "d", "e", "f"];
    let mut atoms: Vec<Value> = ids.iter().map(|id| atom(id, &[])).collect();
    atoms.push(atom("last", &ids));
    let added = call(&lead, "add_atoms", json!({"molecule": "plan", "atoms": atoms})).unwrap();
    assert_eq!(added["added"].as_array().map(Vec::len), Some(7), "{added}");

    for id in ids {
        let claim = || json!({"molecule": "plan", "id": id});
        let (mine, theirs) = thread::scope(|scope| {
            let theirs = scope.spawn(|| call(&one, "claim_atom", claim()));
            (call(&lead, "claim_atom", claim()), theirs.join().unwrap())
        });
        let (owner, refused, who) = match (mine, theirs) {
            (Ok(atom), Err(why)) => (atom["owner"].clone(), why, "lead"),
            (Err(why), Ok(atom)) => (atom["owner"].clone(), why, "one"),
            both => panic!("{id}: {both:?}"),
        };
        assert_eq!(owner, who);
        assert!(refused.contains(&format!("it is in progress with {who}")), "{refused}");
        let chat = if who == "lead" { &lead } else { &one };
        call(
            chat,
            "update_atom",
            json!({"molecule": "plan", "id": id, "status": "done"}),
        )
        .unwrap();
    }
    let ready = call(&one, "list_atoms", json!({"ready_only": true})).unwrap();
    assert_eq!(ready["atoms"].as_array().map(Vec::len), Some(1));
    assert_eq!(ready["atoms"][0]["id"], "last");

    let circle = json!({"molecule": "plan", "atoms": [atom("x", &["y"]), atom("y", &["x"])]});
    let refused = call(&one, "add_atoms", circle).unwrap_err();
    assert!(refused.contains("x needs y needs x"), "{refused}");
    let unknown = json!({"molecule": "plan", "atoms": [atom("x", &["nowhere"])]});
    let refused = call(&one, "add_atoms", unknown).unwrap_err();
    assert!(refused.contains("x needs nowhere, which is not there"), "{refused}");
    let misnamed = json!({"molecule": "../plan", "atoms": [atom("x", &[])]});
    let refused = call(&one, "add_atoms", misnamed).unwrap_err();
    assert!(refused.contains("call it plan"), "{refused}");
}

#[test]
fn the_work_of_an_agent_that_ended_is_free_again() {
    let parlour = Parlour::new();
    let (_, one) = tree(&parlour);
    call(
        &one,
        "add_atoms",
        json!({"molecule": "plan", "atoms": [atom("a", &[])]}),
    )
    .unwrap();
    call(&one, "claim_atom", json!({"molecule": "plan", "id": "a"})).unwrap();
    let shown = || parlour.json(&["work", "list", "lead"])["atoms"][0].clone();
    assert_eq!(shown()["owner"], "one");
    parlour.say(&["stop", "one"]);
    until("its atom is free", PATIENCE, || shown()["status"] == "todo");
    assert_eq!(shown()["note"], "free again: one, whose it was, has ended (stopped)");
}

#[test]
fn a_person_works_on_a_plan_from_the_shell_and_in_its_files() {
    let parlour = Parlour::new();
    parlour.configure(STILL);
    let lead = parlour.json(&["new", "Lead", "--llm", "still"]);
    let work = |words: &[&str]| parlour.say(&[&["work"], words].concat());
    let refusal = |words: &[&str]| parlour.refusal(&[&["work"], words].concat());
    assert_eq!(work(&["list"]), "no atoms; `parlour work add` makes one\n");
    assert_eq!(
        work(&["add", "lead", "plan", "parser", "--title", "Read it"]),
        "added plan/parser\n"
    );
    work(&[
        "add",
        "lead",
        "plan",
        "docs",
        "--title",
        "Describe it",
        "--needs",
        "parser",
    ]);
    let said = refusal(&["claim", "lead", "plan", "docs"]);
    assert!(
        said.starts_with("parlour: claiming plan/docs: it waits for parser;"),
        "{said}"
    );
    assert_eq!(
        work(&["claim", "lead", "plan", "parser"]),
        "plan/parser: in_progress, lead\n"
    );
    assert_eq!(
        work(&["done", "lead", "plan", "parser", "--note", "In 1f2e3d"]),
        "plan/parser: done, lead\n"
    );
    assert_eq!(
        work(&["list", "lead"]),
        "STATUS   ATOM         OWNER  AGE  TITLE\n\
         ✓ done   plan/parser  lead   now  Read it · In 1f2e3d\n\
         ○ ready  plan/docs                Describe it\n"
    );
    let said = refusal(&["list", "lead", "--molecule", "plna"]);
    assert_eq!(
        said,
        "parlour: listing atoms: there is no molecule plna; there are plan\n"
    );
    work(&["update", "lead", "plan", "docs", "--needs", ""]);
    work(&["todo", "lead", "plan", "parser"]);

    let folder = PathBuf::from(lead["dir"].as_str().unwrap()).join("molecules");
    let file = folder.join("plan.json");
    let mut plan: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    plan["atoms"][1]["title"] = json!("Describe it well");
    fs::write(&file, plan.to_string()).unwrap();
    fs::write(folder.join("torn.json"), "{").unwrap();
    let said = work(&["list", "lead", "--molecule", "torn"]);
    assert!(
        said.starts_with("molecules/torn.json: ") && said.lines().count() == 1,
        "{said}"
    );
    let listed = parlour.json(&["work", "list", "lead"]);
    assert_eq!(listed["atoms"][1]["title"], "Describe it well");
    let unreadable = listed["unreadable"][0].as_str().unwrap();
    assert!(
        unreadable.starts_with("molecules/torn.json: it is not JSON"),
        "{unreadable}"
    );
}
