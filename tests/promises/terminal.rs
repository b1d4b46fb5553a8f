//! P9, P12: a terminal is given back however its client ends, and nothing that a program writes gets out of its pane.

use std::fs;
use std::time::Instant;

use super::{Dice, scaled};
use crate::support::parlour::Parlour;
use crate::{client, pane};

#[tokio::test]
async fn p09_a_killed_drawing_process_leaves_a_terminal_that_is_restored() {
    client::ends::when_the_drawing_process_is_killed_its_guard_restores_the_terminal().await;
}

#[tokio::test]
async fn p09_signals_restore_the_terminal() {
    client::ends::signals_restore_the_terminal().await;
}

#[tokio::test]
async fn p09_a_panic_is_told_on_a_restored_terminal() {
    client::ends::a_panic_is_told_on_a_restored_terminal().await;
}

#[tokio::test]
async fn p09_a_client_ends_with_its_terminal() {
    client::ends::when_the_terminal_is_closed_the_client_ends().await;
}

#[tokio::test]
async fn p09_reset_makes_any_terminal_usable() {
    client::ends::reset_makes_a_broken_terminal_usable().await;
}

#[test]
fn p12_what_is_hostile_takes_no_memory() {
    pane::hostile::what_is_hostile_takes_no_memory();
}

/// What a terminal would do something for, if it got it.
const EVIL: [&[u8]; 16] = [
    b"\x1b]0;EVIL\x07",
    b"\x1b]52;c;RVZJTA==\x07",
    b"\x1b]8;;http://EVIL/\x1b\\link\x1b]8;;\x1b\\",
    b"\x1b]9;EVIL\x07",
    b"\x1b]1337;File=inline=1:EVIL\x07",
    b"\x1bPtmux;\x1b\x1b]0;EVIL\x07\x1b\\",
    b"\x1bP+q4556494c\x1b\\",
    b"\x1b_GEVIL\x1b\\",
    b"\x1b^EVIL\x1b\\\x1bXEVIL\x1b\\",
    b"\x9d0;EVIL\x9c\x90EVIL\x9c",
    b"\x1b[c\x1b[>c\x1b[6n\x1b[?u\x1b[21t\x1b[18t\x1b]10;?\x07\x1b]4;1;?\x07",
    b"\x1b[?1003h\x1b[?1006h\x1b[?2026h\x1b[?1049h\x1b[>31u\x1b[>4;2m",
    b"\x1b[5i\x1b[4i\x1b[8;1;1t\x1b[3;9999;9999t\x1b[2t",
    b"\x1bc\x1b[!p\x1b#8\x1b(0\x0e\x1b[20h\x1b[4h",
    "\u{202e}\u{200b}e\u{301}\u{301}世界👨‍👩‍👧\u{fe0f}".as_bytes(),
    b"\x1b[65535b\x1b[65535;65535H\x1b[65535L\x1b[65535P\x1b[1;1r\x1b[9;2r",
];

/// Those among them that are modes of parlour's own, or that an UTF-8 terminal takes for broken text.
const HARMLESS: [&[u8]; 2] = [EVIL[9], EVIL[11]];

/// Sequences that parlour itself writes: their last characters, the modes among them, and what is said to the terminal.
#[derive(Default)]
struct OuterTerminal {
    foreign: Vec<String>,
}

const MODES: [u16; 13] = [7, 25, 1000, 1002, 1003, 1004, 1006, 1049, 2004, 2026, 2027, 2031, 2048];

impl vte::Perform for OuterTerminal {
    fn execute(&mut self, byte: u8) {
        if !matches!(byte, b'\n' | b'\r' | 0x07 | 0x08) {
            self.foreign.push(format!("control {byte:#x}"));
        }
    }

    fn print(&mut self, c: char) {
        if c.is_control() || matches!(c, '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') {
            self.foreign.push(format!("printed {c:?}"));
        }
    }

    fn hook(&mut self, _: &vte::Params, between: &[u8], _: bool, last: char) {
        self.foreign
            .push(format!("DCS {} {last}", String::from_utf8_lossy(between)));
    }

    fn osc_dispatch(&mut self, params: &[&[u8]], _: bool) {
        let said: Vec<_> = params.iter().map(|part| String::from_utf8_lossy(part)).collect();
        let said = said.join(";");
        let number = said.split(';').next().unwrap_or_default();
        if said.contains("EVIL") || said.contains("RVZJTA") || !["0", "2", "8", "10", "11", "22"].contains(&number) {
            self.foreign.push(format!("OSC {said}"));
        }
    }

