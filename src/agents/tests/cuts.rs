//! A conversation that ends before one of its prompts, of each CLI that can go on from there.

use std::fs;

use crate::agents::{Adapter, Fork, LookedBack};
use serde_json::{Value, json};

use crate::agents::claude::Claude;
use crate::agents::codex::Codex;
use crate::agents::demo::DemoAdapter;
use crate::agents::gemini::Gemini;
use crate::agents::tests::{AgentsStage, SESSION};
use crate::model::{EarlierPrompt, Happened};

fn prompt(id: &str, text: &str, nth: usize) -> EarlierPrompt {
    EarlierPrompt {
        id: id.into(),
        text: text.into(),
        nth,
        session: None,
    }
}

fn session_of(fork: Fork) -> String {
    match fork {
        Fork::Session(session) => session,
        Fork::Ready | Fork::Empty | Fork::Impossible => panic!("no session: {fork:?}"),
    }
}

const CLAUDES: &str = include_str!("../../../tests/fixtures/agents/claude/transcript.jsonl");

fn claude() -> AgentsStage {
    let place = AgentsStage::new();
    fs::create_dir_all(place.at("person/.claude/projects/slug")).unwrap();
    let transcript = place.at(&format!("person/.claude/projects/slug/{SESSION}.jsonl"));
    fs::write(transcript, CLAUDES).unwrap();
    place
}

#[test]
fn claude_goes_on_from_a_copy_that_ends_before_the_prompt() {
    let place = claude();
    let third = prompt("50aad55b-0933-4f73-90bf-c68efe55f30b", "turn three", 2);
    let session = session_of(place.goes_back(&Claude, SESSION, &third).unwrap());
    let copy = place.read(&format!("records/c/forked-{session}.jsonl"));
    let ahead: Vec<&str> = CLAUDES
        .lines()
        .take(32)
        .filter(|line| !line.contains("\"last-prompt\""))
        .collect();
    assert_eq!(copy.lines().collect::<Vec<_>>(), ahead);
    assert_eq!(ahead.len(), 31);
    assert!(copy.contains("turn two use a subagent") && !copy.contains("turn three"));
    let args = place.prepare_in(&Claude, &session).launch.args;
    let file = place
        .at(&format!("records/c/forked-{session}.jsonl"))
        .display()
        .to_string();
    let resumes = ["--resume", &file, "--fork-session", "--session-id", &session];
    assert!(args.ends_with(&resumes.map(String::from)), "{args:?}");
    // The session that it was made of goes on as before: by its file, since the sample is of another directory.
    let args = place.prepare(&Claude).launch.args;
    let own = place.at(&format!("person/.claude/projects/slug/{SESSION}.jsonl"));
    assert!(
        args.ends_with(&["--resume".into(), own.display().to_string()]),
        "{args:?}"
    );
}

#[test]
fn claude_goes_back_twice_before_it_is_started() {
    let place = claude();
    let third = prompt("50aad55b-0933-4f73-90bf-c68efe55f30b", "turn three", 2);
    let once = session_of(place.goes_back(&Claude, SESSION, &third).unwrap());
    let second = prompt("332cc214-2522-4c7b-8bb3-147c49f3e595", "turn two use a subagent", 1);
    let twice = session_of(place.goes_back(&Claude, &once, &second).unwrap());
    let copy = place.read(&format!("records/c/forked-{twice}.jsonl"));
    assert!(copy.contains("please make hello.txt") && !copy.contains("turn two"));
}

#[test]
fn before_its_first_prompt_nothing_was_said() {
    let first = prompt("8b609390-ca8b-47ee-8ca4-2a4c4e9da2d2", "please make hello.txt", 0);
    assert_eq!(claude().goes_back(&Claude, SESSION, &first), Ok(Fork::Empty));
}

