//! One file of two checkpoints, as it is shown: every kind of file and of difference.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::*;
use crate::model::diff::{BinaryContent, DiffBody, FileAsk, FileDiff, Hunk, LineKind, Syntax};
use crate::model::review::FileKind;

fn asked(path: &str, from: &Snapshot, to: &Snapshot) -> FileAsk {
    FileAsk {
        project: "grove".into(),
        before: Some(from.files().tree()),
        after: to.files().tree(),
        path: path.into(),
        from: None,
        context: 3,
        ignore_whitespace: false,
        index: None,
    }
}

impl SavedClone {
    /// A file that is written twice, and its difference.
    fn twice(&self, path: &str, old: &[u8], new: &[u8]) -> FileDiff {
        let (from, to) = (self.write_and_take(path, old), self.write_and_take(path, new));
        self.store.file_diff(&asked(path, &from, &to)).unwrap()
    }

    fn write_and_take(&self, path: &str, content: &[u8]) -> Snapshot {
        fs::write(self.path(path), content).unwrap();
        self.take().snapshot
    }
}

fn hunks(diff: &FileDiff) -> &[Hunk] {
    match &diff.body {
        DiffBody::Lines { hunks, .. } => hunks,
        DiffBody::Binary { .. } | DiffBody::Lfs { .. } | DiffBody::Submodule { .. } | DiffBody::Equal => {
            panic!("{:?}", diff.body)
        }
    }
}

/// With the kinds and the changed words of each line.
fn shown(diff: &FileDiff) -> String {
    let mut text = String::new();
    for hunk in hunks(diff) {
        let ((old, olds), (new, news)) = (hunk.old, hunk.new);
        text += &format!("@@ -{old},{olds} +{new},{news} @@ {}\n", hunk.heading);
        for line in &hunk.lines {
            let number = |number: Option<u32>| number.map_or("-".into(), |number| number.to_string());
            text += &format!("{}/{} ", number(line.old), number(line.new));
            text.push(match line.kind {
                LineKind::Context => ' ',
                LineKind::Removed => '-',
                LineKind::Added => '+',
            });
            let mut start = 0;
            for span in &line.spans {
                let end = span.end as usize;
                let part = &line.text[start..end];
                text += &if span.is_changed {
                    format!("[{part}]")
                } else {
                    part.to_owned()
                };
                start = end;
            }
            text += &line.text[start..];
            text += if line.is_unended { " (unended)\n" } else { "\n" };
        }
    }
    text
}

/// The parts of a shown line with what they are in their language.
fn coloured(diff: &FileDiff, wanted: &str) -> Vec<(String, Syntax)> {
    let mut lines = hunks(diff).iter().flat_map(|hunk| &hunk.lines);
    let line = lines.find(|line| line.text == wanted).expect("it is shown");
    let mut start = 0;
    let part = |span: &crate::model::diff::DiffSpan| {
        let part = line.text[start..span.end as usize].trim().to_owned();
        start = span.end as usize;
        (part, span.syntax)
    };
    let parts = line.spans.iter().map(part);
    parts.filter(|(part, _)| !part.is_empty()).collect()
}

