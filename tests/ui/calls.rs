//! Calls as a person reads them: each kind of tool, in each state, at each width.

use parlour::config::theme::Theme;
use parlour::domain::event::Outcome;
use parlour::domain::work::{Read, ReadDone};
use parlour::domain::{Effect, Event, Work};
use parlour::model::entry::{Cut, ToolStatus};
use parlour::model::{Entry, Happened, Status, Timestamp};
use serde_json::{Value, json};

use crate::support::golden::golden;
use crate::support::paper::draw;
use crate::support::world::{ME, World, id, noon};

/// Opens a card in its place.
const OPEN: &str = "space";

const HOME: &str = "/home/mia/.parlour/chats/authaaaaaa";
const PATCH: &str = "*** Begin Patch\n*** Update File: projects/grove/src/auth/session.rs\n@@ impl Session {\n     fn open(&self) {\n-        self.check();\n+        self.check()?;\n     }\n*** Add File: projects/grove/notes.md\n+# Notes\n+\n+Expired tokens answer 401.\n*** Delete File: projects/grove/old.txt\n*** End Patch";

fn path(rest: &str) -> String {
    format!("{HOME}/projects/grove/{rest}")
}

/// A call of each kind, with what comes back of it.
fn kinds() -> Vec<(&'static str, Value, String)> {
    let edit = json!({
        "replace_all": false,
        "file_path": path("src/auth/session.rs"),
        "old_string": "    fn claims(&self) -> Claims {\n        let claims = decode(&self.token).unwrap();\n        claims\n    }",
        "new_string": "    fn claims(&self) -> Result<Claims, Denied> {\n        let Ok(claims) = decode(&self.token) else {\n            return Err(Denied::Expired);\n        };\n        Ok(claims)\n    }",
    });
    let command = format!(
        "cd {HOME}/projects/grove && RUST_LOG=debug cargo test --package auth -- --nocapture expired 2>&1 | tail -40; echo \"done: $?\"",
    );
    let tested = "\u{1b}[1m\u{1b}[32m   Compiling\u{1b}[0m auth v0.1.0\nrunning 2 tests\ntest live ... \u{1b}[32mok\u{1b}[0m\ntest expired ... \u{1b}[31mFAILED\u{1b}[0m\n\u{1b}[38;5;208mwarning\u{1b}[0m: 1 test failed\n";
    let todos = json!({"todos": [
        {"content": "Find the place", "status": "completed", "activeForm": "Finding"},
        {"content": "Fix it", "status": "in_progress", "activeForm": "Fixing"},
        {"content": "Test it", "status": "pending", "activeForm": "Testing"},
    ]});
    vec![
        (
            "Read",
            json!({"file_path": path("src/auth/session.rs"), "offset": 80, "limit": 3}),
            "    80→fn claims(&self) -> Claims {\n    81→    let claims = decode(&self.token).unwrap();\n    82→    claims\n".into(),
        ),
        (
            "Write",
            json!({"file_path": path("tests/expired.rs"), "content": "#[test]\nfn expired() {\n\tassert!(open(\"old\").is_err());\n}\n"}),
            format!("File created successfully at: {}", path("tests/expired.rs")),
        ),
        ("Edit", edit, format!("The file {} has been updated.", path("src/auth/session.rs"))),
        ("apply_patch", json!({"input": PATCH}), "Done!".into()),
        (
            "Bash",
            json!({"command": command, "description": "Run the tests of expired sessions", "timeout": 120_000}),
            tested.into(),
        ),
        (
            "Grep",
            json!({"pattern": "decode\\(", "path": path("src"), "glob": "*.rs", "output_mode": "content"}),
            format!("{}:81: let claims = decode(&self.token).unwrap();", path("src/auth/session.rs")),
        ),
        (
            "WebFetch",
            json!({"url": "https://docs.rs/jsonwebtoken/latest/jsonwebtoken/fn.decode.html", "prompt": "What does decode return for a token that has expired?"}),
            "It returns an `ErrorKind::ExpiredSignature`.".into(),
        ),
        (
            "Task",
            json!({"description": "Find callers of claims", "subagent_type": "Explore", "prompt": "List every caller of `Session::claims`, with the file and the line.\nSay which of them unwrap."}),
            "Three callers, two of them unwrap.".into(),
        ),
        (
            "mcp__github__create_issue",
            json!({"title": "Expired sessions answer 500", "labels": ["bug", "auth"], "body": "They should answer 401.\n\nSee session.rs."}),
            "{\"number\":42}".into(),
        ),
        ("mcp__parlour__open_dir", json!({"path_or_url": "ledger"}), "opened ledger".into()),
        ("TodoWrite", todos, "Todos have been modified successfully.".into()),
        ("Skill", json!({"skill": "commit"}), String::new()),
    ]
}

