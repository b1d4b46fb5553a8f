//! What a CLI wrote and no adapter knows: a kind of a newer version, or a line that is damaged.

use serde_json::{Map, json};

use crate::model::Happened;

/// Characters of it: enough to see of which kind it is. The whole of it stands where it was read.
const KEPT: usize = 300;

/// `from` says whose it is and of what.
pub fn unknown(from: &str, line: &str) -> Happened {
    let start: String = line.chars().take(KEPT).collect();
    let mut fields = Map::new();
    fields.insert("from".into(), json!(from));
    fields.insert("line".into(), start.into());
    Happened::Unknown { fields }
}
