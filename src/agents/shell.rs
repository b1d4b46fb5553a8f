//! The person's own shell as an agent of a chat: built in, so that there is always one.

use std::ffi::{OsStr, OsString};
use std::fs::Permissions;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::adapter::Env;
use super::{Adapter, AgentAbsence, LaunchContext, Prepared, environment, merge, program};
use crate::fs::Dir;
use crate::model::{Capabilities, Installed, Launch, Login, Problem, Ready, ResultExt};

const DOING: &str = "preparing the shell";

const FALLBACK: &str = "/bin/sh";

/// What bash reads in place of `~/.bashrc`, in the chat's record. The mark is that of FinalTerm; its last word
/// is [`OWN_MARK`](crate::term::OWN_MARK). It stands first among what is run before each prompt: only there is it known how the command ended, and it is known to
/// the others still. Shells below this one do not know the function, so what calls it is not in their environment.
/// Bash before 4.4 does not know `PS0`, and marks no beginnings.
const BASHRC: &str = r#"# Made by parlour for the shell of this chat, at each start: your own, and marks where each command line begins and ends.
[ -r ~/.bashrc ] && . ~/.bashrc
export -n PROMPT_COMMAND
__parlour_ended() {
    local code=$?
    printf '\033]133;D;%s;aid=parlour\007' "$code"
    if [ "$PWD" != "${__parlour_at-}" ]; then
        __parlour_at=$PWD
        { printf '%s' "$PWD" >| "$__parlour_kept"; } 2>/dev/null
    fi
    return "$code"
}
__parlour_kept="${BASH_SOURCE[0]%/*}/shell-cwd"
PROMPT_COMMAND="__parlour_ended${PROMPT_COMMAND:+; $PROMPT_COMMAND}"
PS0='\033]133;C;aid=parlour\007'"${PS0-}"
"#;

/// In the chat's record: where the shell was last, written by itself before its prompt; zsh and fish write it as soon as they
/// go there, also where a program follows in the same line. It begins there when it is resumed.
const CWD_FILE: &str = "shell-cwd";

/// Bytes of a path, as Linux has them.
const MAX_PATH: u64 = 4096;

const BASHRC_FILE: &str = "bashrc";

/// What zsh reads in place of `~/.zshenv`: it is the only file that `ZDOTDIR` leads to, since that is a person's own again
/// before theirs is read. All other files zsh finds there by itself. Each function that runs before a prompt is told how the
/// command ended.
const ZSHENV: &str = r#"# Made by parlour for the shell of this chat, at each start: your own, and marks where each command line begins and ends.
__parlour_kept="${ZDOTDIR:h}/shell-cwd"
if [[ -n "${PARLOUR_ZDOTDIR+set}" ]]; then
    export ZDOTDIR="$PARLOUR_ZDOTDIR"
    unset PARLOUR_ZDOTDIR
else
    unset ZDOTDIR
fi
__parlour_stays() {
    if (( ! ZSH_SUBSHELL )) && [[ "$PWD" != "${__parlour_at-}" ]]; then
        typeset -g __parlour_at=$PWD
        { builtin print -rn -- "$PWD" >| "$__parlour_kept" } 2>/dev/null
    fi
}
__parlour_ended() {
    builtin printf '\033]133;D;%s;aid=parlour\007' "$?"
    __parlour_stays
}
__parlour_begins() {
    builtin printf '\033]133;C;aid=parlour\007'
}
if [[ -o interactive ]]; then
    typeset -ga precmd_functions preexec_functions chpwd_functions
    preexec_functions=(__parlour_begins $preexec_functions)
    chpwd_functions=(__parlour_stays $chpwd_functions)
    precmd_functions=(__parlour_ended $precmd_functions)
fi
[[ -r "${ZDOTDIR:-$HOME}/.zshenv" ]] && . "${ZDOTDIR:-$HOME}/.zshenv"
"#;

const ZSHENV_FILE: &str = ".zshenv";

/// In the chat's record, for that file alone.
const ZSH_DIR: &str = "zsh";

/// Where a person's own files are, where that is not their home.
const ZDOTDIR: &str = "ZDOTDIR";

const KEPT_ZDOTDIR: &str = "PARLOUR_ZDOTDIR";

/// What fish runs behind a person's own files. From version 4 on it marks its command lines by itself.
/// `RECORD` is the chat's record.
const FISH: &str = r"if test (string split . -- $version)[1] -lt 4
    function __parlour_begins --on-event fish_preexec
        printf '\e]133;C;aid=parlour\a'
    end
    function __parlour_ended --on-event fish_postexec
        printf '\e]133;D;%s;aid=parlour\a' $status
    end
end
function __parlour_stays --on-variable PWD
    test -w 'RECORD'; and printf '%s' $PWD >'RECORD/shell-cwd'
