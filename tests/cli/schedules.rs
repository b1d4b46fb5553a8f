//! `parlour schedule preview`: a function of its arguments, which needs no engine.

use std::path::Path;

use serde_json::{Value, json};

use super::engine::{parlour, stdout};

fn preview(home: &Path, words: &[&str]) -> Value {
    let output = parlour(home, &[&["schedule", "preview", "--json"], words].concat())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{words:?}: {said}");
    serde_json::from_str(stdout(&output)).unwrap()
}

#[test]
fn it_looks_ahead_over_changes_of_the_clock_without_an_engine() {
    let dir = tempfile::tempdir().unwrap();
    let home = dir.path().join("home");
    let berlin = ["--tz", "Europe/Berlin", "--count", "2"];
    let times = |words: &[&str]| preview(&home, &[words, &berlin[..]].concat());
    assert_eq!(
        times(&["--cron", "0 9 * * *", "--from", "2026-03-28T12:00:00Z"]),
        json!({"times": ["2026-03-29T09:00:00+02:00", "2026-03-30T09:00:00+02:00"]})
    );
    assert_eq!(
        times(&["--cron", "30 2 * * *", "--from", "2026-03-29"]),
        json!({"times": ["2026-03-29T03:00:00+02:00", "2026-03-30T02:30:00+02:00"]})
    );
    // The first moment itself may be one.
    assert_eq!(
        times(&["--cron", "@daily", "--from", "2026-03-29T00:00:00+01:00"]),
        json!({"times": ["2026-03-29T00:00:00+01:00", "2026-03-30T00:00:00+02:00"]})
    );
    assert!(!home.exists(), "nothing is made for it");
}

#[test]
fn a_kept_schedule_is_looked_up_by_its_file() {
    let dir = tempfile::tempdir().unwrap();
    let home = dir.path().join("home");
    std::fs::create_dir_all(home.join("schedules")).unwrap();
    let kept = json!({"v": 1, "id": "abcdefghij", "name": "Deps", "prompt": "x", "cron": "0 9 * * MON", "tz": "Asia/Tokyo",
                      "timeout_s": 60, "created": "2026-01-01T00:00:00.000Z", "decided": "2026-01-01T00:00:00.000Z"});
    std::fs::write(home.join("schedules/abcdefghij.json"), kept.to_string()).unwrap();
    for name in ["Deps", "abcdefghij", "abcd"] {
        let times = preview(&home, &[name, "--from", "2026-03-01T00:00:00Z", "--count", "1"]);
        assert_eq!(times, json!({"times": ["2026-03-02T09:00:00+09:00"]}), "{name}");
    }
    let missing = parlour(&home, &["schedule", "preview", "none"]).output().unwrap();
    assert_eq!(missing.status.code(), Some(3));
}

#[test]
fn what_cannot_be_looked_ahead_for_is_said() {
    let home = tempfile::tempdir().unwrap();
    for (words, code, why) in [
        (&["--cron", "61 * * * *"][..], 2, "it is no cron rule: "),
        (&["--cron", "0 0 31 2 *"], 2, "it never comes"),
        (&["--cron", "@daily", "--tz", "Mars"], 2, "it is no time zone"),
        (&["--cron", "@daily", "--from", "soon"], 2, "it is no time;"),
        (&[], 2, "required"),
        (
            &["--cron", "@daily", "--count", "x"],
            2,
            "it is no number from 1 to 10000",
        ),
        (
            &["--cron", "@daily", "--count", "0"],
            2,
            "it is no number from 1 to 10000",
        ),
        (
            &["--cron", "@daily", "--count", "-1"],
            2,
            "it is no number from 1 to 10000",
        ),
        (
            &["--cron", "in 2 min"],
            2,
            "`parlour schedule add --at 'in 2 min'` takes it",
        ),
        (&["--cron", "09:00"], 2, "`parlour schedule add --at '09:00'` takes it"),
        (
            &["--cron", "@daily", "--count", "100000"],
            2,
            "it is no number from 1 to 10000",
        ),
    ] {
        let output = parlour(home.path(), &[&["schedule", "preview"], words].concat())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{words:?}");
        assert!(said.contains(why), "{words:?}: {said}");
    }
}

#[test]
fn a_value_that_schedule_add_does_not_take_is_wrong_use_and_told_in_one_line() {
    let home = tempfile::tempdir().unwrap();
    for (more, why) in [
        (
            &["--cron", "99 * * * *"][..],
            "for '--cron <RULE>': it is no cron rule: ",
        ),
        (
            &["--cron", "@daily", "--tz", "Mars/X"],
            "for '--tz <ZONE>': it is no time zone; ",
        ),
        (&["--at", "yesterday"], "for '--at <TIME>': it is no time; "),
        (
            &["--cron", "@daily", "--overlap", "never"],
            "[possible values: skip, wait, allow]",
        ),
    ] {
        let words = [&["schedule", "add", "-p", "hello"], more].concat();
        let output = parlour(home.path(), &words).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(said.starts_with("parlour: ") && said.contains(why), "{words:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{words:?}: {said}");
    }
}
