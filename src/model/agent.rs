//! An agent CLI as the rest of parlour sees it: what is installed, and what to start.

use std::collections::BTreeMap;
use std::path::PathBuf;

use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::built_in::{can_be_default, is_built_in};

/// The one that asks about each new directory, and can be told to trust all of them.
pub const TRUSTING: &str = "claude";

/// What a CLI waits for that asks whether it may trust the directory that it starts in.
pub const ASKS_FOR_TRUST: &str = "asks whether to trust this directory";

/// An agent CLI found on this machine, or built in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Installed {
    /// `claude`, `shell`, `demo`, or a custom one's name.
    pub llm: String,
    /// For people: "Claude Code".
    pub title: String,
    pub program: PathBuf,
    pub version: Option<String>,
    /// What a person should know before choosing it; empty where there is nothing.
    pub remark: String,
    #[serde(default)]
    pub login: Login,
}

/// An agent CLI whose program is there, but does not run, or is another program of its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnusableAgent {
    pub title: String,
    pub program: PathBuf,
    pub why: AgentFault,
}

/// What came of asking a program for its version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AgentFault {
    /// It failed with this, in a line.
    Fails(String),
    /// It told what is no version of the CLI.
    IsAnother(String),
}

impl UnusableAgent {
    /// In a line, which goes on after its title.
    pub fn told(&self) -> String {
        let name = self.program.file_name().unwrap_or(self.program.as_os_str());
        let asked = format!("`{} --version`", name.display());
        match &self.why {
            AgentFault::Fails(said) if said.is_empty() => format!("{asked} failed"),
            AgentFault::Fails(said) => format!("{asked} failed: {said}"),
            AgentFault::IsAnother(said) => format!("{asked} says {said:?}, so it is another program"),
        }
    }
}

/// Whether a person is logged in to it, as far as that is known without running it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Login {
    #[default]
    Unknown,
    Found,
    Missing,
}

impl Login {
    /// Empty where nothing is known.
    pub fn words(self) -> &'static str {
        match self {
            Login::Unknown => "",
            Login::Found => "logged in",
            Login::Missing => "no login found",
        }
    }
}

/// What a person begins with who has chosen none: the first of which it is not known that they are not logged in to it.
pub fn first_usable(agents: &[Installed]) -> Option<&Installed> {
    let mut all: Vec<&Installed> = agents.iter().filter(|agent| can_be_default(&agent.llm)).collect();
    all.sort_by_key(|agent| agent.login == Login::Missing);
    all.first().copied()
}

/// What installs the CLIs that parlour drives best.
pub const INSTALLED_BY: [&str; 4] = [
    "npm install -g @anthropic-ai/claude-code",
    "npm install -g @openai/codex",
    "npm install -g @google/gemini-cli",
    "npm install -g opencode-ai",
];

/// A command of a CLI's own, which is typed into its composer as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CliCommand {
    /// With its slash.
    pub name: String,
    /// In words; empty where it takes none.
    pub arguments: String,
    /// What it does.
    pub about: String,
    /// It shows a page or a menu in the CLI's terminal.
    pub opens: bool,
}

impl CliCommand {
    /// It frees the model's context: the conversation becomes a summary of itself.
    pub fn sums_up(&self) -> bool {
        matches!(self.name.as_str(), "/compact" | "/compress")
    }
}

/// What of `sandbox: strict` holds for an agent that was started.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sandbox {
    #[default]
    NotAsked,
    InForce,
    /// It was asked for, and the agent runs without it.
    Missing {
        why: String,
    },
}

impl Sandbox {
    /// For `explain`.
    pub fn json(&self) -> Value {
        match self {
            Sandbox::NotAsked => json!({"asked": "off", "in_force": false, "why": "config.json does not ask for one"}),
            Sandbox::InForce => json!({"asked": "strict", "in_force": true, "why": "the kernel holds it in: Landlock"}),
            Sandbox::Missing { why } => json!({"asked": "strict", "in_force": false, "why": why}),
        }
    }
}

/// A custom CLI of `config.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentEntry {
    pub command: String,
    #[serde(default)]
    pub args: Vec<String>,
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// A regular expression over the screen that says the CLI waits for a prompt.
    #[serde(default)]
    pub ready: Option<String>,
    /// The arguments that take the place of `args` where a conversation goes on.
    #[serde(default)]
    pub resume_args: Option<Vec<String>>,
    /// Stands before a prompt among the arguments, where the CLI takes its first prompt there; may be empty.
    #[serde(default)]
    pub prompt_arg: Option<String>,
    /// The file that it reads for its instructions, below the chat's directory.
    #[serde(default)]
    pub instructions_file: Option<String>,
    /// It has no tools of its own for files and commands: parlour's are offered to it.
    #[serde(default)]
    pub lacks_tools: bool,
    #[serde(default)]
    pub mcp_config: Option<McpConfig>,
    #[serde(default)]
    pub transcript: Transcript,
}

impl AgentEntry {
    /// Which field cannot be meant, and why; the entry as a whole where no field is named.
    pub fn check(&self, name: &str) -> Result<(), (Option<&'static str>, String)> {
        if is_built_in(name) {
            return Err((None, "parlour has an agent of that name; give this one another".into()));
        }
        match self.ready_pattern() {
            Some(Err(why)) => Err((Some("ready"), why)),
            Some(Ok(_)) | None => Ok(()),
        }
    }

