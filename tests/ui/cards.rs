//! The inspector with what a real CLI's recorded transcript makes: from its lines to the cards on screen.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use parlour::agents::{self, LaunchContext, OfSubAgent, ReadTranscript};
use parlour::config::theme::Theme;
use parlour::domain::approval::card::Cards;
use parlour::domain::approval::shown_cards::Shelf;
use parlour::domain::event::Outcome;
use parlour::domain::work::{Read, ShownRead};
use parlour::domain::{Effect, Event, Work};
use parlour::model::entry::{ChangedLines, ToolStatus};
use parlour::model::{Entry, Happened, Launch, Problem, Reported, Settings, Streamed};
use serde_json::json;

use crate::support::golden::golden;
use crate::support::paper::draw;
use crate::support::world::{ME, World, id, noon};

/// The cards that a recorded transcript gives, as if it had been followed.
fn recorded(llm: &str, file: &str) -> Cards {
    let adapter = agents::find(llm, &Settings::default()).expect("a built-in CLI");
    let mut reader = adapter.transcript_reader();
    cards(fixture(llm, file).lines().flat_map(|line| reader.line(line)))
}

/// As [`recorded`], with what a sub-agent did meanwhile.
fn recorded_with_sub_agent(llm: &str, file: &str, of_sub_agent: &str) -> Cards {
    let adapter = agents::find(llm, &Settings::default()).expect("a built-in CLI");
    let (mut reader, lines) = (adapter.transcript_reader(), fixture(llm, file));
    let mut of_its = OfSubAgent::new("a1".into(), adapter.sub_agent_reader());
    let mut told: Vec<Reported> = lines.lines().flat_map(|line| reader.line(line)).collect();
    told.extend(fixture(llm, of_sub_agent).lines().flat_map(|line| of_its.line(line)));
    told.sort_by_key(|told| told.at);
    cards(told.into_iter())
}

/// The cards that a recorded event stream gives, as if it had been followed.
fn followed(llm: &str, file: &str) -> Cards {
    let mut world = World::new(80, 24);
    world.chat("auth", "Fix auth bug", 2);
    let (home, env, settings) = (Path::new("/home/mia/.parlour"), BTreeMap::new(), Settings::default());
    let context = LaunchContext {
        chat: &world.state.domain.disk.chats[&id("auth")].record,
        role: None,
        dir: &home.join("chats/auth"),
        record: &home.join("records/auth"),
        home,
        parlour: Path::new("/bin/parlour"),
        session: "",
        mcp_url: "",
        token: "",
        hook_token: "",
        env: &env,
        settings: &settings,
        tools: &[],
        sandboxed: false,
    };
    let launch = Launch {
        program: "/bin/opencode".into(),
        args: vec!["--port".into(), "20000".into()],
        env: BTreeMap::from([("OPENCODE_SERVER_PASSWORD".into(), "unchecked".into())]),
        cwd: "/".into(),
    };
    let adapter = agents::find(llm, &settings).expect("a built-in CLI");
    let mut stream = adapter.event_stream(&context, &launch).expect("it has a server");
    let lines = fixture(llm, file);
    let said = lines.lines().flat_map(|line| stream.reader.event(line).said);
    cards(said.filter_map(|said| match said {
        Streamed::Reported(told) => Some(told),
        Streamed::Event(_) | Streamed::Awaits(_) | Streamed::WentBack(_) => None,
    }))
}

fn fixture(llm: &str, file: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/agents");
    let text = fs::read_to_string(folder.join(llm).join(file)).expect("a fixture");
    // Where they were recorded is where the chat is.
    let projects = "/home/mia/.parlour/chats/authaaaaaa/projects/grove";
    ["/home/u/chats/gm1", "/home/u/chats/oc1", "/home/u/chat"]
        .iter()
        .fold(text, |text, dir| text.replace(dir, projects))
}

