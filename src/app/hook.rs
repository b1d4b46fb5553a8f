//! What an agent's hooks and transcript say, made into entries and signals.
//!
//! Both may tell the same thing: a tool is ended by whichever comes first, and told once. A hook is answered when
//! what it said is in the transcript.

use serde_json::{Value, json};

use crate::model::entry::{From, ToolStatus};
use crate::model::text::one_line;
use crate::model::{Activity, CallId, ChatId, Happened, HookEvent, Mark, Source, Status, Timestamp};

use super::effect::{Effect, Job};
use super::state::{Agent, Asker, State, Then};
use super::{chat, delivery, status, turn};

/// A hook call of one chat's agent, understood.
pub fn update(state: &mut State, call: CallId, chat: &ChatId, events: Vec<HookEvent>) -> Vec<Effect> {
    let mut happened = Vec::new();
    let mut effects = Vec::new();
    for event in events {
        effects.extend(hear(state, chat, event, &mut happened));
    }
    let happened = news(state, chat, happened);
    match happened.is_empty() || !state.disk.chats.contains_key(chat) {
        true => effects.push(Effect::Reply(call, Ok(json!({})))),
        false => {
            let job = Job::Append(chat.clone(), happened, None);
            effects.extend(chat::work(state, Asker::Call(call), Then::HookAnswered, job));
        }
    }
    effects.extend(status::reassess(state, chat));
    effects.extend(delivery::pump(state, chat));
    effects
}

/// What of this was not told before, by whichever source.
fn news(state: &mut State, chat: &ChatId, happened: Vec<Happened>) -> Vec<Happened> {
    match state.live.agents.get_mut(chat) {
        Some(agent) => agent.told.news(happened),
        None => happened,
    }
}

/// Makes entries and signals of one event.
fn hear(state: &mut State, chat: &ChatId, event: HookEvent, happened: &mut Vec<Happened>) -> Vec<Effect> {
    let now = state.now;
    let number = state.ids.number();
    match event {
        HookEvent::Prompt { id, text } => return prompt(state, chat, id, text, happened),
        HookEvent::SessionStarted {
            session,
            source,
            model,
            cwd,
        } => {
            let agent = state.live.agents.get_mut(chat);
            // It compacts in the middle of a turn too, and then says this while it works on.
            if let Some(agent) = agent.filter(|_| source != "compact") {
                let begins = agent.at_its_session();
                agent.signal(begins, "its session began", now);
            }
            return session_began(state, chat, session, model, cwd, happened);
        }
        other => {
            if let Some(agent) = state.live.agents.get_mut(chat) {
                agent.hear(other, number, now, happened);
            }
        }
    }
    Vec::new()
}

fn prompt(state: &mut State, chat: &ChatId, id: String, text: String, happened: &mut Vec<Happened>) -> Vec<Effect> {
    let now = state.now;
    let (from, effects) = delivery::confirm(state, chat, &text);
    if let Some(agent) = state.live.agents.get_mut(chat) {
        agent.signal(Activity::Busy(None), "a prompt was submitted", now);
    }
    happened.push(Happened::Prompt {
        id,
        text,
        from: from.unwrap_or(From::Person),
        checkpoint: None,
    });
    effects
}

/// What is typed from now on is read by the session. An id that is new is written down.
fn session_began(
    state: &mut State,
    chat: &ChatId,
    session: String,
    model: Option<String>,
    cwd: String,
    happened: &mut Vec<Happened>,
) -> Vec<Effect> {
    let (Some(agent), Some(known)) = (state.live.agents.get_mut(chat), state.disk.chats.get(chat)) else {
        return Vec::new();
    };
    agent.session_began = true;
    agent.signals.remove(&Source::Screen);
    happened.push(Happened::Session {
        agent: known.record.llm.clone(),
        session: session.clone(),
        model,
        version: None,
        cwd,
    });
    if known.session() == Some(&session) {
        return Vec::new();
    }
    let job = Job::Session {
        chat: chat.clone(),
        session,
    };
    chat::work(state, Asker::Nobody, Then::Nothing, job)
}

impl Agent {
    fn hear(&mut self, event: HookEvent, number: u64, now: Timestamp, happened: &mut Vec<Happened>) {
        match event {
            HookEvent::SessionEnded { reason } => {
                self.signal(
                    Activity::Ended(reason.clone()),
                    &format!("its session ended: {reason}"),
                    now,
                );
            }
            HookEvent::ToolStarted {
                id,
                name,
                input,
                parent,
            } => {
                self.signal(Activity::Busy(Some(name.clone())), &format!("{name} began"), now);
                self.open_tools.push((id.clone(), name.clone()));
                happened.push(Happened::ToolStart {
                    id,
                    name,
                    input,
                    dir: None,
                    parent,
                });
            }
            HookEvent::ToolEnded {
                id,
                name,
                output,
                failed,
                interrupted,
                ms,
            } => {
                self.signal(Activity::Busy(None), &format!("{name} ended"), now);
                let ended = match (interrupted, failed) {
                    (true, _) => ToolStatus::Interrupted,
                    (false, true) => ToolStatus::Error,
                    (false, false) => ToolStatus::Ok,
                };
                happened.extend(self.settle_permission(&id, ended));
                happened.extend(self.end_tool(&id, ended, output, ms));
            }
            HookEvent::PermissionAsked { tool, input } => {
                let id = self.open_tool(&tool).unwrap_or_else(|| format!("ask-{number}"));
                self.signal(
                    Activity::Waiting(asks(&tool, &input)),
                    &format!("it asks to use {tool}"),
                    now,
                );
                self.asking = Some((id.clone(), tool.clone()));
                happened.push(turn::permission(id, tool, input, "asked", "agent"));
            }
            // Said a minute after a turn too: that it waits for the next prompt is no question.
            HookEvent::Waiting { text } if self.verdict.status != Status::Idle => {
                self.signal(Activity::Waiting(text.clone()), &text, now);
            }
            HookEvent::TurnEnded { background: 0, .. } => {
                happened.extend(self.end_all_tools(ToolStatus::Interrupted));
                self.signal(Activity::Idle, "its turn ended", now);
            }
            HookEvent::TurnEnded { background, .. } => {
                happened.extend(self.end_all_tools(ToolStatus::Interrupted));
                self.signal(
                    Activity::Background(background),
                    "its turn ended, with work left behind it",
                    now,
                );
            }
            HookEvent::TurnFailed { error, message } => {
                happened.extend(self.end_all_tools(ToolStatus::Interrupted));
                let what = match error.as_str() {
                    "unknown" => one_line(&message, 120),
                    known => known.replace('_', " "),
                };
                self.signal(Activity::Failed(what), &format!("its turn failed: {error}"), now);
                happened.push(Happened::Error {
                    place: "agent".into(),
                    message: format!("{error}: {message}"),
                    hint: "send another prompt to try again".into(),
                });
            }
            told => happened.extend(tell(told)),
        }
    }
}

