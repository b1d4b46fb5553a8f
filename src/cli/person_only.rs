//! What only a person may do. An agent that calls parlour from its own terminal is told so.
//!
//! This is best effort, as the engine's own look at who asks is: a process that hides where it comes from passes.

use std::env;
use std::ffi::OsString;

use crate::model::{ChatId, Problem};

/// Refuses where this process runs under an agent. A person types in a `shell` chat.
pub fn under_an_agent(doing: &str) -> Result<(), Problem> {
    judge(doing, |name| env::var_os(name))
}

/// The chat under whose agent this process runs, by its own environment. The engine asks the kernel.
pub fn chat_above() -> Option<ChatId> {
    above(|name| env::var_os(name)).and_then(|chat| ChatId::parse(chat.to_str()?))
}

/// Whether a screen of parlour is around this terminal.
pub fn is_nested() -> bool {
    has_chat(|name| env::var_os(name))
}

fn has_chat(var: impl Fn(&str) -> Option<OsString>) -> bool {
    var("PARLOUR_CHAT").is_some_and(|chat| !chat.is_empty())
}

/// Refuses a screen inside a terminal of parlour's own: its keys would reach the one around it first. Verbs work there.
pub fn refuse_nested(var: impl Fn(&str) -> Option<OsString>) -> Result<(), Problem> {
    match has_chat(var) {
        false => Ok(()),
        true => Err(Problem::new(
            "opening the screen",
            "this terminal is in a chat of parlour, whose screen is around it",
            "detach with its leader and q, or use a verb such as `parlour list`; `env -u PARLOUR_CHAT parlour` opens one \
             all the same",
        )),
    }
}

fn above(var: impl Fn(&str) -> Option<OsString>) -> Option<OsString> {
    let in_shell = var("PARLOUR_AGENT").is_some_and(|agent| agent == "shell");
    var("PARLOUR_CHAT").filter(|chat| !chat.is_empty() && !in_shell)
}

fn judge(doing: &str, var: impl Fn(&str) -> Option<OsString>) -> Result<(), Problem> {
    match above(var) {
        None => Ok(()),
        Some(_) => Err(Problem::new(
            doing,
            "this is for a person to decide, and it was asked from an agent's terminal",
            "run it in a terminal of your own",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_is_refused_and_a_person_is_not() {
        let refused = |vars: &[(&str, &str)]| {
            let var = |name: &str| vars.iter().find(|(n, _)| *n == name).map(|(_, v)| OsString::from(v));
            judge("deleting a chat", var).is_err()
        };
        assert!(refused(&[("PARLOUR_CHAT", "aaaaaaaaaa")]));
        assert!(refused(&[("PARLOUR_CHAT", "aaaaaaaaaa"), ("PARLOUR_AGENT", "claude")]));
        assert!(!refused(&[("PARLOUR_CHAT", "aaaaaaaaaa"), ("PARLOUR_AGENT", "shell")]));
        assert!(!refused(&[("PARLOUR_CHAT", "")]));
        assert!(!refused(&[]));
    }
}
