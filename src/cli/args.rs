//! The words that `parlour` takes. Every comment here is help text.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use super::dir_spec::dir_spec;
use super::output::OutputForm;
use super::schedule::ScheduleArgs;
use super::values::seconds;
use crate::agents::demo;
use crate::model::open_dir::OpenDir;
use crate::model::request::Until;

mod replay;
mod review;
mod roles;
mod script;
mod trash;
mod work;

pub use replay::{EngineArgs, ReplayArgs, ReplayUntil};
pub use review::{DiffOf, Revert, UndoRevert};
pub use roles::{Roles, RolesVerb};
pub use script::{ApproveScript, EditArgs, RunScript, ScriptArgs, ScriptVerb};
pub use trash::{TrashArgs, TrashVerb};
pub use work::{AtomName, NewWork, UpdateWork, WorkArgs, WorkList, WorkVerb};

/// Run many AI coding agents at once, each in a clone of its own.
#[derive(Debug, Parser)]
#[command(name = "parlour", version, after_help = AFTER, disable_help_subcommand = false)]
pub struct ParlourArgs {
    /// The chat to open: its handle, its id, or a beginning of at least four letters
    pub chat: Option<String>,

    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,

    /// Open it at its editor, where one is open
    #[arg(long, hide = true, requires = "chat")]
    pub edits: bool,

    #[command(subcommand)]
    pub verb: Option<Verb>,
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

#[derive(Debug, Subcommand)]
pub enum Verb {
    New(New),
    Init(Init),
    /// Show all chats, the one that was busy last first
    #[command(after_help = "Examples:\n  parlour list\n  parlour list --json | jq -r '.chats[].handle'")]
    List,
    /// Show the engine, its limits and the agents that run
    #[command(after_help = "Examples:\n  parlour status\n  parlour status --json | jq .engine.pid")]
    Status,
    /// Show why a chat has the status it has, signal by signal
    #[command(after_help = "Examples:\n  parlour explain fix-auth")]
    Explain(ChatArgs),
    Servers(ServersArgs),
    OpenDir(OpenIn),
    Send(Send),
    Wait(WaitArgs),
    Screen(ScreenArgs),
    Events(Events),
    Stop(StopArgs),
    /// Start the agent of a chat again, where it left off
    #[command(after_help = "Examples:
  parlour resume fix-auth
  parlour resume --all         after a crash or a reboot: every agent that ran then")]
    Resume(ResumeArgs),
    /// End the agent of a chat and start it again with its files and settings made anew, in the same session
    #[command(after_help = "Examples:\n  parlour restart fix-auth    after a change in config.json")]
    Restart(ChatArgs),
    Rm(Rm),
    /// Bring a deleted chat back, within 7 days
    #[command(after_help = "Examples:\n  parlour undo-rm fix-auth")]
    UndoRm(ChatArgs),
    Trash(TrashArgs),
    Rename(RenameArgs),
    Duplicate(Duplicate),
    Diff(DiffOf),
    /// Save the clones of a chat as they are now
    #[command(after_help = "Examples:\n  parlour checkpoint fix-auth")]
    Checkpoint(ChatArgs),
    /// Show what a chat's clones can go back to
    #[command(
        after_help = "Examples:\n  parlour checkpoints fix-auth\n  parlour checkpoints fix-auth --json | jq '.checkpoints[-1].number'"
    )]
    Checkpoints(ChatArgs),
    Revert(Revert),
    UndoRevert(UndoRevert),
    Log(LogArgs),
    Script(ScriptArgs),
    Run(RunScript),
    Edit(EditArgs),
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
    /// Show what agents ask before they use a tool
    #[command(after_help = "Examples:\n  parlour approvals\n  parlour approvals --json | jq -r '.approvals[].id'")]
    Approvals,
    /// Allow what an agent asks, this once; a project's setup until it changes
    #[command(after_help = "Examples:\n  parlour approve toolu_01")]
    Approve(AnswerArgs),
    /// Refuse what an agent asks
    #[command(after_help = "Examples:\n  parlour deny toolu_01")]
    Deny(AnswerArgs),
    /// Watch a scripted agent at work on a small sample repository
    #[command(
        after_help = "Examples:\n  parlour demo           make the chat and open it\n  parlour demo --json    make the chat and print it\n  parlour demo team      one that makes a plan and has three others carry it out"
    )]
    Demo(DemoArgs),
    Doctor(Doctor),
    Engine(EngineArgs),
    Replay(ReplayArgs),
    /// End the engine and with it every agent; chats stay on disk
    #[command(after_help = "Examples:\n  parlour kill-engine")]
    KillEngine,
    /// Repair a terminal that a killed program left unusable
    #[command(after_help = "Examples:\n  parlour reset    type it blind and press Enter")]
    Reset,
    Completions(Completions),
    #[command(hide = true)]
    Hook(HookArgs),
    #[command(hide = true)]
    DemoAgent(demo::DemoOptions),
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

#[derive(Debug, Args)]
pub struct AnswerArgs {
    /// The question's id, or a beginning of at least four letters, from `parlour approvals`
    pub request: String,
}

