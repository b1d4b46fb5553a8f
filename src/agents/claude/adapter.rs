//! The adapter of Claude Code: which file of this folder answers what.

use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use super::commands::COMMANDS;
use super::earlier::begins_with;
use super::rewinds::BranchedTranscript;
use super::sessions::{self, Kept, config_dir, is_session_id};
use super::transcript::ClaudeTranscript;
use super::{composer, earlier, files, hooks, screen, trust};
use crate::agents::adapter::Env;
use crate::agents::commands::OwnCommand;
use crate::agents::login::LoginPlaces;
use crate::agents::{
    Adapter, AgentAbsence, Fork, HookAnswer, KeptOutputs, LaunchContext, LookedBack, Parent, Prepared, ReadTranscript,
    RequestRetry, SessionFile, SessionIds, Trust, Writes, environment, program,
};
use crate::fs::Dir;
use crate::model::{
    Activity, Asks, Capabilities, Composer, HookCall, HookEvent, Installed, Login, Problem, Ready, Settings,
};
use crate::term::Screen;

/// In the record of a duplicate: the transcript of the chat it was made of.
const FORKED: &str = "forked.jsonl";

/// Of its directory, what it writes of its sessions; nothing of it is run.
const KEEPS: [&str; 9] = [
    "projects",
    "sessions",
    "todos",
    "tasks",
    "plans",
    "file-history",
    "paste-cache",
    "telemetry",
    "debug",
];
/// It makes a directory in there before it calls a hook. Its Bash runs the files that hooks leave in it.
const HOOKS_ENVIRONMENT: &str = "session-env";
const KEEPS_IN_FILES: [&str; 3] = ["history.jsonl", ".credentials.json", "stats-cache.json"];

/// Measured: what was said is in the transcript within 100 ms.
const REST: Duration = Duration::from_millis(300);
const MOST_RESTS: usize = 5;

/// The adapter of Claude Code.
pub struct Claude;

impl Adapter for Claude {
    fn name(&self) -> &str {
        "claude"
    }

    fn title(&self) -> &str {
        "Claude Code"
    }

    /// The npm package without its platform half leaves a `claude` on the PATH that only prints instructions, so the
    /// program must name itself.
    fn detect(&self, search_path: &OsStr) -> Result<Installed, AgentAbsence> {
        let program = program::found("claude", search_path)?;
        let version = program::version(&program, search_path);
        version.installed(
            self,
            program,
            |said| said.strip_suffix("(Claude Code)"),
            |_| String::new(),
        )
    }

    fn program(&self, search_path: &OsStr) -> Result<Option<PathBuf>, Problem> {
        program::installed(self.title(), "claude", search_path).map(Some)
    }

    fn prepare(&self, context: &LaunchContext) -> Result<Prepared, Problem> {
        let program = program::installed(self.title(), "claude", context.search_path())?;
        let settings = files::write_record(context)?;
        let problems = files::write_chat(context)?;
        let kept = sessions::kept(context.session, context.dir, context.env);
        let mut args = vec!["--settings".into(), settings.to_string_lossy().into_owned()];
        if let Some(role) = files::write_role(context)? {
            args.extend([
                "--append-system-prompt-file".into(),
                role.to_string_lossy().into_owned(),
            ]);
        }
        if let Some(model) = context.model() {
            args.extend(["--model".into(), model.into()]);
        }
        let id = ["--session-id".to_string(), context.session.into()];
        // One whose id is taken and that cannot be resumed gets an id of the CLI's, which its hooks tell.
        let id = (kept == Kept::Nothing).then_some(id).into_iter().flatten();
        let resumes = matches!(kept, Kept::Talk | Kept::Elsewhere(_));
        match (kept, forked(context)) {
            (Kept::Talk, _) => args.extend(["--resume".into(), context.session.into()]),
            (Kept::Elsewhere(transcript), _) => {
                args.extend(["--resume".into(), transcript.to_string_lossy().into_owned()]);
            }
            (Kept::Nothing | Kept::Shell, None) => args.extend(id),
            (Kept::Nothing | Kept::Shell, Some(transcript)) => {
                let transcript = transcript.to_string_lossy().into_owned();
                args.extend(["--resume".into(), transcript, "--fork-session".into()]);
                args.extend(id);
            }
        }
        let launch = context.launch(program, args, environment::for_context(context));
        Ok(Prepared {
            launch,
            resumes,
            problems,
        })
    }

    fn takes_role(&self) -> bool {
        true
    }

    /// A session is found by its id only from the directory that it ran in, but by its file from any. A copy, since the
    /// original goes on.
    fn goes_back(&self) -> bool {
        true
    }

    fn look_back(&self, parent: &Parent) -> Result<LookedBack, Problem> {
        match (talk(parent), parent.before) {
            (Some(transcript), Some(before)) => earlier::look(&transcript, before),
            (None, _) => Ok(LookedBack::Nothing),
            (_, None) => Ok(LookedBack::Talk),
        }
    }

    fn fork(&self, parent: &Parent) -> Result<Fork, Problem> {
        let Some(transcript) = talk(parent) else {
            return Ok(Fork::Empty);
        };
        let_it_be_written(&transcript);
        if let Some(before) = parent.before {
            return earlier::copy(parent, &transcript, before);
        }
        parent.hand_down(&transcript, FORKED)?;
        Ok(Fork::Ready)
    }

    fn login(&self, env: &Env) -> Login {
        let places = LoginPlaces {
            keys: &["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
            others: &[
                "CLAUDE_CODE_USE_BEDROCK",
                "CLAUDE_CODE_USE_VERTEX",
                "ANTHROPIC_BASE_URL",
            ],
            dir: ("CLAUDE_CONFIG_DIR", ".claude"),
            file: ".credentials.json",
        };
        places.look(env)
    }

    fn login_arguments(&self) -> Option<&'static [&'static str]> {
        Some(&["auth", "login"])
    }

