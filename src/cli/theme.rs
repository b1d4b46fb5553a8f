//! `parlour theme`: which themes there are, and a small screen in each, from disk and without an engine.

use std::path::Path;

use anyhow::Context;
use ratatui::style::Style;
use serde_json::json;

use super::args::{ThemeArgs, ThemeVerb};
use super::output::{ColourUse, OutputForm, OutputLook, OutputTone, show};
use super::table::{cell, table};
use crate::client;
use crate::config::theme::Theme;
use crate::config::{self, SHIPPED};
use crate::domain::event::ColourDepth;
use crate::engine::AnsiWriter;
use crate::fs::Dir;
use crate::model::Problem;

/// How wide the small screen is.
const WIDE: usize = 62;

/// A theme that can be set.
pub(super) struct KnownTheme {
    pub(super) name: String,
    pub(super) about: String,
    is_own: bool,
}

pub fn run(home: &Path, form: OutputForm, of: ThemeArgs) -> anyhow::Result<()> {
    let own = match Dir::open(home) {
        Err(error) if error.is_missing() => None,
        own => Some(own.context("opening your home")?),
    };
    let known = known(own.as_ref());
    match of.verb {
        ThemeVerb::List => list(home, form, &known),
        ThemeVerb::Preview { name } => {
            let wanted = |theme: &&KnownTheme| name.as_ref().is_none_or(|name| *name == theme.name);
            let shown: Vec<&KnownTheme> = known.iter().filter(wanted).collect();
            if shown.is_empty() {
                let cause = format!("there is no theme called {}", name.unwrap_or_default());
                return Err(Problem::missing("showing a theme", cause, "`parlour theme list` shows all").into());
            }
            let mut screens = Vec::new();
            for theme in shown {
                screens.push((theme, load(own.as_ref(), &theme.name)?));
            }
            let names: Vec<&str> = screens.iter().map(|(theme, _)| theme.name.as_str()).collect();
            show(form, &json!({ "themes": names }), |look| {
                let drawn = screens.iter().map(|(known, theme)| preview(known, theme, look));
                drawn.collect::<Vec<String>>().join("\n")
            })
        }
    }
}

pub(super) fn known(home: Option<&Dir>) -> Vec<KnownTheme> {
    let own = home.map(config::own_themes).unwrap_or_default();
    let shipped = SHIPPED.iter().filter(|theme| !own.iter().any(|own| own == theme.name));
    let shipped = shipped.map(|theme| KnownTheme {
        name: theme.name.into(),
        about: theme.about.into(),
        is_own: false,
    });
    let mine = own.iter().map(|name| KnownTheme {
        name: name.clone(),
        about: format!("your own, themes/{name}.toml"),
        is_own: true,
    });
    shipped.chain(mine).collect()
}

fn load(home: Option<&Dir>, name: &str) -> Result<Theme, Problem> {
    let failed = |cause: String| Problem::new("reading a theme", cause, "correct that file, or name another theme");
    match home {
        Some(home) => config::load_theme(home, name).map_err(|broken| failed(broken.to_string())),
        None => config::shipped_theme(name).ok_or_else(|| failed(format!("{name} is not built in"))),
    }
}

fn list(home: &Path, form: OutputForm, known: &[KnownTheme]) -> anyhow::Result<()> {
    let set = config::load(&home.join("config.json"))
        .ok()
        .and_then(|loaded| loaded.settings.theme);
    let is_set = |theme: &KnownTheme| set.as_deref() == Some(theme.name.as_str());
    let told: Vec<_> = known
        .iter()
        .map(|theme| json!({"name": theme.name, "about": theme.about, "own": theme.is_own, "set": is_set(theme)}))
        .collect();
    show(form, &json!({ "themes": told }), |look| {
        let rows: Vec<_> = known
            .iter()
            .map(|theme| {
                let tone = if is_set(theme) {
                    OutputTone::Good
                } else {
                    OutputTone::Plain
                };
                let note = if is_set(theme) { "set" } else { "" };
                vec![
                    cell(tone, &theme.name),
                    cell(tone, note),
                    cell(OutputTone::Quiet, &theme.about),
                ]
            })
            .collect();
        table(look, &rows)
    })
}

/// Rows as parlour's screen has them.
fn preview(known: &KnownTheme, theme: &Theme, look: &OutputLook) -> String {
    if look.colours == ColourUse::Off {
        return format!("{}: {}\n", known.name, known.about);
    }
    let term = client::known_term();
    let mode = &theme.mode;
    let diff = &theme.diff;
    let syntax = &theme.syntax;
    let rows: [Vec<(Style, &str)>; 8] = [
        vec![
            (theme.header, &known.name),
            (theme.dim, "  "),
            (theme.dim, &known.about),
        ],
        vec![
            (theme.waiting, "◆ Fix auth bug"),
            (theme.dim, "  2m  "),
            (theme.waiting, "wants to run a command"),
        ],
        vec![
            (theme.running, "● Try Redis"),
            (theme.dim, "  1m  "),
            (theme.unseen, "✓ done, unseen"),
        ],
        vec![
            (theme.idle, "○ idle"),
            (theme.exited, "  □ exited"),
            (theme.failed, "  ✗ failed"),
            (theme.found, "  found"),
        ],
        vec![
            (theme.selection, " the selected row "),
            (theme.accent, "  accent"),
            (theme.border, "  ──────"),
        ],
        vec![
            (diff.removed.patch(diff.removed_ground), "-    let "),
            (diff.removed_word, "claims"),
            (diff.removed.patch(diff.removed_ground), " = decode(token);"),
        ],
        vec![
            (syntax.keyword.patch(diff.added_ground), "+    let "),
            (diff.added_word, "Ok(claims)"),
            (syntax.function.patch(diff.added_ground), " = decode"),
            (syntax.comment.patch(diff.added_ground), " // why"),
        ],
        vec![
            (mode.agent, " AGENT "),
            (mode.outside, " SIDEBAR "),
            (theme.key, " Enter"),
            (theme.dim, " go in  "),
            (theme.toast.info, " told "),
            (theme.toast.error, " failed "),
        ],
    ];
    let mut writer = AnsiWriter::new(ColourDepth::of(term.truecolor, term.indexed));
    for row in rows {
        let ground = theme.text.patch(theme.background);
        let width: usize = row.iter().map(|(_, text)| text.chars().count()).sum();
        writer.text(ground, " ");
        for (style, text) in row {
            writer.text(ground.patch(style), text);
        }
        writer.text(ground, &" ".repeat(WIDE.saturating_sub(width + 1)));
        writer.text(Style::new(), "\n");
    }
    writer.take()
}
