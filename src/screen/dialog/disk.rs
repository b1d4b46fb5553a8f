//! What chats, caches and deleted chats take on disk, the largest first.

use crossterm::event::KeyEvent;

use crate::domain::notice::{DiskNews, Done};
use crate::domain::work::StorageWork;
use crate::model::bytes::in_words;
use crate::model::storage::{DiskItem, DiskPlace, DiskUse};
use crate::model::text::{one_line, visible};
use crate::model::{Problem, RequestId, Timestamp};

use super::super::hint::Hint;
use super::super::scrollbar::ScrollBar;
use super::list_page::{ListPage, PageAnswer, StoredPage, StoredQuestion, StoredRow};
use super::tables::{self, DISK, DiskKey, KeySection, ListKey, QUESTION};
use super::{Around, Contract, DiskWish, OtherPage, Reply, Stop, Wish};

const PRUNE: [(Stop, &str); 2] = [(Stop::No, "Keep them"), (Stop::Yes, "Remove them")];

#[derive(Default)]
pub struct DiskPage {
    page: ListPage,
    /// `None` until it is measured.
    used: Option<DiskUse>,
}

impl DiskPage {
    fn items(&self) -> &[DiskItem] {
        self.used.as_ref().map_or(&[], |used| &used.items)
    }

    fn chosen(&self) -> Option<&DiskItem> {
        self.items().get(self.page.at)
    }

    fn unused(&self) -> u64 {
        let unused = self.used.iter().flat_map(DiskUse::unused);
        unused.map(|item| item.bytes).sum()
    }

    /// Chats are deleted where it is said what they would lose.
    fn remove(&mut self, around: &Around) -> Reply {
        match self.chosen().map(|item| item.place.clone()) {
            Some(DiskPlace::Chat { chat }) => Reply::Instead(OtherPage::Delete(chat)),
            Some(DiskPlace::Trash { chat }) => Reply::Instead(OtherPage::Purge(chat)),
            Some(DiskPlace::Repository { .. }) => self.prune(around),
            Some(DiskPlace::SearchIndex | DiskPlace::Cache) | None => Reply::Stay,
        }
    }

    fn prune(&mut self, around: &Around) -> Reply {
        if self.unused() > 0 {
            self.page.ask(around.domain.now);
        }
        Reply::Stay
    }

    fn restore(&self) -> Reply {
        match self.chosen().map(|item| &item.place) {
            Some(DiskPlace::Trash { chat }) if !self.page.is_busy() => {
                Reply::Submit(Wish::Disk(DiskWish::Restore(chat.clone())))
            }
            Some(_) | None => Reply::Stay,
        }
    }

    fn open(&self) -> Reply {
        match self.chosen().map(|item| &item.place) {
            Some(DiskPlace::Chat { chat }) => Reply::Go(chat.clone()),
            Some(DiskPlace::Trash { .. }) => Reply::Instead(OtherPage::Trash),
            Some(DiskPlace::Repository { .. } | DiskPlace::SearchIndex | DiskPlace::Cache) | None => Reply::Stay,
        }
    }

    fn answer(&self, answered: PageAnswer) -> Reply {
        match answered {
            PageAnswer::Yes => Reply::Submit(Wish::Disk(DiskWish::Change(StorageWork::Prune { index: false }))),
            PageAnswer::Not(reply) => *reply,
        }
    }
}

impl StoredPage for DiskPage {
    fn page(&self) -> &ListPage {
        &self.page
    }

    fn title(&self) -> String {
        match &self.used {
            Some(used) => format!("Disk · {} in all", in_words(used.bytes())),
            None => "Disk".into(),
        }
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

    fn about(&self) -> Vec<String> {
        let said = match self.chosen().map(|item| &item.place) {
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

    fn question(&self) -> StoredQuestion {
        let unused = self.used.iter().flat_map(DiskUse::unused);
        let lines = unused.map(|item| format!("· {} ({})", visible(&item.name), in_words(item.bytes)));
        let after = ["".into(), "They are fetched again when they are wanted.".into()];
        StoredQuestion {
            title: "Remove the repositories that no chat uses?",
            lines: lines.chain(after).collect(),
            buttons: PRUNE,
        }
    }
}

impl Contract for DiskPage {
    fn press(&mut self, key: KeyEvent, around: &Around) -> Reply {
        if self.page.confirm.is_some() {
            let answered = self.page.press_question(key, &PRUNE, around);
            return self.answer(answered);
        }
        let count = self.items().len();
        match DISK.command(key) {
            Some(DiskKey::Close) => Reply::Close,
            Some(DiskKey::Open) => self.open(),
            Some(DiskKey::Remove) => self.remove(around),
            Some(DiskKey::Restore) => self.restore(),
            Some(DiskKey::Prune) => self.prune(around),
            Some(DiskKey::Move(key)) => {
                self.page.move_to(key, count, around);
                Reply::Stay
            }
            None => Reply::Stay,
        }
    }

    fn click(&mut self, at: (u16, u16), around: &Around) -> Reply {
        let count = self.items().len();
        let answered = self.page.click(at, count, &self.question(), around);
        self.answer(answered)
    }

    fn bars(&self, around: &Around) -> Vec<ScrollBar> {
        self.page.bars(self.items().len(), around)
    }

    fn scroll_to(&mut self, bar: &ScrollBar, first: usize, _: &Around) {
        self.page.at = bar.selection(first, self.page.at);
    }

    fn keys(&self) -> Vec<KeySection> {
        match self.page.confirm.is_some() {
            true => vec![QUESTION.section()],
            false => vec![DISK.section()],
        }
    }

    fn hints(&self, _: &Around) -> Vec<Hint> {
        if self.page.confirm.is_some() {
            return tables::question_hints();
        }
        let mut hints = match self.chosen().map(|item| &item.place) {
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
        hints.push(DISK.hint(&[DiskKey::Close], "close"));
        hints.push(DISK.hint(&[ListKey::Up, ListKey::Down].map(DiskKey::Move), "move"));
        hints
    }

    fn shown(&self) -> Option<Timestamp> {
        self.page.confirm.as_ref().map(|form| form.shown)
    }

    fn asks_within(&self) -> bool {
        self.page.confirm.is_some()
    }

    fn settle(&mut self, _: &Around) -> Reply {
        self.page.settle(StorageWork::Measure)
    }

    fn begun(&mut self, wish: &Wish, request: RequestId, _: Timestamp) {
        self.page.begun(wish, request);
    }

    fn awaits(&self, request: RequestId) -> bool {
        self.page.awaits(request)
    }

    fn is_busy(&self) -> bool {
        self.page.is_busy()
    }

    fn answered(&mut self, _: RequestId, done: &Done, _: &Around) -> Reply {
        if let Done::Restored(_) = done {
            return Reply::Over;
        }
        if let Some(DiskNews::Used(used)) = self.page.answered(done) {
            self.page.hold_within(used.items.len());
            self.used = Some(used);
        }
        Reply::Stay
    }

    fn failed(&mut self, _: RequestId, problem: Problem) {
        self.page.failed(problem);
    }
}
