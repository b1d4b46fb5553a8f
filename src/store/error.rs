//! What can go wrong with the home, in words for a person.

use std::io;
use std::path::PathBuf;

use crate::fs;
use crate::model::{ChatId, Failure, ProblemKind};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Files(#[from] fs::Error),
    #[error("{doing} {}: {source}", path.display())]
    Io {
        doing: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error("{} was made by a newer parlour (version {version}) and is only read", path.display())]
    Newer { path: PathBuf, version: u64 },
    #[error("{} belongs to someone else; set PARLOUR_HOME to a directory of yours", path.display())]
    NotYours { path: PathBuf },
    #[error("{} {why}: the parts of parlour's home are directories on its own disk", path.display())]
    Elsewhere { path: PathBuf, why: &'static str },
    #[error("{} is damaged: {why}; repair it by hand or move it away", path.display())]
    Damaged { path: PathBuf, why: String },
    #[error("there is no chat {0}")]
    NoChat(ChatId),
    #[error("{0} is not in the trash")]
    NotInTrash(ChatId),
    #[error("the name {0:?} leaves nothing to call the chat by; use a letter or digit")]
    NoHandle(String),
    #[error("{0} is there already")]
    Exists(PathBuf),
    #[error("{}: the end of the transcript could not be made safe on disk; nothing after it counts as written", path.display())]
    Unsafe { path: PathBuf },
    #[error("its inbox is full: {count} messages in it are unread")]
    InboxFull { count: usize },
}

impl Error {
    pub fn is_full_disk(&self) -> bool {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        let is_read = matches!(self, Error::Files(error) if !error.is_full_disk());
        !is_read && matches!(self.kind(), Some(StorageFull | QuotaExceeded | FileTooLarge))
    }

    /// Nothing can be written here at all: no permission, a read-only file system, or a newer home.
    pub fn is_read_only(&self) -> bool {
        use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
        matches!(self, Error::Newer { .. }) || matches!(self.kind(), Some(PermissionDenied | ReadOnlyFilesystem))
    }

    /// The file system did not do it: the chat is there, and so is room in its inbox.
    pub fn is_io(&self) -> bool {
        self.kind().is_some() || matches!(self, Error::Unsafe { .. })
    }

    /// There is no such file.
    pub fn is_missing(&self) -> bool {
        self.kind() == Some(io::ErrorKind::NotFound)
    }

    fn kind(&self) -> Option<io::ErrorKind> {
        match self {
            Error::Files(e) => Some(e.kind()),
            Error::Io { source, .. } => Some(source.kind()),
            Error::Newer { .. }
            | Error::NotYours { .. }
            | Error::Elsewhere { .. }
            | Error::Damaged { .. }
            | Error::NoChat(_)
            | Error::NotInTrash(_)
            | Error::NoHandle(_)
            | Error::Exists(_)
            | Error::Unsafe { .. }
            | Error::InboxFull { .. } => None,
        }
    }
}

impl Failure for Error {
    fn problem_kind(&self) -> ProblemKind {
        match self {
            Error::Files(error) => error.problem_kind(),
            Error::Io { source, .. } => source.problem_kind(),
            Error::NoChat(_) | Error::NotInTrash(_) => ProblemKind::Missing,
            Error::NoHandle(_) | Error::Exists(_) => ProblemKind::User,
            Error::InboxFull { .. } => ProblemKind::Busy,
            Error::Newer { .. }
            | Error::NotYours { .. }
            | Error::Elsewhere { .. }
            | Error::Damaged { .. }
            | Error::Unsafe { .. } => ProblemKind::Fault,
        }
    }

    fn hint(&self) -> Option<&'static str> {
        match self {
            Error::Files(error) => error.hint(),
            Error::Newer { .. } => Some("start the newer parlour"),
            Error::Elsewhere { .. } => Some("move it back, or the whole home: PARLOUR_HOME says where that is"),
            Error::NoChat(_) => Some("`parlour list` shows all chats"),
            Error::NotInTrash(_) => Some("`parlour trash list` shows what is there"),
            Error::NoHandle(_) | Error::Exists(_) => Some("give another name"),
            Error::InboxFull { .. } => Some("send it when the chat has read some of them"),
            Error::Io { .. } | Error::NotYours { .. } | Error::Damaged { .. } | Error::Unsafe { .. } => None,
        }
    }

    fn below(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(self)
    }
}
