//! Many values of one thing, a column a host.

use crate::house::Host;
use crate::support::table::Row;

/// What was measured of each host, round by round.
#[derive(Default)]
pub struct Samples {
    bare: Vec<f64>,
    tmux: Vec<f64>,
    parlour: Vec<f64>,
}

impl Samples {
    pub fn push(&mut self, host: Host, value: f64) {
        match host {
            Host::Bare => self.bare.push(value),
            Host::Tmux => self.tmux.push(value),
            Host::Parlour => self.parlour.push(value),
        }
    }

    /// The value that half of the measurements stay below, in each column.
    pub fn median(&self, what: impl Into<String>) -> Row {
        self.quantile(what, 0.5)
    }

    pub fn p99(&self, what: impl Into<String>) -> Row {
        self.quantile(what, 0.99)
    }

    fn quantile(&self, what: impl Into<String>, share: f64) -> Row {
        let mut row = Row::new(what);
        row.bare = quantile(&self.bare, share);
        row.peer = quantile(&self.tmux, share);
        row.parlour = quantile(&self.parlour, share);
        row
    }
}

/// Holds parlour to so many times its peer's figure.
pub fn beside_peer(row: Row, times: f64) -> Row {
    match row.peer {
        Some(peer) => row.at_most(peer * times),
        None => row,
    }
}

fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    let at = (last as f64 * share).round() as usize;
    sorted.get(at).copied()
}