#[derive(Debug, Args)]
pub struct ChatArgs {
    /// Handle, id, or a beginning of at least four letters
    pub chat: String,
}

#[derive(Debug, Args)]
pub struct ResumeArgs {
    /// Handle, id, or a beginning of at least four letters
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    pub chat: Option<String>,
    /// Every agent that ran when the engine ended
    #[arg(long)]
    pub all: bool,
}

/// Make a chat and start its agent
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour new 'Fix auth' -p 'Users cannot log in' --dir . --branch fix-auth
  parlour new --llm shell --dir docs:https://github.com/acme/docs:ro
  git diff | parlour new review -p -
  parlour new fix-login --branch fix-login    where `parlour init` was: a worker below @main

DIR is [LABEL:]PATH_OR_URL[:ro|:rw]. A label is of a-z, 0-9 and -.")]
pub struct New {
    /// What to call it; the beginning of the prompt where there is none
    pub name: Option<String>,
    /// The first prompt; `-` reads it from standard input
    #[arg(short, long, allow_hyphen_values = true)]
    pub prompt: Option<String>,
    /// The agent: claude, codex, gemini, opencode, cursor, cline, windsurf, shell, demo, or one of customLlms in
    /// config.json
    #[arg(long)]
    pub llm: Option<String>,
    /// A role: instructions that the agent starts with (orchestrator, worker, merger, reviewer, or one of your own)
    #[arg(short, long)]
    pub role: Option<String>,
    /// A repository or directory to open in it; may be said again
    #[arg(long = "dir", visible_alias = "add-dir", value_name = "DIR", value_parser = dir_spec)]
    pub dirs: Vec<OpenDir>,
    /// The branch to check out in each DIR; made where it does not exist
    #[arg(long)]
    pub branch: Option<String>,
    /// What a branch that does not exist is made from
    #[arg(long)]
    pub base: Option<String>,
    /// A chat of its own, also where the repository has an @main
    #[arg(long)]
    pub alone: bool,
    /// One of globalMcpServers to leave out; repeatable
    #[arg(long, value_name = "SERVER")]
    pub without_mcp: Vec<String>,
}

/// Make @main for the repository around the current directory: a chat that plans its work and hands it to workers
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour init                    then `parlour` here opens it
  parlour init --llm claude
  parlour send @main 'Plan the move to the new API, and dispatch workers'

The checkout is opened in place and read-only for it; workers get clones of their own.")]
pub struct Init {
    /// The agent CLI; that of the role orchestrator, else the default
    #[arg(long)]
    pub llm: Option<String>,
}

/// Open a repository or directory in a chat
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour open-dir fix-auth ~/src/grove --branch fix-auth --base main
  parlour open-dir fix-auth https://github.com/acme/docs --mode ro --label docs")]
pub struct OpenIn {
    /// Handle, id, or a beginning of at least four letters
    pub chat: String,
    #[command(flatten)]
    pub dir: OpenDir,
}

/// Show the MCP servers of a chat, or switch one on or off
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour servers fix-auth
  parlour servers fix-auth --tools             start those that are on, and ask each for its tools
  parlour servers fix-auth off db
  parlour servers fix-auth off parlour/dispatch   one of parlour's own tools, for this chat
  parlour servers fix-auth on lint             one that a project brings along is shown whole first
  parlour servers fix-auth on projects/grove/.mcp.json:lint

What a project brings along is shown whole and used only once you agree to it; if it changes, you are asked again.
An agent that runs has a change with its next start: `parlour restart`.")]
pub struct ServersArgs {
    /// Handle, id, or a beginning of at least four letters
    pub chat: String,
    /// Switch a server, or one of parlour's own tools as parlour/TOOL
    #[arg(requires = "name")]
    pub way: Option<ServerSwitch>,
    /// Which one
    pub name: Option<String>,
    /// Ask each that is on for its tools
    #[arg(long, conflicts_with = "way")]
    pub tools: bool,
    /// Agree to what a project's server runs, as a refusal has shown it and named it
    #[arg(short, long, requires = "way", value_name = "WORD")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub yes: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ServerSwitch {
    On,
    Off,
}

/// Send a prompt to a chat's agent; one that has exited is started again
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour send fix-auth 'Look at the tests too'
  parlour send fix-auth --follow-up 'Then commit'
  parlour send fix-auth - < prompt.md
  parlour send fix-auth -- --help

It answers at once: `sent`, or `queued` and why. A queued prompt is on disk and sent by itself.
--json: {\"sent\": false, \"queued\": true, \"why\": \"sent when this turn ends\", \"id\": \"…\"}")]
pub struct Send {
    /// Handle, id, or a beginning of at least four letters
    pub chat: String,
    /// What to say; `-` reads it from standard input
    #[arg(allow_hyphen_values = true)]
    pub text: String,
    /// Wait for the end of its turn, where it would otherwise steer
    #[arg(long)]
    pub follow_up: bool,
    /// Wait until the agent has it; what it waits for is told on standard error
    #[arg(long)]
    pub wait: bool,
    /// Your own id for this prompt, up to 64 letters, digits and `-_.`: sent again with the same one, it is not sent twice
    #[arg(long)]
    pub id: Option<String>,
}

