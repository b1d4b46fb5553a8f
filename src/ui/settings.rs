//! The settings: sections, the settings of one with their values, and what is to be known of the chosen one.

mod form;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use strum::VariantArray;

use crate::model::setting::{SettingKind, SettingSection, SettingText, SettingsFile};
use crate::permission::Ruling;
use crate::screen::dialog::tables::{SETTINGS, SettingsKey};
use crate::screen::dialog::{
    KeyCatch, SettingChoices, SettingInput, SettingMode, SettingRow, SettingsFocus, SettingsKnown, SettingsPage,
    SettingsPlace,
};
use crate::screen::wrap::{width, wrap};

use super::dialog::draw_frame;
use super::field::{self, Typed};
use super::scene::{CursorAt, Scene};
use super::text::{after, but_last, clear, put, put_right, row, up_to};

/// Columns of names, and where there are many.
const NAME: u16 = 30;
const BROAD_NAME: u16 = 44;
/// From so many columns on a command is listed with where it works.
const BROAD: u16 = 70;
/// What a value keeps, and where there is little room.
const VALUE: u16 = 20;
const LEAST_VALUE: u16 = 14;
/// What a name keeps.
const LEAST_NAME: u16 = 19;
/// Columns behind a name that are no value's: `set`, and what stands between.
const SET: u16 = 5;

pub fn draw(scene: &Scene, page: &SettingsPage, whole: Rect, buf: &mut Buffer) -> Option<CursorAt> {
    let theme = scene.theme;
    draw_frame(scene, whole, "Settings", buf);
    let placed = SettingsPlace::of(whole);
    let placed = match page.mode {
        None => {
            let said = detail(scene, page, placed.detail.width.into());
            placed.with_detail(page.rows().len(), said.len())
        }
        Some(_) => placed,
    };
    draw_sections(scene, page, placed.sections, buf);
    let cursor = draw_search(scene, page, placed.search, buf);
    for x in placed.rule.left()..placed.rule.right() {
        if let Some(cell) = buf.cell_mut((x, placed.rule.y)) {
            cell.set_symbol("─").set_style(theme.border);
        }
    }
    let mut form_cursor = None;
    match (&page.mode, &page.known) {
        (_, None) => drop(put(buf, placed.list, "reading config.json…", theme.dim)),
        (Some(SettingMode::Choose(choices)), Some(_)) => draw_choices(scene, choices, placed.list, buf),
        (Some(SettingMode::Form(form)), Some(_)) => form_cursor = form::draw(scene, form, placed.list, buf),
        (Some(SettingMode::Type(_) | SettingMode::Catch(_)) | None, Some(known)) => {
            draw_rows(scene, (page, known), placed.list, buf);
        }
    }
    match &page.mode {
        Some(SettingMode::Type(input)) => draw_input(scene, input, placed.detail, buf),
        Some(SettingMode::Form(form)) => {
            form::draw_detail(scene, form, (placed.detail, placed.list), buf);
            form_cursor
        }
        Some(SettingMode::Catch(catch)) => {
            draw_catch(scene, catch, placed.detail, buf);
            None
        }
        Some(SettingMode::Choose(_)) | None => {
            draw_detail(scene, page, placed.detail, buf);
            cursor
        }
    }
}

fn draw_sections(scene: &Scene, page: &SettingsPage, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let is_searched = !page.search.is_empty();
    for (at, section) in SettingSection::VARIANTS.iter().enumerate() {
        let place = row(area, at);
        let is_shown = *section == page.section && !is_searched;
        let has_keys = is_shown && page.focus == SettingsFocus::Sections && page.mode.is_none();
        let style = match (is_shown, has_keys) {
            (_, true) => theme.selection,
            (true, false) => theme.accent,
            (false, false) => theme.text,
        };
        if has_keys {
            clear(buf, place, theme.selection);
        }
        // What has the keys has another sign, for whom colours say nothing.
        let sign = match (is_shown, has_keys) {
            (_, true) => "▌",
            (true, false) => "·",
            (false, false) => " ",
        };
        put(buf, place, sign, if has_keys { theme.accent } else { style });
        put(buf, after(place, 2), section.title(), style);
    }
}

