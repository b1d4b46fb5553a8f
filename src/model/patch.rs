//! A unified diff of one file or several, as `git diff` and `diff -u` print them.

use diffy::patch_set::{FileMode, FileOperation, ParseOptions, PatchKind, PatchSet};
use diffy::{Hunk, Line, Patch};

use super::text::one_line;

/// Files of one patch.
const MOST: usize = 200;

/// Letters of a line that an error shows.
const SHOWN: usize = 60;

/// What becomes of one file.
pub struct PatchedFile<'p> {
    /// Absent: it is made.
    pub was: Option<String>,
    /// Absent: it is removed.
    pub becomes: Option<String>,
    patch: Patch<'p, str>,
}

/// All changes of a patch, or why it is none.
pub fn parse(text: &str) -> Result<Vec<PatchedFile<'_>>, String> {
    let is_of_git = text.lines().any(|line| line.starts_with("diff --git "));
    let options = match is_of_git {
        true => ParseOptions::gitdiff(),
        false => ParseOptions::unidiff(),
    };
    let mut changes = Vec::new();
    for file in PatchSet::parse(text, options) {
        let file = file.map_err(|error| error.to_string())?;
        let (was, becomes) = match file.operation() {
            FileOperation::Create(path) => (None, Some(without(path, "b/"))),
            FileOperation::Delete(path) => (Some(without(path, "a/")), None),
            FileOperation::Modify { original, modified } => {
                (Some(without(original, "a/")), Some(without(modified, "b/")))
            }
            FileOperation::Rename { from, to } => (Some(from.to_string()), Some(to.to_string())),
            FileOperation::Copy { .. } => return Err("it copies a file, which is not supported".into()),
        };
        for mode in [file.old_mode(), file.new_mode()].into_iter().flatten() {
            match mode {
                FileMode::Regular | FileMode::Executable => {}
                FileMode::Symlink => return Err("it is about a link, and links are neither made nor changed".into()),
                FileMode::Gitlink => return Err("it is about a submodule, which is not supported".into()),
            }
        }
        let PatchKind::Text(patch) = file.into_patch() else {
            return Err("it changes a file that is no text".into());
        };
        if changes.len() == MOST {
            return Err(format!("it changes more than {MOST} files; send it in parts"));
        }
        changes.push(PatchedFile { was, becomes, patch });
    }
    match changes.is_empty() {
        true => Err("it changes no file".into()),
        false => Ok(changes),
    }
}

fn without(path: &str, prefix: &str) -> String {
    path.strip_prefix(prefix).unwrap_or(path).to_string()
}

impl PatchedFile<'_> {
    /// Its file before and after, where there is one.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        [self.was.as_deref(), self.becomes.as_deref()].into_iter().flatten()
    }

    /// The file as it becomes.
    pub fn apply(&self, text: &str) -> Result<String, String> {
        let length = text.lines().count();
        let mut hunks = (1..).zip(self.patch.hunks());
        if let Some((number, hunk)) = hunks.find(|(_, hunk)| !has_place(hunk, length)) {
            let at = hunk.old_range().start();
            return Err(format!(
                "hunk {number} adds lines behind line {at} of {length} without a line that says where"
            ));
        }
        diffy::apply(text, &self.patch).map_err(|error| self.misfit(&error.to_string(), text))
    }

    /// Which hunk does not fit, and what stands where it begins.
    fn misfit(&self, error: &str, text: &str) -> String {
        let number = error.rsplit('#').next().and_then(|number| number.parse::<usize>().ok());
        let hunk = number.and_then(|number| Some((number, self.patch.hunks().get(number.checked_sub(1)?)?)));
        let Some((number, hunk)) = hunk else {
            return error.into();
        };
        let at = hunk.old_range().start().max(1);
        let line = |text: &str| one_line(text, SHOWN);
        let there = text.lines().nth(at - 1);
        let there = there.map_or_else(|| "nothing".into(), |there| format!("`{}`", line(there)));
        match old_lines(hunk).next() {
            Some(wanted) => format!(
                "hunk {number} does not fit at line {at}, nor near it: it begins with `{}`, and there stands {there}",
                line(wanted)
            ),
            None => format!("hunk {number} does not fit at line {at}"),
        }
    }
}

/// As git has it: where lines are only added, they are all of the file or go to its end.
fn has_place(hunk: &Hunk<'_, str>, length: usize) -> bool {
    old_lines(hunk).next().is_some() || hunk.old_range().start() == length
}

