//! Questions from the shell, one arm a verb.

use serde_json::{Value, json};

use crate::model::chat::Pending;
use crate::model::request::Request;
use crate::model::{CallId, ChatId, Problem};

use super::delivery::Letter;
use super::effect::{Effect, Job};
use super::question::Decision;
use super::state::{Asker, State, Then};
use super::{agent, chat, delivery, duplicate, explain, gate, project, restart, tree, wait};

/// The longest prompt, in bytes: a wire frame holds it with room to spare.
const LONGEST_PROMPT: usize = 512 << 10;

pub fn update(state: &mut State, call: CallId, request: Request) -> Vec<Effect> {
    match verb(state, call, request) {
        Ok(effects) => effects,
        Err(problem) => vec![Effect::Reply(call, Err(problem))],
    }
}

fn verb(state: &mut State, call: CallId, request: Request) -> Result<Vec<Effect>, Problem> {
    let asker = Asker::Call(call);
    let now = |value: Value| Ok(vec![Effect::Reply(call, Ok(value))]);
    match request {
        Request::Ping => now(json!({})),
        Request::List => now(json!({"chats": list(state)})),
        Request::Status => now(status(state)),
        Request::New(new) => {
            fits(new.prompt.as_deref().unwrap_or_default())?;
            Ok(chat::create(state, new, asker))
        }
        Request::Demo(new) => Ok(chat::demo(state, new, asker)),
        Request::OpenDir { chat, open } => {
            let chat = state.find(&chat)?;
            Ok(project::open(state, &chat, open, asker))
        }
        Request::Send {
            chat,
            text,
            follow_up,
            env,
            sender,
        } => {
            let chat = state.find(&chat)?;
            let prompt = prompt(state, &chat, (text, follow_up), sender.as_ref())?;
            let env = tree::environment(state, sender.as_ref(), env);
            let letter = Letter {
                prompt,
                call: Some(call),
            };
            Ok(delivery::send_to_any(state, &chat, letter, env))
        }
        Request::Wait { chat, until } => {
            let chat = state.find(&chat)?;
            Ok(wait::begin(state, call, chat, until))
        }
        Request::Screen { chat, ansi, scrollback } => {
            let chat = state.find(&chat)?;
            let job = Job::Screen { chat, ansi, scrollback };
            Ok(chat::work(state, asker, Then::Answer, job))
        }
        Request::Events { chat, after, follow } => {
            let chat = state.find(&chat)?;
            Ok(events(state, call, chat, after, follow))
        }
        Request::Explain { chat } => {
            let chat = state.find(&chat)?;
            let told = explain::json(state, &chat);
            Ok(chat::work(state, asker, Then::Answer, Job::Servers { chat, told }))
        }
        Request::Stop { chat, tree } => {
            let chat = state.find(&chat)?;
            let mut effects = Vec::new();
            let below = if tree { tree::below(state, &chat) } else { Vec::new() };
            for child in below {
                effects.extend(agent::stop(state, &child, Asker::Nobody));
            }
            effects.extend(agent::stop(state, &chat, asker));
            Ok(effects)
        }
        Request::Resume { chat, env } => {
            let chat = state.find(&chat)?;
            Ok(agent::resume(state, &chat, env, asker))
        }
        Request::Restart { chat, env } => {
            let chat = state.find(&chat)?;
            Ok(restart::begin(state, &chat, env, asker))
        }
        Request::Rm { chat, yes } => {
            let chat = state.find(&chat)?;
            Ok(match yes {
                true => chat::delete(state, &chat, asker),
                false => chat::losses(state, &chat, Then::Refuse(chat.clone()), asker),
            })
        }
        Request::UndoRm { chat } => Ok(chat::restore(state, chat, asker)),
        Request::Rename { chat, name } => {
            let chat = state.find(&chat)?;
            Ok(chat::rename(state, &chat, name, asker))
        }
        Request::Duplicate { chat, name, env } => {
            let chat = state.find(&chat)?;
            Ok(duplicate::begin(state, &chat, name, env, asker))
        }
        Request::Log { chat, lines } => {
            let chat = state.find(&chat)?;
            Ok(chat::work(state, asker, Then::Answer, Job::Log { chat, lines }))
        }
        Request::Approvals => now(gate::json(state)),
        Request::Approve { request } => decided(state, call, &request, Decision::Allow),
        Request::Deny { request } => decided(state, call, &request, Decision::Deny),
        Request::KillEngine => Ok(vec![Effect::Reply(call, Ok(json!({}))), Effect::Shutdown]),
        // These two never come here: the engine's door makes a client and a hook event of them.
        Request::Attach(_) | Request::Hook { .. } => Ok(Vec::new()),
    }
}

/// A prompt for a chat, from whoever sends it.
fn prompt(
    state: &State,
    chat: &ChatId,
    (text, follow_up): (String, bool),
    sender: Option<&ChatId>,
) -> Result<Pending, Problem> {
    fits(&text)?;
    if text.trim().is_empty() {
        let hint = "say what the agent is to do: `parlour send CHAT TEXT`";
        return Err(Problem::new("sending a prompt", "it is empty", hint));
    }
    Ok(Pending {
        text,
        from: tree::origin(state, sender, chat)?,
        sender: sender.cloned(),
        follow_up,
        at: state.now,
    })
}

fn decided(state: &mut State, call: CallId, request: &str, decision: Decision) -> Result<Vec<Effect>, Problem> {
    let mut effects = gate::decide_named(state, request, decision)?;
    effects.push(Effect::Reply(call, Ok(json!({}))));
    Ok(effects)
}

fn fits(prompt: &str) -> Result<(), Problem> {
    if prompt.len() <= LONGEST_PROMPT {
        return Ok(());
    }
    let cause = format!(
        "it has {} KB, and a prompt may have {}",
        prompt.len() >> 10,
        LONGEST_PROMPT >> 10
    );
    let hint = "put the text into a file in the chat's directory and name that file";
    Err(Problem::new("sending a prompt", cause, hint))
}

/// The transcript so far, and with `follow` all that comes.
fn events(state: &mut State, call: CallId, chat: ChatId, after: u64, follow: bool) -> Vec<Effect> {
    let then = match follow {
        true => Then::Follow(chat.clone()),
        false => Then::Answer,
    };
    chat::work(state, Asker::Call(call), then, Job::Entries { chat, after, call })
}

/// Every chat, the one that was busy last first.
fn list(state: &State) -> Vec<Value> {
    let mut chats: Vec<_> = state.disk.chats.values().collect();
    chats.sort_by_key(|c| (std::cmp::Reverse(c.updated), c.id().clone()));
    chats.into_iter().map(|c| chat::json(state, c.id())).collect()
}

fn status(state: &State) -> Value {
    let facts = &state.live.facts;
    let live = state.live.agents.iter().filter(|(_, agent)| agent.is_live());
    let agents: Vec<Value> = live
        .map(|(chat, agent)| {
            json!({
                "chat": chat,
                "pid": agent.pid(),
                "llm": state.disk.chats.get(chat).map(|c| &c.record.llm),
                "status": agent.verdict.status.word(),
            })
        })
        .collect();
    json!({
        "version": facts.version,
        "engine": {"pid": facts.pid, "uptime_s": state.now.ms_since(facts.started) / 1000, "rss_bytes": facts.rss_bytes},
        "mcp": {"url": facts.mcp_url, "port": facts.mcp_port},
        "home": state.disk.home,
        "limits": state.disk.settings.limits,
        "agents": agents,
        "settings_problem": state.disk.settings_problem,
        "read_only": state.disk.read_only,
    })
}
