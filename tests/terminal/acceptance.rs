//! A morning with each of the four CLIs, by keys: prompts are typed, lines remarked on, a turn is taken back and brought
//! again, and what is good is committed, pushed and brought home.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{claude as claude_chats, codex as codex_chats, gemini as gemini_chats, opencode as opencode_chats};
use crate::support::model_server::{Block, ModelServer, Scenario, Turn, text, tool, turn};
use crate::support::parlour::{PATIENCE, Parlour, git};
use crate::support::terminal::Terminal;
use crate::support::{claude, codex, gemini, opencode};

/// The leader, then the key of the Changes tab.
const CHANGES: &str = "\x11d";
/// The leader, then out of the tab and into the agent.
const CTRL_S: &str = "\x13";
/// A person presses one key after the other.
const BETWEEN_KEYS: Duration = Duration::from_millis(30);

const CLONES: [&str; 2] = ["gulls", "terns"];
const PROMPTS: [&str; 3] = ["count at dawn", "count at noon", "count at dusk"];
/// The line that each prompt changes, and what stands there then.
const LINES: [usize; 3] = [3, 20, 35];
const SEEN: [&str; 3] = ["seven at dawn", "nine at noon", "two at dusk"];
const REMARKS: [&str; 2] = ["who counted these gulls", "and who these terns"];

/// A file after so many turns.
fn counted(turns: usize) -> String {
    let line = |number| match LINES[..turns].iter().position(|changed| *changed == number) {
        Some(turn) => format!("line {number}, {}\n", SEEN[turn]),
        None => format!("line {number}\n"),
    };
    (1..=40).map(line).collect()
}

/// How one CLI writes a file and answers a remark.
struct Tools {
    write: fn(file: &str, turns: usize) -> Block,
    answer: &'static str,
}

fn by_sed(file: &str, turns: usize) -> String {
    let line = LINES[turns - 1];
    format!("sed -i '{line}s/$/, {}/' {file}", SEEN[turns - 1])
}

