//! The terminals the engine holds, one a chat and those beside, and the orders they are given.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use crate::domain::PaneOrder;
use crate::domain::work::ReadDone;
use parking_lot::Mutex;

use crate::domain::Event;
use crate::domain::event::{Colours, Outcome, PtyEvent};
use crate::model::settings::Limits;
use crate::model::{ChatId, PaneEvent, PaneId, Problem, WorkId};
use crate::pty::Pane;
use crate::term::{Rgb, Screen, TerminalPalette, TerminalSize};

use super::inbound::{Inbound, Sender};
use super::work;

/// A cell as the emulator keeps it, blank or not.
const CELL_BYTES: usize = 24;

/// More than a person pastes; terminals that take this much at once are rare already.
const COPY_BYTES: usize = 1 << 20;

/// Places of words that are looked for in one terminal.
const MOST_FOUND: usize = 5000;

/// However many terminals there are, each can be scrolled back by a few screens.
const FEWEST_LINES: usize = 200;

/// A terminal and which start of its agent it belongs to: what an older one still says is not heard.
struct HeldPane {
    pane: Pane,
    run: u64,
    cols: u16,
    /// Its next screen was asked for and has not come.
    wanted: bool,
}

#[derive(Default)]
pub struct Panes {
    held: BTreeMap<PaneId, HeldPane>,
    /// Those that were on somebody's screen, the latest first.
    recent: Vec<PaneId>,
    /// Those that are.
    watched: BTreeSet<PaneId>,
    /// What the scrollback of all may take, once that has been said.
    limits: Option<Limits>,
    palette: Option<TerminalPalette>,
}

impl Panes {
    /// Takes a pane in place of the last one of its chat, unless that belongs to a later start.
    pub fn hold(&mut self, id: PaneId, run: u64, pane: Pane) {
        if self.held.get(&id).is_some_and(|held| held.run > run) {
            return;
        }
        if let Some(palette) = self.palette {
            pane.set_palette(palette);
        }
        let held = HeldPane {
            cols: pane.begun_at().cols(),
            pane,
            run,
            wanted: false,
        };
        self.held.insert(id, held);
    }

    pub fn has(&self, id: &PaneId) -> bool {
        self.held.contains_key(id)
    }

    /// Whether that is the start that the pane belongs to.
    pub fn is_of(&self, id: &PaneId, run: u64) -> bool {
        self.held.get(id).is_some_and(|held| held.run == run)
    }

    /// What a pane said, for the loop; `None` where it has been replaced.
    pub fn hear(&mut self, id: &PaneId, run: u64, said: PaneEvent) -> Option<PtyEvent> {
        let held = self.held.get_mut(id).filter(|held| held.run == run)?;
        match said {
            PaneEvent::Changed => {
                held.wanted = false;
                held.pane.take_screen().map(PtyEvent::Screen)
            }
            other => {
                note(id, &other);
                Some(PtyEvent::Said(other))
            }
        }
    }

    /// Asks the panes on somebody's screen for their next screens. A pane that nobody sees builds none. Whether others are
    /// watched than before.
    pub fn want(&mut self, watched: &BTreeSet<PaneId>) -> bool {
        for id in watched {
            self.look(id);
        }
        if self.watched == *watched {
            return false;
        }
        self.watched.clone_from(watched);
        self.recent
            .retain(|id| !watched.contains(id) && self.held.contains_key(id));
        self.recent.splice(0..0, watched.iter().cloned());
        true
    }

    fn look(&mut self, id: &PaneId) {
        if let Some(held) = self.held.get_mut(id).filter(|held| !held.wanted) {
            held.wanted = true;
            held.pane.want();
        }
    }

    /// Carries out an order; an input that did not fit is said.
    pub fn order(&mut self, id: &PaneId, order: PaneOrder, sender: &Sender) {
        let Some(held) = self.held.get_mut(id) else {
            return;
        };
        match order {
            PaneOrder::Input(bytes) => {
                if held.pane.input(&bytes).is_err() {
                    let refused = PtyEvent::Said(PaneEvent::InputRefused);
                    sender.send(Inbound::Event(Event::Pty(id.clone(), refused)));
                } else if let Some(reader) = held.pane.echo_reader() {
                    tokio::spawn(reader.read());
                }
            }
            PaneOrder::Resize(size) => {
                held.pane.resize(TerminalSize::new(size.cols, size.rows));
                if std::mem::replace(&mut held.cols, size.cols) != size.cols {
                    self.share();
                }
            }
            PaneOrder::View { client, line } => {
                let (sender, id) = (sender.clone(), id.clone());
                held.pane.view_from(line, move |screen: Arc<Screen>| {
                    sender.send(Inbound::Event(Event::Pty(id, PtyEvent::View(client, screen))));
                });
            }
            PaneOrder::Copy {
                client,
                from,
                to,
                shape,
            } => {
                let (sender, id) = (sender.clone(), id.clone());
                held.pane.copy((from, to, shape), COPY_BYTES, move |copied| {
                    sender.send(Inbound::Event(Event::Pty(id, PtyEvent::Copied(client, copied))));
                });
            }
            PaneOrder::Find { client, words } => {
                let (sender, id) = (sender.clone(), id.clone());
                held.pane.find(client, words, MOST_FOUND, move |found| {
                    sender.send(Inbound::Event(Event::Pty(id, PtyEvent::Found(client, found))));
                });
            }
            PaneOrder::Look => self.look(id),
            PaneOrder::Read => {
                let (sender, id, run) = (sender.clone(), id.clone(), held.run);
                held.pane.view(0, move |screen: Arc<Screen>| {
                    sender.send(Inbound::Seen(id, run, screen))
                });
            }
            PaneOrder::GoOn => held.pane.go_on(),
            PaneOrder::Freeze => held.pane.freeze(),
            PaneOrder::Stop { grace_ms } => held.pane.stop(Duration::from_millis(grace_ms)),
            PaneOrder::Drop => {
                self.held.remove(id);
            }
        }
    }

