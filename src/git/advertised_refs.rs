//! What an origin says it has, before anything is fetched.

use std::collections::BTreeMap;
use std::path::Path;

use git2::Repository;

use super::Error;
use super::origin::Reach;

pub(super) const BRANCHES: &str = "refs/heads/";
pub(super) const REMOTE_BRANCHES: &str = "refs/remotes/origin/";
pub(super) const REMOTE_HEAD: &str = "refs/remotes/origin/HEAD";
const TAGS: &str = "refs/tags/";

/// What an origin offers: refs by name, and where its HEAD points.
pub(super) struct OriginOffer {
    pub refs: BTreeMap<String, String>,
    pub head: Option<String>,
    /// The default branch of its own remote, as a local source last heard of it.
    pub remote_head: Option<String>,
}

impl OriginOffer {
    /// `ref: refs/heads/main TAB HEAD`, and `hash TAB name` lines.
    pub fn parse(text: &str) -> OriginOffer {
        let mut offer = OriginOffer {
            refs: BTreeMap::new(),
            head: None,
            remote_head: None,
        };
        for line in text.lines() {
            let Some((left, name)) = line.split_once('\t') else {
                continue;
            };
            if let Some(target) = left.strip_prefix("ref: ") {
                match name {
                    "HEAD" => offer.head = target.strip_prefix(BRANCHES).map(str::to_string),
                    REMOTE_HEAD => offer.remote_head = target.strip_prefix(REMOTE_BRANCHES).map(str::to_string),
                    _ => {}
                }
                continue;
            }
            let is_ours = [BRANCHES, REMOTE_BRANCHES, TAGS]
                .iter()
                .any(|prefix| name.starts_with(prefix));
            if is_ours && name != REMOTE_HEAD && !name.ends_with("^{}") {
                offer.refs.insert(name.to_string(), left.to_string());
            }
        }
        offer
    }

    /// Whether a fetch would bring nothing: it spares the warm case a second conversation.
    pub fn is_in(&self, cache: &Path, reach: &Reach) -> Result<bool, Error> {
        let failed = |source| Error::Repository {
            path: cache.to_path_buf(),
            source,
        };
        let repository = Repository::open_bare(cache).map_err(failed)?;
        let mut have = BTreeMap::new();
        for reference in repository.references().map_err(failed)? {
            let reference = reference.map_err(failed)?;
            if let (Ok(name), Some(oid)) = (reference.name(), reference.target()) {
                have.insert(name.to_string(), oid.to_string());
            }
        }
        // What a source without holes has seen of its remote is fetched from it; else it came from that remote itself.
        let mut want = self.refs.clone();
        if !matches!(reach, Reach::Local { whole: None, .. }) {
            want.retain(|name, _| !name.starts_with(REMOTE_BRANCHES));
            have.retain(|name, _| !name.starts_with(REMOTE_BRANCHES));
        }
        Ok(have == want)
    }

    pub fn has_branches(&self) -> bool {
        self.refs
            .keys()
            .any(|name| name.starts_with(BRANCHES) || name.starts_with(REMOTE_BRANCHES))
    }

    /// Whether its hashes are SHA-256.
    pub fn is_sha256(&self) -> bool {
        self.refs.values().any(|hash| hash.len() == 64)
    }
}
