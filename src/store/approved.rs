//! Which commands of repositories a person approved, in `approved-scripts.json`: each for one origin, and as it was read.

use serde::{Deserialize, Serialize};

use super::json_file::JsonFile;
use super::{Error, Home};
use crate::model::{ScriptKind, Timestamp};

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ApprovedFile {
    v: u32,
    approved: Vec<Approved>,
}

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Approved {
    /// Of the origin, as setup files are kept by.
    origin: String,
    kind: ScriptKind,
    /// Command and environment, in one line.
    definition: String,
    at: Timestamp,
}

impl JsonFile for ApprovedFile {
    const FILE: &'static str = "approved-scripts.json";
}

impl Default for ApprovedFile {
    fn default() -> ApprovedFile {
        ApprovedFile {
            v: 1,
            approved: Vec::new(),
        }
    }
}

impl Home {
    /// Whether a person approved exactly this. What cannot be read was not approved.
    pub fn is_approved(&self, origin: &str, kind: ScriptKind, definition: &str) -> bool {
        let is_this = |one: &Approved| one.origin == origin && one.kind == kind && one.definition == definition;
        let all: Result<ApprovedFile, Error> = self.read_json();
        all.is_ok_and(|all| all.approved.iter().any(is_this))
    }

    pub fn approve(&self, origin: &str, kind: ScriptKind, definition: &str, at: Timestamp) -> Result<(), Error> {
        self.change_json(|all: &mut ApprovedFile| {
            all.approved
                .retain(|one| one.origin != origin || one.kind != kind || one.definition != definition);
            all.approved.push(Approved {
                origin: origin.into(),
                kind,
                definition: definition.into(),
                at,
            });
        })
    }
}
