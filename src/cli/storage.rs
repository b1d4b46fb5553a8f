//! `parlour cache` and `parlour setup`: what lies on disk beside the chats' own work.

use std::io::{self, IsTerminal};
use std::path::Path;

use anyhow::Context;
use serde_json::{Value, json};

use super::args::{CacheVerb, SetupVerb};
use super::output::{OutputForm, OutputLook, OutputTone, show, text};
use super::requests::ask;
use super::table::{cell, table};
use super::{agreement, person_only};
use crate::model::bytes::in_words;
use crate::model::storage::{DiskItem, DiskPlace, SetupSource, StorageAsk};
use crate::model::text::visible;
use crate::model::{Problem, Request};

pub fn cache(home: &Path, form: OutputForm, verb: CacheVerb) -> anyhow::Result<()> {
    person_only::under_an_agent("looking at what lies on disk")?;
    match verb {
        CacheVerb::List => {
            let answer = ask(home, Request::Storage(StorageAsk::Cache))?;
            let items = items(&answer)?;
            show(form, &answer, |look| listed(look, &items))
        }
        CacheVerb::Prune { yes, index } => prune(home, form, (yes, index)),
    }
}

fn items(answer: &Value) -> anyhow::Result<Vec<DiskItem>> {
    serde_json::from_value(answer["items"].clone()).context("reading what lies on disk")
}

fn listed(look: &OutputLook, items: &[DiskItem]) -> String {
    let mut rows = vec![
        ["SIZE", "WHAT", "NAME", ""]
            .map(|word| cell(OutputTone::Quiet, word))
            .into(),
    ];
    rows.extend(items.iter().map(|item| {
        vec![
            cell(OutputTone::Plain, &size(item)),
            cell(OutputTone::Quiet, item.place.word()),
            cell(OutputTone::Heading, &item.name),
            cell(OutputTone::Quiet, &used(&item.place)),
        ]
    }));
    let all = in_words(items.iter().map(|item| item.bytes).sum());
    let unused: u64 = items
        .iter()
        .filter(|item| item.place.is_unused())
        .map(|item| item.bytes)
        .sum();
    let prune = match unused {
        0 => String::new(),
        bytes => format!(", `parlour cache prune` frees {}", in_words(bytes)),
    };
    format!("{}{all} in all{prune}\n", table(look, &rows))
}

fn size(item: &DiskItem) -> String {
    let more = if item.more { " or more" } else { "" };
    in_words(item.bytes) + more
}

fn used(place: &DiskPlace) -> String {
    match place {
        DiskPlace::Repository { chats: 0, .. } => "no chat uses it".into(),
        DiskPlace::Repository { chats: 1, .. } => "used by 1 chat".into(),
        DiskPlace::Repository { chats, .. } => format!("used by {chats} chats"),
        DiskPlace::SearchIndex | DiskPlace::Cache => "made again if it is removed".into(),
        DiskPlace::Chat { .. } | DiskPlace::Trash { .. } => String::new(),
    }
}

fn prune(home: &Path, form: OutputForm, (yes, index): (bool, bool)) -> anyhow::Result<()> {
    let answer = ask(home, Request::Storage(StorageAsk::Cache))?;
    let unused: Vec<DiskItem> = items(&answer)?
        .into_iter()
        .filter(|item| item.place.is_unused() || index && item.place == DiskPlace::SearchIndex)
        .collect();
    if unused.is_empty() {
        let none = json!({"freed": 0, "removed": []});
        return show(form, &none, |_| {
            "every cached repository is used by a chat; `--index` removes the search index\n".into()
        });
    }
    let names: Vec<String> = unused
        .iter()
        .map(|item| format!("{} ({})", visible(&item.name), size(item)))
        .collect();
    let bytes = in_words(unused.iter().map(|item| item.bytes).sum());
    let sentence = format!("it would free {bytes}: {}", names.join(", "));
    if !yes && !agreed(form, &sentence)? {
        let cause = format!("nothing was removed: {sentence}");
        return Err(Problem::new("removing unused caches", cause, "say `--yes` to remove them").into());
    }
    let answer = ask(home, Request::Storage(StorageAsk::PruneCache { index }))?;
    let freed = answer["freed"].as_u64().unwrap_or_default();
    let kept = items(&answer)?;
    let removed: Vec<&DiskItem> = unused
        .iter()
        // An index that is there again was made anew.
        .filter(|item| item.place == DiskPlace::SearchIndex || kept.iter().all(|kept| kept.place != item.place))
        .collect();
    let value = json!({"freed": freed, "removed": removed});
    show(form, &value, |_| {
        let lines = removed.iter().map(|item| format!("removed: {}\n", visible(&item.name)));
        format!("{}{} freed\n", lines.collect::<String>(), in_words(freed))
    })
}

fn agreed(form: OutputForm, sentence: &str) -> io::Result<bool> {
    let is_asked = form == OutputForm::Words && io::stdin().is_terminal() && io::stderr().is_terminal();
    Ok(is_asked && agreement::is_asked(&format!("{sentence}\nRemove them?"))?)
}

pub fn setup(home: &Path, form: OutputForm, verb: SetupVerb) -> anyhow::Result<()> {
    person_only::under_an_agent("looking at setup files")?;
    let said = match verb {
        SetupVerb::List => None,
        SetupVerb::Add { files, chat, project } => {
            let from = match chat {
                Some(chat) => SetupSource::Clone { chat, project },
                None => SetupSource::Checkout(std::env::current_dir().context("finding the current directory")?),
            };
            let said = format!("{} kept for new clones\n", visible(&files.join(", ")));
            let added = ask(home, Request::Storage(StorageAsk::AddSetup { from, files }))?;
            Some((added, said))
        }
        SetupVerb::Rm { project, files } => Some(remove(home, project, files)?),
    };
    match said {
        Some((answer, said)) => show(form, &answer, |_| said),
        None => {
            let answer = ask(home, Request::Storage(StorageAsk::Setup))?;
            show(form, &answer, |look| setups(look, &answer))
        }
    }
}

fn remove(home: &Path, project: String, files: Vec<String>) -> anyhow::Result<(Value, String)> {
    let files = match files.is_empty() {
        false => files,
        true => {
            let listed = ask(home, Request::Storage(StorageAsk::Setup))?;
            let mut projects = listed["projects"].as_array().into_iter().flatten();
            let found = projects.find(|one| text(one, "project") == project);
            let files = found.and_then(|one| one["files"].as_array()).into_iter().flatten();
            files.map(|file| text(file, "path").to_owned()).collect()
        }
    };
    let said = format!(
        "{} kept for {} no more\n",
        visible(&files.join(", ")),
        visible(&project)
    );
    let answer = ask(home, Request::Storage(StorageAsk::RemoveSetup { project, files }))?;
    Ok((answer, said))
}

fn setups(look: &OutputLook, answer: &Value) -> String {
    let mut rows = vec![
        ["PROJECT", "FILE", "SIZE", "OF"]
            .map(|word| cell(OutputTone::Quiet, word))
            .into(),
    ];
    for project in answer["projects"].as_array().into_iter().flatten() {
        for file in project["files"].as_array().into_iter().flatten() {
            rows.push(vec![
                cell(OutputTone::Heading, text(project, "project")),
                cell(OutputTone::Plain, text(file, "path")),
                cell(OutputTone::Quiet, &in_words(file["bytes"].as_u64().unwrap_or_default())),
                cell(OutputTone::Quiet, text(project, "origin")),
            ]);
        }
    }
    match rows.len() {
        1 => "no setup files are kept; `parlour setup add FILE` keeps one\n".into(),
        _ => table(look, &rows),
    }
}
