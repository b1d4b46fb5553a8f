//! How many connections the server has, and whose they are.
//!
//! A connection carries one request. Until that has shown a token its caller is a stranger, and any program or web page of
//! the machine can be one: when there are too many, the oldest of their connections is closed, so a flood closes its own
//! and not that of the agent which sends its token at once. A known caller may have a bounded number of connections.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::McpLimits;
use crate::model::ChatId;

/// No connection is closed sooner: time enough to read a head that was sent at once, on a machine that is busy too. 128
/// strangers are then 2560 a second, so behind a thousand others an agent waits less than half of one.
const GRACE: Duration = Duration::from_millis(50);

pub(super) struct Admission {
    strangers: usize,
    places: usize,
    places_a_caller: usize,
    admitted: Mutex<Admitted>,
}

/// By number, so the first is the oldest.
#[derive(Default)]
struct Admitted {
    next: u64,
    here: BTreeMap<u64, AdmittedEntry>,
}

struct AdmittedEntry {
    since: Instant,
    closed: CancellationToken,
    caller: Option<ChatId>,
}

/// The place of one connection; dropped, it is free again.
pub(super) struct AdmittedConnection {
    ticket: AdmissionTicket,
    closed: CancellationToken,
}

/// Which place a request came in with.
#[derive(Clone)]
pub(super) struct AdmissionTicket {
    admission: Arc<Admission>,
    number: u64,
}

/// Why a request is not admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AdmissionFull {
    Caller,
    Server,
}

impl Admission {
    pub fn new(limits: &McpLimits) -> Arc<Admission> {
        Arc::new(Admission {
            strangers: limits.strangers,
            places: limits.requests,
            places_a_caller: limits.requests_a_caller,
            admitted: Mutex::default(),
        })
    }

    /// Waits until one more connection can be taken. Others wait in the kernel's queue meanwhile.
    pub async fn room(&self) {
        while let Some(patience) = self.patience() {
            tokio::time::sleep(patience).await;
        }
    }

    fn patience(&self) -> Option<Duration> {
        let admitted = self.admitted.lock();
        let strangers = || admitted.here.values().filter(|connection| connection.caller.is_none());
        let oldest = strangers().next().filter(|_| strangers().count() >= self.strangers)?;
        let patience = GRACE.checked_sub(oldest.since.elapsed())?;
        (!patience.is_zero()).then_some(patience)
    }

    pub fn enter(self: &Arc<Self>) -> AdmittedConnection {
        let closed = CancellationToken::new();
        let mut admitted = self.admitted.lock();
        let number = admitted.next;
        admitted.next += 1;
        let connection = AdmittedEntry {
            since: Instant::now(),
            closed: closed.clone(),
            caller: None,
        };
        admitted.here.insert(number, connection);
        admitted.thin_out(self.strangers);
        let admission = self.clone();
        AdmittedConnection {
            ticket: AdmissionTicket { admission, number },
            closed,
        }
    }
}

impl Admitted {
    fn thin_out(&mut self, most: usize) {
        let strangers = || self.here.iter().filter(|(_, connection)| connection.caller.is_none());
        let surplus = strangers().count().saturating_sub(most);
        let oldest: Vec<u64> = strangers().take(surplus).map(|(number, _)| *number).collect();
        for number in oldest {
            if let Some(connection) = self.here.remove(&number) {
                connection.closed.cancel();
            }
        }
    }
}

impl AdmissionTicket {
    /// Counts a connection as this known caller's. A connection that was closed meanwhile is not counted.
    pub fn claim(&self, caller: &ChatId) -> Result<(), AdmissionFull> {
        let mut admitted = self.admission.admitted.lock();
        let known = || {
            admitted
                .here
                .values()
                .filter_map(|connection| connection.caller.as_ref())
        };
        if known().filter(|known| *known == caller).count() >= self.admission.places_a_caller {
            return Err(AdmissionFull::Caller);
        }
        if known().count() >= self.admission.places {
            return Err(AdmissionFull::Server);
        }
        let connection = admitted.here.get_mut(&self.number).ok_or(AdmissionFull::Server)?;
        connection.caller = Some(caller.clone());
        Ok(())
    }
}

impl AdmittedConnection {
    pub fn ticket(&self) -> AdmissionTicket {
        self.ticket.clone()
    }

    /// The request is answered: what is left of the connection is a stranger again.
    pub fn release(&self) {
        let mut admitted = self.ticket.admission.admitted.lock();
        if let Some(connection) = admitted.here.get_mut(&self.ticket.number) {
            connection.caller = None;
        }
        admitted.thin_out(self.ticket.admission.strangers);
    }

    pub async fn closed(&self) {
        self.closed.cancelled().await;
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
        agent.ticket().claim(&ChatId::from_bits(1)).unwrap();
        let [first, second, third] = [admission.enter(), admission.enter(), admission.enter()];
        let out = [&agent, &first, &second, &third].map(|place| place.closed.is_cancelled());
        assert_eq!(out, [false, true, false, false]);
        assert_eq!(first.ticket().claim(&ChatId::from_bits(1)), Err(AdmissionFull::Server));
    }

    #[tokio::test]
    async fn nobody_is_let_in_until_those_inside_had_time_to_speak() {
        let admission = admission();
        let first = admission.enter();
        assert_eq!(admission.room().now_or_never(), Some(()));
        let _second = admission.enter();
        assert_eq!(admission.room().now_or_never(), None);
        first.ticket().claim(&ChatId::from_bits(1)).unwrap();
        assert_eq!(admission.room().now_or_never(), Some(()));
    }

    #[test]
    fn a_caller_that_takes_its_seats_leaves_the_others_theirs() {
        let (admission, greedy, other) = (admission(), ChatId::from_bits(1), ChatId::from_bits(2));
        let sit = |caller: &ChatId| {
            let place = admission.enter();
            place.ticket().claim(caller).map(|()| place)
        };
        let first = sit(&greedy).unwrap();
        let _second = sit(&greedy).unwrap();
        assert_eq!(sit(&greedy).err(), Some(AdmissionFull::Caller));
        let _other = sit(&other).unwrap();
        assert_eq!(sit(&other).err(), Some(AdmissionFull::Server));
        drop(first);
        assert!(sit(&greedy).is_ok());
    }
}
