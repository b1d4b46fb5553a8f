//! Where a dialog and its parts lie. Clicks and drawing both ask here.

use ratatui::layout::{Constraint, Layout, Margin, Rect};

use super::super::scrollbar::{Extent, ScrollBar};
use super::super::wrap::{width, wrap};
use super::{Around, Ask, Button, HINT_LINES, Part, Stop};

/// A border.
const BORDER: Margin = Margin::new(1, 1);
/// A border, and a free column beside it.
pub(super) const FRAME: Margin = Margin::new(2, 1);
/// Columns of a label, left of its field.
const LABEL: u16 = 9;
/// With a path to type, and without one.
pub(super) const WIDEST: u16 = 76;
pub(super) const SLIM: u16 = 62;
/// Of what is read rather than typed.
pub(super) const BROAD: u16 = 100;
/// Rows of what is read, with its border, however little it is.
pub(super) const FEWEST: u16 = 10;
/// Rows of [`Part::Lines`] that are seen at once, and where there is no room for them.
const LINES: usize = 8;
const FEWEST_LINES: u16 = 2;
/// So many suggestions rather stand below their field than more above it.
const FEW_HINTS: u16 = 3;

pub struct Placed {
    /// With its border.
    pub area: Rect,
    /// Parts that are seen, top to bottom. One that does not fit whole is cut.
    pub parts: Vec<(Part, Rect)>,
    /// Suggestions for the field that has the focus, over what lies below it.
    pub hints: Option<Rect>,
    /// Where parts lie above the buttons, and how many of their rows are seen.
    pub body: (Rect, Extent),
    /// Lines of a list for which there is no room.
    pub hidden: usize,
}

/// In the middle, as high as its parts. Where that is too high, gaps go first, then rows of a list, then what is far from
/// the focus. The buttons always are in sight, and why the last try failed.
pub fn place(ask: &dyn Ask, around: &Around) -> Placed {
    let whole = around.whole;
    let wide = match whole.width {
        narrow @ 0..40 => narrow,
        wide => (wide - 4).min(if ask.places().is_some() { WIDEST } else { SLIM }),
    };
    let text = wide.saturating_sub(4);
    let most = whole.height.saturating_sub(2);
    let choices = std::iter::once(ask.parts(around)).chain(ask.other_parts(around));
    let mut choices: Vec<_> = choices.map(|parts| measured(parts, text)).collect();
    if choices.iter().any(|parts| total(parts) > most) {
        choices.iter_mut().for_each(without_gaps);
    }
    let mut choices = choices.into_iter().map(|parts| fitted(parts, most));
    let (mut parts, last) = choices.next().unwrap_or_default();
    let highest = choices.map(|(other, _)| total(&other)).max();
    let high = total(&parts).max(highest.unwrap_or(0)).min(most);
    // The buttons stay where they are with each choice.
    if let Some(spare) = high.checked_sub(total(&parts)).filter(|spare| *spare > 0) {
        parts.insert(last, (Part::Gap, spare));
    }
    let area = middle(whole, wide, high + 2);
    let inner = area.inner(FRAME);
    let (body, foot) = parts.split_at(last);
    let kept = total(foot).min(inner.height);
    let [above, below] = Layout::vertical([Constraint::Fill(1), Constraint::Length(kept)]).areas(inner);
    let first = first_row(ask, body, above.height);
    let extent = Extent::of_rows(above, first.into(), total(body).into());
    let mut seen = laid(body, above, first);
    seen.extend(laid(foot, below, 0));
    let hints = hints(ask, &seen, whole);
    Placed {
        area,
        parts: seen,
        hints,
        body: (above, extent),
        hidden: hidden_lines(body),
    }
}

fn total(parts: &[(Part, u16)]) -> u16 {
    parts.iter().map(|(_, rows)| *rows).sum()
}

