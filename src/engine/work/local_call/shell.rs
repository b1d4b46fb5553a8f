//! A command to its end: in a terminal that nobody watches, where the kernel can held to its directory, for so long at
//! most, and with what it wrote at its beginning and end.

use std::collections::VecDeque;
use std::path::Path;
use std::time::Duration;

use serde_json::json;

use super::super::context::WorkContext;
use super::super::output::PlainTextFilter;
use super::unable::Unable;
use crate::agents::{self, Env};
use crate::fs::Dir;
use crate::model::local_call::{Done, SECONDS};
use crate::model::{AreaMode, ChatId, WorkId};
use crate::pty::{CommandEnd, CommandHalt, Course, Sound, run_watched};
use crate::sys::spawn::{self, SpawnLimits, Spec, Streams, Writable};

/// Of its beginning and of its end so much is kept beside the transcript.
const KEPT: usize = 512 << 10;
/// And so much of each is answered.
const ANSWERED: usize = 12 << 10;

/// A command and where it is to run.
pub struct ShellRun<'r> {
    pub number: WorkId,
    pub root: &'r Dir,
    pub mode: AreaMode,
    pub below: &'r Path,
    pub command: &'r str,
    pub seconds: Option<u64>,
    pub env: &'r Env,
}

pub fn run(context: &WorkContext, id: &ChatId, run: ShellRun) -> Result<Done, Unable> {
    let services = &context.services;
    let held = hold(run.mode, spawn::can_confine())?;
    let below = match run.below.as_os_str().is_empty() {
        true => Path::new("."),
        false => run.below,
    };
    let cwd = run.root.dir(below)?;
    let seconds = run.seconds.unwrap_or(SECONDS);
    let temporary = services.home.temporary(id)?;
    let spec = spec(context, id, &run, (&cwd, &temporary), &held);
    let halt = CommandHalt::new()?;
    let halting = halt.clone();
    services.scripts.begin(run.number, Box::new(move || halting.stop()));
    let mut output = Ends::default();
    let mut hear = |sound: Sound| match sound {
        Sound::Started(pid) => services.scripts.started(run.number, pid),
        Sound::Wrote(bytes) => output.take(bytes),
    };
    let course = Course {
        limit: Duration::from_secs(seconds),
        halt: &halt,
        hear: &mut hear,
    };
    let ran = run_watched(&services.parlour, &spec, course);
    services.scripts.end(run.number);
    let (code, ended) = match ran?.end {
        CommandEnd::Exited(code) => (Some(code), None),
        CommandEnd::Killed(signal) => (None, Some(format!("killed by signal {signal}"))),
        CommandEnd::Late => (None, Some(format!("ended after {seconds} s, with all that it started"))),
        CommandEnd::Stopped => (None, Some("stopped".into())),
        CommandEnd::NotStarted(why) => return Err(Unable::fault(why)),
    };
    let whole = output.text(KEPT);
    let mut answer = json!({"output": output.text(ANSWERED), "exit_code": code, "ended": ended});
    if let KernelHold::Not(why) = held {
        answer["note"] = format!("nothing kept it from writing elsewhere: {why}").into();
    }
    Ok(Done {
        answer: Ok(answer),
        output: whole,
        failed: code != Some(0),
    })
}

/// Whether the kernel holds a command to its directory.
#[derive(Debug, PartialEq, Eq)]
enum KernelHold {
    In,
    Not(String),
}

/// Whatever the gate knows of commands, only the kernel keeps one from writing where it may not.
fn hold(mode: AreaMode, kernel: Result<(), String>) -> Result<KernelHold, String> {
    match (kernel, mode) {
        (Ok(()), _) => Ok(KernelHold::In),
        (Err(why), AreaMode::Rw) => Ok(KernelHold::Not(why)),
        (Err(why), AreaMode::Ro) => Err(format!(
            "the directory is open read-only, and nothing here can hold a command to that: {why}; use read_file, or ask \
             the person to open it rw"
        )),
    }
}

