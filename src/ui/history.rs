//! Full text over all transcripts: what is typed, and what was found, newest first, with the words marked.

use std::collections::BTreeSet;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use unicode_segmentation::UnicodeSegmentation;

use crate::domain::call::called;
use crate::domain::chat;
use crate::model::history::{Excerpt, FILTERS, HistoryHit, IndexProgress};
use crate::model::text::one_line;
use crate::screen::day::day_and_time;
use crate::screen::dialog::HistorySearch;
use crate::screen::wrap::{grapheme_width, width};

use super::dialog::draw_frame;
use super::field::{self, Typed};
use super::scene::{CursorAt, Scene};
use super::text::{after, but_last, clear, inset, put, put_right, row};

pub fn draw(scene: &Scene, search: &HistorySearch, whole: Rect, buf: &mut Buffer) -> Option<CursorAt> {
    let theme = scene.theme;
    draw_frame(scene, whole, "Search all transcripts and outputs", buf);
    let placed = HistorySearch::place(whole);
    put(buf, placed.field, ">", theme.accent);
    let typed = Typed {
        area: after(placed.field, 2),
        placeholder: "words, or \"a phrase\"",
        focused: true,
    };
    let cursor = field::draw(&search.field, &typed, theme, buf);
    draw_note(scene, search, after(placed.note, 2), buf);
    let seen = usize::from(placed.list.height / placed.rows).max(1);
    let first = search.first(seen);
    for (line, (at, hit)) in search.rows().enumerate().skip(first).take(seen).enumerate() {
        let top = placed.list.y + u16::try_from(line).unwrap_or(u16::MAX).saturating_mul(placed.rows);
        let area = Rect {
            y: top,
            height: placed.rows,
            ..placed.list
        };
        draw_hit(scene, hit, at == search.at, area.intersection(placed.list), buf);
    }
    if search.is_idle() && search.problem.is_none() {
        draw_filters(scene, placed.list, buf);
    } else if search.count() == 0 {
        let words = match (search.is_reading(), search.problem.is_some()) {
            (_, true) => "",
            (true, false) => "searching…",
            (false, false) if search.page.pending.is_some() => "Nothing in the chats that are in the index by now.",
            (false, false) => "Nothing that was said, run or printed has all of this.",
        };
        let area = after(placed.list, 2);
        put(buf, row(area, 0), words, theme.dim);
        if !words.is_empty() && !search.is_reading() {
            let elsewhere = "A terminal's own text is searched there: v, then /";
            put(buf, row(area, 1), elsewhere, theme.dim);
        }
    }
    draw_foot(scene, search, (first, seen), whole, buf);
    cursor
}

/// What is found here, and by which filters.
fn draw_filters(scene: &Scene, area: Rect, buf: &mut Buffer) {
    let area = after(area, 2);
    let what = "What was said, run or printed in any chat is found here.";
    put(buf, row(area, 0), what, scene.theme.text);
    for (at, (name, words)) in FILTERS.iter().enumerate() {
        let place = row(area, at + 2);
        put(buf, place, name, scene.theme.accent);
        put(buf, after(place, 10), words, scene.theme.dim);
    }
}

/// What may be written, as long as nothing is wrong with what is.
fn draw_note(scene: &Scene, search: &HistorySearch, area: Rect, buf: &mut Buffer) {
    match &search.problem {
        Some(problem) => {
            put(buf, row(area, 0), &problem.cause, scene.theme.failed);
            put(buf, row(area, 1), &problem.hint, scene.theme.failed);
        }
        None if search.is_idle() => {}
        None => {
            let filters: Vec<&str> = FILTERS.iter().map(|(name, _)| *name).collect();
            let filters = format!("filters: {}", filters.join(" "));
            put(buf, area, &filters, scene.theme.dim);
        }
    }
}

