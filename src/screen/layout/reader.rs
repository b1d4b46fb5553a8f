//! Where things are in screen-reader mode.

use ratatui::layout::Rect;

use super::super::reader::place;
use super::super::view::View;
use super::parts::{Bar, Layout, Panel};

/// In screen-reader mode one surface is shown at a time, and each is laid out in all that there is for lines. Only the
/// terminal is where it is drawn.
pub(super) fn for_reader(view: &View) -> Layout {
    let whole = place::sheet(view.size);
    let body = Rect {
        height: whole.height.saturating_sub(1),
        ..whole
    };
    let nothing = Rect::new(0, 0, 0, 0);
    let title = Rect {
        height: body.height.min(1),
        ..body
    };
    let below = Rect {
        y: title.bottom(),
        height: body.height - title.height,
        ..body
    };
    let sidebar = Bar {
        area: body,
        title,
        filter: nothing,
        list: below,
        card: nothing,
        border: nothing,
        over: false,
        is_joined: false,
    };
    let panel = Panel {
        area: body,
        title,
        list: below,
        border: nothing,
        over: false,
        takes: 0,
    };
    let has_panel = view.inspector.wanted.unwrap_or(true) && view.chat.is_some();
    Layout {
        whole,
        sidebar: Some(sidebar),
        rail: None,
        header: nothing,
        rule: nothing,
        pane: place::place(view.size).terminal,
        free: body,
        inspector: has_panel.then_some(panel),
        beside: None,
        foot: Rect {
            y: body.bottom(),
            height: whole.height - body.height,
            ..whole
        },
    }
}
