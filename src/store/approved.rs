//! Which commands of repositories a person approved, in `approved-scripts.json`: each for one origin, and as it was read.

use serde::{Deserialize, Serialize};

use super::home::SMALL;
use super::{Error, Home};
use crate::model::{ScriptKind, Timestamp};

const FILE: &str = "approved-scripts.json";

#[derive(Serialize, Deserialize)]
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

impl Home {
    /// Whether a person approved exactly this. What cannot be read was not approved.
    pub fn is_approved(&self, origin: &str, kind: ScriptKind, definition: &str) -> bool {
        let is_this = |one: &Approved| one.origin == origin && one.kind == kind && one.definition == definition;
        self.approvals().is_ok_and(|all| all.approved.iter().any(is_this))
    }

    pub fn approve(&self, origin: &str, kind: ScriptKind, definition: &str, at: Timestamp) -> Result<(), Error> {
        self.writable()?;
        let _records = self.lock();
        let mut all = self.approvals()?;
        all.approved
            .retain(|one| one.origin != origin || one.kind != kind || one.definition != definition);
        all.approved.push(Approved {
            origin: origin.into(),
            kind,
            definition: definition.into(),
            at,
        });
        let text = serde_json::to_string_pretty(&all).expect("approvals have only text keys");
        Ok(self.dir.write_atomic(FILE, format!("{text}\n"))?)
    }

    fn approvals(&self) -> Result<ApprovedFile, Error> {
        let Some(bytes) = self.dir.read(FILE, SMALL)? else {
            return Ok(ApprovedFile {
                v: 1,
                approved: Vec::new(),
            });
        };
        serde_json::from_slice(&bytes).map_err(|error| Error::Damaged {
            path: self.dir.path().join(FILE),
            why: error.to_string(),
        })
    }
}
