//! Directories bound to chats.

use super::super::{BoundChat, Journal, binding, bound_chat, bound_main, count_messages, last_query};
use super::{NOW, StoreStage, creation, place, prompt, said};
use crate::model::{ChatId, Happened, Role};

fn bound(place: &StoreStage, dir: &std::path::Path) -> Option<ChatId> {
    binding(place.home.path(), dir).unwrap().map(|binding| binding.chat)
}

#[test]
fn a_directory_is_bound_to_one_chat_by_its_real_path_and_stays_so_when_that_is_gone() {
    let place = place();
    let home = place.home.path();
    let dir = place.folder.path().join("grove");
    let link = place.folder.path().join("link");
    std::fs::create_dir(&dir).unwrap();
    std::os::unix::fs::symlink(&dir, &link).unwrap();
    let chat = place.chat("Main", 1);
    assert_eq!(bound(&place, &dir), None);
    place.home.bind(&link, &chat, NOW).unwrap();
    assert_eq!(bound(&place, &dir), Some(chat.clone()));
    assert_eq!(bound(&place, place.folder.path()), None);
    let files = std::fs::read_dir(home.join("dirs")).unwrap().count();
    assert_eq!(files, 1);

    let other = place.chat("Other", 2);
    place.home.bind(&dir, &other, NOW).unwrap();
    assert_eq!(bound(&place, &link), Some(other.clone()));
    assert!(matches!(bound_chat(home, &other), Ok(BoundChat::Here(_))));
    place.home.trash_chat(&other, NOW).unwrap();
    assert!(matches!(bound_chat(home, &other), Ok(BoundChat::InTrash(_))));
    place.home.purge(&other).unwrap();
    assert_eq!(bound(&place, &dir), Some(other.clone()));
    assert_eq!(bound_chat(home, &other).unwrap(), BoundChat::Gone);
    assert!(
        place.home.bind(&dir, &other, NOW).is_err(),
        "there is nothing to bind to"
    );

    place.home.unbind(&dir, NOW).unwrap();
    assert_eq!(bound(&place, &dir), None);
    place.home.unbind(&dir, NOW).unwrap();
}

#[test]
fn the_orchestrator_of_a_directory_stays_when_it_gets_another_conversation() {
    let place = place();
    let home = place.home.path();
    let dir = place.folder.path();
    let role = Role {
        name: "orchestrator".into(),
        ..Role::default()
    };
    let main = super::super::ChatCreation {
        role: Some(role),
        ..creation("Main", 1)
    };
    let main = place.home.create(main).unwrap().record.id;
    place.home.bind(dir, &main, NOW).unwrap();
    let other = place.chat("Other", 2);
    place.home.bind(dir, &other, NOW).unwrap();
    assert_eq!(bound_main(home, dir).unwrap(), Some(main.clone()));
    assert_eq!(bound(&place, dir), Some(other));
    place.home.unbind(dir, NOW).unwrap();
    assert_eq!(bound(&place, dir), Some(main));
    place.home.unbind(dir, NOW).unwrap();
    assert_eq!((bound(&place, dir), bound_main(home, dir).unwrap()), (None, None));
}

#[test]
fn a_binding_that_cannot_be_read_is_an_error_and_no_missing_one() {
    let place = place();
    let chat = place.chat("Main", 1);
    place.home.bind(place.folder.path(), &chat, NOW).unwrap();
    let dirs = place.home.path().join("dirs");
    let file = std::fs::read_dir(dirs).unwrap().next().unwrap().unwrap().path();
    std::fs::write(&file, "{").unwrap();
    let why = binding(place.home.path(), place.folder.path()).unwrap_err().to_string();
    assert!(why.contains("is damaged"), "{why}");
    place.home.bind(place.folder.path(), &chat, NOW).unwrap();
    assert_eq!(bound(&place, place.folder.path()), Some(chat));
}

#[test]
fn the_last_query_is_known_wherever_it_was_made() {
    let place = place();
    let home = place.home.path();
    assert_eq!(last_query(home).unwrap(), None);
    let chat = place.chat("Main", 1);
    place.home.note_query(&chat, NOW).unwrap();
    assert_eq!(last_query(home).unwrap(), Some(chat));
    assert_eq!(last_query(&home.join("none")).unwrap(), None);
}

#[test]
fn messages_are_the_prompts_and_the_answers_that_are_not_hidden() {
    let place = place();
    let home = place.home.path();
    let chat = place.chat("Main", 1);
    let long = format!("{{\"kind\":\"text\"}} {}", "long ".repeat(100_000));
    let call = Happened::ToolStart {
        id: "call".into(),
        name: "Bash".into(),
        input: serde_json::json!({"kind": "text"}),
        dir: None,
        parent: None,
    };
    let mut journal = Journal::open(&place.home, &chat).unwrap();
    let all = vec![prompt(&long), call, said("Good"), prompt("two")];
    journal.append(NOW, all).unwrap();
    let count = || {
        let found = bound_chat(home, &chat).unwrap();
        count_messages(home, &chat, found.record().unwrap()).unwrap()
    };
    assert_eq!(count(), 3);
    let hidden = crate::model::talk::HiddenEntries { from: 4, to: 4 };
    let hide = |record: &mut crate::model::Record| record.origin.went_back.hidden.push(hidden);
    place.home.change(&chat, hide).unwrap();
    assert_eq!(count(), 2);
}

#[test]
fn a_query_does_not_take_the_place_of_the_chat_that_a_screen_shows_in_a_directory() {
    let place = place();
    let dir = place.folder.path();
    let shown = |place: &StoreStage| {
        let found = binding(place.home.path(), dir).unwrap().unwrap();
        (found.chat.clone(), found.shown().cloned())
    };
    let [main, first, second] = [1, 2, 3].map(|number| place.chat(&format!("Chat {number}"), number));
    place.home.bind_asked(dir, &first, NOW).unwrap();
    assert_eq!(shown(&place), (first.clone(), None));
    place.home.bind(dir, &main, NOW).unwrap();
    place.home.bind_asked(dir, &first, NOW).unwrap();
    place.home.bind_asked(dir, &second, NOW).unwrap();
    assert_eq!(shown(&place), (second.clone(), Some(main)));
    // A person chose it.
    place.home.bind(dir, &second, NOW).unwrap();
    assert_eq!(shown(&place), (second.clone(), Some(second)));
}
