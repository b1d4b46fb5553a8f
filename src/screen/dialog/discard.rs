//! Discarding what was chosen of a chat's changes.

use crate::model::pick::Pick;
use crate::model::{ChatId, ClientId, Problem, text};
use crate::screen::State;

use super::{Ask, Form, Part, Stop, Wish};

pub struct Discard {
    pub chat: ChatId,
    form: Form,
    picks: Vec<Pick>,
    /// So many lines, where lines were chosen.
    lines: usize,
}

impl Discard {
    pub fn new(state: &State, chat: ChatId, picks: Vec<Pick>, lines: usize) -> Discard {
        Discard {
            chat,
            form: Form::new(Stop::No, state.domain.now),
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

    fn title(&self) -> String {
        "Discard?".into()
    }

    fn parts(&self, _: &State) -> Vec<Part> {
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

    fn wish(&self, _: &State, _: ClientId) -> Result<Wish, Problem> {
        Ok(Wish::Discard(self.picks.clone()))
    }
}
