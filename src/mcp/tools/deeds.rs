//! Files and commands, for agents whose CLI has no tools of its own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::offer::{Offer, Reads, given, offer};
use crate::model::{Deed, ToolCall};

pub fn offers() -> Vec<Offer> {
    vec![
        offer::<ReadFile, FileRead>(
            "read_file",
            "Lines of a text file. A relative path starts in the first open directory; projects/NAME/… names any.",
            Reads::Only,
        ),
        offer::<WriteFile, FileWritten>(
            "write_file",
            "Write a whole file, with the folders on the way to it.",
            Reads::No,
        ),
        offer::<ApplyPatch, Patched>(
            "apply_patch",
            "Change files of one directory by a unified diff (git diff or diff -u): all of them or none; 200 files and \
             16 MiB at most.",
            Reads::No,
        ),
        offer::<Shell, Ran>(
            "shell",
            "Run a command with sh in an open directory. It is to write there (not where that is ro) and in $TMPDIR \
             alone, and where the kernel can hold it to that it does. It reads no input. A call that answers \
             \"still running\" is repeated unchanged.",
            Reads::No,
        ),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReadFile {
    path: String,
    /// First line, from 1
    offset: Option<u64>,
    /// Lines at most, 2000 where not given
    limit: Option<u64>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct FileRead {
    text: String,
    /// Where to read on; null at the end
    next_offset: Option<u64>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WriteFile {
    path: String,
    content: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct FileWritten {
    bytes: u64,
    created: bool,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ApplyPatch {
    patch: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Patched {
    changed: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Shell {
    command: String,
    cwd: Option<String>,
    /// 120 where not given, 3600 at most
    timeout_s: Option<u64>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Ran {
    /// Of both streams; the middle of a long one is left out
    output: String,
    exit_code: Option<i32>,
    /// Why it has no exit code
    ended: Option<String>,
    /// That nothing held it in
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl From<ReadFile> for ToolCall {
    fn from(asked: ReadFile) -> ToolCall {
        ToolCall::Deed(Deed::Read {
            path: asked.path,
            offset: asked.offset,
            limit: asked.limit,
        })
    }
}

impl From<WriteFile> for ToolCall {
    fn from(asked: WriteFile) -> ToolCall {
        ToolCall::Deed(Deed::Write {
            path: asked.path,
            content: asked.content,
        })
    }
}

impl From<ApplyPatch> for ToolCall {
    fn from(asked: ApplyPatch) -> ToolCall {
        ToolCall::Deed(Deed::patch(asked.patch))
    }
}

impl From<Shell> for ToolCall {
    fn from(asked: Shell) -> ToolCall {
        ToolCall::Deed(Deed::Shell {
            command: asked.command,
            cwd: given(asked.cwd),
            seconds: asked.timeout_s,
        })
    }
}
