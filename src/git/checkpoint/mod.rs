//! Checkpoints: saved states of a clone, to compare with and to go back to.
//!
//! A checkpoint is a commit in a bare repository of parlour's own, so it outlives what an agent does to its clone, and
//! nothing that the clone configures is run: the working tree is read file by file and stored byte by byte. Beside the
//! files the commit holds the clone's index, `HEAD`, refs and the state of a merge or rebase, and what git cannot say
//! (permission bits, empty directories, what was left out). Start at [`Store::take`] and [`Store::restore`].

mod anew;
mod apply;
mod clone_index;
mod commits;
mod converted;
mod diff;
mod extras;
mod file;
pub(super) mod gitdir;
mod history;
mod ignored;
mod in_place;
mod index;
mod left_out;
mod line_ends;
mod lost;
mod named;
mod own_index;
mod patch;
mod pick;
mod placing;
mod plan;
mod pointer;
mod private;
mod scan;
mod search;
mod seen;
mod snapshot;
mod staging;
mod store;
mod stored_file;
mod stored_form;
mod take;
mod take_in;
mod thin;
mod trace;
mod tree;
mod unfetched;

pub use anew::has_no_git;
pub use apply::{ReadyRestore, Scope};
pub use diff::SavedFiles;
pub use gitdir::{BranchMove, CheckedOut};
pub use in_place::{PlaceStates, forget_old};
pub use left_out::{Omission, Reason};
pub use lost::LostTip;
pub use plan::{ChangeKind, Plan, RestoreChange};
pub use snapshot::Snapshot;
pub use store::{Store, saved_at, saved_numbers};
pub use take::{TakeOptions, Taken};
pub use trace::LineTrace;