    /// Answers the work `id` with what the chat's terminal shows; `false` where it has none.
    pub fn read(&self, chat: &ChatId, ansi: bool, scrollback: usize, id: WorkId, sender: &Sender) -> bool {
        let Some(held) = self.held.get(&PaneId::Agent(chat.clone())) else {
            return false;
        };
        let waits = PaneWaits(Some((sender.clone(), id)));
        let done = move |above: String, screen: &Screen| {
            let shown = match ansi {
                true => screen.ansi(),
                false => screen.text(),
            };
            waits.answer(Outcome::Read(ReadDone::Text(work::joined(&above, &shown))));
        };
        // Both are answered by the same thread, in this order.
        let above = Arc::new(Mutex::new(String::new()));
        if scrollback > 0 {
            let above = above.clone();
            held.pane
                .text(work::above(scrollback), move |text| *above.lock() = text);
        }
        held.pane
            .view(0, move |screen| done(std::mem::take(&mut above.lock()), &screen));
        true
    }

    /// The colours that programs are told when they ask: those of the terminal that attached last.
    pub fn set_palette(&mut self, palette: TerminalPalette) {
        for held in self.held.values() {
            held.pane.set_palette(palette);
        }
        self.palette = Some(palette);
    }

    /// Divides the budget of scrollback over all terminals: history is bounded in bytes, not in lines each. Those that are
    /// watched, and then those that were so lately, keep the most.
    pub fn share_history(&mut self, limits: &Limits) {
        self.limits = Some(limits.clone());
        self.share();
    }

    fn share(&self) {
        let Some(limits) = &self.limits else {
            return;
        };
        let recent = self.recent.iter().filter(|id| self.held.contains_key(id));
        let others = self.held.keys().filter(|id| !self.recent.contains(id));
        let ids: Vec<&PaneId> = recent.chain(others).collect();
        let watched = ids.iter().filter(|id| self.watched.contains(id)).count();
        let cols: Vec<u16> = ids.iter().map(|id| self.held[*id].cols).collect();
        for (id, lines) in ids.iter().zip(shares(&cols, watched, limits)) {
            self.held[*id].pane.set_history_limit(lines);
            if self.watched.contains(*id) {
                self.held[*id].pane.read_back();
            }
        }
    }

    /// Ends every terminal and waits until all are gone. Each ends on its own thread, so they end together.
    pub fn close(self) {
        let panes: Vec<Pane> = self.held.into_values().map(|held| held.pane).collect();
        for pane in &panes {
            pane.stop(Duration::from_millis(1_500));
        }
        panes.into_iter().for_each(Pane::close);
    }
}

/// Lines for each of these terminals, of so many columns; the first `watched` of them are on somebody's screen and have
/// as many as there may be, before the others get more than a few.
fn shares(cols: &[u16], watched: usize, limits: &Limits) -> Vec<usize> {
    let bytes = |cols: &[u16]| {
        let cells: usize = cols.iter().map(|cols| usize::from(*cols)).sum();
        cells * CELL_BYTES
    };
    let most = limits.history_lines.max(FEWEST_LINES);
    let (seen, unseen) = cols.split_at(watched.min(cols.len()));
    let few = FEWEST_LINES * bytes(unseen);
    let each = (limits.history_bytes.saturating_sub(few) / bytes(seen).max(1)).clamp(FEWEST_LINES, most);
    let mut left = limits.history_bytes.saturating_sub(each * bytes(seen));
    let fair = left / bytes(unseen).max(1);
    let least = limits.hidden_history_lines.min(fair).clamp(FEWEST_LINES, most);
    let share = |at: usize| {
        let behind = least * bytes(&unseen[at + 1..]);
        let own = bytes(&unseen[at..=at]);
        let share = (left.saturating_sub(behind) / own.max(1)).clamp(least, most);
        left = left.saturating_sub(share * own);
        share
    };
    let unseen: Vec<usize> = (0..unseen.len()).map(share).collect();
    [vec![each; seen.len()], unseen].concat()
}

