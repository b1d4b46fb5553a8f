//! What a CLI says of itself in a small file that it writes again whenever its state changes.

use std::io::Read;
use std::path::Path;

use crate::agents::Adapter;
use crate::domain::event::Observed;
use crate::model::{Signal, Source, Timestamp};

use super::clock::now;
use super::tail::regular;

/// A session file is a few hundred bytes; one that is longer is no such file.
const SESSION_FILE: u64 = 64 << 10;

/// What it says of its agent, where it is one.
pub(super) fn read(adapter: &dyn Adapter, path: &Path) -> Option<Observed> {
    let file = regular(path)?;
    let meta = file.metadata().ok()?;
    let mut bytes = Vec::new();
    file.take(SESSION_FILE + 1).read_to_end(&mut bytes).ok()?;
    if bytes.len() as u64 > SESSION_FILE {
        return None;
    }
    let said = adapter.read_session_file(&bytes)?;
    let signal = Signal {
        source: Source::SessionFile,
        because: format!("it says {}", said.activity),
        activity: said.activity,
        // It may not claim to know what is still to come: that would outweigh every other source.
        at: said.since.unwrap_or_else(|| said_at(&meta)).min(now()),
    };
    Some(Observed::Signals(vec![signal]))
}

/// When the CLI wrote the file: it is read a moment later, when a hook may have told of something newer.
fn said_at(meta: &std::fs::Metadata) -> Timestamp {
    let since = meta
        .modified()
        .ok()
        .and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
    since
        .and_then(|since| i64::try_from(since.as_millis()).ok())
        .map_or_else(now, Timestamp)
}
