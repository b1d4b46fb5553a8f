//! Which entries of a transcript are rows of it.

use parlour::model::Happened;
use parlour::model::entry::From;

use crate::support::transcript::{Paper, numbered, prompt, read};

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
