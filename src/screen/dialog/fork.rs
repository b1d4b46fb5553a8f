//! Whether to make a chat of a moment of this one.

use crate::domain::notice::Done;
use crate::domain::state::Domain;
use crate::model::review::Point;
use crate::model::{ChatId, Problem, Timestamp};

use super::{Around, Ask, Form, Part, Reply, Stop, Subject, Wish};

pub struct ForkQuestion {
    chat: ChatId,
    about: Subject,
    form: Form,
    at: Point,
}

impl ForkQuestion {
    pub fn new(domain: &Domain, chat: &ChatId, at: Point) -> ForkQuestion {
        ForkQuestion {
            chat: chat.clone(),
            about: Subject::chat(domain, chat),
            form: Form::new(Stop::No, domain.now),
            at,
        }
    }
}

impl Ask for ForkQuestion {
    fn form(&self) -> &Form {
        &self.form
    }

    fn form_mut(&mut self) -> &mut Form {
        &mut self.form
    }

    fn title(&self) -> String {
        "Fork?".into()
    }

    fn parts(&self, _: &Around) -> Vec<Part> {
        let at = match self.at {
            Point::Turn(turn) => format!("before turn {turn}"),
            Point::Checkpoint(number) => format!("at checkpoint {number}"),
            Point::Prompt(_) => "before the chosen prompt".into(),
        };
        let mut parts = vec![
            Part::Words(format!("A new chat begins with what this one was {at}.")),
            Part::Gap,
            Part::Note(
                "It has clones and an agent of its own, and goes on with the conversation where its CLI can do that. This \
                 chat stays as it is."
                    .into(),
            ),
            Part::Gap,
        ];
        parts.extend(self.form.warning());
        let yes = if self.form.is_busy() { "Forking…" } else { "Fork" };
        parts.push(Part::Buttons(vec![(Stop::No, "Cancel"), (Stop::Yes, yes)]));
        parts
    }

    fn about(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    fn wish(&self, _: &Around) -> Result<Wish, Problem> {
        Ok(Wish::Fork(self.chat.clone(), self.at))
    }

    /// What is noted of it is told before it is there.
    fn carried_out(&mut self, done: &Done, _: Timestamp) -> Reply {
        match done {
            Done::ChatMade(_) => Reply::Over,
            _ => Reply::Stay,
        }
    }
}
