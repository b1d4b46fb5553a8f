//! The work graph of a tree: who asks for what of it, what is answered, and what becomes of an owner's work.
//!
//! It lies with the tree's root, and every chat of the tree works on it. Changes are made by a worker that reads the
//! files first, so two who claim at once are answered one after the other.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{TeamThen, TeamWork};
use crate::model::atom::{Atom, AtomAsk, AtomChange, AtomKey, AtomRequester, Graph, ListAtoms, NewAtoms, Release, Who};
use crate::model::text::{one_line, visible};
use crate::model::{CallId, Chat, ChatId, Handle, Problem};

use super::state::GraphAnswer;
use super::tree;

/// A shell verb. The agent of `sender` works on its own tree, and as itself.
pub fn asked(
    state: &mut Domain,
    call: CallId,
    name: Option<String>,
    sender: Option<ChatId>,
    ask: AtomAsk,
) -> Result<Vec<Effect>, Problem> {
    let named = name.map(|name| state.named_by(sender.is_some(), &name)).transpose()?;
    let doing = "working on a work graph";
    let (chat, who) = match (sender, named) {
        (Some(sender), named) => {
            let chat = named.as_ref().unwrap_or(&sender);
            if tree::root(state, &sender) != tree::root(state, chat) {
                let cause = format!("{} is of another tree", chat::handle(state, chat));
                return Err(Problem::new(
                    doing,
                    cause,
                    "an agent works on the graph of its own tree",
                ));
            }
            (sender, Who::Agent)
        }
        (None, Some(chat)) => (chat, Who::Person),
        (None, None) => match ask {
            AtomAsk::List(ListAtoms { molecule, ready_only }) => {
                let value = all(state, molecule.as_deref(), ready_only)?;
                return Ok(vec![Effect::Reply(call, Ok(value))]);
            }
            AtomAsk::Change(_) => return Err(Problem::new(doing, "no chat is named", "say for which chat")),
        },
    };
    Ok(carry_out(state, &chat, who, ask, Requester::Call(call)))
}

/// An agent, or a person for the sake of a chat, asks for something.
pub fn carry_out(state: &mut Domain, chat: &ChatId, who: Who, ask: AtomAsk, requester: Requester) -> Vec<Effect> {
    match ask {
        AtomAsk::List(ListAtoms { molecule, ready_only }) => {
            let root = tree::root(state, chat).clone();
            let wanted = GraphAnswer::List { molecule, ready_only };
            chat::work(state, requester, TeamThen::Answer(wanted), TeamWork::ReadAtoms(root))
        }
        AtomAsk::Change(wanted) => {
            let answer = match &wanted {
                AtomChange::Add(NewAtoms { molecule, atoms }) => {
                    let keys = atoms.iter().map(|atom| AtomKey::new(molecule, &atom.id));
                    GraphAnswer::Added(keys.collect())
                }
                AtomChange::Claim(key) | AtomChange::Update(key, _) => GraphAnswer::One(key.clone()),
            };
            change(state, chat, who, wanted, requester, TeamThen::Answer(answer))
        }
    }
}

pub fn change(
    state: &mut Domain,
    chat: &ChatId,
    who: Who,
    change: AtomChange,
    requester: Requester,
    then: TeamThen,
) -> Vec<Effect> {
    let root = tree::root(state, chat).clone();
    let by = AtomRequester {
        who,
        chat: chat.clone(),
        tree: tree::members(state, &root),
        below: tree::below(state, chat).into_iter().collect::<BTreeSet<_>>(),
    };
    let by = Box::new(by);
    chat::work(state, requester, then, TeamWork::Atoms { root, change, by })
}

/// The agent of a chat has ended, and not only to rest: what it had in progress is free again. An end of the engine is
/// no such end, since its agents are resumed.
pub fn owner_ended(state: &mut Domain, owner: &ChatId, why: &str) -> Vec<Effect> {
    let Some(chat) = state.disk.chats.get(owner) else {
        return Vec::new();
    };
    let handles: Vec<Handle> = chat.record.handles().cloned().collect();
    let root = tree::root(state, owner).clone();
    let held = graph(state, &root).is_some_and(|graph| !graph.held_by(owner, &handles).is_empty());
    if !held {
        return Vec::new();
    }
    let release = Release {
        owner: owner.clone(),
        handles,
        why: one_line(why, 200),
    };
    chat::work(
        state,
        Requester::Nobody,
        TeamThen::Nothing,
        TeamWork::FreeAtoms(root, release),
    )
}

/// Somebody else made a graph: it is watched from now on, and read once more for what was written before.
pub fn appeared(state: &mut Domain, chat: &Chat) -> Vec<Effect> {
    let known = state.disk.chats.get(chat.id()).is_some_and(|chat| chat.work.is_some());
    match chat.work.is_some() && !known {
        true => chat::work(
            state,
            Requester::Nobody,
            TeamThen::Nothing,
            TeamWork::ReadAtoms(chat.id().clone()),
        ),
        false => Vec::new(),
    }
}