#[derive(Clone, Copy)]
enum Goes {
    Runs,
    IsAsked,
    Ended(ToolStatus),
}

const STATES: [Goes; 7] = [
    Goes::Runs,
    Goes::IsAsked,
    Goes::Ended(ToolStatus::Ok),
    Goes::Ended(ToolStatus::Error),
    Goes::Ended(ToolStatus::Denied),
    Goes::Ended(ToolStatus::Interrupted),
    Goes::Ended(ToolStatus::Unknown),
];

#[derive(Default)]
struct Told {
    entries: Vec<Entry>,
}

impl Told {
    fn take(&mut self, what: Happened) {
        self.entries.push(Entry {
            v: 1,
            seq: self.entries.len() as u64 + 1,
            ts: Timestamp(noon().0 - 90_000),
            read: None,
            what,
        });
    }

    fn call(&mut self, (name, input, output): (&str, Value, String), goes: Goes) {
        let call = format!("t{}", self.entries.len());
        self.take(Happened::ToolStart {
            id: call.clone(),
            name: name.into(),
            input,
            dir: Some("grove".into()),
            parent: None,
        });
        match goes {
            Goes::Runs => {}
            Goes::IsAsked => self.take(Happened::Permission {
                id: call,
                tool: name.into(),
                input: Value::Null,
                rule: None,
                answer: "asked".into(),
                by: "rule".into(),
                reason: None,
                given_once_written: false,
            }),
            Goes::Ended(status) => self.take(Happened::tool_ended(call, status, output, Some(1_234))),
        }
    }
}

/// The cards of a chat are shown and have the keys.
fn with_cards(chat: &str, (cols, rows): (u16, u16), told: &Told) -> World {
    let mut world = World::morning(cols, rows);
    while world.view().chat != Some(id(chat)) {
        world.press("down");
    }
    for _ in 0..2 {
        let effects = world.press("c");
        let Some(Effect::Work(work, _)) = effects.iter().find(|effect| reads(effect)) else {
            continue;
        };
        let read = ReadDone::Tail(id(chat), told.entries.clone());
        world.happens(Event::Done(*work, Outcome::Read(read)));
        break;
    }
    world
}

fn reads(effect: &Effect) -> bool {
    matches!(effect, Effect::Work(_, Work::Read(Read::Tail(_))))
}

/// All of them are open.
fn opened(chat: &str, size: (u16, u16), told: &Told) -> World {
    let mut world = with_cards(chat, size, told);
    let calls = told
        .entries
        .iter()
        .filter(|entry| matches!(entry.what, Happened::ToolStart { .. }));
    world.press(OPEN);
    for _ in 1..calls.count() {
        world.press("up");
        world.press(OPEN);
    }
    world
}

