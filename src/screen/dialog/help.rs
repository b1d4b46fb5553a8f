//! All keys, from the one table they are bound by.

use crate::model::Settings;

use super::super::keymap::{About, COMMANDS, Keymap};

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

impl Help {
    pub fn lines(settings: &Settings) -> Vec<HelpLine> {
        let map = Keymap::of(settings);
        let leader = map.leader();
        let key = |keys: &str, title: &str| HelpLine::Key {
            keys: keys.into(),
            title: title.into(),
            name: "",
        };
        let mut lines = vec![
            HelpLine::Heading("In the agent"),
            HelpLine::Words(format!("All keys are the agent's, except {leader}.")),
            key(&format!("{leader} Esc"), "Out of the agent"),
            key(&format!("{leader} key"), "Any command below"),
            key(&format!("{leader} {leader}"), "Send the key itself on"),
        ];
        for about in About::ALL {
            lines.push(HelpLine::Gap);
            lines.push(HelpLine::Heading(about.heading()));
            for command in COMMANDS.iter().filter(|command| command.about == about) {
                lines.push(HelpLine::Key {
                    keys: map.keys(command.action),
                    title: command.title.into(),
                    name: command.name,
                });
            }
        }
        lines.extend([
            HelpLine::Gap,
            HelpLine::Heading("In copy mode"),
            key("h j k l", "Move, as do arrows, PgUp and PgDn"),
            key("w b e 0 $", "By word, to the line's ends"),
            key("g G", "To the oldest and the newest line"),
            key("v V", "Select from here; whole lines"),
            key("y Enter", "Copy and leave"),
            key("Esc q", "Leave"),
            HelpLine::Gap,
            HelpLine::Heading("In the work pane"),
            key("h j k l", "Move, as do arrows"),
            key("> <", "To the next status, back to do"),
            key("c", "Claim for this chat"),
            key("Enter", "All of an atom"),
            key("e a", "Edit it; add one"),
            key("n", "Hand it to a new chat below this one"),
            key("g", "As a graph, as a board"),
            HelpLine::Gap,
            HelpLine::Heading("On cards"),
            key("R W E", "Read, write, edit"),
            key("$ / ↓", "Command, search, fetch"),
            key("» M ·", "Sub-agent, MCP tool, other"),
            HelpLine::Gap,
            HelpLine::Heading("Among the schedules"),
            key("n e", "Make one; edit it"),
            key("r p x", "Run it now; pause it; cancel it"),
            key("Tab", "Among its runs, and back"),
            key("Enter", "The chat of a run"),
            key("Esc q", "Close"),
            HelpLine::Gap,
            HelpLine::Heading("Mouse"),
            key("click", "Select a chat, go into the terminal, press a button"),
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
        lines.extend(map.complaints.into_iter().map(HelpLine::Words));
        lines
    }
}
