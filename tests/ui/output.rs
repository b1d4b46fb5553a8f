//! The viewer of whole outputs, over files as the store keeps them.

use std::fs;

use parlour::domain::Effect;
use parlour::domain::event::Outcome;
use parlour::domain::state::Then;
use parlour::domain::work::{Read, ReadDone, ReadThen, ScriptWork, ShownContent, ShownRead, Work};
use parlour::model::output::{LONGEST_COPY, LinesAt, OpenedWith, OutputAsk, OutputFound, OutputWanted};
use parlour::model::script::ScriptEnding;
use parlour::model::{Problem, WorkId};
use parlour::screen::dialog::{Output, Whole};
use parlour::screen::dialogs;
use parlour::screen::view::Tab;
use parlour::store::{Home, LineIndex};

use super::{ALL_SIZES, pictured_at};
use crate::support::events::works;
use crate::support::world::{ME, World, id};

/// A home with one output.
struct OutputStage {
    _folder: tempfile::TempDir,
    home: Home,
    index: Option<LineIndex>,
}

impl OutputStage {
    fn of(text: &[u8]) -> OutputStage {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open(&folder.path().join("home")).unwrap();
        let outputs = home.record_path(&id("auth")).join("outputs");
        fs::create_dir_all(&outputs).unwrap();
        fs::write(outputs.join("t1"), text).unwrap();
        OutputStage {
            _folder: folder,
            home,
            index: None,
        }
    }

    fn read(&mut self, ask: &OutputAsk) -> OutputFound {
        let output = self.home.output(&ask.chat, &ask.file).unwrap();
        let counted = || output.index(&|| false).unwrap();
        match &ask.wanted {
            OutputWanted::Page(at) => {
                if matches!(at, LinesAt::Line(_)) {
                    self.index.get_or_insert_with(counted);
                }
                OutputFound::Page(output.page(at, self.index.as_ref(), &|| false).unwrap())
            }
            OutputWanted::Lines(at) => {
                let index = self.index.get_or_insert_with(counted);
                OutputFound::Lines {
                    lines: index.lines,
                    at: *at,
                    number: output.number_of(*at, index).unwrap(),
                }
            }
            OutputWanted::Text(from, to) => {
                let (text, is_whole) = output.text((*from, *to), LONGEST_COPY).unwrap();
                OutputFound::Text { text, is_whole }
            }
            OutputWanted::Save(path) => OutputFound::Saved {
                path: path.to_string_lossy().into_owned(),
                bytes: output.whole(),
            },
        }
    }

    /// Answers whatever the viewer asks, until it asks for nothing more. What is left of the effects.
    fn answers(&mut self, world: &mut World) -> Vec<Effect> {
        let mut left = Vec::new();
        while let Some((work, ask)) = waiting(world).into_iter().next() {
            let found = self.read(&ask);
            left.extend(world.done(work, shown(found)));
        }
        left.retain(|effect| !matches!(effect, Effect::Work(..)));
        left
    }

    fn presses(&mut self, world: &mut World, keys: &str) -> Vec<Effect> {
        let mut left = Vec::new();
        for key in keys.split(' ') {
            left.extend(world.press(key));
            left.extend(self.answers(world));
        }
        left
    }

    fn opened(&mut self, cols: u16, rows: u16) -> World {
        let mut world = open(cols, rows);
        self.answers(&mut world);
        world
    }
}

fn shown(found: OutputFound) -> Outcome {
    Outcome::Read(ReadDone::Shown(ShownContent::Output(found)))
}

/// The viewer, before anything was read.
fn open(cols: u16, rows: u16) -> World {
    let mut world = World::morning(cols, rows);
    let whole = Whole {
        tool: "Bash".into(),
        file: "outputs/t1".into(),
        cut: None,
    };
    let output = Output::new(&world.state.domain, &id("auth"), whole);
    dialogs::open(&mut world.state, ME, output);
    world.look();
    world
}