    fn csi_dispatch(&mut self, params: &vte::Params, between: &[u8], _: bool, last: char) {
        let first = params.iter().next().and_then(|part| part.first()).copied().unwrap_or(0);
        let is_ours = match (between, last) {
            (b"?", 'h' | 'l') => params.iter().all(|mode| MODES.contains(&mode[0])),
            (b"", 'H' | 'm' | 'J' | 'K' | 'd' | 'G' | 'X' | 'A' | 'B' | 'C' | 'D' | 'S' | 'T' | 'r' | 'L' | 'M') => {
                true
            }
            (b"?", 'u' | 'n') | (b">" | b"<" | b"=", 'u') | (b">", 'm' | 'q') | (b" ", 'q') | (b"", 'c') => true,
            (b"", 't') => matches!(first, 14 | 16 | 18 | 22 | 23),
            (b"?$", 'p') => true,
            _ => false,
        };
        if !is_ours {
            let between = String::from_utf8_lossy(between);
            self.foreign.push(format!("CSI {between} {params:?} {last}"));
        }
    }

    fn esc_dispatch(&mut self, between: &[u8], _: bool, byte: u8) {
        if !matches!((between, byte), ([], b'\\' | b'7' | b'8' | b'>' | b'=')) {
            self.foreign.push(format!("ESC {between:?} {}", char::from(byte)));
        }
    }
}

/// Prints one file after the other, as soon as it is there, and says so.
const PRINTS: &str = "#!/bin/sh
# The answers to what it asks by that are not echoed.
stty raw -echo
n=0
while :; do
  while [ ! -e go-$n ]; do sleep 0.02; done
  cat go-$n
  touch end-$n
  n=$((n + 1))
done
";

/// Any bytes while its window has any size: the engine goes on, and the outer terminal gets what parlour writes alone.
#[test]
fn p12_hostile_bytes_and_any_resize_end_no_engine_and_reach_no_outer_terminal() {
    let parlour = Parlour::new().with_program("prints", PRINTS);
    parlour.configure(r#"{"customLlms": {"prints": {"command": "prints"}}}"#);
    let made = parlour.json(&["new", "Talk", "--llm", "prints"]);
    let dir = parlour.home().join("chats").join(made["id"].as_str().unwrap());
    let engine = parlour.engine_pid();
    let client = parlour.attach(&["talk"]);
    client.wait_for_text("Talk");
    let mut dice = Dice(13);
    let rounds = scaled(6, 400);
    for round in 0..rounds {
        let mut bytes = Vec::new();
        while bytes.len() < 40_000 {
            match dice.below(3) {
                0 => bytes.extend((0..dice.below(60)).map(|_| dice.below(256) as u8)),
                1 => bytes.extend_from_slice(EVIL[dice.below(EVIL.len() as u64) as usize]),
                _ => {
                    let whole = EVIL[dice.below(EVIL.len() as u64) as usize];
                    bytes.extend_from_slice(&whole[..dice.below(whole.len() as u64) as usize]);
                }
            }
        }
        fs::write(dir.join("new"), bytes).unwrap();
        fs::rename(dir.join("new"), dir.join(format!("go-{round}"))).unwrap();
        let end = dir.join(format!("end-{round}"));
        let began = Instant::now();
        while !end.exists() {
            let mut size = |most: u64| u16::try_from(1 + dice.below(most)).unwrap();
            client.resize(size(250), size(80));
            assert!(began.elapsed().as_secs() < 120, "round {round} does not end");
        }
    }
    client.resize(120, 40);
    fs::write(dir.join("new"), b"\x18\x1bcall is over").unwrap();
    fs::rename(dir.join("new"), dir.join(format!("go-{rounds}"))).unwrap();
    client.wait_for_text("all is over");
    assert_eq!(parlour.engine_pid(), engine);
    let reached = foreign(&client.all_received());
    assert!(reached.is_empty(), "{reached:#?}");
    // The judge knows each of them where it gets through.
    for evil in EVIL.iter().filter(|evil| !HARMLESS.contains(*evil)) {
        assert!(!foreign(evil).is_empty(), "{:?}", evil.escape_ascii().to_string());
    }
}

/// What in these bytes parlour does not write itself.
fn foreign(bytes: &[u8]) -> Vec<String> {
    let mut outer = OuterTerminal::default();
    vte::Parser::new().advance(&mut outer, bytes);
    // The parser passes over these in silence.
    let strings = bytes
        .windows(2)
        .filter(|pair| matches!(pair, [0x1b, b'_' | b'^' | b'X']));
    outer
        .foreign
        .extend(strings.map(|pair| format!("string {}", pair.escape_ascii())));
    outer.foreign.sort();
    outer.foreign.dedup();
    outer.foreign
}
