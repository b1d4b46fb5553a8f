//! Transcripts that could not be written, and are written on.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use super::*;
use crate::model::entry::ToolStatus;

fn file(place: &StoreStage, id: &ChatId) -> PathBuf {
    place.home.record_path(id).join("events.jsonl")
}

fn seqs(entries: &[crate::model::Entry]) -> Vec<u64> {
    entries.iter().map(|entry| entry.seq).collect()
}

/// A line that no parlour of today can read, whole as it is, is no reason to write nothing ever again.
#[test]
fn after_a_failed_write_a_damaged_last_line_stays_and_the_next_entry_follows_it() {
    let place = place();
    let id = place.chat("Fix auth", 1);
    let mut journal = Journal::open(&place.home, &id).unwrap();
    journal.append(NOW, vec![said("one"), said("two")]).unwrap();
    let mut damaged = fs::File::options().append(true).open(file(&place, &id)).unwrap();
    damaged.write_all(b"{\"v\":1,\"se\x00\xff\n").unwrap();
    let mut journal = Journal::open(&place.home, &id).unwrap();
    fs::write(place.home.record_path(&id).join("outputs"), "in the way").unwrap();
    journal.append(NOW, vec![prompt(&"x".repeat(LONGEST * 2))]).unwrap_err();
    assert_eq!(seqs(&journal.append(NOW, vec![said("three")]).unwrap()), [3]);
    let text = fs::read(file(&place, &id)).unwrap();
    assert_eq!(text.iter().filter(|byte| **byte == b'\n').count(), 4);

    // What was acknowledged and is gone is another matter.
    journal.append(NOW, vec![prompt(&"x".repeat(LONGEST * 2))]).unwrap_err();
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    let zeros = vec![0; lines[3].len() - 1];
    fs::write(file(&place, &id), [&lines[..3].concat(), &zeros[..], b"\n"].concat()).unwrap();
    journal.append(NOW, vec![said("four")]).unwrap_err();
}

/// After a power cut an entry that is there would name an output that is not.
#[test]
fn an_output_is_synced_before_a_decision_behind_it() {
    let place = place();
    let id = place.chat("Fix auth", 1);
    let mut journal = Journal::open(&place.home, &id).unwrap();
    let ended = Happened::tool_ended("toolu_1", ToolStatus::Ok, "line\n".repeat(100), None);
    journal.append(NOW, vec![ended]).unwrap();
    // A directory in its place cannot be synced as a file.
    let output = place.home.record_path(&id).join("outputs/toolu_1");
    fs::remove_file(&output).unwrap();
    fs::create_dir(&output).unwrap();
    journal.append(NOW, vec![prompt("go on")]).unwrap_err();
    fs::remove_dir(&output).unwrap();
    assert_eq!(seqs(&journal.append(NOW, vec![prompt("go on")]).unwrap()), [2]);
}