fn draw_search(scene: &Scene, page: &SettingsPage, area: Rect, buf: &mut Buffer) -> Option<CursorAt> {
    let theme = scene.theme;
    if !page.is_searching && page.search.is_empty() {
        put(buf, area, page.section.title(), theme.header);
        let words = format!("{} searches all settings", SETTINGS.key(SettingsKey::Search));
        put_right(buf, after(area, 20), &words, theme.dim);
        return None;
    }
    put(buf, area, "/", theme.accent);
    let typed = Typed {
        area: after(area, 2),
        placeholder: "a word of what you look for",
        focused: page.is_searching,
    };
    field::draw(&page.search, &typed, theme, buf)
}

fn draw_rows(scene: &Scene, (page, known): (&SettingsPage, &SettingsKnown), area: Rect, buf: &mut Buffer) {
    let all = page.rows();
    if all.is_empty() {
        put(buf, area, "No setting has these words.", scene.theme.dim);
    }
    let room = usize::from(area.height);
    let first = page.first(room);
    let name = name_width(&all, known, area.width);
    for (line, (at, one)) in all.iter().enumerate().skip(first).take(room).enumerate() {
        let has_keys = at == page.at && page.focus == SettingsFocus::Rows;
        draw_row(scene, (one, known), has_keys, (name, row(area, line)), buf);
    }
}

/// Columns of names: as many as the longest has, as far as values and `set` leave room.
fn name_width(all: &[SettingRow], known: &SettingsKnown, room: u16) -> u16 {
    let parted = || {
        all.iter()
            .filter(|one| !is_alone(one) && !matches!(one, SettingRow::Key(..)))
    };
    let widest = |of: &dyn Fn(&SettingRow) -> usize| {
        let widths = parted().map(of);
        u16::try_from(widths.max().unwrap_or(0)).unwrap_or(u16::MAX)
    };
    let name = widest(&|one| width(&one.label(known)) + usize::from(inset_of(one)));
    let value = widest(&|one| width(&one.value(known))).min(VALUE);
    let usual = if room > BROAD { BROAD_NAME } else { NAME };
    let beside = |value: u16| room.saturating_sub(value + SET);
    // Where both have no room, a name is told apart by more than a few letters.
    let most = match beside(value) {
        most @ LEAST_NAME.. => most,
        _ => beside(value.min(LEAST_VALUE)),
    };
    name.max(usual.min(beside(VALUE))).min(most).max(10)
}

/// It has a name and no value.
fn is_alone(one: &SettingRow) -> bool {
    matches!(one, SettingRow::Add(_) | SettingRow::Try(_))
}

/// Names that begin alike are told apart by their ends: from a dot or a slash on, if that fits.
fn end_of_name(name: &str, room: usize) -> String {
    let skipped = (name.chars().count() + 1).saturating_sub(room);
    if width(name) <= room || skipped == 0 {
        return name.to_owned();
    }
    let ends = name.match_indices(['.', '/']).map(|(at, _)| &name[at + 1..]);
    let whole = ends.into_iter().find(|end| width(end) < room && !end.is_empty());
    match whole {
        Some(end) => format!("…{end}"),
        None => format!("…{}", name.chars().skip(skipped).collect::<String>()),
    }
}

fn inset_of(one: &SettingRow) -> u16 {
    if one.is_part() { 4 } else { 2 }
}

fn draw_row(
    scene: &Scene,
    (one, known): (&SettingRow, &SettingsKnown),
    chosen: bool,
    (name, line): (u16, Rect),
    buf: &mut Buffer,
) {
    let theme = scene.theme;
    let on = |style: Style| match (chosen, theme.selection.bg) {
        (true, Some(_)) => Style {
            bg: theme.selection.bg,
            ..style
        },
        (true, None) => theme.selection,
        (false, _) => style,
    };
    if chosen {
        clear(buf, line, theme.selection);
        put(buf, line, "▌", theme.accent);
    }
    if let SettingRow::Key(_, at) = one {
        return draw_key(scene, (known, *at, one.is_set(known)), chosen, after(line, 2), buf);
    }
    let inset = inset_of(one);
    let label = after(line, inset);
    let plain = if chosen { theme.selection } else { theme.text };
    let label_style = if is_alone(one) { on(theme.dim) } else { plain };
    let room = Rect {
        width: name.saturating_sub(inset),
        ..label
    };
    if is_alone(one) {
        put(buf, label, &one.label(known), label_style);
        return;
    }
    put(
        buf,
        room,
        &end_of_name(&one.label(known), room.width.into()),
        label_style,
    );
    let rest = after(line, name + 1);
    let rest = match one.is_set(known) && !one.is_part() {
        true => put_right(buf, rest, "set", on(theme.dim)),
        false => but_last(rest, 3),
    };
    let style = if one.is_set(known) {
        on(theme.accent)
    } else {
        on(theme.dim)
    };
    put(buf, but_last(rest, 1), &one.value(known), style);
}

