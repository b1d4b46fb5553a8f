//! A hint of the last row: keys, and in a word or two what they do. A click on it presses them.

use crossterm::event::{KeyCode, KeyEvent};

use crate::term::key::words;

use super::wrap::width;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    keys: Vec<HintKeys>,
    /// The keys as they are written.
    pub label: String,
    pub words: &'static str,
    pub role: HintRole,
}

/// Which of the keys on a surface it is, whatever it is called there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HintRole {
    #[default]
    Plain,
    /// It leads out of the surface.
    WayOut,
    /// It lists all keys.
    AllKeys,
    /// To the next field of a form.
    NextField,
    /// Does what a form is for.
    Submit,
    /// Between the buttons of a question.
    Buttons,
    /// Presses the button of a question that the focus is on.
    Answer,
}

/// Keys that are pressed one after the other, and the columns at which they stand in the label.
#[derive(Clone, Debug, PartialEq, Eq)]
struct HintKeys {
    keys: Vec<KeyEvent>,
    from: usize,
    to: usize,
}

impl Hint {
    /// Keys that do something alike, each by itself.
    pub fn new(keys: impl IntoIterator<Item = KeyEvent>, words: &'static str) -> Hint {
        Hint::of(keys.into_iter().map(|key| vec![key]).collect(), words)
    }

    /// Keys that do something one after the other.
    pub fn in_turn(keys: Vec<KeyEvent>, words: &'static str) -> Hint {
        Hint::of(vec![keys], words)
    }

    /// Words that no key leads to.
    pub fn note(label: &str, words: &'static str) -> Hint {
        Hint {
            keys: Vec::new(),
            label: label.into(),
            words,
            role: HintRole::Plain,
        }
    }

    fn of(presses: Vec<Vec<KeyEvent>>, words: &'static str) -> Hint {
        let between = match joins(&presses) {
            true => "",
            false => " ",
        };
        let (mut keys, mut label) = (Vec::new(), String::new());
        for press in presses {
            if !label.is_empty() {
                label.push_str(between);
            }
            let from = width(&label);
            let names: Vec<String> = press.iter().copied().map(shown).collect();
            label.push_str(&names.join(" "));
            keys.push(HintKeys {
                keys: press,
                from,
                to: width(&label),
            });
        }
        Hint {
            keys,
            label,
            words,
            role: HintRole::Plain,
        }
    }

    pub fn with(self, role: HintRole) -> Hint {
        Hint { role, ..self }
    }

    pub fn way_out(self) -> Hint {
        self.with(HintRole::WayOut)
    }

    /// Columns of the hint as a whole.
    pub fn width(&self) -> usize {
        width(&self.label) + 1 + width(self.words)
    }

    /// It is shown before others that come first: it leads out, or to all keys.
    pub fn is_kept(&self) -> bool {
        match self.role {
            HintRole::WayOut | HintRole::AllKeys => true,
            HintRole::Plain | HintRole::NextField | HintRole::Submit | HintRole::Buttons | HintRole::Answer => false,
        }
    }

    /// What a click on this column presses: the key that stands there, the first where none does.
    pub fn at(&self, column: usize) -> &[KeyEvent] {
        let mut keys = self.keys.iter();
        let there = keys.find(|press| (press.from..press.to).contains(&column));
        there.or(self.keys.first()).map_or(&[], |press| &press.keys)
    }

    /// The first key of each way.
    pub fn begins(&self) -> impl Iterator<Item = KeyEvent> {
        self.keys.iter().filter_map(|press| press.keys.first().copied())
    }
}

/// `←→` and `hjkl` are read as one; `w b` would be read as a word.
fn joins(presses: &[Vec<KeyEvent>]) -> bool {
    let all = |is: fn(KeyCode) -> bool| presses.iter().flatten().all(|key| is(key.code));
    all(|code| matches!(code, KeyCode::Up | KeyCode::Down | KeyCode::Left | KeyCode::Right))
        || presses.len() > 2 && all(|code| matches!(code, KeyCode::Char(_)))
}

/// Keys that are pressed one after the other, as they are written.
pub fn label(keys: &[KeyEvent]) -> String {
    keys.iter().copied().map(shown).collect::<Vec<_>>().join(" ")
}

/// A key as hints write it: `Ctrl+Q`, `Enter`, `n`, `PgUp`.
pub fn shown(key: KeyEvent) -> String {
    let written = words(key);
    let many = written.chars().count() > 1;
    match key.code {
        KeyCode::BackTab => "Shift+Tab".into(),
        KeyCode::PageUp => with_modifiers(key, "PgUp"),
        KeyCode::PageDown => with_modifiers(key, "PgDn"),
        KeyCode::Char('+') if key.modifiers.is_empty() => "+".into(),
        KeyCode::Up => with_modifiers(key, "↑"),
        KeyCode::Down => with_modifiers(key, "↓"),
        KeyCode::Left => with_modifiers(key, "←"),
        KeyCode::Right => with_modifiers(key, "→"),
        _ if many => written.split('+').map(capital).collect::<Vec<_>>().join("+"),
        _ => written,
    }
}

/// Its sign behind what is held with it: `Shift+↓`.
fn with_modifiers(key: KeyEvent, sign: &str) -> String {
    match words(key).rsplit_once('+') {
        Some((held, _)) => format!("{}+{sign}", held.split('+').map(capital).collect::<Vec<_>>().join("+")),
        None => sign.into(),
    }
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::key::parse;

    fn hint(keys: &[&str]) -> Hint {
        Hint::new(keys.iter().map(|key| parse(key).unwrap()), "move")
    }

    #[test]
    fn keys_are_written_as_one_reads_them() {
        let label = |keys: &[&str]| hint(keys).label;
        assert_eq!(label(&["left", "right"]), "←→");
        assert_eq!(label(&["h", "j", "k", "l"]), "hjkl");
        assert_eq!(label(&["w", "b"]), "w b");
        assert_eq!(label(&["pageup", "pagedown"]), "PgUp PgDn");
        assert_eq!(label(&["J", "shift+down", "ctrl+end"]), "J Shift+↓ Ctrl+End");
    }

    #[test]
    fn a_click_presses_the_key_under_it_and_on_the_words_the_first() {
        let hint = hint(&["pageup", "pagedown"]);
        let pressed = |column| hint.at(column)[0].code;
        assert_eq!([0, 3, 4, 5, 8].map(pressed), {
            use KeyCode::{PageDown, PageUp};
            [PageUp, PageUp, PageUp, PageDown, PageDown]
        });
        assert_eq!(pressed(12), KeyCode::PageUp);
    }
}
