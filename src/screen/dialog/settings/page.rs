//! What one person looks at in the settings, and how it is moved in.

use std::path::{Path, PathBuf};

use strum::VariantArray;

use crate::model::setting::{self, SettingEdit, SettingSection, SettingsFile};
use crate::model::{Problem, RequestId, Settings};

use super::super::tables::{MoveKey, SETTINGS, SettingsKey};
use super::super::{Around, Field, Reply, Room, SettingWish, Wish};
use super::access::ChatAccess;
use super::input::SettingMode;
use super::keys;
use super::rows::{self, SettingRow, SettingsKnown};

/// What the keys move in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingsFocus {
    Sections,
    Rows,
}

/// A change that is being written.
pub(super) struct SettingWrite {
    pub request: RequestId,
    /// What is told then.
    pub told: String,
    pub then: AfterWrite,
}

pub(super) enum AfterWrite {
    /// These undo it.
    Undoable(Vec<SettingEdit>),
    /// The last change is undone.
    Undone,
    Nothing,
}

pub struct SettingsPage {
    pub section: SettingSection,
    pub focus: SettingsFocus,
    /// The chosen row.
    pub at: usize,
    pub search: Field,
    /// What is searched for is being typed.
    pub is_searching: bool,
    /// `None` until it is read.
    pub known: Option<SettingsKnown>,
    pub mode: Option<SettingMode>,
    /// What became of the last change, or why there was none.
    pub news: Option<Result<String, String>>,
    /// A setting with several entries, all of which go if the same key is pressed again.
    pub(super) empties: Option<Vec<String>>,
    /// The settings in force when the file was read last.
    pub(super) seen: Option<(Settings, Option<Problem>)>,
    /// The request by which it is read.
    pub(super) reading: Option<RequestId>,
    /// The request by which a call is judged that is tried.
    pub(super) trying: Option<RequestId>,
    /// The request by which it is changed.
    pub(super) writing: Option<SettingWrite>,
    /// What undoes the changes that were made here, the last one at the end.
    pub(super) undo: Vec<Vec<SettingEdit>>,
    /// The last of them was asked for. The same edits may be a change of their own.
    pub(super) undoes: bool,
}

impl Default for SettingsPage {
    fn default() -> SettingsPage {
        SettingsPage {
            section: SettingSection::General,
            focus: SettingsFocus::Rows,
            at: 0,
            search: Field::new("", Room::Line),
            is_searching: false,
            known: None,
            mode: None,
            news: None,
            empties: None,
            seen: None,
            reading: None,
            trying: None,
            writing: None,
            undo: Vec::new(),
            undoes: false,
        }
    }
}

impl SettingsPage {
    /// Those that have to do with these words.
    pub fn about(words: &str) -> SettingsPage {
        SettingsPage {
            search: Field::new(words, Room::Line),
            ..SettingsPage::default()
        }
    }

    /// With what undoes earlier changes.
    pub fn undoing(undo: Vec<Vec<SettingEdit>>) -> SettingsPage {
        SettingsPage {
            undo,
            ..SettingsPage::default()
        }
    }

    pub fn into_undo(self) -> Vec<Vec<SettingEdit>> {
        self.undo
    }

    pub fn rows(&self) -> Vec<SettingRow> {
        match &self.known {
            Some(known) => rows::rows(self.section, &self.search.text(), known),
            None => Vec::new(),
        }
    }

    /// The first row that is seen of a list with room for so many.
    pub fn first(&self, rows: usize) -> usize {
        (self.at + 1).saturating_sub(rows)
    }

    pub fn chosen(&self) -> Option<SettingRow> {
        self.rows().into_iter().nth(self.at)
    }

    /// The theme to draw in while one is chosen: that of the cursor, `None` in it for none.
    pub fn previewed_theme(&self) -> Option<Option<&str>> {
        match &self.mode {
            Some(SettingMode::Choose(choices)) => choices.theme(),
            Some(SettingMode::Type(_) | SettingMode::Catch(_) | SettingMode::Form(_)) | None => None,
        }
    }

    pub(super) fn show(&mut self, section: SettingSection) {
        (self.section, self.at, self.news) = (section, 0, None);
        self.search.set("");
    }

    pub(super) fn step_section(&mut self, key: MoveKey) {
        let all = SettingSection::VARIANTS;
        let at = all.iter().position(|section| *section == self.section).unwrap_or(0);
        let to = key.go(at, all.len() - 1, all.len());
        self.show(all[to]);
    }

