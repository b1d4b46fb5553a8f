//! What is asked of the terminal before the first key is read: its colours, and whether it speaks kitty's keyboard protocol.
//!
//! A terminal answers in a few milliseconds or never, and a person waits for neither: after a short while parlour
//! starts without the answer.

use std::time::Duration;
use std::{env, io};

use tokio::time::{Instant, timeout_at};

use crate::wire::{FromTerminal, Term, TerminalColours};

use super::keys::{Came, KeyEvents};
use super::request;
use super::terminal::{self, Keyboard};

/// A terminal on this machine. The first frame is due 100 ms after the start.
const NEAR: Duration = Duration::from_millis(50);
/// A terminal at the other end of a long line.
const FAR: Duration = Duration::from_millis(400);

/// Asks for foreground and background.
const COLOURS: &[u8] = b"\x1b]10;?\x1b\\\x1b]11;?\x1b\\";
/// Whether they are light or dark. Who answers also tells when they change.
const SCHEME: &[u8] = b"\x1b[?996n";
/// Whether it speaks kitty's keyboard protocol.
const KITTY: &[u8] = b"\x1b[?u";
/// What it is: whoever knows nothing else answers this, and last.
const KIND: &[u8] = b"\x1b[c";

/// Asks for the colours, and behind them for what says that they were told or never will be.
pub(super) fn for_colours() -> Vec<u8> {
    [COLOURS, KIND].concat()
}

/// Has the terminal tell when its colours become light or dark.
pub(super) const FOLLOW: &[u8] = b"\x1b[?2031h";

#[derive(Debug, Default)]
pub(super) struct Answers {
    pub colours: ToldColours,
    kitty: bool,
    /// It can tell when its colours change.
    pub follows: bool,
    /// It has not said all yet: colours may be told later.
    late: bool,
}

/// The colours as far as they were told.
#[derive(Debug, Default)]
pub(super) struct ToldColours {
    foreground: Option<[u8; 3]>,
    background: Option<[u8; 3]>,
}

impl ToldColours {
    pub fn hear(&mut self, typed: &FromTerminal) {
        match typed {
            FromTerminal::Foreground(colour) => self.foreground = Some(*colour),
            FromTerminal::Background(colour) => self.background = Some(*colour),
            FromTerminal::Event(_) | FromTerminal::Scheme | FromTerminal::Kitty | FromTerminal::Kind => {}
        }
    }

    /// Both, once both were told.
    pub fn take(&mut self) -> Option<TerminalColours> {
        let both = self.both()?;
        *self = ToldColours::default();
        Some(both)
    }

    fn both(&self) -> Option<TerminalColours> {
        let (fg, bg) = (self.foreground?, self.background?);
        Some(TerminalColours { fg, bg })
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
        (self.colours.both().is_some() || self.late) && !known_term().no_color
    }

    pub fn term(&self) -> Term {
        let known = known_term();
        Term {
            colours: self.colours.both().filter(|_| !known.no_color),
            kitty_keyboard: self.kitty,
            ..known
        }
    }

    fn hear(&mut self, typed: &FromTerminal) {
        self.colours.hear(typed);
        match typed {
            FromTerminal::Scheme => self.follows = true,
            FromTerminal::Kitty => self.kitty = true,
            FromTerminal::Kind => self.late = false,
            FromTerminal::Event(_) | FromTerminal::Foreground(_) | FromTerminal::Background(_) => {}
        }
    }
}

