//! A question as it is read: why it is asked, what the call does, and for whom the answer is.

use serde_json::Value;

use crate::domain::approval::question::{Question, words};
use crate::domain::approval::queue::{Asked, Waits};
use crate::domain::approval::{always, told};
use crate::domain::call::called_in;
use crate::domain::chat;
use crate::domain::state::Domain;
use crate::model::ChatId;
use crate::model::text::one_line;
use crate::permission::RuleName;

use super::super::super::call::{self, CallMeasure, SeenPlaces};
use super::super::super::tab::transcript::flow::{flow, shown};
use super::super::super::tab::transcript::row::{Piece, TextInk, TextRow};
use super::rules::NotesOfFile;

const THERE: &str = "Only its own dialog takes the answer: Enter leads there.";
/// Of a question whose CLI takes a key for an answer.
const TOUCHED: &str = "Somebody typed in the agent's terminal since this was asked, so what a key would choose there is not known. Its own \
    dialog takes the answer: Enter leads there.";
/// Of a prompt that something in the terminal is in the way of.
const HELD: &str = "It is sent as soon as that is out of the way: Enter leads there.";
/// Of a call whose question is told nowhere but on its screen, as Claude Code's in auto mode: no key is pressed in a dialog that
/// nobody has told of.
const UNTOLD: &str =
    "Its CLI tells parlour nothing of this question, so only its own dialog takes the answer: Enter leads there.";
/// Rows of a terminal in which a dialog stands.
const SEEN: usize = 30;
const COPIES: &str = "Your answer holds for all that is copied in this chat, until parlour's engine ends. `clipboard` in config.json \
    answers for all chats.";
const HOLDS: &str = "Approving holds for this repository until the setup changes.";

/// The rows of a question, laid out once.
#[derive(Default)]
pub struct QuestionPage {
    pub of: Option<QuestionPageOf>,
    pub rows: Vec<TextRow>,
}

#[derive(PartialEq)]
pub struct QuestionPageOf {
    pub at: (ChatId, String),
    pub width: u16,
    /// What may change while it is asked.
    pub line: String,
    pub also: usize,
    /// An edit is shown in whole lines.
    pub is_whole: bool,
    pub overwrites: bool,
    pub once: Option<String>,
    /// Which screen of its terminal it was made of.
    pub screen: Option<u64>,
}

/// The chat as people call it.
pub fn name(domain: &Domain, chat: &ChatId) -> String {
    let known = domain.disk.chats.get(chat);
    known.map_or_else(
        || chat::handle(domain, chat),
        |known| one_line(chat::label(domain, known), 60),
    )
}

/// Who asks for what.
pub fn title(domain: &Domain, waits: &Waits) -> String {
    format!("{} {}", name(domain, &waits.chat), waits.title())
}

/// How many other chats an answer is for too.
pub(super) fn asked_also(waits: &Waits) -> usize {
    match &waits.what {
        Asked::Setup { also, .. } => also.len(),
        Asked::Call(_)
        | Asked::CallThere(_)
        | Asked::Clipboard(_)
        | Asked::OpenCall { .. }
        | Asked::There(_)
        | Asked::HeldPrompt(_) => 0,
    }
}

