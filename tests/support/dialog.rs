//! What a person at a screen waits for comes to something, as a worker tells it.

use crossterm::event::KeyEvent;
use parlour::domain::Effect;
use parlour::domain::event::{Outcome, PlaceHint};
use parlour::domain::state::{Then, Waiting};
use parlour::domain::work::{
    ChatDone, ChatThen, ChatWork, ReadDone, ReadThen, ServerDone, ShownContent, ShownRead, StorageDone, TrashDone,
    TrashThen,
};
use parlour::model::deleted::Deleted;
use parlour::model::server_entry::ServerEntry;
use parlour::model::storage::{DiskItem, DiskPlace, DiskUse, ProjectSetup, SetupFile};
use parlour::model::{Losses, PaneEvent, Problem, RoleEntry};
use parlour::screen::dialogs::input::hints;
use parlour::term::key::{normal, parse};

use super::events::works;
use super::world::{ME, World, id};

impl World {
    /// The newest work that this person waits for and that can come to this has come to it.
    pub fn comes(&mut self, outcome: Outcome) -> Vec<Effect> {
        let fits = |waiting: &Waiting| match &outcome {
            Outcome::Chat(ChatDone::Losses(_)) => {
                matches!(waiting.then, Then::Chat(ChatThen::ShowLosses(_) | ChatThen::Recheck(_)))
            }
            Outcome::Read(ReadDone::Shown(ShownContent::Places { .. })) => {
                matches!(waiting.then, Then::Read(ReadThen::Show(ShownRead::Places { .. })))
            }
            Outcome::Trash(TrashDone::Listed(_)) => waiting.then == TrashThen::Show.into(),
            Outcome::Storage(_) => matches!(waiting.then, Then::Storage(_)),
            Outcome::Server(_) => matches!(waiting.then, Then::Server(_)),
            Outcome::Chat(_) => !matches!(waiting.then, Then::Read(_)),
            _ => true,
        };
        let mut waiting = self.state.domain.live.waiting.iter().rev();
        let found = waiting.find(|(_, waiting)| waiting.requester.is_at(ME) && fits(waiting));
        let (work, _) = found.unwrap_or_else(|| panic!("nobody waits for {outcome:?}"));
        self.done(*work, outcome)
    }

    pub fn fails(&mut self, problem: Problem) -> Vec<Effect> {
        self.comes(Outcome::Failed(problem))
    }

    pub fn loses(&mut self, losses: Losses) -> Vec<Effect> {
        self.comes(Outcome::Chat(ChatDone::Losses(losses)))
    }

    pub fn suggests(&mut self, hints: Vec<PlaceHint>, roles: Vec<RoleEntry>) -> Vec<Effect> {
        self.comes(Outcome::Read(ReadDone::Shown(ShownContent::Places {
            hints,
            roles,
            branch: None,
        })))
    }

    pub fn lists_servers(&mut self, chat: &str, servers: Vec<ServerEntry>) -> Vec<Effect> {
        let (chat, changed) = (id(chat), None);
        self.comes(Outcome::Server(ServerDone::Listed { chat, changed, servers }))
    }

    pub fn lists_trash(&mut self, list: Vec<Deleted>) -> Vec<Effect> {
        self.comes(Outcome::Trash(TrashDone::Listed(list)))
    }

    pub fn measures(&mut self, used: DiskUse) -> Vec<Effect> {
        self.comes(Outcome::Storage(StorageDone::Used(used)))
    }

    /// The setup files of projects, by their names.
    pub fn lists_setups(&mut self, projects: &[(&str, &[&str])]) -> Vec<Effect> {
        let setup = |(project, files): &(&str, &[&str])| ProjectSetup {
            project: (*project).into(),
            origin: format!("example.org/acme/{project}"),
            files: files
                .iter()
                .map(|path| SetupFile {
                    path: (*path).into(),
                    bytes: 120,
                })
                .collect(),
        };
        let setups = projects.iter().map(setup).collect();
        self.comes(Outcome::Storage(StorageDone::Setups(setups)))
    }

