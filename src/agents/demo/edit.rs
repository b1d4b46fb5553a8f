//! What the demo agent changes in a repository: a function and its test where there is a Rust library, else a note.

use std::path::{Path, PathBuf};

use crate::fs::Dir;

/// Larger files are not what a demonstration should touch.
const MOST_BYTES: u64 = 1 << 20;

/// An addition at a file's end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DemoEdit {
    pub file: PathBuf,
    pub before: String,
    pub added: String,
    /// What was added, in words.
    pub what: String,
}

impl DemoEdit {
    /// Chooses file and text; nothing is written.
    pub fn plan(clone: &Path, slug: &str) -> Result<DemoEdit, String> {
        let dir = Dir::open(clone).map_err(|e| e.to_string())?;
        let text = |file: &str| {
            let bytes = dir.read(file, MOST_BYTES).map_err(|e| e.to_string())?;
            bytes
                .map(String::from_utf8)
                .transpose()
                .map_err(|_| format!("{file} is not text"))
        };
        if let Some(before) = text("src/lib.rs")? {
            let name = free_name(&before, slug);
            return Ok(DemoEdit {
                file: "src/lib.rs".into(),
                added: function(&before, &name),
                what: format!("a function `{name}` and its test"),
                before,
            });
        }
        let file = match text("README.md")? {
            Some(_) => "README.md",
            None => "NOTES.md",
        };
        let before = text(file)?.unwrap_or_default();
        let gap = if before.is_empty() { "" } else { "\n" };
        let added = format!("{gap}## {slug}\n\nA note by parlour's demo agent, which is scripted.\n");
        Ok(DemoEdit {
            file: file.into(),
            added,
            what: "a note".into(),
            before,
        })
    }

    pub fn write(&self, clone: &Path) -> Result<(), String> {
        let dir = Dir::open(clone).map_err(|e| e.to_string())?;
        let after = format!("{}{}", self.before, self.added);
        dir.write_atomic(&self.file, after).map_err(|e| e.to_string())
    }

    /// The last line that stays and the new ones, as a diff has them.
    pub fn diff(&self) -> Vec<String> {
        let context = self.before.lines().last().map(|line| format!(" {line}"));
        let added = self.added.lines().map(|line| format!("+{line}"));
        context.into_iter().chain(added).collect()
    }
}

/// Never a keyword, and never a digit first, whatever the prompt was.
fn free_name(before: &str, slug: &str) -> String {
    let what = slug.strip_prefix("count-").unwrap_or(slug);
    let name = format!("count_{}", what.replace('-', "_"));
    let is_taken = |name: &str| before.contains(&format!("fn {name}("));
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    std::iter::once(name.clone())
        .chain(numbered)
        .find(|name| !is_taken(name))
        .expect("numbers do not run out")
}

fn function(before: &str, name: &str) -> String {
    let gap = if before.is_empty() { "" } else { "\n" };
    format!(
        r#"{gap}/// Counts the words that are not empty. Written by parlour's demo agent, which is scripted.
pub fn {name}(words: &[&str]) -> usize {{
    words.iter().filter(|word| !word.is_empty()).count()
}}

#[cfg(test)]
mod {name}_tests {{
    #[test]
    fn empty_words_do_not_count() {{
        assert_eq!(super::{name}(&["one", "", "two"]), 2);
    }}
}}
"#
    )
}
