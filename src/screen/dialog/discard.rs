//! Discarding what was chosen of a chat's changes.

use crate::domain::state::Domain;
use crate::model::pick::Pick;
use crate::model::{ChatId, Problem, text};

use super::{Around, Ask, Form, Part, Stop, Subject, Wish};

pub struct Discard {
    chat: ChatId,
    about: Subject,
    form: Form,
    picks: Vec<Pick>,
    /// So many lines, where lines were chosen.
    lines: usize,
}

impl Discard {
    pub fn new(domain: &Domain, chat: &ChatId, picks: Vec<Pick>, lines: usize) -> Discard {
        Discard {
            chat: chat.clone(),
            about: Subject::chat(domain, chat),
            form: Form::new(Stop::No, domain.now),
            picks,
            lines,
        }
    }

    fn what(&self) -> String {
        match (self.picks.as_slice(), self.lines) {
            ([pick], 0) if pick.parts.is_empty() => "All changes of this file:".into(),
            ([_], 0) => "This change:".into(),
            ([_], 1) => "One changed line of:".into(),
            ([_], lines) => format!("{lines} changed lines of:"),
            (picks, _) => format!("All changes of these {} files:", picks.len()),
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

    fn parts(&self, _: &Around) -> Vec<Part> {
        let files = self.picks.iter().map(|pick| {
            let path = format!("{}/{}", pick.of.project(), pick.of.path().display());
            text::visible(&path)
        });
        let mut parts = vec![
            Part::Words(self.what()),
            Part::Lines(files.collect()),
            Part::Gap,
            Part::Note(
                "The files become as they are on the left of this comparison. A checkpoint keeps what is there now."
                    .into(),
            ),
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
        Ok(Wish::Discard(self.chat.clone(), self.picks.clone()))
    }
}
