//! The JSON Schema beside `config.json`, to which its `$schema` leads without a network.

use std::path::Path;

use crate::fs::{Dir, Error};
use crate::model::setting;

const NAME: &str = "config.schema.json";
const LARGEST: u64 = 1 << 20;

/// Writes it beside the file, unless it stands there.
pub(super) fn keep(config: &Path) -> Result<(), Error> {
    let Some(folder) = config.parent() else {
        return Ok(());
    };
    let folder = Dir::open(folder)?;
    let schema = format!("{:#}\n", setting::schema());
    match folder.read(NAME, LARGEST) {
        Ok(Some(there)) if there == schema.as_bytes() => Ok(()),
        _ => folder.write_atomic(NAME, schema),
    }
}
