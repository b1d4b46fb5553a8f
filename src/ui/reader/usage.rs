//! What agents used, in lines: the view that is shown with its place among all, and the line that is read.

use crate::model::usage::short;
use crate::screen::dialog::UsagePage;
use crate::screen::usage::{UsageCells, UsageLine};

use super::super::scene::Scene;
use super::dialog;
use super::page::{ReaderFocus, ReaderPage};

pub(super) fn page(scene: &Scene, page: &UsagePage) -> ReaderPage<'static> {
    let (view, all) = page.place();
    let at = page.scroll.min(page.lines.len().saturating_sub(1));
    let focus = page.lines.get(at).map(said).unwrap_or_default();
    let mut lines: Vec<String> = page.lines.iter().map(said).collect();
    lines.push(dialog::keys(scene));
    ReaderPage {
        title: format!("Usage, {}, {} of {all}", page.tab.title(), view + 1),
        focus: ReaderFocus::words(focus, ""),
        lines,
        at,
    }
}

fn said(line: &UsageLine) -> String {
    match line {
        UsageLine::Heading(words) | UsageLine::Words(words) => words.clone(),
        UsageLine::Head(label) => format!("Table by {}", label.to_lowercase()),
        UsageLine::Row(cells) => in_words(cells),
        UsageLine::Fact(name, words, _) => format!("{name}: {words}"),
        UsageLine::Gap => String::new(),
    }
}

/// A figure far from the name of its column belongs to nothing that is heard.
fn in_words(cells: &UsageCells) -> String {
    let tokens = &cells.tokens;
    let note = match cells.note.is_empty() {
        true => String::new(),
        false => format!(", {}", cells.note),
    };
    format!(
        "{}{note}: {}, {} tokens, {} in, {} out",
        cells.label,
        cells.cost,
        short(tokens.total()),
        short(tokens.input),
        short(tokens.output)
    )
}
