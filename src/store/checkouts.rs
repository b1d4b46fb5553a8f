//! Which directories a person opened as checkouts of a remote, in `checkouts.json`.
//!
//! Any directory can claim a remote. Only one that a person named by its path is believed: it and its remote are one project.

use serde::{Deserialize, Serialize};

use super::json_file::JsonFile;
use super::{Error, Home};
use crate::model::Timestamp;

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
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

impl JsonFile for Checkouts {
    const FILE: &'static str = "checkouts.json";
}

impl Default for Checkouts {
    fn default() -> Checkouts {
        Checkouts {
            v: 1,
            checkouts: Vec::new(),
        }
    }
}

impl Home {
    /// The checkouts of a remote that a person opened. A file that cannot be read names none.
    pub fn checkouts_of(&self, remote: &str) -> Vec<String> {
        let all: Checkouts = self.read_json().unwrap_or_default();
        let of_remote = all.checkouts.into_iter().filter(|one| one.remote == remote);
        of_remote.map(|one| one.checkout).collect()
    }

    /// A person opened `checkout`, which has `remote` now.
    pub fn note_checkout(&self, checkout: &str, remote: &str, at: Timestamp) -> Result<(), Error> {
        self.change_json(|all: &mut Checkouts| {
            let is_known = |one: &Checkout| one.checkout == checkout && one.remote == remote;
            if !all.checkouts.iter().any(is_known) {
                all.checkouts.retain(|one| one.checkout != checkout);
                all.checkouts.push(Checkout {
                    checkout: checkout.into(),
                    remote: remote.into(),
                    at,
                });
            }
        })
    }
}
