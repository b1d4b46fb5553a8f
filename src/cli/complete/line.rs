//! What depends on the words before it: the files and checkpoints of the chat that was named, the values of a setting.

use std::env;
use std::time::Duration;

use clap_complete::engine::CompletionCandidate;
use serde_json::Value;

use super::asking::{PATIENCE, agents, answer, candidate, here};
use crate::cli::output::text;
use crate::cli::theme;
use crate::config;
use crate::fs::Dir;
use crate::model::Request;
use crate::model::lineage::PointList;
use crate::model::review::{DiffAsk, DiffSet, ReviewAsk};
use crate::model::setting::{self, FoundSetting, SettingKind};
use crate::model::storage::StorageAsk;

/// Clones are compared for it.
const COMPARED: Duration = Duration::from_millis(400);

/// Options of the verbs here that a value follows.
const VALUED: [&str; 6] = ["--from", "--project", "--hunk", "--lines", "--turn", "--name"];

/// The words of the line before the one that is completed, without `parlour`.
struct TypedLine(Vec<String>);

impl TypedLine {
    fn read() -> TypedLine {
        let words = env::args_os().skip_while(|word| word != "--").skip(2);
        let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
        // Without `parlour`, which is counted. fish ends with the word that is completed.
        let index = env::var("_CLAP_COMPLETE_INDEX")
            .ok()
            .and_then(|index| index.parse::<usize>().ok());
        let before = index
            .map_or(words.len(), |index| index)
            .saturating_sub(1)
            .min(words.len());
        TypedLine(words[..before].to_vec())
    }

    /// A word that is no option and belongs to none, counted behind a verb of so many words.
    fn word(&self, verb: &str, at: usize) -> Option<&str> {
        let mut is_value = false;
        let mut plain = self.0.iter().filter(|word| {
            let belongs = std::mem::replace(&mut is_value, VALUED.contains(&word.as_str()));
            !belongs && !word.starts_with('-')
        });
        plain.nth(verb.split(' ').count() + at).map(String::as_str)
    }

    fn option(&self, name: &str) -> Option<&str> {
        let at = self.0.iter().position(|word| word == name)?;
        self.0.get(at + 1).map(String::as_str)
    }
}

pub fn settings() -> Vec<CompletionCandidate> {
    let named = setting::all()
        .iter()
        .filter_map(|setting| candidate(setting.path, setting.about));
    let written = written().unwrap_or_default();
    let within = setting::all()
        .iter()
        .filter(|setting| matches!(setting.kind, SettingKind::Map(_)))
        .flat_map(|setting| {
            let entries = setting::value_in(&written, setting.path).and_then(Value::as_object);
            let names = entries.into_iter().flat_map(|entries| entries.keys());
            names.map(move |name| format!("{}.{name}", setting.path))
        });
    let within: Vec<_> = within.filter_map(|path| candidate(&path, "")).collect();
    named.chain(within).collect()
}

fn written() -> Option<Value> {
    let loaded = config::load(&here()?.join("config.json")).ok()?;
    Some(loaded.written)
}

pub fn values() -> Vec<CompletionCandidate> {
    let line = TypedLine::read();
    let Some(Ok(FoundSetting::One(place))) = line.word("config set", 0).map(setting::find) else {
        return Vec::new();
    };
    let of = |words: &[&str]| words.iter().filter_map(|word| candidate(word, "")).collect();
    match (place.setting.path, place.setting.kind) {
        ("theme", _) => themes(),
        ("defaultLlm", _) => agents(),
        (_, SettingKind::Switch) | (_, SettingKind::Map(setting::MapOf::Switches)) => of(&["true", "false"]),
        (_, SettingKind::Choice(words) | SettingKind::List(words)) => of(words),
        (_, SettingKind::Number(_) | SettingKind::Text | SettingKind::Map(_)) => Vec::new(),
    }
}

pub fn themes() -> Vec<CompletionCandidate> {
    let own = here().and_then(|home| Dir::open(home).ok());
    let known = theme::known(own.as_ref()).into_iter();
    known.filter_map(|theme| candidate(&theme.name, &theme.about)).collect()
}

/// Projects that files are kept for.
pub fn kept_projects() -> Vec<CompletionCandidate> {
    let kept = kept();
    kept.iter()
        .filter_map(|project| candidate(text(project, "project"), ""))
        .collect()
}

/// The files that are kept for the project that was named.
pub fn kept_files() -> Vec<CompletionCandidate> {
    let line = TypedLine::read();
    let Some(project) = line.word("setup rm", 0) else {
        return Vec::new();
    };
    let kept = kept();
    let files = kept.iter().filter(|one| text(one, "project") == project);
    let files = files.flat_map(|one| one["files"].as_array().into_iter().flatten());
    files.filter_map(|file| candidate(text(file, "path"), "")).collect()
}

fn kept() -> Vec<Value> {
    let told = answer(Request::Storage(StorageAsk::Setup), PATIENCE);
    let told = told.and_then(|told| told["projects"].as_array().cloned());
    told.unwrap_or_default()
}

/// What the chat that was named can go back to, with what it was.
pub fn checkpoints() -> Vec<CompletionCandidate> {
    let line = TypedLine::read();
    let Some(chat) = line.word("revert", 0) else {
        return Vec::new();
    };
    let request = Request::Review {
        chat: chat.to_owned(),
        ask: ReviewAsk::Checkpoints,
    };
    let told = answer(request, COMPARED).and_then(|told| serde_json::from_value::<PointList>(told).ok());
    let told = told.map(|list| list.checkpoints).unwrap_or_default();
    told.iter()
        .rev()
        .filter_map(|one| candidate(&one.number.to_string(), &one.about()))
        .collect()
}

/// Files of its clones that are not committed.
pub fn uncommitted() -> Vec<CompletionCandidate> {
    changed(&TypedLine::read(), DiffSet::Uncommitted)
}

/// Files that it changed on its branch; of what is open in place, those that are not committed.
pub fn remarkable() -> Vec<CompletionCandidate> {
    let line = TypedLine::read();
    let all = changed(&line, DiffSet::Base);
    match all.is_empty() {
        true => changed(&line, DiffSet::Uncommitted),
        false => all,
    }
}

/// Files that another chat has otherwise.
pub fn takeable() -> Vec<CompletionCandidate> {
    let line = TypedLine::read();
    let Some(from) = line.option("--from") else {
        return Vec::new();
    };
    changed(&line, DiffSet::With(from.to_owned()))
}

fn changed(line: &TypedLine, set: DiffSet) -> Vec<CompletionCandidate> {
    let Some(chat) = line.word("stage", 0) else {
        return Vec::new();
    };
    let ask = DiffAsk {
        set,
        project: line.option("--project").map(str::to_owned),
        lines: false,
    };
    let request = Request::Review {
        chat: chat.to_owned(),
        ask: ReviewAsk::Diff(ask),
    };
    let told = answer(request, COMPARED).unwrap_or_default();
    let projects = told["changes"].as_array().into_iter().flatten();
    let files = projects.flat_map(|project| {
        let files = project["files"].as_array().into_iter().flatten();
        files.filter_map(|file| candidate(text(file, "path"), text(project, "project")))
    });
    files.collect()
}
