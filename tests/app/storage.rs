//! What lies on disk, on a page of the screen: seen, freed, added to.

use parlour::domain::event::Outcome;
use parlour::domain::work::{StorageDone, StorageWork, TrashDone, TrashWork};
use parlour::domain::{Effect, Work};
use parlour::model::Losses;
use parlour::model::deleted::Deleted;
use parlour::model::open_dir::OpenDir;
use parlour::model::request::{ProjectRequest, Request};
use parlour::model::storage::{DiskItem, DiskPlace, SetupSource};
use parlour::screen::dialog::Dialog;

use crate::support::dialog::disk_use;
use crate::support::events::{jobs, problem, works};
use crate::support::world::{World, deleted, id};

fn is_storage(effects: &[Effect], job: &StorageWork) -> bool {
    jobs(effects).contains(&Work::Storage(job.clone()))
}

/// The disk page is open, and knows what there is.
fn measured(world: &mut World) {
    world.press("X d");
    assert!(matches!(world.view().over.dialog, Some(Dialog::Disk(_))));
    world.measures(disk_use());
    world.later(1_000);
}

#[test]
fn the_page_measures_once_and_again_after_a_change() {
    let mut world = World::morning(120, 40);
    assert!(is_storage(&world.press(": D i s k enter"), &StorageWork::Measure));
    world.measures(disk_use());
    world.later(1_000);
    assert_eq!(jobs(&world.look()), []);
    world.press("p");
    assert_eq!(jobs(&world.press("y")), [], "it cannot have been read yet");
    world.later(1_000);
    let effects = world.press("y");
    assert!(is_storage(&effects, &StorageWork::Prune { index: false }));
    let mut freed = disk_use();
    freed.items.retain(|item| !item.place.is_unused());
    freed.freed = 412_000_000;
    world.done(works(&effects)[0].0, Outcome::Storage(StorageDone::Used(freed)));
    let picture = world.picture();
    assert!(
        picture.contains("412 MB freed") && !picture.contains("ledger"),
        "{picture}"
    );
    assert_eq!(jobs(&world.press("p y")), [], "nothing is unused any more");
}

/// A person agrees to nothing that was not in sight.
#[test]
fn a_question_about_more_than_fits_is_read_to_its_end_before_a_yes_counts() {
    let mut world = World::morning(80, 24);
    world.press("X d");
    let mut used = disk_use();
    used.items.extend((0..40).map(|number| DiskItem {
        place: DiskPlace::Repository {
            path: format!("example.org/acme/{number}.git").into(),
            chats: 0,
        },
        name: format!("repository {number}"),
        bytes: 1_000,
        more: false,
    }));
    world.measures(used);
    world.later(1_000);
    world.press("p");
    world.later(1_000);
    assert_eq!(jobs(&world.press("y")), [], "more is to be read");
    world.later(1_000);
    world.press("end");
    assert!(world.picture().contains("fetched again"), "{}", world.picture());
    assert!(is_storage(&world.press("y"), &StorageWork::Prune { index: false }));
}

#[test]
fn what_is_on_the_page_is_gone_to_deleted_and_restored_by_keys() {
    let mut world = World::morning(120, 40);
    measured(&mut world);
    world.press("x");
    assert!(matches!(world.view().over.dialog, Some(Dialog::Delete(_))));

    let mut world = World::morning(120, 40);
    measured(&mut world);
    world.press("enter");
    assert!(world.view().over.dialog.is_none());
    assert_eq!(world.selected(), "Fix auth bug");

    let mut world = World::morning(120, 40);
    measured(&mut world);
    let restore = Work::Trash(TrashWork::Restore(Some(id("gone").to_string())));
    assert_eq!(jobs(&world.press("j j j u")), [restore]);
}

#[test]
fn a_deleted_chat_is_removed_for_good_where_its_losses_are_said() {
    let mut world = World::morning(120, 40);
    measured(&mut world);
    world.press("j j j x");
    let list: Vec<Deleted> = vec![deleted("other", 1), deleted("gone", 2)];
    world.lists_trash(list);
    assert!(
        world.picture().contains("Delete this chat for good?"),
        "{}",
        world.picture()
    );
    let Some(Dialog::Trash(trash)) = &world.view().over.dialog else {
        panic!("{}", world.picture());
    };
    assert_eq!(trash.chosen().unwrap().id, id("gone"));
}

