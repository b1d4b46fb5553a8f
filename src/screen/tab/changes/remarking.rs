//! What a person does with remarks: makes them, goes through them, resolves and sends them.

use super::choice::{DiffChoice, DiffList};
use super::data::{ChangesPart, ChangesView};
use super::file_key::FileKey;
use super::goal::{Goal, GoalLine};
use super::lines::{self, DiffRow};
use super::tree::{self, TreeRow};
use super::{going, meant, place, remarks, work};
use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::Requester;
use crate::domain::work::{RemarkWork, ReviewThen, ReviewWork};
use crate::model::diff::{DiffLine, FileDiff, FileKind};
use crate::model::remark::{NewRemark, PlacedRemark, RemarkAuthor, RemarkChange, RemarkSide, RemarkState};
use crate::model::review::DiffSet;
use crate::model::text::visible;
use crate::model::{ChatId, ClientId};
use crate::screen::State;
use crate::screen::dialog::{ChoiceItem, Choose, RemarkForm};
use crate::screen::keymap::{Action, ChangesAction, SheetAction};
use crate::screen::view::{Tone, View};
use crate::screen::way::StepWay;
use crate::screen::{dialogs, toast};

/// The remarks are asked for anew.
pub fn list(state: &mut State, client: ClientId, chat: &ChatId) -> Vec<Effect> {
    let then = ReviewThen::ShowRemarks(chat.clone());
    let work = ReviewWork::Remark(chat.clone(), RemarkWork::List);
    chat::work(&mut state.domain, Requester::screen(client), then, work)
}

/// Edits the remark that a person is at, or makes one on the line or the chosen lines.
pub fn remark(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    if let DiffSet::With(_) = view.changes.set {
        let text = "What is shown is another chat's: `c` compares something of this one, which can be remarked on.";
        toast::tell(state, client, text, Tone::Told);
        return Vec::new();
    }
    let rows = place::rows(view);
    let changes = &view.changes;
    let at = remarks::at_row(changes, &rows, changes.place.row).filter(|_| changes.part == ChangesPart::Lines);
    let domain = &state.domain;
    let dialog = changes.of.as_ref().and_then(|chat| match (at, new_remark(view)) {
        (Some(number), _) => Some(RemarkForm::edit(domain, &changes.remarks[number], chat)),
        (None, Some(new)) => Some(RemarkForm::add(domain, new, chat)),
        (None, None) => None,
    });
    let Some(mut dialog) = dialog else {
        let text = "A remark is made on a file or on its lines: go to one first.";
        toast::tell(state, client, text, Tone::Told);
        return Vec::new();
    };
    let view = state.views.get_mut(&client);
    let about = view.zip(dialog.about_words());
    if let Some(left) = about.and_then(|(view, (chat, about))| view.over.drafts.words_again(chat, about)) {
        dialog.goes_on(&left.words);
    }
    dialogs::open(state, client, dialog)
}

/// On the file that a person is at in the tree, or that has no lines to show; else on lines.
fn new_remark(view: &View) -> Option<NewRemark> {
    let changes = &view.changes;
    let file = changes.file.as_ref().filter(|_| changes.part == ChangesPart::Lines);
    match file.filter(|file| !lines::hunks(file).is_empty()) {
        Some(file) => on_lines(view, file),
        None => on_file(changes),
    }
}

fn on_file(changes: &ChangesView) -> Option<NewRemark> {
    let (key, change) = changes.selected()?;
    let ask = changes.ask_for(key)?;
    let (side, tree) = match change.kind {
        FileKind::Deleted => (RemarkSide::Before, ask.before),
        FileKind::Added
        | FileKind::Modified
        | FileKind::Renamed
        | FileKind::Mode
        | FileKind::Submodule
        | FileKind::Staged => (RemarkSide::After, Some(ask.after)),
    };
    Some(NewRemark {
        project: key.project.clone(),
        path: key.path.clone(),
        lines: None,
        side,
        tree,
        text: String::new(),
        author: RemarkAuthor::Person,
    })
}

/// On the chosen lines, on the line that a person is at, or on all of a hunk from its heading. Lines that were removed
/// are meant only where all of them were.
fn on_lines(view: &View, file: &FileDiff) -> Option<NewRemark> {
    let changes = &view.changes;
    let rows = place::rows(view);
    let here = *rows.get(changes.place.row)?;
    let rows: Vec<DiffRow> = match (changes.range, here) {
        (None, DiffRow::Line(..) | DiffRow::Pair(..) | DiffRow::Remark(..)) => vec![here],
        (None, DiffRow::Hunk(_)) | (Some(_), _) => meant::meant(view).0,
    };
    let found: Vec<&DiffLine> = rows
        .iter()
        .flat_map(|row| lines::lines_of(file, *row))
        .map(|(_, line)| line)
        .collect();
    let after: Vec<u32> = found.iter().filter_map(|line| line.new).collect();
    let before: Vec<u32> = found.iter().filter_map(|line| line.old).collect();
    let (side, numbers, tree) = match after.is_empty() {
        false => (RemarkSide::After, after, Some(file.ask.after.clone())),
        true => (RemarkSide::Before, before, file.ask.before.clone()),
    };
    let path = match (side, &file.ask.from) {
        (RemarkSide::Before, Some(from)) => from.clone(),
        (RemarkSide::Before | RemarkSide::After, _) => file.ask.path.clone(),
    };
    Some(NewRemark {
        project: file.ask.project.clone(),
        path,
        lines: Some((*numbers.iter().min()?, *numbers.iter().max()?)),
        side,
        tree,
        text: String::new(),
        author: RemarkAuthor::Person,
    })
}

