//! Agent CLIs from npm, each at one version, installed beside the build's output and shared by all test processes.

use std::{
    env,
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

/// The executable `name` of a package, installed where it does not answer with its version yet. `finish` does in the
/// package's folder what its install script would: npm is told to run none, as a person's own settings may tell it.
pub fn install(
    name: &str,
    package: &str,
    version: &str,
    finish: impl Fn(&Path) -> Result<(), String>,
) -> Result<PathBuf, String> {
    let folder = agents().join(format!("{name}-{version}"));
    let failed = |doing: &str, error: std::io::Error| format!("{doing} {}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(|error| failed("creating", error))?;
    // Held while one process looks or installs.
    let lock = File::create(folder.join("lock")).map_err(|error| failed("locking", error))?;
    lock.lock().map_err(|error| failed("locking", error))?;
    let program = folder.join("node_modules/.bin").join(name);
    if !answers(&program, version) {
        fetch(&folder, &format!("{package}@{version}"))?;
        finish(&folder.join("node_modules").join(package))?;
    }
    match answers(&program, version) {
        true => Ok(program),
        false => Err(format!("{} does not run here", program.display())),
    }
}

/// The program; where there is none, that a test was skipped, or failed where `PARLOUR_REQUIRE_AGENTS` is set.
pub fn said_aloud(title: &str, version: &str, found: &Result<PathBuf, String>) -> Option<PathBuf> {
    match found {
        Ok(program) => Some(program.clone()),
        Err(why) => {
            let why = format!("SKIPPED: needs {title} {version}: {why}\n");
            assert!(env::var_os("PARLOUR_REQUIRE_AGENTS").is_none(), "{why}");
            skipped(&why);
            None
        }
    }
}

fn fetch(folder: &Path, package: &str) -> Result<(), String> {
    let npm = [
        "install",
        "--prefix",
        ".",
        "--no-save",
        "--no-package-lock",
        "--ignore-scripts",
        "--no-audit",
    ];
    run(Command::new("npm").args(npm).arg(package).current_dir(folder))
}

pub fn run(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .map_err(|error| format!("starting {program}: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{program}: {said}")),
    }
}

/// An installation that was cut short may leave a stand-in that prints instructions.
fn answers(program: &Path, version: &str) -> bool {
    let said = Command::new(program).arg("--version").output();
    said.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(version))
}

/// Past the test harness, which swallows what a passing test prints, and into a file for those who only see the end.
fn skipped(why: &str) {
    let _ = std::io::stderr().write_all(why.as_bytes());
    let file = File::options().create(true).append(true).open(agents().join("skipped"));
    let _ = file.and_then(|mut file| file.write_all(why.as_bytes()));
}

fn agents() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("agents")
}
