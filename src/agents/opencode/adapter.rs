//! The adapter of OpenCode: which file of this folder answers what.

use std::ffi::OsStr;

use chrono::Utc;

use super::sessions::Sessions;
use super::{config, server};
use crate::agents::{Adapter, EventStream, Prepared, Seat, SessionIds, environment, program};
use crate::model::{Activity, Asks, Installed, Launch, Manners, Problem, Ready};

/// The versions whose words were read back.
const TESTED: &str = "1.18.";

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
    fn detect(&self, search_path: &OsStr) -> Option<Installed> {
        let program = program::on_path("opencode", search_path)?;
        let version = program::version_output(&program, search_path)?;
        if !version.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let remark = match version.starts_with(TESTED) {
            true => String::new(),
            false => format!("parlour knows it as {TESTED}x; what it tells may be read in part only"),
        };
        Some(Installed {
            llm: self.name().into(),
            title: self.title().into(),
            program,
            version: Some(version),
            remark,
        })
    }

    fn prepare(&self, seat: &Seat) -> Result<Prepared, Problem> {
        let search_path = seat.env.get("PATH").map_or("", String::as_str);
        let program = program::on_path("opencode", search_path.as_ref()).ok_or_else(|| {
            let hint = "install it, or start parlour from a shell that finds it";
            Problem::new("starting OpenCode", "there is no `opencode` on your PATH", hint)
        })?;
        let mut env = environment::for_seat(seat);
        let problems = config::put(&mut env, seat);
        let mut args = Vec::from(server::open(&mut env)?);
        let resumes = is_session_id(seat.session);
        if resumes {
            args.extend(["--session".into(), seat.session.into()]);
        }
        let launch = Launch {
            program,
            args,
            env,
            cwd: seat.dir.into(),
        };
        Ok(Prepared {
            launch,
            resumes,
            problems,
        })
    }

    fn takes_servers(&self) -> bool {
        true
    }

    /// A prompt that comes while it works is queued and told of at once. It takes one Esc for a slip, and two bare ones
    /// for Alt and Esc: its terminal speaks the kitty protocol, so they are written out.
    fn manners(&self) -> Manners {
        Manners {
            ready: Ready::Hooks,
            confirms: true,
            queues: true,
            awaits_mcp: true,
            interrupt: b"\x1b[27u\x1b[27u".to_vec(),
            // It takes keys as the kitty protocol writes them; "Allow once" is chosen when its dialog opens.
            asks: Asks::Keys {
                yes: b"\r".to_vec(),
                no: b"\x1b[27u".to_vec(),
            },
            settle_ms: 500,
        }
    }

    fn session_ids(&self) -> SessionIds {
        SessionIds::Learned
    }

    fn event_stream(&self, seat: &Seat, launch: &Launch) -> Option<EventStream> {
        let (address, authorization) = server::address(launch)?;
        // The CLI names its directory without links.
        let dir = seat.dir.canonicalize().unwrap_or_else(|_| seat.dir.into());
        let session = Some(seat.session).filter(|session| is_session_id(session));
        Some(EventStream {
            address,
            path: "/event",
            authorization,
            reader: Box::new(Sessions::new(
                session.unwrap_or_default(),
                &dir,
                Utc::now().timestamp_millis(),
            )),
        })
    }

    fn read_screen(&self, text: &str) -> Option<Activity> {
        text.contains(COMPOSER).then_some(Activity::Idle)
    }
}

fn is_session_id(text: &str) -> bool {
    text.strip_prefix("ses_")
        .is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_alphanumeric()))
}
