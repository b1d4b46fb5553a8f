//! Keeping what an agent did: commits, pushes, the way into the repository that a clone came from, rebases,
//! pull requests.
//!
//! A clone is an agent's, so nothing that it configures is run: all work is done by a git directory of parlour's own
//! ([`Scratch`]) that reads the clone's objects in place. What comes of it is written into the clone file by file, by
//! handle and under git's own locks. Start at [`commit`], [`push`] and [`bring_home`].

mod commit;
mod end;
mod error;
mod forge;
mod home;
mod home_checkout;
mod home_target;
mod hooks;
mod place;
mod push;
mod radar;
mod rebase;
mod scratch;
mod target;
mod tree;
mod under_way;

pub use commit::{CommitWish, MadeCommit, commit};
pub use end::{EndedUnderWay, end};
pub use error::{KeepError, UnderWayError};
pub use forge::{KnownPull, PullText, check_forge, open_pull, view_pull};
pub use home::{BroughtBefore, HomeWish, ReachedHome, bring_home, is_at_home, is_checked_out_home, is_free_at_home};
pub use hooks::skipped_at_home;
pub use push::{PushedBranch, push, push_target};
pub use radar::{BranchCollision, BranchTip, collisions, tip};
pub use rebase::{OnConflict, RebaseConflict, RebaseOnto, RebasedBranch, rebase};
pub use scratch::KeepTools;
pub use target::CommitAuthor;
pub use under_way::under_way;
