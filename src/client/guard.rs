//! The small parent that outlives the process which draws.
//!
//! A process that is killed cannot restore its terminal, so the one that the shell started does not draw: it starts
//! itself again, passes signals on, waits, and cleans up when its child ended in a way that left no time for it.

use std::env;
use std::io::{self, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitCode, ExitStatus};

use rustix::process::{Pid, kill_process};
use rustix::termios::{OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcsetattr};
use tokio::process::{Child, Command};

use super::connect::GUARD;
use crate::sys::lineage;

use super::signals::Signals;
use super::{request, terminal};

/// Which of the two this process is.
pub(super) enum GuardPart {
    /// It is to draw; with a guard above it, or without where none could be started.
    Draw,
    /// It guarded, and its child has ended.
    Guarded(ExitCode),
}

/// Becomes the guard, unless this process already has one.
pub(super) fn stand() -> io::Result<GuardPart> {
    let parent = lineage::parent().to_string();
    if env::var(GUARD).is_ok_and(|guard| guard == parent) {
        // A guard that is killed takes the screen with it: the shell would read the same keys.
        lineage::end_with_parent()?;
        return Ok(GuardPart::Draw);
    }
    let before = tcgetattr(io::stdin())?;
    request::runtime()?.block_on(async {
        let mut signals = Signals::listen()?;
        let Ok(mut child) = draw() else {
            return Ok(GuardPart::Draw);
        };
        let ended = wait(&mut child, &mut signals).await?;
        Ok(GuardPart::Guarded(clean_up(ended, &before)))
    })
}

/// This program again, with the same arguments, in the same process group.
fn draw() -> io::Result<Child> {
    Command::new(env::current_exe()?)
        .args(env::args_os().skip(1))
        .env(GUARD, std::process::id().to_string())
        .spawn()
}

async fn wait(child: &mut Child, signals: &mut Signals) -> io::Result<ExitStatus> {
    let pid = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
    loop {
        tokio::select! {
            ended = child.wait() => return ended,
            signal = signals.next() => {
                if let Some(pid) = pid {
                    // It may have ended just now; then its end is the next thing we see.
                    let _ = kill_process(pid, signal);
                }
            }
        }
    }
}

fn clean_up(ended: ExitStatus, before: &Termios) -> ExitCode {
    let Some(signal) = ended.signal() else {
        let code = ended.code().and_then(|code| u8::try_from(code).ok());
        return ExitCode::from(code.unwrap_or(1));
    };
    let mut terminal = io::stdout();
    let _ = terminal.write_all(&terminal::restoring());
    let _ = terminal.flush();
    let _ = tcflush(io::stdin(), QueueSelector::IFlush);
    let _ = tcsetattr(io::stdin(), OptionalActions::Now, before);
    eprintln!("parlour's screen was ended by signal {signal}; your chats go on: run `parlour` to see them");
    // As shells count it.
    ExitCode::from(u8::try_from(128 + signal).unwrap_or(1))
}
