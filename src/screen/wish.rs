//! What a person wants when they answer a dialog is carried out.

use crate::domain::agent::restart;
use crate::domain::creation;
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester, ScreenRequest, Waiting};
use crate::domain::team::{atom, stop_tree};
use crate::domain::work::{
    AgentThen, AgentWork, ChatThen, ReviewThen, ReviewWork, ServerThen, ServerWork, SettingThen, SettingTrial,
    SettingWork, ShownRead, TeamThen, TrashThen, TrashWork,
};
use crate::domain::{
    agent, approval, chat, duplicate, edit, keep, opening, project, removal, reply, review, schedule, script, storage,
    todo,
};
use crate::model::atom::Who;
use crate::model::pick::PickAct;
use crate::model::request::NewChat;
use crate::model::{ChatId, ClientId};

use super::dialog::{ComposeWish, DiskWish, Halted, OutputWish, Question, ScheduleWish, SettingWish, Wish};
use super::state::State;
use super::tab::changes::work::{change_remark, pick};
use super::view::Tone;
use super::{composer, mending, side, toast, used};

fn schedule(domain: &mut Domain, wish: ScheduleWish, requester: Requester) -> Vec<Effect> {
    let begun = match wish {
        ScheduleWish::Make(wanted) => {
            let person = schedule::ScheduleRequester::Person;
            schedule::make(domain, *wanted, person, requester)
        }
        ScheduleWish::Edit(id, wanted) => schedule::edit(domain, &id, *wanted, requester),
        ScheduleWish::Cancel(id) => return schedule::cancel(domain, &id, requester),
    };
    begun.unwrap_or_else(|problem| reply::answer(domain, requester, Err(problem)))
}

fn on_disk(domain: &mut Domain, wish: DiskWish, requester: Requester) -> Vec<Effect> {
    match wish {
        DiskWish::Restore(id) => chat::restore(domain, Some(id.to_string()), requester),
        DiskWish::Purge(id) => {
            let purge = TrashWork::Purge(Some(id.to_string()));
            chat::work(domain, requester, TrashThen::Purged, purge)
        }
        DiskWish::Change(work) => {
            let begun = storage::begin(domain, work, requester);
            begun.unwrap_or_else(|problem| reply::answer(domain, requester, Err(problem)))
        }
    }
}

fn compose(state: &mut State, client: ClientId, chat: &ChatId, wish: ComposeWish) -> Vec<Effect> {
    match wish {
        ComposeWish::Slash(choice) => composer::chosen(state, client, chat, choice),
        ComposeWish::Fill(name, arguments) => composer::fill(state, client, chat, (name, arguments)),
        ComposeWish::Propose(text) => {
            composer::propose(state, client, &text);
            Vec::new()
        }
        ComposeWish::Mend(mends) => mending::carry_out(state, client, chat, mends),
    }
}

fn setting(state: &mut State, wish: SettingWish, request: ScreenRequest) -> Vec<Effect> {
    let requester = Requester::Screen(request);
    let view = state.views.get(&request.client);
    let domain = &mut state.domain;
    let work = match wish {
        SettingWish::Edit(edits) => SettingWork::Edit(edits),
        SettingWish::Begin(path) => SettingWork::Begin(path),
        SettingWish::Policy(path, value) => SettingWork::Policy(path, value),
        SettingWish::OpenFile(path, line) => return side::open_settings(state, request.client, (&path, line)),
        SettingWish::Start(what, name, entry) => {
            let env = view.map(|view| view.client.env.clone()).unwrap_or_default();
            SettingWork::Try(Box::new(SettingTrial { what, name, entry, env }))
        }
        SettingWish::Try(typed) => {
            let chat = view.and_then(|view| view.chat.clone());
            return approval::trying::begin(domain, chat.as_ref(), &typed, requester);
        }
    };
    chat::work(domain, requester, SettingThen::Show, work)
}