fn draw_foot(scene: &Scene, search: &HistorySearch, (first, seen): (usize, usize), whole: Rect, buf: &mut Buffer) {
    let Some(last) = whole.height.checked_sub(1).filter(|last| *last > 0) else {
        return;
    };
    let foot = inset(row(whole, last.into()), 2);
    let count = search.count();
    let below = count.saturating_sub(first + seen);
    let more = if search.page.more.is_some() { "+" } else { "" };
    let rest = match below {
        0 => foot,
        _ => put_right(buf, foot, &format!(" ↓ {below}{more} more "), scene.theme.accent),
    };
    if let Some(progress) = search.page.pending {
        put(buf, rest, &made(progress), scene.theme.waiting);
    } else if count > 0 {
        put(
            buf,
            rest,
            &format!(
                " {} of {count}{more}{} ",
                search.at + 1,
                unsearched(search.page.longer.len())
            ),
            scene.theme.dim,
        );
    }
}

/// A long output is found in as far as it is searched.
fn unsearched(outputs: usize) -> String {
    match outputs {
        0 => String::new(),
        1 => " · 1 output not searched to its end".into(),
        many => format!(" · {many} outputs not searched to their end"),
    }
}

fn made(progress: IndexProgress) -> String {
    format!(" the index is being made: {progress} ")
}

fn draw_hit(scene: &Scene, hit: &HistoryHit, is_chosen: bool, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let domain = &scene.state.domain;
    let (text, dim, mark) = match is_chosen {
        true => (theme.selection, theme.selection, theme.selection.patch(theme.accent)),
        false => (theme.text, theme.dim, theme.accent),
    };
    if is_chosen {
        clear(buf, area, theme.selection);
        for at in 0..usize::from(area.height) {
            put(buf, row(area, at), "▌", theme.accent);
        }
    }
    let inside = after(area, 2);
    let when = day_and_time(hit.at, domain.now, domain.live.facts.zone);
    let rest = but_last(put_right(buf, row(inside, 0), &when, dim), 2);
    let known = domain.disk.chats.get(&hit.chat);
    let name = known.map_or_else(
        || hit.chat.to_string(),
        |known| one_line(chat::label(domain, known), 60),
    );
    let mut what = what(hit);
    if known.is_some_and(|known| known.record.origin.went_back.hides(hit.call.unwrap_or(hit.seq))) {
        what.push_str(", taken back");
    }
    let wide = u16::try_from(crate::screen::wrap::width(&what)).unwrap_or(u16::MAX);
    // What it is stays readable beside a long name.
    let room = but_last(rest, (wide + 2).min(rest.width / 2));
    let used = put(buf, room, &name, if is_chosen { theme.selection } else { theme.header });
    let place = after(rest, used + 2);
    let style = if hit.failed && !is_chosen { theme.failed } else { dim };
    put(buf, place, &what, style);
    for (at, pieces) in rows(
        &hit.excerpt,
        inside.width.into(),
        usize::from(area.height).saturating_sub(1),
    )
    .iter()
    .enumerate()
    {
        let mut place = row(inside, at + 1);
        for (piece, is_marked) in pieces {
            let used = put(buf, place, piece, if *is_marked { mark } else { text });
            place = after(place, used);
        }
    }
}

/// `Bash output, failed`.
fn what(hit: &HistoryHit) -> String {
    let tool = hit
        .tool
        .as_deref()
        .map(|tool| format!("{} ", called(tool)))
        .unwrap_or_default();
    let project = hit
        .project
        .as_deref()
        .map(|project| format!(" in {project}"))
        .unwrap_or_default();
    let failed = if hit.failed { ", failed" } else { "" };
    let places = match hit.places {
        0 | 1 => String::new(),
        many => format!(", in {many} places"),
    };
    format!("{tool}{}{project}{failed}{places}", hit.kind.name())
}

type Pieces = Vec<(String, bool)>;

