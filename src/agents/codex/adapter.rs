//! The adapter of Codex CLI: which file of this folder answers what.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use toml_edit::InlineTable;

use super::commands::COMMANDS;
use super::rollout::Rollout;
use super::{composer, earlier, files, hooks, parts, provider, rules, screen, sessions, user_defaults};
use crate::agents::adapter::Env;
use crate::agents::commands::OwnCommand;
use crate::agents::login::LoginPlaces;
use crate::agents::{
    Adapter, AgentAbsence, Fork, HookAnswer, LaunchContext, LookedBack, Parent, Prepared, ReadTranscript, RequestRetry,
    SessionIds, Writes, environment, linked, program,
};
use crate::fs::Dir;
use crate::model::settings::PermissionSettings;
use crate::model::talk::OwnRewind;
use crate::model::{
    Activity, Asks, Capabilities, Composer, HookCall, HookEvent, Installed, Login, Problem, Ready, ResultExt,
};
use crate::term::Screen;

/// The versions that all of this was measured with. Others of the same series are taken to be alike.
const TESTED: &[&str] = &["0.169.0", "0.171.0"];

/// What parlour has tested of it. When it asks and what its sandbox allows are in `given`. Its shared
/// daemon would run agents with the environment, and so the token, of whichever chat started it first. An update would
/// be offered by a dialog ahead of everything else. Its title tells us what it does, so it is the one that we know.
const FIXED: &[&str] = &[
    "--no-daemon",
    "--dangerously-bypass-hook-trust",
    "-c",
    "check_for_update_on_startup=false",
    "-c",
    "tui.terminal_title=[\"activity\",\"project-name\"]",
];

/// Of its directory, what it writes of its sessions; nothing of it is run.
const KEEPS: [&str; 5] = [
    "sessions",
    "archived_sessions",
    "log",
    "memories",
    "thread-writer-locks",
];
const KEEPS_IN_FILES: [&str; 5] = [
    "history.jsonl",
    "auth.json",
    "models_cache.json",
    "version.json",
    INSTALLATION,
];

/// It makes this at its first start, and does not start where it cannot open it to write.
const INSTALLATION: &str = "installation_id";

/// The adapter of Codex CLI.
pub struct Codex;

impl Adapter for Codex {
    fn name(&self) -> &str {
        "codex"
    }

    fn title(&self) -> &str {
        "Codex CLI"
    }

    fn detect(&self, search_path: &OsStr) -> Result<Installed, AgentAbsence> {
        let program = program::found("codex", search_path)?;
        let version = program::version(&program, search_path);
        let remark = |version: &str| match TESTED.iter().any(|tested| series(tested) == series(version)) {
            true => String::new(),
            false => format!("not tested in this version; {} are", TESTED.join(" and ")),
        };
        version.installed(self, program, named, remark)
    }

    fn program(&self, search_path: &OsStr) -> Result<Option<PathBuf>, Problem> {
        program::installed(self.title(), "codex", search_path).map(Some)
    }

    fn prepare(&self, context: &LaunchContext) -> Result<Prepared, Problem> {
        let program = program::installed(self.title(), "codex", context.search_path())?;
        files::write_record(context)?;
        let mut problems = files::write_chat(context)?;
        let resumes = sessions::transcript(context.session, context.env).is_some();
        let mut args: Vec<String> = FIXED.iter().map(|arg| arg.to_string()).collect();
        let (limits, unheard) = user_defaults::limits(context);
        args.extend(limits);
        problems.extend(unheard);
        args.extend(["-c".into(), trust(context.dir)]);
        if context.sandboxed {
            keep_installation(context)?;
            // What it would make again beside its settings all the time: it finds sessions without it.
            args.extend([
                "-c".into(),
                format!("sqlite_home={}", toml_edit::Value::from(database(context))),
            ]);
        }
        // Else its own sandbox keeps it from writing there.
        for dir in linked::writable(context).filter(|_| !context.sandboxed) {
            args.extend(["--add-dir".into(), dir.into()]);
        }
        if let Some(model) = context.model() {
            args.extend(["-m".into(), model.into()]);
        }
        let parent = context.chat.origin.forked.as_deref();
        // Named, since it asks which one to work in where the session began elsewhere.
        let here = || context.dir.to_string_lossy().into_owned();
        match parent.filter(|parent| sessions::transcript(parent, context.env).is_some()) {
            Some(_) if resumes => args.extend(["-C".into(), here(), "resume".into(), context.session.into()]),
            None if resumes => args.extend(["resume".into(), context.session.into()]),
            Some(parent) => args.extend(["-C".into(), here(), "fork".into(), parent.into()]),
            None => {}
        }
        let launch = context.launch(program, args, environment::for_context(context));
        Ok(Prepared {
            launch,
            resumes,
            problems,
        })
    }

    fn takes_servers(&self) -> bool {
        true
    }

    fn rules_lost(&self, rules: &PermissionSettings) -> Vec<String> {
        rules::lost(rules)
    }

