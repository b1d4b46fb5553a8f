//! The lines of one file: one below the other, or before and after side by side.

use std::path::Path;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::line_pen::LinePen;
use super::remark;
use crate::config::theme::{self, Theme};
use crate::model::bytes::in_words;
use crate::model::diff::{BinaryContent, DiffBody, DiffLine, FileDiff, FileKind, Hunk, LineKind, Syntax};
use crate::model::text::{fit_path, visible};
use crate::screen::keymap::{Action, ChangesAction, SheetAction};
use crate::screen::tab::changes::folds;
use crate::screen::tab::changes::in_place;
use crate::screen::tab::changes::lines::{DiffRow, digits, hunks};
use crate::screen::tab::changes::place::{self, ChangesAreas, has_keys};
use crate::screen::tab::changes::{ChangesPart, FileKey};
use crate::screen::wrap::wrap;
use crate::ui::scene::Scene;
use crate::ui::scrollbar;
use crate::ui::text::{after, below, clear, inset, put, put_right, row, up_to};

/// What is said of a file that differs in the index alone.
const STAGED: &str = "This file is as the last commit has it, but something else is staged, which the next commit would take: \
    `git diff --cached` shows it. Staging the file here makes the index like the file.";

pub fn draw(scene: &Scene, areas: &ChangesAreas, buf: &mut Buffer) {
    if areas.name.is_empty() {
        return;
    }
    let changes = &scene.view.changes;
    let Some((key, change)) = changes.selected() else {
        return draw_folder(scene, areas, buf);
    };
    draw_name(scene, key, change.from.as_deref(), areas.name, buf);
    let is_it = |file: &&FileDiff| file.ask.project == key.project && file.ask.path == key.path;
    let Some(file) = changes.file.as_ref().filter(is_it) else {
        return;
    };
    let rows = place::rows(scene.view);
    let mut room = areas.lines;
    if let Some(words) = without_lines(file) {
        let inside = inset(room, 2);
        let words = wrap(&words, inside.width.into());
        for (at, words) in words.iter().enumerate() {
            put(buf, row(inside, at + 1), words, scene.theme.dim);
        }
        let above = room.height.min(u16::try_from(words.len() + 2).unwrap_or(u16::MAX));
        room = below(room, above.into());
    }
    let high = usize::from(room.height);
    for (at, row_of) in rows.iter().enumerate().skip(changes.place.top).take(high) {
        let is_chosen = match changes.range {
            Some(from) => (from.min(changes.place.row)..=from.max(changes.place.row)).contains(&at),
            None => at == changes.place.row,
        };
        let is_here = is_chosen && has_keys(scene.view, ChangesPart::Lines);
        let area = row(room, at - changes.place.top);
        draw_row(scene, file, *row_of, is_here, area, buf);
    }
    scrollbar::draw(scene, &place::lines_bar(scene.view, room, rows.len()), buf);
    if let DiffBody::Lines { cut, .. } = &file.body
        && *cut > 0
        && changes.place.top + high >= rows.len()
    {
        let words = match cut {
            1 => " 1 more line is not shown: `parlour diff` prints it ".into(),
            cut => format!(" {cut} more lines are not shown: `parlour diff` prints them "),
        };
        put_right(buf, row(room, high.saturating_sub(1)), &words, scene.theme.accent);
    }
}

/// What is said of a clone, a place or a directory.
fn draw_folder(scene: &Scene, areas: &ChangesAreas, buf: &mut Buffer) {
    let changes = &scene.view.changes;
    let Some(key) = &changes.tree.selected else {
        return;
    };
    let place = in_place::selected(changes).filter(|_| key.path.as_os_str().is_empty());
    if place.is_none_or(|place| !place.files.is_empty()) {
        let open = Action::Sheet(SheetAction::Changes(ChangesAction::Open));
        let words = format!("{} folds and unfolds it.", scene.state.keymap.key(open));
        put(buf, inset(areas.name, 1), &words, scene.theme.dim);
    }
    let all = changes.overview.iter().flat_map(|overview| &overview.changes);
    let mut whole = all.filter(|project| project.project == key.project && key.path.as_os_str().is_empty());
    let left_out = whole.find_map(|project| Some(project.left_out.as_ref()?.told(&project.project)));
    let room = inset(areas.lines, 1);
    for (at, words) in left_out
        .iter()
        .flat_map(|words| wrap(words, room.width.into()))
        .enumerate()
    {
        put(buf, row(room, at), &words, scene.theme.dim);
    }
}

