//! What `cargo fuzz` tries, without it: each corpus of `fuzz/corpus`, and mutations of it.
//!
//! What is found is shrunk and printed; laid into the corpus, it is tried in each run from then on.

use std::cell::Cell;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};

use super::scaled;

#[path = "../../fuzz/src/lib.rs"]
mod targets;

/// How long each is tried in a long run; `PARLOUR_FUZZ_SECONDS` says otherwise.
const LONG: u64 = 300;

/// One change of some bytes. Places are shares of their length.
#[derive(Clone, Debug)]
enum Change {
    Put(u16, Vec<u8>),
    Cut(u16, u8),
    Again(u16, u8, u8),
    Byte(u16, u8),
    /// A piece of another one of the corpus.
    Cross(u16, usize, u16, u8),
}

fn change() -> impl Strategy<Value = Change> {
    // What means something to one reader or another.
    let words = prop::sample::select(vec![
        "\n",
        "\r\n",
        "\"",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\\u0000",
        "null",
        "-1",
        "1e999",
        "18446744073709551616",
        "\u{202e}",
        "//",
        "/*",
        "\0",
        "\u{1b}[",
        "\u{1b}]",
        "\u{1b}P",
        "\u{7}",
        "\u{1b}\\",
        "65535",
        ";",
        "?2026h",
        "?1049h",
        "世",
        "\u{301}",
        "é",
        "\u{feff}",
        "\r\n\r\n",
        "Content-Length: 0\r\n",
        "Transfer-Encoding: chunked\r\n",
    ]);
    prop_oneof![
        4 => (any::<u16>(), words).prop_map(|(at, word)| Change::Put(at, word.into())),
        2 => (any::<u16>(), prop::collection::vec(any::<u8>(), 1..40)).prop_map(|(at, bytes)| Change::Put(at, bytes)),
        2 => (any::<u16>(), any::<u8>()).prop_map(|(at, length)| Change::Cut(at, length)),
        1 => (any::<u16>(), any::<u8>(), 1..20_u8).prop_map(|(at, length, times)| Change::Again(at, length, times)),
        3 => (any::<u16>(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
        2 => (any::<u16>(), any::<usize>(), any::<u16>(), any::<u8>())
            .prop_map(|(at, which, from, length)| Change::Cross(at, which, from, length)),
    ]
}

fn changed(seeds: &[Vec<u8>], first: usize, changes: &[Change]) -> Vec<u8> {
    let place = |bytes: &[u8], share: u16| bytes.len() * usize::from(share) / (usize::from(u16::MAX) + 1);
    let piece = |bytes: &[u8], at: u16, length: u8| {
        let from = place(bytes, at);
        bytes[from..(from + usize::from(length)).min(bytes.len())].to_vec()
    };
    let mut bytes = seeds[first % seeds.len()].clone();
    for change in changes {
        match change {
            Change::Put(at, with) => {
                let at = place(&bytes, *at);
                bytes.splice(at..at, with.iter().copied());
            }
            Change::Cut(at, length) => {
                let at = place(&bytes, *at);
                let to = (at + usize::from(*length)).min(bytes.len());
                bytes.drain(at..to);
            }
            Change::Again(at, length, times) => {
                let again = piece(&bytes, *at, *length).repeat((*times).into());
                let at = place(&bytes, *at);
                bytes.splice(at..at, again);
            }
            Change::Byte(at, byte) => {
                let at = place(&bytes, *at);
                if let Some(there) = bytes.get_mut(at) {
                    *there = *byte;
                }
            }
            Change::Cross(at, which, from, length) => {
                let other = piece(&seeds[which % seeds.len()], *from, *length);
                let at = place(&bytes, *at);
                bytes.splice(at..at, other);
            }
        }
    }
    bytes
}

/// The corpus, and so many mutations of it; in a long run as many as there is time for.
fn tried(name: &str, short: u32, target: fn(&[u8])) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
    let mut files: Vec<_> = fs::read_dir(corpus)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let seeds: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap()).collect();
    seeds.iter().for_each(|seed| target(seed));

    let seconds = std::env::var("PARLOUR_FUZZ_SECONDS")
        .ok()
        .and_then(|words| words.parse().ok());
    let (cases, time) = scaled(
        (short, Duration::MAX),
        (u32::MAX, Duration::from_secs(seconds.unwrap_or(LONG))),
    );
    let (began, count) = (Instant::now(), Cell::new(0));
    let config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases.min(1_000))
    };
    let strategy = (any::<usize>(), prop::collection::vec(change(), 1..12));
    // Each round has random numbers of its own; a short run is one.
    while count.get() < cases && began.elapsed() < time {
        let found = TestRunner::new(config.clone()).run(&strategy, |(first, changes)| {
            count.set(count.get() + 1);
            let bytes = changed(&seeds, first, &changes);
            let held = std::panic::catch_unwind(|| target(&bytes));
            held.map_err(|_| TestCaseError::fail(format!("{name}: {:?}", bytes.escape_ascii().to_string())))
        });
        if let Err(error) = found {
            panic!("{error}");
        }
    }
    println!(
        "{name}: {} inputs and {} mutations in {:?}",
        seeds.len(),
        count.get(),
        began.elapsed()
    );
}

#[test]
fn p12_any_bytes_and_sizes_are_a_screen() {
    tried("terminal", 400, targets::terminal::run);
}

#[test]
fn p04_any_bytes_are_a_transcript() {
    tried("transcript", 60, targets::transcript::run);
}

#[test]
fn p16_any_bytes_are_settings_or_named() {
    tried("settings", 200, targets::settings::run);
}

#[test]
fn p19_any_bytes_are_judged_as_a_command() {
    tried("judge", 400, targets::judge::run);
}

#[test]
fn p18_any_bytes_are_answered() {
    tried("requests", 200, targets::requests::run);
}
