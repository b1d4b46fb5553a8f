//! What Claude Code said when it was recorded, and what we take it to mean.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::agents::claude::{Claude, hooks};
use crate::agents::{Adapter, HookAnswer, RequestRetry};
use crate::model::text::one_line;
use crate::model::{Activity, Happened, HookCall, HookEvent, Timestamp};

const SESSION: &str = "11111111-2222-4333-8444-555555555555";

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/agents/claude")
        .join(name);
    fs::read_to_string(path).unwrap()
}

fn call(payload: Value) -> HookCall {
    let event = payload["hook_event_name"].as_str().unwrap_or("").to_string();
    HookCall {
        agent: "claude".into(),
        event,
        payload,
    }
}

fn hook(payload: Value) -> HookEvent {
    let mut events = hooks::events(&call(payload));
    // What was left running is told before each end of a turn.
    if events.len() == 2 {
        assert_eq!(events.remove(0), HookEvent::Background { running: 0 });
    }
    assert_eq!(events.len(), 1);
    events.remove(0)
}

/// One line an event: short enough to be read, long enough to be wrong.
fn in_short(event: &HookEvent) -> String {
    let mut text = format!("{event:?}");
    if let HookEvent::ToolStarted { id, name, parent, .. } = event {
        text = format!("ToolStarted {name} {id} under {parent:?}");
    }
    if let HookEvent::PermissionAsked { tool, .. } = event {
        text = format!("PermissionAsked {tool}");
    }
    text.chars().take(150).collect()
}

