//! A key as people write it in `config.json`: `ctrl+q`, `alt+enter`, `n`, `?`, `f5`.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

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
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("pgdown", KeyCode::PageDown),
];

const MODIFIERS: [(&str, KeyModifiers); 4] = [
    ("ctrl", KeyModifiers::CONTROL),
    ("alt", KeyModifiers::ALT),
    ("shift", KeyModifiers::SHIFT),
    ("super", KeyModifiers::SUPER),
];

/// The key that `written` names, or why it names none.
pub fn parse(written: &str) -> Result<KeyEvent, String> {
    let mut modifiers = KeyModifiers::NONE;
    let mut rest = written.trim();
    // A `+` at the start is the key itself, as in `ctrl++`.
    while let Some((word, behind)) = rest.split_once('+').filter(|(word, _)| !word.is_empty()) {
        let word = word.trim();
        let known = MODIFIERS.iter().find(|(name, _)| word.eq_ignore_ascii_case(name));
        modifiers |= known.ok_or_else(|| format!("{word:?} is no modifier"))?.1;
        rest = behind.trim();
    }
    match (rest, code(rest)) {
        (_, Some(code)) => Ok(normal(KeyEvent::new(code, modifiers))),
        ("", None) => Err("no key is named".into()),
        (rest, None) => Err(format!("{rest:?} is no key's name")),
    }
}

/// The one spelling of a key that terminals report in several: `shift+a` is `A`, `shift+tab` is `backtab`.
pub fn normal(key: KeyEvent) -> KeyEvent {
    let shifted = key.modifiers.contains(KeyModifiers::SHIFT);
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    let without_shift = key.modifiers - KeyModifiers::SHIFT;
    let (code, modifiers) = match key.code {
        // With Ctrl a terminal without the newer protocol cannot tell the cases apart.
        KeyCode::Char(c) if ctrl => (KeyCode::Char(c.to_ascii_lowercase()), key.modifiers),
        KeyCode::Char(c) if shifted => (KeyCode::Char(c.to_ascii_uppercase()), without_shift),
        KeyCode::Tab if shifted => (KeyCode::BackTab, without_shift),
        KeyCode::BackTab => (KeyCode::BackTab, without_shift),
        code => (code, key.modifiers),
    };
    KeyEvent::new(code, modifiers)
}

/// How a key is written for a person; [`parse`] reads it back.
pub fn words(key: KeyEvent) -> String {
    let mut words = String::new();
    for (word, modifier) in MODIFIERS {
        if key.modifiers.contains(modifier) {
            words.push_str(word);
            words.push('+');
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
    if let Some((_, code)) = NAMED.iter().find(|(word, _)| name.eq_ignore_ascii_case(word)) {
        return Some(*code);
    }
    let number: u8 = name.strip_prefix(['f', 'F'])?.parse().ok()?;
    (1..=24).contains(&number).then_some(KeyCode::F(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_people_write_them() {
        use KeyCode::{BackTab, Char, Enter, F};
        let key = |code, modifiers| Ok(KeyEvent::new(code, modifiers));
        let none = KeyModifiers::NONE;
        assert_eq!(parse("Ctrl+Q"), key(Char('q'), KeyModifiers::CONTROL));
        assert_eq!(parse("alt+enter"), key(Enter, KeyModifiers::ALT));
        assert_eq!(parse("?"), key(Char('?'), none));
        assert_eq!(parse("shift+n"), key(Char('N'), none));
        assert_eq!(parse("shift+tab"), key(BackTab, none));
        assert_eq!(parse("F12"), key(F(12), none));
        assert_eq!(parse("ctrl++"), key(Char('+'), KeyModifiers::CONTROL));
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
        ] {
            assert_eq!(words(parse(written).unwrap()), written);
        }
    }

    #[test]
    fn what_is_no_key_is_named() {
        assert_eq!(parse("ctrl+"), Err("no key is named".into()));
        assert_eq!(parse("f99"), Err("\"f99\" is no key's name".into()));
        assert_eq!(parse(""), Err("no key is named".into()));
    }
}
