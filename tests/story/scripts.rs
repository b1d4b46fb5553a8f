//! Scripts of projects, with the real engine and real clones.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::parlour::{PATIENCE, Parlour, git, until};

/// A repository that brings scripts along, open in a chat; with where the clone and the person's own file are.
fn chat(parlour: &Parlour, scripts: &str) -> (PathBuf, PathBuf) {
    let project = parlour.scratch().join("grove");
    fs::create_dir_all(project.join(".parlour")).unwrap();
    git(&project, &["init", "-q", "-b", "main"]);
    fs::write(project.join(".parlour/project.toml"), scripts).unwrap();
    git(&project, &["add", "."]);
    git(&project, &["commit", "-qm", "begin"]);
    parlour.say(&["new", "Scripts", "--llm", "shell", "--dir", project.to_str().unwrap()]);
    let listed = parlour.json(&["script", "list", "scripts"]);
    let place = |name: &str| PathBuf::from(listed["projects"][0][name].as_str().unwrap());
    (place("path"), place("own"))
}

fn told(parlour: &Parlour, words: &str) -> bool {
    let said = |event: &Value| {
        event["text"]
            .as_str()
            .or(event["message"].as_str())
            .unwrap_or_default()
            .to_owned()
    };
    parlour
        .events("scripts")
        .iter()
        .any(|event| said(event).contains(words))
}

fn pid(file: &Path) -> Option<i32> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

fn lives(pid: i32) -> bool {
    Path::new(&format!("/proc/{pid}")).exists()
}

#[test]
fn a_setup_that_waits_is_a_question_like_any_other() {
    let parlour = Parlour::new();
    let (clone, _) = chat(&parlour, "setup = \"touch ran\"\n");
    let mut asked = Value::Null;
    until("it is asked", PATIENCE, || {
        asked = parlour.json(&["approvals"])["approvals"][0].clone();
        asked.is_object()
    });
    assert_eq!((&asked["chat"], &asked["tool"]), (&"scripts".into(), &"setup".into()));
    assert!(
        asked["input"]["command"].as_str().unwrap().contains("touch ran"),
        "{asked}"
    );
    let permission = |answer: &str| {
        let events = parlour.events("scripts").into_iter();
        let mut kept = events.filter(|event| event["kind"] == "permission");
        kept.any(|event| event["answer"] == answer && event["tool"] == "setup")
    };
    assert!(permission("asked"));
    let mut terminal = parlour.attach_sized(&["--", "scripts"], 120, 40);
    terminal.wait_for_text("needs you");
    terminal.press("\x11a");
    terminal.wait_for_text("wants to run its project's setup");
    terminal.wait_for_text("touch ran");
    terminal.wait_for_text("Approve");
    terminal.wait_for_text("y approve");
    drop(terminal);
    assert_eq!(parlour.json(&["list"])["chats"][0]["status"], "needs-you");
    assert_eq!(parlour.json(&["status"])["agents"][0]["status"], "needs-you");

    // What is approved is what was shown: the clone says something else by now, so that is asked.
    let file = clone.join(".parlour/project.toml");
    fs::write(&file, "setup = \"touch other\"\n").unwrap();
    let id = asked["id"].as_str().unwrap();
    let said = parlour.say(&["approve", id]);
    assert_eq!(said, "approved, until the setup of this repository changes\n");
    until("the new text is asked", PATIENCE, || {
        let asked = parlour.json(&["approvals"])["approvals"][0]["input"]["command"].to_string();
        asked.contains("touch other")
    });
    assert!(!clone.join("ran").exists() && !clone.join("other").exists());
    parlour.say(&["approve", id]);
    until("it ran", PATIENCE, || clone.join("other").exists());
    assert!(permission("allowed"));
    assert_eq!(parlour.json(&["approvals"])["approvals"], serde_json::json!([]));
}

