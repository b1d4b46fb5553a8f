//! Questions from the shell, one arm a verb.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::team::limits;
use super::{creation, removal};
use crate::domain::work::{
    ChatThen, EntriesShown, Read, ReadThen, ReviewThen, ReviewWork, ServerThen, ServerWork, SettingThen, SettingWork,
    TrashThen, TrashWork, WantedQuestions,
};
use crate::model::chat::Pending;
use crate::model::chat_name::AnswersTo;
use crate::model::output::OpenedWith;
use crate::model::queue::PromptKind;
use crate::model::request::{
    ApprovalRequest, By, ChatRequest, ChatsRequest, EngineRequest, NewChat, ProjectRequest, Request, ServerRequest,
    Switch, TrashRequest,
};
use crate::model::text::visible;
use crate::model::{CallId, Chat, ChatId, Problem};
use crate::term::paste;

use super::agent::state::outbox::QueuedPrompt;
use super::agent::{FIRST_SIZE, acknowledgement, compaction, delivery, delivery_receipt, explain, queue, restart};
use super::approval::question::Decision;
use super::effect::Effect;
use super::state::{Domain, Requester};
use super::team::{atom, family, inbox, reach, stop_tree, tree, wait};
use super::written_prompt::WrittenPrompt;
use super::{
    agent, approval, chat, duplicate, edit, for_model, keep, project, query, review, schedule, script, storage, todo,
    usage,
};

pub fn update(state: &mut Domain, call: CallId, by: &By, request: Request) -> Vec<Effect> {
    let asked = reach::within(state, by, request).and_then(|request| verb(state, call, by, request));
    match asked {
        Ok(effects) => effects,
        Err(problem) => vec![Effect::Reply(call, Err(problem))],
    }
}

fn verb(state: &mut Domain, call: CallId, by: &By, request: Request) -> Result<Vec<Effect>, Problem> {
    match request {
        // The engine's door makes a client event of it, and it never comes here.
        Request::Attach(_) => Ok(Vec::new()),
        Request::Engine(ask) => engine_verb(state, call, ask),
        Request::Chats(ask) => chats_verb(state, call, ask),
        Request::Project(ask) => project_verb(state, call, ask),
        Request::Chat(ask) => chat_verb(state, call, ask),
        Request::Server(ask) => server_verb(state, call, ask),
        Request::Trash(ask) => trash_verb(state, call, by, ask),
        Request::Storage(ask) => storage::ask(state, call, ask),
        Request::Approval(ask) => approval_verb(state, call, by, ask),
        Request::Query(ask) => query::ask(state, call, ask),
        Request::Work { chat, sender, ask } => atom::asked(state, call, chat, sender, ask),
        Request::Schedule { ask, env, sender } => schedule::ask(state, call, ask, env, sender.as_ref()),
        Request::Review { chat, ask } => review::ask(state, &chat, ask, Requester::Call(call)),
        Request::Keep { chat, project, ask } => keep::ask(state, &chat, project, ask, Requester::Call(call)),
        Request::Usage { chat, by } => usage::report::ask(state, call, by, chat.as_deref()),
        Request::Radar { chat } => keep::radar::ask(state, chat.as_deref(), Requester::Call(call)),
    }
}

fn engine_verb(state: &mut Domain, call: CallId, ask: EngineRequest) -> Result<Vec<Effect>, Problem> {
    match ask {
        // The door answers it.
        EngineRequest::Ping => answer_now(call, json!({})),
        EngineRequest::Status => {
            let then = ReviewThen::AnswerStatus(status(state));
            let chats = state.disk.chats.keys().cloned().collect();
            Ok(chat::work(state, Requester::Call(call), then, ReviewWork::Costs(chats)))
        }
        EngineRequest::Settings => {
            let requester = Requester::Call(call);
            Ok(chat::work(state, requester, SettingThen::Answer, SettingWork::Read))
        }
        EngineRequest::KillEngine => Ok(vec![Effect::Reply(call, Ok(json!({}))), Effect::Shutdown]),
        // The door makes a hook event of it, and it never comes here.
        EngineRequest::Hook { .. } => Ok(Vec::new()),
    }
}

