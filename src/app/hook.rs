//! What an agent's hooks and transcript say, made into entries and signals.
//!
//! Both may tell the same thing: a tool is ended by whichever comes first, and told once. A hook is answered when
//! what it said is in the transcript.

use serde_json::{Value, json};

use crate::model::entry::{From, ToolStatus};
use crate::model::{Activity, CallId, ChatId, Happened, HookEvent, Signal, Source, Timestamp};

use super::effect::{Effect, Job};
use super::state::{Agent, Asker, State, Then};
use super::{chat, delivery, status};

/// A hook call of one chat's agent, understood.
pub fn update(state: &mut State, call: CallId, chat: &ChatId, events: Vec<HookEvent>) -> Vec<Effect> {
    let mut happened = Vec::new();
    let mut effects = Vec::new();
    for event in events {
        effects.extend(hear(state, chat, event, &mut happened));
    }
    match happened.is_empty() || !state.disk.chats.contains_key(chat) {
        true => effects.push(Effect::Reply(call, Ok(json!({})))),
        false => {
            let job = Job::Append(chat.clone(), happened);
            effects.extend(chat::work(state, Asker::Call(call), Then::HookAnswered, job));
        }
    }
    effects.extend(status::reassess(state, chat));
    effects.extend(delivery::pump(state, chat));
    effects
}

fn hear(state: &mut State, chat: &ChatId, event: HookEvent, happened: &mut Vec<Happened>) -> Vec<Effect> {
    let now = state.now;
    if let HookEvent::Prompt { id, text } = event {
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
        return effects;
    }
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    match event {
        HookEvent::Prompt { .. } | HookEvent::Ignored => {}
        HookEvent::SessionStarted {
            session, model, cwd, ..
        } => {
            let known = state.disk.chats.get(chat);
            let agent_name = known.map(|c| c.record.llm.clone());
            let is_new = known.is_some_and(|c| c.session() != Some(&session));
            agent.session_began = true;
            agent.signals.remove(&Source::Screen);
            agent.signal(Activity::Idle, "its session began", now);
            happened.push(Happened::Session {
                agent: agent_name.unwrap_or_default(),
                session: session.clone(),
                model,
                version: None,
                cwd,
            });
            if is_new {
                let job = Job::Session {
                    chat: chat.clone(),
                    session,
                };
                return chat::work(state, Asker::Nobody, Then::Nothing, job);
            }
        }
        HookEvent::SessionEnded { reason } => {
            agent.signal(Activity::Ended(reason.clone()), &format!("its session ended: {reason}"), now);
        }
        HookEvent::ToolStarted {
            id,
            name,
            input,
            parent,
        } => {
            agent.signal(Activity::Busy(Some(name.clone())), &format!("{name} began"), now);
            agent.open_tools.push((id.clone(), name.clone()));
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
            agent.signal(Activity::Busy(None), &format!("{name} ended"), now);
            let ended = match (interrupted, failed) {
                (true, _) => ToolStatus::Interrupted,
                (false, true) => ToolStatus::Error,
                (false, false) => ToolStatus::Ok,
            };
            happened.extend(agent.settle_permission(&id, ended));
            happened.extend(agent.end_tool(&id, ended, output, ms));
        }
        HookEvent::PermissionAsked { tool, input } => {
            let id = agent.open_tool(&tool).unwrap_or_else(|| format!("ask-{}", state.ids.number()));
            agent.signal(Activity::Waiting(asks(&tool, &input)), &format!("it asks to use {tool}"), now);
            agent.asking = Some((id.clone(), tool.clone()));
            happened.push(permission(id, tool, input, "asked", "agent"));
        }
        HookEvent::Waiting { text } => {
            let idle = matches!(agent.verdict.status, crate::model::Status::Idle);
            if !idle {
                agent.signal(Activity::Waiting(text.clone()), &text, now);
            }
        }
        HookEvent::TurnEnded { background, .. } => {
            happened.extend(agent.end_all_tools(ToolStatus::Interrupted));
            match background {
                0 => agent.signal(Activity::Idle, "its turn ended", now),
                n => {
                    let what = format!("{n} in the background");
                    agent.signal(Activity::Busy(Some(what)), "its turn ended, with work left behind it", now);
                }
            }
        }
        HookEvent::TurnFailed { error, message } => {
            happened.extend(agent.end_all_tools(ToolStatus::Interrupted));
            agent.signal(Activity::Failed(error.clone()), &format!("its turn failed: {error}"), now);
            happened.push(Happened::Error {
                place: "agent".into(),
                message: format!("{error}: {message}"),
                hint: "send another prompt to try again".into(),
            });
        }
        HookEvent::SubagentStarted { id, name } => happened.push(Happened::Subagent {
            id,
            name,
            state: "started".into(),
        }),
        HookEvent::SubagentEnded { id, name } => happened.push(Happened::Subagent {
            id,
            name,
            state: "ended".into(),
        }),
        HookEvent::Compacting { trigger } => happened.push(Happened::Compaction { trigger }),
        HookEvent::CwdChanged { cwd } => happened.push(Happened::Note {
            text: format!("now in {cwd}"),
        }),
        HookEvent::Odd { why } => {
            let mut fields = serde_json::Map::new();
            fields.insert("why".into(), Value::String(why));
            happened.push(Happened::Unknown { fields });
        }
    }
    Vec::new()
}

