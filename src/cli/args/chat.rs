//! The verbs that are about one chat.

use clap::{Args, Subcommand};

use super::todos::TodosOf;
use super::trash::{DeletedChat, TrashArgs};
use crate::cli::values::seconds;
use crate::model::PermissionProfile;
use crate::model::area::AreaMode;
use crate::model::open_dir::OpenDir;
use crate::model::request::Until;

#[derive(Debug, Subcommand)]
pub enum ChatVerb {
    /// Show why a chat has the status it has, signal by signal
    #[command(after_help = "Examples:\n  parlour explain fix-auth")]
    Explain(ChatArgs),
    Servers(ServersArgs),
    OpenDir(OpenIn),
    Send(Send),
    Compact(CompactArgs),
    Queue(QueueArgs),
    Wait(WaitArgs),
    Screen(ScreenArgs),
    Events(Events),
    Stop(StopArgs),
    /// Start the agent of a chat again, where it left off
    #[command(after_help = "Examples:
  parlour resume fix-auth
  parlour resume --all         after a crash or a reboot: every agent that ran then")]
    Resume(ResumeArgs),
    /// End the agent of a chat and start it again with its files and settings made again, in the same session
    #[command(after_help = "Examples:\n  parlour restart fix-auth    after a change in config.json")]
    Restart(ChatArgs),
    Rm(Rm),
    /// Bring a deleted chat back, within 7 days
    #[command(after_help = "Examples:\n  parlour undo-rm fix-auth")]
    UndoRm(DeletedChat),
    Trash(TrashArgs),
    Rename(RenameArgs),
    Set(ChatSetArgs),
    Pin(PinArgs),
    Archive(ArchiveArgs),
    Duplicate(Duplicate),
    Fork(Fork),
    Todos(TodosOf),
}

#[derive(Debug, Args)]
pub struct ChatArgs {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
}

#[derive(Debug, Args)]
pub struct ResumeArgs {
    /// Handle, name, number or id, or a beginning of at least four letters
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    pub chat: Option<String>,
    /// Every agent that ran when the engine ended
    #[arg(long)]
    pub all: bool,
}

/// Open a repository or directory in a chat
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour open-dir fix-auth ~/src/grove --branch fix-auth --base main
  parlour open-dir fix-auth https://github.com/acme/docs --mode ro --label docs")]
pub struct OpenIn {
    /// Handle, name, number or id, or a beginning of at least four letters
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
    /// Handle, name, number or id, or a beginning of at least four letters
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
  git diff | parlour send fix-auth 'Review this'    what is piped in stands behind the words
  parlour send fix-auth -- --help
  parlour send fix-auth --template explain 'the session cookie'

It answers within 5 seconds: `sent`, and to whom, or `queued` and why. A queued prompt is on disk and sent by itself, and
`parlour queue` shows and changes it. An agent that works is steered where its CLI takes that. A pipe that has given
nothing for 5 seconds is not waited for; a script whose standard input stays open says `< /dev/null`.
--json: {\"sent\": false, \"queued\": true, \"why\": \"sent when this turn ends\", \"id\": \"…\"}")]
pub struct Send {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// What to say, in one or more words; `-` reads it from standard input. With `--template`, its first argument
    #[arg(allow_hyphen_values = true, required_unless_present = "template")]
    pub text: Option<String>,
    /// Further words, or the other arguments of the template
    #[arg(value_name = "ARGS")]
    pub arguments: Vec<String>,
    /// Make the prompt of this template, as `parlour templates` lists them; '' leaves an argument empty
    #[arg(long, value_name = "NAME")]
    pub template: Option<String>,
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

/// Show the prompts that wait for a chat's agent, or change one of them
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour queue fix-auth
  parlour queue fix-auth --edit 2 'Then commit, in two commits'
  parlour queue fix-auth --move 3 1
  parlour queue fix-auth --remove 1
  parlour queue fix-auth --follow-up 1    sent when the turn ends; --steer sends it into the turn

A prompt is named by its number or its id. Its number changes as others are sent: a script uses the id.
--json: {\"chat\": …, \"queue\": [{\"place\", \"id\", \"kind\", \"text\", \"from\", \"at\", \"why\", \"fixed\"}]}")]
#[command(group = clap::ArgGroup::new("change").multiple(false))]
pub struct QueueArgs {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// Give a prompt other words; `-` reads them from standard input
    #[arg(long, group = "change", num_args = 2, value_names = ["N", "TEXT"], allow_hyphen_values = true)]
    pub edit: Option<Vec<String>>,
    /// Move a prompt to another place
    #[arg(long = "move", group = "change", num_args = 2, value_names = ["N", "TO"])]
    pub to: Option<Vec<String>>,
    /// Take a prompt out of the queue: it is not sent
    #[arg(long, group = "change", value_name = "N")]
    pub remove: Option<String>,
    /// Send a prompt into the running turn, where its CLI takes that
    #[arg(long, group = "change", value_name = "N")]
    pub steer: Option<String>,
    /// Send a prompt when the turn ends
    #[arg(long, group = "change", value_name = "N")]
    pub follow_up: Option<String>,
}

/// Wait for a chat to reach a state
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour wait fix-auth --for idle
  parlour wait fix-auth --for done --timeout 600 || echo 'not in ten minutes'

