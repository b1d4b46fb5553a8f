//! Which key does what. One table serves the keys themselves, the key help, the leader menu and the hints.
//!
//! A person may give an action another key in `config.json` under `keys`, by the action's name; that key is then
//! taken from whatever had it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::model::Settings;
use crate::term::key::{normal, parse, words};

/// What a key can be bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Enter,
    NewChat,
    OpenProject,
    Rename,
    Servers,
    Interrupt,
    Stop,
    StopTree,
    Restart,
    Delete,
    UndoDelete,
    Trash,
    ResumeAll,
    Recreate,
    Duplicate,
    Demo,
    DemoTeam,
    Up,
    Down,
    First,
    Last,
    NextWaiting,
    Fold,
    Approvals,
    Automations,
    Filter,
    SwitchFocus,
    ScrollUp,
    ScrollDown,
    ScrollEnd,
    CopyMode,
    Zoom,
    Sidebar,
    Inspector,
    Output,
    Run,
    Edit,
    Work,
    Log,
    Palette,
    Help,
    Detach,
}

/// One line of the table.
pub struct Command {
    pub action: Action,
    /// Its name in `config.json`.
    pub name: &'static str,
    pub title: &'static str,
    /// One or two words, where there is no room for more.
    pub short: &'static str,
    pub keys: &'static [&'static str],
    pub about: About,
}

/// What a command is about: the headings of the key help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    Chat,
    Chats,
    Moving,
    Screen,
}

impl About {
    pub const ALL: [About; 4] = [About::Chat, About::Chats, About::Moving, About::Screen];

    pub fn heading(self) -> &'static str {
        match self {
            About::Chat => "This chat",
            About::Chats => "Chats",
            About::Moving => "Moving",
            About::Screen => "Screen",
        }
    }
}

const fn command(
    action: Action,
    name: &'static str,
    (title, short): (&'static str, &'static str),
    keys: &'static [&'static str],
    about: About,
) -> Command {
    Command {
        action,
        name,
        title,
        short,
        keys,
        about,
    }
}

