//! Deleting, undoing it, and what a crash in the middle of anything leaves behind.

use std::fs;
use std::time::Duration;

use super::*;

/// A chat with links to the outside, and what lies outside.
fn with_links() -> (StoreStage, ChatId) {
    let place = place();
    let id = place.chat("Fix auth", 1);
    let outside = place.folder.path().join("outside");
    fs::create_dir_all(outside.join("deep")).unwrap();
    fs::write(outside.join("deep/precious"), "precious").unwrap();
    let dir = place.home.chat_path(&id);
    std::os::unix::fs::symlink(&outside, dir.join("projects/linked")).unwrap();
    std::os::unix::fs::symlink(outside.join("deep/precious"), dir.join("file")).unwrap();
    fs::write(dir.join("work"), "work").unwrap();
    (place, id)
}

#[test]
fn a_deletion_undone_leaves_everything_as_it_was() {
    let (place, id) = with_links();
    let before = manifest(place.folder.path());
    assert_eq!(place.home.trash_chat(&id, NOW).unwrap(), None);
    assert_eq!(place.home.list().unwrap(), []);
    assert!(!place.home.chat_path(&id).exists());
    let trashed = place.home.list_trash().unwrap();
    assert_eq!((trashed[0].deleted, trashed.len()), (Some(NOW), 1));
    place.home.restore(&id).unwrap();
    assert_eq!(manifest(place.folder.path()), before);
    assert!(matches!(place.home.restore(&id), Err(Error::NotInTrash(_))));
}

#[test]
fn a_place_in_the_trash_is_no_deletion_yet() {
    let (place, id) = with_links();
    let chats = place.home.list().unwrap();
    place.home.ready_trash(&id, NOW).unwrap();
    assert_eq!(place.home.list().unwrap(), chats);
    assert_eq!(place.home.list_trash().unwrap(), []);
    assert_eq!(place.home.trash_chat(&id, NOW).unwrap(), None);
    assert_eq!(place.home.list_trash().unwrap().len(), 1);
}

#[test]
fn what_cannot_be_opened_hides_none_of_the_others() {
    let (place, id) = with_links();
    place.home.trash_chat(&id, NOW).unwrap();
    let stray = ChatId::from_bits(99);
    fs::write(place.home.trash().join(stray.as_str()), "no directory").unwrap();
    let trashed = place.home.list_trash().unwrap();
    let of = |id: &ChatId| trashed.iter().find(|trashed| &trashed.id == id).unwrap();
    assert_eq!((of(&id).deleted, &of(&stray).record), (Some(NOW), &None));
    let week = Duration::from_secs(7 * 86_400);
    place.home.purge_trash(NOW.plus_ms(8 * 86_400_000), week).unwrap();
    assert_eq!(place.home.list_trash().unwrap().len(), 1, "the other is purged");
}

#[test]
fn a_purge_that_came_to_no_end_is_gone_on_with() {
    let (place, id) = with_links();
    place.home.trash_chat(&id, NOW).unwrap();
    let left = place.home.path().join("staging").join(format!("purged-{id}"));
    fs::rename(place.home.trash().join(id.as_str()), &left).unwrap();
    assert_eq!(place.home.list_trash().unwrap(), []);
    let week = Duration::from_secs(7 * 86_400);
    assert_eq!(place.home.purge_trash(NOW, week).unwrap(), [""; 0]);
    assert!(!left.exists());
}

#[test]
fn a_purge_removes_links_and_never_what_they_point_to() {
    let (place, id) = with_links();
    let outside = manifest(&place.folder.path().join("outside"));
    place.home.trash_chat(&id, NOW).unwrap();
    let week = Duration::from_secs(7 * 86_400);
    place.home.purge_trash(NOW.plus_ms(86_400_000), week).unwrap();
    assert_eq!(place.home.list_trash().unwrap().len(), 1, "a day is too early");
    let kept = place.home.purge_trash(NOW.plus_ms(8 * 86_400_000), week).unwrap();
    assert_eq!(kept, Vec::<String>::new());
    assert_eq!(manifest(&place.home.trash()).len(), 0);
    assert_eq!(manifest(&place.home.staging()).len(), 0);
    assert_eq!(manifest(&place.folder.path().join("outside")), outside);
}