`idle` is also met by an agent that has exited, `done` by one that says so of itself. If the turn failed (`error`,
`limit`, `logged-out`), `--for idle` ends with that error and exit code 6. Of a shell it tells how its last command line
ended: `exit_code` in the JSON.")]
pub struct WaitArgs {
    /// Handle, name, number or id, or a beginning of at least four letters
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
    /// Handle, name, number or id, or a beginning of at least four letters
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
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// Only what comes after this number
    #[arg(long, value_name = "SEQ", default_value_t = 0)]
    pub after: u64,
    /// Go on with what is still to come
    #[arg(long)]
    pub follow: bool,
    /// With what a revert has hidden
    #[arg(long)]
    pub all: bool,
}

/// End a chat's agent; the chat stays
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  parlour stop fix-auth fix-ui\n  parlour stop lead --tree    and all below it")]
pub struct StopArgs {
    /// Handles, names, numbers or ids, or beginnings of at least four letters
    #[arg(required = true, value_name = "CHAT")]
    pub chats: Vec<String>,
    /// The agents of all chats below them too
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
    /// Handle, name or id
    pub chat: String,
    /// Do not ask
    #[arg(short, long)]
    pub yes: bool,
}

/// Have an agent sum its conversation up, to free its model's context
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour compact fix-auth
  parlour compact fix-auth keep the names of the endpoints    Claude Code takes words; the others do not

Its CLI's own command is typed once the turn has ended: /compact, or /compress in Gemini CLI.")]
pub struct CompactArgs {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// What the summary is to keep
    #[arg(allow_negative_numbers = true)]
    pub words: Vec<String>,
}

/// Give a chat another name; a handle that was made from its name follows
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  parlour rename fix-auth 'Fix the login'    it is fix-the-login from now on")]
pub struct RenameArgs {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// The new name
    #[arg(allow_hyphen_values = true)]
    pub name: String,
}

/// Change how the agent of a chat runs: its model, what it does unasked, where it may write
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("set").args(["model", "unasked", "mode"]).required(true).multiple(true))]
#[command(after_help = "Examples:
  parlour set fix-auth --model opus       from its next start on: `parlour restart fix-auth`
  parlour set fix-auth --model ''         as its role says, else as its CLI chooses
  parlour set fix-auth --unasked clones   it reads, and edits its clones, without a question; at once
  parlour set fix-auth --mode grove=ro    it may not write in the directory grove; at once

`parlour servers` switches its MCP servers and parlour's own tools on and off.")]
pub struct ChatSetArgs {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// The model that its agent is started with, by the name that its CLI has for it
    #[arg(long, allow_hyphen_values = true)]
    pub model: Option<String>,
    /// What its agent does without a question
    #[arg(long, value_name = "PROFILE")]
    pub unasked: Option<PermissionProfile>,
    /// Whether its agent may write in a directory of the chat: rw or ro
    #[arg(long, value_name = "DIR=MODE", value_parser = directory_mode)]
    pub mode: Vec<(String, AreaMode)>,
}

fn directory_mode(text: &str) -> Result<(String, AreaMode), String> {
    let (name, mode) = text.rsplit_once('=').unwrap_or((text, ""));
    match mode {
        "rw" => Ok((name.into(), AreaMode::Rw)),
        "ro" => Ok((name.into(), AreaMode::Ro)),
        _ => Err("say the directory's name and rw or ro, such as grove=ro".into()),
    }
}

/// Keep a chat above all others in every list
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  parlour pin fix-auth\n  parlour pin fix-auth --undo")]
pub struct PinArgs {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// Among the others again
    #[arg(long)]
    pub undo: bool,
}

/// Take a chat out of the lists; it stays as it is, and a filter finds it
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour archive fix-auth
  parlour archive fix-auth --undo
  parlour list --all               archived ones too

If its agent needs you, it is listed all the same.")]
pub struct ArchiveArgs {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// Into the lists again
    #[arg(long)]
    pub undo: bool,
}

/// Make a chat of another one, with the commits of its projects and, where its agent CLI can, its conversation
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour duplicate fix-auth
  parlour duplicate fix-auth 'Fix auth, another way'

Uncommitted work stays in the original, and what stayed there is said.")]
pub struct Duplicate {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// What to call it; without a name, "copy: " and the original's
    pub name: Option<String>,
}

/// Make a chat of an earlier moment of another one: its projects and its conversation as they were then
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour fork fix-auth 3               from checkpoint 3
  parlour fork fix-auth --turn 2        from before the second prompt
  parlour fork fix-auth --turn 2 --name 'Fix auth, another way'

The original stays as it is. An agent CLI that cannot take up a conversation reads in AGENTS.md what was said until then.")]
pub struct Fork {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// A checkpoint, as `parlour checkpoints` numbers them
    #[arg(required_unless_present = "turn", conflicts_with = "turn")]
    pub id: Option<u64>,
    /// From before this prompt; the first one is 1
    #[arg(long, value_name = "N")]
    pub turn: Option<u32>,
    /// What to call it; without a name, "fork: " and the original's
    #[arg(long)]
    pub name: Option<String>,
}

/// Print what the engine noted of a chat, oldest first
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  parlour log fix-auth\n  parlour log fix-auth --lines 20")]
pub struct LogArgs {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// How many lines, counted from the end
    #[arg(short = 'n', long, value_name = "N", default_value_t = 200, value_parser = lines, allow_hyphen_values = true)]
    pub lines: usize,
}

fn lines(text: &str) -> Result<usize, String> {
    text.parse()
        .map_err(|_| "it is no number of lines: write 0 or more".into())
}
