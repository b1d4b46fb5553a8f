//! Directories bound to chats.

use super::super::bound;
use super::{NOW, place};

#[test]
fn a_directory_is_bound_to_one_chat_by_its_real_path_until_that_is_gone() {
    let place = place();
    let dir = place.folder.path().join("grove");
    let link = place.folder.path().join("link");
    std::fs::create_dir(&dir).unwrap();
    std::os::unix::fs::symlink(&dir, &link).unwrap();
    let chat = place.chat("Main", 1);
    assert_eq!(bound(place.home.path(), &dir), None);
    place.home.bind(&link, &chat, NOW).unwrap();
    assert_eq!(
        bound(place.home.path(), &dir).map(|bound| bound.chat),
        Some(chat.clone())
    );
    assert_eq!(bound(place.home.path(), place.folder.path()), None);

    let other = place.chat("Other", 2);
    place.home.bind(&dir, &other, NOW).unwrap();
    assert_eq!(
        bound(place.home.path(), &link).map(|bound| bound.chat),
        Some(other.clone())
    );
    assert!(!bound(place.home.path(), &dir).unwrap().in_trash);
    place.home.trash_chat(&other, NOW).unwrap();
    assert!(bound(place.home.path(), &dir).unwrap().in_trash);
    place.home.purge(&other).unwrap();
    assert_eq!(bound(place.home.path(), &dir), None);
}
