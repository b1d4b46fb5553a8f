//! The one function that writes every golden.

use std::fmt::Display;
use std::path::Path;

/// Compares a screen with its golden. `name` is the surface, a dot, and the case: `trash.empty.80x24` lies in
/// `snapshots/ui/trash/empty.80x24.snap`. `what` is one sentence: what a person should see.
pub fn golden(name: &str, what: &str, screen: impl Display) {
    let (surface, case) = name
        .split_once('.')
        .expect("a golden is named for its surface and case");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots/ui").join(surface);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_description(what);
    settings.bind(|| insta::assert_snapshot!(case, screen.to_string()));
}
