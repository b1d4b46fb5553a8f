//! Files of a git directory that hold a few lines. Whoever wrote the directory may have put anything in their place.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// More than any ref, gitfile or list of other object stores holds.
const MAX: u64 = 64 << 10;

/// The object stores of others that this one reads too.
pub fn alternates(objects: &Path) -> Vec<PathBuf> {
    let listed = small_bytes(&objects.join("info/alternates")).unwrap_or_default();
    let lines = listed.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| PathBuf::from(OsStr::from_bytes(line))).collect()
}

/// Its first 64 KB, if they are text.
pub(super) fn small_file(path: &Path) -> Option<String> {
    String::from_utf8(small_bytes(path)?).ok()
}

/// Nothing of what is no regular file: a FIFO would never be opened, and a device never end.
fn small_bytes(path: &Path) -> Option<Vec<u8>> {
    let nonblocking = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).ok()?;
    let file = File::options().read(true).custom_flags(nonblocking).open(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(MAX).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
