//! The programs that run inside: this same binary, started again with `play NAME`.
//!
//! They behave alike whatever hosts them. The ones that are measured in front first show the size of their terminal
//! and wait for [`GO`], so that whoever measures knows when the whole screen is theirs.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex};

use crate::sample;

/// The argument that makes this binary one of the programs.
pub const PLAY: &str = "play";

/// The key that starts what is measured; all other keys before it are dropped.
pub const GO: u8 = b'\r';

/// What the stream ends with: one letter, because a host may place each by itself, and one that nothing else here
/// prints, so that no cell can have shown it before and looking for its first byte is cheap.
pub const END: &str = "Д";

/// The rate of the agent CLIs that redraw most.
const FRAME: Duration = Duration::from_nanos(1_000_000_000 / 30);
/// How often a program in front looks whether it was resized; only before it is measured.
const LOOK_AGAIN: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 20_000_000,
};
/// What [`Program::Fill`] prints: more lines than any host keeps by default.
const FILL: u64 = 1 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// Prints the sample, then [`END`].
    Stream,
    /// Answers each letter by a letter of [`echo_of`], each time at another place.
    Echo,
    /// Draws 30 frames a second of a box of text.
    Redraw,
    /// Prints a line and waits.
    Idle,
    /// Prints the sample's first MB and waits.
    Fill,
}

impl Program {
    pub const ALL: [Program; 5] = [
        Program::Stream,
        Program::Echo,
        Program::Redraw,
        Program::Idle,
        Program::Fill,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Program::Stream => "stream",
            Program::Echo => "echo",
            Program::Redraw => "redraw",
            Program::Idle => "idle",
            Program::Fill => "fill",
        }
    }

    /// The arguments that this binary plays it with.
    pub fn args(self, sample: &Path) -> Vec<String> {
        vec![PLAY.into(), self.name().into(), sample.display().to_string()]
    }
}

/// What [`Program::Echo`] draws for a letter of a to z: two bytes that nothing else here prints.
pub fn echo_of(letter: u8) -> [u8; 2] {
    [0xD0, 0xB0 + (letter - b'a') % 16]
}

/// Plays the program that the arguments after [`PLAY`] name.
pub fn play(args: &[String]) -> anyhow::Result<()> {
    let [name, sample] = args else {
        bail!("usage: play PROGRAM SAMPLE");
    };
    let program = Program::ALL.into_iter().find(|program| program.name() == name);
    quiet_keyboard().context("setting up the terminal")?;
    let sample = Path::new(sample);
    match program {
        Some(Program::Stream) => {
            wait_for_go()?;
            print(sample, u64::MAX)?;
            say(&format!("\x1b[0m\x1b[2J\x1b[H{END}"))?;
            wait_for_end()
        }
        Some(Program::Echo) => {
            wait_for_go()?;
            echo()
        }
        Some(Program::Redraw) => redraw(),
        Some(Program::Idle) => {
            say("waiting\r\n")?;
            wait_for_end()
        }
        Some(Program::Fill) => {
            print(sample, FILL)?;
            wait_for_end()
        }
        None => bail!("there is no program `{name}`"),
    }
}

/// Keys come one by one and are not shown; output stays as it is for `cat`.
fn quiet_keyboard() -> io::Result<()> {
    let mut modes = rustix::termios::tcgetattr(io::stdin())?;
    modes.local_modes -= LocalModes::ICANON | LocalModes::ECHO;
    modes.input_modes -= rustix::termios::InputModes::ICRNL;
    modes.special_codes[SpecialCodeIndex::VMIN] = 1;
    modes.special_codes[SpecialCodeIndex::VTIME] = 0;
    rustix::termios::tcsetattr(io::stdin(), OptionalActions::Now, &modes)?;
    Ok(())
}

fn wait_for_go() -> anyhow::Result<()> {
    let mut shown = None;
    loop {
        let size = rustix::termios::tcgetwinsize(io::stdin())?;
        let now = (size.ws_col, size.ws_row);
        if shown != Some(now) {
            say(&format!("\x1b[2J\x1b[Hready {}x{}", now.0, now.1))?;
            shown = Some(now);
        }
        let stdin = io::stdin();
        let mut asked = [PollFd::new(&stdin, PollFlags::IN)];
        if poll(&mut asked, Some(&LOOK_AGAIN))? > 0 && key()? == GO {
            return say("\x1b[2J\x1b[H");
        }
    }
}

fn wait_for_end() -> anyhow::Result<()> {
    loop {
        key()?;
    }
}

/// The next key. The end of the terminal ends the program.
fn key() -> anyhow::Result<u8> {
    let mut key = [0];
    rustix::io::read(io::stdin(), &mut key)
        .ok()
        .filter(|count| *count == 1)
        .context("the terminal is gone")?;
    Ok(key[0])
}

fn say(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

fn print(sample: &Path, most: u64) -> anyhow::Result<()> {
    let mut file = File::open(sample).context("opening the sample")?.take(most);
    let mut out = io::stdout().lock();
    let mut piece = vec![0; 64 << 10];
    loop {
        let count = file.read(&mut piece)?;
        if count == 0 {
            return Ok(out.flush()?);
        }
        out.write_all(&piece[..count])?;
    }
}

fn echo() -> anyhow::Result<()> {
    for number in 0_usize.. {
        let letter = loop {
            let key = key()?;
            if key.is_ascii_lowercase() {
                break key;
            }
        };
        let [first, second] = echo_of(letter);
        let (row, col) = (2 + number % 40, 1 + number * 7 % 180);
        let mut drawn = format!("\x1b[{row};{col}H").into_bytes();
        drawn.extend([first, second]);
        let mut out = io::stdout().lock();
        out.write_all(&drawn)?;
        out.flush()?;
    }
    Ok(())
}

fn redraw() -> anyhow::Result<()> {
    for number in 0.. {
        say(&sample::frame(number))?;
        thread::sleep(FRAME);
    }
    Ok(())
}
