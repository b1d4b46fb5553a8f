//! What a person binds, and what is said of what they misspell.

use strum::VariantArray;

use super::super::surface::InPane;
use super::tabs::SHEETS;
use super::*;

fn settings(keys: &[(&str, &str)]) -> Settings {
    let keys = keys.iter().map(|(name, key)| (name.to_string(), key.to_string()));
    Settings {
        keys: keys.collect(),
        ..Settings::default()
    }
}

fn press(map: &Keymap, key: &str) -> Option<Action> {
    map.action(Surface::Sidebar(InPane::Agent), parse(key).unwrap())
}

/// A table has as many lines as its commands have variants. Only those of the leader stand in two.
fn all_actions() -> Vec<Action> {
    let lines = Table::all().into_iter().flat_map(|table| table.own());
    let lines = lines.map(|line| line.command);
    let leader = LeaderAction::VARIANTS.iter().copied().map(Action::Leader);
    lines
        .filter(|action| !matches!(action, Action::Leader(_)))
        .chain(leader)
        .collect()
}

#[test]
fn every_command_stands_in_one_table_and_every_table_on_a_surface() {
    let lines: Vec<Action> = Table::all()
        .into_iter()
        .flat_map(|table| table.own().into_iter().map(|command| command.command))
        .collect();
    for action in all_actions() {
        let times = lines.iter().filter(|line| **line == action).count();
        assert_eq!(times, 1, "{action:?}");
    }
    for table in Table::all() {
        let is_there = Surface::each().any(|surface| surface.tables().any(|part| part == table));
        assert!(is_there, "{table:?}");
    }
}

#[test]
fn each_name_is_of_one_command() {
    let mut names: Vec<&str> = all_actions().into_iter().filter_map(Action::name).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
}

#[test]
fn each_tab_leads_to_the_others_by_their_keys() {
    let map = Keymap::of(&Settings::default());
    // In the plan h and l move, as in vi.
    for tab in PaneSheet::VARIANTS.iter().filter(|tab| **tab != PaneSheet::Work) {
        for line in SHEETS {
            let key = parse(line.keys[0]).unwrap();
            let there = map.action(Surface::Sheet(*tab), key);
            assert_eq!(
                there,
                map.action(Surface::Sidebar(InPane::Agent), key),
                "{} in {tab:?}",
                line.keys[0]
            );
        }
    }
}

#[test]
fn no_two_commands_of_one_table_share_a_key() {
    let map = Keymap::of(&Settings::default());
    assert_eq!((map.complaints.len(), map.remarks.len()), (0, 0), "{:?}", map.remarks);
    for table in Table::all() {
        for command in table.commands() {
            for key in command.keys.iter().filter(|key| **key != modes::LEADER) {
                let bound = map.action_in(table, parse(key).unwrap());
                assert_eq!(bound, Some(command.command), "{table:?}: {key}");
            }
        }
    }
}

#[test]
fn a_surface_has_only_what_stands_in_its_tables() {
    let map = Keymap::of(&Settings::default());
    let at = |surface, key| map.action(surface, parse(key).unwrap());
    assert_eq!(
        at(Surface::Sheet(PaneSheet::Work), "c"),
        Some(Action::Sheet(SheetAction::Work(WorkAction::Claim)))
    );
    assert_eq!(
        at(Surface::Sheet(PaneSheet::Work), "r"),
        Some(Action::Chat(ChatAction::Rename))
    );
    assert_eq!(at(Surface::Copy, "r"), None);
    assert_eq!(at(Surface::Schedules, "?"), Some(Action::Screen(ScreenAction::Help)));
    assert_eq!(at(Surface::Schedules, "z"), None);
    assert_eq!(
        at(Surface::Terminal, "ctrl+q"),
        Some(Action::Leader(LeaderAction::Leader))
    );
    assert_eq!(
        at(Surface::Leader, "ctrl+q"),
        Some(Action::Leader(LeaderAction::SendOn))
    );
    assert_eq!(at(Surface::Dialog, "ctrl+q"), None);
}

