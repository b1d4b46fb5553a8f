//! Who is at the other end of a connection, and what it may ask for.

use crate::model::Problem;
use crate::model::request::Request;
use crate::sys::lineage;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// The processes of agents that run, other than shells: control verbs are not theirs to give.
#[derive(Clone, Debug, Default)]
pub struct AgentPids(Arc<Mutex<BTreeSet<u32>>>);

impl AgentPids {
    pub fn set(&self, pids: BTreeSet<u32>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = pids;
    }

    fn holds_any(&self, of: &[u32]) -> bool {
        let pids = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        of.iter().any(|pid| pids.contains(pid))
    }
}

/// A peer that the kernel says is the same user.
#[derive(Clone, Debug)]
pub struct Peer {
    pid: Option<u32>,
    agents: AgentPids,
}

impl Peer {
    pub fn new(pid: Option<u32>, agents: AgentPids) -> Peer {
        Peer { pid, agents }
    }

    /// Deleting and ending things is a person's: a process below an agent is refused. Best effort, since a process
    /// that breaks away from its parents is not found by them.
    pub fn may(&self, request: &Request) -> Result<(), Problem> {
        if !request.is_control() || !self.is_below_an_agent() {
            return Ok(());
        }
        let cause = "this comes from a process under an agent, and only a person may do it";
        Err(Problem::new(
            "carrying out a control verb",
            cause,
            "run it in a terminal of your own",
        ))
    }

    fn is_below_an_agent(&self) -> bool {
        let Some(pid) = self.pid else {
            return false;
        };
        let mut line = lineage::ancestors(pid);
        line.push(pid);
        self.agents.holds_any(&line)
    }
}
