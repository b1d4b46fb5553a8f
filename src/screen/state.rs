//! All that parlour knows at this moment: the domain, and what each person looks at.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use crate::domain::state::{Domain, Facts, Requester, ScreenRequest};
use crate::model::{Chat, ChatId, ClientId, PaneId, Timestamp, WorkId};

use super::dialog::Dialog;
use super::grid::tiles;
use super::hint::label;
use super::keymap::{Action, Keymap};
use super::surface::{InPane, Surface};
use super::view::View;

pub struct State {
    pub domain: Domain,
    pub views: BTreeMap<ClientId, View>,
    /// Made anew whenever the settings were read.
    pub keymap: Arc<Keymap>,
    /// The terminal beside the agent of each chat in which the person was whose screen ended last.
    pub left_sides: BTreeMap<ChatId, WorkId>,
    /// When the screen that ended last was kept.
    pub left_at: Timestamp,
    /// What runs beside agents as it is not written down yet, and when it is to be.
    pub left_beside: Option<(Vec<(ChatId, String)>, Timestamp)>,
    /// What went wrong while there was no screen, and when.
    pub missed: Vec<(Timestamp, String)>,
}

impl State {
    pub fn new(home: PathBuf, facts: Facts, seed: u64) -> State {
        let domain = Domain::new(home, facts, seed);
        State {
            keymap: Arc::new(Keymap::of(&domain.disk.settings)),
            domain,
            views: BTreeMap::new(),
            left_sides: BTreeMap::new(),
            left_at: Timestamp::default(),
            left_beside: None,
            missed: Vec::new(),
        }
    }

    /// The settings were read again.
    pub fn follow_settings(&mut self) {
        self.keymap = Arc::new(Keymap::of(&self.domain.disk.settings));
        let by_settings = self.domain.disk.settings.reader;
        for view in self.views.values_mut() {
            view.set_reader(by_settings);
        }
    }

    /// The themes that people try in their settings; `None` in one for no theme of a name.
    pub fn previewed_themes(&self) -> BTreeMap<ClientId, Option<String>> {
        let tried = |view: &View| match &view.over.dialog {
            Some(Dialog::Settings(page)) => page.previewed_theme().map(|name| name.map(String::from)),
            Some(_) | None => None,
        };
        let views = self.views.iter();
        views
            .filter_map(|(client, view)| Some((*client, tried(view)?)))
            .collect()
    }

    /// What this person asks for now, and does not wait for in a dialog.
    pub fn request(&self, client: ClientId) -> ScreenRequest {
        let view = self.views.get(&client);
        ScreenRequest {
            asked: view.map(|view| view.attention.acts).unwrap_or_default(),
            ..client.into()
        }
    }

    /// As [`State::request`], for whoever carries it out.
    pub fn requester(&self, client: ClientId) -> Requester {
        Requester::Screen(self.request(client))
    }

    /// Where the person at this client started it.
    pub fn cwd_of(&self, client: ClientId) -> PathBuf {
        self.views
            .get(&client)
            .map(|view| view.client.cwd.clone())
            .unwrap_or_default()
    }

    /// The chat that is shown runs a person's own shell.
    pub fn shows_shell(&self, view: &View) -> bool {
        let chat = view.chat.as_ref().and_then(|chat| self.domain.disk.chats.get(chat));
        chat.is_some_and(Chat::is_shell)
    }

    /// The keys that lead this person to a command from where they are, as they read them: its own, else those behind the
    /// leader.
    pub fn leads(&self, client: ClientId, action: impl Into<Action>) -> String {
        let surface = self
            .views
            .get(&client)
            .map_or(Surface::Sidebar(InPane::Agent), View::behind);
        label(&self.keymap.leading(surface, action.into()))
    }

    /// The terminals on some client's screen: only these are worth drawing.
    pub fn watched(&self) -> BTreeSet<PaneId> {
        let tiles = self.views.values().flat_map(tiles::others);
        let others = tiles.map(|(chat, _)| PaneId::Agent(chat));
        self.views.values().filter_map(View::pane).chain(others).collect()
    }
}
