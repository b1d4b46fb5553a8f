//! `parlour templates`: what prompts can be made of here or in a chat.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::json;

use super::args::{TemplatesArgs, TemplatesVerb};
use super::output::{OutputForm, OutputLook, OutputTone, show};
use super::requests::ask;
use super::table::{READABLE, SpareColumns, TableCell, cell, table_without};
use crate::fs::Dir;
use crate::model::Request;
use crate::model::request::ChatRequest;
use crate::model::template::{PromptTemplate, TemplateAsk, TemplatePrompt};
use crate::model::text::visible;
use crate::{config, git};

pub fn run(home: &Path, form: OutputForm, of: TemplatesArgs) -> anyhow::Result<()> {
    let all = match of.chat {
        Some(chat) => of_chat(home, chat)?,
        None => here(home)?,
    };
    match of.verb {
        None => show(form, &json!({ "templates": all }), |look| words(&all, look)),
        Some(TemplatesVerb::Show { name }) => {
            let template = config::command(&name, all)?;
            show(form, &json!(template), |_| text_of(&template))
        }
    }
}

/// The home directory of whoever runs this.
fn person() -> Option<PathBuf> {
    env::var_os("HOME").map(PathBuf::from)
}

fn here(home: &Path) -> anyhow::Result<Vec<PromptTemplate>> {
    let here = env::current_dir().context("looking where you are")?;
    let root = git::root(&here);
    let roots: Vec<&Path> = root.iter().map(PathBuf::as_path).collect();
    let own = match Dir::open(home) {
        Err(error) if error.is_missing() => None,
        own => Some(own.context("opening your home")?),
    };
    Ok(config::commands(&roots, own.as_ref(), person().as_deref()))
}

fn of_chat(home: &Path, chat: String) -> anyhow::Result<Vec<PromptTemplate>> {
    let answer = asked(home, chat, TemplateAsk::List)?;
    serde_json::from_value(answer["templates"].clone()).context("reading the engine's answer")
}

fn asked(home: &Path, chat: String, of: TemplateAsk) -> anyhow::Result<serde_json::Value> {
    let person = person();
    ask(home, Request::Chat(ChatRequest::Template { chat, ask: of, person }))
}

/// The prompt that a template makes in a chat.
pub fn fill(home: &Path, chat: &str, name: String, arguments: Vec<String>) -> anyhow::Result<TemplatePrompt> {
    let answer = asked(home, chat.into(), TemplateAsk::Fill { name, arguments })?;
    serde_json::from_value(answer).context("reading the engine's answer")
}

/// Markdown is many lines, each made visible.
fn text_of(template: &PromptTemplate) -> String {
    template.text.lines().map(|line| visible(line) + "\n").collect()
}

fn words(all: &[PromptTemplate], look: &OutputLook) -> String {
    let heading = ["TEMPLATE", "ARGUMENTS", "FROM", "DESCRIPTION"];
    let mut rows = vec![heading.map(|word| cell(OutputTone::Quiet, word)).into()];
    rows.extend(all.iter().map(row));
    table_without(
        look,
        &rows,
        SpareColumns {
            narrow: &[1],
            empty: &[],
            last: READABLE,
        },
    )
}

fn row(template: &PromptTemplate) -> Vec<TableCell> {
    let last = match (&template.damage, template.has_commands()) {
        (Some(why), _) => cell(OutputTone::Bad, &format!("cannot be used: {why}")),
        (None, true) => cell(
            OutputTone::Plain,
            &format!("{} (its `!` commands are not run)", template.description),
        ),
        (None, false) => cell(OutputTone::Plain, &template.description),
    };
    vec![
        cell(OutputTone::Heading, &template.name),
        cell(OutputTone::Plain, &template.arguments),
        cell(OutputTone::Quiet, template.from.word()),
        last,
    ]
}

/// What a person is to know of a prompt that was made of a template.
pub fn tell_notes(prompt: &TemplatePrompt) {
    prompt.notes.iter().for_each(|note| super::output::tell(note));
}