/// So many rows of it. What stands before a mark is left out as far as more of what was looked for is seen then.
fn rows(excerpt: &Excerpt, wide: usize, high: usize) -> Vec<Pieces> {
    let mut rows = broken(excerpt, wide, 0);
    let mut most = kinds(&rows, high);
    for (from, _) in &excerpt.marks {
        let before = excerpt.text.ceil_char_boundary(from.saturating_sub(wide / 3));
        let others = broken(excerpt, wide, from_word(excerpt, before, *from));
        let seen = kinds(&others, high);
        if seen > most {
            (rows, most) = (others, seen);
        }
    }
    if rows.len() > high
        && let Some(last) = rows.get_mut(high.saturating_sub(1))
    {
        end_cut(last, wide);
    }
    rows.truncate(high);
    rows
}

/// How many different marked words are in the first so many rows.
fn kinds(rows: &[Pieces], high: usize) -> usize {
    let marked = rows.iter().take(high).flatten().filter(|(_, is_marked)| *is_marked);
    let kinds: BTreeSet<String> = marked.map(|(text, _)| text.trim().to_lowercase()).collect();
    kinds.len()
}

/// A row behind which there is more ends with a sign of that, in the place of its last letter if it is full.
fn end_cut(row: &mut Pieces, wide: usize) {
    let used: usize = row.iter().map(|(text, _)| width(text)).sum();
    if used >= wide
        && let Some((text, _)) = row.last_mut()
    {
        text.pop();
    }
    row.push(("…".into(), false));
}

/// From there on to the next beginning of a word, if that is before the mark.
fn from_word(excerpt: &Excerpt, from: usize, mark: usize) -> usize {
    let blank = excerpt.text.get(from..mark).and_then(|before| before.find(' '));
    blank.map_or(from, |blank| from + blank + 1)
}

fn broken(excerpt: &Excerpt, wide: usize, from: usize) -> Vec<Pieces> {
    let mut rows: Vec<Pieces> = vec![Vec::new()];
    let (mut used, mut at) = (0, 0);
    if from > 0 {
        rows[0].push(("…".into(), false));
        used = 1;
    }
    for (piece, is_marked) in excerpt.pieces() {
        for word in piece.split_inclusive(' ') {
            let start = at;
            at += word.len();
            let word = word
                .get(from.saturating_sub(start).min(word.len())..)
                .unwrap_or_default();
            let trimmed: usize = word.trim_end().graphemes(true).map(grapheme_width).sum();
            if used + trimmed > wide && used > 0 && trimmed <= wide {
                rows.push(Vec::new());
                used = 0;
            }
            for grapheme in word.graphemes(true) {
                let columns = grapheme_width(grapheme);
                if used + columns > wide {
                    if grapheme == " " {
                        continue;
                    }
                    rows.push(Vec::new());
                    used = 0;
                }
                used += columns;
                let row = rows.last_mut().expect("there is a row");
                match row.last_mut() {
                    Some((text, marked)) if *marked == is_marked => text.push_str(grapheme),
                    Some(_) | None => row.push((grapheme.to_string(), is_marked)),
                }
            }
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, mark: &str, wide: usize, high: usize) -> Vec<String> {
        let from = text.find(mark).unwrap();
        let excerpt = Excerpt {
            text: text.into(),
            marks: vec![(from, from + mark.len())],
        };
        let piece = |(text, marked): &(String, bool)| if *marked { format!("[{text}]") } else { text.clone() };
        rows(&excerpt, wide, high)
            .iter()
            .map(|row| row.iter().map(piece).collect())
            .collect()
    }

    #[test]
    fn rows_break_at_blanks_and_the_mark_is_seen() {
        assert_eq!(shown("one two three", "two", 8, 2), ["one [two] ", "three"]);
        assert_eq!(shown("one two three four", "four", 8, 1), ["…[four]"]);
        assert_eq!(shown("修复登录", "登录", 5, 2), ["修复", "[登录]"]);
        assert_eq!(shown("abcdefghij", "ij", 4, 3), ["abcd", "efgh", "[ij]"]);
    }
}
