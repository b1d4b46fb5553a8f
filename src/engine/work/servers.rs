//! Which MCP servers a chat has: parlour's own, a person's, and those of its clones that a person agreed to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::runtime::Handle;

use crate::agents::{self, Adapter, Env};
use crate::domain::event::Outcome;
use crate::domain::work::{ReadDone, ServerDone};
use crate::fs::Dir;
use crate::mcp;
use crate::model::server_entry::{Offer, ServerEntry, Tools, Whence};
use crate::model::{Chat, ChatId, Kind, Problem, ProjectServer, Server, Settings, server};

use super::super::services::Services;
use super::context::WorkContext;
use super::loading::loading;
use super::server_login;

const NOT_AGREED: &str = "not agreed to";
const LEFT_OUT: &str = "left out of this chat";

pub fn explain(services: &Services, id: &ChatId, mut told: Value) -> ReadDone {
    add_explained(services, id, &mut told);
    ReadDone::Reported(told)
}

/// Adds them to what is explained of a chat already. A chat that cannot be read is explained without.
pub fn add_explained(services: &Services, id: &ChatId, told: &mut Value) {
    if let Ok(chat) = services.home.load(id) {
        let mut servers = all(services, &chat);
        servers.retain(|one| !one.goes_without_saying());
        told["servers"] = json!(servers);
        let settings = services.settings();
        let adapter = agents::find(&chat.record.llm, &settings);
        told["rules_lost"] = json!(adapter.map_or(Vec::new(), |adapter| adapter.rules_lost(&settings.permissions)));
    }
}

/// The servers of a chat. With an environment each that is on is asked for its tools, all of them at once.
pub fn list(context: &WorkContext, id: &ChatId, ask: Option<&Env>) -> Result<Outcome, Problem> {
    let services = &*context.services;
    let chat = services.home.load(id).map_err(|error| loading(id, error))?;
    let mut servers = all(services, &chat);
    if let Some(env) = ask {
        ask_all(context, &chat, &mut servers, env);
    }
    Ok(Outcome::Server(ServerDone::Listed {
        chat: id.clone(),
        changed: None,
        servers,
    }))
}

/// Only servers that the agent gets too: what is off is never started.
fn ask_all(context: &WorkContext, chat: &Chat, servers: &mut [ServerEntry], env: &Env) {
    let (services, cancel) = (&*context.services, &context.cancel);
    let (settings, _) = settings_for(services, chat);
    let of_chat: BTreeMap<&str, &Server> = chat.record.servers(&settings).collect();
    let dir = services.home.chat_path(chat.id());
    let env = &agents::scrubbed(env);
    let asking = servers.iter_mut().filter(|listed| listed.on).filter_map(|listed| {
        let server = match listed.source {
            Whence::Config | Whence::Clone => of_chat.get(listed.name.as_str())?,
            Whence::Parlour | Whence::Tool | Whence::Own => return None,
        };
        let dir = &dir;
        Some(async move {
            listed.tools = match mcp::tools_of(server, dir, env).await {
                Ok(tools) => Tools::Known(tools),
                Err(why) => Tools::Failed(server_login::told(why, &listed.name, Some(&chat.record.llm))),
            };
        })
    });
    let asking = futures::future::join_all(asking);
    Handle::current().block_on(async {
        tokio::select! {
            _ = asking => {}
            () = cancel.cancelled() => {}
        }
    });
}

/// The settings as they hold for this chat: with what its role says of permissions, and with the servers of its clones
/// that a person agreed to. One that has changed since is left out, and that is said.
pub fn settings_for(services: &Services, chat: &Chat) -> (Arc<Settings>, Vec<Problem>) {
    let settings = services.settings();
    if chat.record.set.agreed_servers.is_empty() && chat.role.is_none() {
        return (settings, Vec::new());
    }
    let (mut with, mut problems) = ((*settings).clone(), Vec::new());
    if let Some(role) = &chat.role {
        with.permissions = with.permissions.with(&role.permissions);
    }
    let there = brought(chat);
    for agreed in &chat.record.set.agreed_servers {
        match usable(agreed, &there, &settings) {
            Ok(server) => drop(with.global_mcp_servers.insert(agreed.name.clone(), server)),
            Err(why) => problems.push(left_out(chat, agreed, why)),
        }
    }
    (Arc::new(with), problems)
}

fn usable(agreed: &ProjectServer, there: &[(ProjectServer, PathBuf)], settings: &Settings) -> Result<Server, String> {
    let (_, clone) = there
        .iter()
        .find(|(brought, _)| brought == agreed)
        .ok_or("it is not what you agreed to any more")?;
    match settings.global_mcp_servers.contains_key(&agreed.name) {
        true => Err("config.json has a server of this name".into()),
        false => agreed.server(clone),
    }
}

fn left_out(chat: &Chat, agreed: &ProjectServer, why: String) -> Problem {
    let doing = format!("adding the server {} of {}", agreed.name, agreed.file);
    Problem::new(doing, why, format!("`parlour servers {}` shows it", chat.record.handle))
}

