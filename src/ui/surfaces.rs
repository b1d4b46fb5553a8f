//! Which file draws which dialog.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::screen::dialog::Dialog;

use super::scene::{CursorAt, Scene};
use super::{
    approvals, atom, choose, dialog, explain, help, history, log, mend, output, palette, proposed, rename, scrollbar,
    servers, settings, slash, stored, tour, trash, usage, veil,
};

/// An open dialog with its bars, over what lies behind it; says where the cursor is, if something is typed into it.
pub(super) fn draw_dialog(scene: &Scene, open: &Dialog, over: Rect, buf: &mut Buffer) -> Option<CursorAt> {
    let cursor = draw_inside(scene, open, over, buf);
    for bar in open.contract().bars(&scene.around()) {
        scrollbar::draw(scene, &bar, buf);
    }
    cursor
}

fn draw_inside(scene: &Scene, open: &Dialog, over: Rect, buf: &mut Buffer) -> Option<CursorAt> {
    match open {
        Dialog::Help(page) => return help::draw(scene, page, buf),
        Dialog::Tour(step) => tour::draw(scene, step, over, buf),
        Dialog::Log(page) => log::draw(scene, page, over, buf),
        Dialog::Output(page) => return output::draw(scene, page, over, buf),
        Dialog::Rename(name) => return rename::draw(scene, name, buf),
        Dialog::Proposed(proposed) => proposed::draw(scene, proposed, over, buf),
        Dialog::Approvals(queue) => return approvals::draw(scene, queue, over, buf),
        Dialog::Servers(list) => servers::draw(scene, list, over, buf),
        Dialog::Trash(list) => trash::draw(scene, list, over, buf),
        Dialog::Disk(page) => stored::draw(scene, &**page, over, buf),
        Dialog::Setup(page) => stored::draw(scene, &**page, over, buf),
        Dialog::Usage(page) => usage::draw(scene, page, over, buf),
        Dialog::Explain(page) => explain::draw(scene, page, over, buf),
        Dialog::AtomPage(page) => atom::draw(scene, page, over, buf),
        Dialog::History(search) => return history::draw(scene, search, over, buf),
        Dialog::Settings(page) => return settings::draw(scene, page, over, buf),
        Dialog::Palette(palette) => return palette::draw(scene, palette, over, buf),
        Dialog::Mend(menu) => mend::draw(scene, menu, over, buf),
        Dialog::Slash(slash) => return slash::draw(scene, slash, over, buf),
        Dialog::Choose(list) => return choose::draw(scene, list, over, buf),
        Dialog::NewChat(_)
        | Dialog::Project(_)
        | Dialog::Agent(_)
        | Dialog::Export(_)
        | Dialog::Schedule(_)
        | Dialog::Cancel(_)
        | Dialog::Stop(_)
        | Dialog::Revert(_)
        | Dialog::Fork(_)
        | Dialog::Remark(_)
        | Dialog::Todo(_)
        | Dialog::Discard(_)
        | Dialog::BringBack(_)
        | Dialog::Keep(_)
        | Dialog::Delete(_)
        | Dialog::Several(_)
        | Dialog::Template(_)
        | Dialog::AddSetup(_)
        | Dialog::AtomForm(_) => return open.contract().ask().and_then(|ask| dialog::draw(scene, ask, buf)),
    }
    None
}

/// All that lies behind it steps back; behind a step of the tour, all but what that is about.
pub(super) fn draw_veil(scene: &Scene, open: &Dialog, over: Rect, buf: &mut Buffer) {
    // Where a name is typed in its place, all else is to be seen.
    let is_in_place = matches!(open, Dialog::Rename(name) if !rename::is_in_a_box(scene, name));
    if let Dialog::Tour(step) = open {
        tour::veil(scene, step, over, buf);
    } else if !is_in_place {
        veil::draw(scene.theme, over, buf);
    }
}
