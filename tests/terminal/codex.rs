//! The real Codex CLI in the real parlour, with the scripted model behind it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::acts::{heard_of_the_rule, is_refused_from_parlour, refusals, sleeps_and_wakes, was_instructed};
use super::told::{endings, of_kind, passes_through, repository, statuses};
use crate::support::codex;
use crate::support::model_server::{Fault, ModelServer, Scenario, Step, gate, text, thinking, tool, turn};
use crate::support::parlour::{PATIENCE, Parlour, git, until};

/// Opens a branch from `deploy`, writes a file, and asks for two things, one of them too much. Later it takes its time,
/// answers another prompt, and has asked for too much of its vendor.
fn work(repository: &Path) -> Scenario {
    let patch =
        "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: projects/greeter/hello.txt\n+hello\n*** End Patch\nEOF";
    let asking = |command: &str| json!({ "cmd": command, "sandbox_permissions": "require_escalated", "justification": "It is needed." });
    let [one, another] = refusals(|command| tool("exec_command", asking(command)));
    let refused = Fault::Error {
        status: 429,
        kind: "rate_limit".into(),
        message: "Slow down.".into(),
        retry_after: None,
        times: 0,
    };
    Scenario::of([
        turn![
            [
                thinking("First a branch."),
                text("Opening the project."),
                tool(
                    "mcp__parlour__open_dir",
                    json!({ "path_or_url": repository, "branch": "hotfix-greeting", "base": "deploy" })
                ),
            ],
            tool("exec_command", json!({ "cmd": patch })),
            tool("exec_command", json!({ "cmd": "ls no-such-file" })),
            tool("exec_command", asking("touch asked-for.txt")),
            tool("exec_command", asking("touch too-much.txt")),
        ]
        .when("mend the greeting"),
        one,
        another,
        turn![
            tool("exec_command", json!({ "cmd": "touch forbidden.txt" })),
            text("Rules are rules.")
        ]
        .when("follow the rules"),
        turn![[text("Thinking"), gate("long"), text(" long.")]].when("take your time"),
        turn![text("The second answer.")].when("a second prompt"),
        turn![text("Well rested.")].when("wake up"),
        turn![Step::from(text("Never said.")).fault(refused)].when("one too many"),
    ])
}

