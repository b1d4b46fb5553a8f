//! The list of checkpoints, with lines that cannot be read.

use std::collections::BTreeMap;
use std::fs;

use super::*;
use crate::model::review::{Amount, Cause, Checkpoint};

fn checkpoint(number: u64) -> Checkpoint {
    Checkpoint {
        v: 1,
        number,
        at: NOW,
        cause: Cause::Asked,
        turn: None,
        prompt: String::new(),
        changed: Vec::new(),
        amount: Amount::default(),
        left_out: Vec::new(),
        replaced: None,
        ended: None,
    }
}

#[test]
fn what_lines_that_cannot_be_read_may_have_saved_is_known_and_they_stay() {
    let place = place();
    let id = place.chat("Fix auth", 1);
    let checkpoints = place.home.checkpoints(&id).unwrap();
    let file = checkpoints.dir().path().join("list.jsonl");
    let text = |number| serde_json::to_string(&checkpoint(number)).unwrap();
    let newer = r#"{"v":2,"number":2,"cause":"a cause of tomorrow"}"#;
    let lines = [&text(1), newer, "damaged", &text(5), "damaged too"].map(|line| format!("{line}\n"));
    fs::write(&file, lines.concat()).unwrap();
    let list = checkpoints.read(7).unwrap();
    assert_eq!(list.known, [checkpoint(1), checkpoint(5)]);
    assert_eq!(list.unread, [2..=2, 3..=4, 6..=7]);

    checkpoints.replace(&[checkpoint(5)]).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), lines[1..].concat());
}

#[test]
fn a_list_that_lost_lines_gives_none_of_their_numbers_again() {
    let place = place();
    let id = place.chat("Fix auth", 1);
    let checkpoints = place.home.checkpoints(&id).unwrap();
    checkpoints.add(&checkpoint(1)).unwrap();
    // What is under way, or was cut off, has the next number.
    assert_eq!(checkpoints.read(2).unwrap().unread, []);
    assert_eq!(checkpoints.read(9).unwrap().unread, [2..=9]);
    fs::remove_file(checkpoints.dir().path().join("list.jsonl")).unwrap();
    assert_eq!(checkpoints.read(9).unwrap().unread, [1..=9]);
}

#[test]
fn a_change_stays_under_way_until_it_is_done() {
    let place = place();
    let id = place.chat("Fix auth", 1);
    let checkpoints = place.home.checkpoints(&id).unwrap();
    let what = UnderWay {
        v: 1,
        from: 3,
        to: 3,
        projects: vec!["grove".into()],
        undoes: None,
        talk: None,
        made: BTreeMap::new(),
    };
    drop(checkpoints.begin(what.clone()).unwrap());
    assert!(place.home.is_reverting(&id).unwrap());
    let left = checkpoints.under_way().unwrap().unwrap();
    assert_eq!(left.what, what);
    left.done().unwrap();
    assert!(!place.home.is_reverting(&id).unwrap());
}

#[test]
fn a_change_that_failed_is_called_off_and_its_line_goes_again() {
    let place = place();
    let id = place.chat("Fix auth", 1);
    let checkpoints = place.home.checkpoints(&id).unwrap();
    let what = UnderWay {
        v: 1,
        from: 3,
        to: 1,
        projects: vec!["grove".into()],
        undoes: None,
        talk: None,
        made: BTreeMap::new(),
    };
    let mut change = checkpoints.begin(what.clone()).unwrap();
    for number in 1..=3 {
        checkpoints.add(&checkpoint(number)).unwrap();
    }
    change.call_off().unwrap();
    drop(change);
    assert!(place.home.is_reverting(&id).unwrap());
    let left = checkpoints.under_way().unwrap().unwrap();
    assert_eq!((&left.what, left.is_called_off), (&what, true));
    left.done().unwrap();
    assert!(!place.home.is_reverting(&id).unwrap());

    checkpoints.take_back(3).unwrap();
    assert_eq!(checkpoints.list().unwrap(), [checkpoint(1), checkpoint(2)]);
    checkpoints.take_back(1).unwrap();
    assert_eq!(checkpoints.list().unwrap(), [checkpoint(2)]);
    checkpoints.take_back(7).unwrap();
    checkpoints.add(&checkpoint(3)).unwrap();
    assert_eq!(checkpoints.list().unwrap(), [checkpoint(2), checkpoint(3)]);
}