#[test]
fn every_recorded_hook_is_understood() {
    let told: Vec<String> = fixture("hooks.jsonl")
        .lines()
        .map(|line| in_short(&hook(serde_json::from_str(line).unwrap())))
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    SessionStarted { session: "f9e6cc09-ba2a-4c57-88f6-7099d84c7887", source: "startup", model: Some("claude-sonnet-5"), cwd: "/home/u/par/chat dir_ü.2" }
    Ignored
    SessionEnded { reason: "prompt_input_exit" }
    SessionEnded { reason: "other" }
    Prompt { id: "8b609390-ca8b-47ee-8ca4-2a4c4e9da2d2", text: "please make hello.txt" }
    Ignored
    ToolStarted Write toolu_stub000202 under None
    PermissionAsked Write
    Waiting { text: "asks you something" }
    ToolEnded { id: "toolu_stub000202", name: "Write", output: "hello\nworld\n", failed: false, interrupted: false, ms: Some(214), cwd: Some("/home/u/chat
    Ignored
    ToolStarted Edit toolu_stub000300 under None
    PermissionAsked Edit
    ToolEnded { id: "toolu_stub000300", name: "Edit", output: " hello\n-world\n+parlour", failed: false, interrupted: false, ms: Some(126), cwd: Some("/ho
    ToolStarted Bash toolu_stub000401 under None
    ToolStarted Read toolu_stub000402 under None
    ToolEnded { id: "toolu_stub000402", name: "Read", output: "hello\nparlour\n", failed: false, interrupted: false, ms: Some(120), cwd: Some("/home/u/cha
    ToolEnded { id: "toolu_stub000401", name: "Bash", output: "total 24\ndrwxr-xr-x  3 root root 4096 Nov 21 13:16 .\ndrwxr-xr-x 10 root root 4096 Nov 21 
    ToolStarted mcp__parlour__x toolu_stub000500 under None
    ToolEnded { id: "toolu_stub000500", name: "mcp__parlour__x", output: "{\"result\":\"room heard: hi from claude\"}", failed: false, interrupted: false,
    TurnEnded { background: 0 }
    ToolStarted Agent toolu_stub000700 under None
    SubagentStarted { id: "a330747321031a115", name: "general-purpose" }
    ToolStarted Bash toolu_stub000801 under Some("a330747321031a115")
    ToolEnded { id: "toolu_stub000801", name: "Bash", output: "/home/u/chat", failed: false, interrupted: false, ms: Some(44), cwd: None }
    Ignored
    SubagentEnded { id: "a330747321031a115", name: "general-purpose" }
    ToolEnded { id: "toolu_stub000700", name: "Agent", output: "SUB-RESULT: all fine", failed: false, interrupted: false, ms: Some(613), cwd: Some("/home/
    PermissionAsked Bash
    ToolEnded { id: "toolu_stub001100", name: "Bash", output: "Exit code 1\ncat: /nonexistent-file: No such file or directory", failed: true, interrupted:
    CwdChanged { cwd: "/home/u/chat" }
    Ignored
    ToolStarted AskUserQuestion toolu_stub001200 under None
    Waiting { text: "Which colour?" }
    ToolEnded { id: "toolu_stub001200", name: "AskUserQuestion", output: "Which colour? → Blue", failed: false, interrupted: false, ms: Some(0), cwd: Some
    ToolStarted TaskCreate toolu_stub001400 under None
    Ignored
    ToolEnded { id: "toolu_stub001400", name: "TaskCreate", output: "{\"task\":{\"id\":\"1\",\"subject\":\"first\"}}", failed: false, interrupted: false, 
    TurnFailed { error: "unknown", message: "API Error: 400 Bad thing", trouble: Trouble { kind: Refused, resets: None } }
    Ignored
    Ignored
    Ignored
    SessionEnded { reason: "clear" }
    "#);
}

#[test]
fn only_what_brings_a_turn_of_its_own_keeps_an_ended_turn_at_work() {
    // The CLI's own words for what it can have in the background; one of them is none of ours.
    let told = |kinds: &[&str]| {
        let tasks: Vec<Value> = kinds.iter().map(|kind| json!({"id": "b1", "type": kind})).collect();
        let payload = json!({"hook_event_name": "Stop", "background_tasks": tasks});
        hooks::events(&call(payload))
    };
    let table: &[(&[&str], u32, u32)] = &[
        (&[], 0, 0),
        (&["shell"], 1, 0),
        (
            &["shell", "monitor", "MCP task", "teammate", "cloud session", "new"],
            6,
            0,
        ),
        (&["subagent", "shell", "workflow"], 1, 2),
        (&["dream"], 0, 0),
    ];
    for (kinds, running, background) in table {
        let (running, background) = (*running, *background);
        let ended = HookEvent::TurnEnded { background };
        assert_eq!(told(kinds), [HookEvent::Background { running }, ended], "{kinds:?}");
    }
    let odd = json!({"hook_event_name": "Stop", "background_tasks": [7, {}]});
    let ended = HookEvent::TurnEnded { background: 0 };
    assert_eq!(hooks::events(&call(odd)), [HookEvent::Background { running: 2 }, ended]);
}

#[test]
fn a_sub_agent_that_goes_on_in_the_background_is_told_in_words() {
    let begun = hook(json!({
        "hook_event_name": "PostToolUse", "tool_name": "Task", "tool_use_id": "t1",
        "tool_response": {"isAsync": true, "status": "async_launched", "agentId": "a1", "description": "Count the lines"},
    }));
    let HookEvent::ToolEnded { output, .. } = begun else {
        panic!("{begun:?}");
    };
    assert_eq!(output, "goes on in the background: Count the lines");
}

#[test]
fn an_odd_hook_is_kept_and_harms_nothing() {
    let odd = [
        json!(null),
        json!([]),
        json!({"hook_event_name": "PreToolUse"}),
        json!({"hook_event_name": "PreToolUse", "tool_use_id": 7, "tool_name": "Bash"}),
        json!({"hook_event_name": "NoSuchEvent"}),
        json!({"hook_event_name": "SubagentStop", "agent_id": "a"}),
    ];
    for payload in odd {
        let shown = payload.to_string();
        assert!(matches!(hook(payload), HookEvent::Odd { .. }), "{shown}");
    }
    let other = HookCall {
        agent: "claude".into(),
        event: "Stop".into(),
        payload: json!({"hook_event_name": "PreToolUse"}),
    };
    assert!(matches!(hooks::events(&other)[..], [HookEvent::Odd { .. }]));
}

#[test]
fn a_silent_engine_means_that_the_person_is_asked() {
    let decision = |event| hooks::silent_answer(event)["hookSpecificOutput"]["permissionDecision"].clone();
    assert_eq!(decision("PreToolUse"), "ask");
    for event in [
        "PermissionRequest",
        "UserPromptSubmit",
        "Stop",
        "SessionStart",
        "PostToolUse",
        "Notification",
    ] {
        assert_eq!(hooks::silent_answer(event), json!({}), "{event}");
    }
}

#[test]
fn a_question_to_the_person_is_no_call_that_can_be_allowed() {
    let asked = call(json!({
        "hook_event_name": "PermissionRequest",
        "tool_name": "AskUserQuestion",
        "tool_input": {"questions": [{"question": "Which colour?", "options": [{"label": "Red"}]}]},
    }));
    let told = hooks::events(&asked);
    assert!(
        matches!(&told[..], [HookEvent::Waiting { text }] if text == "Which colour?"),
        "{told:?}"
    );
}

#[test]
fn a_plan_is_no_call_that_can_be_allowed() {
    let asked = call(json!({
        "hook_event_name": "PermissionRequest",
        "tool_name": "ExitPlanMode",
        "tool_input": {"plan": "Do it"},
    }));
    let told = hooks::events(&asked);
    assert!(matches!(&told[..], [HookEvent::Waiting { .. }]), "{told:?}");
}

#[test]
fn an_answer_is_given_in_the_words_of_its_event() {
    assert_eq!(
        hooks::answer("PermissionRequest", &HookAnswer::Deny("not on main".into())),
        json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest",
            "decision": {"behavior": "deny", "message": "not on main"}}})
    );
    assert_eq!(
        hooks::answer("UserPromptSubmit", &HookAnswer::Context("two projects".into())),
        json!({"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "two projects"}})
    );
    assert_eq!(hooks::answer("Stop", &HookAnswer::Allow), json!({}));
    assert_eq!(hooks::answer("PreToolUse", &HookAnswer::NoOpinion), json!({}));
}

#[test]
fn what_the_cli_makes_up_when_it_resumes_is_nobodys_answer() {
    let said = |model: &str, text: &str| {
        let content = json!([{"type": "text", "text": text}]);
        let message = json!({"id": "1", "role": "assistant", "model": model, "content": content});
        let line = json!({"type": "assistant", "uuid": "2", "message": message, "isApiErrorMessage": false});
        Claude.transcript_reader().line(&line.to_string()).len()
    };
    assert_eq!(said("<synthetic>", "No response requested."), 0);
    assert_eq!(said("claude-sonnet-5", "No response requested."), 1);
    assert_eq!(said("<synthetic>", "a hook stopped it"), 1);
}

#[test]
fn the_transcript_tells_everything_in_order() {
    let mut told = Vec::new();
    for file in [
        "transcript.jsonl",
        "transcript-odd-lines.jsonl",
        "transcript-subagent.jsonl",
    ] {
        let mut reader = Claude.transcript_reader();
        for line in fixture(file).lines() {
            told.extend(reader.line(line).into_iter().map(|told| match told.what {
                Happened::Text { text, .. } => format!("text {text:.40}"),
                Happened::ToolStart { id, name, .. } => format!("{name} {id} began"),
                Happened::ToolEnd {
                    id, status, preview, ..
                } => format!("{id} ended {status:?}: {:.40}", one_line(&preview, 80)),
                Happened::Usage { input, output, .. } => format!("used {input} {output}"),
                other => format!("{other:?}"),
            }));
        }
    }
    insta::assert_snapshot!(told.join("\n"), @r#"
    Prompt { id: "8b609390-ca8b-47ee-8ca4-2a4c4e9da2d2", text: "please make hello.txt", from: Person, sender: None, checkpoint: None, key: "", steer: false }
    Thinking { id: "2efb8521-36de-4256-bd84-26dfe085079e", text: "I will write a file." }
    used 100 20
    text Writing **hello.txt** now.
    Write toolu_stub000202 began
    toolu_stub000202 ended Ok: hello world
    Edit toolu_stub000300 began
    used 100 20
    toolu_stub000300 ended Ok: hello -world +parlour
    text Listing.
    used 100 20
    Bash toolu_stub000401 began
    Read toolu_stub000402 began
    toolu_stub000402 ended Ok: hello parlour
    toolu_stub000401 ended Ok: total 24 drwxr-xr-x 3 root root 4096 Nov
    mcp__parlour__x toolu_stub000500 began
    used 100 20
    toolu_stub000500 ended Ok: {"result":"room heard: hi from claude"}
    text All **done**. See <https://example.org>.
    used 100 20
    Prompt { id: "332cc214-2522-4c7b-8bb3-147c49f3e595", text: "turn two use a subagent", from: Person, sender: None, checkpoint: None, key: "", steer: false }
    Agent toolu_stub000700 began
    used 100 20
    toolu_stub000700 ended Ok: SUB-RESULT: all fine
    text Subagent finished.
    used 100 20
    Prompt { id: "50aad55b-0933-4f73-90bf-c68efe55f30b", text: "turn three", from: Person, sender: None, checkpoint: None, key: "", steer: false }
    Bash toolu_stub001100 began
    used 100 20
    toolu_stub001100 ended Error: Exit code 1 cat: /nonexistent-file: No s
    Bash toolu_stub001200 began
    used 100 20
    toolu_stub001200 ended Ok: /tmp Shell cwd was reset to /home/u/chat
    text Handled failure.
    used 100 20
    Prompt { id: "48ff19cf-b96c-4200-a068-21693567c9ce", text: "turn four 529", from: Person, sender: None, checkpoint: None, key: "", steer: false }
    text ECHO[turn four 529]
    used 100 20
    Prompt { id: "0200e7fc-a661-45e2-909b-0e60d157dfe6", text: "turn five slow", from: Person, sender: None, checkpoint: None, key: "", steer: false }
    text slow
    Interrupt { cause: "a person pressed Esc" }
    Prompt { id: "435b2852-54b3-43bd-b9b7-82dece43556a", text: "line one\nline two\n/notacommand\nline four", from: Person, sender: None, checkpoint: None, key: "", steer: false }
    text after interrupt ECHO[[Request interrupte
    used 100 20
    Error { place: "Claude Code", message: "API Error: 400 Bad thing", hint: "", trouble: Some(Trouble { kind: Refused, resets: None }) }
    Prompt { id: "d6874fad-b45e-4b30-a1e6-35d956467b4e", text: "queued message DOECHO two", from: Person, sender: None, checkpoint: None, key: "", steer: false }
    Compaction { trigger: "manual" }
    Summary { id: "a79d2bdc-f81b-42d9-b38a-8e2a08cdffb7", text: "This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\nSummary:\nStub summary of the conversation.\n\nIf you need specific details from before co…", before: Some(120), after: Some(740) }
    "#);
}

#[test]
fn a_line_nobody_knows_is_kept_and_typed_words_are_no_interrupt() {
    let read = |line: &str| Claude.transcript_reader().line(line);
    let kept = |line: &str| matches!(&read(line)[..], [told] if matches!(told.what, Happened::Unknown { .. }));
    assert!(kept("{\"type\":\"assis"));
    assert!(kept("[1]"));
    assert!(kept("{\"type\":\"of-tomorrow\"}"));
    assert_eq!(read(""), []);
    let typed = json!({"type": "user", "origin": {"kind": "human"},
        "message": {"role": "user", "content": "[Request interrupted by user] is what I saw"}});
    assert!(matches!(read(&typed.to_string())[..], [ref told] if matches!(told.what, Happened::Prompt { .. })));
    let queued_notice = json!({"type": "attachment",
        "attachment": {"type": "queued_command", "commandMode": "task-notification", "prompt": "done"}});
    assert_eq!(read(&queued_notice.to_string()), []);
    let notice = "<task-notification>\n<task-id>b1</task-id>\n</task-notification>";
    let told = json!({"type": "user", "message": {"role": "user", "content": notice}});
    assert_eq!(read(&told.to_string()), []);
    let submitted = json!({"hook_event_name": "UserPromptSubmit", "prompt_id": "p1", "prompt": notice});
    assert_eq!(hook(submitted), HookEvent::WorksOn { tool: String::new() });
}

#[test]
fn where_the_whole_of_a_cut_output_lies_is_told() {
    let ends = |result: Value, content: &str| {
        let block = json!({"type": "tool_result", "tool_use_id": "t1", "content": content});
        let line = json!({"type": "user", "message": {"content": [block]}, "toolUseResult": result});
        match Claude.transcript_reader().line(&line.to_string()).remove(0).what {
            Happened::ToolEnd { cut, whole, .. } => (cut.is_some(), whole),
            other => panic!("{other:?}"),
        }
    };
    let path = Some("/p/s/tool-results/b1.txt".into());
    let persisted = json!({"stdout": "1", "stderr": "", "persistedOutputPath": "/p/s/tool-results/b1.txt"});
    assert_eq!(ends(persisted, ""), (true, path.clone()));
    let told = "<persisted-output>\nOutput too large (1MB). Full output saved to: /p/s/tool-results/b1.txt\n\nPreview";
    assert_eq!(ends(json!("text"), told), (true, path));
    assert_eq!(ends(json!({"stdout": "1", "stderr": ""}), ""), (false, None));
}

#[test]
fn what_has_another_form_than_expected_costs_no_more_than_itself() {
    let read = |line: &str| -> Vec<Happened> {
        let told = Claude.transcript_reader().line(line);
        told.into_iter().map(|told| told.what).collect()
    };
    for odd in [
        "5",
        "null",
        "\"text\"",
        "[1]",
        "{\"content\":5}",
        "{\"content\":[5,{\"type\":5}]}",
    ] {
        for kind in ["user", "assistant", "system"] {
            let line = format!("{{\"type\":\"{kind}\",\"message\":{odd},\"timestamp\":5,\"uuid\":[]}}");
            assert_eq!(read(&line), [], "{line}");
        }
    }
    let half = r#"{"type":"assistant","uuid":"u","message":{"content":[5,{"type":"text","text":"cut \ud83d"}]}}"#;
    let text = "cut \u{fffd}\u{fffd}\u{fffd}".into();
    assert_eq!(read(half), [Happened::Text { id: "u".into(), text }]);
    let result = |answer: Value| {
        let line = json!({"type": "user", "toolUseResult": answer, "message": {"content": [
            {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "said"}]},
        ]}});
        match &read(&line.to_string())[..] {
            [Happened::ToolEnd { preview, ms, .. }] => (preview.clone(), *ms),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(result(json!("said so")), ("said".into(), None));
    assert_eq!(
        result(json!({"stdout": "a", "stderr": "b", "durationMs": 7})),
        ("a\nb".into(), Some(7))
    );
    assert_eq!(
        result(json!({"structuredPatch": [5, {"lines": ["-a", 5, "+b"]}]})),
        ("-a\n+b".into(), None)
    );
    assert_eq!(
        result(json!({"other": ["é", 1.5]})),
        ("{\"other\":[\"é\",1.5]}".into(), None)
    );
}

#[test]
fn each_dialog_is_told_in_words() {
    let seen: Vec<String> = ["trust", "mcp", "apikey", "onboarding", "permission", "login", "idle"]
        .iter()
        .map(
            |name| match Claude.read_screen(&fixture(&format!("screens/{name}.txt"))) {
                Some(activity) => format!("{name}: {activity}"),
                None => format!("{name}: -"),
            },
        )
        .collect();
    insta::assert_snapshot!(seen.join("\n"), @r##"
    trust: waiting: asks whether to trust this directory
    mcp: waiting: asks whether to use an MCP server
    apikey: waiting: asks whether to use the API key of your environment
    onboarding: failed: Claude Code could not reach its service at its first start: run `claude` once while online
    permission: waiting: Do you want to create hello.txt?
    login: waiting: is not logged in: type /login
    idle: -
    "##);
}

#[test]
fn an_agent_that_talks_about_dialogs_shows_none() {
    let talk = "● Do you want to know? The dialog says \"1. Yes\".\n\n❯ \n  ? for shortcuts";
    assert_eq!(Claude.read_screen(talk), None);
    assert_eq!(Claude.read_screen(""), None);
}

#[test]
fn title_and_session_file_say_what_it_does() {
    assert_eq!(Claude.read_title("✳ Claude Code"), Some(Activity::Idle));
    assert_eq!(Claude.read_title("⠂ Fix the login"), Some(Activity::Busy(None)));
    assert_eq!(Claude.read_title("vim"), None);
    let mut file = json!({"pid": 7, "sessionId": SESSION, "status": "waiting", "waitingFor": "permission prompt"});
    let mut said = |key: &str, at: i64| {
        file[key] = at.into();
        Claude.read_session_file(file.to_string().as_bytes()).unwrap()
    };
    let by_the_file = said("updatedAt", 1_764_000_000_500);
    assert_eq!(by_the_file.session, SESSION);
    assert_eq!(by_the_file.activity, Activity::Waiting("asks you something".into()));
    assert_eq!(by_the_file.since, Some(Timestamp(1_764_000_000_500)));
    let by_its_status = said("statusUpdatedAt", 1_764_000_000_100);
    assert_eq!(by_its_status.since, Some(Timestamp(1_764_000_000_100)));
    assert_eq!(Claude.read_session_file(b"{\"status\":\"busy"), None);
    let moved = BTreeMap::from([("CLAUDE_CONFIG_DIR".to_string(), "/elsewhere".to_string())]);
    assert_eq!(
        Claude.session_file(7, &moved),
        Some("/elsewhere/sessions/7.json".into())
    );
}

#[test]
fn a_request_that_is_made_again_is_read_near_the_bottom_of_the_screen() {
    let read = |text: &str| Claude.read_retry(text);
    let screen = "● Looking\n\n  ⎿ API error · Retrying in 23s · attempt 2/10\n\n✻ Thinking…\n\n────\n❯ \n────\n  ? for shortcuts";
    let retry = RequestRetry {
        message: "API error".into(),
        seconds: Some(23),
        attempt: 2,
        attempts: 10,
    };
    assert_eq!(read(screen), Some(retry.clone()));
    let limit = "  ⎿ Usage limit reached · Retrying in 1h 2m 3s (resets 3pm) · attempt 2/10";
    assert_eq!(read(limit).unwrap().seconds, Some(3_723));
    let unreachable = "  ⎿ Unable to connect to API (ConnectionRefused) · Retrying in 30s · attempt 7/10";
    assert_eq!(
        read(unreachable).unwrap().message,
        "Unable to connect to API (ConnectionRefused)"
    );
    assert_eq!(
        read(&format!("{screen}{}", "\nmore".repeat(20))),
        None,
        "it has scrolled away"
    );
    for odd in [
        "Retrying in soon · attempt 2/10",
        "Retrying in 5s",
        "Retrying in 5s · attempt x",
    ] {
        assert_eq!(read(odd), None, "{odd}");
    }
}