fn cards(told: impl Iterator<Item = Reported>) -> Cards {
    let mut cards = Cards::default();
    for (seq, told) in (1..).zip(told) {
        cards.take(&Entry {
            v: 1,
            seq,
            ts: told.at.unwrap_or(noon()),
            read: None,
            what: told.what,
        });
    }
    cards
}

fn with_cards(cols: u16, rows: u16, cards: &Cards) -> World {
    let mut world = World::morning(cols, rows);
    world.look();
    world.view().inspector.wanted = Some(true);
    world.look();
    world
        .state
        .domain
        .live
        .looked_at
        .shelves
        .insert(id("auth"), Shelf::Here(cards.clone()));
    world
}

const SIZES: [(u16, u16); 2] = [(160, 45), (80, 24)];

/// Pictures the newest cards, and one of them opened: so many up from the newest.
fn pictured(llm: &str, cards: &Cards, up: usize) {
    for (cols, rows) in SIZES {
        let mut world = with_cards(cols, rows, cards);
        let what = "Prompts and calls, newest last; what failed and what was interrupted stands out.";
        golden(
            &format!("cards.{llm}.{cols}x{rows}"),
            what,
            draw(&world.state, ME, &Theme::dark()),
        );
        world.press(&format!("tab tab {}space", "up ".repeat(up)));
        let what = "One call is opened: its input, and what came back.";
        golden(
            &format!("cards.{llm}-open.{cols}x{rows}"),
            what,
            draw(&world.state, ME, &Theme::dark()),
        );
    }
}

#[test]
fn what_claude_code_did_stands_beside_its_terminal() {
    pictured(
        "claude",
        &recorded_with_sub_agent("claude", "transcript.jsonl", "transcript-subagent.jsonl"),
        6,
    );
}

#[test]
fn what_codex_did_stands_beside_its_terminal() {
    pictured("codex", &recorded("codex", "rollout.jsonl"), 1);
}

#[test]
fn what_gemini_did_stands_beside_its_terminal() {
    pictured("gemini", &recorded("gemini", "transcript.jsonl"), 1);
}

#[test]
fn what_opencode_did_stands_beside_its_terminal() {
    pictured("opencode", &followed("opencode", "events.jsonl"), 3);
}

/// One call whose output is longer than its preview.
fn long_output() -> Cards {
    output_in(Some("outputs/t1"))
}

/// A call whose whole output is kept in a file, or stands in its card.
fn output_in(file: Option<&str>) -> Cards {
    let told = [
        Happened::ToolStart {
            id: "t1".into(),
            name: "mcp__ci__logs".into(),
            input: json!({ "url": "https://ci.example/7" }),
            dir: None,
            parent: None,
        },
        Happened::ToolEnd {
            id: "t1".into(),
            status: ToolStatus::Ok,
            preview: "line 1\nline 2\n".into(),
            bytes: 150_000,
            lines: 9_000,
            output: file.map(str::to_string),
            cut: None,
            whole: None,
            changed: None,
            ms: Some(40),
        },
    ];
    cards(told.into_iter().map(|what| Reported { at: None, what }))
}

#[test]
fn the_line_below_a_long_output_opens_it_by_mouse_and_one_that_is_gone_is_said() {
    let mut world = with_cards(160, 45, &long_output());
    world.press("tab tab space");
    let panel = parlour::screen::layout::arrange(world.view()).inspector.expect("shown");
    let text = draw(&world.state, ME, &Theme::dark()).to_string();
    let row = text
        .lines()
        .position(|line| line.contains("9000 lines"))
        .expect("its last line");
    let effects = world.click(panel.list.x + 4, u16::try_from(row).unwrap());
    let Some(Effect::Work(work, Work::Read(Read::Shown(ShownRead::Output(_))))) = effects.first() else {
        panic!("{effects:?}");
    };
    let gone = Problem::new("reading a call's output", "it is gone", "");
    world.happens(Event::Done(*work, Outcome::Failed(gone)));
    assert!(world.view().over.dialog.is_none());
    assert!(
        draw(&world.state, ME, &Theme::dark())
            .to_string()
            .contains("it is gone")
    );
}

