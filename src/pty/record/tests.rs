//! Records written, damaged and replayed.

use std::fs::{File, OpenOptions};
use std::time::{Duration, Instant, UNIX_EPOCH};

use super::super::record_file::{Chunk, HALF};
use super::{PaneRecorder, replay, screen_at};
use crate::term::{Effects, Setup, TerminalPalette, TerminalSize};

struct Tape {
    _folder: tempfile::TempDir,
    path: std::path::PathBuf,
}

impl Tape {
    fn new() -> Tape {
        let folder = tempfile::tempdir().unwrap();
        Tape {
            path: folder.path().join("terminal"),
            _folder: folder,
        }
    }

    fn file(&self) -> File {
        OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&self.path)
            .unwrap()
    }

    fn record(&self, pieces: impl IntoIterator<Item = String>) {
        let mut recorder = PaneRecorder::new(self.file(), size()).unwrap();
        for piece in pieces {
            recorder.append(piece.as_bytes(), Instant::now());
            recorder.settle();
        }
    }

    fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.path).unwrap()
    }

    fn replayed(&self) -> Vec<String> {
        text(&self.bytes())
    }
}

fn size() -> TerminalSize {
    TerminalSize::new(40, 10)
}

fn text(record: &[u8]) -> Vec<String> {
    let setup = Setup {
        size: size(),
        palette: TerminalPalette::default(),
        history_lines: 50_000,
    };
    let mut terminal = replay(record, setup);
    let view = terminal.view(usize::MAX, &mut Effects::default());
    view.text()
        .lines()
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect()
}

#[test]
fn what_several_runs_wrote_is_replayed_in_order() {
    let tape = Tape::new();
    tape.record(["one\r\n".to_owned()]);
    tape.record(["two\r\n".to_owned(), "three\x1b[?1049hpicture".to_owned()]);
    tape.record(["four".to_owned()]);
    assert_eq!(tape.replayed(), ["one", "two", "three", "     picture", "four"]);
}

#[test]
fn the_file_keeps_the_newest_and_stays_within_its_bound() {
    let tape = Tape::new();
    let line = |at: usize| format!("line {at} {}\r\n", "-".repeat(20));
    tape.record((0..600).map(|block| (0..500).map(|at| line(block * 500 + at)).collect()));
    assert!(tape.bytes().len() <= 2 * HALF);
    let setup = Setup {
        size: size(),
        palette: TerminalPalette::default(),
        history_lines: 50,
    };
    let mut terminal = replay(&tape.bytes(), setup);
    let screen = terminal.screen(&mut Effects::default());
    assert!(screen.text().contains("line 299999 "), "{}", screen.text());
}

#[test]
fn a_torn_or_foreign_record_costs_no_more_than_itself() {
    let tape = Tape::new();
    tape.record(["whole\r\n".to_owned(), "torn away".to_owned()]);
    let bytes = tape.bytes();
    assert_eq!(text(&bytes[..bytes.len() - 3]), ["whole"]);
    assert_eq!(text(b"something else entirely"), Vec::<String>::new());
    assert_eq!(text(&[]), Vec::<String>::new());
}

#[test]
fn a_change_of_size_is_replayed_too() {
    let tape = Tape::new();
    let mut recorder = PaneRecorder::new(tape.file(), size()).unwrap();
    recorder.append(b"\x1b[10;1Hbottom of ten", Instant::now());
    recorder.resize(TerminalSize::new(40, 4));
    recorder.append(b"\x1b[H\x1b[Jafter", Instant::now());
    recorder.settle();
    assert!(tape.replayed().contains(&"after".to_owned()));
}

#[test]
fn a_flood_is_written_and_not_kept_in_memory() {
    let tape = Tape::new();
    let mut recorder = PaneRecorder::new(tape.file(), size()).unwrap();
    recorder.append(&vec![b'x'; 3 * 1024 * 1024], Instant::now());
    recorder.record.settle();
    assert!(recorder.pending.len() < super::PIECE);
    assert!(tape.bytes().len() > HALF);
}

#[test]
fn a_moment_shows_what_had_come_by_then() {
    let tape = Tape::new();
    let mut recorder = PaneRecorder::new(tape.file(), size()).unwrap();
    for (second, words) in [(1, "one\r\n"), (2, "two\r\n"), (3, "three\r\n")] {
        let time = UNIX_EPOCH + Duration::from_secs(second);
        let chunk = Chunk {
            bytes: words.into(),
            time,
            size: size(),
        };
        recorder.record.write(chunk);
        recorder.settle();
    }
    let setup = || Setup {
        size: size(),
        palette: TerminalPalette::default(),
        history_lines: 100,
    };
    let seen = |moment| {
        let past = screen_at(&tape.bytes(), setup(), moment)?;
        let text = past.screen.text();
        Some((past.received, text.split_whitespace().collect::<Vec<_>>().join(" ")))
    };
    assert_eq!(seen(2_500), Some((2_000, "one two".into())));
    assert_eq!(seen(9_000), Some((3_000, "one two three".into())));
    assert_eq!(seen(999), None);
    assert!(screen_at(b"", setup(), 9_000).is_none());
}
