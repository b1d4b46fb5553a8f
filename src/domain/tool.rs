//! What agents call over MCP: a table of contents, by tool.

use crate::model::atom::Who;
use crate::model::{CallId, ChatId, Problem, ToolCall};

use super::effect::{Effect, Job};
use super::event::Caller;
use super::gate::{deed, judging};
use super::state::{Asker, Domain, Then};
use super::team::{atom, dispatch, family, inbox, wait, wait_for};
use super::{chat, gate, project, schedule};

/// A tool call of an agent. Its caller was told by its token.
pub fn update(state: &mut Domain, call: CallId, chat: &ChatId, tool: ToolCall) -> Vec<Effect> {
    let asker = Asker::Call(call);
    if !state.disk.chats.contains_key(chat) {
        let problem = Problem::new("calling a tool", "this chat is no more", "");
        return vec![Effect::Reply(call, Err(problem))];
    }
    match tool {
        ToolCall::OpenDir(dir) => project::open(state, chat, dir, asker),
        ToolCall::ListProjects => chat::work(state, asker, Then::Answer, Job::Tally(chat.clone())),
        ToolCall::Work(ask) => atom::carry_out(state, chat, Who::Agent, ask, asker),
        ToolCall::Dispatch(asked) => dispatch::begin(state, chat, asked, call),
        ToolCall::GetStatus(named) => or_refused(call, family::status(state, chat, &named, call)),
        ToolCall::ListChildren(named) => or_refused(call, family::children(state, chat, named.as_deref(), call)),
        ToolCall::WaitFor(asked) => or_refused(call, wait_for::begin(state, chat, asked, call)),
        ToolCall::ReportToParent(message) => or_refused(call, inbox::report(state, chat, message, call)),
        ToolCall::SendMessage { to, message } => or_refused(call, inbox::send(state, chat, &to, message, call)),
        ToolCall::ReadInbox(which) => inbox::read(state, chat, which, call),
        ToolCall::SetStatus(declared) => inbox::declare(state, chat, declared, call),
        ToolCall::GetParentOutput(lines) => or_refused(call, family::parent_output(state, chat, lines, call)),
        ToolCall::Deed(asked) => judging::deed(state, chat, asked, call),
        ToolCall::Schedule(asked) => or_refused(call, schedule::tool(state, call, chat, asked)),
        ToolCall::SaveProjectSetup { project, files } => project::save_setup(state, chat, project, files, asker),
    }
}

/// Its caller was told that it takes longer, and is to call again.
pub fn unheard(state: &mut Domain, call: CallId) -> Vec<Effect> {
    dispatch::unheard(state, call);
    judging::caller(state, call, Caller::CallsAgain);
    deed::unheard(state, call);
    wait_for::unheard(state, call)
}

/// Its caller is gone, or took it back; of a hook or a verb of the shell too.
pub fn abandoned(state: &mut Domain, call: CallId) -> Vec<Effect> {
    judging::caller(state, call, Caller::Gone);
    gate::abandoned(state, call);
    wait::abandoned(state, call);
    let mut effects = project::abandoned(state, call);
    effects.extend(deed::abandoned(state, call));
    effects
}

fn or_refused(call: CallId, effects: Result<Vec<Effect>, Problem>) -> Vec<Effect> {
    effects.unwrap_or_else(|problem| vec![Effect::Reply(call, Err(problem))])
}
