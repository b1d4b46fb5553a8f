//! Who is connected, and how many more may be.
//!
//! A connection carries one request. Until that has shown a token it is a stranger's, and any program or web page of
//! the machine can make strangers: when there are too many, the oldest is closed, so a flood pushes out itself
//! and not the agent that sends its token at once. A known caller may have a bounded number of connections.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::McpLimits;
use crate::model::ChatId;

/// Nobody is shown out sooner: time enough to read a head that was sent at once, on a machine that is busy too. 128
/// strangers are then 2560 a second, so behind a thousand others an agent waits less than half of one.
const GRACE: Duration = Duration::from_millis(50);

pub(super) struct Admission {
    strangers: usize,
    seats: usize,
    seats_a_caller: usize,
    admitted: Mutex<Admitted>,
}

/// By number, so the first is the oldest.
#[derive(Default)]
struct Admitted {
    next: u64,
    here: BTreeMap<u64, AdmittedCaller>,
}

struct AdmittedCaller {
    since: Instant,
    shown_out: CancellationToken,
    caller: Option<ChatId>,
}

/// A connection's stay; dropped, its place is free.
pub(super) struct AdmittedConnection {
    ticket: AdmissionTicket,
    shown_out: CancellationToken,
}

/// Which visit a request came in with.
#[derive(Clone)]
pub(super) struct AdmissionTicket {
    admission: Arc<Admission>,
    number: u64,
}

/// Why a request is not admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AdmissionFull {
    Caller,
    House,
}

impl Admission {
    pub fn new(limits: &McpLimits) -> Arc<Admission> {
        Arc::new(Admission {
            strangers: limits.strangers,
            seats: limits.requests,
            seats_a_caller: limits.requests_a_caller,
            admitted: Mutex::default(),
        })
    }

    /// Wait until somebody can be let in. Others wait in the kernel's queue meanwhile.
    pub async fn room(&self) {
        while let Some(patience) = self.patience() {
            tokio::time::sleep(patience).await;
        }
    }

    fn patience(&self) -> Option<Duration> {
        let admitted = self.admitted.lock();
        let strangers = || admitted.here.values().filter(|guest| guest.caller.is_none());
        let oldest = strangers().next().filter(|_| strangers().count() >= self.strangers)?;
        let patience = GRACE.checked_sub(oldest.since.elapsed())?;
        (!patience.is_zero()).then_some(patience)
    }

    pub fn enter(self: &Arc<Self>) -> AdmittedConnection {
        let shown_out = CancellationToken::new();
        let mut admitted = self.admitted.lock();
        let number = admitted.next;
        admitted.next += 1;
        let guest = AdmittedCaller {
            since: Instant::now(),
            shown_out: shown_out.clone(),
            caller: None,
        };
        admitted.here.insert(number, guest);
        admitted.thin_out(self.strangers);
        let admission = self.clone();
        AdmittedConnection {
            ticket: AdmissionTicket { admission, number },
            shown_out,
        }
    }
}

impl Admitted {
    fn thin_out(&mut self, most: usize) {
        let strangers = || self.here.iter().filter(|(_, guest)| guest.caller.is_none());
        let surplus = strangers().count().saturating_sub(most);
        let oldest: Vec<u64> = strangers().take(surplus).map(|(number, _)| *number).collect();
        for number in oldest {
            if let Some(guest) = self.here.remove(&number) {
                guest.shown_out.cancel();
            }
        }
    }
}

impl AdmissionTicket {
    /// Counts a connection as this known caller's. A connection that was closed meanwhile is not counted.
    pub fn seat(&self, caller: &ChatId) -> Result<(), AdmissionFull> {
        let mut admitted = self.admission.admitted.lock();
        let seated = || admitted.here.values().filter_map(|guest| guest.caller.as_ref());
        if seated().filter(|seated| *seated == caller).count() >= self.admission.seats_a_caller {
            return Err(AdmissionFull::Caller);
        }
        if seated().count() >= self.admission.seats {
            return Err(AdmissionFull::House);
        }
        let guest = admitted.here.get_mut(&self.number).ok_or(AdmissionFull::House)?;
        guest.caller = Some(caller.clone());
        Ok(())
    }
}

impl AdmittedConnection {
    pub fn ticket(&self) -> AdmissionTicket {
        self.ticket.clone()
    }

    /// The request is answered: what is left of the connection is a stranger again.
    pub fn stand_up(&self) {
        let mut admitted = self.ticket.admission.admitted.lock();
        if let Some(guest) = admitted.here.get_mut(&self.ticket.number) {
            guest.caller = None;
        }
        admitted.thin_out(self.ticket.admission.strangers);
    }

    pub async fn shown_out(&self) {
        self.shown_out.cancelled().await;
    }
}

impl Drop for AdmittedConnection {
    fn drop(&mut self) {
        self.ticket.admission.admitted.lock().here.remove(&self.ticket.number);
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    fn admission() -> Arc<Admission> {
        Admission::new(&McpLimits {
            strangers: 2,
            requests: 3,
            requests_a_caller: 2,
            ..McpLimits::default()
        })
    }

    #[test]
    fn the_oldest_stranger_makes_room() {
        let admission = admission();
        let agent = admission.enter();
        agent.ticket().seat(&ChatId::from_bits(1)).unwrap();
        let [first, second, third] = [admission.enter(), admission.enter(), admission.enter()];
        let out = [&agent, &first, &second, &third].map(|visit| visit.shown_out.is_cancelled());
        assert_eq!(out, [false, true, false, false]);
        assert_eq!(first.ticket().seat(&ChatId::from_bits(1)), Err(AdmissionFull::House));
    }

    #[tokio::test]
    async fn nobody_is_let_in_until_those_inside_had_time_to_speak() {
        let admission = admission();
        let first = admission.enter();
        assert_eq!(admission.room().now_or_never(), Some(()));
        let _second = admission.enter();
        assert_eq!(admission.room().now_or_never(), None);
        first.ticket().seat(&ChatId::from_bits(1)).unwrap();
        assert_eq!(admission.room().now_or_never(), Some(()));
    }

    #[test]
    fn a_caller_that_takes_its_seats_leaves_the_others_theirs() {
        let (admission, greedy, other) = (admission(), ChatId::from_bits(1), ChatId::from_bits(2));
        let sit = |caller: &ChatId| {
            let visit = admission.enter();
            visit.ticket().seat(caller).map(|()| visit)
        };
        let first = sit(&greedy).unwrap();
        let _second = sit(&greedy).unwrap();
        assert_eq!(sit(&greedy).err(), Some(AdmissionFull::Caller));
        let _other = sit(&other).unwrap();
        assert_eq!(sit(&other).err(), Some(AdmissionFull::House));
        drop(first);
        assert!(sit(&greedy).is_ok());
    }
}
