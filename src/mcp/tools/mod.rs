//! The tools: names, descriptions, and what goes in and comes out, one file a topic.
//!
//! Every agent reads all of this at its start, so each word costs. Arguments are read strictly: a misspelt one is
//! answered with the right names instead of being ignored.

mod deeds;
mod dispatch;
mod inbox;
mod offer;
mod offers;
mod projects;
mod schedules;
mod work;

pub(super) use offer::Offer;
#[cfg(test)]
pub(super) use offers::OFFERS;
pub(super) use offers::offers;
pub use offers::{Equipped, names};