async fn model(tools: &Tools) -> ModelServer {
    let answer = |id: usize, resolved: bool| {
        let said = json!({ "id": id, "text": format!("I did, number {id}"), "resolved": resolved });
        tool(tools.answer, said)
    };
    let counts = (1..=PROMPTS.len()).map(|turns| -> Turn {
        let [one, two] = CLONES.map(|clone| (tools.write)(&format!("projects/{clone}/count.txt"), turns));
        turn![one, two, text("Counted.")].when(PROMPTS[turns - 1])
    });
    let answers = turn![answer(1, false), answer(2, true), text("Both are answered.")].when(REMARKS[0]);
    ModelServer::start(Scenario::of(counts.chain([answers]))).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_morning_with_claude() {
    let Some(program) = claude::installed() else {
        return;
    };
    let tools = Tools {
        write: |file, turns| {
            tool(
                "Bash",
                json!({ "command": by_sed(file, turns), "description": "Count" }),
            )
        },
        answer: "mcp__parlour__answer_remark",
    };
    let model = model(&tools).await;
    reviews_and_keeps(&claude_chats::parlour(&program, &model), "claude");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_morning_with_codex() {
    let Some(program) = codex::installed() else {
        return;
    };
    let tools = Tools {
        write: |file, turns| tool("exec_command", json!({ "cmd": by_sed(file, turns) })),
        answer: "mcp__parlour__answer_remark",
    };
    let model = model(&tools).await;
    reviews_and_keeps(&codex_chats::parlour(&program, &model), "codex");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_morning_with_gemini() {
    let Some(program) = gemini::installed() else {
        return;
    };
    let tools = Tools {
        write: |file, turns| tool("run_shell_command", json!({ "command": by_sed(file, turns) })),
        answer: "mcp_parlour_answer_remark",
    };
    let model = model(&tools).await;
    reviews_and_keeps(&gemini_chats::parlour(&program, &model), "gemini");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_morning_with_opencode() {
    let Some(program) = opencode::installed() else {
        return;
    };
    let tools = Tools {
        write: |file, turns| tool("write", json!({ "filePath": file, "content": counted(turns) })),
        answer: "parlour_answer_remark",
    };
    let model = model(&tools).await;
    reviews_and_keeps(&opencode_chats::parlour(&program, &model), "opencode");
}

/// A checkout with a remote of its own.
struct Source {
    checkout: PathBuf,
    remote: PathBuf,
}

impl Source {
    fn new(scratch: &Path, name: &str) -> Source {
        let (checkout, remote) = (scratch.join(name), scratch.join(format!("{name}.git")));
        fs::create_dir_all(&checkout).unwrap();
        fs::write(checkout.join("count.txt"), counted(0)).unwrap();
        git(&checkout, &["init", "-q", "-b", "main"]);
        git(&checkout, &["add", "-A"]);
        git(&checkout, &["commit", "-q", "-m", "first"]);
        let to = remote.to_str().unwrap();
        git(&checkout, &["clone", "-q", "--bare", ".", to]);
        git(&checkout, &["remote", "add", "origin", to]);
        git(&checkout, &["fetch", "-q", "origin"]);
        git(&checkout, &["remote", "set-head", "origin", "main"]);
        Source { checkout, remote }
    }
}

/// A chat of one agent with two clones, and the terminal of a person who looks at it.
struct Morning<'a> {
    parlour: &'a Parlour,
    terminal: Terminal,
    clones: [PathBuf; 2],
}

fn reviews_and_keeps(parlour: &Parlour, llm: &str) {
    let rules = json!({ "allow": ["Edit", "Bash"] });
    parlour.configure(&json!({ "trust": { "claude": true }, "permissions": rules }).to_string());
    let sources = CLONES.map(|name| Source::new(parlour.scratch(), name));
    let [one, two] = sources.each_ref().map(|source| source.checkout.to_str().unwrap());
    let words = [
        "new", "Talk", "--llm", llm, "--dir", one, "--dir", two, "--branch", "counts",
    ];
    let made = parlour.json(&words);
    parlour.wait("talk", "idle");
    let chat = parlour.home().join("chats").join(made["id"].as_str().unwrap());
    let mut morning = Morning {
        parlour,
        terminal: parlour.attach(&["talk"]),
        clones: CLONES.map(|name| chat.join("projects").join(name)),
    };
    morning.types_three_prompts();
    morning.remarks_on_two_lines();
    morning.goes_back_and_undoes_it();
    morning.commits_a_hunk();
    morning.pushes_and_brings_home(&sources);
}

impl Morning<'_> {
    fn reads(&self, what: &str, text: &str) {
        self.until(what, |morning| {
            let is_it = |clone: &PathBuf| fs::read_to_string(clone.join("count.txt")).unwrap() == text;
            morning.clones.iter().all(is_it)
        });
    }

    /// Waits, and shows the screen where it waits in vain.
    fn until(&self, what: &str, holds: impl Fn(&Morning<'_>) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !holds(self) {
            assert!(
                Instant::now() < end,
                "it is still not so: {what}\n{}",
                self.terminal.contents()
            );
            thread::sleep(Duration::from_millis(100));
        }
    }

    fn press(&mut self, keys: &str) {
        for key in keys.chars() {
            self.terminal.press(key.encode_utf8(&mut [0; 4]));
            thread::sleep(BETWEEN_KEYS);
        }
    }

    /// A question takes no answer before it could be read.
    fn answers(&mut self, question: &str, key: &str) {
        self.terminal.wait_for_text(question);
        for _ in 0..160 {
            thread::sleep(Duration::from_millis(250));
            if !self.terminal.contents().contains(question) {
                // What is typed as a question goes away is swallowed.
                thread::sleep(Duration::from_secs(1));
                return;
            }
            self.terminal.press(key);
        }
        panic!("{question} stays:\n{}", self.terminal.contents());
    }

    fn prompts(&self) -> Vec<String> {
        let events = self.parlour.events("talk").into_iter();
        let prompts = events.filter(|event| event["kind"] == "prompt");
        prompts
            .map(|event| event["text"].as_str().unwrap().trim().to_owned())
            .collect()
    }

    fn types_three_prompts(&mut self) {
        self.terminal.wait_for_text("AGENT  Ctrl+Q");
        for (number, prompt) in PROMPTS.iter().enumerate() {
            self.press(prompt);
            self.terminal.wait_for_text(prompt);
            thread::sleep(Duration::from_millis(500));
            self.press("\r");
            self.reads("it has counted", &counted(number + 1));
            self.parlour.wait("talk", "idle");
            self.until("the prompt is told", |morning| morning.prompts() == PROMPTS[..=number]);
        }
    }

    fn remarks(&self) -> Vec<Value> {
        self.parlour.json(&["remarks", "talk"])["remarks"]
            .as_array()
            .unwrap()
            .clone()
    }

    fn remarks_on_two_lines(&mut self) {
        self.press(CHANGES);
        self.terminal.wait_for_text("count.txt");
        self.press("\r");
        for (number, remark) in REMARKS.iter().enumerate() {
            self.terminal.wait_for_text(SEEN[2]);
            // The heading, three lines of context, the line that was removed; then the one that was added.
            self.press("jjjjj\r");
            self.terminal.wait_for_text("what the agent is to know");
            self.press(remark);
            self.terminal.wait_for_text(remark);
            self.press(CTRL_S);
            self.until("the remark is kept", |morning| morning.remarks().len() == number + 1);
            self.terminal
                .wait_for("the form is closed", |screen| !screen.contents().contains("╭ Remark "));
            self.press("J");
        }
        let places: Vec<(Value, Value)> = self
            .remarks()
            .iter()
            .map(|one| (one["project"].clone(), one["line"].clone()))
            .collect();
        assert_eq!(places, CLONES.map(|clone| (json!(clone), json!(LINES[2]))));
        self.press("M");
        self.terminal.wait_for_text("Send 2 remarks to the agent");
        self.press("\r");
        self.until("both are answered, and one is closed", |morning| {
            let told = morning.remarks();
            let said = told.iter().filter(|one| one.to_string().contains("I did, number"));
            said.count() == 2 && told[1]["state"] == "resolved"
        });
        self.parlour.wait("talk", "idle");
    }

    fn goes_back_and_undoes_it(&mut self) {
        // The turn in which the agent answered is the fourth, if it counts.
        for _ in 0..3 {
            self.press("[");
            thread::sleep(Duration::from_millis(500));
            if self.terminal.contents().contains(PROMPTS[1]) {
                break;
            }
        }
        let before = self.prompts();
        self.press("R");
        self.answers("Go back to before turn 2?", "y");
        self.reads("the second turn is taken back", &counted(1));
        self.until("its prompt is hidden", |morning| morning.prompts() == PROMPTS[..1]);
        self.parlour.wait("talk", "idle");
        self.press("u");
        self.answers("Undo the last revert?", "y");
        self.reads("all is there again", &counted(3));
        self.until("all prompts are shown again", |morning| morning.prompts() == before);
        self.parlour.wait("talk", "idle");
    }

    fn commits_a_hunk(&mut self) {
        self.press("\x1bKcu");
        self.terminal.wait_for_text("uncommitted");
        self.press("\r");
        self.terminal.wait_for_text(SEEN[0]);
        self.press("gn ");
        self.until("the second hunk is staged", |morning| {
            git(&morning.clones[0], &["diff", "--cached", "--unified=0"]).contains("+line 20, nine at noon")
        });
        self.press("pc");
        self.terminal.wait_for_text("Commit");
        self.press(CTRL_S);
        self.until("the hunk is committed", |morning| {
            let patch = git(&morning.clones[0], &["show", "--unified=0", "--format="]);
            let added: Vec<&str> = patch.lines().filter(|line| line.starts_with("+line")).collect();
            added == ["+line 20, nine at noon"]
        });
        self.until("all of the other clone is committed", |morning| {
            let status = morning
                .clones
                .each_ref()
                .map(|clone| git(clone, &["status", "--porcelain"]));
            status == ["M count.txt", ""]
        });
    }

    fn pushes_and_brings_home(&mut self, sources: &[Source; 2]) {
        let commits = self.clones.each_ref().map(|clone| git(clone, &["rev-parse", "HEAD"]));
        let has = |repository: &Path| git(repository, &["for-each-ref", "--format=%(objectname)", "refs/heads"]);
        thread::sleep(Duration::from_secs(1));
        self.press("pp");
        self.answers("╭ Push ", "y");
        self.until("the remotes have the branches", |_| {
            sources
                .iter()
                .zip(&commits)
                .all(|(source, commit)| has(&source.remote).contains(commit))
        });
        thread::sleep(Duration::from_secs(1));
        self.press("ph");
        self.answers("╭ Bring the branch home ", CTRL_S);
        self.until("the checkouts have the branches", |_| {
            sources
                .iter()
                .zip(&commits)
                .all(|(source, commit)| has(&source.checkout).contains(commit))
        });
        for source in sources {
            assert_eq!(git(&source.checkout, &["status", "--porcelain"]), "");
            assert_eq!(git(&source.checkout, &["branch", "--show-current"]), "main");
        }
    }
}
