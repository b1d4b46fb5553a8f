//! The person's own shell as an agent of a chat: built in, so that there is always one.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::adapter::Env;
use super::{Adapter, LaunchContext, Prepared, environment, program};
use crate::model::{Capabilities, Installed, Launch, Login, Problem, Ready};

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
            login: Login::Unknown,
        })
    }

    /// Interactive because its input is a terminal; no login shell, since the client's environment is already one's.
    fn prepare(&self, context: &LaunchContext) -> Result<Prepared, Problem> {
        let launch = Launch {
            program: shell_of(context.env),
            args: Vec::new(),
            env: environment::for_context(context),
            cwd: place(context),
        };
        Ok(Prepared {
            launch,
            resumes: false,
            problems: Vec::new(),
        })
    }

    /// It gets only what `send` types, whatever runs in it.
    fn capabilities(&self) -> Capabilities {
        Capabilities {
            ready: Ready::Foreground,
            interrupt: b"\x03".to_vec(),
            settle_ms: 0,
            ..Capabilities::unknown()
        }
    }
}

/// Its only project, where there is one and no more: the part of it that was asked for, where the branch has that.
fn place(context: &LaunchContext) -> PathBuf {
    let [only] = context.chat.dirs.as_slice() else {
        return context.dir.into();
    };
    let project = context.dir.join("projects").join(&only.name);
    let part = only.subdir.as_ref().map(|subdir| project.join(subdir));
    let mut places = part.into_iter().chain([project]);
    places
        .find(|place| place.is_dir())
        .unwrap_or_else(|| context.dir.into())
}

/// `$SHELL` where it is an absolute path to a program: anything else could mean another program in every directory.
pub(super) fn shell_of(env: &Env) -> PathBuf {
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
