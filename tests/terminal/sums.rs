//! A person has a conversation summed up, by the verb, by the palette and with words of their own, where its CLI can.

use crate::support::model_server::{ModelServer, Scenario, text, turn};
use crate::support::parlour::{PATIENCE, Parlour, let_it_be_read, until};
use crate::support::{claude, codex};

use super::steering::composer;
use super::talk::{GULLS, OWLS, SKUAS, TERNS};
use super::told::of_kind;
use super::{claude as claude_chats, codex as codex_chats};

fn summed_up(parlour: &Parlour) -> usize {
    of_kind(&parlour.events("birds"), "compaction").len()
}

async fn model() -> ModelServer {
    ModelServer::start(counts()).await
}

pub(super) fn talked(parlour: &Parlour, llm: &str) {
    parlour.json(&["new", "Birds", "--llm", llm]);
    parlour.wait("birds", "idle");
    talks(parlour);
}

/// A few turns: Claude Code sums up no single one.
fn talks(parlour: &Parlour) {
    let answers = || of_kind(&parlour.events("birds"), "text").len();
    for prompt in [GULLS, TERNS, SKUAS, OWLS] {
        let before = answers();
        parlour.json(&["send", "birds", prompt]);
        until("it is answered", PATIENCE, || answers() > before);
        parlour.wait("birds", "idle");
    }
}

/// All that the model says to anybody.
pub(super) fn counts() -> Scenario {
    Scenario::of([GULLS, TERNS, SKUAS, OWLS].map(|prompt| turn![text("Counted.")].when(prompt)))
}

/// How many requests for a summary had these words in them.
fn asked_with(model: &ModelServer, words: &str) -> usize {
    let asides = model.requests().into_iter().filter(|asked| asked.aside);
    asides.filter(|asked| asked.body.to_string().contains(words)).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn claude_sums_up_with_words_of_a_persons_own_from_a_shell_and_from_the_screen() {
    let Some(program) = claude::installed() else {
        return;
    };
    let model = model().await;
    let parlour = claude_chats::parlour(&program, &model);
    talked(&parlour, "claude");
    parlour.say(&["compact", "birds", "keep", "every", "gull"]);
    until("it is summed up", PATIENCE, || summed_up(&parlour) == 1);
    assert_eq!(asked_with(&model, "keep every gull"), 1);
    parlour.wait("birds", "idle");

    talks(&parlour);
    let mut terminal = composer(&parlour);
    terminal.press("/");
    terminal.wait_for_text("Templates");
    terminal.press("compact");
    terminal.wait_for_text("▌  /compact");
    terminal.press("\r");
    terminal.wait_for_text("› /compact");
    let_it_be_read();
    terminal.paste("forget the terns");
    terminal.wait_for_text("/compact forget the terns");
    terminal.press("\r");
    until("it is summed up again", PATIENCE, || summed_up(&parlour) == 2);
    assert_eq!(asked_with(&model, "forget the terns"), 1);
    terminal.wait_for_text("The conversation was compacted, as it was told to");
    parlour.wait("birds", "idle");

    talks(&parlour);
    terminal.press("\x11\x1b");
    terminal.wait_for_text(" SIDEBAR ");
    terminal.press(":");
    terminal.press("sum its conversation");
    terminal.wait_for_text("Have the agent sum its conversation up");
    terminal.press("\r");
    until("and once more", PATIENCE, || summed_up(&parlour) == 3);
}

/// Claude Code refuses it, and nothing says that it was done.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_cli_would_not_sum_up_is_not_told_as_summed_up() {
    let Some(program) = claude::installed() else {
        return;
    };
    let model = model().await;
    let parlour = claude_chats::parlour(&program, &model);
    parlour.json(&["new", "Birds", "--llm", "claude", "-p", GULLS]);
    until("it is answered", PATIENCE, || {
        !of_kind(&parlour.events("birds"), "text").is_empty()
    });
    parlour.wait("birds", "idle");
    parlour.json(&["compact", "birds"]);
    let terminal = parlour.attach(&["birds"]);
    terminal.wait_for_text("Not enough messages to compact");
    until("it was typed", PATIENCE, || {
        of_kind(&parlour.events("birds"), "note")
            .iter()
            .any(|note| note["text"] == "/compact was typed")
    });
    assert_eq!(summed_up(&parlour), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn codex_takes_no_words_for_it_and_says_so() {
    let Some(program) = codex::installed() else {
        return;
    };
    let model = model().await;
    let parlour = codex_chats::parlour(&program, &model);
    talked(&parlour, "codex");
    let refused = parlour.refusal(&["compact", "birds", "keep", "every", "gull"]);
    assert!(
        refused.contains("/compact of codex takes no words of your own"),
        "{refused}"
    );
    parlour.json(&["compact", "birds"]);
    until("it is summed up", PATIENCE, || summed_up(&parlour) == 1);
}

#[test]
fn a_cli_that_cannot_is_named_with_what_helps() {
    let parlour = Parlour::new();
    parlour.json(&["new", "Birds", "--llm", "demo"]);
    parlour.wait("birds", "idle");
    let refused = parlour.refusal(&["compact", "birds"]);
    for words in ["parlour knows no command of demo for it", "type it in its terminal"] {
        assert!(refused.contains(words), "{refused}");
    }
    let mut terminal = parlour.attach(&["birds"]);
    terminal.wait_for_text("AGENT");
    terminal.press("\x11\x1b");
    terminal.wait_for_text(" SIDEBAR ");
    terminal.press(":");
    terminal.press("sum its conversation");
    terminal.wait_for_text("Have the agent sum its conversation up");
    terminal.press("\r");
    terminal.wait_for_text("parlour knows no");
    terminal.wait_for_text("command of demo for it");
}
