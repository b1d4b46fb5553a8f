//! What parlour types into the real CLIs and what a person types there never mix: every prompt reaches the model once and
//! alone, and nothing of a person's is sent for them.

use std::time::Duration;

use super::told::of_kind;
use super::{claude, codex, gemini, opencode};
use crate::support;
use crate::support::model_server::{ModelServer, Scenario, text, turn};
use crate::support::parlour::{PATIENCE, Parlour, until};
use crate::support::terminal::Terminal;

/// OpenCode drops what is typed while it leaves its start page, which it does with the first prompt.
const BEFORE: &str = "Get ready [ref chalk-0]";

const FIRST: &str = "Write the whole story of the river and its bridges down [ref chalk-1]";
const SECOND: &str = "Now tell it again in half as many words [ref chalk-2]";
const THIRD: &str = "And a title for it [ref chalk-3]";

const OWN: &str = "my own words";

/// A person presses one key after the other.
const BETWEEN_KEYS: Duration = Duration::from_millis(30);

fn script() -> Scenario {
    Scenario::of([
        turn![text("Ready.")].when("chalk-0"),
        turn![text("The first answer.")].when("chalk-1"),
        turn![text("The second answer.")].when("chalk-2"),
        turn![text("The third answer.")].when("chalk-3"),
        turn![text("The fourth answer.")].when("chalk-4"),
    ])
}

fn type_keys(screen: &mut Terminal, keys: impl IntoIterator<Item = impl AsRef<str>>) {
    for key in keys {
        screen.press(key.as_ref());
        std::thread::sleep(BETWEEN_KEYS);
    }
}

fn keys_of(text: &str) -> Vec<String> {
    text.chars().map(String::from).collect()
}

fn prompts(parlour: &Parlour) -> Vec<String> {
    let events = parlour.events("quiet");
    let texts = of_kind(&events, "prompt").into_iter();
    texts
        .map(|event| event["text"].as_str().unwrap().trim().to_string())
        .collect()
}

/// What holds the next prompt back, as `parlour explain` tells.
fn is_held_by(parlour: &Parlour, reasons: &[&str]) {
    until("it says what holds the prompt back", PATIENCE, || {
        let explained = parlour.json(&["explain", "quiet"]);
        explained["prompts"]["held_by"]
            .as_str()
            .is_some_and(|why| reasons.iter().any(|words| why.contains(words)))
    });
}

fn never_mixes(parlour: &Parlour, model: &ModelServer, llm: &str) {
    parlour.json(&["new", "Quiet", "--llm", llm]);
    parlour.wait("quiet", "idle");
    let mut screen = parlour.attach(&["quiet"]);

    parlour.run(&["send", "quiet", BEFORE, "--wait"]);
    screen.wait_for_text("Ready.");
    parlour.wait("quiet", "idle");

    // A person begins to type while a prompt is typed, and sends nothing.
    let mut sending = parlour.command(&["send", "quiet", FIRST]).spawn().unwrap();
    screen.wait_for_text("chalk-1");
    type_keys(&mut screen, keys_of(OWN));
    screen.wait_for_text("The first answer.");
    sending.wait().unwrap();
    screen.wait_for_text(OWN);
    until("each was sent once", PATIENCE, || prompts(parlour) == [BEFORE, FIRST]);

    // The draft is erased by a key that is held down, while a prompt waits.
    parlour.run(&["send", "quiet", SECOND]);
    is_held_by(parlour, &["draft"]);
    type_keys(&mut screen, vec!["\x7f"; OWN.len()]);
    screen.wait_for_text("The second answer.");
    until("each was sent once", PATIENCE, || {
        prompts(parlour) == [BEFORE, FIRST, SECOND]
    });

    // A menu is open; when it is closed the prompt follows.
    parlour.wait("quiet", "idle");
    type_keys(&mut screen, keys_of("/model"));
    screen.wait_for_text("/model");
    std::thread::sleep(Duration::from_millis(500));
    screen.press("\r");
    screen.wait_for("its menu", |screen| {
        screen.contents().to_lowercase().contains("select model")
    });
    parlour.run(&["send", "quiet", THIRD]);
    // Claude Code says of itself that a dialog is open.
    is_held_by(parlour, &["menu", "waiting for your answer"]);
    screen.press("\x1b");
    screen.wait_for_text("The third answer.");
    until("each was sent once", PATIENCE, || {
        prompts(parlour) == [BEFORE, FIRST, SECOND, THIRD]
    });

    let long: Vec<String> = (1..40)
        .map(|number| format!("This is line {number} of many."))
        .collect();
    let long = format!("{}\n[ref chalk-4]", long.join("\n"));
    parlour.run(&["send", "quiet", &long]);
    screen.wait_for_text("The fourth answer.");
    assert_eq!(prompts(parlour).len(), 5);

    let asked: Vec<String> = model
        .conversation()
        .iter()
        .map(|asked| asked.body.to_string())
        .collect();
    assert!(!asked.iter().any(|body| body.contains(OWN)), "{asked:#?}");
    let last = asked.last().unwrap();
    for (number, times) in [("chalk-1", 1), ("chalk-2", 1), ("chalk-3", 1), ("chalk-4", 1)] {
        assert_eq!(last.matches(number).count(), times, "{number} in {last}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_and_a_prompt_never_mix_in_claude() {
    let Some(program) = support::claude::installed() else {
        return;
    };
    let model = ModelServer::start(script()).await;
    never_mixes(&claude::parlour(&program, &model), &model, "claude");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_and_a_prompt_never_mix_in_codex() {
    let Some(program) = support::codex::installed() else {
        return;
    };
    let model = ModelServer::start(script()).await;
    never_mixes(&codex::parlour(&program, &model), &model, "codex");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_and_a_prompt_never_mix_in_gemini() {
    let Some(program) = support::gemini::installed() else {
        return;
    };
    let model = ModelServer::start(script()).await;
    never_mixes(&gemini::parlour(&program, &model), &model, "gemini");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_and_a_prompt_never_mix_in_opencode() {
    let Some(program) = support::opencode::installed() else {
        return;
    };
    let model = ModelServer::start(script()).await;
    never_mixes(&opencode::parlour(&program, &model), &model, "opencode");
}
