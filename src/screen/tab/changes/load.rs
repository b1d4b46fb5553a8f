//! What the Changes tab shows is asked for, and kept as it comes.

use super::data::{AskedFor, ChangesView};
use super::lines::{self, DiffRow};
use super::{find, going, in_place, newer_turn, opinion, place, remarking, search, tree};
use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::keep::radar;
use crate::domain::state::Requester;
use crate::domain::work::{ReviewThen, ReviewWork};
use crate::model::diff::{DiffLine, FileDiff, LineKind};
use crate::model::review::{Cause, DiffSet, KeptCheckpoint, Overview};
use crate::model::{ChatId, ClientId, Problem, Timestamp};
use crate::screen::State;
use crate::screen::keymap::{Action, PaneSheet, RemarksAction, SheetAction};
use crate::screen::toast;
use crate::screen::view::{Tab, Tone, View};

/// While the agent works, the tab is brought up to date at most once in this time.
const REFRESH_MS: u64 = 1_000;

/// What a person changes with an editor of their own is told by nothing: what is older than this is looked at again when they
/// do something here.
const LOOK_AGAIN_MS: u64 = 5_000;

/// After each event: asks workers for what the screen lacks, and keeps what is selected within what there is.
pub fn settle(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state
        .views
        .get_mut(&client)
        .filter(|view| view.sheet() == Some(PaneSheet::Changes))
    else {
        return Vec::new();
    };
    let Some(id) = view.chat.clone() else {
        return Vec::new();
    };
    turn_to(view, &id);
    view.changes.tree.clashes = radar::clashes(&state.domain, &id).count();
    let seq = state.domain.disk.chats.get(&id).map_or(0, |chat| chat.seq);
    let moves = state.domain.live.reviews.moves(&id);
    let now = state.domain.now;
    let acts = view.attention.here == now;
    let changes = &mut view.changes;
    let mut effects = Vec::new();
    let due = changes.asked.at.plus_ms(REFRESH_MS);
    // An earlier turn does not change any more, but the turns beside it do.
    let is_old = acts && changes.overview.is_some() && now.ms_since(changes.asked.at) > LOOK_AGAIN_MS;
    let is_behind = changes.asked.seq != seq || changes.asked.moves != moves || is_old;
    if is_behind && due > now && !changes.asked.stale {
        effects.push(Effect::WakeAt(due));
    }
    if !changes.asked.overview && (changes.asked.stale || is_behind && due <= now) {
        changes.asked = AskedFor {
            overview: true,
            stale: false,
            file: changes.asked.file.take(),
            reviewer: changes.asked.reviewer.take(),
            seq,
            moves,
            at: now,
        };
        let work = ReviewWork::Overview(id.clone(), changes.set.clone());
        effects.extend(ask(state, client, &id, work));
        effects.extend(remarking::list(state, client, &id));
    }
    opinion::settle(state, client, &id);
    effects.extend(settle_file(state, client, &id));
    effects.extend(search::settle(state, client, &id));
    effects
}

/// Another chat is looked at: nothing is known of it yet.
fn turn_to(view: &mut View, chat: &ChatId) {
    if view.changes.of.as_ref() == Some(chat) {
        return;
    }
    let (look, asked) = (view.changes.look, std::mem::take(&mut view.changes.asked));
    view.changes = ChangesView {
        of: Some(chat.clone()),
        look,
        asked: AskedFor {
            stale: true,
            at: Timestamp(0),
            reviewer: None,
            ..asked
        },
        ..ChangesView::default()
    };
}

/// Shows the tab, with these moments compared.
pub fn compare_with(view: &mut View, set: DiffSet) {
    let Some(chat) = view.chat.clone() else {
        return;
    };
    turn_to(view, &chat);
    view.changes.compare(set);
    view.show(Tab::Sheet(PaneSheet::Changes));
}

fn settle_file(state: &mut State, client: ClientId, chat: &ChatId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    tree::settle(view);
    place::settle(view);
    let changes = &mut view.changes;
    let Some(wanted) = changes.wanted_file() else {
        changes.file = None;
        return Vec::new();
    };
    let is_here = changes.file.as_ref().is_some_and(|file| file.ask == wanted);
    if is_here || changes.asked.file.is_some() {
        return Vec::new();
    }
    changes.asked.file = Some(wanted.clone());
    ask(state, client, chat, ReviewWork::File(chat.clone(), wanted))
}

fn ask(state: &mut State, client: ClientId, chat: &ChatId, work: ReviewWork) -> Vec<Effect> {
    let then = ReviewThen::Show(chat.clone());
    chat::work(&mut state.domain, Requester::screen(client), then, work)
}

pub fn take_checkpoint(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(chat) = state.views.get(&client).and_then(|view| view.chat.clone()) else {
        return Vec::new();
    };
    let work = ReviewWork::Take {
        chat: chat.clone(),
        cause: Cause::Asked,
        prompt: String::new(),
    };
    ask(state, client, &chat, work)
}

pub fn taken(state: &mut State, client: ClientId, kept: &KeptCheckpoint) {
    let number = kept.checkpoint.number;
    let text = match kept.new {
        true => format!("Checkpoint {number} is saved."),
        false => format!("Nothing has changed since checkpoint {number}."),
    };
    toast::tell(state, client, text, Tone::Told);
    if let Some(view) = state.views.get_mut(&client) {
        view.changes.refresh();
        view.checkpoints.refresh();
    }
}