    /// `^` and `$` are the ends of a line.
    pub fn ready_pattern(&self) -> Option<Result<Regex, String>> {
        let pattern = RegexBuilder::new(self.ready.as_deref()?).multi_line(true).build();
        Some(pattern.map_err(|error| {
            let error = error.to_string();
            let why = error.lines().last().unwrap_or_default();
            format!("the pattern cannot be read: {}", why.trim_start_matches("error: "))
        }))
    }
}

/// The settings file by which a custom CLI finds parlour's tools.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpConfig {
    /// Below the chat's directory; absent: `{name}.mcp.json`.
    #[serde(default)]
    pub file: Option<String>,
    /// JSON, or a text in whatever form the file has.
    pub template: Value,
}

/// What a custom CLI writes down of its own work.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "format", rename_all = "lowercase")]
pub enum Transcript {
    #[default]
    None,
    Jsonl {
        /// Below the chat's directory, or from `/` or `~/`.
        file: String,
        #[serde(default)]
        fields: Fields,
    },
}

/// Where in a line of its transcript things stand: `message.content.0.text`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Fields {
    pub role: String,
    pub text: String,
    pub id: String,
    pub tool: String,
    pub input: String,
    pub result: String,
    pub time: String,
}

impl Default for Fields {
    fn default() -> Fields {
        let own = String::from;
        Fields {
            role: own("role"),
            text: own("text"),
            id: own("id"),
            tool: own("tool"),
            input: own("input"),
            result: own("result"),
            time: own("timestamp"),
        }
    }
}

/// All that starting an agent takes. The environment is complete: nothing else is inherited.
#[derive(Clone, PartialEq, Eq)]
pub struct Launch {
    pub program: PathBuf,
    pub args: Vec<String>,
    pub env: BTreeMap<String, String>,
    pub cwd: PathBuf,
}

/// Tokens and keys travel in the environment, so it is never printed.
impl std::fmt::Debug for Launch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Launch")
            .field("program", &self.program)
            .field("args", &self.args)
            .field("cwd", &self.cwd)
            .finish_non_exhaustive()
    }
}

/// How an agent CLI wants to be treated once it runs; told by its adapter, used by the loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capabilities {
    pub ready: Ready,
    /// A typed prompt is confirmed by a hook that repeats it; without one the typing is all there is.
    pub confirms: bool,
    /// Its own transcript has each prompt that it took. Until that has a prompt, the CLI may lose it by being killed.
    pub transcribes: bool,
    /// It tells what it writes while it writes; others tell it when it is whole.
    #[serde(default)]
    pub streams_words: bool,
    /// Takes a prompt while it works and feeds it into the turn.
    pub queues: bool,
    /// Its transcript tells each call that its hooks tell too, a moment later, in the order of the conversation.
    pub retells: bool,
    /// That its provider refused a request, which is made again, is told on its screen alone.
    pub shows_retries: bool,
    /// It asks some things in dialogs of which its screen alone tells.
    #[serde(default)]
    pub asks_on_screen: bool,
    /// Wait for its MCP connection before the first prompt.
    pub awaits_mcp: bool,
    /// Bytes that interrupt a turn.
    pub interrupt: Vec<u8>,
    pub asks: Asks,
    /// It hangs where its terminal is resized while it takes up a session.
    pub steady: bool,
    /// Milliseconds between a paste and the Enter behind it.
    pub settle_ms: u64,
    /// The same where its screen shows all of the paste before; `None` where it takes an Enter for a part of that then.
    #[serde(default)]
    pub shown_ms: Option<u64>,
    /// A blank before a prompt does not keep it from being taken for a command.
    pub drops_blanks: bool,
}

impl Capabilities {
    /// Of a CLI that tells nothing of itself.
    pub fn unknown() -> Capabilities {
        Capabilities {
            ready: Ready::Nothing,
            confirms: false,
            transcribes: false,
            streams_words: false,
            queues: false,
            retells: false,
            shows_retries: false,
            asks_on_screen: false,
            awaits_mcp: false,
            interrupt: b"\x1b".to_vec(),
            asks: Asks::Terminal,
            steady: false,
            settle_ms: 300,
            shown_ms: Some(150),
            drops_blanks: false,
        }
    }
}

/// Where a question of the CLI can be answered beside its own dialog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Asks {
    /// Its permission hook waits for the answer while the dialog is open.
    Hook,
    /// The dialog takes keys: for "once" and for "no".
    Keys {
        yes: Vec<u8>,
        no: Vec<u8>,
        /// What every such dialog begins with on the screen.
        begins: String,
        /// How many lines of a command it shows, if it cuts longer ones.
        #[serde(default)]
        shows: Option<usize>,
        /// A person's rule that allows the call answers it too. Not where a yes means more than the call itself, as to run
        /// it outside of a sandbox.
        by_rule: bool,
        /// It tells of each dialog's end. A prompt that is taken meanwhile was entered before the dialog opened.
        #[serde(default)]
        tells_end: bool,
        /// Its own server takes the answer to what it asks about a call that it told of. Keys are for what is left.
        #[serde(default)]
        by_server: bool,
    },
    /// Only in its terminal.
    Terminal,
}

/// What counts as evidence that a CLI waits for a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ready {
    /// Its hooks, session file or transcript say so.
    Hooks,
    /// Its composer on the screen, until its first prompt makes its session begin; from then on as with `Hooks`.
    Composer,
    /// The screen matches its `ready` pattern.
    Screen,
    /// It is a shell: its own process is in the foreground of its terminal.
    Foreground,
    /// Nothing does: parlour types no prompt by itself.
    Nothing,
}
