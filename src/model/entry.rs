//! A line of `events.jsonl`: the transcript of a chat, append-only, in order, each once.

use std::path::PathBuf;

use memchr::memchr_iter;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::review::RevertOf;
use super::talk::HiddenEntries;
use super::{ChatId, Timestamp, Trouble};

/// A numbered, dated line. Numbers rise by one and are given by the transcript's one writer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub v: u32,
    pub seq: u64,
    pub ts: Timestamp,
    /// It is the last entry made of what was read of an agent CLI's own transcript so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<Mark>,
    #[serde(flatten)]
    pub what: Happened,
}

/// How far an agent CLI's own transcript was read. It stands in the line that was made of it, so that after any end of
/// the engine nothing is told twice and nothing is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// The name of that transcript's file.
    pub file: String,
    /// In bytes.
    pub to: u64,
}

/// What happened. Payloads over the preview's size lie in `outputs/`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind")]
pub enum Happened {
    #[serde(rename = "session")]
    Session {
        agent: String,
        session: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<String>,
        cwd: String,
    },
    #[serde(rename = "prompt")]
    Prompt {
        id: String,
        text: String,
        from: From,
        /// The chat whose agent sent it, by the kernel's word.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sender: Option<ChatId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        checkpoint: Option<String>,
        /// The name that its sender gave it.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        key: String,
        /// It went into a turn that ran, and began none.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        steer: bool,
    },
    #[serde(rename = "text")]
    Text { id: String, text: String },
    #[serde(rename = "thinking")]
    Thinking { id: String, text: String },
    #[serde(rename = "tool.start")]
    ToolStart {
        id: String,
        name: String,
        input: Value,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        dir: Option<String>,
        /// The sub-agent that called it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent: Option<String>,
    },
    #[serde(rename = "tool.end")]
    ToolEnd {
        id: String,
        status: ToolStatus,
        /// The first 60 lines or 8 KB of the output.
        preview: String,
        bytes: u64,
        lines: u64,
        /// `outputs/{tool}` where the output is longer than its preview.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        output: Option<String>,
        /// Who left something of it out; absent where all of it is here.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cut: Option<Cut>,
        /// Where its CLI says that it keeps the whole.
        #[serde(skip)]
        whole: Option<PathBuf>,
        /// What it changed in its file, where its CLI tells that only here.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        changed: Option<ChangedLines>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ms: Option<u64>,
    },
    /// The provider refused a request, and the CLI tries it again.
    #[serde(rename = "retry")]
    Retry {
        /// `rate limit`, `overloaded`.
        message: String,
        attempt: u64,
        /// How often it tries; absent where its CLI does not tell.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        attempts: Option<u64>,
        /// When it tries again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<Timestamp>,
    },
    #[serde(rename = "permission")]
    Permission {
        id: String,
        tool: String,
        input: Value,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule: Option<String>,
        /// `asked`, `allowed`, `denied`, `dropped` or `unknown`.
        answer: String,
        by: String,
        /// Why a person refused it, in their words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// It is given once this line is written. Where that fails it is not given at all, and the line is never written.
        #[serde(skip)]
        given_once_written: bool,
    },
    #[serde(rename = "usage")]
    Usage {
        model: String,
        input: u64,
        output: u64,
        cache_read: u64,
        cache_write: u64,
        cost: Option<f64>,
        /// The sub-agent that used it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent: Option<String>,
        /// How many tokens the model's context holds, where its CLI tells.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        window: Option<u64>,
    },
    #[serde(rename = "status")]
    Status {
        status: String,
        detail: String,
        cause: String,
    },
    #[serde(rename = "error")]
    Error {
        #[serde(rename = "where")]
        place: String,
        message: String,
        hint: String,
        /// Of an agent with its provider.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        trouble: Option<Trouble>,
    },
    #[serde(rename = "compaction")]
    Compaction { trigger: String },
    /// What the model knows of the conversation from a compaction on.
    #[serde(rename = "summary")]
    Summary {
        id: String,
        text: String,
        /// How many tokens its context held before, and then, where its CLI tells.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<u64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<u64>,
    },
    /// So many of its commands run on, though the calls that began them have ended.
    #[serde(rename = "background")]
    Background { running: u32 },
    #[serde(rename = "message")]
    Message {
        #[serde(default)]
        id: String,
        /// The sender's handle, `person`, or what an unverified one says of itself.
        from: String,
        #[serde(default)]
        to: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unverified: bool,
        text: String,
    },
    /// The agent is in this directory now.
    #[serde(rename = "cwd")]
    Cwd {
        cwd: String,
        /// The project that it lies in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        dir: Option<String>,
    },
    #[serde(rename = "subagent")]
    Subagent { id: String, name: String, state: String },
    /// A sub-agent was asked something, or said it.
    #[serde(rename = "subagent.text")]
    SubagentText {
        id: String,
        /// The sub-agent.
        parent: String,
        said: SubagentSaid,
        text: String,
    },
    #[serde(rename = "interrupt")]
    Interrupt { cause: String },
    /// Something a person or parlour did to the chat: opened a project, renamed it, stopped it.
    #[serde(rename = "note")]
    Note { text: String },
    /// A person went back to an earlier moment, or undid that.
    #[serde(rename = "revert")]
    Revert {
        /// The checkpoint that it went to.
        to: u64,
        /// The checkpoint of what it replaced.
        saved: u64,
        of: RevertOf,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        undo: bool,
        /// What of this transcript it hides.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hides: Option<HiddenEntries>,
    },
    /// A line of a kind that this version does not know, or what an agent CLI sent and nobody could read.
    #[serde(rename = "unknown")]
    Unknown {
        #[serde(flatten)]
        fields: Map<String, Value>,
    },
}

