//! Cancelling a schedule: no more runs of it, while the chats of those that were stay.

use crate::domain::state::Domain;
use crate::model::{Problem, ScheduleId, text};

use super::{Around, Ask, Form, Part, ScheduleWish, Stop, Subject, Wish};

pub struct Cancel {
    schedule: ScheduleId,
    about: Subject,
    form: Form,
}

impl Cancel {
    pub fn new(domain: &Domain, schedule: ScheduleId) -> Cancel {
        Cancel {
            about: Subject::schedule(domain, &schedule),
            schedule,
            form: Form::new(Stop::No, domain.now),
        }
    }
}

impl Ask for Cancel {
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
        "Cancel this schedule?".into()
    }

    fn parts(&self, _: &Around) -> Vec<Part> {
        let mut parts = vec![
            Part::Words(text::visible(self.about.name())),
            Part::Gap,
            Part::Note("It does not run any more. The chats of its runs stay.".into()),
            Part::Gap,
        ];
        parts.extend(self.form.warning());
        parts.push(Part::Buttons(vec![(Stop::No, "Keep it"), (Stop::Yes, "Cancel it")]));
        parts
    }

    fn leaves(&self) -> bool {
        true
    }

    fn about(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    fn wish(&self, _: &Around) -> Result<Wish, Problem> {
        Ok(Wish::Schedule(ScheduleWish::Cancel(self.schedule.clone())))
    }
}