#[test]
fn a_setup_that_waits_is_asked_again_after_the_engine_ended_unless_it_was_denied() {
    let parlour = Parlour::new();
    chat(&parlour, "setup = \"touch ran\"\n");
    let asked = || parlour.json(&["approvals"])["approvals"].as_array().unwrap().clone();
    let command = |asked: &Value| asked["input"]["command"].as_str().unwrap().to_owned();
    until("it is asked", PATIENCE, || !asked().is_empty());
    parlour.say(&["kill-engine"]);
    until("it is asked again", PATIENCE, || {
        asked()
            .first()
            .is_some_and(|asked| command(asked).contains("touch ran"))
    });
    parlour.json(&["rm", "scripts", "--yes"]);
    assert!(asked().is_empty());
    parlour.json(&["undo-rm", "scripts"]);
    until("it is asked of the chat that is back", PATIENCE, || !asked().is_empty());

    // Another text: one answer is for all that wait for the same.
    let grove = parlour.scratch().join("grove");
    fs::write(grove.join(".parlour/project.toml"), "setup = \"touch other\"\n").unwrap();
    git(&grove, &["commit", "-qam", "change"]);
    parlour.json(&["open-dir", "scripts", grove.to_str().unwrap()]);
    until("the second is asked", PATIENCE, || asked().len() == 2);
    let id = parlour.json(&["list"])["chats"][0]["id"].as_str().unwrap().to_owned();
    parlour.say(&["deny", &format!("setup-{id}-grove")]);
    let denied = parlour.home().join("records").join(id).join("outputs/setup-grove");
    until("the answer is kept", PATIENCE, || denied.exists());
    let listed = parlour.say(&["script", "list", "scripts"]);
    let word = |line: &&str| line.starts_with("setup ");
    let said: Vec<&str> = listed
        .lines()
        .filter(word)
        .filter_map(|line| line.split_whitespace().nth(1))
        .collect();
    assert_eq!(said, ["denied", "waits"], "{listed}");
    parlour.say(&["kill-engine"]);
    // They are asked in the order of the clones.
    until("the second is asked again", PATIENCE, || !asked().is_empty());
    let asked = asked();
    assert_eq!(asked.len(), 1, "{asked:?}");
    assert_eq!(asked[0]["input"]["project"], "grove-2");
}

#[test]
fn a_setup_that_was_at_work_as_the_engine_was_killed_runs_again() {
    let parlour = Parlour::new();
    let setup = "setup = \"echo x >> begun; [ -e second ] || { touch second; sleep 600; }; touch ready\"\n";
    let (clone, _) = chat(&parlour, setup);
    let asked = || parlour.json(&["approvals"])["approvals"].as_array().unwrap().len();
    until("it is asked", PATIENCE, || asked() == 1);
    parlour.agree(&["script", "approve", "scripts", "setup"]);
    let preferences = parlour.home().join("preferences.json");
    until("it is at work, and that is noted", PATIENCE, || {
        let kept = fs::read_to_string(&preferences).unwrap_or_default();
        clone.join("second").exists() && kept.contains("\"setups\"")
    });
    parlour.kill_engine();
    until("it is told", PATIENCE, || {
        told(&parlour, "the setup of grove ended with the engine, and runs again")
    });
    until("it is done", PATIENCE, || told(&parlour, "setup of grove is done"));
    assert!(clone.join("ready").exists());
    parlour.kill_engine();
    parlour.status();
    assert_eq!(
        fs::read_to_string(clone.join("begun")).unwrap(),
        "x\nx\n",
        "and no more"
    );
}

