//! Colours by meaning. Plain data: reading a user's theme file is `config::load_theme`'s.
//!
//! A theme file is TOML, one line a meaning: `waiting = "#e5c07b"`, or `{ fg = …, bg = …, bold = true }`. What it
//! leaves out comes from its `base`, the name of a shipped theme, `dark` unless it says another.

use ratatui::style::{Color, Modifier, Style};

/// How each thing looks. Nothing rests on colour alone: states also have a sign and a word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Theme {
    /// Under everything that has no background of its own.
    pub background: Style,
    pub text: Style,
    /// Of second importance, still readable: ages, previews, paths.
    pub dim: Style,
    pub accent: Style,
    pub border: Style,
    /// The border of what takes the keys.
    pub focus: Style,
    pub selection: Style,
    pub header: Style,
    /// The key in a hint, its words being `dim`.
    pub key: Style,
    /// What a search found.
    pub found: Style,
    /// A chat that needs a person.
    pub waiting: Style,
    pub running: Style,
    pub idle: Style,
    pub unseen: Style,
    pub failed: Style,
    pub exited: Style,
    pub toast: ToastStyles,
    pub mode: ModeStyles,
    pub diff: Diff,
    pub syntax: SyntaxStyles,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToastStyles {
    pub info: Style,
    pub error: Style,
}

/// The badge that says where typed keys go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModeStyles {
    pub agent: Style,
    pub outside: Style,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    pub added: Style,
    pub removed: Style,
    /// Under a whole line.
    pub added_ground: Style,
    pub removed_ground: Style,
    /// Under the words of a line that differ.
    pub added_word: Style,
    pub removed_word: Style,
}

/// Words of a program text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyntaxStyles {
    pub comment: Style,
    pub keyword: Style,
    pub string: Style,
    pub number: Style,
    pub function: Style,
    pub type_name: Style,
}

/// How much of a colour is in its tint, in percent: so much that it is seen in 256 colours too.
const TINT: u16 = 26;

/// What text needs to be read with weak eyes: level AA of WCAG 2.
pub const READABLE: f64 = 4.5;
/// By so much at a time ink moves towards white or black, in percent.
const STEP: u16 = 5;

/// The names in a theme file, in the order of [`Theme`].
pub(super) const NAMES: [&str; 32] = [
    "background",
    "text",
    "dim",
    "accent",
    "border",
    "focus",
    "selection",
    "header",
    "key",
    "found",
    "waiting",
    "running",
    "idle",
    "unseen",
    "failed",
    "exited",
    "toast_info",
    "toast_error",
    "mode_agent",
    "mode_outside",
    "added",
    "removed",
    "added_ground",
    "removed_ground",
    "added_word",
    "removed_word",
    "comment",
    "keyword",
    "string",
    "number",
    "function",
    "type",
];

impl Theme {
    /// The shipped theme for the terminal's background. If the terminal does not tell it, its own colours are used,
    /// which can be read on whatever it is.
    pub fn for_background(background: Option<(u8, u8, u8)>) -> Theme {
        match background {
            Some(rgb) if luminance(rgb) > 0.18 => Theme::light(),
            Some(_) => Theme::dark(),
            None => Theme::terminal(),
        }
    }

    /// Without any colour, for NO_COLOR: attributes tell apart what must be.
    pub fn plain() -> Theme {
        let plain = Style::new();
        let with = |modifier| Style::new().add_modifier(modifier);
        let (bold, reversed) = (with(Modifier::BOLD), with(Modifier::REVERSED));
        let strong = with(Modifier::BOLD.union(Modifier::REVERSED));
        Theme {
            background: plain,
            text: plain,
            dim: with(Modifier::DIM),
            accent: bold,
            border: with(Modifier::DIM),
            focus: bold,
            selection: reversed,
            header: bold,
            key: bold,
            found: with(Modifier::UNDERLINED),
            waiting: strong,
            running: bold,
            idle: plain,
            unseen: bold,
            failed: strong,
            exited: with(Modifier::DIM),
            toast: ToastStyles {
                info: reversed,
                error: strong,
            },
            mode: ModeStyles {
                agent: strong,
                outside: reversed,
            },
            diff: Diff {
                added: bold,
                removed: with(Modifier::DIM),
                added_ground: plain,
                removed_ground: plain,
                added_word: with(Modifier::UNDERLINED),
                removed_word: with(Modifier::UNDERLINED),
            },
            syntax: SyntaxStyles::default(),
        }
    }

