//! What an agent may read of the chats around its own: of those below it, and of its parent. Any other is answered as if
//! it were not there.

use serde_json::{Value, json};

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{Read, ReadThen};
use crate::model::request::By;
use crate::model::text::visible;
use crate::model::{CallId, ChatId, Problem, ProblemKind, chat_name};

use super::state::Telling;
use super::tree;

/// Bytes of a last answer; what comes before is left out.
pub const MOST_WORDS: usize = 16 << 10;

/// The most lines of a parent's output.
const MOST_LINES: usize = 500;

pub fn status(state: &mut Domain, caller: &ChatId, named: &str, call: CallId) -> Result<Vec<Effect>, Problem> {
    let chat = find(state, &around(state, caller), named, "asking for a status", AROUND)?;
    let job = Read::LastWords(chat.clone(), None);
    Ok(chat::work(
        state,
        Requester::Call(call),
        ReadThen::Words(Telling::Status(chat)),
        job,
    ))
}

pub fn children(state: &Domain, caller: &ChatId, named: Option<&str>, call: CallId) -> Result<Vec<Effect>, Problem> {
    let chat = match named {
        Some(named) => find(state, &beneath(state, caller), named, "listing children", BENEATH)?,
        None => caller.clone(),
    };
    let children: Vec<Value> = tree::children(state, &chat).map(|child| short(state, child)).collect();
    Ok(vec![Effect::Reply(call, Ok(json!({"children": children})))])
}

pub fn parent_output(state: &mut Domain, caller: &ChatId, lines: usize, call: CallId) -> Result<Vec<Effect>, Problem> {
    let parent = tree::parent(state, caller, "reading the parent's output")?;
    let lines = lines.clamp(1, MOST_LINES);
    let job = Read::LastWords(parent.clone(), Some(lines));
    let then = ReadThen::Words(Telling::Parent(parent, lines));
    Ok(chat::work(state, Requester::Call(call), then, job))
}

/// The words were found, or there are none and the screen is asked.
pub fn words(state: &mut Domain, telling: Telling, words: &str, requester: Requester) -> Vec<Effect> {
    let text = words.trim_end();
    if text.is_empty() {
        let (Telling::Status(chat) | Telling::Parent(chat, _)) = &telling;
        let job = Read::Screen {
            chat: chat.clone(),
            ansi: false,
            scrollback: 0,
        };
        return chat::work(state, requester, ReadThen::Screen(telling), job);
    }
    told(state, telling, text, requester)
}

/// The screen was read: with it the answer is complete.
pub fn screen(state: &mut Domain, telling: Telling, screen: &str, requester: Requester) -> Vec<Effect> {
    let lines: Vec<&str> = screen.lines().map(str::trim_end).collect();
    let end = lines
        .iter()
        .rposition(|line| !line.is_empty())
        .map_or(0, |last| last + 1);
    told(state, telling, &lines[..end].join("\n"), requester)
}

fn told(state: &Domain, telling: Telling, text: &str, requester: Requester) -> Vec<Effect> {
    let Requester::Call(call) = requester else {
        return Vec::new();
    };
    let answer = match telling {
        Telling::Status(chat) => {
            let mut answer = short(state, &chat);
            answer["output"] = json!(text);
            answer
        }
        Telling::Parent(_, most) => {
            let lines: Vec<&str> = text.lines().collect();
            json!({"text": lines[lines.len().saturating_sub(most)..].join("\n")})
        }
    };
    vec![Effect::Reply(call, Ok(answer))]
}

/// A chat as another agent sees it.
pub fn short(state: &Domain, chat: &ChatId) -> Value {
    let known = state.disk.chats.get(chat);
    let status = state.status(chat);
    json!({
        "chatId": chat,
        "handle": chat::handle(state, chat),
        "name": known.map(|known| &known.record.name),
        "status": status.word(),
        "detail": state.detail(chat),
        "declared": known.and_then(|known| known.declared.as_ref()),
    })
}

/// Who is meant by [`around`], and by [`beneath`].
pub const AROUND: &str = "your parent, the chats below yours and the runs of your schedules";
pub const BENEATH: &str = "the chats below yours";

/// The caller itself, the chats below it, its parent, and the runs of its tree's schedules.
pub fn around(state: &Domain, caller: &ChatId) -> Vec<ChatId> {
    let mut around = beneath(state, caller);
    around.extend(tree::runs(state, caller));
    around.extend(tree::parent(state, caller, "looking around").ok());
    around
}

/// The chats that whoever asks may read; `None` where that is all of them.
pub fn read_by(state: &Domain, by: &By) -> Option<Vec<ChatId>> {
    match by {
        By::Person => None,
        By::Chat(caller) => Some(around(state, caller)),
    }
}

/// Those that it may change.
pub fn changed_by(state: &Domain, by: &By) -> Option<Vec<ChatId>> {
    match by {
        By::Person => None,
        By::Chat(caller) => Some(beneath(state, caller)),
    }
}

/// The caller itself and the chats below it.
pub fn beneath(state: &Domain, caller: &ChatId) -> Vec<ChatId> {
    let mut beneath = tree::below(state, caller);
    beneath.push(caller.clone());
    beneath
}

/// Looks among these chats alone, so that what is refused is the same whether there is another one of that name or not.
pub fn find(state: &Domain, around: &[ChatId], named: &str, doing: &str, who: &str) -> Result<ChatId, Problem> {
    // A session is the chat's id with the number of its run.
    let bare = named.split_once('.').map_or(named, |(chat, _)| chat).trim();
    let known = around.iter().filter_map(|chat| state.disk.chats.get(chat));
    let found = chat_name::find_unnumbered(known.clone(), named.trim());
    let found = found.or_else(|_| chat_name::find_unnumbered(known, bare));
    found
        .map(|chat| chat.id().clone())
        .map_err(|unclear| match unclear.kind {
            ProblemKind::Missing => {
                let cause = format!("there is no {} among {who}", visible(named));
                Problem::missing(doing, cause, "`list_children` names those below")
            }
            ProblemKind::User | ProblemKind::Limit | ProblemKind::Busy | ProblemKind::Fault => unclear,
        })
}
