//! Limits of which one follows from another.

use super::{load, place};

#[test]
fn longer_histories_get_memory_unless_it_is_set() {
    let place = place();
    let bytes = |text: &str| {
        std::fs::write(&place.path, text).unwrap();
        load(&place.path).unwrap().settings.limits.history_bytes >> 20
    };
    assert_eq!(bytes(r#"{"limits": {"historyLines": 500}}"#), 64);
    assert_eq!(bytes(r#"{"limits": {"historyLines": 60000}}"#), 383);
    assert_eq!(bytes(r#"{"limits": {"historyLines": 900000000}}"#), 1024);
    assert_eq!(
        bytes(r#"{"limits": {"historyLines": 60000, "historyBytes": 1048576}}"#),
        1
    );
}
