//! A chat's transcript as turns, from disk.

use std::collections::HashMap;

use serde_json::Value;

use super::safe::Secrets;
use crate::domain::call::{CallPart, CallSummary, as_diff, parts};
use crate::model::entry::{Cut, From, SubagentSaid, ToolStatus};
use crate::model::price::{Cost, Prices};
use crate::model::turn_clock::TurnClock;
use crate::model::usage::{ByModel, UsedOnce, short};
use crate::model::{Chat, ChatId, Entry, Happened, Timestamp};
use crate::screen::call::{self, SeenPlaces};
use crate::screen::tab::transcript::events;
use crate::store::{Error, Home, Line};

/// So much of an output is in the file.
const OUTPUT: usize = 256 << 10;

pub struct ExportedTalk {
    pub chat: Chat,
    /// It is made of the name: what is masked there may stand in it too.
    pub handle: String,
    /// The first has no prompt: what came before.
    pub turns: Vec<ExportTurn>,
    /// As they are written in JSON.
    pub entries: Vec<Value>,
    /// Bytes of the transcript that could not be read.
    pub unread: u64,
    /// By which a turn's usage is told as money.
    pub prices: Prices,
}

#[derive(Default)]
pub struct ExportTurn {
    pub number: u32,
    pub began: Timestamp,
    pub clock: TurnClock,
    pub used: ByModel,
    pub prompt: Option<(String, From)>,
    pub parts: Vec<ExportPart>,
}

pub enum ExportPart {
    Said(String),
    /// What the agent was told while it worked.
    Steered(String),
    Thought(String),
    /// What the model knows from a compaction on, under a title.
    Summary(String, String),
    /// What a sub-agent was asked, or said.
    OfSubAgent(SubagentSaid, String),
    Call(Box<ExportCall>),
    /// A line or two, with whether it is an error.
    Told {
        text: String,
        failed: bool,
    },
}

pub struct ExportCall {
    pub began: Timestamp,
    pub name: String,
    pub summary: String,
    /// What it asked for, in the order in which a person reads it.
    pub asked: Vec<AskedPart>,
    /// By a sub-agent.
    pub parent: bool,
    pub status: Option<ToolStatus>,
    /// Who let it run, or did not, and by which rule.
    pub ruling: Option<String>,
    pub ms: Option<u64>,
    pub output: String,
    /// What of the output is not here, in words.
    pub rest: Option<String>,
}

/// A part of what a call asked for.
pub enum AskedPart {
    /// What it is for, in its agent's words.
    Why(String),
    Code(String),
    /// All that it changes in files.
    Diff(String),
    Prose(String),
    /// A todo, with whether it is done.
    Todo(String, bool),
    Field(String, String),
}

/// What stands above a sub-agent's words.
pub fn sub_agent_words(said: SubagentSaid) -> &'static str {
    match said {
        SubagentSaid::Asked => "Sub-agent, asked",
        SubagentSaid::Answered => "Sub-agent, answered",
        SubagentSaid::Thought => "Sub-agent, thinking",
    }
}

impl ExportTurn {
    pub fn is_empty(&self) -> bool {
        self.prompt.is_none() && self.parts.is_empty()
    }
}

impl ExportCall {
    /// An edit that went well says once more what it changed.
    pub fn is_told_by_its_diff(&self) -> bool {
        let has_diff = self.asked.iter().any(|part| matches!(part, AskedPart::Diff(_)));
        has_diff && self.status == Some(ToolStatus::Ok)
    }

    /// How it went, in words; none if it went well.
    pub fn trouble(&self) -> Option<&'static str> {
        match self.status {
            Some(ToolStatus::Ok) => None,
            Some(ToolStatus::Error) => Some("failed"),
            Some(ToolStatus::Denied) => Some("denied"),
            Some(ToolStatus::Interrupted) => Some("interrupted"),
            Some(ToolStatus::Unknown) => Some("nobody saw its end"),
            None => Some("has not ended"),
        }
    }
}

