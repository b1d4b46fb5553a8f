//! `parlour explain`: the verdict on a chat, and a line a signal that it rests on.

use std::path::Path;

use serde_json::Value;

use super::list::mark;
use super::output::{OutputForm, OutputLook, OutputTone, show, text};
use super::requests::ask;
use super::table::{TableCell, cell, table};
use crate::domain::agent::explained::{self, ExplainedSignal};
use crate::domain::call::called_in;
use crate::model::Request;
use crate::model::request::ChatRequest;
use crate::model::text::visible;

pub fn run(home: &Path, form: OutputForm, chat: String) -> anyhow::Result<()> {
    let answer = ask(home, Request::Chat(ChatRequest::Explain { chat }))?;
    show(form, &answer, |look| words(&answer, look))
}

pub(super) fn words(answer: &Value, look: &OutputLook) -> String {
    let status = text(answer, "status");
    let (dot, tone) = mark(status);
    let mut verdict = look.paint(tone, &visible(&format!("{dot} {status}")));
    let detail = text(answer, "detail");
    if !detail.is_empty() {
        verdict += &format!(", {}", visible(&called_in(detail)));
    }
    let facts: Vec<_> = explained::facts(answer, look.now)
        .iter()
        .map(|(name, value)| vec![cell(OutputTone::Quiet, name), cell(OutputTone::Plain, value)])
        .collect();
    let mut rows: Vec<_> = explained::signals(answer, look.now).iter().map(row).collect();
    if !rows.is_empty() {
        let heading = ["SOURCE", "SAYS", "AGE", "BECAUSE"];
        rows.insert(0, heading.map(|word| cell(OutputTone::Quiet, word)).into());
    }
    format!("{verdict}\n{}{}", table(look, &facts), table(look, &rows))
}

fn row(signal: &ExplainedSignal) -> Vec<TableCell> {
    vec![
        cell(OutputTone::Plain, &signal.source),
        cell(OutputTone::Plain, &signal.says),
        cell(OutputTone::Quiet, &signal.age),
        cell(OutputTone::Quiet, &signal.because),
    ]
}