/// Asks the terminal, and waits for its answers a moment; what was typed meanwhile comes with them. `None` where the
/// terminal is gone. It must be in raw mode, or it would echo them.
pub(super) async fn ask(keys: &mut KeyEvents) -> io::Result<Option<(Answers, Vec<FromTerminal>)>> {
    let patience = match env::var_os("SSH_CONNECTION").or(env::var_os("SSH_TTY")) {
        Some(_) => FAR,
        None => NEAR,
    };
    terminal::write(&[COLOURS, SCHEME, KITTY, KIND].concat())?;
    keys.expect_colours();
    let (mut answers, mut others) = (Answers::default(), Vec::new());
    answers.late = true;
    let mut until = Instant::now() + patience;
    while answers.late {
        let typed = match timeout_at(until, keys.next()).await {
            Ok(Some(Came::Typed(typed))) => typed,
            Ok(Some(Came::Overdue)) => Vec::new(),
            Ok(None) => return Ok(None),
            Err(_) => break,
        };
        for typed in typed {
            match typed {
                FromTerminal::Event(_) => others.push(typed),
                FromTerminal::Foreground(_)
                | FromTerminal::Background(_)
                | FromTerminal::Scheme
                | FromTerminal::Kitty
                | FromTerminal::Kind => {
                    answers.hear(&typed);
                    until = Instant::now() + patience;
                }
            }
        }
    }
    Ok(Some((answers, others)))
}

/// tmux tells such keys where its `extended-keys` is on, and xterm by itself.
fn without_kitty(var: impl Fn(&str) -> Option<String>) -> Keyboard {
    let is_tmux = var("TERM_PROGRAM").as_deref() == Some("tmux");
    let version = var("TERM_PROGRAM_VERSION").filter(|_| is_tmux);
    let number = version.as_deref().and_then(|version| {
        let version = version.strip_prefix("next-").unwrap_or(version);
        let end = version.find(|c: char| c != '.' && !c.is_ascii_digit());
        let (major, minor) = version[..end.unwrap_or(version.len())].split_once('.')?;
        Some((major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?))
    });
    match number {
        Some((3, 2..) | (4.., _)) => Keyboard::Modified,
        None if !is_tmux && var("XTERM_VERSION").is_some() => Keyboard::Modified,
        Some(_) | None => Keyboard::Plain,
    }
}

/// Asks the terminal that this program runs in which keys it tells, for `parlour doctor`.
pub fn told_keys() -> io::Result<Keyboard> {
    terminal::raw()?;
    let answers = request::runtime().and_then(|runtime| {
        runtime.block_on(async {
            let mut keys = KeyEvents::listen()?;
            ask(&mut keys).await
        })
    });
    terminal::cooked();
    let answers = answers?.ok_or_else(|| io::Error::other("the terminal is gone"))?;
    Ok(answers.0.keyboard())
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
    fn what_was_told_of_colours_counts_once_both_were() {
        let mut told = ToldColours::default();
        told.hear(&FromTerminal::Foreground([255, 128, 0]));
        assert_eq!(told.take(), None);
        told.hear(&FromTerminal::Background([0, 119, 255]));
        let (fg, bg) = ([255, 128, 0], [0, 119, 255]);
        assert_eq!(told.take(), Some(TerminalColours { fg, bg }));
        assert_eq!(told.take(), None, "told once");
    }

    #[test]
    fn a_tmux_or_xterm_that_tells_keys_with_their_modifiers_is_asked_to() {
        let told = |program: &str, version: &str| {
            let (program, version) = (program.to_owned(), version.to_owned());
            without_kitty(move |name| match name {
                "TERM_PROGRAM" => Some(program.clone()),
                "TERM_PROGRAM_VERSION" => Some(version.clone()),
                _ => None,
            })
        };
        assert_eq!(told("tmux", "3.3a"), Keyboard::Modified);
        assert_eq!(told("tmux", "3.5a"), Keyboard::Modified);
        assert_eq!(told("tmux", "next-3.6"), Keyboard::Modified);
        assert_eq!(told("tmux", "3.1c"), Keyboard::Plain);
        assert_eq!(told("Apple_Terminal", "3.3"), Keyboard::Plain);
        let xterm = |name: &str| (name == "XTERM_VERSION").then(|| "XTerm(390)".to_owned());
        assert_eq!(without_kitty(xterm), Keyboard::Modified);
    }
}
