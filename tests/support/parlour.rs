//! The real parlour in a home of its own: its verbs as a shell has them, its screen in a terminal, its engine and
//! agents as processes. All of it ends with the value.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use portable_pty::CommandBuilder;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

use super::terminal::Terminal;

/// How long anything may take: the machines that test for everybody have two busy cores.
pub const PATIENCE: Duration = Duration::from_secs(180);

/// Longer than any question waits for its reader.
const READ: Duration = Duration::from_millis(700);

/// Between two looks at something that nobody reports.
const LOOK: Duration = Duration::from_millis(20);

/// How much of an event is told of a test that failed.
const LINE: usize = 400;

pub struct Parlour {
    scratch: TempDir,
    env: BTreeMap<String, String>,
}

/// Kills a process, and waits until it is gone.
pub fn kill(pid: i32) {
    kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap();
    until("it is gone", PATIENCE, || !Path::new(&format!("/proc/{pid}")).exists());
}

impl Parlour {
    /// A machine of a person who has just installed it: nothing is there but git, and who they are.
    pub fn new() -> Parlour {
        let scratch = tempfile::tempdir().unwrap();
        let person = scratch.path().join("home");
        fs::create_dir(&person).unwrap();
        fs::write(
            person.join(".gitconfig"),
            "[user]\n\tname = Ada\n\temail = ada@localhost\n",
        )
        .unwrap();
        let path = |name: &str| scratch.path().join(name).to_string_lossy().into_owned();
        let env = BTreeMap::from([
            ("PATH".into(), std::env::var("PATH").unwrap()),
            ("HOME".into(), path("home")),
            ("SHELL".into(), "/bin/sh".into()),
            ("LANG".into(), "C.UTF-8".into()),
            ("TERM".into(), "xterm-256color".into()),
            ("PARLOUR_HOME".into(), path("parlour")),
            ("PARLOUR_DEMO_PACE_MS".into(), "10".into()),
        ]);
        Parlour { scratch, env }
    }

    /// With more in its environment, or something else.
    pub fn with(mut self, env: impl IntoIterator<Item = (String, String)>) -> Parlour {
        self.env.extend(env);
        self
    }

    /// With a script on its PATH, which is first asked for programs there.
    pub fn with_program(self, name: &str, script: &str) -> Parlour {
        let bin = self.scratch().join("bin");
        fs::create_dir_all(&bin).unwrap();
        install(&bin.join(name), script);
        let path = format!("{}:{}", bin.display(), self.env["PATH"]);
        self.with([("PATH".into(), path)])
    }

    pub fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    pub fn home(&self) -> PathBuf {
        self.scratch().join("parlour")
    }

    /// Writes `config.json` as an editor does, at one stroke.
    pub fn configure(&self, text: &str) {
        if !self.home().exists() {
            fs::create_dir(self.home()).unwrap();
            fs::set_permissions(self.home(), fs::Permissions::from_mode(0o700)).unwrap();
        }
        replace(&self.home().join("config.json"), text);
    }

    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_parlour"));
        command
            .args(words)
            .env_clear()
            .envs(&self.env)
            .current_dir(self.scratch())
            .stdin(Stdio::null());
        command
    }

    pub fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    /// What a verb prints.
    pub fn say(&self, words: &[&str]) -> String {
        let output = self.run(words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "parlour {words:?}: {said}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Answers the one question that is open, from a shell: `approve` or `deny`.
    pub fn answer(&self, verb: &str) {
        let open = self.json(&["approvals"])["approvals"].clone();
        assert_eq!(open.as_array().map(Vec::len), Some(1), "{open}");
        self.say(&[verb, open[0]["id"].as_str().unwrap()]);
    }

    pub fn json(&self, words: &[&str]) -> Value {
        serde_json::from_str(&self.say(&[words, &["--json"]].concat())).unwrap()
    }

    /// What is found of words, which may be nothing.
    pub fn found(&self, words: &str) -> Value {
        let output = self.run(&["search", "--json", "--", words]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 1)), "searching {words}: {said}");
        let mut found: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"));
        let is_empty = found["hits"].as_array().is_none_or(Vec::is_empty);
        assert_eq!(output.status.code() == Some(1), is_empty, "{found}");
        found["hits"].take()
    }

    /// What is said of a verb that fails.
    pub fn refusal(&self, words: &[&str]) -> String {
        let output = self.run(words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        // 2 is a wrong command line, which says nothing of the verb.
        let code = output.status.code();
        assert!(
            matches!(code, Some(1 | 3..=6)),
            "parlour {words:?} ends with {code:?}: {said}"
        );
        said
    }

    /// Says yes to what that verb refuses at first, as its refusal spells it.
    pub fn agree(&self, words: &[&str]) -> String {
        let refused = self.refusal(words);
        let (_, yes) = refused.split_once("say `").unwrap();
        let (yes, _) = yes.split_once('`').unwrap();
        self.say(&[words, &[yes]].concat())
    }

    /// The chat as it is once it has come to that.
    pub fn wait(&self, chat: &str, until: &str) -> Value {
        let seconds = PATIENCE.as_secs().to_string();
        let output = self.run(&["wait", chat, "--for", until, "--timeout", &seconds, "--json"]);
        let shown = || format!("{output:?}\n{}", self.say(&["explain", chat]));
        assert!(output.status.success(), "{chat} never came to {until}: {}", shown());
        serde_json::from_slice(&output.stdout).unwrap()
    }

    pub fn events(&self, chat: &str) -> Vec<Value> {
        let said = self.say(&["events", chat]);
        said.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    pub fn attach(&self, words: &[&str]) -> Terminal {
        self.attach_sized(words, 120, 40)
    }

    pub fn attach_sized(&self, words: &[&str], cols: u16, rows: u16) -> Terminal {
        // Where verbs are run, `new` binds the directory to its chat, which plain `parlour` would open.
        let dir = match words.is_empty() {
            true => self.scratch().join("home"),
            false => self.scratch().to_path_buf(),
        };
        self.attach_in(&dir, words, (cols, rows))
    }

    pub fn attach_in(&self, dir: &Path, words: &[&str], (cols, rows): (u16, u16)) -> Terminal {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_parlour"));
        command.args(words);
        command.env_clear();
        self.env.iter().for_each(|(name, value)| command.env(name, value));
        command.cwd(dir);
        Terminal::sized(command, cols, rows)
    }

    /// Of an engine that is started where none runs, as `status` itself starts none.
    pub fn status(&self) -> Value {
        if !self.run(&["status"]).status.success() {
            self.json(&["list"]);
        }
        self.json(&["status"])
    }

    /// As a power cut ends it: nothing is written, nobody is told.
    pub fn kill_engine(&self) {
        kill(self.engine_pid());
    }

    pub fn engine_pid(&self) -> i32 {
        let pid = self.status()["engine"]["pid"].as_i64().unwrap();
        i32::try_from(pid).unwrap()
    }

    /// The processes at work in the directories of chats.
    pub fn agents(&self) -> Vec<i32> {
        let chats = self.home().join("chats").canonicalize().unwrap();
        processes(|process| fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd.starts_with(&chats)))
    }

    /// What there is to find out why a test failed where nobody can look.
    fn tell(&self) {
        let said = |words: &[&str]| String::from_utf8_lossy(&self.run(words).stdout).into_owned();
        let list: Value = serde_json::from_str(&said(&["list", "--json"])).unwrap_or_default();
        for chat in list["chats"].as_array().into_iter().flatten() {
            let handle = chat["handle"].as_str().unwrap_or_default();
            println!("--- {handle}\n{}", said(&["explain", handle]));
            for event in said(&["events", handle]).lines() {
                println!("{}", event.chars().take(LINE).collect::<String>());
            }
        }
        let log = fs::read_to_string(self.home().join("run/engine.log")).unwrap_or_default();
        println!("--- the engine's log\n{log}");
    }

    pub fn engines(&self) -> Vec<i32> {
        let home = format!("PARLOUR_HOME={}", self.home().display());
        let holds = |file: PathBuf, words: &str| {
            let bytes = fs::read(file).unwrap_or_default();
            bytes.split(|byte| *byte == 0).any(|word| word == words.as_bytes())
        };
        processes(|process| holds(process.join("cmdline"), "engine") && holds(process.join("environ"), &home))
    }
}

