//! The person's own shell as an agent of a chat: built in, so that there is always one.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::adapter::Env;
use super::{Adapter, AgentAbsence, LaunchContext, Prepared, environment, merge, program};
use crate::fs::Dir;
use crate::model::{Capabilities, Installed, Launch, Login, Problem, Ready, ResultExt};

const FALLBACK: &str = "/bin/sh";

/// What bash reads in place of `~/.bashrc`, in the chat's record. The mark is that of FinalTerm, which fish sends by itself.
/// It stands first among what is run before each prompt: only there is it known how the command ended, and it is known to
/// the others still. Shells below this one do not know the function, so what calls it is not in their environment.
const BASHRC: &str = r#"# Made by parlour for the shell of this chat, at each start: your own, and a mark with the exit code of each command line.
[ -r ~/.bashrc ] && . ~/.bashrc
export -n PROMPT_COMMAND
__parlour_ended() {
    local code=$?
    printf '\033]133;D;%s\007' "$code"
    return "$code"
}
PROMPT_COMMAND="__parlour_ended${PROMPT_COMMAND:+; $PROMPT_COMMAND}"
"#;

const BASHRC_FILE: &str = "bashrc";

/// The adapter of the person's shell.
pub struct Shell;

impl Adapter for Shell {
    fn name(&self) -> &str {
        "shell"
    }

    fn title(&self) -> &str {
        "Shell"
    }

    fn detect(&self, _search_path: &OsStr) -> Result<Installed, AgentAbsence> {
        Ok(Installed {
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
        let program = shell_of(context.env);
        let mut env = environment::for_context(context);
        shorten_prompt(&program, &mut env);
        let (args, problems) = match tell_ends(&program, context) {
            Ok(args) => (args, Vec::new()),
            // It is a shell all the same.
            Err(problem) => (Vec::new(), vec![problem]),
        };
        let launch = Launch {
            program,
            args,
            env,
            cwd: place(context),
        };
        Ok(Prepared {
            launch,
            resumes: false,
            problems,
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

/// Has bash tell how each command line ended. Other shells do so by themselves or not at all.
fn tell_ends(program: &Path, context: &LaunchContext) -> Result<Vec<String>, Problem> {
    if program.file_name() != Some(OsStr::new("bash")) {
        return Ok(Vec::new());
    }
    let record = Dir::open(context.record).doing("preparing the shell")?;
    let written = record.write_atomic(BASHRC_FILE, BASHRC);
    written.map_err(|error| merge::refused(BASHRC_FILE, &error))?;
    let file = context.record.join(BASHRC_FILE);
    Ok(vec!["--rcfile".into(), file.to_string_lossy().into_owned()])
}

/// A chat's directory has a long path, of which bash shows the last names alone if it is told how many. A person's own
/// number counts. zsh takes no such word from its environment.
fn shorten_prompt(program: &Path, env: &mut Env) {
    if program.file_name() == Some(OsStr::new("bash")) {
        env.entry("PROMPT_DIRTRIM".into()).or_insert_with(|| "2".into());
    }
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

    #[test]
    fn bash_shows_the_end_of_its_directory_unless_a_person_set_how_much() {
        let told = |program: &str, own: &[(&str, &str)]| {
            let mut env: Env = own
                .iter()
                .map(|(name, value)| ((*name).into(), (*value).into()))
                .collect();
            shorten_prompt(Path::new(program), &mut env);
            env.get("PROMPT_DIRTRIM").cloned()
        };
        assert_eq!(told("/usr/bin/bash", &[]).as_deref(), Some("2"));
        assert_eq!(told("/bin/bash", &[("PROMPT_DIRTRIM", "4")]).as_deref(), Some("4"));
        assert_eq!(told("/bin/zsh", &[]), None);
        assert_eq!(told("/bin/sh", &[]), None);
    }
}