    /// Why nothing can be changed now.
    pub(super) fn is_closed(&self) -> Option<String> {
        match &self.known {
            None => Some("config.json is still being read".into()),
            Some(known) if known.file.broken.is_some() => {
                let editor = SETTINGS.key(SettingsKey::Editor);
                Some(format!(
                    "config.json cannot be read, so nothing is written into it. {editor} opens it."
                ))
            }
            Some(_) if self.writing.is_some() => Some("the last change is still being written".into()),
            Some(_) => None,
        }
    }

    pub(super) fn change(&mut self, edit: SettingEdit) -> Reply {
        Reply::Submit(Wish::Setting(SettingWish::Edit(vec![edit])))
    }

    pub(super) fn undo(&mut self) -> Reply {
        self.news = self.is_closed().map(Err);
        match (self.undo.last(), &self.news) {
            (_, Some(_)) => Reply::Stay,
            (Some(edits), None) => {
                self.undoes = true;
                Reply::Submit(Wish::Setting(SettingWish::Edit(edits.clone())))
            }
            (None, None) => {
                self.news = Some(Err("nothing has been changed here".into()));
                Reply::Stay
            }
        }
    }

    /// These are being written.
    pub(super) fn writes(&mut self, edits: &[SettingEdit], request: RequestId) {
        let undoes = std::mem::take(&mut self.undoes);
        let names = || edits.iter().map(|edit| edit.way().join(".")).collect::<Vec<_>>();
        let written = self.known.as_ref().map(|known| &known.file.written);
        let (told, then) = match written {
            _ if undoes => (format!("{} is as it was.", names().join(", ")), AfterWrite::Undone),
            Some(before) => {
                let undone = edits.iter().rev().map(|edit| edit.undone(before)).collect();
                (SettingsPage::told(edits), AfterWrite::Undoable(undone))
            }
            None => (SettingsPage::told(edits), AfterWrite::Nothing),
        };
        self.writing = Some(SettingWrite { request, told, then });
    }

    /// They are written: says what is told.
    pub(super) fn wrote(&mut self, write: SettingWrite) -> String {
        match write.then {
            AfterWrite::Undoable(edits) => self.undo.push(edits),
            AfterWrite::Undone => drop(self.undo.pop()),
            AfterWrite::Nothing => {}
        }
        write.told
    }

    /// What is told once a change is written.
    fn told(edits: &[SettingEdit]) -> String {
        let names = edits
            .iter()
            .map(|edit| edit.way().join("."))
            .collect::<Vec<_>>()
            .join(", ");
        match edits.first() {
            Some(SettingEdit::Unset(way)) => {
                let has_default = way.first().is_some_and(|first| first == "keys")
                    || setting::all().iter().any(|setting| setting.path == names);
                match has_default {
                    true => format!("{names} has its default again."),
                    false => format!("{names} is removed."),
                }
            }
            Some(SettingEdit::Set(..) | SettingEdit::Push(..)) | None => format!("{names} is kept in config.json."),
        }
    }

    pub(super) fn close(&mut self) -> Reply {
        if self.search.is_empty() {
            return Reply::Close;
        }
        self.search.set("");
        self.at = 0;
        Reply::Stay
    }

    /// It is opened once it is there.
    pub(super) fn open_file(&self, path: PathBuf) -> Reply {
        Reply::Submit(Wish::Setting(SettingWish::Begin(path)))
    }

    pub(super) fn begun_file(&self, path: &Path) -> Reply {
        let broken = self.known.as_ref().and_then(|known| known.file.broken.as_ref());
        let line = broken.and_then(|broken| broken.at).map_or(1, |(line, _)| line);
        let line = u32::try_from(line).unwrap_or(1);
        Reply::Leave(Wish::Setting(SettingWish::OpenFile(path.to_path_buf(), line)))
    }

    /// What is chosen stays so where rows come and go above it.
    pub(super) fn take(&mut self, file: &SettingsFile, around: &Around) {
        let chosen = self.chosen();
        self.known = Some(SettingsKnown {
            file: file.clone(),
            keys: keys::bindings(&around.domain.disk.settings),
            chats: ChatAccess::all(around.domain),
        });
        let rows = self.rows();
        let place = chosen.and_then(|chosen| rows.iter().position(|row| *row == chosen));
        self.at = place.unwrap_or(self.at).min(rows.len().saturating_sub(1));
    }
}
