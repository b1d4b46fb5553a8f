//! The hot paths, each done once before it is counted: what is made once for all is not what a path costs.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use crossterm::event::{Event as Input, KeyCode};
use parlour::app::update;
use parlour::config::theme::Theme;
use parlour::domain::event::{ClientEvent, ColourDepth};
use parlour::domain::{Effect, Event};
use parlour::engine::ClientScreen;
use parlour::model::request::{By, ChatsRequest, Request};
use parlour::model::settings::PermissionSettings;
use parlour::model::{CallId, PermissionProfile, Status};
use parlour::permission::{AskedCall, Case, Rules};
use parlour::term::{Effects, Setup, Terminal, TerminalPalette, TerminalSize};
use ratatui::layout::Size;
use serde_json::json;

use crate::counting::{Figure, counted};
use crate::support::transcript::{Paper, numbered, read, said};
use crate::support::world::{ME, TALK, World, id};

const COLS: u16 = 200;
const ROWS: u16 = 50;

fn key(code: KeyCode) -> Event {
    Event::Client(ME, ClientEvent::Input(Input::Key(code.into())))
}

/// A person in the agent of one of so many chats.
fn in_one_of(count: usize) -> World {
    let mut world = World::new(COLS, ROWS);
    for number in 0..count {
        let letter = |place: u32| char::from(b"abcdefghij"[number / 10_usize.pow(place) % 10]);
        let short = format!("n{}{}{}", letter(2), letter(1), letter(0));
        let minutes = 10 + number as i64;
        world
            .chat(&short, &format!("Chat number {number}"), minutes)
            .ended("ended");
    }
    world.chat("auth", "Fix auth bug", 1).runs(Status::Idle(None), TALK);
    world.look();
    world.press("enter");
    world.calm();
    world
}

/// From a key to what is to be done about it.
pub fn key_among(chats: usize) -> Figure {
    let mut world = in_one_of(chats);
    let typed = update(&mut world.state, key(KeyCode::Char('x')));
    assert!(
        typed.iter().any(|effect| matches!(effect, Effect::Pane(..))),
        "{typed:?}"
    );
    counted(|| update(&mut world.state, key(KeyCode::Char('y'))))
}

/// The answer to `parlour list`.
pub fn listed(chats: usize) -> Figure {
    let mut world = in_one_of(chats);
    let mut list = || {
        let asked = Event::Ask(CallId(1), By::Person, Request::Chats(ChatsRequest::List));
        update(&mut world.state, asked)
    };
    assert!(matches!(list()[..], [Effect::Reply(..), ..]));
    counted(list)
}

fn terminal(cols: u16, rows: u16) -> Terminal {
    Terminal::new(Setup {
        size: TerminalSize::new(cols, rows),
        palette: TerminalPalette::default(),
        history_lines: 1_000,
    })
}

/// A person in the agent of one of ten chats, their terminal, and that of the agent.
struct Drawn {
    world: World,
    screen: ClientScreen,
    terminal: Terminal,
}

impl Drawn {
    fn new() -> Drawn {
        let world = in_one_of(10);
        let size = world.state.domain.live.agents[&id("auth")].size;
        let screen = ClientScreen::new(Size::new(COLS, ROWS), Theme::dark(), ColourDepth::True);
        let mut drawn = Drawn {
            world,
            screen,
            terminal: terminal(size.cols, size.rows),
        };
        for line in ["one", "two", "three"] {
            drawn.prints(&format!("{line}\r\n"));
            assert!(drawn.frame() > 0);
        }
        drawn
    }

    fn prints(&mut self, said: &str) {
        let mut out = Effects::default();
        self.terminal.advance(said.as_bytes(), Instant::now(), &mut out);
        let shown = self.terminal.screen(&mut out);
        self.world.state.domain.live.agents.get_mut(&id("auth")).unwrap().screen = Some(shown);
    }

    /// How many bytes its next frame has.
    fn frame(&mut self) -> usize {
        let sent = self.screen.frame(&self.world.state, ME);
        self.takes(sent)
    }

