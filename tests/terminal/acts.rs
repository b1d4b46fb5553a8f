//! What every real agent CLI is put through alike, within its own story.

use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};

use super::told::of_kind;
use crate::support::model_server::{Block, ModelServer, Turn, text, turn};
use crate::support::parlour::{PATIENCE, Parlour, let_it_be_read, until};
use crate::support::terminal::Terminal;

/// Prompts behind which a question is refused from a shell, and in parlour's dialog. A call is what makes a file.
pub fn refusals(call: impl Fn(&str) -> Block) -> [Turn; 2] {
    [
        turn![call("touch one-thing.txt"), text("One thing less.")].when("try one thing"),
        turn![call("touch another-thing.txt"), text("Another thing less.")].when("try another thing"),
    ]
}

/// A person says no in a shell, and to the next question in parlour's dialog: nothing runs, and it goes on.
pub fn is_refused_from_parlour(parlour: &Parlour, screen: &mut Terminal, dir: &Path) {
    let before = parlour.events("hotfix").len();
    parlour.say(&["send", "hotfix", "try one thing"]);
    asks_about(parlour, "one-thing.txt");
    parlour.answer("deny");
    parlour.wait("hotfix", "idle");

    parlour.say(&["send", "hotfix", "try another thing"]);
    asks_about(parlour, "another-thing.txt");
    screen.press("\x11a");
    screen.wait_for_text("n refuse");
    let_it_be_read();
    screen.press("n");
    parlour.wait("hotfix", "idle");

    assert!(!dir.join("one-thing.txt").exists() && !dir.join("another-thing.txt").exists());
    let mut answers = Vec::new();
    let refused = ["asked agent", "denied person", "asked agent", "denied person"];
    until("both refusals are told", PATIENCE, || {
        let events = parlour.events("hotfix").split_off(before);
        let line = |event: &&Value| format!("{} {}", event["answer"], event["by"]).replace('"', "");
        answers = of_kind(&events, "permission").iter().map(line).collect();
        let ends = of_kind(&events, "tool.end");
        ends.iter().filter(|end| end["status"] == "denied").count() == 2
    });
    assert_eq!(answers, refused);
}

/// Waits for the question that holds these words. A CLI gets there in several steps, each of which takes its time.
pub fn asks_about(parlour: &Parlour, what: &str) {
    asks_of(parlour, "hotfix", what);
}

/// As [`asks_about`], in a chat of another name.
pub fn asks_of(parlour: &Parlour, chat: &str, what: &str) {
    let deadline = Instant::now() + 3 * PATIENCE;
    loop {
        let asked = parlour.run(&["wait", chat, "--for", "needs-you", "--timeout", "60", "--json"]);
        let asking: Value = serde_json::from_slice(&asked.stdout).unwrap_or_default();
        if asking["detail"].as_str().is_some_and(|detail| detail.contains(what)) {
            return;
        }
        let shown = || parlour.say(&["explain", chat]) + &parlour.say(&["screen", chat]);
        assert!(Instant::now() < deadline, "it never asked about {what}:\n{}", shown());
    }
}

/// Every request of the conversation holds what parlour wrote down for its agent, and the newest what is open now.
pub fn was_instructed(model: &ModelServer) {
    let asked = model.conversation();
    let about_chat = "This directory is the chat \"Hotfix\" (hotfix).";
    for request in &asked {
        let said = words(&request.body);
        assert!(
            said.contains(about_chat) && said.contains("<environment_context>\n<directories>"),
            "nothing of AGENTS.md in {said}"
        );
    }
    let newest = words(&asked.last().expect("it was asked").body);
    assert!(newest.contains("mode=\"rw\">projects/greeter</dir>"), "{newest}");
    let of_the_project = "## Instructions of projects/greeter (mode rw)";
    assert!(
        newest.contains(of_the_project) && newest.contains("    Greet in plain English.\n"),
        "{newest}"
    );
}

/// All strings of a body, one after the other.
fn words(body: &Value) -> String {
    match body {
        Value::String(text) => format!("{text}\n"),
        Value::Array(items) => items.iter().map(words).collect(),
        Value::Object(fields) => fields.values().map(words).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    }
}

/// With this in `config.json` beside the rest, whoever rests is stopped at once.
pub fn tired(mut config: Value) -> String {
    config["limits"] = json!({ "hibernateMinutes": 0.02 });
    config.to_string()
}

/// What its terminal shows once that stays: a CLI may say that it rests while it still draws.
fn once_still(parlour: &Parlour) -> String {
    let mut shown = String::new();
    until("its screen stands still", PATIENCE, || {
        let before = std::mem::replace(&mut shown, parlour.say(&["screen", "hotfix"]));
        // Gemini CLI says so while the hook of its last answer runs, however long.
        let stands = before == shown && !shown.contains("Executing Hook");
        if !stands {
            let_it_be_read();
        }
        stands
    });
    shown
}

/// It is stopped while it rests and looks as it did; a message wakes it, and it goes on with what was said.
pub fn sleeps_and_wakes(parlour: &Parlour, config: Value, words: &str, answer: &str) {
    let status = || parlour.json(&["explain", "hotfix"])["status"].clone();
    let asleep = || status() == "hibernated" && parlour.agents().is_empty();
    let session = || {
        let events = parlour.events("hotfix");
        of_kind(&events, "session").last().map(|event| event["session"].clone())
    };
    parlour.wait("hotfix", "idle");
    let before = session();
    let mut shown = once_still(parlour);
    parlour.configure(&tired(config));
    until("it sleeps, and no process is left", PATIENCE, || {
        // It may draw to the end.
        let now = parlour.say(&["screen", "hotfix"]);
        if status() != "hibernated" {
            shown = now;
        }
        asleep()
    });
    // The words of the last turn come a moment behind its end.
    let known = parlour.events("hotfix").len();
    assert_eq!(parlour.say(&["screen", "hotfix"]), shown);

    parlour.say(&["send", "hotfix", words]);
    let answers = || {
        let events = parlour.events("hotfix").split_off(known);
        let texts = of_kind(&events, "text").into_iter().map(|event| event["text"].clone());
        texts.collect::<Vec<_>>()
    };
    until("it has answered", PATIENCE, || answers() == [answer]);
    until("it sleeps again, and no process is left", PATIENCE, asleep);
    assert_eq!(session(), before);
}

/// The agent was told why a call was denied.
pub fn heard_of_the_rule(model: &ModelServer) {
    let reason = "a rule of config.json denies it";
    let conversation = model.conversation();
    let mut told = conversation.iter().flat_map(|asked| &asked.tool_results);
    assert!(told.any(|told| told.contains(reason)));
}
