//! Words that are looked for in the lines of all files that differ.
//!
//! A worker counts them in each file; where they are in the file that is shown, the screen finds itself.

use crossterm::event::KeyEvent;

use super::data::ChangesPart;
use super::file_key::{DiffLook, FileKey};
use super::lines::{self, DiffRow};
use super::sought::FoundInFiles;
use super::{ask, folding, folds, place, tree};
use crate::domain::effect::Effect;
use crate::model::detail::DetailWork;
use crate::model::search::{FoundLines, SearchAsk};
use crate::model::{ChatId, ClientId};
use crate::screen::State;
use crate::screen::tab::search_line::{FROM_END, FROM_TOP};
use crate::screen::toast;
use crate::screen::view::{Tone, View};
use crate::screen::way::StepWay;

/// A key while the words are typed.
pub fn press(state: &mut State, client: ClientId, key: KeyEvent) {
    if let Some(view) = state.views.get_mut(&client) {
        let found = FoundInFiles::new(view.changes.look);
        view.changes.search.press(key, found);
    }
}

/// Has all files searched, where that is due, and goes to the words in a file that has just come.
pub fn settle(state: &mut State, client: ClientId, chat: &ChatId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    land(view);
    let look = view.changes.look;
    let Some(sought) = &mut view.changes.search.sought else {
        return Vec::new();
    };
    let found = &mut sought.found;
    if found.asked || !found.stale && is_alike(found.look, look) {
        return Vec::new();
    }
    (found.stale, found.asked, found.look) = (false, true, look);
    let words = sought.words.clone();
    let files = tree::all_files(&view.changes).into_iter();
    let files = files.filter_map(|key| view.changes.ask_for(&key)).collect();
    let work = DetailWork::Search(SearchAsk { words, files });
    ask::detail(state, client, chat, work)
}

/// The same lines are shown.
fn is_alike(one: DiffLook, other: DiffLook) -> bool {
    (one.context, one.ignore_whitespace) == (other.context, other.ignore_whitespace)
}

/// All files were searched. What came first after the words were typed is gone to.
pub fn arrived(view: &mut View, lines: FoundLines) {
    let Some(sought) = &mut view.changes.search.sought else {
        return;
    };
    let found = &mut sought.found;
    found.asked = false;
    if sought.words != lines.words {
        return;
    }
    let is_first = found.files.is_none();
    let files = lines.files.into_iter().map(|file| {
        let key = FileKey {
            project: file.project,
            path: file.path,
        };
        (key, file.lines)
    });
    found.files = Some(files.collect());
    found.unread = lines.unread;
    if is_first {
        let all = whole(view);
        let at = position(view, &all);
        match matches(view, &all).contains(&at) {
            true => view.changes.part = ChangesPart::Lines,
            false => step(view, StepWay::Forward),
        }
    }
}

pub fn failed(view: &mut View) {
    if let Some(found) = view.changes.search.found_mut() {
        found.asked = false;
    }
}

/// The same by a key: that the search goes around is told.
pub fn go_on(state: &mut State, client: ClientId, way: StepWay) {
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let rows = whole(view);
    let is_on_one = matches(view, &rows).contains(&position(view, &rows));
    let around = match (count(view), way) {
        (None | Some(MatchCount { all: 0, .. }), _) => None,
        (Some(MatchCount { at, all }), StepWay::Forward) => (at == all).then_some(FROM_TOP),
        (Some(MatchCount { at, .. }), StepWay::Back) => (at == usize::from(is_on_one)).then_some(FROM_END),
    };
    step(view, way);
    if let Some(around) = around {
        toast::tell(state, client, around, Tone::Told);
    }
}

/// The next line with the words, or the one before: in this file, or in the next one that has them.
fn step(view: &mut View, way: StepWay) {
    let all = whole(view);
    let at = position(view, &all);
    let rows = matches(view, &all);
    let next = match way {
        StepWay::Forward => rows.iter().find(|row| **row > at),
        StepWay::Back => rows.iter().rev().find(|row| **row < at),
    };
    match next {
        Some(row) => go(view, *row),
        None => next_file(view, way),
    }
}

