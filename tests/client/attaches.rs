//! What a screen and its engine tell each other.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use parlour::wire::{self, Hello, Message, Term, TerminalColours};
use portable_pty::PtySize;

use super::engine::Engine;
use super::terminal::{Answers, SIZE, Terminal, assert_restored};

fn key(code: char) -> Message {
    let key = KeyEvent::new(KeyCode::Char(code), KeyModifiers::NONE);
    Message::Input(Event::Key(key))
}

#[tokio::test]
async fn a_screen_shows_frames_sends_keys_and_detaches() {
    let home = tempfile::tempdir().unwrap();
    let engine = Engine::listen(home.path());
    let terminal = Terminal::parlour(home.path(), Answers::Kitty);
    let (mut client, attach) = engine.screen().await;
    assert_eq!((attach.cols, attach.rows), SIZE);
    assert_eq!(attach.env["TERM"], "xterm-256color");
    assert!(!attach.env.contains_key("PARLOUR_GUARD"));
    let (white, black) = ([255; 3], [0; 3]);
    let term = Term {
        colours: Some(TerminalColours { fg: white, bg: black }),
        indexed: true,
        kitty_keyboard: true,
        ..Term::default()
    };
    assert_eq!(attach.term, term);

    client.draw(1, "\x1b[?25lgood morning").await;
    terminal.wait_for("good morning").await;
    assert!(!terminal.is_cooked());
    terminal.types("x");
    assert_eq!(client.hear().await, Some(key('x')));
    let (cols, rows) = (1, 1);
    terminal
        .master
        .resize(PtySize {
            rows,
            cols,
            ..PtySize::default()
        })
        .unwrap();
    assert_eq!(client.hear().await, Some(Message::Input(Event::Resize(1, 1))));

    client.bye("detached; `parlour` brings you back", 0).await;
    let (exit, written) = terminal.ended().await;
    assert_eq!(exit, 0);
    assert_restored(&written);
    assert!(
        written.ends_with("detached; `parlour` brings you back\r\n"),
        "{written:?}"
    );
}

/// Each key is heard before the next is typed, and no signal in the middle of a reading passes for the terminal's end.
#[tokio::test]
async fn a_key_that_follows_a_change_of_size_is_heard_at_once() {
    let home = tempfile::tempdir().unwrap();
    let engine = Engine::listen(home.path());
    let terminal = Terminal::parlour(home.path(), Answers::Kitty);
    let (mut client, _) = engine.screen().await;
    terminal.wait_for("\x1b[?2004h").await;
    for round in 1..=200 {
        let size = PtySize {
            rows: round,
            cols: round,
            ..PtySize::default()
        };
        terminal.master.resize(size).unwrap();
        terminal.types("x");
        let (mut typed, mut resized) = (false, false);
        while !(typed && resized) {
            match client.hear().await {
                Some(Message::Input(Event::Resize(cols, rows))) => resized |= (cols, rows) == (round, round),
                heard => {
                    assert_eq!(heard, Some(key('x')), "round {round}");
                    typed = true;
                }
            }
        }
    }
    client.bye("", 0).await;
    assert_eq!(terminal.ended().await.0, 0);
}

#[tokio::test]
async fn a_paste_comes_whole_and_in_pieces() {
    let home = tempfile::tempdir().unwrap();
    let engine = Engine::listen(home.path());
    let terminal = Terminal::parlour(home.path(), Answers::Kitty);
    let (mut client, _) = engine.screen().await;
    terminal.wait_for("\x1b[?2004h").await;
    let text = "0123456789".repeat(300_000);
    let pasted = format!("\x1b[200~{text}\x1b[201~");
    let typing = tokio::task::spawn_blocking(move || {
        terminal.types(&pasted);
        terminal
    });
    let (mut heard, mut pieces) = (String::new(), 0);
    while heard.len() < text.len() {
        let Some(Message::Input(Event::Paste(piece))) = client.hear().await else {
            panic!("only a paste was typed");
        };
        assert!(piece.len() <= 2 << 20);
        heard.push_str(&piece);
        pieces += 1;
    }
    assert_eq!((heard == text, pieces), (true, 2));
    client.bye("", 0).await;
    assert_eq!(typing.await.unwrap().ended().await.0, 0);
}

