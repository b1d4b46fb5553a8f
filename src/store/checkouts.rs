//! Which directories a person opened as checkouts of a remote, in `checkouts.json`.
//!
//! Any directory can claim a remote. Only one that a person named by its path is believed: it and its remote are one project.

use serde::{Deserialize, Serialize};

use super::home::SMALL;
use super::{Error, Home};
use crate::model::Timestamp;

const FILE: &str = "checkouts.json";

#[derive(Serialize, Deserialize)]
struct Checkouts {
    v: u32,
    checkouts: Vec<Checkout>,
}

/// Both by the key of their origin.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Checkout {
    checkout: String,
    remote: String,
    at: Timestamp,
}

impl Home {
    /// The checkouts of a remote that a person opened. A file that cannot be read names none.
    pub fn checkouts_of(&self, remote: &str) -> Vec<String> {
        let Ok(all) = self.checkouts() else {
            return Vec::new();
        };
        let of_remote = all.checkouts.into_iter().filter(|one| one.remote == remote);
        of_remote.map(|one| one.checkout).collect()
    }

    /// A person opened `checkout`, which has `remote` now.
    pub fn note_checkout(&self, checkout: &str, remote: &str, at: Timestamp) -> Result<(), Error> {
        self.writable()?;
        let _records = self.lock();
        let mut all = self.checkouts()?;
        let is_known = |one: &Checkout| one.checkout == checkout && one.remote == remote;
        if all.checkouts.iter().any(is_known) {
            return Ok(());
        }
        all.checkouts.retain(|one| one.checkout != checkout);
        all.checkouts.push(Checkout {
            checkout: checkout.into(),
            remote: remote.into(),
            at,
        });
        let text = serde_json::to_string_pretty(&all).expect("checkouts have only text keys");
        Ok(self.dir.write_atomic(FILE, format!("{text}\n"))?)
    }

    fn checkouts(&self) -> Result<Checkouts, Error> {
        let Some(bytes) = self.dir.read(FILE, SMALL)? else {
            return Ok(Checkouts {
                v: 1,
                checkouts: Vec::new(),
            });
        };
        serde_json::from_slice(&bytes).map_err(|error| Error::Damaged {
            path: self.dir.path().join(FILE),
            why: error.to_string(),
        })
    }
}
