//! How large a terminal is.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    pub cols: u16,
    pub rows: u16,
}

impl Size {
    /// What a client may be drawn at. One that claims a terminal of 65535 columns and rows must not make the engine take
    /// gigabytes and end.
    pub fn of_client(cols: u16, rows: u16) -> Size {
        Size {
            cols: cols.min(1_000),
            rows: rows.min(500),
        }
    }
}

/// How large the terminals of chats are where a person goes to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstSizes {
    pub agent: Size,
    pub shell: Size,
}
