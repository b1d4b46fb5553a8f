//! What is set for the chat that is shown: each with where it comes from and when a change of it acts. What Enter changes is
//! numbered from top to bottom; [`super::setting`] does it.

use crate::domain::usage;
use crate::model::area::AreaMode;
use crate::model::settings::{Confinement, PermissionSettings};
use crate::model::tool::{Equipped, tools};
use crate::model::{Chat, Kind, Sandbox, server};
use crate::screen::State;

use super::super::tab::transcript::flow::{flow, shown};
use super::super::tab::transcript::row::{Piece, TextInk, TextRow};
use super::super::view::View;
use super::super::wrap::width;
use super::data::PageRow;

/// Columns of names.
const NAME: usize = 12;
/// When a change acts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Acts {
    AtOnce,
    NextStart,
}

impl Acts {
    fn words(self) -> &'static str {
        match self {
            Acts::AtOnce => "at once",
            Acts::NextStart => "next start",
        }
    }
}

/// From where rules come.
const CONFIG: &str = "config.json";

/// What Enter changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ChatSetting {
    Model,
    Permissions,
    /// A server of the settings, or a tool of parlour's own, that is on or off.
    Switch {
        name: String,
        on: bool,
    },
    /// Servers of its clones: what they run is to be read first.
    Servers,
    /// The directory of this name, with the mode that it has.
    Directory(String, AreaMode),
    /// Another directory is opened.
    Open,
    /// Settings for all chats that have to do with these words.
    Everywhere(&'static str),
}

impl ChatSetting {
    pub fn acts(&self) -> Acts {
        match self {
            // A call of what is off is refused, whatever its agent was told that there is.
            ChatSetting::Switch { name, on: true } if server::is_own_tool(name) => Acts::AtOnce,
            ChatSetting::Model | ChatSetting::Switch { .. } | ChatSetting::Servers => Acts::NextStart,
            ChatSetting::Everywhere("sandbox") => Acts::NextStart,
            ChatSetting::Permissions | ChatSetting::Directory(..) | ChatSetting::Open | ChatSetting::Everywhere(_) => {
                Acts::AtOnce
            }
        }
    }

    /// What Enter does with it, in a word or two.
    pub fn hint(&self) -> &'static str {
        match self {
            ChatSetting::Model | ChatSetting::Permissions => "change",
            ChatSetting::Switch { on: true, .. } => "off",
            ChatSetting::Switch { on: false, .. } => "on",
            ChatSetting::Servers => "servers",
            ChatSetting::Directory(_, AreaMode::Rw) => "read only",
            ChatSetting::Directory(_, AreaMode::Ro) => "read and write",
            ChatSetting::Open => "open",
            ChatSetting::Everywhere(_) => "settings",
        }
    }
}

/// All rows, and what can be changed there.
pub(super) struct ChatSettingRows {
    wide: usize,
    pub rows: Vec<PageRow>,
    pub settings: Vec<ChatSetting>,
}

pub(super) fn made(state: &State, view: &View, wide: usize) -> ChatSettingRows {
    let mut rows = ChatSettingRows {
        wide,
        rows: Vec::new(),
        settings: Vec::new(),
    };
    let known = view.chat.as_ref().and_then(|chat| state.domain.disk.chats.get(chat));
    let Some(chat) = known else {
        rows.say("No chat is shown.", TextInk::Dim);
        return rows;
    };
    rows.agent(state, chat);
    rows.rules(state, chat);
    rows.directories(state, chat);
    rows.sandbox(state, chat);
    rows.servers(state, chat);
    rows.tools(chat);
    rows
}

impl ChatSettingRows {
    fn agent(&mut self, state: &State, chat: &Chat) {
        self.title("Agent", "");
        let llm = &chat.record.llm;
        let title = state.domain.disk.titles.get(llm).unwrap_or(llm);
        self.fact("CLI", title, "");
        let role = chat.role.as_ref();
        let of_role = role.and_then(|role| role.model.as_deref());
        let of_chat = chat.record.set.model.as_deref();
        let used = usage::of(&state.domain, chat.id()).and_then(|used| used.context.as_ref());
        let used = used.map(|used| used.model.as_str());
        let (model, from) = match (of_chat, of_role) {
            (Some(model), _) => (model, "set for this chat"),
            (None, Some(model)) => (model, "by its role"),
            (None, None) => match used {
                Some(used) => (used, "chosen by its CLI"),
                None => ("as its CLI chooses", ""),
            },
        };
        let from = match used {
            Some(used) if used != model => format!("{from}; it runs with {used}"),
            Some(_) | None => from.to_string(),
        };
        self.change("model", model, &from, ChatSetting::Model);
        if let Some(role) = role {
            self.fact("role", &role.name, &role.description);
        }
    }

    fn servers(&mut self, state: &State, chat: &Chat) {
        self.title("MCP servers", "");
        let off = |name: &str| chat.record.disabled_servers.iter().any(|off| off == name);
        let all = &state.domain.disk.settings.global_mcp_servers;
        for name in all.keys() {
            self.switch(name, name, !off(name), CONFIG);
        }
        for server in &chat.record.set.agreed_servers {
            let words = format!("{}  of its clone, agreed to", server.name);
            self.change("on", &words, "", ChatSetting::Servers);
        }
        self.change(
            "more",
            "those of its clones, and what each can do",
            "",
            ChatSetting::Servers,
        );
    }

