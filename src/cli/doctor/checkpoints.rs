//! The checkpoints of the chats: whether their list can be read, and whether what it names was saved and is there.

use std::collections::BTreeSet;
use std::path::Path;

use super::objects;
use super::report::DoctorReport;
use crate::fs::Dir;
use crate::git::checkpoint::saved_numbers;
use crate::model::review::Checkpoint;
use crate::model::text::visible;
use crate::store::{CheckpointList, Checkpoints};

/// So many are named, and the others counted.
const NAMED: usize = 10;

/// Those of the chat whose record lies in `record`, if it has any.
pub fn check(home: &Dir, record: &Path, report: &mut DoctorReport) {
    let folder = record.join("checkpoints");
    let stores = match home.dir(&folder) {
        Ok(stores) => stores,
        Err(error) if error.is_missing() => return,
        Err(error) => {
            let place = home.path().join(folder);
            return report.problem(
                error.to_string(),
                &place,
                "nothing of this chat is saved until this is put right",
            );
        }
    };
    objects::check_stores(&stores, report);
    let place = stores.path().to_path_buf();
    let saved = match saved_numbers(&stores) {
        Ok(saved) => saved,
        Err(error) => return report.problem(error.to_string(), &place, "make it a directory that you can open"),
    };
    let numbers: BTreeSet<u64> = saved.values().flatten().copied().collect();
    let checkpoints = Checkpoints::at(stores);
    let list = place.join(Checkpoints::LIST);
    let highest = numbers.last().copied().unwrap_or_default();
    let (damaged, CheckpointList { known, unread }) = match (checkpoints.damaged(), checkpoints.read(highest)) {
        (Ok(damaged), Ok(read)) => (damaged, read),
        (Err(error), _) | (_, Err(error)) => {
            return report.problem(error.to_string(), &list, "make it a file that you can read");
        }
    };
    let stays = "what was saved is there: `parlour checkpoints CHAT` lists it, and a revert goes back to it";
    if !damaged.is_empty() {
        let what = format!(
            "{} of the list of checkpoints cannot be read",
            counted("line", &damaged)
        );
        report.problem(what, &list, stays);
    }
    let is_unread = |number: &u64| unread.iter().any(|unread| unread.contains(number));
    let lost: Vec<u64> = numbers.into_iter().filter(is_unread).collect();
    if !lost.is_empty() {
        let verb = if lost.len() == 1 { "has" } else { "have" };
        let what = format!(
            "{} {verb} no line in the list that can be read",
            counted("checkpoint", &lost)
        );
        report.problem(what, &list, stays);
    }
    let clones: BTreeSet<&String> = known.iter().flat_map(|one| &one.changed).collect();
    for clone in clones {
        let there = saved.get(clone).cloned().unwrap_or_default();
        // A line also stands for those before it that were thinned out: their state has a lower number.
        let before = [0].into_iter().chain(known.iter().map(|one| one.number));
        let is_gone = |(before, one): &(u64, &Checkpoint)| {
            one.changed.contains(clone) && there.iter().all(|saved| saved <= before || *saved > one.number)
        };
        let gone: Vec<u64> = before.zip(&known).filter(is_gone).map(|(_, one)| one.number).collect();
        if !gone.is_empty() {
            let verb = if gone.len() == 1 { "is" } else { "are" };
            let what = format!(
                "{} of {} {verb} in the list and not in its store",
                counted("checkpoint", &gone),
                visible(clone)
            );
            let store = place.join(format!("{clone}.git"));
            report.problem(what, &store, "nothing goes back to it; later checkpoints are whole");
        }
    }
}

/// "checkpoints 1, 2 and 6"; of many the first ones.
fn counted(what: &str, numbers: &[u64]) -> String {
    let named: Vec<String> = numbers.iter().take(NAMED).map(u64::to_string).collect();
    match (named.as_slice(), numbers.len() - named.len()) {
        ([one], _) => format!("{what} {one}"),
        ([first @ .., last], 0) => format!("{what}s {} and {last}", first.join(", ")),
        (first, more) => format!("{what}s {} and {more} more", first.join(", ")),
    }
}
