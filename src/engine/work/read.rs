//! Questions whose answers lie on disk or in a terminal.

use super::{completions, composing, dispatch, export, kept_output, scripts, servers, settings, templates};
use std::sync::Arc;

use serde_json::{Value, json};

use crate::domain::agent::FIRST_SIZE;
use crate::domain::work::{EntriesShown, Read, ReadDone, SettingNews, ShownContent, ShownRead};
use crate::git::{CancelFlag, colour_code, read as git};
use crate::model::figures::ChatFigures;
use crate::model::history::{HistoryAsk, HistoryPage};
use crate::model::tool::Tallied;
use crate::model::transcript::{CodeBlock, ColouredCode};
use crate::model::{ChatId, Kind, Problem, ResultExt, Timestamp};
use crate::store::Line;
use crate::term::{PastScreen, Position, Setup, Span};

use super::super::inbound::Sender;
use super::super::journals::Journals;
use super::super::log;
use super::super::services::Services;
use super::context::WorkContext;
use super::loading::loading;
use super::terminal::spawn;

/// Entries that cards are made of: a tool is two, and words and usage lie between.
const TAIL: usize = 2_000;

pub fn carry_out(context: &WorkContext, read: Read) -> Result<ReadDone, Problem> {
    match read {
        Read::LastWords(chat, lines) => dispatch::last_words(context, &chat, lines).map(ReadDone::Text),
        Read::Tally(chat) => tally(&context.services, &chat),
        Read::Tail(chat) => tail(&context.services, &chat),
        Read::Shown(read) => shown(context, read).map(ReadDone::Shown),
        Read::History(ask) => find(context, &ask).map(ReadDone::History),
        Read::Screen { chat, ansi, scrollback } => screen(&context.services, &chat, ansi, scrollback),
        Read::Servers { chat, told } => Ok(servers::explain(&context.services, &chat, told)),
        Read::Entries { chat, after, all, .. } => entries(context, &chat, after, all),
        Read::Log { chat, lines } => log(&context.services, &chat, lines),
        Read::Template {
            chat,
            ask,
            person,
            date,
        } => templates::carry_out(context, &chat, ask, person.as_deref(), date),
        Read::Scripts(chat) => scripts::list(&context.services, &chat),
    }
}

/// What a tab or a dialog lacks.
fn shown(context: &WorkContext, read: ShownRead) -> Result<ShownContent, Problem> {
    let services = &context.services;
    Ok(match read {
        ShownRead::Page(chat, at) => {
            let page = services.home.page(&chat, at).map_err(|error| loading(&chat, error))?;
            ShownContent::Page(chat, page)
        }
        ShownRead::Compose(chat, ask) => composing::carry_out(context, &chat, ask)?,
        ShownRead::Moment(chat, at) => ShownContent::Moment(chat.clone(), at, moment(services, &chat, at)?),
        ShownRead::Colours(chat, seq, blocks) => ShownContent::Colours(chat, seq, colours(&blocks)),
        ShownRead::Output(ask) => ShownContent::Output(kept_output::read(context, &ask)?),
        ShownRead::Places { text, cwd } => completions::suggest(services, &text, &cwd),
        ShownRead::Export(ask) => ShownContent::Exported(export::save(services, *ask)?),
        ShownRead::Branches { place, text, cwd } => completions::branches(services, place, text, &cwd),
        ShownRead::Usage(chat) => {
            let detail = services.home.usage_detail(&chat).doing("reading what a chat used")?;
            ShownContent::Usage(chat, detail)
        }
        ShownRead::History(ask) => ShownContent::History(find(context, &ask)?),
        ShownRead::Explain(chat) => {
            let mut told = json!({});
            servers::add_explained(&context.services, &chat, &mut told);
            ShownContent::Explain(chat, told)
        }
        ShownRead::Settings => ShownContent::Settings(SettingNews::File(Box::new(settings::file(services)))),
        ShownRead::Figures(chat) => ShownContent::Figures(chat.clone(), figures(services, &chat)?),
    })
}

