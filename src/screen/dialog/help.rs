//! All keys, from the tables that they are bound by.

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::term::key::parse;

use super::super::hint::Hint;
use super::super::keymap::{Action, Keymap, ScreenAction, Table, shown};
use super::super::surface::Surface;
use super::place::{self, WIDEST};
use super::{Around, Contract, Reply, page, tables};

#[derive(Default)]
pub struct Help {
    /// Lines scrolled away.
    pub scroll: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HelpLine {
    Heading(&'static str),
    /// With the name that a command has in `config.json`.
    Key {
        keys: String,
        title: String,
        name: &'static str,
    },
    Words(String),
    Gap,
}

impl Contract for Help {
    /// The key that opens it closes it too.
    fn press(&mut self, key: KeyEvent, around: &Around) -> Reply {
        if around.keymap.action(Surface::Sidebar, key) == Some(Action::Screen(ScreenAction::Help)) {
            return Reply::Close;
        }
        let (_, seen) = Help::place(around.keymap, around.whole);
        let most = Help::lines(around.keymap).len().saturating_sub(seen);
        page::press(&mut self.scroll, key, most, seen)
    }

    fn click(&mut self, at: (u16, u16), around: &Around) -> Reply {
        match Help::place(around.keymap, around.whole).0.contains(at.into()) {
            true => Reply::Stay,
            false => Reply::Close,
        }
    }

    fn hints(&self, _: &Around) -> Vec<Hint> {
        page::hints()
    }
}

impl Help {
    /// Where it lies, and how many of its lines are seen.
    pub fn place(map: &Keymap, whole: Rect) -> (Rect, usize) {
        let lines = Help::lines(map).len();
        let most = whole.height.saturating_sub(2);
        let high = u16::try_from(lines).unwrap_or(u16::MAX).min(most);
        let wide = whole.width.min(WIDEST);
        (place::middle(whole, wide, high + 2), usize::from(high))
    }

    pub fn lines(map: &Keymap) -> Vec<HelpLine> {
        let leader = map.leader();
        let key = |keys: &str, title: &str| HelpLine::Key {
            keys: keys.into(),
            title: title.into(),
            name: "",
        };
        let mut lines = Vec::new();
        let mut heading = "";
        for table in Table::all() {
            for command in table.own() {
                let action = command.command;
                if action.heading() != heading {
                    if !heading.is_empty() {
                        lines.push(HelpLine::Gap);
                    }
                    heading = action.heading();
                    lines.push(HelpLine::Heading(heading));
                }
                if table == Table::Menu {
                    lines.push(HelpLine::Words(format!("All keys are the agent's, except {leader}.")));
                }
                lines.push(HelpLine::Key {
                    keys: match table {
                        Table::Menu => format!("{leader} key"),
                        Table::AfterLeader => format!("{leader} {}", map.keys(action)),
                        Table::Ended
                        | Table::Commands
                        | Table::Filter
                        | Table::Composer
                        | Table::Queued
                        | Table::Copy
                        | Table::Inspector
                        | Table::Sheet(_)
                        | Table::Schedules => map.keys(action),
                    },
                    title: command.title.into(),
                    name: action.name().unwrap_or_default(),
                });
            }
        }
        for (heading, table) in tables::all() {
            lines.extend([HelpLine::Gap, HelpLine::Heading(heading)]);
            lines.extend(table.iter().map(|line| {
                let keys = line.keys.iter().filter_map(|key| parse(key).ok()).map(shown);
                key(&keys.collect::<Vec<_>>().join(" "), line.title)
            }));
        }
        lines.extend([
            HelpLine::Gap,
            HelpLine::Heading("On cards"),
            key("R W E", "Read, write, edit"),
            key("$ / ↓", "Command, search, fetch"),
            key("» M ·", "Sub-agent, MCP tool, other"),
            HelpLine::Gap,
            HelpLine::Heading("Mouse"),
            key("click", "Select a chat, go into the terminal, press a button or a key of the last row"),
            key("drag", "Select text in the terminal; letting go copies it"),
            key("twice", "Select a word; three times, a line"),
            key("wheel", "Scroll, or the agent's own where it asks for the mouse"),
            key("Shift", "Keeps the mouse from the agent"),
            key("drag", "The sidebar's border moves"),
            HelpLine::Gap,
            HelpLine::Words(
                "Other keys, by the names at the right: \"keys\": {\"newChat\": \"c\", \"leader\": \"ctrl+b\"} in config.json."
                    .into(),
            ),
        ]);
        lines.extend(map.complaints.iter().cloned().map(HelpLine::Words));
        lines
    }
}