end";

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
        let (args, problems) = match tell_ends(&program, context.record, &mut env) {
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

/// Where it was before, while that is there. Else its only project, where there is one and no more: the part of it that was
/// asked for, where the branch has that.
fn place(context: &LaunchContext) -> PathBuf {
    if let Some(kept) = kept_cwd(context.record) {
        return kept;
    }
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

/// Where the shell of a chat's record was last, while that is there.
pub fn kept_cwd(record: &Path) -> Option<PathBuf> {
    let kept = Dir::open(record).ok()?.read(CWD_FILE, MAX_PATH).ok()??;
    let path = PathBuf::from(OsString::from_vec(kept));
    (path.is_absolute() && path.is_dir()).then_some(path)
}

/// `$SHELL` where it is an absolute path to a program: anything else could mean another program in every directory.
pub(super) fn shell_of(env: &Env) -> PathBuf {
    env.get("SHELL")
        .filter(|shell| Path::new(shell).is_absolute())
        .and_then(|shell| program::on_path(shell, OsStr::new("")))
        .unwrap_or_else(|| FALLBACK.into())
}

/// Has bash, zsh and fish tell how each command line ended. Other shells do so by themselves or not at all. Where the path
/// of the record is no text, as arguments and environments are here, the shell is as it always is.
fn tell_ends(program: &Path, record: &Path, env: &mut Env) -> Result<Vec<String>, Problem> {
    let Some(path) = record.to_str() else {
        return Ok(Vec::new());
    };
    let name = program.file_name().and_then(OsStr::to_str);
    if matches!(name, Some("bash" | "zsh" | "fish")) {
        make_cwd_file(record)?;
    }
    match name {
        Some("bash") => {
            write(record, BASHRC_FILE, BASHRC)?;
            Ok(vec!["--rcfile".into(), format!("{path}/{BASHRC_FILE}")])
        }
        Some("zsh") => {
            let dir = record.join(ZSH_DIR);
            Dir::open_or_create(&dir).doing(DOING)?;
            write(&dir, ZSHENV_FILE, ZSHENV)?;
            if let Some(own) = env.insert(ZDOTDIR.into(), format!("{path}/{ZSH_DIR}")) {
                env.insert(KEPT_ZDOTDIR.into(), own);
            }
            Ok(Vec::new())
        }
        Some("fish") => {
            let quoted = path.replace('\\', r"\\").replace('\'', r"\'");
            Ok(vec![format!("--init-command={}", FISH.replace("RECORD", &quoted))])
        }
        Some(_) | None => Ok(Vec::new()),
    }
}

/// The shell writes into it as it is, and would make one with the rights of a person's umask.
fn make_cwd_file(record: &Path) -> Result<(), Problem> {
    let file = Dir::open(record).doing(DOING)?.update(CWD_FILE).doing(DOING)?;
    file.set_permissions(Permissions::from_mode(0o600)).doing(DOING)
}

fn write(dir: &Path, name: &str, text: &str) -> Result<(), Problem> {
    let dir = Dir::open(dir).doing(DOING)?;
    dir.write_atomic(name, text)
        .map_err(|error| merge::refused(name, &error))
}

/// A chat's directory has a long path, of which bash shows the last names alone if it is told how many. A person's own
/// number counts. zsh takes no such word from its environment.
pub fn shorten_prompt(program: &Path, env: &mut Env) {
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
    fn bash_and_zsh_are_started_with_files_of_parlour_that_read_a_persons_own() {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path();
        let started = |program: &str, own: &[(&str, &str)]| {
            let own = own.iter().map(|(name, value)| ((*name).into(), (*value).into()));
            let mut env: Env = own.collect();
            (tell_ends(Path::new(program), record, &mut env).unwrap(), env)
        };
        let text = |path: &str| std::fs::read_to_string(record.join(path)).unwrap();
        let at = |path: &str| record.join(path).to_str().unwrap().to_owned();
        let env = |all: &[(&str, &str)]| all.iter().map(|(n, v)| ((*n).into(), (*v).into())).collect::<Env>();

        assert_eq!(started("/bin/sh", &[]), (Vec::new(), Env::new()));
        assert_eq!(std::fs::read_dir(record).unwrap().count(), 0);

        let bash = started("/bin/bash", &[]);
        assert_eq!(bash, (vec!["--rcfile".into(), at("bashrc")], Env::new()));
        assert!(text("bashrc").contains(". ~/.bashrc\n"));

        let place = at("zsh");
        assert_eq!(started("/bin/zsh", &[]), (Vec::new(), env(&[("ZDOTDIR", &place)])));
        let elsewhere = started("/bin/zsh", &[("ZDOTDIR", "/home/ada/.config/zsh")]).1;
        let kept = [("PARLOUR_ZDOTDIR", "/home/ada/.config/zsh"), ("ZDOTDIR", &place)];
        assert_eq!(elsewhere, env(&kept));
        let zshenv = text("zsh/.zshenv");
        assert!(zshenv.contains("export ZDOTDIR=\"$PARLOUR_ZDOTDIR\"") && zshenv.contains("unset ZDOTDIR"));
        assert!(zshenv.ends_with(". \"${ZDOTDIR:-$HOME}/.zshenv\"\n"));
        assert_eq!(std::fs::read_dir(record.join("zsh")).unwrap().count(), 1);

        let (fish, unset) = started("/usr/bin/fish", &[]);
        assert_eq!(unset, Env::new());
        let [fish] = &fish[..] else { panic!("{fish:?}") };
        assert!(
            fish.contains(&format!("133;D;%s;{}\\a", crate::term::OWN_MARK)),
            "{fish}"
        );

        // What they print is what the emulator takes for a mark of parlour's shell.
        let mark = format!("'\\033]133;D;%s;{}\\007'", crate::term::OWN_MARK);
        assert!(text("bashrc").contains(&mark) && zshenv.contains(&mark), "{mark}");
    }

    #[test]
    fn a_home_whose_path_is_no_text_gets_a_shell_as_it_always_is() {
        use std::os::unix::ffi::OsStrExt;
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join(OsStr::from_bytes(b"ada\xff"));
        std::fs::create_dir(&record).unwrap();
        for program in ["/bin/bash", "/bin/zsh"] {
            let mut env = Env::new();
            assert_eq!(tell_ends(Path::new(program), &record, &mut env).unwrap(), [""; 0]);
            assert!(env.is_empty(), "{env:?}");
        }
        assert_eq!(std::fs::read_dir(&record).unwrap().count(), 0);
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
