//! The map: what parlour is, how data flows, and the list of rooms. No code.
//!
//! parlour is a full-screen terminal program from which one developer runs many AI coding agents at once.

pub mod app;
pub mod model;
pub mod term;
