//! How much memory the hot paths ask for, held against figures that are kept in `kept.toml`.
//!
//! Times differ from machine to machine and from run to run; these counts do not. A path that asks for a tenth more fails,
//! and so does one that asks for a tenth less: its figure is to be kept, so that what was won is not lost again unseen.

// A test that cannot go on should stop where it is; what its parts do is no different.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use counting::{Counting, Figure};

mod counting;
mod paths;
mod support;

#[global_allocator]
static COUNTING: Counting = Counting;

const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/allocations/kept.toml");

const HEAD: &str = "# What the hot paths ask of the allocator. Made by\n\
    #     PARLOUR_WRITE_COUNTS=1 cargo test --test allocations\n\n";

type Figures = BTreeMap<String, Figure>;

/// Names are the same in the file.
fn measured() -> Figures {
    let (new, full) = paths::megabyte();
    let all = [
        ("a key into a chat among 1,000", paths::key_among(1_000)),
        ("a key into a chat among 10", paths::key_among(10)),
        ("the list of 1,000 chats", paths::listed(1_000)),
        ("the echo of a key, drawn and compared", paths::echo()),
        ("a frame, drawn and compared", paths::frame()),
        ("a megabyte, parsed by a new emulator", new),
        ("a megabyte, parsed where the history is full", full),
        ("a hook's call, judged", paths::judgement()),
        ("a transcript, scrolled by a line", paths::scrolled_line()),
    ];
    all.into_iter()
        .map(|(name, figure)| (name.to_owned(), figure))
        .collect()
}

#[test]
fn the_hot_paths_ask_for_as_much_memory_as_is_kept() {
    // Counts of an optimised build are others.
    if !cfg!(debug_assertions) {
        return;
    }
    let found = measured();
    if std::env::var_os("PARLOUR_WRITE_COUNTS").is_some() {
        fs::write(KEPT, HEAD.to_owned() + &toml::to_string(&found).unwrap()).unwrap();
        return;
    }
    let kept: Figures = toml::from_str(&fs::read_to_string(KEPT).unwrap()).unwrap();
    let differences = differences(&kept, &found);
    assert!(
        differences.is_empty(),
        "{differences}If this is meant, keep it: PARLOUR_WRITE_COUNTS=1 cargo test --test allocations"
    );
}

/// A line for each path of which more or less than a tenth is different, or that is on one side alone.
fn differences(kept: &Figures, found: &Figures) -> String {
    let mut told = String::new();
    for name in kept.keys().chain(found.keys().filter(|name| !kept.contains_key(*name))) {
        let (before, now) = (kept.get(name), found.get(name));
        let near = before.zip(now).is_some_and(|(before, now)| {
            is_near(before.allocations, now.allocations) && is_near(before.bytes, now.bytes)
        });
        if !near {
            let _ = writeln!(told, "{name}: {} kept, {} now", words(before), words(now));
        }
    }
    told
}

fn is_near(kept: u64, found: u64) -> bool {
    kept.abs_diff(found) * 10 <= kept
}

fn words(figure: Option<&Figure>) -> String {
    match figure {
        Some(Figure { allocations, bytes }) => format!("{allocations} allocations of {bytes} bytes"),
        None => "nothing".into(),
    }
}

#[test]
fn a_tenth_more_or_less_is_told_and_what_is_near_is_not() {
    let figures = |allocations, bytes| Figures::from([("a key".to_owned(), Figure { allocations, bytes })]);
    let kept = figures(100, 1_000);
    for (allocations, bytes) in [(110, 1_100), (90, 900)] {
        assert_eq!(differences(&kept, &figures(allocations, bytes)), "");
    }
    for (allocations, bytes) in [(111, 1_000), (100, 1_101), (89, 1_000), (100, 899)] {
        let told =
            format!("a key: 100 allocations of 1000 bytes kept, {allocations} allocations of {bytes} bytes now\n");
        assert_eq!(differences(&kept, &figures(allocations, bytes)), told);
    }
    assert_eq!(
        differences(&Figures::new(), &kept),
        "a key: nothing kept, 100 allocations of 1000 bytes now\n"
    );
    assert_eq!(
        differences(&kept, &Figures::new()),
        "a key: 100 allocations of 1000 bytes kept, nothing now\n"
    );
}
