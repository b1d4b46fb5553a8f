//! What is done with chosen lines: they are staged, unstaged, discarded, or taken from another chat.

use super::data::ChangesPart;
use super::{discarded, in_place, meant, work};
use crate::domain::effect::Effect;
use crate::model::ClientId;
use crate::model::pick::{Pick, PickAct, PickedFile};
use crate::model::review::DiffSet;
use crate::screen::State;
use crate::screen::dialog::{Discard, Discarded};
use crate::screen::view::Tone;
use crate::screen::{dialogs, toast};

pub fn stage(state: &mut State, client: ClientId) -> Vec<Effect> {
    if in_place::refuses_selected(state, client) {
        return Vec::new();
    }
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    if let DiffSet::With(_) = view.changes.set {
        return done_with(state, client, PickAct::Take);
    }
    if view.changes.set != DiffSet::Uncommitted {
        return stage_elsewhere(state, client);
    }
    let act = match meant::is_staged(view) {
        true => PickAct::Unstage,
        false => PickAct::Stage,
    };
    done_with(state, client, act)
}

/// What differs from the last commit is compared from now on, since that shows what is staged. A whole file is the same there,
/// and lines can be staged where the file before is as committed, and the one after what is there now.
fn stage_elsewhere(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let picks = meant::picks(view);
    if picks.is_empty() {
        let text = "Nothing is chosen that could be staged. `c` compares something else.";
        toast::tell(state, client, text, Tone::Told);
        return Vec::new();
    }
    let picks: Vec<Pick> = match (view.changes.part, &view.changes.set) {
        (ChangesPart::Files, _) => picks.iter().map(as_uncommitted).collect(),
        (ChangesPart::Lines, DiffSet::LastPrompt | DiffSet::Since(_) | DiffSet::Base) => picks,
        (ChangesPart::Lines, _) => Vec::new(),
    };
    view.changes.range = None;
    view.changes.compare(DiffSet::Uncommitted);
    let Some(chat) = view.changes.of.clone().filter(|_| !picks.is_empty()) else {
        let text = "Compared with the last commit now: what is chosen there can be staged.";
        toast::tell(state, client, text, Tone::Told);
        return Vec::new();
    };
    // That is said once it is staged.
    view.changes.marks.leaves_to_stage = true;
    let requester = state.requester(client);
    work::pick(&mut state.domain, chat, PickAct::Stage, picks, requester)
}

fn as_uncommitted(pick: &Pick) -> Pick {
    Pick {
        of: PickedFile::Uncommitted {
            project: pick.of.project().to_owned(),
            path: pick.of.path().to_path_buf(),
        },
        parts: Vec::new(),
    }
}

/// Does this with what is chosen.
fn done_with(state: &mut State, client: ClientId, act: PickAct) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    view.changes.marks.leaves_to_stage = false;
    let picks = meant::picks(view);
    let Some(chat) = view.changes.of.clone().filter(|_| !picks.is_empty()) else {
        toast::tell(state, client, "No changed line is chosen.", Tone::Told);
        return Vec::new();
    };
    let requester = state.requester(client);
    work::pick(&mut state.domain, chat, act, picks, requester)
}

pub fn discard(state: &mut State, client: ClientId) -> Vec<Effect> {
    if in_place::refuses_selected(state, client) {
        return Vec::new();
    }
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    if let DiffSet::With(_) = view.changes.set {
        let text = "What is shown is another chat's: `c` compares something of this one, which can be discarded.";
        toast::tell(state, client, text, Tone::Told);
        return Vec::new();
    }
    let picks = meant::picks(view);
    let Some(chat) = view.changes.of.clone().filter(|_| !picks.is_empty()) else {
        toast::tell(state, client, "No changed line is chosen.", Tone::Told);
        return Vec::new();
    };
    let what = Discarded {
        heading: discarded::heading(&picks),
        lines: discarded::lines(&view.changes, &picks),
        then: discarded::then(&view.changes, &picks),
        picks,
    };
    let question = Discard::new(&state.domain, &chat, what);
    dialogs::open(state, client, question)
}
