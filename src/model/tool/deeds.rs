//! Files and commands, for agents whose CLI has no tools of its own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::entry::{ToolOf, changes, reads};
use crate::model::Deed;

pub(super) fn tools() -> [ToolOf<Deed>; 4] {
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
            does: "Run a command with sh in an open directory. It is to write there (not where that is ro) and in $TMPDIR \
               alone, and where the kernel can hold it to that it does. It reads no input. A call that answers \
               \"still running\" is repeated unchanged.",
            ..changes::<Shell, Ran, _>()
        },
    ]
}

#[derive(Deserialize, JsonSchema)]
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
struct ApplyPatch {
    patch: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Patched {
    changed: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
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

impl From<ReadFile> for Deed {
    fn from(asked: ReadFile) -> Deed {
        Deed::Read {
            path: asked.path,
            offset: asked.offset,
            limit: asked.limit,
        }
    }
}

impl From<WriteFile> for Deed {
    fn from(asked: WriteFile) -> Deed {
        Deed::Write {
            path: asked.path,
            content: asked.content,
        }
    }
}

impl From<ApplyPatch> for Deed {
    fn from(asked: ApplyPatch) -> Deed {
        Deed::patch(asked.patch)
    }
}

impl From<Shell> for Deed {
    fn from(asked: Shell) -> Deed {
        Deed::Shell {
            command: asked.command,
            cwd: asked.cwd,
            seconds: asked.timeout_s,
        }
    }
}
