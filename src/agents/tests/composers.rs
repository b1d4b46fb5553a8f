//! What the composers of the real CLIs show, read from screens that were recorded of them.

use std::time::Instant;

use crate::agents;
use crate::model::{Composer, Settings};
use crate::term::{Effects, Setup, Terminal, TerminalPalette, TerminalSize};

/// The screens were taken at this width.
const COLS: u16 = 80;

/// A recorded screen, with its cursor.
fn shown(cli: &str, name: &str) -> Option<Composer> {
    let path = format!("tests/fixtures/agents/{cli}/screens/composer/{name}.ansi");
    let recorded = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let (rows, cursor) = recorded.trim_end().rsplit_once("\ncursor ").unwrap();
    let cursor = match cursor.split_once(' ') {
        Some((row, col)) => format!(
            "\x1b[{};{}H",
            row.parse::<u16>().unwrap() + 1,
            col.parse::<u16>().unwrap() + 1
        ),
        None => "\x1b[?25l".into(),
    };
    let mut terminal = Terminal::new(Setup {
        size: TerminalSize::new(COLS, rows.lines().count() as u16),
        palette: TerminalPalette::default(),
        history_lines: 0,
    });
    let mut out = Effects::default();
    let bytes = format!("{}{cursor}", rows.replace('\n', "\r\n"));
    terminal.advance(bytes.as_bytes(), Instant::now(), &mut out);
    let adapter = agents::find(cli, &Settings::default()).unwrap();
    adapter.read_composer(&terminal.screen(&mut out))
}

fn is(cli: &str, expected: Composer, names: &[&str]) {
    for name in names {
        assert_eq!(shown(cli, name), Some(expected.clone()), "{cli}, {name}");
    }
}

fn holds(cli: &str, name: &str, words: &str) {
    let Some(Composer::Holds(text)) = shown(cli, name) else {
        panic!("{cli}, {name}: {:?}", shown(cli, name));
    };
    let text: Vec<&str> = text.split_whitespace().collect();
    assert_eq!(text.join(" "), words, "{cli}, {name}");
}

const WRAPPED: &str = "one line of a prompt that is long enough to be wrapped by the composer of a terminal of eighty columns, \
                       and then some more words so that it is three lines";

#[test]
fn a_composer_is_empty_whatever_hint_it_shows() {
    is("claude", Composer::Empty, &["empty", "shortcuts", "unfocused"]);
    is("codex", Composer::Empty, &["empty"]);
    is("gemini", Composer::Empty, &["empty", "answered", "unfocused"]);
    is("opencode", Composer::Empty, &["empty", "answered"]);
}

#[test]
fn a_draft_is_read_as_it_stands_there() {
    for cli in ["claude", "codex", "gemini", "opencode"] {
        holds(cli, "draft", "half a thought");
    }
    for cli in ["claude", "codex", "gemini"] {
        holds(cli, "wrapped", WRAPPED);
        holds(cli, "lines", "first line third line");
    }
    for cli in ["claude", "codex"] {
        holds(cli, "commands", "/model");
    }
}

#[test]
fn of_a_long_paste_its_size_is_shown_or_its_end() {
    for cli in ["claude", "gemini", "opencode"] {
        is(cli, Composer::Pasted, &["paste"]);
    }
    let Some(Composer::Holds(end)) = shown("codex", "clipped") else {
        panic!("{:?}", shown("codex", "clipped"));
    };
    assert!(end.ends_with("this is line 39\nthis is line 40"), "{end}");
}

#[test]
fn in_a_menu_a_search_or_a_shell_there_is_no_composer() {
    is("claude", Composer::Absent, &["menu", "search"]);
    is("codex", Composer::Absent, &["menu", "search"]);
    is("gemini", Composer::Absent, &["menu", "search", "shell", "loop"]);
    is("opencode", Composer::Absent, &["menu", "palette", "shell"]);
}

#[test]
fn of_a_cli_whose_composer_is_not_known_nothing_is_said() {
    let adapter = agents::find("shell", &Settings::default()).unwrap();
    let screen = crate::term::Screen::blank(80, 24);
    assert_eq!(adapter.read_composer(&screen), None);
}
