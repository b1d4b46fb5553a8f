//! An agent CLI at one version, installed from npm beside the build's output.
//!
//! Where it cannot be installed a test says so on stderr and returns. `PARLOUR_REQUIRE_AGENTS=1` makes it fail instead.

use std::env;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Package {
    /// Of its executable: `claude`.
    pub name: &'static str,
    /// For people: "Claude Code".
    pub title: &'static str,
    pub package: &'static str,
    pub version: &'static str,
    /// A script of the package that puts the executable in place. npm is told to run no scripts, as a person's own
    /// settings may tell it, and this one is run by name.
    pub script: Option<&'static str>,
}

impl Package {
    /// What `install` found, or nothing, said aloud.
    pub fn found(&self, installed: &Result<PathBuf, String>) -> Option<PathBuf> {
        match installed {
            Ok(program) => Some(program.clone()),
            Err(why) => {
                let why = format!("SKIPPED: needs {} {}: {why}\n", self.title, self.version);
                assert!(env::var_os("PARLOUR_REQUIRE_AGENTS").is_none(), "{why}");
                skipped(&why);
                None
            }
        }
    }

    /// Test processes share the installation; the lock is held while one of them looks or installs.
    pub fn install(&self) -> Result<PathBuf, String> {
        let folder = agents().join(format!("{}-{}", self.name, self.version));
        fs::create_dir_all(&folder).map_err(|error| format!("creating {}: {error}", folder.display()))?;
        let locking = |error| format!("locking {}: {error}", folder.display());
        let lock = File::create(folder.join("lock")).map_err(locking)?;
        lock.lock().map_err(locking)?;
        let program = folder.join("node_modules/.bin").join(self.name);
        if !self.answers(&program) {
            self.fetch(&folder)?;
        }
        match self.answers(&program) {
            true => Ok(program),
            false => Err(format!("{} does not run here", program.display())),
        }
    }

    fn fetch(&self, folder: &Path) -> Result<(), String> {
        let npm = [
            "install",
            "--prefix",
            ".",
            "--no-save",
            "--no-package-lock",
            "--ignore-scripts",
            "--no-audit",
        ];
        let package = format!("{}@{}", self.package, self.version);
        let install = || run(Command::new("npm").args(npm).arg(&package).current_dir(folder));
        // A registry that does not answer once is no reason to test nothing.
        install().or_else(|_| install()).or_else(|_| install())?;
        let inside = folder.join("node_modules").join(self.package);
        self.script.map_or(Ok(()), |script| {
            run(Command::new("node").arg(script).current_dir(inside))
        })
    }

    /// An installation that was cut short leaves a stand-in that prints instructions, or nothing that runs.
    fn answers(&self, program: &Path) -> bool {
        let Ok(home) = tempfile::tempdir() else {
            return false;
        };
        // Some make folders in their home even when they only say their version.
        let said = Command::new(program)
            .arg("--version")
            .env("HOME", home.path())
            .env_remove("XDG_DATA_HOME")
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("XDG_STATE_HOME")
            .env_remove("XDG_CACHE_HOME")
            .output();
        said.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(self.version))
    }
}

fn run(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .map_err(|error| format!("starting {program}: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        Ok(())
    } else {
        Err(format!("{program}: {said}"))
    }
}

/// Tells what is not tested on this machine: past the test harness, which swallows what a passing test prints, and into a file for those who only see the end.
pub fn skipped(why: &str) {
    let _ = std::io::stderr().write_all(why.as_bytes());
    let file = File::options().create(true).append(true).open(agents().join("skipped"));
    let _ = file.and_then(|mut file| file.write_all(why.as_bytes()));
}

fn agents() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("agents")
}
