//! What waits for a person as a shell prints it: in the words of the dialog of all approvals, with paths as seen from the
//! chat.

use serde_json::Value;

use crate::domain::call::{CallPart, CallSummary, FileEdit, parts};
use crate::domain::chat;
use crate::domain::state::Domain;
use crate::model::ChatId;
use crate::model::diff::LineKind;

/// Of what a call is about, in characters.
const LONGEST: usize = 120;

/// What a call is about, in a line.
pub(super) fn about(state: &Domain, of: &ChatId, tool: &str, input: &Value) -> String {
    let told = CallSummary::of(tool, input);
    let about = match told.about(usize::MAX) {
        about if about.is_empty() => told.name,
        about => format!("{}: {}", told.name, chat::near(state, of, &about)),
    };
    crate::model::text::one_visible_line(&about, LONGEST)
}

/// All that a call does, line by line.
pub(super) fn lines(state: &Domain, of: &ChatId, tool: &str, input: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    for part in parts(tool, input) {
        match part {
            CallPart::Why(words) | CallPart::Command(words) | CallPart::Prose(words) | CallPart::File(words) => {
                lines.extend(chat::near(state, of, words.trim_end()).lines().map(String::from));
            }
            CallPart::Edit(edit) => lines.extend(edited(state, of, &edit)),
            CallPart::Todo(item) => {
                let sign = if item.is_done { "✓" } else { "□" };
                lines.push(format!("{sign} {}", item.text));
            }
            CallPart::Input { name, value } => {
                let value = chat::near(state, of, value.trim_end());
                let mut of_value = value.lines();
                lines.push(format!("{name}: {}", of_value.next().unwrap_or_default()));
                lines.extend(of_value.map(|line| format!("  {line}")));
            }
        }
    }
    lines
}

/// The file, then its lines as a diff has them.
fn edited(state: &Domain, of: &ChatId, edit: &FileEdit) -> Vec<String> {
    let near = |path: &str| chat::near(state, of, path).into_owned();
    let path = match &edit.to {
        Some(to) => format!("{} → {}", near(&edit.path), near(to)),
        None => near(&edit.path),
    };
    let everywhere = if edit.is_everywhere { ", in every place" } else { "" };
    let mut lines = vec![path + everywhere];
    for (at, hunk) in edit.hunks.iter().enumerate() {
        if at > 0 {
            lines.push("…".into());
        }
        lines.extend(hunk.lines.iter().map(|line| {
            let sign = match line.kind {
                LineKind::Context => ' ',
                LineKind::Removed => '-',
                LineKind::Added => '+',
            };
            format!("{sign} {}", line.text)
        }));
    }
    lines
}
