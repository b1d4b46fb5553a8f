//! `config.json` is read for the settings screen, and changed by it; what a person types there is started once, to see
//! whether it can be.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::runtime::Handle;

use crate::agents::{self, Adapter, Env};
use crate::config::{self, Loaded, SHIPPED};
use crate::domain::work::{SettingDone, SettingTrial, SettingWork, TrialOf};
use crate::mcp;
use crate::model::setting::{self, BrokenSettings, SettingOption, SettingsFile, TriedSetting};
use crate::model::text::{one_line, without_sequences};
use crate::model::{Activity, AgentEntry, Problem, ResultExt, Server, Settings};
use crate::pty::{CommandEnd, CommandHalt, Course, Sound, run_watched, watched_size};
use crate::store::Home;
use crate::sys::spawn::{SpawnLimits, Spec, Streams};
use crate::term::{Effects, Setup, Terminal, TerminalPalette};

use super::super::services::Services;
use super::super::settings::change_settings;
use super::context::WorkContext;
use super::server_login;

/// An agent that still runs after this has started.
const STARTS_WITHIN: Duration = Duration::from_secs(3);
const LONGEST: usize = 200;
/// Letters of what an agent said last.
const LAST_LINE: usize = 80;

pub fn carry_out(context: &WorkContext, work: SettingWork) -> Result<SettingDone, Problem> {
    let services = &context.services;
    match work {
        SettingWork::Read => {
            let loaded = config::load(&services.home.config()).doing("reading the settings")?;
            Ok(edited(services, loaded))
        }
        SettingWork::Edit(edits) => {
            let loaded = change_settings(&services.home.config(), &edits).doing("changing the settings")?;
            Ok(edited(services, loaded))
        }
        SettingWork::Begin(path) => {
            const DOING: &str = "opening a file of settings";
            match path == Path::new("config.json") {
                // One that is broken is there, and is to be mended.
                true => drop(config::begin(&services.home.config())),
                false => config::begin_own_settings(services.home.dir(), &path).doing(DOING)?,
            }
            Ok(SettingDone::Begun(path))
        }
        SettingWork::Policy(path, value) => {
            let loaded = set_policy(&services.home, &path, value.as_deref())?;
            Ok(edited(services, loaded))
        }
        SettingWork::Try(trial) => {
            let SettingTrial { what, name, entry, env } = *trial;
            let env = agents::scrubbed(&env);
            let outcome = match what {
                TrialOf::Server => server(context, &name, &entry, &env),
                TrialOf::Agent => agent(services, &name, &entry, &env),
            };
            let outcome = outcome
                .map(|said| one_line(&said, LONGEST))
                .map_err(|why| one_line(&why, LONGEST));
            Ok(SettingDone::Tried(TriedSetting { name, outcome }))
        }
    }
}

/// What holds from now on, and what the file says.
fn edited(services: &Services, loaded: Loaded) -> SettingDone {
    let file = told(services, Ok(&loaded));
    SettingDone::Edited(Box::new(loaded.settings), Box::new(file))
}

/// The settings are read first: where they cannot be, nothing is written.
fn set_policy(home: &Home, path: &Path, value: Option<&str>) -> Result<Loaded, Problem> {
    let loaded = config::load(&home.config()).doing("reading the settings")?;
    config::begin_own_settings(home.dir(), path).doing("changing when an agent CLI asks")?;
    config::set_policy(home.dir(), path, value)?;
    Ok(loaded)
}

/// Its tools, and how long it took to hear of them.
fn server(context: &WorkContext, name: &str, entry: &Value, env: &Env) -> Result<String, String> {
    let server = Server::parse(name, entry)?;
    let began = Instant::now();
    let dir = context.services.home.path();
    let asked = Handle::current().block_on(async {
        tokio::select! {
            asked = mcp::tools_of(&server, dir, env) => asked,
            () = context.cancel.cancelled() => Err("it was stopped".into()),
        }
    });
    let tools = asked.map_err(|why| server_login::told(why, name, None))?;
    let took = began.elapsed().as_millis();
    let count = match tools.len() {
        1 => "1 tool".into(),
        many => format!("{many} tools"),
    };
    Ok(format!("{count} in {took} ms: {}", tools.join(", ")))
}

