//! The adapter of OpenCode: which file of this folder answers what.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use chrono::Utc;

use super::commands::COMMANDS;
use super::sessions::Sessions;
use super::{chat_config, composer, config, fork, moved, own_rules, rules, server};
use crate::agents::adapter::Env;
use crate::agents::commands::OwnCommand;
use crate::agents::login::LoginPlaces;
use crate::agents::{
    Adapter, AgentAbsence, EventStream, Fork, KeptOutputs, LaunchContext, LookedBack, OurTools, Parent, Prepared,
    SessionIds, Writes, environment, program,
};
use crate::model::settings::PermissionSettings;
use crate::model::{Activity, Asks, Capabilities, Composer, Installed, Launch, Login, Problem, Ready};
use crate::term::Screen;

/// The versions whose words were read back.
const TESTED: &str = "1.18.";

const SESSION_FLAG: &str = "--session";

/// The lower edge of the box that prompts are typed into. The CLI draws nothing before it draws that, and no dialog has
/// one.
const COMPOSER: &str = "╹▀▀▀";

/// The adapter of OpenCode.
pub struct OpenCode;

impl Adapter for OpenCode {
    fn name(&self) -> &str {
        "opencode"
    }

    fn title(&self) -> &str {
        "OpenCode"
    }

    /// Without the half of the npm package that is for this machine there is a program that only complains.
    fn detect(&self, search_path: &OsStr) -> Result<Installed, AgentAbsence> {
        let program = program::found("opencode", search_path)?;
        let version = program::version(&program, search_path);
        let numbered = |said: &str| said.starts_with(|c: char| c.is_ascii_digit());
        let remark = |version: &str| match version.starts_with(TESTED) {
            true => String::new(),
            false => format!("parlour knows it as {TESTED}x; what it tells may be read in part only"),
        };
        version.installed(self, program, |said| Some(said).filter(|said| numbered(said)), remark)
    }

    fn program(&self, search_path: &OsStr) -> Result<Option<PathBuf>, Problem> {
        program::installed(self.title(), "opencode", search_path).map(Some)
    }

    fn prepare(&self, context: &LaunchContext) -> Result<Prepared, Problem> {
        let program = program::installed(self.title(), "opencode", context.search_path())?;
        chat_config::check(context.dir, context.home)?;
        let mut env = environment::for_context(context);
        let mut problems = config::put(&mut env, context);
        let mut args = Vec::from(server::open(&mut env)?);
        let resumes = is_session_id(context.session);
        let session = match resumes {
            true => {
                problems.extend(moved::follow(&data_dir(context.env), context.session, context.dir).err());
                Some(context.session.into())
            }
            false => fork::import(context)?,
        };
        if let Some(session) = session {
            args.extend([SESSION_FLAG.into(), session]);
        }
        let launch = context.launch(program, args, env);
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
        rules::permissions(rules, &[]).1
    }

    fn servers_file(&self) -> Option<&'static str> {
        Some("opencode.json")
    }

    fn goes_back(&self) -> bool {
        true
    }

    fn fork(&self, parent: &Parent) -> Result<Fork, Problem> {
        fork::export(parent)
    }

    fn look_back(&self, parent: &Parent) -> Result<LookedBack, Problem> {
        fork::find(parent).map(|()| LookedBack::Talk)
    }

    fn login(&self, env: &Env) -> Login {
        let places = LoginPlaces {
            keys: &["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENCODE_API_KEY"],
            others: &["OPENCODE_CONFIG", "OPENCODE_CONFIG_CONTENT"],
            dir: ("XDG_DATA_HOME", ".local/share"),
            file: "opencode/auth.json",
        };
        match places.look(env) {
            Login::Missing if own_rules::has_provider(env) => Login::Unknown,
            login => login,
        }
    }

    fn login_arguments(&self) -> Option<&'static [&'static str]> {
        Some(&["auth", "login"])
    }

    fn tested(&self) -> &'static [&'static str] {
        &["1.18.33"]
    }

    fn commands(&self) -> &'static [OwnCommand] {
        COMMANDS
    }

    /// A prompt that comes while it works is queued and told of at once. It takes one Esc for a slip, and two bare ones
    /// for Alt and Esc: its terminal speaks the kitty protocol, so they are written out.
    fn capabilities(&self) -> Capabilities {
        Capabilities {
            ready: Ready::Hooks,
            confirms: true,
            transcribes: true,
            streams_words: true,
            queues: true,
            retells: false,
            shows_retries: false,
            asks_on_screen: false,
            awaits_mcp: true,
            interrupt: b"\x1b[27u\x1b[27u".to_vec(),
            // It takes keys as the kitty protocol writes them; "Allow once" is chosen when its dialog opens.
            asks: Asks::Keys {
                yes: b"\r".to_vec(),
                no: b"\x1b[27u".to_vec(),
                begins: "Permission required".into(),
                shows: Some(7),
                by_rule: true,
                tells_end: true,
                by_server: true,
            },
            steady: false,
            settle_ms: 500,
            shown_ms: None,
            drops_blanks: false,
        }
    }

    fn session_ids(&self) -> SessionIds {
        SessionIds::Learned
    }

    /// Its database and its state. Not its settings and plugins, nor its cache, in which programs lie that it runs.
    fn writes(&self, env: &Env) -> Writes {
        let place = |name: &str, otherwise: &str| dir(env, name, otherwise);
        Writes {
            dirs: vec![data_dir(env), place("XDG_STATE_HOME", ".local/state")],
            files: Vec::new(),
            made: vec![
                place("XDG_CONFIG_HOME", ".config"),
                place("XDG_CACHE_HOME", ".cache").join("bin"),
            ],
            locks: Vec::new(),
        }
    }

    fn event_stream(&self, context: &LaunchContext, launch: &Launch) -> Option<EventStream> {
        let (address, authorization) = server::address(launch)?;
        // The CLI names its directory without links.
        let dir = context.dir.canonicalize().unwrap_or_else(|_| context.dir.into());
        let flag = launch.args.iter().position(|arg| arg == SESSION_FLAG);
        let session = flag.and_then(|flag| launch.args.get(flag + 1));
        // A forked conversation begins with what was said in another one.
        let told = context.chat.told_elsewhere().map_or(0, |at| at.0);
        Some(EventStream {
            address,
            path: "/event",
            authorization,
            reader: Box::new(Sessions::new(
                session.map_or("", String::as_str),
                &dir,
                Utc::now().timestamp_millis(),
                told,
            )),
            kept: Some(KeptOutputs {
                root: data_dir(&launch.env),
                folder: "tool-output".into(),
            }),
            tools: Some(OurTools {
                status: "/mcp",
                is_connected: |status| status["parlour"]["status"] == "connected",
                connect: "/mcp/parlour/connect",
            }),
        })
    }

    fn read_screen(&self, text: &str) -> Option<Activity> {
        text.contains(COMPOSER).then_some(Activity::Idle)
    }

    fn read_composer(&self, screen: &Screen) -> Option<Composer> {
        Some(composer::read(screen))
    }
}

fn is_session_id(text: &str) -> bool {
    text.strip_prefix("ses_")
        .is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_alphanumeric()))
}

fn data_dir(env: &Env) -> PathBuf {
    dir(env, "XDG_DATA_HOME", ".local/share")
}

fn dir(env: &Env, name: &str, otherwise: &str) -> PathBuf {
    let home = Path::new(env.get("HOME").map_or("/", String::as_str));
    match env.get(name).filter(|dir| !dir.is_empty()) {
        Some(dir) => PathBuf::from(dir).join("opencode"),
        None => home.join(otherwise).join("opencode"),
    }
}
