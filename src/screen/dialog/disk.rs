//! What chats, caches and deleted chats take on disk, the largest first.

use crossterm::event::KeyEvent;

use crate::domain::notice::DiskNews;
use crate::domain::state::Domain;
use crate::domain::work::StorageWork;
use crate::model::ChatId;
use crate::model::bytes::in_words;
use crate::model::storage::{DiskItem, DiskPlace, DiskUse};
use crate::model::text::{one_line, visible};

use super::super::hint::Hint;
use super::list_page::{ListPage, StoredList, StoredPress, StoredQuestion, StoredRow};
use super::tables::{DISK, DiskKey, KeySection, MoveKey};
use super::{Button, DiskWish, OtherPage, Reply, Stop, Wish};

const PRUNE: [Button; 2] = [(Stop::No, "Keep them"), (Stop::Yes, "Remove them")];

pub type DiskPage = ListPage<DiskList>;

impl DiskPage {
    /// A chat of it was deleted, or not: it is measured again, and what is known of it by then is shown.
    pub fn again(mut self: Box<Self>, domain: &Domain) -> Box<Self> {
        for item in self.list.used.iter_mut().flat_map(|used| &mut used.items) {
            if let DiskPlace::Chat { chat } = &item.place
                && !domain.disk.chats.contains_key(chat)
            {
                item.place = DiskPlace::Trash { chat: chat.clone() };
            }
        }
        self.looks_again();
        self
    }
}

/// The chat that takes this place, in the trash or not.
fn chat_of(item: &DiskItem) -> Option<&ChatId> {
    match &item.place {
        DiskPlace::Chat { chat } | DiskPlace::Trash { chat } => Some(chat),
        DiskPlace::Repository { .. } | DiskPlace::SearchIndex | DiskPlace::Cache => None,
    }
}

#[derive(Default)]
pub struct DiskList {
    /// `None` until it is measured.
    used: Option<DiskUse>,
}

impl DiskList {
    fn items(&self) -> &[DiskItem] {
        self.used.as_ref().map_or(&[], |used| &used.items)
    }

    fn chosen(&self, at: usize) -> Option<&DiskItem> {
        self.items().get(at)
    }

    fn unused(&self) -> u64 {
        let unused = self.used.iter().flat_map(DiskUse::unused);
        unused.map(|item| item.bytes).sum()
    }

    /// Chats are deleted where it is said what they would lose.
    fn remove(&self, place: Option<&DiskPlace>) -> StoredPress {
        match place {
            Some(DiskPlace::Chat { chat }) => reply(Reply::Instead(OtherPage::Delete(chat.clone()))),
            Some(DiskPlace::Trash { chat }) => reply(Reply::Instead(OtherPage::Purge(chat.clone()))),
            Some(DiskPlace::Repository { .. }) => self.prune(),
            Some(DiskPlace::SearchIndex | DiskPlace::Cache) | None => reply(Reply::Stay),
        }
    }

    fn prune(&self) -> StoredPress {
        match self.unused() {
            0 => reply(Reply::Stay),
            _ => StoredPress::Ask,
        }
    }
}

fn restore(place: Option<&DiskPlace>) -> Reply {
    match place {
        Some(DiskPlace::Trash { chat }) => Reply::Submit(Wish::Disk(DiskWish::Restore(chat.clone()))),
        Some(DiskPlace::Chat { .. } | DiskPlace::Repository { .. } | DiskPlace::SearchIndex | DiskPlace::Cache)
        | None => Reply::Stay,
    }
}

fn open(place: Option<&DiskPlace>) -> Reply {
    match place {
        Some(DiskPlace::Chat { chat }) => Reply::Go(chat.clone()),
        Some(DiskPlace::Trash { .. }) => Reply::Instead(OtherPage::Trash),
        Some(DiskPlace::Repository { .. } | DiskPlace::SearchIndex | DiskPlace::Cache) | None => Reply::Stay,
    }
}

fn reply(reply: Reply) -> StoredPress {
    StoredPress::Reply(Box::new(reply))
}

impl StoredList for DiskList {
    fn title(&self) -> String {
        match &self.used {
            Some(used) => format!("Disk · {} in all", in_words(used.bytes())),
            None => "Disk".into(),
        }
    }

    fn count(&self) -> usize {
        self.items().len()
    }

    fn rows(&self) -> Vec<StoredRow> {
        let row = |item: &DiskItem| StoredRow {
            name: one_line(&item.name, 80),
            note: match &item.place {
                DiskPlace::Repository { chats: 0, .. } => "repository, unused".into(),
                place => place.word().into(),
            },
            right: in_words(item.bytes) + if item.more { "+" } else { "" },
        };
        self.items().iter().map(row).collect()
    }

