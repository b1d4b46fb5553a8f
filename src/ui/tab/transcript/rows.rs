//! One row of a transcript.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::model::{Status, Timestamp, Zone};
use crate::screen::day::day_and_time;
use crate::screen::keymap::PaneSheet;
use crate::screen::tab::transcript::data::RowSpot;
use crate::screen::tab::transcript::item::TranscriptItem;
use crate::screen::tab::transcript::place::TIMES;
use crate::screen::tab::transcript::row::TranscriptRow;
use crate::screen::tab::transcript::turn::TurnSums;
use crate::screen::wrap::width;
use crate::ui::call;
use crate::ui::piece::{self, RowLook};
use crate::ui::scene::Scene;
use crate::ui::text::{after, but_last, put, put_right};

/// Columns before the pieces of a row: what says that it is selected.
pub const BEFORE: u16 = 1;

pub fn draw(scene: &Scene, spot: RowSpot, area: Rect, buf: &mut Buffer) {
    let transcript = &scene.view.transcript;
    let (Some(item), Some(shown)) = (transcript.items.get(spot.item), transcript.row(spot)) else {
        return;
    };
    let has_keys = scene.view.sheet_with_keys() == Some(PaneSheet::Transcript);
    if transcript.selected == Some(spot.item) && *shown != TranscriptRow::Blank {
        let style = if has_keys {
            scene.theme.accent
        } else {
            scene.theme.border
        };
        put(buf, area, "▌", style);
    }
    let mut body = after(but_last(area, 1), BEFORE);
    if transcript.look.times {
        let times = after(body, body.width.saturating_sub(TIMES));
        body = but_last(body, TIMES);
        if is_first(
            transcript.row(RowSpot {
                row: spot.row.wrapping_sub(1),
                ..spot
            }),
            shown,
        ) {
            let zone = scene.state.domain.live.facts.zone;
            put_right(buf, times, &clock(item.at, zone), scene.theme.dim);
        }
    }
    match shown {
        TranscriptRow::Blank => {}
        TranscriptRow::Turn => draw_turn(scene, item, body, buf),
        TranscriptRow::Text(text) => {
            let look = RowLook {
                needle: transcript.search.sought.as_ref().map(|sought| &sought.needle),
                left: transcript.left_of(spot, text.code),
            };
            piece::draw(scene.theme, text, look, body, buf);
        }
        TranscriptRow::Card => {
            if let Some((card, tool)) = item.tool() {
                // It has a margin of its own.
                let area = Rect {
                    x: area.x,
                    width: body.right() - area.x,
                    ..body
                };
                call::draw_card(scene, card, tool, false, area, buf);
            }
        }
    }
}

/// The first row of an item that holds something.
fn is_first(above: Option<&TranscriptRow>, shown: &TranscriptRow) -> bool {
    !matches!(shown, TranscriptRow::Blank | TranscriptRow::Turn)
        && matches!(above, None | Some(TranscriptRow::Blank | TranscriptRow::Turn))
}

fn clock(at: Timestamp, zone: Zone) -> String {
    zone.wall(at).format("%H:%M").to_string()
}

/// Number, time, how long it took and what it used.
fn draw_turn(scene: &Scene, item: &TranscriptItem, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let transcript = &scene.view.transcript;
    let Some(turn) = transcript.items.turn_of(item) else {
        return;
    };
    let is_last = transcript.items.turns().last() == Some(turn);
    let chat = scene.view.chat.as_ref().filter(|_| is_last);
    let agent = chat.and_then(|chat| scene.state.domain.live.agents.get(chat));
    let runs = agent.is_some_and(|agent| match agent.verdict.status {
        Status::Running(_) | Status::NeedsYou(_) | Status::Retrying(_) => true,
        Status::Starting
        | Status::Idle(_)
        | Status::Error(_)
        | Status::Limited(_)
        | Status::LoggedOut(_)
        | Status::Exited(_)
        | Status::Hibernated
        | Status::Unknown(_) => false,
    });
    let now = scene.state.domain.now;
    let lasted = match runs {
        true => (turn.clock.ms_at(now), turn.clock.waited_at(now)),
        false => (turn.clock.ms(), turn.clock.waited()),
    };
    for x in area.left()..area.right() {
        buf.set_string(x, area.y, "─", theme.border);
    }
    let used = put(buf, after(area, 2), &format!(" {} ", turn.number), theme.header);
    let zone = scene.state.domain.live.facts.zone;
    let mut rest = but_last(after(area, 2 + used), 2);
    let failed = match (turn.has_error, turn.failed) {
        (false, 0) => String::new(),
        (true, 0) => " error ".into(),
        (false, some) => format!(" {some} failed "),
        (true, some) => format!(" error · {some} failed "),
    };
    let began = match zone.wall(turn.began).date() == zone.wall(now).date() {
        true => clock(turn.began, zone),
        false => day_and_time(turn.began, now, zone),
    };
    let room = usize::from(rest.width).saturating_sub(width(&failed) + 4);
    let fits = |words: &[String]| width(&words.join(" · ")) <= room;
    let mut words = sums(turn, lasted, &began);
    // What there is no room for is left out, the last first; of how long it took, first how much of that it waited.
    while words.len() > 2 && !fits(&words) {
        words.pop();
    }
    if !fits(&words) {
        words = sums(turn, (lasted.0 + lasted.1, 0), &began);
        words.truncate(2);
    }
    if !fits(&words) {
        words.truncate(1);
    }
    rest = put_right(buf, rest, &format!(" {} ", words.join(" · ")), theme.dim);
    put_right(buf, rest, &failed, theme.failed);
}

/// A call counts what it waits for its answer. So does the turn, which says how much of it that was.
fn sums(turn: &TurnSums, (worked, waited): (u64, u64), clock: &str) -> Vec<String> {
    let mut words = vec![clock.to_string()];
    let lasted = call::duration(worked + waited);
    match (worked + waited, waited) {
        (..1_000, _) => {}
        (_, ..1_000) => words.push(lasted),
        (_, _) => words.push(format!("{lasted}, {} of it waiting for you", call::duration(waited))),
    }
    match turn.calls {
        0 => {}
        1 => words.push("1 call".into()),
        many => words.push(format!("{many} calls")),
    }
    if turn.input + turn.cached + turn.output > 0 {
        words.push(format!(
            "{} in, {} out",
            tokens(turn.input + turn.cached),
            tokens(turn.output)
        ));
    }
    words
}

/// `940`, `18k`, `1.2M`.
fn tokens(count: u64) -> String {
    match count {
        0..1_000 => count.to_string(),
        1_000..10_000 => format!("{}.{}k", count / 1_000, count % 1_000 / 100),
        10_000..1_000_000 => format!("{}k", count / 1_000),
        _ => format!("{}.{}M", count / 1_000_000, count % 1_000_000 / 100_000),
    }
}
