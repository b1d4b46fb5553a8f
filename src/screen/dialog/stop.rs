//! Ending an agent, for good or to start it again, its turn, or what a person has open beside it. Its chat stays.

use crate::domain::state::Domain;
use crate::domain::team::tree;
use crate::model::output::OpenedWith;
use crate::model::{ChatId, Problem, Status, text};

use super::super::keymap::ChatAction;
use super::super::tally;
use super::{Around, Ask, Form, Halted, Part, Stop, Subject, Wish};

pub struct Halt {
    chat: ChatId,
    about: Subject,
    what: Halted,
    is_shell: bool,
    form: Form,
}

impl Halt {
    pub fn new(domain: &Domain, chat: &ChatId, what: Halted) -> Halt {
        Halt {
            chat: chat.clone(),
            about: Subject::chat(domain, chat),
            what,
            is_shell: domain.disk.what_runs(chat) == "shell",
            form: Form::new(Stop::No, domain.now),
        }
    }

    /// What becomes of a person's own shell, which has neither turns nor a conversation; `None` of an agent's chat.
    fn of_shell(&self, around: &Around) -> Option<(String, &'static str)> {
        if !self.is_shell {
            return None;
        }
        let runs = matches!(around.domain.status(&self.chat), Status::Running(_));
        match self.what {
            Halted::Turn => Some(("It gets Ctrl+C. The shell stays.".into(), "Interrupt")),
            Halted::Agent => {
                let ends = match runs {
                    true => "What runs in it ends with it, and what is not saved there is lost.",
                    false => "What was started from it ends with it.",
                };
                let resume = around.keymap.key(ChatAction::Enter);
                let what = format!("{ends} The chat stays, and {resume} begins another shell where this one was.");
                Some((what, "Stop"))
            }
            Halted::ForRestart => {
                let ends = match runs {
                    true => "What runs in it ends, what is not saved there is lost, and another shell begins.",
                    false => "What was started from it ends, and another shell begins.",
                };
                Some((ends.into(), "Restart"))
            }
            Halted::Tree | Halted::Beside(_) => None,
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
        match self.what {
            Halted::Turn if self.is_shell => "Interrupt what runs?".into(),
            Halted::Turn => "Interrupt the turn?".into(),
            Halted::Agent if self.is_shell => "Stop the shell?".into(),
            Halted::Agent => "Stop the agent?".into(),
            Halted::Tree => "Stop the agents of this tree?".into(),
            Halted::ForRestart if self.is_shell => "Restart the shell?".into(),
            Halted::ForRestart => "Restart the agent?".into(),
            Halted::Beside(with) => format!("End the {}?", called(with)),
        }
    }

    fn parts(&self, around: &Around) -> Vec<Part> {
        let status = match self.what {
            Halted::Tree => match tally::words(around.domain, &tree::below(around.domain, &self.chat)) {
                none if none.is_empty() => "It has dispatched no agents.".into(),
                counts => format!("below it: {counts}"),
            },
            Halted::Beside(with) => format!("Your {} is open in it.", called(with)),
            Halted::Turn | Halted::Agent | Halted::ForRestart => {
                text::visible(&around.domain.status(&self.chat).in_full())
            }
        };
        let of_agent = || match self.what {
            Halted::Turn if matches!(around.domain.status(&self.chat), Status::NeedsYou(_)) => (
                "What it asks for is denied with it. What it has done stays, and it waits for your next prompt.".into(),
                "Interrupt",
            ),
            Halted::Turn => (
                "What it has done stays, and it waits for your next prompt.".into(),
                "Interrupt",
            ),
            Halted::Agent => {
                let resume = around.keymap.key(ChatAction::Enter);
                let what = format!("Its process ends. Chat, projects and conversation stay, and {resume} resumes it.");
                (what, "Stop")
            }
            Halted::Tree => (
                "Its agent ends, and every agent below it. Chats, projects and conversations stay.".into(),
                "Stop all",
            ),
            Halted::ForRestart if is_in_turn(around.domain, &self.chat) => (
                "Its turn is broken off. It goes on with the same conversation, with its settings made again.".into(),
                "Restart",
            ),
            Halted::ForRestart => (
                "It goes on with the same conversation, with its settings made again.".into(),
                "Restart",
            ),
            Halted::Beside(OpenedWith::Shell) => ("What runs in it ends with it.".into(), "End it"),
            Halted::Beside(OpenedWith::Editor | OpenedWith::Pager) => (
                "What is not saved in it is lost, unless the editor keeps it.".into(),
                "End it",
            ),
        };
        let (what, button) = self.of_shell(around).unwrap_or_else(of_agent);
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
        Ok(Wish::Halt(self.chat.clone(), self.what))
    }
}

fn called(with: OpenedWith) -> &'static str {
    match with {
        OpenedWith::Editor => "editor",
        OpenedWith::Pager => "pager",
        OpenedWith::Shell => "shell",
    }
}

/// Whether a turn would be broken off, as far as is known: a setup that waits for a person, or work in the background, is
/// none.
pub fn is_in_turn(domain: &Domain, chat: &ChatId) -> bool {
    let agent = domain.live.live_agent(chat);
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
