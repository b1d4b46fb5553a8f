//! The adapter of Gemini CLI: which file of this folder answers what.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use super::commands::COMMANDS;
use super::sessions::{self, Kept};
use super::transcript::GeminiTranscript;
use super::{composer, earlier, files, hooks, registry, rules, screen, trusted};
use crate::agents::adapter::Env;
use crate::agents::commands::OwnCommand;
use crate::agents::login::LoginPlaces;
use crate::agents::{
    Adapter, AgentAbsence, Fork, HookAnswer, KeptOutputs, LaunchContext, LookedBack, Parent, Prepared, ReadTranscript,
    SessionIds, Writes, environment, linked, program,
};
use crate::model::chat::Directory;
use crate::model::settings::PermissionSettings;
use crate::model::{
    Activity, Asks, Capabilities, Composer, HookCall, HookEvent, Installed, Login, Problem, Ready, Source,
};
use crate::term::Screen;

/// What this folder was measured with.
const TESTED: &str = "0.61";

/// Without it the files in the chat's directory are not read: no tools, no hooks, and a dialog.
const TRUSTS: &str = "GEMINI_CLI_TRUST_WORKSPACE";

/// The adapter of Gemini CLI.
pub struct Gemini;

/// Of its directory, what it writes of its sessions and its login; nothing of it is run.
const KEEPS: [&str; 2] = ["tmp", "history"];
const KEEPS_IN_FILES: [&str; 4] = [
    "oauth_creds.json",
    "google_accounts.json",
    "installation_id",
    "state.json",
];

impl Adapter for Gemini {
    fn name(&self) -> &str {
        "gemini"
    }

    fn title(&self) -> &str {
        "Gemini CLI"
    }

    /// Its version is all that it says of itself, so what prints something else is another program.
    fn detect(&self, search_path: &OsStr) -> Result<Installed, AgentAbsence> {
        let program = program::found("gemini", search_path)?;
        let version = program::version(&program, search_path);
        version.installed(
            self,
            program,
            |said| said.lines().last().filter(|line| is_version(line)),
            remark,
        )
    }

    fn program(&self, search_path: &OsStr) -> Result<Option<PathBuf>, Problem> {
        program::installed(self.title(), "gemini", search_path).map(Some)
    }

    fn prepare(&self, context: &LaunchContext) -> Result<Prepared, Problem> {
        let program = program::installed(self.title(), "gemini", context.search_path())?;
        files::write_record(context)?;
        let problems = files::write_chat(context)?;
        sessions::restore(context.session, context.env)?;
        let kept = sessions::kept(context.session, context.env);
        if kept == Kept::Talk {
            registry::follow(context.env, context.dir)?;
        }
        if context.sandboxed {
            registry::enter(context)?;
        }
        let flag = match kept {
            Kept::Talk => Some("--resume"),
            Kept::Nothing => Some("--session-id"),
            // It neither resumes one like this nor begins one of the same id. It makes an id, and its hooks tell it.
            Kept::Shell => None,
        };
        let model = context
            .model()
            .into_iter()
            .flat_map(|model| ["-m".to_string(), model.into()]);
        let session = flag.iter().flat_map(|flag| [flag.to_string(), context.session.into()]);
        // Else no tool for files reaches what the chat links, be it only to read. It takes a comma for the end of a path.
        let opened: Vec<&Directory> = linked::opened(context)
            .filter(|dir| !dir.origin.contains(','))
            .collect();
        let named = opened
            .iter()
            .flat_map(|dir| ["--include-directories".to_string(), dir.origin.clone()]);
        let mut env = environment::for_context(context);
        if let Some(list) = trusted::write(context, &opened)? {
            env.insert(trusted::NAMED_BY.into(), list.to_string_lossy().into_owned());
        }
        env.insert(TRUSTS.into(), "true".into());
        let launch = context.launch(program, named.chain(model).chain(session).collect(), env);
        Ok(Prepared {
            launch,
            resumes: kept == Kept::Talk,
            problems,
        })
    }

    fn takes_servers(&self) -> bool {
        true
    }

    fn goes_back(&self) -> bool {
        true
    }

    fn fork(&self, parent: &Parent) -> Result<Fork, Problem> {
        parent
            .before
            .map_or(Ok(Fork::Impossible), |before| earlier::copy(parent, before))
    }

    fn look_back(&self, parent: &Parent) -> Result<LookedBack, Problem> {
        let found = parent.before.map_or(Ok(()), |before| earlier::find(parent, before));
        found.map(|()| LookedBack::Talk)
    }

    fn rules_lost(&self, rules: &PermissionSettings) -> Vec<String> {
        rules::lost(rules)
    }

