//! The real Claude Code in the real parlour, with the scripted model behind it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::acts::{asks_about, heard_of_the_rule, is_refused_from_parlour, refusals, sleeps_and_wakes, was_instructed};
use super::told::{endings, of_kind, passes_through, repository, statuses};
use crate::support::claude;
use crate::support::model_server::{ModelServer, Scenario, text, tool, turn};
use crate::support::parlour::{PATIENCE, Parlour, git, until};

/// Opens a branch from `deploy`, writes a file, looks, and asks for one thing too much; later, another prompt.
fn work(repository: &Path) -> Scenario {
    let bash = |command: &str| tool("Bash", json!({ "command": command, "description": "So" }));
    let [one, another] = refusals(bash);
    Scenario::of([
        turn![
            tool(
                "mcp__parlour__open_dir",
                json!({ "path_or_url": repository, "branch": "hotfix-greeting", "base": "deploy" })
            ),
            tool(
                "Write",
                json!({ "file_path": "${cwd}/projects/greeter/hello.txt", "content": "hello\n" })
            ),
            tool(
                "Bash",
                json!({ "command": "ls projects/greeter", "description": "Look" })
            ),
            tool(
                "Bash",
                json!({ "command": "touch too-much.txt", "description": "Too much" })
            ),
        ]
        .when("mend the greeting"),
        one,
        another,
        turn![
            bash("touch forbidden.txt"),
            bash("echo asked about"),
            text("Rules are rules.")
        ]
        .when("follow the rules"),
        turn![text("The second answer.")].when("a second prompt"),
        turn![text("Well rested.")].when("wake up"),
        turn![text("No command ran.")].when("!touch ran-by-a-bang"),
        turn![text("No menu opened.")].when("/status of the work"),
    ])
}