/// Whether it stays in a terminal, as an agent does, and whether its prompt is recognised there.
fn agent(services: &Services, name: &str, entry: &Value, env: &Env) -> Result<String, String> {
    let entry: AgentEntry = serde_json::from_value(entry.clone()).map_err(|error| error.to_string())?;
    entry.check(name).map_err(|(_, why)| why)?;
    let path = env.get("PATH").map_or("", String::as_str);
    let program = agents::on_path(&entry.command, OsStr::new(path))
        .ok_or_else(|| format!("{} is not on your PATH", entry.command))?;
    let own = entry.env.iter().map(|(name, value)| (name.clone(), value.clone()));
    let env = env
        .clone()
        .into_iter()
        .chain(own)
        .chain([("TERM".into(), "xterm-256color".into())]);
    let spec = Spec {
        program: program.into(),
        args: entry.args.iter().map(Into::into).collect(),
        env: env
            .map(|(name, value): (String, String)| (name.into(), value.into()))
            .collect(),
        cwd: std::env::temp_dir().into(),
        streams: Streams::Terminal,
        limits: SpawnLimits::default(),
        writable: None,
    };
    let halt = CommandHalt::new().map_err(|error| error.to_string())?;
    let mut prompt = PromptWatch::new(name, &entry);
    let course = Course {
        limit: STARTS_WITHIN,
        halt: &halt,
        hear: &mut |sound| match sound {
            Sound::Wrote(bytes) => prompt.hear(bytes),
            Sound::Started(_) => {}
        },
    };
    let ran = run_watched(&services.parlour, &spec, course).map_err(|error| error.to_string())?;
    let said = without_sequences(&ran.said);
    let last = said.lines().rev().map(str::trim).find(|line| !line.is_empty());
    let last = last.map_or(String::new(), |line| format!(": {line}"));
    match ran.end {
        CommandEnd::Late => {
            let last = one_line(&last, LAST_LINE);
            Ok(format!("it started, and waits{last}; {}", prompt.told()))
        }
        CommandEnd::Exited(code) => Err(format!("it ended at once with exit code {code}{last}")),
        CommandEnd::Killed(signal) => Err(format!("it was killed by signal {signal}{last}")),
        CommandEnd::NotStarted(why) => Err(format!("it cannot be started: {why}")),
        CommandEnd::Stopped => Err("it was stopped".into()),
    }
}

/// What an agent that is tried draws, and whether its prompt was seen there.
struct PromptWatch {
    adapter: Option<Box<dyn Adapter>>,
    terminal: Terminal,
    has_pattern: bool,
    is_seen: bool,
}

impl PromptWatch {
    fn new(name: &str, entry: &AgentEntry) -> PromptWatch {
        let settings = Settings {
            custom_llms: [(name.to_string(), entry.clone())].into(),
            ..Settings::default()
        };
        PromptWatch {
            adapter: agents::find(name, &settings),
            terminal: Terminal::new(Setup {
                size: watched_size(),
                palette: TerminalPalette::default(),
                history_lines: 0,
            }),
            has_pattern: entry.ready.is_some(),
            is_seen: false,
        }
    }

    fn hear(&mut self, bytes: &[u8]) {
        let mut out = Effects::default();
        self.terminal.advance(bytes, Instant::now(), &mut out);
        if self.has_pattern && !self.is_seen {
            let text = self.terminal.screen(&mut out).text();
            let read = self.adapter.as_ref().and_then(|adapter| adapter.read_screen(&text));
            self.is_seen = read == Some(Activity::Idle);
        }
    }

    fn told(&self) -> &'static str {
        match (self.has_pattern, self.is_seen) {
            (false, _) => "without `ready`, parlour types nothing",
            (true, true) => "`ready` recognised its prompt",
            (true, false) => "`ready` did not match its screen, so parlour would type nothing",
        }
    }
}

/// What the file says. One that cannot be read is no failure: the screen shows where it is broken.
pub fn file(services: &Services) -> SettingsFile {
    let read = config::load(&services.home.config());
    let broken = |broken: &config::BrokenFile| BrokenSettings {
        at: broken.at,
        why: broken.what(),
    };
    told(services, read.as_ref().map_err(broken))
}

fn told(services: &Services, read: Result<&Loaded, BrokenSettings>) -> SettingsFile {
    let home = services.home.dir();
    let own = config::own_themes(home);
    let shipped = SHIPPED.iter().map(|theme| SettingOption {
        value: theme.name.into(),
        about: theme.about.into(),
    });
    let mine = own.iter().map(|name| SettingOption {
        value: name.clone(),
        about: "your own".into(),
    });
    let shipped = shipped.filter(|theme| !own.contains(&theme.value));
    let in_force = || Loaded {
        written: setting::written(&services.settings()),
        ..Loaded::default()
    };
    let (loaded, broken) = match read {
        Ok(loaded) => (Cow::Borrowed(loaded), None),
        Err(broken) => (Cow::Owned(in_force()), Some(broken)),
    };
    let wrong = loaded.misfits.iter().map(ToString::to_string);
    let unknown = loaded.unknown.iter().map(ToString::to_string);
    SettingsFile {
        written: loaded.written.clone(),
        broken,
        wrong: wrong.chain(unknown).collect(),
        themes: shipped.chain(mine).collect(),
        defaults: config::own_settings(home),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_policy_is_not_written_where_the_settings_cannot_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open(&folder.path().join("home")).unwrap();
        let path = Path::new("llm-defaults/codex/config.toml");
        let written = || fs::read_to_string(home.path().join(path)).unwrap_or_default();
        let before = written();
        fs::write(home.config(), "{ torn").unwrap();
        assert!(set_policy(&home, path, Some("never")).is_err());
        assert_eq!(written(), before);
        fs::write(home.config(), "{}").unwrap();
        set_policy(&home, path, Some("never")).unwrap();
        assert!(written().contains("approval_policy = \"never\""), "{}", written());
    }
}