fn next_file(view: &mut View, way: StepWay) {
    let changes = &view.changes;
    let all = tree::all_files(changes);
    let here = changes.tree.selected.as_ref();
    let at = all.iter().position(|key| Some(key) == here);
    let (before, behind) = match (at, way) {
        (Some(at), StepWay::Forward) => (&all[..=at], &all[at + 1..]),
        (Some(at), StepWay::Back) => (&all[..at], &all[at..]),
        (None, _) => (&all[..0], &all[..]),
    };
    let has_words = |key: &&FileKey| changes.search.lines_of(key) > 0;
    let found = match way {
        StepWay::Forward => behind.iter().chain(before).find(has_words),
        StepWay::Back => before.iter().rev().chain(behind.iter().rev()).find(has_words),
    };
    let Some(key) = found.cloned() else {
        return;
    };
    tree::go_to(view, &key);
    view.changes.part = ChangesPart::Lines;
    if let Some(found) = view.changes.search.found_mut() {
        found.landing = Some(way);
    }
    land(view);
}

/// Goes to the words in the file that was to be shown, once it is there.
fn land(view: &mut View) {
    let changes = &view.changes;
    let wanted = changes.wanted_file();
    let is_here = changes
        .file
        .as_ref()
        .is_some_and(|file| Some(&file.ask) == wanted.as_ref());
    let landing = changes.search.found().and_then(|found| found.landing);
    let Some(way) = landing.filter(|_| is_here) else {
        return;
    };
    if let Some(found) = view.changes.search.found_mut() {
        found.landing = None;
    }
    let rows = matches(view, &whole(view));
    let row = match way {
        StepWay::Forward => rows.first(),
        StepWay::Back => rows.last(),
    };
    if let Some(row) = row {
        go(view, *row);
    }
}

/// Goes to a row of the file as it is with all hunks unfolded.
fn go(view: &mut View, row: usize) {
    let all = whole(view);
    let Some(wanted) = all.get(row).copied() else {
        return;
    };
    folding::unfold(view, wanted.hunk());
    let rows = place::rows(view);
    view.changes.part = ChangesPart::Lines;
    view.changes.place.row = rows.iter().position(|row| *row == wanted).unwrap_or(0);
    place::centre(view);
}

fn whole(view: &View) -> Vec<DiffRow> {
    let side_by_side = place::is_side_by_side(view);
    let file = view.changes.file.as_ref();
    file.map_or_else(Vec::new, |file| {
        lines::rows(file, side_by_side, &folds::HunkFolds::default())
    })
}

/// Where the cursor is among all rows, with those that are folded.
fn position(view: &View, all: &[DiffRow]) -> usize {
    let here = place::rows(view).get(view.changes.place.row).copied();
    all.iter().position(|row| Some(*row) == here).unwrap_or(0)
}

/// The rows of the file that have the words in them, of all that it has.
fn matches(view: &View, all: &[DiffRow]) -> Vec<usize> {
    let sought = view.changes.search.sought.as_ref();
    let (Some(file), Some(sought)) = (&view.changes.file, sought) else {
        return Vec::new();
    };
    let hunks = lines::hunks(file);
    let has_words = |row: &DiffRow| {
        let is_in = |line: usize| sought.needle.is_in(&hunks[row.hunk()].lines[line].text);
        match *row {
            DiffRow::Hunk(_) | DiffRow::Remark(..) => false,
            DiffRow::Line(_, line) => is_in(line),
            DiffRow::Pair(_, before, after) => before.is_some_and(is_in) || after.is_some_and(is_in),
        }
    };
    let found = all.iter().enumerate().filter(|(_, row)| has_words(row));
    found.map(|(at, _)| at).collect()
}

/// How many lines were found in all files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchCount {
    /// Which of them the cursor is at, counted from 1; 0 before the first.
    pub at: usize,
    pub all: usize,
}

pub fn count(view: &View) -> Option<MatchCount> {
    let files = view.changes.search.found()?.files.as_ref()?;
    let here = view.changes.tree.selected.as_ref();
    let all = tree::all_files(&view.changes);
    let before = all.iter().take_while(|key| Some(*key) != here);
    let before: usize = before.filter_map(|key| files.get(key)).sum();
    let rows = whole(view);
    let at = position(view, &rows);
    let within = matches(view, &rows).iter().filter(|row| **row <= at).count();
    Some(MatchCount {
        at: before + within,
        all: files.values().sum(),
    })
}
