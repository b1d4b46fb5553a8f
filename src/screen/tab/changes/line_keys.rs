//! Keys and results of what is done with chosen lines: remarks, staging and discarding.

use super::data::ChangesPart;
use super::{going, opinion, place, remarking, reviewed, staging};
use crate::domain::agent::delivery;
use crate::domain::effect::Effect;
use crate::domain::notice::RemarksNews;
use crate::model::pick::{PickAct, Picked, StayedFile};
use crate::model::text::visible;
use crate::model::{ChatId, ClientId};
use crate::screen::State;
use crate::screen::keymap::{Action, ChangesAction, RemarksAction, SheetAction};
use crate::screen::toast;
use crate::screen::view::{Tone, View};
use crate::screen::way::StepWay;

pub fn run(state: &mut State, client: ClientId, action: RemarksAction) -> Vec<Effect> {
    use RemarksAction as A;
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    match action {
        A::ChooseLines => {
            let changes = &mut view.changes;
            changes.range = match (changes.part, changes.range) {
                (ChangesPart::Lines, None) => Some(changes.place.row),
                (ChangesPart::Lines, Some(_)) | (ChangesPart::Files, _) => None,
            };
        }
        A::Stage => return staging::stage(state, client),
        A::Discard => return staging::discard(state, client),
        A::Remark => return remarking::remark(state, client),
        A::Resolve => return remarking::resolve(state, client),
        A::NextRemark => remarking::step(view, StepWay::Forward),
        A::PreviousRemark => remarking::step(view, StepWay::Back),
        A::SecondOpinion => return opinion::ask(state, client),
        A::ListRemarks => return remarking::show_list(state, client),
    }
    Vec::new()
}

/// What became of remarks or of chosen lines.
pub fn on(state: &mut State, client: ClientId, chat: &ChatId, news: RemarksNews) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    if view.changes.of.as_ref() != Some(chat) {
        return Vec::new();
    }
    match news {
        RemarksNews::Listed(remarks) => {
            view.changes.remarks = remarks;
            place::settle(view);
            going::seek(view);
            Vec::new()
        }
        RemarksNews::Changed => {
            // Whoever wrote it goes on reading.
            view.over.guard.answered();
            view.changes.range = None;
            remarking::list(state, client, chat)
        }
        RemarksNews::Reviewed(number) => {
            reviewed::marked(state, client, number);
            Vec::new()
        }
        RemarksNews::Unreviewed(before) => {
            reviewed::taken_back(state, client, before);
            Vec::new()
        }
        RemarksNews::ReviewerMade(reviewer) => {
            opinion::made(state, client, &reviewer);
            Vec::new()
        }
        RemarksNews::Sent => {
            view.changes.newer.has_sent = true;
            let told = match delivery::waiting(&state.domain, chat) {
                Some(why) => format!("The remarks are sent and wait: {why}."),
                None => "The remarks are sent to the agent.".into(),
            };
            toast::tell(state, client, told, Tone::Told);
            remarking::list(state, client, chat)
        }
        RemarksNews::Picked(picked) => {
            view.over.guard.answered();
            view.changes.range = None;
            view.changes.refresh();
            let left = left_to_stage(view);
            let undo = Action::Sheet(SheetAction::Changes(ChangesAction::UndoRevert));
            if let Some(text) = told(&picked, &state.keymap.key(undo)).or(left) {
                toast::tell(state, client, text, Tone::Told);
            }
            Vec::new()
        }
        RemarksNews::PickedSeveral(picked, stayed) => {
            view.over.guard.answered();
            view.changes.range = None;
            view.changes.refresh();
            let left = left_to_stage(view).filter(|_| !picked.is_empty());
            let undo = Action::Sheet(SheetAction::Changes(ChangesAction::UndoRevert));
            let done = told_of_several(&picked, &state.keymap.key(undo));
            let tone = if stayed.is_empty() { Tone::Told } else { Tone::Failed };
            let words: Vec<String> = done.into_iter().chain(left).chain(told_of_stayed(&stayed)).collect();
            if !words.is_empty() {
                toast::tell(state, client, words.join(" "), tone);
            }
            Vec::new()
        }
        RemarksNews::BroughtBack(picked) => {
            view.over.guard.answered();
            view.changes.range = None;
            view.changes.refresh();
            let text = match picked.as_slice() {
                [one] => format!("{} is as it was before.", shown(one)),
                many => format!("{} files are as they were before.", many.len()),
            };
            toast::tell(state, client, text, Tone::Told);
            Vec::new()
        }
    }
}

/// Another comparison is shown now, in which it was staged.
fn left_to_stage(view: &mut View) -> Option<String> {
    let has_left = std::mem::take(&mut view.changes.marks.leaves_to_stage);
    has_left.then(|| "Staged. Compared with the last commit now, which marks what is staged.".into())
}

fn shown(picked: &Picked) -> String {
    visible(&format!("{}/{}", picked.project, picked.path.to_string_lossy()))
}

/// Nothing of what is staged: that is seen.
fn told_of_several(picked: &[Picked], undo: &str) -> Option<String> {
    let saved = picked.iter().filter_map(|one| one.saved);
    let (first, last) = (saved.clone().min()?, saved.max()?);
    let has = match first == last {
        true => format!("checkpoint {first} has"),
        false => format!("checkpoints {first} to {last} have"),
    };
    let files = match picked.len() {
        1 => "1 file".to_owned(),
        many => format!("{many} files"),
    };
    let done = done_in(picked.first()?.act);
    Some(format!("{done} {files}. {undo} undoes it; {has} what was there."))
}

/// Files that are named in a toast.
const NAMED: usize = 3;

fn told_of_stayed(stayed: &[StayedFile]) -> Option<String> {
    let name = |file: &StayedFile| {
        let path = visible(&format!("{}/{}", file.project, file.path.to_string_lossy()));
        format!("{path} ({})", file.why)
    };
    let named: Vec<String> = stayed.iter().take(NAMED).map(name).collect();
    let more = match stayed.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!named.is_empty()).then(|| format!("As before: {}{more}.", named.join(", ")))
}

fn told(picked: &Picked, undo: &str) -> Option<String> {
    let saved = picked.saved?;
    let done = done_in(picked.act);
    Some(format!(
        "{done} {}. {undo} undoes it; checkpoint {saved} has what was there.",
        shown(picked)
    ))
}

fn done_in(act: PickAct) -> &'static str {
    match act {
        PickAct::Take => "Taken into",
        PickAct::Discard | PickAct::Stage | PickAct::Unstage => "Discarded in",
    }
}
