//! What dialogs that ask have in common: parts from top to bottom, one of them focused, and work that may fail.

use crate::domain::notice::Done;
use crate::domain::work::{ShownContent, ShownRead};
use crate::model::{Problem, RequestId, Timestamp};

use super::super::hint::Hint;
use super::buttons::Button;
use super::focus::Stop;
use super::typed_letters::TypedLetters;
use super::{Around, BranchField, Field, Places, Question, Reply, Subject, Suggested, Wish, tables};

/// What was typed before a question could be read does not answer it.
pub const UNREAD_MS: u64 = 500;

const SECOND_MS: u64 = 1_000;

/// What each dialog that asks can say of itself.
pub trait Ask {
    fn form(&self) -> &Form;
    fn form_mut(&mut self) -> &mut Form;
    fn title(&self) -> String;
    /// Top to bottom.
    fn parts(&self, around: &Around) -> Vec<Part>;

    /// What its parts would be with other choices, where its height is not to follow the choice.
    fn other_parts(&self, _: &Around) -> Vec<Vec<Part>> {
        Vec::new()
    }

    /// What it is about, if that can go.
    fn about(&self) -> Option<&Subject> {
        None
    }

    /// The keys that matter now, most wanted first.
    fn hints(&self) -> Vec<Hint> {
        tables::question_hints()
    }

    /// What is wanted, or why that cannot be yet.
    fn wish(&self, around: &Around) -> Result<Wish, Problem>;

    /// Its yes destroys something.
    fn is_destructive(&self) -> bool {
        false
    }

    /// What the button wants that is neither a yes nor a no.
    fn elsewhere(&self) -> Option<Wish> {
        None
    }

    /// It closes with the answer: nobody waits for what comes of it.
    fn leaves(&self) -> bool {
        false
    }

    /// The wheel scrolls its lines.
    fn scrolls(&self) -> bool {
        false
    }

    /// What leaving it gives up while this request of its own is under way, in words, and how.
    fn gives_up(&self, _request: RequestId) -> Option<(&'static str, Wish)> {
        None
    }

    /// What it has to know next. Asked for one at a time.
    fn question(&self) -> Option<Question> {
        let places = self.places()?;
        let branch = self.branch_field(self.form().at);
        let of_branch = || branch?.question(&places.field.text(), &places.cwd);
        places.question().or_else(of_branch)
    }

    /// That is being found out.
    fn looks(&mut self, question: &Question) {
        let at = self.form().at;
        if let (Question::Shown(ShownRead::Places { text, .. }), Some(places)) = (question, self.places_mut()) {
            places.asks(text);
        }
        if let (Question::Shown(ShownRead::Branches { place, text, .. }), Some(field)) =
            (question, self.branch_field_mut(at))
        {
            field.asks(place, text);
        }
    }

    /// The answer to that.
    fn learned(&mut self, done: &Done, _now: Timestamp) {
        if let (Done::Shown(ShownContent::Places { hints, branch, .. }), Some(places)) = (done, self.places_mut()) {
            places.answer(hints.clone(), branch.clone());
        }
        self.learned_branches(done);
    }

    /// Each field takes what it asked for.
    fn learned_branches(&mut self, done: &Done) {
        let Done::Shown(ShownContent::Branches(named)) = done else {
            return;
        };
        for stop in [Stop::Branch, Stop::Base] {
            let field = self.branch_field_mut(stop).into_iter();
            field.for_each(|field| field.answer(named));
        }
    }

    /// Its wish has come to this: it is over, unless there is more to it.
    fn carried_out(&mut self, _done: &Done, _now: Timestamp) -> Reply {
        Reply::Over
    }

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
    fn turn(&mut self, _: &Around, _: Stop, _: i8) {}

    fn places(&self) -> Option<&Places> {
        None
    }

    fn places_mut(&mut self) -> Option<&mut Places> {
        None
    }

    /// The field for a branch of the project, where there is one.
    fn branch_field(&self, _: Stop) -> Option<&BranchField> {
        None
    }

    fn branch_field_mut(&mut self, _: Stop) -> Option<&mut BranchField> {
        None
    }

    /// What has suggestions.
    fn suggested(&self, at: Stop) -> Option<&dyn Suggested> {
        match at {
            Stop::Place => self.places().map(|places| places as &dyn Suggested),
            other => self.branch_field(other).map(|field| field as &dyn Suggested),
        }
    }

    fn suggested_mut(&mut self, at: Stop) -> Option<&mut dyn Suggested> {
        match at {
            Stop::Place => self.places_mut().map(|places| places as &mut dyn Suggested),
            other => self.branch_field_mut(other).map(|field| field as &mut dyn Suggested),
        }
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
            Part::Words(_) | Part::Note(_) | Part::Warning(_) | Part::Lines(_) | Part::Gap => Vec::new(),
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
    /// The question that is under way.
    pub asked: Option<RequestId>,
    /// When the work began that was asked for.
    began: Timestamp,
    /// What was typed, and on which choice.
    letters: (Stop, TypedLetters),
}

/// How the work fares that a dialog asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Work {
    Ready,
    Busy(RequestId),
    Failed(Problem),
}

impl Form {
    pub fn new(at: Stop, now: Timestamp) -> Form {
        Form {
            at,
            work: Work::Ready,
            shown: now,
            scroll: 0,
            asked: None,
            began: now,
            letters: (at, TypedLetters::default()),
        }
    }

    /// What was typed on the choice `at` so far.
    pub(super) fn letters(&mut self, at: Stop) -> &mut TypedLetters {
        if self.letters.0 != at {
            self.letters = (at, TypedLetters::default());
        }
        &mut self.letters.1
    }

    /// Why the last try failed, as parts.
    pub fn warning(&self) -> Vec<Part> {
        match &self.work {
            Work::Failed(problem) => vec![Part::Warning(problem.to_string()), Part::Gap],
            Work::Ready | Work::Busy(_) => Vec::new(),
        }
    }

    /// The button that leaves the form, and the one that does it, called otherwise while that is under way.
    pub fn buttons(&self, does: &'static str, busy: &'static str) -> Part {
        let does = if self.is_busy() { busy } else { does };
        Part::Buttons(vec![(Stop::No, "Cancel"), (Stop::Yes, does)])
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
        self.request().is_some()
    }

    /// Its work that is under way.
    pub fn request(&self) -> Option<RequestId> {
        match self.work {
            Work::Busy(request) => Some(request),
            Work::Ready | Work::Failed(_) => None,
        }
    }

    pub fn begin(&mut self, request: RequestId, now: Timestamp) {
        self.work = Work::Busy(request);
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

/// The one before or behind, round and round.
pub(super) fn next_of<T: Clone + PartialEq>(all: &[T], at: &T, by: i8) -> T {
    let place = all.iter().position(|one| one == at).unwrap_or(0);
    let next = match by {
        ..0 => place + all.len() - 1,
        0.. => place + 1,
    };
    all[next % all.len()].clone()
}
