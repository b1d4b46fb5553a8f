//! Schedules, with the real engine, real clones and a custom agent that says what it is told.

use std::fs;
use std::path::{Path, PathBuf};

use chrono::{Duration, SecondsFormat, Utc};
use serde_json::{Value, json};

use crate::support::mcp::Server;
use crate::support::parlour::{PATIENCE, Parlour, git, install, until};

/// Answers each line with itself and logs both; `blocked` makes it declare that.
const SCRIPT: &str = r#"#!/bin/sh
while printf '> ' && read -r line; do
  line=$(printf '%s' "$line" | tr -d '\033' | sed 's/\[20[01]~//g')
  case "$line" in blocked*) printf '{"v":1,"status":"blocked","note":"no network"}' > status.json;; esac
  printf '{"who":"user","words":["%s"]}\n{"who":"assistant","words":["You said %s."]}\n' "$line" "$line" >> log/talk.jsonl
done
"#;

fn parlour() -> Parlour {
    let zone = ("TZ".to_string(), "Europe/Berlin".to_string());
    let parlour = Parlour::new().with_program("my-agent", SCRIPT).with([zone]);
    parlour.configure(&config().to_string());
    parlour
}

fn config() -> Value {
    let agent = json!({
        "command": "my-agent",
        "ready": "^> $",
        "mcpConfig": {"file": "mcp.json", "template": {"url": "{{parlour_mcp_url}}", "token": "{{parlour_token}}"}},
        "transcript": {"file": "log/talk.jsonl", "format": "jsonl", "fields": {"role": "who", "text": "words.0"}},
    });
    json!({"customLlms": {"mine": agent}, "defaultLlm": "mine"})
}

fn project(parlour: &Parlour) -> PathBuf {
    let project = parlour.scratch().join("grove");
    fs::create_dir(&project).unwrap();
    git(&project, &["init", "-q", "-b", "main"]);
    fs::write(project.join("README"), "trees\n").unwrap();
    git(&project, &["add", "."]);
    git(&project, &["commit", "-qm", "begin"]);
    project
}

fn soon(seconds: i64) -> String {
    (Utc::now() + Duration::seconds(seconds)).to_rfc3339_opts(SecondsFormat::Secs, true)
}

fn run_of(parlour: &Parlour, schedule: &str) -> Value {
    let shown = parlour.json(&["schedule", "show", schedule]);
    shown["runs"]
        .as_array()
        .and_then(|runs| runs.last())
        .cloned()
        .unwrap_or_default()
}

fn comes_to(parlour: &Parlour, schedule: &str, result: &str) -> Value {
    let mut run = Value::Null;
    until(&format!("{schedule} comes to {result}"), PATIENCE, || {
        run = run_of(parlour, schedule);
        run["result"] == result
    });
    run
}

#[test]
fn at_its_time_a_fresh_chat_works_in_a_fresh_clone_and_the_check_decides() {
    let parlour = parlour();
    let project = project(&parlour);
    let dir = project.to_str().unwrap();
    // What starts an engine here is not to take of the time until then.
    parlour.status();
    let time = soon(8);
    let made = parlour.json(&[
        "schedule",
        "add",
        "Deps",
        "-p",
        "hello",
        "--at",
        &time,
        "--project",
        dir,
        "--branch",
        "deps",
        "--check",
        "test -f README && git branch --show-current",
    ]);
    assert_eq!(made["state"], "active");
    let run = comes_to(&parlour, "Deps", "success");
    assert_eq!(
        (run["how"].as_str(), run["why"].as_str()),
        (Some("on-time"), Some("its check passed"))
    );
    let chats = parlour.json(&["list"])["chats"].clone();
    assert_eq!(chats.as_array().unwrap().len(), 1);
    let chat = &chats[0];
    assert_eq!(
        (&chat["id"], &chat["schedule"], &chat["name"]),
        (&run["chat"], &made["id"], &json!("Deps"))
    );
    assert_eq!(chat["projects"][0]["branch"], "deps");
    let prompts: Vec<Value> = parlour.events(chat["handle"].as_str().unwrap());
    let prompt = prompts.iter().find(|event| event["kind"] == "prompt").unwrap();
    assert_eq!(
        (&prompt["text"], &prompt["from"]),
        (&json!("hello"), &json!("schedule"))
    );
    assert_eq!(parlour.json(&["schedule", "show", "Deps"])["state"], "over");

    // A second one by hand is another chat, in another clone, of which the check knows better. What that runs is no
    // person's word, whatever it says of itself.
    let check = format!(
        "test $PARLOUR_CHAT && env -u PARLOUR_CHAT {} stop deps 2>&1 | grep -o 'only a person may do it'; exit 3",
        env!("CARGO_BIN_EXE_parlour")
    );
    parlour.say(&[
        "schedule",
        "add",
        "Again",
        "-p",
        "hello",
        "--cron",
        "@yearly",
        "--project",
        dir,
        "--check",
        &check,
    ]);
    let ran = parlour.json(&["schedule", "run", "Again"]);
    let run = comes_to(&parlour, "Again", "failed");
    assert_eq!(
        (&run["chat"], run["why"].as_str().unwrap()),
        (&ran["chatId"], "its check exited with 3: only a person may do it")
    );
    assert_eq!(run["how"], "by-hand");
    parlour.say(&["schedule", "cancel", "Again"]);
    assert_eq!(parlour.json(&["list"])["chats"].as_array().unwrap().len(), 2);
}

