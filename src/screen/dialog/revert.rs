//! Going back to an earlier state of a chat's clones, or taking that back: names every file that changes by it.

use crate::model::review::{Back, FileFate, Point, Reverted};
use crate::model::{ChatId, ClientId, Problem, Timestamp, text};
use crate::screen::State;

use super::{Ask, Form, Part, Stop, Wish, Work};

pub struct RevertQuestion {
    pub chat: ChatId,
    pub back: Back,
    form: Form,
    /// What would change; `None` while that is being found out.
    plan: Option<Reverted>,
}

impl RevertQuestion {
    pub fn new(state: &State, chat: &ChatId, back: Back) -> RevertQuestion {
        RevertQuestion {
            chat: chat.clone(),
            back,
            form: Form::new(Stop::No, state.domain.now),
            plan: None,
        }
    }

    /// What there is to decide on is here, so it has to be seen before it is answered.
    pub fn planned(&mut self, now: Timestamp, plan: Reverted) {
        self.plan = Some(plan);
        self.form.shown = now;
    }

    pub fn failed(&mut self, problem: Problem) {
        self.form.work = Work::Failed(problem);
    }

    /// Something differs, and nothing is in the way.
    fn is_possible(&self) -> bool {
        let projects = self.plan.iter().flat_map(|plan| &plan.projects);
        let mut changed = false;
        for project in projects {
            if !project.in_the_way.is_empty() {
                return false;
            }
            changed |= !project.changes.is_empty() || project.head.is_some() || !project.branches.is_empty();
        }
        changed
    }

    fn changes(&self) -> Vec<Part> {
        let Some(plan) = &self.plan else {
            return vec![Part::Note("Looking for what would change…".into())];
        };
        let mut lines = Vec::new();
        let mut in_the_way = Vec::new();
        for project in &plan.projects {
            let name = &project.project;
            for file in &project.changes {
                let fate = match file.what {
                    FileFate::ComesBack => "comes back",
                    FileFate::Goes => "is removed",
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
        if lines.is_empty() {
            return vec![Part::Note(
                "Nothing would change: the files are as they were then.".into(),
            )];
        }
        let heading = match lines.len() {
            1 => "This changes:".to_string(),
            many => format!("These {many} change:"),
        };
        vec![Part::Words(heading), Part::Lines(lines)]
    }
}

impl Ask for RevertQuestion {
    fn form(&self) -> &Form {
        &self.form
    }

    fn form_mut(&mut self) -> &mut Form {
        &mut self.form
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
            Back::Undo => "Undo the last revert?".into(),
        }
    }

    fn parts(&self, state: &State) -> Vec<Part> {
        let mut parts = self.changes();
        parts.push(Part::Gap);
        if state.domain.status(&self.chat).is_live() {
            let words = "Its agent is stopped first, and started again afterwards. It keeps its conversation.";
            parts.push(Part::Warning(words.into()));
        }
        let words = match self.back {
            Back::To { .. } => "What is there now is kept as a checkpoint: it can be brought back.",
            Back::Undo => "What was done since is kept as a checkpoint.",
        };
        parts.push(Part::Note(words.into()));
        parts.push(Part::Gap);
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

    fn wish(&self, _: &State, _: ClientId) -> Result<Wish, Problem> {
        match self.is_possible() {
            true => Ok(Wish::Revert(self.chat.clone(), self.back.clone())),
            false => Err(Problem::new(
                "going back",
                "there is nothing that could be changed back",
                "choose another turn",
            )),
        }
    }
}
