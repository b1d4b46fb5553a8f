//! What a project wants to be run: a command after a clone of it was made, one for when a person wants to see it
//! run, and one before a chat goes.
//!
//! `project.toml` says so, in the person's home or in the repository. What comes from a repository could be anything,
//! so it is run only where a person approved exactly this text of it for exactly this origin.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toml::Spanned;

use super::text::visible;

/// What a person can be asked to read.
const LONGEST_COMMAND: usize = 8 << 10;
/// A day: whatever is meant to go on for longer is `run`, which has no limit.
const LONGEST_SECONDS: u64 = 86_400;
const SETUP_SECONDS: u64 = 600;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum ScriptKind {
    /// After a clone was made.
    Setup,
    /// When a person wants it.
    Run,
    /// Before a chat goes to the trash.
    Archive,
}

impl ScriptKind {
    pub const ALL: [ScriptKind; 3] = [ScriptKind::Setup, ScriptKind::Run, ScriptKind::Archive];

    pub fn word(self) -> &'static str {
        match self {
            ScriptKind::Setup => "setup",
            ScriptKind::Run => "run",
            ScriptKind::Archive => "archive",
        }
    }

    /// What a person does who wants a project of this chat to have one.
    pub fn where_to_write(self, chat: &str) -> String {
        let word = self.word();
        format!(
            "write `{word} = \"COMMAND\"` in .parlour/project.toml of the repository, or in your own file \
             (`parlour script list {chat}` says where it is)"
        )
    }
}

/// Who wrote a command: it decides whether it is run unasked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScriptAuthor {
    /// The person, in the home.
    Person,
    Repository,
}

/// One `project.toml`, as it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProjectFile {
    pub commands: BTreeMap<ScriptKind, String>,
    pub env: BTreeMap<String, String>,
    pub timeout_seconds: Option<u64>,
}

/// Why a `project.toml` is not used, and where in it that stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    pub at: (usize, usize),
    pub why: String,
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (line, column) = self.at;
        write!(f, "line {line}, column {column}: {}", visible(&self.why))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    setup: Option<Spanned<String>>,
    run: Option<Spanned<String>>,
    archive: Option<Spanned<String>>,
    #[serde(default)]
    env: BTreeMap<Spanned<String>, String>,
    timeout_seconds: Option<Spanned<u64>>,
}

impl ProjectFile {
    pub fn parse(text: &str) -> Result<ProjectFile, Broken> {
        let broken = |offset: usize, why: String| Broken {
            at: place(text, offset),
            why,
        };
        let written: Written = toml::from_str(text)
            .map_err(|error| broken(error.span().map_or(0, |span| span.start), error.message().to_string()))?;
        let mut file = ProjectFile::default();
        let commands = [written.setup, written.run, written.archive];
        for (kind, command) in ScriptKind::ALL.into_iter().zip(commands) {
            let Some(command) = command else { continue };
            let at = command.span().start;
            let command = command.into_inner();
            if command.trim().is_empty() {
                return Err(broken(at, format!("{} is empty; leave it out", kind.word())));
            }
            if command.len() > LONGEST_COMMAND || command.contains('\0') {
                let why = format!("{} is longer than 8 KB, or holds a NUL; call a script", kind.word());
                return Err(broken(at, why));
            }
            file.commands.insert(kind, command);
        }
        for (name, value) in written.env {
            let at = name.span().start;
            let name = name.into_inner();
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if name.is_empty() || !name.chars().all(plain) || name.starts_with("PARLOUR_") || value.contains('\0') {
                let why = format!("env.{name}: names are of letters, digits and _, and none of parlour's own");
                return Err(broken(at, why));
            }
            file.env.insert(name, value);
        }
        if let Some(seconds) = written.timeout_seconds {
            let at = seconds.span().start;
            let seconds = seconds.into_inner();
            if !(1..=LONGEST_SECONDS).contains(&seconds) {
                return Err(broken(at, format!("timeout_seconds is from 1 to {LONGEST_SECONDS}")));
            }
            file.timeout_seconds = Some(seconds);
        }
        Ok(file)
    }
}

/// Line and column, from 1.
fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(offset)];
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    (line, column)
}

/// A command as it would run now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    pub kind: ScriptKind,
    pub command: String,
    /// What it is started with beside the person's environment and parlour's own variables.
    pub env: BTreeMap<String, String>,
    pub author: ScriptAuthor,
    /// A person wrote it, or approved it as it is.
    pub approved: bool,
    pub seconds: u64,
    /// The seconds, where the repository says them.
    pub limit: Option<u64>,
}