impl ExportedTalk {
    /// Without what going back has hidden.
    pub fn read(home: &Home, id: &ChatId, secrets: &Secrets, prices: Prices) -> Result<ExportedTalk, Error> {
        let chat = home.load(id)?;
        let mut reading = TalkReading {
            home,
            secrets,
            turns: vec![ExportTurn::default()],
            running: HashMap::new(),
            begun: 0,
        };
        let (mut entries, mut unread) = (Vec::new(), 0);
        let went_back = &chat.record.origin.went_back;
        for line in home.all_lines_after(id, 0)? {
            match line.map_err(|error| home.reading(id, error))? {
                Line::Entry(entry) if went_back.hides(entry.seq) => {
                    reading.begun += u32::from(entry.what.begins_turn());
                }
                Line::Entry(entry) => {
                    let mut value = secrets.clean_value(serde_json::to_value(&entry).unwrap_or_default());
                    let output = reading.output(id, &entry.what);
                    if let (Some(told), Happened::ToolEnd { output: Some(_), .. }) = (&output, &entry.what) {
                        value["text"] = Value::String(told.text.clone());
                    }
                    entries.push(value);
                    reading.take(id, entry, output);
                }
                Line::Gap { bytes } => {
                    unread += bytes;
                    let text = format!("{bytes} bytes of the transcript could not be read");
                    reading.part(ExportPart::Told { text, failed: true });
                }
            }
        }
        let mut turns = reading.turns;
        turns.retain(|turn| !turn.is_empty());
        Ok(ExportedTalk {
            handle: secrets.clean(chat.record.handle.as_str()),
            chat: cleaned(chat, secrets),
            turns,
            entries,
            unread,
            prices,
        })
    }

    /// What came before the first prompt is none.
    pub fn turn_count(&self) -> usize {
        self.turns.iter().filter(|turn| turn.prompt.is_some()).count()
    }

    /// `18k tokens, $0.03` of all turns together; `None` where nobody told of any.
    pub fn spent(&self) -> Option<String> {
        let mut used = ByModel::default();
        self.turns.iter().for_each(|turn| used += &turn.used);
        let tokens = used.tokens().total();
        let cost = Cost::of(&used, &self.prices).words();
        (tokens > 0).then(|| format!("{} tokens, {cost}", short(tokens)))
    }
}

fn cleaned(mut chat: Chat, secrets: &Secrets) -> Chat {
    chat.record.name = secrets.clean(&chat.record.name);
    chat
}

struct TalkReading<'r> {
    home: &'r Home,
    secrets: &'r Secrets,
    turns: Vec<ExportTurn>,
    /// By id: its turn and its place there.
    running: HashMap<String, (usize, usize)>,
    /// Turns that have begun, with those that are hidden: a turn has the number that the screen says.
    begun: u32,
}

#[derive(Default)]
struct ToldOutput {
    text: String,
    /// What of it is left out, in words.
    rest: Option<String>,
}

