//! What is tried with any bytes: by `cargo +nightly fuzz run NAME`, and by the tests of `tests/promises/fuzzed.rs` with
//! mutations of `corpus/NAME`. Each panics where parlour does what it must not.

pub mod judge;
pub mod requests;
pub mod settings;
pub mod terminal;
pub mod transcript;
