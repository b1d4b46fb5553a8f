//! Who is connected, and how many more may be.
//!
//! A connection carries one request. Until that has shown a token it is a stranger's, and any program or web page of
//! the machine can make strangers: when there are too many, the oldest is closed, so a flood pushes out itself
//! and not the agent that sends its token at once. Known callers have seats, a bounded number each.

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
const MANNERS: Duration = Duration::from_millis(50);

pub(super) struct Lobby {
    strangers: usize,
    seats: usize,
    seats_a_caller: usize,
    guests: Mutex<Guests>,
}

/// By number, so the first is the oldest.
#[derive(Default)]
struct Guests {
    next: u64,
    here: BTreeMap<u64, Guest>,
}

struct Guest {
    since: Instant,
    shown_out: CancellationToken,
    caller: Option<ChatId>,
}

/// A connection's stay; dropped, its place is free.
pub(super) struct LobbyVisit {
    badge: Badge,
    shown_out: CancellationToken,
}

/// Which visit a request came in with.
#[derive(Clone)]
pub(super) struct Badge {
    lobby: Arc<Lobby>,
    number: u64,
}

/// Why there is no seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LobbyFull {
    Caller,
    House,
}

impl Lobby {
    pub fn new(limits: &McpLimits) -> Arc<Lobby> {
        Arc::new(Lobby {
            strangers: limits.strangers,
            seats: limits.requests,
            seats_a_caller: limits.requests_a_caller,
            guests: Mutex::default(),
        })
    }

    /// Wait until somebody can be let in. Others wait in the kernel's queue meanwhile.
    pub async fn room(&self) {
        while let Some(patience) = self.patience() {
            tokio::time::sleep(patience).await;
        }
    }

    fn patience(&self) -> Option<Duration> {
        let guests = self.guests.lock();
        let strangers = || guests.here.values().filter(|guest| guest.caller.is_none());
        let oldest = strangers().next().filter(|_| strangers().count() >= self.strangers)?;
        let patience = MANNERS.checked_sub(oldest.since.elapsed())?;
        (!patience.is_zero()).then_some(patience)
    }

    pub fn enter(self: &Arc<Self>) -> LobbyVisit {
        let shown_out = CancellationToken::new();
        let mut guests = self.guests.lock();
        let number = guests.next;
        guests.next += 1;
        let guest = Guest {
            since: Instant::now(),
            shown_out: shown_out.clone(),
            caller: None,
        };
        guests.here.insert(number, guest);
        guests.thin_out(self.strangers);
        let lobby = self.clone();
        LobbyVisit {
            badge: Badge { lobby, number },
            shown_out,
        }
    }
}

impl Guests {
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

impl Badge {
    /// Give a known caller a seat. A stranger shown out meanwhile gets none.
    pub fn seat(&self, caller: &ChatId) -> Result<(), LobbyFull> {
        let mut guests = self.lobby.guests.lock();
        let seated = || guests.here.values().filter_map(|guest| guest.caller.as_ref());
        if seated().filter(|seated| *seated == caller).count() >= self.lobby.seats_a_caller {
            return Err(LobbyFull::Caller);
        }
        if seated().count() >= self.lobby.seats {
            return Err(LobbyFull::House);
        }
        let guest = guests.here.get_mut(&self.number).ok_or(LobbyFull::House)?;
        guest.caller = Some(caller.clone());
        Ok(())
    }
}

impl LobbyVisit {
    pub fn badge(&self) -> Badge {
        self.badge.clone()
    }

    /// The request is answered: what is left of the connection is a stranger again.
    pub fn stand_up(&self) {
        let mut guests = self.badge.lobby.guests.lock();
        if let Some(guest) = guests.here.get_mut(&self.badge.number) {
            guest.caller = None;
        }
        guests.thin_out(self.badge.lobby.strangers);
    }

    pub async fn shown_out(&self) {
        self.shown_out.cancelled().await;
    }
}

impl Drop for LobbyVisit {
    fn drop(&mut self) {
        self.badge.lobby.guests.lock().here.remove(&self.badge.number);
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    fn lobby() -> Arc<Lobby> {
        Lobby::new(&McpLimits {
            strangers: 2,
            requests: 3,
            requests_a_caller: 2,
            ..McpLimits::default()
        })
    }

    #[test]
    fn the_oldest_stranger_makes_room() {
        let lobby = lobby();
        let agent = lobby.enter();
        agent.badge().seat(&ChatId::from_bits(1)).unwrap();
        let [first, second, third] = [lobby.enter(), lobby.enter(), lobby.enter()];
        let out = [&agent, &first, &second, &third].map(|visit| visit.shown_out.is_cancelled());
        assert_eq!(out, [false, true, false, false]);
        assert_eq!(first.badge().seat(&ChatId::from_bits(1)), Err(LobbyFull::House));
    }

    #[tokio::test]
    async fn nobody_is_let_in_until_those_inside_had_time_to_speak() {
        let lobby = lobby();
        let first = lobby.enter();
        assert_eq!(lobby.room().now_or_never(), Some(()));
        let _second = lobby.enter();
        assert_eq!(lobby.room().now_or_never(), None);
        first.badge().seat(&ChatId::from_bits(1)).unwrap();
        assert_eq!(lobby.room().now_or_never(), Some(()));
    }

    #[test]
    fn a_caller_that_takes_its_seats_leaves_the_others_theirs() {
        let (lobby, greedy, other) = (lobby(), ChatId::from_bits(1), ChatId::from_bits(2));
        let sit = |caller: &ChatId| {
            let visit = lobby.enter();
            visit.badge().seat(caller).map(|()| visit)
        };
        let first = sit(&greedy).unwrap();
        let _second = sit(&greedy).unwrap();
        assert_eq!(sit(&greedy).err(), Some(LobbyFull::Caller));
        let _other = sit(&other).unwrap();
        assert_eq!(sit(&other).err(), Some(LobbyFull::House));
        drop(first);
        assert!(sit(&greedy).is_ok());
    }
}
