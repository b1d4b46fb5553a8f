//! Checkpoints that are forgotten, and what stays.

use std::collections::BTreeSet;

use super::*;

fn thin(saved: &SavedClone, kept: &[u64]) -> bool {
    let kept = BTreeSet::from_iter(kept.iter().copied());
    let cancel = CancelFlag::default();
    saved.store.thin(&kept, &saved.home.program, &cancel).unwrap()
}

fn blob(text: &str) -> git2::Oid {
    git2::Oid::hash_object(git2::ObjectType::Blob, text.as_bytes()).unwrap()
}

#[test]
fn what_is_thinned_out_gives_its_room_back_and_what_stays_can_be_restored() {
    let saved = SavedClone::new();
    saved.write("old.txt", "only in the first\n");
    saved.take();
    saved.write("old.txt", "second\n");
    let second = saved.take().snapshot;
    saved.write("old.txt", "third\n");
    saved.take();
    assert!(saved.has(blob("only in the first\n")));
    assert!(thin(&saved, &[2, 3]));
    assert!(!saved.has(blob("only in the first\n")));
    assert_eq!(saved.store.snapshots().unwrap().len(), 2);
    saved.check();
    assert!(!thin(&saved, &[2, 3]), "there is nothing more to forget");
    saved.restore(&second);
    assert_eq!(saved.text("old.txt"), "second\n");
}

#[test]
fn a_clone_that_had_not_changed_keeps_the_state_before() {
    let saved = SavedClone::new();
    saved.write("old.txt", "first\n");
    saved.take();
    // Number 2 was another clone's alone.
    assert!(!saved.take().is_new);
    saved.write("old.txt", "third\n");
    saved.take();
    assert!(!thin(&saved, &[2, 3]));
    let at = saved.store.at(2).unwrap().unwrap();
    saved.restore(&at);
    assert_eq!(saved.text("old.txt"), "first\n");
}

#[test]
fn commits_that_no_checkpoint_names_go_too() {
    let saved = SavedClone::new();
    let lost = saved.clone.commit("work.txt", "one\n");
    saved.take();
    saved.clone.git(&["reset", "-q", "--hard", "HEAD~1"]);
    saved.take();
    saved.write("README.md", "three\n");
    saved.take();
    let lost = git2::Oid::from_str(&lost).unwrap();
    assert!(saved.has(lost));
    assert!(thin(&saved, &[2, 3]));
    assert!(!saved.has(lost));
    saved.check();
}

#[test]
fn what_was_only_compared_is_stored_again_when_it_is_saved() {
    let saved = SavedClone::new();
    saved.write("old.txt", "first\n");
    saved.take();
    saved.write("old.txt", "second\n");
    saved.take();
    saved.write("new.txt", "compared, not saved\n");
    saved.compare();
    assert!(saved.has(blob("compared, not saved\n")));
    assert!(thin(&saved, &[2]));
    assert!(!saved.has(blob("compared, not saved\n")));
    let third = saved.take().snapshot;
    saved.check();
    std::fs::remove_file(saved.path("new.txt")).unwrap();
    saved.restore(&third);
    assert_eq!(saved.text("new.txt"), "compared, not saved\n");
}

#[test]
fn a_kill_between_forgetting_and_giving_back_is_made_up_for() {
    let saved = SavedClone::new();
    for text in ["first\n", "second\n", "third\n"] {
        saved.write("old.txt", text);
        saved.take();
    }
    // As a kill leaves it: the references are gone, their objects not, and a pack was half written.
    let store = saved.store_path();
    std::fs::write(store.join("thinning"), "").unwrap();
    std::fs::remove_file(store.join("refs/parlour/0000000001")).unwrap();
    std::fs::create_dir_all(store.join("objects/pack")).unwrap();
    std::fs::write(store.join("objects/pack/tmp_pack_k1ll3d"), "half of it").unwrap();
    saved.check();
    saved.write("old.txt", "fourth\n");
    saved.take();
    assert!(thin(&saved, &[2, 3, 4]));
    assert!(!saved.has(blob("first\n")));
    assert!(!store.join("objects/pack/tmp_pack_k1ll3d").exists());
    saved.check();
    for (number, text) in [(2, "second\n"), (3, "third\n"), (4, "fourth\n")] {
        let at = saved.store.at(number).unwrap().unwrap();
        saved.restore(&at);
        assert_eq!(saved.text("old.txt"), text);
    }
}

#[test]
fn whoever_needs_the_store_gets_it_at_once_and_nothing_is_lost() {
    let saved = SavedClone::new();
    for text in ["first\n", "second\n"] {
        saved.write("old.txt", text);
        saved.take();
    }
    let cancel = CancelFlag::default();
    cancel.cancel();
    let kept = BTreeSet::from([2]);
    assert!(saved.store.thin(&kept, &saved.home.program, &cancel).is_err());
    assert_eq!(saved.store.snapshots().unwrap().len(), 2);
    assert!(thin(&saved, &[2]));
    saved.check();
}