    fn servers_file(&self) -> Option<&'static str> {
        Some(".codex/config.toml")
    }

    /// The fork points to the transcript of its parent, which Codex never removes.
    fn goes_back(&self) -> bool {
        true
    }

    fn fork(&self, parent: &Parent) -> Result<Fork, Problem> {
        if let Some(before) = parent.before {
            return earlier::copy(parent, before);
        }
        Ok(match sessions::transcript(parent.session, parent.env) {
            Some(_) => Fork::Ready,
            None => Fork::Empty,
        })
    }

    fn look_back(&self, parent: &Parent) -> Result<LookedBack, Problem> {
        earlier::find(parent).map(|()| LookedBack::Talk)
    }

    fn login(&self, env: &Env) -> Login {
        let places = LoginPlaces {
            keys: &["OPENAI_API_KEY", "CODEX_API_KEY"],
            others: &["OPENAI_BASE_URL"],
            dir: ("CODEX_HOME", ".codex"),
            file: "auth.json",
        };
        match places.look(env) {
            Login::Missing => provider::login(env, places.dir(env)).unwrap_or(Login::Missing),
            found => found,
        }
    }

    fn login_arguments(&self) -> Option<&'static [&'static str]> {
        Some(&["login"])
    }

    fn tested(&self) -> &'static [&'static str] {
        TESTED
    }

    fn commands(&self) -> &'static [OwnCommand] {
        COMMANDS
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            ready: Ready::Composer,
            confirms: true,
            transcribes: true,
            streams_words: false,
            queues: true,
            retells: true,
            shows_retries: true,
            asks_on_screen: false,
            awaits_mcp: true,
            interrupt: b"\x1b".to_vec(),
            asks: Asks::Keys {
                yes: b"y".to_vec(),
                no: b"\x1b".to_vec(),
                begins: "Would you like to".into(),
                shows: None,
                by_rule: false,
                tells_end: false,
                by_server: false,
            },
            steady: false,
            settle_ms: 500,
            shown_ms: Some(50),
            drops_blanks: false,
        }
    }

    fn session_ids(&self) -> SessionIds {
        SessionIds::Learned
    }

    fn tool_timeout(&self) -> Duration {
        files::TOOL_TIMEOUT
    }

    /// Not its settings, hooks and rules, nor `tmp`, whose programs are on the PATH of what its sessions run.
    fn writes(&self, env: &Env) -> Writes {
        let dir = sessions::home(env);
        Writes {
            dirs: KEEPS.iter().map(|name| dir.join(name)).collect(),
            files: KEEPS_IN_FILES.iter().map(|name| dir.join(name)).collect(),
            made: Vec::new(),
            locks: Vec::new(),
        }
    }

    fn hook(&self, call: &HookCall) -> Vec<HookEvent> {
        hooks::events(call)
    }

    fn hook_answer(&self, event: &str, answer: &HookAnswer) -> Value {
        hooks::answer(event, answer)
    }

    fn transcript(&self, call: &HookCall, env: &Env) -> Option<PathBuf> {
        // A sub-agent has a transcript of its own; here it would be taken for the agent's.
        let of_agent = call.payload["agent_id"].is_null();
        let named = Path::new(call.payload["transcript_path"].as_str()?);
        let session = call.payload["session_id"].as_str()?;
        (of_agent && sessions::is_rollout(named, session, env)).then(|| named.to_path_buf())
    }

    fn sub_agent_folders(&self, transcript: &Path) -> Vec<PathBuf> {
        sessions::sub_agent_folders(transcript)
    }

    fn sub_agent(&self, transcript: &Path, file: &Path) -> Option<String> {
        sessions::sub_agent(transcript, file)
    }

    /// No hook fires when it resumes, until its first prompt: what it has of those before is read ahead of that.
    fn own_transcripts(&self, _dir: &Path, session: &str, env: &Env) -> Vec<PathBuf> {
        sessions::transcripts(session, env)
    }

    fn went_back(&self, transcript: &Path) -> Option<OwnRewind> {
        parts::went_back(transcript)
    }

    fn transcript_reader(&self) -> Box<dyn ReadTranscript> {
        Box::new(Rollout::default())
    }

    fn read_title(&self, title: &str) -> Option<Activity> {
        screen::read_title(title)
    }

    fn read_screen(&self, text: &str) -> Option<Activity> {
        screen::read(text)
    }

    fn read_retry(&self, text: &str) -> Option<RequestRetry> {
        screen::read_retry(text)
    }

    fn read_composer(&self, screen: &Screen) -> Option<Composer> {
        Some(composer::read(screen))
    }
}

/// The version in what it says of itself.
fn named(said: &str) -> Option<&str> {
    said.lines().find_map(|line| line.strip_prefix("codex-cli "))
}

/// The setting that says that a person trusts this directory: without it the files there are ignored, and a dialog asks.
/// As an argument, it holds for this one start.
fn trust(dir: &Path) -> String {
    let trusted = InlineTable::from_iter([("trust_level", "trusted")]);
    let real = dir.canonicalize().unwrap_or_else(|_| dir.to_path_buf());
    let dirs = [dir, &real].map(|dir| (dir.to_string_lossy().into_owned(), trusted.clone()));
    format!("projects={}", InlineTable::from_iter(dirs))
}

/// It fills the file itself.
fn keep_installation(context: &LaunchContext) -> Result<(), Problem> {
    let home = Dir::open_or_create(sessions::home(context.env))
        .doing_or("starting Codex CLI", "is its directory writable?")?;
    match home
        .metadata(INSTALLATION)
        .doing_or("starting Codex CLI", "is its directory writable?")?
    {
        Some(_) => Ok(()),
        None => home
            .write_atomic(INSTALLATION, "")
            .doing_or("starting Codex CLI", "is its directory writable?"),
    }
}

/// Where a sandboxed one keeps its database.
fn database(context: &LaunchContext) -> String {
    context.dir.join(".codex/state").to_string_lossy().into_owned()
}

/// `0.171` of 0.171.0.
fn series(version: &str) -> &str {
    version.rsplit_once('.').map_or(version, |(series, _)| series)
}
