//! A transcript read page by page.

use std::io::Write;

use super::*;
use crate::model::transcript::{PageAt, PageLine, TranscriptPage};

fn seqs(pages: &[TranscriptPage]) -> Vec<u64> {
    let of = |line: &PageLine| match line {
        PageLine::Entry(entry) => Some(entry.seq),
        PageLine::Gap(_) => None,
    };
    pages.iter().flat_map(|page| page.lines.iter().filter_map(of)).collect()
}

fn gaps(pages: &[TranscriptPage]) -> u64 {
    let of = |line: &PageLine| match line {
        PageLine::Entry(_) => 0,
        PageLine::Gap(bytes) => *bytes,
    };
    pages.iter().flat_map(|page| page.lines.iter().map(of)).sum()
}

/// Two thousand entries, every fifth of them a prompt, a broken line and one of ten megabytes among them.
fn place_with_damage() -> (StoreStage, ChatId) {
    let place = place();
    let id = place.chat("Fix auth", 1);
    let mut journal = Journal::open(&place.home, &id).unwrap();
    let told = |from: u64| {
        let what = |at: u64| {
            if at.is_multiple_of(5) {
                prompt("do it")
            } else {
                said(&"word ".repeat(200))
            }
        };
        (from..from + 1_000).map(what).collect::<Vec<_>>()
    };
    journal.append(NOW, told(0)).unwrap();
    let path = place.home.record_path(&id).join("events.jsonl");
    let mut file = std::fs::OpenOptions::new().append(true).open(path).unwrap();
    file.write_all(b"{\"v\":1,\"seq\":broken\n").unwrap();
    file.write_all(&[b'x'; 10 << 20]).unwrap();
    file.write_all(b"\n").unwrap();
    let mut journal = Journal::open(&place.home, &id).unwrap();
    journal.append(NOW, told(1_000)).unwrap();
    (place, id)
}

#[test]
fn pages_from_the_end_hold_each_line_once() {
    let (place, id) = place_with_damage();
    let mut pages = vec![place.home.page(&id, PageAt::End).unwrap()];
    assert_eq!(pages[0].to, pages[0].whole);
    while pages[0].from > 0 {
        let before = place.home.page(&id, PageAt::Before(pages[0].from)).unwrap();
        assert_eq!(before.to, pages[0].from);
        pages.insert(0, before);
    }
    assert!(pages.len() > 4);
    assert_eq!(seqs(&pages), (1..=2_000).collect::<Vec<_>>());
    assert_eq!(gaps(&pages), 20 + (10 << 20) + 1);
}

#[test]
fn pages_from_the_start_hold_each_line_once() {
    let (place, id) = place_with_damage();
    let mut pages = vec![place.home.page(&id, PageAt::Start).unwrap()];
    while let Some(last) = pages.last().filter(|last| last.to < last.whole) {
        let next = place.home.page(&id, PageAt::After(last.to)).unwrap();
        assert!(next.to > last.to);
        pages.push(next);
    }
    assert_eq!(seqs(&pages), (1..=2_000).collect::<Vec<_>>());
    assert_eq!(gaps(&pages), 20 + (10 << 20) + 1);
}

#[test]
fn a_page_around_an_entry_holds_it_and_knows_how_many_prompts_were_before() {
    let (place, id) = place_with_damage();
    for seq in [1, 700, 1_000, 1_001, 1_500, 2_000] {
        let page = place.home.page(&id, PageAt::Around(seq)).unwrap();
        let held = seqs(std::slice::from_ref(&page));
        assert!(held.contains(&seq), "{seq} is not among {held:?}");
        // Entries 1, 6, 11 and so on are prompts.
        let before = held[0] - 1;
        assert_eq!(
            page.prompts_before,
            Some(u32::try_from(before.div_ceil(5)).unwrap()),
            "before {}",
            held[0]
        );
    }
}

#[test]
fn an_entry_behind_one_that_is_longer_than_a_page_is_found() {
    let place = place();
    let id = place.chat("Fix auth", 1);
    let mut journal = Journal::open(&place.home, &id).unwrap();
    let long = said(&"word ".repeat(150_000));
    journal.append(NOW, vec![prompt("one"), long, said("sought")]).unwrap();
    let many = (0..600).map(|_| said("x")).collect();
    journal.append(NOW, many).unwrap();
    for seq in [2, 3, 4] {
        let page = place.home.page(&id, PageAt::Around(seq)).unwrap();
        assert!(seqs(std::slice::from_ref(&page)).contains(&seq), "{seq}");
    }
}

#[test]
fn a_prompt_within_an_input_is_no_prompt() {
    let place = place();
    let id = place.chat("Fix auth", 1);
    let start = Happened::ToolStart {
        id: "t".into(),
        name: "Task".into(),
        input: serde_json::json!({"kind": "prompt", "text": "\"kind\":\"prompt\""}),
        dir: None,
        parent: None,
    };
    let mut journal = Journal::open(&place.home, &id).unwrap();
    journal.append(NOW, vec![prompt("one"), start]).unwrap();
    let many = (0..600).map(|_| said("x")).collect();
    journal.append(NOW, many).unwrap();
    assert_eq!(place.home.page(&id, PageAt::End).unwrap().prompts_before, Some(1));
}

#[test]
fn a_prompt_that_steered_counts_for_no_turn() {
    let place = place();
    let id = place.chat("Fix auth", 1);
    let steer = |text: &str| Happened::Prompt {
        id: "s".into(),
        steer: true,
        text: text.into(),
        from: crate::model::entry::From::Person,
        sender: None,
        checkpoint: None,
        key: String::new(),
    };
    let mut journal = Journal::open(&place.home, &id).unwrap();
    let steers = [steer("not in src"), steer(&"not in src, ".repeat(500))];
    let told = [prompt("\"steer\":true")].into_iter().chain(steers);
    journal.append(NOW, told.collect::<Vec<_>>()).unwrap();
    let many = (0..600).map(|_| said("x")).collect();
    journal.append(NOW, many).unwrap();
    assert_eq!(place.home.page(&id, PageAt::End).unwrap().prompts_before, Some(1));
}
