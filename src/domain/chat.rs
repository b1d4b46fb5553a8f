//! What is done with one chat, whatever its agent does: its transcript, its name, its record as it is on disk, and the work
//! that is handed out for it.

mod abandoned;
pub mod done;
pub mod naming;
pub mod preview;
mod shown;
pub mod work;

use serde_json::{Value, json};

use super::notice::Upward;
use crate::domain::work::{
    ChatThen, ChatWork, Choice, JournalThen, JournalWork, Read, ReadThen, ShownRead, TrashThen, TrashWork, WorkKind,
};
use crate::model::chat::ListMark;
use crate::model::chat_change::ChatChange;
use crate::model::text::{one_line, visible};
use crate::model::{
    Chat, ChatId, ClientId, DirectoryPlace, Happened, Mark, Problem, Project, Reported, Status, Timestamp, built_in,
    is_built_in,
};

use super::agent::state::COULD_NOT_START;
use super::effect::{Effect, PaneOrder};
use super::state::{Domain, Requester, ScreenRequest, Then, Waiting};
use super::{opening, reply};

pub use abandoned::{discard, give_up, not_set_up};
pub use shown::{as_run, blocked, declared, label, near};

/// What is said of a chat whose directory has vanished.
pub const GONE: &str = "directory gone";

/// The longest name of a chat, in characters.
pub const LONGEST_NAME: usize = 80;

/// What a chat runs where nobody says: what is set, else what its parent runs, else what there is in the environment.
pub fn usual_llm(state: &Domain, parent: Option<&ChatId>) -> Choice {
    let parent = parent.and_then(|parent| state.disk.chats.get(parent));
    let of_parent = || parent.map(|chat| chat.record.llm.clone()).filter(|llm| llm != "shell");
    match state.disk.settings.default_llm.clone().or_else(of_parent) {
        Some(llm) => Choice::Usual(llm),
        None => Choice::Installed,
    }
}

/// Whether an agent of that name can be started is found out at its start; that nobody has heard of it, at once.
pub fn unknown_llm(state: &Domain, llm: &str) -> Option<Problem> {
    let custom = &state.disk.settings.custom_llms;
    let known = is_built_in(llm) || custom.contains_key(llm);
    if known {
        return None;
    }
    let names: Vec<&str> = built_in::names()
        .into_iter()
        .chain(custom.keys().map(String::as_str))
        .collect();
    Some(Problem::missing(
        "making a chat",
        format!("there is no agent called {}", visible(llm)),
        format!(
            "choose one of {}, or add it to customLlms in config.json",
            names.join(", ")
        ),
    ))
}

pub fn rename(state: &mut Domain, chat: &ChatId, name: String, requester: Requester) -> Vec<Effect> {
    let name = one_line(&name, LONGEST_NAME);
    if name.is_empty() {
        let hint = "give it at least one visible character";
        return reply::answer(
            state,
            requester,
            Err(Problem::new("renaming the chat", "the name is empty", hint)),
        );
    }
    let job = ChatWork::Rename {
        chat: chat.clone(),
        name,
    };
    work(state, requester, ChatThen::Changed, job)
}

/// Where it stands in lists of chats.
pub fn mark(state: &mut Domain, chat: &ChatId, (mark, on): (ListMark, bool), requester: Requester) -> Vec<Effect> {
    let job = ChatWork::Mark {
        chat: chat.clone(),
        mark,
        on,
        at: state.now,
    };
    work(state, requester, ChatThen::Answer, job)
}

/// How its agent runs.
pub fn set(state: &mut Domain, chat: &ChatId, changes: Vec<ChatChange>, requester: Requester) -> Vec<Effect> {
    let job = ChatWork::Set {
        chat: chat.clone(),
        changes,
    };
    work(state, requester, ChatThen::Changed, job)
}

/// Moves a chat without a process to the trash, from where it can come back for seven days.
pub fn trash(state: &mut Domain, chat: &ChatId, requester: Requester) -> Vec<Effect> {
    let mut effects = vec![
        Effect::CancelFor(chat.clone()),
        Effect::Pane(chat.clone().into(), PaneOrder::Drop),
    ];
    effects.extend(work(
        state,
        requester,
        ChatThen::Delete(chat.clone()),
        ChatWork::Trash(chat.clone()),
    ));
    effects
}

pub fn restore(state: &mut Domain, name: Option<String>, requester: Requester) -> Vec<Effect> {
    work(state, requester, TrashThen::Restored, TrashWork::Restore(name))
}

