//! What is told of the selected checkpoint.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::model::text::count;
use crate::model::text::{fit_path, visible};
use crate::screen::tab::checkpoints::detail::{DetailRow, rows};
use crate::ui::scene::Scene;
use crate::ui::tab::changes::tree;
use crate::ui::text::{after, inset, put, put_right, row};

pub fn draw(scene: &Scene, area: Rect, buf: &mut Buffer) {
    let top = scene.view.checkpoints.detail_top;
    let height = usize::from(area.height);
    let rows = rows(scene.view, usize::from(area.width));
    for (at, shown) in rows.iter().skip(top).take(height).enumerate() {
        draw_row(scene, shown, inset(row(area, at), 1), buf);
    }
}

fn draw_row(scene: &Scene, shown: &DetailRow<'_>, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    match shown {
        DetailRow::Gap => {}
        DetailRow::Heading(words) => {
            put(buf, area, words, theme.header);
        }
        DetailRow::Words(words) => {
            put(buf, area, words, theme.text);
        }
        DetailRow::Note(words) => {
            put(buf, area, words, theme.dim);
        }
        DetailRow::Project(name, amount) => {
            let rest = put_right(buf, area, &count(amount.files, "file"), theme.dim);
            put(buf, rest, &visible(name), theme.header);
        }
        DetailRow::File(change) => {
            let rest = tree::draw_amount(scene, change, false, area, buf);
            let (sign, style) = tree::sign(scene, change);
            put(buf, rest, sign, style);
            let rest = after(rest, 2);
            let path = visible(&change.path.to_string_lossy());
            put(buf, rest, &fit_path(&path, usize::from(rest.width)), theme.text);
        }
        DetailRow::LeftOut { project, path, why } => {
            let rest = put_right(buf, area, &format!("  {why}"), theme.dim);
            let path = format!("{project}/{}", path.to_string_lossy());
            let path = visible(&path);
            put(buf, rest, &fit_path(&path, usize::from(rest.width)), theme.text);
        }
    }
}
