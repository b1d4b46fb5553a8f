//! The command by which an agent CLI calls parlour: its words, and the token file it reads.

use std::path::PathBuf;

use super::{LaunchContext, merge};
use crate::fs::Dir;
use crate::model::Problem;

const TOKEN_FILE: &str = "hook-token";

/// The token lies in the chat's record, owner-only: arguments can be read by every user of the machine.
pub(super) fn write_token(record: &Dir, context: &LaunchContext) -> Result<(), Problem> {
    record
        .write_atomic(TOKEN_FILE, context.hook_token)
        .map_err(|e| merge::refused(TOKEN_FILE, &e))
}

pub(super) fn token_file(context: &LaunchContext) -> PathBuf {
    context.record.join(TOKEN_FILE)
}

/// One line for a shell, safe with any path. A line and not program and arguments: every version of a CLI that has
/// hooks takes a line.
pub(super) fn line(context: &LaunchContext, agent: &str, event: &str) -> String {
    let parlour = context.parlour.to_string_lossy();
    let token = token_file(context);
    shell_words::join([
        parlour.as_ref(),
        "hook",
        agent,
        event,
        "--token-file",
        &token.to_string_lossy(),
    ])
}
