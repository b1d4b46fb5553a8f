//! The chats: whether each record and each transcript can be read.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::checkpoints;
use super::report::DoctorReport;
use super::transcript::{TranscriptDamage, read};
use crate::fs::{Dir, DirEntryKind};
use crate::model::{ChatId, Record};

const SMALL: u64 = 1 << 20;
/// So many bytes of transcripts are read whole within a second; of more, only the end of each.
const WHOLE: u64 = 256 << 20;
const END: u64 = 2 << 20;

pub fn check(home: &Dir, report: &mut DoctorReport) {
    let entries = match home.entries("records") {
        Ok(entries) => entries,
        Err(error) if error.is_missing() => return,
        Err(error) => {
            let place = home.path().join("records");
            return report.problem(error.to_string(), &place, "make it a directory that you can open");
        }
    };
    let mut transcripts = Vec::new();
    for entry in entries {
        let name = entry.name.to_string_lossy();
        let (Some(chat), DirEntryKind::Dir) = (ChatId::parse(&name), entry.kind) else {
            continue;
        };
        let place = Path::new("records").join(chat.as_str());
        record(home, &chat, &place.join("chat.json"), report);
        checkpoints::check(home, &place, report);
        let events = place.join("events.jsonl");
        match home.open_file(&events) {
            Ok(Some(file)) => transcripts.push((home.path().join(events), file)),
            Ok(None) => {}
            Err(error) => report.problem(
                error.to_string(),
                &home.path().join(events),
                "the chat opens without its transcript",
            ),
        }
    }
    all(transcripts, home, report);
}

fn record(home: &Dir, chat: &ChatId, place: &Path, report: &mut DoctorReport) {
    let read = match home.read(place, SMALL) {
        Ok(Some(bytes)) => serde_json::from_slice::<Record>(&bytes).map_err(|error| error.to_string()),
        Ok(None) => Err("it is missing".into()),
        Err(error) => Err(error.to_string()),
    };
    let hint = "the chat cannot be opened until this is put right; its transcript and its files are untouched";
    match read {
        Ok(record) if &record.id == chat => {}
        Ok(record) => {
            let what = format!("the record of {chat} names another chat, {}", record.id);
            report.problem(what, &home.path().join(place), hint);
        }
        Err(why) => {
            let what = format!("the record of {chat} cannot be read: {why}");
            report.problem(what, &home.path().join(place), hint);
        }
    }
}

fn all(transcripts: Vec<(PathBuf, File)>, home: &Dir, report: &mut DoctorReport) {
    let length = |file: &File| file.metadata().map_or(0, |found| found.len());
    let bytes: u64 = transcripts.iter().map(|(_, file)| length(file)).sum();
    let most = match bytes <= WHOLE {
        true => u64::MAX,
        false => {
            let what = format!(
                "the transcripts have {} MB, so only the end of each was read",
                bytes >> 20
            );
            report.remark(what, &home.path().join("records"), "");
            END
        }
    };
    for (place, file) in transcripts {
        let hint = "the chat shows it as a gap; all else of it can be read";
        match read(file, most) {
            Ok(TranscriptDamage { stretches: 0, .. }) => {}
            Ok(damage) => report.problem(damage.to_string(), &place, hint),
            Err(error) => report.problem(error.to_string(), &place, "the chat opens without its transcript"),
        }
    }
}
