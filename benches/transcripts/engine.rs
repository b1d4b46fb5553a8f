//! The engine that is measured, with a home and agents of its own. All that runs there ends with it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::{Value, json};

use crate::agent::{self, Orders};
use crate::lines::{Expected, LAST};
use crate::support::{proc, verbs};

/// For what is measured in seconds.
const PATIENCE: Duration = Duration::from_secs(120);

const LOOK_AGAIN: Duration = Duration::from_millis(2);

/// More than the last entry takes.
const TAIL: u64 = 64 << 10;

/// Where everything is while it is measured.
pub struct Venue<'a> {
    pub parlour: PathBuf,
    /// On the disk that is measured.
    pub storage: &'a Path,
    /// Where engines leave their homes.
    pub homes: &'a Path,
}

pub struct Engine {
    home: PathBuf,
    parlour: PathBuf,
    pub pid: u32,
    /// The records of its chats.
    records: Vec<PathBuf>,
}

impl Engine {
    /// Starts one with so many chats, whose agents wait for [`agent::go`].
    pub fn start(venue: &Venue, chats: usize, orders: &Orders) -> anyhow::Result<Engine> {
        let home = tempfile::tempdir_in(venue.homes)?.keep();
        let bin = home.join("bin");
        fs::create_dir(&bin)?;
        symlink(std::env::current_exe()?, bin.join(agent::NAME))?;
        let config = json!({"v": 1, "limits": {"liveAgents": 64}});
        fs::write(home.join("config.json"), config.to_string())?;
        orders.write(&home)?;
        let mut engine = Engine {
            home,
            parlour: venue.parlour.clone(),
            pid: 0,
            records: Vec::new(),
        };
        for chat in 0..chats {
            engine.verb(&["new", &format!("chat-{chat}"), "--llm", agent::NAME])?;
        }
        let status: Value = serde_json::from_str(&engine.verb(&["status", "--json"])?)?;
        let pid = status["engine"]["pid"].as_u64().context("a running engine")?;
        engine.pid = pid.try_into()?;
        let records = fs::read_dir(engine.home().join("records"))?;
        engine.records = records.filter_map(|entry| Some(entry.ok()?.path())).collect();
        Ok(engine)
    }

    pub fn home(&self) -> &Path {
        &self.home
    }

    pub fn verb(&self, args: &[&str]) -> anyhow::Result<String> {
        let mut path = OsString::from(self.home().join("bin"));
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        verbs::run(&[self.parlour.clone().into()], self.home(), &[("PATH", path)], args)
    }

    /// Waits until the last line of every transcript has arrived in the chat's record.
    pub fn wait_for_last(&self) -> anyhow::Result<Instant> {
        let deadline = Instant::now() + PATIENCE;
        for record in &self.records {
            while !ends_with_last(&record.join("events.jsonl")) {
                if Instant::now() > deadline {
                    bail!("not all of the transcript has arrived in {}", record.display());
                }
                thread::sleep(LOOK_AGAIN);
            }
        }
        Ok(Instant::now())
    }

    /// Whether all arrived, each once and in order, as `parlour events` tells it.
    pub fn check(&self, expected: Expected) -> anyhow::Result<()> {
        let (mut found, mut ids, mut last) = (Expected::default(), BTreeMap::<String, String>::new(), 0);
        for line in self.verb(&["events", "chat-0"])?.lines() {
            let entry: Value = serde_json::from_str(line)?;
            let seq = entry["seq"].as_u64().unwrap_or(0);
            if seq != last + 1 {
                bail!("entry {seq} follows entry {last}");
            }
            last = seq;
            let kind = entry["kind"].as_str().unwrap_or_default().to_owned();
            match kind.as_str() {
                "text" | "thinking" => found.texts += 1,
                "tool.end" => found.tools += 1,
                _ => continue,
            }
            let id = entry["id"].as_str().unwrap_or_default().to_owned();
            if ids.get(&kind).is_some_and(|before| *before >= id) {
                bail!("{kind} {id} came twice, or late");
            }
            ids.insert(kind, id);
        }
        if (found.texts, found.tools) != (expected.texts, expected.tools) {
            let (texts, tools) = (expected.texts, expected.tools);
            bail!(
                "{} of {texts} texts and {} of {tools} tools arrived",
                found.texts,
                found.tools
            );
        }
        Ok(())
    }

    /// Processor time so far, by the name of the thread. Threads of the loop's runtime count as one.
    pub fn threads(&self) -> BTreeMap<String, Duration> {
        let mut spent = BTreeMap::new();
        let tasks = fs::read_dir(format!("/proc/{}/task", self.pid)).into_iter().flatten();
        for task in tasks.filter_map(|task| Some(task.ok()?.path())) {
            let read = |name: &str| fs::read_to_string(task.join(name)).unwrap_or_default();
            let name = match read("comm").trim() {
                known @ ("ears" | "journals" | "watch") => known.to_owned(),
                notify if notify.starts_with("notify") => "watch".to_owned(),
                _ => "loop".to_owned(),
            };
            let slices = read("schedstat");
            let nanos = slices.split_whitespace().next().and_then(|nanos| nanos.parse().ok());
            *spent.entry(name).or_default() += Duration::from_nanos(nanos.unwrap_or(0));
        }
        spent
    }

    /// Bytes of memory: now, and the most so far.
    pub fn memory(&self) -> (u64, u64) {
        let text = fs::read_to_string(format!("/proc/{}/status", self.pid)).unwrap_or_default();
        let kib = |name: &str| proc::field(&text, name).unwrap_or(0) << 10;
        (kib("VmRSS:"), kib("VmHWM:"))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let asked = self.verb(&["kill-engine"]);
        if let Err(error) = verbs::wait_for_end(self.pid, &asked) {
            eprintln!("transcripts: {error:#}");
        }
    }
}

fn ends_with_last(events: &Path) -> bool {
    let tail = || -> std::io::Result<Vec<u8>> {
        let mut file = File::open(events)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let is_last = |bytes: Vec<u8>| bytes.windows(LAST.len()).any(|words| words == LAST.as_bytes());
    tail().is_ok_and(is_last)
}