/// The lines of the file that it names, kept or not.
fn old_lines<'p>(hunk: &'p Hunk<'_, str>) -> impl Iterator<Item = &'p str> {
    hunk.lines().iter().filter_map(|line| match line {
        Line::Context(text) | Line::Delete(text) => Some(*text),
        Line::Insert(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn both_forms_are_read() {
        let plain = "--- x\n+++ x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n--- /dev/null\n+++ y\n@@ -0,0 +1 @@\n+new\n";
        let changes = parse(plain).unwrap();
        assert_eq!(changes[0].apply("a\nb\n").unwrap(), "a\nc\n");
        assert_eq!(
            (changes[1].was.as_deref(), changes[1].becomes.as_deref()),
            (None, Some("y"))
        );
        let git = "diff --git a/x b/z\nsimilarity index 100%\nrename from x\nrename to z\n\
                   diff --git a/old b/old\ndeleted file mode 100644\n--- a/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n";
        let changes = parse(git).unwrap();
        assert_eq!(changes[0].paths().collect::<Vec<_>>(), ["x", "z"]);
        assert_eq!(changes[0].apply("same\n").unwrap(), "same\n");
        assert_eq!(
            (changes[1].was.as_deref(), changes[1].becomes.as_deref()),
            (Some("old"), None)
        );
    }

    proptest! {
        /// Of a patch that is nearly one, some bytes are others.
        #[test]
        fn no_text_brings_it_down(changes in prop::collection::vec((0..220_usize, "[-+@ a0-9,/\n\\\\]"), 0..8), git: bool) {
            let file = "--- a/x\n+++ b/x\n@@ -1,3 +1,4 @@ f\n a\n-b\n+c\n+d\n e\n\\ No newline at end of file\n";
            let head = "diff --git a/x b/x\nindex 1111111..2222222 100644\n";
            let mut text = match git {
                true => format!("{head}{file}{head}{file}"),
                false => format!("{file}{file}"),
            };
            for (at, put) in changes {
                let at = at.min(text.len() - 1);
                text.replace_range(at..=at, &put);
            }
            for change in parse(&text).into_iter().flatten() {
                // Whether it fits is not the question.
                let _ = (change.apply("a\nb\ne"), change.apply(""));
            }
        }
    }

    #[test]
    fn lines_that_are_only_added_need_a_place() {
        let applied = |patch: &str, text: &str| parse(patch).unwrap()[0].apply(text);
        let first = "--- a/p\n+++ b/p\n@@ -0,0 +1 @@\n+new\n";
        assert_eq!(applied(first, ""), Ok("new\n".into()));
        let refused = applied(first, "one\n").unwrap_err();
        assert!(refused.contains("behind line 0 of 1"), "{refused}");
        let last = "--- a/p\n+++ b/p\n@@ -2,0 +3 @@\n+new\n";
        assert_eq!(applied(last, "one\ntwo\n"), Ok("one\ntwo\nnew\n".into()));
        assert!(applied(last, "one\ntwo\nthree\n").is_err());
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let refused = parse("--- a/x\n+++ b/x\n@@ -2,2 +2,2 @@\n b\n-c\n+d\n").unwrap()[0].apply("a\nx\nc\n");
        let said = "hunk 1 does not fit at line 2, nor near it: it begins with `b`, and there stands `x`";
        assert_eq!(refused.unwrap_err(), said);
        let patch = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-b\n+c\n";
        assert!(parse(patch).unwrap()[0].apply("something else\n").is_err());
        let many: String = (0..=MOST)
            .map(|at| format!("--- /dev/null\n+++ b/{at}\n@@ -0,0 +1 @@\n+x\n"))
            .collect();
        let refused = parse(&many).err().unwrap();
        assert_eq!(refused, "it changes more than 200 files; send it in parts");
        assert_eq!(parse(&many[..many.rfind("---").unwrap()]).unwrap().len(), MOST);
        for (mode, what) in [("120000", "a link"), ("160000", "a submodule")] {
            let link = format!(
                "diff --git a/way b/way\nnew file mode {mode}\n--- /dev/null\n+++ b/way\n@@ -0,0 +1 @@\n+/etc\n\\ No newline at end of file\n"
            );
            assert!(parse(&link).err().unwrap().contains(what), "{mode}");
        }
        for none in ["", "hello", "*** Begin Patch\n*** End Patch\n"] {
            assert!(parse(none).is_err(), "{none}");
        }
    }
}
