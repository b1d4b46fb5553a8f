//! A chat was made, changed or deleted, or what deleting it would lose was found out.

use serde_json::json;

use crate::domain::effect::Effect;
use crate::domain::notice::{Done, NotedNews};
use crate::domain::state::{Domain, Requester};
use crate::domain::team::dispatch;
use crate::domain::work::{ChatDone, ChatThen, ForeignResult};
use crate::domain::{chat, creation, duplicate, removal, reply, todo};
use crate::model::{Chat, ChatId, Losses, Problem};

pub fn done(
    state: &mut Domain,
    requester: Requester,
    then: ChatThen,
    done: ChatDone,
) -> Result<Vec<Effect>, ForeignResult> {
    Ok(match (then, done) {
        (ChatThen::SetUp(new), ChatDone::Loaded(loaded)) => {
            let id = loaded.id().clone();
            let mut effects = chat::loaded(state, *loaded);
            effects.extend(creation::set_up(state, &id, new, requester));
            effects
        }
        (ChatThen::BindNew(chat, new), ChatDone::Bound(_)) => creation::set_up(state, &chat, new, requester),
        (ChatThen::Dispatch(id), ChatDone::Loaded(loaded)) => dispatch::made(state, &id, *loaded),
        (ChatThen::GiveUp, ChatDone::Loaded(loaded)) => {
            let id = loaded.id().clone();
            let mut effects = chat::loaded(state, *loaded);
            effects.extend(chat::discard(state, &id));
            effects
        }
        (ChatThen::Changed | ChatThen::Named(_), ChatDone::Loaded(loaded)) => {
            reply::show(state, requester, Done::Changed(loaded.id().clone()));
            changed(state, requester, *loaded)
        }
        (ChatThen::LookKept, ChatDone::LookKept(look)) => {
            (state.disk.list, state.disk.list_problem) = (look, None);
            Vec::new()
        }
        // It was noted as it began.
        (ChatThen::TourSeen, ChatDone::TourSeen) | (ChatThen::LeftKept, ChatDone::LeftKept) => Vec::new(),
        (ChatThen::Forgotten, ChatDone::Forgotten) => Vec::new(),
        (ChatThen::Drafted, ChatDone::Loaded(loaded)) => {
            reply::show(state, requester, Done::Changed(loaded.id().clone()));
            chat::loaded(state, *loaded)
        }
        (ChatThen::Answer, ChatDone::Loaded(loaded)) => changed(state, requester, *loaded),
        (ChatThen::AnswerTodos, ChatDone::Loaded(loaded)) => todos(state, requester, *loaded),
        (ChatThen::TodosChanged, ChatDone::Loaded(loaded)) => {
            reply::show(state, requester, Done::Changed(loaded.id().clone()));
            todos(state, requester, *loaded)
        }
        (ChatThen::Demo(new), ChatDone::Sampled(path)) => creation::demo_on(state, &path, *new, requester),
        (ChatThen::StartDuplicate(env), ChatDone::Duplicated { chat, notes }) => {
            duplicate::made(state, *chat, notes, env, requester)
        }
        (ChatThen::Delete(chat), ChatDone::ReadyToTrash) => removal::end_and_trash(state, &chat, requester),
        (ChatThen::Answer | ChatThen::Delete(_), ChatDone::Removed(id, notes)) => {
            let known = state.disk.chats.get(&id);
            let name = known.map(|known| chat::label(state, known).to_string());
            let handle = known.map(|known| known.record.handle.clone());
            let mut effects = removed(state, &id, &notes);
            reply::show(state, requester, Done::Deleted(name.unwrap_or_default()));
            let answer = json!({"deleted": id, "handle": handle, "notes": notes});
            effects.extend(reply::answer(state, requester, Ok(answer)));
            effects
        }
        (ChatThen::Unmade(why), ChatDone::Removed(id, notes)) => {
            let mut effects = removed(state, &id, &notes);
            effects.extend(reply::answer(state, requester, Err(why)));
            effects
        }
        (ChatThen::ShowLosses(chat), ChatDone::Losses(found)) => {
            reply::show(state, requester, Done::Losses(chat, found));
            Vec::new()
        }
        (ChatThen::Recheck(chat), ChatDone::Losses(found)) => {
            reply::show(state, requester, Done::Rechecked(chat, found));
            Vec::new()
        }
        (ChatThen::Answer, ChatDone::Bound(bound)) => {
            if let Some(chat) = &bound {
                reply::show(state, requester, Done::Noted(NotedNews::Bound(chat.clone())));
            }
            let told = bound.map_or_else(|| json!({}), |chat| chat::json(state, &chat));
            reply::answer(state, requester, Ok(told))
        }
        (ChatThen::Refuse(chat), ChatDone::Losses(found)) => refuse(state, requester, &chat, found),
        (
            ChatThen::Answer
            | ChatThen::SetUp(_)
            | ChatThen::BindNew(..)
            | ChatThen::Dispatch(_)
            | ChatThen::GiveUp
            | ChatThen::Demo(_)
            | ChatThen::StartDuplicate(_)
            | ChatThen::Changed
            | ChatThen::Named(_)
            | ChatThen::LookKept
            | ChatThen::LeftKept
            | ChatThen::TourSeen
            | ChatThen::Forgotten
            | ChatThen::Drafted
            | ChatThen::AnswerTodos
            | ChatThen::TodosChanged
            | ChatThen::Delete(_)
            | ChatThen::Unmade(_)
            | ChatThen::ShowLosses(_)
            | ChatThen::Refuse(_)
            | ChatThen::Recheck(_),
            _,
        ) => return Err(ForeignResult),
    })
}

