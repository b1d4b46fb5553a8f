//! Transcripts: written, damaged, read.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use proptest::prelude::*;

use super::*;
use crate::model::entry::ToolStatus;
use crate::model::{Entry, Mark};
use crate::store::ReadOffset;

fn file(place: &StoreStage, id: &ChatId) -> PathBuf {
    place.home.record_path(id).join("events.jsonl")
}

fn texts(lines: &[Line]) -> Vec<String> {
    let text = |line: &Line| match line {
        Line::Entry(entry) => match &entry.what {
            Happened::Text { text, .. } | Happened::Prompt { text, .. } => text.clone(),
            other => format!("{other:?}"),
        },
        Line::Gap { bytes } => format!("gap of {bytes}"),
    };
    lines.iter().map(text).collect()
}

fn all(place: &StoreStage, id: &ChatId) -> Vec<Line> {
    place.home.lines(id).unwrap().collect::<Result<_, _>>().unwrap()
}

fn seqs(entries: &[Entry]) -> Vec<u64> {
    entries.iter().map(|entry| entry.seq).collect()
}

#[test]
fn entries_are_numbered_and_read_back_as_they_were_acknowledged() {
    let place = place();
    let id = place.chat("Fix auth", 1);
    let mut journal = Journal::open(&place.home, &id).unwrap();
    let mut told = journal.append(NOW, vec![prompt("do it"), said("doing")]).unwrap();
    told.extend(journal.append(NOW.plus_ms(5), vec![said("done")]).unwrap());
    journal.sync().unwrap();
    assert_eq!(seqs(&told), [1, 2, 3]);
    let read: Vec<Line> = told.into_iter().map(Line::Entry).collect();
    assert_eq!(all(&place, &id), read);
    let chat = place.home.load(&id).unwrap();
    assert_eq!(
        (chat.preview.as_str(), chat.seq, chat.updated),
        ("done", 3, NOW.plus_ms(5))
    );
    let mut next = Journal::open(&place.home, &id).unwrap();
    let stopped = Happened::Status {
        status: "exited".into(),
        detail: "stopped".into(),
        cause: "stopped".into(),
    };
    assert_eq!(seqs(&next.append(NOW.plus_ms(9), vec![stopped]).unwrap()), [4]);
    assert_eq!(
        place.home.load(&id).unwrap().updated,
        NOW.plus_ms(5),
        "it is no activity"
    );
    assert_eq!(seqs(&next.append(NOW, vec![said("more")]).unwrap()), [5]);
    let text = fs::read_to_string(file(&place, &id)).unwrap();
    let first = text.lines().next().unwrap();
    assert!(
        first.starts_with(&format!(
            "{{\"v\":1,\"seq\":1,\"ts\":\"2026-02-15T09:00:00.000Z\",\"chat\":\"{id}\",\"kind\":\"prompt\""
        )),
        "{first}"
    );
}

#[test]
fn an_unfinished_last_line_is_moved_aside_and_said_before_the_next_append() {
    let place = place();
    let id = place.chat("Fix auth", 1);
    Journal::open(&place.home, &id)
        .unwrap()
        .append(NOW, vec![said("one"), said("two")])
        .unwrap();
    let path = file(&place, &id);
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 7]).unwrap();
    let torn = fs::read(&path).unwrap();
    let mut journal = Journal::open(&place.home, &id).unwrap();
    assert_eq!(texts(&all(&place, &id)), ["one"]);
    assert_eq!(
        fs::read(&path).unwrap(),
        torn,
        "neither opening nor reading changes a byte"
    );
    let entries = journal.append(NOW, vec![said("three")]).unwrap();
    assert_eq!(seqs(&entries), [2, 3]);
    assert!(matches!(&entries[0].what, Happened::Error { message, .. } if message.contains("unfinished")));
    let aside = fs::read(place.home.record_path(&id).join(format!("events.torn-{}", NOW.0))).unwrap();
    let first = whole.iter().position(|b| *b == b'\n').unwrap() + 1;
    assert_eq!(aside, &torn[first..]);
    assert_eq!(texts(&place.home.tail(&id, 1).unwrap()), ["three"]);
}

