//! What a person wants when they answer a dialog, as plain data, and how it begins.

use crate::domain::agent::restart;
use crate::domain::creation;
use crate::domain::effect::Effect;
use crate::domain::state::{Requester, Then, Waiting};
use crate::domain::team::{atom, stop_tree};
use crate::domain::work::{AgentWork, RemarkWork, TrashThen, TrashWork, Work};
use crate::domain::{agent, chat, edit, project, reply, review, schedule, script};
use crate::model::atom::{AtomChange, Who};
use crate::model::open_dir::OpenDir;
use crate::model::pick::{Pick, PickAct};
use crate::model::request::{self, Switch};
use crate::model::review::Back;
use crate::model::schedule::Wanted;
use crate::model::script::Proposal;
use crate::model::{ChatId, ClientId, ScheduleId};
use crate::screen::State;

use super::super::changes;
use super::servers;

#[derive(Clone, Debug, PartialEq)]
pub enum Wish {
    /// A new chat; first, with consent, trust for parlour's chats in that CLI's own settings.
    Create {
        new: request::NewChat,
        trust: Option<String>,
    },
    Open(ChatId, OpenDir),
    Rename(ChatId, String),
    Stop(ChatId),
    /// With all below it.
    StopTree(ChatId),
    Restart(ChatId),
    Delete(ChatId),
    /// Out of the trash: back among the chats, or gone for good.
    Restore(ChatId),
    Purge(ChatId),
    MakeSchedule(Box<Wanted>),
    EditSchedule(ScheduleId, Box<Wanted>),
    CancelSchedule(ScheduleId),
    /// Each server that is on is asked for its tools.
    AskTools(ChatId),
    SwitchServer(ChatId, String, Switch),
    /// A command that a repository brings is agreed to, and run.
    Run(ChatId, Proposal),
    EndEditor(ChatId),
    /// The clones of a chat go back.
    Revert(ChatId, Back),
    /// A remark is made or changed.
    Remark(ChatId, RemarkWork),
    /// Of the chat whose changes are shown.
    Discard(Vec<Pick>),
    /// A person changes the work graph of a chat's tree.
    Atom(ChatId, AtomChange),
}

impl Wish {
    pub fn carry_out(self, state: &mut State, client: ClientId) -> Vec<Effect> {
        let requester = Requester::screen(client);
        match self {
            Wish::Create { new, trust } => {
                let mut effects = Vec::new();
                if let Some(llm) = trust {
                    let work = state.domain.ids.work();
                    state.domain.live.waiting.insert(
                        work,
                        Waiting {
                            requester,
                            then: Then::Nothing,
                        },
                    );
                    effects.push(Effect::Work(
                        work,
                        Work::Agent(AgentWork::Trust {
                            llm,
                            env: new.env.clone(),
                        }),
                    ));
                }
                effects.extend(creation::create(&mut state.domain, new, requester));
                effects
            }
            Wish::Open(id, open) => project::open(&mut state.domain, &id, open, requester),
            Wish::Rename(id, name) => chat::rename(&mut state.domain, &id, name, requester),
            Wish::Stop(id) => agent::stop(&mut state.domain, &id, requester),
            Wish::StopTree(id) => stop_tree::begin(&mut state.domain, &id, requester),
            Wish::Restart(id) => {
                let env = state.views.get(&client).map(|view| view.env.clone());
                restart::begin(&mut state.domain, &id, env.unwrap_or_default(), requester)
            }
            Wish::AskTools(id) => servers::ask_tools(state, client, id),
            Wish::Run(id, proposal) => script::approve(&mut state.domain, id, proposal, requester),
            Wish::EndEditor(id) => edit::end(&mut state.domain, &id),
            Wish::SwitchServer(id, name, to) => servers::switch(state, client, id, (name, to)),
            Wish::MakeSchedule(wanted) => {
                let made = schedule::make(
                    &mut state.domain,
                    *wanted,
                    schedule::ScheduleRequester::Person,
                    requester,
                );
                made.unwrap_or_else(|problem| reply::answer(&mut state.domain, requester, Err(problem)))
            }
            Wish::EditSchedule(id, wanted) => {
                let edited = schedule::edit(&mut state.domain, &id, *wanted, requester);
                edited.unwrap_or_else(|problem| reply::answer(&mut state.domain, requester, Err(problem)))
            }
            Wish::CancelSchedule(id) => schedule::cancel(&mut state.domain, &id, requester),
            Wish::Atom(id, change) => {
                let then = Then::AtomSaved;
                atom::change(&mut state.domain, &id, Who::Person, change, requester, then)
            }
            Wish::Remark(id, work) => changes::remarking::change(state, client, id, work),
            Wish::Discard(picks) => {
                let discard = |pick| changes::staging::carry_out(state, client, PickAct::Discard, pick);
                picks.into_iter().flat_map(discard).collect()
            }
            Wish::Revert(id, back) => {
                let env = state.views.get(&client).map(|view| view.env.clone());
                review::revert(&mut state.domain, &id, back, env.unwrap_or_default(), requester)
            }
            Wish::Delete(id) => {
                let then = Then::Recheck(id.clone());
                chat::losses(&mut state.domain, &id, then, requester)
            }
            Wish::Restore(id) => chat::restore(&mut state.domain, Some(id.to_string()), requester),
            Wish::Purge(id) => {
                let job = TrashWork::Purge(Some(id.to_string()));
                chat::work(&mut state.domain, requester, TrashThen::Purged, job)
            }
        }
    }
}
