//! What is offered, and what runs unasked by its name.

use crate::mcp::{Equipped, names};
use crate::model::tool::OWN;

#[test]
fn all_that_is_offered_is_known_as_parlours_own() {
    let offered: Vec<&str> = names(Equipped::Bare).collect();
    assert_eq!(offered, OWN);
}