#[test]
fn one_answer_settles_all_chats_that_wait_for_the_same_setup() {
    let parlour = Parlour::new();
    let (first, _) = chat(&parlour, "setup = \"touch ran\"\n");
    let grove = parlour.scratch().join("grove");
    let again = |name: &str| {
        parlour.say(&["new", name, "--llm", "shell", "--dir", grove.to_str().unwrap()]);
        let listed = parlour.json(&["script", "list", name]);
        PathBuf::from(listed["projects"][0]["path"].as_str().unwrap())
    };
    let second = again("other");
    let asked = || parlour.json(&["approvals"])["approvals"].as_array().unwrap().clone();
    until("both ask", PATIENCE, || asked().len() == 2);
    let id = asked()[1]["id"].as_str().unwrap().to_owned();
    let said = parlour.say(&["approve", &id]);
    assert!(said.starts_with("approved for "), "{said}");
    assert!(said.contains("scripts") && said.contains("other"), "{said}");
    until("it runs in both", PATIENCE, || {
        first.join("ran").exists() && second.join("ran").exists()
    });
    assert!(asked().is_empty());

    fs::write(grove.join(".parlour/project.toml"), "setup = \"touch other\"\n").unwrap();
    git(&grove, &["commit", "-qam", "change"]);
    for name in ["third", "fourth"] {
        again(name);
    }
    until("both ask", PATIENCE, || asked().len() == 2);
    let id = asked()[0]["id"].as_str().unwrap().to_owned();
    assert!(parlour.say(&["deny", &id]).starts_with("refused for "));
    assert!(asked().is_empty());
    let row = |name: &str| {
        let chats = parlour.json(&["list"])["chats"].as_array().unwrap().clone();
        let one = chats.into_iter().find(|chat| chat["handle"] == name).unwrap();
        one["preview"].as_str().unwrap().to_owned()
    };
    for name in ["third", "fourth"] {
        until("its row says so", PATIENCE, || {
            row(name).starts_with("setup of grove denied")
        });
    }
    parlour.say(&["kill-engine"]);
    assert!(row("third").starts_with("setup of grove denied"), "{}", row("third"));
}

#[test]
fn a_repositorys_setup_waits_for_a_person_and_is_run_in_a_full_environment() {
    let parlour = Parlour::new();
    let (clone, _) = chat(&parlour, "setup = \"env > out; echo all set\"\n[env]\nMINE = \"1\"\n");
    let origin = parlour.scratch().join("grove");
    let dir = origin.to_str().unwrap();
    let again = parlour.json(&["open-dir", "scripts", dir])["notes"].to_string();
    assert!(
        again.contains("waits for a person's approval: `parlour script approve scripts setup"),
        "{again}"
    );
    assert!(!clone.join("out").exists());
    for verb in [&["run", "scripts"][..], &["script", "approve", "scripts", "run"]] {
        let refused = parlour.refusal(verb);
        assert!(refused.contains("its projects have no script `run`"), "{refused}");
    }
    // A yes that names nothing is none.
    let refused = parlour.refusal(&["script", "approve", "scripts", "setup", "--yes"]);
    assert!(
        refused.contains("it runs env > out; echo all set; with MINE=1"),
        "{refused}"
    );
    parlour.agree(&["script", "approve", "scripts", "setup"]);
    until("the setup is done", PATIENCE, || {
        told(&parlour, "setup of grove is done")
    });
    let env = fs::read_to_string(clone.join("out")).unwrap();
    let value = |name: &str| env.lines().find_map(|line| line.strip_prefix(&format!("{name}=")));
    assert_eq!(value("PARLOUR_CHAT_NAME"), Some("Scripts"));
    assert_eq!(value("PARLOUR_DEFAULT_BRANCH"), Some("main"));
    assert_eq!(
        value("PARLOUR_ROOT_PATH").map(PathBuf::from),
        origin.canonicalize().ok()
    );
    assert_eq!(value("PARLOUR_PROJECT_PATH").map(PathBuf::from), Some(clone));
    assert_eq!(value("MINE"), Some("1"));
    assert!(value("PARLOUR_PORT").is_some() && value("PARLOUR_CHAT").is_some() && value("PARLOUR_TOKEN").is_none());
    // It is approved for this origin, unless the text is another.
    let third = parlour.json(&["open-dir", "scripts", dir])["notes"].to_string();
    assert!(third.contains("setup runs beside this"), "{third}");
    until("the third is set up", PATIENCE, || {
        told(&parlour, "setup of grove-3 is done")
    });
    fs::write(
        origin.join(".parlour/project.toml"),
        "setup = \"echo  all set; exit 3\"\narchive = \"true\"\n",
    )
    .unwrap();
    git(&origin, &["commit", "-qam", "other"]);
    let fourth = parlour.json(&["open-dir", "scripts", dir])["notes"].to_string();
    assert!(fourth.contains("waits for a person's approval"), "{fourth}");
    // The word for what was approved before is not for this.
    let approve = ["script", "approve", "scripts", "setup", "grove-4"];
    let stale = parlour.refusal(&[&approve[..], &["--yes=aaaaaaaaaaaaaaaaaaaaaaaaaa"]].concat());
    assert!(stale.contains("it is not what your `--yes` was for"), "{stale}");
    parlour.agree(&approve);
    until("its failure is told", PATIENCE, || {
        told(&parlour, "setup of grove-4 exited with 3: all set")
    });
    let gone = parlour.json(&["rm", "scripts", "--yes"]);
    assert_eq!(gone["notes"][0], "archive of grove-4 was not run: nobody approved it");
}

