//! A team of real agent CLIs in the real parlour: Claude Code leads Codex CLI, Gemini CLI and OpenCode, each with the
//! scripted model behind it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, thread};

use serde_json::{Value, json};

use super::told::{endings, of_kind, repository};
use crate::support::model_server::{Block, ModelServer, Scenario, Turn, text, tool, turn};
use crate::support::parlour::{Parlour, git, until};
use crate::support::{claude, codex, gemini, opencode};

/// Four CLIs start at once on two busy cores.
const PATIENCE: Duration = Duration::from_secs(100);
/// Between two looks at a transcript.
const LOOK: Duration = Duration::from_millis(200);

/// One of the team, by what it calls parlour's tools and its own.
struct Member {
    llm: &'static str,
    parlours: &'static str,
    write: fn(file: &str) -> Block,
    shell: fn(command: &str) -> Block,
}

const TEAM: [Member; 3] = [
    Member {
        llm: "codex",
        parlours: "mcp__parlour__",
        write: |file| {
            let patch = format!("*** Begin Patch\n*** Add File: {file}\n+tried\n*** End Patch");
            tool(
                "exec_command",
                json!({ "cmd": format!("apply_patch <<'EOF'\n{patch}\nEOF") }),
            )
        },
        shell: |command| tool("exec_command", json!({ "cmd": command })),
    },
    Member {
        llm: "gemini",
        parlours: "mcp_parlour_",
        write: |file| {
            let input = json!({ "file_path": format!("${{cwd}}/{file}"), "content": "tried\n" });
            tool("write_file", input)
        },
        shell: |command| {
            tool(
                "run_shell_command",
                json!({ "command": command, "description": "Commit" }),
            )
        },
    },
    Member {
        llm: "opencode",
        parlours: "parlour_",
        write: |file| {
            let input = json!({ "filePath": format!("${{cwd}}/{file}"), "content": "tried\n" });
            tool("write", input)
        },
        shell: |command| tool("bash", json!({ "command": command, "description": "Commit" })),
    },
];

impl Member {
    fn branch(&self) -> String {
        format!("try-{}", self.llm)
    }

    fn prompt(&self) -> String {
        format!("take the atom of {} and try it", self.llm)
    }

    fn report(&self) -> String {
        format!("{} has tried it", self.llm)
    }

    fn last_words(&self) -> String {
        format!("That was the way of {}.", self.llm)
    }

    /// Takes its atom, does it, and says so to everybody.
    fn work(&self) -> Turn {
        let tool = |name: &str, input: Value| tool(&format!("{}{name}", self.parlours), input);
        let commit = format!("cd projects/greeter && git add . && git commit -qm 'By {}'", self.llm);
        turn![
            tool("claim_atom", json!({ "molecule": "ways", "id": self.llm })),
            (self.write)(&format!("projects/greeter/{}.txt", self.llm)),
            (self.shell)(&commit),
            tool(
                "update_atom",
                json!({ "molecule": "ways", "id": self.llm, "status": "done" })
            ),
            tool("report_to_parent", json!({ "message": self.report() })),
            tool("set_status", json!({ "status": "done", "note": "committed" })),
            text(&self.last_words()),
        ]
        .when(&self.prompt())
    }
}

fn leads(name: &str, input: Value) -> Block {
    tool(&format!("mcp__parlour__{name}"), input)
}

/// What the leader says and does: the plan, three dispatches, a word to each report, and a look at everybody.
fn work(repository: &Path) -> Scenario {
    let atoms: Vec<Value> = TEAM
        .iter()
        .map(|member| json!({ "id": member.llm, "title": format!("The way of {}", member.llm) }))
        .collect();
    let dispatch = |member: &Member| {
        let input = json!({ "prompt": member.prompt(), "project": "greeter", "branch": member.branch(),
                            "llm": member.llm, "name": member.llm });
        leads("dispatch", input)
    };
    let [one, two, three] = [0, 1, 2].map(|at: usize| dispatch(&TEAM[at]));
    let status = |at: usize| leads("get_status", json!({ "session_id": TEAM[at].llm }));
    let heard = |member: &Member| turn![text(&format!("{} reports.", member.llm))].when(&member.report());
    let mut turns = vec![
        turn![
            leads("open_dir", json!({ "path_or_url": repository, "branch": "team" })),
            leads("add_atoms", json!({ "molecule": "ways", "atoms": atoms })),
            one,
            two,
            three,
            text("They are at work."),
        ]
        .when("lead the team"),
        turn![
            leads("wait_for", json!({ "for": "done", "timeout": 20 })),
            [status(0), status(1), status(2)],
            leads("list_atoms", json!({ "molecule": "ways" })),
            text("All three are in."),
        ]
        .when("what came of it"),
    ];
    turns.extend(TEAM.iter().map(heard));
    turns.extend(TEAM.iter().map(Member::work));
    Scenario::of(turns)
}

