//! What is recorded of the real Claude Code: in the order of its own transcript, outputs whole, and a provider's limit as
//! what it is.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::claude::parlour;
use super::told::{of_kind, statuses};
use crate::support::claude;
use crate::support::model_server::{Fault, ModelServer, Scenario, Step, text, thinking, tool, turn};
use crate::support::parlour::{PATIENCE, Parlour, until};

fn echo(word: &str) -> crate::support::model_server::Block {
    tool(
        "Bash",
        json!({ "command": format!("echo {word}"), "description": word }),
    )
}

/// Words and calls in turn, calls at once, one that asks, and words behind all of it.
fn interleaved() -> Scenario {
    let together = [
        thinking("Both at once."),
        text("I say two things."),
        echo("two"),
        echo("three"),
    ];
    Scenario::of([turn![
        [text("I say one."), echo("one")],
        together,
        [
            text("I write."),
            tool("Write", json!({ "file_path": "${cwd}/a.txt", "content": "a\n" }))
        ],
        [text("Once more."), echo("four"), echo("five"), echo("six")],
        text("All said.")
    ]
    .when("say it all")])
}

/// A chat's transcript of Claude Code, line by line.
fn transcript(parlour: &Parlour, session: &str) -> Vec<Value> {
    let projects = parlour.scratch().join("home/.claude/projects");
    let folders = fs::read_dir(projects).unwrap().filter_map(Result::ok);
    let file: PathBuf = folders
        .map(|folder| folder.path().join(format!("{session}.jsonl")))
        .find(|file| file.exists())
        .unwrap();
    let text = fs::read_to_string(file).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Words, calls and their ends in the order of that transcript, with its own times.
fn as_written(lines: &[Value]) -> Vec<(String, String)> {
    let mut order = Vec::new();
    for line in lines {
        let at = line["timestamp"].as_str().unwrap_or_default().to_string();
        for block in line["message"]["content"].as_array().into_iter().flatten() {
            let word = |key: &str| block[key].as_str().unwrap_or_default().to_string();
            let said = match block["type"].as_str() {
                Some("text") if line["type"] == "assistant" => word("text"),
                Some("thinking") => word("thinking"),
                Some("tool_use") => format!("begins {}", word("id")),
                Some("tool_result") => format!("ends {}", word("tool_use_id")),
                _ => continue,
            };
            order.push((said, at.clone()));
        }
    }
    order
}

fn as_recorded(events: &[Value]) -> Vec<(String, String)> {
    let told = events.iter().filter_map(|event| {
        let word = |key: &str| event[key].as_str().unwrap_or_default().to_string();
        let said = match event["kind"].as_str()? {
            "text" | "thinking" => word("text"),
            "tool.start" => format!("begins {}", word("id")),
            "tool.end" => format!("ends {}", word("id")),
            _ => return None,
        };
        Some((said, word("ts")))
    });
    told.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn events_stand_in_the_order_of_claudes_own_transcript_and_have_its_times() {
    let Some(program) = claude::installed() else {
        return;
    };
    let model = ModelServer::start(interleaved()).await;
    let parlour = parlour_that_asks(&program, &model);
    parlour.json(&["new", "Talk", "--llm", "claude", "-p", "say it all"]);
    parlour.wait("talk", "needs-you");
    parlour.answer("approve");
    parlour.wait("talk", "idle");
    let events = parlour.events("talk");
    let session = of_kind(&events, "session")[0]["session"].as_str().unwrap().to_string();
    let written = as_written(&transcript(&parlour, &session));
    assert_eq!(written.len(), 2 * 7 + 6, "{written:#?}");
    let recorded = as_recorded(&events);
    let said = |order: &[(String, String)]| order.iter().map(|(said, _)| said.clone()).collect::<Vec<_>>();
    assert_eq!(said(&recorded), said(&written), "{events:#?}");
    for ((said, at), (_, wrote)) in recorded.iter().zip(&written) {
        // Claude Code may write the end of a call seconds behind its hook.
        assert!(
            at == wrote || said.starts_with("ends") && at < wrote,
            "{said} {at} {wrote}"
        );
    }
}

/// Nobody's rules say anything of `echo`, which Claude Code's own settings allow.
fn parlour_that_asks(program: &std::path::Path, model: &ModelServer) -> Parlour {
    let parlour = parlour(program, model);
    parlour.configure(&json!({ "trust": { "claude": true } }).to_string());
    parlour
}

#[tokio::test(flavor = "multi_thread")]
async fn an_output_that_claude_cut_is_kept_whole() {
    let Some(program) = claude::installed() else {
        return;
    };
    let count = tool("Bash", json!({ "command": "seq 1 20000", "description": "Count" }));
    let model = ModelServer::start(Scenario::of([turn![count, text("Counted.")].when("count")])).await;
    let parlour = parlour_that_asks(&program, &model);
    let settings = json!({ "trust": { "claude": true }, "permissions": { "allow": ["Bash(seq:*)"] } });
    parlour.configure(&settings.to_string());
    let made = parlour.json(&["new", "Count", "--llm", "claude", "-p", "count"]);
    parlour.wait("count", "idle");
    let events = parlour.events("count");
    let end = of_kind(&events, "tool.end")[0];
    assert_eq!(
        (&end["bytes"], &end["lines"]),
        (&json!(108_894), &json!(20_000)),
        "{end}"
    );
    assert_eq!(end["cut"], Value::Null, "{end}");
    let record = parlour.home().join("records").join(made["id"].as_str().unwrap());
    let whole = fs::read_to_string(record.join(end["output"].as_str().unwrap())).unwrap();
    assert!(whole.starts_with("1\n2\n") && whole.ends_with("19999\n20000\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_that_is_waited_out_is_a_status_of_its_own() {
    is_waited_out(429, "rate_limit_error").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_is_overloaded_is_waited_for_as_a_limit_is() {
    is_waited_out(529, "overloaded_error").await;
}

async fn is_waited_out(status: u16, kind: &str) {
    let Some(program) = claude::installed() else {
        return;
    };
    let limit = Fault::Error {
        status,
        kind: kind.into(),
        message: "slow down".into(),
        retry_after: Some(15),
        times: 1,
    };
    let answer: Step = text("At last.").into();
    let model = ModelServer::start(Scenario::of([turn![answer.fault(limit)].when("be quick")])).await;
    let parlour = parlour_that_asks(&program, &model);
    parlour.json(&["new", "Quick", "--llm", "claude", "-p", "be quick"]);
    let chat = || parlour.json(&["list"])["chats"][0].clone();
    until("it says that it retries", PATIENCE, || chat()["status"] == "retrying");
    let detail = chat()["detail"].as_str().unwrap().to_string();
    assert!(
        detail.contains(" · next try at ") && detail.contains("attempt 1 of "),
        "{detail}"
    );
    parlour.wait("quick", "idle");
    let events = parlour.events("quick");
    assert_eq!(of_kind(&events, "retry").len(), 1, "{events:#?}");
    let seen = statuses(&events);
    let at = seen.iter().position(|status| *status == "retrying").unwrap();
    // The answer may be heard before the screen is looked at again.
    let rest: Vec<_> = seen[at + 1..].iter().filter(|status| **status != "running").collect();
    assert_eq!((seen[at - 1], rest), ("running", vec![&"idle"]), "{seen:?}");
}