/// Lines of the CLI's own transcript that say what no hook does.
pub fn transcript(state: &mut State, chat: &ChatId, lines: Vec<Happened>) -> Vec<Effect> {
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
                    happened.extend(agent.settle_permission(&id, status));
                    happened.extend(agent.end_tool(&id, status, preview, ms));
                }
            }
            Happened::Error { .. } => {
                if let Some(agent) = state.live.agents.get_mut(chat) {
                    agent.signal_from(Source::Transcript, Activity::Failed("API error".into()), "an API error", now);
                }
                happened.push(line);
            }
            other => happened.push(other),
        }
    }
    effects.extend(chat::append(state, chat, happened));
    effects.extend(status::reassess(state, chat));
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
        Some(what) => format!("{tool}: {}", crate::model::text::one_line(what, 120)),
        None => tool.into(),
    }
}

fn permission(id: String, tool: String, input: Value, answer: &str, by: &str) -> Happened {
    Happened::Permission {
        id,
        tool,
        input,
        rule: None,
        answer: answer.into(),
        by: by.into(),
    }
}

impl Agent {
    fn signal(&mut self, activity: Activity, because: &str, at: Timestamp) {
        self.signal_from(Source::Hook, activity, because, at);
    }

    fn signal_from(&mut self, source: Source, activity: Activity, because: &str, at: Timestamp) {
        let signal = Signal {
            source,
            activity,
            because: because.into(),
            at,
        };
        self.signals.insert(source, signal);
    }

    /// The newest tool of that name that has begun and not ended.
    fn open_tool(&self, name: &str) -> Option<String> {
        let mut newest = self.open_tools.iter().rev();
        newest.find(|(_, open)| open == name).map(|(id, _)| id.clone())
    }

    /// A tool ends once: `None` where it has ended already, or never began.
    fn end_tool(&mut self, id: &str, status: ToolStatus, output: String, ms: Option<u64>) -> Option<Happened> {
        let place = self.open_tools.iter().position(|(open, _)| open == id)?;
        self.open_tools.remove(place);
        Some(Happened::ToolEnd {
            id: id.into(),
            status,
            bytes: output.len() as u64,
            lines: output.lines().count() as u64,
            preview: output,
            output: None,
            ms,
        })
    }

    /// An open question is answered by what became of its tool.
    fn settle_permission(&mut self, id: &str, status: ToolStatus) -> Option<Happened> {
        let (_, tool) = self.asking.take_if(|(asked, _)| asked == id)?;
        let answer = match status {
            ToolStatus::Ok | ToolStatus::Error => "allowed",
            ToolStatus::Denied => "denied",
            ToolStatus::Interrupted => "dropped",
        };
        Some(permission(id.into(), tool, Value::Null, answer, "person"))
    }

    /// Ends every open tool; one that had been asked for was denied.
    fn end_all_tools(&mut self, status: ToolStatus) -> Vec<Happened> {
        let mut happened = Vec::new();
        while let Some((id, _)) = self.open_tools.first().cloned() {
            let asked = self.asking.as_ref().is_some_and(|(asked, _)| *asked == id);
            let how = match asked {
                true => ToolStatus::Denied,
                false => status,
            };
            happened.extend(self.settle_permission(&id, how));
            happened.extend(self.end_tool(&id, how, String::new(), None));
        }
        self.asking = None;
        happened
    }
}
