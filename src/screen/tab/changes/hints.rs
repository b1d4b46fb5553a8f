//! The keys that matter now in the Changes tab: those alone that do something.

use super::data::ChangesPart;
use super::{in_place, place, remarking, timeline};
use crate::model::review::DiffSet;
use crate::screen::State;
use crate::screen::clones::has_repositories;
use crate::screen::hint::Hint;
use crate::screen::keymap::{
    Action, ChangesAction as A, DiffAction, PaneSheet, RemarksAction as R, SheetAction, TabAction,
};
use crate::screen::surface::Surface;
use crate::screen::view::View;

pub fn hints(state: &State, view: &View) -> Vec<Hint> {
    let keys = Keys { state };
    if view.changes.search.is_on() {
        return vec![
            keys.two([A::NextChange, A::PreviousChange], "next, previous"),
            keys.key(A::Back, "end the search"),
            keys.two([A::NextFile, A::PreviousFile], "file"),
            keys.leave(),
        ];
    }
    if !has_repositories(state, view) {
        return vec![keys.close()];
    }
    let mut clones = view.changes.overview.iter().flat_map(|overview| &overview.changes);
    if clones.all(|clone| clone.files.is_empty()) {
        return keys.nothing_differs(view);
    }
    match view.changes.part {
        ChangesPart::Files => keys.in_files(view),
        ChangesPart::Lines if view.changes.range.is_some() => keys.on_chosen(view),
        ChangesPart::Lines if remarking::here(view).is_some() => keys.on_remark(),
        // What another chat did can be taken, and not remarked on.
        ChangesPart::Lines if is_foreign(view) => keys.on_foreign_lines(view),
        ChangesPart::Lines => keys.on_lines(view),
    }
}

/// A shell has none.
fn has_turns(view: &View) -> bool {
    timeline::has_turns(&view.changes) && !in_place::is_all(&view.changes)
}

/// What is selected is a person's own, which is read alone.
fn is_in_place(view: &View) -> bool {
    in_place::selected(&view.changes).is_some()
}

fn is_foreign(view: &View) -> bool {
    matches!(view.changes.set, DiffSet::With(_))
}

struct Keys<'s> {
    state: &'s State,
}

