//! The person's own shell as an agent of a chat: built in, so that there is always one.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::adapter::{Env, pasteable};
use super::{Adapter, Evidence, Key, Prepared, Seat, Step, Typing, environment, program};
use crate::model::{Installed, Launch, Problem};

const FALLBACK: &str = "/bin/sh";

/// The adapter of the person's shell.
pub struct Shell;

impl Adapter for Shell {
    fn name(&self) -> &str {
        "shell"
    }

    fn title(&self) -> &str {
        "Shell"
    }

    fn detect(&self, _search_path: &OsStr) -> Option<Installed> {
        Some(Installed {
            llm: self.name().into(),
            title: self.title().into(),
            program: shell_of(&std::env::vars().collect()),
            version: None,
            remark: "your shell, no agent".into(),
        })
    }

    /// Interactive because its input is a terminal; no login shell, since the client's environment is already one's.
    fn prepare(&self, seat: &Seat) -> Result<Prepared, Problem> {
        let launch = Launch {
            program: shell_of(seat.env),
            args: Vec::new(),
            env: environment::for_seat(seat),
            cwd: seat.dir.into(),
        };
        Ok(Prepared {
            launch,
            resumes: false,
            problems: Vec::new(),
        })
    }

    fn evidence(&self) -> Evidence {
        Evidence::Foreground
    }

    fn typing(&self) -> Typing {
        Typing {
            settle: Duration::ZERO,
            again_after: Duration::ZERO,
            tools_first: false,
            takes_while_busy: false,
        }
    }

    /// The last newline would run the last line twice as often as meant: Enter runs it.
    fn type_prompt(&self, text: &str) -> Vec<Step> {
        let text = pasteable(text);
        vec![
            Step::Paste(text.trim_end_matches('\n').into()),
            Step::Press(Key::Enter),
        ]
    }

    fn interrupt(&self) -> Vec<Step> {
        vec![Step::Press(Key::CtrlC)]
    }

    fn quit(&self) -> Vec<Step> {
        vec![Step::Press(Key::CtrlU), Step::Press(Key::CtrlD)]
    }
}

/// `$SHELL` where it is an absolute path to a program: anything else could mean another program in every directory.
fn shell_of(env: &Env) -> PathBuf {
    env.get("SHELL")
        .filter(|shell| Path::new(shell).is_absolute())
        .and_then(|shell| program::on_path(shell, OsStr::new("")))
        .unwrap_or_else(|| FALLBACK.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_is_an_absolute_program_or_bin_sh() {
        let shell = |named: &str| shell_of(&Env::from([("SHELL".into(), named.into())]));
        assert_eq!(shell("/bin/sh"), Path::new("/bin/sh"));
        assert_eq!(shell("sh"), Path::new("/bin/sh"));
        assert_eq!(shell("/no/such/shell"), Path::new("/bin/sh"));
        assert_eq!(shell_of(&Env::new()), Path::new("/bin/sh"));
    }
}