/// What was deleted last, if that was after `since`.
pub fn restore_last(state: &mut Domain, since: Option<Timestamp>, requester: Requester) -> Vec<Effect> {
    work(state, requester, TrashThen::Restored, TrashWork::RestoreLast { since })
}

pub fn recreate(state: &mut Domain, chat: &ChatId, requester: Requester) -> Vec<Effect> {
    work(state, requester, ChatThen::Answer, ChatWork::Recreate(chat.clone()))
}

/// Finds out what deleting would lose.
pub fn losses(state: &mut Domain, chat: &ChatId, then: ChatThen, requester: Requester) -> Vec<Effect> {
    work(state, requester, then, ChatWork::Losses(chat.clone()))
}

/// Writes lines into a chat's transcript. A chat that is gone has none.
pub fn append(state: &mut Domain, chat: &ChatId, happened: Vec<Happened>) -> Vec<Effect> {
    let now = state.now;
    let happened = match state.live.agents.get_mut(chat) {
        Some(agent) => agent.reorder.behind(happened, now),
        None => happened,
    };
    append_told(state, chat, happened.into_iter().map(Reported::from).collect(), None)
}

/// Something was done in it of which its transcript tells nothing.
pub fn acted(state: &mut Domain, chat: &ChatId) {
    let now = state.now;
    state
        .disk
        .chats
        .change(chat, |known| known.updated = known.updated.max(now));
}

/// As [`append`], of what is in order already, up to a mark where it was read in a CLI's own transcript.
pub fn append_told(state: &mut Domain, chat: &ChatId, told: Vec<Reported>, read: Option<Mark>) -> Vec<Effect> {
    if !state.disk.chats.contains_key(chat) {
        return Vec::new();
    }
    if told.is_empty() {
        if let (Some(agent), Some(_)) = (state.live.agents.get_mut(chat), &read) {
            agent.reorder.unmarked = read;
        }
        return Vec::new();
    }
    append_then(state, chat, told, read, (Requester::Nobody, JournalThen::Nothing))
}

/// As [`append_told`], with what follows once it is safe.
pub fn append_then(
    state: &mut Domain,
    chat: &ChatId,
    told: Vec<Reported>,
    mut read: Option<Mark>,
    (requester, then): (Requester, JournalThen),
) -> Vec<Effect> {
    if let Some(agent) = state.live.agents.get_mut(chat) {
        agent.note_report(&told);
        read = agent.reorder.marked(&told, read);
    }
    work(state, requester, then, JournalWork::Append(chat.clone(), told, read))
}

/// Hands a job out and remembers what follows it.
pub fn work<W: WorkKind>(state: &mut Domain, requester: Requester, then: W::Then, job: W) -> Vec<Effect> {
    let (then, job) = (then.into(), job.into());
    let id = state.ids.work();
    state.live.waiting.insert(id, Waiting { requester, then });
    opening::begin(state, id, &job);
    vec![Effect::Work(id, job)]
}

/// Has something read for a tab or a dialog.
pub fn show(state: &mut Domain, request: impl Into<ScreenRequest>, read: ShownRead) -> Vec<Effect> {
    let then = ReadThen::Show(read.clone());
    work(state, Requester::Screen(request.into()), then, Read::Shown(read))
}

/// What this person's tabs and dialogs do not wait for any more is not read to its end.
pub fn cancel_shown(state: &Domain, client: ClientId, is_unwanted: impl Fn(&ShownRead) -> bool) -> Vec<Effect> {
    let waiting = state.live.waiting.iter();
    let unwanted = waiting.filter(|(_, waiting)| {
        let is_theirs = waiting.requester.is_at(client);
        is_theirs && matches!(&waiting.then, Then::Read(ReadThen::Show(read)) if is_unwanted(read))
    });
    unwanted.map(|(work, _)| Effect::Cancel(*work)).collect()
}

/// A chat as it now is on disk. Appends hand back entries, not chats, so what they said last is kept.
pub fn loaded(state: &mut Domain, chat: Chat) -> Vec<Effect> {
    let id = chat.id().clone();
    let was_gone = state
        .disk
        .chats
        .get(&id)
        .is_some_and(|known| known.place == DirectoryPlace::Gone);
    let is_back = was_gone && chat.place == DirectoryPlace::Here;
    let newer = state.disk.chats.get(&id).filter(|known| known.seq > chat.seq);
    let mut chat = chat;
    // What was read while it could be is more than what stands in for it; and what was read after a change of ours is newer
    // than what comes from before it, though that took longer.
    let is_better =
        |known: &&Chat| chat.unreadable.is_some() || known.changes > chat.changes && known.unreadable.is_none();
    if let Some(known) = state.disk.chats.get(&id).filter(is_better) {
        chat.record.clone_from(&known.record);
        chat.changes = known.changes;
    }
    if let Some(known) = newer {
        chat.seq = known.seq;
        chat.preview.clone_from(&known.preview);
    }
    if let Some(known) = state.disk.chats.get(&id) {
        chat.updated = chat.updated.max(known.updated);
    }
    let before = state.disk.chats.insert(id.clone(), chat);
    state.live.trashed += u64::from(before.is_none());
    let effects = match is_back {
        true => directory_is_back(state, &id),
        false => Vec::new(),
    };
    state.upward.push(Upward::Learned(id));
    effects
}

