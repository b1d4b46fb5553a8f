//! What is printed: a line for each thing measured, with its aim beside it.

use serde_json::{Value, json};

/// What is measured for itself, its peer's figure, and what parlour should keep to.
pub struct Row {
    pub what: String,
    pub bare: Option<f64>,
    pub peer: Option<f64>,
    pub parlour: Option<f64>,
    pub limit: Option<f64>,
}

impl Row {
    pub fn new(what: impl Into<String>) -> Row {
        Row {
            what: what.into(),
            bare: None,
            peer: None,
            parlour: None,
            limit: None,
        }
    }

    pub fn at_most(mut self, limit: f64) -> Row {
        self.limit = Some(limit);
        self
    }

    fn ratio(&self) -> Option<f64> {
        Some(self.parlour? / self.peer.filter(|peer| *peer > 0.0)?)
    }

    fn is_met(&self) -> Option<bool> {
        Some(self.parlour? <= self.limit?)
    }

    fn json(&self) -> Value {
        json!({
            "what": self.what, "bare": self.bare, "peer": self.peer, "parlour": self.parlour,
            "ratio": self.ratio(), "limit": self.limit, "met": self.is_met(),
        })
    }
}

/// `heads` are those of the three columns.
pub fn print(heads: [&str; 3], rows: &[Row]) {
    let width = rows.iter().map(|row| row.what.chars().count()).max().unwrap_or(0);
    let [bare, peer, parlour] = heads;
    println!(
        "\n{:width$}  {bare:>9} {peer:>9} {parlour:>9} {:>8}  {:>9}",
        "", "ratio", "aim"
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
            row.limit
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
