//! All tools there are, in the order in which agents read them.

use std::sync::LazyLock;

use super::offer::Offer;
use super::{deeds, dispatch, inbox, projects, schedules, work};

pub static OFFERS: LazyLock<Vec<Offer>> = LazyLock::new(|| {
    [
        projects::offers(),
        dispatch::offers(),
        inbox::offers(),
        work::offers(),
        schedules::offers(),
    ]
    .into_iter()
    .flatten()
    .collect()
});

/// Offered beside them to agents whose CLI has no tools of its own.
pub static DEEDS: LazyLock<Vec<Offer>> = LazyLock::new(deeds::offers);

/// What an agent brings along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equipped {
    WithTools,
    /// It has no tools of its own for files and commands.
    Bare,
}

/// All that may be offered to an agent.
pub fn offers(to: Equipped) -> impl Iterator<Item = &'static Offer> {
    let deeds = match to {
        Equipped::WithTools => None,
        Equipped::Bare => Some(&*DEEDS),
    };
    OFFERS.iter().chain(deeds.into_iter().flatten())
}

/// Their names, which settings narrow.
pub fn names(to: Equipped) -> impl Iterator<Item = &'static str> {
    offers(to).map(|offer| offer.name)
}