    fn tested(&self) -> &'static [&'static str] {
        &["2.1.197", "2.1.332"]
    }

    fn commands(&self) -> &'static [OwnCommand] {
        COMMANDS
    }

    /// Measured: half a second between text and Enter brought 8 of 8 prompts in right after a start; a first prompt
    /// before MCP is connected meets "No such tool".
    fn capabilities(&self) -> Capabilities {
        Capabilities {
            ready: Ready::Hooks,
            confirms: true,
            transcribes: true,
            streams_words: false,
            queues: true,
            retells: true,
            shows_retries: true,
            asks_on_screen: false,
            awaits_mcp: true,
            interrupt: b"\x1b".to_vec(),
            asks: Asks::Hook,
            steady: false,
            settle_ms: 500,
            shown_ms: Some(50),
            drops_blanks: false,
        }
    }

    fn session_ids(&self) -> SessionIds {
        SessionIds::Assigned
    }

    fn takes_servers(&self) -> bool {
        true
    }

    fn servers_file(&self) -> Option<&'static str> {
        Some(".mcp.json")
    }

    fn tool_timeout(&self) -> Duration {
        files::TOOL_TIMEOUT
    }

    fn trust(&self, chats: &Path, env: &Env, settings: &Settings) -> Result<Trust, Problem> {
        let consent = settings.trust.get(self.name()).copied();
        trust::settle(&trust::state_file(env), chats, consent)
    }

    /// Neither its state nor its settings, which name servers and hooks that are run, nor the snapshots of shells that its
    /// Bash reads: it does without writing them.
    fn writes(&self, env: &Env) -> Writes {
        let dir = config_dir(env);
        Writes {
            dirs: KEEPS.iter().map(|name| dir.join(name)).collect(),
            files: KEEPS_IN_FILES.iter().map(|name| dir.join(name)).collect(),
            made: vec![dir.join(HOOKS_ENVIRONMENT)],
            locks: vec![dir.join(HOOKS_ENVIRONMENT)],
        }
    }

    /// `projects/SLUG/SESSION.jsonl` has its outputs in `projects/SLUG/SESSION/tool-results`.
    fn kept_outputs(&self, transcript: &Path) -> Option<KeptOutputs> {
        let projects = transcript.parent()?.parent()?;
        KeptOutputs::beside(projects, &transcript.with_extension("").join("tool-results"))
    }

    fn hook(&self, call: &HookCall) -> Vec<HookEvent> {
        hooks::events(call)
    }

    fn hook_answer(&self, event: &str, answer: &HookAnswer) -> Value {
        hooks::answer(event, answer)
    }

    fn hook_patience(&self, event: &str) -> Duration {
        hooks::patience(event)
    }

    fn silent_answer(&self, event: &str) -> Value {
        hooks::silent_answer(event)
    }

    fn transcript(&self, call: &HookCall, env: &Env) -> Option<PathBuf> {
        let named = Path::new(call.payload["transcript_path"].as_str()?);
        let session = call.payload["session_id"].as_str()?;
        let slug = named.parent()?;
        let in_place = slug.parent()? == config_dir(env).join("projects")
            && slug.file_name().is_some()
            && named.file_name()? == OsStr::new(&format!("{session}.jsonl"));
        (in_place && is_session_id(session)).then(|| named.to_path_buf())
    }

    fn transcript_reader(&self) -> Box<dyn ReadTranscript> {
        Box::new(BranchedTranscript::default())
    }

    fn sub_agent_folders(&self, transcript: &Path) -> Vec<PathBuf> {
        vec![transcript.with_extension("").join("subagents")]
    }

    fn sub_agent(&self, _transcript: &Path, file: &Path) -> Option<String> {
        let name = file.file_name()?.to_str()?;
        let id = name.strip_prefix("agent-")?.strip_suffix(".jsonl")?;
        Some(id.into())
    }

    fn sub_agent_reader(&self) -> Box<dyn ReadTranscript> {
        Box::new(ClaudeTranscript::of_sub_agent())
    }

    fn session_file(&self, pid: u32, env: &Env) -> Option<PathBuf> {
        Some(config_dir(env).join("sessions").join(format!("{pid}.json")))
    }

    fn read_session_file(&self, bytes: &[u8]) -> Option<SessionFile> {
        screen::read_session_file(bytes)
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

/// The end of a turn is told by hooks before it is in the transcript, so it is waited for until the file rests: not for
/// long, since an agent at work writes on and on.
fn let_it_be_written(transcript: &File) {
    let length = || transcript.metadata().map_or(0, |meta| meta.len());
    for _ in 0..MOST_RESTS {
        let before = length();
        std::thread::sleep(REST);
        if length() == before {
            return;
        }
    }
}

/// The transcript of a conversation that is to be copied.
fn talk(parent: &Parent) -> Option<File> {
    let own = sessions::talk(parent.session, parent.env);
    let begins = begins_with(parent.session);
    let kept = |name: &str| Dir::open(parent.record).ok()?.open_file(name).ok()?;
    own.or_else(|| kept(&begins)).or_else(|| kept(FORKED))
}

/// What the conversation of another chat was when this one was made of it, or its own before it went back.
fn forked(context: &LaunchContext) -> Option<PathBuf> {
    let begins = Some(context.record.join(begins_with(context.session)));
    let duplicated = || context.chat.origin.forked.as_ref().map(|_| context.record.join(FORKED));
    let is_there = |copy: &PathBuf| copy.is_file();
    begins.filter(is_there).or_else(|| duplicated().filter(is_there))
}
