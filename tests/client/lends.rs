//! The keyboard, which a screen lends to its engine while somebody types.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use parlour::wire::Message;

use super::engine::Engine;
use super::terminal::{Answers, Terminal, assert_restored};

fn key(code: char) -> Option<Message> {
    let key = KeyEvent::new(KeyCode::Char(code), KeyModifiers::NONE);
    Some(Message::Input(Event::Key(key)))
}

#[tokio::test]
async fn what_the_engine_cannot_use_comes_back_and_goes_on() {
    let home = tempfile::tempdir().unwrap();
    let engine = Engine::listen(home.path());
    let terminal = Terminal::parlour(home.path(), Answers::Kitty);
    let (mut client, _) = engine.borrowing_screen().await;
    terminal.wait_for("\x1b[?2004h").await;
    terminal.types("x");
    assert_eq!(client.hear().await, key('x'));
    assert_eq!(client.hear().await, Some(Message::LendKeyboard));

    // The engine would have read this much of what is typed.
    terminal.types("te\x1b[201~y");
    client.say(Message::ReturnKeyboard(b"a\x1b[200~pas".to_vec())).await;
    assert_eq!(client.hear().await, key('a'));
    let paste = Message::Input(Event::Paste("paste".into()));
    assert_eq!(client.hear().await, Some(paste));
    assert_eq!(client.hear().await, key('y'));
    assert_eq!(client.hear().await, Some(Message::LendKeyboard));

    client.say(Message::RenewKeyboard).await;
    assert_eq!(client.hear().await, Some(Message::RenewKeyboard));
    client.bye("", 0).await;
    let (exit, written) = terminal.ended().await;
    assert_eq!(exit, 0);
    assert_restored(&written);
}

#[tokio::test]
async fn an_engine_that_does_not_give_it_back_holds_no_key_up() {
    let home = tempfile::tempdir().unwrap();
    let engine = Engine::listen(home.path());
    let terminal = Terminal::parlour(home.path(), Answers::Kitty);
    let (mut client, _) = engine.borrowing_screen().await;
    terminal.wait_for("\x1b[?2004h").await;
    terminal.types("x");
    assert_eq!(client.hear().await, key('x'));
    assert_eq!(client.hear().await, Some(Message::LendKeyboard));
    terminal.types("y");
    assert_eq!(client.hear().await, key('y'));
    assert_eq!(client.hear().await, Some(Message::LendKeyboard));
    // It comes too late, and what it has read counts all the same.
    client.say(Message::ReturnKeyboard(b"z".to_vec())).await;
    assert_eq!(client.hear().await, key('z'));
    client.say(Message::RenewKeyboard).await;
    terminal.types("w");
    assert_eq!(client.hear().await, key('w'));
    client.bye("", 0).await;
    assert_eq!(terminal.ended().await.0, 0);
}

/// A key with Alt is two bytes with which the terminal's answers begin as well.
#[tokio::test]
async fn keys_that_begin_like_an_answer_are_keys() {
    let home = tempfile::tempdir().unwrap();
    let engine = Engine::listen(home.path());
    let terminal = Terminal::parlour(home.path(), Answers::Nothing);
    let (mut client, _) = engine.screen().await;
    terminal.wait_for("\x1b[?2004h").await;
    for (typed, code, modifiers) in [
        ("\x1b", KeyCode::Esc, KeyModifiers::NONE),
        ("\x1b]", KeyCode::Char(']'), KeyModifiers::ALT),
        ("\x1b[", KeyCode::Char('['), KeyModifiers::ALT),
        ("\x1bP", KeyCode::Char('P'), KeyModifiers::ALT | KeyModifiers::SHIFT),
    ] {
        terminal.types(typed);
        let wanted = Message::Input(Event::Key(KeyEvent::new(code, modifiers)));
        assert_eq!(client.hear().await, Some(wanted), "{typed:?}");
    }
    client.bye("", 0).await;
    assert_eq!(terminal.ended().await.0, 0);
}
