//! Which entries of a transcript are rows of it.

use parlour::model::entry::{From, ToolStatus};
use parlour::model::review::RevertOf;
use parlour::model::talk::HiddenEntries;
use parlour::model::{Happened, Timestamp};
use serde_json::json;

use crate::support::transcript::{Paper, end, numbered, prompt, read, said, start, thought};

fn paper(told: Vec<Happened>) -> Paper {
    Paper {
        entries: numbered(told),
        gap_behind: None,
        is_terminal_gone: false,
    }
}

/// With three children half a page would be said twice.
#[test]
fn a_message_is_shown_once_as_a_card_until_its_agent_has_it_as_a_prompt() {
    let message = Happened::Message {
        id: "m1".into(),
        from: "docs".into(),
        to: "auth".into(),
        unverified: false,
        text: "The docs are done.".into(),
    };
    let mut told = vec![prompt("fix it", From::Person), message];
    let picture = read(120, 40, &paper(told.clone())).picture();
    assert!(picture.contains("✉ Message from docs to auth"), "{picture}");
    let mut delivered = prompt("Message from docs: The docs are done.", From::Inbox);
    if let Happened::Prompt { key, .. } = &mut delivered {
        *key = "m1".into();
    }
    told.push(delivered);
    let picture = read(120, 40, &paper(told)).picture();
    assert!(!picture.contains('✉'), "{picture}");
    assert_eq!(picture.matches("The docs are done.").count(), 1, "{picture}");
}

#[test]
fn reverts_that_were_undone_take_nothing_back() {
    let revert = |undo, hides: Option<(u64, u64)>| Happened::Revert {
        to: 4,
        saved: 5,
        of: RevertOf::Both,
        undo,
        hides: hides.map(|(from, to)| HiddenEntries { from, to }),
    };
    let told = vec![
        prompt("fix it", From::Person),
        said("It is fixed."),
        revert(false, None),
        revert(false, None),
        revert(true, None),
        revert(true, Some((3, 5))),
    ];
    let picture = read(120, 40, &paper(told)).picture();
    assert!(picture.contains("▸ 2 reverts, undone"), "{picture}");
    assert!(!picture.contains("taken back"), "{picture}");
}

/// As Claude Code writes it where it asks while its model still speaks: a hook has told of the call by then.
#[test]
fn what_was_said_before_a_call_stands_before_it_though_it_is_told_later() {
    let told = vec![
        prompt("add a module", From::Person),
        start(
            "one",
            "Write",
            json!({"file_path": "src/one.js", "content": "1\n"}),
            None,
        ),
        end("one", ToolStatus::Ok, "", 9),
        said("First the module, then its test."),
        thought("It is small."),
        start(
            "two",
            "Write",
            json!({"file_path": "src/two.js", "content": "2\n"}),
            None,
        ),
        end("two", ToolStatus::Ok, "", 9),
        said("Both are there."),
    ];
    let mut entries = numbered(told);
    let before_the_call = Timestamp(entries[1].ts.0 - 20);
    for late in &mut entries[3..=4] {
        late.ts = before_the_call;
    }
    let paper = Paper {
        entries,
        gap_behind: None,
        is_terminal_gone: false,
    };
    let picture = read(120, 40, &paper).picture();
    let place = |words: &str| picture.find(words).unwrap_or_else(|| panic!("no {words} in {picture}"));
    let places = ["add a module", "First the module", "one.js", "two.js", "Both are there"].map(place);
    assert!(places.is_sorted(), "{picture}");
    assert!(place("∴ It is small") < place("one.js"), "{picture}");
}

/// The queue above the composer says it while it is so.
#[test]
fn that_a_prompt_waits_is_no_row_of_the_transcript() {
    let told = vec![
        prompt("fix it", From::Person),
        Happened::waits("the agent is waiting for your answer"),
        Happened::Note { text: "renamed".into() },
    ];
    let picture = read(120, 40, &paper(told)).picture();
    assert!(
        picture.contains("renamed") && !picture.contains("is waiting"),
        "{picture}"
    );
}
