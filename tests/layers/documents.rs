//! What the documents say of the source is true.

use std::fs;
use std::path::{Path, PathBuf};

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
    for (document, text) in documents() {
        for found in named.captures_iter(&text) {
            let end = format!("/{}", &found[1]);
            if !known.iter().any(|file| *file == found[1] || file.ends_with(&end)) {
                gone.push(format!("{}: {}", document.display(), &found[1]));
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

/// Links between the documents, and to headings in them.
#[test]
fn what_the_documents_link_to_is_there() {
    let link = Regex::new(r"\]\(([^):]*?)(?:#([^)]*))?\)").expect("it is a pattern");
    let mut dead = Vec::new();
    for (document, text) in documents() {
        for found in link.captures_iter(&text) {
            let to = match &found[1] {
                "" => document.clone(),
                file => document.parent().unwrap_or(Path::new("")).join(file),
            };
            let target = fs::read_to_string(&to).unwrap_or_default();
            let is_missing = !to.exists();
            let headings: Vec<String> = target
                .lines()
                .filter(|line| line.starts_with('#'))
                .map(anchor)
                .collect();
            let is_there = found
                .get(2)
                .is_none_or(|wanted| headings.contains(&wanted.as_str().to_string()));
            if is_missing || !is_there {
                dead.push(format!("{}: {}", document.display(), &found[0]));
            }
        }
    }
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}

/// A page that no chapter names is in no book, and nobody finds it.
#[test]
fn the_book_has_every_page() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).expect("it is there");
    let pages = documents().into_iter().map(|(path, _)| path);
    let lacking: Vec<String> = pages
        .filter_map(|path| Some(path.strip_prefix(&docs).ok()?.to_str()?.to_owned()))
        .filter(|page| page != "SUMMARY.md" && !summary.contains(&format!("]({page})")))
        .collect();
    assert!(lacking.is_empty(), "add a line to docs/SUMMARY.md for: {lacking:?}");
}

/// What a reader looks for first stands on the first page, by these words.
#[test]
fn the_first_page_leads_to_what_is_looked_for_first() {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/README.md");
    let text = fs::read_to_string(place).expect("it is there");
    let start: Vec<&str> = text.lines().take(30).collect();
    for wanted in [
        "undo a delete",
        "forbid a command",
        "add an agent CLI",
        "schedule a job",
        "rebind a key",
    ] {
        let row = start.iter().find(|line| line.starts_with(&format!("| **{wanted}** |")));
        assert!(row.is_some_and(|row| row.contains("](")), "{wanted}");
    }
}

/// As hosts of repositories make one of a heading.
fn anchor(heading: &str) -> String {
    let words = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = words
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.collect::<String>().replace(' ', "-")
}

fn documents() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = fs::read_dir(root.join("docs")).expect("there are pages").flatten();
    let pages = pages
        .map(|page| page.path())
        .filter(|path| path.extension().is_some_and(|end| end == "md"));
    let named = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root.join(name));
    pages
        .chain(named)
        .map(|path| (path.clone(), fs::read_to_string(path).expect("it is there")))
        .collect()
}
