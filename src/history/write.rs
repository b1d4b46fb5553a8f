//! Batches are written into the index, each as one transaction with how far it then reaches.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use rusqlite::{OptionalExtension, Transaction, TransactionBehavior, params};

use super::Error;
use super::database::{Database, PROJECT, TOOL, table, week};
use super::entries::IndexedCalls;
use super::read::{ChatStep, IndexBatch, IndexReach, IndexRow};
use crate::model::{ChatId, Timestamp};

/// Bytes of words that a table holds back before it writes them down.
const HELD: u32 = 32 << 20;

/// A table has so many parts before they are made one. A gigabyte has fewer, and so writes its words down once.
const PARTS: u32 = 64;

/// What is known of the last stretch of an output that goes on.
pub(super) const CUT: &str = "cut";

/// IndexNames that are in the index.
type IndexNames = HashMap<(i64, String), i64>;

/// Writes a batch. What of it another process has written meanwhile is left out.
pub(super) fn write(database: &mut Database, batch: &mut IndexBatch, now: Timestamp) -> Result<(), Error> {
    let written = try_write(database, batch, now);
    written.map_err(|source| database.failed(source))
}

fn try_write(database: &mut Database, batch: &mut IndexBatch, now: Timestamp) -> rusqlite::Result<()> {
    let transaction = database
        .connection
        .transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut counts = vec![0; batch.chats.len()];
    for row in &batch.rows {
        counts[row.chat] += 1;
    }
    let mut numbers = Vec::new();
    for (step, count) in batch.chats.iter().zip(counts) {
        numbers.push(advance(&transaction, step, count)?);
    }
    let rows = &mut batch.rows;
    // Words are written down sorted by rows: one that comes before the last makes a table write early.
    rows.sort_by_key(|row| row.number);
    let words = &batch.words;
    let mut next = 0;
    let mut names = IndexNames::new();
    let mut tables: HashMap<i64, String> = HashMap::new();
    let mut last = None;
    for row in rows {
        let Some(chat) = numbers[row.chat] else { continue };
        let tool = name(&transaction, &mut names, TOOL, row.tool.as_deref())?;
        let project = name(&transaction, &mut names, PROJECT, row.project.as_deref())?;
        let id = place(&transaction, row, next, (chat, tool, project))?;
        next = id + 1;
        let week = week(id, now);
        if last.is_some_and(|last| last != week) {
            // A savepoint has the table of the week before write its words down, which frees their memory.
            transaction.execute_batch("SAVEPOINT written; RELEASE written")?;
        }
        last = Some(week);
        let table = match tables.entry(week) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(none) => none.insert(table_of(&transaction, week)?),
        };
        let mut insert = transaction.prepare_cached(table)?;
        insert.execute(params![id, &words[row.words.clone()], about(row, chat, tool, project)])?;
    }
    transaction.commit()
}

/// The chat's number in the index; none if it is not where the batch begins.
fn advance(transaction: &Transaction, step: &ChatStep, count: i64) -> rusqlite::Result<Option<i64>> {
    let known = "SELECT n, upto FROM chats WHERE id = ? AND dead = 0";
    let known: Option<(i64, u64)> = transaction
        .prepare_cached(known)?
        .query_row([step.chat.as_str()], |row| {
            Ok((row.get(0)?, row.get::<_, i64>(1)?.cast_unsigned()))
        })
        .optional()?;
    let reached = &step.reached;
    let open = serde_json::to_string(&reached.open).unwrap_or_default();
    let (inode, upto) = (reached.inode.cast_signed(), reached.upto.cast_signed());
    match known {
        Some((number, _)) if step.restarts => {
            transaction.execute("UPDATE chats SET dead = 1 WHERE n = ?", [number])?;
        }
        Some((_, there)) if there != step.from => return Ok(None),
        Some((number, _)) => {
            let update = "UPDATE chats SET upto = ?, tail = ?, open = ?, count = count + ? WHERE n = ?";
            transaction
                .prepare_cached(update)?
                .execute(params![upto, reached.tail, open, count, number])?;
            return Ok(Some(number));
        }
        None if step.from != 0 => return Ok(None),
        None => {}
    }
    let insert = "INSERT INTO chats (id, inode, upto, tail, open, count) VALUES (?, ?, ?, ?, ?, ?)";
    transaction
        .prepare_cached(insert)?
        .execute(params![step.chat.as_str(), inode, upto, reached.tail, open, count])?;
    Ok(Some(transaction.last_insert_rowid()))
}

fn name(
    transaction: &Transaction,
    names: &mut IndexNames,
    kind: i64,
    name: Option<&str>,
) -> rusqlite::Result<Option<i64>> {
    let Some(name) = name else { return Ok(None) };
    let key = (kind, name.to_string());
    if let Some(number) = names.get(&key) {
        return Ok(Some(*number));
    }
    transaction
        .prepare_cached("INSERT OR IGNORE INTO names (kind, name) VALUES (?, ?)")?
        .execute(params![kind, name])?;
    let number = transaction
        .prepare_cached("SELECT n FROM names WHERE kind = ? AND name = ?")?
        .query_row(params![kind, name], |row| row.get(0))?;
    names.insert(key, number);
    Ok(Some(number))
}

