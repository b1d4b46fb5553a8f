//! The six workflows that parlour is made for, one after the other in one chat with the real Claude Code, as a person
//! sees and ends them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::acts::asks_of;
use super::claude::parlour;
use super::told::{endings, of_kind};
use crate::support::claude;
use crate::support::model_server::{Block, ModelServer, Scenario, text, tool, turn};
use crate::support::parlour::{PATIENCE, Parlour, git, let_it_be_read, until};
use crate::support::terminal::Terminal;

/// What the work is about: two repositories that others share, and a directory that is none.
struct Places {
    api: PathBuf,
    web: PathBuf,
    notes: PathBuf,
}

impl Places {
    fn new(scratch: &Path) -> Places {
        let notes = scratch.join("notes");
        fs::create_dir(&notes).unwrap();
        fs::write(notes.join("caching.md"), "Redis or memcached?\n").unwrap();
        Places {
            api: shared(scratch, "api"),
            web: shared(scratch, "web"),
            notes,
        }
    }
}

/// A bare repository whose `deploy` is a commit behind `main`.
fn shared(scratch: &Path, name: &str) -> PathBuf {
    let source = scratch.join(format!("{name}-source"));
    fs::create_dir(&source).unwrap();
    git(&source, &["init", "-q", "-b", "main"]);
    fs::write(source.join("README.md"), format!("# {name}\n")).unwrap();
    git(&source, &["add", "."]);
    git(&source, &["commit", "-q", "-m", "Begin"]);
    git(&source, &["branch", "deploy"]);
    git(&source, &["commit", "-q", "--allow-empty", "-m", "Go on"]);
    let bare = scratch.join(format!("{name}.git"));
    git(
        scratch,
        &[
            "clone",
            "-q",
            "--bare",
            source.to_str().unwrap(),
            bare.to_str().unwrap(),
        ],
    );
    // With a remote of its own it would not be where its clones push to.
    git(&bare, &["remote", "remove", "origin"]);
    bare
}

fn parlours(name: &str, input: Value) -> Block {
    tool(&format!("mcp__parlour__{name}"), input)
}

fn open(place: &Path, branch: &str, base: &str) -> Block {
    let asked = json!({ "path_or_url": place, "branch": branch, "base": base });
    parlours("open_dir", asked)
}

fn write(file: &str) -> Block {
    tool(
        "Write",
        json!({ "file_path": format!("${{cwd}}/projects/{file}"), "content": "new\n" }),
    )
}

fn bash(command: &str) -> Block {
    tool("Bash", json!({ "command": command, "description": "So" }))
}

fn commit(project: &str) -> Block {
    bash(&format!(
        "cd ${{cwd}}/projects/{project} && git add . && git commit -qm 'Do it'"
    ))
}

fn work(at: &Places) -> Scenario {
    let direction = |name: &str| {
        let asked = json!({
            "prompt": format!("{name} noask"), "project": "web", "branch": name, "base": "feature-auth",
            "llm": "demo", "name": name,
        });
        parlours("dispatch", asked)
    };
    let status = |name: &str| parlours("get_status", json!({ "session_id": name }));
    Scenario::of([
        turn![
            open(&at.api, "hotfix-auth", "deploy"),
            write("api/fix.txt"),
            commit("api"),
            bash("cd ${cwd}/projects/api && git push -q origin hotfix-auth"),
            text("The fix is out."),
        ]
        .when("mend what is deployed"),
        turn![
            open(&at.web, "feature-auth", "main"),
            parlours("open_dir", json!({ "path_or_url": at.api, "branch": "feature-auth", "label": "server" })),
            write("web/feature.txt"),
            commit("web"),
            write("api-2/feature.txt"),
            commit("api-2"),
            parlours("list_projects", json!({})),
            text("Both have the feature."),
        ]
        .when("build it in both"),
        turn![
            direction("redis"),
            direction("memcached"),
            direction("files"),
            parlours("wait_for", json!({ "for": "idle", "timeout": 50 })),
            [status("redis"), status("memcached"), status("files")],
            text("Redis it is."),
        ]
        .when("try three ways"),
        turn![
            parlours("open_dir", json!({ "path_or_url": at.notes })),
            bash("cat ${cwd}/projects/notes/caching.md"),
            text("Two ways are noted."),
        ]
        .when("read my notes"),
        turn![
            parlours(
                "schedule_chat",
                json!({ "name": "Morning", "prompt": "what is new", "cron": "0 9 * * *", "project": "web" })
            ),
            parlours("run_schedule", json!({ "id": "Morning" })),
            text("Every morning from now on."),
        ]
        .when("do so every morning"),
        turn![
            bash("cd ${cwd}/projects/web && git log -1"),
            text("Nothing is new."),
        ]
        .when("what is new"),
        turn![
            parlours(
                "schedule_chat",
                json!({ "name": "Once", "prompt": "say so", "at": "${soon}", "llm": "demo" })
            ),
            parlours(
                "schedule_chat",
                json!({ "name": "Once there", "prompt": "look noask", "at": "${soon}", "project": "api", "llm": "demo" })
            ),
            parlours(
                "schedule_chat",
                json!({ "name": "Daily", "prompt": "say so", "cron": "@daily", "llm": "demo" })
            ),
            parlours("list_schedules", json!({})),
            text("All set."),
        ]
        .when("remind me soon and daily"),
    ])
}

