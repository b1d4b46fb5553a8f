//! One project by all its names: its path, its remote, and what a chat calls it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::parlour::{PATIENCE, Parlour, git, until};
use crate::support::team::{self, Mate};

/// A checkout of a remote that nobody answers at, with a branch and a commit that only it has.
fn checkout(parlour: &Parlour, name: &str) -> PathBuf {
    let grove = parlour.scratch().join(name);
    git(parlour.scratch(), &["init", "-q", "-b", "main", name]);
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
    let grove = checkout(&parlour, "grove");
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
    let clone = clone_of_a_run(&parlour);
    assert_eq!(git(&clone, &["rev-parse", "HEAD"]), unpushed);
    assert!(clone.join(".env").exists());
}

#[test]
fn the_remote_of_a_checkout_that_a_person_opened_is_the_same_project_by_its_url() {
    const URL: &str = "http://127.0.0.1:1/team/orchard.git";
    let parlour = team::parlour(json!({}));
    let grove = checkout(&parlour, "grove");
    let pushed = git(&grove, &["rev-parse", "origin/main"]);
    // Nobody said yet that the checkout is what it claims to be.
    let refused = parlour.refusal(&["new", "Early", "--dir", URL]);
    assert!(refused.contains("git ls-remote failed"), "{refused}");

    let boss = Mate::new(&parlour, "Boss", &["--dir", grove.to_str().unwrap()]);
    fs::write(boss.dir.join("projects/grove/.env"), "KEY=1\n").unwrap();
    boss.call("save_project_setup", json!({"project": "grove", "files": [".env"]}))
        .unwrap();
    // The remote cannot be reached: a person, an agent and a schedule get what the checkout has seen of it.
    let person = Mate::new(&parlour, "Person", &["--dir", URL]);
    let agent = Mate::new(&parlour, "Agent", &[]);
    let opened = agent.call("open_dir", json!({"path_or_url": URL})).unwrap();
    let notes = opened["notes"].to_string();
    assert!(notes.contains("its origin could not be asked"), "{notes}");
    let asked = json!({"prompt": "hello", "cron": "0 9 * * *", "name": "Morning", "project": URL});
    boss.call("schedule_chat", asked).unwrap();
    boss.call("run_schedule", json!({"id": "Morning"})).unwrap();
    let own = person.dir.join("projects/orchard");
    for clone in [own.clone(), path(&opened).to_path_buf(), clone_of_a_run(&parlour)] {
        assert_eq!(git(&clone, &["rev-parse", "HEAD"]), pushed);
        assert!(clone.join(".env").exists(), "{}", clone.display());
    }

    // Whoever has it by its URL means that clone by its path and by a bare name too.
    git(&own, &["commit", "-q", "--allow-empty", "-m", "The caller's own"]);
    let newest = git(&own, &["rev-parse", "HEAD"]);
    for name in [grove.to_str().unwrap(), URL, "orchard"] {
        let (child, _) = person.dispatch(&parlour, json!({"prompt": "go on", "project": name}));
        let clone = child.dir.join("projects/orchard");
        assert_eq!(git(&clone, &["rev-parse", "HEAD"]), newest, "{name}");
    }
}

#[test]
fn a_checkout_and_a_remote_that_is_a_directory_are_one_project_also_when_that_is_gone() {
    let parlour = team::parlour(json!({}));
    let grove = checkout(&parlour, "grove");
    let up = parlour.scratch().join("up.git");
    git(parlour.scratch(), &["clone", "-q", "--bare", "grove", "up.git"]);
    git(&grove, &["remote", "set-url", "origin", up.to_str().unwrap()]);
    git(&grove, &["fetch", "-q", "origin"]);
    git(&grove, &["checkout", "-q", "local-only"]);
    git(&grove, &["commit", "-q", "--allow-empty", "-m", "Here alone"]);
    let boss = Mate::new(&parlour, "Boss", &["--dir", grove.to_str().unwrap()]);
    fs::write(boss.dir.join("projects/grove/.env"), "KEY=1\n").unwrap();
    boss.call("save_project_setup", json!({"project": "grove", "files": [".env"]}))
        .unwrap();
    let other = Mate::new(&parlour, "Other", &["--dir", up.to_str().unwrap()]);
    assert!(other.dir.join("projects/up/.env").exists());
    let mut add = vec!["schedule", "add", "Morning", "-p", "hello", "--cron", "0 9 * * *"];
    add.extend(["--project", "grove"]);
    parlour.json(&add);

    fs::rename(&up, parlour.scratch().join("elsewhere")).unwrap();
    let alone = Mate::new(&parlour, "Alone", &["--dir", "grove"]);
    let clone = alone.dir.join("projects/grove");
    assert!(clone.join(".env").exists());
    assert_eq!(git(&clone, &["remote", "get-url", "origin"]), up.to_str().unwrap());
    assert_eq!(
        git(&clone, &["branch", "-r", "--list", "origin/local-only"]),
        git(&grove, &["branch", "-r", "--list", "origin/local-only"])
    );
    let told = parlour.refusal(&["rm", "alone"]);
    assert!(
        told.contains("1 commit on local-only not known to be pushed, but kept in"),
        "{told}"
    );
}

