//! Remarks keep to their lines through edits of real files.

use std::path::Path;
use std::process::Command;

use super::*;

fn at(text: &str, first: u32) -> Anchor {
    anchor(&text.lines().collect::<Vec<_>>(), first, 1).expect("there is such a line")
}

fn placed(anchor: &Anchor, text: &str) -> Option<u32> {
    place(anchor, &text.lines().collect::<Vec<_>>())
}

#[test]
fn a_line_is_found_where_it_moved_to() {
    let text = "fn a() {\n    one();\n}\n\nfn b() {\n    two();\n}\n";
    assert_eq!(placed(&at(text, 6), &format!("// new\n\n{text}")), Some(8));
    assert_eq!(
        placed(&at(text, 7), &format!("// new\n\n{text}")),
        Some(9),
        "a brace, by what is around it"
    );
    assert_eq!(
        placed(&at(text, 6), &text.replace("two()", "three()")),
        None,
        "it was changed"
    );
    assert_eq!(placed(&at(text, 6), ""), None);
}

#[test]
fn a_line_that_may_be_one_of_several_is_outdated() {
    let text = "a\nx\nb\n";
    assert_eq!(placed(&at(text, 2), "a\nx\nx\nb\n"), None);
    let copied = "fn a() {\n    one();\n}\n";
    assert_eq!(placed(&at(copied, 2), &copied.repeat(2)), None);
}

#[test]
fn a_range_is_found_as_a_whole() {
    let lines = ["a", "b", "c", "d", "e"];
    let range = anchor(&lines, 2, 3).expect("it is there");
    assert_eq!(place(&range, &["new", "a", "b", "c", "d", "e"]), Some(3));
    assert_eq!(place(&range, &["a", "b", "new", "c", "d", "e"]), None);
    assert_eq!(anchor(&lines, 5, 2), None);
    assert_eq!(anchor(&lines, 0, 1), None);
    assert_eq!(anchor(&lines, 1, 0), None);
}

#[test]
fn a_remark_on_a_whole_file_keeps_its_lines() {
    let whole = at("x = 1\n", 1);
    assert_eq!(placed(&whole, "x = 1\n"), Some(1));
    assert_eq!(placed(&whole, "import os\nx = 1\ny = 2\n"), Some(2));
    assert_eq!(placed(&whole, "x = 1\nx = 1\n"), None, "either may be meant");
    assert_eq!(placed(&whole, "x = 2\n"), None);
    let lines = ["def a():", "    pass", "", "a()"];
    let range = anchor(&lines, 1, 4).expect("it is there");
    assert_eq!(place(&range, &lines), Some(1));
    assert_eq!(placed(&at("}\n", 1), "}\n"), Some(1));
    assert_eq!(placed(&at("}\n", 1), "fn a() {\n}\n"), None, "any brace");
}

/// What comes later in the history would make other edits of other files.
const UNTIL: &str = "eed34e3a";

/// Of this repository as it was at many moments; where its history is not there, as it is.
fn real_files() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let git = |words: &[&str]| {
        let output = Command::new("git").args(words).current_dir(root).output().ok()?;
        let text = output.status.success().then_some(output.stdout)?;
        String::from_utf8(text).ok()
    };
    let commits = git(&["log", "--format=%h", "-200", UNTIL, "--", "src"]).unwrap_or_default();
    let mut texts = Vec::new();
    for commit in commits.lines().step_by(4) {
        let changed = git(&["diff-tree", "--no-commit-id", "--name-only", "-r", commit]).unwrap_or_default();
        let source = changed.lines().find(|path| path.ends_with(".rs"));
        texts.extend(source.and_then(|path| git(&["show", &format!("{commit}:{path}")])));
    }
    if texts.is_empty() {
        let known = [
            "src/domain/review/anchor.rs",
            "src/model/remark.rs",
            "README.md",
            "Cargo.toml",
        ];
        texts.extend(
            known
                .iter()
                .filter_map(|path| std::fs::read_to_string(root.join(path)).ok()),
        );
    }
    texts.retain(|text| text.lines().count() > 10);
    texts
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }

    fn range(&mut self, length: usize, longest: usize) -> Range<usize> {
        let start = self.below(length);
        start..(start + 1 + self.below(longest)).min(length)
    }
}

/// A line that keeps its name wherever it goes. A copy is another line, and so is one that was changed.
type Named = (usize, String);

fn edit(file: &mut Vec<Named>, random: &mut Random, next: &mut usize) {
    let mut name = || {
        *next += 1;
        *next
    };
    if file.is_empty() {
        return;
    }
    let range = random.range(file.len(), 12);
    let to = random.below(file.len());
    match random.below(6) {
        0 => drop(file.drain(range)),
        1 => {
            let moved: Vec<Named> = file.drain(range).collect();
            let to = to.min(file.len());
            file.splice(to..to, moved);
        }
        2 => {
            let copy: Vec<Named> = file[range].iter().map(|(_, line)| (name(), line.clone())).collect();
            file.splice(to..to, copy);
        }
        3 => {
            let fresh: Vec<Named> = range.map(|n| (name(), format!("    fresh({n});"))).collect();
            file.splice(to..to, fresh);
        }
        4 => {
            for line in &mut file[range] {
                *line = (name(), format!("{} // edited", line.1));
            }
        }
        _ => {
            let common = ["", "}", "    }", "    });", "        }"][random.below(5)];
            file.insert(to, (name(), common.to_owned()));
        }
    }
}

#[test]
fn remarks_are_right_or_outdated_after_500_random_edits_of_real_files() {
    let texts = real_files();
    assert!(!texts.is_empty());
    let (mut random, mut next) = (Random(11), 1_000_000);
    let (mut there, mut found, mut instead) = (0, 0, 0);
    for round in 0..500 {
        let text = &texts[round % texts.len()];
        let mut file: Vec<Named> = text.lines().map(str::to_owned).enumerate().collect();
        let first = random.below(file.len());
        let count = (1 + random.below(3)).min(file.len() - first);
        let names: Vec<usize> = (first..first + count).collect();
        let remark = {
            let lines: Vec<&str> = file.iter().map(|(_, line)| line.as_str()).collect();
            anchor(&lines, first as u32 + 1, count as u32).expect("it is there")
        };
        for _ in 0..=random.below(6) {
            edit(&mut file, &mut random, &mut next);
        }
        let lines: Vec<&str> = file.iter().map(|(_, line)| line.as_str()).collect();
        let is_it = |at: usize| {
            file[at..]
                .iter()
                .map(|(name, _)| *name)
                .take(count)
                .eq(names.iter().copied())
        };
        let truth = (0..file.len()).find(|at| is_it(*at)).map(|at| at as u32 + 1);
        let now = place(&remark, &lines);
        there += u32::from(truth.is_some());
        found += u32::from(now.is_some());
        if now.is_none() || now == truth {
            continue;
        }
        // Where the lines are gone, others that read the same may stand beside what was around them.
        let at = now.expect("it was found") as usize - 1;
        assert!(
            truth.is_none() && likeness(&remark, &lines, at) > 0,
            "round {round}: {remark:?} is at {truth:?}, and was found at {now:?}"
        );
        instead += 1;
    }
    assert!(instead <= 5, "{instead} of 500 stand at lines that only read the same");
    assert!(found * 10 >= there * 7, "{found} of {there} are found again");
}
