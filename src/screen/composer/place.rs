//! Where the parts of the composer are.

use ratatui::layout::{Constraint, Layout, Rect};

use super::super::broken;
use super::super::view::View;
use super::super::wrap::wrap;
use super::chip::QueuedChip;
use super::data::ComposerView;
use super::offers::{Completion, NamedOffer};

/// Rows of the field at most.
const TALLEST: u16 = 6;
/// Offers at once.
const OFFERS: usize = 6;
/// Chips at once, and below which height of the tab there is one alone.
const CHIPS: usize = 3;
const ROOM_FOR_CHIPS: u16 = 20;
/// Rows of what went wrong.
const PROBLEM: usize = 3;
/// Columns before the text.
pub const MARGIN: u16 = 3;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ComposerAreas {
    /// The line between it and the transcript.
    pub rule: Rect,
    pub chips: Rect,
    pub problem: Rect,
    /// What an `@` may name.
    pub offers: Rect,
    pub field: Rect,
}

/// How many rows it takes at the foot of a tab.
pub fn height(view: &View, tab: Rect) -> u16 {
    let composer = &view.composer;
    let field = field_rows(composer, tab.width, tab.height / 3);
    1 + chip_rows(composer, tab.height)
        + rows(problem(composer, tab.width).len())
        + offer_rows(composer, tab.height)
        + field
}

/// `whole` is its part of the tab.
pub fn areas(composer: &ComposerView, whole: Rect, tab: Rect) -> ComposerAreas {
    let rows = [
        Constraint::Length(whole.height.min(1)),
        Constraint::Length(chip_rows(composer, tab.height)),
        Constraint::Length(rows(problem(composer, whole.width).len())),
        Constraint::Length(offer_rows(composer, tab.height)),
        Constraint::Min(1),
    ];
    let [rule, chips, problem, offers, field] = Layout::vertical(rows).areas(whole);
    ComposerAreas {
        rule,
        chips,
        problem,
        offers,
        field,
    }
}

/// The chips in sight: those around the one that is chosen, else the first.
pub fn chips_in_sight(composer: &ComposerView, area: Rect) -> &[QueuedChip] {
    let high = usize::from(area.height);
    let chips = &composer.chips;
    let chosen = composer.chosen.as_ref();
    let at = chips.iter().position(|chip| Some(&chip.id) == chosen).unwrap_or(0);
    let first = (at + 1).saturating_sub(high).min(chips.len());
    &chips[first..(first + high).min(chips.len())]
}

pub fn chip_at(composer: &ComposerView, (whole, tab): (Rect, Rect), (x, y): (u16, u16)) -> Option<&QueuedChip> {
    let area = areas(composer, whole, tab).chips;
    let row = y.checked_sub(area.y).filter(|_| area.contains((x, y).into()))?;
    chips_in_sight(composer, area).get(usize::from(row))
}

/// The offers in sight, with the place of the first among all.
pub fn offers_in_sight(completion: &Completion, area: Rect) -> impl Iterator<Item = (usize, &NamedOffer)> {
    let high = usize::from(area.height);
    let first = (completion.at + 1).saturating_sub(high);
    completion.offers().enumerate().skip(first).take(high)
}

fn offer_rows(composer: &ComposerView, tab: u16) -> u16 {
    let most = if tab < ROOM_FOR_CHIPS { 3 } else { OFFERS };
    let offers = composer
        .completion
        .as_ref()
        .map_or(0, |completion| completion.offers().take(most).count());
    rows(offers)
}

fn chip_rows(composer: &ComposerView, tab: u16) -> u16 {
    let most = if tab < ROOM_FOR_CHIPS { 1 } else { CHIPS };
    rows(composer.chips.len().min(most))
}

/// What went wrong, in lines.
pub fn problem(composer: &ComposerView, wide: u16) -> Vec<String> {
    let wide = usize::from(wide.saturating_sub(MARGIN + 1));
    let mut lines = composer
        .problem
        .as_ref()
        .map_or_else(Vec::new, |problem| wrap(&problem.to_string(), wide));
    lines.truncate(PROBLEM);
    lines
}

/// As high as what it holds, as far as there is room.
fn field_rows(composer: &ComposerView, wide: u16, most: u16) -> u16 {
    let most = most.clamp(1, TALLEST);
    let wide = usize::from(wide.saturating_sub(MARGIN));
    rows(broken::count(&composer.field, wide, most.into()))
}

fn rows(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}
