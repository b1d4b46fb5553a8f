//! What every agent CLI must be able to tell us: the trait, and the plain values that pass through it.
//!
//! All of it is synchronous and quick, but for [`Adapter::detect`], which may run the CLI for up to five seconds,
//! [`Adapter::fork`], which copies what may be large, and the first [`Adapter::prepare`] of a duplicate.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use super::EventStream;
use super::commands::OwnCommand;
use super::kept_outputs::KeptOutputs;
use crate::fs::Dir;
use crate::model::settings::PermissionSettings;
use crate::model::talk::OwnRewind;
use crate::model::{
    Activity, Capabilities, Composer, EarlierPrompt, HookAnswer, HookCall, HookEvent, Installed, Launch, Login,
    Problem, Record, Reported, ResultExt, Role, Server, Settings, Source, Timestamp, UnusableAgent,
};
use crate::term::Screen;

/// A request that is made again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestRetry {
    pub message: String,
    /// In so many seconds, where it says.
    pub seconds: Option<u64>,
    pub attempt: u64,
    pub attempts: u64,
}

/// The environment of the client that starts an agent, or what is left of it.
pub type Env = BTreeMap<String, String>;

/// Why an agent CLI is not there to be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentAbsence {
    /// No program of its name is on the PATH.
    NotFound,
    Unusable(UnusableAgent),
}

/// One agent CLI.
///
/// A method without a body of its own is one that every CLI must answer; the others have the answer of a CLI that has
/// no hooks, no session file and no transcript.
pub trait Adapter: Send + Sync {
    /// As in `chat.json` and on the shell: `claude`.
    fn name(&self) -> &str;

    /// For people: "Claude Code".
    fn title(&self) -> &str;

    /// Looks along the client's PATH, and may ask the program for its version: not for the loop.
    fn detect(&self, search_path: &OsStr) -> Result<Installed, AgentAbsence>;

    /// The program that it starts, looked for along a PATH, or what to do where it is not there. None where it is no
    /// program of its own: parlour itself, or the person's shell.
    fn program(&self, _search_path: &OsStr) -> Result<Option<PathBuf>, Problem> {
        Ok(None)
    }

    /// Writes what the CLI reads at its start and says how to start it.
    fn prepare(&self, context: &LaunchContext) -> Result<Prepared, Problem>;

    /// Whether `prepare` gives the agent its role; else it stands in `AGENTS.md`.
    fn takes_role(&self) -> bool {
        false
    }

    /// Whether `prepare` gives the first prompt that waits along with the start.
    fn takes_first_prompt(&self) -> bool {
        false
    }

    /// Whether it has no tools of its own for files and commands, and is to be offered parlour's.
    fn lacks_tools(&self) -> bool {
        false
    }

    /// Whether its settings have no place for the token but the address of our tools.
    fn token_in_url(&self) -> bool {
        false
    }

    /// Puts what a duplicate's first start needs to take up the conversation into the duplicate's record. A conversation
    /// that ends before an earlier prompt becomes a session of its own; the one that it was made of stays as it is.
    fn fork(&self, _parent: &Parent) -> Result<Fork, Problem> {
        Ok(Fork::Impossible)
    }

    /// Looks for the prompt that a conversation is to end before, as [`Adapter::fork`] does, and makes nothing.
    fn look_back(&self, _parent: &Parent) -> Result<LookedBack, Problem> {
        Ok(LookedBack::Talk)
    }

    /// Whether [`Adapter::fork`] can end before an earlier prompt.
    fn goes_back(&self) -> bool {
        false
    }

