//! The real OpenCode in the real parlour, with the scripted model behind it.

use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::acts::{asks_about, is_refused_from_parlour, refusals, sleeps_and_wakes, was_instructed};
use super::told::{of_kind, repository, statuses};
use crate::support::model_server::{ModelServer, Scenario, gate, text, thinking, tool, turn};
use crate::support::opencode;
use crate::support::parlour::{PATIENCE, Parlour, git, until};

/// Opens a branch from `deploy`, writes a file, looks, and asks for one thing too much; later, an answer that hangs,
/// and another prompt.
fn work(repository: &Path) -> Scenario {
    let bash = |command: &str| tool("bash", json!({ "command": command, "description": "So" }));
    let [one, another] = refusals(bash);
    Scenario::of([
        turn![
            [
                thinking("First the project."),
                text("I open it."),
                tool(
                    "parlour_open_dir",
                    json!({ "path_or_url": repository, "branch": "hotfix-greeting", "base": "deploy" })
                ),
            ],
            tool(
                "write",
                json!({ "filePath": "${cwd}/projects/greeter/hello.txt", "content": "hello\n" })
            ),
            tool(
                "bash",
                json!({ "command": "ls projects/greeter", "description": "Look" })
            ),
            tool(
                "bash",
                json!({ "command": "touch too-much.txt", "description": "Too much" })
            ),
        ]
        .when("mend the greeting"),
        one,
        another,
        turn![[text("It goes on and on."), gate("endless"), text("It ends.")]].when("never end"),
        turn![text("The second answer.")].when("a second prompt"),
        turn![text("Well rested.")].when("wake up"),
    ])
}

