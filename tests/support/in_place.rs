//! What a worker tells of directories that a person opened in place, made by hand.

use parlour::domain::effect::Effect;
use parlour::domain::event::{Event, Outcome};
use parlour::domain::work::{ReviewDone, ReviewWork, Work};
use parlour::model::in_place::Uncompared;
use parlour::model::review::{Changes, DiffSet, FileKind, InIndex, Overview, StageState};

use super::review::{answer, change, overview};
use super::world::World;

fn place(project: &str, left_out: Option<Uncompared>) -> Changes {
    Changes {
        project: project.into(),
        in_place: true,
        left_out,
        ..Changes::default()
    }
}

/// Two repositories, one with more untracked files than are shown, and a plain directory.
pub fn places() -> Vec<Changes> {
    let mut staged = change("README.md", FileKind::Modified, (2, 0), "c1");
    staged.index = Some(InIndex {
        content: String::new(),
        staged: StageState::Yes,
    });
    let grove = Changes {
        before: Some("1".repeat(40)),
        after: "2".repeat(40),
        files: vec![
            staged,
            change("src/auth/session.rs", FileKind::Modified, (3, 1), "c2"),
            change("tests/expired.rs", FileKind::Added, (17, 0), "c3"),
        ],
        ..place("grove", None)
    };
    let data = Changes {
        after: "3".repeat(40),
        files: vec![change("load.py", FileKind::Added, (8, 0), "d1")],
        ..place("data", Some(Uncompared::Untracked { files: 1_204 }))
    };
    vec![grove, data, place("notes", Some(Uncompared::NoRepository))]
}

/// The Changes tab of a chat that works in place alone.
pub fn in_place(cols: u16, rows: u16, changes: &[Changes]) -> World {
    let mut world = World::new(cols, rows);
    let chat = world.chat("auth", "Fix auth bug", 4);
    let chat = chat.checkout("grove", "main").checkout("data", "main");
    chat.local("notes");
    world.look();
    press_in_place(&mut world, "d", changes);
    world
}

/// Presses keys; whenever the tab asks what differs, it is told this.
pub fn press_in_place(world: &mut World, keys: &str, changes: &[Changes]) -> Vec<ReviewWork> {
    world.press_each(keys, |world, effects| answered(world, effects, changes))
}

fn answered(world: &mut World, effects: Vec<Effect>, changes: &[Changes]) -> Vec<ReviewWork> {
    let mut asked = Vec::new();
    for effect in effects {
        let Effect::Work(number, Work::Review(ReviewWork::Overview(chat, set))) = effect else {
            asked.extend(answer(world, vec![effect]));
            continue;
        };
        let are_all = changes.iter().all(|changes| changes.in_place);
        let shown = if are_all { DiffSet::Uncommitted } else { set.clone() };
        let known = overview(shown);
        let found = Overview {
            changes: changes.to_vec(),
            checkpoints: if are_all { Vec::new() } else { known.checkpoints.clone() },
            since_last: known.since_last.filter(|_| !are_all),
            ..known
        };
        asked.push(ReviewWork::Overview(chat.clone(), set));
        let done = ReviewDone::Overview(chat, found);
        let more = world.happens(Event::Done(number, Outcome::Review(done)));
        asked.extend(answered(world, more, changes));
    }
    asked
}
