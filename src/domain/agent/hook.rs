//! What an agent's hooks say, made into entries and signals.
//!
//! Its transcript ([`super::reported_lines`]) may tell the same thing: a tool is ended by whichever comes first, and told once.
//! A hook is answered when what it said is in ours.

use serde_json::Value;

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{AgentThen, AgentWork};
use crate::model::entry::ToolStatus;
use crate::model::text::one_line;
use crate::model::trouble::plain;
use crate::model::{Activity, CallId, ChatId, Happened, HookEvent, Source, Timestamp, Trouble, TroubleKind};

use super::acknowledgement::PromptWitness;
use super::open_tool::{OpenTool, digest, given};
use super::same_text::bare;
use super::state::Agent;
use super::state::own_calls::own_id;
use super::state::turn::ToolEnd;
use super::{acknowledgement, reorder};

/// Makes entries and signals of one event.
pub(in crate::domain) fn hear(
    state: &mut Domain,
    chat: &ChatId,
    event: HookEvent,
    held: Option<CallId>,
    happened: &mut Vec<Happened>,
) -> Vec<Effect> {
    let now = state.now;
    let number = state.ids.number();
    match event {
        HookEvent::Prompt { id, text } if acknowledgement::is_ahead(state, chat, &id, &text) => {
            acknowledgement::keeps_for_later(state, chat, &text);
            Vec::new()
        }
        HookEvent::Prompt { id, text } => prompt(state, chat, PromptWitness::Hook, (id, text), happened),
        HookEvent::SessionStarted {
            session,
            source,
            model,
            cwd,
        } => {
            let mut effects = Vec::new();
            let news = other_conversation(state, chat, &session, &source);
            let agent = state.live.agents.get_mut(chat);
            // It compacts in the middle of a turn too, and then says this while it works on.
            if let Some(agent) = agent.filter(|_| source != "compact") {
                let begins = agent.at_its_session();
                agent.signal(begins, "its session began", now);
                if source == "resuming" {
                    agent.resumes(now);
                    effects.push(Effect::WakeAt(agent.composes_from));
                }
            }
            effects.extend(session_began(state, chat, session, model, cwd, happened));
            happened.extend(news);
            effects
        }
        other => {
            let ends = matches!(other, HookEvent::TurnEnded { .. } | HookEvent::OwnTurnEnded);
            let mut effects = Vec::new();
            let llm = state.disk.chats.get(chat).map_or("", |known| known.record.llm.as_str());
            let title = state.disk.title_of(llm).to_string();
            if let Some(agent) = state.live.agents.get_mut(chat) {
                agent.hear(other, held, (number, &title), now, happened);
                effects.extend(agent.turn.own.ends_due().map(Effect::WakeAt));
            }
            if ends {
                effects.extend(acknowledgement::conversation_is_at(state, chat, now.plus_ms(1)));
            }
            effects
        }
    }
}

pub(super) fn prompt(
    state: &mut Domain,
    chat: &ChatId,
    by: PromptWitness,
    (id, text): (String, String),
    happened: &mut Vec<Happened>,
) -> Vec<Effect> {
    let now = state.now;
    let has_id = !id.is_empty();
    let said = bare(&text);
    let (told, effects) = acknowledgement::confirm(state, chat, by, id.clone(), text);
    let steers = matches!(told, Some(Happened::Prompt { steer: true, .. }));
    if let Some(agent) = state.live.agents.get_mut(chat) {
        happened.extend(agent.prompted(now));
        if !steers {
            agent.turn.ahead.begins_with(&id, &said);
        }
    }
    happened.extend(told.filter(|_| has_id));
    effects
}