impl Drop for Parlour {
    fn drop(&mut self) {
        if thread::panicking() {
            self.tell();
        }
        // As a person has it, wherever the test pretended to be; it says so where none runs.
        let _ = self.command(&["kill-engine"]).env_remove("PARLOUR_CHAT").output();
    }
}

/// Puts a private file with this text in the place of another, which is never seen half written.
pub fn replace(file: &Path, text: &str) {
    let new = file.with_extension("new");
    fs::write(&new, text).unwrap();
    fs::set_permissions(&new, fs::Permissions::from_mode(0o600)).unwrap();
    fs::rename(new, file).unwrap();
}

/// Writes a script that can be run.
pub fn install(file: &Path, script: &str) {
    // By a process of its own: a descriptor that another test's child inherits would make it "busy".
    let write = "printf '%s' \"$2\" > \"$1\" && chmod 755 \"$1\"";
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", write, "sh"]).arg(file).arg(script);
    assert!(shell.status().unwrap().success());
}

/// The processes that run this program and name this among their words.
pub fn processes_that_say(what: &str, program: &str) -> Vec<i32> {
    processes(|process| {
        let bytes = fs::read(process.join("cmdline")).unwrap_or_default();
        let words: Vec<String> = bytes
            .split(|byte| *byte == 0)
            .map(|word| String::from_utf8_lossy(word).into_owned())
            .collect();
        let runs = words
            .first()
            .is_some_and(|first| first.rsplit('/').next().is_some_and(|name| name.starts_with(program)));
        runs && words.iter().any(|word| word.contains(what))
    })
}

fn processes(is_one: impl Fn(&Path) -> bool) -> Vec<i32> {
    let all = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let pid = |name: &std::ffi::OsStr| name.to_str().and_then(|name| name.parse().ok());
    all.filter(|entry| is_one(&entry.path()))
        .filter_map(|entry| pid(&entry.file_name()))
        .collect()
}

/// Looks again and again until it holds.
pub fn until(what: &str, patience: Duration, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + patience;
    while !holds() {
        assert!(
            Instant::now() < deadline,
            "after {patience:?} it is still not so: {what}"
        );
        thread::sleep(LOOK);
    }
}

/// A question must stand there for a moment before a key answers it.
pub fn let_it_be_read() {
    let shown = Instant::now();
    until("it could be read", PATIENCE, || shown.elapsed() > READ);
}

/// What git prints in that directory, without its line's end.
pub fn git(dir: &Path, words: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=Ada", "-c", "user.email=ada@localhost"])
        .args(words)
        .current_dir(dir)
        .env_remove("GIT_DIR")
        .output()
        .unwrap();
    assert!(output.status.success(), "git {words:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}
