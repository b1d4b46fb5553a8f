//! Where clones are made before they are put in place.

use std::ffi::OsString;

/// A name that no other clone has.
pub(super) fn staged_name() -> OsString {
    format!("clone-{}", uuid::Uuid::new_v4().simple()).into()
}
