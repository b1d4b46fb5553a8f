//! Making all that was written to a file system last through a power cut.

use std::os::fd::BorrowedFd;

use rustix::io::Result;

/// Waits until everything on the file system of this descriptor is on the disk: one call, where syncing the files of a
/// clone would be one each.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub fn file_system_of(fd: BorrowedFd<'_>) -> Result<()> {
    rustix::fs::syncfs(fd)
}

/// There is no such call for one file system: all of them are flushed.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub fn file_system_of(_: BorrowedFd<'_>) -> Result<()> {
    rustix::fs::sync();
    Ok(())
}
