//! One program in front of a person, and others behind it, inside of one of three hosts.

use std::ffi::OsString;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use crate::house::{Host, House, Venue, bench};
use crate::program::{GO, Program};
use crate::seat::{COLS, PATIENCE, ROWS, Seat};
use crate::{cost, idle};

/// Parlour's leader and the key that gives a chat the whole terminal.
const ZOOM: &[u8] = b"\x11z";

/// A host that uses no more than this in [`CALM_SPAN`] has come to rest.
const CALM: Duration = Duration::from_millis(2);
const CALM_SPAN: Duration = Duration::from_millis(500);

/// A host on the screen. The seat is first, so that it closes first.
pub struct Stage<'a> {
    pub seat: Seat,
    house: House,
    venue: &'a Venue,
    hidden: usize,
}

impl<'a> Stage<'a> {
    /// Opens `host` with `front` on the whole screen. A program that waits for [`GO`] still does.
    pub fn open(host: Host, front: Program, venue: &'a Venue) -> anyhow::Result<Stage<'a>> {
        let house = House::new(host, venue, &std::env::temp_dir())?;
        Stage::open_in(house, front, venue)
    }

    /// As [`Stage::open`], in a house that has been furnished.
    pub fn open_in(house: House, front: Program, venue: &'a Venue) -> anyhow::Result<Stage<'a>> {
        let host = house.host;
        let mut played = vec![OsString::from(bench()?)];
        played.extend(front.args(&venue.sample).into_iter().map(OsString::from));
        let mut line = house.command_line();
        match host {
            Host::Bare => line = played,
            Host::Tmux => {
                line.push("new-session".into());
                line.append(&mut played);
                line.extend([";", "set-option", "status", "off"].map(OsString::from));
            }
            Host::Parlour => {
                house.verb(&["new", "front", "--llm", front.name()])?;
                line.push("front".into());
            }
        }
        let seat = venue.seat(house.home(), &line)?;
        let mut stage = Stage {
            seat,
            house,
            venue,
            hidden: 0,
        };
        stage.fill_screen(front).with_context(|| format!("opening {host:?}"))?;
        Ok(stage)
    }

    fn fill_screen(&mut self, front: Program) -> anyhow::Result<()> {
        let waits = matches!(front, Program::Stream | Program::Echo);
        let shown = if waits { "ready" } else { "waiting" };
        self.seat.wait_for_text(shown)?;
        if self.house.host == Host::Parlour {
            self.seat.press(ZOOM)?;
            // A terminal takes the size of who types in it; no program here minds this key.
            self.seat.press(b" ")?;
        }
        if waits {
            // Parlour keeps its last row for the way out.
            let rows = match self.house.host {
                Host::Parlour => ROWS - 1,
                Host::Bare | Host::Tmux => ROWS,
            };
            self.seat.wait_for_text(&format!("ready {COLS}x{rows}"))?;
        }
        Ok(())
    }

    pub fn go(&mut self) -> anyhow::Result<()> {
        self.seat.press(&[GO])
    }

    /// Puts `count` programs behind the one in front.
    pub fn hide(&mut self, program: Program, count: usize) -> anyhow::Result<()> {
        for _ in 0..count {
            self.hidden += 1;
            self.house
                .hide(program, self.venue, &format!("hidden-{}", self.hidden))?;
            self.seat.rest(Duration::from_millis(1))?;
        }
        Ok(())
    }

    /// The host's own processes: what lives on, what is on the screen, and what stands between them and the programs.
    pub fn processes(&self) -> Vec<u32> {
        let mut found: Vec<u32> = [self.house.server(), self.seat.pid()]
            .into_iter()
            .flatten()
            .flat_map(cost::tree)
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Waits until the host has nothing left to do, and returns its processes.
    pub fn calm(&mut self) -> anyhow::Result<Vec<u32>> {
        let deadline = Instant::now() + 3 * PATIENCE;
        loop {
            let processes = self.processes();
            if processes.is_empty() {
                bail!("{:?} has no process to be seen", self.house.host);
            }
            // What it was asked just now is still being put away.
            self.seat.rest(CALM_SPAN)?;
            let before = idle::slices(&processes);
            self.seat.rest(CALM_SPAN)?;
            let spent = idle::slices(&processes).saturating_sub(before);
            if spent <= CALM {
                return Ok(processes);
            }
            if Instant::now() > deadline {
                bail!(
                    "{:?} does not come to rest: it used {spent:?} in {CALM_SPAN:?}",
                    self.house.host
                );
            }
        }
    }
}