/// Parlour on the machine of somebody who uses all four.
fn parlour(programs: &[PathBuf], model: &ModelServer) -> Parlour {
    let parlour = Parlour::new();
    let home = claude::home(parlour.scratch());
    codex::home(parlour.scratch(), &model.url());
    gemini::home(parlour.scratch());
    opencode::home(parlour.scratch(), &model.url());
    let path = programs
        .iter()
        .map(|program| program.parent().unwrap().display().to_string());
    let path: Vec<String> = path.chain([std::env::var("PATH").unwrap()]).collect();
    let parlour = parlour
        .with(claude::environment(&home, &model.url()))
        .with(codex::environment(&home))
        .with(gemini::environment(&home, &model.url()))
        .with([("PATH".into(), path.join(":"))]);
    let rules = json!({ "allow": ["Edit", "Bash"] });
    parlour.configure(&json!({ "trust": { "claude": true }, "permissions": rules }).to_string());
    parlour
}

#[tokio::test(flavor = "multi_thread")]
async fn claude_leads_a_team_of_three_others_to_the_end() {
    let programs = [
        claude::installed(),
        codex::installed(),
        gemini::installed(),
        opencode::installed(),
    ];
    let Some(programs) = programs.into_iter().collect::<Option<Vec<PathBuf>>>() else {
        return;
    };
    let sources = tempfile::tempdir().unwrap();
    let (repository, _) = repository(sources.path());
    let refs = git(&repository, &["for-each-ref"]);
    let model = ModelServer::start(work(&repository)).await;
    let parlour = parlour(&programs, &model);

    let lead = parlour.json(&["new", "Lead", "--llm", "claude", "-p", "lead the team"]);
    let lead_dir = PathBuf::from(lead["dir"].as_str().unwrap());
    let screen = parlour.attach(&["lead"]);
    for member in &TEAM {
        screen.wait_for_text(&member.branch()[..8]);
    }
    for member in &TEAM {
        hears_of(&parlour, member);
    }
    parlour.wait("lead", "idle");
    parlour.say(&["send", "lead", "what came of it"]);
    screen.wait_for_text("All three are in.");
    parlour.wait("lead", "idle");
    for member in &TEAM {
        parlour.wait(member.llm, "idle");
    }

    let own = lead_dir.join("projects/greeter");
    was_left_alone(&own, &repository, &refs);
    for member in &TEAM {
        did_its_part(&parlour, member, &own);
    }
    heard_of_all(&parlour, &lead_dir, &model);
    let chats = parlour.json(&["list"])["chats"].clone();
    let plan: Value = serde_json::from_slice(&fs::read(lead_dir.join("molecules/ways.json")).unwrap()).unwrap();
    let done: Vec<_> = plan["atoms"].as_array().unwrap().iter().map(owned).collect();
    let wanted: Vec<_> = TEAM
        .iter()
        .map(|member| (json!(member.llm), json!("done"), id(&chats, member.llm)))
        .collect();
    assert_eq!(done, wanted);

    assert_eq!(parlour.status()["agents"].as_array().unwrap().len(), 4);
    parlour.say(&["stop", "lead", "--tree"]);
    until("nobody of the team runs", PATIENCE, || parlour.agents().is_empty());
    assert_eq!(parlour.status()["agents"], json!([]));
}

/// Waits until the leader has answered to the report and its child said its last words. OpenCode and Gemini CLI ask about more than the rules say they need
/// not, and a person at another shell says yes to all that anybody asks.
fn hears_of(parlour: &Parlour, member: &Member) {
    let deadline = Instant::now() + PATIENCE;
    let answer = format!("{} reports.", member.llm);
    let is_through = || {
        let last_words = said(parlour, member.llm).contains(&member.last_words());
        last_words && said(parlour, "lead").contains(&answer)
    };
    while !is_through() {
        let shown = || parlour.say(&["explain", member.llm]) + &parlour.say(&["screen", member.llm]);
        assert!(Instant::now() < deadline, "{} never reported:\n{}", member.llm, shown());
        let open = parlour.json(&["approvals"])["approvals"].clone();
        for question in open.as_array().unwrap() {
            // One that was answered meanwhile is no more open.
            parlour.run(&["approve", question["id"].as_str().unwrap()]);
        }
        thread::sleep(LOOK);
    }
}

fn owned(atom: &Value) -> (Value, Value, Value) {
    (atom["id"].clone(), atom["status"].clone(), atom["owner"].clone())
}

fn id(chats: &Value, handle: &str) -> Value {
    let mut chats = chats.as_array().unwrap().iter();
    chats.find(|chat| chat["handle"] == handle).unwrap()["id"].clone()
}

fn said(parlour: &Parlour, chat: &str) -> String {
    let events = parlour.events(chat);
    let texts = of_kind(&events, "text");
    texts.iter().map(|event| format!("{}\n", event["text"])).collect()
}