/// Wait for a chat to reach a state
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour wait fix-auth --for idle
  parlour wait fix-auth --for done --timeout 600 || echo 'not in ten minutes'

`idle` is also met by an agent that has exited, `done` by one that says so of itself.")]
pub struct WaitArgs {
    /// Handle, id, or a beginning of at least four letters
    pub chat: String,
    /// What to wait for
    #[arg(long = "for", value_name = "WHAT")]
    pub until: Until,
    /// Give up after so many seconds, with exit code 124
    #[arg(long, value_name = "S", value_parser = seconds, allow_hyphen_values = true)]
    pub timeout: Option<std::time::Duration>,
}

/// Print what a chat's terminal shows
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour screen fix-auth
  parlour screen fix-auth --ansi --scrollback 200 | less -R")]
pub struct ScreenArgs {
    /// Handle, id, or a beginning of at least four letters
    pub chat: String,
    /// Keep colours, as control sequences
    #[arg(long)]
    pub ansi: bool,
    /// Print so many lines from above it too
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = lines, allow_hyphen_values = true)]
    pub scrollback: usize,
}

/// Print a chat's transcript, one JSON object a line
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour events fix-auth
  parlour events fix-auth --after 120 --follow | jq -c 'select(.kind==\"tool.end\")'")]
pub struct Events {
    /// Handle, id, or a beginning of at least four letters
    pub chat: String,
    /// Only what comes after this number
    #[arg(long, value_name = "SEQ", default_value_t = 0)]
    pub after: u64,
    /// Go on with what is still to come
    #[arg(long)]
    pub follow: bool,
}

/// End a chat's agent; the chat stays
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  parlour stop fix-auth\n  parlour stop lead --tree    and all below it")]
pub struct StopArgs {
    /// Handle, id, or a beginning of at least four letters
    pub chat: String,
    /// The agents of all chats below it too
    #[arg(long)]
    pub tree: bool,
}

/// Delete a chat, after saying what would be lost; for 7 days `undo-rm` brings it back
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour rm fix-auth
  parlour rm fix-auth --yes    do not ask

Without a terminal and without --yes it says what would be lost, deletes nothing and exits with 1.")]
pub struct Rm {
    /// Handle, id, or a beginning of at least four letters
    pub chat: String,
    /// Do not ask
    #[arg(short, long)]
    pub yes: bool,
}

/// Give a chat another name; a handle that was made from its name follows
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  parlour rename fix-auth 'Fix the login'    it is fix-the-login from now on")]
pub struct RenameArgs {
    /// Handle, id, or a beginning of at least four letters
    pub chat: String,
    /// The new name
    #[arg(allow_hyphen_values = true)]
    pub name: String,
}

/// Make a chat of another one, with the commits of its projects and, where its agent CLI can, its conversation
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour duplicate fix-auth
  parlour duplicate fix-auth 'Fix auth, another way'

Uncommitted work stays in the original, and what stayed there is said.")]
pub struct Duplicate {
    /// Handle, id, or a beginning of at least four letters
    pub chat: String,
    /// What to call it; without a name, the original's and "copy"
    pub name: Option<String>,
}

/// Print what the engine noted of a chat, oldest first
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  parlour log fix-auth\n  parlour log fix-auth --lines 20")]
pub struct LogArgs {
    /// Handle, id, or a beginning of at least four letters
    pub chat: String,
    /// How many lines, counted from the end
    #[arg(short = 'n', long, value_name = "N", default_value_t = 200, value_parser = lines, allow_hyphen_values = true)]
    pub lines: usize,
}

/// Look for what is wrong with this home and this machine; changes nothing unless told to
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour doctor
  parlour doctor --json | jq '.problems | length'
  parlour doctor --fix    remove what a crash left behind

Exit code 1 where it finds something to put right, marked with a cross; what is only worth knowing is no failure.")]
pub struct Doctor {
    /// Remove leftovers of what was cut off, while no engine runs
    #[arg(long)]
    pub fix: bool,
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

/// Called by agent CLIs, which may read a failure as consent: so no word of it is wrong use.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct HookArgs {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<OsString>,
}

impl HookArgs {
    pub const TOKEN_FILE: &str = "--token-file";

    fn word(&self, at: usize) -> &str {
        self.words.get(at).and_then(|word| word.to_str()).unwrap_or_default()
    }

    pub fn agent(&self) -> &str {
        self.word(0)
    }

    pub fn event(&self) -> &str {
        self.word(1)
    }

    pub fn token_file(&self) -> Option<PathBuf> {
        let flag = self.words.iter().position(|w| w == Self::TOKEN_FILE)?;
        self.words.get(flag + 1).map(PathBuf::from)
    }
}

fn lines(text: &str) -> Result<usize, String> {
    text.parse()
        .map_err(|_| "it is no number of lines: write 0 or more".into())
}
