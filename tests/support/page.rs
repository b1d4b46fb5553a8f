//! Pages of `docs/` that are made from tables: what stands behind a mark in them.

use std::fs;
use std::path::{Path, PathBuf};

pub fn document(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// What follows `mark` in the document is `made`. `PARLOUR_WRITE_DOCS` writes it.
pub fn holds(name: &str, mark: &str, made: &str) {
    let place = document(name);
    let text = fs::read_to_string(&place).unwrap();
    let (by_hand, there) = text.split_once(mark).expect("the mark is there");
    if std::env::var_os("PARLOUR_WRITE_DOCS").is_some() {
        fs::write(&place, format!("{by_hand}{mark}{made}")).unwrap();
        return;
    }
    assert_eq!(there, made, "run it with PARLOUR_WRITE_DOCS=1");
}
