//! What a person set at the screen.

use super::place;
use crate::model::preferences::{LeftScreen, ListLook, ListOrder};

#[test]
fn preferences_are_kept_with_what_is_not_known_of_them_and_a_broken_file_is_left_alone() {
    let place = place();
    let file = place.home.path().join("preferences.json");
    let by_name = ListLook {
        order: ListOrder::Name,
        ..ListLook::default()
    };
    assert_eq!(place.home.preferences().unwrap().chats, ListLook::default());
    std::fs::write(&file, r#"{"v": 1, "of_tomorrow": [1]}"#).unwrap();
    place.home.prefer(|all| all.chats = by_name).unwrap();
    assert_eq!(place.home.preferences().unwrap().chats, by_name);
    let left = LeftScreen {
        inside: true,
        filter: "docs".into(),
        ..LeftScreen::default()
    };
    place.home.prefer(|all| all.left = left.clone()).unwrap();
    let all = place.home.preferences().unwrap();
    assert_eq!((all.left, all.chats), (left, by_name));
    assert!(std::fs::read_to_string(&file).unwrap().contains("of_tomorrow"));
    std::fs::write(&file, "{broken").unwrap();
    let refused = place.home.prefer(|all| all.chats = ListLook::default());
    assert!(refused.unwrap_err().to_string().contains("preferences.json"));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{broken");
}
