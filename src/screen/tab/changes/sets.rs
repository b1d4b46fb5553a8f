//! What is compared with what is chosen from a menu, and from the lists that it leads to.

use super::choice::{DiffChoice, DiffList};
use super::in_place;
use super::timeline::{self, TurnMark};
use crate::model::Timestamp;
use crate::model::detail::CommitLine;
use crate::model::review::{Amount, DiffSet};
use crate::model::text::count;
use crate::screen::dialog::{ChoiceItem, Choose};
use crate::screen::view::View;

/// What is not committed, in the menu.
pub const UNCOMMITTED: char = 'u';

/// The menu; it begins at what is compared now.
pub fn open(view: &mut View) {
    let changes = &view.changes;
    let is_in_place = in_place::is_all(changes);
    let item = |letter, text: &str, note: String, choice| ChoiceItem {
        letter: Some(letter),
        text: text.into(),
        note,
        choice,
    };
    let set = |letter, text, set| item(letter, text, String::new(), DiffChoice::Set(set));
    let mut items = Vec::new();
    let marks = timeline::marks(changes);
    let known = changes.overview.as_ref().map(|overview| &overview.checkpoints);
    if let Some(last) = known.and_then(|known| timeline::last_turn(known)) {
        let note = format!("turn {last}");
        let since = DiffChoice::Set(DiffSet::LastPrompt);
        items.push(item('l', "Since the last prompt", note, since));
    }
    if !marks.is_empty() {
        let turns = count(marks.len(), "turn");
        items.push(item('t', "One turn…", turns, DiffChoice::Turns));
    }
    let checkpoints = changes
        .overview
        .as_ref()
        .map_or(0, |overview| overview.checkpoints.len());
    if checkpoints > 0 {
        let note = format!("{checkpoints} of them");
        items.push(item('s', "Since a checkpoint…", note, DiffChoice::Checkpoints));
    }
    if let Some(reviewed) = timeline::reviewed(changes) {
        items.push(set('r', "Since you reviewed", DiffSet::Since(reviewed)));
    }
    items.push(set('b', "Against the base branch", DiffSet::Base));
    items.push(set(UNCOMMITTED, "Uncommitted", DiffSet::Uncommitted));
    items.push(item('o', "One commit…", String::new(), DiffChoice::Commits));
    items.push(item(
        'a',
        "Another chat's attempt…",
        String::new(),
        DiffChoice::Attempts,
    ));
    if is_in_place {
        let others = items.iter_mut().filter(|item| item.letter != Some(UNCOMMITTED));
        others.for_each(|item| item.note = "clones only".into());
    }
    let now = match &changes.set {
        DiffSet::LastPrompt | DiffSet::Base | DiffSet::Uncommitted => DiffChoice::Set(changes.set.clone()),
        DiffSet::Turn(_) => DiffChoice::Turns,
        DiffSet::Since(number) if timeline::reviewed(changes) == Some(*number) => DiffChoice::Set(changes.set.clone()),
        DiffSet::Since(_) | DiffSet::Between(..) => DiffChoice::Checkpoints,
        DiffSet::Commit(_) => DiffChoice::Commits,
        DiffSet::With(_) => DiffChoice::Attempts,
    };
    let menu = Choose::new(DiffList::Sets, items).starting_at(|choice| *choice == now);
    view.over.dialog = Some(menu.into());
}

/// The newest first.
pub fn open_turns(view: &mut View, now: Timestamp) {
    let marks = timeline::marks(&view.changes);
    let items = marks.iter().rev().map(|mark| ChoiceItem {
        letter: None,
        text: format!("{}  {}", mark.turn, mark.prompt),
        note: note(mark, now),
        choice: DiffChoice::Turn(mark.turn),
    });
    let chosen = timeline::chosen(&view.changes);
    let list = Choose::new(DiffList::Turns, items.collect())
        .starting_at(|choice| matches!(choice, DiffChoice::Turn(turn) if Some(*turn) == chosen));
    view.over.dialog = Some(list.into());
}

/// `+3 −0 · 12m ago`.
fn note(mark: &TurnMark<'_>, now: Timestamp) -> String {
    let changed = match mark.amount {
        Some(Amount { files: 0, .. }) => "no changes · ".into(),
        Some(Amount { added, removed, .. }) => format!("+{added} −{removed} · "),
        None => String::new(),
    };
    let reverted = if mark.is_reverted { " · reverted" } else { "" };
    format!("{changed}{}{reverted}", mark.at.age(now))
}

pub fn open_checkpoints(view: &mut View, now: Timestamp) {
    let Some(overview) = &view.changes.overview else {
        return;
    };
    let items = overview.checkpoints.iter().rev().map(|checkpoint| ChoiceItem {
        letter: None,
        text: format!("{}  {}", checkpoint.number, checkpoint.about()),
        note: checkpoint.at.age(now),
        choice: DiffChoice::Set(DiffSet::Since(checkpoint.number)),
    });
    let list = Choose::new(DiffList::Checkpoints, items.collect());
    view.over.dialog = Some(list.into());
}

pub fn open_commits(view: &mut View, commits: Vec<CommitLine>, now: Timestamp) {
    let items = commits.into_iter().map(|commit| ChoiceItem {
        letter: None,
        text: format!("{}  {}", timeline::short(&commit.id), commit.subject),
        note: format!("{} · {}", commit.project, commit.at.age(now)),
        choice: DiffChoice::Set(DiffSet::Commit(commit.id)),
    });
    let list = Choose::new(DiffList::Commits, items.collect());
    view.over.dialog = Some(list.into());
}

/// Compares what one turn did.
pub fn choose_turn(view: &mut View, turn: u32) {
    let set = timeline::of_turn(&view.changes, turn);
    view.changes.turn = Some(turn);
    view.changes.compare(set);
}