/// Within its terminal a person had the CLI begin another conversation, or go on with one: what stands in the transcript is
/// not what it knows.
fn other_conversation(state: &Domain, chat: &ChatId, session: &str, source: &str) -> Option<Happened> {
    let runs = state.live.agents.get(chat).is_some_and(|agent| agent.session_began);
    let known = state.disk.chats.get(chat)?;
    let is_other = known.session().is_some_and(|own| own != session);
    let was_here = known.record.sessions.iter().any(|earlier| earlier == session);
    let text = match source {
        "startup" if was_here => "Another conversation was resumed: the agent may not know what stands above.",
        // Codex CLI says so of its `/new`: a process that has a session starts no other by itself.
        "clear" | "startup" => "Another conversation begins here: the agent does not know what stands above.",
        "resume" => "Another conversation was resumed: the agent may not know what stands above.",
        _ => return None,
    };
    (runs && is_other).then(|| Happened::Note { text: text.into() })
}

/// What is typed from now on is read by the session. An id that is new is written down.
fn session_began(
    state: &mut Domain,
    chat: &ChatId,
    session: String,
    model: Option<String>,
    cwd: String,
    happened: &mut Vec<Happened>,
) -> Vec<Effect> {
    let (Some(agent), Some(known)) = (state.live.agents.get_mut(chat), state.disk.chats.get(chat)) else {
        return Vec::new();
    };
    // A forked one is told of by its parent's name until its first prompt.
    let is_parents = known.record.origin.forked.as_ref() == Some(&session);
    let own = known.session().map(str::to_string);
    let session = own.filter(|_| is_parents).unwrap_or(session);
    agent.session_began = true;
    agent.signals.remove(&Source::Screen);
    agent.signals.remove(&Source::Transcript);
    happened.push(Happened::Session {
        agent: known.record.llm.clone(),
        session: session.clone(),
        model,
        version: None,
        cwd,
    });
    if known.session() == Some(&session) || known.record.origin.forked.as_ref() == Some(&session) {
        return Vec::new();
    }
    let job = AgentWork::Session {
        chat: chat.clone(),
        session,
    };
    chat::work(state, Requester::Nobody, AgentThen::Noted(chat.clone()), job)
}

