//! The files that new clones of each project get: seen, added and removed.

use crossterm::event::KeyEvent;

use crate::domain::notice::DiskNews;
use crate::domain::work::StorageWork;
use crate::model::bytes::in_words;
use crate::model::storage::{ProjectSetup, SetupFile};
use crate::model::text::{one_line, visible};

use super::super::hint::Hint;
use super::list_page::{ListPage, StoredList, StoredPress, StoredQuestion, StoredRow};
use super::tables::{KeySection, MoveKey, SETUP, SetupKey};
use super::{Button, DiskWish, OtherPage, Reply, Stop, Wish};

const REMOVE: [Button; 2] = [(Stop::No, "Keep it"), (Stop::Yes, "Remove it")];

pub type SetupPage = ListPage<SetupList>;

#[derive(Default)]
pub struct SetupList {
    /// `None` until they are read.
    projects: Option<Vec<ProjectSetup>>,
}

impl SetupList {
    fn files(&self) -> impl Iterator<Item = (&ProjectSetup, &SetupFile)> {
        let projects = self.projects.iter().flatten();
        projects.flat_map(|project| project.files.iter().map(move |file| (project, file)))
    }

    fn chosen(&self, at: usize) -> Option<(&ProjectSetup, &SetupFile)> {
        self.files().nth(at)
    }
}

impl StoredList for SetupList {
    fn title(&self) -> String {
        "Setup files".into()
    }

    fn count(&self) -> usize {
        self.files().count()
    }

    fn rows(&self) -> Vec<StoredRow> {
        let row = |(project, file): (&ProjectSetup, &SetupFile)| StoredRow {
            name: one_line(&file.path, 80),
            note: one_line(&project.project, 40),
            right: in_words(file.bytes),
        };
        self.files().map(row).collect()
    }

    fn about(&self, at: usize) -> Vec<String> {
        match self.chosen(at) {
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

    fn keys(&self) -> KeySection {
        SETUP.section()
    }

    fn hints(&self, at: usize) -> Vec<Hint> {
        let mut hints = vec![SETUP.hint(&[SetupKey::Add], "add")];
        if self.chosen(at).is_some() {
            hints.push(SETUP.hint(&[SetupKey::Remove], "remove"));
        }
        hints.push(SETUP.hint(&[SetupKey::Close], "close").way_out());
        hints.push(SETUP.hint(&[MoveKey::Up, MoveKey::Down].map(SetupKey::Move), "move"));
        hints
    }

    fn press(&self, _: usize, key: KeyEvent) -> StoredPress {
        let reply = |reply| StoredPress::Reply(Box::new(reply));
        match SETUP.command(key) {
            Some(SetupKey::Move(key)) => StoredPress::Move(key),
            Some(SetupKey::Remove) if self.count() > 0 => StoredPress::Ask,
            Some(SetupKey::Close) => reply(Reply::Close),
            Some(SetupKey::Add) => reply(Reply::Instead(OtherPage::AddSetup)),
            Some(SetupKey::Remove) | None => reply(Reply::Stay),
        }
    }

    fn question(&self, at: usize) -> StoredQuestion {
        let lines = self.chosen(at).map(|(project, file)| {
            [
                format!("{} of {}", visible(&file.path), visible(&project.project)),
                String::new(),
                "New clones do not get it any more. Clones that have it keep it.".into(),
            ]
        });
        StoredQuestion {
            title: "Remove this setup file?",
            lines: lines.into_iter().flatten().collect(),
            buttons: &REMOVE,
        }
    }

    fn agreed(&self, at: usize) -> Reply {
        let Some((project, file)) = self.chosen(at) else {
            return Reply::Stay;
        };
        Reply::Submit(Wish::Disk(DiskWish::Change(StorageWork::RemoveSetup {
            project: project.project.clone(),
            files: vec![file.path.clone()],
        })))
    }

    fn reading(&self) -> StorageWork {
        StorageWork::ListSetup
    }

    fn take(&mut self, news: &DiskNews, at: usize) -> usize {
        if let DiskNews::Setups(projects) = news {
            self.projects = Some(projects.clone());
        }
        at
    }
}