/// What is only told, and changes no status.
fn tell(event: HookEvent) -> Option<Happened> {
    let subagent = |id, name, state: &str| Happened::Subagent {
        id,
        name,
        state: state.into(),
    };
    match event {
        HookEvent::SubagentStarted { id, name } => Some(subagent(id, name, "started")),
        HookEvent::SubagentEnded { id, name } => Some(subagent(id, name, "ended")),
        HookEvent::Compacting { trigger } => Some(Happened::Compaction { trigger }),
        HookEvent::CwdChanged { cwd } => Some(Happened::Note {
            text: format!("now in {cwd}"),
        }),
        HookEvent::Odd { why } => {
            let fields = [("why".to_string(), Value::String(why))].into_iter().collect();
            Some(Happened::Unknown { fields })
        }
        HookEvent::Ignored
        | HookEvent::Waiting { .. }
        | HookEvent::SessionStarted { .. }
        | HookEvent::SessionEnded { .. }
        | HookEvent::Prompt { .. }
        | HookEvent::ToolStarted { .. }
        | HookEvent::ToolEnded { .. }
        | HookEvent::PermissionAsked { .. }
        | HookEvent::TurnEnded { .. }
        | HookEvent::TurnFailed { .. } => None,
    }
}

/// Lines of the CLI's own transcript that say what no hook does.
pub fn transcript(state: &mut State, chat: &ChatId, lines: Vec<Happened>, mark: Mark) -> Vec<Effect> {
    let now = state.now;
    let mut happened = Vec::new();
    let mut effects = Vec::new();
    for line in lines {
        match line {
            Happened::Prompt { id, text, .. } => {
                let (from, confirmed) = delivery::confirm(state, chat, &text);
                effects.extend(confirmed);
                happened.push(Happened::Prompt {
                    id,
                    text,
                    from: from.unwrap_or(From::Person),
                    checkpoint: None,
                });
            }
            Happened::ToolStart { ref id, ref name, .. } => {
                if let Some(agent) = state.live.agents.get_mut(chat).filter(|agent| !agent.told.has(&line)) {
                    agent.open_tools.push((id.clone(), name.clone()));
                }
                happened.push(line);
            }
            Happened::Interrupt { cause } => {
                if let Some(agent) = state.live.agents.get_mut(chat) {
                    happened.extend(agent.end_all_tools(ToolStatus::Interrupted));
                    agent.signal_from(Source::Transcript, Activity::Idle, "it was interrupted", now);
                }
                happened.push(Happened::Interrupt { cause });
            }
            Happened::ToolEnd {
                id,
                status,
                preview,
                ms,
                ..
            } => {
                if let Some(agent) = state.live.agents.get_mut(chat) {
                    let status = agent.how_it_ended(&id, status);
                    happened.extend(agent.settle_permission(&id, status));
                    happened.extend(agent.end_tool(&id, status, preview, ms));
                }
            }
            Happened::Error { .. } => {
                if let Some(agent) = state.live.agents.get_mut(chat) {
                    agent.signal_from(
                        Source::Transcript,
                        Activity::Failed("API error".into()),
                        "an API error",
                        now,
                    );
                }
                happened.push(line);
            }
            other => happened.push(other),
        }
    }
    let happened = news(state, chat, happened);
    effects.extend(chat::append_read(state, chat, happened, Some(mark)));
    effects.extend(status::reassess(state, chat));
    effects.extend(delivery::pump(state, chat));
    effects
}

/// The process is gone, and with it whatever was still at work.
pub fn close_open_tools(state: &mut State, chat: &ChatId) -> Vec<Effect> {
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    let happened = agent.end_all_tools(ToolStatus::Interrupted);
    chat::append(state, chat, happened)
}

/// What is asked, in one line: the tool and the part of its input that a person judges by.
fn asks(tool: &str, input: &Value) -> String {
    let telling = ["command", "file_path", "path", "url", "question"];
    let what = telling.iter().find_map(|key| input.get(key)).and_then(Value::as_str);
    match what {
        Some(what) => format!("{tool}: {}", one_line(what, 120)),
        None => tool.into(),
    }
}