    fn servers_file(&self) -> Option<&'static str> {
        Some(".gemini/settings.json")
    }

    fn login(&self, env: &Env) -> Login {
        let places = LoginPlaces {
            keys: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
            others: &["GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA"],
            dir: ("GEMINI_CLI_HOME", ""),
            file: ".gemini/oauth_creds.json",
        };
        places.look(env)
    }

    fn login_arguments(&self) -> Option<&'static [&'static str]> {
        Some(&["--skip-trust", "-i", "/auth"])
    }

    fn tested(&self) -> &'static [&'static str] {
        &["0.61.0"]
    }

    fn commands(&self) -> &'static [OwnCommand] {
        COMMANDS
    }

    /// It shows a prompt that comes while it works, and takes it up at the end of the turn: parlour waits itself.
    fn capabilities(&self) -> Capabilities {
        Capabilities {
            ready: Ready::Hooks,
            confirms: true,
            transcribes: true,
            streams_words: false,
            queues: false,
            retells: false,
            shows_retries: false,
            asks_on_screen: true,
            awaits_mcp: true,
            interrupt: b"\x1b".to_vec(),
            // "Allow once" is chosen when its dialog opens.
            asks: Asks::Keys {
                yes: b"\r".to_vec(),
                no: b"\x1b".to_vec(),
                begins: "│ ? ".into(),
                shows: None,
                by_rule: true,
                tells_end: false,
                by_server: false,
            },
            steady: true,
            settle_ms: 500,
            shown_ms: None,
            drops_blanks: true,
        }
    }

    fn session_ids(&self) -> SessionIds {
        SessionIds::Assigned
    }

    fn tool_timeout(&self) -> Duration {
        files::TOOL_TIMEOUT
    }

    /// Not its settings, hooks and extensions. It locks its list of directories to look into it.
    fn writes(&self, env: &Env) -> Writes {
        let dir = sessions::config_dir(env);
        Writes {
            dirs: KEEPS.iter().map(|name| dir.join(name)).collect(),
            files: KEEPS_IN_FILES.iter().map(|name| dir.join(name)).collect(),
            made: Vec::new(),
            locks: vec![dir],
        }
    }

    /// `tmp/NAME/chats/SESSION.jsonl` has its outputs in `tmp/NAME/tool-outputs`.
    fn kept_outputs(&self, transcript: &Path) -> Option<KeptOutputs> {
        let project = transcript.parent()?.parent()?;
        KeptOutputs::beside(project.parent()?, &project.join("tool-outputs"))
    }

    fn hook(&self, call: &HookCall) -> Vec<HookEvent> {
        hooks::events(call)
    }

    fn hook_answer(&self, event: &str, answer: &HookAnswer) -> Value {
        hooks::answer(event, answer)
    }

    fn silent_answer(&self, event: &str) -> Value {
        hooks::silent_answer(event)
    }

    fn transcript(&self, call: &HookCall, env: &Env) -> Option<PathBuf> {
        let named = Path::new(call.payload["transcript_path"].as_str()?);
        let session = call.payload["session_id"].as_str()?;
        sessions::is_transcript(named, session, env).then(|| named.to_path_buf())
    }

    /// Its first hook names the one that this start has made, where nothing stands yet of what was said before.
    fn own_transcripts(&self, _dir: &Path, session: &str, env: &Env) -> Vec<PathBuf> {
        sessions::transcripts(session, env)
    }

    fn sub_agent_folders(&self, transcript: &Path) -> Vec<PathBuf> {
        sessions::sub_agent_folders(transcript)
    }

    fn sub_agent(&self, _transcript: &Path, file: &Path) -> Option<String> {
        sessions::sub_agent(file)
    }

    fn transcript_reader(&self) -> Box<dyn ReadTranscript> {
        Box::new(GeminiTranscript::default())
    }

    fn sub_agent_reader(&self) -> Box<dyn ReadTranscript> {
        Box::new(GeminiTranscript::of_sub_agent())
    }

    /// It changes with everything the CLI does, and a question has a title of its own.
    fn title_source(&self) -> Source {
        Source::Sign
    }

    fn read_title(&self, title: &str) -> Option<Activity> {
        screen::read_title(title)
    }

    fn read_screen(&self, text: &str) -> Option<Activity> {
        screen::read(text)
    }

    fn read_dialog(&self, text: &str) -> Option<Activity> {
        screen::read_dialog(text)
    }

    fn read_composer(&self, screen: &Screen) -> Option<Composer> {
        Some(composer::read(screen))
    }
}

fn is_version(line: &str) -> bool {
    let numbers = line.split(['.', '-']).take(3);
    numbers.clone().count() == 3 && numbers.into_iter().all(|part| part.parse::<u32>().is_ok())
}

fn remark(version: &str) -> String {
    let tested = version.strip_prefix(TESTED).is_some_and(|rest| rest.starts_with('.'));
    match tested {
        true => String::new(),
        false => format!("parlour was tested with {TESTED}"),
    }
}
