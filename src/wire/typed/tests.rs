//! What terminals send, whole and torn.

use super::*;

fn key(code: char) -> FromTerminal {
    pressed(KeyEvent::new(KeyCode::Char(code), KeyModifiers::NONE))
}

fn alt(code: char) -> FromTerminal {
    pressed(KeyEvent::new(KeyCode::Char(code), KeyModifiers::ALT))
}

fn code(code: KeyCode) -> FromTerminal {
    pressed(code.into())
}

fn keys(text: &str) -> Vec<FromTerminal> {
    text.chars().map(key).collect()
}

fn read(bytes: &[u8]) -> Vec<FromTerminal> {
    TerminalInput::default().read(bytes)
}

fn paste(text: &str) -> FromTerminal {
    FromTerminal::Event(Event::Paste(text.to_owned()))
}

#[test]
fn keys_are_what_crossterm_calls_them() {
    let control = |code| pressed(KeyEvent::new(KeyCode::Char(code), KeyModifiers::CONTROL));
    let shifted = |code| pressed(KeyEvent::new(code, KeyModifiers::SHIFT));
    assert_eq!(
        read(b"a\r\t\x7f\x03\n\x1c\0"),
        [
            key('a'),
            code(KeyCode::Enter),
            code(KeyCode::Tab),
            code(KeyCode::Backspace),
            control('c'),
            control('j'),
            control('4'),
            control(' '),
        ]
    );
    assert_eq!(
        read("Aß🦀".as_bytes()),
        [shifted(KeyCode::Char('A')), key('ß'), key('🦀')]
    );
    assert_eq!(
        read(b"\x1b[A\x1bOQ\x1b[Z\x1b[1;2B\x1b[5~"),
        [
            code(KeyCode::Up),
            code(KeyCode::F(2)),
            shifted(KeyCode::BackTab),
            shifted(KeyCode::Down),
            code(KeyCode::PageUp),
        ]
    );
    assert_eq!(
        read(b"\x1bx\x1b[13;2u\x1b[105;5u"),
        [alt('x'), shifted(KeyCode::Enter), control('i')]
    );
    assert_eq!(
        read(b"\x1b[I\x1b[O"),
        [
            FromTerminal::Event(Event::FocusGained),
            FromTerminal::Event(Event::FocusLost)
        ]
    );
    let clicked = read(b"\x1b[<16;3;4M");
    let [FromTerminal::Event(Event::Mouse(mouse))] = clicked.as_slice() else {
        panic!("{clicked:?} is no click");
    };
    assert_eq!(
        (mouse.column, mouse.row, mouse.modifiers),
        (2, 3, KeyModifiers::CONTROL)
    );
}

#[test]
fn a_key_in_the_form_of_xterm_has_its_modifiers() {
    let pressed = |code, modifiers| FromTerminal::Event(Event::Key(KeyEvent::new(code, modifiers)));
    for (told, key) in [
        ("\x1b[27;2;13~", pressed(KeyCode::Enter, KeyModifiers::SHIFT)),
        ("\x1b[27;5;13~", pressed(KeyCode::Enter, KeyModifiers::CONTROL)),
        ("\x1b[27;5;105~", pressed(KeyCode::Char('i'), KeyModifiers::CONTROL)),
        (
            "\x1b[27;7;44~",
            pressed(KeyCode::Char(','), KeyModifiers::CONTROL | KeyModifiers::ALT),
        ),
    ] {
        assert_eq!(read(format!("{told}x").as_bytes()), [key, self::key('x')], "{told:?}");
    }
    // What is none is nothing, and swallows nothing behind it.
    assert_eq!(read(b"\x1b[27;2~x"), [key('x')]);
    assert_eq!(read(b"\x1b[27;2;99999999999999999999~x"), [key('x')]);
}

#[test]
fn what_comes_byte_by_byte_is_the_same() {
    let bytes = "a\x1b[1;5Cß\x1b[200~two\nlines\x1b[201~\x1b[<0;10;20m\x1b[?1u".as_bytes();
    let mut input = TerminalInput::default();
    let one_by_one: Vec<FromTerminal> = bytes.iter().flat_map(|byte| input.read(&[*byte])).collect();
    assert_eq!(one_by_one, read(bytes));
    assert_eq!(one_by_one.len(), 6);
    assert!(input.is_between());
}

#[test]
fn a_long_paste_comes_in_pieces_and_loses_nothing() {
    let text = "ä€\x1b[20x".repeat(PASTE_PIECE / 3);
    let typed = read(format!("\x1b[200~{text}\x1b[201~y").as_bytes());
    let (last, pieces) = typed.split_last().unwrap();
    assert_eq!(*last, key('y'));
    let pieces = pieces.iter().map(|piece| match piece {
        FromTerminal::Event(Event::Paste(piece)) => piece.as_str(),
        other => panic!("{other:?} is no paste"),
    });
    let pieces: Vec<&str> = pieces.collect();
    assert!(pieces.len() > 1 && pieces.iter().all(|piece| piece.len() <= PASTE_PIECE));
    assert_eq!(pieces.concat(), text);
    assert_eq!(read(b"\x1b[200~\x1b[201~"), []);
}

#[test]
fn a_paste_that_fills_a_piece_ends_where_it_ends() {
    for length in PASTE_PIECE - 8..PASTE_PIECE + 8 {
        let text = "x".repeat(length);
        let mut typed = read(format!("\x1b[200~{text}\x1b[201~q").as_bytes());
        assert_eq!(typed.pop(), Some(key('q')), "{length}");
        let told = typed.iter().map(|piece| match piece {
            FromTerminal::Event(Event::Paste(piece)) => piece.len(),
            other => panic!("{other:?} is no paste"),
        });
        assert_eq!(told.sum::<usize>(), length);
    }
}

