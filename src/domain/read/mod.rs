//! What is only read.

pub mod work;
