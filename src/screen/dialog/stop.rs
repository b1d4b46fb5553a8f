//! Ending an agent, for good or to start it again, its turn, or an editor. Its chat stays.

use crate::domain::state::Domain;
use crate::domain::team::tree;
use crate::model::{ChatId, Problem, Status, text};

use super::super::keymap::ChatAction;
use super::super::tally;
use super::{AfterHalt, Around, Ask, Form, Part, Stop, Subject, Wish};

pub struct Halt {
    chat: ChatId,
    about: Subject,
    then: AfterHalt,
    form: Form,
}

impl Halt {
    pub fn new(domain: &Domain, chat: &ChatId, then: AfterHalt) -> Halt {
        Halt {
            chat: chat.clone(),
            about: Subject::chat(domain, chat),
            then,
            form: Form::new(Stop::No, domain.now),
        }
    }
}

impl Ask for Halt {
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
        match self.then {
            AfterHalt::NextPrompt => "Interrupt the turn?".into(),
            AfterHalt::Rest => "Stop the agent?".into(),
            AfterHalt::TreeRests => "Stop the agents of this tree?".into(),
            AfterHalt::StartAgain => "Restart the agent?".into(),
            AfterHalt::EditorGone => "End the editor?".into(),
        }
    }

    fn parts(&self, around: &Around) -> Vec<Part> {
        let status = match self.then {
            AfterHalt::TreeRests => match tally::words(around.domain, &tree::below(around.domain, &self.chat)) {
                none if none.is_empty() => "nothing is below it".into(),
                counts => format!("below it: {counts}"),
            },
            AfterHalt::EditorGone => "An editor is open in it.".into(),
            AfterHalt::NextPrompt | AfterHalt::Rest | AfterHalt::StartAgain => {
                text::visible(&around.domain.status(&self.chat).to_string())
            }
        };
        let (what, button) = match self.then {
            AfterHalt::NextPrompt => (
                "What it has done stays, and it waits for your next prompt.".into(),
                "Interrupt",
            ),
            AfterHalt::Rest => {
                let resume = around.keymap.key(ChatAction::Enter);
                let what = format!("Its process ends. Chat, projects and conversation stay, and {resume} resumes it.");
                (what, "Stop")
            }
            AfterHalt::TreeRests => (
                "Its agent ends, and every agent below it. Chats, projects and conversations stay.".into(),
                "Stop all",
            ),
            AfterHalt::StartAgain if is_in_turn(around.domain, &self.chat) => (
                "Its turn is broken off. It goes on with the same conversation, with its settings made again.".into(),
                "Restart",
            ),
            AfterHalt::StartAgain => (
                "It goes on with the same conversation, with its settings made again.".into(),
                "Restart",
            ),
            AfterHalt::EditorGone => (
                "What is not saved in it is lost, unless the editor keeps it.".into(),
                "End it",
            ),
        };
        let mut parts = vec![
            Part::Words(text::visible(self.about.name())),
            Part::Note(status),
            Part::Gap,
            Part::Note(what),
            Part::Gap,
        ];
        parts.extend(self.form.warning());
        parts.push(Part::Buttons(vec![(Stop::No, "Let it run"), (Stop::Yes, button)]));
        parts
    }

    fn leaves(&self) -> bool {
        true
    }

    fn about(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    fn wish(&self, _: &Around) -> Result<Wish, Problem> {
        Ok(Wish::Halt(self.chat.clone(), self.then))
    }
}

/// Whether a turn would be broken off, as far as is known: a setup that waits for a person, or work in the background, is
/// none.
pub fn is_in_turn(domain: &Domain, chat: &ChatId) -> bool {
    let agent = domain.live.agents.get(chat).filter(|agent| agent.is_live());
    agent.is_some_and(|agent| match &agent.verdict.status {
        status @ (Status::Running(_) | Status::Retrying(_)) => {
            Status::is_in_turn(status.word(), status.detail()) != Some(false)
        }
        Status::NeedsYou(_) | Status::Unknown(_) => true,
        Status::Starting
        | Status::Idle(_)
        | Status::Error(_)
        | Status::Limited(_)
        | Status::LoggedOut(_)
        | Status::Exited(_)
        | Status::Hibernated => false,
    })
}
