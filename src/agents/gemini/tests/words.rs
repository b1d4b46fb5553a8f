//! What Gemini CLI said when it was recorded, and what we take it to mean.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::agents::gemini::transcript::GeminiTranscript;
use crate::agents::gemini::{Gemini, hooks};
use crate::agents::{Adapter, HookAnswer, ReadTranscript};
use crate::model::text::one_line;
use crate::model::{Activity, Happened, HookCall, HookEvent};

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/agents/gemini")
        .join(name);
    fs::read_to_string(path).unwrap()
}

fn call(payload: Value) -> HookCall {
    let event = payload["hook_event_name"].as_str().unwrap_or("").to_string();
    HookCall {
        agent: "gemini".into(),
        event,
        payload,
    }
}

fn hook(payload: Value) -> HookEvent {
    let mut events = hooks::events(&call(payload));
    assert_eq!(events.len(), 1);
    events.remove(0)
}

fn in_short(event: &HookEvent) -> String {
    let text = match event {
        HookEvent::PermissionAsked { tool, input, .. } => format!("PermissionAsked {tool:?} {input}"),
        other => format!("{other:?}"),
    };
    text.chars().take(150).collect()
}

#[test]
fn every_recorded_hook_is_understood() {
    let told: Vec<String> = fixture("hooks.jsonl")
        .lines()
        .map(|line| in_short(&hook(serde_json::from_str(line).unwrap())))
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r##"
    SessionStarted { session: "a45bfd34-32e9-4691-a822-350d72f74244", source: "startup", model: None, cwd: "/home/u/chats/gm1" }
    Prompt { id: "", text: "say hello" }
    Ignored
    Ignored
    Ignored
    Ignored
    ToolStarted { id: "", name: "mcp_parlour_say", input: Object {"text": String("hello room")}, parent: None, cwd: None }
    ToolEnded { id: "", name: "mcp_parlour_say", output: "", failed: false, interrupted: false, ms: None, cwd: None }
    ToolStarted { id: "", name: "mcp_parlour_list_rooms", input: Object {}, parent: None, cwd: None }
    ToolStarted { id: "", name: "write_file", input: Object {"file_path": String("/home/u/chats/gm1/made.txt"), "content": String("x\n")}, parent: None, c
    PermissionAsked "" {"file_path":"/home/u/chats/gm1/made.txt","diff":"Index: made.txt\n================================================================
    ToolEnded { id: "", name: "write_file", output: "", failed: false, interrupted: false, ms: None, cwd: None }
    TurnEnded { background: 0 }
    Prompt { id: "", text: "line one\nline two\nline three" }
    TurnEnded { background: 0 }
    SessionEnded { reason: "exit" }
    SessionEnded { reason: "exit" }
    SessionEnded { reason: "exit" }
    "##);
}

#[test]
fn an_odd_hook_is_kept_and_harms_nothing() {
    let odd = [
        json!(null),
        json!([]),
        json!({"hook_event_name": "BeforeTool"}),
        json!({"hook_event_name": "BeforeTool", "tool_name": 7}),
        json!({"hook_event_name": "Notification"}),
        json!({"hook_event_name": "NoSuchEvent"}),
    ];
    for payload in odd {
        let shown = payload.to_string();
        assert!(matches!(hook(payload), HookEvent::Odd { .. }), "{shown}");
    }
    let another = json!({"hook_event_name": "Notification", "notification_type": "OfTomorrow"});
    assert_eq!(hook(another), HookEvent::Ignored);
}

#[test]
fn a_silent_engine_means_that_the_person_is_asked() {
    assert_eq!(hooks::silent_answer("BeforeTool")["decision"], "ask");
    for event in [
        "SessionStart",
        "SessionEnd",
        "BeforeAgent",
        "AfterAgent",
        "AfterTool",
        "Notification",
    ] {
        assert_eq!(hooks::silent_answer(event), json!({}), "{event}");
    }
}

#[test]
fn an_answer_is_given_in_the_words_of_its_event() {
    let no = HookAnswer::Deny("not on main".into());
    assert_eq!(
        hooks::answer("BeforeTool", &no),
        json!({"decision": "deny", "reason": "not on main"})
    );
    assert_eq!(hooks::answer("AfterTool", &no), json!({}));
    // "allow" would be no more than no opinion.
    assert_eq!(hooks::answer("BeforeTool", &HookAnswer::Allow), json!({}));
}

fn told(fixtures: &[&str]) -> String {
    let mut told = Vec::new();
    for file in fixtures {
        let mut reader = Gemini.transcript_reader();
        for line in fixture(file).lines() {
            told.extend(reader.line(line).into_iter().map(|told| match told.what {
                Happened::Prompt { id, text, .. } => format!("{id:.4} prompt {text:?}"),
                Happened::Text { id, text } => format!("{id:.4} text {text:.40}"),
                Happened::Thinking { id, text } => format!("{id:.4} thinking {text:.40}"),
                Happened::ToolStart { id, name, .. } => format!("{name} {id} began"),
                Happened::ToolEnd {
                    id, status, preview, ..
                } => format!("{id} ended {status:?}: {:.60}", one_line(&preview, 80)),
                Happened::Usage { input, output, .. } => format!("used {input} {output}"),
                other => format!("{other:?}"),
            }));
        }
    }
    told.join("\n")
}

#[test]
fn the_transcript_tells_everything_in_order() {
    insta::assert_snapshot!(told(&["transcript.jsonl"]), @r##"
    fc74 prompt "say hello"
    b5e2 thinking Planning: the call
    b5e2 text Calling the tool.
    used 12535 20
    mcp_parlour_say mcp_parlour_say__call_000081 began
    mcp_parlour_say__call_000081 ended Ok: said:hello room
    used 12630 20
    mcp_parlour_list_rooms mcp_parlour_list_rooms__call_000083 began
    mcp_parlour_list_rooms__call_000083 ended Error: Tool execution blocked: parlour says no
    used 12711 20
    write_file write_file__call_000085 began
    write_file__call_000085 ended Ok: Index: made.txt ============================================
    963d text Done: {"output": "Successfully created a
    used 12820 20
    9923 prompt "line one\nline two\nline three"
    Interrupt { cause: "a person pressed Esc" }
    "##);
}

/// After the refusal the CLI wrote the whole conversation again, with other ids.
#[test]
fn what_is_written_again_is_not_told_again() {
    insta::assert_snapshot!(told(&["transcript-refused.jsonl"]), @r#"
    fd56 prompt "do both things"
    c4b4 thinking Planning: the call
    c4b4 text I write two files.
    used 12218 20
    write_file write_file__call_000002 began
    write_file__call_000002 ended Ok: Index: a.txt ===============================================
    run_shell_command run_shell_command__call_000003 began
    run_shell_command__call_000003 ended Ok: hi AGENTS.md a.txt
    4e0e text Done with both.
    used 12420 20
    2fcb prompt "too much"
    used 12447 20
    run_shell_command run_shell_command__call_000007 began
    run_shell_command__call_000007 ended Denied: [Operation Cancelled] Reason: User denied execution.
    Interrupt { cause: "a person pressed Esc" }
    908e prompt "next one"
    2dd6 text after the refusal.
    used 12447 20
    26d5 prompt "slowly"
    Interrupt { cause: "a person pressed Esc" }
    9972 prompt "errors"
    Error { place: "Gemini CLI", message: "[API Error: {\"error\":{\"code\":400,\"message\":\"you may not\",\"status\":\"UNAVAILABLE\"}}]", hint: "send the prompt again later", trouble: Some(Trouble { kind: Overloaded, resets: None }) }
    3978 prompt "fine"
    Error { place: "Gemini CLI", message: "[API Error: {\"error\":{\"code\":400,\"message\":\"you may not\",\"status\":\"UNAVAILABLE\"}}]", hint: "send the prompt again later", trouble: Some(Trouble { kind: Overloaded, resets: None }) }
    72eb prompt "sleep"
    Error { place: "Gemini CLI", message: "[API Error: {\"error\":{\"code\":400,\"message\":\"you may not\",\"status\":\"UNAVAILABLE\"}}]", hint: "send the prompt again later", trouble: Some(Trouble { kind: Overloaded, resets: None }) }
    ae58 prompt "sleep"
    used 12475 20
    Interrupt { cause: "a person pressed Esc" }
    run_shell_command run_shell_command__call_000017 began
    run_shell_command__call_000017 ended Interrupted: [Operation Cancelled] Reason: Operation cancelled by user
    cc6a prompt "say more"
    8b27 text slept
    used 12608 20
    Compaction { trigger: "" }
    Summary { id: "ffe33fe7-f83f-4e65-94b9-233fb15cc42d", text: "Scripted chat", before: None, after: None }
    "#);
}

#[test]
fn an_output_that_the_cli_keeps_whole_is_read_without_the_words_for_its_model() {
    let kept = |text: &str| Gemini.transcript_reader().kept_output(text.into());
    let wrapped = |text: &str| format!("<untrusted_context>\n{text}\n</untrusted_context>");
    let printed = "Output: 1\n2\nExit Code: 3\nProcess Group PGID: 11633";
    assert_eq!(kept(&wrapped(printed)), "Exit code 3\n1\n2");
    assert_eq!(kept(&wrapped("Output: 1\n2\nProcess Group PGID: 11633")), "1\n2");
    assert_eq!(kept("a file\nExit Code: 3"), "a file\nExit Code: 3");
}

#[test]
fn a_resumed_session_is_taken_up_where_its_id_is_written_again() {
    let mut transcript = GeminiTranscript::default();
    transcript.line(r#"{"sessionId":"s","startTime":"2026-11-23T04:21:44.199Z","kind":"main"}"#);
    transcript.line(r#"{"$set":{"messages":[]}}"#);
    assert!(!transcript.take_resumed());
    transcript.line(r#"{"$set":{"sessionId":"s"}}"#);
    assert!(transcript.take_resumed() && !transcript.take_resumed());
}

#[test]
fn a_line_nobody_knows_is_kept_and_a_complaint_is_no_failure() {
    let read = |line: &str| Gemini.transcript_reader().line(line);
    let kept = |line: &str| matches!(&read(line)[..], [told] if matches!(told.what, Happened::Unknown { .. }));
    assert!(kept("{\"type\":\"gem"));
    assert!(kept("[1]"));
    assert!(kept("{\"type\":\"of-tomorrow\"}"));
    assert_eq!(read(""), []);
    let complaint = json!({"id": "1", "type": "error", "content": "Unknown command: /x"});
    assert!(matches!(&read(&complaint.to_string())[..], [told] if matches!(told.what, Happened::Note { .. })));
    let shown = json!({"id": "1", "type": "user", "content": [{"text": "read @a\nall of a"}],
        "displayContent": [{"text": "read @a"}]});
    let prompts = read(&shown.to_string());
    assert!(matches!(&prompts[..], [told] if matches!(&told.what, Happened::Prompt { text, .. } if text == "read @a")));
}

/// It tells its model to go on where that answered a tool's result with nothing.
#[test]
fn what_it_tells_its_model_of_its_own_accord_is_no_prompt() {
    let mut reader = GeminiTranscript::default();
    let lines = fixture("transcript-nudge.jsonl");
    let told: Vec<String> = lines
        .lines()
        .flat_map(|line| reader.line(line))
        .filter_map(|told| match told.what {
            Happened::Prompt { text, .. } => Some(format!("prompt {text}")),
            Happened::Note { text } => Some(format!("{text:.40}")),
            Happened::Usage { model, input, .. } => Some(format!("{model} read {input}")),
            _ => None,
        })
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r"
    prompt print E1
    gemini-2.5-pro read 17954
    gemini-2.5-pro read 18065
    Gemini CLI asked its model to go on, whi
    The model returned an empty response wit
    Gemini CLI asked its model to go on, whi
    ");
    let silent: Vec<usize> = lines
        .lines()
        .enumerate()
        .filter_map(|(at, line)| {
            reader.line(line);
            reader.take_silence().then_some(at)
        })
        .collect();
    assert_eq!(silent, [7], "the answer ahead of the first");
    let nudge = "[System: You successfully executed a tool but returned an empty response. Please analyze the tool output \
                 and explain your progress or final answer.]";
    let before = json!({"hook_event_name": "BeforeAgent", "prompt": nudge});
    assert_eq!(hook(before), HookEvent::WorksOn { tool: String::new() });
}

#[test]
fn title_and_screen_say_what_it_does() {
    assert_eq!(Gemini.read_title("◇  Ready (gm1)"), Some(Activity::Idle));
    assert_eq!(Gemini.read_title("✦  Working… (gm1)"), Some(Activity::Busy(None)));
    assert!(matches!(
        Gemini.read_title("✋  Action Required (gm1)"),
        Some(Activity::Waiting(_))
    ));
    assert_eq!(Gemini.read_title("vim"), None);
    let login = Gemini.read_screen(&fixture("screens/login.txt"));
    assert_eq!(login, Some(Activity::Waiting("asks you to log in".into())));
    assert_eq!(Gemini.read_screen(&fixture("screens/idle.txt")), None);
    let dialog = "╭──────╮
│ ?  A potential loop was detected   │
│                                    │
│ This can happen due to repetitive tool calls or other model behavior. Do you want to keep loop detection enabled │
│                                    │
│ ● 1. Keep loop detection enabled (esc)          │
│   2. Disable loop detection for this session    │
╰──────╯";
    let asked = Gemini.read_dialog(dialog);
    assert!(matches!(asked, Some(Activity::Waiting(what)) if what.contains("loops")));
    let refused = "│ Usage limit reached for gemini-2.5-pro. │\n│ ● 1. Keep trying │\n│   2. Stop │";
    assert!(Gemini.read_dialog(refused).is_some());
    assert_eq!(Gemini.read_dialog(&fixture("screens/idle.txt")), None);
}

#[test]
fn a_transcript_is_read_only_where_the_cli_keeps_them() {
    const SESSION: &str = "11111111-2222-4333-8444-555555555555";
    let env = BTreeMap::from([("HOME".to_string(), "/home/u".to_string())]);
    let named = |path: &str, session: &str| {
        let payload = json!({"transcript_path": path, "session_id": session});
        Gemini.transcript(&call(payload), &env).is_some()
    };
    let right = "/home/u/.gemini/tmp/gm1/chats/session-2026-11-21T13-38-11111111.jsonl";
    assert!(named(right, SESSION));
    let wrong = [
        ("/etc/passwd", SESSION),
        ("/home/u/.gemini/tmp/../chats/session-x-11111111.jsonl", SESSION),
        ("/home/u/.gemini/tmp/gm1/chats/session-x-99999999.jsonl", SESSION),
        ("/home/eve/.gemini/tmp/gm1/chats/session-x-11111111.jsonl", SESSION),
        (right, "11111111"),
    ];
    for (path, session) in wrong {
        assert!(!named(path, session), "{path} {session}");
    }
}