#[test]
fn a_difference_has_numbers_words_and_the_function_that_it_is_in() {
    let saved = SavedClone::new();
    let body: Vec<String> = (1..20).map(|n| format!("    let value_{n} = {n};\n")).collect();
    let old = format!("fn main() {{\n{}}}\n", body.concat());
    let new = old.replace("value_10 = 10", "value_10 = 11");
    let diff = saved.twice("src/main.rs", old.as_bytes(), new.as_bytes());
    insta::assert_snapshot!(shown(&diff), @r"
    @@ -8,7 +8,7 @@ fn main() {
    8/8      let value_7 = 7;
    9/9      let value_8 = 8;
    10/10      let value_9 = 9;
    11/- -    let value_10 = [10];
    -/11 +    let value_10 = [11];
    12/12      let value_11 = 11;
    13/13      let value_12 = 12;
    14/14      let value_13 = 13;
    ");
    assert_eq!(
        coloured(&diff, "    let value_9 = 9;"),
        [
            ("let".into(), Syntax::Keyword),
            ("value_9".into(), Syntax::Plain),
            ("=".into(), Syntax::Operator),
            ("9".into(), Syntax::Number),
            (";".into(), Syntax::Plain),
        ]
    );
}

#[test]
fn a_comment_that_began_far_above_is_known_on_the_side_that_has_it() {
    let saved = SavedClone::new();
    let code: Vec<String> = (0..30).map(|n| format!("call({n});\n")).collect();
    let old = code.concat();
    let new = format!("/*\n{}*/\n", old.replace("call(25)", "call(26)"));
    let diff = saved.twice("page.ts", old.as_bytes(), new.as_bytes());
    assert_eq!(coloured(&diff, "call(24);")[0].1, Syntax::Comment, "as it is now");
    let removed = coloured(&diff, "call(25);");
    assert_eq!(removed[0], ("call".into(), Syntax::Function), "as it was");
}

#[test]
fn languages_are_known_by_extension_name_and_first_line() {
    let saved = SavedClone::new();
    for (path, line, part) in [
        ("a.py", "def run(self):", ("def", Syntax::Keyword)),
        ("a.toml", "name = \"x\"", ("\"x\"", Syntax::String)),
        ("a.tsx", "const x: number = 1", ("const", Syntax::Keyword)),
        ("Makefile", "# all", ("# all", Syntax::Comment)),
        ("Dockerfile", "FROM debian", ("FROM", Syntax::Keyword)),
        ("a.json", "{\"a\": true}", ("true", Syntax::Constant)),
        ("a.go", "func main() {}", ("main", Syntax::Function)),
        ("a.c", "int n = 12;", ("12", Syntax::Number)),
        ("a.rs", "struct Grove;", ("Grove", Syntax::Type)),
    ] {
        let diff = saved.twice(path, b"", format!("{line}\n").as_bytes());
        let parts = coloured(&diff, line);
        assert!(parts.contains(&(part.0.into(), part.1)), "{path}: {parts:?}");
    }
    let diff = saved.twice("tool", b"", b"#!/bin/sh\n# words\n");
    assert_eq!(coloured(&diff, "# words"), [("# words".into(), Syntax::Comment)]);
    let diff = saved.twice("notes.unknown", b"", b"if 1 { }\n");
    assert_eq!(coloured(&diff, "if 1 { }"), [], "a language that nobody knows is plain");
}

#[test]
fn ends_of_lines_and_of_files_are_told() {
    let saved = SavedClone::new();
    let diff = saved.twice("a.txt", b"one\ntwo", b"one\ntwo\nthree");
    insta::assert_snapshot!(shown(&diff), @r"
    @@ -1,2 +1,3 @@ 
    1/1  one
    2/- -two (unended)
    -/2 +two
    -/3 +three (unended)
    ");
    let diff = saved.twice("b.txt", b"one\r\ntwo\r\n", b"one\r\nthree\r\n");
    assert_eq!(hunks(&diff)[0].lines[0].text, "one", "it ends as all lines do");
    let diff = saved.twice("c.txt", b"one\r\ntwo\r\n", b"one\ntwo\n");
    let texts: Vec<&str> = hunks(&diff)[0].lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(texts, ["one\r", "two\r", "one", "two"], "only that differs");
    let diff = saved.twice("d.txt", b"\xff\xfe bad\n", b"\xff good\n");
    assert_eq!(hunks(&diff)[0].lines[1].text, "\u{fffd} good");
}

#[test]
fn white_space_can_be_left_out() {
    let saved = SavedClone::new();
    let from = saved.write_and_take("a.rs", b"fn a() {\nb();\nc();\n}\n");
    let to = saved.write_and_take("a.rs", b"fn a() {\n    b();\n    d();\n}\n");
    let ask = FileAsk {
        ignore_whitespace: true,
        ..asked("a.rs", &from, &to)
    };
    insta::assert_snapshot!(shown(&saved.store.file_diff(&ask).unwrap()), @r"
    @@ -1,4 +1,4 @@ 
    1/1  fn a() {
    2/2      b();
    3/- -[c]();
    -/3 +[    ][d]();
    4/4  }
    ");
}

#[test]
fn every_kind_of_file_is_told() {
    let saved = SavedClone::new();
    let kind = |diff: &FileDiff| (diff.kind, diff.body.clone());
    let text: String = (0..20).map(|n| format!("line {n}\n")).collect();
    let was = saved.write_and_take("old.txt", text.as_bytes());
    fs::rename(saved.path("old.txt"), saved.path("new.txt")).unwrap();
    let now = saved.take().snapshot;
    let gone = saved.store.file_diff(&asked("old.txt", &was, &now)).unwrap();
    assert_eq!((gone.kind, hunks(&gone)[0].old), (FileKind::Deleted, (1, 20)));
    let came = saved.store.file_diff(&asked("new.txt", &was, &now)).unwrap();
    assert_eq!((came.kind, hunks(&came)[0].new), (FileKind::Added, (1, 20)));
    let moved = FileAsk {
        from: Some("old.txt".into()),
        ..asked("new.txt", &was, &now)
    };
    let moved = saved.store.file_diff(&moved).unwrap();
    assert_eq!(kind(&moved), (FileKind::Renamed, DiffBody::Equal));

    fs::set_permissions(saved.path("new.txt"), fs::Permissions::from_mode(0o755)).unwrap();
    let program = saved.take().snapshot;
    let mode = saved.store.file_diff(&asked("new.txt", &now, &program)).unwrap();
    assert_eq!(kind(&mode), (FileKind::Mode, DiffBody::Equal));

    let binary = saved.twice("image.png", b"\x89PNG\0\0", b"\x89PNG\0\0\0\0");
    let side = |bytes| Some(BinaryContent { bytes, image: None });
    let sizes = DiffBody::Binary {
        before: side(6),
        after: side(8),
    };
    assert_eq!(kind(&binary), (FileKind::Modified, sizes));

    let nested = saved.clone.0.join("nested");
    fs::create_dir(&nested).unwrap();
    let nested = Repo(nested);
    nested.git(&["init", "-q"]);
    let commit = nested.commit("a", "a\n");
    let with = saved.take().snapshot;
    let submodule = saved.store.file_diff(&asked("nested", &program, &with)).unwrap();
    let commits = DiffBody::Submodule {
        before: None,
        after: Some(commit),
    };
    assert_eq!(kind(&submodule), (FileKind::Submodule, commits));

    std::os::unix::fs::symlink("a\u{1b}[31m", saved.path("link")).unwrap();
    let linked = saved.take().snapshot;
    let link = saved.store.file_diff(&asked("link", &with, &linked)).unwrap();
    assert_eq!(
        hunks(&link)[0].lines[0].text,
        "a\u{1b}[31m",
        "it is drawn as cells, never written"
    );

    let error = saved.store.file_diff(&asked("nothing", &with, &linked)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "nothing cannot be opened: neither of the two states has such a file"
    );
    let forgotten = FileAsk {
        after: "0123456789012345678901234567890123456789".into(),
        ..asked("link", &with, &linked)
    };
    let error = saved.store.file_diff(&forgotten).unwrap_err();
    assert_eq!(error.to_string(), "that state is not kept any more");
}

#[test]
fn long_lines_and_long_differences_are_cut() {
    let saved = SavedClone::new();
    let long = "ä".repeat(100_000);
    let diff = saved.twice("long.js", b"", format!("{long}\nlet x = 1\n").as_bytes());
    let lines = &hunks(&diff)[0].lines;
    assert_eq!(lines[0].text, format!("{}…", "ä".repeat(2_000)));
    assert!(lines[0].spans.is_empty(), "it is plain");
    assert_eq!(coloured(&diff, "let x = 1")[0], ("let".into(), Syntax::Keyword));

    let many: String = (0..25_000).map(|n| format!("{n}\n")).collect();
    let diff = saved.twice("many.txt", b"", many.as_bytes());
    let DiffBody::Lines { hunks, cut } = &diff.body else {
        panic!("{:?}", diff.body);
    };
    assert_eq!((hunks[0].lines.len(), *cut), (20_000, 5_000));
}

#[test]
fn the_patch_of_one_file_is_one_that_git_takes() {
    let saved = SavedClone::new();
    saved.write("other.txt", "old\n");
    saved.clone.git(&["add", "-A"]);
    saved.clone.git(&["commit", "-q", "-m", "all"]);
    let from = saved.write_and_take("a[1].txt", b"one\ntwo\n");
    saved.write("other.txt", "new\n");
    let to = saved.write_and_take("a[1].txt", b"one\n2");
    let patch = saved.store.file_patch(&asked("a[1].txt", &from, &to), "").unwrap();
    assert!(!patch.contains("other"), "{patch}");
    saved.write("a[1].txt", "one\ntwo\n");
    let file = saved.home.user().join("one.patch");
    fs::write(&file, patch).unwrap();
    saved.clone.git(&["apply", file.to_str().unwrap()]);
    assert_eq!(saved.text("a[1].txt"), "one\n2");
    let prefixed = saved
        .store
        .file_patch(&asked("a[1].txt", &from, &to), "grove/")
        .unwrap();
    assert!(prefixed.contains("+++ b/grove/a[1].txt"), "{prefixed}");
    assert!(!Path::new(&prefixed).is_absolute());
}
