//! What the key help lists, by headings: the keys of the surface that it was opened from come first.

use crate::term::key::parse;

use super::super::super::keymap::{Action, Command, Keymap, Table, shown};
use super::super::super::surface::Surface;
use super::super::palette::finding;
use super::super::{Around, tables};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HelpLine {
    Heading(&'static str),
    Entry(HelpEntry),
    Words(String),
    Gap,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HelpEntry {
    pub keys: String,
    pub title: &'static str,
    /// The name that it has in `config.json`; empty where its key is fixed.
    pub name: &'static str,
    /// What it does, if that can be done from here at all.
    pub action: Option<Action>,
    /// Why not now.
    pub why_not: Option<&'static str>,
    /// How well it is what was typed; the best is the greatest.
    pub(super) fit: Option<finding::Fit>,
}

/// What stands under one heading.
pub(super) struct HelpSection {
    pub lines: Vec<HelpLine>,
}

/// Not bound by a table.
const MOUSE: [(&str, &str); 6] = [
    ("click", "Select a chat, go into the terminal, press a button"),
    ("drag", "Select text in the terminal; letting go copies it"),
    ("twice", "Select a word; three times, a line"),
    ("wheel", "Scroll, or the agent's own where it asks for the mouse"),
    ("Shift", "Keeps the mouse from the agent"),
    ("drag", "The sidebar's border moves"),
];

const SIGNS: [(&str, &str); 3] = [
    ("R W E", "Read, write, edit"),
    ("$ / ↓", "Command, search, fetch"),
    ("» M ·", "Sub-agent, MCP tool, other"),
];

/// All that there is, or what is meant by the words that are typed.
pub(super) fn sections(around: &Around, typed: &str) -> Vec<HelpSection> {
    let mut all = Sections { typed, all: Vec::new() };
    for table in in_order(around.behind) {
        for command in table.own() {
            let action = command.command;
            let entry = entry(around, table, &command);
            all.put(action.heading(), Some(action), entry);
        }
    }
    for (heading, table) in tables::all() {
        for line in table {
            let keys = line.keys.iter().filter_map(|key| parse(key).ok()).map(shown);
            all.put(heading, None, fixed(&keys.collect::<Vec<_>>().join(" "), line.title));
        }
    }
    for (heading, lines) in [("On cards", &SIGNS[..]), ("Mouse", &MOUSE[..])] {
        for (keys, title) in lines {
            all.put(heading, None, fixed(keys, title));
        }
    }
    if typed.trim().is_empty() {
        all.all.extend(notes(around.keymap));
    }
    all.all
}

/// Those of the surface, then all others.
fn in_order(behind: Surface) -> Vec<Table> {
    let is_menu = |table: &Table| matches!(table, Table::Menu | Table::AfterLeader);
    let mut tables: Vec<Table> = match behind {
        Surface::Terminal => vec![Table::Menu, Table::AfterLeader, Table::Ended],
        other => other.tables().filter(|table| !is_menu(table)).collect(),
    };
    for table in Table::all() {
        if !tables.contains(&table) {
            tables.push(table);
        }
    }
    tables
}

fn entry(around: &Around, table: Table, command: &Command) -> HelpEntry {
    let (map, action) = (around.keymap, command.command);
    let leader = map.leader();
    let keys = match table {
        Table::Menu => format!("{leader} key"),
        Table::AfterLeader => format!("{leader} {}", map.keys(action)),
        Table::Ended
        | Table::Tab
        | Table::Commands
        | Table::Filter
        | Table::Composer
        | Table::Queued
        | Table::Copy
        | Table::Inspector
        | Table::Sheet(_)
        | Table::Start
        | Table::Schedules => map.keys(action),
    };
    let runs = match table {
        Table::Commands => true,
        Table::Tab | Table::Sheet(_) | Table::Inspector | Table::Schedules | Table::Copy | Table::Start => {
            around.behind.tables().any(|own| own == table)
        }
        Table::Menu | Table::AfterLeader | Table::Ended | Table::Filter | Table::Composer | Table::Queued => false,
    };
    HelpEntry {
        keys,
        title: around.title(command),
        name: action.name().unwrap_or_default(),
        action: runs.then_some(action),
        why_not: match runs {
            true => (around.why_not)(action),
            false => Some("it is a key of another place"),
        },
        fit: None,
    }
}

fn fixed(keys: &str, title: &'static str) -> HelpEntry {
    HelpEntry {
        keys: keys.into(),
        title,
        name: "",
        action: None,
        why_not: Some("it is a key of another place"),
        fit: None,
    }
}

fn notes(map: &Keymap) -> Vec<HelpSection> {
    let own = "Other keys, by a command's name: \"keys\": {\"newChat\": \"c\", \"leader\": \"ctrl+b\"} in config.json.";
    let words = std::iter::once(own.to_string()).chain(map.complaints.iter().cloned());
    let lines = std::iter::once(HelpLine::Heading("Your own keys")).chain(words.map(HelpLine::Words));
    vec![HelpSection { lines: lines.collect() }]
}

struct Sections<'t> {
    typed: &'t str,
    all: Vec<HelpSection>,
}

impl Sections<'_> {
    /// Below its heading, if it is meant.
    fn put(&mut self, heading: &'static str, action: Option<Action>, mut entry: HelpEntry) {
        let Some((fit, _)) = finding::fit(self.typed, action, entry.title, entry.name) else {
            // A key is looked for by itself too.
            let is_key = entry.keys.split(' ').any(|key| key == self.typed.trim());
            if is_key {
                self.below(heading, entry);
            }
            return;
        };
        entry.fit = Some(fit);
        self.below(heading, entry);
    }

    fn below(&mut self, heading: &'static str, entry: HelpEntry) {
        let is_it = |section: &&mut HelpSection| section.lines.first() == Some(&HelpLine::Heading(heading));
        match self.all.last_mut().filter(is_it) {
            Some(section) => section.lines.push(HelpLine::Entry(entry)),
            None => self.all.push(HelpSection {
                lines: vec![HelpLine::Heading(heading), HelpLine::Entry(entry)],
            }),
        }
    }
}