fn without_gaps(parts: &mut Vec<(Part, u16)>) {
    parts.retain(|(part, _)| *part != Part::Gap);
}

/// The parts with their rows.
fn measured(asked: Vec<Part>, text: u16) -> Vec<(Part, u16)> {
    let mut parts: Vec<(Part, u16)> = vec![(Part::Gap, 1)];
    for mut part in asked {
        if let Part::Lines(lines) = &mut part {
            *lines = listed(lines, text);
        }
        let rows = rows(&part, text);
        parts.push((part, rows));
    }
    parts
}

/// With no more rows than there are, and how many of the parts may scroll: those above the buttons.
fn fitted(mut parts: Vec<(Part, u16)>, most: u16) -> (Vec<(Part, u16)>, usize) {
    let over = total(&parts).saturating_sub(most);
    if let Some((_, rows)) = parts.iter_mut().find(|(part, _)| matches!(part, Part::Lines(_))) {
        *rows = rows.saturating_sub(over).max(FEWEST_LINES.min(*rows));
    }
    let stays = |(part, _): &(Part, u16)| matches!(part, Part::Buttons(_) | Part::Warning(_) | Part::Gap);
    let mut last = parts.iter().rposition(|part| !stays(part)).map_or(0, |at| at + 1);
    // A long reason must not take the place of what it is about.
    if total(&parts[last..]) > most / 2 {
        last = parts.len().saturating_sub(1);
    }
    (parts, last)
}

/// The first row that is seen of what lies above the buttons: the focus is in sight, and the first part begins there. A
/// question in which nothing is chosen is read from its top and scrolled.
fn first_row(ask: &dyn Ask, body: &[(Part, u16)], seen: u16) -> u16 {
    let most = total(body).saturating_sub(seen);
    let focused = body.iter().position(|(part, _)| part.stops().contains(&ask.form().at));
    let wanted = match focused {
        Some(at) => total(&body[..=at]).saturating_sub(seen),
        None if !ask.fields().is_empty() => most,
        None if hidden_lines(body) > 0 => 0,
        None => return u16::try_from(ask.form().scroll).unwrap_or(u16::MAX).min(most),
    };
    let mut begins = (0..=body.len()).map(|at| total(&body[..at]));
    begins.find(|row| *row >= wanted).unwrap_or(wanted)
}

/// Lines of a list for which there is no room.
fn hidden_lines(parts: &[(Part, u16)]) -> usize {
    let hidden = |(part, rows): &(Part, u16)| {
        let Part::Lines(lines) = part else {
            return None;
        };
        Some(lines.len().saturating_sub(usize::from(*rows)))
    };
    parts.iter().find_map(hidden).unwrap_or(0)
}

/// The parts in these rows, without so many of the first.
fn laid(parts: &[(Part, u16)], area: Rect, skipped: u16) -> Vec<(Part, Rect)> {
    let (mut skipped, mut y) = (skipped, area.y);
    let mut seen = Vec::new();
    for (part, rows) in parts {
        let cut = skipped.min(*rows);
        skipped -= cut;
        let height = (rows - cut).min(area.bottom() - y);
        if height > 0 {
            seen.push((without(part, cut.into(), area.width.into()), Rect { y, height, ..area }));
        }
        y += height;
    }
    seen
}

/// A text without its first rows.
fn without(part: &Part, cut: usize, wide: usize) -> Part {
    let rest = |words: &String| wrap(words, wide).split_off(cut).join("\n");
    match part {
        part if cut == 0 => part.clone(),
        Part::Words(words) => Part::Words(rest(words)),
        Part::Note(words) => Part::Note(rest(words)),
        Part::Warning(words) => Part::Warning(rest(words)),
        Part::Lines(lines) => Part::Lines(lines[cut.min(lines.len())..].to_vec()),
        Part::Field { .. } | Part::Choice { .. } | Part::Tick { .. } | Part::Gap | Part::Buttons(_) => part.clone(),
    }
}