#[test]
fn a_deletion_cut_off_after_its_record_is_finished_at_the_next_start() {
    let (place, id) = with_links();
    place.home.trash_chat(&id, NOW).unwrap();
    let away = place.home.trash().join(id.as_str()).join("chat");
    fs::rename(away, place.home.chat_path(&id)).unwrap();
    let place = place.reopened();
    assert_eq!(place.home.list().unwrap(), [], "the record decides");
    let settled = place.home.settle().unwrap();
    assert_eq!(settled.said, [format!("the deletion of {id} was finished")]);
    assert!(!place.home.chat_path(&id).exists());
    assert!(place.home.restore(&id).unwrap().damage.is_none());
    assert_eq!(fs::read(place.home.chat_path(&id).join("work")).unwrap(), b"work");
}

#[test]
fn a_deletion_cut_off_before_its_record_never_happened() {
    let (place, id) = with_links();
    let before = manifest(place.folder.path());
    fs::create_dir(place.home.trash().join(id.as_str())).unwrap();
    fs::write(place.home.trash().join(id.as_str()).join("trash.json"), "{").unwrap();
    let place = place.reopened();
    assert_eq!(place.home.settle().unwrap().said, Vec::<String>::new());
    assert_eq!(manifest(place.folder.path()), before);
}

#[test]
fn a_birth_cut_off_between_its_two_renames_is_undone() {
    let place = place();
    let other = place.chat("Other", 2);
    let before = manifest(place.home.path());
    let id = place.chat("Half", 1);
    let staged = place.home.staging().join(id.as_str());
    fs::create_dir(&staged).unwrap();
    fs::rename(place.home.record_path(&id), staged.join("record")).unwrap();
    let place = place.reopened();
    let settled = place.home.settle().unwrap();
    assert_eq!(settled.leftovers, [id.as_str()]);
    assert_eq!(place.home.sweep(&settled.leftovers), Vec::<String>::new());
    assert_eq!(manifest(place.home.path()), before);
    assert_eq!(place.home.load(&other).unwrap().record.name, "Other");
}

#[test]
fn a_directory_without_a_record_is_nobodys_to_remove() {
    let place = place();
    let stranger = place.home.chats().join("aaaaaaaaaa");
    fs::create_dir(&stranger).unwrap();
    fs::write(stranger.join("work"), "work").unwrap();
    let settled = place.home.settle().unwrap();
    place.home.sweep(&settled.leftovers);
    assert_eq!(fs::read(stranger.join("work")).unwrap(), b"work");
}

#[test]
fn a_restored_chat_gives_way_where_its_handle_was_taken() {
    let place = place();
    let id = place.chat("Fix auth", 1);
    place.home.trash_chat(&id, NOW).unwrap();
    place.chat("Fix auth", 2);
    let chat = place.home.restore(&id).unwrap();
    assert_eq!(chat.record.handle.as_str(), "fix-auth-2");
}

#[test]
fn a_directory_made_anew_after_the_deletion_is_kept_beside_the_old_one() {
    let (place, id) = with_links();
    place.home.trash_chat(&id, NOW).unwrap();
    fs::create_dir(place.home.chat_path(&id)).unwrap();
    place.home.settle().unwrap();
    let bin = place.home.trash().join(id.as_str());
    assert!(bin.join("chat/work").exists() && bin.join("chat-2").exists());
}

#[test]
fn a_clock_that_is_far_ahead_for_a_moment_is_not_believed() {
    const HOUR: u64 = 3_600_000;
    let place = place();
    let at = |hours: u64| NOW.plus_ms(hours * HOUR);
    let believed = |hours| place.home.believes(at(hours)).unwrap();
    assert!(believed(0), "nothing is known of it yet");
    assert!(believed(24) && believed(24));
    // Eight days ahead, and however often it is asked then.
    assert!(!believed(24 + 8 * 24) && !believed(24 + 8 * 24 + 1));
    // Put right again.
    assert!(believed(48) && believed(72));
    // The machine rested for two weeks: a day later it is.
    assert!(!believed(72 + 14 * 24) && !believed(72 + 14 * 24 + 23));
    assert!(believed(72 + 15 * 24) && believed(72 + 16 * 24));
}
