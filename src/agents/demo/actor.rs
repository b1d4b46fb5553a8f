//! How the demo agent plays a step: with pauses that hear the person, tools that call their hooks, and questions.

use std::collections::VecDeque;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::hooks::Hooks;
use super::keys::Input;
use super::page::{Page, PageStyle};
use super::talk::{DemoSaid, Talk};
use super::tools::DemoTools;
use crate::model::text;

/// One frame of the spinner; also how often work in the background is looked at.
const FRAME: Duration = Duration::from_millis(80);
const SPINNER: &[char] = &['·', '✢', '✳', '✶', '✻', '✽'];
const SHOWN_LINES: usize = 14;

/// Why a turn ends before its script does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActorStop {
    Interrupted,
    Quit,
    Failed(String),
}

/// What a tool did.
pub struct ActorDone {
    /// As Claude Code's `tool_response` has it, so that one reader serves both.
    pub response: Value,
    pub shown: Vec<(PageStyle, String)>,
}

pub type ActorOutcome = Result<ActorDone, String>;

pub struct Actor {
    pub page: Page,
    pub inputs: Receiver<Input>,
    pub hooks: Hooks,
    pub tools: Option<DemoTools>,
    pub talk: Talk,
    pub pace: Duration,
    /// Prompts that were entered while it worked.
    pub queued: VecDeque<String>,
    /// The tool that began and has not ended.
    open_tool: Option<Value>,
}

enum Permission {
    Given,
    Refused(String),
}

impl Actor {
    pub fn new(page: Page, inputs: Receiver<Input>, hooks: Hooks, talk: Talk, pace: Duration) -> Actor {
        Actor {
            page,
            inputs,
            hooks,
            tools: DemoTools::from_env(),
            talk,
            pace,
            queued: VecDeque::new(),
            open_tool: None,
        }
    }

    /// Words of the agent: shown and kept.
    pub fn say(&mut self, words: &str) {
        self.page.say(PageStyle::Plain, &format!("● {words}"));
        self.talk.keep(&DemoSaid::Words { text: words.into() });
    }

    /// Shows that it is at work for so long, and hears the person meanwhile.
    pub fn pause(&mut self, doing: &str, time: Duration) -> Result<(), ActorStop> {
        let (never, nothing) = mpsc::channel::<()>();
        let end = Instant::now() + time;
        let waited = self.wait(doing, &nothing, Some(end)).map(|_| ());
        drop(never);
        waited
    }

    /// Runs slow work beside the person, who may interrupt it.
    fn run<T: Send + 'static>(
        &mut self,
        doing: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ActorStop> {
        let (done, result) = mpsc::channel();
        // When interrupted it ends by itself, and nobody hears of it.
        std::thread::spawn(move || done.send(work()));
        let gone = || ActorStop::Failed(format!("{doing} broke off"));
        self.wait(doing, &result, None)?.ok_or_else(gone)
    }

    /// Waits for a value, up to a moment. `None` where there will be none.
    fn wait<T>(&mut self, doing: &str, value: &Receiver<T>, end: Option<Instant>) -> Result<Option<T>, ActorStop> {
        for frame in 0.. {
            match value.try_recv() {
                Ok(value) => return Ok(Some(value)),
                Err(mpsc::TryRecvError::Disconnected) => return Ok(None),
                Err(mpsc::TryRecvError::Empty) => {}
            }
            let left = end.map_or(FRAME, |end| end.saturating_duration_since(Instant::now()).min(FRAME));
            if left.is_zero() {
                break;
            }
            let spinner = SPINNER[frame % SPINNER.len()];
            self.page.notice = vec![format!("{spinner} {doing}…  (esc to interrupt)")];
            self.page.draw();
            if let Some(input) = self.input_within(left) {
                self.hear(input)?;
            }
        }
        Ok(None)
    }

