//! The loop's alarm on the wall clock.

use std::time::Duration;

use crate::model::Timestamp;

use super::clock::now;

/// How often the clock is looked at where there is no alarm on it.
const LOOK: Duration = Duration::from_secs(60);

pub struct Alarm {
    at: Option<Timestamp>,
    #[cfg(target_os = "linux")]
    timer: Option<tokio::io::unix::AsyncFd<crate::sys::alarm::SystemAlarm>>,
}

impl Alarm {
    pub fn new() -> Alarm {
        Alarm {
            at: None,
            #[cfg(target_os = "linux")]
            timer: timer(),
        }
    }

    /// Takes the place of what it was set to.
    pub fn set(&mut self, at: Option<Timestamp>) {
        self.at = at;
        #[cfg(target_os = "linux")]
        if let Some(timer) = &self.timer
            && let Err(error) = timer.get_ref().set(at.map(|at| at.0))
        {
            tracing::warn!("the alarm could not be set: {error}");
            self.timer = None;
        }
    }

    /// Returns when the time has come or the clock was set, and never where nothing is set.
    pub async fn ring(&mut self) {
        let Some(at) = self.at else {
            return std::future::pending().await;
        };
        #[cfg(target_os = "linux")]
        if let Some(timer) = &self.timer {
            while let Ok(mut ready) = timer.readable().await {
                let rung = timer.get_ref().has_rung();
                ready.clear_ready();
                if rung {
                    break;
                }
            }
            // The clock may only have been set: what it was set for is still to come.
            let still = Some(at).filter(|at| *at > now());
            return self.set(still);
        }
        tokio::time::sleep(LOOK.min(Duration::from_millis(at.ms_since(now()) + 1))).await;
        self.at = Some(at).filter(|at| *at > now());
    }
}

#[cfg(target_os = "linux")]
fn timer() -> Option<tokio::io::unix::AsyncFd<crate::sys::alarm::SystemAlarm>> {
    use tokio::io::Interest;
    use tokio::io::unix::AsyncFd;
    let failed = |error: &dyn std::fmt::Display| tracing::warn!("there is no alarm on the clock: {error}");
    let timer = crate::sys::alarm::SystemAlarm::new()
        .inspect_err(|error| failed(error))
        .ok()?;
    // SAFETY: an alarm owns its one descriptor and gives out no other.
    let registered = unsafe { AsyncFd::register_with_interest(timer, Interest::READABLE) };
    registered.inspect_err(|error| failed(error)).ok()
}
