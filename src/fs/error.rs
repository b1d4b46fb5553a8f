//! What can go wrong with a file, in words for a person.

use std::io;
use std::path::{Path, PathBuf};

use crate::model::{Failure, ProblemKind};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{doing} {}: {}", path.display(), words(source))]
    Io {
        doing: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error("{:?} is refused as a path: {why}", path.display().to_string())]
    Path { path: PathBuf, why: &'static str },
    #[error("{} is not a regular file", path.display())]
    NotAFile { path: PathBuf },
    #[error("{} is larger than {max} bytes", path.display())]
    TooLarge { path: PathBuf, max: u64 },
    #[error("{} is on another file system; unmount it first", path.display())]
    Mount { path: PathBuf },
}

impl Error {
    pub(super) fn io(doing: &'static str, path: &Path, source: impl Into<io::Error>) -> Error {
        Error::Io {
            doing,
            path: path.to_path_buf(),
            source: source.into(),
        }
    }

    pub fn kind(&self) -> io::ErrorKind {
        match self {
            Error::Io { source, .. } => source.kind(),
            Error::Path { .. } => io::ErrorKind::InvalidInput,
            Error::NotAFile { .. } => io::ErrorKind::InvalidData,
            Error::TooLarge { .. } => io::ErrorKind::FileTooLarge,
            Error::Mount { .. } => io::ErrorKind::CrossesDevices,
        }
    }

    pub fn is_missing(&self) -> bool {
        self.kind() == io::ErrorKind::NotFound
    }

    /// The disk has no room, or none for this file.
    pub fn is_full_disk(&self) -> bool {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        let refused = |source: &io::Error| matches!(source.kind(), StorageFull | QuotaExceeded | FileTooLarge);
        matches!(self, Error::Io { source, .. } if refused(source))
    }

    pub fn is_denied(&self) -> bool {
        self.kind() == io::ErrorKind::PermissionDenied
    }

    /// It tells of the file itself. All else tells of the system, which could not look: too many open files, no memory,
    /// a broken disk. Nothing is known of the file then.
    pub fn is_of_the_file(&self) -> bool {
        match self {
            Error::Io { .. } => self.is_missing() || self.is_denied() || self.is_blocked() || self.is_dead_mount(),
            Error::Path { .. } | Error::NotAFile { .. } | Error::TooLarge { .. } | Error::Mount { .. } => true,
        }
    }

    /// Whatever served the file system that is mounted there is gone.
    pub fn is_dead_mount(&self) -> bool {
        self.has_code(rustix::io::Errno::NOTCONN)
    }

    fn has_code(&self, errno: rustix::io::Errno) -> bool {
        matches!(self, Error::Io { source, .. } if source.raw_os_error() == Some(errno.raw_os_error()))
    }

    pub fn is_read_only(&self) -> bool {
        self.kind() == io::ErrorKind::ReadOnlyFilesystem
    }

    /// A link, or something else that is no directory, stood where the path went through.
    pub fn is_blocked(&self) -> bool {
        matches!(self, Error::Io { source, .. } if is_link_error(source))
    }
}

impl Failure for Error {
    fn problem_kind(&self) -> ProblemKind {
        match self {
            Error::Path { .. } | Error::NotAFile { .. } | Error::TooLarge { .. } => ProblemKind::User,
            Error::Io { source, .. } => source.problem_kind(),
            Error::Mount { .. } => ProblemKind::Fault,
        }
    }

    fn below(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(self)
    }
}

/// Linux answers ENOTDIR where a link meets O_DIRECTORY and O_NOFOLLOW, others ELOOP.
fn is_link_error(source: &io::Error) -> bool {
    let code = source.raw_os_error();
    code == Some(rustix::io::Errno::NOTDIR.raw_os_error()) || code == Some(rustix::io::Errno::LOOP.raw_os_error())
}

fn is_out_of_descriptors(source: &io::Error) -> bool {
    let code = source.raw_os_error();
    code == Some(rustix::io::Errno::MFILE.raw_os_error()) || code == Some(rustix::io::Errno::NFILE.raw_os_error())
}

fn words(source: &io::Error) -> String {
    match source.kind() {
        io::ErrorKind::StorageFull => "the disk is full; free some space".into(),
        io::ErrorKind::QuotaExceeded => "your disk quota is used up; free some space".into(),
        io::ErrorKind::FileTooLarge => "it is as large as a file may be here; raise `ulimit -f`".into(),
        io::ErrorKind::CrossesDevices => {
            "it lies on another disk than the other; parlour moves things within one".into()
        }
        io::ErrorKind::PermissionDenied => "permission denied; check its owner and mode".into(),
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only".into(),
        io::ErrorKind::NotFound => "it does not exist".into(),
        _ if is_out_of_descriptors(source) => "too many files are open at once; try again, or raise `ulimit -n`".into(),
        _ if is_link_error(source) => "a link or a file is in the way, and links are not followed".into(),
        _ => source.to_string(),
    }
}
