//! The writer when the disk does what it should, and when it does not.

use std::fs;

use super::*;
use crate::model::entry::ToolStatus;
use crate::model::{Happened, Timestamp};
use crate::store::{ChatCreation, Line};

#[test]
fn whoever_catches_up_reads_all_that_was_handed_in_before() {
    let root = tempfile::tempdir().unwrap();
    let home = Arc::new(Home::open(&root.path().join("home")).unwrap());
    let chat = chat(&home);
    let (sender, _inbox) = Sender::channel(Arc::default());
    let (journals, thread) = Journals::start(home.clone(), sender, HistoryNotices::unheard()).unwrap();
    let note = |number: u64| Happened::Note {
        text: format!("note {number}"),
    };
    for round in 1..=3 {
        for number in 0..200 {
            let job = JournalWork::Append(chat.clone(), vec![note(number).into()], None);
            journals.take(WorkId(number), job).unwrap();
        }
        journals.catch_up();
        assert_eq!(home.lines_after(&chat, 0).unwrap().count(), 200 * round);
    }
    drop(journals);
    thread.join().unwrap();
}

fn chat(home: &Home) -> ChatId {
    let creation = ChatCreation::bare(ChatId::from_bits(1), "Talk", "demo", Timestamp(0));
    home.create(creation).unwrap().record.id
}

#[test]
fn what_could_not_be_written_is_written_in_order_once_it_can_and_said_once() {
    let folder = tempfile::tempdir().unwrap();
    let home = Arc::new(Home::open(&folder.path().join("home")).unwrap());
    let chat = chat(&home);
    let events = home.record_path(&chat).join("events.jsonl");
    let (sender, mut inbox) = Sender::channel(Arc::default());
    let (journals, thread) = Journals::start(home.clone(), sender, HistoryNotices::unheard()).unwrap();
    let mut told = Vec::new();
    let mut said = || loop {
        match inbox.said.blocking_recv() {
            Some(Inbound::Event(Event::Done(work, outcome))) => return (work.0, outcome),
            Some(Inbound::Event(Event::Disk(DiskEvent::Unwritten(unwritten)))) => told.push(unwritten),
            _ => panic!("the writer tells of nothing else"),
        }
    };
    let append = |number: u64| {
        let text = number.to_string();
        let what = vec![Happened::Text { id: text.clone(), text }.into()];
        let read = Some(Mark {
            file: "s.jsonl".into(),
            to: number,
        });
        let job = JournalWork::Append(chat.clone(), what, read);
        assert_eq!(journals.take(WorkId(number), job), Ok(()));
    };

    fs::create_dir(&events).unwrap();
    append(1);
    assert!(matches!(said(), (1, Outcome::Failed(_))));
    assert!(journals.backlog().is_stuck(&chat));
    append(2);
    assert!(matches!(said(), (2, Outcome::Journal(JournalDone::Unwritten(_)))));
    fs::remove_dir(&events).unwrap();
    assert!(matches!(said(), (1, Outcome::Journal(JournalDone::Appended(..)))));
    assert!(matches!(said(), (2, Outcome::Journal(JournalDone::Appended(..)))));
    append(3);
    assert!(matches!(said(), (3, Outcome::Journal(JournalDone::Appended(..)))));
    assert!(!journals.backlog().is_stuck(&chat) && journals.backlog().len() == 0);
    drop(journals);
    thread.join().unwrap();
    let [Some((chats, _)), None] = &told[..] else {
        panic!("{told:?}");
    };
    assert_eq!(*chats, std::slice::from_ref(&chat));
    let lines = home.tail(&chat, 10).unwrap().into_iter();
    let marks = lines.filter_map(|line| match line {
        Line::Entry(entry) => entry.read.map(|mark| mark.to),
        Line::Gap { .. } => None,
    });
    assert_eq!(marks.collect::<Vec<_>>(), [1, 2, 3]);
}

/// A person says yes, and is told that it could not be written.
#[test]
fn a_decision_that_could_not_be_written_is_not_written_later() {
    let folder = tempfile::tempdir().unwrap();
    let home = Arc::new(Home::open(&folder.path().join("home")).unwrap());
    let chat = chat(&home);
    let events = home.record_path(&chat).join("events.jsonl");
    let mut writer = writer(&home);
    let decision = Happened::Permission {
        id: "t1".into(),
        tool: "Bash".into(),
        input: serde_json::Value::Null,
        rule: None,
        answer: "allowed".into(),
        by: "person".into(),
        reason: None,
        given_once_written: true,
    };
    let note = || Happened::Note { text: "x".into() };
    let mut told = |number: u64, what: Vec<Happened>| {
        let what = what.into_iter().map(Reported::from).collect();
        let piece = PendingWrite {
            work: WorkId(number),
            what,
            read: None,
        };
        match writer.append_or_hold(&chat, piece) {
            Outcome::Failed(problem) | Outcome::Journal(JournalDone::Unwritten(problem)) => problem.hint,
            outcome => panic!("{outcome:?}"),
        }
    };
    fs::create_dir(&events).unwrap();
    for number in 1..=2 {
        let hint = told(number, vec![note(), decision.clone()]);
        assert!(hint.contains("nothing was decided"), "{hint}");
    }
    let hint = told(3, vec![note()]);
    assert!(hint.contains("it is kept"), "{hint}");
    fs::remove_dir(&events).unwrap();
    writer.held.now();
    writer.write_held();
    let lines = fs::read_to_string(&events).unwrap();
    assert_eq!(lines.matches("\"note\"").count(), 3, "{lines}");
    assert!(!lines.contains("permission"), "{lines}");
}

