//! Who is at the other end of a connection, and what it may ask for.

use crate::model::request::Request;
use crate::model::{ChatId, Problem};
use crate::sys::lineage;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The processes of agents that run, and whose they are. Not shells: who types there is a person.
#[derive(Clone, Debug, Default)]
pub struct AgentPids(Arc<Mutex<BTreeMap<u32, ChatId>>>);

impl AgentPids {
    pub fn set(&self, pids: BTreeMap<u32, ChatId>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = pids;
    }

    fn first(&self, of: &[u32]) -> Option<ChatId> {
        let pids = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        of.iter().find_map(|pid| pids.get(pid).cloned())
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

    /// The request as this peer may make it. Deleting and ending things is a person's, and a prompt says from under
    /// which agent it comes. Best effort, since a process that breaks away from its parents is not found by them.
    pub fn admit(&self, request: Request) -> Result<Request, Problem> {
        let hint = "run it in a terminal of your own";
        if request.is_control() && self.chat_above().is_some() {
            let cause = "this comes from a process under an agent, and only a person may do it";
            return Err(Problem::new("carrying out a control verb", cause, hint));
        }
        let mut request = request;
        if let Request::Send { sender, .. } = &mut request {
            let known = self.chat_above();
            if known.is_none() && sender.is_some() {
                let cause = "it comes from an agent's terminal, but from no process of that agent";
                return Err(Problem::new("sending a prompt", cause, hint));
            }
            *sender = known;
        }
        Ok(request)
    }

    /// The chat of the agent that this process is, or is below of.
    fn chat_above(&self) -> Option<ChatId> {
        let pid = self.pid?;
        let mut line = vec![pid];
        line.extend(lineage::ancestors(pid));
        self.agents.first(&line)
    }
}
