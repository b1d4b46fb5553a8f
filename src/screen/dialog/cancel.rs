//! Cancelling a schedule: no more runs of it, while the chats of those that were stay.

use crate::model::{ClientId, Problem, ScheduleId, text};
use crate::screen::State;

use super::{Ask, Form, Part, Stop, Wish};

pub struct Cancel {
    pub schedule: ScheduleId,
    form: Form,
}

impl Cancel {
    pub fn new(state: &State, schedule: ScheduleId) -> Cancel {
        Cancel {
            schedule,
            form: Form::new(Stop::No, state.domain.now),
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

    fn title(&self) -> String {
        "Cancel this schedule?".into()
    }

    fn parts(&self, state: &State) -> Vec<Part> {
        let name = match state.domain.disk.schedules.get(&self.schedule) {
            Some(Ok(known)) => text::visible(&known.terms.name),
            Some(Err(_)) | None => self.schedule.to_string(),
        };
        let mut parts = vec![
            Part::Words(name),
            Part::Gap,
            Part::Note("It does not run any more. The chats of its runs stay.".into()),
            Part::Gap,
        ];
        parts.extend(self.form.warning());
        parts.push(Part::Buttons(vec![(Stop::No, "Keep it"), (Stop::Yes, "Cancel it")]));
        parts
    }

    fn wish(&self, _: &State, _: ClientId) -> Result<Wish, Problem> {
        Ok(Wish::CancelSchedule(self.schedule.clone()))
    }
}