fn changed(state: &mut Domain, requester: Requester, loaded: Chat) -> Vec<Effect> {
    let id = loaded.id().clone();
    let mut effects = chat::loaded(state, loaded);
    let value = chat::json(state, &id);
    effects.extend(reply::answer(state, requester, Ok(value)));
    effects
}

fn todos(state: &mut Domain, requester: Requester, loaded: Chat) -> Vec<Effect> {
    let id = loaded.id().clone();
    let mut effects = chat::loaded(state, loaded);
    let value = todo::json(state, &id);
    effects.extend(reply::answer(state, requester, Ok(value)));
    effects
}

/// It is in the trash: what its archive script said is told on every screen.
fn removed(state: &mut Domain, id: &ChatId, notes: &[String]) -> Vec<Effect> {
    let effects = removal::removed(state, id);
    for note in notes {
        reply::tell_all(state, note);
    }
    effects
}

fn refuse(state: &mut Domain, requester: Requester, chat: &ChatId, found: Losses) -> Vec<Effect> {
    let doing = format!("deleting {}", chat::handle(state, chat));
    let lost = format!(
        "nothing was deleted: {}",
        found.sentence("it would go to the trash for 7 days")
    );
    let problem = Problem {
        lost: found.lost.into(),
        ..Problem::new(doing, lost, "say `--yes` to delete it")
    };
    reply::answer(state, requester, Err(problem))
}

pub fn failed(state: &mut Domain, requester: Requester, then: ChatThen, problem: Problem) -> Vec<Effect> {
    match then {
        ChatThen::Dispatch(chat) => dispatch::not_created(state, &chat, problem),
        ChatThen::BindNew(chat, _) => chat::not_set_up(state, &chat, problem, requester),
        ChatThen::Unmade(why) => reply::answer(state, requester, Err(why)),
        // Not knowing is no reason to refuse for ever, but it is said.
        ChatThen::ShowLosses(chat) => {
            reply::show(state, requester, Done::Losses(chat, Losses::unknown()));
            Vec::new()
        }
        ChatThen::Recheck(chat) => {
            reply::show(state, requester, Done::Rechecked(chat, Losses::unknown()));
            Vec::new()
        }
        ChatThen::GiveUp => Vec::new(),
        ChatThen::Named(chat) => reply::unless_going(state, &chat, requester, problem),
        ChatThen::Answer
        | ChatThen::LookKept
        | ChatThen::LeftKept
        | ChatThen::TourSeen
        | ChatThen::Forgotten
        | ChatThen::SetUp(_)
        | ChatThen::Demo(_)
        | ChatThen::StartDuplicate(_)
        | ChatThen::Changed
        | ChatThen::Drafted
        | ChatThen::AnswerTodos
        | ChatThen::TodosChanged
        | ChatThen::Delete(_)
        | ChatThen::Refuse(_) => reply::answer(state, requester, Err(problem)),
    }
}
