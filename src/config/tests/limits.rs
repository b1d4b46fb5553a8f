//! Limits of which one follows from another, and words that a setting does not take.

use super::{load, place, said};

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

#[test]
fn a_word_that_a_setting_does_not_take_is_told_as_by_config_set() {
    for (text, told) in [
        (
            r#"{"clipboard": "maybe"}"#,
            "clipboard: \"maybe\" is none of ask, allow, deny",
        ),
        (r#"{"notify": {"on": ["need-you"]}}"#, "\"need-you\" is none of "),
    ] {
        let said = said(text);
        assert!(said.contains(told) && !said.contains("variant"), "{said}");
    }
}
