//! What Codex said when it was recorded, and what we take it to mean.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::agents::codex::{Codex, hooks};
use crate::agents::{Adapter, HookAnswer, ReadTranscript};
use crate::model::text::one_line;
use crate::model::{Activity, Happened, HookCall, HookEvent, Reported};

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/agents/codex")
        .join(name);
    fs::read_to_string(path).unwrap()
}

fn hook(payload: Value) -> HookEvent {
    let call = HookCall {
        agent: "codex".into(),
        event: payload["hook_event_name"].as_str().unwrap_or("").into(),
        payload,
    };
    let mut events = hooks::events(&call);
    assert_eq!(events.len(), 1);
    events.remove(0)
}

#[test]
fn every_recorded_hook_is_understood() {
    let told: Vec<String> = fixture("hooks.jsonl")
        .lines()
        .map(|line| format!("{:.200}", format!("{:?}", hook(serde_json::from_str(line).unwrap()))))
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r##"
    SessionStarted { session: "01a1fe52-29d9-7b41-bf01-6bbdb769c894", source: "startup", model: Some("gpt-5"), cwd: "/home/u/chats/cx1" }
    Prompt { id: "01a1fe52-3b2c-7f12-a508-136d7ad7f447-26a5cd65", text: "line one\nline two\nline three" }
    ToolStarted { id: "call_000050", name: "mcp__parlour__say", input: Object {"text": String("hello room")}, parent: None, cwd: None }
    ToolEnded { id: "call_000050", name: "mcp__parlour__say", output: "said:hello room", failed: false, interrupted: false, ms: None, cwd: None }
    ToolStarted { id: "call_000057", name: "mcp__parlour__list_rooms", input: Object {}, parent: None, cwd: None }
    ToolStarted { id: "call_000060", name: "Bash", input: Object {"command": String("touch made.txt; ls")}, parent: None, cwd: None }
    ToolEnded { id: "call_000060", name: "Bash", output: "AGENTS.md\nmade.txt\n", failed: false, interrupted: false, ms: None, cwd: None }
    OwnTurnEnded
    PermissionAsked { tool: "Bash", input: Object {"command": String("touch /etc/too-much.txt"), "description": String("needed for work")}, reach: [] }
    TurnEnded { background: 0 }
    Compacting { trigger: "manual" }
    Ignored
    Ignored
    SessionStarted { session: "01a1ff80-39b2-7d31-87de-d8f1cad11600", source: "resume", model: Some("gpt-5"), cwd: "/home/u/chat" }
    "##);
}

#[test]
fn an_odd_hook_is_kept_and_one_of_a_sub_agent_is_not_the_agents() {
    let odd = [
        json!(null),
        json!({"hook_event_name": "PreToolUse", "tool_use_id": 7, "tool_name": "Bash"}),
        json!({"hook_event_name": "NoSuchEvent"}),
        json!({"hook_event_name": "UserPromptSubmit", "prompt": "without a turn"}),
    ];
    for payload in odd {
        let shown = payload.to_string();
        assert!(matches!(hook(payload), HookEvent::Odd { .. }), "{shown}");
    }
    for event in ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"] {
        assert_eq!(
            hook(json!({"hook_event_name": event, "agent_id": "a"})),
            HookEvent::Ignored
        );
    }
}

#[test]
fn a_silent_engine_leaves_every_question_to_the_cli() {
    for event in [
        "PreToolUse",
        "PermissionRequest",
        "UserPromptSubmit",
        "Stop",
        "SessionStart",
    ] {
        assert_eq!(Codex.silent_answer(event), json!({}), "{event}");
    }
    assert_eq!(
        hooks::answer("PreToolUse", &HookAnswer::Deny("not on main".into())),
        json!({"hookSpecificOutput": {"hookEventName": "PreToolUse",
            "permissionDecision": "deny", "permissionDecisionReason": "not on main"}})
    );
    assert_eq!(hooks::answer("PreToolUse", &HookAnswer::Allow), json!({}));
    assert_eq!(
        hooks::answer("PermissionRequest", &HookAnswer::Allow)["hookSpecificOutput"]["decision"],
        json!({"behavior": "allow"})
    );
}