/// What a sub-agent's words are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SubagentSaid {
    /// Its prompt.
    Asked,
    Answered,
    Thought,
}

/// Who a prompt came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum From {
    Person,
    Parent,
    Schedule,
    Inbox,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolStatus {
    Ok,
    Error,
    Denied,
    Interrupted,
    /// The engine was ended while it ran: nobody saw what became of it.
    Unknown,
}

/// Who left something of a tool's output out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cut {
    /// The agent's CLI, which keeps no more of it.
    Cli,
    /// It is longer than what parlour keeps.
    Parlour,
}

/// Lines that a call added to a file, and took from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedLines {
    pub added: usize,
    pub removed: usize,
}

/// What the key of a prompt begins with.
pub const PROMPT: &str = "prompt ";

/// How soon a line must be safe on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Safety {
    /// Synced before anybody is told.
    Decision,
    /// In the file before anybody is told; synced within 250 ms.
    Stream,
}

impl Happened {
    /// A tool ended with this output, which is whole until it is written.
    pub fn tool_ended(id: impl Into<String>, status: ToolStatus, output: String, ms: Option<u64>) -> Happened {
        let ends = memchr_iter(b'\n', output.as_bytes()).count();
        let open = !output.is_empty() && !output.ends_with('\n');
        Happened::ToolEnd {
            id: id.into(),
            status,
            bytes: output.len() as u64,
            lines: (ends + usize::from(open)) as u64,
            preview: output,
            output: None,
            cut: None,
            whole: None,
            changed: None,
            ms,
        }
    }

    /// The end of a call that changed a file by so much.
    pub fn with_changes(mut self, lines: Option<ChangedLines>) -> Happened {
        if let Happened::ToolEnd { changed, .. } = &mut self {
            *changed = lines;
        }
        self
    }

    /// The end of a call whose output its CLI cut, and where the whole of it is said to be.
    pub fn cut_by_cli(mut self, kept: Option<PathBuf>) -> Happened {
        if let Happened::ToolEnd { cut, whole, .. } = &mut self {
            (*cut, *whole) = (Some(Cut::Cli), kept);
        }
        self
    }

    /// Takes over how much there is of an output from another word of the same end that knows more of it.
    pub fn completed_by(&mut self, other: &Happened) {
        if let (
            Happened::ToolEnd {
                id,
                preview,
                bytes,
                lines,
                cut,
                changed,
                ..
            },
            Happened::ToolEnd {
                id: other_id,
                preview: other_preview,
                bytes: other_bytes,
                lines: other_lines,
                cut: other_cut,
                changed: other_changed,
                ..
            },
        ) = (self, other)
            && id == other_id
        {
            *cut = *other_cut;
            *changed = changed.or(*other_changed);
            if *other_bytes > *bytes {
                preview.clone_from(other_preview);
                (*bytes, *lines) = (*other_bytes, *other_lines);
            }
        }
    }
}
