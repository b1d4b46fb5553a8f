//! The buttons of a question, by what it is.

use super::super::super::hint::Hint;
use super::super::Stop;
use super::super::buttons::Button;
use super::super::place;
use super::super::tables::{APPROVALS, ApprovalKey, FocusKey, MoveKey, QuestionKey};

/// What is answered here, and what only the CLI's own dialog takes an answer to.
const HERE: [Button; 5] = [
    (Stop::Go, "Go there"),
    (Stop::No, "Refuse"),
    (Stop::Because, "Refuse, because…"),
    (Stop::Always, "Always allow"),
    (Stop::Yes, "Allow once"),
];
/// The same where there is no room for all: a reason has its key alone.
const HERE_NARROW: [Button; 4] = [
    (Stop::Go, "Go there"),
    (Stop::No, "Refuse"),
    (Stop::Always, "Always allow"),
    (Stop::Yes, "Allow once"),
];
/// Where no rule would answer it the next time.
const ONCE: [Button; 4] = [
    (Stop::Go, "Go there"),
    (Stop::No, "Refuse"),
    (Stop::Because, "Refuse, because…"),
    (Stop::Yes, "Allow once"),
];
const ONCE_NARROW: [Button; 3] = [(Stop::Go, "Go there"), (Stop::No, "Refuse"), (Stop::Yes, "Allow once")];
pub const SETUP: [Button; 3] = [(Stop::Go, "Go there"), (Stop::No, "Refuse"), (Stop::Yes, "Approve")];
pub const COPIES: [Button; 3] = [
    (Stop::Go, "Go there"),
    (Stop::No, "Refuse"),
    (Stop::Yes, "Allow in this chat"),
];
pub const THERE: [Button; 1] = [(Stop::Go, "Go there")];

/// The buttons of a call that rules may answer, in a row of so many columns.
pub fn here(wide: u16) -> &'static [Button] {
    match place::buttons_fit(&HERE, wide) {
        true => &HERE,
        false => &HERE_NARROW,
    }
}

/// The same where no rule would answer it.
pub fn once(wide: u16) -> &'static [Button] {
    match place::buttons_fit(&ONCE, wide) {
        true => &ONCE,
        false => &ONCE_NARROW,
    }
}

/// There is a rule to write.
pub fn takes_rule(buttons: &[Button]) -> bool {
    buttons.iter().any(|(stop, _)| *stop == Stop::Always)
}

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
    if takes_rule(buttons) {
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
