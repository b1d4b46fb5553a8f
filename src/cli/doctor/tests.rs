//! Homes in all states, and what is found in them.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use insta::assert_snapshot;
use serde_json::json;
use tempfile::TempDir;

use super::checkup::examine;
use super::leftovers::Fix;
use super::report::DoctorReport;
use crate::cli::output::{ColourUse, OutputLook};
use crate::model::Timestamp;
use crate::store::Home;

const CHAT: &str = "aaaaaaaaaa";

/// A home with one chat, as the engine leaves it.
fn home() -> TempDir {
    let temp = tempfile::tempdir().unwrap();
    let home = temp.path().join("home");
    Home::open(&home).unwrap();
    let record = home.join("records").join(CHAT);
    fs::create_dir(&record).unwrap();
    close(&record, 0o700);
    let chat = json!({"v": 1, "id": CHAT, "name": "Fix auth", "handle": "fix-auth", "llm": "demo",
                      "created": "2026-02-15T09:00:00.000Z"});
    write(&record.join("chat.json"), &chat.to_string());
    write(&record.join("events.jsonl"), "{\"seq\":1}\n{\"seq\":2}\n");
    temp
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    close(path, 0o600);
}

fn close(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn problems(temp: &TempDir) -> Vec<(String, String)> {
    examine(&temp.path().join("home"), Fix::Nothing)
        .problems
        .into_iter()
        .map(|found| {
            let place = Path::new(&found.place)
                .strip_prefix(temp.path())
                .unwrap_or(Path::new("elsewhere"));
            (place.display().to_string(), found.what)
        })
        .collect()
}

fn problem(temp: &TempDir) -> (String, String) {
    let problems = problems(temp);
    assert_eq!(problems.len(), 1, "{problems:?}");
    problems.into_iter().next().unwrap()
}

/// Every path below, with its mode, its time and its content.
fn manifest(of: &Path) -> Vec<(PathBuf, u32, i64, Vec<u8>)> {
    let mut found = Vec::new();
    let mut open = vec![of.to_owned()];
    while let Some(path) = open.pop() {
        let meta = fs::symlink_metadata(&path).unwrap();
        let content = match meta.is_dir() {
            true => {
                open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
                Vec::new()
            }
            false => fs::read(&path).unwrap_or_default(),
        };
        found.push((path, meta.mode(), meta.mtime_nsec(), content));
    }
    found.sort();
    found
}

#[test]
fn a_healthy_home_has_no_problem() {
    assert_eq!(problems(&home()), []);
}

#[test]
fn a_home_that_was_never_made_is_no_problem_and_stays_unmade() {
    let temp = tempfile::tempdir().unwrap();
    assert_eq!(problems(&temp), []);
    assert!(!temp.path().join("home").exists());
}

#[test]
fn looking_changes_nothing() {
    let temp = home();
    let home = temp.path().join("home");
    close(&home.join("records"), 0o755);
    write(&home.join("config.json"), "{");
    write(&home.join("staging/half"), "");
    let before = manifest(temp.path());
    assert!(problems(&temp).len() >= 3);
    assert_eq!(manifest(temp.path()), before);
}

#[test]
fn what_others_can_open_is_one_problem() {
    let temp = home();
    let record = temp.path().join("home/records").join(CHAT);
    close(&record.join("chat.json"), 0o644);
    close(&record.join("events.jsonl"), 0o640);
    let (place, what) = problem(&temp);
    assert!(place.starts_with("home/records/aaaaaaaaaa/"), "{place}");
    assert_eq!(what, "others can open it, and so it is with 1 more");
    close(&temp.path().join("home"), 0o755);
    assert_eq!(
        problem(&temp),
        ("home".into(), "others can open it, and so it is with 2 more".into())
    );
}

#[test]
fn a_directory_made_by_hand_is_closed_by_the_home_around_it() {
    let temp = home();
    let roles = temp.path().join("home/roles");
    fs::create_dir_all(&roles).unwrap();
    close(&roles, 0o755);
    assert_eq!(problems(&temp), []);
    close(&temp.path().join("home"), 0o755);
    assert_eq!(
        problem(&temp),
        ("home".into(), "others can open it, and so it is with 1 more".into())
    );
}

#[test]
fn settings_that_cannot_be_read_are_said_with_line_and_key() {
    let temp = home();
    let config = temp.path().join("home/config.json");
    write(&config, "{\n  \"limits\": {\"liveAgents\": \"many\"}\n}\n");
    let (place, what) = problem(&temp);
    assert_eq!(place, "home/config.json");
    assert!(what.starts_with("config.json:2:"), "{what}");
    assert!(what.contains("limits.liveAgents"), "{what}");
}

#[test]
fn a_theme_that_cannot_be_read_is_named() {
    let temp = home();
    write(&temp.path().join("home/themes/mine.toml"), "waiting = 3\n");
    let (place, what) = problem(&temp);
    assert_eq!(place, "home/themes/mine.toml");
    assert!(what.contains("waiting"), "{what}");
}

#[test]
fn a_theme_that_is_not_there_is_a_matter_of_the_settings() {
    let temp = home();
    write(&temp.path().join("home/config.json"), r#"{"theme": "nope"}"#);
    assert_eq!(
        problem(&temp),
        (
            "home/config.json".into(),
            "config.json: theme: there is no theme called nope".into()
        )
    );
}

#[test]
fn keys_that_do_nothing_or_take_anothers_are_named() {
    let temp = home();
    let config = temp.path().join("home/config.json");
    write(&config, r#"{"keys": {"fly": "f", "delete": "n"}}"#);
    assert_eq!(
        problem(&temp).1,
        "config.json: keys.fly: no such command; ? lists the names of all"
    );
    let remarks = examine(&temp.path().join("home"), Fix::Nothing).remarks;
    let remarks: Vec<&str> = remarks.iter().map(|found| found.what.as_str()).collect();
    assert!(
        remarks.contains(&"config.json: keys.delete: takes n from newChat (“New chat”)"),
        "{remarks:?}"
    );
}

#[test]
fn a_newer_home_and_a_damaged_one_are_told_apart() {
    let temp = home();
    let version = temp.path().join("home/home.json");
    write(&version, "{\"v\": 9}");
    assert!(
        problem(&temp)
            .1
            .starts_with("a newer parlour made this home (version 9)")
    );
    write(&version, "{}");
    assert_eq!(problem(&temp), ("home/home.json".into(), "it names no version".into()));
}

#[test]
fn a_damaged_transcript_is_named_and_an_unfinished_one_is_not_damaged() {
    let temp = home();
    let events = temp.path().join("home/records").join(CHAT).join("events.jsonl");
    write(
        &events,
        "{\"seq\":1}\nxx\nyy\n{\"seq\":2}\n{\"seq\":2}\n{\"seq\":3}\n{\"se",
    );
    let (place, what) = problem(&temp);
    assert_eq!(place, "home/records/aaaaaaaaaa/events.jsonl");
    assert_eq!(what, "16 bytes of the transcript, in 2 places, cannot be read");
    write(&events, "{\"seq\":1}\n{\"se");
    assert_eq!(problems(&temp), []);
}

/// The checkpoints of the chat: lines of these numbers, and what is saved of `grove`.
fn checkpoints(temp: &TempDir, lines: &[&str], saved: &[u64]) {
    let folder = temp.path().join("home/records").join(CHAT).join("checkpoints");
    let refs = folder.join("grove.git/refs/parlour");
    fs::create_dir_all(&refs).unwrap();
    close(&folder, 0o700);
    write(&folder.join("list.jsonl"), &lines.concat());
    for number in saved {
        fs::write(refs.join(format!("{number:010}")), "").unwrap();
    }
}

fn line(number: u64) -> String {
    let line =
        json!({"v": 1, "number": number, "at": "2026-02-15T09:00:00.000Z", "cause": "asked", "changed": ["grove"]});
    format!("{line}\n")
}

#[test]
fn checkpoints_that_their_list_does_not_tell_of_are_named() {
    let temp = home();
    checkpoints(&temp, &[&line(1), &line(2)], &[1, 2]);
    assert_eq!(problems(&temp), []);
    checkpoints(&temp, &[&line(1), "{\"v\"x\n", &line(3), "{\n"], &[3, 4]);
    let list = "home/records/aaaaaaaaaa/checkpoints/list.jsonl";
    let said = [
        (
            list.into(),
            "lines 2 and 4 of the list of checkpoints cannot be read".into(),
        ),
        (
            list.into(),
            "checkpoints 2 and 4 have no line in the list that can be read".into(),
        ),
    ];
    assert_eq!(problems(&temp), said);
    checkpoints(&temp, &["["], &[]);
    let said = (
        list.into(),
        "checkpoints 1, 2, 3 and 4 have no line in the list that can be read".into(),
    );
    assert_eq!(problem(&temp), said);
}

#[test]
fn checkpoints_whose_store_lacks_them_are_named() {
    let temp = home();
    checkpoints(&temp, &[&line(1), &line(2), &line(5)], &[1, 4]);
    let store = "home/records/aaaaaaaaaa/checkpoints/grove.git".to_string();
    let said = "checkpoint 2 of grove is in the list and not in its store".to_string();
    assert_eq!(problem(&temp), (store, said), "4 is what the thinned line 5 counts");
}

/// A repository of parlour's own with one object, and where that lies.
fn repository(temp: &TempDir, at: &str) -> PathBuf {
    let path = temp.path().join("home").join(at);
    let made = git2::Repository::init_bare(&path).unwrap();
    let id = made.blob(b"kept").unwrap().to_string();
    path.join("objects").join(&id[..2]).join(&id[2..])
}

#[test]
fn what_cannot_be_read_back_of_a_repository_is_named() {
    for at in [
        "bare/example.com/ada/grove.git",
        "records/aaaaaaaaaa/checkpoints/grove.git",
    ] {
        let temp = home();
        let object = repository(&temp, at);
        if at.starts_with("records") {
            close(object.ancestors().nth(4).unwrap(), 0o700);
        }
        let named = |object: &Path| object.strip_prefix(temp.path()).unwrap().display().to_string();
        assert_eq!(problems(&temp), [], "{at}");
        let whole = fs::read(&object).unwrap();
        fs::remove_file(&object).unwrap();
        for damaged in [&whole[..0], &whole[..whole.len() - 1]] {
            fs::write(&object, damaged).unwrap();
            let said = (named(&object), "an object cannot be read back".into());
            assert_eq!(problem(&temp), said);
        }
        let pack = object.ancestors().nth(2).unwrap().join("pack");
        fs::create_dir_all(&pack).unwrap();
        fs::write(pack.join("pack-1.pack"), "").unwrap();
        fs::write(pack.join("pack-1.idx"), "").unwrap();
        let (_, what) = problem(&temp);
        assert_eq!(what, "2 objects cannot be read back; this is the first");
        let config = object.ancestors().nth(3).unwrap().join("config");
        fs::write(&config, "[").unwrap();
        let (place, what) = problem(&temp);
        assert_eq!(
            (place, what.starts_with("reading ")),
            (format!("home/{at}"), true),
            "{what}"
        );
    }
}

#[test]
fn preferences_that_cannot_be_read_are_named() {
    let temp = home();
    write(&temp.path().join("home/preferences.json"), "[");
    let (place, what) = problem(&temp);
    assert_eq!(place, "home/preferences.json");
    assert!(what.starts_with("it cannot be read: "), "{what}");
}

#[test]
fn a_part_of_the_home_that_is_a_link_is_named() {
    let temp = home();
    let chats = temp.path().join("home/chats");
    fs::rename(&chats, temp.path().join("chats")).unwrap();
    std::os::unix::fs::symlink(temp.path().join("chats"), &chats).unwrap();
    let (place, what) = problem(&temp);
    assert_eq!(place, "home/chats");
    assert_eq!(
        what,
        "chats is a link: the parts of the home are directories on its own disk"
    );
    let error = Home::open(&temp.path().join("home")).unwrap_err().to_string();
    assert!(
        error.ends_with("home/chats is a link: the parts of parlour's home are directories on its own disk"),
        "{error}"
    );
}

#[test]
fn a_record_that_cannot_be_read_is_named() {
    let temp = home();
    let record = temp.path().join("home/records").join(CHAT).join("chat.json");
    write(&record, "{\"v\":1}");
    let (place, what) = problem(&temp);
    assert_eq!(place, "home/records/aaaaaaaaaa/chat.json");
    assert!(
        what.starts_with("the record of aaaaaaaaaa cannot be read: missing field"),
        "{what}"
    );
    fs::remove_file(record).unwrap();
    assert_eq!(
        problem(&temp).1,
        "the record of aaaaaaaaaa cannot be read: it is missing"
    );
}

#[test]
fn leftovers_are_named_and_removed_when_that_is_asked_for() {
    let temp = home();
    let home = temp.path().join("home");
    fs::create_dir_all(home.join("staging/clone/deep")).unwrap();
    write(&home.join(format!("records/{CHAT}/.parlour-00.tmp")), "half");
    drop(std::os::unix::net::UnixListener::bind(home.join("run/engine.sock")).unwrap());
    close(&home.join("run/engine.sock"), 0o600);
    let mut places: Vec<_> = problems(&temp).into_iter().map(|(place, _)| place).collect();
    places.sort();
    let temporary = format!("home/records/{CHAT}/.parlour-00.tmp");
    assert_eq!(places, [&temporary, "home/staging/clone"]);
    assert_eq!(examine(&home, Fix::Leftovers).fixed.len(), 3);
    assert_eq!(problems(&temp), []);
}

#[test]
fn a_held_lock_without_an_answer_is_a_problem_and_nothing_is_removed() {
    let temp = home();
    let home = temp.path().join("home");
    write(&home.join("staging/half"), "");
    let _held = crate::sys::lock::FileLock::try_acquire(&home.join("run/engine.lock")).unwrap();
    let report = examine(&home, Fix::Leftovers);
    let what: Vec<_> = report.problems.iter().map(|found| found.what.as_str()).collect();
    assert_eq!(what, ["an engine holds this home and does not listen"]);
    assert!(home.join("staging/half").exists());
}

#[test]
fn a_report_is_said_in_words() {
    let look = OutputLook {
        colours: ColourUse::Off,
        width: None,
        now: Timestamp(0),
    };
    let mut report = DoctorReport::default();
    assert_eq!(report.words(&look), "all well\n");
    report.problem(
        "its \u{1b}[31m mode is wrong",
        Path::new("/home/ada/.parlour"),
        "chmod 700 it",
    );
    report.remark("Claude Code is not on your PATH", Path::new(""), "");
    report.fixed.push("/home/ada/.parlour/staging/half".into());
    assert_snapshot!(report.words(&look), @r"
    ✓ removed /home/ada/.parlour/staging/half
    ✗ its \u{1b}[31m mode is wrong
      /home/ada/.parlour
      chmod 700 it
    · Claude Code is not on your PATH
    1 problem
    ");
}

#[test]
fn a_schedule_that_never_runs_is_named() {
    let temp = home();
    let folder = temp.path().join("home/schedules");
    fs::create_dir_all(&folder).unwrap();
    close(&folder, 0o700);
    write(&folder.join("bbbbbbbbbb.json"), "{\"v\": 1");
    write(&folder.join("notes.txt"), "mine");
    let (place, what) = problem(&temp);
    assert_eq!(place, "home/schedules/bbbbbbbbbb.json");
    assert!(what.starts_with("the schedule bbbbbbbbbb cannot be read: "), "{what}");
}

#[test]
fn a_schedule_that_a_wrong_clock_holds_is_named() {
    let temp = home();
    let folder = temp.path().join("home/schedules");
    fs::create_dir_all(&folder).unwrap();
    close(&folder, 0o700);
    let schedule = json!({"v": 1, "id": "bbbbbbbbbb", "name": "Deps", "prompt": "go", "cron": "0 9 * * *", "tz": "UTC",
                          "timeout_s": 3600, "created": "2026-02-15T09:00:00.000Z",
                          "decided": "2999-01-01T00:00:00.000Z"});
    write(&folder.join("bbbbbbbbbb.json"), &schedule.to_string());
    let (place, what) = problem(&temp);
    assert_eq!(place, "home/schedules/bbbbbbbbbb.json");
    assert!(what.contains("settled up to 2999-01-01"), "{what}");
}
