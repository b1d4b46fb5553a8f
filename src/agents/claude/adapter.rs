//! The adapter of Claude Code: which file of this folder answers what.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use super::transcript::Transcript;
use super::{files, hooks, screen, trust};
use crate::agents::adapter::Env;
use crate::agents::{
    Adapter, Answer, Prepared, ReadTranscript, Seat, SessionFile, SessionIds, Trust, environment, program,
};
use crate::fs::{Dir, Kind};
use crate::model::{Activity, Asks, HookCall, HookEvent, Installed, Launch, Manners, Problem, Ready, Settings};

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
    fn detect(&self, search_path: &OsStr) -> Option<Installed> {
        let program = program::on_path("claude", search_path)?;
        let said = program::version_output(&program, search_path)?;
        let version = said.strip_suffix("(Claude Code)")?.trim();
        Some(Installed {
            llm: self.name().into(),
            title: self.title().into(),
            program,
            version: Some(version.into()),
            remark: String::new(),
        })
    }

    fn prepare(&self, seat: &Seat) -> Result<Prepared, Problem> {
        let search_path = seat.env.get("PATH").map_or("", String::as_str);
        let program = program::on_path("claude", search_path.as_ref()).ok_or_else(|| {
            let hint = "install it, or start parlour from a shell that finds it";
            Problem::new("starting Claude Code", "there is no `claude` on your PATH", hint)
        })?;
        let settings = files::write_record(seat)?;
        let problems = files::write_chat(seat)?;
        let resumes = has_transcript(seat.session, seat.env);
        let flag = match resumes {
            true => "--resume",
            false => "--session-id",
        };
        let args = vec![
            "--settings".into(),
            settings.to_string_lossy().into_owned(),
            flag.into(),
            seat.session.into(),
        ];
        let launch = Launch {
            program,
            args,
            env: environment::for_seat(seat),
            cwd: seat.dir.into(),
        };
        Ok(Prepared {
            launch,
            resumes,
            problems,
        })
    }

    /// Measured: half a second between text and Enter brought 8 of 8 prompts in right after a start; a first prompt
    /// before MCP is connected meets "No such tool".
    fn manners(&self) -> Manners {
        Manners {
            ready: Ready::Hooks,
            confirms: true,
            queues: true,
            awaits_mcp: true,
            interrupt: b"\x1b".to_vec(),
            asks: Asks::Hook,
            settle_ms: 500,
        }
    }

    fn session_ids(&self) -> SessionIds {
        SessionIds::Assigned
    }

    fn takes_servers(&self) -> bool {
        true
    }

    fn tool_timeout(&self) -> Duration {
        files::TOOL_TIMEOUT
    }

    fn trust(&self, chats: &Path, env: &Env, settings: &Settings) -> Result<Trust, Problem> {
        let consent = settings.trust.get(self.name()).copied();
        trust::settle(&trust::state_file(env), chats, consent)
    }

    fn hook(&self, call: &HookCall) -> Vec<HookEvent> {
        hooks::events(call)
    }

    fn hook_answer(&self, event: &str, answer: &Answer) -> Value {
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
        Box::new(Transcript::default())
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
}

/// `~/.claude`, or where the person moved it.
fn config_dir(env: &Env) -> PathBuf {
    match env.get("CLAUDE_CONFIG_DIR").filter(|dir| !dir.is_empty()) {
        Some(dir) => PathBuf::from(dir),
        None => trust::home(env).join(".claude"),
    }
}

/// No transcript exists until a prompt was sent, and resuming without one ends the CLI. Under which name the CLI
/// keeps a directory's transcripts is its own affair, so all are looked through.
fn has_transcript(session: &str, env: &Env) -> bool {
    if !is_session_id(session) {
        return false;
    }
    let Ok(projects) = Dir::open(config_dir(env).join("projects")) else {
        return false;
    };
    let file = format!("{session}.jsonl");
    projects.entries(".").unwrap_or_default().iter().any(|entry| {
        entry.kind == Kind::Dir
            && projects
                .metadata(Path::new(&entry.name).join(&file))
                .is_ok_and(|found| found.is_some_and(|meta| meta.kind == Kind::File))
    })
}

fn is_session_id(text: &str) -> bool {
    uuid::Uuid::try_parse(text).is_ok() && text.len() == 36
}
