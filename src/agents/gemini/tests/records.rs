//! What single lines and hooks are taken to mean.

use serde_json::{Value, json};

use crate::agents::gemini::{Gemini, hooks};
use crate::agents::{Adapter, OfSubAgent, ReadTranscript};
use crate::model::entry::{SubagentSaid, ToolStatus};
use crate::model::{Happened, HookCall, HookEvent};

/// How a command with this answer ended, and what is shown of it.
fn ran(output: &str) -> (ToolStatus, String) {
    let answer = json!({"functionResponse": {"response": {"output": output}}});
    let call = json!({"id": "c", "name": "run_shell_command", "args": {}, "result": [answer], "status": "success",
        "resultDisplay": [[{"text": "drawn"}]]});
    let line = json!({"id": "m", "type": "gemini", "content": "", "toolCalls": [call]});
    let told = Gemini.transcript_reader().line(&line.to_string());
    let end = told.into_iter().find_map(|told| match told.what {
        Happened::ToolEnd { status, preview, .. } => Some((status, preview)),
        _ => None,
    });
    end.expect("its end")
}

#[test]
fn a_command_is_shown_without_the_words_around_what_it_printed() {
    let well = "<untrusted_context>\nOutput: peel\nProcess Group PGID: 32205\n</untrusted_context>";
    assert_eq!(ran(well), (ToolStatus::Ok, "peel".into()));
    let failed =
        "<untrusted_context>\nOutput: before\noops\nExit Code: 3\nProcess Group PGID: 12966\n</untrusted_context>";
    assert_eq!(ran(failed), (ToolStatus::Error, "Exit code 3\nbefore\noops".into()));
}

#[test]
fn a_sub_agent_was_asked_its_task_alone_and_ends_with_its_summary() {
    let mut reader = OfSubAgent::new("a1".into(), Gemini.sub_agent_reader());
    let context = "\n<loaded_context>\n--- Context from: AGENTS.md ---\n</loaded_context>\npeel the smaller half";
    let asked = json!({"id": "m", "type": "user", "content": [{"text": context}]});
    let summary = json!({"$set": {"summary": "Peeled."}});
    let mut told = Vec::new();
    for line in [asked, json!({"$set": {"lastUpdated": "now"}}), summary] {
        told.extend(reader.line(&line.to_string()).into_iter().map(|told| told.what));
    }
    let expected = [
        Happened::SubagentText {
            id: "m".into(),
            parent: "a1".into(),
            said: SubagentSaid::Asked,
            text: "peel the smaller half".into(),
        },
        Happened::Subagent {
            id: "a1".into(),
            name: String::new(),
            state: "ended".into(),
        },
    ];
    assert_eq!(told, expected);
    let summary = json!({"$set": {"summary": "A talk."}}).to_string();
    assert_eq!(
        Gemini.transcript_reader().line(&summary),
        [],
        "that of the chat goes on"
    );
}

#[test]
fn a_diff_that_is_asked_about_names_its_files_alone() {
    let diff = "--- hello.py\tCurrent\n+++ hello.py\tProposed\n@@ -1 +1 @@\n-\ta\n+\tb\n";
    let details = json!({"type": "edit", "filePath": "hello.py", "fileDiff": diff});
    let payload: Value = json!({"hook_event_name": "Notification", "notification_type": "ToolPermission",
        "details": details});
    let call = HookCall {
        agent: "gemini".into(),
        event: "Notification".into(),
        payload,
    };
    match &hooks::events(&call)[..] {
        [HookEvent::PermissionAsked { input, .. }] => {
            let told = "--- hello.py\n+++ hello.py\n@@ -1 +1 @@\n-\ta\n+\tb\n";
            assert_eq!(input["diff"], told);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_it_asks_its_person_is_no_call_that_can_be_allowed() {
    let told = |event: &str, payload: Value| {
        let call = HookCall {
            agent: "gemini".into(),
            event: event.into(),
            payload,
        };
        hooks::events(&call)
    };
    let input = json!({"questions": [{"question": "Which colour?", "header": "Colour", "type": "choice"}]});
    let began = told(
        "BeforeTool",
        json!({"hook_event_name": "BeforeTool", "tool_name": "ask_user", "tool_input": input}),
    );
    match &began[..] {
        [HookEvent::ToolStarted { name, .. }, HookEvent::Waiting { text }] => {
            assert_eq!((name.as_str(), text.as_str()), ("ask_user", "Which colour?"));
        }
        other => panic!("{other:?}"),
    }
    let dialog = |kind: &str| {
        told(
            "Notification",
            json!({"hook_event_name": "Notification", "notification_type": "ToolPermission",
                "details": {"type": kind, "title": "Ask User"}}),
        )
    };
    assert!(matches!(dialog("ask_user")[..], [HookEvent::Ignored]));
    assert!(matches!(&dialog("exit_plan_mode")[..], [HookEvent::Waiting { text }] if text == "it shows its plan"));
}
