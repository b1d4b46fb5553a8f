//! A recording, stepped through: each event is taken in as the engine took it in, and nothing is done about it.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use crate::app;
use crate::app::recording::{FORMAT, Header, RecordedLine};
use crate::config::theme::Theme;
use crate::domain::agent::explain;
use crate::domain::{Effect, Event};
use crate::model::request::{ApprovalRequest, By, ChatsRequest, EngineRequest, Request};
use crate::model::{CallId, ChatId, ClientId, Problem, Timestamp};
use crate::screen::State;
use crate::ui;

const NO_RECORDING: &str = "it is no recording of parlour";
const HINT: &str = "`parlour engine --record FILE` makes one";

/// Longer than any header or event: a file that is none may have no line end at all.
const LONGEST: u64 = 256 << 20;

pub struct Replay {
    state: State,
    lines: BufReader<File>,
    /// The version of parlour that recorded it.
    pub parlour: String,
    /// The event that was taken in last, 0 before the first.
    pub number: u64,
    next: Option<(RecordedLine, String)>,
    /// Why nothing can be read behind that.
    broken: Option<Problem>,
    /// Its last line is cut off: the engine was killed, or the disk was full.
    pub is_cut: bool,
}

/// An event as a table shows it.
pub struct ToldEvent {
    pub number: u64,
    pub at: Timestamp,
    pub name: String,
    pub words: String,
}

impl Replay {
    pub fn open(path: &Path) -> Result<Replay, Problem> {
        let problem = |cause: String| Problem::new(format!("replaying {}", path.display()), cause, HINT);
        let unread = |error| Problem::unread(format!("replaying {}", path.display()), path, &error).hinted(HINT);
        let file = File::open(path).map_err(unread)?;
        let mut lines = BufReader::new(file);
        let first = line_of(&mut lines).map_err(unread)?;
        let header: Value = serde_json::from_str(&first).map_err(|_| problem(NO_RECORDING.into()))?;
        match header.get("recording").and_then(Value::as_u64) {
            Some(format) if format == u64::from(FORMAT) => {}
            Some(format) => {
                let by = header["parlour"].as_str().unwrap_or("another version");
                let cause = format!("it has format {format}, of parlour {by}; this parlour reads format {FORMAT}");
                return Err(Problem::new(
                    format!("replaying {}", path.display()),
                    cause,
                    "replay it with the version that recorded it",
                ));
            }
            None => return Err(problem(NO_RECORDING.into())),
        }
        let header: Header =
            serde_json::from_value(header).map_err(|error| problem(format!("its header cannot be read: {error}")))?;
        let mut replay = Replay {
            state: header.start.state(),
            lines,
            parlour: header.parlour,
            number: 0,
            next: None,
            broken: None,
            is_cut: false,
        };
        replay.read();
        Ok(replay)
    }

    /// When the next event came; `None` behind the last.
    pub fn next_at(&self) -> Option<Timestamp> {
        self.next.as_ref().map(|(line, _)| line.at)
    }

    /// Takes the next event in.
    pub fn step(&mut self) -> Result<Option<ToldEvent>, Problem> {
        let Some((line, text)) = self.next.take() else {
            return self.broken.take().map_or(Ok(None), Err);
        };
        self.number = line.number;
        let told = told(&line, &text);
        line.take_in(&mut self.state);
        self.read();
        Ok(Some(told))
    }

    fn read(&mut self) {
        let read = line_of(&mut self.lines).map_err(|error| error.to_string());
        let line = read.and_then(|text| match text.ends_with('\n') {
            true => serde_json::from_str(&text)
                .map(|line| Some((line, text)))
                .map_err(|error| error.to_string()),
            false => {
                self.is_cut = !text.is_empty();
                Ok(None)
            }
        });
        match line {
            Ok(next) => self.next = next,
            Err(error) => {
                let doing = format!("replaying what follows event {}", self.number);
                let hint = format!("with `--to {}` it is replayed up to there", self.number);
                self.broken = Some(Problem::new(doing, error, hint));
            }
        }
    }

