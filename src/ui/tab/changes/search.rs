//! The row in which one types what to search for, and reads what came of it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::screen::tab::changes::search::count;
use crate::ui::field;
use crate::ui::scene::Scene;
use crate::ui::text::{inset, put, put_right};

pub fn draw(scene: &Scene, area: Rect, buf: &mut Buffer) {
    let area = inset(area, 1);
    let (theme, search) = (scene.theme, &scene.view.changes.search);
    if let Some(typing) = &search.typing {
        let (words, style) = field::searched(typing, (theme.accent, theme.dim));
        put(buf, area, &words, style);
        return;
    }
    let Some(sought) = &search.sought else {
        return;
    };
    let words = match (count(scene.view), &sought.files) {
        (None, _) | (_, None) => "searching…".to_string(),
        (Some((_, 0)), _) => "no line has that".to_string(),
        (Some((at, all)), Some(files)) => {
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
    let unread = match sought.unread {
        0 => String::new(),
        some => format!(", {some} files not searched"),
    };
    let rest = put_right(buf, area, &format!("{words}{unread}"), theme.dim);
    put(buf, rest, &format!("/{}", sought.words), theme.accent);
}
