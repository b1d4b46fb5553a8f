//! A session in which somebody went back twice in the CLI, as 0.169.0 wrote it: three files.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::agents::codex::Codex;
use crate::agents::tests::AgentsStage;
use crate::agents::{Adapter, Fork};
use crate::model::talk::{OwnRewind, RewindEnd};
use crate::model::{EarlierPrompt, Happened, HookCall, Timestamp};

const SESSION: &str = "01a21faf-0976-7a20-af70-acc1b21ac17a";

/// A home in which it lies, and its files, oldest first.
fn session() -> (AgentsStage, Vec<PathBuf>) {
    let place = AgentsStage::new();
    let day = place.at("person/.codex/sessions/2026/11/28");
    fs::create_dir_all(&day).unwrap();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/agents/codex/went-back");
    let mut files = Vec::new();
    for sample in fs::read_dir(samples).unwrap() {
        let sample = sample.unwrap().path();
        let file = day.join(sample.file_name().unwrap());
        fs::copy(sample, &file).unwrap();
        files.push(file);
    }
    files.sort();
    assert_eq!(files.len(), 3);
    (place, files)
}

/// The prompts in these lines, each with its id.
fn prompts(lines: &str) -> Vec<(String, String)> {
    let mut reader = Codex.transcript_reader();
    let told = lines.lines().flat_map(|line| reader.line(line));
    let prompts = told.filter_map(|told| match told.what {
        Happened::Prompt { id, text, .. } => Some((id, text)),
        _ => None,
    });
    prompts.collect()
}

fn texts(lines: &str) -> Vec<String> {
    prompts(lines).into_iter().map(|(_, text)| text).collect()
}

#[test]
fn what_was_said_since_is_the_agents_own_and_no_sub_agents() {
    let (place, files) = session();
    assert_eq!(Codex.own_transcripts(&place.at("chats/c"), SESSION, &place.env), files);
    for (file, said) in files.iter().zip([3, 3, 1]) {
        assert_eq!(prompts(&fs::read_to_string(file).unwrap()).len(), said);
        assert_eq!(Codex.sub_agent(&files[0], file), None, "{}", file.display());
        let payload = json!({"session_id": SESSION, "transcript_path": file});
        let call = HookCall {
            agent: "codex".into(),
            event: "SessionStart".into(),
            payload,
        };
        assert_eq!(Codex.transcript(&call, &place.env).as_ref(), Some(file));
    }
}

#[test]
fn each_file_says_from_which_prompt_on_the_one_before_it_counts_no_more() {
    let (_place, files) = session();
    let id = |file: &PathBuf, nth: usize| prompts(&fs::read_to_string(file).unwrap())[nth].0.clone();
    let taken = |prompt: String, at: &str| {
        let at = Timestamp::try_from(at.to_owned()).unwrap();
        let goes_on = RewindEnd::At(at);
        let text = String::new();
        Some(OwnRewind::Before { prompt, text, goes_on })
    };
    assert_eq!(Codex.went_back(&files[0]), None);
    let first = taken(id(&files[0], 1), "2026-11-28T01:05:24.233Z");
    assert_eq!(Codex.went_back(&files[1]), first, "`Num 2`");
    let second = taken(id(&files[1], 1), "2026-11-28T01:12:11.098Z");
    assert_eq!(Codex.went_back(&files[2]), second, "`Num 4`");
}

#[test]
fn it_goes_on_from_a_copy_of_what_still_counts() {
    let (place, files) = session();
    let newest = prompts(&fs::read_to_string(&files[2]).unwrap());
    let (id, text) = newest[0].clone();
    let copy = |before: &EarlierPrompt| match place.goes_back(&Codex, SESSION, before) {
        Ok(Fork::Session(own)) => {
            let name = files[0].file_name().unwrap().to_string_lossy().replace(SESSION, &own);
            fs::read_to_string(files[0].with_file_name(name)).unwrap()
        }
        other => panic!("{other:?}"),
    };
    let earlier = |id: &str, text: &str, nth| EarlierPrompt {
        id: id.into(),
        text: text.into(),
        nth,
        session: None,
    };
    let lines = copy(&earlier(&id, &text, 2));
    assert_eq!(texts(&lines), ["Num 1", "Num 2 EDITED"]);
    assert!(!lines.contains(SESSION) && !lines.contains("history_base"), "{lines}");
    assert_eq!(lines.matches("session_meta").count(), 1);
    assert_eq!(texts(&copy(&earlier("", "Num 2 EDITED", 1))), ["Num 1"]);
    let taken_back = earlier("", "Num 3", 2);
    assert!(place.goes_back(&Codex, SESSION, &taken_back).is_err());
}