/// All of it, in a column this wide; why it can be allowed only once, and what is known of its file, where that was found out.
pub(super) fn rows(
    domain: &Domain,
    waits: &Waits,
    (once, file): (Option<&str>, NotesOfFile<'_>),
    width: usize,
) -> Vec<TextRow> {
    let mut page = AskedRows {
        width,
        file,
        rows: Vec::new(),
    };
    match &waits.what {
        Asked::Call(question) => {
            page.question(domain, waits, question);
            if let Some(why) = once {
                let words = format!("No rule would allow this always: {why}. You can allow it once.");
                page.part(&words, TextInk::Dim);
            } else if !always::is_answered_by_rules(domain, &waits.chat) {
                let llm = domain.disk.chats.get(&waits.chat).map_or("", |chat| &chat.record.llm);
                let asks = "asks about what its sandbox forbids, whatever the rules allow: you can allow it once.";
                page.part(&format!("{} {asks}", domain.disk.title_of(llm)), TextInk::Dim);
            }
        }
        Asked::CallThere(question) => {
            page.question(domain, waits, question);
            page.part(if question.touched { TOUCHED } else { THERE }, TextInk::Dim);
        }
        Asked::Setup { question, also } => {
            page.question(domain, waits, question);
            page.part(&holds(domain, also), TextInk::Dim);
        }
        Asked::Clipboard(question) => {
            page.question(domain, waits, question);
            page.part(COPIES, TextInk::Dim);
        }
        Asked::OpenCall { call, says } => {
            page.part(&called_in(says), TextInk::Waiting);
            page.gap();
            let words = words(&call.name, &call.given);
            page.rows.extend(self::call(
                domain,
                waits,
                (&call.name, &call.given, &words),
                (None, width),
            ));
            page.part(UNTOLD, TextInk::Dim);
        }
        Asked::There(what) => {
            page.part(&called_in(what), TextInk::Text);
            page.part(THERE, TextInk::Dim);
            page.part(&seen(domain, &waits.chat), TextInk::Dim);
        }
        Asked::HeldPrompt(why) => {
            page.part(why, TextInk::Text);
            page.part(HELD, TextInk::Dim);
            page.part(&seen(domain, &waits.chat), TextInk::Dim);
        }
    }
    page.rows
}

/// The number of the screen that is shown with what waits, where one is.
pub(super) fn seen_of(domain: &Domain, waits: &Waits) -> Option<u64> {
    match &waits.what {
        Asked::There(_) | Asked::HeldPrompt(_) => {
            let agent = domain.live.agents.get(&waits.chat);
            agent
                .and_then(|agent| agent.screen.as_ref())
                .map(|screen| screen.generation)
        }
        Asked::Call(_) | Asked::CallThere(_) | Asked::Clipboard(_) | Asked::OpenCall { .. } | Asked::Setup { .. } => {
            None
        }
    }
}

/// The last rows of its terminal, where the dialog stands.
fn seen(domain: &Domain, chat: &ChatId) -> String {
    let screen = domain.live.agents.get(chat).and_then(|agent| agent.screen.as_ref());
    let text = screen.map(|screen| screen.text()).unwrap_or_default();
    let is_rule = |line: &str| !line.is_empty() && line.chars().all(|c| matches!(c, '\u{2500}'..='\u{257f}'));
    let lines: Vec<&str> = text.lines().filter(|line| !is_rule(line.trim())).collect();
    let lines = lines.join("\n");
    let seen: Vec<&str> = lines.trim_matches('\n').lines().collect();
    seen[seen.len().saturating_sub(SEEN)..].join("\n")
}

fn holds(domain: &Domain, also: &[ChatId]) -> String {
    let others: Vec<String> = also.iter().map(|chat| chat::handle(domain, chat)).collect();
    match others.is_empty() {
        true => HOLDS.into(),
        false => format!(
            "{HOLDS}\nYour answer is also for {}: the same setup waits there.",
            others.join(", ")
        ),
    }
}

struct AskedRows<'w> {
    width: usize,
    file: NotesOfFile<'w>,
    rows: Vec<TextRow>,
}

impl AskedRows<'_> {
    fn question(&mut self, domain: &Domain, waits: &Waits, question: &Question) {
        if let Some(rule) = &question.rule {
            let words = match rule {
                RuleName::BuiltIn(words) if words == "writing elsewhere" => {
                    format!("Built-in rule: {words} (outside of the agent's directory, or nobody can tell where)")
                }
                RuleName::BuiltIn(words) => format!("Built-in rule: {words}"),
                RuleName::Persons(_) | RuleName::Profile(_) => format!("Asked by the rule {rule}"),
            };
            self.part(&words, TextInk::Waiting);
        }
        if let Some(words) = told::reached(question) {
            self.part(&words, TextInk::Waiting);
        }
        if self.file.overwrites {
            let words = told::overwriting(&question.tool, &question.input, self.file.whole);
            self.part(&words, TextInk::Waiting);
        }
        self.gap();
        let input = self.file.whole.map_or(&question.input, |whole| &whole.input);
        let call = (question.tool.as_str(), input, question.words.as_str());
        let first = self.file.whole.map(|whole| whole.first);
        let call = self::call(domain, waits, call, (first, self.width));
        self.rows.extend(call);
    }

    /// Words in lines of their own, apart from what stands above.
    fn part(&mut self, words: &str, ink: TextInk) {
        self.gap();
        for line in words.lines() {
            let rows = flow(&[Piece::new(shown(line), ink)], self.width);
            self.rows.extend(rows.into_iter().map(TextRow::of));
        }
    }

    fn gap(&mut self) {
        if !self.rows.is_empty() {
            self.rows.push(TextRow::default());
        }
    }
}

/// The call itself: a command at its operators, an edit as a diff, paths as seen from the chat.
fn call(
    domain: &Domain,
    waits: &Waits,
    (tool, input, words): (&str, &Value, &str),
    (first, width): (Option<u32>, usize),
) -> Vec<TextRow> {
    let places = SeenPlaces::as_run(domain, &waits.chat);
    let how = CallMeasure {
        width,
        most: usize::MAX,
        has_line: false,
        places: &places,
        first,
    };
    let rows = call::asked(tool, input, how);
    if !rows.is_empty() {
        return rows;
    }
    let rows = flow(&[Piece::new(shown(&places.text(words)), TextInk::Text)], width);
    rows.into_iter().map(TextRow::of).collect()
}
