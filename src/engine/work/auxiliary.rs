//! Programs in terminals beside an agent's: a project that runs, a person's editor.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

use crate::agents::{self, Env};
use crate::domain::event::Size;
use crate::model::script::ScriptEnding;
use crate::model::{PaneEvent, PaneId, Problem, WorkId};
use crate::pty::{self, PaneTap};
use crate::store::Home;
use crate::sys::spawn::{SpawnLimits, Spec, Streams};

use super::super::scripts::Ending;
use super::context::WorkContext;
use super::terminal::{KeptScreen, hold};

/// From TERM to KILL.
const GRACE: Duration = Duration::from_secs(2);

pub struct Beside {
    pub number: WorkId,
    pub spec: Spec,
    pub size: Size,
    /// Hears what it writes.
    pub tap: Option<PaneTap>,
}

/// Runs it to its end. It is below a supervisor, as an agent is, and stopped by its number or with its chat.
pub fn run(context: &WorkContext, beside: Beside, started: &mut dyn FnMut(u32)) -> Result<ScriptEnding, Problem> {
    let Beside {
        number,
        spec,
        size,
        tap,
    } = beside;
    let (says, hears) = mpsc::channel();
    let kept = KeptScreen {
        record: Vec::new(),
        recorder: None,
        tap,
        // Whoever has heard of its end does not listen any more.
        also: Some(Box::new(move |said| drop(says.send(said.clone())))),
    };
    let halting = |stopper: pty::Stopper| {
        let halt = Box::new(move || stopper.stop(GRACE));
        context.services.scripts.begin(number, halt);
    };
    hold(
        context,
        (PaneId::Side(number), number.0),
        Some(spec),
        size,
        kept,
        halting,
    )?;
    let mut how = ScriptEnding::Stopped;
    for said in hears {
        match said {
            PaneEvent::Started { pid } => {
                context.services.scripts.started(number, pid);
                started(pid);
            }
            PaneEvent::FailedToStart { why } => {
                how = ScriptEnding::NotStarted(why);
                break;
            }
            PaneEvent::Exited { code, signal } => {
                how = match (code, signal) {
                    (Some(code), _) => ScriptEnding::Exited(code),
                    (None, signal) => ScriptEnding::Killed(signal.unwrap_or_default()),
                };
                break;
            }
            PaneEvent::Changed
            | PaneEvent::Title(_)
            | PaneEvent::Bell
            | PaneEvent::Notify { .. }
            | PaneEvent::ParserFailed
            | PaneEvent::InputRefused
            | PaneEvent::Cwd(_)
            | PaneEvent::Clipboard(_)
            | PaneEvent::Progress(_)
            | PaneEvent::CommandBegan { .. }
            | PaneEvent::CommandEnded { .. } => {}
        }
    }
    Ok(match context.services.scripts.end(number) {
        Ending::Wanted => ScriptEnding::Stopped,
        Ending::ByItself => how,
    })
}

/// What tells a program that it is in a terminal of parlour's.
pub fn for_a_terminal(env: &mut Vec<(OsString, OsString)>) {
    env.retain(|(name, _)| name != "TERM" && name != "COLORTERM");
    env.push(("TERM".into(), "xterm-256color".into()));
    env.push(("COLORTERM".into(), "truecolor".into()));
}

/// A program of the person's own, in this directory: it has their environment and no token. `parlour` in it is this one.
pub fn of_person(home: &Home, (program, args): (PathBuf, Vec<OsString>), env: &Env, cwd: PathBuf) -> Spec {
    let mut env: Vec<(OsString, OsString)> = agents::scrubbed(env)
        .into_iter()
        .filter(|(name, _)| name != "PWD")
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    env.push(("PWD".into(), cwd.clone().into()));
    env.push(("PARLOUR_HOME".into(), home.path().into()));
    for_a_terminal(&mut env);
    Spec {
        program: program.into(),
        args,
        env,
        cwd: cwd.into(),
        writable: None,
        streams: Streams::Terminal,
        limits: SpawnLimits::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parlour_in_a_persons_own_program_is_the_one_that_started_it() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open(&folder.path().join("home")).unwrap();
        let told = Env::from([("PARLOUR_HOME".to_string(), "/elsewhere".to_string())]);
        let spec = of_person(&home, ("sh".into(), Vec::new()), &told, folder.path().into());
        let homes = spec.env.iter().filter(|(name, _)| name == "PARLOUR_HOME");
        let homes: Vec<&OsString> = homes.map(|(_, home)| home).collect();
        assert_eq!(homes, [home.path().as_os_str()]);
    }
}