#[test]
fn a_run_is_stopped_with_all_that_it_started_and_archive_runs_before_a_chat_goes() {
    let parlour = Parlour::new();
    let (clone, own) = chat(&parlour, "run = \"exit 1\"\n");
    let left = parlour.scratch().join("left");
    // A child in a session of its own that does not mind TERM.
    let child = "trap '' TERM HUP; echo $$ > pid; while :; do sleep 1; done";
    let run = format!(
        "trap '' TERM HUP\nsetsid sh -c \"{}\" &\necho up; while :; do sleep 1; done",
        child.replace('$', "\\$")
    );
    let archive = format!("echo $PARLOUR_CHAT_NAME > {}; exit 4", left.display());
    fs::write(own, format!("run = {run:?}\narchive = {archive:?}\n")).unwrap();
    let output = parlour.json(&["run", "scripts"])["output"].clone();
    until("it runs", PATIENCE, || pid(&clone.join("pid")).is_some());
    let first = pid(&clone.join("pid")).unwrap();
    until("it wrote", PATIENCE, || {
        fs::read_to_string(output.as_str().unwrap()).unwrap().contains("up\n")
    });
    assert!(parlour.refusal(&["run", "scripts"]).contains("it runs already"));
    parlour.say(&["run", "scripts", "--stop"]);
    assert!(!lives(first));
    assert!(
        parlour
            .refusal(&["run", "scripts", "--stop"])
            .contains("it does not run")
    );
    parlour.say(&["run", "scripts"]);
    until("it runs again", PATIENCE, || {
        pid(&clone.join("pid")).is_some_and(|pid| pid != first)
    });
    let second = pid(&clone.join("pid")).unwrap();
    let gone = parlour.json(&["rm", "scripts", "--yes"]);
    assert_eq!(gone["notes"][0], "archive of grove exited with 4");
    assert_eq!(fs::read_to_string(left).unwrap(), "Scripts\n");
    assert!(!lives(second));
}

#[test]
fn a_script_is_held_in_where_its_agent_is() {
    let parlour = Parlour::new();
    let temporary = parlour.scratch().join("temporary");
    fs::create_dir(&temporary).unwrap();
    let parlour = parlour.with([("TMPDIR".to_string(), temporary.display().to_string())]);
    parlour.configure(r#"{"sandbox": "strict"}"#);
    let outside = parlour.scratch().join("outside");
    let setup = format!(
        "echo x > inside; echo x > $TMPDIR/there; echo x > {}",
        outside.display()
    );
    let (clone, _) = chat(&parlour, &format!("setup = {setup:?}\n"));
    parlour.agree(&["script", "approve", "scripts", "setup"]);
    let held = parlour::sys::spawn::can_confine().is_ok();
    let end = if held {
        "setup of grove exited with"
    } else {
        "setup of grove is done"
    };
    until("it has ended", PATIENCE, || told(&parlour, end));
    assert!(clone.join("inside").exists() && temporary.join("there").exists());
    assert_eq!(outside.exists(), !held);
}

#[test]
fn a_chat_without_a_project_says_how_to_open_one() {
    let parlour = Parlour::new();
    parlour.say(&["new", "Bare", "--llm", "demo"]);
    assert_eq!(
        parlour.refusal(&["run", "bare"]),
        "parlour: running run: this chat has no project; open one: `parlour open-dir bare PATH_OR_URL`, or press o \
         on it in parlour\n"
    );
}
