//! The tour of the screen: it is begun here, and here is said where each of its steps points.

use ratatui::layout::Rect;

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::Requester;
use crate::domain::work::{ChatThen, ChatWork};
use crate::model::ClientId;

use super::dialog::{Tour, TourPlace};
use super::state::State;
use super::view::View;
use super::{dialogs, layout};

/// Columns and rows of what is said of a step, with its border.
const WIDE: u16 = 46;
const HIGH: u16 = 9;

/// Begins it. It is not offered again, however soon it is left.
pub fn open(state: &mut State, client: ClientId) -> Vec<Effect> {
    let mut effects = dialogs::open(state, client, Tour::default());
    if !std::mem::replace(&mut state.domain.disk.tour_seen, true) {
        let requester = Requester::screen(client);
        effects.extend(chat::work(
            &mut state.domain,
            requester,
            ChatThen::TourSeen,
            ChatWork::TourSeen,
        ));
    }
    effects
}

/// Where what a step is about lies, or would.
pub fn target(view: &View, place: TourPlace) -> Rect {
    let layout = layout::arrange(view);
    let right = Rect {
        x: layout.free.x + layout.free.width / 2,
        width: layout.free.width - layout.free.width / 2,
        ..layout.free
    };
    match place {
        TourPlace::Chats => layout
            .sidebar
            .map(|bar| bar.area)
            .or(layout.rail)
            .unwrap_or(layout.free),
        TourPlace::Terminal => layout.free,
        TourPlace::Header => layout.header,
        TourPlace::Tabs => layout.rule,
        TourPlace::Cards => layout.inspector.map_or(right, |panel| panel.area),
        TourPlace::LastRow => layout.foot,
    }
}

/// What is said stands beside what it is about: at a side where there is room, else in its middle.
pub fn beside(target: Rect, whole: Rect) -> Rect {
    let (width, height) = (WIDE.min(whole.width), HIGH.min(whole.height));
    let middle_x = (target.x + target.width / 2).saturating_sub(width / 2);
    let middle_y = (target.y + target.height / 2).saturating_sub(height / 2);
    let (x, y) = if target.right() + width <= whole.right() {
        (target.right(), middle_y)
    } else if target.x >= whole.x + width {
        (target.x - width, middle_y)
    } else if target.bottom() + height <= whole.bottom() {
        (middle_x, target.bottom())
    } else if target.y >= whole.y + height {
        (middle_x, target.y - height)
    } else {
        (middle_x, middle_y)
    };
    Rect {
        x: x.min(whole.right() - width).max(whole.x),
        y: y.min(whole.bottom() - height).max(whole.y),
        width,
        height,
    }
}