pub const COMMANDS: [Command; 42] = {
    use About::{Chat, Chats, Moving, Screen};
    use Action as A;
    [
        command(A::Enter, "enter", ("Go into the agent", "go in"), &["enter"], Chat),
        command(
            A::OpenProject,
            "openProject",
            ("Open a project in this chat", "open project"),
            &["o"],
            Chat,
        ),
        command(A::Rename, "rename", ("Rename this chat", "rename"), &["r"], Chat),
        command(
            A::Servers,
            "servers",
            ("MCP servers of this chat", "servers"),
            &["m"],
            Chat,
        ),
        command(
            A::Duplicate,
            "duplicate",
            ("Make another chat of this one", "duplicate"),
            &["y"],
            Chat,
        ),
        command(
            A::Interrupt,
            "interrupt",
            ("Interrupt the agent's turn", "interrupt"),
            &["i"],
            Chat,
        ),
        command(A::Stop, "stop", ("Stop the agent", "stop"), &["s"], Chat),
        command(
            A::StopTree,
            "stopTree",
            ("Stop this chat's agent and all below", "stop tree"),
            &["T"],
            Chat,
        ),
        command(
            A::Restart,
            "restart",
            ("Restart the agent with new settings", "restart"),
            &["S"],
            Chat,
        ),
        command(A::Run, "run", ("Run its project, or see it run", "run"), &["e"], Chat),
        command(A::Edit, "edit", ("Your editor in its project", "edit"), &["E"], Chat),
        command(A::Delete, "delete", ("Delete this chat", "delete"), &["x"], Chat),
        command(
            A::Recreate,
            "recreate",
            ("Make a vanished directory anew", "recreate"),
            &["R"],
            Chat,
        ),
        command(A::NewChat, "newChat", ("New chat", "new chat"), &["n"], Chats),
        command(
            A::UndoDelete,
            "undoDelete",
            ("Bring back the chat deleted last", "undo delete"),
            &["u"],
            Chats,
        ),
        command(A::Trash, "trash", ("Deleted chats, to restore", "trash"), &["U"], Chats),
        command(
            A::ResumeAll,
            "resumeAll",
            ("Resume all that the engine's end stopped", "resume all"),
            &["C"],
            Chats,
        ),
        command(
            A::Approvals,
            "approvals",
            ("Questions of all agents, to answer", "questions"),
            &["a"],
            Chats,
        ),
        command(
            A::Automations,
            "automations",
            ("Schedules and their runs", "schedules"),
            &["A"],
            Chats,
        ),
        command(A::Filter, "filter", ("Filter chats", "filter"), &["/", "ctrl+k"], Chats),
        command(
            A::NextWaiting,
            "nextWaiting",
            ("Next chat that needs you or is done", "next waiting"),
            &["w"],
            Chats,
        ),
        command(
            A::Fold,
            "fold",
            ("Fold or show what is below a chat", "fold"),
            &["space"],
            Chats,
        ),
        command(A::Demo, "demo", ("Watch the demo", "demo"), &["D"], Chats),
        command(
            A::DemoTeam,
            "demoTeam",
            ("Watch a team of demo agents", "demo team"),
            &[],
            Chats,
        ),
        command(A::Up, "up", ("Chat above", "up"), &["k", "up"], Moving),
        command(A::Down, "down", ("Chat below", "down"), &["j", "down"], Moving),
        command(A::First, "first", ("First chat", "first"), &["g", "home"], Moving),
        command(A::Last, "last", ("Last chat", "last"), &["G"], Moving),
        command(
            A::SwitchFocus,
            "switchFocus",
            ("Between sidebar and terminal", "switch"),
            &["tab"],
            Moving,
        ),
        command(
            A::ScrollUp,
            "scrollUp",
            ("Scroll the terminal back", "scroll back"),
            &["pageup"],
            Moving,
        ),
        command(
            A::ScrollDown,
            "scrollDown",
            ("Scroll the terminal forward", "scroll on"),
            &["pagedown"],
            Moving,
        ),
        command(
            A::ScrollEnd,
            "scrollEnd",
            ("Return to the newest line", "newest line"),
            &["end"],
            Moving,
        ),
        command(
            A::CopyMode,
            "copyMode",
            ("Select text by keys and copy it", "copy mode"),
            &["v", "["],
            Moving,
        ),
        command(
            A::Zoom,
            "zoom",
            ("Terminal on the whole screen and back", "zoom"),
            &["z"],
            Screen,
        ),
        command(
            A::Sidebar,
            "sidebar",
            ("Show or hide the sidebar", "sidebar"),
            &["b"],
            Screen,
        ),
        command(
            A::Inspector,
            "inspector",
            ("Show or hide what the agent did", "cards"),
            &["c"],
            Screen,
        ),
        command(
            A::Output,
            "output",
            ("Whole output of the selected card", "output"),
            &["f"],
            Screen,
        ),
        command(
            A::Work,
            "work",
            ("Plan of this tree's work, or the terminal", "work"),
            &["W"],
            Screen,
        ),
        command(A::Log, "log", ("Log of the engine", "log"), &["L"], Screen),
        command(
            A::Palette,
            "palette",
            ("All commands by name", "by name"),
            &[":", "ctrl+p"],
            Screen,
        ),
        command(A::Help, "help", ("All keys", "all keys"), &["?"], Screen),
        command(
            A::Detach,
            "detach",
            ("Detach; agents run on", "detach"),
            &["q", "d"],
            Screen,
        ),
    ]
};

/// The keys in force.
pub struct Keymap {
    pub leader: KeyEvent,
    /// A person's own first, so that they win over the table's.
    bound: Vec<(KeyEvent, Action)>,
    /// Settings that could not be used, in words.
    pub complaints: Vec<String>,
    /// Keys that a person took from a command, in words: they may have meant to.
    pub taken: Vec<String>,
}

