//! Finding a program along a PATH, and asking it for its version without waiting for ever.

use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::{Adapter, AgentAbsence};
use crate::model::text::one_line;
use crate::model::{AgentFault, Installed, Login, Problem, UnusableAgent};
use crate::sys::spawn::{Exit, Helper};

/// A CLI with a cold disk cache takes a second or two; beyond this it is not going to answer.
const PATIENCE: Duration = Duration::from_secs(5);
const MOST_OUTPUT: u64 = 64 << 10;
/// What an ended program wrote is there.
const AFTERWARDS: Duration = Duration::from_secs(1);
/// Letters of it that a person is told.
const SAID: usize = 120;

/// The executable file `name` on `search_path`, absolute. Relative entries of the path are skipped: they would mean
/// another program in every directory. A `name` with a slash is taken as it is, where it is absolute.
pub fn on_path(name: &str, search_path: &OsStr) -> Option<PathBuf> {
    let name = Path::new(name);
    if name.is_absolute() {
        return is_executable(name).then(|| name.to_path_buf());
    }
    if name.components().count() != 1 {
        return None;
    }
    std::env::split_paths(search_path)
        .filter(|dir| dir.is_absolute())
        .map(|dir| dir.join(name))
        .find(|candidate| is_executable(candidate))
}

/// As [`on_path`], where a CLI is looked for.
pub(super) fn found(name: &str, search_path: &OsStr) -> Result<PathBuf, AgentAbsence> {
    on_path(name, search_path).ok_or(AgentAbsence::NotFound)
}

/// As [`on_path`], of an agent CLI that a person can install.
pub(super) fn installed(title: &str, command: &str, search_path: &OsStr) -> Result<PathBuf, Problem> {
    on_path(command, search_path).ok_or_else(|| {
        let cause = format!("there is no `{command}` on your PATH");
        let hint = "install it, or start parlour from a shell that finds it";
        Problem::missing(format!("starting {title}"), cause, hint)
    })
}

fn is_executable(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// What came of asking a program for its version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Version {
    Reported(String),
    /// It did not run, or ended badly: the first line that it said of that.
    Failed(String),
    /// It was still at it when patience ended: on a busy machine a CLI that is there may take longer.
    Late,
}

impl Version {
    /// What is known of a CLI that may be another program of its name, as it is where what it told is no version to
    /// `read`; `remark` is about the version that it is.
    pub fn installed(
        self,
        cli: &dyn Adapter,
        program: PathBuf,
        read: impl Fn(&str) -> Option<&str>,
        remark: impl Fn(&str) -> String,
    ) -> Result<Installed, AgentAbsence> {
        let (version, remark) = match &self {
            Version::Reported(said) => match read(said) {
                Some(version) => (Some(version.trim().to_string()), remark(version.trim())),
                None => {
                    return Err(unusable(
                        cli.title(),
                        program,
                        AgentFault::IsAnother(one_line(said, SAID)),
                    ));
                }
            },
            Version::Failed(said) => return Err(unusable(cli.title(), program, AgentFault::Fails(said.clone()))),
            Version::Late => (None, "it did not tell its version in time".into()),
        };
        Ok(Installed {
            llm: cli.name().into(),
            title: cli.title().into(),
            program,
            version,
            remark,
            login: Login::Unknown,
        })
    }
}

pub(super) fn unusable(title: &str, program: PathBuf, why: AgentFault) -> AgentAbsence {
    AgentAbsence::Unusable(UnusableAgent {
        title: title.into(),
        program,
        why,
    })
}

/// What `program --version` prints, where it ends well. It gets no terminal, no input, and of our environment only what
/// a launcher script needs.
pub(super) fn version(program: &Path, search_path: &OsStr) -> Version {
    let asked = version_within(PATIENCE, program, search_path);
    asked.unwrap_or_else(|error| Version::Failed(error.to_string()))
}