/// Of a file that was renamed, both names.
fn draw_name(scene: &Scene, key: &FileKey, from: Option<&Path>, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let area = inset(area, 1);
    let look = scene.view.changes.look;
    let mut notes = Vec::new();
    if look.ignore_whitespace {
        notes.push("white space ignored");
    }
    let rest = put_right(buf, area, &notes.join(", "), theme.dim);
    let path = match from.filter(|from| *from != key.path) {
        None => format!("{}/{}", key.project, key.path.to_string_lossy()),
        Some(from) => {
            let stays = from.parent() == key.path.parent();
            let to = key.path.file_name().filter(|_| stays).unwrap_or(key.path.as_os_str());
            format!("{}/{} → {}", key.project, from.to_string_lossy(), to.to_string_lossy())
        }
    };
    let path = visible(&path);
    put(buf, rest, &fit_path(&path, usize::from(rest.width)), theme.accent);
}

/// What is said of a file that has no lines to show.
fn without_lines(file: &FileDiff) -> Option<String> {
    let nothing = || "nothing".to_owned();
    let lfs = |bytes: &Option<u64>| bytes.map_or_else(nothing, size);
    let content = |content: &Option<BinaryContent>| content.as_ref().map_or_else(nothing, binary);
    let commit = |commit: &Option<String>| {
        commit
            .as_ref()
            .map_or("nothing".into(), |id| id.chars().take(12).collect())
    };
    match &file.body {
        DiffBody::Binary { before, after } => {
            let is_image = [before, after].into_iter().flatten().any(|side| side.image.is_some());
            let what = if is_image { "Image" } else { "Binary" };
            Some(format!("{what}: {} → {}", content(before), content(after)))
        }
        DiffBody::Lfs { before, after } => Some(format!("Kept by git LFS: {} → {}", lfs(before), lfs(after))),
        DiffBody::Submodule { before, after } => {
            let (before, after): (String, String) = (commit(before), commit(after));
            Some(format!("Submodule: {before} → {after}"))
        }
        DiffBody::Equal if file.kind == FileKind::Staged => Some(STAGED.into()),
        DiffBody::Equal => Some("The content is the same; its name or its permission bits changed.".into()),
        DiffBody::Lines { hunks, .. } if hunks.is_empty() => Some(match file.kind {
            FileKind::Added => "A new file without content.".into(),
            FileKind::Deleted => "It had no content.".into(),
            _ => "Only white space differs.".into(),
        }),
        DiffBody::Lines { .. } => None,
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        1 => "1 byte".into(),
        0..10_000 => format!("{bytes} bytes"),
        _ => format!("{} ({bytes} bytes)", in_words(bytes)),
    }
}

fn binary(content: &BinaryContent) -> String {
    let size = size(content.bytes);
    match &content.image {
        Some(image) => format!("{} {} × {}, {size}", image.kind, image.width, image.height),
        None => size,
    }
}

fn draw_row(scene: &Scene, file: &FileDiff, shown: DiffRow, is_here: bool, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    if let DiffRow::Remark(_, number, line) = shown {
        return remark::draw(scene, (number, line), is_here, area, buf);
    }
    let hunk = &hunks(file)[shown.hunk()];
    let digits = digits(file);
    match shown {
        DiffRow::Remark(..) => {}
        DiffRow::Hunk(_) => draw_hunk(scene, file, hunk, is_here, area, buf),
        DiffRow::Line(_, line) => {
            let line = &hunk.lines[line];
            let rest = draw_number(theme, line.old, digits, area, buf);
            let rest = draw_number(theme, line.new, digits, rest, buf);
            draw_line(scene, line, is_here, rest, buf);
        }
        DiffRow::Pair(_, before, after_it) => {
            let half = area.width / 2;
            let left = up_to(area, half.saturating_sub(1));
            let right = after(area, half);
            for (line, is_old, area) in [(before, true, left), (after_it, false, right)] {
                let Some(line) = line.map(|line| &hunk.lines[line]) else {
                    continue;
                };
                let number = if is_old { line.old } else { line.new };
                let rest = draw_number(theme, number, digits, area, buf);
                draw_line(scene, line, is_here, rest, buf);
            }
        }
    }
}

