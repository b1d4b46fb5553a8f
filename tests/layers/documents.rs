//! What the documents say of the source is true.

use std::fs;
use std::path::Path;

use regex::Regex;

use super::source::files_in;

#[test]
fn files_that_the_documents_name_are_there() {
    let named = Regex::new(r"`([a-z_]+(?:/[a-z_]+)*\.rs)").expect("it is a pattern");
    let mut known: Vec<String> = Vec::new();
    for folder in ["src", "tests", "benches"] {
        let files = files_in(folder).into_iter();
        known.extend(files.map(|(name, ..)| format!("{folder}/{name}")));
    }
    let mut gone = Vec::new();
    for document in ["README.md", "ARCHITECTURE.md"] {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(document)).expect("it is there");
        for found in named.captures_iter(&text) {
            let end = format!("/{}", &found[1]);
            if !known.iter().any(|file| *file == found[1] || file.ends_with(&end)) {
                gone.push(format!("{document}: {}", &found[1]));
            }
        }
    }
    assert!(gone.is_empty(), "{}", gone.join("\n"));
}

#[test]
fn the_architecture_is_read_in_one_sitting() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md")).expect("it is there");
    let long: Vec<&str> = text.lines().filter(|line| line.chars().count() > 110).collect();
    assert!(long.is_empty(), "longer than 110 columns: {long:#?}");
    assert!(
        text.lines().count() <= 200,
        "it has {} lines of 200",
        text.lines().count()
    );
}