#[tokio::test]
async fn a_terminal_that_answers_late_is_no_typing_and_is_asked_again_by_whoever_comes_back() {
    let home = tempfile::tempdir().unwrap();
    let engine = Engine::listen(home.path());
    let terminal = Terminal::parlour(home.path(), Answers::Nothing);
    let (mut client, attach) = engine.screen().await;
    let term = Term {
        indexed: true,
        ..Term::default()
    };
    assert_eq!(attach.term, term);
    terminal.types("\x1b]10;rgb:ffff/ffff/ffff\x07\x1b]11;rgb:0000/0000/0000\x1b\\\x1b[?62;cy");
    let colours = |fg, bg| Some(Message::Colours(TerminalColours { fg, bg }));
    assert_eq!(client.hear().await, colours([255; 3], [0; 3]));
    assert_eq!(client.hear().await, Some(key('y')));

    // Night has fallen or day has broken while they were away.
    terminal.types("\x1b[I");
    assert_eq!(client.hear().await, Some(Message::Input(Event::FocusGained)));
    terminal.types("\x1b]10;rgb:0000/0000/0000\x07\x1b]11;rgb:ffff/ffff/ffff\x07n");
    assert_eq!(client.hear().await, colours([0; 3], [255; 3]));
    assert_eq!(client.hear().await, Some(key('n')));
    client.bye("", 0).await;
    let (_, written) = terminal.ended().await;
    assert_restored(&written);
    assert!(!written.contains("\x1b[>1u"));
    let (_, later) = written.split_once("\x1b[?1049h").unwrap();
    assert_eq!(later.matches("\x1b]11;?").count(), 1, "{later:?}");
}

/// The report alone says only that there was a change. What is typed right behind it is not lost.
#[tokio::test]
async fn a_terminal_that_tells_of_a_change_of_its_colours_is_asked_for_them_at_once() {
    let home = tempfile::tempdir().unwrap();
    let engine = Engine::listen(home.path());
    let terminal = Terminal::parlour(home.path(), Answers::Kitty);
    let (mut client, _) = engine.screen().await;
    terminal.wait_for("\x1b[?2031h").await;
    terminal.types("\x1b[?997;2nx");
    assert_eq!(client.hear().await, Some(key('x')));
    let (white, black) = ([255; 3], [0; 3]);
    let told = Message::Colours(TerminalColours { fg: white, bg: black });
    assert_eq!(client.hear().await, Some(told));
    client.bye("", 0).await;
    let (_, written) = terminal.ended().await;
    assert_restored(&written);
}

pub async fn an_engine_of_another_version_is_named_and_the_screen_left_alone() {
    let home = tempfile::tempdir().unwrap();
    let engine = Engine::listen(home.path());
    let terminal = Terminal::parlour(home.path(), Answers::Nothing);
    let mut stream = engine.accept().await;
    let protocol = wire::PROTOCOL + 1;
    let newer = Hello { protocol, flags: 0 };
    let heard = wire::exchange_as(&mut stream, newer).await.unwrap_err();
    let said = format!("speaks protocol {protocol}, the one that answers {}", wire::PROTOCOL);
    assert!(heard.to_string().contains(&said), "{heard}");
    let (exit, written) = terminal.ended().await;
    assert_eq!(exit, 1);
    assert!(
        written.contains("run `parlour kill-engine` and start again"),
        "{written:?}"
    );
    assert!(!written.contains("\x1b[?1049h"));
}

#[tokio::test]
async fn a_chat_that_is_not_there_ends_the_screen_with_the_reason() {
    let home = tempfile::tempdir().unwrap();
    let engine = Engine::listen(home.path());
    let terminal = Terminal::parlour(home.path(), Answers::Kitty);
    let mut client = engine.client().await;
    let Some(Message::Request { id, .. }) = client.hear().await else {
        panic!("a screen begins with a request");
    };
    let problem = serde_json::json!({"doing": "opening fix", "cause": "no such chat", "hint": "try `parlour list`"});
    client.say(Message::Reply { id, body: Err(problem) }).await;
    let (exit, written) = terminal.ended().await;
    assert_eq!(exit, 1);
    assert_restored(&written);
    assert!(
        written.contains("opening fix: no such chat; try `parlour list`"),
        "{written:?}"
    );
}

#[test]
fn without_a_terminal_it_says_what_to_use_instead() {
    let ended = std::process::Command::new(env!("CARGO_BIN_EXE_parlour"))
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert_eq!(ended.status.code(), Some(1));
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(
        said.contains("there is no terminal to show it in") && said.contains("`parlour list --json`"),
        "{said}"
    );
}
