//! The adapter of the demo agent: it speaks Claude Code's hooks and is started as parlour itself.

use std::ffi::OsStr;
use std::fs::File;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use uuid::Uuid;

use super::talk::DemoSaid;
use crate::agents::claude::{hooks, read_title};
use crate::agents::{
    Adapter, AgentAbsence, Fork, HookAnswer, LaunchContext, LookedBack, Parent, Prepared, ReadTranscript, SessionIds,
    cut, environment, hook_command, merge,
};
use crate::fs::{Dir, DirEntryKind};
use crate::model::entry::From;
use crate::model::{
    Activity, Asks, Capabilities, Happened, HookCall, HookEvent, Installed, Login, Problem, Ready, Reported, ResultExt,
};

/// In the chat's record.
const TRANSCRIPT: &str = "demo.jsonl";

/// That of a session that ends before an earlier prompt of another one.
fn own_transcript(session: &str) -> String {
    format!("demo-{session}.jsonl")
}

/// Finds prompts in its transcript; what else happens its hooks tell.
struct DemoTranscript;

impl ReadTranscript for DemoTranscript {
    fn line(&mut self, line: &str) -> Vec<Reported> {
        let Ok(DemoSaid::Prompt { text, id }) = serde_json::from_str(line) else {
            return Vec::new();
        };
        let what = Happened::Prompt {
            id,
            text,
            from: From::Person,
            sender: None,
            checkpoint: None,
            key: String::new(),
            steer: false,
        };
        vec![Reported { at: None, what }]
    }
}

/// The adapter of the demo agent.
pub struct DemoAdapter;

/// The hook by which it tells of an interrupt, which Claude Code has none for.
pub(super) const INTERRUPT: &str = "Interrupt";

impl Adapter for DemoAdapter {
    fn name(&self) -> &str {
        "demo"
    }

    fn title(&self) -> &str {
        "Demo agent"
    }

    fn detect(&self, _search_path: &OsStr) -> Result<Installed, AgentAbsence> {
        Ok(Installed {
            llm: self.name().into(),
            title: self.title().into(),
            program: std::env::current_exe().map_err(|_| AgentAbsence::NotFound)?,
            version: Some(env!("CARGO_PKG_VERSION").into()),
            remark: "scripted, no model behind it".into(),
            login: Login::Unknown,
        })
    }

    fn prepare(&self, context: &LaunchContext) -> Result<Prepared, Problem> {
        let record = Dir::open(context.record).doing("preparing the demo agent")?;
        hook_command::write_token(&record, context)?;
        let own = own_transcript(context.session);
        let has = |name: &str| record.metadata(name).is_ok_and(|found| found.is_some());
        let transcript = Path::new(if has(&own) { own.as_str() } else { TRANSCRIPT });
        let found = record
            .metadata(transcript)
            .map_err(|e| merge::refused(TRANSCRIPT, &e))?;
        let resumes = found.is_some_and(|meta| meta.kind == DirEntryKind::File);
        let flag = match resumes {
            true => "--resume",
            false => "--session-id",
        };
        let token_file = hook_command::token_file(context).to_string_lossy().into_owned();
        let args = ["demo-agent", flag, context.session, "--hook-token-file", &token_file];
        let mut env = environment::for_context(context);
        let transcript = context.record.join(transcript);
        env.insert(
            "PARLOUR_DEMO_TRANSCRIPT".into(),
            transcript.to_string_lossy().into_owned(),
        );
        let launch = context.launch(context.parlour.into(), args.map(String::from).into(), env);
        Ok(Prepared {
            launch,
            resumes,
            problems: Vec::new(),
        })
    }

    fn goes_back(&self) -> bool {
        true
    }

    fn fork(&self, parent: &Parent) -> Result<Fork, Problem> {
        let Some(transcript) = talk(parent)? else {
            return Ok(Fork::Empty);
        };
        let Some(before) = parent.before else {
            return parent.hand_down(&transcript, TRANSCRIPT).map(|()| Fork::Ready);
        };
        let mut lines = cut::lines_of(&transcript)?;
        lines.truncate(cut::line_of(Box::new(DemoTranscript), &lines, before)?);
        let session = Uuid::new_v4().to_string();
        parent.hand_down_lines(&lines, &own_transcript(&session))?;
        Ok(Fork::Session(session))
    }

    fn look_back(&self, parent: &Parent) -> Result<LookedBack, Problem> {
        let (Some(transcript), Some(before)) = (talk(parent)?, parent.before) else {
            return Ok(LookedBack::Nothing);
        };
        cut::line_of(Box::new(DemoTranscript), &cut::lines_of(&transcript)?, before).map(|_| LookedBack::Talk)
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            ready: Ready::Hooks,
            confirms: true,
            transcribes: false,
            streams_words: false,
            queues: false,
            retells: false,
            shows_retries: false,
            asks_on_screen: false,
            awaits_mcp: true,
            interrupt: b"\x1b".to_vec(),
            asks: Asks::Hook,
            steady: false,
            settle_ms: 50,
            shown_ms: None,
            drops_blanks: false,
        }
    }

    fn session_ids(&self) -> SessionIds {
        SessionIds::Assigned
    }

    fn hook(&self, call: &HookCall) -> Vec<HookEvent> {
        if call.event == INTERRUPT {
            return vec![HookEvent::Interrupted];
        }
        last_words(call).into_iter().chain(hooks::events(call)).collect()
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

    fn read_title(&self, title: &str) -> Option<Activity> {
        read_title(title)
    }
}

/// The transcript of a conversation that is to be copied.
fn talk(parent: &Parent) -> Result<Option<File>, Problem> {
    let record = Dir::open(parent.record).map_err(|e| merge::refused(TRANSCRIPT, &e))?;
    let open = |name: &str| record.open_file(name).map_err(|e| merge::refused(name, &e));
    let own = open(&own_transcript(parent.session))?;
    own.map_or_else(|| open(TRANSCRIPT), |own| Ok(Some(own)))
}

/// What it said at the end of a turn. Its transcript is not read: it has hooks for all else.
fn last_words(call: &HookCall) -> Option<HookEvent> {
    let text = call.payload["last_assistant_message"].as_str()?;
    let prompt = call.payload["prompt_id"].as_str()?;
    (call.event == "Stop" && !text.trim().is_empty()).then(|| HookEvent::Said {
        id: format!("end-of-{prompt}"),
        text: text.into(),
    })
}