/// What differs is here. What a person has moved on to meanwhile is asked for again.
pub fn arrived(state: &mut State, client: ClientId, chat: &ChatId, overview: Overview) {
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let changes = &mut view.changes;
    // One comparison is under way for a client. The chat that it is of may not be the one that is shown by now.
    changes.asked.overview = false;
    if changes.of.as_ref() != Some(chat) {
        return;
    }
    changes.problem = None;
    // What is open in place has one comparison. With the first clone there are others.
    match (in_place::is_all(changes), in_place::are_all(&overview.changes)) {
        (_, true) => changes.set = overview.set.clone(),
        (true, false) => changes.compare(DiffSet::LastPrompt),
        (false, false) => {}
    }
    // Before the first prompt there is nothing since it: all that the branch has is shown.
    if changes.set == DiffSet::LastPrompt && overview.set == DiffSet::Base {
        changes.set = DiffSet::Base;
    }
    if overview.set == changes.set && !newer_turn::keeps_place(view, &overview) {
        let changes = &mut view.changes;
        changes.overview = Some(overview);
        changes.newer.is_shown = true;
        changes.search.renew();
        find::renew(view);
        going::pursue(state, client);
    }
}

/// One file is here: the line that a person is at stays where it is, and so do the chosen ones.
pub fn file_arrived(state: &mut State, client: ClientId, chat: &ChatId, file: FileDiff) {
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    if view.changes.asked.file.as_ref() == Some(&file.ask) {
        view.changes.asked.file = None;
    }
    if view.changes.of.as_ref() != Some(chat) {
        return;
    }
    let had_choice = view.changes.range.is_some();
    let is_same = replace_file(view, file);
    let is_lost = had_choice && is_same && view.changes.range.is_none();
    going::seek(view);
    if is_lost {
        let choose = state
            .keymap
            .key(Action::Sheet(SheetAction::Remarks(RemarksAction::ChooseLines)));
        let text = format!("The chosen lines are others now: {choose} chooses again.");
        toast::tell(state, client, text, Tone::Told);
    }
}

/// Whoever reads a file stays at their lines when it comes anew. Says whether it is the file that was shown before.
fn replace_file(view: &mut View, file: FileDiff) -> bool {
    let was = place::rows(view);
    let before = view.changes.file.replace(file);
    let rows = place::rows(view);
    let changes = &mut view.changes;
    changes.laid.clone_from(&rows);
    let range = changes.range.take();
    let (Some(before), Some(now)) = (before, &changes.file) else {
        changes.place = place::first(&rows);
        return false;
    };
    if before.ask.project != now.ask.project || before.ask.path != now.ask.path {
        changes.place = place::first(&rows);
        return false;
    }
    let here = changes.place.row;
    let moved = |row: usize| {
        let line = lines::line_of(&before, *was.get(row)?)?;
        nearest(now, &rows, line)
    };
    let is_equal = was == rows && before.body == now.body;
    let row = match is_equal {
        true => here,
        false => moved(here).unwrap_or(here).min(rows.len().saturating_sub(1)),
    };
    changes.range = match is_equal {
        true => range,
        false => range.and_then(|from| {
            let to = moved(from)?;
            (says(&before, &was, (from, here)) == says(now, &rows, (to, row))).then_some(to)
        }),
    };
    let by = row as isize - here as isize;
    changes.place.top = changes.place.top.saturating_add_signed(by);
    changes.place.row = row;
    true
}

/// What the rows from one to another say.
fn says<'f>(file: &'f FileDiff, rows: &[DiffRow], (a, b): (usize, usize)) -> Vec<Option<(LineKind, &'f str)>> {
    let rows = rows.get(a.min(b)..=a.max(b)).unwrap_or_default();
    let line = |row: &DiffRow| lines::line_of(file, *row).map(|line| (line.kind, line.text.as_str()));
    rows.iter().map(line).collect()
}

/// The row that shows the same line: of several, the one nearest to where it was.
fn nearest(file: &FileDiff, rows: &[DiffRow], line: &DiffLine) -> Option<usize> {
    let number = |line: &DiffLine| line.new.or(line.old).unwrap_or(0);
    let same = rows.iter().enumerate().filter_map(|(at, row)| {
        let found = lines::line_of(file, *row)?;
        (found.text == line.text).then(|| (number(found).abs_diff(number(line)), at))
    });
    same.min().map(|(_, at)| at)
}

/// What was asked for cannot be shown.
pub fn failed(state: &mut State, client: ClientId, chat: &ChatId, problem: Problem) {
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let changes = &mut view.changes;
    if changes.of.as_ref() != Some(chat) {
        // It was asked for before this chat was turned to.
        (changes.asked.overview, changes.asked.file) = (false, None);
        return;
    }
    // A file of a comparison that is gone meanwhile comes with the next one.
    if !changes.asked.overview && changes.asked.file.take().is_some() {
        changes.file = None;
        changes.overview = None;
    }
    changes.asked.overview = false;
    changes.goal = None;
    changes.problem = Some(problem);
}
