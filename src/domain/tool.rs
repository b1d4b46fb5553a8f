//! What agents call over MCP: a table of contents, by topic.

use crate::model::atom::Who;
use crate::model::{CallId, ChatId, Problem, ToolCall};

use super::approval::{judging, local_call};
use super::effect::Effect;
use super::event::Caller;
use super::review::remark;
use super::state::{Domain, Requester};
use super::team::{self, atom, dispatch, history, inbox, wait, wait_for};
use super::{approval, project, schedule, todo};

/// A tool call of an agent. Its caller was told by its token.
pub fn update(state: &mut Domain, call: CallId, chat: &ChatId, tool: ToolCall) -> Vec<Effect> {
    let requester = Requester::Call(call);
    if !state.disk.chats.contains_key(chat) {
        let problem = Problem::missing(
            "calling a tool",
            "this chat is no more",
            "`parlour undo-rm` brings a deleted chat back",
        );
        return vec![Effect::Reply(call, Err(problem))];
    }
    match tool {
        ToolCall::Project(asked) => project::tool(state, chat, asked, requester),
        ToolCall::Team(asked) => or_refused(call, team::tool::call(state, chat, asked, call)),
        ToolCall::Inbox(asked) => or_refused(call, inbox::tool(state, chat, asked, call)),
        ToolCall::Work(ask) => atom::carry_out(state, chat, Who::Agent, ask, requester),
        ToolCall::Schedule(asked) => or_refused(call, schedule::tool(state, call, chat, asked)),
        ToolCall::Todo(asked) => todo::tool(state, chat, asked, requester),
        ToolCall::Remark(asked) => remark::tool(state, chat, asked, requester),
        ToolCall::History(asked) => or_refused(call, history::tool(state, chat, &asked, requester)),
        ToolCall::LocalCall(asked) => judging::local_call(state, chat, asked, call),
    }
}

/// Its caller was told that it takes longer, and is to call again.
pub fn unheard(state: &mut Domain, call: CallId) -> Vec<Effect> {
    dispatch::unheard(state, call);
    judging::caller(state, call, Caller::CallsAgain);
    local_call::unheard(state, call);
    wait_for::unheard(state, call)
}

/// Its caller is gone, or took it back; of a hook or a verb of the shell too.
pub fn abandoned(state: &mut Domain, call: CallId) -> Vec<Effect> {
    judging::caller(state, call, Caller::Gone);
    approval::abandoned(state, call);
    wait::abandoned(state, call);
    let mut effects = project::abandoned(state, call);
    effects.extend(local_call::abandoned(state, call));
    effects
}

fn or_refused(call: CallId, effects: Result<Vec<Effect>, Problem>) -> Vec<Effect> {
    effects.unwrap_or_else(|problem| vec![Effect::Reply(call, Err(problem))])
}