fn version_within(patience: Duration, program: &Path, search_path: &OsStr) -> std::io::Result<Version> {
    let deadline = Instant::now() + patience;
    let mut command = Command::new(program);
    command
        .arg("--version")
        .env_clear()
        .env("PATH", search_path)
        .envs(std::env::var_os("HOME").map(|home| ("HOME", home)))
        .current_dir("/");
    let (stdout, output) = std::io::pipe()?;
    let (stderr, errors) = std::io::pipe()?;
    let mut helper = Helper::start(command, output.into(), errors.into())?;
    let (heard, complained) = (hear(stdout), hear(stderr));
    let output = heard.recv_timeout(patience);
    let ended = match output.is_ok() {
        true => helper.wait_until(deadline)?,
        false => None,
    };
    drop(helper);
    let (Ok(read), Some(exit)) = (output, ended) else {
        return Ok(Version::Late);
    };
    let said = read?;
    if exit.is_success() {
        return Ok(Version::Reported(said));
    }
    let errors = complained.recv_timeout(AFTERWARDS).ok().and_then(Result::ok);
    let why = [errors.unwrap_or_default(), said];
    let why = why
        .iter()
        .find_map(|text| text.lines().find(|line| !line.trim().is_empty()));
    Ok(Version::Failed(one_line(why.unwrap_or_default(), SAID)))
}

/// All that is written there. It ends with the last that may write: once the helper is dropped, it is ended with all
/// that it started.
fn hear(pipe: impl Read + Send + 'static) -> mpsc::Receiver<std::io::Result<String>> {
    let (said, heard) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.take(MOST_OUTPUT).read_to_end(&mut bytes);
        let _ = said.send(read.map(|_| String::from_utf8_lossy(&bytes).trim().to_string()));
    });
    heard
}

/// Runs a program that is given no input and no terminal, and ends it where it takes too long.
pub(super) fn ends_well(command: Command, output: Stdio, patience: Duration) -> std::io::Result<bool> {
    let mut helper = Helper::start(command, output, Stdio::null())?;
    let ended = helper.wait_until(Instant::now() + patience)?;
    Ok(ended.is_some_and(Exit::is_success))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::tests::install;

    #[test]
    fn a_program_is_found_only_where_the_path_is_absolute() {
        let home = tempfile::tempdir().unwrap();
        let program = home.path().join("tool");
        std::fs::write(&program, "not executable").unwrap();
        assert_eq!(on_path("tool", home.path().as_os_str()), None);
        install(&program, "true");
        let path = std::env::join_paths(["bin".as_ref(), Path::new("/no/such"), home.path()]).unwrap();
        assert_eq!(on_path("tool", &path), Some(program.clone()));
        assert_eq!(on_path(program.to_str().unwrap(), OsStr::new("")), Some(program));
        assert_eq!(on_path("../tool", &path), None);
        assert_eq!(on_path("", &path), None);
    }

    #[test]
    fn a_program_that_does_not_end_is_ended() {
        let home = tempfile::tempdir().unwrap();
        let program = home.path().join("tool");
        let path = OsStr::new("/usr/bin:/bin");
        for script in ["sleep 60", "exec >&-; sleep 60", "sleep 60 & echo 1.0"] {
            install(&program, script);
            let started = Instant::now();
            assert_eq!(
                version_within(Duration::from_millis(100), &program, path).unwrap(),
                Version::Late,
                "{script}"
            );
            assert!(started.elapsed() < Duration::from_secs(10));
        }
        install(&program, "echo 1.0");
        assert_eq!(version(&program, path), Version::Reported("1.0".into()));
    }

    #[test]
    fn a_program_that_fails_is_told_with_what_it_said() {
        let home = tempfile::tempdir().unwrap();
        let program = home.path().join("tool");
        let path = OsStr::new("/usr/bin:/bin");
        for (script, said) in [
            ("exit 1", ""),
            (
                "echo; echo 'node: SyntaxError' >&2; echo at x >&2; exit 1",
                "node: SyntaxError",
            ),
            ("echo broken; exit 3", "broken"),
        ] {
            install(&program, script);
            assert_eq!(version(&program, path), Version::Failed(said.into()), "{script}");
        }
        std::fs::write(&program, "#!/no/such/interpreter\n").unwrap();
        assert!(matches!(version(&program, path), Version::Failed(_)));
    }
}
