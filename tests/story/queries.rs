//! Asking from the shell: which chat a question goes to, what is printed, and how it ends.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::support::parlour::{PATIENCE, Parlour, git, until};

/// What the demo agent says to whoever names no repository.
const ANSWER: &str = "Name a repository in your prompt, by path or URL, and I will show what an agent does with it.\n";

fn parlour() -> Parlour {
    let parlour = Parlour::new();
    parlour.configure(r#"{"defaultLlm": "demo"}"#);
    parlour
}

fn place(parlour: &Parlour, name: &str) -> PathBuf {
    let dir = parlour.scratch().join(name);
    fs::create_dir_all(&dir).unwrap();
    dir
}

fn command(parlour: &Parlour, dir: &Path, words: &[&str]) -> Command {
    let mut command = parlour.command(words);
    command.current_dir(dir);
    command
}

fn run(parlour: &Parlour, dir: &Path, words: &[&str]) -> Output {
    command(parlour, dir, words).output().unwrap()
}

fn said(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What is printed of an answer.
fn answer(parlour: &Parlour, dir: &Path, words: &[&str]) -> String {
    let output = run(parlour, dir, words);
    assert!(output.status.success(), "{words:?}: {}", said(&output.stderr));
    said(&output.stdout)
}

/// Why there is none.
fn refusal(parlour: &Parlour, dir: &Path, words: &[&str]) -> String {
    let output = run(parlour, dir, words);
    assert_eq!(output.status.code(), Some(1), "{words:?}: {output:?}");
    assert_eq!(said(&output.stdout), "", "{words:?}");
    said(&output.stderr)
}

fn bound(parlour: &Parlour, dir: &Path) -> Value {
    let output = run(parlour, dir, &["chat", "dir"]);
    serde_json::from_slice(&output.stdout).unwrap()
}

fn chats(parlour: &Parlour) -> usize {
    parlour.json(&["list"])["chats"].as_array().unwrap().len()
}

fn prompts(parlour: &Parlour, chat: &Value) -> Vec<String> {
    let events = parlour.events(chat.as_str().unwrap());
    let prompts = events.into_iter().filter(|event| event["kind"] == "prompt");
    prompts
        .filter_map(|event| Some(event["text"].as_str()?.to_owned()))
        .collect()
}

#[test]
fn the_scenario_of_directories_and_replies_line_by_line() {
    let parlour = parlour();
    let (bar, baz) = (place(&parlour, "foo/bar"), place(&parlour, "foo/bar/baz"));

    // [/foo/bar/]$ query hello: a chat, which the directory is bound to.
    assert_eq!(answer(&parlour, &bar, &["query", "hello"]), ANSWER);
    let c0 = bound(&parlour, &bar)["chat_id"].clone();
    assert!(c0.is_string());
    assert_eq!(bound(&parlour, &bar)["messages"], 2);

    // [/foo/bar/]$ query --raw hello: another one, and the directory is bound to that.
    assert_eq!(answer(&parlour, &bar, &["query", "--raw", "hello"]), ANSWER);
    let binding = bound(&parlour, &bar);
    let raw = binding["chat_id"].clone();
    assert_ne!(raw, c0);

    // [/foo/bar/]$ query --dre hello: goes on there, and the binding stays.
    assert_eq!(answer(&parlour, &bar, &["query", "--dre", "hello again"]), ANSWER);
    assert_eq!(prompts(&parlour, &raw), ["hello", "hello again"]);
    let after = bound(&parlour, &bar);
    assert_eq!((&after["chat_id"], &after["updated"]), (&raw, &binding["updated"]));
    assert_eq!(after["messages"], 4);

    // [/foo/bar/baz/]$ query --dre hello: an error, for it is bound to none; nothing else is taken for it.
    let why = refusal(&parlour, &baz, &["query", "--dre", "hello"]);
    assert!(why.contains("this directory is bound to no chat"), "{why}");
    assert_eq!((bound(&parlour, &baz), chats(&parlour)), (json!({}), 2));

    // [/foo/bar/baz/]$ query hello: a chat of its own.
    answer(&parlour, &baz, &["query", "hello"]);
    let c1 = bound(&parlour, &baz)["chat_id"].clone();
    assert!(c1 != c0 && c1 != raw, "{c1}");

    // [/foo/bar/baz/]$ query --dre hello: goes on there.
    answer(&parlour, &baz, &["query", "--dre", "more"]);
    assert_eq!(prompts(&parlour, &c1), ["hello", "more"]);

    // [/foo/bar/]$ query --re hello: goes on with the last query that was no reply, wherever it was made.
    answer(&parlour, &bar, &["query", "--re", "and more"]);
    assert_eq!(prompts(&parlour, &c1), ["hello", "more", "and more"]);
    assert_eq!(
        (bound(&parlour, &bar)["chat_id"].clone(), chats(&parlour)),
        (raw.clone(), 3)
    );

    // [/foo/bar/]$ dre: its last answer, and nobody is asked.
    assert_eq!(answer(&parlour, &bar, &["dre"]), ANSWER);
    assert_eq!(prompts(&parlour, &raw).len(), 2);

    parlour.json(&["rm", raw.as_str().unwrap(), "--yes"]);
    let why = refusal(&parlour, &bar, &["query", "--dre", "hello"]);
    assert!(why.contains("it was deleted"), "{why}");
    let output = run(&parlour, &bar, &["dre"]);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(chats(&parlour), 2);
}

#[test]
fn what_is_piped_in_stands_behind_the_words_and_the_directory_is_read_only() {
    let parlour = parlour();
    let dir = place(&parlour, "src");
    let ask = |words: &[&str], piped: &str| {
        let mut asking = command(&parlour, &dir, words);
        asking
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = asking.spawn().unwrap();
        child.stdin.take().unwrap().write_all(piped.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let chat = bound(&parlour, &dir)["handle"].clone();
        (prompts(&parlour, &chat), parlour.json(&["list"]))
    };
    let (prompts, list) = ask(&["query", "review", "this"], "+ one\n- two\n");
    assert_eq!(prompts, ["review this\n\n+ one\n- two"]);
    let project = &list["chats"][0]["projects"][0];
    assert_eq!((&project["name"], &project["mode"]), (&json!("src"), &json!("ro")));
    let link = PathBuf::from(list["chats"][0]["dir"].as_str().unwrap()).join("projects/src");
    assert_eq!(link.canonicalize().unwrap(), dir.canonicalize().unwrap());

    let (prompts, list) = ask(&["query", "--rw", "-"], "only this\n");
    assert_eq!(prompts, ["only this"]);
    assert_eq!(list["chats"][0]["projects"][0]["mode"], "rw");

    let told = answer(&parlour, &dir, &["query", "--json", "--name", "Mine", "hello"]);
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!((&told["handle"], &told["llm"]), (&json!("mine"), &json!("demo")));
    assert_eq!(told["text"], ANSWER.trim_end());
    // Of a directory that holds all chats it sees nothing, and that is said.
    let output = run(&parlour, parlour.scratch(), &["query", "hello"]);
    assert!(output.status.success(), "{output:?}");
    assert!(
        said(&output.stderr).contains("parlour's own home lies in it"),
        "{output:?}"
    );
    assert_eq!(parlour.json(&["list"])["chats"][0]["projects"], json!([]));
    assert!(refusal(&parlour, &dir, &["query", " "]).contains("the question is empty"));
    assert!(refusal(&parlour, &dir, &["query", "--llm", "nobody", "hello"]).contains("no agent called nobody"));
    let output = run(&parlour, &dir, &["query", "--yes-to", "Bash(", "hello"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(said(&output.stderr).contains("--yes-to"), "{output:?}");
}

/// A repository that the demo agent changes, for which it asks.
fn repository(parlour: &Parlour) -> PathBuf {
    let root = place(parlour, "grove");
    git(&root, &["init", "-q", "-b", "trunk"]);
    fs::write(root.join("README.md"), "# Grove\n\nTrees. Many trees.\n").unwrap();
    git(&root, &["add", "."]);
    git(&root, &["commit", "-qm", "Begin"]);
    root
}

#[test]
fn a_query_that_needs_an_approval_says_which_and_what_gives_it() {
    let parlour = parlour();
    let root = repository(&parlour);
    let dir = place(&parlour, "src");
    let question = format!("Count sentences in {}", root.display());
    let output = run(&parlour, &dir, &["query", &question]);
    let why = said(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{why}");
    assert!(
        why.contains("it needs an approval: ") && why.contains("--yes-to "),
        "{why}"
    );
    assert!(why.contains("● parlour/open_dir"), "{why}");
    assert_eq!(bound(&parlour, &dir), json!({}), "it has not succeeded");
    let open = parlour.json(&["approvals"])["approvals"].clone();
    let id = open[0]["id"].as_str().unwrap();
    assert!(why.contains(&format!("`parlour approve {id}`")), "{why}");
    // It goes on once it has the answer, and so does the conversation.
    parlour.say(&["approve", id]);
    until("it goes on", PATIENCE, || {
        parlour.json(&["approvals"])["approvals"][0]["id"] != json!(id)
    });

    let yes = ["query", "--yes-to", "Edit", "--yes-to", "Bash", &question];
    let told = answer(&parlour, &dir, &yes);
    assert_eq!(told, "Done: I added a note to README.md and committed it.\n");
    assert!(bound(&parlour, &dir)["chat_id"].is_string());
}

#[test]
fn a_query_that_waits_is_answered_from_elsewhere() {
    let parlour = parlour();
    let root = repository(&parlour);
    let question = format!("Count sentences in {}", root.display());
    let dir = place(&parlour, "src");
    let mut asking = command(&parlour, &dir, &["query", "--wait", &question]);
    let child = asking.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut answered = Vec::new();
    until("it has all its answers", PATIENCE, || {
        let open = parlour.json(&["approvals"])["approvals"].clone();
        if let Some(id) = open[0]["id"]
            .as_str()
            .filter(|id| !answered.iter().any(|known| known == id))
        {
            answered.push(id.to_owned());
            parlour.say(&["approve", id]);
        }
        let list = parlour.json(&["list"]);
        list["chats"][0]["status"] == "idle" && !answered.is_empty()
    });
    let output = child.wait_with_output().unwrap();
    let told = said(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert!(told.contains("waiting for an approval: "), "{told}");
}

#[test]
fn ctrl_c_interrupts_the_turn_and_the_chat_stays() {
    let parlour = parlour();
    let dir = place(&parlour, "src");
    let mut asking = command(&parlour, &dir, &["query", "slow please"]);
    let child = asking.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    until("it works", PATIENCE, || {
        parlour.json(&["list"])["chats"][0]["status"] == "running"
    });
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    until("its turn has ended", PATIENCE, || {
        let events = parlour.events("slow-please");
        events.iter().any(|event| event["kind"] == "interrupt")
    });
    parlour.wait("slow-please", "idle");
    let chat = &parlour.json(&["list"])["chats"][0];
    assert_eq!(chat["unseen"], false, "whoever pressed it knows of its end");
    assert_eq!(bound(&parlour, &dir), json!({}));
    // It was asked all the same: a reply says how it is meant.
    assert_eq!(answer(&parlour, &dir, &["query", "--re", "hello"]), ANSWER);
    assert_eq!(bound(&parlour, &dir), json!({}), "replies bind nothing");
}

/// A question that is asked while another turn goes on in its chat.
#[test]
fn each_of_two_queries_in_one_conversation_prints_its_own_answer() {
    let parlour = parlour();
    let dir = place(&parlour, "src");
    let mut asking = command(&parlour, &dir, &["query", "slow please"]);
    let first = asking.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    until("it works", PATIENCE, || {
        parlour.json(&["list"])["chats"][0]["status"] == "running"
    });
    assert_eq!(answer(&parlour, &dir, &["query", "--re", "hello"]), ANSWER);
    let first = first.wait_with_output().unwrap();
    assert!(first.status.success(), "{first:?}");
    assert_eq!(said(&first.stdout), ANSWER, "and not that of the second");
    let asked = prompts(&parlour, &json!("slow-please"));
    assert_eq!(asked, ["slow please", "hello"]);
}

#[test]
fn without_an_agent_cli_a_query_is_refused_and_the_demo_answers_where_it_is_named() {
    let parlour = Parlour::new();
    let dir = place(&parlour, "src");
    let ask = |words: &[&str]| {
        let mut asking = command(&parlour, &dir, words);
        asking.env("PATH", "/usr/bin:/bin").output().unwrap()
    };
    let output = ask(&["query", "hello"]);
    assert_eq!((output.status.code(), said(&output.stdout).as_str()), (Some(1), ""));
    let why = said(&output.stderr);
    assert!(
        why.contains("no agent CLI is on your PATH") && why.contains("--llm demo"),
        "{why}"
    );
    assert_eq!(chats(&parlour), 0);
    assert_eq!(said(&ask(&["query", "--llm", "demo", "hello"]).stdout), ANSWER);
}

/// It would wait for ever.
#[test]
fn a_cli_into_which_nothing_is_typed_is_asked_nothing() {
    let parlour = Parlour::new().with_program("deaf", "#!/bin/sh\nexec cat\n");
    parlour.configure(&json!({"customLlms": {"deaf": {"command": "deaf"}}}).to_string());
    let why = refusal(&parlour, &place(&parlour, "src"), &["query", "--llm", "deaf", "hello"]);
    assert!(why.contains("nothing tells when deaf waits for a prompt"), "{why}");
    assert_eq!(chats(&parlour), 0);
}

/// Nobody reads what this one says: its terminal is all that there is of it.
#[test]
fn a_turn_without_a_word_is_no_answer() {
    let mute = "#!/bin/sh\nwhile printf '> ' && read -r line; do :; done\n";
    let parlour = Parlour::new().with_program("mute", mute);
    parlour.configure(r#"{"customLlms": {"mute": {"command": "mute", "ready": "^> $"}}}"#);
    let dir = place(&parlour, "foo");
    let why = refusal(&parlour, &dir, &["query", "--llm", "mute", "hello"]);
    assert!(
        why.contains("its turn ended without an answer; `parlour screen hello`"),
        "{why}"
    );
    assert_eq!(bound(&parlour, &dir), json!({}));
    let output = run(&parlour, &dir, &["query", "--re", "again", "--json"]);
    let told: Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!(
        (output.status.code(), &told["error"]["kind"]),
        (Some(1), &json!("fault"))
    );
}

#[test]
fn a_chat_that_is_not_made_leaves_the_directory_its_conversation() {
    let parlour = parlour();
    let dir = place(&parlour, "src");
    answer(&parlour, &dir, &["query", "hello"]);
    let before = bound(&parlour, &dir);
    for words in [
        &["new", "--dir", "/nope/x"][..],
        &["new", "--dir", "nope:zz:ro"],
        &["chat", "new", "--dir", "/nope/x"],
    ] {
        assert!(!run(&parlour, &dir, words).status.success(), "{words:?}");
        assert_eq!(bound(&parlour, &dir), before, "{words:?}");
    }
    let made = run(&parlour, &dir, &["--json", "new", "Another"]);
    let made: Value = serde_json::from_slice(&made.stdout).unwrap();
    assert_eq!(bound(&parlour, &dir)["chat_id"], made["id"]);

    // Where it is gone another one can be chosen.
    parlour.json(&["rm", made["id"].as_str().unwrap(), "--yes"]);
    let output = run(&parlour, &dir, &["chat", "list"]);
    assert!(output.status.success(), "{output:?}");
    assert!(said(&output.stderr).contains("it was deleted"), "{output:?}");
    assert!(said(&output.stdout).contains("hello"), "{output:?}");
    parlour.json(&["chat", "bind", "hello"]);
}

/// It goes on in a conversation of another directory, and needs none of its own.
#[test]
fn a_reply_needs_no_directory_and_what_needs_one_says_that_it_is_gone() {
    let parlour = parlour();
    let dir = place(&parlour, "src");
    answer(&parlour, &dir, &["query", "hello"]);
    let in_gone = |words: &[&str]| {
        let program = parlour.command(&[]);
        let envs = program.get_envs().filter_map(|(name, value)| Some((name, value?)));
        let mut shell = Command::new("/bin/sh");
        shell.env_clear().envs(envs).current_dir(place(&parlour, "gone"));
        shell.args(["-c", r#"rmdir "$PWD" && exec "$0" "$@""#]);
        shell.arg(program.get_program()).args(words).output().unwrap()
    };
    let output = in_gone(&["query", "--re", "hello"]);
    assert_eq!(said(&output.stdout), ANSWER, "{output:?}");
    let output = in_gone(&["dre"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let why = said(&output.stderr);
    assert!(why.contains("it was deleted") && why.contains("change to one"), "{why}");
}

/// As soon as the program runs, and while its chat is being made.
#[test]
fn an_early_ctrl_c_leaves_no_agent_at_work() {
    let parlour = parlour();
    let dir = place(&parlour, "src");
    for ms in [100, 300, 600, 1_000] {
        let mut asking = command(&parlour, &dir, &["query", "slow please"]);
        let mut child = asking.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(ms));
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        child.wait().unwrap();
    }
    let list = parlour.json(&["list"]);
    for chat in list["chats"].as_array().unwrap() {
        let handle = chat["handle"].as_str().unwrap();
        parlour.wait(handle, "idle");
        let events = parlour.events(handle);
        let mut said = events.iter().filter(|event| event["kind"] == "text");
        assert!(said.all(|event| event["text"] == "Interrupted."), "{events:?}");
    }
}

#[test]
fn a_turn_that_fails_is_said_and_the_chat_opens_on_the_screen_like_any_other() {
    let parlour = parlour();
    let dir = place(&parlour, "src");
    let root = repository(&parlour);
    let question = format!("fail on {}", root.display());
    let output = run(&parlour, &dir, &["query", "--name", "Bad", &question]);
    let why = said(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(
        why.contains("asking demo: ") && why.contains("`parlour bad` opens the chat"),
        "{why}"
    );

    answer(&parlour, &dir, &["query", "--name", "Good", "hello"]);
    // What was printed is seen, what failed is not.
    let list = parlour.json(&["list"]);
    let mut unseen = list["chats"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|chat| chat["unseen"] == true);
    assert_eq!(unseen.next().map(|chat| &chat["handle"]), Some(&json!("bad")), "{list}");
    assert!(unseen.next().is_none(), "{list}");
    let screen = parlour.attach_in(&dir, &["good"], (120, 40));
    screen.wait_for_text("Name a repository in your prompt");
    drop(screen);
    // What is asked on the screen is part of it.
    parlour.say(&["send", "good", "noask from the screen"]);
    parlour.wait("good", "idle");
    assert_eq!(answer(&parlour, &dir, &["query", "--dre", "hello"]), ANSWER);
    assert_eq!(prompts(&parlour, &json!("good")).len(), 3);
    assert_eq!(answer(&parlour, &dir, &["chat", "continue", "good", "hello"]), ANSWER);
}

/// A program that answers the prompt among its arguments and ends.
const ONCE: &str = r##"#!/bin/sh
mkdir -p log
printf '{"who":"user","words":["%s"]}\n' "$1" >> log/talk.jsonl
printf '{"who":"assistant","words":["# Well\\n\\nIt is **good**."]}\n' >> log/talk.jsonl
"##;

#[test]
fn on_a_terminal_the_answer_is_drawn_and_into_a_pipe_it_is_as_it_was_said() {
    let parlour = Parlour::new().with_program("once", ONCE);
    let fields = json!({"role": "who", "text": "words.0"});
    let transcript = json!({"format": "jsonl", "file": "log/talk.jsonl", "fields": fields});
    let once = json!({"command": "once", "promptArg": "", "transcript": transcript});
    parlour.configure(&json!({"customLlms": {"once": once}, "defaultLlm": "once"}).to_string());
    let dir = place(&parlour, "src");
    assert_eq!(
        answer(&parlour, &dir, &["query", "hello"]),
        "# Well\n\nIt is **good**.\n"
    );
    let is_drawn = |words: &[&str], drawn: &str| {
        let mut terminal = parlour.attach_in(&dir, words, (80, 24));
        assert_eq!(terminal.wait_for_end(), 0);
        terminal.wait_for(drawn, |screen| screen.contents().trim() == drawn);
    };
    is_drawn(&["query", "hello"], "Well\n\nIt is good.");
    is_drawn(&["dre"], "Well\n\nIt is good.");
    is_drawn(&["dre", "--raw"], "# Well\n\nIt is **good**.");
}
