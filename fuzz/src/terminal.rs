//! Any bytes with any changes of size between them: a screen of the right size with nothing but printable cells.
//!
//! No UTF-8 has the byte 254: it stands for a change of size, to as many columns and rows as the next two bytes say. 255
//! stands for a look further back.

use std::time::Instant;

use parlour::term::{Effects, Setup, Terminal, TerminalPalette, TerminalSize};

pub fn run(bytes: &[u8]) {
    let mut terminal = Terminal::new(Setup {
        size: TerminalSize::new(20, 5),
        palette: TerminalPalette::default(),
        history_lines: 100,
    });
    let mut effects = Effects::default();
    let mut rest = bytes;
    while !rest.is_empty() {
        let at = rest.iter().position(|byte| *byte >= 254).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(at);
        terminal.advance(piece, Instant::now(), &mut effects);
        rest = behind;
        match *behind {
            [254, cols, rows, ..] => {
                terminal.resize(TerminalSize::new(cols.into(), rows.into()), &mut effects);
                rest = &behind[3..];
            }
            [255, offset, ..] => {
                drop(terminal.view(offset.into(), &mut effects));
                terminal.tick(Instant::now());
                rest = &behind[2..];
            }
            [_, ..] => rest = &[],
            [] => {}
        }
        holds(&mut terminal, &mut effects);
    }
    holds(&mut terminal, &mut effects);
}

fn holds(terminal: &mut Terminal, effects: &mut Effects) {
    let size = terminal.size();
    let screen = terminal.screen(effects);
    assert_eq!(screen.rows.len(), usize::from(size.rows()));
    for row in &screen.rows {
        assert_eq!(row.cells.len(), usize::from(size.cols()));
    }
    let text = screen.text();
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
}