    /// Commands of its own, which a person may want below a transcript.
    fn commands(&self) -> &'static [OwnCommand] {
        &[]
    }

    /// How it wants to be treated once it runs.
    fn capabilities(&self) -> Capabilities;

    /// How long the CLI waits for one call of our tools.
    fn tool_timeout(&self) -> Duration {
        Duration::from_secs(60)
    }

    /// Whether it is given the servers of `globalMcpServers`.
    fn takes_servers(&self) -> bool {
        false
    }

    /// The file in the chat's directory that it reads a person's own servers from.
    fn servers_file(&self) -> Option<&'static str> {
        None
    }

    /// The rules of a person that hold for this CLI in part only, each in words. None where its hook decides each call.
    fn rules_lost(&self, _: &PermissionSettings) -> Vec<String> {
        Vec::new()
    }

    /// Where its session ids come from.
    fn session_ids(&self) -> SessionIds {
        SessionIds::None
    }

    /// Whether a start after a stop goes on with what was said: only then may parlour stop it by itself.
    fn resumes(&self) -> bool {
        self.session_ids() != SessionIds::None
    }

    /// Whether it asks about trust in `chats`, and what parlour may do about that. Writes only what the settings
    /// hold a person's consent to.
    fn trust(&self, _chats: &Path, _env: &Env, _settings: &Settings) -> Result<Trust, Problem> {
        Ok(Trust::NotNeeded)
    }

    /// Where it keeps the whole of outputs that it cut, beside this transcript.
    fn kept_outputs(&self, _transcript: &Path) -> Option<KeptOutputs> {
        None
    }

    /// What of a person's it must be able to write, beside its chat, where the kernel holds it in.
    fn writes(&self, _env: &Env) -> Writes {
        Writes::default()
    }

    fn hook(&self, call: &HookCall) -> Vec<HookEvent> {
        vec![HookEvent::Odd {
            why: format!("{} has no hooks, yet one named {} came", self.title(), call.event),
        }]
    }

    /// The engine's answer in the CLI's own words.
    fn hook_answer(&self, _event: &str, _answer: &HookAnswer) -> Value {
        json!({})
    }

    /// Whether the person with this environment is logged in, as far as files and variables tell.
    fn login(&self, _env: &Env) -> Login {
        Login::Unknown
    }

    /// What its program is started with for its own login, which a person goes through in a terminal; none where it has no
    /// such command.
    fn login_arguments(&self) -> Option<&'static [&'static str]> {
        None
    }

    /// The versions that parlour is tested with, oldest first; none where it never was.
    fn tested(&self) -> &'static [&'static str] {
        &[]
    }

    /// How long `parlour hook` waits for the engine: less than the CLI waits for the hook.
    fn hook_patience(&self, _event: &str) -> Duration {
        Duration::from_secs(4)
    }

    /// What `parlour hook` says when no engine answers in time: never more than to ask.
    fn silent_answer(&self, event: &str) -> Value {
        self.hook_answer(event, &HookAnswer::NoOpinion)
    }

    /// The transcript that a hook names, where it lies where this CLI keeps its transcripts.
    fn transcript(&self, _call: &HookCall, _env: &Env) -> Option<PathBuf> {
        None
    }

    /// The transcripts that are known before any hook names them: of a CLI without hooks, or of a session that is resumed.
    fn own_transcripts(&self, _dir: &Path, _session: &str, _env: &Env) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Reads that transcript from its beginning, or from wherever it was read to before.
    fn transcript_reader(&self) -> Box<dyn ReadTranscript> {
        Box::new(Deaf)
    }

    /// Where the sub-agents of the session that this transcript tells may keep transcripts of their own.
    fn sub_agent_folders(&self, _transcript: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    /// The id of the sub-agent whose transcript a file in there is, where it belongs to that session.
    fn sub_agent(&self, _transcript: &Path, _file: &Path) -> Option<String> {
        None
    }

    /// What a person took back in the CLI itself, where this transcript was begun by that. Where it stands in the midst of
    /// one, [`ReadTranscript::take_rewinds`] tells.
    fn went_back(&self, _transcript: &Path) -> Option<OwnRewind> {
        None
    }

    /// Reads a sub-agent's transcript.
    fn sub_agent_reader(&self) -> Box<dyn ReadTranscript> {
        self.transcript_reader()
    }

    /// Where the CLI says what the process `pid` does.
    fn session_file(&self, _pid: u32, _env: &Env) -> Option<PathBuf> {
        None
    }

    /// What the bytes of that file say.
    fn read_session_file(&self, _bytes: &[u8]) -> Option<SessionFile> {
        None
    }

    /// What its title is worth: [`Source::Title`], or [`Source::Sign`] where it says all that the CLI does.
    fn title_source(&self) -> Source {
        Source::Title
    }

    /// The stream in which the CLI's own server tells what it does, once it is started like this.
    fn event_stream(&self, _context: &LaunchContext, _launch: &Launch) -> Option<EventStream> {
        None
    }

    fn read_title(&self, _title: &str) -> Option<Activity> {
        None
    }

    /// What the visible screen says: a dialog that waits for a person, an error that ended it, a prompt. A prompt lets
    /// a CLI whose hooks tell nothing before the first one be typed to.
    fn read_screen(&self, _text: &str) -> Option<Activity> {
        None
    }

    /// A dialog on the screen, in the middle of a session, of which nothing else tells.
    fn read_dialog(&self, _text: &str) -> Option<Activity> {
        None
    }

    /// What the screen says of a request that the provider refused and that is made again.
    fn read_retry(&self, _text: &str) -> Option<RequestRetry> {
        None
    }

    /// What the composer shows; `None` where it is not known how it looks. What an agent says stands on the screen too, so
    /// a composer is known by its frame at the end of the screen, and by where the cursor is.
    fn read_composer(&self, _screen: &Screen) -> Option<Composer> {
        None
    }
}

