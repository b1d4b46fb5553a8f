//! An alarm on the wall clock: it rings when the clock shows a time, also after sleep, and when the clock is set.
//!
//! A timer that counts time, as the loop's own do, stands still while the machine sleeps and knows nothing of a clock that
//! was set. Elsewhere than on Linux there is no such alarm: there the clock is looked at once a minute while one is set.

use std::io;

#[cfg(target_os = "linux")]
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};

#[cfg(target_os = "linux")]
use rustix::time::{Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec};

#[cfg(target_os = "linux")]
pub struct SystemAlarm(OwnedFd);

#[cfg(target_os = "linux")]
impl SystemAlarm {
    pub fn new() -> io::Result<SystemAlarm> {
        let flags = TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK;
        Ok(SystemAlarm(rustix::time::timerfd_create(
            TimerfdClockId::Realtime,
            flags,
        )?))
    }

    /// Rings at this moment, in milliseconds since 1970, and once more whenever the clock is set before.
    pub fn set(&self, at_ms: Option<i64>) -> io::Result<()> {
        let none = Timespec { tv_sec: 0, tv_nsec: 0 };
        // Nothing is "off": the first millisecond of 1970 has been and rings at once.
        let value = at_ms.map_or(none, |at| Timespec {
            tv_sec: at.max(1).div_euclid(1000),
            tv_nsec: at.max(1).rem_euclid(1000) * 1_000_000,
        });
        let flags = TimerfdTimerFlags::ABSTIME | TimerfdTimerFlags::CANCEL_ON_SET;
        let timer = Itimerspec {
            it_interval: none,
            it_value: value,
        };
        rustix::time::timerfd_settime(&self.0, flags, &timer)?;
        Ok(())
    }

    /// Whether it has rung; it is silent afterwards. That the clock was set is told as an error of the timer.
    pub fn has_rung(&self) -> bool {
        let mut count = [0; 8];
        !matches!(rustix::io::read(&self.0, &mut count), Err(rustix::io::Errno::AGAIN))
    }
}

#[cfg(target_os = "linux")]
impl AsFd for SystemAlarm {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// For tokio, which waits for both kinds.
#[cfg(target_os = "linux")]
impl AsRawFd for SystemAlarm {
    fn as_raw_fd(&self) -> RawFd {
        self.0.as_raw_fd()
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::time::{SystemTime, UNIX_EPOCH};

    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    use super::*;

    fn rings_within(alarm: &SystemAlarm, seconds: i64) -> bool {
        let mut waiting = [PollFd::new(alarm, PollFlags::IN)];
        let timeout = Timespec {
            tv_sec: seconds,
            tv_nsec: 0,
        };
        poll(&mut waiting, Some(&timeout)).is_ok_and(|ready| ready == 1) && alarm.has_rung()
    }

    #[test]
    fn it_rings_once_at_its_time_and_not_when_it_is_off() {
        let alarm = SystemAlarm::new().unwrap();
        let now = i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap();
        alarm.set(Some(now + 30)).unwrap();
        assert!(rings_within(&alarm, 20));
        assert!(!alarm.has_rung());
        alarm.set(Some(-5)).unwrap();
        assert!(rings_within(&alarm, 20));
        alarm.set(Some(now + 3_600_000)).unwrap();
        assert!(!rings_within(&alarm, 0));
        alarm.set(Some(now)).unwrap();
        alarm.set(None).unwrap();
        assert!(!rings_within(&alarm, 0));
    }
}