impl TalkReading<'_> {
    fn turn(&mut self) -> &mut ExportTurn {
        self.turns.last_mut().expect("there is one from the beginning")
    }

    fn part(&mut self, part: ExportPart) {
        self.turn().parts.push(part);
    }

    /// Before a call that was heard of first and began later, as the screen shows it.
    fn say(&mut self, at: Timestamp, part: ExportPart) {
        let is_later = |part: &ExportPart| matches!(part, ExportPart::Call(call) if !call.parent && call.began > at);
        let parts = &mut self.turn().parts;
        let place = parts.iter().position(is_later).unwrap_or(parts.len());
        parts.insert(place, part);
        let turn = self.turns.len() - 1;
        let behind = |(of, at): &&mut (usize, usize)| *of == turn && *at >= place;
        self.running.values_mut().filter(behind).for_each(|(_, at)| *at += 1);
    }

    /// With the output of a call that ended.
    fn take(&mut self, chat: &ChatId, entry: Entry, output: Option<ToldOutput>) {
        let secrets = self.secrets;
        self.turn().clock.take(entry.ts, &entry.what);
        match entry.what {
            Happened::Prompt { text, steer: true, .. } => self.part(ExportPart::Steered(secrets.clean(&text))),
            Happened::Prompt {
                text,
                from,
                steer: false,
                ..
            } => {
                self.begun += 1;
                self.turns.push(ExportTurn {
                    number: self.begun,
                    began: entry.ts,
                    clock: TurnClock::begins(entry.ts),
                    prompt: Some((secrets.clean(&text), from)),
                    ..ExportTurn::default()
                });
            }
            Happened::Text { text, .. } if text.trim().is_empty() => {}
            Happened::Thinking { text, .. } if text.trim().is_empty() => {}
            Happened::Text { text, .. } => self.say(entry.ts, ExportPart::Said(secrets.clean(&text))),
            Happened::Thinking { text, .. } => self.say(entry.ts, ExportPart::Thought(secrets.clean(&text))),
            ref what @ Happened::Summary { ref text, .. } => {
                let title = events::words(what).map_or(String::new(), |words| words.title);
                self.part(ExportPart::Summary(title, secrets.clean(text)));
            }
            Happened::SubagentText { said, text, .. } => {
                self.part(ExportPart::OfSubAgent(said, secrets.clean(&text)));
            }
            Happened::ToolStart {
                id,
                name,
                input,
                parent,
                ..
            } => {
                let input = secrets.clean_value(input);
                let told = CallSummary::of(&name, &input);
                let call = ExportCall {
                    began: entry.ts,
                    summary: self.near(chat, &call::line(&told, None, &SeenPlaces::default()).words),
                    asked: self.asked(chat, &name, &input),
                    name: secrets.clean(&told.name),
                    parent: parent.is_some(),
                    status: None,
                    ruling: None,
                    ms: None,
                    output: String::new(),
                    rest: None,
                };
                let place = (self.turns.len() - 1, self.turn().parts.len());
                self.running.insert(id, place);
                self.part(ExportPart::Call(Box::new(call)));
            }
            Happened::Permission {
                id,
                answer,
                by,
                rule,
                reason,
                ..
            } if matches!(answer.as_str(), "allowed" | "denied") => {
                let rule = rule.map_or(String::new(), |rule| format!(" {rule}"));
                let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
                let ruling = secrets.clean(&format!("{answer} by {by}{rule}{reason}"));
                let place = self.running.get(&id).copied();
                if let Some(call) = place.and_then(|place| self.call(place)) {
                    call.ruling = Some(ruling);
                }
            }
            Happened::ToolEnd { id, status, ms, .. } => {
                let told = output.unwrap_or_default();
                if let Some(call) = self.running.remove(&id).and_then(|place| self.call(place)) {
                    (call.status, call.ms, call.output, call.rest) = (Some(status), ms, told.text, told.rest);
                }
            }
            other => {
                if let Some(once) = UsedOnce::of(&other) {
                    self.turn().used.add(once.model, once.spent);
                }
                if let Some(words) = events::words(&other) {
                    let lines = words.lines.iter().map(|(line, _)| line.as_str());
                    let all: Vec<&str> = [words.title.as_str()].into_iter().chain(lines).collect();
                    let text = secrets.clean(&all.join("\n"));
                    let failed = events::is_error(&other);
                    self.part(ExportPart::Told { text, failed });
                }
            }
        }
    }

    /// What a call asked for. Of edits all lines stand in one diff.
    fn asked(&self, chat: &ChatId, tool: &str, input: &Value) -> Vec<AskedPart> {
        let parts = parts(tool, input);
        let mut diff = as_diff(&parts).map(|diff| self.near(chat, &diff));
        let told = parts.into_iter().filter_map(|part| match part {
            CallPart::Why(words) => Some(AskedPart::Why(words)),
            CallPart::Command(line) => Some(AskedPart::Code(line)),
            // It stands in the line of the call.
            CallPart::File(_) => None,
            CallPart::Edit(_) => diff.take().map(AskedPart::Diff),
            CallPart::Prose(words) => Some(AskedPart::Prose(words)),
            CallPart::Todo(item) => Some(AskedPart::Todo(item.text, item.is_done)),
            CallPart::Input { name, value } => Some(AskedPart::Field(name, value)),
        });
        told.collect()
    }

    /// Paths as seen from the chat.
    fn near(&self, chat: &ChatId, text: &str) -> String {
        let dir = self.home.chat_path(chat);
        let dir = dir.to_string_lossy();
        text.replace(&format!("{dir}/projects/"), "")
            .replace(&format!("{dir}/"), "")
    }

    fn call(&mut self, (turn, part): (usize, usize)) -> Option<&mut ExportCall> {
        match self.turns.get_mut(turn)?.parts.get_mut(part)? {
            ExportPart::Call(call) => Some(call),
            ExportPart::Said(_)
            | ExportPart::Steered(_)
            | ExportPart::Thought(_)
            | ExportPart::Summary(..)
            | ExportPart::OfSubAgent(..)
            | ExportPart::Told { .. } => None,
        }
    }

    /// Of a call that ended: the whole output up to what a file may hold, masked. It may be long: it is read once.
    fn output(&self, chat: &ChatId, what: &Happened) -> Option<ToldOutput> {
        let Happened::ToolEnd {
            preview,
            output,
            bytes,
            cut,
            ..
        } = what
        else {
            return None;
        };
        let mut text = preview.clone();
        if let Some(file) = output {
            let kept = self.home.output(chat, file).ok();
            let whole = kept.and_then(|kept| kept.text((0, kept.whole()), OUTPUT).ok());
            if let Some((whole, _)) = whole.filter(|(whole, _)| whole.len() > text.len()) {
                text = whole;
            }
        }
        let left = bytes.saturating_sub(text.len() as u64);
        let by = match cut {
            Some(Cut::Cli) => ", which the agent's CLI has cut",
            Some(Cut::Parlour) | None => "",
        };
        let rest = (left > 0 || cut.is_some()).then(|| format!("… {left} more bytes are left out{by}"));
        Some(ToldOutput {
            text: self.secrets.clean(&text),
            rest,
        })
    }
}