/// Where suggestions lie: right below their field and above the buttons, or above it where there is no room. Nothing else
/// moves for them.
fn hints(ask: &dyn Ask, parts: &[(Part, Rect)], whole: Rect) -> Option<Rect> {
    let focus = ask.form().at;
    let suggested = ask.suggested(focus)?;
    let count = u16::try_from(suggested.hints().len().min(HINT_LINES)).unwrap_or(0);
    let is_field = |part: &Part| matches!(part, Part::Field { stop, .. } if *stop == focus);
    let (_, field) = parts.iter().find(|(part, _)| is_field(part))?;
    let buttons = parts.iter().find(|(part, _)| matches!(part, Part::Buttons(_)));
    let end = buttons.map_or(whole.bottom(), |(_, area)| area.y);
    let below = end.saturating_sub(field.bottom());
    let above = field.y.saturating_sub(whole.y);
    let (y, height) = match below >= count.min(FEW_HINTS) || below >= above {
        true => (field.bottom(), count.min(below)),
        false => (field.y - count.min(above), count.min(above)),
    };
    let area = Rect {
        y,
        height,
        ..typed(*field)
    };
    (height > 0).then_some(area)
}

/// Lines of a list as rows, each whole: nothing that is decided on is cut off.
fn listed(lines: &[String], text: u16) -> Vec<String> {
    let wrapped = lines.iter().flat_map(|line| {
        let rows = wrap(line, usize::from(text.saturating_sub(2)));
        rows.into_iter()
            .enumerate()
            .map(|(at, row)| format!("{} {row}", if at == 0 { '·' } else { ' ' }))
    });
    wrapped.collect()
}

/// How far a list can be scrolled that is longer than its room, or else a question that is; 0 where there is none.
pub fn most_scrolled(ask: &dyn Ask, around: &Around) -> usize {
    let placed = place(ask, around);
    let (_, body) = placed.body;
    match placed.hidden {
        0 if ask.fields().is_empty() => body.all.saturating_sub(body.seen),
        hidden => hidden,
    }
}

fn rows(part: &Part, text: u16) -> u16 {
    let rows = match part {
        Part::Field { rows, .. } => return *rows,
        Part::Choice { note, .. } => {
            1 + usize::from(!note.is_empty()) * wrap(note, usize::from(text.saturating_sub(LABEL + 2))).len()
        }
        Part::Tick { text: words, .. } => wrap(words, usize::from(text.saturating_sub(4))).len(),
        Part::Words(words) | Part::Note(words) | Part::Warning(words) => wrap(words, text.into()).len(),
        Part::Lines(lines) => lines.len().min(LINES),
        Part::Gap | Part::Buttons(_) => 1,
    };
    u16::try_from(rows).unwrap_or(u16::MAX).min(40)
}

/// The part of a field's row that is typed in.
pub fn typed(row: Rect) -> Rect {
    let label = LABEL.min(row.width / 3);
    // A bar stands between label and text.
    let used = (label + 2).min(row.width);
    Rect {
        x: row.x + used,
        width: row.width - used,
        ..row
    }
}

/// A button where it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedButton {
    pub stop: Stop,
    pub words: &'static str,
    pub area: Rect,
}

pub fn buttons(buttons: &[Button], row: Rect) -> Vec<PlacedButton> {
    let all: usize = buttons.iter().map(|(_, text)| width(text) + 6).sum();
    // Closer together where there is no room.
    let gap = if all > usize::from(row.width) + 2 { 1 } else { 2 };
    let mut x = row.x;
    let mut placed = Vec::new();
    for (stop, text) in buttons {
        let wide = u16::try_from(width(text) + 4).unwrap_or(u16::MAX);
        let area = Rect { x, width: wide, ..row }.intersection(row);
        placed.push(PlacedButton {
            stop: *stop,
            words: text,
            area,
        });
        x = x.saturating_add(wide + gap);
    }
    placed
}