#[test]
fn before_anything_was_done_the_inspector_says_so() {
    let world = with_cards(160, 45, &Cards::default());
    assert!(
        draw(&world.state, ME, &Theme::dark())
            .to_string()
            .contains("Nothing was asked or done yet.")
    );
}

#[test]
fn a_click_opens_a_card_and_a_second_one_closes_it() {
    let cards = recorded("claude", "transcript.jsonl");
    let mut world = with_cards(160, 45, &cards);
    let panel = parlour::screen::layout::arrange(world.view()).inspector.expect("shown");
    let shows = |world: &World| draw(&world.state, ME, &Theme::dark()).to_string();
    let before = shows(&world);
    world.click(panel.list.x + 4, panel.list.y);
    assert_ne!(shows(&world), before);
    assert_eq!(world.view().inspector.open.len(), 1);
    let opened = world.view().inspector.selected;
    world.click(panel.list.x + 4, panel.list.y);
    assert!(world.view().inspector.open.is_empty(), "{opened:?}");
}

#[test]
fn cards_are_read_when_somebody_looks_and_let_go_when_nobody_does() {
    let mut world = World::morning(120, 40);
    world.look();
    assert!(world.state.domain.live.looked_at.shelves.is_empty());
    world.press("c");
    assert_eq!(
        world.state.domain.live.looked_at.shelves.keys().collect::<Vec<_>>(),
        [&id("auth")]
    );
    world.press("c");
    assert!(world.state.domain.live.looked_at.shelves.is_empty());
}

#[test]
fn f_says_where_every_card_shows_all_of_its_output() {
    let mut world = with_cards(160, 45, &output_in(None));
    assert_eq!(world.press("f"), []);
    assert!(world.view().over.toasts[0].text.contains("Enter opens a card"));
    // A card that is selected is opened: that is the whole of it.
    world.forget_toasts();
    let panel = parlour::screen::layout::arrange(world.view()).inspector.expect("shown");
    for _ in 0..2 {
        world.click(panel.list.x + 4, panel.list.y);
    }
    assert!(world.view().inspector.selected.is_some() && world.view().inspector.open.is_empty());
    world.press("f");
    assert_eq!(world.view().inspector.open.len(), 1);
    world.press("f");
    assert_eq!(world.view().inspector.open.len(), 1, "it stays open");
    assert!(world.view().over.toasts.is_empty());
}

#[test]
fn an_output_that_its_cli_cut_says_so() {
    let cut = Happened::tool_ended("t1", ToolStatus::Ok, "line 1\n".into(), Some(40)).cut_by_cli(None);
    let begins = Happened::ToolStart {
        id: "t1".into(),
        name: "Bash".into(),
        input: json!({ "command": "seq 1 20000" }),
        dir: None,
        parent: None,
    };
    let told = [begins, cut].into_iter().map(|what| Reported { at: None, what });
    let mut world = with_cards(160, 45, &cards(told));
    world.press("tab tab space");
    let text = draw(&world.state, ME, &Theme::dark()).to_string();
    assert!(text.contains("cut by the CLI"), "{text}");
}

#[test]
fn a_file_that_was_written_over_is_told_with_what_differs() {
    let begins = Happened::ToolStart {
        id: "t1".into(),
        name: "Write".into(),
        input: json!({ "file_path": "README.md", "content": "# Grove\nnew\nwords\n" }),
        dir: None,
        parent: None,
    };
    let diff = " # Grove\n-old\n+new\n+words\n".to_string();
    let changed = ChangedLines { added: 2, removed: 1 };
    let ends = Happened::tool_ended("t1", ToolStatus::Ok, diff, Some(40)).with_changes(Some(changed));
    let told = [begins, ends].into_iter().map(|what| Reported { at: None, what });
    let mut world = with_cards(160, 45, &cards(told));
    world.press("tab tab space");
    let text = draw(&world.state, ME, &Theme::dark()).to_string();
    assert!(text.contains("+2 −1"), "{text}");
    assert!(text.contains("-old") && text.contains("+words"), "{text}");
}