    fn echo(&mut self) -> usize {
        let sent = self.screen.echo(&self.world.state, ME);
        self.takes(sent)
    }

    fn takes(&mut self, sent: Option<(u32, Vec<u8>)>) -> usize {
        sent.map_or(0, |(number, bytes)| {
            self.screen.acked(number);
            bytes.len()
        })
    }
}

/// One character of the agent's screen is another.
pub fn echo() -> Figure {
    let mut drawn = Drawn::new();
    drawn.prints("x");
    assert!(drawn.echo() > 0);
    drawn.prints("y");
    counted(|| drawn.echo())
}

/// All that the agent shows is another, and styled.
pub fn frame() -> Figure {
    let mut drawn = Drawn::new();
    for turn in 0..2 {
        let lines: Vec<String> = (0..40).map(|line| styled(turn * 40 + line)).collect();
        drawn.prints(&lines.concat());
        let figure = counted(|| assert!(drawn.frame() > 1_000));
        if turn == 1 {
            return figure;
        }
    }
    unreachable!("the second turn returns")
}

fn styled(number: usize) -> String {
    format!(
        "\x1b[1;3{}m{number:>6}\x1b[0m  fn step_{number}() -> \x1b[38;5;{}musize\x1b[0m {{ {number} }} \x1b[4mпример 漢\x1b[0m\r\n",
        number % 8,
        number % 256
    )
}

/// Lines as programs print them, until there is so much: what a new terminal takes for them, and one whose history is full.
pub fn megabyte() -> (Figure, Figure) {
    let lines: String = (0..).map(styled).scan(0, whole_megabyte).collect();
    let mut terminal = terminal(COLS, ROWS);
    let mut parse = || {
        let mut out = Effects::default();
        for piece in lines.as_bytes().chunks(64 << 10) {
            terminal.advance(piece, Instant::now(), &mut out);
        }
    };
    (counted(&mut parse), counted(&mut parse))
}

fn whole_megabyte(length: &mut usize, line: String) -> Option<String> {
    *length += line.len();
    (*length <= 1 << 20).then_some(line)
}

/// What a hook tells of a call, held against the rules.
pub fn judgement() -> Figure {
    let settings = PermissionSettings {
        allow: vec!["Bash(cargo test:*)".into(), "Read".into()],
        deny: vec!["Bash(git push:*)".into()],
        ..PermissionSettings::default()
    };
    let (rules, misfits) = Rules::parse(&settings, "/home/mia".as_ref());
    assert!(misfits.is_empty());
    let line = "cd projects/grove && cargo test --locked auth 2>&1 | tail -40 > /tmp/auth.log; git status";
    let case = Case {
        rules: Arc::new(rules),
        role: None,
        cwd: PathBuf::from("/home/mia/.parlour/chats/authaaaaaa"),
        dirs: Vec::new(),
        calls: vec![AskedCall {
            tool: "Bash".into(),
            input: json!({ "command": line }),
            at: None,
            by_cli: true,
        }],
        profile: PermissionProfile::default(),
    };
    case.judge();
    counted(|| case.judge())
}

/// From a key to the frame that shows one line more of what was said before.
pub fn scrolled_line() -> Figure {
    let entry = |at: usize| {
        said(&format!(
            "## Answer {at}\n\nIt **fails** since the `clock` is read twice.\n\n- one\n- two"
        ))
    };
    let paper = Paper {
        entries: numbered((0..200).map(entry).collect()),
        gap_behind: None,
        is_terminal_gone: false,
    };
    let mut world = read(COLS, ROWS, &paper);
    let mut screen = ClientScreen::new(Size::new(COLS, ROWS), Theme::dark(), ColourDepth::True);
    let mut scroll = || {
        update(&mut world.state, key(KeyCode::Up));
        let (number, bytes) = screen.frame(&world.state, ME).expect("it was scrolled");
        screen.acked(number);
        bytes
    };
    for _ in 0..3 {
        scroll();
    }
    counted(scroll)
}