    fn about(&self, at: usize) -> Vec<String> {
        let said = match self.chosen(at).map(|item| &item.place) {
            Some(DiskPlace::Chat { .. }) => "Its directory with its clones, its transcript and its checkpoints.".into(),
            Some(DiskPlace::Trash { .. }) => {
                "A deleted chat. It can be restored, and is removed 7 days after that.".into()
            }
            Some(DiskPlace::Repository { chats, path }) => {
                let path = visible(&path.to_string_lossy());
                match chats {
                    0 => format!("bare/{path}: no chat has a clone of it. It is fetched again when it is wanted."),
                    1 => format!("bare/{path}: one chat has a clone of it."),
                    chats => format!("bare/{path}: {chats} chats have clones of it."),
                }
            }
            Some(DiskPlace::SearchIndex) => {
                "Finds words in all transcripts. `parlour cache prune --index` removes it, and it is made again.".into()
            }
            Some(DiskPlace::Cache) => "parlour keeps it small, and makes it again if it is removed.".into(),
            None => return Vec::new(),
        };
        let unused = match self.unused() {
            0 => None,
            bytes => Some(format!("{} in repositories that no chat uses.", in_words(bytes))),
        };
        let freed = self.used.as_ref().map_or(0, |used| used.freed);
        let freed = (freed > 0).then(|| format!("{} freed.", in_words(freed)));
        freed.into_iter().chain([said]).chain(unused).collect()
    }

    fn empty(&self) -> (&'static str, &'static str) {
        (
            "Nothing lies on disk yet",
            "Chats, cached repositories and the trash are listed here with what they take.",
        )
    }

    fn keys(&self) -> KeySection {
        DISK.section()
    }

    fn hints(&self, at: usize) -> Vec<Hint> {
        let mut hints = match self.chosen(at).map(|item| &item.place) {
            Some(DiskPlace::Chat { .. }) => vec![
                DISK.hint(&[DiskKey::Open], "go there"),
                DISK.hint(&[DiskKey::Remove], "delete"),
            ],
            Some(DiskPlace::Trash { .. }) => vec![
                DISK.hint(&[DiskKey::Restore], "restore"),
                DISK.hint(&[DiskKey::Remove], "delete for good"),
            ],
            Some(DiskPlace::Repository { .. } | DiskPlace::SearchIndex | DiskPlace::Cache) | None => Vec::new(),
        };
        if self.unused() > 0 {
            hints.push(DISK.hint(&[DiskKey::Prune], "remove unused"));
        }
        hints.push(DISK.hint(&[DiskKey::Close], "close").way_out());
        hints.push(DISK.hint(&[MoveKey::Up, MoveKey::Down].map(DiskKey::Move), "move"));
        hints
    }

    fn press(&self, at: usize, key: KeyEvent) -> StoredPress {
        let place = self.chosen(at).map(|item| &item.place);
        match DISK.command(key) {
            Some(DiskKey::Move(key)) => StoredPress::Move(key),
            Some(DiskKey::Remove) => self.remove(place),
            Some(DiskKey::Prune) => self.prune(),
            Some(DiskKey::Close) => reply(Reply::Close),
            Some(DiskKey::Open) => reply(open(place)),
            Some(DiskKey::Restore) => reply(restore(place)),
            None => reply(Reply::Stay),
        }
    }

    fn question(&self, _: usize) -> StoredQuestion {
        let unused = self.used.iter().flat_map(DiskUse::unused);
        let lines = unused.map(|item| format!("· {} ({})", visible(&item.name), in_words(item.bytes)));
        let after = ["".into(), "They are fetched again when they are wanted.".into()];
        StoredQuestion {
            title: "Remove the repositories that no chat uses?",
            lines: lines.chain(after).collect(),
            buttons: &PRUNE,
        }
    }

    fn agreed(&self, _: usize) -> Reply {
        Reply::Submit(Wish::Disk(DiskWish::Change(StorageWork::Prune { index: false })))
    }

    fn reading(&self) -> StorageWork {
        StorageWork::Measure
    }

    /// The cursor stays at its chat.
    fn take(&mut self, news: &DiskNews, at: usize) -> usize {
        let DiskNews::Used(used) = news else {
            return at;
        };
        let chosen = self.chosen(at).and_then(chat_of);
        let is_chosen = |item: &DiskItem| chosen.is_some() && chat_of(item) == chosen;
        let to = used.items.iter().position(is_chosen).unwrap_or(at);
        self.used = Some(used.clone());
        to
    }
}
