//! A file of a person's that parlour makes where they name it: whole, or not at all.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// As its owner's alone, whatever the umask. One that is there already is an error.
pub fn make_private(path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::options().write(true).create_new(true).mode(0o600).open(path)?;
    let written = file
        .set_permissions(Permissions::from_mode(0o600))
        .and_then(|()| file.write_all(text.as_bytes()));
    if written.is_err() {
        // Else a part of it would be taken for the whole, and the next try would find it there.
        let _ = fs::remove_file(path);
    }
    written
}
