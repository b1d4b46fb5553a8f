//! Which step of which script answers a request.
//!
//! Tool results go on to the turn's next step; any other prompt starts the next turn; a request equal to the one before
//! is a second try and plays the same step. Requests outside the conversation move nothing. Every directory an agent
//! CLI works in has a cursor of its own, so that several chats may play one scenario at once.

use std::collections::BTreeMap;

use chrono::{SecondsFormat, TimeDelta, Utc};
use serde_json::Value;

use super::dialect::Prompt;
use super::scenario::{Block, Scenario, Script, Step, text};

pub struct Cursors {
    scenario: Scenario,
    /// By the script's number and the directory.
    places: BTreeMap<(usize, String), Place>,
}

#[derive(Default)]
struct Place {
    /// None: before the first turn, or past the last.
    turn: Option<usize>,
    step: usize,
    /// How many turns of the sequence have been started.
    started: usize,
    /// How often this step was asked for.
    tries: u32,
    conversation: String,
}

impl Cursors {
    pub fn new(scenario: Scenario) -> Self {
        Self {
            scenario,
            places: BTreeMap::new(),
        }
    }

    pub fn answer(&mut self, prompt: &Prompt) -> Step {
        let mut step = self.aside(prompt).unwrap_or_else(|| self.next(prompt));
        for block in &mut step.says {
            fill(block, prompt);
        }
        step
    }

    pub fn aside(&self, prompt: &Prompt) -> Option<Step> {
        let ours = self
            .scenario
            .asides
            .iter()
            .find(|aside| prompt.last_user.contains(&aside.prompt));
        ours.map(|aside| aside.says.as_str())
            .or(prompt.aside)
            .map(|says| text(says).into())
    }

    fn next(&mut self, prompt: &Prompt) -> Step {
        let Some((number, script)) = pick(&self.scenario.scripts, &prompt.first_user) else {
            return text("Done.").into();
        };
        let directory = prompt.directory().unwrap_or_default().to_owned();
        let place = self.places.entry((number, directory)).or_default();
        place.go(script, prompt);
        let steps = place.turn.map_or(&[][..], |turn| &script.turns[turn].steps);
        let Some(mut step) = steps.get(place.step).cloned() else {
            return text("Done.").into();
        };
        step.fault = step
            .fault
            .filter(|fault| fault.times() == 0 || place.tries <= fault.times());
        step
    }
}

impl Place {
    fn go(&mut self, script: &Script, prompt: &Prompt) {
        if self.tries > 0 && self.conversation == prompt.conversation {
            self.tries += 1;
            return;
        }
        self.tries = 1;
        self.conversation.clone_from(&prompt.conversation);
        if prompt.continues {
            self.step += 1;
        } else {
            self.step = 0;
            self.turn = called(script, &prompt.last_user).or_else(|| self.in_sequence(script));
        }
    }

    fn in_sequence(&mut self, script: &Script) -> Option<usize> {
        let mut waiting = (0..script.turns.len()).filter(|&turn| script.turns[turn].when.is_none());
        let turn = waiting.nth(self.started);
        self.started += 1;
        turn
    }
}

/// The turn whose words stand last in the prompt: an agent CLI may put an interrupted prompt ahead of the new one.
fn called(script: &Script, prompt: &str) -> Option<usize> {
    let places = script.turns.iter().enumerate();
    let found = places.filter_map(|(turn, asked)| Some((prompt.rfind(asked.when.as_deref()?)?, turn)));
    found.max().map(|(_, turn)| turn)
}

fn pick<'a>(scripts: &'a [Script], first_user: &str) -> Option<(usize, &'a Script)> {
    let named = |script: &&Script| {
        script
            .first_prompt
            .as_ref()
            .is_some_and(|words| first_user.contains(words))
    };
    let number = scripts
        .iter()
        .position(|script| named(&script))
        .or_else(|| scripts.iter().position(|script| script.first_prompt.is_none()))?;
    Some((number, &scripts[number]))
}

fn fill(block: &mut Block, prompt: &Prompt) {
    let put = |said: &mut String| {
        *said = said
            .replace("${cwd}", prompt.directory().unwrap_or("${cwd}"))
            .replace("${soon}", &soon())
            .replace("${tool_result}", prompt.tool_results.last().map_or("", String::as_str));
    };
    match block {
        Block::Text { text: said } | Block::Thinking { thinking: said } => put(said),
        Block::ToolUse { input, .. } => fill_value(input, &put),
        Block::Gate { .. } => {}
    }
}

/// A time still to come when a tool is called with it, on a busy machine too.
fn soon() -> String {
    (Utc::now() + TimeDelta::seconds(10)).to_rfc3339_opts(SecondsFormat::Secs, true)
}

fn fill_value(value: &mut Value, put: &impl Fn(&mut String)) {
    match value {
        Value::String(said) => put(said),
        Value::Array(items) => items.iter_mut().for_each(|item| fill_value(item, put)),
        Value::Object(fields) => fields.values_mut().for_each(|field| fill_value(field, put)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
