//! A key, as the bytes that a program with these modes expects.
//!
//! `terminput` knows the encodings. Handled here is where it has gaps: application cursor keys, control characters
//! beyond letters, and the keys that the kitty protocol leaves as they were.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use terminput::{Encoding, Event, KittyFlags};
use terminput_crossterm::to_terminput_key;

use super::screen::{Kitty, Modes};

/// The bytes for a key; none where this key has no meaning in these modes.
pub fn encode(key: &KeyEvent, modes: &Modes) -> Vec<u8> {
    let kitty = modes.kitty;
    let mut key = *key;
    if !kitty.has(Kitty::EVENT_TYPES) || is_plain(&key, kitty) {
        match key.kind {
            KeyEventKind::Release => return Vec::new(),
            KeyEventKind::Press | KeyEventKind::Repeat => key.kind = KeyEventKind::Press,
        }
    }
    let enhanced = kitty.has(Kitty::DISAMBIGUATE) || kitty.has(Kitty::ALL_KEYS);
    let special = paged(&key, enhanced)
        .or_else(|| application(&key, modes))
        .or_else(|| control(&key, enhanced));
    special.unwrap_or_else(|| {
        let encoding = if !enhanced || (is_plain(&key, kitty) && key.kind == KeyEventKind::Press) {
            Encoding::Xterm
        } else {
            Encoding::Kitty(flags(kitty))
        };
        by_terminput(key, encoding)
    })
}

fn by_terminput(key: KeyEvent, encoding: Encoding) -> Vec<u8> {
    // The longest sequence is an alternate key with modifiers and event type: about 20 bytes.
    let mut bytes = [0; 64];
    match to_terminput_key(key).map(|key| Event::Key(key).encode(&mut bytes, encoding)) {
        Ok(Ok(length)) => bytes[..length].to_vec(),
        Ok(Err(_)) | Err(_) => Vec::new(),
    }
}

/// Enter, Tab, Backspace and text stay plain under the kitty protocol until a program asks for all keys, so that a
/// shell left in that mode by a crashed program can still be typed in.
fn is_plain(key: &KeyEvent, kitty: Kitty) -> bool {
    let text = matches!(key.code, KeyCode::Char(_)) && (key.modifiers - KeyModifiers::SHIFT).is_empty();
    let kept = matches!(key.code, KeyCode::Enter | KeyCode::Tab | KeyCode::Backspace) && key.modifiers.is_empty();
    !kitty.has(Kitty::ALL_KEYS) && (text || kept)
}

/// Page keys end in `~` under every protocol.
fn paged(key: &KeyEvent, enhanced: bool) -> Option<Vec<u8>> {
    let number = match key.code {
        KeyCode::PageUp => 5,
        KeyCode::PageDown => 6,
        _ => return None,
    };
    let event = match key.kind {
        KeyEventKind::Press => "",
        KeyEventKind::Repeat if enhanced => ":2",
        KeyEventKind::Release if enhanced => ":3",
        KeyEventKind::Repeat | KeyEventKind::Release => return Some(Vec::new()),
    };
    let modifiers = modifier_number(key.modifiers);
    Some(match (modifiers, event) {
        (1, "") => format!("\x1b[{number}~").into_bytes(),
        _ => format!("\x1b[{number};{modifiers}{event}~").into_bytes(),
    })
}

fn modifier_number(modifiers: KeyModifiers) -> u8 {
    let bits = [
        (KeyModifiers::SHIFT, 1),
        (KeyModifiers::ALT, 2),
        (KeyModifiers::CONTROL, 4),
        (KeyModifiers::SUPER, 8),
    ];
    1 + bits
        .iter()
        .filter(|(modifier, _)| modifiers.contains(*modifier))
        .map(|(_, bit)| bit)
        .sum::<u8>()
}

/// Arrows, Home and End in application cursor mode (DECCKM).
fn application(key: &KeyEvent, modes: &Modes) -> Option<Vec<u8>> {
    if !modes.app_cursor || !key.modifiers.is_empty() || key.kind != KeyEventKind::Press {
        return None;
    }
    let last = match key.code {
        KeyCode::Up => b'A',
        KeyCode::Down => b'B',
        KeyCode::Right => b'C',
        KeyCode::Left => b'D',
        KeyCode::End => b'F',
        KeyCode::Home => b'H',
        _ => return None,
    };
    Some(vec![0x1b, b'O', last])
}

/// Control with a character, by the table that terminals have shared since the VT100.
fn control(key: &KeyEvent, enhanced: bool) -> Option<Vec<u8>> {
    let KeyCode::Char(c) = key.code else {
        return None;
    };
    if enhanced || !key.modifiers.contains(KeyModifiers::CONTROL) {
        return None;
    }
    let byte = match c {
        'a'..='z' => c as u8 - b'a' + 1,
        'A'..='Z' => c as u8 - b'A' + 1,
        ' ' | '@' | '2' | '`' => 0x00,
        '[' | '3' => 0x1b,
        '\\' | '4' => 0x1c,
        ']' | '5' => 0x1d,
        '^' | '~' | '6' => 0x1e,
        '_' | '/' | '7' => 0x1f,
        '?' | '8' => 0x7f,
        // The rest has no control character: the key itself is better than nothing.
        _ => return Some(with_alt(key, c.to_string().as_bytes())),
    };
    Some(with_alt(key, &[byte]))
}

fn with_alt(key: &KeyEvent, bytes: &[u8]) -> Vec<u8> {
    let alt: &[u8] = if key.modifiers.contains(KeyModifiers::ALT) {
        b"\x1b"
    } else {
        b""
    };
    [alt, bytes].concat()
}

fn flags(kitty: Kitty) -> KittyFlags {
    let pairs = [
        (Kitty::DISAMBIGUATE, KittyFlags::DISAMBIGUATE_ESCAPE_CODES),
        (Kitty::EVENT_TYPES, KittyFlags::REPORT_EVENT_TYPES),
        (Kitty::ALTERNATES, KittyFlags::REPORT_ALTERNATE_KEYS),
        (Kitty::ALL_KEYS, KittyFlags::REPORT_ALL_KEYS_AS_ESCAPE_CODES),
    ];
    pairs
        .iter()
        .filter(|(flag, _)| kitty.has(*flag))
        .fold(KittyFlags::empty(), |all, (_, flag)| all | *flag)
}
