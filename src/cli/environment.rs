//! What the shell runs parlour in.

use std::collections::BTreeMap;
use std::env;
use std::io::ErrorKind;
use std::path::PathBuf;

use crate::model::Problem;

/// What an agent that is started by this request starts with. An entry that is no text could not be sent.
pub fn environment() -> BTreeMap<String, String> {
    env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// Where relative paths start.
pub fn here() -> anyhow::Result<PathBuf> {
    env::current_dir().map_err(|error| match error.kind() {
        ErrorKind::NotFound => {
            let hint = "change to one that is there";
            Problem::missing("finding the current directory", "it was deleted", hint).into()
        }
        _ => anyhow::Error::new(error).context("finding the current directory"),
    })
}
