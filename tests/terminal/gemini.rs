//! The real Gemini CLI in the real parlour, with the scripted model behind it.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::acts::{asks_about, heard_of_the_rule, is_refused_from_parlour, refusals, sleeps_and_wakes, was_instructed};
use super::told::{endings, of_kind, passes_through, repository, statuses};
use crate::support::gemini;
use crate::support::model_server::{ModelServer, Scenario, gate, text, thinking, tool, turn};
use crate::support::parlour::{PATIENCE, Parlour, git, until};

/// Opens a branch from `deploy`, writes a file and commits it; then does too much, takes long, and is asked once more.
fn work(repository: &Path) -> Scenario {
    let shell = |command: &str| tool("run_shell_command", json!({ "command": command, "description": "So" }));
    let [one, another] = refusals(shell);
    Scenario::of([
        turn![
            [
                thinking("**Planning**\nA branch first."),
                text("I open a branch."),
                tool(
                    "mcp_parlour_open_dir",
                    json!({ "path_or_url": repository, "branch": "hotfix-greeting", "base": "deploy" })
                )
            ],
            tool(
                "write_file",
                json!({ "file_path": "${cwd}/projects/greeter/hello.txt", "content": "hello\n" })
            ),
            shell("cd projects/greeter && git add . && git commit -qm Hello"),
            text("It greets."),
        ]
        .when("mend the greeting"),
        turn![[text("One more."), shell("touch too-much.txt")]].when("do too much"),
        one,
        another,
        turn![
            shell("touch forbidden.txt"),
            tool("read_file", json!({ "file_path": "${cwd}/projects/greeter/README.md" })),
            text("Rules are rules.")
        ]
        .when("follow the rules"),
        turn![[text("It goes on "), gate("for ever"), text("and on.")]].when("take long"),
        turn![text("The second answer.")].when("a second prompt"),
        turn![text("Well rested.")].when("wake up"),
    ])
}

/// Parlour on the machine of somebody who uses Gemini CLI.
pub(super) fn parlour(program: &Path, model: &ModelServer) -> Parlour {
    let parlour = Parlour::new();
    let home = gemini::home(parlour.scratch());
    let folder = program.parent().unwrap().display();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap());
    let env = gemini::environment(&home, &model.url());
    let parlour = parlour.with(env).with([("PATH".into(), path)]);
    parlour.configure(&config().to_string());
    parlour
}

/// What the rules say of a file that is read goes before Gemini CLI's own, which never ask about that.
fn config() -> Value {
    json!({ "permissions": { "deny": ["Bash(touch forbidden.txt)"], "ask": ["Read(**/README.md)"] } })
}

/// What the transcript tells, in order and each time. Statuses and questions are told by hooks, a little before or after.
fn told(events: &[Value]) -> Vec<String> {
    let word = |event: &Value, key: &str| event[key].as_str().unwrap_or_default().to_owned();
    let name = |id: &Value| {
        let started = of_kind(events, "tool.start");
        let tool = started.iter().find(|start| start["id"] == *id);
        tool.map_or("nobody's".into(), |tool| word(tool, "name"))
    };
    let line = |event: &Value| match event["kind"].as_str().unwrap() {
        "prompt" => Some(format!("{} said {}", word(event, "from"), word(event, "text"))),
        "text" | "thinking" => Some(format!("{}: {}", word(event, "kind"), word(event, "text"))),
        "tool.start" => Some(format!("{} began", word(event, "name"))),
        "tool.end" => Some(format!("{} ended {}", name(&event["id"]), word(event, "status"))),
        "status" | "session" | "note" | "permission" => None,
        other => Some(other.to_owned()),
    };
    events.iter().filter_map(line).collect()
}

fn questions(events: &[Value]) -> Vec<String> {
    let line = |event: &Value| format!("{} {}", event["tool"], event["answer"]).replace('"', "");
    of_kind(events, "permission").into_iter().map(line).collect()
}

