//! The one function that writes every golden.

use std::fmt::Display;
use std::path::Path;

/// Compares a screen with `snapshots/<folder>/<name>.snap`. `what` is one sentence: what a person should see.
pub fn golden(folder: &str, name: &str, what: &str, screen: impl Display) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots").join(folder));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_description(what);
    settings.bind(|| insta::assert_snapshot!(name, screen.to_string()));
}