    /// Under a whole row that waits for a person: a tint of that colour, where both are known.
    pub fn waiting_ground(&self) -> Option<Color> {
        let (Some(Color::Rgb(r, g, b)), Some(Color::Rgb(r2, g2, b2))) = (self.waiting.fg, self.background.bg) else {
            return None;
        };
        Some(mixed((r, g, b), (r2, g2, b2), TINT))
    }

    /// The style that a theme file calls `name`.
    pub(super) fn slot(&mut self, name: &str) -> Option<&mut Style> {
        Some(match name {
            "background" => &mut self.background,
            "text" => &mut self.text,
            "dim" => &mut self.dim,
            "accent" => &mut self.accent,
            "border" => &mut self.border,
            "focus" => &mut self.focus,
            "selection" => &mut self.selection,
            "header" => &mut self.header,
            "key" => &mut self.key,
            "found" => &mut self.found,
            "waiting" => &mut self.waiting,
            "running" => &mut self.running,
            "idle" => &mut self.idle,
            "unseen" => &mut self.unseen,
            "failed" => &mut self.failed,
            "exited" => &mut self.exited,
            "toast_info" => &mut self.toast.info,
            "toast_error" => &mut self.toast.error,
            "mode_agent" => &mut self.mode.agent,
            "mode_outside" => &mut self.mode.outside,
            "added" => &mut self.diff.added,
            "removed" => &mut self.diff.removed,
            "added_ground" => &mut self.diff.added_ground,
            "removed_ground" => &mut self.diff.removed_ground,
            "added_word" => &mut self.diff.added_word,
            "removed_word" => &mut self.diff.removed_word,
            "comment" => &mut self.syntax.comment,
            "keyword" => &mut self.syntax.keyword,
            "string" => &mut self.syntax.string,
            "number" => &mut self.syntax.number,
            "function" => &mut self.syntax.function,
            "type" => &mut self.syntax.type_name,
            _ => return None,
        })
    }
}

/// What is written on a ground that is not the theme's own, such as that of the selected row: its ink goes towards white or
/// black as far as it must to be read there.
pub fn over(ink: Style, ground: Option<Color>) -> Style {
    let (Some(Color::Rgb(r, g, b)), Some(Color::Rgb(r2, g2, b2))) = (ink.fg, ground) else {
        return Style {
            bg: ground.or(ink.bg),
            ..ink
        };
    };
    // The end that lies farther from the ground.
    let end = if luminance((r2, g2, b2)) > 0.18 {
        (0, 0, 0)
    } else {
        (255, 255, 255)
    };
    let steps = (0..=100).step_by(usize::from(STEP));
    let mut inks = steps.map(|percent| mixed(end, (r, g, b), percent));
    let read = inks.find(|ink| contrast(Some(*ink), ground) >= Some(READABLE));
    let (r, g, b) = end;
    Style {
        fg: Some(read.unwrap_or(Color::Rgb(r, g, b))),
        bg: ground,
        ..ink
    }
}

/// So many percent of one colour over another.
fn mixed((r, g, b): (u8, u8, u8), (r2, g2, b2): (u8, u8, u8), percent: u16) -> Color {
    let mixed = |over: u8, under: u8| {
        let mixed = u16::from(under) + (u16::from(over) * percent + 50) / 100;
        let taken = (u16::from(under) * percent + 50) / 100;
        u8::try_from(mixed - taken).unwrap_or(u8::MAX)
    };
    Color::Rgb(mixed(r, r2), mixed(g, g2), mixed(b, b2))
}

/// Relative luminance as WCAG 2 defines it; 0.18 is where black and white text are equally readable.
pub fn luminance((r, g, b): (u8, u8, u8)) -> f64 {
    let linear = |channel: u8| {
        let c = f64::from(channel) / 255.0;
        match c <= 0.04045 {
            true => c / 12.92,
            false => ((c + 0.055) / 1.055).powf(2.4),
        }
    };
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

/// The WCAG contrast of two colours; `None` where one is the terminal's own.
pub fn contrast(one: Option<Color>, other: Option<Color>) -> Option<f64> {
    let (Some(Color::Rgb(r, g, b)), Some(Color::Rgb(r2, g2, b2))) = (one, other) else {
        return None;
    };
    let (one, other) = (luminance((r, g, b)), luminance((r2, g2, b2)));
    Some((one.max(other) + 0.05) / (one.min(other) + 0.05))
}
