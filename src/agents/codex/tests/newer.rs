//! What a newer Codex wrote when it was recorded (0.171.0): three calls at once, a refusal, a prompt that steers, and a
//! command that goes on behind its turn.

use std::fs;
use std::path::Path;

use crate::agents::Adapter;
use crate::agents::codex::Codex;
use crate::model::Happened;

#[test]
fn its_transcript_is_read_as_before() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/agents/codex/rollout-0.171.jsonl");
    let lines = fs::read_to_string(path).unwrap();
    let mut reader = Codex.transcript_reader();
    let told = lines.lines().flat_map(|line| reader.line(line));
    let told: Vec<String> = told
        .filter_map(|told| match told.what {
            Happened::Prompt { text, .. } => Some(format!("prompt {text:.30}")),
            Happened::Text { text, .. } => Some(format!("text {text:.30}")),
            Happened::ToolStart { name, input, .. } => Some(format!("{name} {:.50}", input.to_string())),
            Happened::ToolEnd { status, preview, .. } => Some(
                format!("ended {status:?} {:.20}", preview.trim())
                    .trim_end()
                    .to_string(),
            ),
            Happened::Usage { .. } => None,
            other => Some(format!("{other:?}")),
        })
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    prompt Say hello {S:hello} [n0-codex]
    text Hello **there**.
    prompt Do {S:par3} [n1]
    text Three at once.
    Bash {"command":"touch one.tmp; echo ONE"}
    Bash {"command":"touch two.tmp; echo TWO"}
    Bash {"command":"touch three.tmp; echo THREE"}
    ended Ok TWO
    ended Ok ONE
    ended Ok THREE
    text All three ended.
    prompt Do {S:push} [n2]
    Bash {"command":"git -C /home/u/chat/projects/grove pus
    ended Interrupted Wall time: 4.8 secon
    Background { running: 1 }
    Interrupt { cause: "a person pressed Esc" }
    prompt I refused Bash: git -C /home/u
    text pushed? Wall time: 4.8 seconds
    prompt Go {S:slow} [n3]
    text Slow tool.
    Bash {"command":"sleep 15; echo SLEPT"}
    ended Ok
    Background { running: 2 }
    prompt Steer {S:hello} [n4]
    text Hello **there**.
    Background { running: 1 }
    "#);
}
