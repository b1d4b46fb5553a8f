//! What a program tells its terminal, cut to what a person may see.

use super::Desk;
use crate::term::{OWN_MARK, Progress, PromptMark, TerminalSignal};

fn signals(bytes: impl AsRef<[u8]>) -> Vec<TerminalSignal> {
    let mut desk = Desk::new(20, 4);
    desk.feed(bytes);
    desk.effects.signals
}

fn note(title: &str, body: &str) -> TerminalSignal {
    TerminalSignal::Notify {
        title: title.to_owned(),
        body: body.to_owned(),
    }
}

#[test]
fn titles_are_told_once_and_bounded() {
    assert_eq!(
        signals("\x1b]0;one\x07\x1b]2;two; three\x1b\\"),
        [TerminalSignal::Title("two; three".into())]
    );
    let [TerminalSignal::Title(title)] = &signals(format!("\x1b]2;{}\x07", "é".repeat(3000)))[..] else {
        panic!()
    };
    assert_eq!(title.len(), 512);
}

#[test]
fn a_title_cannot_hide_anything() {
    assert_eq!(
        signals("\x1b]2;a\u{202e}b\u{200b}c\x01d\u{9b}31m\x07"),
        [TerminalSignal::Title("abcd31m".into())]
    );
}

#[test]
fn notifications_of_three_kinds_are_understood() {
    assert_eq!(signals("\x1b]9;done; really\x07"), [note("", "done; really")]);
    assert_eq!(
        signals("\x1b]777;notify;Claude;waits; for you\x07"),
        [note("Claude", "waits; for you")]
    );
    assert_eq!(signals("\x1b]99;;hello\x1b\\"), [note("", "hello")]);
    let pieces = "\x1b]99;i=1:d=0:p=title;Head\x1b\\\x1b]99;i=1:p=body:e=1;Ym9keQ==\x1b\\";
    assert_eq!(signals(pieces), [note("Head", "body")]);
}

#[test]
fn a_flood_of_notifications_is_bounded() {
    assert_eq!(signals("\x1b]9;x\x07".repeat(10_000)).len(), 16);
    assert_eq!(signals("\x07".repeat(10_000)), [TerminalSignal::Bell]);
}

#[test]
fn progress_directory_and_marks_are_understood() {
    assert_eq!(
        signals("\x1b]9;4;1;2500\x07"),
        [TerminalSignal::Progress(Progress::Running(100))]
    );
    assert_eq!(
        signals("\x1b]9;4;1;42\x07"),
        [TerminalSignal::Progress(Progress::Running(42))]
    );
    assert_eq!(signals("\x1b]9;4;0\x07"), [TerminalSignal::Progress(Progress::None)]);
    assert_eq!(
        signals("\x1b]7;file://host/a%20b/%C3%A9\x07"),
        [TerminalSignal::Cwd("/a b/é".into())]
    );
    assert_eq!(signals("\x1b]7;http://host/a\x07"), []);
    assert_eq!(
        signals("\x1b]133;D;2\x07"),
        [TerminalSignal::Mark(PromptMark::CommandEnd {
            code: Some(2),
            is_ours: false
        })]
    );
    assert_eq!(
        signals(format!("\x1b]133;D;2;{OWN_MARK}\x07")),
        [TerminalSignal::Mark(PromptMark::CommandEnd {
            code: Some(2),
            is_ours: true
        })]
    );
    assert_eq!(
        signals("\x1b]133;A\x07"),
        [TerminalSignal::Mark(PromptMark::PromptStart)]
    );
}

#[test]
fn the_clipboard_is_only_told() {
    assert_eq!(
        signals("\x1b]52;c;aGVsbG8=\x07"),
        [TerminalSignal::Clipboard("hello".into())]
    );
    assert_eq!(signals("\x1b]52;c;?\x07"), []);
}
