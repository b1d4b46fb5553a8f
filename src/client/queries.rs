//! What is asked of the terminal before the first key is read: its colours, and whether it speaks kitty's keyboard protocol.
//!
//! A terminal answers in a few milliseconds or never, and a person waits for neither: after a short while parlour
//! starts without the answer.

use std::io::Write;
use std::time::{Duration, Instant};
use std::{env, io, thread};

use crossterm::terminal::supports_keyboard_enhancement;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use terminal_colorsaurus::{Color, Error, QueryOptions, color_palette};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::wire::{Term, TerminalColours};

use super::request;
use super::terminal::{self, Keyboard};

/// A terminal on this machine. The first frame is due 100 ms after the start.
const NEAR: Duration = Duration::from_millis(50);
/// A terminal at the other end of a long line.
const FAR: Duration = Duration::from_millis(400);

/// Asks for foreground and background.
pub(super) const COLOURS: &[u8] = b"\x1b]10;?\x1b\\\x1b]11;?\x1b\\";

/// Has the terminal tell when its colours become light or dark.
pub(super) const FOLLOW: &[u8] = b"\x1b[?2031h";
/// What it is: whoever knows nothing else answers this, and last.
const WHAT: &[u8] = b"\x1b[c";
/// Whether it can tell of its colours (DECRQM).
const CAN_FOLLOW: &[u8] = b"\x1b[?2031$p";

/// Asks for the colours after a change was told. crossterm takes the report and all keys behind it for the beginning of an
/// answer to [`WHAT`], until such an answer comes.
pub(super) fn colours_again() -> Vec<u8> {
    [WHAT, COLOURS].concat()
}

#[derive(Debug, Default)]
pub(super) struct Answers {
    colours: Option<TerminalColours>,
    kitty: bool,
    /// It can tell when its colours change.
    pub follows: bool,
    /// The terminal has not answered yet, and what it answers later will look like typing.
    pub late: bool,
    /// It is not known yet whether it speaks kitty's protocol, and nobody waits for that any longer.
    pub asking: Option<StillAsking>,
}

/// Questions that go on on their thread, which reads what is typed meanwhile.
#[derive(Debug)]
pub(super) struct StillAsking(oneshot::Receiver<bool>);

impl StillAsking {
    pub async fn end(&mut self) {
        // Answered or given up, it reads no more.
        let _ = (&mut self.0).await;
    }
}

impl Answers {
    pub fn keyboard(&self) -> Keyboard {
        match self.kitty {
            true => Keyboard::Kitty,
            false => without_kitty(|name| env::var(name).ok()),
        }
    }

    /// It tells its colours, be it late.
    pub fn tells_colours(&self) -> bool {
        (self.colours.is_some() || self.late) && !known_term().no_color
    }

    pub fn term(&self) -> Term {
        let known = known_term();
        Term {
            colours: self.colours.filter(|_| !known.no_color),
            kitty_keyboard: self.kitty,
            ..known
        }
    }
}

/// Asks on a thread of its own, at once; the future waits for the answers. The terminal must be in raw mode, or
/// it would echo them.
pub(super) fn ask() -> io::Result<impl Future<Output = Answers>> {
    let patience = match env::var_os("SSH_CONNECTION").or(env::var_os("SSH_TTY")) {
        Some(_) => FAR,
        None => NEAR,
    };
    let (tell_colours, colours) = oneshot::channel();
    let (tell_kitty, mut kitty) = oneshot::channel();
    thread::Builder::new().name("queries".into()).spawn(move || {
        let mut options = QueryOptions::default();
        options.timeout = patience;
        let palette = color_palette(options);
        let follows = palette.is_ok() && can_follow(patience).unwrap_or(false);
        // Asking about the keyboard takes two seconds where nobody answers. Whoever speaks kitty's protocol
        // also tells its colours, so only those are asked.
        let may_be_kitty = palette.is_ok();
        let _ = tell_colours.send((palette, follows));
        let _ = tell_kitty.send(may_be_kitty && supports_keyboard_enhancement().unwrap_or(false));
    })?;
    Ok(async move {
        let (colours, follows) = match colours.await {
            Ok((colours, follows)) => (Some(colours), follows),
            Err(_) => (None, false),
        };
        let late = matches!(colours, Some(Err(Error::Timeout(_))));
        let answered = timeout(patience, &mut kitty).await;
        Answers {
            colours: colours.and_then(Result::ok).map(|palette| TerminalColours {
                fg: rgb(&palette.foreground),
                bg: rgb(&palette.background),
            }),
            follows,
            asking: answered.is_err().then_some(StillAsking(kitty)),
            kitty: answered.is_ok_and(|answer| answer.unwrap_or(false)),
            late,
        }
    })
}