/// What is said of each rule where none reaches the CLI.
pub(super) fn no_rule_holds(title: &str, rules: &PermissionSettings) -> Vec<String> {
    let all = [&rules.allow[..], &rules.ask, &rules.deny].concat();
    let said = |rule: &String| format!("{rule} does not hold: parlour sets no permissions of {title}");
    all.iter().map(said).collect()
}

/// Makes events of a CLI's own transcript, which it is given line by line, in order.
///
/// After a restart it is first given some lines that it read before, and what it says of them is dropped: so it may
/// remember what stands shortly before a line, and no more than that. What it gives an id must get the same id again.
pub trait ReadTranscript: Send {
    /// Lines of no use to us give nothing; unreadable ones give `Unknown`.
    fn line(&mut self, line: &str) -> Vec<Reported>;

    /// What follows is written by another process of the CLI: what the last one ran ended with it.
    fn begin_process(&mut self) {}

    /// Takes the news that the CLI has resumed its session: true once after the line that says so. What is typed from
    /// then on belongs to that session.
    fn take_resumed(&mut self) -> bool {
        false
    }

    /// Takes the news that the model answered with nothing, at which the CLI tells it to go on: true once after the line that
    /// says so.
    fn take_silence(&mut self) -> bool {
        false
    }

    /// Takes the news of what a person took back in the CLI itself, since it was asked last. It may look into the
    /// transcript, of which the lines were given to it up to now.
    fn take_rewinds(&mut self, _transcript: &Path) -> Vec<OwnRewind> {
        Vec::new()
    }

    /// What a person would read of an output that the CLI keeps whole in a file of its own.
    fn kept_output(&self, text: String) -> String {
        text
    }
}

struct Deaf;

impl ReadTranscript for Deaf {
    fn line(&mut self, _line: &str) -> Vec<Reported> {
        Vec::new()
    }
}

/// All that an adapter needs to know to start one agent in one chat.
pub struct LaunchContext<'a> {
    pub chat: &'a Record,
    pub role: Option<&'a Role>,
    /// `chats/{id}`: where the agent starts, and may write.
    pub dir: &'a Path,
    /// `records/{id}`: what the agent is not meant to touch.
    pub record: &'a Path,
    pub home: &'a Path,
    /// The program of parlour itself, absolute, for hooks and the demo agent.
    pub parlour: &'a Path,
    /// The id to start or resume with, already written down; empty where the CLI gives ids itself and gave none yet.
    pub session: &'a str,
    pub mcp_url: &'a str,
    pub token: &'a str,
    pub hook_token: &'a str,
    /// The client's environment, whole.
    pub env: &'a Env,
    pub settings: &'a Settings,
    /// parlour's own tools, by name, as this agent is offered them.
    pub tools: &'a [String],
    /// The kernel keeps it from writing elsewhere: a sandbox of its own would only be in the way.
    pub sandboxed: bool,
}

