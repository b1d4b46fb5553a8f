//! The source files.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).expect("the sources can be read").flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => sources(&path, found),
            false if path.extension().is_some_and(|e| e == "rs") => found.push(path),
            false => {}
        }
    }
}

/// Each source file of the program: its path under `src`, its room, its text.
pub fn files() -> Vec<(String, String, String)> {
    files_in("src")
}

pub fn files_in(folder: &str) -> Vec<(String, String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut found = Vec::new();
    sources(&root, &mut found);
    found.sort();
    let read = |path: PathBuf| {
        let name = path
            .strip_prefix(&root)
            .expect("it lies under its root")
            .to_string_lossy()
            .into_owned();
        let room = name.split(['/', '.']).next().unwrap_or_default().to_string();
        (name, room, fs::read_to_string(&path).expect("a source file is text"))
    };
    found.into_iter().map(read).collect()
}

pub fn is_test(name: &str) -> bool {
    name.ends_with("tests.rs") || name.contains("/tests/")
}

pub fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text)
}
