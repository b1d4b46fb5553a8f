//! What is printed while an agent answers: its words on standard output, what it does beside them on standard error.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use crate::domain::call::CallSummary;
use crate::model::entry::ToolStatus;
use crate::model::text::{one_line, visible};
use crate::model::{Entry, Happened, Timestamp};

use super::super::output::{self, ColourUse, OutputForm, OutputLook, now};
use super::page;

/// Between two pictures of the spinner.
pub const TURNS: Duration = Duration::from_millis(100);
/// A short wait shows none.
const QUIET: Duration = Duration::from_millis(300);
const SPINNER: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
/// Of what a call is about, where nothing is known of the terminal.
const WIDE: usize = 100;

/// Characters of what a call is about.
const LONGEST: usize = 200;

/// How the answer is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerForm {
    /// Its words alone, as they are.
    Plain,
    /// As Markdown is drawn.
    Drawn,
    /// Nothing yet: it is told as JSON at the end.
    Kept,
}

pub struct Printer {
    form: AnswerForm,
    look: OutputLook,
    /// Standard error is a terminal that can be drawn on.
    draws: bool,
    colours: ColourUse,
    tells_tools: bool,
    began: Instant,
    doing: String,
    /// The spinner stands on the last line.
    is_spinning: bool,
    /// The answer, as far as it is there.
    pub said: Vec<String>,
}

impl Printer {
    /// `raw` wants no Markdown drawn, `quiet` no calls told.
    pub fn new(form: OutputForm, raw: bool, quiet: bool) -> Printer {
        let form = match (form, raw || !io::stdout().is_terminal()) {
            (OutputForm::Json, _) => AnswerForm::Kept,
            (OutputForm::Words, true) => AnswerForm::Plain,
            (OutputForm::Words, false) => AnswerForm::Drawn,
        };
        let look = OutputLook::of_stdout();
        let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        let draws = io::stderr().is_terminal() && !is_dumb;
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Printer {
            form,
            look,
            draws,
            colours: if draws && !plain { ColourUse::On } else { ColourUse::Off },
            tells_tools: !quiet,
            began: Instant::now(),
            doing: "starting".into(),
            is_spinning: false,
            said: Vec::new(),
        }
    }

    /// The next line of the transcript.
    pub fn take(&mut self, entry: &Entry) -> anyhow::Result<()> {
        match &entry.what {
            Happened::Text { text, .. } if !text.trim().is_empty() => self.say(text)?,
            Happened::ToolStart {
                name,
                input,
                parent: None,
                ..
            } => {
                let told = CallSummary::of(name, input);
                let about = match told.about(LONGEST) {
                    about if about.is_empty() => told.name,
                    about => format!("{} {about}", told.name),
                };
                self.doing = one_line(&about, WIDE);
                self.note(&format!("● {}", self.fitted(&about)));
            }
            Happened::ToolEnd { status, preview, .. } => {
                self.doing = "thinking".into();
                if let Some(word) = went_wrong(*status) {
                    let first = preview.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
                    let why = if first.is_empty() {
                        String::new()
                    } else {
                        format!(": {}", first.trim())
                    };
                    self.note(&format!("  {word}{}", self.fitted(&why)));
                }
            }
            Happened::Retry {
                message,
                attempt,
                attempts,
                until,
            } => self.note(&self.retry(message, (*attempt, *attempts), *until)),
            Happened::Prompt { .. } => self.doing = "thinking".into(),
            Happened::Session { .. }
            | Happened::Text { .. }
            | Happened::Thinking { .. }
            | Happened::ToolStart { .. }
            | Happened::Permission { .. }
            | Happened::Usage { .. }
            | Happened::Status { .. }
            | Happened::Error { .. }
            | Happened::Compaction { .. }
            | Happened::Summary { .. }
            | Happened::Background { .. }
            | Happened::Message { .. }
            | Happened::Cwd { .. }
            | Happened::Subagent { .. }
            | Happened::SubagentText { .. }
            | Happened::Interrupt { .. }
            | Happened::Note { .. }
            | Happened::Revert { .. }
            | Happened::Unknown { .. } => {}
        }
        Ok(())
    }

    /// As `parlour list` says it, with the seconds in place of the clock.
    fn retry(&self, message: &str, (attempt, attempts): (u64, Option<u64>), until: Option<Timestamp>) -> String {
        let wait = until.map(|until| until.ms_since(now()).div_ceil(1_000));
        let wait = wait.map_or_else(String::new, |seconds| format!(" in {seconds} s"));
        let of = attempts.map_or_else(String::new, |all| format!(" of {all}"));
        format!("◔ {} · tries again{wait} · attempt {attempt}{of}", self.fitted(message))
    }

    fn say(&mut self, text: &str) -> anyhow::Result<()> {
        self.clear();
        let is_first = self.said.is_empty();
        self.said.push(text.to_owned());
        let mut page = match self.form {
            AnswerForm::Kept => return Ok(()),
            AnswerForm::Drawn => page::drawn(text, &self.look),
            AnswerForm::Plain => plain(text, self.look.width),
        };
        if !is_first {
            page.insert(0, '\n');
        }
        output::print(&page)
    }

    /// A dim line on standard error.
    pub fn note(&mut self, text: &str) {
        if self.tells_tools {
            let line = self.dim(&visible(text));
            self.tell(&line);
        }
    }

    /// A line on standard error that is not left out.
    pub fn tell(&mut self, line: &str) {
        self.clear();
        // Nobody has to read it.
        let _ = writeln!(io::stderr(), "{line}");
    }

    /// Time has passed.
    pub fn turn(&mut self) {
        let gone = self.began.elapsed();
        if !self.draws || gone < QUIET {
            return;
        }
        let picture = SPINNER[usize::try_from(gone.as_millis() / TURNS.as_millis()).unwrap_or(0) % SPINNER.len()];
        let words = self.fitted(&format!("{picture} {} · {} s", self.doing, gone.as_secs()));
        let mut stderr = io::stderr();
        let _ = write!(stderr, "\r\x1b[2K{}", self.dim(&visible(&words)));
        let _ = stderr.flush();
        self.is_spinning = true;
    }

    pub fn wait_for(&mut self, what: &str) {
        self.doing = one_line(what, WIDE);
    }

    /// Takes the spinner away.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.is_spinning) {
            let mut stderr = io::stderr();
            let _ = write!(stderr, "\r\x1b[2K");
            let _ = stderr.flush();
        }
    }

    fn dim(&self, text: &str) -> String {
        match self.colours {
            ColourUse::On => format!("\x1b[2m{text}\x1b[0m"),
            ColourUse::Off => text.to_owned(),
        }
    }

    /// In one line, as wide as the terminal at most.
    fn fitted(&self, text: &str) -> String {
        let most = self.look.width.unwrap_or(WIDE).saturating_sub(4).max(20);
        one_line(text, most)
    }
}

/// A text as it is, ended like a line. A terminal, which has a width, obeys what a file merely holds.
pub fn plain(text: &str, width: Option<usize>) -> String {
    let text = text.trim_end_matches(['\n', '\r']);
    match width {
        Some(_) => text
            .lines()
            .map(|line| visible(&line.replace('\t', "    ")) + "\n")
            .collect(),
        None => format!("{text}\n"),
    }
}

/// The word for an end that is no good one.
fn went_wrong(status: ToolStatus) -> Option<&'static str> {
    match status {
        ToolStatus::Error => Some("failed"),
        ToolStatus::Denied => Some("denied"),
        ToolStatus::Interrupted => Some("interrupted"),
        ToolStatus::Ok | ToolStatus::Unknown => None,
    }
}
