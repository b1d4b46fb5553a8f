//! How many files the engine may have open at once. What it starts may have as many.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Enough for thousands of chats, and few enough for programs that close each possible one before they start another.
const WANTED: u64 = 8_192;

/// Raises the limit, as far as the system lets us. Most systems begin with 1,024, macOS with 256.
pub fn raise_open_files() {
    let limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.map_or(WANTED, |maximum| maximum.min(WANTED));
    if limit.current.is_some_and(|current| current < wanted) {
        let raised = Rlimit {
            current: Some(wanted),
            maximum: limit.maximum,
        };
        // Without it we go on as before.
        let _ = setrlimit(Resource::Nofile, raised);
    }
}
