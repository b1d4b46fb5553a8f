//! What workers only read.

use crate::domain::team::state::Telling;
use crate::model::compose::{ComposerAsk, ComposerNews};
use crate::model::export::{ExportAsk, ExportedFile};
use crate::model::figures::ChatFigures;
use crate::model::template::{PromptTemplate, TemplateAsk, TemplatePrompt};
use crate::model::tool::Tallied;
use crate::model::{Entry, RoleEntry};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

use serde_json::Value;

use crate::model::history::{HistoryAsk, HistoryPage};
use crate::model::output::{OutputAsk, OutputFound, OutputWanted};
use crate::model::setting::{SettingsFile, TriedSetting};
use crate::model::transcript::{CodeBlock, ColouredCode, PageAt, TranscriptPage};
use crate::model::usage::UsageDetail;
use crate::model::{CallId, ChatId, Timestamp};
use crate::permission::Ruling;
use crate::term::PastScreen;

/// What is only read, for an answer or for a screen.
#[derive(Clone, Debug, PartialEq)]
pub enum Read {
    Tally(ChatId),
    /// A chat's last answer; with a number, so many lines of the last ones.
    LastWords(ChatId, Option<usize>),
    Screen {
        chat: ChatId,
        ansi: bool,
        scrollback: usize,
    },
    /// The newest entries of a transcript, for its cards.
    Tail(ChatId),
    /// For a tab or a dialog of one person.
    Shown(ShownRead),
    /// Words in all transcripts and outputs, for an agent.
    History(HistoryAsk),
    /// Streams the transcript behind this number to `call`.
    Entries {
        chat: ChatId,
        after: u64,
        all: EntriesShown,
        call: CallId,
    },
    Log {
        chat: ChatId,
        lines: usize,
    },
    /// The scripts of a chat's projects.
    Scripts(ChatId),
    /// The prompt templates of a chat, or a prompt that is made of one. `date` is today's where the person is.
    Template {
        chat: ChatId,
        ask: TemplateAsk,
        /// The home directory of whoever asks.
        person: Option<PathBuf>,
        date: String,
    },
    /// Adds a chat's MCP servers to what is told of it already.
    Servers {
        chat: ChatId,
        told: Value,
    },
}

/// What a tab or a dialog lacks. It asks by [`crate::domain::chat::show`], and gets a [`ShownContent`], or this again with what went wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum ShownRead {
    /// A stretch of a transcript.
    Page(ChatId, PageAt),
    /// For a prompt that a person writes in this chat.
    Compose(ChatId, ComposerAsk),
    /// The colours of the code in the answer of this number.
    Colours(ChatId, u64, Vec<CodeBlock>),
    /// What a chat's terminal showed at this moment.
    Moment(ChatId, Timestamp),
    /// Of a call's whole output.
    Output(OutputAsk),
    /// Completions for a typed path or project name, seen from a directory.
    Places { text: String, cwd: PathBuf },
    /// Branches of the project that is named at `place` whose names have the text in them.
    Branches { place: String, text: String, cwd: PathBuf },
    /// What each prompt and each sub-agent of a chat used.
    Usage(ChatId),
    /// Words in all transcripts and outputs.
    History(HistoryAsk),
    /// What `parlour explain` adds to what the engine knows of a chat: its servers, and rules that its CLI does not keep.
    Explain(ChatId),
    /// Its transcript, into a file.
    Export(Box<ExportAsk>),
    /// What it takes on disk, and how far it is from its remotes.
    Figures(ChatId),
    /// What `config.json` says.
    Settings,
}

/// What a person has no use for once they ask for another of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplacedRead {
    Search,
    /// A page of an output: one may be looked for in a gigabyte.
    Page,
}

impl ShownRead {
    /// Which kind of questions the newest one of makes needless; none where each is to be answered.
    pub fn replaced(&self) -> Option<ReplacedRead> {
        match self {
            ShownRead::History(_) => Some(ReplacedRead::Search),
            ShownRead::Output(ask) => match ask.wanted {
                OutputWanted::Page(_) => Some(ReplacedRead::Page),
                OutputWanted::Lines(_) | OutputWanted::Text(..) | OutputWanted::Save(_) => None,
            },
            ShownRead::Page(..)
            | ShownRead::Compose(..)
            | ShownRead::Colours(..)
            | ShownRead::Moment(..)
            | ShownRead::Places { .. }
            | ShownRead::Branches { .. }
            | ShownRead::Usage(_)
            | ShownRead::Explain(_)
            | ShownRead::Figures(_)
            | ShownRead::Export(_)
            | ShownRead::Settings => None,
        }
    }
}

/// What was read for a tab or a dialog, with what tells it from other things of its kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ShownContent {
    Page(ChatId, TranscriptPage),
    Compose(ChatId, ComposerNews),
    /// Of each block of code.
    Colours(ChatId, u64, Vec<ColouredCode>),
    /// None where the record of the terminal does not go back so far.
    Moment(ChatId, Timestamp, Option<PastScreen>),
    Output(OutputFound),
    /// With the roles that a chat there may have, and what is checked out there, if the text names a repository.
    Places {
        hints: Vec<PlaceHint>,
        roles: Vec<RoleEntry>,
        branch: Option<String>,
    },
    Branches(NamedBranches),
    Exported(ExportedFile),
    Usage(ChatId, UsageDetail),
    History(HistoryPage),
    Explain(ChatId, Value),
    Figures(ChatId, ChatFigures),
    Settings(SettingNews),
}

/// Branches that a clone of a project can be on, for what is typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedBranches {
    /// The project and the text that were asked about.
    pub place: String,
    pub text: String,
    pub hints: Vec<PlaceHint>,
    /// There are more than these.
    pub has_more: bool,
}

/// What the settings screen waits for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SettingNews {
    File(Box<SettingsFile>),
    /// What the rules say to a call that a person tries.
    Verdict(Ruling),
    /// This file of the home can be edited.
    Begun(PathBuf),
    /// What came of starting an agent or a server.
    Tried(TriedSetting),
}

/// Whether what a revert has hidden is read too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntriesShown {
    All,
    NotHidden,
}

/// What was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ReadDone {
    /// What git says of each project of a chat.
    Projects(Vec<Tallied>),
    /// Last words, or what a terminal shows.
    Text(String),
    /// The newest entries of a transcript.
    Tail(ChatId, Vec<Entry>),
    Shown(ShownContent),
    /// Whoever asked got the transcript up to this entry; `None` where it listens no more.
    Streamed(Option<u64>),
    /// Lines of the log.
    Lines(Vec<String>),
    Templates(Vec<PromptTemplate>),
    /// A prompt made of a template.
    Filled(TemplatePrompt),
    /// An answer as it is told.
    Reported(Value),
    History(HistoryPage),
}

/// What follows when it was read.
#[derive(Clone, Debug, PartialEq)]
pub enum ReadThen {
    /// It is the answer.
    Answer,
    /// It is kept for the cards of the chat.
    Shelve,
    /// The plan of its agent is looked for in it.
    Plan,
    /// Last words, of which an answer is made.
    Words(Telling),
    /// The screen, in place of last words.
    Screen(Telling),
    /// The transcript so far was streamed, at best up to the entry that was known to be there: go on with what comes.
    Follow(ChatId, u64),
    /// A person's tab or dialog shows it.
    Show(ShownRead),
    /// An agent is told what was found.
    Found,
}

/// A repository or directory that could be opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceHint {
    /// What is put into the field when it is chosen.
    pub text: String,
    /// What it is: "cached", "recent", "git", "directory".
    pub what: String,
}