/// What comes of it is told by `request`.
pub fn carry_out(state: &mut State, wish: Wish, request: ScreenRequest) -> Vec<Effect> {
    let requester = Requester::Screen(request);
    let env = state.views.get(&request.client).map(|view| view.client.env.clone());
    let domain = &mut state.domain;
    match wish {
        Wish::Know(question) => find_out(state, question, request),
        Wish::Create { new, trust } => create(state, new, trust, request),
        Wish::GiveUp(number) => chat::give_up(domain, request.numbered(number)),
        Wish::Open(id, open) => project::open(domain, &id, open, requester),
        Wish::GiveUpOpening(number, id) => opening::leave(domain, request.numbered(number), &id),
        Wish::Export(ask) => chat::show(domain, request, ShownRead::Export(Box::new(ask))),
        Wish::Rename(id, name) => chat::rename(domain, &id, name, requester),
        Wish::Set(id, changes) => chat::set(domain, &id, changes, requester),
        Wish::Halt(id, Halted::Turn) => agent::interrupt(domain, &id),
        Wish::Halt(id, Halted::Agent) => agent::stop(domain, &id, requester),
        Wish::Halt(id, Halted::Tree) => stop_tree::begin(domain, &id, requester),
        Wish::Halt(id, Halted::ForRestart) => restart::begin(domain, &id, env.unwrap_or_default(), requester),
        Wish::Halt(id, Halted::Beside(with)) => edit::end(domain, &id, with),
        Wish::Fork(id, at) => duplicate::begin(domain, (&id, at), None, env.unwrap_or_default(), requester),
        Wish::AskTools(chat) => {
            let ask = Some(env.unwrap_or_default());
            chat::work(domain, requester, ServerThen::Answer, ServerWork::List { chat, ask })
        }
        Wish::SwitchServer(chat, name, switch) => {
            let job = ServerWork::Switch { chat, name, switch };
            chat::work(domain, requester, ServerThen::Answer, job)
        }
        Wish::Setting(wish) => setting(state, wish, request),
        Wish::Run(id, proposal) => script::approve(domain, id, proposal, requester),
        Wish::Compose(id, wish) => compose(state, request.client, &id, wish),
        Wish::Output(OutputWish::Open(output)) => side::open_output(state, request, output),
        Wish::Output(OutputWish::Copy(text)) => vec![Effect::Clipboard(request.client, text)],
        Wish::Schedule(wish) => schedule(domain, wish, requester),
        Wish::Atom(id, change) => atom::change(domain, &id, Who::Person, change, requester, TeamThen::Saved),
        Wish::Revert(id, back) => {
            let begun = review::revert(domain, &id, back, env.unwrap_or_default(), requester);
            begun.unwrap_or_else(|problem| reply::answer(domain, requester, Err(problem)))
        }
        Wish::Remark(id, work) => change_remark(domain, id, work, requester),
        Wish::Todo(id, change) => {
            let changes = (vec![change], None);
            todo::change(domain, id, changes, ChatThen::TodosChanged, requester)
        }
        Wish::Keep(id, project, what) => {
            let asked = keep::ask(domain, id.as_str(), project, what, requester);
            asked.unwrap_or_else(|problem| reply::answer(domain, requester, Err(problem)))
        }
        Wish::Discard(id, picks) => pick(domain, id, PickAct::Discard, picks, requester),
        Wish::BringBack(id, picks) => {
            let begun = review::bring_back(domain, id, picks, requester);
            begun.unwrap_or_else(|problem| reply::answer(domain, requester, Err(problem)))
        }
        Wish::Delete(id) => {
            // Who agrees again does not want it back.
            if let Some(view) = state.views.get_mut(&request.client) {
                view.sidebar.deleted.late.retain(|late| *late != id);
                view.sidebar.note_seen(vec![id.clone()]);
            }
            chat::losses(domain, &id, ChatThen::Recheck(id.clone()), requester)
        }
        Wish::Trash(id) => {
            // Its agent ends first, and those that ended stand elsewhere: its row stays for so long.
            if let Some(view) = state.views.get_mut(&request.client) {
                view.sidebar.hold(domain.now);
                let deleted = &mut view.sidebar.deleted;
                if deleted.comes_back || !deleted.chats.contains(&id) {
                    deleted.alone();
                }
            }
            removal::delete(domain, &id, requester)
        }
        Wish::Disk(wish) => on_disk(domain, wish, requester),
        Wish::Each(wishes) => {
            if let Some(view) = state.views.get_mut(&request.client) {
                view.sidebar.marked.clear();
                let deleted = wishes.iter().filter_map(|wish| {
                    let Wish::Trash(chat) = wish else {
                        return None;
                    };
                    Some(chat.clone())
                });
                let deleted: Vec<_> = deleted.collect();
                view.sidebar.note_seen(deleted.clone());
                view.sidebar.deleted.begin(deleted);
            }
            let each = |wish| carry_out(state, wish, request);
            wishes.into_iter().flat_map(each).collect()
        }
        Wish::AllowAlways(chat, id, rule) => {
            let asked = approval::always::allow(domain, &chat, &id, Some(rule), requester);
            asked.unwrap_or_else(|problem| reply::answer(domain, requester, Err(problem)))
        }
        Wish::Decide(chat, id, decision, reason) => {
            let asker = (requester, |_| serde_json::Value::Null);
            let decided = approval::decide(domain, &chat, &id, decision, &reason, asker);
            decided.unwrap_or_else(|problem| {
                toast::tell(state, request.client, problem.to_string(), Tone::Failed);
                Vec::new()
            })
        }
    }
}