#[test]
fn a_file_that_someone_replaced_is_looked_at_again() {
    let place = place();
    let id = place.chat("Fix auth", 1);
    let path = file(&place, &id);
    let mut journal = Journal::open(&place.home, &id).unwrap();
    journal.append(NOW, vec![said("one"), said("two")]).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    fs::write(&path, text.lines().next().unwrap().to_string() + "\n").unwrap();
    assert_eq!(seqs(&journal.append(NOW, vec![said("again")]).unwrap()), [2]);
    assert_eq!(texts(&all(&place, &id)), ["one", "again"]);
}

#[test]
fn kinds_and_shapes_of_another_version_keep_their_number() {
    let place = place();
    let id = place.chat("Fix auth", 1);
    let line = "{\"v\":2,\"seq\":7,\"ts\":\"2026-02-15T09:00:00Z\",\"kind\":\"revert\",\"to\":3}\n";
    fs::write(file(&place, &id), line).unwrap();
    let Line::Entry(entry) = &all(&place, &id)[0] else {
        panic!()
    };
    let Happened::Unknown { fields } = &entry.what else {
        panic!()
    };
    assert_eq!(
        (entry.seq, &fields["was"], &fields["to"]),
        (7, &"revert".into(), &3.into())
    );
    let mut journal = Journal::open(&place.home, &id).unwrap();
    assert_eq!(seqs(&journal.append(NOW, vec![said("on")]).unwrap()), [8]);
}

#[test]
fn a_line_of_another_chat_is_a_gap() {
    let place = place();
    let (id, other) = (place.chat("One", 1), place.chat("Two", 2));
    Journal::open(&place.home, &other)
        .unwrap()
        .append(NOW, vec![said("stray")])
        .unwrap();
    fs::copy(file(&place, &other), file(&place, &id)).unwrap();
    assert!(matches!(all(&place, &id)[..], [Line::Gap { .. }]));
}

#[test]
fn a_payload_too_long_for_a_line_lies_whole_beside_the_transcript() {
    let place = place();
    let id = place.chat("Fix auth", 1);
    let mut journal = Journal::open(&place.home, &id).unwrap();
    let long = "é\n".repeat(LONGEST);
    let entries = journal.append(NOW, vec![prompt(&long), said("next")]).unwrap();
    let many: Vec<String> = (0..2000).map(|n| format!("{n} {}", "x".repeat(2000))).collect();
    let input = serde_json::json!(many);
    let tool = Happened::ToolStart {
        id: "t".into(),
        name: "Edit".into(),
        input,
        dir: None,
        parent: None,
    };
    let more = journal.append(NOW, vec![tool]).unwrap();
    assert!(
        matches!(&entries[0].what, Happened::Prompt { text, .. } if text.starts_with("é\né") && text.ends_with("… (cut; all of it is in outputs/entry-1.json)"))
    );
    assert!(matches!(&more[0].what, Happened::Unknown { .. }));
    let whole = fs::read_to_string(place.home.record_path(&id).join("outputs/entry-1.json")).unwrap();
    let whole: serde_json::Value = serde_json::from_str(&whole).unwrap();
    assert_eq!(whole["text"].as_str(), Some(long.as_str()));
    let text = fs::read_to_string(file(&place, &id)).unwrap();
    assert!(text.lines().all(|line| line.len() <= LONGEST));
    let read = all(&place, &id);
    assert_eq!(read[..2], entries.into_iter().map(Line::Entry).collect::<Vec<_>>());
    assert_eq!(read.len(), 3);
}

#[test]
fn outputs_longer_than_their_preview_lie_beside_the_transcript() {
    let place = place();
    let id = place.chat("Fix auth", 1);
    let text = "line\n".repeat(100);
    let ended = |id: &str, preview: &str, output: Option<&str>| Happened::ToolEnd {
        id: id.into(),
        status: ToolStatus::Ok,
        preview: preview.into(),
        bytes: if output.is_some() { 500 } else { preview.len() as u64 },
        lines: output.map_or(preview.lines().count() as u64, |_| 100),
        output: output.map(str::to_string),
        cut: None,
        whole: None,
        changed: None,
        ms: None,
    };
    let told = vec![ended("toolu_1", "ok\n", None), ended("toolu_2", &text, None)];
    let entries = Journal::open(&place.home, &id).unwrap().append(NOW, told).unwrap();
    let written: Vec<Happened> = entries.into_iter().map(|entry| entry.what).collect();
    let preview = "line\n".repeat(60);
    assert_eq!(
        written,
        [
            ended("toolu_1", "ok\n", None),
            ended("toolu_2", &preview, Some("outputs/toolu_2"))
        ]
    );
    assert_eq!(
        fs::read_to_string(place.home.record_path(&id).join("outputs/toolu_2")).unwrap(),
        text
    );
}

