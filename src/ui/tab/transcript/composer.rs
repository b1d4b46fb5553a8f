//! The composer at the foot of the transcript.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::model::Chat;
use crate::model::queue::PromptKind;
use crate::model::text::fit_path;
use crate::screen::broken;
use crate::screen::composer::chip::QueuedChip;
use crate::screen::composer::place::{self, MARGIN};
use crate::screen::dialog::Field;
use crate::screen::keymap::{Action, PaneSheet, SheetAction, TranscriptAction, WriteAction};
use crate::screen::surface::Surface;
use crate::screen::tab::transcript::writes_by_enter;
use crate::screen::wrap::width;
use crate::ui::field::{self, Typed};
use crate::ui::scene::{CursorAt, Scene};
use crate::ui::text::{after, but_last, clear, fit, put, put_right, row};

/// Below this a chip has its sign alone, without the word for it.
const ROOMY: u16 = 48;
/// Less of why it waits says nothing.
const LEAST: usize = 10;

/// Prompts that wait, each with what it waits for.
fn draw_chips(scene: &Scene, area: Rect, buf: &mut Buffer) {
    let (theme, composer) = (scene.theme, &scene.view.composer);
    let seen = place::chips_in_sight(composer, area);
    for (at, chip) in seen.iter().enumerate() {
        let line = row(area, at);
        let is_chosen = composer.chosen.as_ref() == Some(&chip.id);
        let body = but_last(after(line, 1), 1);
        let text = if is_chosen { theme.selection } else { theme.text };
        if is_chosen {
            clear(buf, line, theme.selection);
            put(buf, line, "▌", theme.accent);
        }
        let (sign, word) = kind(chip);
        let sign = match body.width < ROOMY {
            false => format!("{sign} {word} "),
            true => format!("{sign} "),
        };
        // Its own words come first: chips are told apart by them.
        let half = usize::from(body.width / 2);
        let taken = width(&sign) + 2 + width(&chip.words).min(half);
        let room = usize::from(body.width).saturating_sub(taken).min(half);
        let why = match room < LEAST && width(&chip.why) > room {
            true => "".into(),
            false => fit(&chip.why, room),
        };
        let more = composer.chips.len().saturating_sub(seen.len());
        let words = match at + 1 == seen.len() && more > 0 {
            true => format!("{more} more"),
            false => why.into_owned(),
        };
        let rest = put_right(buf, body, &words, if is_chosen { theme.selection } else { theme.dim });
        let style = if is_chosen { theme.selection } else { theme.accent };
        let wide = put(buf, rest, &sign, style);
        put(buf, but_last(after(rest, wide), 2), &chip.words, text);
    }
}

/// What an `@` may name.
fn draw_offers(scene: &Scene, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let Some(completion) = &scene.view.composer.completion else {
        return;
    };
    for (line, (at, offer)) in place::offers_in_sight(completion, area).enumerate() {
        let line = row(area, line);
        let is_chosen = at == completion.at;
        let style = |style| if is_chosen { theme.selection } else { style };
        if is_chosen {
            clear(buf, line, theme.selection);
            put(buf, line, "▌", theme.accent);
        }
        let rest = put_right(buf, but_last(after(line, MARGIN), 1), offer.note, style(theme.dim));
        put(buf, rest, &fit_path(&offer.word, rest.width.into()), style(theme.text));
    }
}

/// What is to become of it: a sign, and a word.
fn kind(chip: &QueuedChip) -> (&'static str, &'static str) {
    match chip.kind {
        _ if chip.is_timed => ("◔", "later"),
        PromptKind::Steer if chip.begins_turn => (">", "next"),
        PromptKind::Steer => ("↪", chip.kind.word()),
        PromptKind::FollowUp => ("↳", chip.kind.word()),
    }
}

/// How much of what is written there is no room for.
fn out_of_sight(field: &Field, area: Rect) -> Option<String> {
    let (above, below) = broken::in_sight(field, area.width.into(), area.height.into()).hidden;
    let lines = |count: usize| {
        if count == 1 {
            "1 line".into()
        } else {
            format!("{count} lines")
        }
    };
    match (above, below) {
        (0, 0) => None,
        (above, 0) => Some(format!(" {} above ", lines(above))),
        (0, below) => Some(format!(" {} below ", lines(below))),
        (above, below) => Some(format!(" {} above, {below} below ", lines(above))),
    }
}

pub fn draw(scene: &Scene, (area, tab): (Rect, Rect), buf: &mut Buffer) -> Option<CursorAt> {
    if area.is_empty() {
        return None;
    }
    let (theme, composer) = (scene.theme, &scene.view.composer);
    let is_entered = matches!(scene.view.behind(), Surface::Composer | Surface::Queued);
    let placed = place::areas(composer, area, tab);
    let rule = if is_entered { theme.focus } else { theme.border };
    put(buf, placed.rule, &"─".repeat(placed.rule.width.into()), rule);
    if let Some(command) = composer.command(&scene.state.domain) {
        let words = format!(" {} is typed into its CLI as it is ", command.name);
        put_right(buf, placed.rule, &words, theme.accent);
    } else if composer.is_sending() {
        put_right(buf, placed.rule, " sending… ", theme.dim);
    } else if let Some(words) = out_of_sight(&composer.field, after(placed.field, MARGIN)) {
        put_right(buf, placed.rule, &words, theme.dim);
    }
    draw_chips(scene, placed.chips, buf);
    for (at, line) in place::problem(composer, area.width).iter().enumerate() {
        let line_area = row(placed.problem, at);
        if at == 0 {
            put(buf, after(line_area, 1), "✗", theme.failed);
        }
        put(buf, after(line_area, MARGIN), line, theme.failed);
    }
    draw_offers(scene, placed.offers, buf);
    let sign = if is_entered { theme.accent } else { theme.dim };
    put(buf, after(placed.field, 1), "›", sign);
    let placeholder = placeholder(scene, is_entered);
    let typed = Typed {
        area: after(placed.field, MARGIN),
        placeholder: &placeholder,
        focused: scene.view.surface() == Surface::Composer,
    };
    field::draw(&composer.field, &typed, theme, buf)
}

/// What stands in an empty field.
fn placeholder(scene: &Scene, is_entered: bool) -> String {
    let chats = &scene.state.domain.disk.chats;
    let is_shell = scene
        .view
        .chat
        .as_ref()
        .and_then(|chat| chats.get(chat))
        .is_some_and(Chat::is_shell);
    let (what, writes) = match is_shell {
        true => ("a command for this shell", "writes a command"),
        false => ("what the agent is to do", "writes a prompt"),
    };
    if is_entered {
        return what.into();
    }
    let write = Action::Sheet(SheetAction::Write(WriteAction::Write));
    if writes_by_enter(scene.view) {
        return format!("{} {writes}", scene.state.keymap.key(write));
    }
    let close = Action::Sheet(SheetAction::Transcript(TranscriptAction::Close));
    let key = |action| scene.state.keymap.key_at(Surface::Sheet(PaneSheet::Transcript), action);
    format!("{} lets go, then {} {writes}", key(close), key(write))
}