fn draw_hunk(scene: &Scene, file: &FileDiff, hunk: &Hunk, is_here: bool, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let style = if is_here { theme.selection } else { theme.dim };
    if is_here {
        clear(buf, area, style);
    }
    let place = format!("@@ line {} @@ {}", hunk.new.0.max(1), hunk.heading);
    let mut area = inset(area, 1);
    if scene.view.changes.folds.is_folded(file, hunk) {
        let (added, removed) = folds::amount(hunk);
        let over = |shade: Style| if is_here { theme.selection } else { shade };
        area = put_right(buf, area, &format!(" −{removed}"), over(theme.diff.removed));
        area = put_right(buf, area, &format!(" +{added}"), over(theme.diff.added));
        put(buf, area, "▸", style);
        area = after(area, 2);
    }
    put(buf, area, &place, style);
}

fn draw_number(theme: &Theme, number: Option<u32>, digits: usize, area: Rect, buf: &mut Buffer) -> Rect {
    let number = number.map_or(String::new(), |number| number.to_string());
    put(buf, area, &format!("{number:>digits$} "), theme.dim);
    after(area, u16::try_from(digits + 1).unwrap_or(u16::MAX))
}

fn draw_line(scene: &Scene, line: &DiffLine, is_here: bool, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let (sign, ground) = match line.kind {
        LineKind::Context => (" ", Style::new()),
        LineKind::Removed => ("-", theme.diff.removed_ground),
        LineKind::Added => ("+", theme.diff.added_ground),
    };
    let mark = match line.kind {
        LineKind::Context => theme.text,
        LineKind::Removed => theme.diff.removed,
        LineKind::Added => theme.diff.added,
    };
    let base = if is_here { theme.selection } else { ground };
    buf.set_style(area, base);
    put(buf, area, sign, mark.patch(base));
    if line.is_staged && area.x > 0 {
        let gap = Rect {
            x: area.x - 1,
            width: 1,
            ..area
        };
        put(buf, gap, "●", theme.idle);
    }
    let left = scene.view.changes.place.left;
    let mut pen = LinePen::new(after(area, 1), left, line);
    let found = scene.view.changes.search.sought.as_ref();
    let found: Vec<_> = found.map_or_else(Vec::new, |sought| sought.needle.places(&line.text).collect());
    let mut from = 0;
    for span in &line.spans {
        let to = usize::try_from(span.end).unwrap_or(usize::MAX).min(line.text.len());
        let Some(piece) = line.text.get(from..to) else {
            break;
        };
        let mut style = syntax(theme, span.syntax, line.kind).patch(base);
        if span.is_changed && !is_here {
            style = match line.kind {
                LineKind::Added => style.patch(theme.diff.added_word),
                LineKind::Removed => style.patch(theme.diff.removed_word),
                LineKind::Context => style,
            };
        } else if span.is_changed {
            style = style.add_modifier(Modifier::UNDERLINED);
        }
        pen.write_found(buf, (piece, from), &found, (style, theme.found));
        from = to;
    }
    let rest = line.text.get(from..).unwrap_or_default();
    let plain = syntax(theme, Syntax::Plain, line.kind).patch(base);
    pen.write_found(buf, (rest, from), &found, (plain, theme.found));
    if line.is_unended {
        pen.write(buf, " ⏎̸ no line end", theme::over(theme.dim, base.bg));
    }
    pen.end(buf, theme::over(theme.dim, base.bg));
}

/// The colour of a word: that of its kind, on the ground of its line.
pub(in crate::ui) fn syntax(theme: &Theme, syntax: Syntax, line: LineKind) -> Style {
    let plain = match line {
        LineKind::Context => theme.text,
        // Without grounds, as with sixteen colours, the words tell what happened to the line.
        LineKind::Added if theme.diff.added_ground.bg.is_none() => theme.diff.added,
        LineKind::Removed if theme.diff.removed_ground.bg.is_none() => theme.diff.removed,
        LineKind::Added | LineKind::Removed => theme.text,
    };
    match syntax {
        Syntax::Plain => plain,
        Syntax::Comment => theme.syntax.comment,
        Syntax::Keyword => theme.syntax.keyword,
        Syntax::String => theme.syntax.string,
        Syntax::Number | Syntax::Constant => theme.syntax.number,
        Syntax::Function => theme.syntax.function,
        Syntax::Type => theme.syntax.type_name,
        Syntax::Operator => plain,
    }
}
