//! In which session of a chat one of its prompts was said.

use super::*;
use crate::model::entry::From;

fn prompt(text: &str) -> Happened {
    Happened::Prompt {
        sender: None,
        id: text.into(),
        text: text.into(),
        from: From::Person,
        checkpoint: None,
        key: String::new(),
        steer: false,
    }
}

fn session(id: &str) -> Happened {
    Happened::Session {
        agent: "claude".into(),
        session: id.into(),
        model: None,
        version: None,
        cwd: "/chat".into(),
    }
}

fn revert(hides: Option<HiddenEntries>) -> Happened {
    Happened::Revert {
        to: 1,
        saved: 2,
        of: RevertOf::Talk,
        undo: hides.is_none(),
        hides,
    }
}

fn told(happened: Vec<Happened>, hidden: Vec<HiddenEntries>) -> ToldPrompts {
    let entries: Vec<Entry> = (1..)
        .zip(happened)
        .map(|(seq, what)| Entry {
            v: 1,
            seq,
            ts: Timestamp(0),
            read: None,
            what,
        })
        .collect();
    ToldPrompts {
        last: entries.len() as u64,
        entries,
        went_back: WentBack {
            hidden,
            ..WentBack::default()
        },
    }
}

/// How many prompts come before this one in its conversation, and the session that the chat has left it in.
fn place(told: &ToldPrompts, text: &str) -> (usize, Option<String>) {
    let (entry, _) = told.prompts().find(|(_, said)| *said == text).unwrap();
    let earlier = told.as_earlier(entry).unwrap();
    (earlier.nth, earlier.session)
}

#[test]
fn a_prompt_before_a_clear_is_looked_for_in_the_session_that_was_left_by_it() {
    let happened = vec![
        session("one"),
        prompt("a"),
        prompt("b"),
        session("one"),
        session("two"),
        prompt("c"),
        prompt("d"),
        session("three"),
        prompt("e"),
    ];
    let told = told(happened, Vec::new());
    assert_eq!(place(&told, "b"), (1, Some("one".into())));
    assert_eq!(place(&told, "d"), (1, Some("two".into())));
    assert_eq!(place(&told, "e"), (0, None));
}

#[test]
fn the_session_that_a_revert_made_goes_on_with_the_one_it_was_made_of() {
    let hides = HiddenEntries { from: 3, to: 3 };
    let happened = vec![
        session("one"),
        prompt("a"),
        prompt("b"),
        revert(Some(hides)),
        session("two"),
        prompt("c"),
    ];
    let made = told(happened, vec![hides]);
    assert_eq!((place(&made, "a"), place(&made, "c")), ((0, None), (1, None)));
    // Of a session that was left before.
    let hides = HiddenEntries { from: 3, to: 5 };
    let happened = vec![
        session("one"),
        prompt("a"),
        prompt("b"),
        session("two"),
        prompt("c"),
        revert(Some(hides)),
        session("three"),
        prompt("d"),
    ];
    let made = told(happened, vec![hides]);
    assert_eq!((place(&made, "a"), place(&made, "d")), ((0, None), (1, None)));
}

#[test]
fn a_clear_after_a_revert_was_undone_begins_another_conversation() {
    let happened = vec![
        session("one"),
        prompt("a"),
        revert(None),
        session("one"),
        session("two"),
        prompt("b"),
    ];
    let told = told(happened, Vec::new());
    assert_eq!(place(&told, "a"), (0, Some("one".into())));
    assert_eq!(place(&told, "b"), (0, None));
}
