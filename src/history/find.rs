//! Words are looked for in the index, newest first, and what was said there is read from the transcripts.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::sync::atomic::Ordering;

use rusqlite::params;

use super::Error;
use super::catch_up::History;
use super::database::{Database, PUSHED_BACK, number, table};
use super::entries::IndexedLine;
use super::read::line_at;
use super::tools::{meant, projects};
use crate::model::history::{HistoryAsk, HistoryHit, HistoryPage, HistoryPlace, SoughtPhrase, excerpt};
use crate::model::{ChatId, Timestamp};
use crate::store::EVENTS;

/// Bytes of what is shown of an entry.
const EXCERPT: usize = 280;

/// Chats that are looked for as words of the index. With more, each hit is looked at.
const NAMED: usize = 200;

/// Hits that nobody may see, or that are gone, one after the other: somebody else is at these transcripts.
const PASSED_OVER: usize = 200_000;

impl History {
    /// The newest entries in which all of it is. Nothing waits for the index: what is not in it yet is not found.
    pub fn find(&self, ask: &HistoryAsk, is_cancelled: &dyn Fn() -> bool) -> Result<HistoryPage, Error> {
        let pending = self.progress();
        let Some(reader) = self.reader()? else {
            return Ok(HistoryPage {
                pending: Some(pending.unwrap_or_default()),
                ..HistoryPage::default()
            });
        };
        let found = HistoryFinding {
            history: self,
            reader: &reader,
            ask,
            is_cancelled,
            files: HashMap::new(),
            page: HistoryPage {
                pending,
                ..HistoryPage::default()
            },
        }
        .carry_out();
        match &found {
            Err(Error::Damaged(_)) => self.is_damaged.store(true, Ordering::Relaxed),
            Ok(_) | Err(_) => self.put_back(reader),
        }
        found
    }
}

struct HistoryFinding<'s> {
    history: &'s History,
    reader: &'s Database,
    ask: &'s HistoryAsk,
    is_cancelled: &'s dyn Fn() -> bool,
    /// Transcripts that were opened for a hit.
    files: HashMap<ChatId, Option<File>>,
    page: HistoryPage,
}

/// Where an entry is.
struct HitSpot {
    place: i64,
    chat: ChatId,
    number: i64,
    seq: u64,
    at: u64,
    tool: Option<String>,
    project: Option<String>,
    call: Option<u64>,
    piece: Option<u64>,
}

/// What the tables of the weeks are asked.
struct IndexTerms {
    words: String,
    /// Only these, by number; none where the words say it, or all are wanted.
    chats: Option<HashSet<i64>>,
}

