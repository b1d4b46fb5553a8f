//! Terminals beside those of agents, as data.

use std::sync::Arc;

use crate::domain::event::Size;
use crate::domain::requester::Requester;
use crate::model::script::ScriptEnding;
use crate::model::{ChatId, ClientId, Timestamp};
use crate::term::Screen;

pub struct Side {
    pub chat: ChatId,
    pub what: AuxiliaryProgram,
    pub stage: AuxiliaryStage,
    /// When it ended, where it has.
    pub since: Timestamp,
    pub screen: Option<Arc<Screen>>,
    pub size: Size,
    /// The client whose pane decides the size: the last that typed.
    pub driver: Option<ClientId>,
    /// Who waits for its start.
    pub requester: Requester,
    pub pid: Option<u32>,
    /// The program that has the terminal of a person's shell.
    pub front: Option<String>,
    /// Since when something stirred in that shell: who has its terminal is to be looked at.
    pub stirred: Option<Timestamp>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuxiliaryProgram {
    Edit,
    /// A person's pager, on an output.
    Page,
    /// A person's shell.
    Shell,
    /// The login of a chat's CLI, and the prompt that the agent is to get again then.
    LogIn {
        again: Option<String>,
    },
    /// The project is known from its start on, where nobody named one.
    Run {
        project: Option<String>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuxiliaryStage {
    /// It may yet be refused: there is no tab of it.
    Starting,
    Running,
    /// What it showed last stays to be read.
    Ended(ScriptEnding),
}

impl Side {
    /// From which deadlines are counted.
    pub(in crate::domain) fn moments(&mut self) -> impl Iterator<Item = &mut Timestamp> {
        let Side {
            chat: _,
            what: _,
            stage: _,
            since,
            screen: _,
            size: _,
            driver: _,
            requester: _,
            pid: _,
            front: _,
            stirred,
        } = self;
        std::iter::once(since).chain(stirred)
    }

    pub fn new(chat: ChatId, what: AuxiliaryProgram, size: Size, requester: Requester) -> Side {
        Side {
            chat,
            what,
            stage: AuxiliaryStage::Starting,
            since: Timestamp(0),
            screen: None,
            size,
            driver: None,
            requester,
            pid: None,
            front: None,
            stirred: None,
        }
    }

    pub fn is_live(&self) -> bool {
        self.stage == AuxiliaryStage::Running
    }

    /// What the mode is called in which keys go to it.
    pub fn badge(&self) -> &'static str {
        match self.what {
            AuxiliaryProgram::Edit => " EDITOR ",
            AuxiliaryProgram::Page => " PAGER ",
            AuxiliaryProgram::Shell => " SHELL ",
            AuxiliaryProgram::LogIn { .. } => " LOGIN ",
            AuxiliaryProgram::Run { .. } => " RUN ",
        }
    }

    /// What a person calls it.
    pub fn called(&self) -> &'static str {
        match self.what {
            AuxiliaryProgram::Edit => "editor",
            AuxiliaryProgram::Page => "pager",
            AuxiliaryProgram::Shell => "shell",
            AuxiliaryProgram::LogIn { .. } => "login",
            AuxiliaryProgram::Run { .. } => "run",
        }
    }

    /// What is written on its tab; the project where it is not the only one.
    pub fn label(&self, alone: bool) -> String {
        let project = match &self.what {
            AuxiliaryProgram::Edit => return "Edit".into(),
            AuxiliaryProgram::Page => return "Pager".into(),
            AuxiliaryProgram::Shell => return "Shell".into(),
            AuxiliaryProgram::LogIn { .. } if self.is_live() => return "Login".into(),
            AuxiliaryProgram::LogIn { .. } => return "✗ Login".into(),
            AuxiliaryProgram::Run { project } => project,
        };
        let project = project.as_deref().filter(|_| !alone);
        let of = project.map(|name| format!(" {name}")).unwrap_or_default();
        match &self.stage {
            AuxiliaryStage::Starting | AuxiliaryStage::Running => format!("▶ run{of}"),
            AuxiliaryStage::Ended(ScriptEnding::Exited(0)) => format!("✓ run{of}"),
            AuxiliaryStage::Ended(ScriptEnding::Stopped) => format!("□ run{of}"),
            AuxiliaryStage::Ended(ScriptEnding::Exited(code)) => format!("✗ run{of} {code}"),
            AuxiliaryStage::Ended(
                ScriptEnding::Killed(_)
                | ScriptEnding::NotStarted(_)
                | ScriptEnding::Late(_)
                | ScriptEnding::Absent
                | ScriptEnding::Unapproved(_),
            ) => {
                format!("✗ run{of}")
            }
        }
    }
}
