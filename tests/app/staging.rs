//! What the Changes tab says of what is being staged.

use parlour::domain::event::Outcome;
use parlour::domain::work::{ReviewWork, Work};
use parlour::model::Problem;
use parlour::model::review::{DiffSet, FileKind, InIndex, StageState};
use parlour::screen::tab::changes::data::ChangesView;
use parlour::screen::tab::changes::file_key::FileKey;
use parlour::screen::tab::changes::tree::{TreeRow, rows};

use crate::support::events::works;
use crate::support::review::{change, overview, remarked_upon};
use crate::support::world::World;

#[test]
fn what_is_staged_from_another_comparison_is_said_to_be_only_once_it_is() {
    let mut world = remarked_upon(120, 40);
    let effects = world.press("space");
    let (work, _) = works(&effects)
        .into_iter()
        .find(|(_, job)| matches!(job, Work::Review(ReviewWork::Pick(..))))
        .expect("it is to be staged");
    let says = |world: &mut World| world.picture().contains("Staged");
    assert!(!says(&mut world), "{}", world.picture());
    let refused = Problem::new("staging", "the index is locked", "try again");
    world.done(work, Outcome::Failed(refused));
    assert!(!says(&mut world), "{}", world.picture());
    assert_eq!(world.view().changes.set, DiffSet::Uncommitted);
}

#[test]
fn a_file_that_is_new_is_said_to_be_deleted_by_a_discard() {
    let mut world = remarked_upon(120, 40);
    world.press("g");
    let mut asked = Vec::new();
    for _ in 0..7 {
        world.press("J x");
        let picture = world.picture().replace(['│', '▐'], " ");
        asked.push(picture.split_whitespace().collect::<Vec<_>>().join(" "));
        world.later(1_000);
        world.press("esc");
        world.later(2_000);
    }
    let says = |words: &str| asked.iter().filter(|asked| asked.contains(words)).collect::<Vec<_>>();
    let new = says("This deletes the file: it was not there before the last prompt.");
    assert!(!new.is_empty(), "{asked:#?}");
    assert!(new.iter().all(|asked| asked.contains("tests/expired.rs +17 −0 new")));
    assert!(!says("Then it is as it was before the last prompt.").is_empty());
}

#[test]
fn a_directory_is_folded_with_those_in_it_and_has_the_sign_of_all_their_files() {
    let staged = |path: &str, staged| {
        let content = String::new();
        let mut file = change(path, FileKind::Modified, (1, 2), "a");
        file.index = Some(InIndex { content, staged });
        file
    };
    let mut listed = overview(DiffSet::Uncommitted);
    listed.changes.truncate(1);
    listed.changes[0].files = vec![
        staged("src/a.rs", StageState::Yes),
        staged("src/auth/keys.rs", StageState::No),
        staged("src/auth/old/b.rs", StageState::No),
        staged("srv/c.rs", StageState::No),
    ];
    let mut view = ChangesView::default();
    view.tree.folded.insert(FileKey {
        project: "grove".into(),
        path: "src/".into(),
    });
    view.overview = Some(listed);
    let names = |view: &ChangesView| -> Vec<String> {
        let rows = rows(view).into_iter();
        rows.map(|row| row.key().path.display().to_string()).collect()
    };
    assert_eq!(names(&view), ["", "src/", "srv/", "srv/c.rs"]);
    let rows = rows(&view);
    let TreeRow::Dir { within, .. } = &rows[1] else {
        panic!("a directory");
    };
    assert_eq!((within.keys.len(), within.added, within.removed), (3, 3, 6));
    assert_eq!(within.staged(), Some(StageState::Partly), "one of three");
    drop(rows);
    view.tree.folded.clear();
    assert_eq!(names(&view).len(), 9, "four files in four directories");
}
