//! The one line of a call.

use crate::domain::call::{CallSummary, SummaryWord};
use crate::model::text::one_visible_line;

use super::places::SeenPlaces;

/// Characters; a line has fewer.
const LONGEST: usize = 300;

/// What stands behind a call's sign and name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallLine {
    pub words: String,
    /// They begin with a path, whose end tells more than its beginning.
    pub is_path: bool,
    /// The directory that it is about, where the chat has several.
    pub dir: Option<String>,
}

/// `dir` is what its entry says of where it was made.
pub fn line(summary: &CallSummary, dir: Option<&str>, places: &SeenPlaces) -> CallLine {
    let mut line = CallLine {
        words: String::new(),
        is_path: summary.words.len() == 1 && matches!(summary.words[0], SummaryWord::Path(_)),
        dir: places.label(dir).map(String::from),
    };
    for word in &summary.words {
        match word {
            SummaryWord::Path(path) => {
                let placed = places.path(path);
                let label = places.label(placed.dir.as_deref());
                match (label, &line.dir) {
                    (Some(label), Some(told)) if label != told => {
                        line.words.push_str(&places.whole(path));
                        continue;
                    }
                    (Some(label), None) => line.dir = Some(label.into()),
                    (Some(_) | None, _) => {}
                }
                line.words.push_str(&placed.path);
            }
            SummaryWord::Text(text) => line.words.push_str(&places.text(text)),
        }
    }
    line.words = one_visible_line(&line.words, LONGEST);
    line
}
