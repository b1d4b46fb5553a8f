//! Approvals of commands: for one origin and one text.

use super::*;
use crate::model::ScriptKind::{Archive, Run, Setup};

#[test]
fn an_approval_is_for_one_origin_one_kind_and_one_text() {
    let place = place();
    place.home.approve("host/app", Setup, "npm ci", NOW).unwrap();
    place.home.approve("host/app", Run, "npm start", NOW).unwrap();
    let place = place.reopened();
    let asked = |origin, kind, text| place.home.is_approved(origin, kind, text);
    assert!(asked("host/app", Setup, "npm ci") && asked("host/app", Run, "npm start"));
    assert!(!asked("host/app", Setup, "npm ci ") && !asked("host/app", Archive, "npm ci"));
    assert!(!asked("host/other", Setup, "npm ci"));
    let file = place.home.path().join("approved-scripts.json");
    assert_eq!(std::fs::metadata(&file).unwrap().mode() & 0o777, 0o600);
    std::fs::write(&file, "{").unwrap();
    assert!(!asked("host/app", Setup, "npm ci"));
    assert!(place.home.approve("host/app", Setup, "npm ci", NOW).is_err());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{");
}