/// What it waits for, the oldest first.
fn waiting(world: &World) -> Vec<(WorkId, OutputAsk)> {
    let waiting = world.state.domain.live.waiting.iter();
    let asked = waiting.filter_map(|(work, waiting)| match &waiting.then {
        Then::Read(ReadThen::Show(ShownRead::Output(ask))) => Some((*work, ask.clone())),
        _ => None,
    });
    let mut all: Vec<_> = asked.collect();
    all.sort_by_key(|(work, _)| work.0);
    all
}

/// As a test run prints it: colours, wide characters, what would deceive, and a long line.
fn printed() -> Vec<u8> {
    let mut text = String::new();
    for test in 1..=5_000 {
        let how = match test % 7 {
            0 => "\u{1b}[31mFAILED\u{1b}[0m",
            _ => "\u{1b}[32mok\u{1b}[0m",
        };
        text += &format!("test session::case_{test} ... {how}\n");
        match test {
            3 => text += &format!("  left: [{}]\n", "1, 2, 3, ".repeat(60)),
            5 => text += "  修复登录页 \u{202e}evil\u{7}\r\n",
            6 => text += "  10%\r  55%\r 100%\n",
            _ => {}
        }
    }
    text.into_bytes()
}

fn pictured(name: &str, what: &str, build: impl Fn(&mut OutputStage, u16, u16) -> World) {
    pictured_at(&ALL_SIZES, name, what, |cols, rows| {
        build(&mut OutputStage::of(&printed()), cols, rows)
    });
}

#[test]
fn an_output_is_shown_with_its_colours_and_numbers() {
    let what =
        "A whole output from its first line on: numbers, colours, a long line wrapped, what would deceive spelled out.";
    pictured("output.first", what, |stage, cols, rows| stage.opened(cols, rows));
    pictured("output.last", "Its end, after one key.", |stage, cols, rows| {
        let mut world = stage.opened(cols, rows);
        stage.presses(&mut world, "G");
        world
    });
    let what = "Long lines are cut, and scrolled sideways.";
    pictured("output.cut", what, |stage, cols, rows| {
        let mut world = stage.opened(cols, rows);
        stage.presses(&mut world, "w right right");
        world
    });
}

#[test]
fn words_are_looked_for_in_all_of_it() {
    let what = "Words that were looked for stand out; the line where they are has another number.";
    pictured("output.found", what, |stage, cols, rows| {
        let mut world = stage.opened(cols, rows);
        stage.presses(&mut world, "/ c a s e _ 4 0 0 enter n");
        world
    });
    pictured("output.typing", "Words are being typed.", |stage, cols, rows| {
        let mut world = stage.opened(cols, rows);
        stage.presses(&mut world, "/ f a i l");
        world
    });
    let mut stage = OutputStage::of(&printed());
    let mut world = stage.opened(120, 40);
    stage.presses(&mut world, "/ n o p e enter");
    assert!(world.picture().contains("nope is nowhere in it"), "{}", world.picture());
    stage.presses(&mut world, "/ C A S E enter");
    assert!(world.picture().contains("CASE is nowhere in it"));
    stage.presses(&mut world, "/ c a s e _ 4 9 9 9 enter n");
    assert!(world.picture().contains("from the top: below there is no more"));
    stage.presses(&mut world, "N");
    assert!(
        world.picture().contains("from the end: above there is no more"),
        "{}",
        world.picture()
    );
}

#[test]
fn other_keys_do_not_close_it() {
    let mut stage = OutputStage::of(&printed());
    let mut world = stage.opened(120, 40);
    for key in ["x", "enter", "a", "? esc", "ctrl+c", "d", "backspace"] {
        stage.presses(&mut world, key);
        assert!(world.view().over.dialog.is_some(), "{key} closes it");
    }
    stage.presses(&mut world, "v esc");
    assert!(world.view().over.dialog.is_some(), "lines were selected");
    stage.presses(&mut world, "esc");
    assert!(world.view().over.dialog.is_none());
    let mut world = stage.opened(120, 40);
    stage.presses(&mut world, "q");
    assert!(world.view().over.dialog.is_none());
}