    /// What the shell's verbs say of the state, and who looks at it.
    pub fn state(mut self) -> Value {
        let chats = self.ask(Request::Chats(ChatsRequest::List))["chats"].clone();
        let ids = chats.as_array().into_iter().flatten();
        let ids: Vec<String> = ids.filter_map(|chat| Some(chat["id"].as_str()?.to_string())).collect();
        let explained: Vec<Value> = ids
            .into_iter()
            .filter_map(|chat| Some(explain::json(&self.state.domain, &ChatId::parse(&chat)?)))
            .collect();
        let clients = self.state.views.iter().map(|(client, view)| {
            json!({
                "client": client.0,
                "cols": view.size.cols,
                "rows": view.size.rows,
                "chat": view.chat,
                "mode": format!("{:?}", view.mode),
                "focus": format!("{:?}", view.focus),
                "toasts": view.over.toasts.iter().map(|toast| &toast.text).collect::<Vec<_>>(),
            })
        });
        let clients: Vec<Value> = clients.collect();
        json!({
            "event": self.number,
            "at": self.state.domain.now,
            "status": self.ask(Request::Engine(EngineRequest::Status)),
            "chats": chats,
            "explained": explained,
            "approvals": self.ask(Request::Approval(ApprovalRequest::List))["approvals"],
            "clients": clients,
        })
    }

    fn ask(&mut self, request: Request) -> Value {
        let call = CallId(u64::MAX);
        let effects = app::update(&mut self.state, Event::Ask(call, By::Person, request));
        let answers = effects.into_iter().filter_map(|effect| {
            let Effect::Reply(to, answer) = effect else { return None };
            (to == call).then_some(answer)
        });
        match answers.last() {
            Some(Ok(answer)) => answer,
            Some(Err(problem)) => json!({ "error": problem }),
            None => Value::Null,
        }
    }

    /// What a client sees, as text. It has to be attached.
    pub fn screen(&self, client: u64) -> Result<String, Problem> {
        let Some(view) = self.state.views.get(&ClientId(client)) else {
            let attached: Vec<String> = self.state.views.keys().map(|client| client.0.to_string()).collect();
            let hint = match attached.is_empty() {
                true => "no client is; choose another event by `--to`".to_string(),
                false => format!("attached then: {}", attached.join(", ")),
            };
            let cause = format!("it is not attached at event {}", self.number);
            return Err(Problem::new(format!("showing client {client}"), cause, hint));
        };
        let area = Rect::new(0, 0, view.size.cols, view.size.rows);
        let mut buffer = Buffer::empty(area);
        ui::render(&self.state, ClientId(client), &Theme::plain(), area, &mut buffer);
        Ok(text(&buffer))
    }
}

/// A line with its end; without one where the file ends in it.
fn line_of(lines: &mut BufReader<File>) -> std::io::Result<String> {
    use std::io::Read;
    let mut bytes = Vec::new();
    lines.take(LONGEST).read_until(b'\n', &mut bytes)?;
    String::from_utf8(bytes).map_err(|_| std::io::Error::other(NO_RECORDING))
}

fn text(buffer: &Buffer) -> String {
    let mut lines = String::new();
    for y in 0..buffer.area.height {
        let (mut line, mut x) = (String::new(), 0);
        while x < buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            line.push_str(symbol);
            x += u16::try_from(symbol.width()).unwrap_or(1).max(1);
        }
        lines.push_str(line.trim_end());
        lines.push('\n');
    }
    lines
}

/// The name of the event, and the beginning of what it carries.
fn told(line: &RecordedLine, text: &str) -> ToldEvent {
    let event = serde_json::from_str::<Value>(text).map(|line| line["event"].clone());
    let (name, carried) = match event.unwrap_or_default() {
        Value::Object(fields) => fields.into_iter().next().unwrap_or_default(),
        other => (other.to_string(), Value::Null),
    };
    let mut words = String::new();
    say(&carried, &mut words);
    ToldEvent {
        number: line.number,
        at: line.at,
        name,
        words: words.trim_start().to_string(),
    }
}

/// Enough for one line.
const WORDS: usize = 160;

fn say(value: &Value, words: &mut String) {
    if words.len() > WORDS {
        return;
    }
    match value {
        Value::Null => {}
        Value::String(text) => {
            words.push(' ');
            words.extend(text.chars().take(WORDS));
        }
        Value::Bool(_) | Value::Number(_) => words.push_str(&format!(" {value}")),
        Value::Array(values) => values.iter().for_each(|value| say(value, words)),
        Value::Object(fields) => {
            for (key, value) in fields {
                words.push_str(&format!(" {key}"));
                say(value, words);
            }
        }
    }
}