/// Whether they have room in a row of so many columns.
pub fn buttons_fit(buttons: &[Button], wide: u16) -> bool {
    let all: usize = buttons.iter().map(|(_, text)| width(text) + 5).sum();
    all <= usize::from(wide) + 1
}

/// What a click at a place is on.
pub fn hit(ask: &dyn Ask, around: &Around, x: u16, y: u16) -> Hit {
    let placed = place(ask, around);
    if let Some(area) = placed.hints.filter(|area| area.contains((x, y).into())) {
        let chosen = ask.suggested(ask.form().at).and_then(|field| field.list().chosen);
        return Hit::Hint(first_hint(chosen, area.height) + usize::from(y - area.y));
    }
    if !placed.area.contains((x, y).into()) {
        return Hit::Outside;
    }
    for (part, area) in &placed.parts {
        if !area.contains((x, y).into()) {
            continue;
        }
        return match part {
            Part::Buttons(row) => {
                let on = clicked(row, *area, (x, y));
                on.map_or(Hit::Nothing, Hit::Stop)
            }
            Part::Field { stop, .. } | Part::Choice { stop, .. } | Part::Tick { stop, .. } => Hit::Stop(*stop),
            Part::Words(_) | Part::Note(_) | Part::Warning(_) | Part::Lines(_) | Part::Gap => Hit::Nothing,
        };
    }
    Hit::Nothing
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit {
    Outside,
    Nothing,
    Stop(Stop),
    /// A suggestion.
    Hint(usize),
}

/// The first suggestion that is seen, so that the chosen one is.
pub fn first_hint(chosen: Option<usize>, rows: u16) -> usize {
    chosen.map_or(0, |at| (at + 1).saturating_sub(usize::from(rows)))
}

/// Where a list to choose from and its parts lie.
pub struct PlacedList {
    pub area: Rect,
    /// What narrows it is typed here. No row of it where nothing is typed.
    pub typed: Rect,
    pub list: Rect,
}

/// What a click at a list to choose from is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListHit {
    /// This row of all.
    Row(usize),
    /// Its frame, or what is typed.
    Frame,
    Outside,
}

impl PlacedList {
    /// Where this is the first row that is seen.
    pub(super) fn hit(&self, at: (u16, u16), first: usize) -> ListHit {
        if self.list.contains(at.into()) {
            ListHit::Row(first + usize::from(at.1 - self.list.y))
        } else if self.area.contains(at.into()) {
            ListHit::Frame
        } else {
            ListHit::Outside
        }
    }

    /// Rows that are seen at once.
    pub(super) fn rows(&self) -> usize {
        self.list.height.into()
    }

    pub(super) fn bar(&self, first: usize, all: usize) -> ScrollBar {
        ScrollBar::on_frame(self.area, self.list, Extent::of_rows(self.list, first, all))
    }
}

pub fn list(area: Rect, is_typed_in: bool) -> PlacedList {
    let inside = area.inner(BORDER);
    let typed = u16::from(is_typed_in);
    // A free row below what is typed, where there are rows to spare.
    let gap = u16::from(is_typed_in && inside.height > 6);
    let rows = [Constraint::Length(typed), Constraint::Length(gap), Constraint::Fill(1)];
    let [typed, _, list] = Layout::vertical(rows).areas(inside);
    PlacedList {
        area,
        typed: typed.inner(Margin::new(1, 0)),
        list,
    }
}

/// Where the text of a whole output lies.
pub fn output(whole: Rect) -> Rect {
    whole.inner(FRAME)
}

/// Columns of a text that is to be read, whatever its lines.
pub fn read_width(whole: Rect) -> usize {
    whole.width.min(BROAD).saturating_sub(4).into()
}

/// A page over what lies behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedPage {
    /// With its border.
    pub area: Rect,
    /// What of it is written on.
    pub inside: Rect,
}