fn chats_verb(state: &mut Domain, call: CallId, ask: ChatsRequest) -> Result<Vec<Effect>, Problem> {
    let requester = Requester::Call(call);
    match ask {
        // `json!` would copy all of it.
        ChatsRequest::List => answer_now(call, Value::from_iter([("chats", list(state))])),
        ChatsRequest::New(new) => made(state, new, requester),
        ChatsRequest::Demo(new) => Ok(creation::demo(state, new, requester)),
        ChatsRequest::DemoTeam(new) => Ok(creation::demo_team(state, new, requester)),
        ChatsRequest::ResumeAll { env } => Ok(restart::resume_all(state, &env, requester)),
    }
}

fn project_verb(state: &mut Domain, call: CallId, ask: ProjectRequest) -> Result<Vec<Effect>, Problem> {
    let requester = Requester::Call(call);
    match ask {
        ProjectRequest::OpenDir { chat, open } => {
            let chat = state.find(&chat)?;
            Ok(project::open(state, &chat, open, requester))
        }
        ProjectRequest::Script { chat, ask } => script::ask(state, &chat, ask, requester),
        ProjectRequest::Edit { chat, dir, env } => edits(state, &chat, (dir, env), requester),
    }
}

fn chat_verb(state: &mut Domain, call: CallId, ask: ChatRequest) -> Result<Vec<Effect>, Problem> {
    let requester = Requester::Call(call);
    match ask {
        ChatRequest::Send {
            chat,
            text,
            follow_up,
            env,
            sender,
            id,
            wait,
        } => {
            let chat = state.named_by(sender.is_some(), &chat)?;
            let mut prompt = prompt(state, &chat, (text, follow_up), sender.as_ref())?;
            prompt.key = delivery_receipt::key(id)?;
            let mut queued_prompt = QueuedPrompt::new(prompt, Some(call));
            queued_prompt.receipt.patient = wait;
            Ok(send(state, chat, queued_prompt, env, call))
        }
        ChatRequest::Compact { chat, words, env } => compact(state, call, &chat, (&words, env)),
        ChatRequest::Wait { chat, until } => {
            let chat = state.find(&chat)?;
            Ok(wait::begin(state, call, chat, until))
        }
        ChatRequest::Screen { chat, ansi, scrollback } => {
            let chat = state.find(&chat)?;
            let job = Read::Screen { chat, ansi, scrollback };
            Ok(chat::work(state, requester, ReadThen::Answer, job))
        }
        ChatRequest::Events {
            chat,
            after,
            follow,
            all,
        } => {
            let chat = state.find(&chat)?;
            Ok(events(state, call, chat, EventsWanted { after, follow, all }))
        }
        ChatRequest::Explain { chat } => {
            let chat = state.find(&chat)?;
            let told = explain::json(state, &chat);
            let read = Read::Servers { chat, told };
            Ok(chat::work(state, requester, ReadThen::Answer, read))
        }
        ChatRequest::Stop { chat, tree } => {
            let chat = state.find(&chat)?;
            Ok(match tree {
                true => stop_tree::begin(state, &chat, requester),
                false => agent::stop(state, &chat, requester),
            })
        }
        ChatRequest::Resume { chat, env } => {
            let chat = state.find(&chat)?;
            Ok(agent::resume(state, &chat, env, requester))
        }
        ChatRequest::Restart { chat, env } => {
            let chat = state.find(&chat)?;
            Ok(restart::begin(state, &chat, env, requester))
        }
        ChatRequest::Rename { chat, name } => {
            let chat = state.find(&chat)?;
            Ok(chat::rename(state, &chat, name, requester))
        }
        ChatRequest::Set { chat, changes } => {
            let chat = state.find(&chat)?;
            Ok(chat::set(state, &chat, changes, requester))
        }
        ChatRequest::Mark { chat, mark, on } => {
            let chat = state.find_listed(&chat)?;
            Ok(chat::mark(state, &chat, (mark, on), requester))
        }
        ChatRequest::Duplicate { chat, name, at, env } => {
            let chat = state.find(&chat)?;
            Ok(duplicate::begin(state, (&chat, at), name, env, requester))
        }
        ChatRequest::Queue { chat, ask } => {
            let chat = state.find(&chat)?;
            queue::ask(state, &chat, ask, requester)
        }
        ChatRequest::Template { chat, ask, person } => {
            let chat = state.find(&chat)?;
            for_model::template(state, chat, ask, person, requester)
        }
        ChatRequest::Todos { chat, changes, first } => {
            let (chat, wanted) = (state.find(&chat)?, (changes, first));
            Ok(todo::change(state, chat, wanted, ChatThen::AnswerTodos, requester))
        }
        ChatRequest::Log { chat, lines } => {
            let chat = state.find(&chat)?;
            let read = Read::Log { chat, lines };
            Ok(chat::work(state, requester, ReadThen::Answer, read))
        }
    }
}

