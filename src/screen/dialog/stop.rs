//! Ending an agent, for good or to start it again, or an editor: its process goes, its chat stays.

use crate::domain::chat as chats;
use crate::model::{ChatId, ClientId, Problem, Status, text};
use crate::screen::State;

use super::super::roll_up;
use super::{Ask, Form, Part, Stop, Wish};

pub struct Halt {
    pub chat: ChatId,
    then: AfterHalt,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterHalt {
    Rest,
    /// All agents below end too.
    TreeRests,
    StartAgain,
    /// It is the editor beside the agent that ends.
    EditorGone,
}

impl Halt {
    pub fn new(state: &State, chat: &ChatId, then: AfterHalt) -> Halt {
        Halt {
            chat: chat.clone(),
            then,
            form: Form::new(Stop::No, state.domain.now),
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

    fn title(&self) -> String {
        match self.then {
            AfterHalt::Rest => "Stop the agent?".into(),
            AfterHalt::TreeRests => "Stop the agents of this tree?".into(),
            AfterHalt::StartAgain => "Restart the agent?".into(),
            AfterHalt::EditorGone => "End the editor?".into(),
        }
    }

    fn parts(&self, state: &State) -> Vec<Part> {
        let name = state
            .domain
            .disk
            .chats
            .get(&self.chat)
            .map(|chat| text::visible(chats::label(&state.domain, chat)));
        let status = match self.then {
            AfterHalt::TreeRests => match roll_up::words(state, &self.chat) {
                none if none.is_empty() => "nothing is below it".into(),
                counts => format!("below it: {counts}"),
            },
            AfterHalt::EditorGone => "An editor is open in it.".into(),
            AfterHalt::Rest | AfterHalt::StartAgain => text::visible(&state.domain.status(&self.chat).to_string()),
        };
        let (what, button) = match self.then {
            AfterHalt::Rest => (
                "Its process ends. Chat, projects and conversation stay, and Enter resumes it.",
                "Stop",
            ),
            AfterHalt::TreeRests => (
                "Its agent ends, and every agent below it. Chats, projects and conversations stay.",
                "Stop all",
            ),
            AfterHalt::StartAgain if is_in_turn(state, &self.chat) => (
                "Its turn is broken off. It goes on with the same conversation, with its settings made anew.",
                "Restart",
            ),
            AfterHalt::StartAgain => (
                "It goes on with the same conversation, with its settings made anew.",
                "Restart",
            ),
            AfterHalt::EditorGone => ("What is not saved in it is lost, unless the editor keeps it.", "End it"),
        };
        let mut parts = vec![
            Part::Words(name.unwrap_or_default()),
            Part::Note(status),
            Part::Gap,
            Part::Note(what.into()),
            Part::Gap,
        ];
        parts.extend(self.form.warning());
        parts.push(Part::Buttons(vec![(Stop::No, "Let it run"), (Stop::Yes, button)]));
        parts
    }

    fn wish(&self, _: &State, _: ClientId) -> Result<Wish, Problem> {
        Ok(match self.then {
            AfterHalt::Rest => Wish::Stop(self.chat.clone()),
            AfterHalt::TreeRests => Wish::StopTree(self.chat.clone()),
            AfterHalt::StartAgain => Wish::Restart(self.chat.clone()),
            AfterHalt::EditorGone => Wish::EndEditor(self.chat.clone()),
        })
    }
}

/// Whether a turn would be broken off, as far as is known: a setup that waits for a person, or work in the background, is
/// none.
fn is_in_turn(state: &State, chat: &ChatId) -> bool {
    let agent = state.domain.live.agents.get(chat).filter(|agent| agent.is_live());
    agent.is_some_and(|agent| match &agent.verdict.status {
        status @ (Status::Running(_) | Status::Retrying(_)) => {
            Status::is_in_turn(status.word(), status.detail()) != Some(false)
        }
        Status::NeedsYou(_) | Status::Unknown(_) => true,
        Status::Starting | Status::Idle(_) | Status::Error(_) | Status::Exited(_) | Status::Hibernated => false,
    })
}