/// Waits for the question about this, and answers it at the screen.
fn answer(parlour: &Parlour, about: &str, keys: &str) {
    asks_about(parlour, about);
    let mut screen = parlour.attach(&["hotfix"]);
    screen.wait_for_text("Allow once");
    screen.press(keys);
    until("the question is gone", PATIENCE, || {
        parlour.json(&["explain", "hotfix"])["status"] != "needs-you"
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn gemini_works_is_answered_refused_and_interrupted_outlives_its_engine_and_goes_on() {
    let Some(program) = gemini::installed() else {
        return;
    };
    let sources = tempfile::tempdir().unwrap();
    let (repository, deployed) = repository(sources.path());
    let model = ModelServer::start(work(&repository)).await;
    let parlour = parlour(&program, &model);

    let made = parlour.json(&["new", "Hotfix", "--llm", "gemini", "-p", "mend the greeting"]);
    assert_eq!(made["status"], "starting");
    answer(&parlour, "hello.txt", "\r");
    asks_about(&parlour, "git commit");
    parlour.answer("approve");
    was_done(&parlour.wait("hotfix", "idle"), &repository, &deployed);
    let first = told_by(&parlour, "text");
    told_of_the_first_turn(&first);

    parlour.say(&["send", "hotfix", "do too much"]);
    answer(&parlour, "touch too-much.txt", "\x1b");
    let rested = parlour.wait("hotfix", "idle");
    let directory = Path::new(rested["dir"].as_str().unwrap());
    assert!(!fs::exists(directory.join("too-much.txt")).unwrap());
    let second = told_by(&parlour, "interrupt").split_off(first.len());
    told_of_the_second_turn(&second);
    let mut screen = parlour.attach(&["hotfix"]);
    is_refused_from_parlour(&parlour, &mut screen, directory);
    drop(screen);
    follows_the_rules(&parlour, &model, directory);
    let before = parlour.events("hotfix").len();

    parlour.say(&["send", "hotfix", "take long"]);
    model.reached("for ever").await;
    assert_eq!(parlour.json(&["explain", "hotfix"])["status"], "running");
    let mut screen = parlour.attach(&["hotfix"]);
    screen.wait_for_text("It goes on");
    screen.press("\x1b");
    screen.wait_for_text("Request cancelled.");
    parlour.wait("hotfix", "idle");
    let third = told_by(&parlour, "interrupt").split_off(before);
    assert_eq!(told(&third), ["person said take long", "interrupt"]);
    drop(screen);

    goes_on(&parlour, &first);
    assert!(
        model
            .conversation()
            .iter()
            .all(|asked| asked.tools.iter().any(|tool| tool == "mcp_parlour_open_dir"))
    );
    let last = &model.conversation().pop().unwrap().body["contents"];
    // Not by its first prompt: after a refusal the CLI takes that for a part of its own context, and drops it.
    assert!(
        last.to_string().contains("It greets."),
        "the conversation is there: {last}"
    );
    was_instructed(&model);
    sleeps_and_wakes(&parlour, config(), "wake up", "Well rested.");
    let last = &model.conversation().pop().unwrap().body["contents"];
    assert!(last.to_string().contains("The second answer."), "{last}");
}

/// A rule denies the first call, with the reason for the agent; a rule asks about the second, which Gemini CLI itself
/// always allows.
fn follows_the_rules(parlour: &Parlour, model: &ModelServer, dir: &Path) {
    let known = parlour.events("hotfix").len();
    parlour.say(&["send", "hotfix", "follow the rules"]);
    asks_about(parlour, "read_file");
    parlour.answer("approve");
    parlour.wait("hotfix", "idle");
    assert!(!dir.join("forbidden.txt").exists());
    heard_of_the_rule(model);
    let events = told_by(parlour, "text").split_off(known);
    assert_eq!(endings(&events), [("run_shell_command", "denied"), ("read_file", "ok")]);
    let line = |event: &&Value| format!("{} by {}: {}", event["answer"], event["by"], event["rule"]).replace('"', "");
    let answers: Vec<String> = of_kind(&events, "permission").iter().map(line).collect();
    assert_eq!(
        answers,
        [
            "denied by rule: Bash(touch forbidden.txt)",
            "asked by agent: null",
            "allowed by person: null"
        ]
    );
}

/// All that was told so far, once the newest of it, but for statuses and usage, is of that kind: the transcript is read
/// a moment after a title says that the agent rests.
fn told_by(parlour: &Parlour, kind: &str) -> Vec<Value> {
    let mut events = Vec::new();
    until(&format!("{kind} is told"), PATIENCE, || {
        events = parlour.events("hotfix");
        let mut newest = events.iter().rev().map(|event| event["kind"].as_str().unwrap());
        newest.find(|kind| !["status", "usage"].contains(kind)) == Some(kind)
    });
    events
}

/// The engine dies, no process is left, and the agent goes on with the session that it had.
fn goes_on(parlour: &Parlour, before: &[Value]) {
    let known = parlour.events("hotfix").len();
    parlour.kill_engine();
    until("no agent is left", PATIENCE, || parlour.agents().is_empty());
    parlour.json(&["resume", "hotfix"]);
    // Resized while it takes up a session the CLI would never get done with it: it gets its new size behind that.
    let resized = parlour.attach_sized(&["hotfix"], 100, 30);
    parlour.wait("hotfix", "idle");
    until("the session is taken up", PATIENCE, || {
        let screen = parlour.say(&["screen", "hotfix"]);
        screen.contains("It greets.") && !screen.contains("Resuming session")
    });
    parlour.say(&["send", "hotfix", "a second prompt"]);
    resized.wait_for_text("The second answer.");
    told_by(parlour, "text");
    let mut later = Vec::new();
    until("it rests again", PATIENCE, || {
        later = parlour.events("hotfix").split_off(known);
        passes_through(&statuses(&later), &["idle", "running", "idle"])
    });
    assert_eq!(
        told(&later),
        ["person said a second prompt", "text: The second answer.", "usage"]
    );
    let sessions = [before, &later].map(|events| of_kind(events, "session")[0]["session"].clone());
    assert_eq!(sessions[0], sessions[1]);
}

fn was_done(rested: &Value, repository: &Path, deployed: &str) {
    let project = &rested["projects"][0];
    assert_eq!(
        (&project["name"], &project["branch"]),
        (&json!("greeter"), &json!("hotfix-greeting"))
    );
    let clone = Path::new(project["path"].as_str().unwrap());
    assert_eq!(git(clone, &["symbolic-ref", "--short", "HEAD"]), "hotfix-greeting");
    assert_eq!(git(clone, &["rev-parse", "HEAD^"]), deployed);
    // The CLI hides the person's own git settings from its shell, so the clone must know who commits.
    assert_eq!(git(clone, &["log", "-1", "--format=%an %s"]), "Ada Hello");
    assert_eq!(
        git(clone, &["remote", "get-url", "origin"]),
        repository.to_string_lossy()
    );
    assert_eq!(fs::read_to_string(clone.join("hello.txt")).unwrap(), "hello\n");
}

fn told_of_the_first_turn(events: &[Value]) {
    insta::assert_snapshot!(told(events).join("\n"), @"
    person said mend the greeting
    thinking: Planning: A branch first.
    text: I open a branch.
    usage
    mcp_parlour_open_dir began
    mcp_parlour_open_dir ended ok
    usage
    write_file began
    write_file ended ok
    usage
    run_shell_command began
    cwd
    run_shell_command ended ok
    text: It greets.
    usage
    ");
    let asked = [
        "write_file asked",
        "write_file allowed",
        "run_shell_command asked",
        "run_shell_command allowed",
    ];
    assert_eq!(questions(events), asked);
    let on_the_way = [
        "idle",
        "running",
        "needs-you",
        "running",
        "needs-you",
        "running",
        "idle",
    ];
    assert!(passes_through(&statuses(events), &on_the_way), "{events:#?}");
    assert_eq!(of_kind(events, "session").len(), 1);
}

fn told_of_the_second_turn(events: &[Value]) {
    insta::assert_snapshot!(told(events).join("\n"), @"
    person said do too much
    text: One more.
    usage
    run_shell_command began
    run_shell_command ended denied
    interrupt
    ");
    assert_eq!(
        questions(events),
        ["run_shell_command asked", "run_shell_command denied"]
    );
    assert!(
        passes_through(&statuses(events), &["running", "needs-you", "idle"]),
        "{events:#?}"
    );
}
