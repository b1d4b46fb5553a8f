//! A session of a chat that was moved: the CLI works where its database says that the session belongs, and nowhere if that
//! is gone.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension, params};

use crate::model::Problem;

const FILE: &str = "opencode.db";

/// Another OpenCode may write.
const PATIENCE: Duration = Duration::from_secs(2);

/// Has the session, and those of its sub-agents, belong to the chat's directory, if that has its old name under another path.
pub(super) fn follow(data: &Path, session: &str, dir: &Path) -> Result<(), Problem> {
    let file = data.join(FILE);
    if !file.is_file() {
        return Ok(());
    }
    let moved = || -> rusqlite::Result<()> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let database = Connection::open_with_flags(&file, flags)?;
        database.busy_timeout(PATIENCE)?;
        let known = "SELECT directory FROM session WHERE id = ?";
        let known: Option<String> = database.query_row(known, [session], |row| row.get(0)).optional()?;
        let is_left = |known: &Path| known.file_name() == dir.file_name() && known != dir && !known.exists();
        let Some(old) = known.filter(|known| is_left(Path::new(known))) else {
            return Ok(());
        };
        // The CLI names its directory without links.
        let real = dir.canonicalize().unwrap_or_else(|_| dir.into());
        let update = "UPDATE session SET directory = ?1 WHERE directory = ?2 AND (id = ?3 OR parent_id = ?3)";
        database.execute(update, params![real.to_string_lossy(), old, session])?;
        Ok(())
    };
    moved().map_err(|error| {
        let cause = format!("{}: {error}", file.display());
        Problem::fault("telling OpenCode where its session is now", cause).hinted("start the agent again")
    })
}
