//! A dialog that asks, in lines: what has the focus with its value, and all parts from top to bottom.

use crate::model::text::count;
use crate::screen::dialog::{Ask, Button, Part, Stop, is_confirmation};
use crate::screen::dialogs;

use super::super::scene::Scene;
use super::page::{ReaderFocus, ReaderPage};

pub(super) fn page<'s>(scene: &Scene<'s>, ask: &'s dyn Ask) -> ReaderPage<'s> {
    let around = scene.around();
    let at = ask.form().at;
    let parts = ask.parts(&around);
    let focus = focus(ask, &parts, at).unwrap_or_else(|| ReaderFocus::words(ask.title(), ""));
    let (mut lines, mut focused) = (Vec::new(), 0);
    for part in &parts {
        if part.stops().contains(&at) {
            focused = lines.len();
        }
        lines.extend(part_lines(ask, part));
    }
    if is_confirmation(ask) && ask.form().is_unread(around.domain.now) {
        lines.push("Read it first: keys count in a moment.".into());
    }
    lines.push(keys(scene));
    ReaderPage {
        title: format!("Dialog: {}", ask.title()),
        focus,
        lines,
        at: focused,
    }
}

/// The keys that matter in the open dialog.
pub(super) fn keys(scene: &Scene) -> String {
    let hints = dialogs::input::hints(scene.state, scene.view);
    let hints: Vec<String> = hints
        .iter()
        .map(|hint| format!("{} {}", key(&hint.label), hint.words))
        .collect();
    match hints.is_empty() {
        true => String::new(),
        false => format!("Keys: {}", hints.join(", ")),
    }
}

/// Arrows as words.
pub(super) fn key(label: &str) -> String {
    let named = [("↑", "up "), ("↓", "down "), ("←", "left "), ("→", "right ")];
    let words = named
        .iter()
        .fold(label.to_string(), |words, (arrow, name)| words.replace(arrow, name));
    words.trim_end().to_string()
}

fn focus<'s>(ask: &'s dyn Ask, parts: &[Part], at: Stop) -> Option<ReaderFocus<'s>> {
    let part = parts.iter().find(|part| part.stops().contains(&at))?;
    Some(match part {
        Part::Field { stop, label, .. } => {
            let field = ask.field(*stop)?;
            let lines = field.lines().len();
            let label = match lines {
                0 | 1 => label.to_string(),
                _ => format!("{label}, line {} of {lines}", field.cursor().0 + 1),
            };
            ReaderFocus::Field {
                label,
                field,
                more: suggestion(ask, at),
            }
        }
        Part::Choice {
            label, value, at, note, ..
        } => ReaderFocus::words(format!("{label}: {value}, {at}; left and right choose"), note.clone()),
        Part::Tick { on, text, .. } => ReaderFocus::words(format!("{}: {text}", ticked(*on)), "Space changes it"),
        Part::Buttons(buttons) => ReaderFocus::words(button(buttons, at)?, ""),
        Part::Words(_) | Part::Note(_) | Part::Warning(_) | Part::Lines(_) | Part::Gap => return None,
    })
}

/// What is suggested for a project or a branch.
fn suggestion(ask: &dyn Ask, at: Stop) -> String {
    let Some(suggested) = ask.suggested(at) else {
        return String::new();
    };
    let (hints, note) = (suggested.hints(), suggested.note());
    match suggested.list().chosen.and_then(|at| Some((at, hints.get(at)?))) {
        Some((at, hint)) => format!("Suggestion {} of {}: {}, {}", at + 1, hints.len(), hint.text, hint.what),
        None if hints.is_empty() => note.into(),
        None if note.is_empty() => format!("{}; down chooses", count(hints.len(), "suggestion")),
        None => format!("{note}; {}; down chooses", count(hints.len(), "suggestion")),
    }
}

/// The focused button of whatever asks for a yes or a no.
pub(super) fn button(buttons: &[Button], at: Stop) -> Option<String> {
    let place = buttons.iter().position(|(stop, _)| *stop == at)?;
    Some(format!(
        "Button {}, {} of {}",
        buttons[place].1,
        place + 1,
        buttons.len()
    ))
}

fn part_lines(ask: &dyn Ask, part: &Part) -> Vec<String> {
    match part {
        Part::Field {
            stop,
            label,
            placeholder,
            ..
        } => {
            let text = ask.field(*stop).map(|field| field.text()).unwrap_or_default();
            let mut lines = text.split('\n').map(str::to_string);
            let first = match text.is_empty() {
                true if placeholder.is_empty() => "empty".into(),
                true => format!("empty, {placeholder}"),
                false => lines.next().unwrap_or_default(),
            };
            let rest = lines.filter(|_| !text.is_empty());
            [format!("{label}: {first}")].into_iter().chain(rest).collect()
        }
        Part::Choice {
            label, value, at, note, ..
        } => {
            let note = Some(note.clone()).filter(|note| !note.is_empty());
            [format!("{label}: {value}, {at}")].into_iter().chain(note).collect()
        }
        Part::Tick { on, text, .. } => vec![format!("{}: {text}", ticked(*on))],
        Part::Words(words) | Part::Note(words) => words.split('\n').map(str::to_string).collect(),
        Part::Warning(words) => vec![format!("Warning: {words}")],
        Part::Lines(lines) => lines.clone(),
        Part::Gap => Vec::new(),
        Part::Buttons(buttons) => {
            let words: Vec<&str> = buttons.iter().map(|(_, words)| *words).collect();
            vec![format!("Buttons: {}", words.join(", "))]
        }
    }
}

fn ticked(on: bool) -> &'static str {
    if on { "Ticked" } else { "Not ticked" }
}
