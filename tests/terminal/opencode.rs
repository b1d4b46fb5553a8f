//! The real OpenCode in the real parlour, with the scripted model behind it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::told::{of_kind, repository, statuses};
use crate::support::model_server::{ModelServer, Scenario, gate, text, thinking, tool, turn};
use crate::support::opencode;
use crate::support::parlour::{Parlour, git, until};

const AGENTS_END_WITHIN: Duration = Duration::from_secs(5);
const PATIENCE: Duration = Duration::from_secs(60);

/// Opens a branch from `deploy`, writes a file, looks, and asks for one thing too much; later, an answer that hangs,
/// and another prompt.
fn work(repository: &Path) -> Scenario {
    Scenario::of([
        turn![
            [
                thinking("First the project."),
                text("I open it."),
                tool(
                    "parlour_open_dir",
                    json!({ "path_or_url": repository, "branch": "hotfix-greeting", "base": "deploy" })
                ),
            ],
            tool(
                "write",
                json!({ "filePath": "${cwd}/projects/greeter/hello.txt", "content": "hello\n" })
            ),
            tool(
                "bash",
                json!({ "command": "ls projects/greeter", "description": "Look" })
            ),
            tool(
                "bash",
                json!({ "command": "touch too-much.txt", "description": "Too much" })
            ),
        ]
        .when("mend the greeting"),
        turn![[text("It goes on and on."), gate("endless"), text("It ends.")]].when("never end"),
        turn![text("The second answer.")].when("a second prompt"),
    ])
}

/// Parlour on the machine of somebody who uses OpenCode.
fn parlour(program: &Path, model: &ModelServer) -> Parlour {
    let parlour = Parlour::new();
    opencode::home(parlour.scratch(), &model.url());
    let path = format!(
        "{}:{}",
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    parlour.with([("PATH".into(), path)])
}

/// What was told of a turn, one line each, in order.
fn in_short(events: &[Value]) -> Vec<String> {
    let word = |event: &Value, key: &str| event[key].as_str().unwrap_or_default().to_owned();
    let name = |event: &Value| {
        let starts = of_kind(events, "tool.start");
        let start = starts.iter().find(|start| start["id"] == event["id"]);
        start.map_or("?".into(), |start| word(start, "name"))
    };
    let line = |event: &Value| match event["kind"].as_str().unwrap() {
        "prompt" | "text" | "thinking" => Some(format!("{} {}", word(event, "kind"), word(event, "text"))),
        "tool.start" => Some(format!("start {}", word(event, "name"))),
        "tool.end" => Some(format!("end {} {}", name(event), word(event, "status"))),
        "permission" => Some(format!("{} {}", word(event, "tool"), word(event, "answer"))),
        "usage" => Some(format!("usage {} {}", event["input"], event["output"])),
        "session" | "interrupt" | "error" | "unknown" => Some(word(event, "kind")),
        _ => None,
    };
    events.iter().filter_map(line).collect()
}

/// Waits until the question stands there that holds these words.
fn asks_for(parlour: &Parlour, what: &str) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let asking = parlour.wait("hotfix", "needs-you");
        if asking["detail"].as_str().unwrap().contains(what) {
            return;
        }
        let shown = || parlour.say(&["explain", "hotfix"]) + &parlour.say(&["screen", "hotfix"]);
        assert!(Instant::now() < deadline, "it never asked for {what}:\n{}", shown());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_works_is_answered_refused_and_interrupted_outlives_its_engine_and_goes_on() {
    let Some(program) = opencode::installed() else {
        return;
    };
    let sources = tempfile::tempdir().unwrap();
    let (repository, deployed) = repository(sources.path());
    let model = ModelServer::start(work(&repository)).await;
    let parlour = parlour(&program, &model);

    let made = parlour.json(&["new", "Hotfix", "--llm", "opencode", "-p", "mend the greeting"]);
    assert_eq!(made["status"], "starting");
    asks_for(&parlour, "hello.txt");
    let mut screen = parlour.attach(&["hotfix"]);
    screen.wait_for_text("→ Edit");
    screen.press("\r");
    asks_for(&parlour, "ls projects");
    screen.wait_for_text("┃  $ ls projects/greeter");
    parlour.answer("approve");
    asks_for(&parlour, "too-much");
    screen.wait_for_text("┃  $ touch too-much.txt");
    screen.press("\x1b");
    let rested = parlour.wait("hotfix", "idle");

    let clone = Path::new(rested["projects"][0]["path"].as_str().unwrap());
    assert_eq!(git(clone, &["symbolic-ref", "--short", "HEAD"]), "hotfix-greeting");
    assert_eq!(git(clone, &["rev-parse", "HEAD"]), deployed);
    assert_eq!(fs::read_to_string(clone.join("hello.txt")).unwrap(), "hello\n");
    let directory = PathBuf::from(rested["dir"].as_str().unwrap());
    assert!(!fs::exists(directory.join("too-much.txt")).unwrap());
    let events = parlour.events("hotfix");
    insta::assert_snapshot!(in_short(&events).join("\n"), @r"
    session
    prompt mend the greeting
    thinking First the project.
    text I open it.
    start parlour_open_dir
    end parlour_open_dir ok
    usage 100 20
    start write
    write asked
    write allowed
    end write ok
    usage 100 20
    start bash
    bash asked
    bash allowed
    end bash ok
    usage 100 20
    start bash
    bash asked
    bash denied
    end bash denied
    usage 100 20
    ");
    insta::assert_snapshot!(statuses(&events).join(" "), @"idle running needs-you running needs-you running needs-you running idle");

    parlour.say(&["send", "hotfix", "never end"]);
    model.reached("endless").await;
    screen.wait_for_text("It goes on and on.");
    screen.press("\x11i");
    parlour.wait("hotfix", "idle");
    model.release("endless");
    let told = |kind: &str| of_kind(&parlour.events("hotfix").split_off(events.len()), kind).len();
    until("the interrupt is told", PATIENCE, || told("interrupt") == 1);
    let events = parlour.events("hotfix");
    let session = of_kind(&events, "session")[0]["session"].clone();
    drop(screen);

    parlour.kill_engine();
    until("no agent is left", AGENTS_END_WITHIN, || parlour.agents().is_empty());
    parlour.json(&["resume", "hotfix"]);
    let resumed = parlour.attach(&["hotfix"]);
    resumed.wait_for_text("never end");
    parlour.say(&["send", "hotfix", "a second prompt"]);
    resumed.wait_for_text("The second answer.");
    parlour.wait("hotfix", "idle");
    let later = parlour.events("hotfix").split_off(events.len());
    assert_eq!(of_kind(&later, "session")[0]["session"], session);
    insta::assert_snapshot!(in_short(&later).join("\n"), @r"
    session
    prompt a second prompt
    text The second answer.
    usage 100 20
    ");
    let asked = model.conversation();
    let last = &asked.last().unwrap().body["messages"];
    assert!(
        last.to_string().contains("mend the greeting"),
        "the conversation is there: {last}"
    );
}
