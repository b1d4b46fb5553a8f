//! What may stand in a place: asked of the disk and of an engine that runs.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::StyledStr;
use clap_complete::engine::CompletionCandidate;
use serde_json::Value;

use crate::cli::home;
use crate::cli::requests::{QuestionOutcome, listen};
use crate::client::StartEngine;
use crate::config;
use crate::model::text::one_line;
use crate::model::{Request, Settings, built_in};

/// A person waits for it between two keys.
pub(super) const PATIENCE: Duration = Duration::from_millis(80);

/// Characters of what is said beside a candidate.
const HELP: usize = 60;

pub(super) fn agents() -> Vec<CompletionCandidate> {
    let settings: Settings = here()
        .and_then(|home| config::load(&home.join("config.json")).ok())
        .map(|loaded| loaded.settings)
        .unwrap_or_default();
    let custom = settings.custom_llms.keys().filter_map(|llm| candidate(llm, ""));
    let built_in = built_in::names().into_iter().filter_map(|llm| candidate(llm, ""));
    built_in.chain(custom).collect()
}

/// What an engine that runs says within this time.
pub(super) fn answer(request: Request, patience: Duration) -> Option<Value> {
    let (_, hears) = listen(&here()?, request, StartEngine::Never);
    match hears.recv_timeout(patience) {
        Ok(QuestionOutcome::Answer(Ok(answer))) => Some(answer),
        Ok(_) | Err(_) => None,
    }
}

/// A home that is there: completing makes none.
pub(super) fn here() -> Option<PathBuf> {
    home::home().ok().filter(|home| home.is_dir())
}

pub(super) fn candidate(word: &str, help: &str) -> Option<CompletionCandidate> {
    let help = one_line(help, HELP);
    let help = Some(StyledStr::from(help)).filter(|help| help.to_string() != word && !help.to_string().is_empty());
    is_plain(word).then(|| CompletionCandidate::new(word).help(help))
}

/// Whether every shell takes it for one word, as it stands.
pub(super) fn is_plain(word: &str) -> bool {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || "_-.@/+".contains(c);
    !word.is_empty() && !word.starts_with('-') && word.chars().all(is_safe)
}
