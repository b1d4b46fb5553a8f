//! The agents: they say at once when they were started, and answer each line with itself.

use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io::{BufRead, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};

use serde_json::json;

/// In an agent's directory: nanoseconds since 1970, its number, and where its tools are.
pub const STARTED: &str = "started";
pub const PID: &str = "pid";
pub const URL: &str = "url";
pub const TOKEN: &str = "token";

/// As which it is called.
#[derive(Clone, Copy)]
pub enum Nature {
    /// Ends when it is told to.
    Mate,
    /// Does not.
    Mule,
}

impl Nature {
    pub const ALL: [Nature; 2] = [Nature::Mate, Nature::Mule];

    pub fn name(self) -> &'static str {
        match self {
            Nature::Mate => "mate",
            Nature::Mule => "mule",
        }
    }

    pub fn named(name: &OsStr) -> Option<Nature> {
        Nature::ALL.into_iter().find(|nature| nature.name() == name)
    }
}

pub fn now() -> Duration {
    SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default()
}

pub fn play(nature: Nature) -> anyhow::Result<()> {
    let began = now().as_nanos();
    match nature {
        Nature::Mate => {}
        Nature::Mule => {
            let deaf = Arc::new(AtomicBool::new(false));
            for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP] {
                signal_hook::flag::register(signal, deaf.clone())?;
            }
        }
    }
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    tell(URL, &variable("PARLOUR_MCP_URL"))?;
    tell(TOKEN, &variable("PARLOUR_TOKEN"))?;
    tell(PID, &std::process::id().to_string())?;
    tell(STARTED, &began.to_string())?;
    fs::create_dir_all("log")?;
    let mut log = OpenOptions::new().create(true).append(true).open("log/talk.jsonl")?;
    print!("> ");
    std::io::stdout().flush()?;
    for line in std::io::stdin().lock().lines() {
        let line = line?.replace("\x1b[200~", "").replace("\x1b[201~", "");
        let [asked, said] = ["user", "assistant"].map(|role| json!({"role": role, "text": line}));
        writeln!(log, "{asked}\n{said}")?;
        print!("> ");
        std::io::stdout().flush()?;
    }
    Ok(())
}

/// A reader finds all of it or nothing.
fn tell(name: &str, text: &str) -> std::io::Result<()> {
    let new = format!("{name}.new");
    fs::write(&new, text)?;
    fs::rename(new, Path::new(name))
}