/// What both files together say: the home's goes before the repository's, key by key.
pub fn scripts(home: &ProjectFile, repository: &ProjectFile) -> Vec<Script> {
    let find = |kind: ScriptKind| {
        let own = home.commands.get(&kind).map(|command| (command, ScriptAuthor::Person));
        let theirs = || {
            repository
                .commands
                .get(&kind)
                .map(|command| (command, ScriptAuthor::Repository))
        };
        let (command, author) = own.or_else(theirs)?;
        // A variable can start a program as well as a command can: theirs come with their own commands alone.
        let mut env = match author {
            ScriptAuthor::Person => BTreeMap::new(),
            ScriptAuthor::Repository => repository.env.clone(),
        };
        env.extend(home.env.clone());
        // So does their limit, which is of a setup.
        let theirs = repository
            .timeout_seconds
            .filter(|_| author == ScriptAuthor::Repository && kind == ScriptKind::Setup);
        let limit = theirs.filter(|_| home.timeout_seconds.is_none());
        let seconds = home.timeout_seconds.or(limit);
        Some(Script {
            kind,
            command: command.clone(),
            env,
            author,
            approved: author == ScriptAuthor::Person,
            seconds: seconds.unwrap_or(SETUP_SECONDS),
            limit,
        })
    };
    ScriptKind::ALL.into_iter().filter_map(find).collect()
}

impl Script {
    /// All that a person agrees to: one value for one text of command and environment, and for a limit of theirs.
    pub fn definition(&self) -> String {
        let mut agreed = json!({"command": self.command, "env": self.env});
        if let Some(limit) = self.limit {
            agreed["timeout_seconds"] = limit.into();
        }
        agreed.to_string()
    }

    /// The same for a person to read, with nothing in it hidden.
    pub fn spelled_out(&self) -> Vec<String> {
        let command = self.command.trim_end_matches('\n').split('\n').map(visible);
        let env = self
            .env
            .iter()
            .map(|(name, value)| format!("with {name}={}", visible(value)));
        let limit = self.limit.map(|limit| format!("for {limit} s at most"));
        command.chain(env).chain(limit).collect()
    }

    /// As the shell page has it.
    pub fn json(&self) -> Value {
        json!({
            "kind": self.kind,
            "command": self.command,
            "env": self.env,
            "author": self.author,
            "approved": self.approved,
            "shown": self.spelled_out(),
            "definition": self.definition(),
        })
    }
}

/// Which script of a chat is meant; without a project, that of the first which has one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    pub kind: ScriptKind,
    #[serde(default)]
    pub project: Option<String>,
}

impl Order {
    pub fn doing(&self) -> String {
        format!("running {}", self.called())
    }

    /// `setup of grove`
    pub fn called(&self) -> String {
        match &self.project {
            Some(project) => format!("{} of {}", self.kind.word(), visible(project)),
            None => self.kind.word().into(),
        }
    }
}

/// What a shell asks about the scripts of a chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum ScriptAsk {
    List,
    /// As a person has read it, and nothing else.
    Approve {
        order: Order,
        definition: String,
    },
    /// Starts one that does not run.
    Start {
        order: Order,
        #[serde(default)]
        env: BTreeMap<String, String>,
    },
    Stop {
        order: Order,
    },
}

/// How one came to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScriptEnding {
    /// The project has none of this kind.
    Absent,
    /// It comes from the repository, and no person approved it as it is.
    Unapproved(Box<Proposal>),
    Exited(i32),
    Killed(i32),
    Late(u64),
    Stopped,
    NotStarted(String),
}

impl ScriptEnding {
    /// What is said of it where it did not end well.
    pub fn trouble(&self) -> Option<String> {
        match self {
            ScriptEnding::Exited(0) | ScriptEnding::Stopped | ScriptEnding::Absent => None,
            ScriptEnding::Unapproved(_) => Some("waits for a person's approval".into()),
            ScriptEnding::Exited(code) => Some(format!("exited with {code}")),
            ScriptEnding::Killed(signal) => Some(format!("was killed by signal {signal}")),
            ScriptEnding::Late(seconds) => Some(format!("was stopped after {seconds} s")),
            ScriptEnding::NotStarted(why) => Some(format!("could not be run: {why}")),
        }
    }
}