fn server_verb(state: &mut Domain, call: CallId, ask: ServerRequest) -> Result<Vec<Effect>, Problem> {
    let requester = Requester::Call(call);
    match ask {
        ServerRequest::List { chat, tools, env } => {
            let (chat, ask) = (state.find(&chat)?, tools.then_some(env));
            let job = ServerWork::List { chat, ask };
            Ok(chat::work(state, requester, ServerThen::Answer, job))
        }
        ServerRequest::Switch { chat, name, switch } => switch_server(state, call, &chat, name, switch),
    }
}

fn trash_verb(state: &mut Domain, call: CallId, by: &By, ask: TrashRequest) -> Result<Vec<Effect>, Problem> {
    let requester = Requester::Call(call);
    match ask {
        TrashRequest::Rm { chat, yes } => remove(state, &chat, yes, requester),
        TrashRequest::UndoRm { chat } => Ok(chat::restore(state, Some(chat), requester)),
        TrashRequest::List => {
            let below = family::changed_by(state, by);
            Ok(chat::work(state, requester, TrashThen::List, TrashWork::List { below }))
        }
        TrashRequest::Purge { chat, yes } => Ok(purge(state, chat, yes, requester)),
    }
}

fn approval_verb(state: &mut Domain, call: CallId, by: &By, ask: ApprovalRequest) -> Result<Vec<Effect>, Problem> {
    match ask {
        ApprovalRequest::List => {
            let wanted = WantedQuestions::All(family::read_by(state, by));
            approval::listing::tell(state, wanted, Requester::Call(call))
        }
        ApprovalRequest::Meant { request } => {
            approval::listing::tell(state, WantedQuestions::Meant(request), Requester::Call(call))
        }
        ApprovalRequest::Approve { request } => approval::decide_named(state, &request, Decision::Allow, "", call),
        ApprovalRequest::Deny { request, reason } => {
            approval::decide_named(state, &request, Decision::Deny, &reason, call)
        }
        ApprovalRequest::Always { request, rule } => {
            let (chat, id) = approval::named(state, &request)?;
            approval::always::allow(state, &chat, &id, rule, Requester::Call(call))
        }
        ApprovalRequest::Rules { request } => {
            let (chat, id) = approval::named(state, &request)?;
            approval::always::suggest(state, &chat, &id, Requester::Call(call))
        }
    }
}

fn answer_now(call: CallId, value: Value) -> Result<Vec<Effect>, Problem> {
    Ok(vec![Effect::Reply(call, Ok(value))])
}

