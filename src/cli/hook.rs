//! What an agent CLI's hooks run: the payload goes to the engine, the answer to the CLI.
//!
//! A hook that fails counts as consent for some CLIs, so it never does: where no answer comes, whatever the reason, it
//! says what the adapter says for silence, which is to ask at most. Outside of parlour it says nothing at all.

use std::env;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use serde_json::Value;

use super::args::HookArgs;
use super::home::home;
use super::output::print;
use crate::client::EndSignals;
use crate::model::Settings;
use crate::{agents, client};

/// A token has some tens of bytes; something else is no token.
const LONGEST_TOKEN: u64 = 1 << 10;

/// What would end it may have been heard since before its words were read.
pub fn run(hook: &HookArgs, ends: Option<EndSignals>) -> ExitCode {
    let chat = env::var("PARLOUR_CHAT").ok().filter(|chat| !chat.is_empty());
    // An agent may have put its chat out of its environment, but its hooks still name their token.
    if chat.is_some() || hook.token_file().is_some() {
        let answer = answer(hook, chat, ends).or_else(|| silence(hook));
        if let Some(answer) = answer {
            // Who does not read the answer does not get one.
            let _ = print(&format!("{answer}\n"));
        }
    }
    ExitCode::SUCCESS
}

fn answer(hook: &HookArgs, chat: Option<String>, ends: Option<EndSignals>) -> Option<Value> {
    let ends = ends.or_else(|| EndSignals::listen().ok());
    let call = client::HookOrigin {
        chat: chat?,
        token: token(&hook.token_file()?).ok()?,
        agent: hook.agent().to_owned(),
        event: hook.event().to_owned(),
        deadline: patience(hook),
    };
    client::hook(&home().ok()?, &call, tokio::io::stdin(), ends)
}

fn token(path: &Path) -> io::Result<String> {
    let mut token = String::new();
    File::open(path)?.take(LONGEST_TOKEN).read_to_string(&mut token)?;
    Ok(token.trim().to_owned())
}

fn silence(hook: &HookArgs) -> Option<Value> {
    Some(adapter(hook)?.silent_answer(hook.event()))
}

fn patience(hook: &HookArgs) -> Duration {
    adapter(hook).map_or(client::HookOrigin::DEADLINE, |adapter| {
        adapter.hook_patience(hook.event())
    })
}

/// Only built-in agents have hooks, so no settings are needed to find the adapter.
fn adapter(hook: &HookArgs) -> Option<Box<dyn agents::Adapter>> {
    agents::find(hook.agent(), &Settings::default())
}
