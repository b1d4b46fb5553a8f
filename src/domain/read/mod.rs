//! What is only read.

pub mod done;
pub mod work;