#[test]
fn an_answer_is_no_typing_however_torn_it_comes() {
    let answers =
        "a\x1b]10;rgb:ffff/8080/0000\x07b\x1b[?997;1n\x1b[?1u\x1b[12;5R\x1b]11;rgb:00/7/fff\x1b\\c\x1b[?62;4cd";
    let expected = [
        key('a'),
        FromTerminal::Foreground([255, 128, 0]),
        key('b'),
        FromTerminal::Scheme,
        FromTerminal::Kitty,
        FromTerminal::Background([0, 119, 255]),
        key('c'),
        FromTerminal::Kind,
        key('d'),
    ];
    for at in 0..answers.len() {
        let mut input = TerminalInput::default();
        input.expect_colours();
        let mut typed = input.read(&answers.as_bytes()[..at]);
        typed.extend(input.read(&answers.as_bytes()[at..]));
        assert_eq!(typed, expected, "torn at {at}");
        assert!(input.expects_nothing());
    }
}

#[test]
fn answers_that_nobody_asked_for_swallow_nothing() {
    assert_eq!(read(b"\x1b[?2026;2$yx\x1b[>1;95;0cy\x1b[?5hz"), keys("xyz"));
}

#[test]
fn keys_with_alt_are_not_taken_for_the_beginning_of_an_answer() {
    assert_eq!(read(b"\x1b]11;r"), [vec![alt(']')], keys("11;r")].concat());
    let shifted = KeyEvent::new(KeyCode::Char('P'), KeyModifiers::ALT | KeyModifiers::SHIFT);
    assert_eq!(read(b"\x1bPx"), [pressed(shifted), key('x')]);
}

#[test]
fn what_does_not_go_on_is_a_key_or_was_torn() {
    let gives_up = |bytes: &[u8], expecting| {
        let mut input = TerminalInput::default();
        if expecting {
            input.expect_colours();
        }
        assert_eq!(input.read(bytes), []);
        let patience = input.patience().unwrap();
        let typed = input.give_up();
        assert_eq!(input.patience(), None);
        assert_eq!(input.read(b"yes"), keys("yes"));
        (patience, typed)
    };
    assert_eq!(gives_up(b"\x1b", false), (LONE, vec![code(KeyCode::Esc)]));
    assert_eq!(gives_up(b"\x1b", true), (LONE_EXPECTING, vec![code(KeyCode::Esc)]));
    assert_eq!(gives_up(b"\x1b[", false), (WITH_ALT, vec![alt('[')]));
    assert_eq!(gives_up(b"\x1b]", true), (WITH_ALT, vec![alt(']')]));
    assert_eq!(gives_up(b"\x1b]11;rgb:00/0", true), (TORN, Vec::new()));
    assert_eq!(gives_up(b"\x1b[1;", false), (TORN, Vec::new()));
    let mut input = TerminalInput::default();
    input.read(b"\x1b[200~half a pas");
    assert_eq!(input.patience(), None);
    assert_eq!(input.read(b"te\x1b[201~"), [paste("half a paste")]);
}

#[test]
fn an_escape_waits_no_longer_for_answers_once_the_terminal_has_said_what_it_is() {
    let mut input = TerminalInput::default();
    let waits = |input: &mut TerminalInput| {
        input.read(b"\x1b");
        let patience = input.patience();
        (patience, input.give_up())
    };
    let esc = || vec![code(KeyCode::Esc)];
    input.expect_colours();
    assert_eq!(waits(&mut input), (Some(LONE_EXPECTING), esc()));
    // It tells no colours.
    assert_eq!(input.read(b"\x1b[?62;c"), [FromTerminal::Kind]);
    assert_eq!(waits(&mut input), (Some(LONE), esc()));
    // What comes out of turn is no typing all the same.
    assert_eq!(
        input.read(b"\x1b]11;rgb:0000/7777/ffff\x07x"),
        [FromTerminal::Background([0, 119, 255]), key('x')]
    );
    assert_eq!(waits(&mut input), (Some(LONE), esc()));
    input.expect_colours();
    assert_eq!(waits(&mut input), (Some(LONE_EXPECTING), esc()));
}

#[test]
fn an_escape_and_a_key_after_it_are_no_key_with_alt() {
    let mut input = TerminalInput::default();
    assert_eq!(input.read(b"\x1b"), []);
    assert_eq!(input.read(b"x"), [code(KeyCode::Esc), key('x')]);
    assert_eq!(input.read(b"\x1bx"), [alt('x')]);
    assert_eq!(input.read(b"\x1b"), []);
    assert_eq!(input.read(b"[A"), [code(KeyCode::Up)]);
}

#[test]
fn something_new_begins_after_what_broke_off() {
    assert_eq!(read(b"\x1b[1;\x1b[A"), [code(KeyCode::Up)]);
    assert_eq!(read(b"\xc3\x1b[A\xc3q\x80w"), [code(KeyCode::Up), key('q'), key('w')]);
}

#[test]
fn bytes_are_keys_only_where_they_are_nothing_else() {
    let count = |bytes: &[u8]| TerminalInput::keys(bytes).map(|keys| keys.len());
    assert_eq!(count(b"ls\r"), Some(3));
    assert_eq!(count(b"\x1b[A\x1b[<0;1;1M"), Some(2));
    for other in [
        &b"\x1b"[..],
        b"a\x1b[",
        b"\xc3",
        b"\x1b[I",
        b"\x1b[200~x\x1b[201~",
        b"\x1b[?997;1n",
    ] {
        assert_eq!(count(other), None, "{other:?}");
    }
}
