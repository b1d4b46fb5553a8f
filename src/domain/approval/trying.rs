//! A person tries what the rules say to a call that nobody has made.

use serde_json::{Value, json};

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{ApprovalThen, ApprovalWork};
use crate::model::{ChatId, PermissionProfile};
use crate::permission::{AskedCall, Case};

use super::judging::case;

/// Judges a call as it is typed: `Edit(src/main.rs)`, `mcp__github__merge`, or a command line. If a chat is named, its
/// directories and the rules of its role count.
pub fn begin(state: &mut Domain, chat: Option<&ChatId>, typed: &str, requester: Requester) -> Vec<Effect> {
    let calls = vec![call(typed)];
    let case = match chat {
        Some(chat) => case(state, chat, calls),
        None => Case {
            rules: state.disk.rules.clone(),
            role: None,
            cwd: state.disk.home.join("chats/new"),
            dirs: Vec::new(),
            calls,
            profile: PermissionProfile::Ask,
        },
    };
    chat::work(
        state,
        requester,
        ApprovalThen::Tried,
        ApprovalWork::Judge(Box::new(case)),
    )
}

/// What is not written like a rule is a command line.
fn call(typed: &str) -> AskedCall {
    let typed = typed.trim();
    let is_tool = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let written = typed
        .strip_suffix(')')
        .and_then(|rest| rest.split_once('('))
        .filter(|(name, _)| is_tool(name));
    let (tool, input) = match written {
        Some((tool, about)) => (tool, input(tool, about)),
        None if typed.starts_with("mcp__") && is_tool(typed) => (typed, json!({})),
        None => ("Bash", json!({"command": typed})),
    };
    AskedCall {
        tool: tool.into(),
        input,
        at: None,
        by_cli: true,
    }
}

fn input(tool: &str, about: &str) -> Value {
    match tool {
        "Bash" => json!({"command": about}),
        "WebFetch" => {
            let host = about.strip_prefix("domain:").unwrap_or(about);
            let url = if host.contains("://") {
                host.into()
            } else {
                format!("https://{host}/")
            };
            json!({"url": url})
        }
        _ => json!({"file_path": about}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_read_as_rules_are_written_and_else_as_a_command() {
        let read = |typed: &str| {
            let call = call(typed);
            (call.tool, call.input)
        };
        assert_eq!(read("git push"), ("Bash".into(), json!({"command": "git push"})));
        assert_eq!(
            read(" Bash(rm -rf x) "),
            ("Bash".into(), json!({"command": "rm -rf x"}))
        );
        assert_eq!(
            read("Edit(src/a.rs)"),
            ("Edit".into(), json!({"file_path": "src/a.rs"}))
        );
        assert_eq!(
            read("WebFetch(domain:x.org)"),
            ("WebFetch".into(), json!({"url": "https://x.org/"}))
        );
        assert_eq!(read("mcp__github__merge"), ("mcp__github__merge".into(), json!({})));
        assert_eq!(
            read("echo $(date)"),
            ("Bash".into(), json!({"command": "echo $(date)"}))
        );
    }
}
