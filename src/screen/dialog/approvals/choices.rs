//! The buttons of a question, by what it is.

use super::super::super::hint::Hint;
use super::super::Stop;
use super::super::buttons::Button;
use super::super::tables::{APPROVALS, ApprovalKey, FocusKey, MoveKey, QuestionKey};

/// What is answered here, and what only the CLI's own dialog takes an answer to.
pub const HERE: [Button; 4] = [
    (Stop::Go, "Go there"),
    (Stop::No, "Refuse"),
    (Stop::Always, "Always allow"),
    (Stop::Yes, "Allow once"),
];
/// Where no rule would answer it the next time.
pub const ONCE: [Button; 3] = [(Stop::Go, "Go there"), (Stop::No, "Refuse"), (Stop::Yes, "Allow once")];
pub const SETUP: [Button; 3] = [(Stop::Go, "Go there"), (Stop::No, "Refuse"), (Stop::Yes, "Approve")];
pub const COPIES: [Button; 3] = [
    (Stop::Go, "Go there"),
    (Stop::No, "Refuse"),
    (Stop::Yes, "Allow in this chat"),
];
pub const THERE: [Button; 1] = [(Stop::Go, "Go there")];

/// Nobody hears why a setup or a copy was refused.
pub fn takes_reason(buttons: &[Button]) -> bool {
    buttons != SETUP && buttons != COPIES
}

/// The keys that matter with these buttons, of one question or of several.
pub fn hints(buttons: &[Button], several: bool) -> Vec<Hint> {
    let key = |key: QuestionKey, words| APPROVALS.hint(&[ApprovalKey::Question(key)], words);
    let keys = |keys: [QuestionKey; 2], words| APPROVALS.hint(&keys.map(ApprovalKey::Question), words);
    let close = key(QuestionKey::Close, "close").way_out();
    let next = keys([MoveKey::Up, MoveKey::Down].map(QuestionKey::Move), "next");
    if buttons.is_empty() {
        return vec![close];
    }
    let next = Some(next).filter(|_| several);
    if buttons == THERE {
        let there = [key(QuestionKey::Answer, "go there"), close];
        return there.into_iter().chain(next).collect();
    }
    let yes = match buttons {
        buttons if buttons == SETUP => "approve",
        buttons if buttons == COPIES => "allow in this chat",
        _ => "allow once",
    };
    let mut hints = vec![key(QuestionKey::Yes, yes), key(QuestionKey::No, "refuse")];
    if buttons == HERE {
        hints.push(APPROVALS.hint(&[ApprovalKey::Always], "always allow"));
    }
    if takes_reason(buttons) {
        hints.push(APPROVALS.hint(&[ApprovalKey::Reason], "refuse, because"));
    }
    hints.extend([key(QuestionKey::Answer, "answer"), close]);
    hints.extend(next);
    hints.extend([
        keys([FocusKey::Left, FocusKey::Right].map(QuestionKey::Focus), "choose"),
        key(QuestionKey::Move(MoveKey::PageDown), "page"),
    ]);
    hints
}
