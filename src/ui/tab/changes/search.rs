//! What came of a search through the files that differ, in words.

use crate::screen::tab::changes::search::{MatchCount, count};
use crate::screen::tab::changes::sought::FoundInFiles;
use crate::screen::view::View;

pub fn told(view: &View, found: &FoundInFiles) -> String {
    let words = match (count(view), &found.files) {
        (None, _) | (_, None) => "searching…".to_string(),
        (Some(MatchCount { all: 0, .. }), _) => "no line has that".to_string(),
        (Some(MatchCount { at, all }), Some(files)) => {
            let files = match files.len() {
                1 => "1 file".to_string(),
                many => format!("{many} files"),
            };
            match at {
                0 => format!("{all} lines in {files}"),
                at => format!("{at} of {all} lines in {files}"),
            }
        }
    };
    match found.unread {
        0 => words,
        some => format!("{words}, {some} files not searched"),
    }
}
