//! Files and commands, for agents whose CLI has no tools of its own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::entry::{ToolOf, changes, reads};
use crate::model::local_call::{LocalCall, ReadFile, ShellCommand, WriteFile};

pub(super) fn tools() -> [ToolOf<LocalCall>; 4] {
    [
        ToolOf {
            name: "read_file",
            does: "Lines of a text file. A relative path starts in the first open directory; projects/NAME/… names any.",
            ..reads::<ReadFile, FileRead, _>()
        },
        ToolOf {
            name: "write_file",
            does: "Write a whole file, with the folders on the way to it.",
            ..changes::<WriteFile, FileWritten, _>()
        },
        ToolOf {
            name: "apply_patch",
            does: "Change files of one directory by a unified diff (git diff or diff -u): all of them or none; 200 files and \
                   16 MiB at most.",
            ..changes::<ApplyPatch, Patched, _>()
        },
        ToolOf {
            name: "shell",
            does: "Run a command with sh in an open directory. It may write only there (not if the directory is ro) and \
                   in $TMPDIR. It reads no input. Repeat a call that answers \"still running\" unchanged.",
            ..changes::<ShellCommand, Ran, _>()
        },
    ]
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct FileRead {
    text: String,
    /// Where to read on; null at the end
    next_offset: Option<u64>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct FileWritten {
    bytes: u64,
    created: bool,
}

#[derive(Deserialize, JsonSchema)]
struct ApplyPatch {
    patch: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Patched {
    changed: Vec<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Ran {
    /// Of both streams; a long one lacks its middle
    output: String,
    exit_code: Option<i32>,
    /// Why it has no exit code
    ended: Option<String>,
    /// Set if the command was not sandboxed
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl From<ReadFile> for LocalCall {
    fn from(asked: ReadFile) -> LocalCall {
        LocalCall::Read(asked)
    }
}

impl From<WriteFile> for LocalCall {
    fn from(asked: WriteFile) -> LocalCall {
        LocalCall::Write(asked)
    }
}

impl From<ApplyPatch> for LocalCall {
    fn from(asked: ApplyPatch) -> LocalCall {
        LocalCall::patch(asked.patch)
    }
}

impl From<ShellCommand> for LocalCall {
    fn from(asked: ShellCommand) -> LocalCall {
        LocalCall::Shell(asked)
    }
}