fn edits(
    state: &mut Domain,
    chat: &str,
    (dir, env): (Option<String>, BTreeMap<String, String>),
    requester: Requester,
) -> Result<Vec<Effect>, Problem> {
    let chat = state.find(chat)?;
    let size = FIRST_SIZE;
    Ok(edit::open(
        state,
        &chat,
        edit::WantedEditor {
            with: OpenedWith::Editor,
            dir,
            file: None,
            leader: None,
            prompt: None,
            env,
            size,
        },
        requester,
    ))
}

fn made(state: &mut Domain, mut new: NewChat, requester: Requester) -> Result<Vec<Effect>, Problem> {
    // Which chat a directory has is a person's to say.
    new.bind.take_if(|_| new.sender.is_some());
    delivery::fits(new.prompt.as_deref().unwrap_or_default())?;
    if new.prompt.as_deref().is_some_and(acknowledgement::is_blank) {
        let hint = "leave it out for an agent that waits for one";
        return Err(Problem::new("making a chat", "its prompt is empty", hint));
    }
    new.prompt_id = delivery_receipt::key(new.prompt_id)?;
    let new = limits::placed(state, new)?;
    Ok(creation::create(state, new, requester))
}

/// Without a yes it is only said what would be lost.
fn remove(state: &mut Domain, name: &str, yes: bool, requester: Requester) -> Result<Vec<Effect>, Problem> {
    let chat = state.find(name)?;
    let handle = chat::handle(state, &chat);
    let is_only_begun = |chat: &Chat| AnswersTo::from(chat).is_only_begun(name);
    let like_it = match state.named(name) {
        // Once it is deleted, its number may be another chat's.
        Err(_) => Some("has that number"),
        Ok(found) => {
            let found = state.disk.chats.get(&found);
            found.is_some_and(is_only_begun).then_some("begins like it")
        }
    };
    if let Some(like_it) = like_it {
        let cause = format!("no chat is called that; {handle} {like_it}");
        let hint = format!("`parlour rm {handle}` deletes that one");
        return Err(Problem::new(format!("deleting {}", visible(name)), cause, hint));
    }
    Ok(match yes {
        true => removal::delete(state, &chat, requester),
        false => chat::losses(state, &chat, ChatThen::Refuse(chat.clone()), requester),
    })
}

/// Without a yes it is only said what would be lost.
fn purge(state: &mut Domain, chat: Option<String>, yes: bool, requester: Requester) -> Vec<Effect> {
    match yes {
        true => chat::work(state, requester, TrashThen::Purged, TrashWork::Purge(chat)),
        false => chat::work(
            state,
            requester,
            TrashThen::Refuse(chat.clone()),
            TrashWork::Losses(chat),
        ),
    }
}

fn switch_server(
    state: &mut Domain,
    call: CallId,
    chat: &str,
    name: String,
    switch: Switch,
) -> Result<Vec<Effect>, Problem> {
    let chat = state.find(chat)?;
    let job = ServerWork::Switch { chat, name, switch };
    Ok(chat::work(state, Requester::Call(call), ServerThen::Answer, job))
}

/// A prompt for a chat, from whoever sends it.
fn prompt(
    state: &Domain,
    chat: &ChatId,
    (text, follow_up): (String, bool),
    sender: Option<&ChatId>,
) -> Result<Pending, Problem> {
    delivery::fits(&text)?;
    let text = paste::of_prompt(&text);
    if acknowledgement::is_blank(&text) {
        let hint = "say what the agent is to do: `parlour send CHAT TEXT`";
        return Err(Problem::new("sending a prompt", "it is empty", hint));
    }
    Ok(Pending {
        sender: sender.cloned(),
        follow_up,
        ..Pending::new(text, tree::origin(state, sender, chat)?, state.now)
    })
}

/// A command of its CLI's is sent as a prompt is.
fn compact(
    state: &mut Domain,
    call: CallId,
    chat: &str,
    (words, env): (&str, BTreeMap<String, String>),
) -> Result<Vec<Effect>, Problem> {
    let chat = state.find(chat)?;
    let text = compaction::command(state, &chat, words)?;
    let prompt = Pending {
        command: true,
        ..prompt(state, &chat, (text, true), None)?
    };
    Ok(send(state, chat, QueuedPrompt::new(prompt, Some(call)), env, call))
}

