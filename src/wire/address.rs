//! Where the engine of a home listens, and how that place is made and checked.
//!
//! The socket is `run/engine.sock` under the home. Where that path is too long for a socket address, a link of that
//! name points to a socket in a runtime directory, so both ends agree whatever their environments say. Each directory
//! that holds the socket belongs to us and to nobody else, and is checked before every use.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tokio::net::UnixListener;

/// macOS has room for 103 bytes and Linux for 107.
const LONGEST: usize = 100;

/// Makes the home's `run` directory where it is missing, for the owner alone, and returns it.
pub fn run_directory(home: &Path) -> io::Result<PathBuf> {
    let run = home.join("run");
    DirBuilder::new().recursive(true).mode(0o700).create(&run)?;
    if fs::symlink_metadata(&run)?.uid() == us() {
        fs::set_permissions(&run, Permissions::from_mode(0o700))?;
    }
    private(&run)?;
    Ok(run)
}

/// What the engine of this home holds a kernel lock on as long as it lives.
pub fn lock_path(home: &Path) -> PathBuf {
    home.join("run/engine.lock")
}

/// Where a client finds the engine of this home. It changes nothing; `NotFound` means no engine was ever there.
pub fn socket_path(home: &Path) -> io::Result<PathBuf> {
    let run = fs::canonicalize(home.join("run"))?;
    private(&run)?;
    let near = run.join("engine.sock");
    if fits(&near) {
        return Ok(near);
    }
    let far = fs::read_link(&near)?;
    private(far.parent().unwrap_or(Path::new("/")))?;
    Ok(far)
}

/// Listens for clients of this home. Call it only while holding the engine's lock: a socket that is still
/// there belongs to an engine that died, and is removed.
pub fn bind(home: &Path) -> io::Result<UnixListener> {
    let near = fs::canonicalize(run_directory(home)?)?.join("engine.sock");
    remove_stale(&near)?;
    let path = if fits(&near) {
        near
    } else {
        let far = runtime_directory()?.join(file_name(&near));
        remove_stale(&far)?;
        symlink(&far, &near)?;
        far
    };
    let listener = UnixListener::bind(&path)?;
    fs::set_permissions(&path, Permissions::from_mode(0o600))?;
    Ok(listener)
}

/// What [`bind`] made, to be told from a socket that others put in its place; None where it is gone.
pub fn bound(home: &Path) -> Option<BoundSocket> {
    let there = fs::symlink_metadata(socket_path(home).ok()?).ok()?;
    Some(BoundSocket(there.dev(), there.ino()))
}

/// A socket as the file system knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoundSocket(u64, u64);

/// Removes what [`bind`] made, so that nobody knocks where nobody is. Call it while still holding the engine's lock.
pub fn unbind(home: &Path) -> io::Result<()> {
    let far = socket_path(home)?;
    remove_stale(&home.join("run/engine.sock"))?;
    remove_stale(&far)
}

fn fits(path: &Path) -> bool {
    path.as_os_str().len() <= LONGEST
}

/// One name a home, the same for whoever asks.
fn file_name(near: &Path) -> String {
    let digest = Sha256::digest(near.as_os_str().as_encoded_bytes());
    let hash = data_encoding::HEXLOWER.encode(&digest[..8]);
    format!("parlour-{hash}.sock")
}

/// `$XDG_RUNTIME_DIR` where it is ours alone, else a directory of our own in `/tmp`.
fn runtime_directory() -> io::Result<PathBuf> {
    let given = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    if let Some(given) = given
        && given.is_absolute()
        && given.as_os_str().len() < LONGEST - 40
        && private(&given).is_ok()
    {
        return Ok(given);
    }
    let own = PathBuf::from(format!("/tmp/parlour-{}", us()));
    match DirBuilder::new().mode(0o700).create(&own) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        Ok(()) | Err(_) => private(&own)?,
    }
    Ok(own)
}

fn remove_stale(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.file_type().is_socket() || found.is_symlink() => fs::remove_file(path),
        Ok(_) => Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            format!("{} is in the way of the engine's socket", path.display()),
        )),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// A directory, not a link to one, that belongs to us and opens for nobody else.
fn private(directory: &Path) -> io::Result<()> {
    let found = fs::symlink_metadata(directory)?;
    if found.is_dir() && found.uid() == us() && found.mode() & 0o077 == 0 {
        return Ok(());
    }
    Err(io::Error::new(
        io::ErrorKind::PermissionDenied,
        format!(
            "{} is not a directory that only you can open: make it so with `chmod 700`",
            directory.display()
        ),
    ))
}

fn us() -> u32 {
    rustix::process::geteuid().as_raw()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_socket_is_for_its_owner_alone_and_replaces_a_stale_one() {
        let home = tempfile::tempdir().unwrap();
        drop(bind(home.path()).unwrap());
        let _listener = bind(home.path()).unwrap();
        let path = socket_path(home.path()).unwrap();
        assert!(path.ends_with("run/engine.sock"));
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        assert_eq!(fs::metadata(path.parent().unwrap()).unwrap().mode() & 0o777, 0o700);
        std::os::unix::net::UnixStream::connect(path).unwrap();
    }

    #[tokio::test]
    async fn a_home_too_long_for_a_socket_listens_elsewhere() {
        let base = tempfile::tempdir().unwrap();
        let home = base.path().join("deep".repeat(30));
        let _listener = bind(&home).unwrap();
        let path = socket_path(&home).unwrap();
        assert!(fits(&path), "{}", path.display());
        std::os::unix::net::UnixStream::connect(&path).unwrap();
        unbind(&home).unwrap();
        assert!(!path.exists() && fs::symlink_metadata(home.join("run/engine.sock")).is_err());
    }

    #[test]
    fn a_directory_that_others_can_open_is_never_used() {
        let home = tempfile::tempdir().unwrap();
        let run = run_directory(home.path()).unwrap();
        fs::set_permissions(&run, Permissions::from_mode(0o777)).unwrap();
        let error = socket_path(home.path()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
    }

    #[test]
    fn what_is_not_a_socket_is_left_alone() {
        let home = tempfile::tempdir().unwrap();
        let file = run_directory(home.path()).unwrap().join("engine.sock");
        fs::write(&file, "precious").unwrap();
        assert!(remove_stale(&file).is_err());
        assert_eq!(fs::read_to_string(file).unwrap(), "precious");
    }
}