/// A page in the middle, as high as so many lines.
pub fn page(whole: Rect, lines: usize) -> PlacedPage {
    let high = u16::try_from(lines.saturating_add(2)).unwrap_or(u16::MAX);
    sheet(whole, high.max(FEWEST))
}

fn sheet(whole: Rect, high: u16) -> PlacedPage {
    let area = middle(whole, whole.width.min(BROAD), high);
    let inside = area.inner(FRAME);
    PlacedPage { area, inside }
}

/// Where the parts of a list lie, and those of a question about one of it: servers, and the trash.
pub struct PlacedServers {
    pub area: Rect,
    pub list: Rect,
    /// What is said of the chosen one.
    pub detail: Rect,
    pub text: Rect,
    pub buttons: Rect,
}

/// Below what is to be agreed to.
pub const AGREE: [Button; 2] = [(Stop::No, "Do not start"), (Stop::Yes, "Start it")];

/// Below a deleted chat that is to be deleted for good.
pub const FOR_GOOD: [Button; 2] = [(Stop::No, "Keep it"), (Stop::Yes, "Delete for good")];

/// Below a command that is to be agreed to.
pub const RUN_IT: [Button; 2] = [(Stop::No, "Do not run"), (Stop::Yes, "Run it")];

/// Most of the screen: there may be many.
pub fn servers(whole: Rect) -> PlacedServers {
    parted(sheet(whole, (whole.height * 3 / 4).max(FEWEST)))
}

/// A text of so many lines, above buttons.
pub fn question(whole: Rect, lines: usize) -> PlacedServers {
    let high = u16::try_from(lines.saturating_add(4)).unwrap_or(u16::MAX);
    parted(sheet(whole, high))
}

impl PlacedServers {
    /// Where a list of so many rows is short, what is said of the chosen one has the room that it leaves.
    pub fn with_detail(self, rows: usize, lines: usize) -> PlacedServers {
        let rows_of = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
        let spare = self.list.height.saturating_sub(rows_of(rows));
        let more = rows_of(lines).saturating_sub(self.detail.height).min(spare);
        PlacedServers {
            list: Rect {
                height: self.list.height - more,
                ..self.list
            },
            detail: Rect {
                y: self.detail.y - more,
                height: self.detail.height + more,
                ..self.detail
            },
            ..self
        }
    }
}

fn parted(PlacedPage { area, inside }: PlacedPage) -> PlacedServers {
    let below = (inside.height / 3).min(6);
    let rows = [Constraint::Fill(1), Constraint::Length(1), Constraint::Length(below)];
    let [list, _, detail] = Layout::vertical(rows).areas(area.inner(BORDER));
    let buttons = last_row(inside);
    let text = Rect {
        height: inside.height.saturating_sub(2),
        ..inside
    };
    PlacedServers {
        area,
        list,
        detail: detail.inner(Margin::new(1, 0)),
        text,
        buttons,
    }
}

fn last_row(inside: Rect) -> Rect {
    Rect {
        y: inside.bottom().saturating_sub(1).max(inside.y),
        height: inside.height.min(1),
        ..inside
    }
}

pub(super) fn middle(whole: Rect, wide: u16, high: u16) -> Rect {
    let (wide, high) = (wide.min(whole.width), high.min(whole.height));
    Rect::new(
        whole.x + (whole.width - wide) / 2,
        whole.y + (whole.height - high) / 2,
        wide,
        high,
    )
}

/// The button at a place.
pub(super) fn clicked(buttons_of: &[Button], row: Rect, (x, y): (u16, u16)) -> Option<Stop> {
    let placed = buttons(buttons_of, row);
    let on = placed.into_iter().find(|button| button.area.contains((x, y).into()));
    on.map(|button| button.stop)
}

/// Columns and rows.
pub(super) fn size(area: Rect) -> (usize, usize) {
    (area.width.into(), area.height.into())
}
