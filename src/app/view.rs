//! What one person looks at now: focus, scroll, what is open. One value a client, gone with it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::model::{ChatId, Timestamp};

use super::dialog::Dialog;
use super::event::{Attached, Colours, Size};
use super::inspector::Inspector;
use super::reading::Reading;
use super::sidebar::Sidebar;
use super::state::State;

pub struct View {
    pub size: Size,
    pub colours: Option<Colours>,
    pub no_color: bool,
    pub cwd: PathBuf,
    /// Agents that this person starts run in this environment; in memory only.
    pub env: BTreeMap<String, String>,
    /// Seconds east of UTC where this person sits: decides what "today" is. Told by the engine, which has a clock.
    pub utc_offset: i32,
    /// The chat that is shown; also the sidebar's selection.
    pub chat: Option<ChatId>,
    pub mode: Mode,
    /// The leader was pressed: the next key is a command.
    pub leader: bool,
    /// What plain keys work on outside.
    pub focus: Focus,
    /// How far back in the terminal, and what is selected there.
    pub reading: Reading,
    /// The terminal pane has the whole screen.
    pub zoomed: bool,
    /// False while the person's terminal says that it is not the one they type in.
    pub attentive: bool,
    pub sidebar: Sidebar,
    pub inspector: Inspector,
    pub dialog: Option<Dialog>,
    pub toasts: Vec<Toast>,
    /// Chats this person deleted, the last one last: what undo brings back.
    pub deleted: Vec<ChatId>,
    /// When the engine was last asked to wake for this view, so that it is asked once.
    pub wake: Option<Timestamp>,
}

/// Where keys go. The screen always says which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Everything typed goes to the agent, except the leader.
    Agent,
    Outside,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    Sidebar,
    Pane,
    Inspector,
}

/// Tells something and goes away by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toast {
    pub text: String,
    pub tone: Tone,
    pub until: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Told,
    Failed,
}

impl View {
    pub fn new(attached: Attached) -> View {
        View {
            size: attached.size,
            colours: attached.colours,
            no_color: attached.no_color,
            cwd: attached.cwd,
            env: attached.env,
            utc_offset: 0,
            chat: None,
            mode: Mode::Outside,
            leader: false,
            focus: Focus::Sidebar,
            reading: Reading::default(),
            zoomed: false,
            attentive: true,
            sidebar: Sidebar::default(),
            inspector: Inspector::default(),
            dialog: None,
            toasts: Vec::new(),
            deleted: Vec::new(),
            wake: None,
        }
    }
}

/// Chats whose terminal is on some client's screen: only these are worth drawing.
pub fn watched(state: &State) -> BTreeSet<ChatId> {
    state.views.values().filter_map(|view| view.chat.clone()).collect()
}
