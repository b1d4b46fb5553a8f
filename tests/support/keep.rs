//! What workers tell of what can be kept, made by hand.

use parlour::domain::effect::Effect;
use parlour::domain::event::{Event, Outcome};
use parlour::domain::work::{KeepDone, KeepWork, Work};
use parlour::model::keep::{CloneToKeep, GitUnderWay, KeepDraft, PushTarget};

use super::review::answer;
use super::world::{World, id};

pub fn draft() -> KeepDraft {
    let clone = |project: &str, branch: &str, changed, staged| CloneToKeep {
        conflicts: 0,
        under_way: None,
        ends_by_commit: false,
        home_hooks: vec!["reference-transaction".into(), "post-checkout".into()],
        home: Some("/home/dev/src/grove".into()),
        too_large: Vec::new(),
        project: project.into(),
        branch: Some(branch.into()),
        changed,
        staged,
        is_pushed: false,
        target: Some(PushTarget {
            remote: format!("https://example.org/{project}.git"),
            is_new: staged == 0,
            commits: staged,
        }),
    };
    KeepDraft {
        message: "Rename session.rs and say so in the docs".into(),
        title: "Mend the dates".into(),
        body: "- **Mend the dates**\n  It was the time zone.\n- **Rename session.rs**\n  Done.".into(),
        name: String::new(),
        last: String::new(),
        clones: vec![
            clone("ledger", "fix-dates", 6, 2),
            clone("ledger-web", "fix-dates\u{202e}", 1, 0),
        ],
    }
}

/// What is found while a rebase is under way in the first of two clones.
pub fn rebasing() -> KeepDraft {
    let mut found = draft();
    let first = &mut found.clones[0];
    (first.under_way, first.conflicts) = (Some(GitUnderWay::Rebase), 2);
    found
}

/// The Changes tab of a chat with two clones after these keys, and the work that they asked for but did not get.
pub fn keeping(cols: u16, rows: u16, keys: &str) -> (World, Vec<KeepWork>) {
    keeping_with(&draft(), cols, rows, keys)
}

/// The same, where this is found in the clones.
pub fn keeping_with(draft: &KeepDraft, cols: u16, rows: u16, keys: &str) -> (World, Vec<KeepWork>) {
    let mut world = World::morning(cols, rows);
    for _ in 0..20 {
        if world.view().chat.as_ref() == Some(&id("dates")) {
            break;
        }
        world.press("down");
    }
    let chats = &mut world.state.domain.disk.chats;
    chats.change(&id("dates"), |known| {
        for (project, clone) in known.projects.iter_mut().zip(&draft.clones) {
            project.under_way = clone.under_way.map(|_| "rebasing fix-dates".into());
        }
    });
    let effects = world.press("d");
    answer(&mut world, effects);
    let asked = press_with(draft, &mut world, keys);
    (world, asked)
}

pub fn press(world: &mut World, keys: &str) -> Vec<KeepWork> {
    press_with(&draft(), world, keys)
}

pub fn press_with(draft: &KeepDraft, world: &mut World, keys: &str) -> Vec<KeepWork> {
    let mut asked = Vec::new();
    for key in keys.split_whitespace() {
        let effects = world.press(key);
        for effect in &effects {
            match effect {
                Effect::Work(number, Work::Keep(KeepWork::Draft(_))) => {
                    let done = Outcome::Keep(KeepDone::Draft(draft.clone()));
                    let effects = world.happens(Event::Done(*number, done));
                    answer(world, effects);
                    world.calm();
                }
                Effect::Work(_, Work::Keep(work)) => asked.push(work.clone()),
                _ => {}
            }
        }
        answer(world, effects);
    }
    asked
}