/// Parlour on the machine of somebody who uses Claude Code.
pub(super) fn parlour(program: &Path, model: &ModelServer) -> Parlour {
    let parlour = Parlour::new();
    let home = claude::home(parlour.scratch());
    let path = format!(
        "{}:{}",
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    let env = claude::environment(&home, &model.url());
    let parlour = parlour.with(env).with([("PATH".into(), path)]);
    parlour.configure(&config().to_string());
    parlour
}

/// What the rules say of `echo` goes before Claude Code's own settings, which allow it.
fn config() -> Value {
    json!({
        "trust": { "claude": true },
        "permissions": { "deny": ["Bash(touch forbidden.txt)"], "ask": ["Bash(echo:*)"] },
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn claude_works_is_answered_and_refused_outlives_its_engine_and_goes_on() {
    let Some(program) = claude::installed() else {
        return;
    };
    let sources = tempfile::tempdir().unwrap();
    let (repository, deployed) = repository(sources.path());
    let model = ModelServer::start(work(&repository)).await;
    let parlour = parlour(&program, &model);

    let made = parlour.json(&["new", "Hotfix", "--llm", "claude", "-p", "mend the greeting"]);
    assert_eq!(made["status"], "starting");
    let asking = parlour.wait("hotfix", "needs-you");
    assert!(asking["detail"].as_str().unwrap().contains("hello.txt"), "{asking}");
    let explained = parlour.json(&["explain", "hotfix"]);
    assert_eq!(
        (&explained["status"], &explained["session_began"]),
        (&json!("needs-you"), &json!(true))
    );

    let mut screen = parlour.attach(&["hotfix"]);
    screen.wait_for_text("Do you want to create hello.txt?");
    parlour.answer("approve");
    screen.wait_for_text("touch too-much.txt");
    until("it asks for what is too much", PATIENCE, || {
        let detail = parlour.wait("hotfix", "needs-you")["detail"].clone();
        detail.as_str().is_some_and(|detail| detail.contains("too-much"))
    });
    screen.wait_for_text("Do you want to proceed?");
    screen.press("\x1b");
    let rested = parlour.wait("hotfix", "idle");

    let project = &rested["projects"][0];
    assert_eq!(
        (&project["name"], &project["branch"]),
        (&json!("greeter"), &json!("hotfix-greeting"))
    );
    let clone = Path::new(project["path"].as_str().unwrap());
    assert_eq!(git(clone, &["symbolic-ref", "--short", "HEAD"]), "hotfix-greeting");
    assert_eq!(git(clone, &["rev-parse", "HEAD"]), deployed);
    assert_eq!(
        git(clone, &["remote", "get-url", "origin"]),
        repository.to_string_lossy()
    );
    assert_eq!(fs::read_to_string(clone.join("hello.txt")).unwrap(), "hello\n");
    let directory = PathBuf::from(rested["dir"].as_str().unwrap());
    assert!(!fs::exists(directory.join("too-much.txt")).unwrap());
    assert!(parlour.say(&["screen", "hotfix"]).contains("hello.txt"));

    // The refusal stands in Claude's transcript a moment after its session file says that it rests.
    until("every tool has ended", PATIENCE, || {
        endings(&parlour.events("hotfix")).iter().all(|(_, how)| *how != "open")
    });
    let events = parlour.events("hotfix");
    told_of_the_first_turn(&events);
    let session = of_kind(&events, "session")[0]["session"].clone();
    is_refused_from_parlour(&parlour, &mut screen, &directory);
    drop(screen);
    follows_the_rules(&parlour, &model, &directory);
    let events = parlour.events("hotfix");

    parlour.kill_engine();
    until("no agent is left", PATIENCE, || parlour.agents().is_empty());
    parlour.json(&["resume", "hotfix"]);
    parlour.wait("hotfix", "idle");
    let resumed = parlour.attach(&["hotfix"]);
    resumed.wait_for_text("Rules are rules.");
    parlour.say(&["send", "hotfix", "a second prompt"]);
    resumed.wait_for_text("The second answer.");
    parlour.wait("hotfix", "idle");

    let later = parlour.events("hotfix").split_off(events.len());
    // What looks like a command to its composer is a prompt like any other when parlour sends it.
    for (prompt, answer) in [
        ("!touch ran-by-a-bang", "No command ran."),
        ("/status of the work", "No menu opened."),
    ] {
        parlour.say(&["send", "hotfix", prompt]);
        resumed.wait_for_text(answer);
        parlour.wait("hotfix", "idle");
    }
    assert_eq!(
        of_kind(&later, "session")
            .iter()
            .map(|e| &e["session"])
            .collect::<Vec<_>>(),
        [&session]
    );
    assert_eq!(
        of_kind(&later, "prompt").iter().map(|e| &e["text"]).collect::<Vec<_>>(),
        ["a second prompt"]
    );
    assert!(
        passes_through(&statuses(&later), &["idle", "running", "idle"]),
        "{later:#?}"
    );
    let asked = model.conversation();
    assert!(
        asked
            .iter()
            .all(|asked| session == asked.headers["x-claude-code-session-id"].to_str().unwrap())
    );
    let last = &asked.last().unwrap().body["messages"];
    assert!(
        last.to_string().contains("mend the greeting"),
        "the conversation is there: {last}"
    );
    was_instructed(&model);
    drop(resumed);
    rests_and_goes_on(&parlour, &model, &session);
}

fn rests_and_goes_on(parlour: &Parlour, model: &ModelServer, session: &Value) {
    sleeps_and_wakes(parlour, config(), "wake up", "Well rested.");
    let heard = model.conversation().pop().unwrap();
    assert_eq!(*session, heard.headers["x-claude-code-session-id"].to_str().unwrap());
    assert!(heard.body["messages"].to_string().contains("mend the greeting"));
}

/// A rule denies the first call, with the reason for the agent; a rule asks about the second, which Claude Code's own
/// settings allow.
fn follows_the_rules(parlour: &Parlour, model: &ModelServer, dir: &Path) {
    let known = parlour.events("hotfix").len();
    parlour.say(&["send", "hotfix", "follow the rules"]);
    asks_about(parlour, "echo asked about");
    parlour.answer("approve");
    parlour.wait("hotfix", "idle");
    assert!(!dir.join("forbidden.txt").exists());
    heard_of_the_rule(model);
    let events = parlour.events("hotfix").split_off(known);
    assert_eq!(endings(&events), [("Bash", "denied"), ("Bash", "ok")]);
    let line = |event: &&Value| format!("{} by {}: {}", event["answer"], event["by"], event["rule"]).replace('"', "");
    let answers: Vec<String> = of_kind(&events, "permission").iter().map(line).collect();
    assert_eq!(
        answers,
        [
            "denied by rule: Bash(touch forbidden.txt)",
            "asked by agent: Bash(echo:*)",
            "allowed by person: null"
        ]
    );
}

fn told_of_the_first_turn(events: &[Value]) {
    assert_eq!(of_kind(events, "session").len(), 1);
    let prompts: Vec<_> = of_kind(events, "prompt")
        .iter()
        .map(|e| (&e["text"], &e["from"]))
        .collect();
    assert_eq!(prompts, [(&json!("mend the greeting"), &json!("person"))]);
    let ended = [
        ("mcp__parlour__open_dir", "ok"),
        ("Write", "ok"),
        ("Bash", "ok"),
        ("Bash", "denied"),
    ];
    assert_eq!(endings(events), ended);
    let word = |event: &Value, key: &str| event[key].as_str().unwrap().to_owned();
    let answers: Vec<_> = of_kind(events, "permission")
        .into_iter()
        .map(|event| format!("{} {}", word(event, "tool"), word(event, "answer")))
        .collect();
    assert_eq!(answers, ["Write asked", "Write allowed", "Bash asked", "Bash denied"]);
    let seen = statuses(events);
    let expected = ["idle", "running", "needs-you", "running", "needs-you", "idle"];
    assert!(passes_through(&seen, &expected), "{events:#?}");
}