impl Agent {
    fn hear(
        &mut self,
        event: HookEvent,
        held: Option<CallId>,
        (number, title): (u64, &str),
        now: Timestamp,
        happened: &mut Vec<Happened>,
    ) {
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
                cwd: _,
            } => {
                // A sub-agent's calls are told by hooks without ids too.
                let recorded = !id.is_empty() || !self.turn.has_given_work();
                let id = match id.is_empty() {
                    true => own_id(number, now),
                    false => id,
                };
                self.tool_began(OpenTool {
                    id: id.clone(),
                    name: name.clone(),
                    input: digest(&input),
                    given: given(&input),
                    parent: parent.clone(),
                    at: now,
                    refused: false,
                    recorded,
                    waited: 0,
                });
                let began = Happened::ToolStart {
                    id,
                    name,
                    input,
                    dir: None,
                    parent,
                };
                happened.extend(recorded.then_some(began));
            }
            HookEvent::ToolEnded {
                id,
                name,
                output,
                failed,
                interrupted,
                ms,
                cwd: _,
            } => {
                let status = match (interrupted, failed) {
                    (true, _) => ToolStatus::Interrupted,
                    (false, true) => ToolStatus::Error,
                    (false, false) => ToolStatus::Ok,
                };
                let ended = ToolEnd { status, output, ms };
                let id = match id.is_empty() {
                    true => self.turn.without_id(&name),
                    false => id,
                };
                happened.extend(self.tool_ended(&id, &name, ended, now));
            }
            HookEvent::PermissionAsked { tool, input, reach } => {
                happened.extend(self.asked_to_reach(reach, tool, input, format!("ask-{number}"), held, now));
            }
            HookEvent::RefusedAlong { tool } => self.turn.refuses_along(&tool, now),
            HookEvent::WorksOn { tool } => happened.extend(self.works_on(&tool, now)),
            // Said a minute after a turn too: that it waits for the next prompt is no question.
            HookEvent::Waiting { text } if !self.verdict.status.is_idle() => self.waits(&text, now),
            HookEvent::TurnEnded { background: 0 } => {
                self.turn.broken.since = None;
                happened.extend(self.turn_ended(Activity::Idle, "its turn ended", now));
            }
            HookEvent::TurnEnded { background } => {
                let because = "its turn ended, with work left behind it";
                happened.extend(self.turn_ended(Activity::Background(background), because, now));
            }
            HookEvent::OwnTurnEnded => {
                self.turn.broken.since = None;
                let left = match self.turn.sub_agents.is_empty() {
                    true => Activity::Idle,
                    false => Activity::Background(1),
                };
                self.turn.sub_agents.goes_on = left != Activity::Idle;
                happened.extend(self.turn_ended(left, "its turn ended", now));
            }
            HookEvent::Background { running } => happened.extend(self.leaves_running(running)),
            HookEvent::TurnFailed {
                error,
                message,
                trouble,
            } => happened.extend(self.turn_failed(&error, &message, trouble, title, now)),
            HookEvent::Compacting { trigger } => {
                let anew = self.turn.compacts_anew(Source::Hook);
                happened.extend(anew.then_some(Happened::Compaction { trigger }));
            }
            told => {
                self.turn.sub_agents.hears(&told, now);
                happened.extend(tell(told));
            }
        }
    }

    /// So many commands go on though their calls have ended. What is told if that is news.
    fn leaves_running(&mut self, running: u32) -> Option<Happened> {
        let before = std::mem::replace(&mut self.background, running);
        (before != running).then_some(Happened::Background { running })
    }

    fn turn_failed(
        &mut self,
        error: &str,
        message: &str,
        trouble: Trouble,
        title: &str,
        now: Timestamp,
    ) -> Vec<Happened> {
        self.turn.runs_into(trouble, message, now);
        let what = match error {
            "unknown" => one_line(&plain(message), 120),
            known => failure(&known.replace('_', " "), message),
        };
        let because = format!("its turn failed: {error}");
        let mut happened = self.turn_ended(Activity::Failed(what), &because, now);
        if self.turn.fails_anew(Source::Hook) {
            happened.push(Happened::Error {
                place: title.into(),
                message: match error {
                    "unknown" => plain(message),
                    known => format!("{}: {}", known.replace('_', " "), plain(message)),
                },
                hint: "send another prompt to try again".into(),
                trouble: Some(trouble),
            });
        }
        happened
    }

    /// As [`Agent::read`], from a source that tells of tools as they begin and end.
    pub(super) fn hear_told(&mut self, what: Happened, at: Timestamp) -> Vec<Happened> {
        match what {
            Happened::ToolStart { .. } => {
                OpenTool::begun(&what, at)
                    .into_iter()
                    .for_each(|tool| self.tool_began(tool));
                vec![what]
            }
            Happened::ToolEnd {
                id,
                status,
                preview: output,
                ms,
                ..
            } => {
                let named = self.turn.tools.iter().find(|tool| tool.id == id);
                let name = named.map_or("a tool".into(), |tool| tool.name.clone());
                // What it says counts the wait for an answer too.
                let ms = ms.map(|ms| ms.saturating_sub(self.turn.waited(&id, at)));
                self.tool_ended(&id, &name, ToolEnd { status, output, ms }, at)
            }
            other => self.read(other, at),
        }
    }

    /// A line of its transcript, written at this moment.
    pub(super) fn read(&mut self, line: Happened, at: Timestamp) -> Vec<Happened> {
        match line {
            Happened::Interrupt { .. } => self.told_interrupted(line, at),
            Happened::ToolStart { .. } => {
                OpenTool::begun(&line, at)
                    .into_iter()
                    .for_each(|tool| self.turn.opens(tool));
                vec![line]
            }
            Happened::ToolEnd {
                id,
                status,
                preview: output,
                ms,
                ..
            } => {
                let is_cut = status == ToolStatus::Interrupted;
                let status = self.how_it_ended(&id, status);
                let ended = self.end_tool(&id, "", ToolEnd { status, output, ms }, at);
                let is_broken_off = is_cut && self.turn.is_broken_off_by_refusal(at);
                self.left_commands.call_ended(&ended, is_broken_off);
                ended
            }
            Happened::Error {
                place,
                message,
                hint,
                trouble,
            } => {
                let told = trouble.unwrap_or_else(|| Trouble::by_words(&message));
                self.turn.runs_into(told, &message, at);
                let failed = Activity::Failed(in_a_row(told.kind, &message));
                self.signal_from(Source::Transcript, failed, "an API error", at);
                let anew = self.turn.fails_anew(Source::Transcript);
                let told = anew.then(|| Happened::Error {
                    place,
                    message: plain(&message),
                    hint,
                    trouble,
                });
                told.into_iter().collect()
            }
            Happened::Compaction { .. } => {
                let anew = self.turn.compacts_anew(Source::Transcript);
                anew.then_some(line).into_iter().collect()
            }
            // What an earlier process left running ended with it.
            Happened::Background { running } if at >= self.started => {
                let running = self.left_commands.counted(running);
                self.leaves_running(running).into_iter().collect()
            }
            other => vec![other],
        }
    }
}