/// That its agent could not start without its directory is over. It is written down, so it is over for the next engine
/// too.
fn directory_is_back(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    if !matches!(state.status(chat), Status::Exited(why) if why.starts_with(COULD_NOT_START)) {
        return Vec::new();
    }
    let why = "its directory is back".to_string();
    let now = state.now;
    if let Some(agent) = state.live.agents.get_mut(chat) {
        let told = agent.end_as(why, now);
        state.upward.push(Upward::StatusChanged(chat.clone()));
        return append(state, chat, vec![told]);
    }
    let status = Status::Exited(why.clone());
    let happened = Happened::Status {
        status: status.word().into(),
        detail: status.detail().into(),
        cause: why,
    };
    state.disk.chats.change(chat, |known| known.ended = Some(status));
    append(state, chat, vec![happened])
}

/// What a chat is called on the shell; its id where it is not known.
pub fn handle(state: &Domain, chat: &ChatId) -> String {
    let known = state.disk.chats.get(chat);
    known.map_or_else(|| chat.to_string(), |c| c.record.handle.to_string())
}

/// An agent may live on though its directory vanished: the status says what it does, and this what is wrong.
fn detail(state: &Domain, chat: &Chat) -> String {
    let what = state.detail(chat.id());
    match chat.place {
        DirectoryPlace::Gone if what.is_empty() => GONE.into(),
        DirectoryPlace::Gone if state.status(chat.id()).is_live() => format!("{GONE}; {what}"),
        DirectoryPlace::Gone | DirectoryPlace::Here => what,
    }
}

/// What it has open, with the pull requests that are known.
fn projects(state: &Domain, chat: &Chat) -> Vec<Value> {
    let with_pull = |project: &Project| {
        let mut shown = json!(project);
        shown["pr"] = json!(state.live.branches.pulls.of(chat.id(), project));
        shown
    };
    chat.projects.iter().map(with_pull).collect()
}

/// How the last command line of a shell ended that tells it; nothing while one is at work.
fn exit_code(state: &Domain, chat: &ChatId) -> Option<i32> {
    let agent = state.live.agents.get(chat)?;
    let is_told = agent.shell.is_used && agent.verdict.status.is_idle();
    agent.shell.code.filter(|_| is_told).map(|(code, _)| code)
}

/// When something was done in it last. What runs began after that, where nothing was told of it since.
fn updated(state: &Domain, known: &Chat) -> Timestamp {
    let agent = state.live.agents.get(known.id());
    let running = agent.filter(|agent| matches!(agent.verdict.status, Status::Running(_)));
    running.map_or(known.updated, |agent| known.updated.max(agent.since))
}

/// A chat in the shape of the shell page.
pub fn json(state: &Domain, chat: &ChatId) -> Value {
    let Some(known) = state.disk.chats.get(chat) else {
        return json!({"id": chat});
    };
    let record = &known.record;
    let status = state.status(chat);
    json!({
        "id": record.id,
        "handle": record.handle,
        "name": record.name,
        "llm": record.llm,
        "role": record.role,
        "status": status.word(),
        "detail": near(state, chat, &detail(state, known)),
        "declared": declared(state, known),
        "damage": known.damage,
        "parent": record.parent,
        "parent_handle": record.parent.as_ref().map(|parent| handle(state, parent)),
        "schedule": record.schedule,
        "created": record.created,
        "updated": updated(state, known),
        "seq": known.seq,
        "number": state.live.looked_at.numbers.get(chat),
        "unseen": state.live.unseen.contains(chat),
        "model": record.set.model,
        "unasked": record.set.permissions.name(),
        "pinned": record.set.pinned,
        "archived": record.set.archived,
        "preview": known.preview,
        "exit_code": exit_code(state, chat),
        "opening": opening::words(state, chat),
        "projects": projects(state, known),
        "gone": known.gone_projects().map(|dir| &dir.name).collect::<Vec<_>>(),
        "dir": state.disk.home.join("chats").join(chat.as_str()),
    })
}
