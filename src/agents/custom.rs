//! An agent CLI that a person named in `config.json`: any program that speaks MCP.
//!
//! It is told where parlour's tools are by its environment, and by its arguments and variables where they hold
//! `{{parlour_mcp_url}}` or `{{parlour_token}}`.

use std::ffi::OsStr;

use regex::Regex;

use super::{Adapter, Prepared, Seat, environment, program};
use crate::model::{Activity, AgentEntry, Installed, Launch, Manners, Problem, Ready};

/// Names that a custom CLI cannot have.
pub(super) const BUILT_IN: &[&str] = &["claude", "opencode", "demo", "shell"];

const URL: &str = "{{parlour_mcp_url}}";
const TOKEN: &str = "{{parlour_token}}";

/// The adapter of one custom CLI.
pub struct Custom {
    name: String,
    entry: AgentEntry,
    ready: Option<Result<Regex, regex::Error>>,
}

impl Custom {
    pub fn new(name: &str, entry: &AgentEntry) -> Custom {
        let ready = entry.ready.as_deref().map(|pattern| {
            let mut pattern = regex::RegexBuilder::new(pattern);
            pattern.multi_line(true).build()
        });
        Custom {
            name: name.into(),
            entry: entry.clone(),
            ready,
        }
    }

    fn remark(&self) -> String {
        if let Some(Err(why)) = &self.ready {
            return format!("its `ready` pattern cannot be read, so nothing is typed for you: {why}");
        }
        if self.ready.is_none() {
            return "it has no `ready` pattern, so nothing is typed for you".into();
        }
        match self.entry.args.iter().any(|arg| arg.contains(TOKEN)) {
            true => format!("its arguments hold {TOKEN}, which every user of this machine can read; use `env`"),
            false => String::new(),
        }
    }
}

impl Adapter for Custom {
    fn name(&self) -> &str {
        &self.name
    }

    fn title(&self) -> &str {
        &self.name
    }

    fn detect(&self, search_path: &OsStr) -> Option<Installed> {
        Some(Installed {
            llm: self.name.clone(),
            title: self.name.clone(),
            program: program::on_path(&self.entry.command, search_path)?,
            version: None,
            remark: self.remark(),
        })
    }

    fn prepare(&self, seat: &Seat) -> Result<Prepared, Problem> {
        let search_path = seat.env.get("PATH").map_or("", String::as_str);
        let command = &self.entry.command;
        let program = program::on_path(command, search_path.as_ref()).ok_or_else(|| {
            let hint = format!("correct customLlms.{}.command in config.json", self.name);
            Problem::new(
                format!("starting {}", self.name),
                format!("there is no program `{command}`"),
                hint,
            )
        })?;
        let filled = |text: &String| text.replace(URL, seat.mcp_url).replace(TOKEN, seat.token);
        let mut env = environment::for_seat(seat);
        env.extend(self.entry.env.iter().map(|(name, value)| (name.clone(), filled(value))));
        let launch = Launch {
            program,
            args: self.entry.args.iter().map(filled).collect(),
            env,
            cwd: seat.dir.into(),
        };
        Ok(Prepared {
            launch,
            resumes: false,
            problems: Vec::new(),
        })
    }

    fn manners(&self) -> Manners {
        let ready = match self.ready {
            Some(Ok(_)) => Ready::Screen,
            Some(Err(_)) | None => Ready::Nothing,
        };
        Manners {
            ready,
            confirms: false,
            queues: false,
            awaits_mcp: false,
            interrupt: b"\x1b".to_vec(),
            settle_ms: 300,
        }
    }

    fn read_screen(&self, text: &str) -> Option<Activity> {
        let Some(Ok(ready)) = &self.ready else {
            return None;
        };
        ready.is_match(text).then_some(Activity::Idle)
    }
}