#[test]
fn any_part_of_a_long_transcript_is_found() {
    let place = place();
    let id = place.chat("Fix auth", 1);
    let mut journal = Journal::open(&place.home, &id).unwrap();
    for n in 0..40 {
        let words = "w".repeat(n * 97 % 3000);
        journal.append(NOW, (0..25).map(|_| said(&words)).collect()).unwrap();
    }
    let numbers = |lines: Vec<Line>| -> Vec<u64> {
        let number = |line| match line {
            Line::Entry(entry) => entry.seq,
            Line::Gap { .. } => 0,
        };
        lines.into_iter().map(number).collect()
    };
    for after in [0, 1, 24, 499, 500, 501, 990, 999, 1000, 5000] {
        let expected: Vec<u64> = (after + 1..=1000).take(7).collect();
        assert_eq!(
            numbers(
                place
                    .home
                    .lines_after(&id, after)
                    .unwrap()
                    .take(7)
                    .map(Result::unwrap)
                    .collect()
            ),
            expected,
            "after {after}"
        );
    }
    assert_eq!(numbers(place.home.tail(&id, 3).unwrap()), [998, 999, 1000]);
    assert_eq!(numbers(place.home.tail(&id, 5000).unwrap()).len(), 1000);
}

#[test]
fn a_failed_write_is_not_acknowledged_and_the_next_one_counts_on() {
    let place = place();
    let id = place.chat("Fix auth", 1);
    let mut journal = Journal::open(&place.home, &id).unwrap();
    journal.append(NOW, vec![said("one")]).unwrap();
    // A directory in the way of `outputs/` makes the append fail after the end is known.
    fs::write(place.home.record_path(&id).join("outputs"), "in the way").unwrap();
    let mut what = vec![said("kept").into(), prompt(&"x".repeat(LONGEST * 2)).into()];
    journal.append_read(NOW, &mut what, None).unwrap_err();
    assert_eq!(what, [said("kept").into(), prompt(&"x".repeat(LONGEST * 2)).into()]);
    assert_eq!(texts(&all(&place, &id)), ["one"]);
    assert_eq!(seqs(&journal.append(NOW, vec![said("two")]).unwrap()), [2]);
    assert_eq!(texts(&all(&place, &id)), ["one", "two"]);
}

#[test]
fn what_was_acknowledged_before_a_failed_append_is_synced_all_the_same() {
    let place = place();
    let id = place.chat("Fix auth", 1);
    let mut journal = Journal::open(&place.home, &id).unwrap();
    journal.append(NOW, vec![said("one")]).unwrap();
    fs::write(place.home.record_path(&id).join("outputs"), "in the way").unwrap();
    journal.append(NOW, vec![prompt(&"x".repeat(LONGEST * 2))]).unwrap_err();
    // Syncing goes back to the end of what counts, as this shows.
    let mut torn = fs::File::options().append(true).open(file(&place, &id)).unwrap();
    torn.write_all(b"{\"v\":1,").unwrap();
    journal.sync().unwrap();
    assert!(fs::read_to_string(file(&place, &id)).unwrap().ends_with("}\n"));
    assert_eq!(seqs(&journal.append(NOW, vec![said("two")]).unwrap()), [2]);
    assert_eq!(texts(&all(&place, &id)), ["one", "two"]);
}

#[derive(Clone, Debug)]
enum DamagedLines {
    Flip(prop::sample::Index, u8),
    Insert(prop::sample::Index, Vec<u8>),
    Huge(prop::sample::Index),
    Cut(prop::sample::Index),
}

