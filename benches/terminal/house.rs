//! Where a host lives while it is measured, and how its verbs are called.
//!
//! Whatever runs in a house is its own (a private home, a private socket), and ends with it.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::bail;
use portable_pty::CommandBuilder;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::Program;
use crate::seat::Seat;
use crate::support::verbs;

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Host {
    /// The program alone: what the outer terminal and this harness cost by themselves.
    Bare,
    Tmux,
    Parlour,
}

/// What every stage needs to know.
pub struct Venue {
    pub sample: PathBuf,
    /// Where large things are kept and homes of repositories are made.
    pub storage: PathBuf,
    pub hosts: Vec<Host>,
    pub interrupted: Arc<AtomicBool>,
}

impl Venue {
    /// Those that hold several programs at once.
    pub fn multiplexers(&self) -> Vec<Host> {
        self.hosts.iter().copied().filter(|host| *host != Host::Bare).collect()
    }

    pub fn seat(&self, home: &Path, command: &[OsString]) -> anyhow::Result<Seat> {
        let mut builder = CommandBuilder::from_argv(command.to_vec());
        for name in verbs::cleared() {
            builder.env_remove(name);
        }
        for (name, value) in verbs::settled(home) {
            builder.env(name, value);
        }
        builder.cwd(home);
        Seat::open(builder, self.interrupted.clone())
    }
}

/// A parlour home of our own, or the place of a tmux socket. All that runs there ends with it.
pub struct House {
    pub path: TempDir,
    pub host: Host,
}

impl House {
    /// Knows all programs by their names.
    pub fn new(host: Host, venue: &Venue, folder: &Path) -> anyhow::Result<House> {
        let path = tempfile::Builder::new().prefix("terminal-").tempdir_in(folder)?;
        let bench = std::env::current_exe()?;
        let entry = |program: Program| {
            let entry = json!({"command": bench, "args": program.args(&venue.sample)});
            (program.name().to_owned(), entry)
        };
        let known: serde_json::Map<String, Value> = Program::ALL.into_iter().map(entry).collect();
        let config = json!({"v": 1, "customLlms": known, "limits": {"liveAgents": 64}});
        fs::write(path.path().join("config.json"), config.to_string())?;
        Ok(House { path, host })
    }

    pub fn home(&self) -> &Path {
        self.path.path()
    }

    /// Runs a verb of the host and returns what it printed.
    pub fn verb<A: AsRef<OsStr>>(&self, args: &[A]) -> anyhow::Result<String> {
        verbs::run(&self.command_line(), self.home(), &[], args)
    }

    /// How the host is called, up to its verb.
    pub fn command_line(&self) -> Vec<OsString> {
        match self.host {
            Host::Bare => Vec::new(),
            Host::Parlour => vec![env!("CARGO_BIN_EXE_parlour").into()],
            Host::Tmux => {
                let socket = self.home().join("socket");
                vec![
                    "tmux".into(),
                    "-u".into(),
                    "-S".into(),
                    socket.into(),
                    "-f".into(),
                    "/dev/null".into(),
                ]
            }
        }
    }

    /// Puts a program behind what is in front.
    pub fn hide(&self, program: Program, venue: &Venue, name: &str) -> anyhow::Result<()> {
        match self.host {
            Host::Bare => bail!("a bare terminal hides nothing"),
            Host::Tmux => {
                let mut args = vec!["new-window".to_owned(), "-d".into(), bench()?];
                args.extend(program.args(&venue.sample));
                self.verb(&args)?;
            }
            Host::Parlour => {
                self.verb(&["new", name, "--llm", program.name(), "--no-project"])?;
            }
        }
        Ok(())
    }

    /// The process that lives on when a person leaves; `None` where none runs.
    pub fn server(&self) -> Option<u32> {
        match self.host {
            Host::Bare => None,
            Host::Tmux => self.verb(&["display-message", "-p", "#{pid}"]).ok()?.parse().ok(),
            Host::Parlour => {
                // Asking would start one where none runs.
                fs::exists(self.home().join("run/engine.sock"))
                    .ok()
                    .filter(|there| *there)?;
                let status: Value = serde_json::from_str(&self.verb(&["status", "--json"]).ok()?).ok()?;
                status["engine"]["pid"].as_u64()?.try_into().ok()
            }
        }
    }

    /// Ends the server and waits until it is gone.
    pub fn close(&self) -> anyhow::Result<()> {
        let Some(pid) = self.server() else {
            return Ok(());
        };
        let verb = match self.host {
            Host::Parlour => "kill-engine",
            Host::Tmux | Host::Bare => "kill-server",
        };
        let asked = self.verb(&[verb]);
        verbs::wait_for_end(pid, &asked)
    }
}

impl Drop for House {
    fn drop(&mut self) {
        if let Err(error) = self.close() {
            eprintln!("terminal: {error:#}");
        }
    }
}

/// This binary, which plays the programs.
pub fn bench() -> anyhow::Result<String> {
    Ok(std::env::current_exe()?.display().to_string())
}
