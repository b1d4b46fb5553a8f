//! What one person looks at now: focus, scroll, what is open. One value a client, gone with it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::model::{ChatId, Timestamp};

use super::event::{Attached, Colours, Size};

pub struct View {
    pub size: Size,
    pub colours: Option<Colours>,
    pub no_color: bool,
    pub cwd: PathBuf,
    /// Agents that this person starts run in this environment; in memory only.
    pub env: BTreeMap<String, String>,
    /// The chat that is shown; also the sidebar's selection.
    pub chat: Option<ChatId>,
    pub mode: Mode,
    /// Lines the terminal pane is scrolled back.
    pub scrolled: usize,
    pub toasts: Vec<Toast>,
}

/// Where keys go. The screen always says which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Everything typed goes to the agent, except the leader.
    Agent,
    /// The leader was pressed: the next key is a command.
    Leader,
    Outside,
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
            chat: None,
            mode: Mode::Outside,
            scrolled: 0,
            toasts: Vec::new(),
        }
    }
}

pub fn watched(_s: &super::State) -> std::collections::BTreeSet<ChatId> { Default::default() }