fn damage() -> impl Strategy<Value = DamagedLines> {
    prop_oneof![
        (any::<prop::sample::Index>(), any::<u8>()).prop_map(|(at, byte)| DamagedLines::Flip(at, byte)),
        (any::<prop::sample::Index>(), prop::collection::vec(any::<u8>(), 0..300))
            .prop_map(|(at, bytes)| DamagedLines::Insert(at, bytes)),
        any::<prop::sample::Index>().prop_map(DamagedLines::Huge),
        any::<prop::sample::Index>().prop_map(DamagedLines::Cut),
    ]
}

/// The lines after the damage, and which of the originals none of it touched.
fn apply(lines: &mut Vec<Vec<u8>>, whole: &mut Vec<bool>, damage: &DamagedLines) {
    let mut insert = |at: &prop::sample::Index, mut bytes: Vec<u8>| {
        bytes.push(b'\n');
        let at = at.index(lines.len() + 1);
        lines.insert(at, bytes);
        whole.insert(at, false);
    };
    match damage {
        DamagedLines::Insert(at, bytes) => insert(at, bytes.clone()),
        DamagedLines::Huge(at) => insert(at, vec![b'x'; LONGEST + 1000]),
        DamagedLines::Flip(at, byte) if !lines.is_empty() => {
            let line = at.index(lines.len());
            let place = at.index(lines[line].len());
            lines[line][place] ^= byte;
            if *byte != 0 {
                whole[line] = false;
                // Without its newline a line takes the next one with it.
                if place + 1 == lines[line].len() && line + 1 < whole.len() {
                    whole[line + 1] = false;
                }
            }
        }
        DamagedLines::Cut(at) if !lines.is_empty() => {
            let line = at.index(lines.len());
            lines.truncate(line + 1);
            whole.truncate(line + 1);
            let keep = at.index(lines[line].len());
            lines[line].truncate(keep);
            whole[line] = false;
        }
        DamagedLines::Flip(..) | DamagedLines::Cut(_) => {}
    }
    lines.retain(|line| !line.is_empty());
    whole.truncate(lines.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn whatever_is_damaged_the_rest_is_read_and_written_on(damages in prop::collection::vec(damage(), 1..5)) {
        let place = place();
        let id = place.chat("Fix auth", 1);
        let what = (1..=12).map(|n| said(&format!("entry {n}"))).collect();
        Journal::open(&place.home, &id).unwrap().append(NOW, what).unwrap();
        let path = file(&place, &id);
        let mut lines: Vec<Vec<u8>> = fs::read(&path).unwrap().split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
        let mut whole = vec![true; lines.len()];
        for damage in &damages {
            apply(&mut lines, &mut whole, damage);
        }
        let bytes = lines.concat();
        fs::write(&path, &bytes).unwrap();

        let read = texts(&all(&place, &id));
        for (line, _) in lines.iter().zip(&whole).filter(|(line, whole)| **whole && line.ends_with(b"\n")) {
            let value: serde_json::Value = serde_json::from_slice(line).unwrap();
            let text = value["text"].as_str().unwrap().to_string();
            prop_assert!(read.contains(&text), "{text} is lost");
        }
        place.home.tail(&id, 5).unwrap();
        place.home.lines_after(&id, 6).unwrap().for_each(|line| drop(line.unwrap()));
        place.home.load(&id).unwrap();
        prop_assert_eq!(fs::read(&path).unwrap(), bytes.clone(), "reading changed the file");

        let finished = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        Journal::open(&place.home, &id).unwrap().append(NOW, vec![said("on")]).unwrap();
        let after = fs::read(&path).unwrap();
        prop_assert_eq!(&after[..finished], &bytes[..finished], "only an unfinished end may go");
        let last = texts(&place.home.tail(&id, 1).unwrap());
        prop_assert_eq!(last, ["on"]);
    }
}

#[test]
fn a_gigantic_line_is_a_gap_from_both_ends() {
    let place = place();
    let id = place.chat("Fix auth", 1);
    Journal::open(&place.home, &id)
        .unwrap()
        .append(NOW, vec![said("before")])
        .unwrap();
    let path = file(&place, &id);
    let mut out = fs::OpenOptions::new().append(true).open(&path).unwrap();
    for _ in 0..64 {
        out.write_all(&[b'x'; 1 << 20]).unwrap();
    }
    out.write_all(b"\n").unwrap();
    let mut journal = Journal::open(&place.home, &id).unwrap();
    assert_eq!(seqs(&journal.append(NOW, vec![said("after")]).unwrap()), [2]);
    let expected = [
        "before".to_string(),
        format!("gap of {}", (64 << 20) + 1),
        "after".to_string(),
    ];
    assert_eq!(texts(&all(&place, &id)), expected);
    assert_eq!(texts(&place.home.tail(&id, 3).unwrap()), expected);
    assert_eq!(texts(&place.home.tail(&id, 2).unwrap()), expected[1..]);
}

#[test]
fn where_a_cli_was_read_to_stands_in_the_last_line_made_of_it() {
    let place = place();
    let id = place.chat("Fix auth", 1);
    let mark = |to| Mark {
        file: "session.jsonl".into(),
        to,
    };
    let mut journal = Journal::open(&place.home, &id).unwrap();
    assert_eq!(
        place.home.read_offset(&id, "session.jsonl").unwrap(),
        ReadOffset::default()
    );
    let entries = journal
        .append_read(NOW, &mut vec![said("one").into(), said("two").into()], Some(&mark(70)))
        .unwrap();
    assert_eq!(entries[0].read, None);
    assert_eq!(entries[1].read, Some(mark(70)));
    journal.append(NOW, vec![prompt("by a hook")]).unwrap();

    let read_offset = place.home.read_offset(&id, "session.jsonl").unwrap();
    assert_eq!(read_offset.to, 70);
    assert_eq!(read_offset.told, [prompt("by a hook").key().unwrap()].into());
    let other = place.home.read_offset(&id, "other.jsonl").unwrap();
    // Both texts of this test have the same id.
    assert_eq!((other.to, other.told.len()), (0, 2));
    let names = ["session.jsonl".to_string(), "other.jsonl".to_string()].into();
    let many = place.home.read_offsets(&id, &names).unwrap();
    assert_eq!(
        (many.to, many.told),
        ([("session.jsonl".to_string(), 70)].into(), other.told)
    );
}

#[test]
fn what_a_killed_engine_left_open_is_closed_as_unknown() {
    let place = place();
    let chat = place.chat("Talk", 1);
    let mut journal = Journal::open(&place.home, &chat).unwrap();
    let start = |id: &str| Happened::ToolStart {
        id: id.into(),
        name: "Bash".into(),
        input: serde_json::Value::Null,
        dir: None,
        parent: None,
    };
    let end = |id: &str, status| Happened::tool_ended(id, status, String::new(), None);
    let asked = |id: &str, answer: &str, by: &str| Happened::Permission {
        id: id.into(),
        tool: "Bash".into(),
        input: serde_json::Value::Null,
        rule: None,
        answer: answer.into(),
        by: by.into(),
        reason: None,
        given_once_written: false,
    };
    let exited = Happened::Status {
        status: "exited".into(),
        detail: "stopped".into(),
        cause: "stopped".into(),
    };
    let before = vec![start("old"), exited.clone()];
    let turn = vec![
        start("t1"),
        end("t1", ToolStatus::Ok),
        start("t2"),
        asked("t2", "asked", "agent"),
        start("t3"),
        asked("t3", "asked", "agent"),
        asked("t3", "allowed", "person"),
    ];
    let append = |journal: &mut Journal, what: Vec<Happened>| {
        let entries = journal.append(NOW, what).unwrap();
        entries.last().unwrap().seq
    };
    append(&mut journal, before);
    let last = append(&mut journal, turn);
    let open = place.home.left_open(&chat, last).unwrap();
    let unknown = |id| end(id, ToolStatus::Unknown);
    assert_eq!(open, [asked("t2", "unknown", "nobody"), unknown("t2"), unknown("t3")]);
    let last = append(&mut journal, open);
    assert_eq!(place.home.left_open(&chat, last).unwrap(), []);
    append(&mut journal, vec![start("t4")]);
    assert_eq!(
        place.home.left_open(&chat, last).unwrap(),
        [],
        "it is the next engine's"
    );
    let last = append(&mut journal, vec![exited]);
    assert_eq!(place.home.left_open(&chat, last).unwrap(), []);

    // A question of parlour's own is asked again, under the same id.
    let last = append(&mut journal, vec![asked("setup-x", "asked", "repository")]);
    assert_eq!(place.home.left_open(&chat, last).unwrap(), []);
}
