//! What dialogs that ask have in common: parts from top to bottom, one of them focused, and work that may fail.

use crate::model::{ClientId, Problem, Timestamp};
use crate::screen::State;

use super::super::hint::Hint;
use super::buttons::Button;
use super::focus::Stop;
use super::{
    Approvals, AtomForm, AtomPage, Cancel, Choose, Delete, Discard, Field, Halt, Help, Log, NewChat, Output, Palette,
    Places, Project, Proposed, RemarkForm, Rename, RevertQuestion, ScheduleForm, Servers, Trash, UNREAD_MS, Wish,
    tables,
};

const SECOND_MS: u64 = 1_000;

/// What is open over a client's screen.
pub enum Dialog {
    NewChat(Box<NewChat>),
    Project(Box<Project>),
    Rename(Box<Rename>),
    Schedule(Box<ScheduleForm>),
    Cancel(Cancel),
    Stop(Halt),
    Revert(Box<RevertQuestion>),
    Remark(Box<RemarkForm>),
    Discard(Box<Discard>),
    Delete(Delete),
    Help(Help),
    Log(Log),
    Palette(Box<Palette>),
    Choose(Box<Choose>),
    Approvals(Approvals),
    Servers(Box<Servers>),
    Trash(Box<Trash>),
    Output(Box<Output>),
    Proposed(Box<Proposed>),
    AtomForm(Box<AtomForm>),
    AtomPage(AtomPage),
}

/// What each dialog that asks can say of itself.
pub trait Ask {
    fn form(&self) -> &Form;
    fn form_mut(&mut self) -> &mut Form;
    fn title(&self) -> String;
    /// Top to bottom.
    fn parts(&self, state: &State) -> Vec<Part>;

    /// The keys that matter now, most wanted first.
    fn hints(&self) -> Vec<Hint> {
        tables::question_hints()
    }

    /// What is wanted, or why that cannot be yet.
    fn wish(&self, state: &State, client: ClientId) -> Result<Wish, Problem>;

    /// What is typed into, and where.
    fn fields(&self) -> Vec<(Stop, &Field)> {
        Vec::new()
    }

    fn fields_mut(&mut self) -> Vec<(Stop, &mut Field)> {
        Vec::new()
    }

    fn field(&self, stop: Stop) -> Option<&Field> {
        let mut fields = self.fields().into_iter();
        fields.find_map(|(at, field)| (at == stop).then_some(field))
    }

    fn field_mut(&mut self, stop: Stop) -> Option<&mut Field> {
        let mut fields = self.fields_mut().into_iter();
        fields.find_map(|(at, field)| (at == stop).then_some(field))
    }

    /// Another choice, to the left or right, of a part that is chosen from or ticked.
    fn turn(&mut self, _: &State, _: Stop, _: i8) {}

    fn places(&self) -> Option<&Places> {
        None
    }

    fn places_mut(&mut self) -> Option<&mut Places> {
        None
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    Field {
        stop: Stop,
        label: &'static str,
        rows: u16,
        placeholder: String,
    },
    /// One of several, `at` how many; the note says more of it.
    Choice {
        stop: Stop,
        label: &'static str,
        value: String,
        at: String,
        note: String,
    },
    /// Suggestions for the field above.
    Hints,
    Tick {
        stop: Stop,
        on: bool,
        text: String,
    },
    Words(String),
    /// Second in importance.
    Note(String),
    Warning(String),
    /// Lines that may be too many to show at once.
    Lines(Vec<String>),
    Gap,
    Buttons(Vec<Button>),
}

impl Part {
    /// What the focus can be on in this part.
    pub fn stops(&self) -> Vec<Stop> {
        match self {
            Part::Field { stop, .. } | Part::Choice { stop, .. } | Part::Tick { stop, .. } => {
                vec![*stop]
            }
            Part::Buttons(buttons) => buttons.iter().map(|(stop, _)| *stop).collect(),
            Part::Hints | Part::Words(_) | Part::Note(_) | Part::Warning(_) | Part::Lines(_) | Part::Gap => Vec::new(),
        }
    }
}

pub struct Form {
    pub at: Stop,
    pub work: Work,
    /// Since when all that is to be decided on has been visible.
    pub shown: Timestamp,
    /// Lines of [`Part::Lines`] that are scrolled away.
    pub scroll: usize,
    /// When the work began that was asked for.
    began: Timestamp,
}

/// How the work fares that a dialog asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Work {
    Ready,
    Busy,
    Failed(Problem),
}