#[test]
fn setup_files_are_added_from_a_clone_and_removed_after_a_question() {
    let mut world = World::morning(120, 40);
    assert!(is_storage(
        &world.press(": s e t u p space f enter"),
        &StorageWork::ListSetup
    ));
    world.lists_setups(&[("grove", &[".env", "notes.txt"])]);
    world.later(1_000);
    world.press("j x");
    world.later(1_000);
    let remove = StorageWork::RemoveSetup {
        project: "grove".into(),
        files: vec!["notes.txt".into()],
    };
    let effects = world.press("y");
    assert!(is_storage(&effects, &remove));
    world.done(works(&effects)[0].0, Outcome::Failed(problem("the disk is full")));
    assert!(world.picture().contains("the disk is full"));

    world.later(1_000);
    world.press("a");
    world.later(1_000);
    let effects = world.press(". e n v space a / b ctrl+s");
    let add = StorageWork::AddSetup {
        from: SetupSource::Clone {
            chat: id("auth").to_string(),
            project: Some("grove".into()),
        },
        files: vec![".env".into(), "a/b".into()],
    };
    assert!(is_storage(&effects, &add), "{effects:?}");
}

#[test]
fn caches_are_not_removed_while_something_is_cloned() {
    let mut world = World::morning(120, 40);
    measured(&mut world);
    world.press("p");
    world.later(1_000);
    let open = OpenDir {
        path_or_url: "/src/ledger".into(),
        ..OpenDir::default()
    };
    let chat = id("auth").to_string();
    world.ask(Request::Project(ProjectRequest::OpenDir { chat, open }));
    assert_eq!(jobs(&world.press("y")), []);
    assert!(world.picture().contains("being opened"), "{}", world.picture());
}

/// The page has the cursor at a chat of it, and asks whether to delete that.
fn asks_to_delete(keys: &str) -> World {
    let mut world = World::morning(120, 40);
    measured(&mut world);
    world.press(keys);
    world.press("x");
    assert!(!matches!(world.view().over.dialog, Some(Dialog::Disk(_))));
    world
}

#[test]
fn the_page_stays_as_a_chat_of_it_is_deleted_and_restores_it() {
    let mut world = asks_to_delete("g");
    world.loses(Losses::default());
    world.later(1_000);
    world.press("y");
    world.loses(Losses::default());
    world.is_deleted("auth");
    world.calm();
    let picture = world.picture();
    assert!(
        picture.contains("Disk") && picture.contains("example.org/acme/grove"),
        "{picture}"
    );
    let mut used = disk_use();
    used.items[0].place = DiskPlace::Trash { chat: id("auth") };
    used.items.swap(0, 1);
    world.measures(used);
    let restored = jobs(&world.press("u"));
    assert_eq!(
        restored,
        [Work::Trash(TrashWork::Restore(Some(id("auth").to_string())))],
        "the cursor stays at it: {}",
        world.picture()
    );
}

#[test]
fn what_was_just_deleted_is_restored_before_the_page_has_measured_again() {
    let mut world = asks_to_delete("g");
    world.loses(Losses::default());
    world.later(1_000);
    world.press("y");
    world.loses(Losses::default());
    world.is_deleted("auth");
    world.calm();
    let restored = jobs(&world.press("u"));
    assert_eq!(
        restored,
        [Work::Trash(TrashWork::Restore(Some(id("auth").to_string())))]
    );
}

#[test]
fn a_no_leads_back_to_the_page_and_measures_it_again() {
    for answer in ["n", "esc", "enter"] {
        let mut world = asks_to_delete("g");
        world.loses(Losses::default());
        world.later(1_000);
        assert!(is_storage(&world.press(answer), &StorageWork::Measure), "{answer}");
        assert!(matches!(world.view().over.dialog, Some(Dialog::Disk(_))), "{answer}");
    }
}

#[test]
fn the_page_is_there_again_when_a_chat_of_the_trash_is_gone_for_good() {
    let mut world = asks_to_delete("j j j");
    world.lists_trash(vec![deleted("gone", 1)]);
    world.loses(Losses::default());
    world.later(1_000);
    let (work, job) = works(&world.press("y")).remove(0);
    assert_eq!(job, Work::Trash(TrashWork::Purge(Some(id("gone").to_string()))));
    world.done(work, Outcome::Trash(TrashDone::Purged(Vec::new())));
    assert!(
        matches!(world.view().over.dialog, Some(Dialog::Disk(_))),
        "{}",
        world.picture()
    );
}