fn figures(services: &Services, id: &ChatId) -> Result<ChatFigures, Problem> {
    let chat = services.home.load(id).map_err(|error| loading(id, error))?;
    let clones = chat.projects.iter().filter(|project| project.kind == Kind::Git);
    let tallies: Vec<git::Tally> = clones.filter_map(|project| git::tally(&project.path).ok()).collect();
    let (bytes, more) = services.home.bytes_of(id);
    Ok(ChatFigures {
        bytes,
        more,
        ahead: tallies.iter().map(|tally| tally.ahead as u64).sum(),
        changed: tallies.iter().map(|tally| tally.dirty as u64).sum(),
    })
}

/// Nobody waits for it once it is cancelled.
fn find(context: &WorkContext, ask: &HistoryAsk) -> Result<HistoryPage, Problem> {
    context.services.history.find(ask, &|| context.cancel.is_set())
}

/// What git says of each clone of a chat.
pub fn tally(services: &Services, id: &ChatId) -> Result<ReadDone, Problem> {
    let chat = services.home.load(id).map_err(|error| loading(id, error))?;
    let mut tallied = Vec::new();
    for project in chat.projects {
        let tally = match project.kind {
            Kind::Git => git::tally(&project.path).ok(),
            Kind::Local => None,
        };
        let tally = tally.unwrap_or_default();
        tallied.push(Tallied {
            name: project.name,
            path: project.path,
            branch: project.branch,
            mode: project.mode,
            kind: project.kind,
            dirty: tally.dirty as u64,
            ahead: tally.ahead as u64,
            behind: tally.behind as u64,
        });
    }
    Ok(ReadDone::Projects(tallied))
}

/// The newest entries of a transcript.
pub fn tail(services: &Services, id: &ChatId) -> Result<ReadDone, Problem> {
    let lines = services.home.tail(id, TAIL).map_err(|error| loading(id, error))?;
    let entries = lines.into_iter().filter_map(|line| match line {
        Line::Entry(entry) => Some(entry),
        Line::Gap { .. } => None,
    });
    Ok(ReadDone::Tail(id.clone(), entries.collect()))
}

/// What is drawn because of an entry follows it shortly.
const DRAWN_MS: u64 = 500;

/// What a chat's terminal showed at this moment.
fn moment(services: &Services, id: &ChatId, at: Timestamp) -> Result<Option<PastScreen>, Problem> {
    let record = services.terminal_record(id).map_err(|error| loading(id, error))?;
    let moment = u64::try_from(at.plus_ms(DRAWN_MS).0).unwrap_or_default();
    Ok(crate::pty::screen_at(&record, setup(services), moment))
}

fn colours(blocks: &[CodeBlock]) -> Vec<ColouredCode> {
    let coloured = blocks.iter().map(|block| colour_code(&block.language, &block.text));
    coloured.collect()
}

/// The transcript from `after` on, an entry at a time, to whoever asked, with what is hidden if that is wanted.
pub fn entries(context: &WorkContext, id: &ChatId, mut after: u64, all: EntriesShown) -> Result<ReadDone, Problem> {
    let Some(stream) = &context.stream else {
        return Ok(ReadDone::Streamed(None));
    };
    context.journals.catch_up();
    let home = &context.services.home;
    let lines = match all {
        EntriesShown::All => home.all_lines_after(id, after),
        EntriesShown::NotHidden => home.lines_after(id, after),
    };
    for line in lines.map_err(|error| loading(id, error))? {
        let value = match line.map_err(|error| loading(id, context.services.home.reading(id, error)))? {
            Line::Entry(entry) => {
                after = entry.seq;
                serde_json::to_value(&entry).unwrap_or(Value::Null)
            }
            Line::Gap { bytes } => json!({"kind": "gap", "bytes": bytes}),
        };
        if stream.blocking_send(value).is_err() {
            return Ok(ReadDone::Streamed(None));
        }
    }
    Ok(ReadDone::Streamed(Some(after)))
}

