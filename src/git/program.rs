//! The git program, by absolute path, and the two environments it is run in.
//!
//! What a person configures (credential helpers, ssh commands, proxies) is in force only while talking to a remote. All
//! else runs without any configuration but the repository's own, which we wrote ourselves.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Error;
use crate::sys::umask;

/// What a command may keep of our environment. GIT_* could send it to another repository, SSH_ASKPASS could open a
/// window, and tokens are nobody's business.
const KEPT: [&str; 27] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "TMPDIR",
    "SSH_AUTH_SOCK",
    "SSH_AGENT_PID",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_RUNTIME_DIR",
    "DBUS_SESSION_BUS_ADDRESS",
    "GNUPGHOME",
    "KRB5CCNAME",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "all_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "ALL_PROXY",
    "SystemRoot",
    "LD_LIBRARY_PATH",
    "NIX_SSL_CERT_FILE",
    "CURL_CA_BUNDLE",
];

/// By which `gh` finds its login.
const OF_FORGES: [&str; 6] = [
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "GH_HOST",
    "GH_CONFIG_DIR",
    "GH_ENTERPRISE_TOKEN",
    "GITHUB_ENTERPRISE_TOKEN",
];

/// In force for every command, whatever any configuration says.
const ALWAYS: [&str; 11] = [
    // What looks like a bare repository within a clone is none unless it is named.
    "safe.bareRepository=explicit",
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.attributesFile=/dev/null",
    "gc.auto=0",
    "maintenance.auto=false",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=false",
    // Packs are copied or reflinked as whole files; loose objects would be thousands.
    "transfer.unpackLimit=1",
    "fetch.unpackLimit=1",
    "advice.detachedHead=false",
];

#[derive(Debug, Clone)]
pub struct Program {
    git: PathBuf,
    environment: Vec<(OsString, OsString)>,
}

impl Program {
    /// The first `git` on PATH, resolved once so that nothing found later can take its place.
    pub fn find() -> Result<Program, Error> {
        let git = on_path("git").ok_or(Error::NoGit)?;
        let environment = KEPT
            .iter()
            .filter_map(|name| Some((OsString::from(name), env::var_os(name)?)))
            .collect();
        Ok(Program { git, environment })
    }

    /// What it says of its version: `git version 2.47.1`.
    pub fn version(&self) -> Result<String, Error> {
        let verb = "--version";
        let asked = self.isolated().arg(verb).output();
        let output = asked.map_err(|e| Error::io("running", &self.git, e))?;
        let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        match output.status.success() {
            true => Ok(said),
            false => Err(Error::Git { verb, said }),
        }
    }

    /// The same program for another person's home: where its configuration is looked for.
    #[must_use]
    pub fn with_home(mut self, home: impl AsRef<Path>) -> Program {
        self.environment
            .retain(|(name, _)| name != "HOME" && name != "XDG_CONFIG_HOME");
        self.environment.push(("HOME".into(), home.as_ref().into()));
        self
    }

    /// Another program that a person has.
    pub(super) fn beside(&self, name: &str) -> Option<PathBuf> {
        on_path(name)
    }

    /// Gives the program of a forge its environment: what git has while it talks to a remote, and the person's login.
    pub(super) fn as_a_person(&self, command: &mut Command) {
        let login = OF_FORGES.iter().filter_map(|name| Some((name, env::var_os(name)?)));
        command
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .envs(login)
            .env("LC_ALL", "C")
            .env("GIT_TERMINAL_PROMPT", "0");
    }

    /// A command without system or personal configuration, which can reach only local paths.
    pub(super) fn isolated(&self) -> Command {
        isolate(self.personal())
    }

    /// As [`Program::isolated`], over these files: what it makes is as open as the person's umask has it.
    pub(super) fn over_files(&self, files: &Path) -> Command {
        let mut command = isolate(self.bare());
        command.current_dir(files).env(WORK_TREE, files);
        makes_files_with(&mut command, umask::of_persons_files);
        command
    }

    /// A command under the person's own configuration. It can reach only local paths until told otherwise.
    pub(super) fn personal(&self) -> Command {
        let mut command = self.bare();
        makes_files_with(&mut command, umask::private);
        command
    }

    fn bare(&self) -> Command {
        let mut command = Command::new(&self.git);
        command
            .current_dir("/")
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)));
        for (name, value) in [
            ("LC_ALL", "C"),
            ("GIT_TERMINAL_PROMPT", "0"),
            ("GIT_ASKPASS", ""),
            ("GIT_ALLOW_PROTOCOL", "file"),
            // A partial source would otherwise make git fetch from wherever that source says.
            ("GIT_NO_LAZY_FETCH", "1"),
            ("GIT_DEFAULT_REF_FORMAT", "files"),
        ] {
            command.env(name, value);
        }
        for setting in ALWAYS {
            command.arg("-c").arg(setting);
        }
        command
    }
}

/// Only files of a person are given to git by this name.
const WORK_TREE: &str = "GIT_WORK_TREE";

/// Whether it was made by [`Program::over_files`].
pub(super) fn is_over_files(command: &Command) -> bool {
    command
        .get_envs()
        .any(|(name, value)| name == WORK_TREE && value.is_some())
}

fn isolate(mut command: Command) -> Command {
    command
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_ATTR_NOSYSTEM", "1");
    command
}

fn makes_files_with(command: &mut Command, set: fn()) {
    // SAFETY: both of `umask` are system calls, allocate nothing and cannot fail.
    unsafe {
        command.pre_exec(move || {
            set();
            Ok(())
        });
    }
}

/// Adds arguments that are paths, refs or URLs: after this nothing is read as an option.
pub(super) fn operands<I: AsRef<OsStr>>(command: &mut Command, operands: impl IntoIterator<Item = I>) {
    command.arg("--").args(operands);
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .filter(|dir| dir.is_absolute())
        .map(|dir| dir.join(name))
        .find(|program| is_executable(program))
}

fn is_executable(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}
