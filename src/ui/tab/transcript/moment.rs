//! What the terminal showed at a moment, for reading alone, with a line above that says which moment it is.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::screen::day::day_and_time;
use crate::screen::keymap::{Action, PaneSheet, SheetAction, TranscriptAction};
use crate::screen::layout;
use crate::screen::reading::Reading;
use crate::screen::surface::Surface;
use crate::screen::tab::transcript::data::ShownMoment;
use crate::ui::message::{self, Placeholder};
use crate::ui::scene::Scene;
use crate::ui::terminal::{self, BareScreen};
use crate::ui::text::{clear, inset, put, put_right, row};

pub fn draw(scene: &Scene, moment: &ShownMoment, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    draw_heading(scene, moment, row(area, 0), buf);
    let below = Rect {
        y: area.y + area.height.min(1),
        height: area.height.saturating_sub(1),
        ..area
    };
    match &moment.screen {
        Some(Some(past)) => {
            let place = below.intersection(buf.area);
            let bare = BareScreen {
                crop: layout::crop(&past.screen, place, &Reading::default()),
                screen: past.screen.clone(),
                area: place,
                focused: false,
            };
            terminal::draw(&bare, &Reading::default(), theme, buf);
        }
        Some(None) => {
            let gone = Placeholder {
                headline: "The terminal's record does not go back so far".into(),
                words:
                    "parlour keeps the last megabytes of what a terminal received. What it showed at this moment is \
                        no longer among them, or came before it was recorded."
                        .into(),
                keys: vec![(key(scene), "the transcript")],
                ..Placeholder::default()
            };
            message::draw(&gone, below, theme, buf);
        }
        None => {
            let reading = Placeholder {
                sign: Some(("◌", theme.running)),
                headline: "Reading what the terminal showed".into(),
                ..Placeholder::default()
            };
            message::draw(&reading, below, theme, buf);
        }
    }
}

fn draw_heading(scene: &Scene, moment: &ShownMoment, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    clear(buf, area, theme.toast.info);
    let zone = scene.state.domain.live.facts.zone;
    let day = day_and_time(moment.at, scene.state.domain.now, zone);
    let seconds = zone.wall(moment.at).format(":%S");
    let turn = match moment.turn {
        0 => String::new(),
        turn => format!(", turn {turn}"),
    };
    let line = inset(area, 1);
    let rest = put_right(buf, line, &format!("{} back", key(scene)), theme.toast.info);
    let words = format!("Terminal as it was {day}{seconds}{turn}");
    put(buf, rest, &words, theme.toast.info);
}

fn key(scene: &Scene) -> String {
    let action = SheetAction::Transcript(TranscriptAction::Moment);
    let surface = Surface::Sheet(PaneSheet::Transcript);
    scene.state.keymap.key_at(surface, Action::Sheet(action))
}