/// A writer without its thread.
fn writer(home: &Arc<Home>) -> JournalWriter {
    let (sender, _inbox) = Sender::channel(Arc::default());
    JournalWriter::new(home.clone(), sender, Backlog::default(), HistoryNotices::unheard())
}

#[test]
fn a_record_that_was_put_back_from_a_backup_is_written_on() {
    let folder = tempfile::tempdir().unwrap();
    let home = Arc::new(Home::open(&folder.path().join("home")).unwrap());
    let chat = chat(&home);
    let mut writer = writer(&home);
    let mut told = |at: u64| {
        let what = vec![Happened::Note { text: "x".into() }.into()];
        let (work, read) = (WorkId(at), None);
        writer.append_or_hold(&chat, PendingWrite { work, what, read })
    };
    let is_written = |outcome| matches!(outcome, Outcome::Journal(JournalDone::Appended(..)));
    assert!(is_written(told(1)));
    let record = home.record_path(&chat);
    let copy = folder.path().join("copy");
    let status = std::process::Command::new("cp")
        .arg("-a")
        .arg(&record)
        .arg(&copy)
        .status();
    assert!(status.unwrap().success());
    // Removed, or only moved away: the open file is no longer the chat's.
    std::fs::rename(&record, folder.path().join("old")).unwrap();
    std::fs::rename(&copy, &record).unwrap();
    assert!(is_written(told(2)));
    let lines = std::fs::read_to_string(record.join("events.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 2, "{lines}");
}

#[test]
fn a_chat_that_is_being_deleted_troubles_no_screen() {
    let folder = tempfile::tempdir().unwrap();
    let home = Arc::new(Home::open(&folder.path().join("home")).unwrap());
    let mut writer = writer(&home);
    let gone = ChatId::from_bits(7);
    assert!(writer.keep(&gone, Vec::new(), &[]).is_err());
    assert!(writer.keep_messages(&gone, InboxJob::Read(Vec::new())).is_err());
    assert_eq!(writer.probe.told(), None);
}

#[test]
fn messages_that_cannot_be_kept_are_said_at_every_screen() {
    let folder = tempfile::tempdir().unwrap();
    let home = Arc::new(Home::open(&folder.path().join("home")).unwrap());
    let chat = chat(&home);
    let mut writer = writer(&home);
    fs::create_dir(home.record_path(&chat).join("inbox.jsonl")).unwrap();
    assert!(writer.keep_messages(&chat, InboxJob::Look).is_err());
    assert_eq!(writer.probe.told(), None);
    let read = InboxJob::Read(vec!["m1".into()]);
    assert!(writer.keep_messages(&chat, read).is_err());
    assert_eq!(writer.probe.told().unwrap().0, [chat]);
}

#[test]
fn what_could_not_be_synced_is_said_and_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let home = Arc::new(Home::open(&folder.path().join("home")).unwrap());
    let chat = chat(&home);
    let mut writer = writer(&home);
    let ended = Happened::tool_ended("toolu_1", ToolStatus::Ok, "line\n".repeat(100), None);
    let piece = PendingWrite {
        work: WorkId(1),
        what: vec![ended.into()],
        read: None,
    };
    assert!(matches!(writer.append_or_hold(&chat, piece), Outcome::Journal(_)));
    let output = home.record_path(&chat).join("outputs/toolu_1");
    fs::remove_file(&output).unwrap();
    fs::create_dir(&output).unwrap();
    let ways: [fn(&mut JournalWriter); 2] = [JournalWriter::sync_all, |writer| writer.sync(&ChatId::from_bits(1))];
    for sync in ways {
        sync(&mut writer);
        assert_eq!(writer.probe.told().unwrap().0, std::slice::from_ref(&chat));
        assert!(writer.unsynced.contains_key(&chat) && writer.unsyncable.contains(&chat));
    }
    fs::remove_dir(&output).unwrap();
    writer.sync_all();
    assert!(writer.unsynced.is_empty() && writer.unsyncable.is_empty());
}
