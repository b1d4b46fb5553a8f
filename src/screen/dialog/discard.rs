//! Discarding what was chosen of a chat's changes: all that goes is named.

use crate::domain::state::Domain;
use crate::model::pick::Pick;
use crate::model::{ChatId, Problem};

use super::super::keymap::{Action, ChangesAction, SheetAction};
use super::{Around, Ask, Form, Part, Stop, Subject, Wish};

pub struct Discard {
    chat: ChatId,
    about: Subject,
    form: Form,
    what: Discarded,
}

/// What is to be discarded, and how a person sees it.
pub struct Discarded {
    pub picks: Vec<Pick>,
    /// What the lines are.
    pub heading: String,
    /// Each file, or each line of one.
    pub lines: Vec<String>,
    /// What becomes of them.
    pub then: String,
}

impl Discard {
    pub fn new(domain: &Domain, chat: &ChatId, what: Discarded) -> Discard {
        Discard {
            chat: chat.clone(),
            about: Subject::chat(domain, chat),
            form: Form::new(Stop::No, domain.now),
            what,
        }
    }
}

impl Ask for Discard {
    fn form(&self) -> &Form {
        &self.form
    }

    fn form_mut(&mut self) -> &mut Form {
        &mut self.form
    }

    fn is_destructive(&self) -> bool {
        true
    }

    fn title(&self) -> String {
        "Discard?".into()
    }

    fn parts(&self, around: &Around) -> Vec<Part> {
        let undo = Action::Sheet(SheetAction::Changes(ChangesAction::UndoRevert));
        let undo = around.keymap.key(undo);
        let note = format!(
            "{} A checkpoint keeps what is there now: {undo} brings it back.",
            self.what.then
        );
        let mut parts = vec![
            Part::Words(self.what.heading.clone()),
            Part::Lines(self.what.lines.clone()),
            Part::Gap,
            Part::Note(note),
            Part::Gap,
        ];
        parts.extend(self.form.warning());
        let yes = if self.form.is_busy() {
            "Discarding…"
        } else {
            "Discard"
        };
        parts.push(Part::Buttons(vec![(Stop::No, "Cancel"), (Stop::Yes, yes)]));
        parts
    }

    fn about(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    fn wish(&self, _: &Around) -> Result<Wish, Problem> {
        Ok(Wish::Discard(self.chat.clone(), self.what.picks.clone()))
    }

    fn scrolls(&self) -> bool {
        true
    }
}
