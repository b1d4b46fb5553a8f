//! An echo is drawn as the rows that changed; what stands there then is what a whole drawing would show.

use std::sync::Arc;
use std::time::Instant;

use parlour::config::theme::Theme;
use parlour::term::{Effects, Screen, Setup, Terminal, TerminalPalette, TerminalSize};
use parlour::ui;

use crate::support::paper::draw;
use crate::support::world::{ME, World, id};

/// One terminal's screens, one after each of these outputs.
fn screens(world: &World, outputs: &[&str]) -> Vec<Arc<Screen>> {
    let size = world.state.domain.live.agents[&id("auth")].size;
    let mut terminal = Terminal::new(Setup {
        size: TerminalSize::new(size.cols, size.rows),
        palette: TerminalPalette::default(),
        history_lines: 100,
    });
    let mut out = Effects::default();
    let mut after = |output: &&str| {
        terminal.advance(output.as_bytes(), Instant::now(), &mut out);
        terminal.screen(&mut out)
    };
    outputs.iter().map(&mut after).collect()
}

fn show(world: &mut World, screen: &Arc<Screen>) {
    let agent = world
        .state
        .domain
        .live
        .agents
        .get_mut(&id("auth"))
        .expect("the morning's agent");
    agent.screen = Some(screen.clone());
}

fn in_the_agent(cols: u16, rows: u16) -> World {
    let mut world = World::morning(cols, rows);
    world.look();
    world.press("enter");
    world
}

const TYPED: [&str; 7] = [
    "first line\r\nsecond: 修复\r\n> ",
    "a",
    "é\u{301}",
    "\x1b[1;31m修\x1b[0m",
    "\x1b[2;3Hover it",
    "\r\n\n\n\x1b[4:3munder\x1b[0m",
    "\x1b[2J\x1b[?25l",
];

#[test]
fn changed_rows_drawn_alone_make_the_same_picture() {
    for (cols, rows) in [(120, 40), (80, 24), (60, 20)] {
        let mut world = in_the_agent(cols, rows);
        let screens = screens(&world, &TYPED);
        show(&mut world, &screens[0]);
        for screen in &screens[1..] {
            let mut echoed = draw(&world.state, ME, &Theme::dark());
            let before = ui::bare_screen(&world.state, ME).expect("nothing lies over it");
            show(&mut world, screen);
            let now = ui::bare_screen(&world.state, ME).expect("nothing lies over it");
            let changed = now.rows_changed_since(&before).expect("only rows changed");
            changed.iter().for_each(|y| now.draw_row(*y, &mut echoed.buffer));
            let whole = draw(&world.state, ME, &Theme::dark());
            assert_eq!(echoed.buffer, whole.buffer);
            assert_eq!(now.cursor(), whole.cursor);
        }
    }
}

#[test]
fn one_typed_character_changes_one_row() {
    let mut world = in_the_agent(120, 40);
    let screens = screens(&world, &TYPED[..2]);
    show(&mut world, &screens[0]);
    let before = ui::bare_screen(&world.state, ME).expect("nothing lies over it");
    show(&mut world, &screens[1]);
    let now = ui::bare_screen(&world.state, ME).expect("nothing lies over it");
    assert_eq!(now.rows_changed_since(&before), Some(vec![2]));
}

#[test]
fn a_terminal_under_something_is_drawn_whole() {
    for keys in ["ctrl+q", "ctrl+q ?", "ctrl+q n", "ctrl+q v"] {
        let mut world = in_the_agent(120, 40);
        let first = screens(&world, &TYPED[..1]);
        show(&mut world, &first[0]);
        assert!(ui::bare_screen(&world.state, ME).is_some());
        world.press(keys);
        assert!(ui::bare_screen(&world.state, ME).is_none(), "after {keys}");
    }
}
