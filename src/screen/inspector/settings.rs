//! What is set for the chat that is shown: each with where it comes from, when a change of it acts, and the key that changes
//! it.

use crate::domain::usage;
use crate::model::area::AreaMode;
use crate::model::settings::{Confinement, PermissionSettings};
use crate::model::tool::{Equipped, tools};
use crate::model::{Chat, Sandbox};
use crate::screen::State;

use super::super::keymap::{Action, ChatAction};
use super::super::transcript::flow::{flow, shown};
use super::super::transcript::row::{Piece, TextInk, TextRow};
use super::super::view::View;
use super::super::wrap::width;

/// Columns of names.
const NAME: usize = 12;
/// When a change acts.
const AT_ONCE: &str = "acts at once";
const NEXT_START: &str = "acts at the next start";
/// From where rules come.
const CONFIG: &str = "config.json";

pub(super) fn rows(state: &State, view: &View, wide: usize) -> Vec<TextRow> {
    let mut rows = SettingRows { wide, rows: Vec::new() };
    let known = view.chat.as_ref().and_then(|chat| state.domain.disk.chats.get(chat));
    let Some(chat) = known else {
        rows.say("No chat is shown.", TextInk::Dim);
        return rows.rows;
    };
    let key = |action: ChatAction| state.keymap.key(Action::Chat(action));
    rows.agent(state, chat, &key(ChatAction::Restart));
    rows.servers(state, chat, &key(ChatAction::Servers));
    rows.rules(state, chat);
    rows.sandbox(state, chat);
    rows.directories(state, chat, &key(ChatAction::OpenProject));
    rows.rows
}

struct SettingRows {
    wide: usize,
    rows: Vec<TextRow>,
}

impl SettingRows {
    fn agent(&mut self, state: &State, chat: &Chat, restart: &str) {
        self.title("Agent", NEXT_START, &format!("{restart} restarts it"));
        let llm = &chat.record.llm;
        let title = state.domain.disk.titles.get(llm).unwrap_or(llm);
        self.fact("CLI", title, "");
        let role = chat.role.as_ref();
        let asked = role.and_then(|role| role.model.as_deref());
        let used = usage::of(&state.domain, chat.id()).and_then(|used| used.context.as_ref());
        match (asked, used) {
            (Some(asked), Some(used)) if *asked != used.model => {
                self.fact("model", &used.model, &format!("its role asks for {asked}"));
            }
            (Some(asked), _) => self.fact("model", asked, "by its role"),
            (None, Some(used)) => self.fact("model", &used.model, "chosen by its CLI"),
            (None, None) => self.fact("model", "as its CLI chooses", ""),
        }
        if let Some(role) = role {
            self.fact("role", &role.name, &role.description);
        }
    }

    fn servers(&mut self, state: &State, chat: &Chat, key: &str) {
        self.title("MCP servers", NEXT_START, &format!("{key} switches them"));
        let off = |name: &str| chat.record.disabled_servers.iter().any(|off| off == name);
        let all = &state.domain.disk.settings.global_mcp_servers;
        for name in all.keys() {
            self.switch(name, !off(name), CONFIG);
        }
        for server in &chat.record.set.agreed_servers {
            self.switch(&server.name, !off(&server.name), "of its clone, agreed to");
        }
        if all.is_empty() && chat.record.set.agreed_servers.is_empty() {
            self.say("None beside parlour's own.", TextInk::Dim);
        }
        self.title("parlour's own tools", NEXT_START, &format!("{key} switches them"));
        let named: Vec<&str> = tools(Equipped::WithTools).map(|tool| tool.name).collect();
        let (on, without): (Vec<&str>, Vec<&str>) = named
            .into_iter()
            .filter(|name| chat.record.needs_tool(name))
            .partition(|name| chat.record.has_tool(name));
        self.list("on", &on);
        self.list("off", &without);
    }

    fn rules(&mut self, state: &State, chat: &Chat) {
        self.title("Permissions", AT_ONCE, "config.json: permissions");
        self.rules_of(&state.domain.disk.settings.permissions, CONFIG);
        if let Some(role) = &chat.role {
            self.rules_of(&role.permissions, &format!("role {}", role.name));
        }
        self.fact("allow", "parlour's own tools", "built in");
        self.fact("ask", "writing into what is open read-only", "built in");
        let profile = chat.record.set.permissions;
        self.fact("else", profile.words(), &format!("profile {}", profile.name()));
    }

