//! Other places on this machine that have the same project as an origin: what they have need not come over the network.

use std::path::PathBuf;

use super::Origin;
use super::advertised_refs::{BRANCHES, OriginOffer, REMOTE_BRANCHES, REMOTE_HEAD};
use super::origin::Reach;

/// A place that has what an origin's remote has, as far as it was seen there. Only what a person said is the same project
/// is one: any directory can claim a remote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kin {
    /// Of a remote: a checkout of it.
    Checkout(PathBuf),
    /// Of a checkout: the cache of its remote.
    Cache(PathBuf),
}

impl Kin {
    /// A checkout as it was looked at; `None` for what does not lie on this machine, or has not the whole history.
    pub fn checkout(origin: &Origin) -> Option<Kin> {
        match &origin.reach {
            Reach::Local { root, whole: None } => Some(Kin::Checkout(root.clone())),
            Reach::Local { whole: Some(_), .. } | Reach::Remote { .. } => None,
        }
    }

    pub(super) fn reach(&self) -> Reach {
        let (Kin::Checkout(path) | Kin::Cache(path)) = self;
        Reach::Local {
            root: path.clone(),
            whole: None,
        }
    }

    /// What a fetch of the remote's branches takes from it, to have them below `into`. Branches that only a checkout has are
    /// none of the remote's.
    pub(super) fn refspecs(&self, into: &str) -> Vec<String> {
        match self {
            Kin::Checkout(_) => vec![format!("+{REMOTE_BRANCHES}*:{into}*"), format!("^{REMOTE_HEAD}")],
            Kin::Cache(_) => vec![format!("+{BRANCHES}*:{into}*")],
        }
    }

    /// What the remote had when it was seen from there, as it would say it itself.
    pub(super) fn seen(&self, offer: OriginOffer) -> OriginOffer {
        let (prefix, head) = match self {
            Kin::Checkout(_) => (REMOTE_BRANCHES, offer.remote_head),
            Kin::Cache(_) => (BRANCHES, offer.head),
        };
        let branch = |(name, hash): (String, String)| {
            let name = name.strip_prefix(prefix)?;
            Some((format!("{BRANCHES}{name}"), hash))
        };
        OriginOffer {
            refs: offer.refs.into_iter().filter_map(branch).collect(),
            head,
            remote_head: None,
        }
    }
}
