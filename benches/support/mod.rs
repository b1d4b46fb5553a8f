//! What the benchmarks share.

pub mod proc;
pub mod table;
pub mod verbs;