/// A command, where it works, and its keys.
fn draw_key(
    scene: &Scene,
    (known, at, is_set): (&SettingsKnown, usize, bool),
    chosen: bool,
    line: Rect,
    buf: &mut Buffer,
) {
    let theme = scene.theme;
    let Some(key) = known.keys.get(at) else { return };
    let style = |plain: Style| if chosen { theme.selection } else { plain };
    let keys = if key.keys.is_empty() { "no key" } else { &key.keys };
    let rest = put_right(buf, line, keys, style(if is_set { theme.accent } else { theme.key }));
    let rest = but_last(rest, 2);
    let rest = match rest.width > BROAD {
        true => but_last(put_right(buf, rest, key.heading, style(theme.dim)), 2),
        false => rest,
    };
    put(buf, rest, key.title, style(theme.text));
}

fn draw_choices(scene: &Scene, choices: &SettingChoices, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let room = usize::from(area.height);
    let first = choices.first(room);
    let words = choices.options.iter().map(|(value, _)| width(choices.word(value)));
    let wide = words.max();
    let wide = u16::try_from(wide.unwrap_or(7)).unwrap_or(20).min(area.width / 2);
    for (line, (at, (value, about))) in choices.options.iter().enumerate().skip(first).take(room).enumerate() {
        let place = row(area, line);
        let chosen = at == choices.at;
        if chosen {
            clear(buf, place, theme.selection);
            put(buf, place, "▌", theme.accent);
        }
        let (plain, dim) = if chosen {
            (theme.selection, theme.selection)
        } else {
            (theme.text, theme.dim)
        };
        let place = after(place, 2);
        put(buf, up_to(place, wide), choices.word(value), plain);
        put(buf, after(place, wide + 2), about, dim);
    }
}

/// What is typed, what it may be, and why it was not kept.
fn draw_input(scene: &Scene, input: &SettingInput, area: Rect, buf: &mut Buffer) -> Option<CursorAt> {
    let theme = scene.theme;
    put(buf, row(area, 0), &input.label, theme.header);
    put(buf, row(area, 1), ">", theme.accent);
    let kind = kind(input);
    let typed = Typed {
        area: after(row(area, 1), 2),
        placeholder: if input.is_tried() { "git push --force" } else { &kind },
        focused: true,
    };
    let cursor = field::draw(&input.field, &typed, theme, buf);
    let (words, style) = said_of(scene, input);
    let about = if input.is_tried() { "" } else { input.setting.about };
    let lines = wrap(&words, area.width.into()).into_iter().map(|line| (line, style));
    let about = wrap(about, area.width.into()).into_iter().map(|line| (line, theme.dim));
    for (at, (line, style)) in lines.chain(about).enumerate() {
        put(buf, row(area, at + 2), &line, style);
    }
    cursor
}

fn kind(input: &SettingInput) -> String {
    match (input.setting.section, input.setting.kind) {
        (SettingSection::Permissions, SettingKind::List(_)) => {
            "a rule, such as Bash(git push:*) or Read(**/.env)".into()
        }
        (_, _) => SettingText::kind(input.setting).replace('`', ""),
    }
}

/// Where a value comes from. Of a file that cannot be read, what was read of it last is in force.
fn source(file: &SettingsFile, is_set: bool) -> &'static str {
    match (is_set, file.broken.is_some()) {
        (false, _) => "the default holds",
        (true, false) => "set in config.json",
        (true, true) => "in force",
    }
}

/// Why it was not kept, what it would come to, or what it may be.
pub(super) fn said_of(scene: &Scene, input: &SettingInput) -> (String, Style) {
    let theme = scene.theme;
    match (&input.problem, &input.verdict) {
        (Some(why), _) => (why.clone(), theme.failed),
        (None, Some(ruling)) => verdict(scene, ruling),
        (None, None) if input.is_tried() => ("Type it; the rules are asked as you type.".into(), theme.dim),
        (None, None) => (format!("It is {}.", kind(input)), theme.dim),
    }
}

