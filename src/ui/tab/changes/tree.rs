//! The files that differ.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::model::in_place::Uncompared;
use crate::model::review::{FileChange, FileKind, StageState};
use crate::model::text::{fit_path, visible};
use crate::screen::tab::changes::ChangesPart;
use crate::screen::tab::changes::place::has_keys;
use crate::screen::tab::changes::remarks::open_count;
use crate::screen::tab::changes::tree::{TreeRow, bar, rows};
use crate::ui::scene::Scene;
use crate::ui::scrollbar;
use crate::ui::text::{after, clear, inset, put, put_right, row};

pub fn draw(scene: &Scene, area: Rect, buf: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let changes = &scene.view.changes;
    let rows = rows(changes);
    let height = usize::from(area.height);
    for (at, line) in rows.iter().skip(changes.tree.top).take(height).enumerate() {
        let place = row(area, at);
        let is_selected = changes.tree.selected.as_ref() == Some(line.key());
        if is_selected && has_keys(scene.view, ChangesPart::Files) {
            clear(buf, place, scene.theme.selection);
        }
        draw_row(scene, line, is_selected, place, buf);
    }
    if let Some(bar) = bar(scene.view) {
        scrollbar::draw(scene, &bar, buf);
    }
}

fn draw_row(scene: &Scene, line: &TreeRow<'_>, is_selected: bool, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let is_lit = is_selected && has_keys(scene.view, ChangesPart::Files);
    let over = |style: Style| if is_lit { theme.selection } else { style };
    let fold = |is_folded: bool| if is_folded { "▸" } else { "▾" };
    let area = inset(area, 1);
    match line {
        TreeRow::Project { key, clone, is_folded } => {
            let files = clone.files.len();
            let count = match &clone.left_out {
                None => files.to_string(),
                Some(Uncompared::Untracked { files: more }) => format!("{files} of {}", files + more),
                Some(Uncompared::Omitted { paths }) => format!("{files}, {} left out", paths.len()),
                Some(Uncompared::NoRepository) => "no repository".into(),
                Some(Uncompared::Unreadable { .. }) => "not readable".into(),
            };
            let rest = put_right(buf, area, &format!(" {count}"), over(theme.dim));
            let sign = if clone.files.is_empty() { " " } else { fold(*is_folded) };
            let name = format!("{sign} {}", visible(&key.project));
            let used = put(buf, rest, &name, over(theme.header));
            if clone.in_place && !clone.left_out.as_ref().is_some_and(Uncompared::is_all) {
                put(buf, after(rest, used), " in place", over(theme.dim));
            }
        }
        TreeRow::Dir { key, within, is_folded } => {
            let path = visible(&key.path.to_string_lossy());
            let mut rest = area;
            if *is_folded {
                rest = draw_counts(scene, (within.added, within.removed), is_lit, rest, buf);
                let remarks = within
                    .keys
                    .iter()
                    .map(|key| open_count(&scene.view.changes, key))
                    .sum::<usize>();
                if remarks > 0 {
                    rest = put_right(buf, rest, &format!(" ✎{remarks}"), over(theme.accent));
                }
                let count = match within.keys.len() {
                    1 => " 1 file".to_owned(),
                    many => format!(" {many} files"),
                };
                rest = put_right(buf, rest, &count, over(theme.dim));
                let mark = match within.staged() {
                    Some(StageState::Yes) => " ●",
                    Some(StageState::Partly) => " ◐",
                    Some(StageState::Conflict) => " ×",
                    Some(StageState::No) | None => "",
                };
                rest = put_right(buf, rest, mark, over(theme.idle));
            }
            let most = usize::from(rest.width).saturating_sub(2);
            let name = format!("{} {}", fold(*is_folded), fit_path(&path, most));
            put(buf, rest, &name, over(theme.dim));
        }
        TreeRow::File { key, change } => {
            let is_viewed = scene.view.changes.is_viewed(key, change);
            let name = key.path.file_name().unwrap_or(key.path.as_os_str()).to_string_lossy();
            let (sign, style) = sign(scene, change);
            let mut rest = draw_amount(scene, change, is_lit, area, buf);
            let found = scene.view.changes.search.lines_of(key);
            if found > 0 {
                rest = put_right(buf, rest, &format!(" {found} "), over(theme.found));
            }
            let rest = match open_count(&scene.view.changes, key) {
                0 => rest,
                some => put_right(buf, rest, &format!(" ✎{some}"), over(theme.accent)),
            };
            let (mark, colour) = match change.index.as_ref().map(|index| index.staged) {
                Some(StageState::Yes) => ("●", theme.idle),
                Some(StageState::Partly) => ("◐", theme.idle),
                Some(StageState::Conflict) => ("×", theme.diff.removed),
                Some(StageState::No) | None if is_viewed => ("✓", theme.idle),
                Some(StageState::No) | None => (" ", theme.idle),
            };
            put(buf, rest, mark, over(colour));
            let rest = after(rest, 2);
            put(buf, rest, sign, over(style));
            let text = if is_viewed { theme.dim } else { theme.text };
            let text = if is_selected && !is_lit { theme.accent } else { text };
            put(buf, after(rest, 2), &name, over(text));
        }
    }
}

/// At the right, as far as there is something to say; what is left of the row is told.
pub(in crate::ui) fn draw_amount(
    scene: &Scene,
    change: &FileChange,
    is_lit: bool,
    area: Rect,
    buf: &mut Buffer,
) -> Rect {
    let theme = scene.theme;
    let over = |style: Style| if is_lit { theme.selection } else { style };
    let words = match change.kind {
        _ if change.is_in_conflict() => "in conflict",
        FileKind::Mode => "mode",
        FileKind::Submodule => "submodule",
        FileKind::Staged => "in the index",
        _ if change.binary => "binary",
        FileKind::Added | FileKind::Deleted | FileKind::Modified | FileKind::Renamed => "",
    };
    if !words.is_empty() {
        return put_right(buf, area, &format!(" {words}"), over(theme.dim));
    }
    draw_counts(scene, (change.added, change.removed), is_lit, area, buf)
}

fn draw_counts(scene: &Scene, (added, removed): (usize, usize), is_lit: bool, area: Rect, buf: &mut Buffer) -> Rect {
    let theme = scene.theme;
    let over = |style: Style| if is_lit { theme.selection } else { style };
    let mut rest = area;
    if removed > 0 {
        rest = put_right(buf, rest, &format!(" −{removed}"), over(theme.diff.removed));
    }
    if added > 0 {
        rest = put_right(buf, rest, &format!(" +{added}"), over(theme.diff.added));
    }
    rest
}

/// The letter that git uses for it.
pub(in crate::ui) fn sign(scene: &Scene, change: &FileChange) -> (&'static str, Style) {
    let theme = scene.theme;
    match change.kind {
        FileKind::Added => ("A", theme.diff.added),
        FileKind::Deleted => ("D", theme.diff.removed),
        FileKind::Renamed => ("R", theme.accent),
        FileKind::Modified | FileKind::Mode | FileKind::Submodule | FileKind::Staged => ("M", theme.dim),
    }
}