fn spec(context: &WorkContext, id: &ChatId, run: &ShellRun, (cwd, temporary): (&Dir, &Dir), held: &KernelHold) -> Spec {
    let services = &context.services;
    let mut env = agents::scrubbed(run.env);
    let text = |path: &Path| path.to_string_lossy().into_owned();
    env.extend(
        [
            ("PARLOUR_CHAT", id.to_string()),
            ("PARLOUR_HOME", text(services.home.path())),
            ("PWD", text(cwd.path())),
            ("TMPDIR", text(temporary.path())),
            ("TERM", "dumb".into()),
            ("PAGER", "cat".into()),
            ("GIT_PAGER", "cat".into()),
            ("GIT_TERMINAL_PROMPT", "0".into()),
        ]
        .map(|(name, value)| (name.to_string(), value)),
    );
    // By handles: what lies at their names by then may be a link that another command of the agent has put there.
    let own = match run.mode {
        AreaMode::Rw => Some(run.root.lasting_path()),
        AreaMode::Ro => None,
    };
    let writable = Writable {
        paths: own
            .into_iter()
            .chain([temporary.lasting_path()])
            .map(Into::into)
            .collect(),
        ..Writable::default()
    };
    Spec {
        program: "/bin/sh".into(),
        args: vec!["-c".into(), format!("exec </dev/null\n{}", run.command).into()],
        env: env
            .into_iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect(),
        cwd: cwd.lasting_path().into(),
        streams: Streams::Terminal,
        limits: SpawnLimits::default(),
        writable: (*held == KernelHold::In).then_some(writable),
    }
}

/// The beginning and the end of what is written, as plain lines.
#[derive(Default)]
struct Ends {
    filter: PlainTextFilter,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    /// How much was between them.
    lost: usize,
}

impl Ends {
    fn take(&mut self, bytes: &[u8]) {
        let bytes = self.filter.pass(bytes);
        let (head, rest) = bytes.split_at(bytes.len().min(KEPT - self.head.len()));
        self.head.extend(head);
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(KEPT);
        self.tail.drain(..over);
        self.lost += over;
    }

    /// So many bytes of each end, and how many lie between them.
    fn text(&self, most: usize) -> String {
        let length = self.head.len() + self.tail.len();
        let kept: Vec<u8> = self.head.iter().chain(&self.tail).copied().collect();
        if self.lost == 0 && length <= 2 * most {
            return String::from_utf8_lossy(&kept).into_owned();
        }
        let (head, tail) = (&kept[..most.min(length)], &kept[length.saturating_sub(most)..]);
        let left_out = self.lost + length.saturating_sub(2 * most);
        let (head, tail) = (String::from_utf8_lossy(head), String::from_utf8_lossy(tail));
        format!("{head}\n[{left_out} bytes are left out]\n{tail}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nothing_holds_in_says_so_and_is_not_run_where_it_may_not_write() {
        let missing = || Err("there is no Landlock".to_string());
        assert_eq!(hold(AreaMode::Ro, Ok(())), Ok(KernelHold::In));
        assert_eq!(
            hold(AreaMode::Rw, missing()),
            Ok(KernelHold::Not("there is no Landlock".to_string()))
        );
        assert!(
            hold(AreaMode::Ro, missing())
                .unwrap_err()
                .contains("there is no Landlock")
        );
    }

    #[test]
    fn of_a_long_output_both_ends_are_kept() {
        let mut ends = Ends::default();
        ends.take(b"short\r\n");
        assert_eq!(ends.text(100), "short\n");
        (0..3_000).for_each(|_| ends.take(&[b'x'; 999]));
        ends.take(b"\nthe end\n");
        let text = ends.text(10);
        assert_eq!(
            text,
            format!(
                "short\nxxxx\n[{} bytes are left out]\nx\nthe end\n",
                6 + 2_997_000 + 9 - 20
            )
        );
        assert!(ends.head.len() + ends.tail.len() <= 2 * KEPT);
    }
}
