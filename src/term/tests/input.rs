//! Keys, mouse and paste as bytes.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use crate::term::mouse::{FocusChange, encode_focus};
use crate::term::{Kitty, Modes, MouseEncoding, MouseReports, keys, mouse, paste};

const NONE: KeyModifiers = KeyModifiers::NONE;
const CTRL: KeyModifiers = KeyModifiers::CONTROL;
const ALT: KeyModifiers = KeyModifiers::ALT;
const SHIFT: KeyModifiers = KeyModifiers::SHIFT;

fn key(code: KeyCode, modifiers: KeyModifiers, modes: &Modes) -> String {
    String::from_utf8(keys::encode(&KeyEvent::new(code, modifiers), modes)).unwrap()
}

fn released(code: KeyCode, modes: &Modes) -> String {
    let key = KeyEvent::new_with_kind(code, NONE, KeyEventKind::Release);
    String::from_utf8(keys::encode(&key, modes)).unwrap()
}

fn kitty(flags: u8) -> Modes {
    Modes {
        kitty: Kitty(flags),
        ..Modes::default()
    }
}

#[test]
fn keys_of_a_plain_terminal() {
    let modes = Modes::default();
    let cases = [
        (KeyCode::Char('a'), NONE, "a"),
        (KeyCode::Char('A'), SHIFT, "A"),
        (KeyCode::Char('é'), NONE, "é"),
        (KeyCode::Char('c'), CTRL, "\x03"),
        (KeyCode::Char(' '), CTRL, "\0"),
        (KeyCode::Char('['), CTRL, "\x1b"),
        (KeyCode::Char('_'), CTRL, "\x1f"),
        (KeyCode::Char('ā'), CTRL, "ā"),
        (KeyCode::Char('x'), ALT, "\x1bx"),
        (KeyCode::Char('d'), CTRL.union(ALT), "\x1b\x04"),
        (KeyCode::Enter, NONE, "\r"),
        (KeyCode::Enter, ALT, "\x1b\r"),
        (KeyCode::Backspace, NONE, "\x7f"),
        (KeyCode::Tab, NONE, "\t"),
        (KeyCode::BackTab, SHIFT, "\x1b[Z"),
        (KeyCode::Esc, NONE, "\x1b"),
        (KeyCode::Up, NONE, "\x1b[A"),
        (KeyCode::Right, CTRL, "\x1b[1;5C"),
        (KeyCode::Home, NONE, "\x1b[H"),
        (KeyCode::Delete, NONE, "\x1b[3~"),
        (KeyCode::PageUp, SHIFT, "\x1b[5;2~"),
        (KeyCode::F(1), NONE, "\x1bOP"),
        (KeyCode::F(5), NONE, "\x1b[15~"),
        (KeyCode::F(12), CTRL, "\x1b[24;5~"),
    ];
    for (code, modifiers, bytes) in cases {
        assert_eq!(key(code, modifiers, &modes), bytes, "{code:?} {modifiers:?}");
    }
    assert_eq!(released(KeyCode::Char('a'), &modes), "");
}

#[test]
fn arrows_in_application_mode() {
    let modes = Modes {
        app_cursor: true,
        ..Modes::default()
    };
    assert_eq!(key(KeyCode::Up, NONE, &modes), "\x1bOA");
    assert_eq!(key(KeyCode::Up, SHIFT, &modes), "\x1b[1;2A");
}