#[test]
fn a_line_is_gone_to_by_its_number_and_pages_join() {
    let mut stage = OutputStage::of(&printed());
    let mut world = stage.opened(120, 40);
    assert!(world.picture().contains("of 5003 · "), "{}", world.picture());
    stage.presses(&mut world, ": 2 5 0 0 enter");
    assert!(
        world.picture().contains(" 2500 test session::case_2497"),
        "{}",
        world.picture()
    );
    for _ in 0..100 {
        stage.presses(&mut world, "pageup");
    }
    assert!(
        world.picture().contains("    1 test session::case_1 "),
        "{}",
        world.picture()
    );
    for _ in 0..200 {
        stage.presses(&mut world, "space");
    }
    assert!(
        world.picture().contains("line 5003 of 5003 · 100 %"),
        "{}",
        world.picture()
    );
    stage.presses(&mut world, ": 9 9 9 9 9 enter");
    assert!(world.picture().contains("line 5003 of 5003"));
    stage.presses(&mut world, ": x enter");
    assert!(world.picture().contains("x is no number"));
}

#[test]
fn what_is_selected_is_copied_and_all_of_it_where_nothing_is() {
    let what = "Some lines are selected.";
    pictured("output.selected", what, |stage, cols, rows| {
        let mut world = stage.opened(cols, rows);
        stage.presses(&mut world, "down v down down down");
        world
    });
    let mut stage = OutputStage::of(&printed());
    let mut world = stage.opened(120, 40);
    let copied = |effects: Vec<Effect>| {
        effects.into_iter().find_map(|effect| match effect {
            Effect::Clipboard(_, text) => Some(text),
            _ => None,
        })
    };
    let text = copied(stage.presses(&mut world, "v down y"));
    assert_eq!(
        text.as_deref(),
        Some("test session::case_1 ... ok\ntest session::case_2 ... ok\n")
    );
    assert!(world.picture().contains("copied 2 lines"));
    let all = copied(stage.presses(&mut world, "y")).unwrap();
    assert!(all.lines().count() == 5_003 + 2 && !all.contains('\u{1b}') && !all.contains('\u{7}'));
    let mut stage = OutputStage::of("x".repeat(2 << 20).as_bytes());
    let mut world = stage.opened(120, 40);
    assert_eq!(copied(stage.presses(&mut world, "y")).unwrap().len(), LONGEST_COPY);
    assert!(
        world.picture().contains("copied 1 line, the first 1.0 MB"),
        "{}",
        world.picture()
    );
}

#[test]
fn it_is_saved_where_a_person_says() {
    let mut stage = OutputStage::of(&printed());
    let mut world = stage.opened(120, 40);
    stage.presses(&mut world, "s");
    assert!(world.picture().contains("save as /"), "{}", world.picture());
    world.press("ctrl+u");
    world.paste("~/logs/run.txt");
    world.press("enter");
    let asked = waiting(&world);
    let person = world.state.domain.disk.person.clone();
    assert_eq!(asked[0].1.wanted, OutputWanted::Save(person.join("logs/run.txt")));
    let refused = Problem::new(
        "saving a call's output",
        "there is such a file already",
        "give another name",
    );
    world.done(asked[0].0, Outcome::Failed(refused));
    assert!(world.picture().contains("there is such a file already"));
    assert!(world.view().over.dialog.is_some());
    stage.presses(&mut world, "s enter");
    assert!(world.picture().contains("saved 20"), "{}", world.picture());
}

#[test]
fn it_is_opened_in_an_editor_or_a_pager_at_the_line_that_is_at_the_top() {
    for (key, expected) in [("e", OpenedWith::Editor), ("p", OpenedWith::Pager)] {
        let mut stage = OutputStage::of(&printed());
        let mut world = stage.opened(120, 40);
        stage.presses(&mut world, "down down");
        let effects = world.press(key);
        let job = works(&effects).into_iter().find_map(|(_, job)| match job {
            Work::Script(ScriptWork::Edit { with, file, dir, .. }) => Some((with, file, dir)),
            _ => None,
        });
        let (with, file, dir) = job.unwrap_or_else(|| panic!("{effects:?}"));
        let (path, line) = file.unwrap();
        assert_eq!((with, line, dir), (expected, 3, None));
        assert!(path.ends_with("outputs/t1") && path.is_absolute(), "{path:?}");
        assert!(world.view().over.dialog.is_none());
    }
}