/// Parlour on the machine of somebody who uses Codex.
pub(super) fn parlour(program: &Path, model: &ModelServer) -> Parlour {
    let parlour = Parlour::new();
    let home = codex::home(parlour.scratch(), &model.url());
    let path = format!(
        "{}:{}",
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    let parlour = parlour.with(codex::environment(&home)).with([("PATH".into(), path)]);
    parlour.configure(&config().to_string());
    parlour
}

fn config() -> Value {
    json!({ "permissions": { "deny": ["Bash(touch forbidden.txt)"] } })
}

#[tokio::test(flavor = "multi_thread")]
async fn codex_works_is_answered_refused_and_interrupted_outlives_its_engine_and_goes_on() {
    let Some(program) = codex::installed() else {
        return;
    };
    let sources = tempfile::tempdir().unwrap();
    let (repository, deployed) = repository(sources.path());
    let model = ModelServer::start(work(&repository)).await;
    let parlour = parlour(&program, &model);

    parlour.json(&["new", "Hotfix", "--llm", "codex", "-p", "mend the greeting"]);
    let asking = parlour.wait("hotfix", "needs-you");
    assert!(asking["detail"].as_str().unwrap().contains("asked-for.txt"), "{asking}");
    let mut screen = parlour.attach(&["hotfix"]);
    screen.wait_for_text("Would you like to run the following command?");
    parlour.answer("approve");
    until("it asks for what is too much", PATIENCE, || {
        let detail = parlour.wait("hotfix", "needs-you")["detail"].clone();
        detail.as_str().is_some_and(|detail| detail.contains("too-much"))
    });
    screen.wait_for_text("touch too-much.txt");
    screen.press("\x1b");
    let rested = parlour.wait("hotfix", "idle");

    let project = &rested["projects"][0];
    let clone = Path::new(project["path"].as_str().unwrap());
    assert_eq!(git(clone, &["symbolic-ref", "--short", "HEAD"]), "hotfix-greeting");
    assert_eq!(git(clone, &["rev-parse", "HEAD"]), deployed);
    assert_eq!(fs::read_to_string(clone.join("hello.txt")).unwrap(), "hello\n");
    let directory = PathBuf::from(rested["dir"].as_str().unwrap());
    assert!(fs::exists(directory.join("asked-for.txt")).unwrap());
    assert!(!fs::exists(directory.join("too-much.txt")).unwrap());
    until("the interrupt is told", PATIENCE, || {
        !of_kind(&parlour.events("hotfix"), "interrupt").is_empty()
    });
    let first = parlour.events("hotfix");
    told_of_the_first_turn(&first);
    let session = of_kind(&first, "session")[0]["session"].clone();
    is_refused_from_parlour(&parlour, &mut screen, &directory);
    follows_the_rules(&parlour, &model, &directory);

    let interrupts = || of_kind(&parlour.events("hotfix"), "interrupt").len();
    let before = interrupts();
    parlour.say(&["send", "hotfix", "take your time"]);
    model.reached("long").await;
    screen.wait_for_text("take your time");
    screen.press("\x1b");
    parlour.wait("hotfix", "idle");
    until("this interrupt is told too", PATIENCE, || interrupts() == before + 1);
    drop(screen);

    let before = parlour.events("hotfix").len();
    parlour.kill_engine();
    until("no agent is left", PATIENCE, || parlour.agents().is_empty());
    parlour.json(&["resume", "hotfix"]);
    parlour.wait("hotfix", "idle");
    let resumed = parlour.attach(&["hotfix"]);
    resumed.wait_for_text("mend the greeting");
    parlour.say(&["send", "hotfix", "a second prompt"]);
    resumed.wait_for_text("The second answer.");
    parlour.wait("hotfix", "idle");

    let later = parlour.events("hotfix").split_off(before);
    assert_eq!(
        talk(&later),
        ["session", "prompt a second prompt", "text The second answer.", "usage"]
    );
    assert_eq!(of_kind(&later, "session")[0]["session"], session);
    assert!(
        passes_through(&statuses(&later), &["idle", "running", "idle"]),
        "{later:#?}"
    );
    was_instructed(&model);
    drop(resumed);
    sleeps_and_wakes(&parlour, config(), "wake up", "Well rested.");
    parlour.configure(&config().to_string());
    parlour.say(&["send", "hotfix", "one too many"]);
    until("its turn has failed", PATIENCE, || {
        statuses(&parlour.events("hotfix")).last() == Some(&"limit")
    });
    let conversation = model.conversation();
    let last = &conversation.last().unwrap().body["input"];
    assert!(
        last.to_string().contains("mend the greeting"),
        "the conversation is there: {last}"
    );
}

/// A rule denies a call that its sandbox would have let run, with the reason for the agent.
fn follows_the_rules(parlour: &Parlour, model: &ModelServer, dir: &Path) {
    let known = parlour.events("hotfix").len();
    parlour.say(&["send", "hotfix", "follow the rules"]);
    parlour.wait("hotfix", "idle");
    assert!(!dir.join("forbidden.txt").exists());
    heard_of_the_rule(model);
    let events = parlour.events("hotfix").split_off(known);
    assert_eq!(endings(&events), [("Bash", "denied")]);
    let answers = of_kind(&events, "permission");
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0]["rule"], "Bash(touch forbidden.txt)");
}

/// What was told between its words, its tools and the person's answers, each once and in this order.
fn told_of_the_first_turn(events: &[Value]) {
    assert_eq!(
        talk(events),
        [
            "session",
            "prompt mend the greeting",
            "thinking First a branch.",
            "text Opening the project.",
            "tool.start mcp__parlour__open_dir",
            "usage",
            "tool.end ok",
            "tool.start Bash",
            "usage",
            "tool.end ok",
            "tool.start Bash",
            "usage",
            "tool.end error",
            "tool.start Bash",
            "usage",
            "permission Bash asked",
            "permission Bash allowed",
            "tool.end ok",
            "tool.start Bash",
            "usage",
            "permission Bash asked",
            "permission Bash denied",
            "tool.end denied",
            "interrupt",
        ]
    );
    let seen = statuses(events);
    let expected = ["idle", "running", "needs-you", "running", "needs-you", "idle"];
    assert!(passes_through(&seen, &expected), "{events:#?}");
}

fn talk(events: &[Value]) -> Vec<String> {
    let beside = ["status", "note"];
    let said = events
        .iter()
        .filter(|event| !beside.contains(&event["kind"].as_str().unwrap()));
    said.map(in_short).collect()
}

/// One line an event, without ids.
fn in_short(event: &Value) -> String {
    let word = |key: &str| event[key].as_str().unwrap_or_default();
    let kind = word("kind");
    let what = match kind {
        "tool.start" => word("name").to_owned(),
        "tool.end" => word("status").to_owned(),
        "permission" => format!("{} {}", word("tool"), word("answer")),
        _ => word("text").to_owned(),
    };
    format!("{kind} {what}").trim().to_owned()
}