pub fn what_came_due_while_the_engine_was_killed_runs_once() {
    let parlour = parlour();
    parlour.status();
    let time = soon(8);
    parlour.json(&["schedule", "add", "Once", "-p", "hello", "--at", &time]);
    parlour.kill_engine();
    let due = chrono::DateTime::parse_from_rfc3339(&time).unwrap();
    until("it has come due", PATIENCE, || Utc::now() > due);
    let run = comes_to(&parlour, "Once", "success");
    assert_eq!(
        run["due"]
            .as_str()
            .map(|due| due.ends_with("+01:00") || due.ends_with("+02:00")),
        Some(true)
    );
    parlour.kill_engine();
    let shown = parlour.json(&["schedule", "show", "Once"]);
    assert_eq!(shown["runs"].as_array().unwrap().len(), 1, "{shown}");
    assert_eq!(parlour.json(&["list"])["chats"].as_array().unwrap().len(), 1);
}

#[test]
fn an_agent_that_declares_itself_blocked_needs_a_person() {
    let parlour = parlour();
    parlour.json(&["schedule", "add", "Block", "-p", "blocked again", "--cron", "@yearly"]);
    parlour.json(&["schedule", "run", "Block"]);
    let run = comes_to(&parlour, "Block", "needs-you");
    assert_eq!(run["why"], "it says that it is blocked: no network");
}

fn call(config: &Path, tool: &str, arguments: Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    Server::named_in(config).ask("tools/call", &params).unwrap()
}

#[test]
fn an_agent_schedules_a_chat_and_its_deletion_leaves_the_schedule() {
    let parlour = parlour();
    let project = project(&parlour);
    let chat = parlour.json(&["new", "Talk", "--dir", project.to_str().unwrap()]);
    parlour.wait("talk", "idle");
    let config = PathBuf::from(chat["dir"].as_str().unwrap()).join("mcp.json");
    let asked = json!({"prompt": "hello", "name": "Morning", "cron": "0 9 * * MON-FRI", "project": "grove"});
    let made = call(&config, "schedule_chat", asked)["structuredContent"].clone();
    assert!(made["next_run"].as_str().unwrap().contains("T09:00:00+0"), "{made}");
    let refused = call(
        &config,
        "schedule_chat",
        json!({"prompt": "hello", "cron": "* * * * *"}),
    );
    assert_eq!(refused["isError"], true);
    assert!(
        refused.to_string().contains("limits.agentScheduleMinutes is 5"),
        "{refused}"
    );
    let listed = call(&config, "list_schedules", json!({}))["structuredContent"].clone();
    assert_eq!(listed["schedules"][0]["id"], made["id"]);
    let ran = call(&config, "run_schedule", json!({"id": made["id"]}))["structuredContent"].clone();
    let run = comes_to(&parlour, "Morning", "success");
    assert_eq!(run["chat"], ran["chatId"]);
    let status = call(&config, "get_status", json!({"session_id": ran["chatId"]}));
    assert_eq!(status["structuredContent"]["chatId"], ran["chatId"], "{status}");
    let waited = call(&config, "wait_for", json!({"chats": [ran["chatId"]], "timeout": 1}));
    assert_ne!(waited["isError"], true, "{waited}");

    parlour.say(&["rm", "talk", "--yes"]);
    let shown = parlour.json(&["schedule", "show", "Morning"]);
    assert_eq!(
        (&shown["state"], &shown["project"]),
        (&json!("active"), &json!(project))
    );
}

#[test]
fn a_check_of_an_agents_is_held_in_as_the_agent_is() {
    let parlour = parlour();
    let temporary = parlour.scratch().join("temporary");
    fs::create_dir(&temporary).unwrap();
    let parlour = parlour.with([("TMPDIR".to_string(), temporary.display().to_string())]);
    let mut strict = config();
    (strict["sandbox"], strict["permissions"]) = (json!("strict"), json!({"allow": ["Bash(./check)"]}));
    parlour.configure(&strict.to_string());
    let (project, outside) = (project(&parlour), parlour.scratch().join("outside"));
    let check = format!(
        "#!/bin/sh\necho x > $TMPDIR/there\necho x > {}\nexit 0\n",
        outside.display()
    );
    install(&project.join("check"), &check);
    git(&project, &["add", "."]);
    git(&project, &["commit", "-qm", "check"]);
    let chat = parlour.json(&["new", "Talk", "--dir", project.to_str().unwrap()]);
    parlour.wait("talk", "idle");
    let config = PathBuf::from(chat["dir"].as_str().unwrap()).join("mcp.json");
    let runs = |name: &str, check: &str| {
        let asked = json!({"prompt": "hello", "name": name, "cron": "@yearly", "project": "grove", "check": check});
        let made = call(&config, "schedule_chat", asked)["structuredContent"].clone();
        call(&config, "run_schedule", json!({"id": made["id"]}));
    };
    runs("Held", "./check");
    let run = comes_to(&parlour, "Held", "success");
    assert_eq!(run["why"], "its check passed");
    assert!(temporary.join("there").exists());
    assert_eq!(outside.exists(), parlour::sys::spawn::can_confine().is_err());
    runs("Other", "./check again");
    let run = comes_to(&parlour, "Other", "needs-you");
    assert!(
        run["why"].as_str().unwrap().contains("no rule of yours allows it"),
        "{run}"
    );
}

