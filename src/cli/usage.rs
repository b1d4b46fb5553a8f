//! `parlour usage`: what agents used, in rows.

use std::path::Path;

use serde_json::Value;

use super::args::UsageArgs;
use super::output::{OutputForm, OutputLook, OutputTone, show, text};
use super::person_only;
use super::requests::ask;
use super::table::{TableCell, cell, table};
use crate::model::Request;
use crate::model::usage::short;

pub fn run(home: &Path, form: OutputForm, of: UsageArgs) -> anyhow::Result<()> {
    person_only::under_an_agent("adding up what all chats used")?;
    let by = of.by.into();
    let answer = ask(home, Request::Usage { chat: of.chat, by })?;
    show(form, &answer, |look| words(&answer, look))
}

pub(super) fn words(answer: &Value, look: &OutputLook) -> String {
    let by = text(answer, "by");
    let rows = answer["rows"].as_array().map_or(&[][..], Vec::as_slice);
    if rows.is_empty() {
        return "nothing was used yet\n".into();
    }
    let heading = [
        by.to_uppercase(),
        "IN".into(),
        "OUT".into(),
        "CACHED".into(),
        "WRITTEN".into(),
        "TOKENS".into(),
    ];
    let heading = heading.iter().map(String::as_str).chain(["COST"]);
    let mut lines: Vec<Vec<TableCell>> = vec![heading.map(|word| cell(OutputTone::Quiet, word)).collect()];
    for row in rows {
        let deleted = if by == "chat" && row["handle"].is_null() {
            " (deleted)"
        } else {
            ""
        };
        lines.push(line(&format!("{}{deleted}", text(row, by)), row, OutputTone::Plain));
    }
    lines.push(line("all", &answer["total"], OutputTone::Heading));
    let mut said = table(look, &lines);
    let unpriced = answer["unpriced"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    let unpriced: Vec<&str> = unpriced.collect();
    if let Some(first) = unpriced.first() {
        let all = unpriced.join(", ");
        said += &format!("price unknown: {all}; set prices.\"{first}\" in config.json\n");
    }
    match answer["unread"].as_u64().unwrap_or_default() {
        0 => {}
        1 => said += "1 transcript could not be read and is not in these sums\n",
        unread => said += &format!("{unread} transcripts could not be read and are not in these sums\n"),
    }
    said
}

fn line(label: &str, row: &Value, tone: OutputTone) -> Vec<TableCell> {
    let kinds = ["input", "output", "cacheRead", "cacheWrite", "total"];
    let count = |kind: &str| short(row["tokens"][kind].as_u64().unwrap_or_default());
    let kinds = kinds.iter().map(|kind| cell(tone, &count(kind)));
    [cell(tone, label)]
        .into_iter()
        .chain(kinds)
        .chain([cell(tone, text(row, "cost"))])
        .collect()
}
