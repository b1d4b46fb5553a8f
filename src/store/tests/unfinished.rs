//! A turn that the end of the engine cut off.

use super::*;
use crate::model::Record;
use crate::model::talk::HiddenEntries;

#[test]
fn a_turn_that_a_killed_engine_cut_is_told_once_and_known_at_each_start_until_the_next() {
    let place = place();
    let chat = place.chat("Talk", 1);
    let mut journal = Journal::open(&place.home, &chat).unwrap();
    let is = |word: &str, detail: &str| Happened::Status {
        status: word.into(),
        detail: detail.into(),
        cause: String::new(),
    };
    let interrupt = || Happened::Interrupt {
        cause: "the engine ended during its turn".into(),
    };
    let mut killed_after = |what: Vec<Happened>| {
        let last = journal.append(NOW, what).unwrap().last().unwrap().seq;
        let open = place.home.left_open(&chat, last).unwrap();
        if !open.is_empty() {
            journal.append(NOW, open.clone()).unwrap();
        }
        (open, place.home.load(&chat).unwrap().interrupted)
    };
    assert_eq!(killed_after(vec![is("idle", "")]), (vec![], false));
    let asks = vec![is("running", "Bash"), is("needs-you", "Bash")];
    assert_eq!(killed_after(asks), (vec![interrupt()], true));
    assert_eq!(killed_after(vec![is("starting", "")]), (vec![], true));
    assert_eq!(killed_after(vec![is("idle", "interrupted")]), (vec![], true));
    assert_eq!(killed_after(vec![is("running", "stopping")]), (vec![], true));
    let ended = vec![is("running", ""), is("idle", "")];
    assert_eq!(killed_after(ended), (vec![], false));
    let stopped = vec![is("running", "stopping"), is("exited", "stopped")];
    assert_eq!(killed_after(stopped), (vec![], false));
    assert_eq!(
        killed_after(vec![is("running", "2 in the background")]),
        (vec![], false)
    );
}

#[test]
fn a_command_that_failed_at_the_end_of_the_last_turn_is_known_at_the_next_start() {
    let place = place();
    let chat = place.chat("Talk", 1);
    let mut journal = Journal::open(&place.home, &chat).unwrap();
    let is = |word: &str, detail: &str| Happened::Status {
        status: word.into(),
        detail: detail.into(),
        cause: String::new(),
    };
    let said = |text: &str| Happened::Text {
        id: text.into(),
        text: text.into(),
    };
    let mut after = |what: Vec<Happened>| {
        journal.append(NOW, what).unwrap();
        let chat = place.home.load(&chat).unwrap();
        (chat.failed.unwrap_or_default(), chat.interrupted, chat.preview)
    };
    let failed = is("idle", "last command failed");
    assert_eq!(
        after(vec![failed.clone(), is("exited", "engine stopped")]),
        ("last command failed".into(), false, "".into())
    );
    // However much was told since, a status is found behind it.
    let told: Vec<Happened> = (0..40).map(|at| said(&format!("note {at}"))).collect();
    assert_eq!(after(told), ("last command failed".into(), false, "note 39".into()));
    assert_eq!(
        after(vec![is("running", ""), failed, is("hibernated", "")]),
        ("last command failed".into(), false, "note 39".into())
    );
    let done = vec![is("running", ""), is("idle", ""), is("exited", "engine stopped")];
    assert_eq!(after(done), ("".into(), false, "note 39".into()));
    let refused = is("logged-out", "Not logged in");
    let failed = "last turn failed: Not logged in";
    let told = vec![is("running", ""), refused, is("exited", "engine stopped")];
    assert_eq!(after(told), (failed.into(), false, "note 39".into()));
    // An agent that was resumed since says it again.
    let told = vec![is("idle", failed), is("exited", "engine stopped")];
    assert_eq!(after(told), (failed.into(), false, "note 39".into()));
}

#[test]
fn how_a_turn_ended_that_was_taken_back_is_not_known_any_more() {
    let place = place();
    let chat = place.chat("Talk", 1);
    let mut journal = Journal::open(&place.home, &chat).unwrap();
    let is = |word: &str, detail: &str| Happened::Status {
        status: word.into(),
        detail: detail.into(),
        cause: String::new(),
    };
    let told = vec![is("running", ""), is("idle", "")];
    let first = journal.append(NOW, told).unwrap().last().unwrap().seq;
    // Codex is at work before its prompt is told.
    let prompt = Happened::Note { text: "prompt".into() };
    let told = vec![is("running", ""), prompt, is("idle", "interrupted")];
    let last = journal.append(NOW, told).unwrap().last().unwrap().seq;
    journal.append(NOW, vec![is("exited", "stopped")]).unwrap();
    assert!(place.home.load(&chat).unwrap().interrupted);
    let hidden = HiddenEntries {
        from: first + 2,
        to: last,
    };
    let change = |record: &mut Record| record.origin.went_back.hidden.push(hidden);
    place.home.change(&chat, change).unwrap();
    assert!(!place.home.load(&chat).unwrap().interrupted);
}
