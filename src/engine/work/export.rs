//! A chat's transcript, written into a file that a person names at a screen.

use std::io;

use crate::engine::export;
use crate::engine::services::Services;
use crate::fs;
use crate::model::export::{ExportAsk, ExportedFile};
use crate::model::text::visible;
use crate::model::{Problem, ResultExt};

const DOING: &str = "exporting a chat";

/// A file that is there already stays as it is.
pub fn save(services: &Services, ask: ExportAsk) -> Result<ExportedFile, Problem> {
    let exported = export::write(&services.home, &ask.chat, ask.format, ask.env.into_iter()).doing(DOING)?;
    let shown = visible(&ask.path.to_string_lossy());
    fs::make_private(&ask.path, &exported.text).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Problem::new(DOING, format!("{shown} is there already"), "give another name"),
        _ => Problem::unwritten(format!("writing {shown}"), &ask.path, &error),
    })?;
    Ok(ExportedFile {
        path: ask.path.to_string_lossy().into_owned(),
        bytes: exported.text.len() as u64,
        turns: exported.turns,
    })
}
