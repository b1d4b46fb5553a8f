//! Which adapters there are: the built-in ones, then those of `config.json`.

use super::Adapter;
use super::claude::Claude;
use super::codex::Codex;
use super::custom::Custom;
use super::demo::DemoAdapter;
use super::gemini::Gemini;
use super::opencode::OpenCode;
use super::plain::{Cline, CursorAdapter, Windsurf};
use super::shell::Shell;
use crate::model::{Settings, is_built_in};

/// All adapters, in the order in which the first installed one becomes the default.
pub fn all(settings: &Settings) -> Vec<Box<dyn Adapter>> {
    let mut all: Vec<Box<dyn Adapter>> = vec![Box::new(Claude)];
    all.push(Box::new(Codex));
    all.push(Box::new(Gemini));
    all.push(Box::new(OpenCode));
    for (name, entry) in &settings.custom_llms {
        if is_built_in(name) {
            continue;
        }
        all.push(Box::new(Custom::new(name, entry)));
    }
    all.push(Box::new(CursorAdapter));
    all.push(Box::new(Cline));
    all.push(Box::new(Windsurf));
    all.push(Box::new(DemoAdapter));
    all.push(Box::new(Shell));
    all
}

/// The adapter of a chat's `llm`. It is asked for at each hook and title, so the pattern of no other is compiled.
pub fn find(name: &str, settings: &Settings) -> Option<Box<dyn Adapter>> {
    if is_built_in(name) {
        return all(&Settings::default())
            .into_iter()
            .find(|adapter| adapter.name() == name);
    }
    let entry = settings.custom_llms.get(name)?;
    Some(Box::new(Custom::new(name, entry)))
}
