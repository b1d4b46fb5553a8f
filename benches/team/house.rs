//! An engine with a home of its own, and agents whose tools are called as their CLI would. All of it ends with the house.

use std::ffi::OsString;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::{Context, anyhow, bail, ensure};
use parlour::agents::loopback;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::agent::{self, Nature};
use crate::support::{proc, verbs};

const PATIENCE: Duration = Duration::from_secs(60);
const LOOK_AGAIN: Duration = Duration::from_millis(1);

pub struct Venue<'a> {
    pub parlour: PathBuf,
    /// Where engines leave their homes.
    pub homes: &'a Path,
}

pub struct House {
    home: PathBuf,
    parlour: PathBuf,
}

impl House {
    pub fn new(venue: &Venue) -> anyhow::Result<House> {
        let home = tempfile::tempdir_in(venue.homes)?.keep();
        fs::create_dir(home.join("bin"))?;
        let limits = json!({
            "liveChildren": 100, "liveAgents": 100, "descendants": 100, "spawnsPerMinute": 1000, "dispatchDepth": 3,
        });
        let mut known = serde_json::Map::new();
        for nature in Nature::ALL {
            symlink(std::env::current_exe()?, home.join("bin").join(nature.name()))?;
            let transcript = json!({"format": "jsonl", "file": "log/talk.jsonl", "fields": {}});
            let entry = json!({"command": nature.name(), "ready": "^> $", "transcript": transcript});
            known.insert(nature.name().into(), entry);
        }
        let config = json!({"v": 1, "defaultLlm": "mate", "limits": limits, "customLlms": known});
        fs::write(home.join("config.json"), config.to_string())?;
        Ok(House {
            home,
            parlour: venue.parlour.clone(),
        })
    }

    pub fn home(&self) -> &Path {
        &self.home
    }

    pub fn verb(&self, args: &[&str]) -> anyhow::Result<String> {
        let mut path = OsString::from(self.home.join("bin"));
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        verbs::run(&[self.parlour.clone().into()], &self.home, &[("PATH", path)], args)
    }

    /// A verb that goes on.
    pub fn begin(&self, args: &[&str]) -> anyhow::Result<Begun> {
        let mut path = OsString::from(self.home.join("bin"));
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let mut command = Command::new(&self.parlour);
        command.args(args).current_dir(&self.home).stdin(Stdio::null());
        verbs::cleared().iter().for_each(|name| _ = command.env_remove(name));
        command.envs(verbs::settled(&self.home)).env("PATH", path);
        Ok(Begun(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?))
    }

    pub fn json(&self, args: &[&str]) -> anyhow::Result<Value> {
        Ok(serde_json::from_str(&self.verb(&[args, &["--json"]].concat())?)?)
    }

    pub fn engine(&self) -> anyhow::Result<u32> {
        let status = self.json(&["status"])?;
        let pid = status["engine"]["pid"].as_u64().context("a running engine")?;
        Ok(pid.try_into()?)
    }

    /// As a power cut ends it.
    pub fn kill_engine(&self) -> anyhow::Result<()> {
        let pid = self.engine()?;
        let process = Pid::from_raw(pid.try_into()?).context("a process")?;
        kill_process(process, Signal::KILL)?;
        wait("the engine's end", || !proc::is_alive(pid))
    }

    /// A chat that a person makes, and its agent.
    pub fn mate(&self, name: &str, words: &[&str]) -> anyhow::Result<Mate> {
        let made = self.json(&[&["new", name], words].concat())?;
        self.mate_of(&made["id"])
    }

    pub fn mate_of(&self, id: &Value) -> anyhow::Result<Mate> {
        let id = id.as_str().context("the id of a chat")?.to_owned();
        let dir = self.home.join("chats").join(&id);
        Ok(Mate { id, dir })
    }
}

impl Drop for House {
    fn drop(&mut self) {
        let Ok(pid) = self.engine() else {
            return;
        };
        let asked = self.verb(&["kill-engine"]);
        if let Err(error) = verbs::wait_for_end(pid, &asked) {
            eprintln!("team: {error:#}");
        }
    }
}

/// A verb that was begun, ended as a person ends it.
pub struct Begun(Child);

impl Begun {
    pub fn end(mut self) -> anyhow::Result<()> {
        let pid = Pid::from_raw(self.0.id().try_into()?).context("a process")?;
        // It may have ended by itself.
        let _ = kill_process(pid, Signal::INT);
        self.0.wait()?;
        Ok(())
    }
}

/// One agent, by its chat.
pub struct Mate {
    pub id: String,
    pub dir: PathBuf,
}

impl Mate {
    /// What it wrote of its start.
    fn told(&self, name: &str) -> anyhow::Result<String> {
        let file = self.dir.join(name);
        wait(&format!("the agent of {}", self.id), || file.exists())?;
        Ok(fs::read_to_string(file)?)
    }

    /// When its first instruction ran, since 1970.
    pub fn started(&self) -> anyhow::Result<Duration> {
        Ok(Duration::from_nanos(self.told(agent::STARTED)?.parse()?))
    }

    pub fn pid(&self) -> anyhow::Result<u32> {
        Ok(self.told(agent::PID)?.parse()?)
    }

    /// What is asked next is asked of its next start.
    pub fn forget(&self) -> anyhow::Result<()> {
        for name in [agent::STARTED, agent::PID, agent::TOKEN, agent::URL] {
            fs::remove_file(self.dir.join(name))?;
        }
        Ok(())
    }

    /// What a tool answers.
    pub fn call(&self, tool: &str, arguments: Value) -> anyhow::Result<Value> {
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                          "params": {"name": tool, "arguments": arguments}});
        let (url, token) = (self.told(agent::URL)?, self.told(agent::TOKEN)?);
        let bearer = format!("Bearer {token}");
        let headers = [("authorization", &*bearer)];
        let (status, text) = loopback::post(&url, &headers, call.to_string(), PATIENCE)?;
        ensure!(status.is_success(), "{tool}: {status}");
        let json = text.lines().find_map(|line| {
            let bare = line.strip_prefix("data:").unwrap_or(line).trim();
            serde_json::from_str::<Value>(bare).ok()
        });
        let result = json.map(|json| json["result"].clone()).unwrap_or_default();
        match result["isError"] == true || result.is_null() {
            true => Err(anyhow!("{tool}: {text}")),
            false => Ok(result["structuredContent"].clone()),
        }
    }
}

pub fn wait(what: &str, mut there: impl FnMut() -> bool) -> anyhow::Result<()> {
    let deadline = Instant::now() + PATIENCE;
    while !there() {
        if Instant::now() > deadline {
            bail!("{what} does not come");
        }
        thread::sleep(LOOK_AGAIN);
    }
    Ok(())
}

pub fn git(dir: &Path, words: &[&str]) -> anyhow::Result<()> {
    let said = Command::new("git")
        .args(["-c", "user.name=Ada", "-c", "user.email=ada@localhost"])
        .args(words)
        .current_dir(dir)
        .output()?;
    if !said.status.success() {
        bail!("git {words:?}: {}", String::from_utf8_lossy(&said.stderr));
    }
    Ok(())
}