impl HistoryFinding<'_> {
    fn carry_out(mut self) -> Result<HistoryPage, Error> {
        if self.ask.limit == 0 {
            return Ok(self.page);
        }
        let Some(terms) = self.terms()? else {
            return Ok(self.page);
        };
        let first = self.ask.after.map_or(0, number);
        let before = self.ask.before.map_or(i64::MAX, |before| number(before) + PUSHED_BACK);
        let before = self.ask.from.map_or(before, |place| before.min(place.0));
        if terms.words.is_empty() {
            let sql = "SELECT id FROM entries WHERE id >= ?1 AND id < ?2 ORDER BY id DESC";
            self.walk(sql, &terms, (first, before))?;
            return Ok(self.page);
        }
        for week in self.weeks()? {
            let table = table(week);
            let sql = format!(
                "SELECT rowid FROM {table} WHERE {table} MATCH ?3 AND rowid >= ?1 AND rowid < ?2 ORDER BY rowid DESC"
            );
            if !self.walk(&sql, &terms, (first, before))? {
                break;
            }
        }
        Ok(self.page)
    }

    /// None where nothing can be found.
    fn terms(&self) -> Result<Option<IndexTerms>, Error> {
        let tools = meant(self.reader, &self.ask.tools)?;
        let mut all: Vec<String> = self.ask.sought.iter().map(phrase).collect();
        if !tools.is_empty() {
            all.push(about(tools.iter().map(|tool| format!("t{tool}"))));
        }
        if !self.ask.projects.is_empty() {
            let of = projects(self.reader, &self.ask.projects)?;
            let of = of.iter().map(|project| format!("p{project}"));
            all.push(about(of.chain(["none".into()])));
        }
        if self.ask.failed {
            all.push(about(["failed".into()].into_iter()));
        }
        let mut chats = None;
        if let Some(wanted) = &self.ask.chats {
            let numbers = self.numbers(wanted)?;
            match numbers.len() {
                0 => return Ok(None),
                1..=NAMED => all.push(about(numbers.iter().map(|chat| format!("c{chat}")))),
                _ => chats = Some(numbers.into_iter().collect()),
            }
        }
        Ok(Some(IndexTerms {
            words: all.join(" AND "),
            chats,
        }))
    }

    fn numbers(&self, chats: &[ChatId]) -> Result<Vec<i64>, Error> {
        let read = || -> rusqlite::Result<Vec<i64>> {
            let sql = "SELECT n FROM chats WHERE id = ? AND dead = 0";
            let mut statement = self.reader.connection.prepare_cached(sql)?;
            let mut numbers = Vec::new();
            for chat in chats {
                let mut rows = statement.query([chat.as_str()])?;
                while let Some(row) = rows.next()? {
                    numbers.push(row.get(0)?);
                }
            }
            Ok(numbers)
        };
        read().map_err(|source| self.reader.failed(source))
    }

    /// The newest first.
    fn weeks(&self) -> Result<Vec<i64>, Error> {
        let read = || -> rusqlite::Result<Vec<i64>> {
            let mut statement = self
                .reader
                .connection
                .prepare_cached("SELECT week FROM weeks ORDER BY week DESC")?;
            let rows = statement.query_map([], |row| row.get(0))?;
            rows.collect()
        };
        read().map_err(|source| self.reader.failed(source))
    }

    /// Adds what is found to the page, and says whether more is wanted.
    fn walk(&mut self, sql: &str, terms: &IndexTerms, (first, before): (i64, i64)) -> Result<bool, Error> {
        let reader = self.reader;
        let failed = |source| reader.failed(source);
        let mut statement = reader.connection.prepare_cached(sql).map_err(failed)?;
        let mut rows = match terms.words.is_empty() {
            true => statement.query(params![first, before]),
            false => statement.query(params![first, before, terms.words]),
        }
        .map_err(failed)?;
        let mut passed_over = 0;
        while let Some(row) = rows.next().map_err(failed)? {
            if (self.is_cancelled)() {
                return Err(Error::Cancelled);
            }
            let place = row.get(0).map_err(failed)?;
            let Some(spot) = self.spot(place)? else { continue };
            let is_wanted = terms.chats.as_ref().is_none_or(|chats| chats.contains(&spot.number));
            match is_wanted.then(|| self.read(&spot)).flatten() {
                Some(hit) => {
                    self.page.hits.push(hit);
                    if self.page.hits.len() == self.ask.limit {
                        self.page.more = Some(HistoryPlace(place));
                        return Ok(false);
                    }
                }
                None => passed_over += 1,
            }
            if passed_over > PASSED_OVER {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// None for what is of a transcript that was written again since.
    fn spot(&self, place: i64) -> Result<Option<HitSpot>, Error> {
        let read = || -> rusqlite::Result<Option<HitSpot>> {
            let sql = "SELECT chats.id, chats.n, entries.seq, entries.at, tools.name, projects.name, entries.call,
                entries.piece
                FROM entries JOIN chats ON chats.n = entries.chat AND chats.dead = 0
                LEFT JOIN names AS tools ON tools.n = entries.tool
                LEFT JOIN names AS projects ON projects.n = entries.project
                WHERE entries.id = ?";
            let mut statement = self.reader.connection.prepare_cached(sql)?;
            let mut rows = statement.query([place])?;
            let Some(row) = rows.next()? else { return Ok(None) };
            let chat: String = row.get(0)?;
            let unsigned = |column| row.get::<_, i64>(column).map(i64::cast_unsigned);
            let perhaps = |column| {
                row.get::<_, Option<i64>>(column)
                    .map(|found| found.map(i64::cast_unsigned))
            };
            let Some(chat) = ChatId::parse(&chat) else {
                return Ok(None);
            };
            Ok(Some(HitSpot {
                place,
                chat,
                number: row.get(1)?,
                seq: unsigned(2)?,
                at: unsigned(3)?,
                tool: row.get(4)?,
                project: row.get(5)?,
                call: perhaps(6)?,
                piece: perhaps(7)?,
            }))
        };
        read().map_err(|source| self.reader.failed(source))
    }

    /// The index knows times only about.
    fn is_in_time(&self, at: Timestamp) -> bool {
        self.ask.after.is_none_or(|after| after <= at) && self.ask.before.is_none_or(|before| at < before)
    }

    /// What was said there. None where it is not any more: its chat is in the trash, or somebody has changed the file.
    fn read(&mut self, spot: &HitSpot) -> Option<HistoryHit> {
        let home = &self.history.home;
        let open = || home.record_dir(&spot.chat).ok()?.open_file(EVENTS).ok()?;
        let file = self.files.entry(spot.chat.clone()).or_insert_with(open).as_ref()?;
        let bytes = line_at(file, spot.at)?;
        let line = IndexedLine::parse(&bytes).filter(|line| line.seq == spot.seq)?;
        let at = line.at().filter(|at| self.is_in_time(*at))?;
        let said = line.said()?;
        let text = said.text_at(home, &spot.chat, spot.piece)?;
        Some(HistoryHit {
            place: HistoryPlace(spot.place),
            chat: spot.chat.clone(),
            seq: spot.seq,
            at,
            kind: said.kind,
            tool: spot.tool.clone(),
            project: spot.project.clone(),
            call: spot.call,
            failed: said.failed,
            output: said.output.clone().zip(spot.piece),
            excerpt: excerpt(&text, &self.ask.sought, EXCERPT),
        })
    }
}

/// As FTS5 reads it. A word holds letters and digits alone, so nothing in it is meant otherwise.
fn phrase(sought: &SoughtPhrase) -> String {
    let words = sought.words.join(" ");
    let open = if sought.is_open { " *" } else { "" };
    format!("said : \"{words}\"{open}")
}

fn about(words: impl Iterator<Item = String>) -> String {
    let words: Vec<String> = words.collect();
    format!("about : ({})", words.join(" OR "))
}