/// A repository's script that a person is to agree to: all of it, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    pub project: String,
    /// Where the clone came from.
    pub origin: String,
    /// By which its approval is kept: all clones of one project have one, however they were opened.
    pub key: String,
    /// The whole text, with nothing in it hidden.
    pub shown: Vec<String>,
    pub definition: String,
}

impl Proposal {
    /// Whether a person's word about one holds for the other: the same text, of the same project.
    pub fn is_as(&self, other: &Proposal) -> bool {
        (&self.key, &self.definition) == (&other.key, &other.definition)
    }
}

/// A script that has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptEnd {
    pub how: ScriptEnding,
    /// The last lines that it wrote.
    pub last: Vec<String>,
}

/// Where the output of a script lies in the chat's record.
pub fn output_file(kind: ScriptKind, project: &str) -> String {
    format!("outputs/{}-{project}", kind.word())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> ProjectFile {
        ProjectFile::parse(text).unwrap()
    }

    #[test]
    fn the_homes_commands_go_before_the_repositorys_key_by_key() {
        let home = file("run = \"make run\"\ntimeout_seconds = 5\n[env]\nA = \"home\"\n");
        let theirs = "setup = \"npm ci\"\nrun = \"npm start\"\n[env]\nA = \"theirs\"\nLD_PRELOAD = \"./x.so\"\n";
        let all = scripts(&home, &file(theirs));
        let said: Vec<_> = all
            .iter()
            .map(|one| {
                (
                    one.kind.word(),
                    one.command.as_str(),
                    one.approved,
                    one.seconds,
                    one.env.len(),
                )
            })
            .collect();
        assert_eq!(
            said,
            [("setup", "npm ci", false, 5, 2), ("run", "make run", true, 5, 1)]
        );
        assert_eq!(all[0].env["A"], "home");
    }

    #[test]
    fn a_repositorys_limit_holds_for_its_own_commands_and_is_agreed_to() {
        let theirs = |seconds: &str| file(&format!("setup = \"npm ci\"\nrun = \"npm start\"\n{seconds}"));
        let home = file("run = \"make run\"\n");
        let all = scripts(&home, &theirs("timeout_seconds = 7\n"));
        assert_eq!((all[0].seconds, all[1].seconds), (7, SETUP_SECONDS));
        assert_eq!(all[0].spelled_out(), ["npm ci", "for 7 s at most"]);
        let none = scripts(&home, &theirs(""));
        assert_ne!(all[0].definition(), none[0].definition());
        assert_eq!(none[0].definition(), r#"{"command":"npm ci","env":{}}"#);
        let own = scripts(&file("timeout_seconds = 5\n"), &theirs("timeout_seconds = 7\n"));
        assert_eq!((own[0].seconds, own[0].definition()), (5, none[0].definition()));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line_and_column() {
        let table = [
            (
                "setup = \"a\"\nrun = 5\n",
                "line 2, column 7: invalid type: integer `5`, expected a string",
            ),
            ("\nsetup = \" \"\n", "line 2, column 9: setup is empty; leave it out"),
            (
                "timeout_seconds = 0",
                "line 1, column 19: timeout_seconds is from 1 to 86400",
            ),
            (
                "[env]\nPARLOUR_TOKEN = \"x\"\n",
                "line 2, column 1: env.PARLOUR_TOKEN: names are of letters, digits and _, and none of parlour's own",
            ),
        ];
        for (text, expected) in table {
            assert_eq!(ProjectFile::parse(text).unwrap_err().to_string(), expected);
        }
        let unknown = ProjectFile::parse("setup = \"a\"\nsteup = \"b\"").unwrap_err();
        assert_eq!(unknown.at, (2, 1));
        for odd in [
            "setup = ",
            "= 1",
            "[env",
            "\u{feff}",
            "setup = \"\\u0000\"",
            "é = \"\u{202e}",
        ] {
            let _ = ProjectFile::parse(odd);
        }
    }

    #[test]
    fn a_person_reads_all_of_what_runs() {
        let scripts = scripts(
            &ProjectFile::default(),
            &file("setup = \"a\u{202e}b\\u001b\\r\\nrm x\"\n[env]\nK = \"\u{200b}\"\n"),
        );
        assert_eq!(
            scripts[0].spelled_out(),
            ["a\\u{202e}b\\u{1b}\\r", "rm x", "with K=\\u{200b}"]
        );
    }
}
