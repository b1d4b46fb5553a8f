//! The words that `parlour` takes. Every comment here is help text.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use super::output::OutputForm;
use super::schedule::ScheduleArgs;

mod approvals;
mod called;
mod chat;
mod chats;
mod config;
mod diff_set;
mod engine;
mod export;

mod keep;
mod pick;
mod project;
mod query;
mod remark;
mod review;
mod roles;
mod search;
mod storage;
mod templates;
mod theme;
mod todos;
mod trash;
mod usage;
mod work;

pub use approvals::{ApprovalVerb, ApproveArgs, DenyArgs};
pub use called::{CalledVerb, HookArgs};
pub use chat::{
    ChatSetArgs, ChatVerb, CompactArgs, Duplicate, Events, Fork, LogArgs, OpenIn, QueueArgs, RenameArgs, ResumeArgs,
    Rm, ScreenArgs, Send, ServerSwitch, ServersArgs, StopArgs, WaitArgs,
};
pub use chats::{ChatsVerb, Init, ListArgs, New};
pub use config::{ConfigArgs, ConfigVerb, SetArgs};
pub use engine::{Doctor, EngineVerb, ReplayArgs, ReplayUntil};
pub use export::ExportArgs;
pub use keep::{BringHome, CommitArgs, KeepVerb, PullArgs, PushArgs, RadarArgs, RebaseArgs};
pub use pick::{PickOf, PickVerb, TakeOf};
pub use project::{ApproveScript, EditArgs, ProjectVerb, RunScript, ScriptArgs, ScriptVerb};
pub use query::{DirChatArgs, DirChatVerb, DreArgs, QueryArgs};
pub use remark::{OpinionOf, RemarkOn, RemarkVerb, RemarksOf};
pub use review::{DiffOf, Revert, ReviewVerb, UndoRevert};
pub use roles::{Roles, RolesVerb};
pub use search::SearchArgs;
pub use storage::{CacheArgs, CacheVerb, SetupArgs, SetupVerb};
pub use templates::{TemplatesArgs, TemplatesVerb};
pub use theme::{ThemeArgs, ThemeVerb};
pub use todos::{OnOff, TodosOf};
pub use trash::TrashVerb;
pub use usage::UsageArgs;
pub use work::{AtomName, NewWork, UpdateWork, WorkArgs, WorkList, WorkVerb};

/// Run many AI coding agents at once, each in a clone of its own.
#[derive(Debug, Parser)]
#[command(name = "parlour", version, after_help = AFTER, disable_help_subcommand = false)]
pub struct ParlourArgs {
    /// The chat to open: handle, name, number or id, or a beginning of at least four letters
    pub chat: Option<String>,

    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,

    /// Open it at its editor, where one is open
    #[arg(long, hide = true, requires = "chat")]
    pub edits: bool,

    /// Show the screen as lines for a screen reader
    #[arg(long)]
    pub reader: bool,

    #[command(subcommand)]
    pub verb: Option<Verb>,

    /// The verb as it is typed.
    #[arg(skip)]
    pub typed: String,
}

impl ParlourArgs {
    pub fn form(&self) -> OutputForm {
        match self.json {
            true => OutputForm::Json,
            false => OutputForm::Words,
        }
    }
}

const AFTER: &str = "Examples:
  parlour                            open the screen; the engine is started where none runs
  parlour fix-auth                   open the screen at that chat, its agent focused
  parlour new -p 'Fix the login' --dir ~/src/grove --branch fix-login
  parlour demo                       see it work, without any agent CLI

Everything lies in ~/.parlour, or where PARLOUR_HOME says.
With --json an error is one line on standard error: {\"error\": {\"doing\", \"cause\", \"hint\", \"kind\"}}.
Exit codes: 0 done; 2 usage error; 124 a `wait` that timed out. Every other code is a failure, by its kind:
  1  user      it cannot be done as you asked for it
  3  missing   something that you named does not exist
  4  limit     a limit of config.json is reached
  5  busy      it cannot be done now; try again later
  6  fault     the disk, the network, another program or parlour failed";

// The nouns are for the code: a person writes the verb alone, and help lists all in the order in which they stand here.
// A comment in `///` on a flattened enum would take the place of parlour's own help.

#[derive(Debug, Subcommand)]
pub enum Verb {
    #[command(flatten)]
    Chats(ChatsVerb),
    /// Show the engine, its limits and the agents that run
    #[command(after_help = "Examples:\n  parlour status\n  parlour status --json | jq .engine.pid")]
    Status,
    Usage(UsageArgs),
    Search(SearchArgs),
    Export(ExportArgs),
    Cache(CacheArgs),
    #[command(flatten)]
    Chat(ChatVerb),
    Query(QueryArgs),
    Dre(DreArgs),
    #[command(name = "chat")]
    DirChat(DirChatArgs),
    #[command(flatten)]
    Review(ReviewVerb),
    #[command(flatten)]
    Keep(KeepVerb),
    Log(LogArgs),
    #[command(flatten)]
    Project(ProjectVerb),
    Setup(SetupArgs),
    Work(WorkArgs),
    Schedule(ScheduleArgs),
    /// Show the roles that a chat can be started with here, and where each comes from
    #[command(after_help = "Examples:
  parlour roles
  parlour roles --json | jq -r '.roles[].name'
  parlour roles show worker
  parlour roles copy orchestrator

Your own lie in roles/NAME.md of the home, a repository's in its .parlour/roles/NAME.md.")]
    Roles(Roles),
    Config(ConfigArgs),
    Theme(ThemeArgs),
    Templates(TemplatesArgs),
    #[command(flatten)]
    Approval(ApprovalVerb),
    /// Watch a scripted agent at work on a small sample repository
    #[command(
        after_help = "Examples:\n  parlour demo           make the chat and open it\n  parlour demo --json    make the chat and print it\n  parlour demo team      one that makes a plan and has three others carry it out"
    )]
    Demo(DemoArgs),
    #[command(flatten)]
    Engine(EngineVerb),
    /// Repair a terminal that a killed program left unusable
    #[command(after_help = "Examples:\n  parlour reset    type it blind and press Enter")]
    Reset,
    Completions(Completions),
    Man(Manual),
    #[command(flatten)]
    Called(CalledVerb),
}

#[derive(Debug, Args)]
pub struct DemoArgs {
    /// `team`: several of them, one of which leads
    pub cast: Option<Cast>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Cast {
    Team,
}

/// Print a script that completes parlour's words in your shell, and the names of what is there
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour completions bash > ~/.local/share/bash-completion/completions/parlour
  parlour completions fish > ~/.config/fish/completions/parlour.fish
  source <(parlour completions zsh)         in ~/.zshrc, after compinit

It completes verbs and options, and chats, schedules, agents, roles and the ids of questions as they are at that moment.")]
pub struct Completions {
    /// Your shell
    pub shell: clap_complete::Shell,
}

/// Write the manual pages of parlour and its verbs into a directory
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour man ~/.local/share/man/man1        then: man parlour, man parlour-new

The directory is made where it is missing. The pages say what `--help` says.")]
pub struct Manual {
    /// Where they belong: the section 1 of a directory of manuals
    pub dir: PathBuf,
}
