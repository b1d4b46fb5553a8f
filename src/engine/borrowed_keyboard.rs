//! A client's keyboard, read by the engine itself while somebody types: a key then wakes one process less.
//!
//! tmux goes further: its client hands over its terminal for good. Here it is lent for a second at a time, so that a client
//! that is stopped keeps what is typed after it, and an engine that stands still holds no keys up. Only keys and the mouse
//! are used; whatever else comes goes back to the client, with what the engine has read of it.

use std::os::fd::OwnedFd;
use std::sync::Arc;

use crossterm::event::Event;
use rustix::io::Errno;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::time::{Instant, sleep_until};

use crate::wire::{LENT_FOR, TerminalInput};

use super::direct_terminal::{self, DirectTerminal};

/// More at once is no typing.
const TYPED: usize = 256;

pub struct BorrowedKeyboard {
    terminal: Arc<OwnedFd>,
    /// The client's connection.
    client: Arc<OwnedFd>,
    loan: Option<Loan>,
}

struct Loan {
    readable: AsyncFd<Arc<OwnedFd>>,
    until: Instant,
    /// The client was asked whether it goes on.
    asked: bool,
}

/// What reading it came to.
#[derive(Debug, PartialEq)]
pub enum Borrowed {
    Typed(Vec<Event>),
    /// The same, and the client is to be asked for more time.
    TypedLate(Vec<Event>),
    /// It is the client's again, and so are these bytes.
    Returned(Vec<u8>),
}

impl BorrowedKeyboard {
    pub fn of(direct: &DirectTerminal) -> BorrowedKeyboard {
        let (terminal, client) = direct.files();
        BorrowedKeyboard {
            terminal,
            client,
            loan: None,
        }
    }

    /// The client lends it, or goes on lending it; whether the engine can read it.
    pub fn lent(&mut self, now: Instant) -> bool {
        let until = now + LENT_FOR;
        if let Some(loan) = &mut self.loan {
            (loan.until, loan.asked) = (until, false);
            return true;
        }
        // SAFETY: an `Arc<OwnedFd>` is the same descriptor as long as it lives.
        let readable = unsafe { AsyncFd::register_with_interest(self.terminal.clone(), Interest::READABLE) };
        self.loan = readable.ok().map(|readable| Loan {
            readable,
            until,
            asked: false,
        });
        self.loan.is_some()
    }

    /// The client says yes to more time. Where the loan has run out meanwhile that comes too late: the client hears so, and
    /// if both read, what was typed would come in another order.
    pub fn renewed(&mut self, now: Instant) {
        if self.loan.is_some() {
            self.lent(now);
        }
    }

    /// The client reads it.
    pub fn end(&mut self) {
        self.loan = None;
    }

