//! Two emulators of different make agree on plain text.

use proptest::prelude::*;

use super::Desk;

/// Words, line ends, and the few sequences on which both are right.
fn narrow() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[ -~äöüßé]{0,30}",
        3 => Just("\r\n".to_owned()),
        1 => prop::sample::select(vec![0, 1, 3, 4, 7, 31, 42]).prop_map(|code| format!("\x1b[{code}m")),
        1 => (1..12u16, 1..40u16).prop_map(|(row, col)| format!("\x1b[{row};{col}H")),
        1 => Just("\x1b[K".to_owned()),
    ]
}

/// Wide characters with nothing that could cut one in half: there each terminal does as it likes.
fn wide() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z世界語]{1,8}", Just("\r\n".to_owned())]
}

fn stream() -> impl Strategy<Value = String> {
    let narrow = prop::collection::vec(narrow(), 0..60);
    let wide = prop::collection::vec(wide(), 0..60);
    prop_oneof![narrow, wide].prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn plain_text_looks_the_same_to_vt100(stream in stream()) {
        let size = |value| std::num::NonZeroU16::new(value).unwrap();
        let mut oracle = vt100::Parser::new(size(10), size(40), 0);
        oracle.process(stream.as_bytes());
        let mut desk = Desk::new(40, 10);
        let screen = desk.feed(&stream).screen();
        let theirs: Vec<String> =
            oracle.screen().rows(0, 40).map(|row| row.trim_end().to_owned()).collect();
        let ours: Vec<String> = screen.text().lines().map(|row| row.trim_end().to_owned()).collect();
        prop_assert_eq!(ours, theirs);
    }
}
