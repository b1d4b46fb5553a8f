//! Theme files: the shipped ones, and a user's own in `themes/NAME.toml`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;
use toml::Spanned;

use super::file::BrokenFile;
use super::theme::{NAMES, Theme};
use crate::fs::{Dir, SafeName};

macro_rules! shipped {
    ($($name:literal: $about:literal),* $(,)?) => {
        [$(ShippedTheme {
            name: $name,
            about: $about,
            text: include_str!(concat!("../../themes/", $name, ".toml")),
        }),*]
    };
}

/// A theme that is built in, and what it is like.
pub struct ShippedTheme {
    pub name: &'static str,
    pub about: &'static str,
    text: &'static str,
}

pub const SHIPPED: [ShippedTheme; 9] = shipped![
    "terminal": "the terminal's own sixteen colours and background",
    "dark": "calm greys with one blue, on a dark background",
    "light": "paper and ink with one blue",
    "high-contrast": "black, white, and colours that hold for every kind of colour blindness",
    "solarized-dark": "Solarized, on its dark background",
    "solarized-light": "Solarized, on its light background",
    "gruvbox": "Gruvbox Dark: warm greys, earthy colours",
    "catppuccin": "Catppuccin Mocha: pastel colours",
    "nord": "Nord: cold blues and greys",
];
const LARGEST: u64 = 64 << 10;

/// The theme to draw with. Where the one that is set cannot be used, a shipped one, and why.
pub fn theme_for(home: &Dir, setting: Option<&str>, background: Option<(u8, u8, u8)>) -> (Theme, Option<BrokenFile>) {
    match setting.map(|name| load_theme(home, name)) {
        None => (Theme::for_background(background), None),
        Some(Ok(theme)) => (theme, None),
        Some(Err(broken)) => (Theme::for_background(background), Some(broken)),
    }
}

/// The theme called `name`: a user's file, else the shipped one.
pub fn load_theme(home: &Dir, name: &str) -> Result<Theme, BrokenFile> {
    let failed = |why: String| BrokenFile {
        path: PathBuf::from(format!("{name}.toml")),
        at: None,
        key: String::new(),
        why,
    };
    let safe = SafeName::parse(name).map_err(|e| failed(e.to_string()))?;
    let bytes = match home.read(format!("themes/{safe}.toml"), LARGEST) {
        Ok(bytes) => bytes,
        Err(e) if e.is_missing() => None,
        Err(e) => return Err(failed(e.to_string())),
    };
    match bytes {
        Some(bytes) => {
            let text = String::from_utf8(bytes).map_err(|_| failed("this is not UTF-8 text".into()))?;
            parse(&format!("{name}.toml"), &text)
        }
        None => shipped(name).ok_or_else(|| failed("there is no such theme; `parlour theme list` shows all".into())),
    }
}

/// The theme that is built in under that name.
pub fn shipped(name: &str) -> Option<Theme> {
    let theme = SHIPPED.iter().find(|theme| theme.name == name)?;
    paint(Theme::default(), &format!("{name}.toml"), theme.text).ok()
}

/// The names of a user's own files in `themes/`, in order.
pub fn own_themes(home: &Dir) -> Vec<String> {
    let names = home.entries("themes").unwrap_or_default();
    let named = names
        .iter()
        .filter_map(|entry| Some(entry.name.to_str()?.strip_suffix(".toml")?.to_owned()));
    let mut own: Vec<String> = named.filter(|name| SafeName::parse(name).is_ok()).collect();
    own.sort();
    own
}

/// What a line of a theme file says: a colour for the foreground, or a table.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "a colour like \"#8fbcbb\" or a table like { fg = \"#8fbcbb\", bold = true }"
)]
enum Paint {
    Foreground(Hue),
    Full(FullStyle),
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct FullStyle {
    fg: Option<Hue>,
    bg: Option<Hue>,
    bold: bool,
    dim: bool,
    italic: bool,
    underline: bool,
    reverse: bool,
}

/// A colour as ratatui spells it: `#rrggbb`, `red`, `bright-red`, `12`.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Hue(Color);

impl TryFrom<String> for Hue {
    type Error = String;
    fn try_from(text: String) -> Result<Hue, String> {
        text.parse()
            .map(Hue)
            .map_err(|_| format!("{text:?} is no colour; write it like \"#8fbcbb\" or \"red\""))
    }
}

pub(super) fn parse(file: &str, text: &str) -> Result<Theme, BrokenFile> {
    #[derive(Deserialize)]
    struct Base {
        base: Option<String>,
    }
    let base = toml::from_str::<Base>(text).map_err(|e| broken(file, text, "", &e))?;
    let base = base.base.unwrap_or_else(|| "dark".into());
    let base = shipped(&base).ok_or_else(|| BrokenFile {
        path: file.into(),
        at: None,
        key: "base".into(),
        why: format!("{base:?} is none of {}", SHIPPED.map(|theme| theme.name).join(", ")),
    })?;
    paint(base, file, text)
}

fn paint(mut theme: Theme, file: &str, text: &str) -> Result<Theme, BrokenFile> {
    let lines: BTreeMap<String, Spanned<toml::Value>> = toml::from_str(text).map_err(|e| broken(file, text, "", &e))?;
    for (name, value) in lines {
        let at = Some(place(text, value.span().start));
        if name == "base" {
            continue;
        }
        let failed = |why: String| BrokenFile {
            path: file.into(),
            at,
            key: name.clone(),
            why,
        };
        let Some(slot) = theme.slot(&name) else {
            return Err(failed(format!("it is none of {}", NAMES.join(", "))));
        };
        let paint: Paint = value
            .into_inner()
            .try_into()
            .map_err(|e: toml::de::Error| failed(e.message().to_string()))?;
        *slot = style(paint);
    }
    Ok(theme)
}

fn style(paint: Paint) -> Style {
    let full = match paint {
        Paint::Foreground(hue) => return Style::new().fg(hue.0),
        Paint::Full(full) => full,
    };
    let mut style = Style {
        fg: full.fg.map(|hue| hue.0),
        bg: full.bg.map(|hue| hue.0),
        ..Style::new()
    };
    for (on, modifier) in [
        (full.bold, Modifier::BOLD),
        (full.dim, Modifier::DIM),
        (full.italic, Modifier::ITALIC),
        (full.underline, Modifier::UNDERLINED),
        (full.reverse, Modifier::REVERSED),
    ] {
        if on {
            style = style.add_modifier(modifier);
        }
    }
    style
}

fn broken(file: &str, text: &str, key: &str, error: &toml::de::Error) -> BrokenFile {
    BrokenFile {
        path: file.into(),
        at: error.span().map(|span| place(text, span.start)),
        key: key.to_string(),
        why: error.message().to_string(),
    }
}

fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(offset)];
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    (line, column)
}

impl Theme {
    pub fn dark() -> Theme {
        shipped("dark").expect("the shipped theme parses, a test reads it")
    }

    pub fn light() -> Theme {
        shipped("light").expect("the shipped theme parses, a test reads it")
    }

    pub fn terminal() -> Theme {
        shipped("terminal").expect("the shipped theme parses, a test reads it")
    }
}
