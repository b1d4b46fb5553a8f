//! Clones: from a URL or a local repository to a working copy that shares nothing with its source, and reads of it.
//!
//! Every repository is fetched once into a bare cache and cloned from there. Nothing that a source configures is run, and
//! a clone appears whole or not at all. This room returns plain data; it knows nothing of chats' state or of the
//! screen. Start at [`CloneSource::parse`], [`look`] and [`open`]; [`read`] and [`setup`] stand by themselves.

mod advertised_refs;
mod branch_list;
mod branches;
mod cache;
mod cache_cleanup;
mod checkout;
pub mod checkpoint;
mod compare;
mod config;
mod copied_branches;
mod damage;
mod error;
mod executable_bits;
mod fetch;
mod git_dir_anew;
mod incomplete;
mod job;
pub mod keep;
mod line_settings;
mod local;
mod local_copies;
mod lock_file;
mod loose_object;
mod objects;
mod origin;
mod packs;
mod program;
mod protected;
pub mod read;
mod root;
mod run;
pub mod setup;
mod small_file;
mod source;
mod staged;
mod unsaved;

pub use branch_list::{BranchPlace, branches_named};
pub use branches::BranchName;
pub use cache::{CachedOrigin, Caches};
pub use compare::colour_code;
pub use copied_branches::branch_of;
pub use damage::damaged_files;
pub use error::Error;
pub use git_dir_anew::GitDirAnew;
pub use incomplete::incomplete;
pub use job::{OpenJob, OpenedClone, open, sweep, take_back};
pub use local::{LocalTarget, SourceGuard, look};
pub use local_copies::Kin;
pub use origin::{Origin, key_of};
pub use program::Program;
pub use root::{has_commit, is_bare, project_around, root};
pub use run::{CancelFlag, GitLimits, GitProgress, GitStage};
pub use small_file::alternates;
pub use source::{CloneSource, shown};
pub use unsaved::{Unpushed, Unsaved, UnsavedContext, unsaved};

#[cfg(test)]
mod tests;
