//! What waits for a person as a shell prints it: in the words of the dialog of all approvals, with paths as seen from the
//! chat, those of a command as it runs.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::domain::call::{CallPart, CallSummary, FileEdit, numbered, parts};
use crate::domain::chat;
use crate::domain::state::Domain;
use crate::model::ChatId;
use crate::model::diff::{DiffLine, Hunk, LineKind};
use crate::permission::{QuestionNotes, WholeLines};

use super::question::Question;
use super::queue::{Asked, Waits, file_of, queue};

/// Of what a call is about, in characters.
const LONGEST: usize = 120;

/// What is known of the files that calls edit or write, by the chat and the id of the question.
pub type InFiles = BTreeMap<(ChatId, String), QuestionNotes>;

/// What is asked, without a look into files.
pub fn json(state: &Domain, of: Option<&[ChatId]>) -> Value {
    all(state, of, &InFiles::new())
}

/// For `parlour approvals`, of these chats or of all: what can be answered here has an id, what only the CLI's own dialog
/// tells of has none.
pub(super) fn all(state: &Domain, of: Option<&[ChatId]>, files: &InFiles) -> Value {
    let is_told = |chat: &ChatId| of.is_none_or(|of| of.contains(chat));
    let in_file = |waits: &Waits| files.get(&(waits.chat.clone(), waits.id().to_string()));
    let whole = |waits: &Waits, question: &Question| {
        let file = in_file(waits);
        let call = (question.tool.as_str(), &question.input);
        let shown = lines(state, &waits.chat, call, file);
        let shown: Vec<String> = reached(question).into_iter().chain(shown).collect();
        json!({
            "id": question.id,
            "chat": chat::handle(state, &waits.chat),
            "tool": question.tool,
            "input": question.input,
            "wants": waits.title(),
            "about": about(state, &waits.chat, &question.tool, &question.input),
            "overwrites": file.is_some_and(|file| file.overwrites),
            "shown": shown,
            "reach": question.reach,
            "rule": question.rule.as_ref().map(ToString::to_string),
            "since": question.at,
            "only_there": matches!(waits.what, Asked::CallThere(_)),
        })
    };
    let one = |waits: &Waits| match &waits.what {
        Asked::Call(question) | Asked::CallThere(question) | Asked::Clipboard(question) => whole(waits, question),
        Asked::Setup { question, also } => {
            let mut told = whole(waits, question);
            let also = also.iter().filter(|chat| is_told(chat));
            told["also"] = also.map(|chat| chat::handle(state, chat)).collect();
            told
        }
        Asked::OpenCall { call, says } => {
            let file = in_file(waits);
            json!({
                "id": null,
                "chat": chat::handle(state, &waits.chat),
                "asks": says,
                "tool": call.name,
                "input": call.given,
                "wants": waits.title(),
                "overwrites": file.is_some_and(|file| file.overwrites),
                "shown": lines(state, &waits.chat, (&call.name, &call.given), file),
            })
        }
        Asked::There(what) | Asked::HeldPrompt(what) => json!({
            "id": null,
            "chat": chat::handle(state, &waits.chat),
            "asks": what,
        }),
    };
    let all = queue(state);
    let told = all.iter().filter(|waits| is_told(&waits.chat));
    json!({ "approvals": told.map(one).collect::<Vec<_>>() })
}

/// What a person reads of a file that is there and is written as a whole.
pub fn overwriting(tool: &str, input: &Value, whole: Option<&WholeLines>) -> String {
    let file = file_of(tool, input).unwrap_or_default();
    match whole {
        Some(whole) if whole.changes_nothing() => format!("overwrites {file}, and changes nothing"),
        Some(_) => format!("overwrites {file}"),
        None => format!("overwrites {file}, which cannot be shown here"),
    }
}

/// What a person reads of a call that is not asked about yet, but only where it goes.
pub fn reached(question: &Question) -> Option<String> {
    let reach = question.reach.join(", ");
    (!reach.is_empty())
        .then(|| format!("reaches {reach}, outside of its directory; the call itself is asked about next"))
}

/// What a call is about, in a line.
fn about(state: &Domain, of: &ChatId, tool: &str, input: &Value) -> String {
    let told = CallSummary::of(tool, input);
    let about = match told.about(usize::MAX) {
        about if about.is_empty() => told.name,
        about => chat::near(state, of, &format!("{}: {about}", told.name)).into_owned(),
    };
    crate::model::text::one_visible_line(&about, LONGEST)
}

/// All that a call does, line by line.
fn lines(state: &Domain, of: &ChatId, (tool, input): (&str, &Value), file: Option<&QuestionNotes>) -> Vec<String> {
    let mut lines = Vec::new();
    let whole = file.and_then(|file| file.in_whole_lines.as_ref());
    if file.is_some_and(|file| file.overwrites) {
        lines.push(overwriting(tool, input, whole));
    }
    for part in parts(tool, whole.map_or(input, |whole| &whole.input)) {
        match part {
            CallPart::Why(words) | CallPart::Command(words) | CallPart::Prose(words) => {
                lines.extend(chat::as_run(state, of, words.trim_end()).lines().map(String::from));
            }
            CallPart::File(path) => lines.extend(chat::near(state, of, path.trim_end()).lines().map(String::from)),
            CallPart::Edit(edit) => {
                let in_file = whole.and_then(|whole| numbered(&whole.input, whole.first));
                lines.extend(edited(state, of, &edit, in_file.as_deref()));
            }
            CallPart::Todo(item) => {
                let sign = if item.is_done { "✓" } else { "□" };
                lines.push(format!("{sign} {}", item.text));
            }
            CallPart::Input { name, value } => {
                let value = chat::as_run(state, of, value.trim_end());
                let mut of_value = value.lines();
                lines.push(format!("{name}: {}", of_value.next().unwrap_or_default()));
                lines.extend(of_value.map(|line| format!("  {line}")));
            }
        }
    }
    lines
}

/// The file, then its lines as a diff has them, with their numbers where they are known.
fn edited(state: &Domain, of: &ChatId, edit: &FileEdit, in_file: Option<&[Hunk]>) -> Vec<String> {
    let near = |path: &str| chat::near(state, of, path).into_owned();
    let path = match &edit.to {
        Some(to) => format!("{} → {}", near(&edit.path), near(to)),
        None => near(&edit.path),
    };
    let everywhere = if edit.is_everywhere { ", in every place" } else { "" };
    let mut lines = vec![path + everywhere];
    let hunks = in_file.unwrap_or(&edit.hunks);
    let number = |line: &DiffLine| match in_file {
        Some(_) => line.new.or(line.old),
        None => None,
    };
    let last = hunks.iter().flat_map(|hunk| &hunk.lines).filter_map(number).max();
    let width = last.map_or(0, |last| last.to_string().len());
    for (at, hunk) in hunks.iter().enumerate() {
        if at > 0 {
            lines.push("…".into());
        }
        lines.extend(hunk.lines.iter().map(|line| {
            let sign = match line.kind {
                LineKind::Context => ' ',
                LineKind::Removed => '-',
                LineKind::Added => '+',
            };
            match number(line) {
                Some(number) => format!("{number:>width$} {sign} {}", line.text),
                None => format!("{sign} {}", line.text),
            }
        }));
    }
    lines
}