impl Keymap {
    pub fn of(settings: &Settings) -> Keymap {
        let mut map = Keymap {
            leader: KeyEvent::new(KeyCode::Char('q'), KeyModifiers::CONTROL),
            bound: Vec::with_capacity(COMMANDS.len() * 2),
            complaints: Vec::new(),
            taken: Vec::new(),
        };
        for (name, key) in &settings.keys {
            let known = COMMANDS.iter().find(|c| c.name == name);
            match (parse(key), known) {
                (Err(bad), _) => map.complaints.push(format!("keys.{name}: {bad}")),
                (Ok(key), _) if name == "leader" => match is_typed(key) {
                    false => map.leader = key,
                    true => map.complaints.push(format!(
                        "keys.leader: {} is typed to agents too; take one with Ctrl or Alt, or a function key",
                        shown(key)
                    )),
                },
                (Ok(key), Some(command)) => {
                    map.tell_taken(key, command);
                    map.bound.push((key, command.action));
                }
                (Ok(_), None) => map
                    .complaints
                    .push(format!("keys.{name}: no such command; {}", near(name))),
            }
        }
        for command in COMMANDS.iter().filter(|c| !settings.keys.contains_key(c.name)) {
            let keys = command.keys.iter().filter_map(|key| parse(key).ok());
            for key in keys {
                if !map.tell_taken(key, command) {
                    map.bound.push((key, command.action));
                }
            }
        }
        map
    }

    /// Whether a key that a command is to have is another's already, which is noted.
    fn tell_taken(&mut self, key: KeyEvent, command: &Command) -> bool {
        let Some((_, by)) = self.bound.iter().find(|(taken, _)| *taken == key) else {
            return false;
        };
        let by = COMMANDS.iter().find(|other| other.action == *by);
        let by = by.map_or("", |other| other.name);
        let taken = format!("keys.{by}: takes {} from {}", shown(key), command.name);
        self.taken.push(taken);
        true
    }

    pub fn action(&self, key: KeyEvent) -> Option<Action> {
        let key = normal(key);
        self.bound
            .iter()
            .find(|(bound, _)| *bound == key)
            .map(|(_, action)| *action)
    }

    pub fn is_leader(&self, key: KeyEvent) -> bool {
        normal(key) == self.leader
    }

    /// The first key of an action as a person reads it; empty where another action took it.
    pub fn key(&self, action: Action) -> String {
        let bound = self.bound.iter().find(|(_, bound)| *bound == action);
        bound.map(|(key, _)| shown(*key)).unwrap_or_default()
    }

    /// All keys of an action.
    pub fn keys(&self, action: Action) -> String {
        let bound = self.bound.iter().filter(|(_, bound)| *bound == action);
        bound.map(|(key, _)| shown(*key)).collect::<Vec<_>>().join(" ")
    }

    pub fn leader(&self) -> String {
        shown(self.leader)
    }
}

/// What may have been meant by the name of no command: names that look like it, and commands that say it of themselves.
fn near(name: &str) -> String {
    let wanted = name.to_lowercase();
    let spelled: Vec<String> = COMMANDS.iter().map(|command| command.name.to_lowercase()).collect();
    let spelled: Vec<&str> = spelled.iter().map(String::as_str).collect();
    let alike = similar::get_close_matches(wanted.as_str(), &spelled, 3, 0.6);
    let says = |command: &Command| command.short.contains(&*wanted) || command.title.to_lowercase().contains(&wanted);
    let meant: Vec<&str> = COMMANDS
        .iter()
        .filter(|command| alike.contains(&command.name.to_lowercase().as_str()) || (wanted.len() > 2 && says(command)))
        .map(|command| command.name)
        .take(3)
        .collect();
    match meant.is_empty() {
        true => "? lists the names of all".into(),
        false => format!("did you mean {}?", meant.join(" or ")),
    }
}

/// Agents are typed to with it: as the leader it would never reach them.
fn is_typed(key: KeyEvent) -> bool {
    let apart = KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SUPER;
    !key.modifiers.intersects(apart) && !matches!(key.code, KeyCode::F(_))
}

/// A key as hints write it: `Ctrl+Q`, `Enter`, `n`, `PgUp`.
pub fn shown(key: KeyEvent) -> String {
    let written = words(key);
    let many = written.chars().count() > 1;
    match key.code {
        KeyCode::PageUp => "PgUp".into(),
        KeyCode::PageDown => "PgDn".into(),
        KeyCode::Up => "↑".into(),
        KeyCode::Down => "↓".into(),
        _ if many => written.split('+').map(capital).collect::<Vec<_>>().join("+"),
        _ => written,
    }
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests;
