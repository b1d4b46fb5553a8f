//! What a file of the index answers: rows, the newest first, and where the entry of each is.

use std::collections::HashSet;

use rusqlite::Rows;

use super::Error;
use super::database::Database;
use super::shards;
use crate::model::ChatId;
use crate::model::history::HistoryPlace;

/// What the tables of a file are asked.
pub(super) struct IndexTerms {
    pub shard: usize,
    /// None where all entries are wanted.
    pub words: String,
    /// Only these, by number; none where the words say it, or all are wanted.
    pub chats: Option<HashSet<i64>>,
}

/// Where an entry is.
pub(super) struct HitSpot {
    pub place: HistoryPlace,
    pub chat: ChatId,
    pub number: i64,
    pub seq: u64,
    pub at: u64,
    pub tool: Option<String>,
    pub project: Option<String>,
    pub call: Option<u64>,
    pub piece: Option<u64>,
}

/// Answers of which the next has been read.
pub(super) struct FoundRows<'r> {
    pub terms: &'r IndexTerms,
    database: &'r Database,
    rows: Rows<'r>,
    row: i64,
    /// None after the last.
    pub next: Option<HistoryPlace>,
}

impl<'r> FoundRows<'r> {
    pub fn begin(database: &'r Database, terms: &'r IndexTerms, rows: Rows<'r>) -> Result<FoundRows<'r>, Error> {
        let mut begun = FoundRows {
            terms,
            database,
            rows,
            row: 0,
            next: None,
        };
        begun.go_on()?;
        Ok(begun)
    }

    fn go_on(&mut self) -> Result<(), Error> {
        let row = self.rows.next().and_then(|row| row.map(|row| row.get(0)).transpose());
        let row: Option<i64> = row.map_err(|source| self.database.failed(source))?;
        self.next = row.map(|row| shards::place(self.terms.shard, row));
        self.row = row.unwrap_or_default();
        Ok(())
    }

    /// The next. None for what is of a transcript that was written again since.
    pub fn take(&mut self) -> Result<Option<HitSpot>, Error> {
        let Some(place) = self.next else { return Ok(None) };
        let spot = spot(&self.database.connection, self.row, place);
        let spot = spot.map_err(|source| self.database.failed(source))?;
        self.go_on()?;
        Ok(spot)
    }
}

fn spot(connection: &rusqlite::Connection, row: i64, place: HistoryPlace) -> rusqlite::Result<Option<HitSpot>> {
    let sql =
        "SELECT chats.id, chats.n, entries.seq, entries.at, tools.name, projects.name, entries.call, entries.piece
        FROM entries JOIN chats ON chats.n = entries.chat AND chats.dead = 0
        LEFT JOIN names AS tools ON tools.n = entries.tool
        LEFT JOIN names AS projects ON projects.n = entries.project
        WHERE entries.id = ?";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([row])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let chat: String = row.get(0)?;
    let Some(chat) = ChatId::parse(&chat) else {
        return Ok(None);
    };
    let unsigned = |column| row.get::<_, i64>(column).map(i64::cast_unsigned);
    let perhaps = |column| {
        let found: Option<i64> = row.get(column)?;
        Ok::<_, rusqlite::Error>(found.map(i64::cast_unsigned))
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
}
