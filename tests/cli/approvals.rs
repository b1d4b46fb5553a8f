//! Questions of agents, answered from a shell by what they are called there.

use portable_pty::CommandBuilder;
use serde_json::{Value, json};

use super::engine::{Engine, Reply, stderr, stdout};
use crate::support::terminal::Terminal;

/// One question is open, and is meant by whatever is said but its id.
fn asked() -> Engine {
    Engine::new(|request| {
        let by = if request["request"] == "t1" { "id" } else { "chat" };
        Reply::with(match request["verb"].as_str() {
            Some("approvals-meant") => json!({"by": by, "question":
                {"id": "t1", "chat": "fix-auth", "tool": "Bash", "input": {"command": "git push"},
                "wants": "wants to run a command", "about": "Bash: git push", "shown": ["git push"]}}),
            _ => json!({"given": true}),
        })
    })
}

fn verbs(engine: &Engine) -> [Value; 2] {
    [(); 2].map(|()| {
        let asked = engine.asked();
        json!([asked["verb"], asked["request"]])
    })
}

#[test]
fn without_a_terminal_a_question_is_allowed_by_its_id_alone() {
    let engine = asked();
    let output = engine.parlour(&["approve", "fix-auth"]);
    assert_eq!(
        stderr(&output),
        "parlour: answering an agent: fix-auth is a chat; name its question: t1; without a terminal nobody sees what \
         would be allowed; `parlour approvals` shows it\n"
    );
    assert_eq!(output.status.code(), Some(1), "nothing is missing");
    assert_eq!(engine.asked()["verb"], "approvals-meant");
    let output = engine.parlour(&["approve"]);
    assert!(stderr(&output).contains("name the question: t1"), "{output:?}");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(engine.asked()["verb"], "approvals-meant");
    assert!(engine.was_asked_no_more());
    assert_eq!(stdout(&engine.parlour(&["approve", "t1"])), "allowed, this once\n");
}

#[test]
fn a_question_is_refused_by_the_name_of_its_chat_and_said() {
    let engine = asked();
    assert_eq!(
        stdout(&engine.parlour(&["deny", "fix-auth"])),
        "refused fix-auth Bash: git push\n"
    );
    assert_eq!(
        verbs(&engine),
        [json!(["approvals-meant", "fix-auth"]), json!(["deny", "t1"])]
    );
}

#[test]
fn at_a_terminal_what_a_chat_asks_is_shown_and_allowed_by_who_has_seen_it() {
    for (words, answer, verb) in [
        (&["approve", "fix-auth"][..], "y\r", Some("approve")),
        (&["approve"], "\r", None),
    ] {
        let engine = asked();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_parlour"));
        command.args(words);
        command.env("PARLOUR_HOME", engine.home());
        command.env_remove("PARLOUR_CHAT");
        let mut terminal = Terminal::spawn(command);
        // What was typed before it could be read answers nothing.
        terminal.press("y\r");
        terminal.wait_for_text("fix-auth wants to run a command");
        terminal.wait_for_text("  git push");
        terminal.wait_for_text("Allow it? [y/N]");
        terminal.press(answer);
        terminal.wait_for_text(if verb.is_some() {
            "allowed, this once"
        } else {
            "nothing was allowed"
        });
        assert_eq!(terminal.wait_for_end(), 0);
        assert_eq!(engine.asked()["verb"], "approvals-meant");
        match verb {
            Some(verb) => assert_eq!(json!([verb, "t1"]), {
                let asked = engine.asked();
                json!([asked["verb"], asked["request"]])
            }),
            None => assert!(engine.was_asked_no_more()),
        }
    }
}
