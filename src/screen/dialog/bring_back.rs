//! Undoing a discard, or what was taken from another chat: the files come back as a checkpoint has them.

use crate::domain::state::Domain;
use crate::model::pick::{PickAct, SavedPick};
use crate::model::{ChatId, Problem, text};

use super::{Around, Ask, Form, Part, Stop, Subject, Wish};

pub struct BringBack {
    chat: ChatId,
    about: Subject,
    form: Form,
    picks: Vec<SavedPick>,
}

impl BringBack {
    /// `None` where nothing was discarded that could come back.
    pub fn new(domain: &Domain, chat: &ChatId) -> Option<BringBack> {
        let picks = domain.live.reviews.last_picks(chat);
        (!picks.is_empty()).then(|| BringBack {
            chat: chat.clone(),
            about: Subject::chat(domain, chat),
            form: Form::new(Stop::No, domain.now),
            picks: picks.to_vec(),
        })
    }

    fn is_taken(&self) -> bool {
        self.picks.iter().any(|pick| pick.picked.act == PickAct::Take)
    }
}

impl Ask for BringBack {
    fn form(&self) -> &Form {
        &self.form
    }

    fn form_mut(&mut self) -> &mut Form {
        &mut self.form
    }

    fn title(&self) -> String {
        match self.is_taken() {
            true => "Undo what was taken?".into(),
            false => "Undo the discard?".into(),
        }
    }

    fn parts(&self, around: &Around) -> Vec<Part> {
        let words = match self.is_taken() {
            true => "Makes these files what they were before something was taken into them:",
            false => "Brings back what was discarded last in:",
        };
        let line = |pick: &SavedPick| {
            let picked = &pick.picked;
            let path = format!("{}/{}", picked.project, picked.path.to_string_lossy());
            match picked.saved {
                Some(number) => format!("{}, from checkpoint {number}", text::visible(&path)),
                None => text::visible(&path),
            }
        };
        let mut parts = vec![
            Part::Words(words.into()),
            Part::Lines(self.picks.iter().map(line).collect()),
            Part::Gap,
            Part::Note(match around.is_shell {
                true => "A file that was changed since stays as it is.".into(),
                false => "Its agent works on meanwhile. A file that was changed since stays as it is.".into(),
            }),
            Part::Gap,
        ];
        parts.extend(self.form.warning());
        let yes = match self.form.is_busy() {
            true => "Bringing it back…",
            false => "Bring it back",
        };
        parts.push(Part::Buttons(vec![(Stop::No, "Cancel"), (Stop::Yes, yes)]));
        parts
    }

    fn about(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    fn wish(&self, _: &Around) -> Result<Wish, Problem> {
        Ok(Wish::BringBack(self.chat.clone(), self.picks.clone()))
    }

    fn scrolls(&self) -> bool {
        true
    }
}
