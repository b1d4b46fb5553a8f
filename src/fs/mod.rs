//! Safe paths, "open beneath" and atomic writes: the only way from input to a file.
//!
//! A [`Dir`] is an open directory. Everything in it is reached by a relative path, component by component, following no
//! link, so what an agent does inside its own directory cannot lead a write or a removal elsewhere. Names that come
//! from people, agents or remotes become path components only as a [`SafeName`]. Start at [`Dir`].

mod dir;
mod error;
mod files;
mod links;
mod name;
mod new_file;
mod relative;
mod stamp;
mod tree;
pub mod writing;

pub use dir::{Dir, DirEntry, DirEntryKind, Metadata};
pub use error::Error;
pub use name::{NameError, SafeName, is_hidden_char, slug};
pub use new_file::make_private;
pub use stamp::Stamp;

#[cfg(test)]
mod tests;