    fn tools(&mut self, chat: &Chat) {
        self.title("parlour's own tools", "");
        let named = tools(Equipped::WithTools).map(|tool| tool.name);
        for name in named.filter(|name| chat.record.needs_tool(name)) {
            self.switch(name, &server::own_tool(name), chat.record.has_tool(name), "");
        }
    }

    fn rules(&mut self, state: &State, chat: &Chat) {
        self.title("Permissions", "");
        let profile = chat.record.set.permissions;
        let from = format!("profile {}", profile.name());
        self.change("unasked", profile.words(), &from, ChatSetting::Permissions);
        self.rules_of(&state.domain.disk.settings.permissions, CONFIG);
        if let Some(role) = &chat.role {
            self.rules_of(&role.permissions, &format!("role {}", role.name));
        }
        self.fact("allow", "parlour's own tools", "built in");
        self.fact("ask", "writing into what is open read-only", "built in");
        self.change("rules", "of all chats", CONFIG, ChatSetting::Everywhere("permissions"));
    }

    fn rules_of(&mut self, rules: &PermissionSettings, from: &str) {
        for (name, list) in [("deny", &rules.deny), ("ask", &rules.ask), ("allow", &rules.allow)] {
            for rule in list {
                self.fact(name, rule, from);
            }
        }
    }

    fn sandbox(&mut self, state: &State, chat: &Chat) {
        self.title("Sandbox", "");
        let asked = match state.domain.disk.settings.sandbox {
            Confinement::Off => "off",
            Confinement::Strict => "strict",
        };
        let agent = state.domain.live.agents.get(chat.id()).map(|agent| &agent.sandbox);
        let now = match agent {
            Some(Sandbox::InForce) => "; in force now".into(),
            Some(Sandbox::Missing { why }) => format!("; not in force: {why}"),
            Some(Sandbox::NotAsked) => "; not in force now".into(),
            None => String::new(),
        };
        let from = format!("for all chats{now}");
        self.change("asked", asked, &from, ChatSetting::Everywhere("sandbox"));
    }

    fn directories(&mut self, state: &State, chat: &Chat) {
        self.title("Directories", "");
        let agent = state.domain.live.agents.get(chat.id());
        let sandbox = agent.map_or(Sandbox::NotAsked, |agent| agent.sandbox.clone());
        for dir in &chat.record.dirs {
            let mode = match (dir.mode, dir.asks) {
                (AreaMode::Rw, _) => "read and write",
                (AreaMode::Ro, true) => "each write is asked about",
                (AreaMode::Ro, false) => "read only",
            };
            let kept = dir.kept_by(&sandbox);
            let mut from = match kept.is_empty() {
                true => String::new(),
                false => format!("kept by {}", kept.join(" and ")),
            };
            if dir.kind == Kind::Local && sandbox == Sandbox::InForce {
                let gap = if from.is_empty() { "" } else { "; " };
                from.push_str(&format!("{gap}the kernel hears of it at the next start"));
            }
            self.change(
                &dir.name,
                mode,
                &from,
                ChatSetting::Directory(dir.name.clone(), dir.mode),
            );
        }
        self.change("more", "open another", "", ChatSetting::Open);
    }

    fn title(&mut self, words: &str, how: &str) {
        if !self.rows.is_empty() {
            self.rows.push(PageRow::Text(TextRow::default()));
        }
        self.text(TextRow::of(vec![Piece::new(words, TextInk::Heading)]));
        if !how.is_empty() {
            self.say(how, TextInk::Dim);
        }
    }

    fn switch(&mut self, words: &str, name: &str, on: bool, from: &str) {
        let setting = ChatSetting::Switch {
            name: name.to_string(),
            on,
        };
        self.change(if on { "on" } else { "off" }, words, from, setting);
    }

    /// What Enter changes, with when that acts.
    fn change(&mut self, name: &str, words: &str, from: &str, setting: ChatSetting) {
        let acts = setting.acts().words();
        let from = match from {
            "" => acts.to_string(),
            from => format!("{from}; {acts}"),
        };
        let number = self.settings.len();
        self.settings.push(setting);
        for row in self.fact_rows(name, words, &from) {
            self.rows.push(PageRow::Setting(row, number));
        }
    }

    fn fact(&mut self, name: &str, words: &str, from: &str) {
        for row in self.fact_rows(name, words, from) {
            self.text(row);
        }
    }

    /// Further rows stand below what the first says.
    fn fact_rows(&self, name: &str, words: &str, from: &str) -> Vec<TextRow> {
        let name = shown(name);
        let gap = " ".repeat(NAME.saturating_sub(width(&name)).max(1));
        let mut pieces = vec![
            Piece::new(format!("{name}{gap}"), TextInk::Dim),
            Piece::new(shown(words), TextInk::Text),
        ];
        if !from.is_empty() {
            pieces.push(Piece::new(format!(" ({})", shown(from)), TextInk::Dim));
        }
        let rows = flow(&pieces, self.wide.saturating_sub(NAME)).into_iter().enumerate();
        let indented = |(at, row): (usize, Vec<Piece>)| {
            let before = vec![Piece::new(" ".repeat(NAME), TextInk::Text)];
            TextRow::of(if at == 0 { row } else { [before, row].concat() })
        };
        rows.map(indented).collect()
    }

    fn text(&mut self, row: TextRow) {
        self.rows.push(PageRow::Text(row));
    }

    fn say(&mut self, words: &str, ink: TextInk) {
        for row in flow(&[Piece::new(shown(words), ink)], self.wide) {
            self.text(TextRow::of(row));
        }
    }
}
