//! Whether git would store a file differently from how it lies in the working tree: through a filter, or with other ends
//! of lines. parlour runs no filter, so it leaves such files to git.
//!
//! The attributes are read from what was saved, never from the clone: a FIFO in place of `.gitattributes` would hold us.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use git2::{AttrCheckFlags, AttrValue, Index};

use super::Store;
use super::snapshot::{self, Snapshot};
use crate::fs::Dir;
use crate::git::Error;

const ATTRIBUTES: &str = ".gitattributes";
const MAX: u64 = 1 << 20;

impl Store {
    /// Why git would convert this content, if it would.
    pub(super) fn conversion(
        &self,
        clone: &Dir,
        now: &Snapshot,
        path: &Path,
        content: &[u8],
    ) -> Result<Option<&'static str>, Error> {
        let own = clone
            .dir(".git")
            .and_then(|git| git.read("info/attributes", MAX))
            .ok()
            .flatten();
        let mut index = Index::new().map_err(|source| self.failed(source))?;
        for above in path.ancestors().skip(1) {
            let place = above.join(ATTRIBUTES);
            let found = self.file_in(now.files(), &place)?;
            let is_top = above.as_os_str().is_empty();
            let id = match (found, &own) {
                // What the clone alone says comes last, so it counts.
                (found, Some(own)) if is_top => {
                    let shared = found.map(|file| self.blob(file.id)).transpose()?.unwrap_or_default();
                    let all = [&shared, &b"\n"[..], own].concat();
                    self.repository.blob(&all).map_err(|source| self.failed(source))?
                }
                (Some(file), _) => file.id,
                (None, _) => continue,
            };
            let entry = snapshot::entry(place.as_os_str().as_bytes().to_vec(), id, super::seen::PLAIN);
            index.add(&entry).map_err(|source| self.failed(source))?;
        }
        let mut check = || -> Result<Option<&'static str>, git2::Error> {
            self.repository.set_index(&mut index)?;
            let is_set = |name: &str| {
                let flags = AttrCheckFlags::INDEX_ONLY | AttrCheckFlags::NO_SYSTEM;
                let value = self.repository.get_attr_bytes(path, name, flags)?;
                Ok::<bool, git2::Error>(match AttrValue::from_bytes(value) {
                    AttrValue::True | AttrValue::String(_) | AttrValue::Bytes(_) => true,
                    AttrValue::False | AttrValue::Unspecified => false,
                })
            };
            if is_set("filter")? || is_set("ident")? || is_set("working-tree-encoding")? {
                return Ok(Some("git stores it through a filter, which parlour does not run"));
            }
            let has_returns = memchr::memmem::find(content, b"\r\n").is_some();
            if has_returns && (is_set("text")? || is_set("eol")? || is_set("crlf")?) {
                return Ok(Some("git stores it with other ends of lines"));
            }
            Ok(None)
        };
        check().map_err(|source| self.failed(source))
    }
}