#[test]
fn control_from_an_agents_terminal_is_refused() {
    let parlour = parlour();
    parlour.json(&["schedule", "add", "Deps", "-p", "hello", "--cron", "@daily"]);
    let under = parlour.with([("PARLOUR_CHAT".to_string(), "aaaaaaaaaa".to_string())]);
    for words in [
        &["schedule", "cancel", "Deps"][..],
        &["schedule", "run", "Deps"],
        &["schedule", "pause", "Deps"],
        &["schedule", "add", "-p", "x", "--cron", "@daily"],
    ] {
        assert!(
            under.refusal(words).contains("this is for a person to decide"),
            "{words:?}"
        );
    }
    assert!(
        under
            .say(&["schedule", "preview", "Deps", "--count", "1"])
            .contains("T00:00:00")
    );
}

#[test]
fn a_misspelt_project_is_refused_when_the_schedule_is_made() {
    let parlour = parlour();
    let project = project(&parlour);
    let add = |project: &str| {
        [
            "schedule",
            "add",
            "-p",
            "hello",
            "--cron",
            "@daily",
            "--project",
            project,
        ]
        .map(String::from)
    };
    let refusal = |project: &str| {
        let words = add(project);
        parlour.refusal(&words.each_ref().map(String::as_str))
    };
    let there = parlour.scratch().join("grvoe");
    let said = refusal(there.to_str().unwrap());
    assert!(
        said.contains("there is no such directory") && said.contains("nearest: grove"),
        "{said}"
    );

    let said = refusal("grov");
    assert!(
        said.contains("no project called grov is known here; give a path or a URL"),
        "{said}"
    );
    let words = ["new", "Work", "--llm", "demo", "--dir", "grove"];
    let mut command = parlour.command(&words);
    let output = command.current_dir(parlour.scratch()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("no project called grove is known here; write ./grove for the directory of that name here"),
        "{said}"
    );
    parlour.say(&["new", "Work", "--dir", project.to_str().unwrap()]);
    until("its project is open", PATIENCE, || {
        parlour.json(&["list"])["chats"][0]["projects"][0]["name"] == "grove"
    });
    let said = refusal("grov");
    assert!(
        said.contains("no project called grov is known here; nearest: grove"),
        "{said}"
    );
    assert_eq!(parlour.json(&["schedule", "list"])["schedules"], json!([]));
    for right in [
        "grove",
        project.to_str().unwrap(),
        "https://example.invalid/never/asked.git",
    ] {
        let words = add(right);
        parlour.say(&words.each_ref().map(String::as_str));
    }
}

#[test]
fn a_path_that_is_typed_as_seen_from_a_directory_is_kept_whole() {
    let parlour = parlour();
    let project = project(&parlour);
    let beside = parlour.scratch().join("beside");
    fs::create_dir(&beside).unwrap();
    let name = project.file_name().unwrap().to_str().unwrap();
    for typed in [format!("../{name}"), format!("./../{name}/")] {
        let begin = [
            "schedule",
            "add",
            "-p",
            "hello",
            "--cron",
            "@daily",
            "--json",
            "--project",
        ];
        let made = parlour
            .command(&[&begin[..], &[&typed]].concat())
            .current_dir(&beside)
            .output()
            .unwrap();
        let made: Value = serde_json::from_slice(&made.stdout).unwrap();
        let kept = made["project"].as_str().unwrap();
        assert_eq!(Path::new(kept), project.canonicalize().unwrap(), "{typed}");
    }
}

#[test]
fn a_branch_that_no_git_would_make_is_refused_when_the_schedule_is_made() {
    let parlour = parlour();
    let project = project(&parlour);
    let plain = parlour.scratch().join("plain");
    fs::create_dir(&plain).unwrap();
    let add = |project: &Path, more: [&str; 2]| {
        let begin = ["schedule", "add", "-p", "hello", "--cron", "@daily", "--project"];
        let words = [&begin[..], &[project.to_str().unwrap()], &more].concat();
        parlour.refusal(&words)
    };
    for (project, more, why) in [
        (&project, ["--branch", "a..b"], "`a..b` is no branch name"),
        (&project, ["--base", "exit 3"], "`exit 3` is no branch name"),
        (
            &plain,
            ["--branch", "deps"],
            "is no git repository, so it has no branches",
        ),
    ] {
        let said = add(project, more);
        assert!(said.contains("making a schedule: ") && said.contains(why), "{said}");
    }
    assert_eq!(parlour.json(&["schedule", "list"])["schedules"], json!([]));
}
