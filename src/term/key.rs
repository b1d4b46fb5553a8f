//! Keys as a person writes them in `config.json`: `ctrl+q`, `alt+enter`, `n`, `f5`, `?`.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key nobody could press, in words that name what was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{written:?} is not a key: {why}; write it like \"ctrl+q\", \"alt+enter\", \"f5\" or \"n\"")]
pub struct BadKey {
    pub written: String,
    pub why: String,
}

/// The first name of a key is the one it is shown by.
const NAMED: [(&str, KeyCode); 23] = [
    ("enter", KeyCode::Enter),
    ("return", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("escape", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("backtab", KeyCode::BackTab),
    ("space", KeyCode::Char(' ')),
    ("plus", KeyCode::Char('+')),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("del", KeyCode::Delete),
    ("insert", KeyCode::Insert),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pageup", KeyCode::PageUp),
    ("pgup", KeyCode::PageUp),
    ("pagedown", KeyCode::PageDown),
    ("pgdn", KeyCode::PageDown),
    ("pgdown", KeyCode::PageDown),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
];

/// The key that `written` names.
pub fn parse(written: &str) -> Result<KeyEvent, BadKey> {
    let bad = |why: String| BadKey {
        written: written.to_string(),
        why,
    };
    let mut modifiers = KeyModifiers::NONE;
    let mut rest = written.trim();
    // A `+` at the start is the key itself, as in `ctrl++`.
    while let Some((word, behind)) = rest.split_once('+').filter(|(word, _)| !word.is_empty()) {
        modifiers |= match word.trim().to_ascii_lowercase().as_str() {
            "ctrl" | "control" => KeyModifiers::CONTROL,
            "alt" | "option" => KeyModifiers::ALT,
            "shift" => KeyModifiers::SHIFT,
            "super" | "cmd" => KeyModifiers::SUPER,
            word => return Err(bad(format!("{word:?} is no modifier"))),
        };
        rest = behind.trim();
    }
    let code = code(rest).ok_or_else(|| match rest {
        "" => bad("it ends without one".into()),
        rest => bad(format!("{rest:?} is no key's name")),
    })?;
    Ok(normal(KeyEvent::new(code, modifiers)))
}

/// The one spelling of a key that terminals report in several: `shift+a` is `A`, `shift+tab` is `backtab`, and what is read
/// as `ctrl+5` of a terminal without kitty's protocol is `ctrl+]`.
pub fn normal(key: KeyEvent) -> KeyEvent {
    let shifted = key.modifiers.contains(KeyModifiers::SHIFT);
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    let (code, shift_stays) = match key.code {
        KeyCode::Char('4') if ctrl && !shifted => (KeyCode::Char('\\'), false),
        KeyCode::Char('5') if ctrl && !shifted => (KeyCode::Char(']'), false),
        // With Ctrl a terminal without the newer protocol cannot tell the cases apart.
        KeyCode::Char(c) if ctrl && !shifted => (KeyCode::Char(c.to_ascii_lowercase()), false),
        KeyCode::Char(c) if ctrl => (KeyCode::Char(c.to_ascii_lowercase()), true),
        KeyCode::Char(c) if shifted => (KeyCode::Char(c.to_ascii_uppercase()), false),
        KeyCode::Tab if shifted => (KeyCode::BackTab, false),
        KeyCode::BackTab => (KeyCode::BackTab, false),
        code => (code, shifted),
    };
    let mut modifiers = key.modifiers - KeyModifiers::SHIFT;
    if shift_stays {
        modifiers |= KeyModifiers::SHIFT;
    }
    KeyEvent::new(code, modifiers)
}

/// Whether every terminal tells it apart from all other keys. One without kitty's protocol sends Enter for `ctrl+m`, and
/// for many combinations nothing, or the key alone.
pub fn is_told_apart(key: KeyEvent) -> bool {
    let KeyEvent { code, modifiers, .. } = key;
    let [ctrl, alt, shift] =
        [KeyModifiers::CONTROL, KeyModifiers::ALT, KeyModifiers::SHIFT].map(|m| modifiers.contains(m));
    if !(modifiers - KeyModifiers::CONTROL - KeyModifiers::ALT - KeyModifiers::SHIFT).is_empty() {
        return false;
    }
    match code {
        // Ctrl makes these Tab and Enter.
        KeyCode::Char(c) if ctrl => !shift && (" \\]".contains(c) || (c.is_ascii_lowercase() && !"im".contains(c))),
        // What other keys send begins like these.
        KeyCode::Char(c) => !alt || (c.is_ascii() && !"[O".contains(c)),
        KeyCode::Enter | KeyCode::Backspace => !ctrl && !shift,
        KeyCode::Esc | KeyCode::Tab | KeyCode::BackTab => !ctrl && !alt,
        KeyCode::F(number) => number <= 12,
        KeyCode::Up
        | KeyCode::Down
        | KeyCode::Left
        | KeyCode::Right
        | KeyCode::Home
        | KeyCode::End
        | KeyCode::PageUp
        | KeyCode::PageDown
        | KeyCode::Insert
        | KeyCode::Delete => true,
        _ => false,
    }
}

/// How a key is written for a person; [`parse`] reads it back.
pub fn words(key: KeyEvent) -> String {
    let mut words = String::new();
    for (modifier, word) in [
        (KeyModifiers::CONTROL, "ctrl+"),
        (KeyModifiers::ALT, "alt+"),
        (KeyModifiers::SHIFT, "shift+"),
        (KeyModifiers::SUPER, "super+"),
    ] {
        if key.modifiers.contains(modifier) {
            words.push_str(word);
        }
    }
    match (key.code, NAMED.iter().find(|(_, code)| *code == key.code)) {
        (_, Some((name, _))) => words.push_str(name),
        (KeyCode::Char(c), None) => words.push(c),
        (KeyCode::F(number), None) => words.push_str(&format!("f{number}")),
        (other, None) => words.push_str(&other.to_string().to_lowercase()),
    }
    words
}

fn code(name: &str) -> Option<KeyCode> {
    let mut chars = name.chars();
    if let (Some(c), None) = (chars.next(), chars.next()) {
        return (!c.is_control()).then_some(KeyCode::Char(c));
    }
    let lower = name.to_ascii_lowercase();
    if let Some((_, code)) = NAMED.iter().find(|(word, _)| *word == lower) {
        return Some(*code);
    }
    let number: u8 = lower.strip_prefix('f')?.parse().ok()?;
    (1..=24).contains(&number).then_some(KeyCode::F(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(code: KeyCode, modifiers: KeyModifiers) -> Result<KeyEvent, BadKey> {
        Ok(KeyEvent::new(code, modifiers))
    }

    #[test]
    fn keys_are_read_as_people_write_them() {
        use KeyCode::{BackTab, Char, Enter, F};
        let (none, ctrl, alt) = (KeyModifiers::NONE, KeyModifiers::CONTROL, KeyModifiers::ALT);
        assert_eq!(parse("ctrl+q"), key(Char('q'), ctrl));
        assert_eq!(parse("Ctrl+Q"), key(Char('q'), ctrl));
        assert_eq!(parse("alt+enter"), key(Enter, alt));
        assert_eq!(parse("?"), key(Char('?'), none));
        assert_eq!(parse("shift+n"), key(Char('N'), none));
        assert_eq!(parse("shift+tab"), key(BackTab, none));
        assert_eq!(parse("F12"), key(F(12), none));
        assert_eq!(parse("ctrl++"), key(Char('+'), ctrl));
        assert_eq!(parse("+"), key(Char('+'), none));
    }

    #[test]
    fn a_key_reads_back_from_its_words() {
        for written in [
            "ctrl+q",
            "alt+enter",
            "N",
            "f5",
            "?",
            "ctrl+alt+pageup",
            "space",
            "plus",
            "ctrl+shift+k",
        ] {
            assert_eq!(words(parse(written).unwrap()), written);
        }
    }

    #[test]
    fn what_some_terminals_cannot_send_is_known() {
        let lost = [
            "ctrl+m",
            "ctrl+i",
            "ctrl+[",
            "ctrl+ü",
            "ctrl+1",
            "ctrl+shift+k",
            "super+k",
            "ctrl+enter",
            "alt+[",
        ];
        assert_eq!(lost.map(|key| is_told_apart(parse(key).unwrap())), [false; 9]);
        let plain = [
            "n",
            "ü",
            "ctrl+q",
            "ctrl+space",
            "alt+q",
            "alt+enter",
            "f5",
            "ctrl+up",
            "tab",
            "ctrl+]",
            "ctrl+5",
        ];
        assert_eq!(plain.map(|key| is_told_apart(parse(key).unwrap())), [true; 11]);
    }

    #[test]
    fn what_is_no_key_is_named() {
        let why = |written| parse(written).unwrap_err().why;
        assert_eq!(why("hyper+x"), "\"hyper\" is no modifier");
        assert_eq!(why("ctrl+"), "it ends without one");
        assert_eq!(why("f99"), "\"f99\" is no key's name");
        assert_eq!(why(""), "it ends without one");
    }
}
