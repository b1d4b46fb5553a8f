//! A person's browser.

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::agents::{self, Env};
use crate::domain::event::Outcome;
use crate::domain::work::ScriptDone;
use crate::model::Problem;
use crate::sys::spawn;

/// What shows a URL where `$BROWSER` names nothing.
const USUAL: [&str; 3] = ["xdg-open", "open", "wslview"];

/// One that fails does so soon; one that goes on is the browser itself.
const PATIENCE: Duration = Duration::from_secs(3);
const GLANCE: Duration = Duration::from_millis(50);

/// It is the person's own, and outlives the engine as it would outlive their terminal.
pub fn browse(url: &str, env: &Env) -> Result<Outcome, Problem> {
    const DOING: &str = "opening a link";
    let own = env.get("BROWSER").filter(|browser| !browser.is_empty());
    let programs: Vec<&str> = match own {
        Some(browser) => browser.split(':').collect(),
        None => USUAL.to_vec(),
    };
    for program in programs {
        let mut command = Command::new(program);
        command
            .arg(url)
            .env_clear()
            .envs(agents::scrubbed(env))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0);
        let Ok(mut child) = spawn::start_child(&mut command) else {
            continue;
        };
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            match child.try_wait() {
                Ok(Some(exit)) if exit.success() => return Ok(Outcome::Script(ScriptDone::Browsed)),
                Ok(Some(_)) | Err(_) => break,
                Ok(None) => thread::sleep(GLANCE),
            }
        }
        if let Ok(None) = child.try_wait() {
            // Somebody has to hear of its end.
            thread::spawn(move || child.wait());
            return Ok(Outcome::Script(ScriptDone::Browsed));
        }
    }
    let cause = "no browser could be started here";
    Err(Problem::new(DOING, cause, "set $BROWSER"))
}