    /// The chat that the dialog asked for is there: this one.
    pub fn is_made(&mut self, chat: &str) -> Vec<Effect> {
        let made = self.state.domain.disk.chats[&id(chat)].clone();
        self.comes(Outcome::Chat(ChatDone::Loaded(Box::new(made))))
    }

    /// What was agreed to is carried out: the agent ends, and the chat goes into the trash.
    pub fn is_deleted(&mut self, chat: &str) -> Vec<Effect> {
        self.comes(Outcome::Chat(ChatDone::ReadyToTrash));
        let exited = PaneEvent::Exited {
            code: Some(0),
            signal: None,
        };
        let effects = self.said(chat, exited);
        let trash = works(&effects).into_iter();
        let mut trash = trash.filter(|(_, job)| *job == ChatWork::Trash(id(chat)).into());
        let (work, _) = trash.next().expect("it goes into the trash");
        self.done(work, Outcome::Chat(ChatDone::Removed(id(chat), Vec::new())))
    }
}

/// Three chats, two repositories of which nobody uses one, the index of the search, and a deleted chat.
pub fn disk_use() -> DiskUse {
    let item = |place, name: &str, kilobytes: u64| DiskItem {
        place,
        name: name.into(),
        bytes: kilobytes * 1_000,
        more: kilobytes > 2_000_000,
    };
    let repository = |name: &str, chats| DiskPlace::Repository {
        path: format!("example.org/acme/{name}.git").into(),
        chats,
    };
    DiskUse {
        items: vec![
            item(DiskPlace::Chat { chat: id("auth") }, "Fix auth bug", 2_340_000),
            item(repository("ledger", 0), "https://example.org/acme/ledger", 412_000),
            item(repository("grove", 2), "https://example.org/acme/grove", 96_000),
            item(DiskPlace::Trash { chat: id("gone") }, "Upgrade to Rails 8", 8_100),
            item(DiskPlace::SearchIndex, "search index", 340),
        ],
        freed: 0,
    }
}

/// If a dialog is open, a key lists its keys over it, all that its hints name among them, and Esc leads back to it.
pub fn shows_its_keys(world: &mut World) {
    world.calm();
    let Some(view) = world.state.views.get_mut(&ME) else {
        return;
    };
    view.over.keys = None;
    let view = &world.state.views[&ME];
    let Some(open) = view.over.dialog.as_ref() else {
        return;
    };
    let name: &str = open.into();
    let sections = open.contract().keys();
    let is_typed_in = open.contract().is_typed_in();
    let hints = hints(&world.state, view);
    // The next key is bound, whatever it is.
    if sections.is_empty() {
        return;
    }
    let keys = sections.iter().flat_map(|(_, lines)| lines).flat_map(|line| line.keys);
    let keys: Vec<KeyEvent> = keys.map(|key| normal(parse(key).unwrap())).collect();
    let asks = if is_typed_in { "f1" } else { "?" };
    let (last, own) = hints.split_last().expect("hints");
    assert!(last.begins().eq([parse(asks).unwrap()]), "{name} ends with {last:?}");
    for hint in own {
        let missed: Vec<KeyEvent> = hint.begins().filter(|key| !keys.contains(&normal(*key))).collect();
        assert!(missed.is_empty(), "{name} does not list {missed:?} of {hint:?}");
    }
    for (asks, ends) in [(asks, "esc"), ("f1", "f1")] {
        world.press(asks);
        assert!(
            world.state.views[&ME].over.keys.is_some(),
            "{asks} lists no keys of {name}"
        );
        world.press("down pageup");
        world.press(ends);
        world.calm();
        let view = &world.state.views[&ME];
        let still: Option<&str> = view.over.dialog.as_ref().map(Into::into);
        assert_eq!((view.over.keys.as_ref(), still), (None, Some(name)));
    }
}
