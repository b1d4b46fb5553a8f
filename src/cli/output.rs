//! Printing: JSON as the engine gave it, or words for a person.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::model::text::visible;
use crate::model::{Problem, ProblemKind, Timestamp};

/// What is wanted on standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputForm {
    Json,
    Words,
}

/// How words may look where they go.
#[derive(Clone, Copy, Debug)]
pub struct OutputLook {
    pub colours: ColourUse,
    /// Columns of the terminal; None where there is none, and nothing is cut.
    pub width: Option<usize>,
    pub now: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColourUse {
    On,
    Off,
}

/// What a stretch of text means. Colour never says it alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputTone {
    Plain,
    Heading,
    Good,
    Waiting,
    Bad,
    Quiet,
}

impl OutputLook {
    pub fn of_stdout() -> OutputLook {
        let stdout = io::stdout();
        let plain = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let columns = rustix::termios::tcgetwinsize(&stdout).map(|size| usize::from(size.ws_col));
        let terminal = stdout.is_terminal();
        OutputLook {
            colours: match terminal && !plain {
                true => ColourUse::On,
                false => ColourUse::Off,
            },
            width: columns.ok().filter(|columns| terminal && *columns > 0),
            now: now(),
        }
    }

    pub fn paint(&self, tone: OutputTone, text: &str) -> String {
        let code = match tone {
            OutputTone::Plain => return text.to_owned(),
            OutputTone::Heading => "1",
            OutputTone::Good => "32",
            OutputTone::Waiting => "33",
            OutputTone::Bad => "31",
            OutputTone::Quiet => "2",
        };
        match self.colours {
            ColourUse::On => format!("\x1b[{code}m{text}\x1b[0m"),
            ColourUse::Off => text.to_owned(),
        }
    }
}

pub(super) fn now() -> Timestamp {
    Timestamp(chrono::Utc::now().timestamp_millis())
}

/// The value in one line, or what `words` makes of it.
pub fn show(form: OutputForm, value: &Value, words: impl FnOnce(&OutputLook) -> String) -> anyhow::Result<()> {
    match form {
        OutputForm::Json => print(&format!("{value}\n")),
        OutputForm::Words => print(&words(&OutputLook::of_stdout())),
    }
}

/// An error where nobody reads: see [`is_unread`].
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    Ok(stdout.flush()?)
}

/// What is for a file or another program, as it is.
pub fn print_bytes<B: AsRef<[u8]>>(parts: impl Iterator<Item = B>) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    for part in parts {
        stdout.write_all(part.as_ref())?;
    }
    Ok(stdout.flush()?)
}

/// `parlour list | head -1` is no failure.
pub fn is_unread(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Says a failure in one line on standard error, and gives the exit code that its kind has.
pub fn complain(form: OutputForm, error: &anyhow::Error) -> ExitCode {
    let (problem, words) = match error.downcast_ref::<Problem>() {
        Some(problem) => (problem.clone(), said_whole(problem)),
        // What has not the parts of a problem is its cause.
        None => {
            let words = format!("{error:#}");
            let cause = words.clone();
            (
                Problem {
                    cause,
                    ..Problem::of("", error)
                },
                words,
            )
        }
    };
    let line = match form {
        OutputForm::Words => format!("parlour: {}", visible(&words)),
        OutputForm::Json => json!({ "error": problem }).to_string(),
    };
    // Where even stderr is closed the exit code has to do.
    let _ = writeln!(io::stderr(), "{line}");
    exit_code(problem.kind)
}

/// With what lies below its cause, which a person cannot look up in the JSON.
pub(super) fn said_whole(problem: &Problem) -> String {
    let below: Vec<String> = anyhow::Chain::new(problem).skip(1).map(ToString::to_string).collect();
    match below.is_empty() {
        true => problem.to_string(),
        false => format!("{problem} ({})", below.join(": ")),
    }
}

/// A wrong command line has clap's 2, and a wait that times out 124.
pub fn exit_code(kind: ProblemKind) -> ExitCode {
    ExitCode::from(match kind {
        ProblemKind::User => 1,
        ProblemKind::Missing => 3,
        ProblemKind::Limit => 4,
        ProblemKind::Busy => 5,
        ProblemKind::Fault => 6,
    })
}

/// A word on standard error while a verb goes on.
pub fn tell(text: &str) {
    // Nobody has to read it.
    let _ = writeln!(io::stderr(), "parlour: {}", visible(text));
}

/// The same of whole lines, in which nothing is hidden.
pub fn tell_lines(lines: &str) {
    let _ = write!(io::stderr(), "{lines}");
}

/// A field's text; empty where it is missing or something else.
pub fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}