impl LaunchContext<'_> {
    /// The model that a person wants for the chat, else its role.
    pub fn model(&self) -> Option<&str> {
        let set = self.chat.set.model.as_deref();
        set.or_else(|| self.role?.model.as_deref())
    }

    /// Where programs are looked for.
    pub(super) fn search_path(&self) -> &OsStr {
        self.env.get("PATH").map_or("", String::as_str).as_ref()
    }

    /// A program that starts in the chat's directory.
    pub(super) fn launch(&self, program: PathBuf, args: Vec<String>, env: Env) -> Launch {
        Launch {
            program,
            args,
            env,
            cwd: self.dir.into(),
        }
    }

    /// The person's servers that this chat is to have, beside parlour's own.
    pub fn servers(&self) -> impl Iterator<Item = (&str, &Server)> {
        self.chat.servers(self.settings)
    }
}

/// The conversation that a duplicate of a chat, or the chat itself, is to take up.
pub struct Parent<'a> {
    pub session: &'a str,
    /// The record of its chat.
    pub record: &'a Path,
    /// The record of the duplicate: the chat's own where it goes back itself.
    pub into: &'a Path,
    /// The directory in which it will go on.
    pub dir: &'a Path,
    /// It ends before this prompt; none: all of it comes along.
    pub before: Option<&'a EarlierPrompt>,
    pub env: &'a Env,
}

impl Parent<'_> {
    /// Copies a file into the duplicate's record, whole and for its owner alone.
    pub fn hand_down(&self, file: &File, name: &str) -> Result<(), Problem> {
        let into = Dir::open(self.into).doing("copying the conversation")?;
        into.copy_file_in(file, name, 0o600).doing("copying the conversation")?;
        Ok(())
    }

    /// As [`Parent::hand_down`], of a transcript's lines.
    pub fn hand_down_lines(&self, lines: &[String], name: &str) -> Result<(), Problem> {
        let into = Dir::open(self.into).doing("copying the conversation")?;
        into.write_atomic(name, lines.concat())
            .doing("copying the conversation")
    }
}

/// What an agent CLI keeps outside of the chat's directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Writes {
    /// Made where they are missing.
    pub dirs: Vec<PathBuf>,
    /// Of use only where they are there.
    pub files: Vec<PathBuf>,
    /// Made where they are missing, and not granted: the CLI only looks whether they are there.
    pub made: Vec<PathBuf>,
    /// Beneath these, directories alone may be made and removed, while they are empty: locks.
    pub locks: Vec<PathBuf>,
}

/// What a session has ahead of an earlier prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LookedBack {
    Talk,
    /// Nothing that its CLI could go on from: a person took back what was there, or it was never written.
    Nothing,
}

/// Whether a conversation can go on in two chats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fork {
    /// The next start of the duplicate does it.
    Ready,
    /// It is the session of this id, to be written down as the chat's own: its next start goes on with that.
    Session(String),
    /// Nothing was said yet, or nothing before that prompt.
    Empty,
    /// This CLI has no way to do it.
    Impossible,
}

/// Ready to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prepared {
    pub launch: Launch,
    /// It goes on with an earlier session.
    pub resumes: bool,
    /// What could not be written, though the agent starts without it.
    pub problems: Vec<Problem>,
}

/// A session, and what it does since when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionFile {
    pub session: String,
    pub activity: Activity,
    /// `None` where the CLI does not say.
    pub since: Option<Timestamp>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionIds {
    /// We give a UUID before the start.
    Assigned,
    /// The first hook tells.
    Learned,
    None,
}

/// How a CLI stands to the directory that holds all chats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trust {
    /// It never asks, or was never used on this machine, so that its own first questions come first.
    NotNeeded,
    Given,
    /// Consent is missing. In words, what would be written and where.
    Wanted(String),
    /// A person said no: the CLI will ask in every chat.
    Declined,
}
