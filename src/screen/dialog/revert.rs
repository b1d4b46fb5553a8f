//! Going back to an earlier state of a chat's clones, or taking that back: names every file that changes by it.

use crate::domain::notice::Done;
use crate::domain::review::way::{PointWay, way};
use crate::domain::state::Domain;
use crate::model::review::{Back, FileFate, GoneClone, Point, RevertOf, Reverted, RevertedProject};
use crate::model::talk::{RevertedTalk, TalkFate};
use crate::model::{ChatId, Problem, Timestamp, text};

use super::{Around, Ask, Form, Part, Question, Stop, Subject, Wish, Work};

/// Prompts that are named in the dialog.
const NAMED: usize = 6;

/// Characters of a prompt that tell which it is.
const PROMPT: usize = 60;

/// Each begins with a letter of its own: that chooses it.
const CHOICES: [(RevertOf, &str); 3] = [
    (RevertOf::Both, "both code and conversation"),
    (RevertOf::Code, "code alone"),
    (RevertOf::Talk, "the conversation alone"),
];

pub struct RevertQuestion {
    chat: ChatId,
    about: Subject,
    back: Back,
    /// That was asked for, whatever came of it.
    looked: bool,
    form: Form,
    /// What would change; `None` while that is being found out.
    plan: Option<Reverted>,
    of: RevertOf,
}

impl RevertQuestion {
    pub fn new(domain: &Domain, chat: &ChatId, back: Back) -> RevertQuestion {
        RevertQuestion {
            chat: chat.clone(),
            about: Subject::chat(domain, chat),
            back,
            looked: false,
            form: Form::new(Stop::No, domain.now),
            plan: None,
            of: RevertOf::Both,
        }
    }

    pub fn undoes(&self) -> bool {
        self.back == Back::Undo
    }

    /// A person chooses where both can be taken back. An undo brings back all that the revert took.
    fn has_choice(&self) -> bool {
        let both = |plan: &Reverted| plan.talk.is_some() && !plan.projects.is_empty();
        matches!(self.back, Back::To { .. }) && self.plan.as_ref().is_some_and(both)
    }

    fn talk(&self) -> Option<&RevertedTalk> {
        self.plan.as_ref()?.talk.as_ref().filter(|_| self.of.has_talk())
    }

    /// The clones that change.
    fn projects(&self) -> impl Iterator<Item = &RevertedProject> {
        let plan = self.plan.iter().filter(|_| self.of.has_code());
        plan.flat_map(|plan| &plan.projects)
    }

    /// Something differs, and nothing is in the way.
    fn is_possible(&self) -> bool {
        let mut changed = self.talk().is_some();
        let projects = self.projects();
        for project in projects {
            if !project.in_the_way.is_empty() {
                return false;
            }
            changed |= !project.changes.is_empty() || project.head.is_some() || !project.branches.is_empty();
        }
        changed
    }

    /// The way back, of what was chosen.
    fn chosen(&self) -> Back {
        match self.back.clone() {
            Back::To { point, project, .. } => Back::To {
                point,
                project,
                of: self.of,
            },
            Back::Undo => Back::Undo,
        }
    }

    fn choice(&self) -> Part {
        let place = CHOICES.iter().position(|(of, _)| *of == self.of).unwrap_or(0);
        Part::Choice {
            stop: Stop::Of,
            label: "Go back",
            value: CHOICES[place].1.into(),
            at: format!("{} of {}", place + 1, CHOICES.len()),
            note: String::new(),
        }
    }

