//! A server of a chat switched on or off, by a person.

use crate::agents;
use crate::domain::event::Outcome;
use crate::domain::work::ServerDone;
use crate::model::request::Switch;
use crate::model::server_entry::{ServerEntry, Whence};
use crate::model::text::visible;
use crate::model::{Chat, ChatId, Problem, Record, ResultExt};

use super::super::services::Services;
use super::loading::loading;
use super::servers;

/// What becomes of the record.
type SwitchChange = Box<dyn FnOnce(&mut Record)>;

pub fn switch(services: &Services, id: &ChatId, name: &str, to: &Switch) -> Result<Outcome, Problem> {
    let chat = services.home.load(id).map_err(|error| loading(id, error))?;
    let listed = servers::all(services, &chat);
    let which = choose(&chat, &listed, name, to)?;
    let problem = |cause: String, hint: String| Problem::new(format!("switching {}", visible(name)), cause, hint);
    let takes = agents::find(&chat.record.llm, &services.settings()).is_some_and(|adapter| adapter.takes_servers());
    if *to != Switch::Off && !takes && which.source != Whence::Tool {
        let cause = format!("parlour writes no servers for {}", chat.record.llm);
        return Err(problem(cause, "write it into the settings of that CLI yourself".into()));
    }
    let change: SwitchChange = match which.source {
        Whence::Parlour => {
            let hint = format!(
                "its tools are switched one by one: `parlour servers {} off parlour/dispatch`",
                chat.record.handle
            );
            return Err(problem("parlour's own server is in every chat".into(), hint));
        }
        Whence::Own => {
            let cause = format!(
                "it stands in {} of the chat's directory, which is not parlour's",
                which.from
            );
            return Err(problem(
                cause,
                format!("change it in {}", services.home.chat_path(id).display()),
            ));
        }
        Whence::Config | Whence::Tool => {
            let (name, off) = (which.name.clone(), *to == Switch::Off);
            Box::new(move |record| {
                record.disabled_servers.retain(|known| *known != name);
                if off {
                    record.disabled_servers.push(name);
                }
            })
        }
        Whence::Clone => of_clone(&chat, which, to, problem)?,
    };
    let changed = services
        .home
        .change(id, change)
        .doing(format!("switching {}", visible(name)))?;
    if which.source == Whence::Tool {
        services.offer_tools(&changed);
        let around = services.surroundings(&changed.record.llm);
        if let Err(error) = services.home.write_agents_md(id, &around) {
            tracing::warn!("{id}: AGENTS.md still tells of the tools as they were: {error}");
        }
    }
    Ok(Outcome::Server(ServerDone::Listed {
        chat: id.clone(),
        servers: servers::all(services, &changed),
        changed: Some(Box::new(changed)),
    }))
}

/// The one that is meant. A name that several have stands for the one it can be said of.
fn choose<'l>(chat: &Chat, listed: &'l [ServerEntry], name: &str, to: &Switch) -> Result<&'l ServerEntry, Problem> {
    let called: Vec<&ServerEntry> = listed.iter().filter(|one| one.is_called(name)).collect();
    let by_definition = |one: &&&ServerEntry| match (to, &one.offer) {
        (Switch::Agreed(text), Some(offer)) => offer.definition == *text,
        (Switch::Off | Switch::On | Switch::Agreed(_), _) => one.on == (*to == Switch::Off),
    };
    let fitting: Vec<&&ServerEntry> = called.iter().filter(by_definition).collect();
    match (&called[..], &fitting[..]) {
        ([one], _) => Ok(one),
        (_, [one]) => Ok(one),
        ([], _) => Err(Problem::missing(
            format!("switching {}", visible(name)),
            "the chat has no such MCP server",
            format!("`parlour servers {}` lists them", chat.record.handle),
        )),
        (many, _) => {
            let names: Vec<String> = many.iter().map(|one| visible(&one.full_name())).collect();
            Err(Problem::new(
                format!("switching {}", visible(name)),
                format!("{} servers are called that", many.len()),
                format!("say which: {}", names.join(", ")),
            ))
        }
    }
}

/// It is used where a person agreed to exactly what stands there now.
fn of_clone(
    chat: &Chat,
    which: &ServerEntry,
    to: &Switch,
    problem: impl Fn(String, String) -> Problem,
) -> Result<SwitchChange, Problem> {
    let there = servers::brought(chat);
    let is_meant = |definition: &str| {
        let found = there
            .iter()
            .find(|(one, _)| one.name == which.name && one.file == which.from && one.definition == definition);
        found.map(|(brought, clone)| (brought.clone(), clone.clone()))
    };
    let name = which.name.clone();
    let file = which.from.clone();
    match to {
        Switch::Off => Ok(Box::new(move |record| {
            record
                .set
                .agreed_servers
                .retain(|one| one.name != name || one.file != file);
        })),
        Switch::On => {
            let runs = which
                .offer
                .as_ref()
                .map_or(String::new(), |offer| offer.runs.join(", "));
            let cause = format!("{} brings it along, and it {runs}", which.from);
            Err(problem(cause, "say `--yes` to agree to exactly that".into()))
        }
        Switch::Agreed(definition) => {
            let Some((brought, clone)) = is_meant(definition) else {
                let cause = format!("{} does not say any more what you agreed to", which.from);
                return Err(problem(cause, "look at it again".into()));
            };
            if let Err(why) = brought.server(&clone) {
                return Err(problem(why, format!("correct it in {}", which.from)));
            }
            Ok(Box::new(move |record| {
                record.set.agreed_servers.retain(|one| one.name != name);
                record.set.agreed_servers.push(brought);
            }))
        }
    }
}
