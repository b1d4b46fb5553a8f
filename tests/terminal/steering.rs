//! Prompts from the composer while an agent works, with real CLIs: one that takes them gets them into its turn, one that does
//! not gets them when the turn ends, and says so meanwhile. Commands of the CLIs' own.

use serde_json::{Value, json};

use crate::support::model_server::{Block, ModelServer, Scenario, text, tool, turn};
use crate::support::parlour::{PATIENCE, Parlour, until};
use crate::support::terminal::Terminal;
use crate::support::{claude, codex, gemini, opencode};

use super::talk::{GULLS, OWLS, TERNS};
use super::{claude as claude_chats, codex as codex_chats, gemini as gemini_chats, opencode as opencode_chats, sums};

const WORK: &str = "work";
const ENTERED: &str = "entered: the agent comes to it in this turn";

/// The first turn is held before it looks around, by a tool that nobody is asked about.
async fn model(look: Block) -> ModelServer {
    let held = Block::Gate { gate: WORK.into() };
    let first = turn![[held, look], text("Counted.")].when(GULLS);
    let others = [TERNS, OWLS].map(|prompt| turn![text("Counted too.")].when(prompt));
    ModelServer::start(Scenario::of([first].into_iter().chain(others))).await
}

#[tokio::test(flavor = "multi_thread")]
async fn claude_takes_a_prompt_of_the_composer_into_its_turn() {
    let Some(program) = claude::installed() else {
        return;
    };
    let model = model(tool("Bash", json!({ "command": "ls", "description": "Look" }))).await;
    steers(&claude_chats::parlour(&program, &model), "claude", &model).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn codex_takes_a_prompt_of_the_composer_into_its_turn() {
    let Some(program) = codex::installed() else {
        return;
    };
    let model = model(tool("exec_command", json!({ "cmd": "ls" }))).await;
    steers(&codex_chats::parlour(&program, &model), "codex", &model).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_takes_a_prompt_of_the_composer_into_its_turn() {
    let Some(program) = opencode::installed() else {
        return;
    };
    let model = model(tool("glob", json!({ "pattern": "*.md" }))).await;
    steers(&opencode_chats::parlour(&program, &model), "opencode", &model).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gemini_gets_a_prompt_of_the_composer_when_its_turn_ends() {
    let Some(program) = gemini::installed() else {
        return;
    };
    let model = model(tool("list_directory", json!({ "dir_path": "." }))).await;
    let parlour = gemini_chats::parlour(&program, &model);
    let mut terminal = held(&parlour, "gemini", &model).await;
    write(&mut terminal, TERNS, "\r");
    terminal.wait_for_text("steer");
    terminal.wait_for_text("takes no prompt while it works");
    model.release(WORK);
    in_order(&parlour, &model, &[GULLS, TERNS]);
    assert!(!has(&model, 1, TERNS), "it was not in the first turn");
}

/// A chat at work, and a person in its composer.
async fn held(parlour: &Parlour, llm: &str, model: &ModelServer) -> Terminal {
    parlour.json(&["new", "Birds", "--llm", llm]);
    parlour.wait("birds", "idle");
    let mut terminal = composer(parlour);
    write(&mut terminal, GULLS, "\r");
    model.reached(WORK).await;
    until("it works", PATIENCE, || {
        let listed = parlour.json(&["list"]);
        listed["chats"][0]["status"] == "running"
    });
    terminal
}

/// A person in the composer of a chat.
pub(super) fn composer(parlour: &Parlour) -> Terminal {
    let mut terminal = parlour.attach(&["birds"]);
    terminal.wait_for_text("AGENT");
    terminal.press("\x11\x1b");
    terminal.wait_for_text(" SIDEBAR ");
    terminal.press("t");
    terminal.wait_for_text("writes a prompt");
    terminal.press("\r");
    terminal.wait_for_text("PROMPT");
    terminal
}

pub(super) fn write(terminal: &mut Terminal, prompt: &str, enter: &str) {
    terminal.paste(prompt);
    terminal.wait_for_text(prompt);
    terminal.press(enter);
}

/// One goes into the turn, and one waits for its end.
async fn steers(parlour: &Parlour, llm: &str, model: &ModelServer) {
    let mut terminal = held(parlour, llm, model).await;
    write(&mut terminal, OWLS, "\x1b\r");
    terminal.wait_for_text("follow-up");
    write(&mut terminal, TERNS, "\r");
    until("the CLI has it", PATIENCE, || {
        let queue = parlour.json(&["queue", "birds"]);
        let queue = queue["queue"].as_array().unwrap().clone();
        queue
            .iter()
            .all(|waits| waits["text"] != TERNS || waits["why"] == ENTERED)
    });
    model.release(WORK);
    in_order(parlour, model, &[GULLS, TERNS, OWLS]);
    let has_it = |prompt| (0..model.conversation().len()).find(|at| has(model, *at, prompt));
    // OpenCode may have begun its next request when it takes the prompt. It asks once more then, in the same turn.
    let in_turn = has_it(TERNS) == Some(1) || llm == "opencode" && !rested_before(parlour, TERNS);
    assert!(in_turn, "it is in the turn that was under way");
    assert!(rested_before(parlour, OWLS), "a follow-up is not");
}

/// Whether the agent's turn had ended before it got this prompt. What is read late of a CLI's transcript stands later
/// than it happened, so times are compared.
fn rested_before(parlour: &Parlour, prompt: &str) -> bool {
    let events = parlour.events("birds");
    let at = |text: &str| {
        let mut prompts = events.iter().filter(|event| event["kind"] == "prompt");
        let found = prompts.find(|event| event["text"] == text).unwrap();
        found["ts"].as_str().unwrap()
    };
    let (first, got) = (at(GULLS), at(prompt));
    let rests = |event: &&Value| event["kind"] == "status" && event["status"] == "idle";
    let mut ended = events.iter().filter(rests).filter_map(|event| event["ts"].as_str());
    ended.any(|ended| first < ended && ended < got)
}

/// Whether a request to the model has this prompt.
fn has(model: &ModelServer, at: usize, prompt: &str) -> bool {
    let conversation = model.conversation();
    conversation
        .get(at)
        .is_some_and(|asked| asked.body.to_string().contains(prompt))
}

/// All prompts are in the transcript, in this order.
fn in_order(parlour: &Parlour, model: &ModelServer, prompts: &[&str]) {
    let told = || -> Vec<String> {
        let events = parlour.events("birds");
        let prompts = events.iter().filter(|event| event["kind"] == "prompt");
        prompts.map(|prompt| prompt["text"].as_str().unwrap().into()).collect()
    };
    until("all prompts are told", PATIENCE, || told().len() >= prompts.len());
    parlour.wait("birds", "idle");
    assert_eq!(told(), prompts, "{} requests", model.conversation().len());
}

/// A command of its own is chosen below the transcript, and does in its terminal what it does.
fn runs(parlour: &Parlour, llm: &str, command: &str, shows: &str) {
    parlour.json(&["new", "Birds", "--llm", llm]);
    parlour.wait("birds", "idle");
    let mut terminal = composer(parlour);
    terminal.press("/");
    terminal.wait_for_text("Templates");
    terminal.press(command);
    terminal.wait_for("the command", |screen| {
        screen.contents().contains(&format!("▌  /{command}"))
    });
    terminal.press("\r");
    terminal.wait_for_text(shows);
    until("nothing waits", PATIENCE, || {
        let queue = parlour.json(&["queue", "birds"]);
        queue["queue"].as_array().unwrap().is_empty()
    });
    let told = parlour.events("birds");
    let is_prompt = |event: &&Value| event["kind"] == "prompt";
    assert_eq!(told.iter().filter(is_prompt).count(), 0, "it is no prompt");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_of_claudes_own_is_typed_as_it_is() {
    if let Some(program) = claude::installed() {
        let model = model(text("nothing")).await;
        runs(
            &claude_chats::parlour(&program, &model),
            "claude",
            "status",
            "Session ID",
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_of_codexs_own_is_typed_as_it_is() {
    if let Some(program) = codex::installed() {
        let model = model(text("nothing")).await;
        runs(&codex_chats::parlour(&program, &model), "codex", "status", "Session");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_of_geminis_own_is_typed_as_it_is() {
    if let Some(program) = gemini::installed() {
        let model = model(text("nothing")).await;
        runs(
            &gemini_chats::parlour(&program, &model),
            "gemini",
            "about",
            "About Gemini CLI",
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_of_opencodes_own_is_typed_as_it_is() {
    if let Some(program) = opencode::installed() {
        let model = model(text("nothing")).await;
        runs(&opencode_chats::parlour(&program, &model), "opencode", "status", "MCP");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clis_sum_their_conversations_up_when_told() {
    let model = ModelServer::start(sums::counts()).await;
    let parlours = [
        (
            "claude",
            claude::installed().map(|program| claude_chats::parlour(&program, &model)),
        ),
        (
            "codex",
            codex::installed().map(|program| codex_chats::parlour(&program, &model)),
        ),
        (
            "gemini",
            gemini::installed().map(|program| gemini_chats::parlour(&program, &model)),
        ),
        (
            "opencode",
            opencode::installed().map(|program| opencode_chats::parlour(&program, &model)),
        ),
    ];
    for (llm, parlour) in parlours {
        let Some(parlour) = parlour else { continue };
        sums::talked(&parlour, llm);
        parlour.json(&["compact", "birds"]);
        until(&format!("{llm} has summed it up"), PATIENCE, || {
            let events = parlour.events("birds");
            events.iter().any(|event| event["kind"] == "compaction")
        });
    }
}
