//! Words are looked for in the index, newest first, and what was said there is read from the transcripts.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::sync::atomic::Ordering;

use rusqlite::params;

use super::Error;
use super::catch_up::History;
use super::database::{Database, PUSHED_BACK, number, table};
use super::entries::IndexedLine;
use super::read::{line_at, open_output};
use super::shards::row_at;
use super::spots::{FoundRows, HitSpot, IndexTerms};
use super::tools::{meant, projects};
use super::write::CUT;
use crate::model::bytes::in_words;
use crate::model::history::{Excerpt, HistoryAsk, HistoryHit, HistoryPage, SEARCHED, SoughtPhrase, excerpt};
use crate::model::secret::known::KnownSecrets;
use crate::model::{ChatId, Timestamp};
use crate::store::EVENTS;

/// Bytes of what is shown of an entry.
const EXCERPT: usize = 280;

/// Chats that are looked for as words of the index. With more, each hit is looked at.
const NAMED: usize = 200;

/// As many outputs are told that were not searched to their end.
const LONGER: usize = 10;

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
        let secrets = KnownSecrets::of(self.home.saved_secrets());
        let carry_out = |ask: &HistoryAsk, said| {
            HistoryFinding {
                history: self,
                shards: &reader,
                ask,
                is_cancelled,
                secrets: &secrets,
                files: HashMap::new(),
                page: HistoryPage {
                    pending,
                    ..HistoryPage::default()
                },
            }
            .carry_out(said)
        };
        let mut found = carry_out(ask, ask.sought.iter().map(phrase).collect());
        if let Ok(page) = &mut found
            && ask.limit > 0
            && ask.from.is_none()
            && !ask.sought.is_empty()
        {
            let any = HistoryAsk {
                sought: Vec::new(),
                limit: LONGER,
                ..ask.clone()
            };
            match carry_out(&any, vec![about([CUT.into()].into_iter())]) {
                Ok(longer) => page.longer = longer.hits.into_iter().filter_map(|hit| self.beyond(hit)).collect(),
                Err(error) => found = Err(error),
            }
        }
        match &found {
            Err(Error::Damaged(_)) => self.is_damaged.store(true, Ordering::Relaxed),
            Ok(_) | Err(_) => self.put_back(reader),
        }
        found
    }

    /// Where what is searched of a whole output ends.
    fn beyond(&self, mut hit: HistoryHit) -> Option<HistoryHit> {
        let (file, from) = hit.output.as_mut()?;
        let whole = open_output(&self.home, &hit.chat, file)?.metadata().ok()?.len();
        *from = SEARCHED;
        hit.excerpt = Excerpt {
            text: format!(
                "only its first {} of {} were searched",
                in_words(SEARCHED),
                in_words(whole)
            ),
            marks: Vec::new(),
        };
        Some(hit)
    }
}

struct HistoryFinding<'s> {
    history: &'s History,
    shards: &'s [Database],
    ask: &'s HistoryAsk,
    is_cancelled: &'s dyn Fn() -> bool,
    /// Never shown, though they are found.
    secrets: &'s KnownSecrets,
    /// Transcripts that were opened for a hit.
    files: HashMap<ChatId, Option<File>>,
    page: HistoryPage,
}