/// Takes the first free number from its moment on that is not below `next`, and says which.
fn place(
    transaction: &Transaction,
    row: &IndexRow,
    next: i64,
    (chat, tool, project): (i64, Option<i64>, Option<i64>),
) -> rusqlite::Result<i64> {
    let insert =
        "INSERT OR IGNORE INTO entries (id, chat, seq, at, tool, project, call, piece) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    let mut insert = transaction.prepare_cached(insert)?;
    let (seq, at) = (row.seq.cast_signed(), row.at.cast_signed());
    let (call, piece) = (row.call.map(u64::cast_signed), row.piece.map(u64::cast_signed));
    let mut id = row.number.max(next);
    while insert.execute(params![id, chat, seq, at, tool, project, call, piece])? == 0 {
        let end = "SELECT id + 1 FROM entries AS taken WHERE id >= ?
            AND NOT EXISTS (SELECT 1 FROM entries WHERE id = taken.id + 1) ORDER BY id LIMIT 1";
        id = transaction.prepare_cached(end)?.query_row([id], |row| row.get(0))?;
    }
    Ok(id)
}

/// How words go into the table of a week, which is made where it is missing.
fn table_of(transaction: &Transaction, week: i64) -> rusqlite::Result<String> {
    let name = table(week);
    let added = transaction.execute("INSERT OR IGNORE INTO weeks (week) VALUES (?)", [week])?;
    if added > 0 {
        transaction.execute_batch(&format!(
            "CREATE VIRTUAL TABLE {name} USING fts5(said, about, content = '', columnsize = 0, tokenize = 'ascii');
             INSERT INTO {name} ({name}, rank) VALUES ('hashsize', {HELD});
             INSERT INTO {name} ({name}, rank) VALUES ('automerge', 0);
             INSERT INTO {name} ({name}, rank) VALUES ('crisismerge', {PARTS});"
        ))?;
    }
    Ok(format!("INSERT INTO {name} (rowid, said, about) VALUES (?, ?, ?)"))
}

/// What is known of it beside what was said, as words.
fn about(row: &IndexRow, chat: i64, tool: Option<i64>, project: Option<i64>) -> String {
    let mut about = format!(
        "c{chat} {}",
        project.map_or_else(|| "none".into(), |project| format!("p{project}"))
    );
    if let Some(tool) = tool {
        about.push_str(&format!(" t{tool}"));
    }
    if row.failed {
        about.push_str(" failed");
    }
    if row.is_cut {
        about.push(' ');
        about.push_str(CUT);
    }
    about
}

/// How far each chat is in the index.
pub(super) fn reached(database: &Database) -> Result<HashMap<ChatId, IndexReach>, Error> {
    let read = || -> rusqlite::Result<HashMap<ChatId, IndexReach>> {
        let sql = "SELECT id, inode, upto, tail, open FROM chats WHERE dead = 0";
        let mut statement = database.connection.prepare_cached(sql)?;
        let rows = statement.query_map([], |row| {
            let id: String = row.get(0)?;
            let open: String = row.get(4)?;
            let open: IndexedCalls = serde_json::from_str(&open).unwrap_or_default();
            let reached = IndexReach {
                inode: row.get::<_, i64>(1)?.cast_unsigned(),
                upto: row.get::<_, i64>(2)?.cast_unsigned(),
                tail: row.get(3)?,
                open,
            };
            Ok(ChatId::parse(&id).map(|id| (id, reached)))
        })?;
        let all: rusqlite::Result<Vec<Option<(ChatId, IndexReach)>>> = rows.collect();
        Ok(all?.into_iter().flatten().collect())
    };
    read().map_err(|source| database.failed(source))
}

/// Entries of chats that are no more, or that were read again, and all there are.
pub(super) fn dead_in(database: &Database, is_gone: impl Fn(&ChatId) -> bool) -> Result<(i64, i64), Error> {
    let read = || -> rusqlite::Result<(i64, i64)> {
        let mut statement = database.connection.prepare("SELECT id, dead, count FROM chats")?;
        let rows = statement.query_map([], |row| {
            let id: String = row.get(0)?;
            Ok((id, row.get::<_, bool>(1)?, row.get::<_, i64>(2)?))
        })?;
        let (mut dead, mut all) = (0, 0);
        for row in rows {
            let (id, is_dead, count) = row?;
            all += count;
            if is_dead || ChatId::parse(&id).is_none_or(|id| is_gone(&id)) {
                dead += count;
            }
        }
        Ok((dead, all))
    };
    read().map_err(|source| database.failed(source))
}
