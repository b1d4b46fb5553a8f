//! `fuzz/src/judge.rs` with any bytes.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| parlour_fuzz::judge::run(bytes));
