//! What is said of checkpoints in words, the same in the list and beside it.

use crate::model::review::{Amount, Cause, Checkpoint};
use crate::model::text::count;

/// Why it was taken: in a word or two that stand out, and the rest.
pub fn cause(checkpoint: &Checkpoint) -> (String, String) {
    let short = |words: &str| (words.to_owned(), String::new());
    match checkpoint.cause {
        Cause::Turn => {
            let turn = checkpoint
                .turn
                .map_or("Turn".into(), |turn| format!("Before turn {turn}"));
            (turn, checkpoint.words().into())
        }
        Cause::Asked if checkpoint.prompt.is_empty() => short("Asked by you"),
        // What it was taken for.
        Cause::Asked => short(&format!("Before {}", checkpoint.prompt)),
        Cause::Discard => short("Before a discard"),
        Cause::Take => short("Before a take"),
        Cause::Ended(turn) => short(&format!("As turn {turn} ended")),
        Cause::Opened => ("Opened".into(), checkpoint.changed.join(", ")),
        Cause::Revert(to) => short(&format!("Before the revert to {to}")),
        Cause::Undo(revert) => short(&format!("Before the undo of revert {revert}")),
        Cause::CutOff => short("Found after a revert that was cut off"),
        Cause::Unread => short("Its line in the list cannot be read"),
    }
}

/// How much differs.
pub fn amount(amount: Amount) -> String {
    let files = count(amount.files, "file");
    match (amount.files, amount.added + amount.removed) {
        (0, _) => String::new(),
        (_, 0) => files,
        _ => format!("{files} +{} −{}", amount.added, amount.removed),
    }
}
