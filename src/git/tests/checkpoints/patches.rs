//! Patches of what was chosen, which the real git applies.

use std::fs;

use super::*;
use crate::model::diff::FileAsk;
use crate::model::pick::PickedPart;
use crate::model::search::Needle;

impl SavedClone {
    fn asked(&self, path: &str) -> FileAsk {
        let cancel = CancelFlag::default();
        let now = self.store.now(&self.dir(), &self.options(&[], &cancel)).unwrap();
        self.store
            .uncommitted(&self.dir(), &now, ("grove", path.as_ref()))
            .unwrap()
    }

    /// Applies it to the last commit; what git says of the clone then.
    fn applied(&self, path: &str, parts: &[PickedPart]) -> String {
        let patch = self.store.chosen_patch(&self.asked(path), parts).unwrap();
        let place = self.clone.0.parent().unwrap().join("chosen.patch");
        fs::write(&place, &patch).unwrap();
        self.clone.git(&["reset", "-q", "--hard"]);
        self.clone.git(&["clean", "-qfd"]);
        self.clone.git(&["apply", "--index", place.to_str().unwrap()]);
        self.clone.git(&["status", "--porcelain"])
    }
}

fn hunk(hunk: usize) -> PickedPart {
    PickedPart { hunk, lines: None }
}

fn numbered(changed: &[usize]) -> String {
    let line = |number: usize| match changed.contains(&number) {
        true => format!("changed {number}\n"),
        false => format!("line {number}\n"),
    };
    (1..=60).map(line).collect()
}

#[test]
fn one_hunk_of_several_and_all_of_a_file_are_applied_by_git() {
    let saved = SavedClone::new();
    saved.write("many.txt", &numbered(&[]));
    saved.clone.git(&["add", "-A"]);
    saved.clone.git(&["commit", "-q", "-m", "many"]);
    saved.write("many.txt", &numbered(&[5, 30, 55]));
    assert_eq!(saved.applied("many.txt", &[hunk(1)]), "M  many.txt");
    assert_eq!(saved.text("many.txt"), numbered(&[30]));
    saved.write("many.txt", &numbered(&[5, 30, 55]));
    let line = PickedPart {
        hunk: 0,
        lines: Some((4, 4)),
    };
    saved.applied("many.txt", &[line]);
    assert_eq!(saved.text("many.txt").lines().count(), 61, "the added line alone");
    saved.clone.git(&["reset", "-q", "--hard"]);
    saved.write("many.txt", &numbered(&[5, 30, 55]));
    assert_eq!(saved.applied("many.txt", &[]), "M  many.txt");
    assert_eq!(saved.text("many.txt"), numbered(&[5, 30, 55]));
}

#[test]
fn added_deleted_renamed_and_binary_files_are_applied_by_git() {
    let saved = SavedClone::new();
    saved.write("old.txt", &numbered(&[]));
    saved.write("gone.txt", &numbered(&[]));
    fs::write(saved.path("image.bin"), [0, 1, 2, 255]).unwrap();
    saved.clone.git(&["add", "-A"]);
    saved.clone.git(&["commit", "-q", "-m", "all"]);
    let rename = || {
        fs::remove_file(saved.path("old.txt")).unwrap();
        saved.write("new.txt", &numbered(&[5, 55]));
    };
    rename();
    assert_eq!(saved.applied("new.txt", &[hunk(1)]), "R  old.txt -> new.txt");
    assert_eq!(saved.text("new.txt"), numbered(&[55]));
    saved.clone.git(&["reset", "-q", "--hard"]);
    saved.write("fresh.txt", "a\nb");
    assert_eq!(saved.applied("fresh.txt", &[hunk(0)]), "A  fresh.txt");
    assert_eq!(saved.text("fresh.txt"), "a\nb");
    saved.clone.git(&["reset", "-q", "--hard"]);
    fs::remove_file(saved.path("gone.txt")).unwrap();
    assert_eq!(saved.applied("gone.txt", &[hunk(0)]), "D  gone.txt");
    saved.clone.git(&["reset", "-q", "--hard"]);
    fs::write(saved.path("image.bin"), [0, 1, 3, 255, 7]).unwrap();
    assert_eq!(saved.applied("image.bin", &[]), "M  image.bin");
    assert_eq!(fs::read(saved.path("image.bin")).unwrap(), [0, 1, 3, 255, 7]);
}

#[test]
fn a_search_counts_the_lines_that_are_shown() {
    let saved = SavedClone::new();
    saved.write("many.txt", &numbered(&[]));
    saved.clone.git(&["add", "-A"]);
    saved.clone.git(&["commit", "-q", "-m", "many"]);
    saved.write("many.txt", &numbered(&[5, 30]));
    let ask = saved.asked("many.txt");
    let count = |words: &str| saved.store.found_lines(&ask, &Needle::of(words).unwrap()).unwrap();
    assert_eq!(count("changed"), 2);
    assert_eq!(count("LINE 5"), 0);
    assert_eq!(count("line 5"), 1, "the removed one; 50 is not shown");
    assert_eq!(count("line"), 2 + 2 * 6, "with three lines around each change");
}
