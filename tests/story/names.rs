//! One project by all its names: its path, its remote, and what a chat calls it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::parlour::{PATIENCE, Parlour, git, until};
use crate::support::team::{self, Mate};

/// A checkout of a remote that nobody answers at, with a branch and a commit that only it has.
fn checkout(parlour: &Parlour) -> PathBuf {
    let grove = parlour.scratch().join("grove");
    git(parlour.scratch(), &["init", "-q", "-b", "main", "grove"]);
    fs::write(grove.join(".gitignore"), ".env\n").unwrap();
    git(&grove, &["add", "."]);
    git(&grove, &["commit", "-qm", "Begin"]);
    git(
        &grove,
        &["remote", "add", "origin", "http://127.0.0.1:1/team/orchard.git"],
    );
    git(&grove, &["update-ref", "refs/remotes/origin/main", "main"]);
    git(&grove, &["commit", "-q", "--allow-empty", "-m", "Not pushed"]);
    git(&grove, &["branch", "local-only"]);
    grove
}

fn path(opened: &Value) -> &Path {
    Path::new(opened["path"].as_str().unwrap())
}

#[test]
fn a_bare_name_is_the_project_that_was_opened_by_its_path_whoever_says_it() {
    let parlour = team::parlour(json!({}));
    let grove = checkout(&parlour);
    let unpushed = git(&grove, &["rev-parse", "HEAD"]);
    let boss = Mate::new(&parlour, "Boss", &["--dir", grove.to_str().unwrap()]);
    let own = boss.dir.join("projects/grove");
    fs::write(own.join(".env"), "KEY=1\n").unwrap();
    let kept = boss.call("save_project_setup", json!({"project": "grove", "files": [".env"]}));
    assert!(kept.is_ok(), "{kept:?}");
    let listed = boss.call("list_projects", json!({})).unwrap();
    assert_eq!(listed["projects"][0]["ahead"], 1, "{listed}");

    let again = boss
        .call("open_dir", json!({"path_or_url": "grove", "branch": "local-only"}))
        .unwrap();
    assert_eq!(git(path(&again), &["rev-parse", "HEAD"]), unpushed);
    let note = again["notes"][0].as_str().unwrap();
    assert!(
        note.contains(&format!("taken from the checkout {}", grove.display())),
        "{note}"
    );
    for name in ["grove", "orchard"] {
        let other = Mate::new(&parlour, "Other", &["--dir", name]);
        let clone = other.dir.join("projects/grove");
        assert_eq!(git(&clone, &["rev-parse", "HEAD"]), unpushed, "{name}");
        assert!(clone.join(".env").exists(), "{name}");
    }

    // By its path and by its remote it is the caller's clone, whose commits come along.
    git(&own, &["commit", "-q", "--allow-empty", "-m", "The caller's own"]);
    let newest = git(&own, &["rev-parse", "HEAD"]);
    for name in [grove.to_str().unwrap(), "http://127.0.0.1:1/team/orchard"] {
        let (child, _) = boss.dispatch(&parlour, json!({"prompt": "go on", "project": name}));
        let clone = child.dir.join("projects/grove");
        assert_eq!(git(&clone, &["rev-parse", "HEAD"]), newest, "{name}");
    }

    let asked = json!({"prompt": "hello", "cron": "0 9 * * *", "name": "Morning", "project": "grove"});
    boss.call("schedule_chat", asked).unwrap();
    boss.call("run_schedule", json!({"id": "Morning"})).unwrap();
    let mut run = Value::Null;
    until("the run has its clone", PATIENCE, || {
        let listed = parlour.json(&["list"]);
        let mut chats = listed["chats"].as_array().unwrap().iter();
        let found = chats.find(|chat| !chat["schedule"].is_null()).cloned();
        run = found.unwrap_or_default();
        run["projects"][0]["path"].is_string()
    });
    let clone = path(&run["projects"][0]);
    assert_eq!(git(clone, &["rev-parse", "HEAD"]), unpushed);
    assert!(clone.join(".env").exists());
}

#[test]
fn two_projects_of_one_name_are_both_named() {
    let parlour = team::parlour(json!({}));
    for place in ["one", "two"] {
        fs::create_dir(parlour.scratch().join(place)).unwrap();
        let grove = parlour.scratch().join(place).join("grove");
        git(
            parlour.scratch(),
            &["init", "-q", "-b", "main", grove.to_str().unwrap()],
        );
        git(&grove, &["commit", "-q", "--allow-empty", "-m", "Begin"]);
        parlour.json(&["new", place, "--dir", grove.to_str().unwrap()]);
    }
    let told = parlour.refusal(&["new", "Which", "--dir", "grove"]);
    for place in ["one/grove", "two/grove"] {
        assert!(told.contains(place), "{told}");
    }
    let own = parlour.json(&["open-dir", "one", "grove"]);
    assert_eq!(own["name"], "grove-2", "its own comes before all others: {own}");
}
