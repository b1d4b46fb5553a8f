//! The files that new clones of each project get: seen, added and removed.

use crossterm::event::KeyEvent;

use crate::domain::notice::{DiskNews, Done};
use crate::domain::work::StorageWork;
use crate::model::bytes::in_words;
use crate::model::storage::{ProjectSetup, SetupFile};
use crate::model::text::{one_line, visible};
use crate::model::{Problem, RequestId, Timestamp};

use super::super::hint::Hint;
use super::super::scrollbar::ScrollBar;
use super::list_page::{ListPage, PageAnswer, StoredPage, StoredQuestion, StoredRow};
use super::tables::{self, KeySection, ListKey, QUESTION, SETUP, SetupKey};
use super::{Around, Contract, DiskWish, OtherPage, Reply, Stop, Wish};

const REMOVE: [(Stop, &str); 2] = [(Stop::No, "Keep it"), (Stop::Yes, "Remove it")];

#[derive(Default)]
pub struct SetupPage {
    page: ListPage,
    /// `None` until they are read.
    projects: Option<Vec<ProjectSetup>>,
}

impl SetupPage {
    fn files(&self) -> impl Iterator<Item = (&ProjectSetup, &SetupFile)> {
        let projects = self.projects.iter().flatten();
        projects.flat_map(|project| project.files.iter().map(move |file| (project, file)))
    }

    fn chosen(&self) -> Option<(&ProjectSetup, &SetupFile)> {
        self.files().nth(self.page.at)
    }

    fn answer(&self, answered: PageAnswer) -> Reply {
        match (answered, self.chosen()) {
            (PageAnswer::Yes, Some((project, file))) => {
                Reply::Submit(Wish::Disk(DiskWish::Change(StorageWork::RemoveSetup {
                    project: project.project.clone(),
                    files: vec![file.path.clone()],
                })))
            }
            (PageAnswer::Yes, None) => Reply::Stay,
            (PageAnswer::Not(reply), _) => *reply,
        }
    }
}

impl StoredPage for SetupPage {
    fn page(&self) -> &ListPage {
        &self.page
    }

    fn title(&self) -> String {
        "Setup files".into()
    }

    fn rows(&self) -> Vec<StoredRow> {
        let row = |(project, file): (&ProjectSetup, &SetupFile)| StoredRow {
            name: one_line(&file.path, 80),
            note: one_line(&project.project, 40),
            right: in_words(file.bytes),
        };
        self.files().map(row).collect()
    }

    fn about(&self) -> Vec<String> {
        match self.chosen() {
            Some((project, _)) => vec![
                format!(
                    "Each new clone of {} gets it, unless the repository tracks it.",
                    visible(&project.project)
                ),
                visible(&project.origin),
            ],
            None => Vec::new(),
        }
    }

    fn empty(&self) -> (&'static str, &'static str) {
        (
            "No setup files are kept",
            "A file such as .env, which a repository does not hold, can be kept for all new clones of its project. \
             Agents keep what they had to make, and you can add a file of this chat's clone.",
        )
    }

    fn question(&self) -> StoredQuestion {
        let lines = self.chosen().map(|(project, file)| {
            [
                format!("{} of {}", visible(&file.path), visible(&project.project)),
                String::new(),
                "New clones do not get it any more. Clones that have it keep it.".into(),
            ]
        });
        StoredQuestion {
            title: "Remove this setup file?",
            lines: lines.into_iter().flatten().collect(),
            buttons: REMOVE,
        }
    }
}

impl Contract for SetupPage {
    fn press(&mut self, key: KeyEvent, around: &Around) -> Reply {
        if self.page.confirm.is_some() {
            let answered = self.page.press_question(key, &REMOVE, around);
            return self.answer(answered);
        }
        let count = self.files().count();
        match SETUP.command(key) {
            Some(SetupKey::Close) => return Reply::Close,
            Some(SetupKey::Add) => return Reply::Instead(OtherPage::AddSetup),
            Some(SetupKey::Remove) if count > 0 => self.page.ask(around.domain.now),
            Some(SetupKey::Move(key)) => self.page.move_to(key, count, around),
            Some(SetupKey::Remove) | None => {}
        }
        Reply::Stay
    }

    fn click(&mut self, at: (u16, u16), around: &Around) -> Reply {
        let count = self.files().count();
        let answered = self.page.click(at, count, &self.question(), around);
        self.answer(answered)
    }

    fn bars(&self, around: &Around) -> Vec<ScrollBar> {
        self.page.bars(self.files().count(), around)
    }

    fn scroll_to(&mut self, bar: &ScrollBar, first: usize, _: &Around) {
        self.page.at = bar.selection(first, self.page.at);
    }

    fn keys(&self) -> Vec<KeySection> {
        match self.page.confirm.is_some() {
            true => vec![QUESTION.section()],
            false => vec![SETUP.section()],
        }
    }

    fn hints(&self, _: &Around) -> Vec<Hint> {
        if self.page.confirm.is_some() {
            return tables::question_hints();
        }
        let mut hints = vec![SETUP.hint(&[SetupKey::Add], "add")];
        if self.chosen().is_some() {
            hints.push(SETUP.hint(&[SetupKey::Remove], "remove"));
        }
        hints.push(SETUP.hint(&[SetupKey::Close], "close"));
        hints.push(SETUP.hint(&[ListKey::Up, ListKey::Down].map(SetupKey::Move), "move"));
        hints
    }

    fn shown(&self) -> Option<Timestamp> {
        self.page.confirm.as_ref().map(|form| form.shown)
    }

    fn asks_within(&self) -> bool {
        self.page.confirm.is_some()
    }

    fn settle(&mut self, _: &Around) -> Reply {
        self.page.settle(StorageWork::ListSetup)
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
        if let Some(DiskNews::Setups(projects)) = self.page.answered(done) {
            let count = projects.iter().map(|project| project.files.len()).sum();
            self.projects = Some(projects);
            self.page.hold_within(count);
        }
        Reply::Stay
    }

    fn failed(&mut self, _: RequestId, problem: Problem) {
        self.page.failed(problem);
    }
}