#[tokio::test(flavor = "multi_thread")]
async fn the_six_workflows_run_without_a_failed_call_before_a_persons_eyes() {
    let Some(program) = claude::installed() else {
        return;
    };
    let sources = tempfile::tempdir().unwrap();
    let places = Places::new(sources.path());
    let model = ModelServer::start(work(&places)).await;
    let parlour = parlour(&program, &model);
    let allowed = ["add", "commit", "log"].map(|verb| format!("Bash(git {verb}:*)"));
    let allowed = [["Edit".into(), "Bash(cat:*)".into()].as_slice(), &allowed].concat();
    parlour.configure(&json!({ "trust": { "claude": true }, "permissions": { "allow": allowed } }).to_string());

    let made = parlour.json(&["new", "Desk", "--llm", "claude", "-p", "mend what is deployed"]);
    let dir = PathBuf::from(made["dir"].as_str().unwrap());
    let mut screen = parlour.attach(&["desk"]);
    hotfix(&parlour, &screen, &dir, &places);
    ask(&parlour, &screen, "build it in both", "Both have the feature.");
    one_feature_in_two(&dir, &places);
    ask(&parlour, &screen, "remind me soon and daily", "All set.");
    ask(&parlour, &screen, "try three ways", "Redis it is.");
    three_directions(&parlour, &screen, &dir);
    ask(&parlour, &screen, "read my notes", "Two ways are noted.");
    assert!(dir.join("projects/notes").is_symlink());
    ask(&parlour, &screen, "do so every morning", "Every morning from now on.");
    every_morning(&parlour, &dir);
    soon_and_daily(&parlour);
    no_call_failed(&parlour);
    is_ended_from_the_screen(&parlour, &mut screen);
}

/// A prompt, and its turn to the end.
fn ask(parlour: &Parlour, screen: &Terminal, prompt: &str, answer: &str) {
    parlour.say(&["send", "desk", prompt]);
    screen.wait_for_text(answer);
    parlour.wait("desk", "idle");
    all_went_well(parlour, "desk");
}

/// The push is a person's to allow, and they see where it is to go.
fn hotfix(parlour: &Parlour, screen: &Terminal, dir: &Path, at: &Places) {
    screen.wait_for_text("hotfix-auth");
    asks_of(parlour, "desk", "git push");
    screen.wait_for_text("git push -q origin hotfix-auth");
    parlour.answer("approve");
    screen.wait_for_text("The fix is out.");
    parlour.wait("desk", "idle");
    all_went_well(parlour, "desk");
    let pushed = git(&at.api, &["rev-parse", "hotfix-auth"]);
    assert_eq!(git(&dir.join("projects/api"), &["rev-parse", "HEAD"]), pushed);
    assert_eq!(
        git(&at.api, &["rev-parse", "hotfix-auth^"]),
        git(&at.api, &["rev-parse", "deploy"])
    );
    assert_eq!(
        git(&at.api, &["show", "--format=%an", "--name-only", "hotfix-auth"]),
        "Ada\n\nfix.txt"
    );
}

fn one_feature_in_two(dir: &Path, at: &Places) {
    for (project, source) in [("web", &at.web), ("api-2", &at.api)] {
        let clone = dir.join("projects").join(project);
        assert_eq!(git(&clone, &["branch", "--show-current"]), "feature-auth");
        assert_eq!(
            git(&clone, &["rev-parse", "HEAD^"]),
            git(source, &["rev-parse", "main"])
        );
        assert_eq!(git(&clone, &["show", "--format=", "--name-only"]), "feature.txt");
        assert_eq!(git(source, &["branch", "--list", "feature-auth"]), "");
    }
    assert_eq!(
        git(&dir.join("projects/api"), &["branch", "--show-current"]),
        "hotfix-auth"
    );
}

