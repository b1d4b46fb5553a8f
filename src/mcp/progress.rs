//! How far a call has come, told to whoever asked for it while it runs.

use std::convert::Infallible;
use std::time::Duration;

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::{Peer, RoleServer};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

/// More often than this no person or model reads it.
const PAUSE: Duration = Duration::from_millis(100);

/// Takes reports of a call in progress. Only the latest is kept, so reporting never waits and nothing piles up.
#[derive(Clone, Debug)]
pub struct ProgressReports {
    latest: watch::Sender<Step>,
}

/// One report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    pub done: u64,
    pub total: Option<u64>,
    pub message: String,
}

impl ProgressReports {
    /// A progress, and the caller that it is sent to.
    pub fn channel() -> (ProgressReports, watch::Receiver<Step>) {
        let (latest, heard) = watch::channel(Step::default());
        (ProgressReports { latest }, heard)
    }

    /// Returns when nobody listens any more: the call was answered, taken back, or took longer than its caller waits.
    pub async fn closed(&self) {
        self.latest.closed().await;
    }

    pub fn report(&self, done: u64, total: Option<u64>, message: impl Into<String>) {
        let message = message.into();
        self.latest.send_replace(Step { done, total, message });
    }
}

/// Pass reports on to the caller for as long as it is polled; in silence, say the last again.
pub(super) async fn tell(
    mut heard: watch::Receiver<Step>,
    token: Option<ProgressToken>,
    peer: Peer<RoleServer>,
    heartbeat: Duration,
) -> Infallible {
    let Some(token) = token else {
        return std::future::pending().await;
    };
    let mut scale = Scale::default();
    loop {
        // A call that dropped its end still runs, in silence.
        if let Ok(Err(_)) = timeout(heartbeat, heard.changed()).await {
            sleep(heartbeat).await;
        }
        let step = scale.raise(heard.borrow_and_update().clone());
        let mut told = ProgressNotificationParam::new(token.clone(), step.done as f64);
        told.total = step.total.map(|total| total as f64);
        told.message = (!step.message.is_empty()).then_some(step.message);
        // A caller that is gone is noticed by the connection.
        let _ = peer.notify_progress(told).await;
        sleep(PAUSE).await;
    }
}

/// MCP wants progress that only ever rises, while a clone counts each of its phases from zero:
/// a phase starts where the one before it ended.
#[derive(Default)]
struct Scale {
    base: u64,
    last: Option<u64>,
}

impl Scale {
    fn raise(&mut self, step: Step) -> Step {
        if let Some(last) = self.last
            && step.done.saturating_add(self.base) <= last
        {
            self.base = (last + 1).saturating_sub(step.done);
        }
        let done = step.done.saturating_add(self.base);
        self.last = Some(done);
        Step {
            done,
            total: step.total.map(|total| total.saturating_add(self.base)),
            message: step.message,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_phase_goes_on_where_the_first_ended() {
        let mut scale = Scale::default();
        let mut raise = |done| {
            let step = Step {
                done,
                total: Some(10),
                message: String::new(),
            };
            let step = scale.raise(step);
            (step.done, step.total)
        };
        assert_eq!(raise(0), (0, Some(10)));
        assert_eq!(raise(10), (10, Some(10)));
        assert_eq!(raise(0), (11, Some(21)));
        assert_eq!(raise(0), (12, Some(22)));
        assert_eq!(raise(5), (17, Some(22)));
    }
}
