//! What was deleted, and can come back for seven days.

pub mod done;
pub mod work;