/// The graph that a chat works on.
pub fn graph<'a>(state: &'a Domain, chat: &'a ChatId) -> Option<&'a Graph> {
    state.disk.chats.get(tree::root(state, chat))?.work.as_ref()
}

/// Whose an atom is, as a person reads it: the chat's handle, or that nobody of the tree is meant.
pub fn owner(state: &Domain, root: &ChatId, atom: &Atom) -> Option<String> {
    let named = atom.owner.as_deref()?;
    let by_name = || {
        state
            .disk
            .chats
            .values()
            .find(|chat| chat.record.handles().any(|handle| handle.as_str() == named))
    };
    let chat = ChatId::parse(named)
        .and_then(|id| state.disk.chats.get(&id))
        .or_else(by_name);
    let of_tree = chat.filter(|chat| tree::root(state, chat.id()) == root);
    Some(match of_tree {
        Some(chat) => chat.record.handle.to_string(),
        None => format!("unknown ({})", one_line(named, 40)),
    })
}

/// The answer to a question that is done, from the graph as it was loaded then.
pub fn answer(state: &Domain, root: &ChatId, wanted: &GraphAnswer) -> Result<Value, Problem> {
    let none = Graph::default();
    let graph = graph(state, root).unwrap_or(&none);
    Ok(match wanted {
        GraphAnswer::List { molecule, ready_only } => {
            is_there([graph], molecule.as_deref())?;
            let (atoms, odd) = list(state, root, molecule.as_deref(), *ready_only);
            json!({"atoms": atoms, "unreadable": odd})
        }
        GraphAnswer::Added(keys) => {
            let added: Vec<String> = keys.iter().map(AtomKey::to_string).collect();
            json!({"added": added})
        }
        GraphAnswer::One(key) => graph
            .get(key)
            .map_or(Value::Null, |atom| one(state, root, graph, key, atom)),
    })
}

/// A plan that has molecules, but not the one that is named, says which there are: it is no empty plan.
fn is_there<'a>(graphs: impl IntoIterator<Item = &'a Graph>, molecule: Option<&str>) -> Result<(), Problem> {
    const NAMED: usize = 20;
    let molecules = graphs.into_iter().flat_map(|graph| &graph.molecules);
    let names: BTreeSet<&str> = molecules.map(|molecule| molecule.name.as_str()).collect();
    match molecule.filter(|wanted| !names.is_empty() && !names.contains(wanted)) {
        None => Ok(()),
        Some(wanted) => {
            let names: Vec<&str> = names.into_iter().take(NAMED).collect();
            let cause = format!("there is no molecule {}", visible(wanted));
            let hint = format!("there are {}", visible(&names.join(", ")));
            Err(Problem::missing("listing atoms", cause, hint))
        }
    }
}

/// The graphs of all trees.
fn all(state: &Domain, molecule: Option<&str>, ready_only: bool) -> Result<Value, Problem> {
    is_there(
        state.disk.chats.values().filter_map(|chat| chat.work.as_ref()),
        molecule,
    )?;
    let (mut atoms, mut odd) = (Vec::new(), Vec::new());
    let roots = state.disk.chats.keys().filter(|chat| tree::root(state, chat) == *chat);
    for root in roots {
        let (more, unreadable) = list(state, root, molecule, ready_only);
        atoms.extend(more);
        odd.extend(unreadable);
    }
    Ok(json!({"atoms": atoms, "unreadable": odd}))
}

fn list(state: &Domain, root: &ChatId, molecule: Option<&str>, ready_only: bool) -> (Vec<Value>, Vec<String>) {
    let none = Graph::default();
    let graph = graph(state, root).unwrap_or(&none);
    let is_meant = |name: &str| molecule.is_none_or(|wanted| wanted == name);
    let wanted = graph
        .atoms()
        .filter(|(key, _)| is_meant(&key.molecule) && (!ready_only || graph.is_ready(key)));
    let atoms = wanted.map(|(key, atom)| one(state, root, graph, &key, atom));
    let odd = graph.odd().into_iter().filter(|(name, _)| is_meant(name));
    let odd = odd.map(|(name, why)| format!("molecules/{}.json: {why}", visible(&name)));
    (atoms.collect(), odd.collect())
}

fn one(state: &Domain, root: &ChatId, graph: &Graph, key: &AtomKey, atom: &Atom) -> Value {
    json!({
        "tree": chat::handle(state, root),
        "molecule": key.molecule,
        "id": key.id,
        "title": atom.title,
        "detail": atom.detail,
        "status": atom.status,
        "needs": atom.needs,
        "waits_for": graph.waits_for(key),
        "ready": graph.is_ready(key),
        "owner": owner(state, root, atom),
        "context": atom.context,
        "note": atom.note,
        "since": atom.since,
    })
}
