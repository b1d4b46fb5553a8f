//! The table of command lines, each with what the agent CLIs say to it alone: `tests/fixtures/permissions/commands.tsv`.

use std::path::{Path, PathBuf};
use std::{fmt, fs};

/// The CLIs in the order of their columns.
pub const CLIS: [&str; 4] = ["claude", "codex", "gemini", "opencode"];

/// From the mildest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Runs,
    Asks,
    Refuses,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Runs => "runs",
            Verdict::Asks => "asks",
            Verdict::Refuses => "refuses",
        })
    }
}

pub struct Line {
    pub text: String,
    /// None: not recorded yet.
    pub alone: [Option<Verdict>; 4],
}

pub struct Table {
    rows: Vec<Row>,
}

enum Row {
    Comment(String),
    Line(Line),
}

impl Table {
    pub fn read() -> Table {
        let text = fs::read_to_string(path()).unwrap();
        Table {
            rows: text.lines().map(row).collect(),
        }
    }

    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.rows.iter().filter_map(|row| match row {
            Row::Line(line) => Some(line),
            Row::Comment(_) => None,
        })
    }

    /// The lines that a CLI is asked about: all of them while the table is recorded, else those that it does not answer
    /// as it does most, and some of the others.
    pub fn sample(&self, cli: &str, every: usize) -> Vec<String> {
        let column = column(cli);
        let recorded = |verdict| self.lines().filter(|line| line.alone[column] == Some(verdict)).count();
        let verdicts = [Verdict::Runs, Verdict::Asks, Verdict::Refuses];
        let usual = verdicts.into_iter().max_by_key(|verdict| recorded(*verdict));
        let numbered = self.lines().enumerate();
        let wanted = numbered.filter(|(at, line)| records() || at % every == 0 || line.alone[column] != usual);
        wanted.map(|(_, line)| line.text.clone()).collect()
    }

    /// Compares a column with what a CLI said just now, or writes that where the table is recorded.
    pub fn holds(cli: &str, said: &[(String, Verdict)]) {
        let mut table = Table::read();
        let column = column(cli);
        let mut drift = Vec::new();
        for (text, said) in said {
            let line = table.lines_mut().find(|line| line.text == *text).unwrap();
            match line.alone[column] {
                Some(recorded) if recorded == *said => {}
                Some(recorded) => drift.push(format!("{text}: {said}, recorded {recorded}")),
                None => drift.push(format!("{text}: {said}, not recorded")),
            }
            line.alone[column] = Some(*said);
        }
        if records() {
            let text: String = table.rows.iter().map(|row| format!("{}\n", written(row))).collect();
            fs::write(path(), text).unwrap();
        } else {
            assert!(drift.is_empty(), "{cli}:\n{}", drift.join("\n"));
        }
    }

    fn lines_mut(&mut self) -> impl Iterator<Item = &mut Line> {
        self.rows.iter_mut().filter_map(|row| match row {
            Row::Line(line) => Some(line),
            Row::Comment(_) => None,
        })
    }
}

fn column(cli: &str) -> usize {
    CLIS.iter().position(|name| *name == cli).unwrap()
}

fn records() -> bool {
    std::env::var_os("PARLOUR_RECORD").is_some()
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/permissions/commands.tsv")
}

fn row(text: &str) -> Row {
    let parts: Vec<&str> = text.splitn(CLIS.len() + 1, '\t').collect();
    match parts.as_slice() {
        [verdicts @ .., line] if !text.starts_with('#') && verdicts.len() == CLIS.len() => {
            let verdict = |at: usize| match verdicts[at] {
                "runs" => Some(Verdict::Runs),
                "asks" => Some(Verdict::Asks),
                "refuses" => Some(Verdict::Refuses),
                "?" => None,
                other => panic!("{other:?} is no verdict: {text}"),
            };
            Row::Line(Line {
                text: line.replace('␊', "\n").replace('␉', "\t"),
                alone: std::array::from_fn(verdict),
            })
        }
        _ => Row::Comment(text.into()),
    }
}

fn written(row: &Row) -> String {
    match row {
        Row::Comment(text) => text.clone(),
        Row::Line(line) => {
            let verdicts = line.alone.map(|said| said.map_or("?".into(), |said| said.to_string()));
            let text = line.text.replace('\n', "␊").replace('\t', "␉");
            format!("{}\t{text}", verdicts.join("\t"))
        }
    }
}
