//! What is printed: a line for each thing measured, with its aim beside it.

use serde_json::{Value, json};

/// What is measured for itself, its peer's figure, and what parlour should keep to.
pub struct Row {
    pub what: String,
    pub bare: Option<f64>,
    pub peer: Option<f64>,
    pub parlour: Option<f64>,
    pub aim: Option<Aim>,
}

#[derive(Clone, Copy)]
pub enum Aim {
    /// No more than this.
    Most(f64),
    /// No more than so many times the peer's figure.
    Times(f64),
    /// No more than so many times the peer's figure, or so much above it where that is more.
    TimesOrPlus(f64, f64),
}

impl Row {
    pub fn new(what: impl Into<String>) -> Row {
        Row {
            what: what.into(),
            bare: None,
            peer: None,
            parlour: None,
            aim: None,
        }
    }

    pub fn aim(mut self, aim: Aim) -> Row {
        self.aim = Some(aim);
        self
    }

    fn ratio(&self) -> Option<f64> {
        Some(self.parlour? / self.peer.filter(|peer| *peer > 0.0)?)
    }

    fn limit(&self) -> Option<f64> {
        match self.aim? {
            Aim::Most(most) => Some(most),
            Aim::Times(times) => Some(self.peer? * times),
            Aim::TimesOrPlus(times, plus) => {
                let peer = self.peer?;
                Some((peer * times).max(peer + plus))
            }
        }
    }

    fn is_met(&self) -> Option<bool> {
        Some(self.parlour? <= self.limit()?)
    }

    fn json(&self) -> Value {
        json!({
            "what": self.what, "bare": self.bare, "peer": self.peer, "parlour": self.parlour,
            "ratio": self.ratio(), "limit": self.limit(), "met": self.is_met(),
        })
    }
}

pub fn print(rows: &[Row]) {
    let width = rows.iter().map(|row| row.what.chars().count()).max().unwrap_or(0);
    println!(
        "\n{:width$}  {:>9} {:>9} {:>9} {:>8}  {:>9}",
        "", "bare", "tmux", "parlour", "ratio", "aim"
    );
    for row in rows {
        let verdict = match row.is_met() {
            Some(true) => "met",
            Some(false) => "MISSED",
            None => "",
        };
        println!(
            "{:width$}  {:>9} {:>9} {:>9} {:>8}  {:>9}  {verdict}",
            row.what,
            figure(row.bare),
            figure(row.peer),
            figure(row.parlour),
            row.ratio().map_or(String::new(), |ratio| format!("{ratio:.2}x")),
            row.limit()
                .map_or(String::new(), |limit| format!("≤ {}", figure(Some(limit)))),
        );
    }
}

pub fn print_json(rows: &[Row]) {
    let rows: Vec<Value> = rows.iter().map(Row::json).collect();
    println!("{}", json!({ "rows": rows }));
}

/// Three digits that mean something.
fn figure(value: Option<f64>) -> String {
    match value {
        None => "-".into(),
        Some(value) if value.abs() >= 100.0 => format!("{value:.0}"),
        Some(value) if value.abs() >= 10.0 => format!("{value:.1}"),
        Some(value) if value.abs() >= 1.0 => format!("{value:.2}"),
        Some(value) => format!("{value:.3}"),
    }
}