    /// What becomes of the agent.
    fn of_agent(&self, domain: &Domain) -> &'static str {
        if way(domain, &self.chat) == Some(PointWay::OnDemand) {
            return "Its shell is ended first, and a new one begins afterwards: what runs in it, its directory and its \
                    variables are lost.";
        }
        match self.talk().map(|talk| talk.agent) {
            None => "Its agent is stopped first, and started again afterwards. It keeps its conversation.",
            Some(TalkFate::GoesOn) => "Its agent is stopped first, and goes on from there afterwards.",
            Some(TalkFate::BeginsEmpty) => {
                "Its agent is stopped first, and begins an empty conversation afterwards: nothing is left ahead of that prompt \
                 in its CLI."
            }
            Some(TalkFate::BeginsAnew) => {
                "Its agent is stopped first, and begins again afterwards. AGENTS.md tells it what was said until then."
            }
        }
    }

    fn changes(&self) -> Vec<Part> {
        let Some(plan) = &self.plan else {
            return vec![Part::Note("Looking for what would change…".into())];
        };
        let mut lines = Vec::new();
        let (mut in_the_way, mut lost, mut staying) = (Vec::new(), Vec::new(), 0);
        for project in self.projects() {
            let name = &project.project;
            for file in &project.changes {
                let fate = match file.what {
                    FileFate::ComesBack => "comes back",
                    FileFate::Goes => "is removed",
                    FileFate::Changes if self.undoes() => "changes",
                    FileFate::Changes => "changes back",
                    FileFate::ChangesMode => "gets its permission bits back",
                };
                let path = text::visible(&file.path.to_string_lossy());
                lines.push(format!("{name}/{path} {fate}"));
            }
            // Another commit of the same branch is said of the branch.
            if let Some((from, to)) = project.head.as_ref().filter(|(from, to)| from != to) {
                lines.push(format!("{name}: checked out is {to}, not {from}"));
            }
            for branch in &project.branches {
                let commit =
                    |id: &Option<String>| id.as_deref().map_or("nothing", |id| &id[..id.len().min(9)]).to_string();
                let (from, to) = (commit(&branch.from), commit(&branch.to));
                lines.push(format!(
                    "{name}: {} goes from {from} to {to}",
                    text::visible(&branch.name)
                ));
            }
            lost.extend(project.gone.iter().map(|gone| format!("{name}: {}.", gone.told())));
            lost.extend(project.lost.iter().map(|lost| format!("{name}: {}.", lost.told())));
            staying += project.stays.len();
            let ways = project
                .in_the_way
                .iter()
                .map(|path| text::visible(&path.to_string_lossy()));
            in_the_way.extend(ways.map(|path| format!("{name}/{path}")));
        }
        if !in_the_way.is_empty() {
            let warning = "No checkpoint holds these files, so nothing is changed. Move them away first:";
            return vec![Part::Warning(warning.into()), Part::Lines(in_the_way)];
        }
        let mut parts = self.talk().map(told).unwrap_or_default();
        if self.talk().is_some() && !plan.waiting.is_empty() {
            let waits = match plan.waiting.len() {
                1 => "1 prompt waits, and goes back to the composer:".to_string(),
                many => format!("{many} prompts wait, and go back to the composer:"),
            };
            let prompts = plan.waiting.iter().map(|prompt| text::visible(prompt)).collect();
            parts.extend([Part::Note(waits), Part::Lines(prompts)]);
        }
        if let Some(why) = &plan.talk_stays {
            parts.push(Part::Note(format!("The conversation stays as it is: {why}.")));
        }
        if self.of.has_code() {
            parts.extend(plan.places().map(|told| Part::Note(format!("{told}."))));
        }
        let stays = |project: &RevertedProject| project.gone == Some(GoneClone::Stays);
        if lines.is_empty() && self.of.has_code() && !self.projects().any(stays) {
            let nothing = match parts.is_empty() {
                true => "Nothing would change: the files are as they were then.",
                false => "The files are as they were then.",
            };
            parts.push(Part::Note(nothing.into()));
        }
        parts.extend(lost.into_iter().map(Part::Note));
        match staying {
            0 => {}
            1 => parts.push(Part::Note(
                "1 path that the checkpoint does not hold stays as it is.".into(),
            )),
            many => parts.push(Part::Note(format!(
                "{many} paths that the checkpoint does not hold stay as they are."
            ))),
        }
        if lines.is_empty() {
            return parts;
        }
        let heading = match lines.len() {
            1 => "1 change:".to_string(),
            many => format!("{many} changes:"),
        };
        parts.extend([Part::Words(heading), Part::Lines(lines)]);
        parts
    }
}

