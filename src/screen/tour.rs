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

/// Where what a step is about lies; `None` where it is not on the screen.
pub fn target(view: &View, place: TourPlace) -> Option<Rect> {
    let layout = layout::arrange(view);
    let of_chat = |area: Rect| view.chat.is_some().then_some(area);
    let area = match place {
        TourPlace::Chats => layout.sidebar.map(|bar| bar.area).or(layout.rail),
        TourPlace::Terminal => of_chat(layout.free),
        TourPlace::Header => of_chat(layout.header),
        TourPlace::Tabs => of_chat(layout.rule),
        TourPlace::Cards => layout.inspector.map(|panel| panel.area),
        TourPlace::LastRow => Some(layout.foot),
    };
    area.filter(|area| !area.is_empty())
}

/// What is said stands beside what it is about: at a side where there is room, else in its middle. What is about nothing on
/// the screen stands in the middle of that.
pub fn beside(target: Option<Rect>, whole: Rect) -> Rect {
    let target = target.unwrap_or(whole);
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