    /// Waits for what is typed as long as it is lent. Nothing is lost when it is dropped before.
    pub async fn read(&mut self) -> Borrowed {
        let Some(loan) = &mut self.loan else {
            return std::future::pending().await;
        };
        loop {
            tokio::select! {
                () = sleep_until(loan.until) => break,
                ready = loan.readable.readable() => {
                    let Ok(mut ready) = ready else { break };
                    // Its time may have run out while the engine was stopped.
                    let now = Instant::now();
                    if now >= loan.until || direct_terminal::is_left(&self.client) {
                        break;
                    }
                    let mut bytes = [0; TYPED];
                    let count = match rustix::io::read(&self.terminal, &mut bytes) {
                        Err(Errno::AGAIN) => {
                            ready.clear_ready();
                            continue;
                        }
                        Err(Errno::INTR) => continue,
                        Ok(0) | Err(_) => break,
                        Ok(count) => count,
                    };
                    if count < bytes.len() {
                        ready.clear_ready();
                    }
                    let Some(typed) = TerminalInput::keys(&bytes[..count]) else {
                        drop(ready);
                        self.end();
                        return Borrowed::Returned(bytes[..count].to_vec());
                    };
                    if loan.until - now < LENT_FOR / 2 && !loan.asked {
                        loan.asked = true;
                        return Borrowed::TypedLate(typed);
                    }
                    return Borrowed::Typed(typed);
                }
            }
        }
        self.end();
        Borrowed::Returned(Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::unix::net::UnixStream;

    use crossterm::event::KeyCode;
    use portable_pty::{PtyPair, PtySize, native_pty_system};
    use tokio::time::{Duration, timeout};

    use super::*;

    struct Seat {
        pair: PtyPair,
        person: Box<dyn Write + Send>,
        client: Option<UnixStream>,
        keyboard: BorrowedKeyboard,
    }

    fn seat() -> Seat {
        let pair = native_pty_system().openpty(PtySize::default()).unwrap();
        let path = pair.master.tty_name().unwrap();
        let flags = rustix::fs::OFlags::RDWR | rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
        let terminal = rustix::fs::open(path, flags, rustix::fs::Mode::empty()).unwrap();
        let mut modes = rustix::termios::tcgetattr(&terminal).unwrap();
        modes.make_raw();
        rustix::termios::tcsetattr(&terminal, rustix::termios::OptionalActions::Now, &modes).unwrap();
        let (ours, client) = UnixStream::pair().unwrap();
        Seat {
            person: pair.master.take_writer().unwrap(),
            pair,
            client: Some(client),
            keyboard: BorrowedKeyboard {
                terminal: Arc::new(terminal),
                client: Arc::new(ours.into()),
                loan: None,
            },
        }
    }

    impl Seat {
        fn types(&mut self, bytes: &[u8]) {
            self.person.write_all(bytes).unwrap();
        }

        async fn reads(&mut self) -> Borrowed {
            timeout(Duration::from_secs(60), self.keyboard.read()).await.unwrap()
        }
    }

    fn key(code: char) -> Event {
        Event::Key(KeyCode::Char(code).into())
    }

    #[tokio::test]
    async fn keys_are_read_while_it_is_lent_and_what_is_no_key_goes_back() {
        let mut seat = seat();
        seat.types(b"a");
        let unlent = timeout(Duration::from_millis(20), seat.keyboard.read()).await;
        assert!(unlent.is_err());
        assert!(seat.keyboard.lent(Instant::now()));
        assert_eq!(seat.reads().await, Borrowed::Typed(vec![key('a')]));
        seat.types(b"\x1b[B");
        assert_eq!(
            seat.reads().await,
            Borrowed::Typed(vec![Event::Key(KeyCode::Down.into())])
        );
        seat.types(b"b\x1b[200~pas");
        assert_eq!(seat.reads().await, Borrowed::Returned(b"b\x1b[200~pas".to_vec()));
        seat.types(b"te");
        let returned = timeout(Duration::from_millis(20), seat.keyboard.read()).await;
        assert!(returned.is_err());
        drop(seat.pair);
    }

    #[tokio::test]
    async fn a_yes_that_comes_after_it_went_back_is_too_late() {
        let mut seat = seat();
        seat.keyboard.lent(Instant::now() - LENT_FOR * 3 / 4);
        seat.types(b"a");
        assert_eq!(seat.reads().await, Borrowed::TypedLate(vec![key('a')]));
        assert_eq!(seat.reads().await, Borrowed::Returned(Vec::new()));
        seat.keyboard.renewed(Instant::now());
        seat.types(b"b");
        assert!(timeout(Duration::from_millis(20), seat.keyboard.read()).await.is_err());
        assert!(seat.keyboard.lent(Instant::now()), "that is another loan");
        assert_eq!(seat.reads().await, Borrowed::Typed(vec![key('b')]));
        seat.keyboard.end();
        seat.types(b"c");
        assert!(timeout(Duration::from_millis(20), seat.keyboard.read()).await.is_err());
    }

    #[tokio::test]
    async fn it_goes_back_by_itself_unless_the_client_goes_on_lending_it() {
        let mut seat = seat();
        seat.keyboard.lent(Instant::now() - LENT_FOR * 3 / 4);
        seat.types(b"a");
        assert_eq!(seat.reads().await, Borrowed::TypedLate(vec![key('a')]));
        seat.types(b"b");
        assert_eq!(seat.reads().await, Borrowed::Typed(vec![key('b')]));
        seat.keyboard.lent(Instant::now());
        seat.types(b"c");
        assert_eq!(seat.reads().await, Borrowed::Typed(vec![key('c')]));
        assert_eq!(seat.reads().await, Borrowed::Returned(Vec::new()));
        seat.types(b"d");
        seat.keyboard.lent(Instant::now() - LENT_FOR);
        assert_eq!(seat.reads().await, Borrowed::Returned(Vec::new()));
        seat.keyboard.lent(Instant::now());
        assert_eq!(seat.reads().await, Borrowed::Typed(vec![key('d')]));
    }

    #[tokio::test]
    async fn nothing_is_taken_from_a_client_that_has_left() {
        let mut seat = seat();
        seat.keyboard.lent(Instant::now());
        seat.client = None;
        seat.types(b"rm");
        assert_eq!(seat.reads().await, Borrowed::Returned(Vec::new()));
        let mut left = [0; 8];
        assert_eq!(rustix::io::read(&seat.keyboard.terminal, &mut left), Ok(2));
    }
}