/// The clone of the only run there is.
fn clone_of_a_run(parlour: &Parlour) -> PathBuf {
    let mut run = Value::Null;
    until("the run has its clone", PATIENCE, || {
        let listed = parlour.json(&["list"]);
        let mut chats = listed["chats"].as_array().unwrap().iter();
        let found = chats.find(|chat| !chat["schedule"].is_null()).cloned();
        run = found.unwrap_or_default();
        run["projects"][0]["path"].is_string()
    });
    path(&run["projects"][0]).to_path_buf()
}

#[test]
fn checkouts_that_a_person_opened_are_one_project_with_their_remote_and_what_an_agent_opened_is_not() {
    let parlour = team::parlour(json!({}));
    let [first, second, third, forged] = ["first", "second", "third", "forged"].map(|name| {
        let place = checkout(&parlour, name);
        fs::create_dir(place.join(".parlour")).unwrap();
        fs::write(place.join(".parlour/project.toml"), "setup = \"touch ran\"\n").unwrap();
        git(&place, &["add", ".parlour"]);
        git(&place, &["commit", "-qm", "Bring a setup"]);
        place
    });
    let boss = Mate::new(&parlour, "Boss", &["--dir", first.to_str().unwrap()]);
    fs::write(boss.dir.join("projects/first/.env"), "KEY=1\n").unwrap();
    boss.call("save_project_setup", json!({"project": "first", "files": [".env"]}))
        .unwrap();
    parlour.agree(&["script", "approve", "boss", "setup"]);

    let other = Mate::new(&parlour, "Other", &["--dir", second.to_str().unwrap()]);
    assert!(other.dir.join("projects/second/.env").exists());
    until("what was approved for the first runs", PATIENCE, || {
        other.dir.join("projects/second/ran").exists()
    });

    // Any directory can claim that remote: what an agent opens, and what is named after it, gets nothing.
    let opened = other.call("open_dir", json!({"path_or_url": forged})).unwrap();
    assert!(!path(&opened).join(".env").exists());
    let notes = opened["notes"].to_string();
    assert!(notes.contains("waits for a person's approval"), "{notes}");
    let named = Mate::new(&parlour, "Named", &["--dir", "forged"]);
    assert!(named.dir.join("projects/forged").exists() && !named.dir.join("projects/forged/.env").exists());

    // Of a schedule, whoever makes it says what the project is.
    let mut add = vec!["schedule", "add", "Morning", "-p", "hello", "--cron", "0 9 * * *"];
    add.extend(["--project", third.to_str().unwrap()]);
    parlour.json(&add);
    parlour.json(&["schedule", "run", "Morning"]);
    assert!(clone_of_a_run(&parlour).join(".env").exists());
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
    let notes = own["notes"].to_string();
    assert!(
        notes.contains("another clone of it is open already: projects/grove, on main"),
        "{notes}"
    );
}

/// Whoever asks twice, as an agent does that has forgotten the first time, means one clone.
#[test]
fn a_branch_that_a_clone_is_on_already_is_opened_once() {
    let parlour = team::parlour(json!({}));
    let grove = parlour.scratch().join("grove");
    git(
        parlour.scratch(),
        &["init", "-q", "-b", "main", grove.to_str().unwrap()],
    );
    git(&grove, &["commit", "-q", "--allow-empty", "-m", "Begin"]);
    parlour.json(&["new", "Talk"]);
    let open = |more: &[&str]| {
        let words = [&["open-dir", "talk", grove.to_str().unwrap()], more].concat();
        let opened = parlour.json(&words);
        (opened["name"].as_str().unwrap().to_owned(), opened["notes"].to_string())
    };
    let hotfix = ["--branch", "hotfix", "--base", "main"];
    assert_eq!(open(&hotfix).0, "grove");
    let (name, notes) = open(&hotfix);
    assert_eq!(
        (name.as_str(), notes.contains("it was open already")),
        ("grove", true),
        "{notes}"
    );
    assert_eq!(open(&["--branch", "other"]).0, "grove-2");
    assert_eq!(open(&["--branch", "hotfix", "--mode", "ro"]).0, "grove-3");
}