/// What becomes of the conversation. Many prompts are counted, so that the files have room.
fn told(talk: &RevertedTalk) -> Vec<Part> {
    let named = |prompts: &[String]| {
        let mut words: Vec<String> = prompts
            .iter()
            .take(NAMED)
            .map(|text| format!("“{}”", text::visible(&text::one_line(text, PROMPT))))
            .collect();
        if prompts.len() > NAMED {
            words.push(format!("and {} more", prompts.len() - NAMED));
        }
        words.join(", ")
    };
    let mut parts = Vec::new();
    if !talk.hidden.is_empty() {
        let prompts = match talk.hidden.len() {
            1 => "1 prompt and all that followed it".into(),
            many => format!("{many} prompts and all that followed them"),
        };
        let words = format!("This takes back {prompts}: {}", named(&talk.hidden));
        parts.push(Part::Words(words));
    }
    if !talk.shown.is_empty() {
        parts.push(Part::Words(format!("Shown again: {}", named(&talk.shown))));
    }
    parts
}

impl Ask for RevertQuestion {
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
        match self.back {
            Back::To {
                point: Point::Turn(turn),
                ..
            } => format!("Go back to before turn {turn}?"),
            Back::To {
                point: Point::Checkpoint(number),
                ..
            } => format!("Go back to checkpoint {number}?"),
            Back::To {
                point: Point::Prompt(_),
                ..
            } => "Go back to before this prompt?".into(),
            Back::Undo => "Undo the last revert?".into(),
        }
    }

    fn parts(&self, around: &Around) -> Vec<Part> {
        let mut parts = Vec::new();
        // Why there is nothing to decide on is all there is to say.
        if let (None, Work::Failed(_)) = (&self.plan, &self.form.work) {
            parts.extend(self.form.warning());
            parts.push(Part::Buttons(vec![(Stop::No, "Close")]));
            return parts;
        }
        if self.has_choice() {
            parts.extend([self.choice(), Part::Gap]);
        }
        parts.extend(self.changes());
        parts.push(Part::Gap);
        if self.plan.is_none() || self.is_possible() {
            if around.domain.status(&self.chat).is_live() {
                parts.push(Part::Warning(self.of_agent(around.domain).into()));
            }
            let words = match self.back {
                Back::To { .. } => "What is there now is kept as a checkpoint: it can be brought back.",
                Back::Undo => "What was done since is kept as a checkpoint.",
            };
            parts.extend([Part::Note(words.into()), Part::Gap]);
        }
        parts.extend(self.form.warning());
        let yes = match (&self.back, self.form.is_busy()) {
            (_, true) => "Going back…",
            (Back::To { .. }, false) => "Go back",
            (Back::Undo, false) => "Undo it",
        };
        parts.push(match self.is_possible() {
            true => Part::Buttons(vec![(Stop::No, "Cancel"), (Stop::Yes, yes)]),
            false => Part::Buttons(vec![(Stop::No, "Close")]),
        });
        parts
    }

    fn turn(&mut self, _: &Around, _: Stop, by: i8) {
        let place = CHOICES.iter().position(|(of, _)| *of == self.of).unwrap_or(0);
        let next = (place + CHOICES.len()).saturating_add_signed(by.into()) % CHOICES.len();
        self.of = CHOICES[next].0;
    }

    fn about(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    fn wish(&self, _: &Around) -> Result<Wish, Problem> {
        match self.is_possible() {
            true => Ok(Wish::Revert(self.chat.clone(), self.chosen())),
            false => Err(Problem::new(
                "going back",
                "there is nothing that could be changed back",
                "choose another turn",
            )),
        }
    }

    fn scrolls(&self) -> bool {
        true
    }

    fn question(&self) -> Option<Question> {
        let plan = || Question::Plan(self.chat.clone(), self.back.clone());
        (!self.looked).then(plan)
    }

    fn looks(&mut self, _: &Question) {
        self.looked = true;
    }

    /// What there is to decide on is here, so it has to be seen before it is answered.
    fn learned(&mut self, done: &Done, now: Timestamp) {
        if let Done::Planned(_, plan) = done {
            self.of = match (plan.talk.is_some(), plan.projects.is_empty()) {
                (true, false) => RevertOf::Both,
                (true, true) => RevertOf::Talk,
                (false, _) => RevertOf::Code,
            };
            self.plan = Some(plan.clone());
            self.form.shown = now;
        }
    }
}
