//! Where one person is in the Changes tab, and what is loaded for it.

use std::collections::{BTreeMap, BTreeSet};

use crossterm::event::KeyEvent;

use crate::model::diff::{FileAsk, FileDiff};
use crate::model::origin::AskedLine;
use crate::model::remark::PlacedRemark;
use crate::model::review::{DiffSet, FileChange, Overview};
use crate::model::{ChatId, Problem, Timestamp, WorkId};

use super::file_key::{DiffLook, FileKey};
use super::folds::HunkFolds;
use super::goal::Goal;
use super::lines::DiffRow;
use super::sought::DiffSearch;

/// Unchanged lines around a change, at first.
const CONTEXT: u32 = 3;

pub struct ChangesView {
    /// The chat that the rest is about.
    pub of: Option<ChatId>,
    /// What is compared with what.
    pub set: DiffSet,
    /// The turn that is chosen in the timeline; `None` follows the last one.
    pub turn: Option<u32>,
    pub marks: PersonMarks,
    pub overview: Option<Overview>,
    pub problem: Option<Problem>,
    pub part: ChangesPart,
    pub tree: FileTree,
    pub file: Option<FileDiff>,
    pub place: LinePlace,
    /// The rows that `place` and `range` are counted in.
    pub(super) laid: Vec<DiffRow>,
    pub folds: HunkFolds,
    /// The row from which on lines are chosen, up to the one that a person is at.
    pub range: Option<usize>,
    pub remarks: Vec<PlacedRemark>,
    /// Where to go once it is here.
    pub goal: Option<Goal>,
    pub look: DiffLook,
    pub newer: NewerTurn,
    pub search: DiffSearch,
    /// Files that were read to the end, with the content that they had.
    pub viewed: BTreeMap<FileKey, String>,
    pub(super) asked: AskedFor,
}

/// A turn that has begun while a person reads another one.
#[derive(Default)]
pub struct NewerTurn {
    /// What was chosen to be compared is on the screen: what differs in it from now on comes by itself.
    pub(super) is_shown: bool,
    /// Remarks on what is compared were sent: the turn that answers them is no reason to leave it.
    pub(super) has_sent: bool,
    /// A turn stays for whoever reads it, though others began after it.
    pub(super) keeps: bool,
    /// The last of these.
    pub turn: Option<u32>,
    /// The person left the tab and has come back: what is newer than all that they saw is what they come for.
    pub(super) comes_back: bool,
}

/// What a person marked a moment ago, for a second key.
#[derive(Default)]
pub struct PersonMarks {
    /// The checkpoint that another is to be compared with.
    pub to_compare: Option<u64>,
    /// What was marked as reviewed last.
    just_reviewed: Option<FreshMark>,
    /// Something is being staged from a comparison that does not show what is staged, and was left for one that does.
    pub(super) leaves_to_stage: bool,
}

/// A mark that the next key may take back.
#[derive(Clone, Copy)]
struct FreshMark {
    checkpoint: u64,
    /// That key is being pressed.
    is_next: bool,
}

impl PersonMarks {
    pub(super) fn reviewed(&mut self, checkpoint: u64) {
        let is_next = false;
        self.just_reviewed = Some(FreshMark { checkpoint, is_next });
    }

    /// The checkpoint of the mark, if this is the key after the one that made it.
    pub(super) fn take_reviewed(&mut self) -> Option<u64> {
        self.just_reviewed.take().map(|mark| mark.checkpoint)
    }

    /// A person does something, whatever it is.
    pub fn pass(&mut self) {
        let fresh = self.just_reviewed.take().filter(|mark| !mark.is_next);
        self.just_reviewed = fresh.map(|mark| FreshMark { is_next: true, ..mark });
    }
}

/// What plain keys work on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChangesPart {
    #[default]
    Files,
    Lines,
}

#[derive(Default)]
pub struct FileTree {
    pub selected: Option<FileKey>,
    /// Keys that wait for the lines of that file.
    pub ahead: Vec<KeyEvent>,
    /// Rows above the first that is shown.
    pub top: usize,
    /// Folded projects and directories.
    pub folded: BTreeSet<FileKey>,
    /// Conflicts with other chats, which are told of above.
    pub clashes: usize,
}

/// Where one is among the lines of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinePlace {
    pub row: usize,
    /// Rows above the first that is shown.
    pub top: usize,
    /// Columns left of the first that is shown.
    pub left: usize,
    /// What was told of a line that a person asked about.
    pub origin: Option<OriginTurn>,
}

