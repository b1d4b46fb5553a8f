//! Whether to make a chat of this one, as it is or as it was at a moment.

use crate::domain::notice::{Done, KeptNews};
use crate::domain::state::Domain;
use crate::model::keep::CloneToKeep;
use crate::model::review::Point;
use crate::model::text::visible;
use crate::model::{ChatId, Problem, Timestamp};

use super::{Around, Ask, Form, Part, Question, Reply, Stop, Subject, Wish};

pub struct ForkQuestion {
    chat: ChatId,
    about: Subject,
    form: Form,
    /// Absent: now.
    at: Option<Point>,
    /// How the prompt begins before which it begins, if that is a prompt.
    prompt: Option<String>,
    looked: bool,
    /// What is not committed, and so does not come along.
    stays: Vec<String>,
}

impl ForkQuestion {
    /// Of a chat as it is now.
    pub fn new(domain: &Domain, chat: &ChatId) -> ForkQuestion {
        ForkQuestion {
            chat: chat.clone(),
            about: Subject::chat(domain, chat),
            form: Form::new(Stop::No, domain.now),
            at: None,
            prompt: None,
            looked: false,
            stays: Vec::new(),
        }
    }

    pub fn at(domain: &Domain, chat: &ChatId, at: Point, prompt: Option<String>) -> ForkQuestion {
        ForkQuestion {
            at: Some(at),
            prompt,
            ..ForkQuestion::new(domain, chat)
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
        if self.at.is_some() { "Fork?" } else { "Duplicate?" }.into()
    }

    fn parts(&self, _: &Around) -> Vec<Part> {
        let begins = match self.at {
            Some(Point::Turn(turn)) => format!("was before turn {turn}"),
            Some(Point::Checkpoint(number)) => format!("was at checkpoint {number}"),
            Some(Point::Prompt(_)) => match &self.prompt {
                Some(prompt) => format!("was before the prompt “{}”", visible(prompt)),
                None => "was before the chosen prompt".into(),
            },
            None => "is now".into(),
        };
        let mut parts = vec![
            Part::Words(format!("A new chat begins with what this one {begins}.")),
            Part::Gap,
            Part::Note(
                "It has clones and an agent of its own, and goes on with the conversation where its CLI can do that. This \
                 chat stays as it is."
                    .into(),
            ),
            Part::Gap,
        ];
        for stays in &self.stays {
            parts.push(Part::Note(stays.clone()));
        }
        if !self.stays.is_empty() {
            parts.push(Part::Gap);
        }
        parts.extend(self.form.warning());
        let yes = match (self.at, self.form.is_busy()) {
            (Some(_), true) => "Forking…",
            (Some(_), false) => "Fork",
            (None, _) => "Duplicate",
        };
        parts.push(Part::Buttons(vec![(Stop::No, "Cancel"), (Stop::Yes, yes)]));
        parts
    }

    /// Who wants another chat goes on meanwhile; who goes back to a moment waits for it.
    fn leaves(&self) -> bool {
        self.at.is_none()
    }

    fn about(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    fn wish(&self, _: &Around) -> Result<Wish, Problem> {
        Ok(Wish::Fork(self.chat.clone(), self.at))
    }

    /// A checkpoint holds what is not committed; only a copy of what is now leaves it behind.
    fn question(&self) -> Option<Question> {
        (!self.looked && self.at.is_none()).then(|| Question::KeepDraft(self.chat.clone()))
    }

    fn looks(&mut self, _: &Question) {
        self.looked = true;
    }

    fn learned(&mut self, done: &Done, _: Timestamp) {
        if let Done::Kept(KeptNews::Draft(draft)) = done {
            let changed = draft.clones.iter().filter(|clone| clone.changed > 0);
            self.stays = changed.map(stays_behind).collect();
        }
    }

    /// What is noted of it is told before it is there.
    fn carried_out(&mut self, done: &Done, _: Timestamp) -> Reply {
        match matches!(done, Done::ChatMade(_)) {
            true => Reply::Over,
            false => Reply::Stay,
        }
    }
}

fn stays_behind(clone: &CloneToKeep) -> String {
    let project = visible(&clone.project);
    let files = match clone.changed {
        1 => format!("1 file of {project} is not committed and stays behind"),
        many => format!("{many} files of {project} are not committed and stay behind"),
    };
    format!("{files}: commit first, or fork from a checkpoint.")
}
