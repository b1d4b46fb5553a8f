//! The todos of a chat, listed and changed.

use std::path::Path;

use serde_json::Value;

use super::args::{OnOff, TodosOf};
use super::output::{OutputForm, OutputLook, OutputTone, show, text};
use super::person_only;
use super::requests::ask;
use crate::model::request::ChatRequest;
use crate::model::text::visible;
use crate::model::todo::{TodoAt, TodoChange};
use crate::model::{Problem, Request};

pub fn run(home: &Path, form: OutputForm, of: TodosOf) -> anyhow::Result<()> {
    let changes = changes(&of)?;
    let first = of.first.map(|first| first == OnOff::On);
    if first.is_some() {
        person_only::under_an_agent(&format!("setting whether the todos of {} come first", of.chat))?;
    }
    let request = ChatRequest::Todos {
        chat: of.chat,
        changes,
        first,
    };
    let answer = ask(home, Request::Chat(request))?;
    show(form, &answer, |look| told(look, &answer))
}

fn changes(of: &TodosOf) -> anyhow::Result<Vec<TodoChange>> {
    let at = TodoAt::number;
    let mut changes = Vec::new();
    for edit in of.edit.chunks_exact(2) {
        let number = edit[0].parse().map_err(|_| {
            let cause = format!("{} is no number of a todo", visible(&edit[0]));
            Problem::new("changing todos", cause, "say --edit N TEXT")
        })?;
        let to = edit[1].clone();
        changes.push(TodoChange::Edit { at: at(number), to });
    }
    changes.extend(of.check.iter().map(|number| TodoChange::Check { at: at(*number) }));
    changes.extend(of.uncheck.iter().map(|number| TodoChange::Uncheck { at: at(*number) }));
    changes.extend(of.moved.chunks_exact(2).map(|moved| TodoChange::Move {
        at: at(moved[0]),
        to: moved[1],
    }));
    let mut gone = of.remove.clone();
    gone.sort_unstable();
    gone.dedup();
    // From the end, so that each has the number that it was listed with.
    changes.extend(gone.iter().rev().map(|number| TodoChange::Remove { at: at(*number) }));
    changes.extend(of.add.iter().map(|text| TodoChange::Add { text: text.clone() }));
    Ok(changes)
}

fn told(look: &OutputLook, answer: &Value) -> String {
    let mut words = String::new();
    if let Some(problem) = answer["problem"].as_str() {
        let problem = format!("todos.md: {}\n", visible(problem));
        words.push_str(&look.paint(OutputTone::Bad, &problem));
    }
    let items = answer["todos"].as_array().map(Vec::as_slice).unwrap_or_default();
    let wide = items.len().to_string().len();
    for item in items {
        let depth = usize::try_from(item["depth"].as_u64().unwrap_or_default()).unwrap_or_default();
        let done = item["done"] == true;
        let mark = if done { 'x' } else { ' ' };
        let line = format!("{}[{mark}] {}", "  ".repeat(depth), visible(text(item, "text")));
        let tone = if done { OutputTone::Quiet } else { OutputTone::Plain };
        let number = format!("{:>wide$}", item["number"].as_u64().unwrap_or_default());
        words.push_str(&format!("{number} {}\n", look.paint(tone, &line)));
    }
    if items.is_empty() && answer["problem"].is_null() {
        words.push_str("no todos\n");
    }
    if answer["first"] == true {
        let note = "They come first: done, push and pr wait until all are checked.\n";
        words.push_str(&look.paint(OutputTone::Quiet, note));
    }
    words
}