fn told_by(file: &str) -> String {
    let mut reader = Codex.transcript_reader();
    let lines = fixture(file);
    let told = lines
        .lines()
        .flat_map(|line| reader.line(line))
        .map(|told| match told.what {
            Happened::Prompt { id, text, .. } => format!("prompt {id}: {text:?}"),
            Happened::Text { id, text } => format!("text {id}: {:.60}", one_line(&text, 80)),
            Happened::ToolStart { id, name, input, .. } => format!("{name} {id} began: {:.70}", input.to_string()),
            Happened::ToolEnd {
                id,
                status,
                preview,
                ms,
                ..
            } => format!("{id} ended {status:?} in {ms:?}: {:.40}", one_line(&preview, 80)),
            Happened::Usage {
                model, input, output, ..
            } => format!("{model} used {input} {output}"),
            other => format!("{other:?}"),
        });
    told.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_transcript_tells_everything_in_order() {
    insta::assert_snapshot!(told_by("rollout.jsonl"), @r##"
    prompt 01a1fe52-3b2c-7f12-a508-136d7ad7f447-26a5cd65: "line one\nline two\nline three"
    Thinking { id: "rs_000052", text: "**Thinking** about it" }
    text msg_000053: Calling the tool.
    mcp__parlour__say call_000050 began: {"text":"hello room"}
    gpt-5 used 13608 20
    call_000050 ended Ok in Some(16): said:hello room
    mcp__parlour__list_rooms call_000057 began: {}
    gpt-5 used 13784 20
    call_000057 ended Denied in None: Tool call blocked by PreToolUse hook: pa
    Bash call_000060 began: {"command":"touch made.txt; ls"}
    gpt-5 used 13878 20
    call_000060 ended Ok in Some(0): AGENTS.md made.txt
    text msg_000064: Shell said: Chunk ID: c8d903 Wall time: 0.0000 seconds Proce
    gpt-5 used 13983 20
    "##);
}

#[test]
fn refusals_interrupts_errors_patches_and_words_sent_meanwhile_are_told() {
    insta::assert_snapshot!(told_by("rollout-turns.jsonl"), @r#"
    prompt 01a1ff81-8130-76b2-a53a-7c0d42dacd4f-7affbe61: "look around"
    Thinking { id: "rs_000003", text: "First think." }
    text msg_000004: Looking.
    Bash call_000001 began: {"command":"ls -la"}
    gpt-5 used 13427 20
    call_000001 ended Ok in Some(8): total 12 drwxr-xr-x 6 root root 4096 Nov
    Bash call_000008 began: {"command":"touch /etc/too-much.txt","sandbox_permissions":"require_es
    gpt-5 used 13676 20
    call_000008 ended Ok in Some(0): 
    text msg_000012: Did that. Chunk ID: 37d55f Wall time: 0.0000 seconds Process
    gpt-5 used 13799 20
    prompt 01a1ff81-d050-76f2-ab64-463fb048c4f1-4f2c3dc0: "again please"
    Bash call_000013 began: {"command":"touch /etc/too-much.txt","sandbox_permissions":"require_es
    gpt-5 used 13904 20
    call_000013 ended Interrupted in None: Wall time: 3.0 seconds aborted by user
    Background { running: 1 }
    Interrupt { cause: "a person pressed Esc" }
    prompt 01a1ff82-d0d9-7831-95ce-0ef68de3c1be-391d764e: "slow please"
    text msg_000017: second. Wall time: 3.0 seconds aborted by user
    gpt-5 used 14138 20
    prompt 01a1ff82-db20-7992-b701-ac625a4967c8-22a1bdaf: "steer this"
    Interrupt { cause: "a person pressed Esc" }
    prompt 01a1ff83-40a7-7ea1-ab1d-85477df66e35-f64551fc: "p1"
    text msg_000021: after the interrupt
    gpt-5 used 14350 20
    prompt 01a1ff83-4ae4-7b12-8532-f1395f7fe010-0c0f4a71: "p-400"
    Error { place: "Codex CLI", message: "{\"error\": {\"message\": \"bad thing\", \"type\": \"invalid_request_error\", \"code\": null}}", hint: "send the prompt again later", trouble: Some(Trouble { kind: Refused, resets: None }) }
    prompt 01a1ff83-5931-7731-be4e-1398077daff1-1ffd0856: "p-429"
    Error { place: "Codex CLI", message: "exceeded retry limit, last status: 429 Too Many Requests", hint: "send the prompt again later", trouble: Some(Trouble { kind: Limit, resets: None }) }
    prompt 01a1ff83-6b69-7f93-808f-4a3053a3446c-e74ca13b: "sleepy"
    Bash call_000022 began: {"command":"sleep 100"}
    gpt-5 used 14499 20
    call_000022 ended Ok in None: 
    Background { running: 2 }
    prompt 01a1ff83-6b69-7f93-808f-4a3053a3446c-7f5bc2b1: "steering words"
    text msg_000026: after sleep
    gpt-5 used 14637 20
    prompt 01a1ff84-e002-7032-bc5e-2bfcc8a34180-640e5d74: "ask again"
    Bash call_000027 began: {"command":"sleep 6; false","sandbox_permissions":"require_escalated",
    gpt-5 used 14715 20
    Background { running: 1 }
    call_000027 ended Error in Some(5853): Exit code 1
    text msg_000031: done
    gpt-5 used 14836 20
    prompt 01a1ff85-09d2-78e2-86fd-3a0b719ef7a6-262121c5: "edit"
    Bash call_000032 began: {"command":"cat > n.txt <<'X'\nhi\nX\nexit 3"}
    gpt-5 used 14910 20
    call_000032 ended Error in Some(0): Exit code 3
    Bash call_000035 began: {"command":"apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: p.txt\
    gpt-5 used 15015 20
    call_000035 ended Ok in None: Success. Updated the following files: A 
    text msg_000039: done 2
    gpt-5 used 15138 20
    gpt-5 used 8946 20
    Summary { id: "01a1ff85-185f-7eb1-b8c7-5cd61acfddb9", text: "Another language model started to solve this problem and produced a summary of its thinking process. You also have access to the state of the tools that were us...[413 chars]", before: None, after: None }
    prompt 01a1ff87-6557-71e0-8e40-eecbde1b8b2d-187897ce: "more"
    Bash call_000042 began: {"command":"env | grep -E \"CODEX|TOKEN|TERM\""}
    gpt-5 used 13961 20
    call_000042 ended Ok in Some(0): CODEX_MANAGED_PACKAGE_ROOT=/usr/lib/node
    text msg_000046: resumed ok
    gpt-5 used 14166 20
    "#);
}

#[test]
fn a_prompt_has_the_same_id_in_hook_and_transcript_and_the_same_words_again_another() {
    let sent = json!({"hook_event_name": "UserPromptSubmit", "turn_id": "t", "prompt": "go on"});
    let HookEvent::Prompt { id, .. } = hook(sent) else {
        panic!("it is a prompt");
    };
    let line = json!({"type": "event_msg", "payload": {"type": "item_completed", "turn_id": "t",
        "item": {"type": "UserMessage", "content": [{"type": "text", "text": "go on"}]}}});
    let mut reader = Codex.transcript_reader();
    let ids: Vec<String> = (0..2)
        .flat_map(|_| reader.line(&line.to_string()))
        .filter_map(|told| told.what.key())
        .collect();
    assert_eq!(ids, [format!("prompt {id}"), format!("prompt {id}-2")]);
}

/// A kill may come between the line for the model and the one for the person: a resumed session has the prompt all the same.
#[test]
fn a_prompt_is_told_by_whichever_of_its_two_lines_comes_first() {
    let for_model = |kind: &str| {
        let metadata = json!({"turn_id": "t", "content_item_kinds": [kind]});
        json!({"type": "response_item", "payload": {"type": "message", "role": "user",
            "content": [{"type": "input_text", "text": "go on"}],
            "internal_chat_message_metadata_passthrough": metadata}})
        .to_string()
    };
    let for_person = json!({"type": "event_msg", "payload": {"type": "item_completed", "turn_id": "t",
        "item": {"type": "UserMessage", "content": [{"type": "text", "text": "go on"}]}}})
    .to_string();
    let told = |lines: &[&str]| {
        let mut reader = Codex.transcript_reader();
        let told = lines.iter().flat_map(|line| reader.line(line));
        told.filter_map(|told| told.what.key()).collect::<Vec<_>>()
    };
    let typed = for_model("user.text");
    let once = told(&[&for_person]);
    assert_eq!(once.len(), 1);
    assert_eq!(told(&[&typed]), once);
    assert_eq!(told(&[&typed, &for_person]), once);
    assert_eq!(told(&[&for_person, &typed]), once);
    assert_eq!(told(&[&typed, &for_person, &typed, &for_person]).len(), 2);
    assert!(told(&[&for_model("agents_md.instructions")]).is_empty());
}

#[test]
fn a_tool_has_the_name_that_its_hook_gives() {
    let began = |payload: Value| {
        let line = json!({"type": "response_item", "payload": payload}).to_string();
        match &Codex.transcript_reader().line(&line)[..] {
            [
                Reported {
                    what: Happened::ToolStart { name, input, .. },
                    ..
                },
            ] => format!("{name} {input}"),
            other => format!("{other:?}"),
        }
    };
    let call = |namespace: Value, name: &str, arguments: &str| {
        began(json!({"type": "function_call", "namespace": namespace, "name": name, "arguments": arguments}))
    };
    assert_eq!(
        call(json!(null), "exec_command", r#"{"cmd":"ls"}"#),
        r#"Bash {"command":"ls"}"#
    );
    assert_eq!(
        call(json!("mcp__parlour"), "open_dir", "{}"),
        "mcp__parlour__open_dir {}"
    );
    assert_eq!(call(json!("multi_agent_v1"), "spawn_agent", "{"), r#"spawn_agent "{""#);
    let patch = json!({"type": "custom_tool_call", "name": "apply_patch", "input": "*** Begin Patch"});
    assert_eq!(began(patch), r#"apply_patch {"command":"*** Begin Patch"}"#);
    let shell = json!({"type": "local_shell_call", "action": {"command": ["echo", "a b"]}});
    assert_eq!(began(shell), r#"Bash {"command":"echo 'a b'"}"#);
}

#[test]
fn a_line_nobody_knows_is_kept() {
    let kept = |line: &str| matches!(&Codex.transcript_reader().line(line)[..], [told] if matches!(told.what, Happened::Unknown { .. }));
    assert!(kept("{\"type\":\"respon"));
    assert!(kept("[1]"));
    assert!(kept("{\"type\":\"of-tomorrow\",\"payload\":{}}"));
    assert!(kept(
        "{\"type\":\"response_item\",\"payload\":{\"type\":\"of-tomorrow\"}}"
    ));
    assert_eq!(Codex.transcript_reader().line(""), []);
}

#[test]
fn each_screen_before_a_session_is_told_in_words() {
    let seen = ["login", "trust", "hooks", "permission", "idle"].map(|name| {
        match Codex.read_screen(&fixture(&format!("screens/{name}.txt"))) {
            Some(activity) => format!("{name}: {activity}"),
            None => format!("{name}: -"),
        }
    });
    insta::assert_snapshot!(seen.join("\n"), @r##"
    login: waiting: asks you to log in
    trust: waiting: asks whether to trust this directory
    hooks: waiting: asks whether to trust its hooks
    permission: waiting: asks a question
    idle: idle
    "##);
    assert_eq!(Codex.read_screen(""), None);
    assert_eq!(Codex.read_screen("› 1. Yes\n  2. No"), None);
}

#[test]
fn its_title_says_what_it_does() {
    assert_eq!(Codex.read_title("chat"), Some(Activity::Idle));
    assert_eq!(Codex.read_title("⠸ chat"), Some(Activity::Busy(None)));
    let asks = Some(Activity::Waiting("asks a question".into()));
    assert_eq!(Codex.read_title("[ ! ] Action Required | chat"), asks);
    assert_eq!(Codex.read_title("[ . ] Action Required | chat"), asks);
}

#[test]
fn a_retry_is_read_where_its_doing_stands() {
    let screen = "› be quick\n\n• Reconnecting... 2/5 (6s • esc to interrupt)\n\n› Ask Codex to do anything\n\n  scripted default";
    let retry = Codex.read_retry(screen).unwrap();
    assert_eq!(
        (retry.message.as_str(), retry.seconds, retry.attempt, retry.attempts),
        ("Reconnecting", None, 2, 5)
    );
    for other in [
        "• Working (6s • esc to interrupt)",
        "• Checking step 2/5 (6s • esc to interrupt)",
        "• It says: Reconnecting... 2/5",
        "• Reconnecting... soon (6s • esc to interrupt)",
    ] {
        assert_eq!(Codex.read_retry(other), None, "{other}");
    }
    assert_eq!(Codex.read_retry(&format!("{screen}{}", "\nmore".repeat(20))), None);
}

/// How many processes a line says to run on.
fn counts(reader: &mut Box<dyn ReadTranscript>, line: &Value) -> Vec<u32> {
    let told = reader.line(&line.to_string());
    let count = |told: Reported| match told.what {
        Happened::Background { running } => Some(running),
        _ => None,
    };
    told.into_iter().filter_map(count).collect()
}

fn answers(call: &str, process: &str) -> Value {
    let output = format!("Wall time: 1.0 seconds\nProcess running with session ID {process}\nOutput:\n");
    json!({"type": "response_item", "payload": {
        "type": "function_call_output", "call_id": call, "output": output,
    }})
}

#[test]
fn what_an_ended_process_of_codex_left_running_is_counted_no_more() {
    let mut reader = Codex.transcript_reader();
    assert_eq!(counts(&mut reader, &answers("a", "1")), [1]);
    reader.begin_process();
    assert_eq!(counts(&mut reader, &answers("b", "2")), [1]);
}

#[test]
fn a_log_that_a_command_prints_counts_no_process() {
    let mut reader = Codex.transcript_reader();
    let log = "Process running with session ID 7\nProcess exited with code 3";
    let output = format!("Wall time: 1.0 seconds\nProcess exited with code 0\nOutput:\n{log}");
    let line = json!({"type": "response_item", "payload": {
        "type": "function_call_output", "call_id": "a", "output": output,
    }});
    assert_eq!(counts(&mut reader, &line), [0; 0]);
}

#[test]
fn a_process_that_runs_on_behind_its_call_is_counted_until_it_ends() {
    let mut reader = Codex.transcript_reader();
    let mut counts = |line: Value| counts(&mut reader, &line);
    let ends = |call: &str, process: &str| {
        let item = json!({"type": "CommandExecution", "id": call, "process_id": process, "status": "completed"});
        json!({"type": "event_msg", "payload": {"type": "item_completed", "item": item}})
    };
    assert_eq!(counts(answers("a", "1")), [1]);
    assert_eq!(counts(answers("b", "2")), [2]);
    assert_eq!(counts(answers("c", "1")), [0; 0], "it was polled");
    assert_eq!(counts(ends("a", "1")), [1]);
    assert_eq!(counts(ends("b", "2")), [0]);
    assert_eq!(counts(ends("d", "3")), [0; 0], "it ended within its call");
    assert_eq!(counts(answers("e", "2")), [0; 0], "it has ended since");
}

/// As Codex 0.169 writes it: the command goes on, and the line for the person names its call.
#[test]
fn a_command_whose_call_is_interrupted_runs_on_until_a_line_tells_its_end() {
    let mut reader = Codex.transcript_reader();
    let item =
        |kind: &str, call: &str| json!({"type": kind, "call_id": call, "name": "exec_command", "arguments": "{}"});
    let began = |call: &str| json!({"type": "response_item", "payload": item("function_call", call)});
    let cut = |call: &str| {
        let mut payload = item("function_call_output", call);
        payload["output"] = json!("Wall time: 4.1 seconds\naborted by user");
        json!({"type": "response_item", "payload": payload})
    };
    let gone = |call: &str| {
        json!({"type": "event_msg", "payload": {"type": "item_completed", "item": {
            "type": "CommandExecution", "id": call, "process_id": "53183", "status": "completed", "exit_code": 0,
        }}})
    };
    assert_eq!(counts(&mut reader, &began("a")), [0; 0]);
    assert_eq!(counts(&mut reader, &cut("a")), [1]);
    assert_eq!(counts(&mut reader, &gone("a")), [0]);
    // Its end was told first.
    assert_eq!(counts(&mut reader, &began("b")), [0; 0]);
    assert_eq!(counts(&mut reader, &gone("b")), [0; 0]);
    assert_eq!(counts(&mut reader, &cut("b")), [0; 0]);
}