#[test]
fn it_is_open_again_where_it_was_when_the_editor_or_the_pager_ends() {
    for key in ["e", "p"] {
        let mut stage = OutputStage::of(&printed());
        let mut world = stage.opened(120, 40);
        stage.presses(&mut world, "/ c a s e _ 4 0 0 enter");
        let before = world.picture();
        let (number, _) = world.presses_for(key);
        world.editor_starts(number, "case_400");
        assert!(world.view().tab == Tab::Side(number) && world.view().over.dialog.is_none());
        world.comes_to_its_end(number, ScriptEnding::Exited(0));
        world.calm();
        stage.answers(&mut world);
        assert_eq!(world.picture(), before);
        stage.presses(&mut world, "n");
        assert!(world.picture().contains("case_4000"), "{}", world.picture());
        world.press("q");
        assert!(world.view().over.dialog.is_none());
        // Another editor has nothing to do with it.
        world.calm();
        let (number, _) = world.presses_for("E");
        world.editor_starts(number, "");
        world.comes_to_its_end(number, ScriptEnding::Exited(0));
        assert!(world.view().over.dialog.is_none());
    }
}

#[test]
fn a_line_of_ten_megabytes_is_shown_in_part_and_words_in_it_are_found() {
    let mut text = b"first\n".to_vec();
    text.extend("é".repeat(5 << 20).as_bytes());
    text.extend(b"needle");
    text.extend("é".repeat(1 << 20).as_bytes());
    text.extend(b"\nlast");
    let mut stage = OutputStage::of(&text);
    let mut world = stage.opened(120, 40);
    stage.presses(&mut world, "w");
    assert!(world.picture().contains("last"), "{}", world.picture());
    stage.presses(&mut world, "/ n e e d l e enter");
    assert!(world.picture().contains("needle"), "{}", world.picture());
    stage.presses(&mut world, "w");
    assert!(
        world.picture().contains("2.0 MB more of this line"),
        "{}",
        world.picture()
    );
}

#[test]
fn a_newer_search_gives_up_the_older_and_what_is_gone_is_said() {
    let mut stage = OutputStage::of(&printed());
    let mut world = stage.opened(120, 40);
    world.press("/ a enter");
    let (older, _) = waiting(&world)[0].clone();
    let effects = world.press("/ b enter");
    assert!(effects.contains(&Effect::Cancel(older)), "{effects:?}");
    let gone = Problem::new("reading a call's output", "it is gone", "");
    let (newer, _) = waiting(&world).pop().unwrap();
    world.done(newer, Outcome::Failed(gone));
    assert!(world.view().over.dialog.is_none());
    assert!(world.picture().contains("it is gone"));
}

#[test]
fn an_empty_one_says_so_and_reading_is_seen() {
    let world = open(120, 40);
    assert!(world.picture().contains("reading it…"));
    let mut stage = OutputStage::of(b"");
    let world = stage.opened(120, 40);
    assert!(world.picture().contains("It is empty."), "{}", world.picture());
}

#[test]
fn what_the_search_found_in_an_output_is_shown_there() {
    let mut world = World::morning(120, 40);
    let whole = Whole {
        tool: "Bash".into(),
        file: "outputs/t1".into(),
        cut: None,
    };
    let output = Output::new(&world.state.domain, &id("auth"), whole).at("case_4321", 100_000);
    dialogs::open(&mut world.state, ME, output);
    let effects = world.look();
    let asked = works(&effects).into_iter().find_map(|(_, job)| match job {
        Work::Read(Read::Shown(ShownRead::Output(ask))) => Some(ask.wanted),
        _ => None,
    });
    assert_eq!(
        asked,
        Some(OutputWanted::Page(LinesAt::Next("case_4321".into(), 100_000)))
    );
    OutputStage::of(&printed()).answers(&mut world);
    assert!(
        world.picture().contains(" 4324 test session::case_4321"),
        "{}",
        world.picture()
    );
}
