//! The thread of one pane.
//!
//! It blocks without a timeout unless a synchronised update, a record or a notice is due: an idle pane costs nothing.

use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::launch::PaneLaunch;
use super::requests::{Shared, hush};
use super::running::{RunningPane, RunningPlace};
use crate::model::PaneEvent;

pub(super) fn run(launch: PaneLaunch, place: &RunningPlace, shared: &Arc<Shared>, bell: &UnixStream) {
    let notify = launch.notify.clone();
    let serve = || {
        *place.lock() = Some(RunningPane::begin(launch, shared.clone()));
        while turn(place, shared, bell) {}
        let ended = place.lock().take();
        if let Some(running) = ended {
            running.close();
        }
    };
    if catch_unwind(AssertUnwindSafe(serve)).is_err() {
        place.lock().take();
        notify(PaneEvent::Exited {
            code: None,
            signal: None,
        });
    }
    shared.end_reading();
}

/// Waits and does what there is to do; `false` once the pane is to end.
fn turn(place: &RunningPlace, shared: &Shared, bell: &UnixStream) -> bool {
    let rest = place.lock().as_mut().map(RunningPane::rest);
    if rest.is_none_or(|rest| rest.wait(bell).is_err()) {
        return false;
    }
    hush(bell);
    let orders = shared.take();
    if orders.close {
        return false;
    }
    let mut running = place.lock();
    running.as_mut().map(|running| running.turn(orders)).is_some()
}