/// Each child has a commit of its own on top of the parent's, which nobody has pushed.
fn three_directions(parlour: &Parlour, screen: &Terminal, dir: &Path) {
    let own = dir.join("projects/web");
    for name in ["redis", "memcached", "files"] {
        screen.wait_for_text(name);
        let chat = parlour.wait(name, "idle");
        let clone = Path::new(chat["projects"][0]["path"].as_str().unwrap());
        assert_eq!(git(clone, &["branch", "--show-current"]), name);
        assert_eq!(git(clone, &["rev-parse", "HEAD^"]), git(&own, &["rev-parse", "HEAD"]));
        assert_eq!(chat["projects"].as_array().unwrap().len(), 1);
    }
    assert_eq!(git(&own, &["status", "--porcelain"]), "");
    assert_eq!(git(&own, &["branch", "--list", "redis", "memcached", "files"]), "");
}

fn comes_to(parlour: &Parlour, schedule: &str, result: &str) -> Value {
    let mut shown = Value::Null;
    until(&format!("{schedule} comes to {result}"), 2 * PATIENCE, || {
        shown = parlour.json(&["schedule", "show", schedule]);
        shown["runs"][0]["result"] == result
    });
    shown
}

/// The chat that a schedule made.
fn run_chat(parlour: &Parlour, shown: &Value) -> Value {
    let chats = parlour.json(&["list"])["chats"].clone();
    let mut chats = chats.as_array().unwrap().iter();
    chats
        .find(|chat| chat["id"] == shown["runs"][0]["chat"])
        .unwrap()
        .clone()
}

fn every_morning(parlour: &Parlour, dir: &Path) {
    let shown = comes_to(parlour, "Morning", "success");
    assert_eq!(shown["state"], "active");
    let chat = run_chat(parlour, &shown);
    assert_eq!((&chat["llm"], &chat["name"]), (&json!("claude"), &json!("Morning")));
    let clone = Path::new(chat["projects"][0]["path"].as_str().unwrap());
    assert!(!clone.starts_with(dir));
    assert_eq!(git(clone, &["branch", "--show-current"]), "main");
    // A run's result is known before its last lines are recorded.
    let mut events = Vec::new();
    until("the end of its call is recorded", PATIENCE, || {
        events = parlour.events(chat["handle"].as_str().unwrap());
        endings(&events) == [("Bash", "ok")]
    });
    assert_eq!(of_kind(&events, "prompt")[0]["from"], "schedule");
}

fn soon_and_daily(parlour: &Parlour) {
    let once = comes_to(parlour, "Once", "success");
    assert_eq!(
        (&once["state"], &run_chat(parlour, &once)["projects"]),
        (&json!("over"), &json!([]))
    );
    let there = comes_to(parlour, "Once there", "success");
    assert_eq!(run_chat(parlour, &there)["projects"][0]["name"], "api");
    let daily = parlour.json(&["schedule", "show", "Daily"]);
    assert_eq!((&daily["state"], &daily["runs"]), (&json!("active"), &json!([])));
}

fn no_call_failed(parlour: &Parlour) {
    let chats = parlour.json(&["list"])["chats"].clone();
    let chats = chats.as_array().unwrap();
    assert_eq!(chats.len(), 7, "{chats:#?}");
    for chat in chats {
        all_went_well(parlour, chat["handle"].as_str().unwrap());
    }
}

/// Every call of this chat has ended, and none in an error.
fn all_went_well(parlour: &Parlour, chat: &str) {
    let mut events = Vec::new();
    until("every call has ended", PATIENCE, || {
        events = parlour.events(chat);
        endings(&events).iter().all(|(_, how)| *how != "open")
    });
    let ends = endings(&events);
    let failed = || {
        of_kind(&events, "tool.end")
            .into_iter()
            .filter(|end| end["status"] != "ok")
            .collect::<Vec<_>>()
    };
    assert!(
        ends.iter().all(|(_, how)| *how == "ok"),
        "{chat}: {ends:?} {:#?}",
        failed()
    );
}

/// The person stops the agent, and what it started, with keys alone.
fn is_ended_from_the_screen(parlour: &Parlour, screen: &mut Terminal) {
    screen.press("\x11T");
    screen.wait_for_text("Stop the agents of this tree?");
    let_it_be_read();
    screen.press("\x1b[C\r");
    let ended = |chat: &str| {
        let status = parlour.json(&["explain", chat])["status"].clone();
        status == "exited"
    };
    until("the agent and its children have ended", PATIENCE, || {
        ["desk", "redis", "memcached", "files"].into_iter().all(ended)
    });
}
