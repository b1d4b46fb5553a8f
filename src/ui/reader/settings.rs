//! The settings in lines: the chosen one with its value and what it does, then what is known of it, all of its section, and
//! the sections.

use strum::VariantArray;

use crate::model::setting::SettingSection;
use crate::model::text::count;
use crate::screen::dialog::{
    EntryForm, SettingChoices, SettingMode, SettingRow, SettingsFocus, SettingsKnown, SettingsPage,
};

use super::super::scene::Scene;
use super::super::settings::{detail, said_of};
use super::dialog;
use super::page::{ReaderFocus, ReaderPage};
use super::words::{Blanks, spoken};

/// Lines are wrapped where they are put on the screen.
const UNWRAPPED: usize = 4_000;

pub(super) fn page<'s>(scene: &Scene<'s>, page: &'s SettingsPage) -> ReaderPage<'s> {
    let rows = page.rows();
    let place = |at: usize, all: usize| format!("{} of {all}", at + 1);
    let mut lines = Vec::new();
    let mut at = 0;
    let focus = match (&page.mode, &page.known) {
        (_, None) => ReaderFocus::words("reading config.json", ""),
        (Some(SettingMode::Type(input)), _) => ReaderFocus::Field {
            label: input.label.clone(),
            field: &input.field,
            more: plain(&said_of(scene, input).0),
        },
        (Some(SettingMode::Choose(choices)), _) => {
            (at, lines) = (choices.at, options(choices));
            ReaderFocus::words(
                format!("{}, {}", lines[at], place(at, lines.len())),
                "Enter takes it, Esc leaves it as it was",
            )
        }
        (Some(SettingMode::Catch(catch)), _) => {
            ReaderFocus::words(format!("A key for {}", catch.title), catch.says().join(" "))
        }
        (Some(SettingMode::Form(form)), _) => {
            at = form.at;
            lines = form
                .lines
                .iter()
                .map(|line| format!("{}: {}", line.label, or_empty(&line.field.text())))
                .collect();
            in_form(form)
        }
        (None, Some(known)) => {
            lines = rows.iter().map(|row| said(row, known)).collect();
            at = page.at.min(lines.len().saturating_sub(1));
            let chosen = lines
                .get(at)
                .map(|words| format!("{words}, {}", place(at, lines.len())));
            let chosen = chosen.unwrap_or_else(|| "No setting has these words".into());
            match (page.is_searching, page.focus) {
                (true, _) => ReaderFocus::Field {
                    label: "Search".into(),
                    field: &page.search,
                    more: chosen,
                },
                (false, SettingsFocus::Sections) => {
                    let all = SettingSection::VARIANTS;
                    let at = all.iter().position(|section| *section == page.section).unwrap_or(0);
                    ReaderFocus::words(
                        format!("Section {}, {}", page.section.title(), place(at, all.len())),
                        format!("{}; right goes to them", count(lines.len(), "setting")),
                    )
                }
                (false, SettingsFocus::Rows) => {
                    let about = rows.get(page.at).map(|row| about(row, known)).unwrap_or_default();
                    ReaderFocus::words(chosen, about)
                }
            }
        }
    };
    let known = detail(scene, page, UNWRAPPED).into_iter().map(|(line, _)| plain(&line));
    if !matches!(page.mode, Some(SettingMode::Form(_) | SettingMode::Catch(_))) {
        lines.extend(known);
    }
    if page.mode.is_none() {
        let titles: Vec<&str> = SettingSection::VARIANTS.iter().map(|section| section.title()).collect();
        lines.push(format!("Sections: {}", titles.join(", ")));
    }
    lines.push(dialog::keys(scene));
    ReaderPage {
        title: match page.search.is_empty() {
            true => format!("Settings, {}", page.section.title()),
            false => "Settings found".into(),
        },
        focus,
        lines,
        at,
    }
}

fn said(row: &SettingRow, known: &SettingsKnown) -> String {
    let (label, value) = (row.label(known), row.value(known));
    let words = match value.is_empty() {
        true => label,
        false => format!("{label}: {value}"),
    };
    match row.is_set(known) && !row.is_part() {
        true => format!("{words}, set"),
        false => words,
    }
}

fn about(row: &SettingRow, known: &SettingsKnown) -> String {
    row.about(known).unwrap_or_else(|| row.setting().about.into())
}

fn options(choices: &SettingChoices) -> Vec<String> {
    let options = choices.options.iter();
    let words = options.map(|(value, about)| {
        let value = value.as_deref().unwrap_or("not set");
        match about.is_empty() {
            true => value.to_string(),
            false => format!("{value}, {about}"),
        }
    });
    words.collect()
}

/// The focused field of an entry.
fn in_form(form: &EntryForm) -> ReaderFocus<'_> {
    match form.lines.get(form.at) {
        Some(line) => ReaderFocus::Field {
            label: line.label.into(),
            field: &line.field,
            more: form.problem.clone().unwrap_or_else(|| line.hint.into()),
        },
        None => ReaderFocus::words(form.title(), ""),
    }
}

fn or_empty(text: &str) -> &str {
    if text.is_empty() { "empty" } else { text }
}

fn plain(line: &str) -> String {
    spoken(line, None, Blanks::Joined)
}
