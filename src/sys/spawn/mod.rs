//! Starting an agent so that it can always be ended.
//!
//! Between the engine and each agent stands a *supervisor*: this same binary as `parlour spawn`. It starts the agent in
//! a session of its own, adopts what the agent leaves behind, and ends all of it when told to, when the agent exits,
//! or when the engine dies, which it learns from the end of its control descriptor. Start at [`supervise`]; what the
//! two say to each other is in `order`, the engine's end of it in `supervisor`. Programs that the engine runs for itself,
//! such as git, go the same way: see `helper`. On Linux the supervisors of terminals are forked from a `template`.

mod confine;
mod helper;
mod order;
mod orphans;
mod start;
mod supervise;
mod supervisor;
mod template;
mod tree;
mod waited_child;

use rustix::process::{Pid, Signal, kill_process_group};

pub use confine::available as can_confine;
pub use helper::{Exit, Helper, conversation, supervise_with};
pub use order::{Frames, SpawnLimits, SpawnOrder, SpawnReport, Spec, Streams, Writable, frame};
pub use orphans::{adopt as adopt_orphans, start as start_child};
pub use supervise::supervise;
pub use supervisor::Supervisor;

/// Ends an agent's whole group at once: for when its supervisor can no longer do so.
pub fn kill_group(leader: u32) {
    signal_group(leader, Signal::KILL);
}

fn signal_group(leader: u32, signal: Signal) {
    if let Some(leader) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        // It may be gone already, which is as good.
        let _ = kill_process_group(leader, signal);
    }
}
