//! Which other chats this one conflicts with, and in which files.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::domain::keep::radar::{Clash, clashes};
use crate::model::text::visible;
use crate::screen::wrap::width;
use crate::ui::scene::Scene;
use crate::ui::text::{after, clear, inset, put, put_right, row};

/// One a row. What has no row of its own is counted.
pub fn draw(scene: &Scene, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    clear(buf, area, theme.background.patch(theme.text));
    let domain = &scene.state.domain;
    let chat = scene.view.chat.as_ref().and_then(|chat| domain.disk.chats.get(chat));
    let Some(chat) = chat else {
        return;
    };
    let all: Vec<Clash<'_>> = clashes(domain, chat.id()).collect();
    let rows = usize::from(area.height);
    for (at, clash) in all.iter().take(rows).enumerate() {
        let mut place = inset(row(area, at), 1);
        if at + 1 == rows && all.len() > rows {
            place = put_right(buf, place, &format!(" +{} more", all.len() - rows), theme.waiting);
        }
        let file = |path: &String| match chat.projects.len() {
            0 | 1 => visible(path),
            _ => format!("{}/{}", visible(clash.project), visible(path)),
        };
        let files = clash.files.iter().map(file).collect::<Vec<_>>().join(", ");
        let mut who = format!("× conflicts with {}: ", clash.with);
        if width(&who) + width(&files) > usize::from(place.width) {
            who = format!("× {}: ", clash.with);
        }
        let used = put(buf, place, &who, theme.waiting);
        put(buf, after(place, used), &files, theme.text);
    }
}
