//! The buttons of a question, by what it is.

use super::super::Stop;
use super::super::buttons::Button;

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