/// What others do to their clones is seen neither in this one nor where it came from.
fn was_left_alone(clone: &Path, repository: &Path, refs: &str) {
    assert_eq!(git(clone, &["branch", "--show-current"]), "team");
    assert_eq!(git(clone, &["status", "--porcelain"]), "");
    assert_eq!(
        git(clone, &["rev-parse", "HEAD"]),
        git(repository, &["rev-parse", "main"])
    );
    assert_eq!(git(clone, &["branch", "--list", "try-*"]), "");
    assert_eq!(git(repository, &["for-each-ref"]), refs);
}

fn did_its_part(parlour: &Parlour, member: &Member, lead: &Path) {
    let chat = parlour.json(&["explain", member.llm]);
    assert_eq!(chat["status"], "idle", "{chat}");
    let chats = parlour.json(&["list"])["chats"].clone();
    let chat = chats
        .as_array()
        .unwrap()
        .iter()
        .find(|chat| chat["handle"] == member.llm)
        .unwrap();
    assert_eq!(
        (&chat["llm"], &chat["parent"], &chat["declared"]["status"]),
        (&json!(member.llm), &id(&chats, "lead"), &json!("done"))
    );
    let clone = Path::new(chat["projects"][0]["path"].as_str().unwrap());
    assert_eq!(git(clone, &["branch", "--show-current"]), member.branch());
    assert_eq!(git(clone, &["rev-parse", "HEAD^"]), git(lead, &["rev-parse", "HEAD"]));
    assert_eq!(
        git(clone, &["log", "-1", "--format=%an %s"]),
        format!("Ada By {}", member.llm)
    );
    assert_eq!(
        git(clone, &["show", "--format=", "--name-only"]),
        format!("{}.txt", member.llm)
    );
    assert_eq!(git(clone, &["status", "--porcelain"]), "");

    let mut events = Vec::new();
    until("its last words are told", PATIENCE, || {
        events = parlour.events(member.llm);
        of_kind(&events, "text")
            .last()
            .is_some_and(|event| event["text"] == member.last_words())
            && endings(&events).iter().all(|(_, how)| *how != "open")
    });
    let prompts: Vec<_> = of_kind(&events, "prompt")
        .iter()
        .map(|e| (e["from"].clone(), e["text"].clone()))
        .collect();
    assert_eq!(prompts, [(json!("parent"), json!(member.prompt()))]);
    every_call_once(&events, 6);
    let sent: Vec<_> = of_kind(&events, "message").iter().map(|e| e["to"].clone()).collect();
    assert_eq!(sent, [json!("lead")]);
}

/// So many calls, each begun once, ended once, and well.
fn every_call_once(events: &[Value], count: usize) {
    let ends = endings(events);
    assert_eq!(ends.len(), count, "{ends:?}");
    assert!(
        ends.iter().all(|(_, how)| *how == "ok"),
        "{:#?}",
        of_kind(events, "tool.end")
    );
    for kind in ["tool.start", "tool.end"] {
        let mut ids: Vec<_> = of_kind(events, kind)
            .iter()
            .map(|event| event["id"].to_string())
            .collect();
        ids.sort();
        ids.dedup();
        assert_eq!((ids.len(), of_kind(events, kind).len()), (count, count), "{kind}");
    }
}

/// Each report once: in its inbox, as a prompt in its transcript, and to its model.
fn heard_of_all(parlour: &Parlour, dir: &Path, model: &ModelServer) {
    let mut events = Vec::new();
    until("all calls have ended", PATIENCE, || {
        events = parlour.events("lead");
        endings(&events).iter().all(|(_, how)| *how != "open")
    });
    every_call_once(&events, 10);
    let inbox: Value = serde_json::from_slice(&fs::read(dir.join("inbox.json")).unwrap()).unwrap();
    let messages = inbox["messages"].as_array().unwrap();
    assert_eq!(messages.len(), TEAM.len(), "{inbox}");
    let from_inbox: Vec<_> = of_kind(&events, "prompt")
        .into_iter()
        .filter(|e| e["from"] == "inbox")
        .collect();
    assert_eq!(
        (from_inbox.len(), of_kind(&events, "message").len()),
        (3, 3),
        "{from_inbox:#?}"
    );
    for member in &TEAM {
        let words = format!("Message from {} (your child): {}", member.llm, member.report());
        assert_eq!(
            from_inbox.iter().filter(|e| e["text"] == words).count(),
            1,
            "{from_inbox:#?}"
        );
        let told = messages
            .iter()
            .filter(|m| m["from"] == member.llm && m["message"] == member.report());
        assert_eq!(told.filter(|message| message["read"] == true).count(), 1, "{inbox}");
    }
    let answers = model
        .conversation()
        .into_iter()
        .map(|asked| asked.tool_results.join("\n"));
    let answers: Vec<String> = answers.filter(|answer| answer.contains("That was the way")).collect();
    for member in &TEAM {
        assert!(
            answers.iter().any(|answer| answer.contains(&member.last_words())),
            "{answers:?}"
        );
    }
}