#[test]
fn keys_of_the_kitty_protocol() {
    let modes = kitty(1);
    let cases = [
        (KeyCode::Char('a'), NONE, "a"),
        (KeyCode::Char('c'), CTRL, "\x1b[99;5u"),
        (KeyCode::Char('x'), ALT, "\x1b[120;3u"),
        (KeyCode::Esc, NONE, "\x1b[27u"),
        (KeyCode::Enter, NONE, "\r"),
        (KeyCode::Enter, SHIFT, "\x1b[13;2u"),
        (KeyCode::Tab, NONE, "\t"),
        (KeyCode::BackTab, SHIFT, "\x1b[9;2u"),
        (KeyCode::Backspace, NONE, "\x7f"),
        (KeyCode::PageUp, NONE, "\x1b[5~"),
        (KeyCode::Left, ALT, "\x1b[1;3D"),
    ];
    for (code, modifiers, bytes) in cases {
        assert_eq!(key(code, modifiers, &modes), bytes, "{code:?} {modifiers:?}");
    }
    assert_eq!(released(KeyCode::Esc, &modes), "");
    assert_eq!(released(KeyCode::Esc, &kitty(3)), "\x1b[27;1:3u");
    assert_eq!(released(KeyCode::Char('a'), &kitty(3)), "");
    assert_eq!(released(KeyCode::Char('a'), &kitty(11)), "\x1b[97;1:3u");
    assert_eq!(released(KeyCode::PageUp, &kitty(3)), "\x1b[5;1:3~");
    assert_eq!(key(KeyCode::Char('a'), NONE, &kitty(8)), "\x1b[97u");
}

#[test]
fn a_paste_cannot_end_its_own_frame() {
    let on = Modes {
        bracketed_paste: true,
        ..Modes::default()
    };
    let text = "a\x1b[201~\rrm\u{9b}201~\x03\tb\r\nc\x7f";
    assert_eq!(paste::encode(text, &on), b"\x1b[200~a[201~\nrm201~\tb\nc\x1b[201~");
    assert_eq!(paste::encode("a\nb\x1b", &Modes::default()), b"a\rb");
}

fn mouse_at(kind: MouseEventKind, modes: &Modes) -> Option<Vec<u8>> {
    mouse::encode(
        &MouseEvent {
            kind,
            column: 4,
            row: 2,
            modifiers: CTRL,
        },
        modes,
    )
}

#[test]
fn the_mouse_is_told_as_the_program_asked() {
    let left = MouseButton::Left;
    let mut modes = Modes {
        mouse: MouseReports::Clicks,
        mouse_encoding: MouseEncoding::Sgr,
        ..Modes::default()
    };
    assert_eq!(
        mouse_at(MouseEventKind::Down(left), &modes),
        Some(b"\x1b[<16;5;3M".to_vec())
    );
    assert_eq!(
        mouse_at(MouseEventKind::Up(left), &modes),
        Some(b"\x1b[<16;5;3m".to_vec())
    );
    assert_eq!(
        mouse_at(MouseEventKind::ScrollDown, &modes),
        Some(b"\x1b[<81;5;3M".to_vec())
    );
    assert_eq!(mouse_at(MouseEventKind::Drag(left), &modes), None);
    modes.mouse = MouseReports::Motion;
    assert_eq!(mouse_at(MouseEventKind::Moved, &modes), Some(b"\x1b[<51;5;3M".to_vec()));
    modes.mouse_encoding = MouseEncoding::X10;
    assert_eq!(
        mouse_at(MouseEventKind::Up(left), &modes),
        Some(vec![27, b'[', b'M', 32 + 3 + 16, 37, 35])
    );
}

#[test]
fn the_wheel_is_arrow_keys_only_where_nothing_scrolls() {
    let pager = Modes {
        alt_screen: true,
        alternate_scroll: true,
        ..Modes::default()
    };
    assert_eq!(
        mouse_at(MouseEventKind::ScrollUp, &pager),
        Some(b"\x1b[A\x1b[A\x1b[A".to_vec())
    );
    assert_eq!(mouse_at(MouseEventKind::ScrollUp, &Modes::default()), None);
    assert_eq!(mouse_at(MouseEventKind::Down(MouseButton::Left), &pager), None);
}

#[test]
fn focus_is_told_to_who_asked() {
    assert_eq!(encode_focus(FocusChange::Gained, &Modes::default()), None);
    let modes = Modes {
        focus: true,
        ..Modes::default()
    };
    assert_eq!(encode_focus(FocusChange::Lost, &modes), Some(&b"\x1b[O"[..]));
}
