//! Schedules on disk.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use super::*;
use crate::model::open_dir::OpenDir;
use crate::model::schedule::{Change, How, Run, Verdict, Wanted};
use crate::model::{Schedule, ScheduleId, Zone};

fn schedule(bits: u64) -> Schedule {
    let wanted = Wanted {
        prompt: "Check the dependencies".into(),
        cron: Some("0 9 * * MON-FRI".into()),
        tz: Some("Europe/Berlin".into()),
        project: Some(OpenDir {
            path_or_url: "/src/grove".into(),
            ..OpenDir::default()
        }),
        llm: Some("claude".into()),
        check: Some("cargo test".into()),
        ..Wanted::default()
    };
    Schedule::new(
        ScheduleId::from_bits(bits),
        wanted.terms(Zone::default(), NOW).unwrap(),
        NOW,
    )
}

impl StoreStage {
    fn schedule_file(&self, id: &ScheduleId) -> std::path::PathBuf {
        self.home.path().join(format!("schedules/{id}.json"))
    }

    fn edit(&self, id: &ScheduleId, edit: impl FnOnce(&mut Value)) {
        let file = self.schedule_file(id);
        let mut value: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        edit(&mut value);
        fs::write(file, value.to_string()).unwrap();
    }
}

#[test]
fn a_schedule_reads_back_as_it_was_made_and_changed() {
    let place = place();
    let mut made = schedule(1);
    place.home.make_schedule(&made).unwrap();
    let run = Run::claimed(Some(NOW), NOW, How::OnTime, ChatId::from_bits(7));
    let finish = Change::Finish {
        chat: ChatId::from_bits(7),
        result: Verdict::Failed,
        why: "its check exited with 1".into(),
        at: NOW,
    };
    for change in [Change::Decide(NOW, vec![run]), finish, Change::Pause] {
        made.apply(change.clone());
        assert_eq!(place.home.change_schedule(&made.id, change).unwrap(), made);
    }
    let place = place.reopened();
    assert_eq!(
        place.home.schedules().unwrap(),
        BTreeMap::from([(made.id.clone(), Ok(made.clone()))])
    );
    let mode = fs::metadata(place.schedule_file(&made.id)).unwrap().mode();
    assert_eq!(mode & 0o777, 0o600);
    place.home.remove_schedule(&made.id).unwrap();
    assert_eq!(place.home.schedules().unwrap(), BTreeMap::new());
}

#[test]
fn keys_of_a_newer_parlour_and_a_strangers_edit_are_kept() {
    let place = place();
    let made = schedule(1);
    place.home.make_schedule(&made).unwrap();
    place.edit(&made.id, |value| {
        value["colour"] = json!("green");
        value["prompt"] = json!("Something else");
    });
    place.home.change_schedule(&made.id, Change::Pause).unwrap();
    let text = fs::read_to_string(place.schedule_file(&made.id)).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&value["colour"], &value["prompt"]),
        (&json!("green"), &json!("Something else"))
    );
    assert_eq!(
        (&value["paused"], &value["cron"]),
        (&json!(true), &json!("0 9 * * MON-FRI"))
    );
}

#[test]
fn a_damaged_file_is_shown_as_such_and_left_alone() {
    let place = place();
    let whole = schedule(1);
    place.home.make_schedule(&whole).unwrap();
    let broken = [("{\"v\": 1", "EOF"), ("{}", "missing field"), ("[]", "invalid")];
    for (bits, (text, said)) in (2..).zip(broken) {
        let id = ScheduleId::from_bits(bits);
        fs::write(place.schedule_file(&id), text).unwrap();
        let shown = place.home.schedules().unwrap();
        assert!(shown[&id].as_ref().unwrap_err().contains(said), "{shown:?}");
        assert_eq!(shown[&whole.id], Ok(whole.clone()));
        assert!(place.home.change_schedule(&id, Change::Pause).is_err());
        assert_eq!(fs::read_to_string(place.schedule_file(&id)).unwrap(), text);
    }
}

#[test]
fn a_schedule_of_a_newer_parlour_or_with_a_rule_that_is_none_is_not_run() {
    let place = place();
    let made = schedule(1);
    place.home.make_schedule(&made).unwrap();
    let why = |key: &str, to: Value| {
        let before = fs::read(place.schedule_file(&made.id)).unwrap();
        place.edit(&made.id, |value| value[key] = to);
        let why = place.home.schedules().unwrap()[&made.id].clone().unwrap_err();
        fs::write(place.schedule_file(&made.id), before).unwrap();
        why
    };
    assert_eq!(why("v", json!(2)), "a newer parlour wrote it (version 2)");
    assert!(why("cron", json!("61 * * * *")).contains("is no cron rule"));
    assert!(why("tz", json!("Mars/Olympus")).contains("is no time zone"));
    assert!(why("at", json!("2026-03-29T09:00:00Z")).contains("either"));
}

#[test]
fn what_lies_in_the_way_is_not_followed() {
    let place = place();
    let made = schedule(1);
    let elsewhere = place.folder.path().join("elsewhere");
    fs::write(&elsewhere, "mine").unwrap();
    std::os::unix::fs::symlink(&elsewhere, place.schedule_file(&made.id)).unwrap();
    assert!(place.home.make_schedule(&made).is_err());
    assert!(place.home.change_schedule(&made.id, Change::Pause).is_err());
    assert_eq!(fs::read_to_string(elsewhere).unwrap(), "mine");
}
