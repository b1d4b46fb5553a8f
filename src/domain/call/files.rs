//! The files that a call names, and its edits as a diff that can be taken elsewhere.

use serde_json::Value;

use crate::model::diff::{FileKind, LineKind};
use crate::permission::{Sort, paths_of};

use super::edit;
use super::input::{number, sort};
use super::parts::CallPart;

/// The files that a call reads or changes by name, each once, and the line where it begins where that is said.
pub fn files(tool: &str, input: &Value) -> Vec<(String, Option<u32>)> {
    let mut files: Vec<(String, Option<u32>)> = match sort(tool, input) {
        Sort::Edit | Sort::Write => {
            let (edits, _) = edit::read(input);
            let first =
                |edit: &super::FileEdit| edit.hunks.iter().flat_map(|hunk| &hunk.lines).find_map(|line| line.new);
            edits
                .into_iter()
                .map(|edit| (edit.to.clone().unwrap_or(edit.path.clone()), first(&edit)))
                .collect()
        }
        Sort::Read => {
            let from = number(input, &["start_line", "offset"]).and_then(|line| u32::try_from(line.max(1)).ok());
            paths_of(input).into_iter().map(|path| (path, from)).collect()
        }
        Sort::Bash | Sort::Search | Sort::Fetch | Sort::Task | Sort::Mcp | Sort::Other => Vec::new(),
    };
    files.dedup_by(|one, other| one.0 == other.0);
    files
}

/// All edits among the parts as one text in the form of a diff. Where the lines stand is not known.
pub fn as_diff(parts: &[CallPart]) -> Option<String> {
    let mut text = String::new();
    for part in parts {
        let CallPart::Edit(edit) = part else { continue };
        let to = edit.to.as_ref().unwrap_or(&edit.path);
        let (before, after) = match edit.kind {
            FileKind::Added => ("/dev/null", to.as_str()),
            FileKind::Deleted => (edit.path.as_str(), "/dev/null"),
            FileKind::Modified | FileKind::Renamed | FileKind::Mode | FileKind::Submodule | FileKind::Staged => {
                (edit.path.as_str(), to.as_str())
            }
        };
        text.push_str(&format!("--- {before}\n+++ {after}\n"));
        for hunk in &edit.hunks {
            text.push_str(format!("@@ {}", hunk.heading).trim_end());
            text.push('\n');
            for line in &hunk.lines {
                text.push(match line.kind {
                    LineKind::Context => ' ',
                    LineKind::Removed => '-',
                    LineKind::Added => '+',
                });
                text.push_str(&line.text);
                text.push('\n');
            }
        }
    }
    (!text.is_empty()).then_some(text)
}
