//! A screen: the terminal's events go up, the engine's frames come down, until one of them ends.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use rustix::process::Signal;

use super::connect::{self, StartEngine};
use super::guard::{self, GuardPart};
use super::keys::{self, Came, KeyEvents};
use super::screen::ScreenOptions;
use super::screen::{AttachedTerminal, ScreenEnd};
use super::signals::Signals;
use super::{queries, request, terminal};

/// Shows parlour on this terminal until the person detaches, starting the engine where none runs. Call it before any
/// thread or runtime is started: it starts this program again and stays behind as its guard.
pub fn attach(options: ScreenOptions) -> anyhow::Result<ExitCode> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        bail!("parlour needs a terminal; for scripts use `parlour list --json`");
    }
    if let GuardPart::Guarded(code) = guard::stand().context("guarding the terminal")? {
        return Ok(code);
    }
    terminal::restore_on_panic();
    let runtime = request::runtime().context("starting the client")?;
    let end = runtime.block_on(run(options));
    terminal::cooked();
    // The thread that waits for keys cannot be called off.
    runtime.shutdown_background();
    Ok(end?.tell())
}

async fn run(options: ScreenOptions) -> anyhow::Result<ScreenEnd> {
    let mut signals = Signals::listen().context("listening for signals")?;
    terminal::read_without_waiting();
    terminal::raw().context("taking over the terminal")?;
    let mut keys = KeyEvents::listen().context("reading the terminal")?;
    let home = options.home.clone();
    let connecting = tokio::spawn(async move { connect::engine(&home, StartEngine::IfMissing).await });
    let asked = queries::ask(&mut keys).await.context("asking the terminal")?;
    let Some((answers, mut early)) = asked else {
        return Ok(ScreenEnd::TerminalClosed);
    };
    tokio::pin!(connecting);
    let connected = loop {
        // The terminal is raw, so Ctrl+C is a key; there is no engine yet to hand it to.
        if early.iter().any(keys::interrupts) {
            return Ok(ScreenEnd::Signal(Signal::INT));
        }
        tokio::select! {
            connected = &mut connecting => break connected.context("reaching the engine")?,
            signal = signals.next() => return Ok(ScreenEnd::Signal(signal)),
            came = keys.next() => match came {
                Some(Came::Typed(typed)) => early.extend(typed),
                Some(Came::Overdue) => {}
                None => return Ok(ScreenEnd::TerminalClosed),
            },
        }
    };
    let connection = connected.map_err(|error| anyhow!("{error}; {}", error.hint()))?;
    let screen = AttachedTerminal::enter(connection, options, &answers).context("starting to draw")?;
    Ok(screen.show(early, keys, signals).await)
}