impl Form {
    pub fn new(at: Stop, now: Timestamp) -> Form {
        Form {
            at,
            work: Work::Ready,
            shown: now,
            scroll: 0,
            began: now,
        }
    }

    /// Why the last try failed, as parts.
    pub fn warning(&self) -> Vec<Part> {
        match &self.work {
            Work::Failed(problem) => vec![Part::Warning(problem.to_string()), Part::Gap],
            Work::Ready | Work::Busy => Vec::new(),
        }
    }

    /// What was wrong is not said of what stands there now.
    pub fn changed(&mut self) {
        if let Work::Failed(_) = self.work {
            self.work = Work::Ready;
        }
    }

    /// What was typed before it could be read does not answer it.
    pub fn is_unread(&self, now: Timestamp) -> bool {
        now.ms_since(self.shown) < UNREAD_MS
    }

    pub fn is_busy(&self) -> bool {
        self.work == Work::Busy
    }

    pub fn begin(&mut self, now: Timestamp) {
        self.work = Work::Busy;
        self.began = now;
    }

    /// What is being done, and for how long, as parts.
    pub fn progress(&self, what: &str, now: Timestamp) -> Vec<Part> {
        let seconds = now.ms_since(self.began) / SECOND_MS;
        match self.is_busy() && !what.is_empty() {
            true => vec![Part::Note(format!("{what} · {seconds} s")), Part::Gap],
            false => Vec::new(),
        }
    }

    /// When that says something else.
    pub fn ticks(&self, now: Timestamp) -> Option<Timestamp> {
        let seconds = now.ms_since(self.began) / SECOND_MS;
        self.is_busy().then(|| self.began.plus_ms((seconds + 1) * SECOND_MS))
    }
}

impl Dialog {
    /// The dialog as one that asks; help and log only show, and the palette runs.
    pub fn ask(&self) -> Option<&dyn Ask> {
        match self {
            Dialog::NewChat(ask) => Some(ask.as_ref()),
            Dialog::Project(ask) => Some(ask.as_ref()),
            Dialog::Rename(ask) => Some(ask.as_ref()),
            Dialog::Schedule(ask) => Some(ask.as_ref()),
            Dialog::Cancel(ask) => Some(ask),
            Dialog::Stop(ask) => Some(ask),
            Dialog::Revert(ask) => Some(&**ask),
            Dialog::Remark(ask) => Some(ask.as_ref()),
            Dialog::Discard(ask) => Some(ask.as_ref()),
            Dialog::Delete(ask) => Some(ask),
            Dialog::Help(_)
            | Dialog::Log(_)
            | Dialog::Palette(_)
            | Dialog::Approvals(_)
            | Dialog::Servers(_)
            | Dialog::Trash(_)
            | Dialog::Output(_)
            | Dialog::Proposed(_)
            | Dialog::Choose(_)
            | Dialog::AtomPage(_) => None,
            Dialog::AtomForm(ask) => Some(ask.as_ref()),
        }
    }

    pub fn ask_mut(&mut self) -> Option<&mut dyn Ask> {
        match self {
            Dialog::NewChat(ask) => Some(ask.as_mut()),
            Dialog::Project(ask) => Some(ask.as_mut()),
            Dialog::Rename(ask) => Some(ask.as_mut()),
            Dialog::Schedule(ask) => Some(ask.as_mut()),
            Dialog::Cancel(ask) => Some(ask),
            Dialog::Stop(ask) => Some(ask),
            Dialog::Revert(ask) => Some(&mut **ask),
            Dialog::Remark(ask) => Some(ask.as_mut()),
            Dialog::Discard(ask) => Some(ask.as_mut()),
            Dialog::Delete(ask) => Some(ask),
            Dialog::Help(_)
            | Dialog::Log(_)
            | Dialog::Palette(_)
            | Dialog::Approvals(_)
            | Dialog::Servers(_)
            | Dialog::Trash(_)
            | Dialog::Output(_)
            | Dialog::Proposed(_)
            | Dialog::Choose(_)
            | Dialog::AtomPage(_) => None,
            Dialog::AtomForm(ask) => Some(ask.as_mut()),
        }
    }
}
