//! Up to where a person has reviewed.

use super::{NOW, place};

#[test]
fn how_far_a_person_has_reviewed_outlives_the_engine() {
    let place = place();
    let chat = place.chat("Work", 1);
    assert_eq!(place.home.reviewed(&chat).unwrap(), None);
    place.home.set_reviewed(&chat, 3, NOW).unwrap();
    place.home.set_reviewed(&chat, 7, NOW).unwrap();
    let place = place.reopened();
    assert_eq!(place.home.reviewed(&chat).unwrap(), Some(7));
    let file = place.home.path().join(format!("records/{chat}/reviewed.json"));
    std::fs::write(file, "torn {").unwrap();
    assert_eq!(place.home.reviewed(&chat).unwrap(), None, "it only says nothing");
}

#[test]
fn a_mark_is_taken_back_and_the_one_before_counts() {
    let place = place();
    let chat = place.chat("Work", 1);
    for number in [3, 7, 7] {
        place.home.set_reviewed(&chat, number, NOW).unwrap();
    }
    assert!(place.home.take_back_reviewed(&chat, 7, NOW).unwrap());
    assert_eq!(place.home.reviewed(&chat).unwrap(), Some(3));
    assert!(place.home.take_back_reviewed(&chat, 3, NOW).unwrap());
    assert_eq!(place.home.reviewed(&chat).unwrap(), None);
}

#[test]
fn a_mark_that_was_made_since_is_not_taken_back() {
    let place = place();
    let chat = place.chat("Work", 1);
    for number in [3, 7] {
        place.home.set_reviewed(&chat, number, NOW).unwrap();
    }
    assert!(!place.home.take_back_reviewed(&chat, 3, NOW).unwrap());
    assert_eq!(place.home.reviewed(&chat).unwrap(), Some(7));
}