fn find_out(state: &mut State, question: Question, request: ScreenRequest) -> Vec<Effect> {
    let requester = Requester::Screen(request);
    let env = state.views.get(&request.client).map(|view| view.client.env.clone());
    let domain = &mut state.domain;
    match question {
        Question::Losses(chat) => chat::losses(domain, &chat, ChatThen::ShowLosses(chat.clone()), requester),
        Question::Shown(read) => {
            // What was typed before is of no use any more.
            let of_kind = read.replaced();
            let mut effects = chat::cancel_shown(domain, request.client, |older| {
                of_kind.is_some() && older.replaced() == of_kind
            });
            effects.extend(chat::show(domain, request, read));
            effects
        }
        Question::Servers(chat) => {
            let job = ServerWork::List { chat, ask: None };
            chat::work(domain, requester, ServerThen::Answer, job)
        }
        Question::Trash => chat::work(domain, requester, TrashThen::Show, TrashWork::List { below: None }),
        Question::Storage(work) => on_disk(domain, DiskWish::Change(work), requester),
        Question::Rules(chat, id) => {
            let asked = approval::always::suggest(domain, &chat, &id, requester);
            asked.unwrap_or_else(|problem| reply::answer(domain, requester, Err(problem)))
        }
        Question::KeepDraft(chat) => keep::draft(domain, chat, requester),
        Question::Plan(chat, back) => {
            let then = ReviewThen::ShowPlan(chat.clone());
            let env = env.unwrap_or_default();
            chat::work(domain, requester, then, ReviewWork::Plan { chat, back, env })
        }
    }
}

fn create(state: &mut State, new: NewChat, trust: Option<String>, request: ScreenRequest) -> Vec<Effect> {
    let mut effects = Vec::new();
    if let Some(llm) = trust {
        let work = state.domain.ids.work();
        let waiting = Waiting {
            requester: Requester::screen(request.client),
            then: AgentThen::Nothing.into(),
        };
        state.domain.live.waiting.insert(work, waiting);
        let env = new.env.clone();
        effects.push(Effect::Work(work, AgentWork::Trust { llm, env }.into()));
    }
    // That of another chat above it, or of a role, was not chosen.
    let is_chosen = new.handed.is_none() && new.role.is_none();
    let llm = new.llm.clone().filter(|_| is_chosen);
    effects.extend(creation::create(&mut state.domain, new, Requester::Screen(request)));
    effects.extend(llm.iter().flat_map(|llm| used::note(state, llm)));
    effects
}
