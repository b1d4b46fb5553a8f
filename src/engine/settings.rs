//! Settings that cannot be read.

use crate::config;
use crate::model::Problem;

/// As it is said to people.
pub(super) fn broken_settings(broken: &config::BrokenFile) -> Problem {
    let hint = "correct it there; parlour reads it again by itself and never writes over it";
    Problem::new("reading config.json", broken, hint)
}