#[test]
fn the_keys_of_every_surface_can_be_others() {
    let map = Keymap::of(&settings(&[
        ("copy.take", "c"),
        ("filter.giveUp", "g"),
        ("filter.choose", "ctrl+g"),
        ("help", "e"),
        ("work.claim", "C"),
    ]));
    let at = |surface, key| map.action(surface, parse(key).unwrap());
    assert_eq!(
        at(Surface::Sheet(PaneSheet::Work), "C"),
        Some(Action::Sheet(SheetAction::Work(WorkAction::Claim)))
    );
    assert_eq!(
        at(Surface::Sheet(PaneSheet::Work), "c"),
        Some(Action::Screen(ScreenAction::Inspector))
    );
    assert_eq!(
        at(Surface::Sidebar(InPane::Agent), "C"),
        Some(Action::Chats(ChatsAction::ResumeAll))
    );
    assert_eq!(at(Surface::Copy, "c"), Some(Action::Copy(CopyAction::Take)));
    assert_eq!(at(Surface::Schedules, "e"), Some(Action::Screen(ScreenAction::Help)));
    assert_eq!(
        at(Surface::Filter, "ctrl+g"),
        Some(Action::Filter(FilterAction::Choose))
    );
    assert_eq!(at(Surface::Filter, "esc"), Some(Action::Filter(FilterAction::GiveUp)));
    assert_eq!(
        map.complaints,
        ["keys.filter.giveUp: g is typed there; take one with Ctrl or Alt, or a function key"]
    );
    assert_eq!(
        map.remarks,
        [
            "keys.help: takes e from run (“Run its project, or see it run”)",
            "keys.help: takes e from schedules.edit (“Edit it”)"
        ]
    );
}

#[test]
fn each_command_has_a_key_of_its_own() {
    let map = Keymap::of(&Settings::default());
    for command in Table::Commands.commands() {
        for key in command.keys {
            assert_eq!(press(&map, key), Some(command.command), "{key}");
        }
    }
    assert_eq!(map.leader(), "Ctrl+Q");
}

#[test]
fn a_persons_own_key_wins_and_takes_it_from_the_other() {
    let map = Keymap::of(&settings(&[("delete", "n"), ("leader", "ctrl+b")]));
    assert_eq!(press(&map, "n"), Some(Action::Chat(ChatAction::Delete)));
    assert_eq!(press(&map, "x"), None);
    assert_eq!(map.key(ChatsAction::NewChat), "");
    assert_eq!(
        map.remarks,
        [
            "keys.delete: takes n from newChat (“New chat”)",
            "keys.leader: takes Ctrl+B from copy.pageUp (“A page up”)"
        ]
    );
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
            "keys.cards: no such command; did you mean switchFocus or inspector or cardChanges?",
            "keys.fly: no such command; ? lists the names of all",
            "keys.leader: \"hyper+x\" is not a key: \"hyper\" is no modifier; write it like \"ctrl+q\", \"alt+enter\", \"f5\" or \"n\"",
            "keys.newchat: no such command; did you mean newChat?",
            "keys.quit: no such command; ? lists the names of all",
        ]
    );
    assert_eq!(map.leader(), "Ctrl+Q");
}

#[test]
fn a_leader_that_a_plain_terminal_cannot_send_is_refused() {
    for key in ["ctrl+m", "ctrl+i", "ctrl+[", "ctrl+ü", "super+k"] {
        let map = Keymap::of(&settings(&[("leader", key)]));
        assert_eq!(map.leader(), "Ctrl+Q", "{key}");
        assert!(map.complaints[0].contains("is sent as another key"), "{key}");
    }
}

#[test]
fn a_key_that_may_never_come_or_is_taken_from_a_fixed_command_is_remarked_on() {
    let map = Keymap::of(&settings(&[
        ("changes", "ctrl+q"),
        ("newChat", "1"),
        ("rename", "ctrl+m"),
    ]));
    assert_eq!(
        map.remarks,
        [
            "keys.newChat: takes 1 from “Chat with that number”",
            "keys.rename: may never hear Ctrl+M: many terminals send another key for it, or none",
        ]
    );
    let at_tab = press(&Keymap::of(&Settings::default()), "d");
    let taken = "keys.changes: Ctrl+Q is the leader, which comes first; take another key";
    assert_eq!((&*map.complaints, press(&map, "d")), (&[taken.into()][..], at_tab));
}

#[test]
fn a_leader_that_agents_are_typed_to_with_is_refused() {
    for key in ["q", "Q", "space", "enter", "up"] {
        let map = Keymap::of(&settings(&[("leader", key)]));
        assert_eq!(map.leader(), "Ctrl+Q", "{key}");
        assert!(map.complaints[0].contains("is typed to agents too"), "{key}");
    }
    let interrupts = Keymap::of(&settings(&[("leader", "ctrl+c")]));
    assert!(interrupts.complaints[0].contains("interrupts agents and programs"));
    for key in ["alt+q", "f5", "ctrl+space", "ctrl+]"] {
        let map = Keymap::of(&settings(&[("leader", key)]));
        assert_eq!((map.complaints.len(), map.is_leader(parse(key).unwrap())), (0, true));
    }
}
