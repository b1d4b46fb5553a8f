//! A chat's transcript, written into a file that a person names at a screen.

use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use crate::engine::export;
use crate::engine::services::Services;
use crate::model::export::{ExportAsk, ExportedFile};
use crate::model::text::visible;
use crate::model::{Problem, ResultExt};

const DOING: &str = "exporting a chat";

/// A file that is there already stays as it is.
pub fn save(services: &Services, ask: ExportAsk) -> Result<ExportedFile, Problem> {
    let exported = export::write(&services.home, &ask.chat, ask.format, ask.env.into_iter()).doing(DOING)?;
    let shown = visible(&ask.path.to_string_lossy());
    write(&ask.path, &exported.text).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Problem::new(DOING, format!("{shown} is there already"), "give another name"),
        _ => Problem::unwritten(format!("writing {shown}"), &ask.path, &error),
    })?;
    Ok(ExportedFile {
        path: ask.path.to_string_lossy().into_owned(),
        bytes: exported.text.len() as u64,
        turns: exported.turns,
    })
}

/// As its owner's alone, whatever the umask.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::options().write(true).create_new(true).mode(0o600).open(path)?;
    file.set_permissions(Permissions::from_mode(0o600))?;
    file.write_all(text.as_bytes())
}