/// The turns ahead of the third prompt were taken back in the CLI, and that prompt follows nothing.
#[test]
fn what_a_person_took_back_leaves_nothing_ahead_and_that_is_known_before() {
    let place = AgentsStage::new();
    fs::create_dir_all(place.at("person/.claude/projects/slug")).unwrap();
    let user = |id: &str, parent: Option<&str>, prompt: &str, text: &str| {
        let said = json!({ "role": "user", "content": text });
        json!({ "type": "user", "uuid": id, "parentUuid": parent, "promptId": prompt, "sessionId": SESSION, "message": said })
    };
    let lines = [
        user("a", None, "1", "one"),
        user("b", Some("a"), "2", "two"),
        user("c", None, "3", "three"),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let transcript = place.at(&format!("person/.claude/projects/slug/{SESSION}.jsonl"));
    fs::write(transcript, text).unwrap();
    let third = prompt("3", "three", 2);
    assert_eq!(place.looks_back(&Claude, SESSION, &third), Ok(LookedBack::Nothing));
    assert_eq!(place.goes_back(&Claude, SESSION, &third), Ok(Fork::Empty));
    let second = prompt("2", "two", 1);
    assert_eq!(place.looks_back(&Claude, SESSION, &second), Ok(LookedBack::Talk));
}

#[test]
fn a_prompt_is_found_by_its_place_where_its_id_is_another() {
    let third = prompt("typed-7", "turn  three\n", 2);
    let place = claude();
    let session = session_of(place.goes_back(&Claude, SESSION, &third).unwrap());
    let copy = place.read(&format!("records/c/forked-{session}.jsonl"));
    assert_eq!(copy.lines().count(), 31);
    let elsewhere = prompt("typed-7", "turn three", 1);
    let problem = place.goes_back(&Claude, SESSION, &elsewhere).unwrap_err();
    assert!(problem.to_string().contains("does not have that prompt"), "{problem}");
}

#[test]
fn the_demo_agent_goes_on_from_an_earlier_prompt() {
    let place = AgentsStage::new();
    let said = |id: &str| format!("{{\"kind\":\"prompt\",\"text\":\"say {id}\",\"id\":\"{id}\"}}\n");
    fs::write(place.at("records/c/demo.jsonl"), said("a") + &said("b") + &said("c")).unwrap();
    let session = session_of(
        place
            .goes_back(&DemoAdapter, SESSION, &prompt("b", "say b", 1))
            .unwrap(),
    );
    assert_eq!(place.read(&format!("records/c/demo-{session}.jsonl")), said("a"));
    let transcript = |session: &str| {
        let prepared = place.prepare_in(&DemoAdapter, session);
        assert!(prepared.resumes);
        prepared.launch.env["PARLOUR_DEMO_TRANSCRIPT"].clone()
    };
    assert!(transcript(&session).ends_with(&format!("demo-{session}.jsonl")));
    assert!(transcript(SESSION).ends_with("demo.jsonl"));
}

const ROLLOUT: &str = include_str!("../../../tests/fixtures/agents/codex/rollout-turns.jsonl");

/// The sample's own id, under which its lines name it.
fn rollout_id() -> String {
    let first: Value = serde_json::from_str(ROLLOUT.lines().next().unwrap()).unwrap();
    first["payload"]["id"].as_str().unwrap().into()
}

fn codex() -> (AgentsStage, String) {
    let place = AgentsStage::new();
    let id = rollout_id();
    fs::create_dir_all(place.at("person/.codex/sessions/2026/11/21")).unwrap();
    fs::write(place.at(&codex_file(&id)), ROLLOUT).unwrap();
    (place, id)
}

fn codex_file(session: &str) -> String {
    format!("person/.codex/sessions/2026/11/21/rollout-2026-11-21T19-07-14-{session}.jsonl")
}

/// The prompts of the sample.
fn codex_prompt(nth: usize) -> EarlierPrompt {
    let mut reader = Codex.transcript_reader();
    let told = ROLLOUT.lines().flat_map(|line| reader.line(line));
    let prompts = told.filter_map(|told| {
        let Happened::Prompt { id, text, .. } = told.what else {
            return None;
        };
        Some((id, text))
    });
    let (id, text) = prompts.into_iter().nth(nth).unwrap();
    prompt(&id, &text, nth)
}

#[test]
fn codex_goes_on_from_a_copy_that_ends_before_the_turn() {
    let (place, id) = codex();
    let session = session_of(place.goes_back(&Codex, &id, &codex_prompt(1)).unwrap());
    let copy = place.read(&codex_file(&session));
    // The turn's `task_started` is the thirtieth line.
    assert_eq!(copy.lines().count(), 29);
    assert!(!copy.contains(&id) && copy.contains(&session));
    assert_eq!(
        copy.replace(&session, &id),
        ROLLOUT.lines().take(29).collect::<Vec<_>>().join("\n") + "\n"
    );
    assert_eq!(place.read(&codex_file(&id)), ROLLOUT, "the old session stays as it is");
}

#[test]
fn codex_loses_no_prompt_of_a_turn_that_another_was_added_to() {
    let (place, id) = codex();
    let session = session_of(place.goes_back(&Codex, &id, &codex_prompt(8)).unwrap());
    assert_eq!(place.read(&codex_file(&session)).lines().count(), 88);
}

#[test]
fn codex_goes_back_behind_and_before_a_compaction() {
    let (place, id) = codex();
    let behind = session_of(place.goes_back(&Codex, &id, &codex_prompt(11)).unwrap());
    assert!(place.read(&codex_file(&behind)).contains("\"compacted\""));
    let before = session_of(place.goes_back(&Codex, &id, &codex_prompt(10)).unwrap());
    assert!(!place.read(&codex_file(&before)).contains("\"compacted\""));
    assert_eq!(place.goes_back(&Codex, &id, &codex_prompt(0)), Ok(Fork::Empty));
}

const GEMINIS: &str = include_str!("../../../tests/fixtures/agents/gemini/transcript.jsonl");

#[test]
fn gemini_goes_on_from_a_copy_that_ends_before_the_prompt() {
    let place = AgentsStage::new();
    let id = "a45bfd34-32e9-4691-a822-350d72f74244";
    let file = |id: &str| format!("person/.gemini/tmp/c/chats/session-2026-11-21T13-38-{}.jsonl", &id[..8]);
    fs::create_dir_all(place.at("person/.gemini/tmp/c/chats")).unwrap();
    fs::write(place.at(&file(id)), GEMINIS).unwrap();
    let second = prompt(
        "9923e3c5-6e1f-43fc-bada-452e9dfb5d30",
        "line one\nline two\nline three",
        1,
    );
    let session = session_of(place.goes_back(&Gemini, id, &second).unwrap());
    let copy = place.read(&file(&session));
    let kinds: Vec<String> = copy
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["type"].to_string())
        .collect();
    assert_eq!(
        kinds[..3],
        ["null", "\"user\"", "\"user\""],
        "the header, the context, the prompt"
    );
    assert!(copy.contains("say hello") && copy.contains("functionResponse") && !copy.contains("line one"));
    assert!(!copy.contains(id), "{copy}");
    assert_eq!(place.read(&file(id)), GEMINIS, "the old session stays as it is");
    let first = prompt("fc746158-1c32-4ec1-b38a-951e788b5f49", "say hello", 0);
    assert_eq!(place.goes_back(&Gemini, id, &first), Ok(Fork::Empty));
}