/// The inspector alone, as it is drawn.
fn column(world: &mut World) -> String {
    let panel = parlour::screen::layout::arrange(world.view()).inspector.expect("shown");
    let screen = draw(&world.state, ME, &Theme::dark());
    let mut text = String::new();
    for y in panel.area.top()..panel.area.bottom() {
        let mut line = String::new();
        let mut skip = false;
        for x in panel.area.left()..panel.area.right() {
            let symbol = screen.buffer[(x, y)].symbol();
            if !std::mem::take(&mut skip) {
                line.push_str(symbol);
            }
            skip = unicode_width::UnicodeWidthStr::width(symbol) > 1;
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text.trim_end_matches("│\n").to_string()
}

/// Widths of the screen. The inspector has 55, 40 and 30 columns beside the rest, and takes the place of it on small ones.
const WIDTHS: [u16; 5] = [240, 160, 120, 80, 60];

#[test]
fn each_kind_of_call_has_a_sign_a_name_and_what_it_is_about_in_every_state() {
    for cols in WIDTHS {
        let mut told = Told::default();
        for kind in kinds() {
            for goes in STATES {
                told.call(kind.clone(), goes);
            }
        }
        let what = "Each kind of call: running, asked about, done, failed, refused, interrupted, unknown.";
        golden(
            &format!("calls.states.{cols}"),
            what,
            column(&mut with_cards("auth", (cols, 100), &told)),
        );
    }
}

#[test]
fn each_kind_of_call_opens_to_what_it_does_and_what_came_back() {
    for cols in WIDTHS {
        let mut told = Told::default();
        for kind in kinds() {
            told.call(kind, Goes::Ended(ToolStatus::Ok));
        }
        let what = "Commands are broken at their operators, edits are diffs that keep their indentation, other inputs are a table.";
        golden(
            &format!("calls.open.{cols}"),
            what,
            column(&mut opened("auth", (cols, 190), &told)),
        );
    }
}

#[test]
fn an_edit_and_what_a_command_printed_have_colours() {
    let mut told = Told::default();
    let mut all = kinds();
    for at in [4, 2] {
        told.call(all.swap_remove(at), Goes::Ended(ToolStatus::Ok));
    }
    let world = opened("auth", (120, 40), &told);
    let styles = format!("{:?}", draw(&world.state, ME, &Theme::dark()).buffer);
    golden(
        "calls.colours.120x40",
        "An edit on the grounds of a diff, and a command's output in its own colours.",
        styles,
    );
}

#[test]
fn where_a_chat_has_several_directories_a_call_says_which_one_it_is_about() {
    let mut told = Told::default();
    let home = "/home/mia/.parlour/chats/datesaaaaa/projects";
    for (name, input) in [
        ("Read", json!({"file_path": format!("{home}/ledger/src/dates.rs")})),
        (
            "Edit",
            json!({"file_path": format!("{home}/ledger-web/src/Dates.tsx"), "old_string": "a", "new_string": "b"}),
        ),
        ("Bash", json!({"command": format!("cd {home}/ledger-web && npm test")})),
        (
            "apply_patch",
            json!({"input": "*** Begin Patch\n*** Update File: projects/ledger/a.rs\n-a\n+b\n*** Update File: projects/ledger-web/b.ts\n-a\n+b\n*** End Patch"}),
        ),
    ] {
        told.take(Happened::ToolStart {
            id: name.into(),
            name: name.into(),
            input,
            dir: None,
            parent: None,
        });
    }
    let mut world = opened("dates", (160, 30), &told);
    golden(
        "calls.directories.160",
        "The directory stands once at the right of its row; paths begin in it.",
        column(&mut world),
    );
}

#[test]
fn bad_input_is_shown_as_it_is() {
    let mut told = Told::default();
    let long = "x".repeat(3_000);
    let controls = "a\u{202e}b\u{7}\u{1b}[2Jc\u{1b}]52;c;aGk=\u{7}d\u{200b}e";
    for (name, input, output) in [
        ("Bash", json!({"command": controls}), controls.to_string()),
        ("Bash", json!({"command": ["ls", 3]}), String::new()),
        (
            "Edit",
            json!({"file_path": "\u{202e}x", "old_string": controls, "new_string": long}),
            String::new(),
        ),
        ("Edit", json!([1, 2]), String::new()),
        ("Read", Value::Null, "日本語のドキュメント".repeat(20)),
        ("apply_patch", json!("no patch"), String::new()),
        ("", json!({"": {"": [[]]}}), String::new()),
    ] {
        told.call((name, input, output), Goes::Ended(ToolStatus::Ok));
    }
    let what = "Hidden characters are spelled out, long lines are cut into rows, odd inputs are shown by name.";
    golden("calls.odd.160", what, column(&mut opened("auth", (160, 150), &told)));
}

#[test]
fn a_long_output_shows_its_beginning_and_how_much_there_is() {
    let mut told = Told::default();
    told.take(Happened::ToolStart {
        id: "t".into(),
        name: "Bash".into(),
        input: json!({"command": "seq 1 9000"}),
        dir: None,
        parent: None,
    });
    told.take(Happened::ToolEnd {
        id: "t".into(),
        status: ToolStatus::Ok,
        preview: (1..=60).map(|line| format!("{line}\n")).collect(),
        bytes: 43_894,
        lines: 9_000,
        output: Some("outputs/t".into()),
        cut: Some(Cut::Cli),
        whole: None,
        changed: None,
        ms: Some(12),
    });
    let mut world = opened("auth", (160, 80), &told);
    let text = column(&mut world);
    assert!(
        text.contains("│ 60\n") && text.contains("9000 lines, 43 kB: f shows it"),
        "{text}"
    );
    assert!(matches!(world.state.domain.status(&id("auth")), Status::Running(_)));
}
