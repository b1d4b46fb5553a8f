//! Text of what parlour draws itself is marked and copied by the mouse.

use crossterm::event::{MouseButton, MouseEventKind};
use parlour::domain::event::{ClientEvent, DiskEvent};
use parlour::domain::{Effect, Event};
use parlour::model::entry::From;
use parlour::model::settings::{CopyOnSelect, Settings};
use parlour::screen::layout;
use parlour::screen::tab::changes::place;
use parlour::term::Copied;

use crate::support::review::{answer, reviewed};
use crate::support::transcript::{Paper, numbered, prompt, said};
use crate::support::world::{ME, World};

const DRAG: MouseEventKind = MouseEventKind::Drag(MouseButton::Left);
const UP: MouseEventKind = MouseEventKind::Up(MouseButton::Left);

/// The transcript of a short talk.
fn talked() -> World {
    let paper = Paper {
        entries: numbered(vec![
            prompt("please fix it", From::Person),
            said("The token had expired."),
        ]),
        gap_behind: None,
        is_terminal_gone: false,
    };
    let mut world = World::morning(120, 40);
    let effects = world.press("t");
    paper.answer(&mut world, effects);
    world
}

/// Where the words stand on the screen, at or below this row.
fn place_of(world: &mut World, words: &str, below: u16) -> (u16, u16) {
    let picture = world.picture();
    let rows = (0..).zip(picture.lines()).skip(below.into());
    let found = rows.filter_map(|(y, line)| Some((line.find(words).map(|at| line[..at].chars().count())?, y)));
    let (x, y): (usize, u16) = found
        .min_by_key(|(_, y)| *y)
        .unwrap_or_else(|| panic!("{words:?} in {picture}"));
    (u16::try_from(x).unwrap(), y)
}

fn drag(world: &mut World, from: (u16, u16), to: (u16, u16)) -> Vec<Effect> {
    world.click(from.0, from.1);
    world.mouse(DRAG, to.0, to.1);
    world.mouse(UP, to.0, to.1)
}

/// The text in the cells that are to be copied.
fn copied(world: &mut World, effects: &[Effect]) -> String {
    let [Effect::CopyDrawn(ME, wanted)] = effects else {
        panic!("{effects:?}");
    };
    let picture = world.picture();
    let lines: Vec<Vec<char>> = picture.lines().map(|line| line.chars().collect()).collect();
    let row = |(y, from, to): &(u16, u16, u16)| {
        let cells = lines[usize::from(*y)].iter().skip((*from).into());
        let text: String = cells.take(usize::from(to - from) + 1).collect();
        text.trim_end().to_owned()
    };
    wanted.rows.iter().map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn words_of_the_transcript_are_copied_as_they_stand_there() {
    let mut world = talked();
    let (x, y) = place_of(&mut world, "token", 0);
    let effects = drag(&mut world, (x, y), (x + 4, y));
    assert_eq!(copied(&mut world, &effects), "token");
    let read = ClientEvent::Read(Copied {
        text: "token".into(),
        cut: false,
    });
    let effects = world.happens(Event::Client(ME, read));
    assert!(effects.contains(&Effect::Clipboard(ME, "token".into())), "{effects:?}");
    assert!(world.picture().contains("Copied 1 line."), "{}", world.picture());
}

#[test]
fn a_mere_click_marks_nothing_and_the_second_on_an_item_opens_it_unless_it_is_dragged() {
    let mut world = talked();
    let (x, y) = place_of(&mut world, "token", 0);
    let click = |world: &mut World| {
        world.click(x, y);
        world.mouse(UP, x, y)
    };
    assert_eq!(click(&mut world), []);
    let open = |world: &mut World| world.view().transcript.open.len();
    let before = (open(&mut world), world.picture());
    drag(&mut world, (x, y), (x + 4, y));
    assert_eq!((open(&mut world), world.picture()), before);
}

#[test]
fn lines_of_a_change_are_copied_without_their_numbers_and_signs() {
    let mut world = reviewed(120, 40);
    world.press_each("enter", answer);
    let lines = place::areas(world.view()).lines;
    let (x, y) = place_of(&mut world, "fn check", 0);
    assert!(layout::holds(lines, x, y));
    let effects = drag(&mut world, (x, y), (x + 3, y + 2));
    let text = copied(&mut world, &effects);
    let picture = world.picture();
    assert!(text.starts_with("fn check"), "{text}");
    for line in text.lines() {
        assert!(
            !line.starts_with(['+', '-']) && !line.trim_start().starts_with(char::is_numeric),
            "{text}\n{picture}"
        );
    }
    assert_eq!(text.split('\n').count(), 3, "{text:?}\n{picture}");
    // Up to another part of the page, nothing of that is taken along.
    let effects = drag(&mut world, (x, y), (lines.x.saturating_sub(9), y + 1));
    assert_eq!(copied(&mut world, &effects).lines().count(), 2);
    assert!(copied(&mut world, &effects).starts_with("fn check"));
}

#[test]
fn without_copying_on_release_it_stays_marked_for_a_key() {
    let mut world = talked();
    let settings = Settings {
        copy_on_select: CopyOnSelect(false),
        ..Settings::default()
    };
    world.happens(Event::Disk(DiskEvent::Settings(Box::new(Ok(settings)))));
    let (x, y) = place_of(&mut world, "token", 0);
    assert_eq!(drag(&mut world, (x, y), (x + 4, y)), []);
    assert!(world.view().over.mark.is_some());
    let effects = world.press("y");
    assert_eq!(copied(&mut world, &effects), "token");
    assert!(world.view().over.mark.is_none());
    drag(&mut world, (x, y), (x + 4, y));
    world.press("j");
    assert!(world.view().over.mark.is_none(), "another key takes the mark away");
}