/// What a transcript tells of a turn that failed, where there is room for a few words.
fn in_a_row(kind: TroubleKind, message: &str) -> String {
    match kind {
        TroubleKind::Refused if plain(message).trim().is_empty() => "API error".into(),
        // Its kind tells nothing of it, its words do.
        TroubleKind::Refused | TroubleKind::Limit => one_line(&plain(message), 120),
        kind => {
            let (first, rest) = kind.title().split_at(1);
            first.to_lowercase() + rest
        }
    }
}

/// A limit is said with when it ends, which stands in the CLI's own words.
fn failure(what: &str, message: &str) -> String {
    match message.contains("reset") {
        true => format!("{what}: {}", one_line(message, 120)),
        false => what.into(),
    }
}

fn sub_agent(id: String, name: String, state: &str) -> Happened {
    let state = state.into();
    Happened::Subagent { id, name, state }
}

/// What is only told, and changes no status.
fn tell(event: HookEvent) -> Option<Happened> {
    match event {
        HookEvent::SubagentStarted { id, name } => Some(sub_agent(id, name, "started")),
        HookEvent::SubagentEnded { id, name } => Some(sub_agent(id, name, "ended")),
        HookEvent::Said { id, text } => Some(Happened::Text { id, text }),
        HookEvent::Interrupted => Some(Happened::Interrupt {
            cause: "a person pressed Esc".into(),
        }),
        HookEvent::Odd { why } => {
            let fields = [("why".to_string(), Value::String(why))].into_iter().collect();
            Some(Happened::Unknown { fields })
        }
        HookEvent::Ignored
        | HookEvent::Compacting { .. }
        | HookEvent::RefusedAlong { .. }
        | HookEvent::WorksOn { .. }
        | HookEvent::CwdChanged { .. }
        | HookEvent::Waiting { .. }
        | HookEvent::SessionStarted { .. }
        | HookEvent::SessionEnded { .. }
        | HookEvent::Prompt { .. }
        | HookEvent::ToolStarted { .. }
        | HookEvent::ToolEnded { .. }
        | HookEvent::PermissionAsked { .. }
        | HookEvent::TurnEnded { .. }
        | HookEvent::OwnTurnEnded
        | HookEvent::Background { .. }
        | HookEvent::TurnFailed { .. } => None,
    }
}

/// The process is gone, and with it whatever was still at work.
pub fn close_open_tools(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let mut effects = reorder::flush(state, chat);
    let now = state.now;
    if let Some(agent) = state.live.agents.get_mut(chat) {
        let happened = agent.end_all_tools(now);
        effects.extend(chat::append(state, chat, happened));
    }
    effects
}