/// Reads the answers itself, as crossterm would keep that one. It is asked only where the terminal has just told its colours.
fn can_follow(patience: Duration) -> io::Result<bool> {
    let mut terminal = io::stdout();
    terminal.write_all(&[CAN_FOLLOW, WHAT].concat())?;
    terminal.flush()?;
    let until = Instant::now() + patience;
    let (stdin, mut said) = (io::stdin(), Vec::new());
    while !is_whole(&said) {
        let left = until.saturating_duration_since(Instant::now());
        let timeout = Timespec::try_from(left).map_err(io::Error::other)?;
        let mut looked = [PollFd::new(&stdin, PollFlags::IN)];
        if left.is_zero() || rustix::io::retry_on_intr(|| poll(&mut looked, Some(&timeout)))? == 0 {
            return Ok(false);
        }
        let mut piece = [0; 64];
        match rustix::io::read(&stdin, &mut piece) {
            Ok(0) => return Ok(false),
            Ok(count) => said.extend_from_slice(&piece[..count]),
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(says_it_can(&said))
}

/// The terminal has said what it is, and so all that it says.
fn is_whole(said: &[u8]) -> bool {
    let said = String::from_utf8_lossy(said);
    let answers = said.split("\x1b[?").skip(1);
    let is_number = |c: char| c.is_ascii_digit() || c == ';';
    answers
        .into_iter()
        .any(|answer| answer.trim_start_matches(is_number).starts_with('c'))
}

/// Set or not, it knows the mode, and does not hold it fixed.
fn says_it_can(said: &[u8]) -> bool {
    let said = String::from_utf8_lossy(said);
    said.contains("\x1b[?2031;1$y") || said.contains("\x1b[?2031;2$y")
}

/// tmux up to 3.4 tells such keys in the form of kitty's protocol, where its `extended-keys` is on. Later ones use a form
/// of xterm's by default, which nothing here reads.
fn without_kitty(var: impl Fn(&str) -> Option<String>) -> Keyboard {
    let version = var("TERM_PROGRAM_VERSION").filter(|_| var("TERM_PROGRAM").as_deref() == Some("tmux"));
    let number = version.as_deref().and_then(|version| {
        let end = version.find(|c: char| c != '.' && !c.is_ascii_digit());
        let (major, minor) = version[..end.unwrap_or(version.len())].split_once('.')?;
        Some((major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?))
    });
    match number {
        Some((3, 2..=4)) => Keyboard::Modified,
        Some(_) | None => Keyboard::Plain,
    }
}

/// Asks the terminal that this program runs in which keys it tells, for `parlour doctor`.
pub fn told_keys() -> io::Result<Keyboard> {
    terminal::raw()?;
    let answers = ask().and_then(|answers| Ok(request::runtime()?.block_on(answers)));
    terminal::cooked();
    Ok(answers?.keyboard())
}

fn rgb(colour: &Color) -> [u8; 3] {
    let (red, green, blue) = colour.scale_to_8bit();
    [red, green, blue]
}

/// What the environment says of the terminal, without asking it.
pub fn known_term() -> Term {
    let unwanted = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    Term {
        truecolor: is_truecolor(),
        indexed: terminal_name().contains("256"),
        no_color: unwanted || has_no_colours(&terminal_name()),
        ..Term::default()
    }
}

/// `COLORTERM` is not passed on by ssh, so terminals known for it count by their name.
fn is_truecolor() -> bool {
    let names = ["kitty", "alacritty", "ghostty", "wezterm", "foot", "direct"];
    let told = env::var("COLORTERM").is_ok_and(|it| it == "truecolor" || it == "24bit");
    let term = terminal_name();
    told || names.iter().any(|name| term.contains(name))
}

fn terminal_name() -> String {
    env::var("TERM").unwrap_or_default()
}

/// DEC's terminals and those that say so.
fn has_no_colours(term: &str) -> bool {
    term == "dumb" || term.starts_with("vt1") || term.starts_with("vt2") || term.ends_with("-mono")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_says_of_its_colours_is_read_up_to_what_it_is() {
        assert!(!is_whole(b"\x1b[?2031;2$y"));
        assert!(is_whole(b"x\x1b[?2031;2$y\x1b[?62;22c"));
        assert!(is_whole(b"\x1b[?6c"));
        assert!(says_it_can(b"\x1b[?2031;2$y\x1b[?6c"));
        assert!(!says_it_can(b"\x1b[?2031;0$y\x1b[?6c"));
    }

    #[test]
    fn a_tmux_that_tells_keys_in_a_form_we_read_is_asked_to() {
        let told = |program: &str, version: &str| {
            let (program, version) = (program.to_owned(), version.to_owned());
            without_kitty(move |name| match name {
                "TERM_PROGRAM" => Some(program.clone()),
                "TERM_PROGRAM_VERSION" => Some(version.clone()),
                _ => None,
            })
        };
        assert_eq!(told("tmux", "3.3a"), Keyboard::Modified);
        assert_eq!(told("tmux", "3.5a"), Keyboard::Plain);
        assert_eq!(told("tmux", "next-3.6"), Keyboard::Plain);
        assert_eq!(told("Apple_Terminal", "3.3"), Keyboard::Plain);
    }
}