    fn input_within(&self, patience: Duration) -> Option<Input> {
        match self.inputs.recv_timeout(patience) {
            Ok(input) => Some(input),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Input::End),
        }
    }

    /// While it works, a person may interrupt, or write the next prompt.
    fn hear(&mut self, input: Input) -> Result<(), ActorStop> {
        match input {
            Input::Escape | Input::Cancel => return Err(ActorStop::Interrupted),
            Input::End => return Err(ActorStop::Quit),
            Input::Enter => {
                let prompt = std::mem::take(&mut self.page.composer);
                if !prompt.trim().is_empty() {
                    self.page
                        .say(PageStyle::Dim, &format!("  queued: {}", text::one_line(&prompt, 60)));
                    self.queued.push_back(prompt);
                }
            }
            Input::Text(_) | Input::Paste(_) | Input::Backspace | Input::Clear => self.compose(input),
        }
        Ok(())
    }

    pub fn compose(&mut self, input: Input) {
        match input {
            Input::Text(text) | Input::Paste(text) => self.page.composer.push_str(&text),
            Input::Backspace => {
                self.page.composer.pop();
            }
            Input::Clear => self.page.composer.clear(),
            Input::Enter | Input::Escape | Input::Cancel | Input::End => {}
        }
    }

    /// One tool call as an agent CLI makes it: hook, permission, work, hook.
    pub fn tool(
        &mut self,
        name: &str,
        title: &str,
        input: Value,
        work: impl FnOnce() -> ActorOutcome + Send + 'static,
    ) -> Result<ActorOutcome, ActorStop> {
        self.call(name, title, input, ActorAsks::IfToldTo, work)
    }

    /// As [`Actor::tool`], and the person is asked unless a hook allows it.
    pub fn tool_if_allowed(
        &mut self,
        name: &str,
        title: &str,
        input: Value,
        work: impl FnOnce() -> ActorOutcome + Send + 'static,
    ) -> Result<ActorOutcome, ActorStop> {
        self.call(name, title, input, ActorAsks::Always, work)
    }

    fn call(
        &mut self,
        name: &str,
        title: &str,
        input: Value,
        asks: ActorAsks,
        work: impl FnOnce() -> ActorOutcome + Send + 'static,
    ) -> Result<ActorOutcome, ActorStop> {
        let id = format!("demo_{}", uuid::Uuid::new_v4().simple());
        let call = json!({"tool_name": name, "tool_input": input, "tool_use_id": id});
        self.page.say(PageStyle::Bold, &format!("● {title}"));
        self.talk.keep(&DemoSaid::Tool { line: title.into() });
        self.open_tool = Some(call.clone());
        let started = Instant::now();
        let answer = self.hooks.call("PreToolUse", call.clone());
        let permission = match decision(&answer) {
            Some("deny") => Permission::Refused(reason(&answer)),
            Some("allow") => Permission::Given,
            Some("ask") => self.ask(title, &call)?,
            Some(_) | None => match asks {
                ActorAsks::Always => self.ask(title, &call)?,
                ActorAsks::IfToldTo => Permission::Given,
            },
        };
        if let Permission::Refused(why) = permission {
            // As with Claude Code, no hook tells of a refusal; the turn's end closes the tool.
            self.open_tool = None;
            self.page.say(PageStyle::Red, &format!("  ⎿ {why}"));
            return Ok(Err(why));
        }
        self.pause(title, self.pace)?;
        let outcome = self.run(title, work)?;
        self.open_tool = None;
        let ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.ended(call, &outcome, ms);
        Ok(outcome)
    }

    fn ended(&mut self, mut call: Value, outcome: &ActorOutcome, ms: u64) {
        call["duration_ms"] = ms.into();
        match outcome {
            Ok(done) => {
                call["tool_response"] = done.response.clone();
                self.hooks.call("PostToolUse", call);
                for (at, (style, line)) in done.shown.iter().take(SHOWN_LINES).enumerate() {
                    let mark = if at == 0 { "⎿" } else { " " };
                    self.page.say(*style, &format!("  {mark} {line}"));
                }
            }
            Err(why) => {
                call["error"] = why.as_str().into();
                call["is_interrupt"] = false.into();
                self.hooks.call("PostToolUseFailure", call);
                self.page.say(PageStyle::Red, &format!("  ⎿ {why}"));
            }
        }
    }

    /// The question is open for the person and for the hook at once; the first answer wins.
    fn ask(&mut self, title: &str, call: &Value) -> Result<Permission, ActorStop> {
        let fields = json!({"tool_name": call["tool_name"], "tool_input": call["tool_input"]});
        let asked = self.hooks.begin("PermissionRequest", fields);
        self.page.notice = vec![
            format!("Run {title}?"),
            "❯ 1. Yes".into(),
            "  2. No".into(),
            "  Enter to confirm · Esc to cancel".into(),
        ];
        self.page.draw();
        let refused = || Permission::Refused("the person said no".into());
        let mut hook_spoke = false;
        loop {
            if !hook_spoke && let Ok(answer) = asked.answer.try_recv() {
                hook_spoke = true;
                let decision = &answer["hookSpecificOutput"]["decision"];
                match decision["behavior"].as_str() {
                    Some("allow") => return Ok(Permission::Given),
                    Some("deny") => {
                        let why = decision["message"].as_str().unwrap_or("refused by a rule");
                        return Ok(Permission::Refused(why.into()));
                    }
                    Some(_) | None => {}
                }
            }
            match self.input_within(FRAME) {
                Some(Input::Enter) => return Ok(Permission::Given),
                Some(Input::Text(keys)) if keys.starts_with(['1', 'y', 'Y']) => {
                    return Ok(Permission::Given);
                }
                Some(Input::Text(keys)) if keys.starts_with(['2', 'n', 'N']) => {
                    return Ok(refused());
                }
                Some(Input::Escape) => return Ok(refused()),
                Some(Input::Cancel) => return Err(ActorStop::Interrupted),
                Some(Input::End) => return Err(ActorStop::Quit),
                Some(Input::Text(_) | Input::Paste(_) | Input::Backspace | Input::Clear) | None => {}
            }
        }
    }

    /// The turn was cut off: the open tool ends too. Unlike Claude Code, this agent leaves no hole in its hooks.
    pub fn close_open_tool(&mut self) {
        if let Some(mut call) = self.open_tool.take() {
            call["error"] = "interrupted by the person".into();
            call["is_interrupt"] = true.into();
            self.hooks.call("PostToolUseFailure", call);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ActorAsks {
    IfToldTo,
    Always,
}

fn decision(answer: &Value) -> Option<&str> {
    answer["hookSpecificOutput"]["permissionDecision"].as_str()
}

fn reason(answer: &Value) -> String {
    let why = answer["hookSpecificOutput"]["permissionDecisionReason"].as_str();
    why.unwrap_or("refused by a rule").to_string()
}
