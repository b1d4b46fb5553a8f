//! How large the terminal of a chat would be if a person went to it now: so large its agent is started, before anybody looks.

use crate::domain::event::Size;
use crate::domain::size::FirstSizes;

use super::super::grid::tiles::body;
use super::super::view::View;
use super::{LEAST_INSPECTOR, RAIL, ROOM_FOR_INSPECTOR, ROOMY, beside_pane, is_drawer, pane_size, rows_above, sidebar};

/// Of the terminals of chats that are gone to in this view.
pub fn first_sizes(view: &View) -> FirstSizes {
    FirstSizes {
        agent: size(view, Of::Agent),
        shell: size(view, Of::Shell),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Agent,
    Shell,
}

fn size(view: &View, of: Of) -> Size {
    if view.over.reader.is_some() {
        return pane_size(view);
    }
    let body = body(view.size);
    if view.zoomed && view.chat.is_some() {
        return Size {
            cols: body.width,
            rows: body.height,
        };
    }
    let railed = match is_drawer(view, body) && !view.sidebar.hidden {
        true => RAIL,
        false => 0,
    };
    let left = sidebar(view, body)
        .filter(|bar| !bar.over)
        .map_or(railed, |bar| bar.area.width);
    let (header, rule) = rows_above(body.height);
    let (cols, rows) = (body.width - left, body.height - header - rule);
    let is_halved = view.transcript.look.beside && view.size.cols >= ROOMY;
    let usual = view.size.cols >= ROOMY && !is_halved && of == Of::Agent;
    let is_beside = view.size.cols >= ROOM_FOR_INSPECTOR && rows >= 3 && view.inspector.wanted.unwrap_or(usual);
    let inspector = if is_beside { beside_pane(view, cols) } else { 0 };
    let cols = match inspector {
        ..LEAST_INSPECTOR => cols,
        wide => cols - wide,
    };
    let cols = if is_halved { cols.saturating_sub(1) / 2 } else { cols };
    Size { cols, rows }
}
