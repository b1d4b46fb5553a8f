//! Terminals beside those of agents, as data.

use std::sync::Arc;

use crate::domain::event::Size;
use crate::domain::requester::Asker;
use crate::model::script::How;
use crate::model::{ChatId, ClientId, Timestamp};
use crate::term::Screen;

pub struct Side {
    pub chat: ChatId,
    pub what: What,
    pub stage: Stage,
    /// When it ended, where it has.
    pub since: Timestamp,
    pub screen: Option<Arc<Screen>>,
    pub size: Size,
    /// The client whose pane decides the size: the last that typed.
    pub driver: Option<ClientId>,
    /// Who waits for its start.
    pub asker: Asker,
    /// Whoever asked for it types in another terminal meanwhile.
    pub typed_on: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    Edit,
    /// The project is known from its start on, where nobody named one.
    Run {
        project: Option<String>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It may yet be refused: there is no tab of it.
    Starting,
    Running,
    /// What it showed last stays to be read.
    Ended(How),
}

impl Side {
    pub fn new(chat: ChatId, what: What, size: Size, asker: Asker) -> Side {
        Side {
            chat,
            what,
            stage: Stage::Starting,
            since: Timestamp(0),
            screen: None,
            size,
            driver: None,
            asker,
            typed_on: false,
        }
    }

    pub fn is_live(&self) -> bool {
        self.stage == Stage::Running
    }

    /// What the mode is called in which keys go to it.
    pub fn badge(&self) -> &'static str {
        match self.what {
            What::Edit => " EDITOR ",
            What::Run { .. } => " RUN ",
        }
    }

    /// What is written on its tab; the project where it is not the only one.
    pub fn label(&self, alone: bool) -> String {
        let What::Run { project } = &self.what else {
            return "Edit".into();
        };
        let project = project.as_deref().filter(|_| !alone);
        let of = project.map(|name| format!(" {name}")).unwrap_or_default();
        match &self.stage {
            Stage::Starting | Stage::Running => format!("▶ run{of}"),
            Stage::Ended(How::Exited(0)) => format!("✓ run{of}"),
            Stage::Ended(How::Stopped) => format!("□ run{of}"),
            Stage::Ended(How::Exited(code)) => format!("✗ run{of} {code}"),
            Stage::Ended(How::Killed(_) | How::NotStarted(_) | How::Late(_) | How::Absent | How::Unapproved(_)) => {
                format!("✗ run{of}")
            }
        }
    }
}
