//! Any bytes, in any pieces, with any resizes between: no panic, no hang, only printable cells.

use std::time::Duration;

use proptest::prelude::*;

use super::Desk;

#[derive(Clone, Debug)]
enum Act {
    Bytes(Vec<u8>),
    Resize(u16, u16),
    Wait(u64),
    Look(usize),
    History(usize),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => prop::collection::vec(any::<u8>(), 0..200).prop_map(Act::Bytes),
        8 => "(\\x1b[\\[\\]PXc()#=>78DEHM][?>=<!]?[0-9;:]{0,8}[ $\"']?[@-~]|[a-z世\u{301}🎉\t\r\n\x07]{0,20}){1,20}"
            .prop_map(|text| Act::Bytes(text.into_bytes())),
        1 => Just(Act::Bytes(b"\x1b[?2026h".to_vec())),
        1 => Just(Act::Bytes(b"\x1b[?1049h\x1b[>1u".to_vec())),
        3 => (0..40u16, 0..20u16).prop_map(|(cols, rows)| Act::Resize(cols, rows)),
        1 => (0..300u64).prop_map(Act::Wait),
        1 => (0..200usize).prop_map(Act::Look),
        1 => (0..50usize).prop_map(Act::History),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn nothing_a_program_writes_breaks_its_terminal(acts in prop::collection::vec(act(), 0..80)) {
        let mut desk = Desk::new(20, 5);
        for act in acts {
            match act {
                Act::Bytes(bytes) => {
 desk.feed(bytes);
 }
                Act::Resize(cols, rows) => {
 desk.resize(cols, rows);
 }
                Act::Wait(time) => {
                    desk.now += Duration::from_millis(time);
                    desk.terminal.tick(desk.now);
                }
                Act::Look(offset) => drop(desk.terminal.view(offset, &mut desk.effects)),
                Act::History(lines) => desk.terminal.set_history_limit(lines, &mut desk.effects),
            }
            let screen = desk.screen();
            prop_assert_eq!(screen.rows.len(), usize::from(desk.terminal.size().rows()));
            for row in &screen.rows {
                prop_assert_eq!(row.cells.len(), usize::from(desk.terminal.size().cols()));
            }
            let plain = screen.text();
            prop_assert!(!plain.chars().any(|c| c.is_control() && c != '\n'), "{plain:?}");
        }
    }
}