/// The turn that wrote a line, or removed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OriginTurn {
    pub turn: u32,
    pub line: AskedLine,
    /// No edit after it may have done that.
    pub is_sure: bool,
}

/// What is on its way.
#[derive(Default)]
pub struct AskedFor {
    /// An overview is on its way.
    pub overview: bool,
    /// What is shown is not what is wanted any more.
    pub stale: bool,
    /// The file that is on its way.
    pub file: Option<FileAsk>,
    /// Somebody is wanted who reviews it: this finds out which agents there are.
    pub reviewer: Option<WorkId>,
    /// The last entry of the chat when the overview was asked for.
    pub seq: u64,
    /// How often its directory had changed by then.
    pub moves: u64,
    pub at: Timestamp,
}

impl Default for ChangesView {
    fn default() -> ChangesView {
        ChangesView {
            of: None,
            set: DiffSet::LastPrompt,
            turn: None,
            marks: PersonMarks::default(),
            overview: None,
            problem: None,
            part: ChangesPart::Files,
            tree: FileTree::default(),
            file: None,
            place: LinePlace::default(),
            laid: Vec::new(),
            folds: HunkFolds::default(),
            newer: NewerTurn::default(),
            search: DiffSearch::default(),
            range: None,
            remarks: Vec::new(),
            goal: None,
            look: DiffLook {
                context: CONTEXT,
                ignore_whitespace: false,
                side_by_side: None,
            },
            viewed: BTreeMap::new(),
            asked: AskedFor::default(),
        }
    }
}

impl ChangesView {
    /// The selected file, as the overview has it.
    pub fn selected(&self) -> Option<(&FileKey, &FileChange)> {
        let key = self.tree.selected.as_ref()?;
        Some((key, self.change(key)?))
    }

    pub fn change(&self, key: &FileKey) -> Option<&FileChange> {
        let changes = &self.overview.as_ref()?.changes;
        let clone = changes.iter().find(|clone| clone.project == key.project)?;
        clone.files.iter().find(|file| file.path == key.path)
    }

    /// A file counts as viewed until its content changes again.
    pub fn is_viewed(&self, key: &FileKey, change: &FileChange) -> bool {
        self.viewed.get(key) == Some(&change.id)
    }

    /// Compares other moments from now on.
    pub fn compare(&mut self, set: DiffSet) {
        self.set = set;
        // It was told of a line of what was compared before.
        self.place.origin = None;
        self.newer = NewerTurn::default();
        self.marks.just_reviewed = None;
        self.asked.stale = true;
    }

    /// A person opens the tab.
    pub fn open(&mut self) {
        self.newer.comes_back = true;
        self.refresh();
    }

    /// Somebody wants to see what is there now.
    pub fn refresh(&mut self) {
        self.asked.stale = true;
        self.problem = None;
    }

    /// What is wanted is not what is shown yet.
    pub fn is_behind(&self) -> bool {
        self.asked.stale || self.asked.overview
    }

    pub fn is_loading(&self) -> bool {
        self.asked.overview && self.overview.is_none()
    }

    /// How many files that differ now were viewed.
    pub fn viewed_files(&self) -> usize {
        let is_viewed = |(key, id): &(&FileKey, &String)| self.change(key).is_some_and(|change| change.id == **id);
        self.viewed.iter().filter(is_viewed).count()
    }

    /// Another file than the one that is shown is selected, and on its way.
    pub fn awaits_file(&self) -> bool {
        let is_shown = |key: &FileKey| {
            let shown = self.file.as_ref().map(|file| (&file.ask.project, &file.ask.path));
            shown == Some((&key.project, &key.path))
        };
        let selected = self.tree.selected.as_ref().filter(|key| self.change(key).is_some());
        self.asked.file.is_some() && selected.is_some_and(|key| !is_shown(key))
    }

    pub fn wanted_file(&self) -> Option<FileAsk> {
        self.ask_for(self.tree.selected.as_ref()?)
    }

    /// How a file is asked for, as it is shown.
    pub fn ask_for(&self, key: &FileKey) -> Option<FileAsk> {
        let change = self.change(key)?;
        let changes = &self.overview.as_ref()?.changes;
        let clone = changes.iter().find(|clone| clone.project == key.project)?;
        Some(FileAsk {
            project: key.project.clone(),
            before: clone.before.clone(),
            after: clone.after.clone(),
            path: key.path.clone(),
            from: change.from.clone(),
            context: self.look.context,
            ignore_whitespace: self.look.ignore_whitespace,
            index: change.index.as_ref().map(|index| index.content.clone()),
        })
    }
}
