//! What came of a search through the files that differ, in words.

use crate::model::text;
use crate::screen::tab::changes::search::{MatchCount, count};
use crate::screen::tab::changes::sought::FoundInFiles;
use crate::screen::view::View;

pub fn told(view: &View, found: &FoundInFiles) -> String {
    let words = match (count(view), &found.files) {
        (None, _) | (_, None) => "searching…".to_string(),
        (Some(MatchCount { all: 0, .. }), _) => "no line has that".to_string(),
        (Some(MatchCount { at, all }), Some(files)) => {
            let (lines, files) = (text::count(all, "line"), text::count(files.len(), "file"));
            match at {
                0 => format!("{lines} in {files}"),
                at => format!("{at} of {lines} in {files}"),
            }
        }
    };
    match found.unread {
        0 => words,
        some => format!("{words}, {} not searched", text::count(some, "file")),
    }
}
