//! All that parlour knows at this moment: the domain, and what each person looks at.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::domain::state::{Domain, Facts};
use crate::model::ClientId;

use super::view::View;

pub struct State {
    pub domain: Domain,
    pub views: BTreeMap<ClientId, View>,
}

impl State {
    pub fn new(home: PathBuf, facts: Facts, seed: u64) -> State {
        State {
            domain: Domain::new(home, facts, seed),
            views: BTreeMap::new(),
        }
    }
}