pub fn resolve(state: &mut State, client: ClientId) -> Vec<Effect> {
    let found = state.views.get(&client).and_then(|view| {
        let rows = place::rows(view);
        let number = remarks::at_row(&view.changes, &rows, view.changes.place.row)?;
        Some((view.changes.of.clone()?, view.changes.remarks[number].remark.clone()))
    });
    let Some((chat, remark)) = found else {
        toast::tell(state, client, "Go to a remark first.", Tone::Told);
        return Vec::new();
    };
    let to = match remark.state {
        RemarkState::Resolved => RemarkState::Open,
        RemarkState::Open | RemarkState::Answered => RemarkState::Resolved,
    };
    let work = RemarkWork::Change(remark.id, RemarkChange::State(to));
    work::change_remark(&mut state.domain, chat, work, Requester::screen(client))
}

/// All that are open and were not sent yet, in one prompt. Its agent is started for it if it does not run.
pub fn send(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let Some(chat) = view.changes.of.clone() else {
        return Vec::new();
    };
    let then = ReviewThen::Send(chat.clone(), view.client.env.clone());
    let work = ReviewWork::Remark(chat, RemarkWork::Compose(Vec::new()));
    chat::work(&mut state.domain, Requester::screen(client), then, work)
}

/// The next remark of this file, then of the next file that has one.
pub fn step(view: &mut View, way: StepWay) {
    let rows = place::rows(view);
    let from = match view.changes.part {
        ChangesPart::Lines => view.changes.place.row,
        ChangesPart::Files => 0,
    };
    if let Some(row) = remarks::step(&rows, from, way) {
        view.changes.part = ChangesPart::Lines;
        view.changes.place.row = row;
        return place::settle(view);
    }
    let all = tree::rows(&view.changes);
    let at = all
        .iter()
        .position(|row| Some(row.key()) == view.changes.tree.selected.as_ref())
        .unwrap_or(0);
    let has_remarks = |row: &&TreeRow<'_>| matches!(row, TreeRow::File { key, .. } if remarks::of_file(&view.changes, key).next().is_some());
    let next = match way {
        StepWay::Forward => all.iter().skip(at + 1).find(has_remarks),
        StepWay::Back => all.iter().take(at).rev().find(has_remarks),
    };
    if let Some(key) = next.map(|row| row.key().clone()) {
        view.changes.tree.selected = Some(key);
        tree::reveal(view);
    }
}

/// All remarks of the chat, to go to one of them or to send them.
pub fn show_list(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let all = &view.changes.remarks;
    if all.is_empty() {
        let open = Action::Sheet(SheetAction::Changes(ChangesAction::Open));
        let key = state.keymap.key(open);
        let text = format!("No remarks yet. {key} on a line of a file makes one.");
        toast::tell(state, client, text, Tone::Told);
        return Vec::new();
    }
    let unsent = all.iter().filter(|placed| is_to_send(placed)).count();
    let send = ChoiceItem {
        letter: None,
        text: match unsent {
            1 => "Send 1 remark to the agent".into(),
            count => format!("Send {count} remarks to the agent"),
        },
        note: "one prompt".into(),
        choice: DiffChoice::SendRemarks,
    };
    let mut items: Vec<ChoiceItem> = Some(send).filter(|_| unsent > 0).into_iter().collect();
    items.extend(all.iter().map(item));
    let list = Choose::new(DiffList::Remarks, items);
    dialogs::open(state, client, list)
}

/// Some are open and not sent yet.
pub fn has_unsent(view: &View) -> bool {
    view.changes.remarks.iter().any(is_to_send)
}

fn is_to_send(placed: &PlacedRemark) -> bool {
    placed.remark.state == RemarkState::Open && !placed.remark.sent
}

fn item(placed: &PlacedRemark) -> ChoiceItem {
    let remark = &placed.remark;
    let place = visible(&placed.place());
    let words = visible(remark.text.lines().next().unwrap_or_default());
    ChoiceItem {
        letter: None,
        text: format!("{place}  {words}"),
        note: placed.standing().into(),
        choice: DiffChoice::Remark(remark.id),
    }
}

/// Goes to this remark, as soon as its file is here. If its file is the same in what is compared, more is.
pub fn go_to(state: &mut State, client: ClientId, id: u64) {
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let Some(placed) = view.changes.remarks.iter().find(|placed| placed.remark.id == id) else {
        return;
    };
    let key = FileKey {
        project: placed.remark.project.clone(),
        path: placed.remark.path.clone(),
    };
    let shown = &view.changes.set;
    let mut larger = vec![DiffSet::Base];
    let checkpoints = view.changes.overview.iter().flat_map(|overview| &overview.checkpoints);
    larger.extend(checkpoints.map(|checkpoint| DiffSet::Since(checkpoint.number)).next());
    larger.retain(|set| set != shown);
    larger.push(shown.clone());
    view.changes.goal = Some(Goal {
        files: vec![key],
        line: GoalLine::Remark(id),
        elsewhere: larger,
    });
    going::pursue(state, client);
}

/// The remark that a person is at.
pub fn here(view: &View) -> Option<usize> {
    remarks::at_row(&view.changes, &place::rows(view), view.changes.place.row)
}
