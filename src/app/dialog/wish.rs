//! What a person wants when they answer a dialog, as plain data, and how it begins.

use crate::model::request;
use crate::model::tool::OpenDir;
use crate::model::{ChatId, ClientId};

use super::super::effect::{Effect, Job};
use super::super::state::{Asker, State, Then, Waiting};
use super::super::{agent, chat, project, restart};

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
    Restart(ChatId),
    Delete(ChatId),
}

impl Wish {
    pub fn carry_out(self, state: &mut State, client: ClientId) -> Vec<Effect> {
        let asker = Asker::Screen(client);
        match self {
            Wish::Create { new, trust } => {
                let mut effects = Vec::new();
                if let Some(llm) = trust {
                    let work = state.ids.work();
                    state.live.waiting.insert(
                        work,
                        Waiting {
                            asker,
                            then: Then::Nothing,
                        },
                    );
                    effects.push(Effect::Work(
                        work,
                        Job::Trust {
                            llm,
                            env: new.env.clone(),
                        },
                    ));
                }
                effects.extend(chat::create(state, new, asker));
                effects
            }
            Wish::Open(id, open) => project::open(state, &id, open, asker),
            Wish::Rename(id, name) => chat::rename(state, &id, name, asker),
            Wish::Stop(id) => agent::stop(state, &id, asker),
            Wish::Restart(id) => {
                let env = state.views.get(&client).map(|view| view.env.clone());
                restart::begin(state, &id, env.unwrap_or_default(), asker)
            }
            Wish::Delete(id) => {
                if let Some(view) = state.views.get_mut(&client) {
                    view.deleted.retain(|deleted| *deleted != id);
                    view.deleted.push(id.clone());
                }
                chat::delete(state, &id, asker)
            }
        }
    }
}