impl HistoryFinding<'_> {
    /// What has all of these terms of the index, and is what else is asked for.
    fn carry_out(mut self, said: Vec<String>) -> Result<HistoryPage, Error> {
        if self.ask.limit == 0 {
            return Ok(self.page);
        }
        let terms = self.terms(&said)?;
        let (by_words, all): (Vec<&IndexTerms>, Vec<&IndexTerms>) =
            terms.iter().partition(|terms| !terms.words.is_empty());
        let sql = "SELECT id FROM entries WHERE id >= ?1 AND id < ?2 ORDER BY id DESC";
        if !self.walk(sql, &all)? {
            return Ok(self.page);
        }
        for (Reverse(week), of) in self.weeks(&by_words)? {
            let table = table(week);
            let sql = format!(
                "SELECT rowid FROM {table} WHERE {table} MATCH ?3 AND rowid >= ?1 AND rowid < ?2 ORDER BY rowid DESC"
            );
            if !self.walk(&sql, &of)? {
                break;
            }
        }
        Ok(self.page)
    }

    /// For each file in which something can be found.
    fn terms(&self, said: &[String]) -> Result<Vec<IndexTerms>, Error> {
        let tools = meant(self.shards, &self.ask.tools)?;
        let numbers = self.ask.chats.as_ref().map(|wanted| self.numbers(wanted)).transpose()?;
        let is_named = |numbers: &Vec<HashSet<i64>>| numbers.iter().map(HashSet::len).sum::<usize>() <= NAMED;
        let is_named = numbers.as_ref().is_some_and(is_named);
        let mut terms = Vec::new();
        for (shard, database) in self.shards.iter().enumerate() {
            let mut all = said.to_vec();
            if !self.ask.tools.is_empty() {
                if tools[shard].is_empty() {
                    continue;
                }
                all.push(about(tools[shard].iter().map(|tool| format!("t{tool}"))));
            }
            if !self.ask.projects.is_empty() {
                let of = projects(database, &self.ask.projects)?;
                let of = of.iter().map(|project| format!("p{project}"));
                all.push(about(of.chain(["none".into()])));
            }
            if self.ask.failed {
                all.push(about(["failed".into()].into_iter()));
            }
            let mut chats = None;
            match numbers.as_ref().map(|numbers| &numbers[shard]) {
                Some(numbers) if numbers.is_empty() => continue,
                Some(numbers) if is_named => all.push(about(numbers.iter().map(|chat| format!("c{chat}")))),
                Some(numbers) => chats = Some(numbers.clone()),
                None => {}
            }
            terms.push(IndexTerms {
                shard,
                words: all.join(" AND "),
                chats,
            });
        }
        Ok(terms)
    }

    /// Of these chats, in each file.
    fn numbers(&self, chats: &[ChatId]) -> Result<Vec<HashSet<i64>>, Error> {
        let read = |database: &Database| -> rusqlite::Result<HashSet<i64>> {
            let sql = "SELECT n FROM chats WHERE id = ? AND dead = 0";
            let mut statement = database.connection.prepare_cached(sql)?;
            let mut numbers = HashSet::new();
            for chat in chats {
                let mut rows = statement.query([chat.as_str()])?;
                while let Some(row) = rows.next()? {
                    numbers.insert(row.get(0)?);
                }
            }
            Ok(numbers)
        };
        let read = |database| read(database).map_err(|source| database.failed(source));
        self.shards.iter().map(read).collect()
    }

    /// The newest first, with what is asked of those files that have it.
    fn weeks<'t>(&self, terms: &[&'t IndexTerms]) -> Result<BTreeMap<Reverse<i64>, Vec<&'t IndexTerms>>, Error> {
        let mut weeks: BTreeMap<Reverse<i64>, Vec<&IndexTerms>> = BTreeMap::new();
        for terms in terms {
            let database = &self.shards[terms.shard];
            let read = || -> rusqlite::Result<Vec<i64>> {
                let mut statement = database.connection.prepare_cached("SELECT week FROM weeks")?;
                let rows = statement.query_map([], |row| row.get(0))?;
                rows.collect()
            };
            for week in read().map_err(|source| database.failed(source))? {
                weeks.entry(Reverse(week)).or_default().push(terms);
            }
        }
        Ok(weeks)
    }

    /// The rows of a file that may be wanted, by their time.
    fn rows(&self, shard: usize) -> (i64, i64) {
        let first = self.ask.after.map_or(0, number);
        let before = self.ask.before.map_or(i64::MAX, |before| number(before) + PUSHED_BACK);
        (
            first,
            self.ask.from.map_or(before, |place| before.min(row_at(place, shard))),
        )
    }

    /// Asks these files, adds what is found to the page, and says whether more is wanted.
    fn walk(&mut self, sql: &str, all: &[&IndexTerms]) -> Result<bool, Error> {
        let shards = self.shards;
        let mut statements = Vec::new();
        for terms in all {
            let database = &shards[terms.shard];
            let prepared = database.connection.prepare_cached(sql);
            statements.push(prepared.map_err(|source| database.failed(source))?);
        }
        let mut found = Vec::new();
        for (statement, terms) in statements.iter_mut().zip(all) {
            let (first, before) = self.rows(terms.shard);
            let rows = match terms.words.is_empty() {
                true => statement.query(params![first, before]),
                false => statement.query(params![first, before, terms.words]),
            };
            let database = &shards[terms.shard];
            let rows = rows.map_err(|source| database.failed(source))?;
            found.push(FoundRows::begin(database, terms, rows)?);
        }
        let mut passed_over = 0;
        while let Some(newest) = found
            .iter_mut()
            .filter(|rows| rows.next.is_some())
            .max_by_key(|rows| rows.next)
        {
            if (self.is_cancelled)() {
                return Err(Error::Cancelled);
            }
            let terms = newest.terms;
            let Some(spot) = newest.take()? else { continue };
            let is_wanted = terms.chats.as_ref().is_none_or(|chats| chats.contains(&spot.number));
            if is_wanted && self.joins_last(&spot) {
                continue;
            }
            match is_wanted.then(|| self.read(&spot)).flatten() {
                Some(hit) => {
                    self.page.hits.push(hit);
                    if self.page.hits.len() == self.ask.limit {
                        self.page.more = Some(spot.place);
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

    /// Another stretch of an output that was found already: one long output must not hide all others.
    fn joins_last(&mut self, spot: &HitSpot) -> bool {
        let mut hits = self.page.hits.iter_mut().rev();
        let found = hits.find(|hit| (&hit.chat, hit.seq) == (&spot.chat, spot.seq));
        if let Some(hit) = found {
            hit.places += 1;
            return true;
        }
        false
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
            place: spot.place,
            chat: spot.chat.clone(),
            seq: spot.seq,
            at,
            kind: said.kind,
            tool: spot.tool.clone(),
            project: spot.project.clone(),
            call: spot.call,
            failed: said.failed,
            output: said.output.clone().zip(spot.piece),
            places: 1,
            excerpt: excerpt(&self.secrets.mask(&text), &self.ask.sought, EXCERPT),
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
