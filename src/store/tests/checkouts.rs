//! Checkouts that a person opened: each of one remote, the last that was seen.

use super::*;

#[test]
fn a_checkout_is_of_the_remote_that_it_had_when_a_person_opened_it_last() {
    let place = place();
    place.home.note_checkout("local:/src/grove", "h/o/grove", NOW).unwrap();
    place.home.note_checkout("local:/src/other", "h/o/grove", NOW).unwrap();
    place.home.note_checkout("local:/src/grove", "h/o/fork", NOW).unwrap();
    let place = place.reopened();
    assert_eq!(place.home.checkouts_of("h/o/grove"), ["local:/src/other"]);
    assert_eq!(place.home.checkouts_of("h/o/fork"), ["local:/src/grove"]);
    let file = place.home.path().join("checkouts.json");
    assert_eq!(std::fs::metadata(&file).unwrap().mode() & 0o777, 0o600);
    std::fs::write(&file, "{").unwrap();
    assert!(place.home.checkouts_of("h/o/fork").is_empty());
    assert!(place.home.note_checkout("local:/src/grove", "h/o/grove", NOW).is_err());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{");
}
