//! What Claude Code writes where somebody goes back in it (`Esc` `Esc`, or an early `Esc`), and what of it still counts.

use std::fs;
use std::path::{Path, PathBuf};

use crate::agents::claude::Claude;
use crate::agents::tests::AgentsStage;
use crate::agents::{Adapter, Fork};
use crate::model::talk::{OwnRewind, RewindEnd};
use crate::model::{EarlierPrompt, Happened};

/// As 2.1.197 and 2.1.332 wrote it.
const SAMPLES: [&str; 2] = ["transcript-went-back.jsonl", "transcript-2.1.332-went-back.jsonl"];

const SESSION: &str = "d7be2549-f36a-4b48-859c-39f68e5de3e5";

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/agents/claude")
        .join(name)
}

/// The prompts in these lines, each with its id, and what was taken back, as the lines come.
fn told(path: &Path, lines: &str) -> (Vec<(String, String)>, Vec<OwnRewind>) {
    let mut reader = Claude.transcript_reader();
    let (mut prompts, mut rewinds) = (Vec::new(), Vec::new());
    for line in lines.lines() {
        prompts.extend(reader.line(line).into_iter().filter_map(|told| match told.what {
            Happened::Prompt { id, text, .. } => Some((id, text)),
            _ => None,
        }));
        rewinds.extend(reader.take_rewinds(path));
    }
    (prompts, rewinds)
}

#[test]
fn the_next_prompt_says_what_was_taken_back() {
    for name in SAMPLES {
        let path = sample(name);
        let text = fs::read_to_string(&path).unwrap();
        let (prompts, rewinds) = told(&path, &text);
        let said: Vec<&str> = prompts.iter().map(|(_, text)| text.as_str()).collect();
        let all = [
            "count the gulls",
            "count the terns",
            "count the skuas",
            "count the terns and the owls",
            "count the wrens",
            "count the gulls first",
            "be slow",
            "be slow C-u",
        ];
        assert_eq!(said, all, "{name}");
        let taken = |first: usize, next: usize| OwnRewind::Before {
            prompt: prompts[first].0.clone(),
            text: String::new(),
            goes_on: RewindEnd::With(prompts[next].0.clone()),
        };
        assert_eq!(rewinds, [taken(1, 3), taken(0, 5), taken(6, 7)], "{name}");
    }
}

#[test]
fn a_reader_that_begins_in_the_midst_knows_it_by_the_whole_transcript() {
    for name in SAMPLES {
        let path = sample(name);
        let text = fs::read_to_string(&path).unwrap();
        let from = text.find("count the terns and the owls").unwrap();
        let begins = text[..from].rfind('\n').unwrap() + 1;
        let (prompts, rewinds) = told(&path, &text[begins..]);
        assert_eq!(prompts.len(), 5);
        let [OwnRewind::Before { goes_on, .. }, _, _] = &rewinds[..] else {
            panic!("{rewinds:?}");
        };
        assert_eq!(*goes_on, RewindEnd::With(prompts[0].0.clone()));
    }
}

#[test]
fn calls_side_by_side_and_what_a_compaction_begins_with_take_nothing_back() {
    for name in [
        "transcript.jsonl",
        "transcript-2.1.332.jsonl",
        "transcript-2.1.332-cut.jsonl",
    ] {
        let path = sample(name);
        assert_eq!(told(&path, &fs::read_to_string(&path).unwrap()).1, [], "{name}");
    }
}

/// The CLI goes on from the last line of a copy: that is none that was taken back.
#[test]
fn a_copy_leaves_out_what_was_taken_back() {
    for name in SAMPLES {
        let place = AgentsStage::new();
        let project = place.at("person/.claude/projects/-home-u-chat");
        fs::create_dir_all(&project).unwrap();
        fs::create_dir_all(place.at("records/c")).unwrap();
        let text = fs::read_to_string(sample(name)).unwrap();
        fs::write(project.join(format!("{SESSION}.jsonl")), &text).unwrap();
        let (prompts, _) = told(&sample(name), &text);
        let left = |nth: usize| {
            let (id, text) = prompts[nth].clone();
            let before = EarlierPrompt {
                id,
                text,
                nth: 1,
                session: None,
            };
            match place.goes_back(&Claude, SESSION, &before) {
                Ok(Fork::Session(own)) => {
                    let copy = fs::read_to_string(place.at(&format!("records/c/forked-{own}.jsonl"))).unwrap();
                    let (prompts, _) = told(Path::new("/nowhere"), &copy);
                    prompts.into_iter().map(|(_, text)| text).collect::<Vec<_>>()
                }
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(left(3), ["count the gulls"], "{name}");
        assert_eq!(left(4), ["count the gulls", "count the terns and the owls"], "{name}");
        assert_eq!(left(7), ["count the gulls first"], "{name}");
    }
}
