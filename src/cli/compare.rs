//! How far chats on the same projects have come.

use std::path::Path;

use super::output::{OutputForm, OutputTone, show};
use super::requests::ask;
use super::table::{cell, table};
use crate::model::Request;
use crate::model::detail::ListedAttempts;
use crate::model::review::ReviewAsk;
use crate::model::text::visible;

const HEAD: [&str; 8] = [
    "CHAT",
    "AGENT",
    "STATUS",
    "TURNS",
    "FILES",
    "ADDED",
    "REMOVED",
    "PULL REQUEST",
];

pub fn compare(home: &Path, form: OutputForm, chat: String) -> anyhow::Result<()> {
    let request = Request::Review {
        chat,
        ask: ReviewAsk::Attempts,
    };
    let answer = ask(home, request)?;
    let listed: ListedAttempts = serde_json::from_value(answer.clone())?;
    show(form, &answer, |look| {
        if listed.attempts.is_empty() {
            return "it has opened no project, so there is nothing to compare; `parlour open` opens one\n".into();
        }
        let mut rows = vec![
            HEAD.map(|name| cell(OutputTone::Heading, name))
                .into_iter()
                .collect::<Vec<_>>(),
        ];
        rows.extend(listed.attempts.iter().map(|one| {
            let amount = one.amount;
            let pulls: Vec<String> = one.pulls.iter().map(|pull| pull.sign()).collect();
            vec![
                cell(OutputTone::Plain, &visible(&one.handle)),
                cell(OutputTone::Quiet, &visible(&one.llm)),
                cell(OutputTone::Plain, &visible(&one.status)),
                cell(OutputTone::Plain, &one.turns.to_string()),
                cell(OutputTone::Plain, &amount.files.to_string()),
                cell(OutputTone::Good, &format!("+{}", amount.added)),
                cell(OutputTone::Bad, &format!("-{}", amount.removed)),
                cell(OutputTone::Plain, &pulls.join(" ")),
            ]
        }));
        table(look, &rows)
    })
}