/// What a call would get, and by which rule.
fn verdict(scene: &Scene, ruling: &Ruling) -> (String, Style) {
    let theme = scene.theme;
    match ruling {
        Ruling::Allow { rule } => (format!("✓ It is allowed by {rule}."), theme.unseen),
        Ruling::Ask { rule, why } => (format!("◆ You are asked: {why} ({rule})."), theme.waiting),
        Ruling::Deny { rule, why } => (format!("✗ It is denied: {why} ({rule})."), theme.failed),
        Ruling::NoOpinion => {
            let words = "○ No rule is about it: the agent CLI does as it does alone. Most ask you.";
            (words.into(), theme.text)
        }
    }
}

/// A key is waited for.
fn draw_catch(scene: &Scene, catch: &KeyCatch, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    put(
        buf,
        row(area, 0),
        &format!("{} (keys.{})", catch.title, catch.name),
        theme.header,
    );
    let style = match (&catch.caught, &catch.problem) {
        (Some(_), _) => theme.waiting,
        (None, Some(_)) => theme.failed,
        (None, None) => theme.text,
    };
    let lines = catch.says().into_iter().flat_map(|line| wrap(&line, area.width.into()));
    for (at, line) in lines.enumerate() {
        put(buf, row(area, at + 1), &line, style);
    }
}

fn draw_detail(scene: &Scene, page: &SettingsPage, area: Rect, buf: &mut Buffer) {
    for (at, (line, style)) in detail(scene, page, area.width.into()).iter().enumerate() {
        put(buf, row(area, at), line, *style);
    }
}

/// What the chosen setting does, its default, and where its value comes from.
pub(super) fn detail(scene: &Scene, page: &SettingsPage, wide: usize) -> Vec<(String, Style)> {
    let theme = scene.theme;
    let mut lines: Vec<(String, Style)> = Vec::new();
    let mut say = |words: &str, style: Style| {
        lines.extend(wrap(words, wide).into_iter().map(|line| (line, style)));
    };
    if let Some(broken) = page.known.as_ref().and_then(|known| known.file.broken.as_ref()) {
        let at = broken.at.map_or(String::new(), |(line, column)| {
            format!(" in line {line}, column {column}")
        });
        say(&format!("config.json is broken{at}: {}", broken.why), theme.failed);
        let editor = SETTINGS.key(SettingsKey::Editor);
        say(
            &format!("The last good settings hold, and nothing is written. {editor} opens it in your editor."),
            theme.text,
        );
    }
    match &page.news {
        Some(Ok(words)) => say(words, theme.unseen),
        Some(Err(words)) => say(words, theme.failed),
        None => {}
    }
    let choosing = match &page.mode {
        Some(SettingMode::Choose(choices)) if choices.policy_of.is_none() => Some(choices.setting),
        Some(SettingMode::Choose(_)) => None,
        Some(SettingMode::Type(_) | SettingMode::Catch(_) | SettingMode::Form(_)) | None => None,
    };
    let chosen = page.chosen();
    let setting = choosing.or_else(|| chosen.as_ref().map(SettingRow::setting));
    if let (Some(row @ SettingRow::Key(_, at)), Some(known)) = (&chosen, &page.known)
        && let Some(key) = known.keys.get(*at)
    {
        let from = source(&known.file, row.is_set(known));
        say(&format!("{}: {}", key.heading, key.title), theme.text);
        say(
            &format!("keys.{}   default: {}   {from}", key.name, key.usual),
            theme.dim,
        );
    } else if let (Some(row), Some(known), None) = (&chosen, &page.known, choosing)
        && let Some(words) = row.about(known)
    {
        say(&words, theme.text);
    } else if let (Some(setting), Some(SettingsKnown { file, .. })) = (setting, &page.known) {
        say(setting.about, theme.text);
        let default = SettingText::told(setting, setting.default_value());
        let from = source(file, file.value_of(setting).is_some());
        say(&format!("{}   default: {default}   {from}", setting.path), theme.dim);
        say(&format!("A change acts {}.", setting.acts.words()), theme.dim);
    }
    for wrong in page.known.iter().flat_map(|known| &known.file.wrong) {
        say(wrong, theme.failed);
    }
    lines
}
