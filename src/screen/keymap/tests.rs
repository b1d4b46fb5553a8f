//! What a person binds, and what is said of what they misspell.

use super::*;

fn settings(keys: &[(&str, &str)]) -> Settings {
    let keys = keys.iter().map(|(name, key)| (name.to_string(), key.to_string()));
    Settings {
        keys: keys.collect(),
        ..Settings::default()
    }
}

fn press(map: &Keymap, key: &str) -> Option<Action> {
    map.action(parse(key).unwrap())
}

#[test]
fn each_command_has_a_key_of_its_own() {
    let map = Keymap::of(&Settings::default());
    for command in &COMMANDS {
        for key in command.keys {
            assert_eq!(press(&map, key), Some(command.action), "{key}");
        }
    }
    assert_eq!(map.leader(), "Ctrl+Q");
}

#[test]
fn a_persons_own_key_wins_and_takes_it_from_the_other() {
    let map = Keymap::of(&settings(&[("delete", "n"), ("leader", "ctrl+b")]));
    assert_eq!(press(&map, "n"), Some(Action::Delete));
    assert_eq!(press(&map, "x"), None);
    assert_eq!(map.key(Action::NewChat), "");
    assert_eq!(map.taken, ["keys.delete: takes n from newChat"]);
    assert_eq!(map.leader(), "Ctrl+B");
}

#[test]
fn what_cannot_be_used_is_said_and_the_default_stays() {
    let map = Keymap::of(&settings(&[
        ("cards", "c"),
        ("fly", "f"),
        ("leader", "hyper+x"),
        ("newchat", "N"),
        ("quit", "Q"),
    ]));
    assert_eq!(
        map.complaints,
        [
            "keys.cards: no such command; did you mean inspector?",
            "keys.fly: no such command; ? lists the names of all",
            "keys.leader: \"hyper+x\" is not a key: \"hyper\" is no modifier; write it like \"ctrl+q\", \"alt+enter\", \"f5\" or \"n\"",
            "keys.newchat: no such command; did you mean newChat?",
            "keys.quit: no such command; ? lists the names of all",
        ]
    );
    assert_eq!(map.leader(), "Ctrl+Q");
}

#[test]
fn a_leader_that_agents_are_typed_to_with_is_refused() {
    for key in ["q", "Q", "space", "enter", "up"] {
        let map = Keymap::of(&settings(&[("leader", key)]));
        assert_eq!(map.leader(), "Ctrl+Q", "{key}");
        assert!(map.complaints[0].contains("is typed to agents too"), "{key}");
    }
    for key in ["alt+q", "f5", "super+k"] {
        let map = Keymap::of(&settings(&[("leader", key)]));
        assert_eq!((map.complaints.len(), map.is_leader(parse(key).unwrap())), (0, true));
    }
}
