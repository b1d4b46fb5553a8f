//! An agent that nobody is logged in for: its error leads to the CLI's own login, in a tab beside it, and behind that the
//! agent goes on with the prompt that failed.

use std::fs;

use serde_json::Value;

use crate::support::model_server::{Fault, ModelServer, Scenario, Step, text, turn};
use crate::support::parlour::{PATIENCE, Parlour, let_it_be_read, until};
use crate::support::terminal::Terminal;
use crate::support::{claude, opencode};

use super::steering::{composer, write};
use super::talk::GULLS;
use super::told::of_kind;
use super::{claude as claude_chats, opencode as opencode_chats};

/// The provider knows nobody in the first turn.
async fn model() -> ModelServer {
    let refusal = Fault::Error {
        status: 401,
        kind: "authentication_error".into(),
        message: "no such key".into(),
        retry_after: None,
        times: 0,
    };
    let refused = turn![Step::from(text("")).fault(refusal)];
    ModelServer::start(Scenario::of([refused, turn![text("Counted.")]])).await
}

fn status(parlour: &Parlour) -> String {
    parlour.json(&["list"])["chats"][0]["status"].as_str().unwrap().into()
}

/// A prompt has failed for want of a login, and the person has chosen to log in from its error.
fn logging_in(parlour: &Parlour, llm: &str) -> Terminal {
    parlour.json(&["new", "Birds", "--llm", llm]);
    let mut terminal = composer(parlour);
    parlour.wait("birds", "idle");
    write(&mut terminal, GULLS, "\r");
    until("nobody is logged in", PATIENCE, || status(parlour) == "logged-out");
    terminal.wait_for_text("Not logged in");
    terminal.press("\x1b");
    terminal.wait_for_text("TRANSCRIPT");
    terminal.press("{");
    terminal.press("\r");
    terminal.wait_for_text("and go on");
    let_it_be_read();
    terminal.press("l");
    terminal.wait_for_text("LOGIN");
    let_it_be_read();
    terminal
}

/// The tab is closed, the agent runs again, and the prompt has its answer.
fn goes_on(parlour: &Parlour, terminal: &Terminal) {
    until("the prompt is answered", PATIENCE, || {
        of_kind(&parlour.events("birds"), "text")
            .iter()
            .any(|said| said["text"] == "Counted.")
    });
    parlour.wait("birds", "idle");
    terminal.wait_for("the login closed", |screen| !screen.contents().contains("LOGIN"));
    terminal.wait_for("no pill for it", |screen| !screen.contents().contains("Not logged in"));
    let events = parlour.events("birds");
    assert_eq!(of_kind(&events, "session").len(), 2, "it was started again");
    assert_eq!(of_kind(&events, "error").len(), 1);
    let prompts = of_kind(&events, "prompt");
    assert!(prompts.iter().all(|prompt| prompt["text"] == GULLS), "{prompts:?}");
    assert_eq!(prompts.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn opencodes_own_login_runs_in_a_tab_and_its_agent_goes_on_behind_it() {
    let Some(program) = opencode::installed() else {
        return;
    };
    let model = model().await;
    let parlour = opencode_chats::parlour(&program, &model);
    // The provider is there, and no key for it.
    let settings = parlour.scratch().join("home/.config/opencode/opencode.json");
    let mut keyless: Value = serde_json::from_slice(&fs::read(&settings).unwrap()).unwrap();
    let options = keyless["provider"]["scripted"]["options"].as_object_mut().unwrap();
    options.remove("apiKey").unwrap();
    fs::write(&settings, keyless.to_string()).unwrap();
    let parlour = parlour.with([("OPENCODE_DISABLE_MODELS_FETCH".into(), "1".into())]);
    let mut terminal = logging_in(&parlour, "opencode");
    terminal.wait_for_text("Select provider");
    terminal.press("other");
    terminal.wait_for_text("1 match");
    terminal.press("\r");
    terminal.wait_for_text("Enter provider id");
    terminal.press("scripted\r");
    terminal.wait_for_text("Enter your API key");
    terminal.press("made-up-key\r");
    goes_on(&parlour, &terminal);
    let keys = || {
        model
            .conversation()
            .into_iter()
            .map(|asked| asked.headers.get("authorization").cloned())
    };
    assert_eq!(keys().next().unwrap(), None);
    assert_eq!(keys().last().unwrap().unwrap(), "Bearer made-up-key");
}

/// Claude Code's own asks a server that is none of ours: what stands in for it takes one code.
#[tokio::test(flavor = "multi_thread")]
async fn a_login_that_fails_stays_to_be_read_one_given_up_closes_and_one_more_leads_on() {
    let Some(program) = claude::installed() else {
        return;
    };
    let model = model().await;
    let login = format!(
        "#!/bin/sh\ncase $* in 'auth login')\n  printf 'Paste the code: '\n  read -r code\n  \
         [ \"$code\" = right ] && exit\n  echo \"Not a code: $code\"\n  exit 1 ;;\nesac\nexec '{}' \"$@\"\n",
        program.display()
    );
    let parlour = claude_chats::parlour(&program, &model).with_program("claude", &login);
    let parlour = parlour.with([("CLAUDE_CODE_MAX_RETRIES".into(), "0".into())]);
    let mut terminal = logging_in(&parlour, "claude");
    terminal.wait_for_text("Paste the code:");
    terminal.press("wrong\r");
    terminal.wait_for_text("✗ Login");
    terminal.wait_for_text("Not a code: wrong");
    let_it_be_read();
    terminal.press("\r");
    terminal.wait_for("it runs once more", |screen| {
        screen.contents().contains("Paste the code:") && !screen.contents().contains("Not a code")
    });
    let_it_be_read();
    terminal.press("\x03");
    terminal.wait_for("it is closed", |screen| !screen.contents().contains("Paste the code:"));
    assert_eq!(status(&parlour), "logged-out");
    terminal.press("\x11\x1b");
    terminal.wait_for_text(" SIDEBAR ");
    terminal.press("t");
    terminal.wait_for_text("TRANSCRIPT");
    terminal.press("{");
    terminal.press("\r");
    terminal.wait_for_text("and go on");
    let_it_be_read();
    terminal.press("l");
    terminal.wait_for_text("Paste the code:");
    let_it_be_read();
    terminal.press("right\r");
    goes_on(&parlour, &terminal);
}
