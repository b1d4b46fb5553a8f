//! A few calm lines in the middle of an empty place: what this is, and what to do.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::config::theme::Theme;
use crate::screen::wrap::{width, wrap};

use super::text::{after, put, put_middle, row, shown};

/// What the place says: a headline, words, and keys with what they do.
#[derive(Default)]
pub struct Placeholder {
    pub sign: Option<(&'static str, Style)>,
    pub headline: String,
    pub words: String,
    pub keys: Vec<(String, &'static str)>,
}

pub fn draw(message: &Placeholder, area: Rect, theme: &Theme, buf: &mut Buffer) {
    let wide = usize::from(area.width.saturating_sub(4).min(64));
    let lines = |text: &str| {
        if text.is_empty() {
            Vec::new()
        } else {
            balanced(&shown(text), wide)
        }
    };
    let headline = match message.sign {
        Some((shape, _)) => format!("{shape} {}", message.headline),
        None => message.headline.clone(),
    };
    let style = message.sign.map_or(theme.header, |(_, style)| style);
    let blocks = [(lines(&headline), style), (lines(&message.words), theme.dim)];
    let above: usize = blocks
        .iter()
        .filter(|(lines, _)| !lines.is_empty())
        .map(|(lines, _)| lines.len() + 1)
        .sum();
    let mut at = usize::from(area.height).saturating_sub(above + message.keys.len()) / 2;
    for (lines, style) in blocks.iter().filter(|(lines, _)| !lines.is_empty()) {
        for line in lines {
            put_middle(buf, row(area, at), line, *style);
            at += 1;
        }
        at += 1;
    }
    // Keys in a column of their own, all of it in the middle.
    let keys = message.keys.iter().map(|(key, _)| width(key)).max().unwrap_or(0);
    let titles = message.keys.iter().map(|(_, title)| width(title)).max().unwrap_or(0);
    let indent = usize::from(area.width).saturating_sub(keys + 2 + titles) / 2;
    for (key, title) in &message.keys {
        let line = after(row(area, at), u16::try_from(indent + keys - width(key)).unwrap_or(0));
        let used = put(buf, line, key, theme.key);
        put(buf, after(line, used + 2), title, theme.text);
        at += 1;
    }
}

/// No word stands alone in the last line: then all lines are about as long as each other.
fn balanced(text: &str, most: usize) -> Vec<String> {
    let lines = wrap(text, most);
    let is_alone = lines.len() > 1 && lines.last().is_some_and(|last| width(last) < most / 4);
    let narrower = || (most / 2..most).map(|wide| wrap(text, wide));
    match is_alone {
        true => narrower().find(|narrow| narrow.len() == lines.len()).unwrap_or(lines),
        false => lines,
    }
}
