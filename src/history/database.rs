//! A file of the index: how it is opened, what is in it, and how it is removed.
//!
//! Each entry is a row. Its number is when it happened, so that the order of rows is that of time, and what is found comes
//! newest first without being sorted. Numbers are as small as that allows, because each word stores how far it is from one
//! of its rows to the next: that is most of the file. The words of each week are a table of their own: a beginning of a word that
//! means many is only looked up in the weeks that are reached, and a moment is found by the table's number.

use std::fs::OpenOptions;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use super::Error;
use crate::model::Timestamp;

/// The shape of what is in it. Another one is made again.
const VERSION: i64 = 4;

/// Another process may write a batch.
const PATIENCE: Duration = Duration::from_secs(10);

/// A row's number counts steps of so many milliseconds. Rows of one moment take the numbers that follow.
const STEP_MS: i64 = 4;
/// Rows that follow each other at one moment may stand so far behind it: about a minute.
pub(super) const PUSHED_BACK: i64 = 60_000 / STEP_MS;
/// The year 2248.
const LATEST: i64 = (1 << 43) - 1;

const WEEK_MS: i64 = 7 * 86_400_000;
/// Autumn 2019: before, there was nothing to be written down.
const FIRST_WEEK: i64 = 2_600;

const SCHEMA: &str = "
    CREATE TABLE chats (
        n INTEGER PRIMARY KEY, id TEXT NOT NULL, dead INTEGER NOT NULL DEFAULT 0, inode INTEGER NOT NULL,
        upto INTEGER NOT NULL, tail BLOB NOT NULL, open TEXT NOT NULL, count INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX chats_by_id ON chats (id);
    CREATE TABLE names (n INTEGER PRIMARY KEY, kind INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE (kind, name));
    CREATE TABLE weeks (week INTEGER PRIMARY KEY);
    CREATE TABLE entries (
        id INTEGER PRIMARY KEY, chat INTEGER NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, tool INTEGER,
        project INTEGER, call INTEGER, piece INTEGER
    );
";

/// What `names` holds names of.
pub(super) const TOOL: i64 = 1;
pub(super) const PROJECT: i64 = 2;

/// An open index.
pub(super) struct Database {
    pub connection: Connection,
    path: PathBuf,
    /// Device and inode: whoever deletes the file has it made again.
    file: Option<(u64, u64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IndexUse {
    Writing,
    Reading,
}

impl Database {
    /// None where there is nothing to be read.
    pub fn open(path: &Path, what_for: IndexUse) -> Result<Option<Database>, Error> {
        if what_for == IndexUse::Reading && identity(path).is_none() {
            return Ok(None);
        }
        if what_for == IndexUse::Writing {
            begin_private(path);
        }
        let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_NOFOLLOW
            | OpenFlags::SQLITE_OPEN_PRIVATE_CACHE;
        flags.set(OpenFlags::SQLITE_OPEN_CREATE, what_for == IndexUse::Writing);
        let connection = Connection::open_with_flags(path, flags).map_err(|source| failed(path, source))?;
        let mut database = Database {
            connection,
            path: path.into(),
            file: None,
        };
        let opened = database.prepare(what_for);
        opened.map_err(|source| failed(path, source))?;
        let version = database.one("PRAGMA user_version")?;
        match (version, what_for) {
            (VERSION, _) => {}
            (0, IndexUse::Writing) if database.one("SELECT count(*) FROM sqlite_master")? == 0 => database.make()?,
            (0, IndexUse::Reading) => return Ok(None),
            (other, _) => return Err(Error::Damaged(format!("it is of version {other}, not {VERSION}"))),
        }
        database.file = identity(path);
        Ok(Some(database))
    }

    fn prepare(&mut self, what_for: IndexUse) -> rusqlite::Result<()> {
        let connection = &self.connection;
        connection.busy_timeout(PATIENCE)?;
        connection.set_prepared_statement_cache_capacity(128);
        connection.pragma_update(None, "cache_size", -16_384)?;
        if what_for == IndexUse::Writing {
            // What a power cut takes away is indexed again.
            connection.pragma_update(None, "journal_mode", "wal")?;
            connection.pragma_update(None, "synchronous", "normal")?;
            connection.pragma_update(None, "wal_autocheckpoint", 4_096)?;
            connection.pragma_update(None, "journal_size_limit", 16 << 20)?;
        } else {
            connection.pragma_update(None, "query_only", true)?;
        }
        Ok(())
    }

    /// Makes its tables, unless another has made them since it was looked at.
    fn make(&mut self) -> Result<(), Error> {
        let make = |connection: &mut Connection| -> rusqlite::Result<()> {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let version: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
            if version == 0 {
                transaction.execute_batch(&format!("{SCHEMA} PRAGMA user_version = {VERSION};"))?;
            }
            transaction.commit()
        };
        make(&mut self.connection).map_err(|source| failed(&self.path, source))
    }

    /// Whether it is still the one at its place.
    pub fn is_there(&self) -> bool {
        self.file.is_some() && self.file == identity(&self.path)
    }

    pub fn one(&self, sql: &str) -> Result<i64, Error> {
        let found = self.connection.query_row(sql, [], |row| row.get(0));
        found.map_err(|source| self.failed(source))
    }

    pub fn failed(&self, source: rusqlite::Error) -> Error {
        failed(&self.path, source)
    }
}

/// Nothing is left of it. Who has it open reads on in what is no longer there.
pub(super) fn remove(path: &Path) -> Result<(), Error> {
    for end in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        match std::fs::remove_file(&name) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(Error::Home(crate::store::Error::Io {
                    doing: "removing",
                    path: name.into(),
                    source: error,
                }));
            }
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

fn failed(path: &Path, source: rusqlite::Error) -> Error {
    let is_damage = matches!(
        source.sqlite_error_code(),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    );
    // A table that is not there, of a file that was cut and put together again.
    let is_misfit = matches!(&source, rusqlite::Error::SqliteFailure(_, Some(why)) if why.starts_with("no such"));
    match is_damage || is_misfit {
        true => Error::Damaged(source.to_string()),
        false => Error::Database {
            path: path.into(),
            source,
        },
    }
}

/// An empty file that only its owner reads: what all chats said is written into it. SQLite gives the files beside it the
/// same mode. Where this cannot be, SQLite says why.
fn begin_private(path: &Path) {
    let mut options = OpenOptions::new();
    drop(options.write(true).create_new(true).mode(0o600).open(path));
}

fn identity(path: &Path) -> Option<(u64, u64)> {
    let found = std::fs::symlink_metadata(path).ok()?;
    Some((found.dev(), found.ino()))
}

/// The first number of what happened at this moment.
pub(super) fn number(at: Timestamp) -> i64 {
    at.0.clamp(0, LATEST) / STEP_MS
}

/// The table of a row. A clock that is far off makes no tables without end.
pub(super) fn week(number: i64, now: Timestamp) -> i64 {
    let week = number / (WEEK_MS / STEP_MS);
    week.clamp(FIRST_WEEK, now.0.clamp(0, LATEST) / WEEK_MS + 1)
}

pub(super) fn table(week: i64) -> String {
    format!("w{week}")
}