/// Parlour on the machine of somebody who uses OpenCode.
pub(super) fn parlour(program: &Path, model: &ModelServer) -> Parlour {
    let parlour = Parlour::new();
    opencode::home(parlour.scratch(), &model.url());
    let path = format!(
        "{}:{}",
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    parlour.with([("PATH".into(), path)])
}

/// What was told of a turn, one line each, in order.
fn in_short(events: &[Value]) -> Vec<String> {
    let word = |event: &Value, key: &str| event[key].as_str().unwrap_or_default().to_owned();
    let name = |event: &Value| {
        let starts = of_kind(events, "tool.start");
        let start = starts.iter().find(|start| start["id"] == event["id"]);
        start.map_or("?".into(), |start| word(start, "name"))
    };
    let line = |event: &Value| match event["kind"].as_str().unwrap() {
        "prompt" | "text" | "thinking" => Some(format!("{} {}", word(event, "kind"), word(event, "text"))),
        "tool.start" => Some(format!("start {}", word(event, "name"))),
        "tool.end" => Some(format!("end {} {}", name(event), word(event, "status"))),
        "permission" => Some(format!("{} {}", word(event, "tool"), word(event, "answer"))),
        "usage" => Some(format!("usage {} {}", event["input"], event["output"])),
        "session" | "interrupt" | "error" | "unknown" => Some(word(event, "kind")),
        _ => None,
    };
    events.iter().filter_map(line).collect()
}

/// The port that the agent was given for its server.
fn port_of(parlour: &Parlour) -> Option<u16> {
    parlour.agents().into_iter().find_map(|pid| {
        let words = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        let mut words = words.split(|byte| *byte == 0).skip_while(|word| *word != b"--port");
        String::from_utf8_lossy(words.nth(1)?).parse().ok()
    })
}

/// Another program has the port from now on, and says no to everybody.
fn take(port: u16) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).unwrap();
    std::thread::spawn(move || {
        for mut socket in listener.incoming().filter_map(Result::ok) {
            let _ = socket.read(&mut [0; 4096]);
            let _ = socket.write_all(b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n");
        }
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_is_started_again_where_its_port_was_taken() {
    let Some(program) = opencode::installed() else {
        return;
    };
    let model = ModelServer::start(work(Path::new("/"))).await;
    let parlour = parlour(&program, &model);
    let go = parlour.scratch().join("go");
    // Its server comes when the port is taken.
    let waits = format!(
        "#!/bin/sh\ncase \" $* \" in *' --port '*) while ! [ -e '{}' ]; do sleep 0.05; done ;; esac\nexec '{}' \"$@\"\n",
        go.display(),
        program.display()
    );
    let parlour = parlour.with_program("opencode", &waits);
    parlour.json(&["new", "Hotfix", "--llm", "opencode", "-p", "a second prompt"]);
    let mut taken = 0;
    until("it has a port", PATIENCE, || {
        taken = port_of(&parlour).unwrap_or_default();
        taken > 0
    });
    take(taken);
    fs::write(go, "").unwrap();
    let answers = || of_kind(&parlour.events("hotfix"), "text").len();
    until("it has answered all the same", 3 * PATIENCE, || answers() == 1);
    assert_ne!(port_of(&parlour), Some(taken));
    let events = parlour.events("hotfix");
    assert_eq!(of_kind(&events, "prompt").len(), 1);
    assert!(
        of_kind(&events, "note")
            .iter()
            .any(|note| note["text"] == "its agent was restarted")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_is_answered_about_a_command_of_which_its_dialog_shows_a_part() {
    let Some(program) = opencode::installed() else {
        return;
    };
    let lines: Vec<String> = (1..=12)
        .map(|number| format!("echo line {number} >> lines.txt"))
        .collect();
    let call = tool(
        "bash",
        json!({ "command": lines.join("\n"), "description": "Write lines" }),
    );
    let model = ModelServer::start(Scenario::of([turn![call, text("Written.")]])).await;
    let parlour = parlour(&program, &model);
    let made = parlour.json(&["new", "Hotfix", "--llm", "opencode", "-p", "write lines"]);
    asks_about(&parlour, "line 1 ");
    let screen = parlour.attach(&["hotfix"]);
    screen.wait_for_text("Permission required");
    parlour.answer("approve");
    parlour.wait("hotfix", "idle");
    let written = Path::new(made["dir"].as_str().unwrap()).join("lines.txt");
    assert_eq!(fs::read_to_string(written).unwrap().lines().count(), 12);
}

/// Its own patterns look at one command of a line, and ask about this one: the rule refuses it, with its reason.
#[tokio::test(flavor = "multi_thread")]
async fn opencode_is_refused_what_a_rule_denies_behind_a_cd() {
    let Some(program) = opencode::installed() else {
        return;
    };
    let line = "cd . && touch ran.txt; git push --force";
    let call = tool("bash", json!({ "command": line, "description": "Push" }));
    let model = ModelServer::start(Scenario::of([turn![call, text("Not pushed.")]])).await;
    let parlour = parlour(&program, &model);
    let made = parlour.json(&["new", "Hotfix", "--llm", "opencode", "-p", "push it"]);
    let answers = |events: &[Value]| {
        let line = |event: &Value| format!("{} {} {}", event["answer"], event["by"], event["rule"]).replace('"', "");
        of_kind(events, "permission")
            .iter()
            .map(|event| line(event))
            .collect::<Vec<_>>()
    };
    until("it has heard why", 3 * PATIENCE, || {
        of_kind(&parlour.events("hotfix"), "text")
            .iter()
            .any(|said| said["text"] == "Not pushed.")
    });
    let answers = answers(&parlour.events("hotfix"));
    assert_eq!(
        answers.last().map(String::as_str),
        Some("denied rule built in: git push --force"),
        "{answers:?}"
    );
    assert!(!Path::new(made["dir"].as_str().unwrap()).join("ran.txt").exists());
    // In the same turn, and by no prompt.
    let last = &model.conversation().pop().unwrap().body["messages"];
    assert!(
        last.to_string().contains("built-in rule (git push --force) denies it"),
        "{last}"
    );
    assert_eq!(of_kind(&parlour.events("hotfix"), "prompt").len(), 1);
}

/// It ends all questions of a session with the one that is refused, and its turn.
#[tokio::test(flavor = "multi_thread")]
async fn opencode_is_told_why_a_call_is_refused_and_what_it_refuses_along_is_nobodys_decision() {
    let Some(program) = opencode::installed() else {
        return;
    };
    let bash = |command: &str| tool("bash", json!({ "command": command, "description": "So" }));
    let scenario = Scenario::of([
        turn![bash("touch alone.txt"), text("Not alone.")].when("one"),
        turn![[bash("touch first.txt"), bash("touch second.txt")], text("Neither.")].when("both"),
    ]);
    let model = ModelServer::start(scenario).await;
    let parlour = parlour(&program, &model);
    parlour.json(&["new", "Hotfix", "--llm", "opencode", "-p", "one"]);
    let refuse = |what: &str| {
        let asked = parlour.json(&["approvals"]);
        let all = asked["approvals"].as_array().unwrap().iter();
        let mut all = all.filter(|one| one["input"]["command"].as_str().is_some_and(|line| line.contains(what)));
        let id = all.next().unwrap()["id"].as_str().unwrap().to_owned();
        parlour.say(&["deny", &id, "--reason", "no files here"]);
    };
    asks_about(&parlour, "alone");
    refuse("alone");
    let said = |words: &str| {
        of_kind(&parlour.events("hotfix"), "text")
            .iter()
            .any(|said| said["text"] == words)
    };
    until("it goes on in the same turn", PATIENCE, || said("Not alone."));
    let last = &model.conversation().pop().unwrap().body["messages"];
    assert!(last.to_string().contains("no files here"), "{last}");

    parlour.wait("hotfix", "idle");
    parlour.say(&["send", "hotfix", "both"]);
    asks_about(&parlour, ".txt");
    until("it asks about both", PATIENCE, || {
        parlour.json(&["approvals"])["approvals"]
            .as_array()
            .is_some_and(|all| all.len() == 2)
    });
    refuse("first");
    parlour.wait("hotfix", "idle");
    let events = parlour.events("hotfix");
    let denied: Vec<String> = of_kind(&events, "permission")
        .iter()
        .filter(|event| event["answer"] == "denied")
        .map(|event| format!("{} {}", event["by"], event["reason"]).replace('"', ""))
        .collect();
    let along = "another call refused together with it";
    assert_eq!(denied, ["person no files here", "person no files here", along]);
    assert_eq!(of_kind(&events, "prompt").len(), 2, "no reason is a prompt");
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_works_is_answered_refused_and_interrupted_outlives_its_engine_and_goes_on() {
    let Some(program) = opencode::installed() else {
        return;
    };
    let sources = tempfile::tempdir().unwrap();
    let (repository, deployed) = repository(sources.path());
    let model = ModelServer::start(work(&repository)).await;
    let parlour = parlour(&program, &model);

    let made = parlour.json(&["new", "Hotfix", "--llm", "opencode", "-p", "mend the greeting"]);
    assert_eq!(made["status"], "starting");
    asks_about(&parlour, "hello.txt");
    let mut screen = parlour.attach(&["hotfix"]);
    screen.wait_for_text("→ Edit");
    screen.press("\r");
    asks_about(&parlour, "ls projects");
    screen.wait_for_text("┃  $ ls projects/greeter");
    parlour.answer("approve");
    asks_about(&parlour, "too-much");
    screen.wait_for_text("┃  $ touch too-much.txt");
    screen.press("\x1b");
    let rested = parlour.wait("hotfix", "idle");

    let clone = Path::new(rested["projects"][0]["path"].as_str().unwrap());
    assert_eq!(git(clone, &["symbolic-ref", "--short", "HEAD"]), "hotfix-greeting");
    assert_eq!(git(clone, &["rev-parse", "HEAD"]), deployed);
    assert_eq!(fs::read_to_string(clone.join("hello.txt")).unwrap(), "hello\n");
    let directory = PathBuf::from(rested["dir"].as_str().unwrap());
    assert!(!fs::exists(directory.join("too-much.txt")).unwrap());
    let events = parlour.events("hotfix");
    insta::assert_snapshot!(in_short(&events).join("\n"), @r"
    session
    prompt mend the greeting
    thinking First the project.
    text I open it.
    start parlour_open_dir
    end parlour_open_dir ok
    usage 100 20
    start write
    write asked
    write allowed
    end write ok
    usage 100 20
    start bash
    bash asked
    bash allowed
    end bash ok
    usage 100 20
    start bash
    bash asked
    bash denied
    end bash denied
    usage 100 20
    ");
    insta::assert_snapshot!(statuses(&events).join(" "), @"starting idle running needs-you running needs-you running needs-you running idle");

    is_refused_from_parlour(&parlour, &mut screen, &directory);
    let events = parlour.events("hotfix");

    parlour.say(&["send", "hotfix", "never end"]);
    model.reached("endless").await;
    screen.wait_for_text("It goes on and on.");
    screen.press("\x11i");
    parlour.wait("hotfix", "idle");
    model.release("endless");
    let told = |kind: &str| of_kind(&parlour.events("hotfix").split_off(events.len()), kind).len();
    until("the interrupt is told", PATIENCE, || told("interrupt") == 1);
    let events = parlour.events("hotfix");
    let session = of_kind(&events, "session")[0]["session"].clone();
    drop(screen);

    parlour.kill_engine();
    until("no agent is left", PATIENCE, || parlour.agents().is_empty());
    parlour.json(&["resume", "hotfix"]);
    let resumed = parlour.attach(&["hotfix"]);
    resumed.wait_for_text("never end");
    parlour.say(&["send", "hotfix", "a second prompt"]);
    resumed.wait_for_text("The second answer.");
    parlour.wait("hotfix", "idle");
    let later = parlour.events("hotfix").split_off(events.len());
    assert_eq!(of_kind(&later, "session")[0]["session"], session);
    insta::assert_snapshot!(in_short(&later).join("\n"), @r"
    session
    prompt a second prompt
    text The second answer.
    usage 100 20
    ");
    let asked = model.conversation();
    let last = &asked.last().unwrap().body["messages"];
    assert!(
        last.to_string().contains("mend the greeting"),
        "the conversation is there: {last}"
    );
    was_instructed(&model);
    drop(resumed);
    sleeps_and_wakes(&parlour, json!({}), "wake up", "Well rested.");
    let last = &model.conversation().pop().unwrap().body["messages"];
    assert!(last.to_string().contains("mend the greeting"), "{last}");
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_writes_nothing_into_a_read_only_directory_whatever_a_rule_allows() {
    let Some(program) = opencode::installed() else {
        return;
    };
    let note = json!({ "command": "touch projects/shop/note.txt", "description": "Make a note" });
    let file = json!({ "filePath": "projects/shop/made.txt", "content": "x\n" });
    let model = ModelServer::start(Scenario::of([
        turn![tool("write", file), text("Written.")].when("write it"),
        turn![tool("bash", note), text("Noted.")].when("note it"),
    ]))
    .await;
    let parlour = parlour(&program, &model);
    parlour.configure(&json!({ "permissions": { "allow": ["Edit", "Bash(touch:*)"] } }).to_string());
    let shop = parlour.scratch().join("shop");
    fs::create_dir(&shop).unwrap();
    git(&shop, &["init", "-q", "-b", "main"]);
    fs::write(shop.join("README.md"), "shop\n").unwrap();
    git(&shop, &["add", "."]);
    git(&shop, &["commit", "-q", "-m", "one"]);
    for (prompt, chat) in [("write it", "write-it"), ("note it", "note-it")] {
        let asked = ["query", "--raw", "--llm", "opencode", prompt];
        let asked = parlour.command(&asked).current_dir(&shop).output().unwrap();
        // The refusal is told in its turn, which goes on.
        assert!(asked.status.success(), "{asked:?}");
        let events = parlour.events(chat);
        let told = of_kind(&events, "permission").pop().unwrap();
        let told = [&told["answer"], &told["by"], &told["rule"]];
        assert_eq!(told, ["denied", "rule", "built in: read-only directory"], "{asked:?}");
    }
    assert_eq!(git(&shop, &["status", "--short"]), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_is_answered_about_a_directory_outside_of_the_chat() {
    let Some(program) = opencode::installed() else {
        return;
    };
    let elsewhere = tempfile::tempdir().unwrap();
    let path = elsewhere.path().join("outside.txt");
    let call = || tool("write", json!({ "filePath": path, "content": "x\n" }));
    let model = ModelServer::start(Scenario::of([
        turn![call(), text("Left.")].when("leave it"),
        turn![call(), text("Left after all.")].when("leave once more"),
    ]))
    .await;
    let parlour = parlour(&program, &model);
    parlour.json(&["new", "Hotfix", "--llm", "opencode", "-p", "leave it"]);
    asks_about(&parlour, "outside.txt");
    let reach = |of: &Value| of["approvals"][0]["reach"].clone();
    let asked = parlour.json(&["approvals"]);
    assert_eq!(
        reach(&asked),
        json!([elsewhere.path().canonicalize().unwrap()]),
        "{asked}"
    );
    let screen = parlour.attach(&["hotfix"]);
    screen.wait_for_text("Access external directory");
    parlour.answer("deny");
    parlour.wait("hotfix", "idle");
    assert!(!path.exists());

    // It asks about the directory, then about the file.
    parlour.say(&["send", "hotfix", "leave once more"]);
    asks_about(&parlour, "outside.txt");
    screen.wait_for_text("Access external directory");
    parlour.answer("approve");
    screen.wait_for_text("→ Edit");
    asks_about(&parlour, "outside.txt");
    let asked = parlour.json(&["approvals"]);
    assert_eq!(
        (reach(&asked), &asked["approvals"][0]["wants"]),
        (json!([]), &json!("wants to write outside.txt"))
    );
    parlour.answer("approve");
    parlour.wait("hotfix", "idle");
    assert_eq!(fs::read_to_string(path).unwrap(), "x\n");
}
