//! One row of a transcript.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use unicode_segmentation::UnicodeSegmentation;

use crate::config::theme::Theme;
use crate::model::diff::LineKind;
use crate::model::{Status, Timestamp, Zone};
use crate::screen::keymap::PaneSheet;
use crate::screen::transcript::data::RowSpot;
use crate::screen::transcript::item::TranscriptItem;
use crate::screen::transcript::place::TIMES;
use crate::screen::transcript::row::{Shade, TextInk, TextRow, TranscriptRow};
use crate::screen::transcript::turn::TurnSums;
use crate::screen::wrap::{grapheme_width, width};

use super::super::scene::Scene;
use super::super::text::{after, but_last, put, put_right};
use super::super::{changes, inspector};

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
    let mut body = after(but_last(area, 1), 1);
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
        TranscriptRow::Text(text) => draw_text(scene, text, body, buf),
        TranscriptRow::Card => {
            if let Some((card, tool)) = item.tool() {
                // It has a margin of its own.
                let area = Rect {
                    x: area.x,
                    width: body.right() - area.x,
                    ..body
                };
                inspector::draw_tool(scene, card, tool, false, area, buf);
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
    let runs = chat.is_some_and(|chat| match scene.state.domain.status(chat) {
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
    let ms = match runs {
        true => scene.state.domain.now.ms_since(turn.began),
        false => turn.ms(),
    };
    for x in area.left()..area.right() {
        buf.set_string(x, area.y, "─", theme.border);
    }
    let used = put(buf, after(area, 2), &format!(" {} ", turn.number), theme.header);
    let zone = scene.state.domain.live.facts.zone;
    let mut rest = but_last(after(area, 2 + used), 2);
    let failed = match turn.failed {
        0 => String::new(),
        some => format!(" {some} failed "),
    };
    // What there is no room for is left out, the last first.
    let mut words = sums(turn, ms, &clock(turn.began, zone));
    while words.len() > 1 && width(&words.join(" · ")) + width(&failed) + 4 > usize::from(rest.width) {
        words.pop();
    }
    rest = put_right(buf, rest, &format!(" {} ", words.join(" · ")), theme.dim);
    put_right(buf, rest, &failed, theme.failed);
}

fn sums(turn: &TurnSums, ms: u64, clock: &str) -> Vec<String> {
    let mut words = vec![clock.to_string()];
    if ms >= 1_000 {
        words.push(inspector::duration(ms));
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

/// Code that is wider than the screen is drawn past the columns that are scrolled away.
fn draw_text(scene: &Scene, text: &TextRow, area: Rect, buf: &mut Buffer) {
    let sought = scene.view.transcript.search.sought.as_ref();
    let whole: String = text.pieces.iter().map(|piece| piece.text.as_str()).collect();
    let found: Vec<Range<usize>> = sought.map_or_else(Vec::new, |sought| sought.needle.places(&whole).collect());
    let held = text.held.unwrap_or(text.pieces.len());
    let mut pen = Pen { area, skip: 0 };
    let mut from = 0;
    for (at, piece) in text.pieces.iter().enumerate() {
        if at == held {
            pen.skip = scene.view.transcript.left;
        }
        let base = style(scene.theme, piece.shade);
        for (part, is_found) in parts(&piece.text, from, &found) {
            let style = if is_found { base.patch(scene.theme.found) } else { base };
            pen.put(buf, part, style);
        }
        from += piece.text.len();
    }
}

/// A piece that begins at this byte of its row, cut where something was found.
fn parts<'t>(piece: &'t str, from: usize, found: &[Range<usize>]) -> Vec<(&'t str, bool)> {
    let (mut parts, mut at) = (Vec::new(), 0);
    for place in found {
        let start = place.start.max(from) - from;
        let end = place.end.saturating_sub(from).min(piece.len());
        if start >= end {
            continue;
        }
        if let (Some(before), Some(within)) = (piece.get(at..start), piece.get(start..end)) {
            parts.extend([(before, false), (within, true)]);
            at = end;
        }
    }
    parts.push((piece.get(at..).unwrap_or_default(), false));
    parts
}

/// Writes from left to right, past the columns that are to be skipped.
struct Pen {
    area: Rect,
    skip: usize,
}

impl Pen {
    fn put(&mut self, buf: &mut Buffer, text: &str, style: Style) {
        let mut text = text;
        if self.skip > 0 {
            let mut end = 0;
            for grapheme in text.graphemes(true) {
                if self.skip == 0 {
                    break;
                }
                self.skip = self.skip.saturating_sub(grapheme_width(grapheme));
                end += grapheme.len();
            }
            text = &text[end..];
        }
        let used = put(buf, self.area, text, style);
        self.area = after(self.area, used);
    }
}

fn style(theme: &Theme, shade: Shade) -> Style {
    let mut style = match shade.ink {
        TextInk::Text => theme.text,
        TextInk::Dim => theme.dim,
        TextInk::Accent => theme.accent,
        TextInk::Heading => theme.header,
        TextInk::Code => theme.syntax.string,
        TextInk::Link => theme.key,
        TextInk::Border => theme.border,
        TextInk::Failed => theme.failed,
        TextInk::Waiting => theme.waiting,
        TextInk::Running => theme.running,
        TextInk::Done => theme.unseen,
        TextInk::Syntax(syntax) => changes::syntax(theme, syntax, LineKind::Context),
    };
    let of = [
        (shade.bold, Modifier::BOLD),
        (shade.italic, Modifier::ITALIC),
        (shade.struck, Modifier::CROSSED_OUT),
    ];
    for (_, modifier) in of.into_iter().filter(|(is_so, _)| *is_so) {
        style = style.add_modifier(modifier);
    }
    style
}