impl Keys<'_> {
    fn of(&self, actions: &[SheetAction], words: &'static str) -> Hint {
        let actions: Vec<Action> = actions.iter().map(|action| Action::Sheet(*action)).collect();
        self.of_all(&actions, words)
    }

    fn of_all(&self, actions: &[Action], words: &'static str) -> Hint {
        let surface = Surface::Sheet(PaneSheet::Changes);
        self.state.keymap.hint(surface, actions, words)
    }

    fn key(&self, action: A, words: &'static str) -> Hint {
        self.of(&[SheetAction::Changes(action)], words)
    }

    fn two(&self, actions: [A; 2], words: &'static str) -> Hint {
        self.of(&actions.map(SheetAction::Changes), words)
    }

    /// Out of the tab, from the list of files.
    fn close(&self) -> Hint {
        let back = Action::Sheet(SheetAction::Changes(A::Back));
        self.of_all(&[back, TabAction::CloseTab.into()], "close").way_out()
    }

    /// The same, from wherever one is in it.
    fn leave(&self) -> Hint {
        self.of_all(&[TabAction::CloseTab.into()], "close").way_out()
    }

    fn read(&self, action: DiffAction, words: &'static str) -> Hint {
        self.of(&[SheetAction::Diff(action)], words)
    }

    fn mark(&self, action: R, words: &'static str) -> Hint {
        self.of(&[SheetAction::Remarks(action)], words)
    }

    /// Remarks are made, and not sent yet.
    fn send(&self, view: &View) -> Option<Hint> {
        remarking::has_unsent(view).then(|| self.mark(R::ListRemarks, "list and send"))
    }

    /// Where nothing differs, one looks for a turn in which something did.
    fn changed_turns(&self) -> Hint {
        let keys = [DiffAction::PreviousChanged, DiffAction::NextChanged];
        self.of(&keys.map(SheetAction::Diff), "turns with changes (±)")
    }

    fn nothing_differs(&self, view: &View) -> Vec<Hint> {
        let has_turns = has_turns(view);
        let has_clones = !in_place::is_all(&view.changes);
        let all = [
            has_clones.then(|| self.key(A::CompareWith, "compare with")),
            (!has_clones).then(|| self.key(A::Refresh, "look again")),
            has_turns.then(|| self.two([A::PreviousTurn, A::NextTurn], "turns")),
            has_turns.then(|| self.changed_turns()),
            has_turns.then(|| self.key(A::Revert, "revert")),
            has_clones.then(|| self.key(A::UndoRevert, "undo")),
            Some(self.mark(R::ListRemarks, "remarks")),
            has_clones.then(|| self.key(A::Keep, "keep")),
            Some(self.close()),
        ];
        all.into_iter().flatten().collect()
    }

    /// Something was discarded that can come back.
    fn undo(&self, view: &View) -> Option<Hint> {
        let picks = view
            .chat
            .as_ref()
            .map(|chat| self.state.domain.live.reviews.last_picks(chat));
        let can_undo = picks.is_some_and(|picks| !picks.is_empty());
        can_undo.then(|| self.key(A::UndoRevert, "undo"))
    }

    fn in_files(&self, view: &View) -> Vec<Hint> {
        let is_file = view.changes.selected().is_some();
        let stage = if is_foreign(view) { "take" } else { "stage" };
        let can_remark = is_file && !is_foreign(view);
        let has_clones = !in_place::is_all(&view.changes);
        let is_clone = !is_in_place(view);
        let has_turns = has_turns(view);
        let all = [
            Some(self.key(A::Open, if is_file { "lines" } else { "fold" })),
            self.send(view),
            has_turns.then(|| self.two([A::PreviousTurn, A::NextTurn], "turns")),
            has_clones.then(|| self.key(A::CompareWith, "compare with")),
            can_remark.then(|| self.mark(R::Remark, "remark")),
            is_clone.then(|| self.mark(R::Stage, stage)),
            (is_clone && !is_foreign(view)).then(|| self.mark(R::Discard, "discard")),
            self.undo(view),
            Some(self.close()),
            Some(self.read(DiffAction::Search, "search")),
            is_file.then(|| self.key(A::Viewed, "viewed")),
            is_file
                .then(|| self.read(DiffAction::Edit, "edit"))
                .filter(|_| !is_clone),
            has_turns.then(|| self.key(A::Revert, "revert")),
            has_clones.then(|| self.key(A::Keep, "keep")),
            has_turns.then(|| self.key(A::Mark, "mark")),
        ];
        all.into_iter().flatten().collect()
    }

    fn on_remark(&self) -> Vec<Hint> {
        let steps = [R::NextRemark, R::PreviousRemark].map(SheetAction::Remarks);
        vec![
            self.key(A::Open, "edit"),
            self.mark(R::Resolve, "resolve"),
            self.mark(R::ListRemarks, "list and send"),
            self.of(&steps, "remark"),
            self.two([A::NextChange, A::PreviousChange], "change"),
            self.two([A::NextFile, A::PreviousFile], "file"),
            self.key(A::Back, "files"),
        ]
    }

    /// Lines are being chosen: keys are about all of them.
    fn on_chosen(&self, view: &View) -> Vec<Hint> {
        let is_own = !is_in_place(view) && !is_foreign(view);
        let all = [
            Some(self.key(A::Back, "choose none").way_out()),
            Some(self.two([A::Down, A::Up], "more lines")),
            is_foreign(view).then(|| self.mark(R::Stage, "take the lines")),
            is_own.then(|| self.mark(R::Stage, "stage the lines")),
            is_own.then(|| self.mark(R::Discard, "discard them")),
            (!is_foreign(view)).then(|| self.key(A::Open, "remark on them")),
            Some(self.read(DiffAction::CopyHunk, "copy them")),
        ];
        all.into_iter().flatten().collect()
    }

    fn on_foreign_lines(&self, view: &View) -> Vec<Hint> {
        let [early, late] = self.back(view);
        let all = [
            Some(self.two([A::NextChange, A::PreviousChange], "change")),
            Some(self.two([A::NextFile, A::PreviousFile], "file")),
            early,
            Some(self.mark(R::Stage, "take hunk")),
            Some(self.mark(R::ChooseLines, "choose lines")),
            Some(self.read(DiffAction::Search, "search")),
            Some(self.read(DiffAction::CopyHunk, "copy")),
            Some(self.read(DiffAction::Fold, "fold")),
            self.side_by_side(view),
            late,
        ];
        all.into_iter().flatten().collect()
    }

    fn side_by_side(&self, view: &View) -> Option<Hint> {
        place::can_be_side_by_side(view).then(|| self.key(A::SideBySide, "side by side"))
    }

    /// The way back to the files: early where they are not to be seen, else at the end.
    fn back(&self, view: &View) -> [Option<Hint>; 2] {
        let back = self.key(A::Back, "files");
        match place::areas(view).files.width {
            0 => [Some(back), None],
            _ => [None, Some(back)],
        }
    }

    fn on_lines(&self, view: &View) -> Vec<Hint> {
        let [early, late] = self.back(view);
        let steps = [
            self.two([A::NextChange, A::PreviousChange], "change"),
            self.two([A::NextFile, A::PreviousFile], "file"),
        ];
        let first = steps.into_iter().chain(early).chain([self.key(A::Open, "remark")]);
        let is_clone = !is_in_place(view);
        let rest = [
            is_clone.then(|| self.mark(R::Stage, "stage hunk")),
            Some(self.mark(R::ChooseLines, "choose lines")),
            is_clone.then(|| self.mark(R::Discard, "discard hunk")),
            (!is_clone).then(|| self.read(DiffAction::Edit, "edit")),
        ];
        let last = [
            Some(self.read(DiffAction::Search, "search")),
            Some(self.read(DiffAction::CopyHunk, "copy")),
            Some(self.read(DiffAction::Fold, "fold")),
            is_clone.then(|| self.read(DiffAction::Origin, "turn")),
            self.side_by_side(view),
            Some(self.key(A::WhiteSpace, "white space")),
            Some(self.two([A::MoreContext, A::LessContext], "context")),
            late,
        ];
        let all = first.chain(self.send(view)).chain(rest.into_iter().flatten());
        all.chain(self.undo(view)).chain(last.into_iter().flatten()).collect()
    }
}