/// All servers that concern a chat, on or off.
pub fn all(services: &Services, chat: &Chat) -> Vec<ServerEntry> {
    let settings = services.settings();
    let adapter = agents::find(&chat.record.llm, &settings);
    let takes = adapter.as_ref().is_some_and(|adapter| adapter.takes_servers());
    let no_place = (!takes).then(|| format!("parlour writes no servers for {}", chat.record.llm));
    let own_tools = services.surroundings(&chat.record.llm).tools;
    let mut listed = vec![ServerEntry {
        name: server::OURS.into(),
        source: Whence::Parlour,
        from: "parlour".into(),
        on: true,
        transport: "http".into(),
        place: services.mcp_url.clone(),
        because: None,
        tools: Tools::Known(
            own_tools
                .iter()
                .filter(|tool| chat.record.has_tool(tool))
                .cloned()
                .collect(),
        ),
        offer: None,
    }];
    for (name, server) in &settings.global_mcp_servers {
        let (transport, place) = server.told();
        let left_out = chat.record.disabled_servers.contains(name);
        let off = left_out.then(|| LEFT_OUT.to_string()).or(no_place.clone());
        listed.push(ServerEntry {
            name: name.clone(),
            source: Whence::Config,
            from: "config.json".into(),
            on: off.is_none(),
            transport: transport.into(),
            place,
            because: off,
            tools: Tools::Unknown,
            offer: None,
        });
    }
    listed.extend(own(services, chat, adapter.as_deref()));
    for (brought, clone) in brought(chat) {
        let off = why_off(chat, &brought, &clone, &settings).or(no_place.clone());
        listed.push(ServerEntry {
            name: brought.name.clone(),
            source: Whence::Clone,
            from: brought.file.clone(),
            on: off.is_none(),
            because: off,
            tools: Tools::Unknown,
            offer: Some(Offer::of(&brought)),
            ..told(&brought)
        });
    }
    let needed = own_tools.iter().filter(|tool| chat.record.needs_tool(tool));
    listed.extend(needed.map(|tool| own_tool(chat, tool)));
    listed
}

/// One of parlour's own tools, which is switched by itself.
fn own_tool(chat: &Chat, tool: &str) -> ServerEntry {
    let on = chat.record.has_tool(tool);
    ServerEntry {
        name: server::own_tool(tool),
        source: Whence::Tool,
        from: server::OURS.into(),
        on,
        transport: "".into(),
        place: String::new(),
        because: (!on).then(|| LEFT_OUT.into()),
        tools: Tools::Known(Vec::new()),
        offer: None,
    }
}

fn why_off(chat: &Chat, brought: &ProjectServer, clone: &Path, settings: &Settings) -> Option<String> {
    if !chat.record.set.agreed_servers.contains(brought) {
        let before = |agreed: &&ProjectServer| agreed.name == brought.name && agreed.file == brought.file;
        return Some(match chat.record.set.agreed_servers.iter().find(before) {
            Some(_) => "changed since you agreed to it".into(),
            None => NOT_AGREED.into(),
        });
    }
    let there = [(brought.clone(), clone.to_path_buf())];
    usable(brought, &there, settings).err()
}

/// What is left to say of a clone's server by its definition.
fn told(brought: &ProjectServer) -> ServerEntry {
    let (transport, place) = brought.parsed().map_or(("", String::new()), |server| server.told());
    ServerEntry {
        name: String::new(),
        source: Whence::Clone,
        from: String::new(),
        on: false,
        transport: transport.into(),
        place,
        because: None,
        tools: Tools::Unknown,
        offer: None,
    }
}

/// Entries in the file of the chat's agent CLI that are not parlour's.
fn own(services: &Services, chat: &Chat, adapter: Option<&dyn Adapter>) -> Vec<ServerEntry> {
    let open = || {
        let file = adapter?.servers_file()?;
        let dir = services.home.chat_dir(chat.id()).ok()?;
        let record = services.home.record_dir(chat.id()).ok()?;
        Some(agents::own_servers(&dir, &record, file))
    };
    let listed = |found: agents::FoundServer| ServerEntry {
        name: found.name,
        source: Whence::Own,
        from: found.file.into(),
        on: true,
        transport: found.transport.into(),
        place: found.place,
        because: None,
        tools: Tools::Unknown,
        offer: None,
    };
    open().unwrap_or_default().into_iter().map(listed).collect()
}

/// What the clones of a chat bring along, each with its clone. What several files of one clone name alike is one.
pub fn brought(chat: &Chat) -> Vec<(ProjectServer, PathBuf)> {
    let mut all: Vec<(ProjectServer, PathBuf)> = Vec::new();
    for project in chat.projects.iter().filter(|project| project.kind == Kind::Git) {
        let Ok(dir) = Dir::open(&project.path) else {
            continue;
        };
        let opened = chat.record.dirs.iter().find(|dir| dir.name == project.name);
        let origin = opened.map(|dir| dir.identity().to_string());
        for found in agents::found_servers(&dir) {
            let new = ProjectServer {
                name: found.name,
                project: project.name.clone(),
                origin: origin.clone().unwrap_or_default(),
                file: format!("projects/{}/{}", project.name, found.file),
                definition: found.definition,
            };
            let parsed = new.parsed();
            let alike = |(old, _): &(ProjectServer, PathBuf)| {
                old.name == new.name && old.project == new.project && parsed.is_ok() && old.parsed() == parsed
            };
            if !all.iter().any(alike) {
                all.push((new, project.path.clone()));
            }
        }
    }
    all
}