/// A work that a terminal is to answer: where it is too busy to, or ends first, that is the answer.
struct PaneWaits(Option<(Sender, WorkId)>);

impl PaneWaits {
    fn answer(mut self, outcome: Outcome) {
        self.say(outcome);
    }

    fn say(&mut self, outcome: Outcome) {
        if let Some((sender, id)) = self.0.take() {
            sender.send(Inbound::Event(Event::Done(id, outcome)));
        }
    }
}

impl Drop for PaneWaits {
    fn drop(&mut self) {
        let cause = "its terminal has ended, or too many ask for it at once";
        self.say(Outcome::Failed(Problem::busy("reading the screen", cause, "ask again")));
    }
}

/// What `parlour log` tells of a chat's agent.
fn note(id: &PaneId, said: &PaneEvent) {
    let PaneId::Agent(chat) = id else {
        return;
    };
    match said {
        PaneEvent::Started { pid } => tracing::info!("{chat}: its agent runs, pid {pid}"),
        PaneEvent::FailedToStart { why } => tracing::warn!("{chat}: its agent could not be started: {why}"),
        PaneEvent::Exited {
            signal: Some(signal), ..
        } => tracing::info!("{chat}: its agent was ended by signal {signal}"),
        PaneEvent::Exited { code, signal: None } => {
            let code = code.map_or(String::new(), |code| format!(", exit code {code}"));
            tracing::info!("{chat}: its agent ended{code}");
        }
        PaneEvent::ParserFailed => tracing::warn!("{chat}: its output broke the terminal emulator"),
        PaneEvent::InputRefused => tracing::warn!("{chat}: its agent does not read its input"),
        PaneEvent::Changed
        | PaneEvent::Title(_)
        | PaneEvent::Bell
        | PaneEvent::Notify { .. }
        | PaneEvent::Cwd(_)
        | PaneEvent::Clipboard(_)
        | PaneEvent::Progress(_)
        | PaneEvent::CommandBegan { .. }
        | PaneEvent::CommandEnded { .. } => {}
    }
}

/// What programs are told of a terminal with these colours.
pub fn palette(colours: Colours) -> TerminalPalette {
    let rgb = |(r, g, b)| Rgb(r, g, b);
    TerminalPalette {
        foreground: rgb(colours.foreground),
        background: rgb(colours.background),
        cursor: rgb(colours.foreground),
        ..TerminalPalette::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::Tokens;

    #[test]
    fn a_work_whose_terminal_gives_no_answer_has_failed() {
        let (sender, mut inbox) = Sender::channel(Arc::new(Tokens::default()));
        let mut heard = || match inbox.said.try_recv() {
            Ok(Inbound::Event(Event::Done(id, outcome))) => Some((id, matches!(outcome, Outcome::Failed(_)))),
            _ => None,
        };
        drop(PaneWaits(Some((sender.clone(), WorkId(1)))));
        assert_eq!(heard(), Some((WorkId(1), true)));
        PaneWaits(Some((sender, WorkId(2)))).answer(Outcome::Read(ReadDone::Text(String::new())));
        assert_eq!(heard(), Some((WorkId(2), false)));
        assert_eq!(heard(), None);
    }

    #[test]
    fn the_watched_terminal_keeps_most_and_all_stay_within_the_budget() {
        let limits = Limits::default();
        let bytes = |cols: &[u16], lines: &[usize]| {
            let each = cols.iter().zip(lines);
            each.map(|(cols, lines)| usize::from(*cols) * CELL_BYTES * lines)
                .sum::<usize>()
        };
        assert_eq!(shares(&[200], 1, &limits), [10_000]);
        assert_eq!(shares(&[88; 8], 1, &limits)[..3], [10_000, 10_000, 6_775]);
        assert_eq!(shares(&[88; 8], 1, &limits)[7], 1_000);
        // What is watched comes before what nobody sees, and all that are watched have the same.
        assert_eq!(shares(&[200; 8], 1, &limits)[0], 10_000);
        assert_eq!(shares(&[200, 200, 88], 2, &limits)[0..2], [6_946, 6_946]);
        for count in [2, 5, 13, 40] {
            for (cols, watched) in [(88, 0), (88, 1), (200, 1), (200, 2)] {
                let cols = vec![cols; count];
                let shares = shares(&cols, watched, &limits);
                assert!(bytes(&cols, &shares) <= limits.history_bytes, "{shares:?}");
                assert!(shares.is_sorted_by(|one, next| one >= next), "{shares:?}");
            }
        }
        // Below this nothing can be read at all, whatever the budget is.
        assert_eq!(shares(&[200; 200], 1, &limits)[199], FEWEST_LINES);
    }
}