    fn rules_of(&mut self, rules: &PermissionSettings, from: &str) {
        for (name, list) in [("deny", &rules.deny), ("ask", &rules.ask), ("allow", &rules.allow)] {
            for rule in list {
                self.fact(name, rule, from);
            }
        }
    }

    fn sandbox(&mut self, state: &State, chat: &Chat) {
        self.title("Sandbox", NEXT_START, "config.json: sandbox");
        let asked = match state.domain.disk.settings.sandbox {
            Confinement::Off => "off",
            Confinement::Strict => "strict",
        };
        let agent = state.domain.live.agents.get(chat.id()).map(|agent| &agent.sandbox);
        let now = match agent {
            Some(Sandbox::InForce) => "in force now".into(),
            Some(Sandbox::Missing { why }) => format!("not in force: {why}"),
            Some(Sandbox::NotAsked) => "not in force now".into(),
            None => String::new(),
        };
        self.fact("asked", asked, &now);
    }

    fn directories(&mut self, state: &State, chat: &Chat, key: &str) {
        self.title("Directories", AT_ONCE, &format!("{key} opens another"));
        let agent = state.domain.live.agents.get(chat.id());
        let sandbox = agent.map_or(Sandbox::NotAsked, |agent| agent.sandbox.clone());
        for dir in &chat.record.dirs {
            let mode = match (dir.mode, dir.asks) {
                (AreaMode::Rw, _) => "read and write".to_string(),
                (AreaMode::Ro, true) => "each write is asked about".to_string(),
                (AreaMode::Ro, false) => "read only".to_string(),
            };
            let kept = dir.kept_by(&sandbox);
            let kept = if kept.is_empty() {
                String::new()
            } else {
                format!("kept by {}", kept.join(" and "))
            };
            self.fact(&dir.name, &mode, &kept);
        }
        if chat.record.dirs.is_empty() {
            self.say("None.", TextInk::Dim);
        }
    }

    /// A part: when a change in it acts, and what changes it.
    fn title(&mut self, words: &str, acts: &str, how: &str) {
        if !self.rows.is_empty() {
            self.rows.push(TextRow::default());
        }
        self.rows.push(TextRow::of(vec![Piece::new(words, TextInk::Heading)]));
        self.say(&format!("{how}; {acts}"), TextInk::Dim);
    }

    fn switch(&mut self, name: &str, on: bool, from: &str) {
        let (sign, ink) = if on {
            ("on ", TextInk::Done)
        } else {
            ("off", TextInk::Dim)
        };
        let words = Piece::new(format!(" {}", shown(name)), TextInk::Text);
        self.put(
            vec![
                Piece::new(sign, ink),
                words,
                Piece::new(format!("  {from}"), TextInk::Dim),
            ],
            4,
        );
    }

    fn list(&mut self, name: &str, words: &[&str]) {
        if !words.is_empty() {
            self.fact(name, &words.join(", "), "");
        }
    }

    fn fact(&mut self, name: &str, words: &str, from: &str) {
        let name = shown(name);
        let gap = " ".repeat(NAME.saturating_sub(width(&name)).max(1));
        let mut pieces = vec![
            Piece::new(format!("{name}{gap}"), TextInk::Dim),
            Piece::new(shown(words), TextInk::Text),
        ];
        if !from.is_empty() {
            pieces.push(Piece::new(format!("  {}", shown(from)), TextInk::Dim));
        }
        self.put(pieces, NAME);
    }

    /// Further rows stand below what the first says.
    fn put(&mut self, pieces: Vec<Piece>, indent: usize) {
        for (at, row) in flow(&pieces, self.wide.saturating_sub(indent)).into_iter().enumerate() {
            let before = vec![Piece::new(" ".repeat(indent), TextInk::Text)];
            self.rows
                .push(TextRow::of(if at == 0 { row } else { [before, row].concat() }));
        }
    }

    fn say(&mut self, words: &str, ink: TextInk) {
        for row in flow(&[Piece::new(shown(words), ink)], self.wide) {
            self.rows.push(TextRow::of(row));
        }
    }
}