/// What a chat's terminal showed last, where it has none now.
pub fn screen(services: &Services, id: &ChatId, ansi: bool, scrollback: usize) -> Result<ReadDone, Problem> {
    let record = services.terminal_record(id).map_err(|error| loading(id, error))?;
    let mut terminal = crate::pty::replay(&record, setup(services));
    let mut ignored = crate::term::Effects::default();
    let screen = terminal.screen(&mut ignored);
    let above = terminal.text(above(scrollback));
    let shown = match ansi {
        true => screen.ansi(),
        false => screen.text(),
    };
    Ok(ReadDone::Text(joined(&above, &shown)))
}

fn setup(services: &Services) -> Setup {
    Setup {
        size: crate::term::TerminalSize::new(FIRST_SIZE.cols, FIRST_SIZE.rows),
        palette: crate::term::TerminalPalette::default(),
        history_lines: services.settings().limits.history_lines,
    }
}

/// The lines of history just above the live screen.
pub fn above(lines: usize) -> Span {
    let line = i32::try_from(lines).unwrap_or(i32::MAX);
    Span {
        from: Position { line: -line, col: 0 },
        to: Position {
            line: -1,
            col: u16::MAX,
        },
    }
}

/// History and the screen below it.
pub fn joined(above: &str, screen: &str) -> String {
    match above.is_empty() {
        true => screen.into(),
        false => format!("{above}\n{screen}"),
    }
}

/// The engine's log, as far as it names the chat: the newest lines, oldest first.
pub fn log(services: &Services, id: &ChatId, lines: usize) -> Result<ReadDone, Problem> {
    let most = match lines {
        0 => 200,
        lines => lines,
    };
    // Of a chat whose record is damaged the log is asked all the more.
    let handle = services.home.shown(id).map(|chat| chat.record.handle.to_string());
    let handle = handle.unwrap_or_else(|| id.to_string());
    let mut about: Vec<String> = Vec::new();
    log::settle();
    for name in log::names() {
        let text = match std::fs::read(services.home.run().join(name)) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(Problem::of("reading the log", &error)),
        };
        let lines = text.lines().filter(|line| is_about(line, id, &handle));
        about.splice(0..0, lines.map(str::to_owned));
        if about.len() >= most {
            break;
        }
    }
    let newest = &about[about.len().saturating_sub(most)..];
    Ok(ReadDone::Lines(newest.to_vec()))
}

/// Whether a line of the log is about a chat. Those that begin with an id are about that one alone, whatever is called
/// like the handle.
fn is_about(line: &str, id: &ChatId, handle: &str) -> bool {
    let subject = line.split_whitespace().nth(2).and_then(|word| word.strip_suffix(':'));
    let mut words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    match subject.and_then(ChatId::parse) {
        Some(subject) => subject == *id,
        None => line.contains(id.as_str()) || words.any(|word| word == handle),
    }
}

/// A terminal without a program, that shows what the chat's last one received.
pub fn show_record(chat: &ChatId, services: &Arc<Services>, journals: &Journals, sender: &Sender) {
    let context = WorkContext {
        services: services.clone(),
        journals: journals.clone(),
        sender: sender.clone(),
        cancel: CancelFlag::default(),
        progress: None,
        stream: None,
    };
    let chat = chat.clone();
    tokio::task::spawn_blocking(move || {
        if let Err(problem) = spawn(&context, &chat, None, FIRST_SIZE) {
            tracing::warn!("{problem}");
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_log_is_about_the_chat_that_it_begins_with() {
        let id = ChatId::parse("aaaaaaaaaa").unwrap();
        let about = |line: &str| is_about(&format!("2026-02-15T09:00:00Z  INFO {line}"), &id, "sh");
        assert!(about("aaaaaaaaaa: made as sh, for shell"));
        assert!(about("the disk: chats/aaaaaaaaaa is gone"));
        assert!(about("no directory can be made for sh"));
        assert!(!about("bbbbbbbbbb: made as shop, for demo"));
        assert!(!about("bbbbbbbbbb: made as x, for sh"));
        assert!(!about("no directory can be made for shop"));
    }
}