/// Sends what parlour has put together for a person, as that person's prompt.
pub fn send_text(
    state: &mut Domain,
    chat: &ChatId,
    text: String,
    env: BTreeMap<String, String>,
    requester: Requester,
) -> Result<Vec<Effect>, Problem> {
    for_model::is_read_by(state, chat, "sending it")?;
    let prompt = prompt(state, chat, (text, false), None)?;
    Ok(match requester {
        Requester::Call(call) => send(state, chat.clone(), QueuedPrompt::new(prompt, Some(call)), env, call),
        Requester::Screen(_) | Requester::Launch(_) | Requester::Nobody => {
            agent::send_to_any(state, chat, QueuedPrompt::new(prompt, None), env)
        }
    })
}

/// Sends it as `parlour send` would. The person hears of it once it is stored, by `requester`.
pub fn send_written(
    state: &mut Domain,
    chat: &ChatId,
    written: WrittenPrompt,
    requester: Requester,
) -> Result<Vec<Effect>, Problem> {
    let follow_up = written.kind == PromptKind::FollowUp || written.not_before.is_some();
    let mut prompt = prompt(state, chat, (written.text, follow_up), None)?;
    prompt.command = written.is_command;
    prompt.not_before = written.not_before;
    let behind = written.taken_back.map(|taken_back| taken_back.goes_on_as(&mut prompt));
    let behind = behind.unwrap_or_default();
    match inbox::is_its_only_way(state, chat) {
        true => Ok(inbox::post_written(state, chat, prompt, written.env, requester)),
        false => agent::send_written(state, chat, (prompt, behind), written.env, requester),
    }
}

/// An agent's goes by the inbox, and so does what cannot be typed.
fn send(
    state: &mut Domain,
    chat: ChatId,
    queued_prompt: QueuedPrompt,
    env: BTreeMap<String, String>,
    call: CallId,
) -> Vec<Effect> {
    match queued_prompt.prompt.sender.is_some() || inbox::is_its_only_way(state, &chat) {
        true => inbox::post_prompt(state, chat, queued_prompt, env, call),
        false => agent::send_to_any(state, &chat, queued_prompt, env),
    }
}

struct EventsWanted {
    /// Those behind this one.
    after: u64,
    /// All that comes, too.
    follow: bool,
    /// What going back hid, too.
    all: bool,
}

fn events(state: &mut Domain, call: CallId, chat: ChatId, wanted: EventsWanted) -> Vec<Effect> {
    let then = match wanted.follow {
        true => ReadThen::Follow(chat.clone(), 0),
        false => ReadThen::Answer,
    };
    let all = match wanted.all {
        true => EntriesShown::All,
        false => EntriesShown::NotHidden,
    };
    let after = wanted.after;
    let read = Read::Entries { chat, after, all, call };
    chat::work(state, Requester::Call(call), then, read)
}

/// Every chat, the one that was busy last first.
fn list(state: &Domain) -> Vec<Value> {
    let mut chats: Vec<_> = state.disk.chats.values().collect();
    chats.sort_by_key(|c| (std::cmp::Reverse(c.updated), c.id()));
    chats.into_iter().map(|c| chat::json(state, c.id())).collect()
}

fn status(state: &Domain) -> Value {
    let facts = &state.live.facts;
    let live = state.live.live_agents();
    let agents: Vec<Value> = live
        .map(|(chat, agent)| {
            json!({
                "chat": chat::handle(state, chat),
                "chatId": chat,
                "handle": chat::handle(state, chat),
                "pid": agent.pid(),
                "llm": state.disk.chats.get(chat).map(|c| &c.record.llm),
                "status": state.status(chat).word(),
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
        "unwritten": state.disk.write_trouble.banner(),
    })
}
