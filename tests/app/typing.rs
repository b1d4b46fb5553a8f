//! Where keys go: to the agent, to commands, behind the leader.

use crossterm::event::{MouseButton, MouseEventKind};
use parlour::domain::event::Size;
use parlour::domain::work::AgentWork;
use parlour::domain::{Effect, PaneOrder, Work};
use parlour::model::Status;
use parlour::screen::layout;
use parlour::screen::view::{Mode, Tab};

use crate::support::world::{ME, TALK, World, id, scrolled};

fn typed(bytes: &[u8]) -> Effect {
    Effect::Pane(id("auth").into(), PaneOrder::Input(bytes.to_vec()))
}

fn inside() -> World {
    let mut world = World::morning(120, 40);
    world.press("enter");
    assert_eq!(world.view().mode, Mode::Agent);
    world
}

#[test]
fn in_the_agent_every_key_is_the_agents() {
    let mut world = inside();
    assert_eq!(world.press("q"), [typed(b"q")]);
    assert_eq!(world.press("ctrl+c"), [typed(b"\x03")]);
    assert_eq!(world.press("esc"), [typed(b"\x1b")]);
    assert_eq!(world.press("ctrl+k"), [typed(b"\x0b")]);
}

#[test]
fn the_leader_twice_sends_it_on_and_with_esc_leaves() {
    let mut world = inside();
    assert_eq!(world.press("ctrl+q"), []);
    assert_eq!(world.press("ctrl+q"), [typed(b"\x11")]);
    assert_eq!(world.press("ctrl+q esc"), []);
    assert_eq!(world.view().mode, Mode::Outside);
}

#[test]
fn a_command_behind_the_leader_leaves_the_person_in_the_agent() {
    let mut world = inside();
    world.press("ctrl+q z");
    assert_eq!((world.view().zoomed, world.view().mode), (true, Mode::Agent));
    world.press("ctrl+q ? esc");
    assert_eq!(world.press("x"), [typed(b"x")]);
}

#[test]
fn another_leader_can_be_set() {
    let mut world = inside();
    world.keys(&[("leader", "ctrl+b")]);
    assert_eq!(world.press("ctrl+q"), [typed(b"\x11")]);
    world.press("ctrl+b esc");
    assert_eq!(world.view().mode, Mode::Outside);
}

/// The program wrote these modes.
fn asks_for(world: &mut World, modes: &str, size: Size) {
    world.state.domain.live.agents.get_mut(&id("auth")).unwrap().screen = Some(scrolled(modes, size, 0));
}

#[test]
fn a_paste_is_framed_as_the_program_asked_and_cannot_leave_its_frame() {
    let mut world = inside();
    let size = Size { cols: 80, rows: 24 };
    asks_for(&mut world, "\x1b[?2004h", size);
    assert_eq!(world.paste("a\x1b[201~b\nc"), [typed(b"\x1b[200~a[201~b\nc\x1b[201~")]);
}

#[test]
fn typing_returns_to_the_newest_line_first() {
    let mut world = inside();
    world.view().reading.top = Some(10);
    assert_eq!(world.press("y"), [typed(b"y")]);
    assert_eq!(world.view().reading.top, None);
}

#[test]
fn the_mouse_is_the_agents_where_it_asks_for_it() {
    let mut world = inside();
    let pane = layout::arrange(world.view()).pane;
    let size = layout::pane_size(world.view());
    assert_eq!(world.click(pane.x + 4, pane.y + 2), []);
    asks_for(&mut world, "\x1b[?1000h\x1b[?1006h", size);
    assert_eq!(world.click(pane.x + 4, pane.y + 2), [typed(b"\x1b[<0;5;3M")]);
    assert_eq!(
        world.mouse(MouseEventKind::ScrollUp, pane.x, pane.y),
        [typed(b"\x1b[<64;1;1M")]
    );
    assert_eq!(
        world.mouse(MouseEventKind::Up(MouseButton::Left), pane.x, pane.y),
        [typed(b"\x1b[<0;1;1m")]
    );
}

#[test]
fn the_release_is_of_whoever_had_the_press() {
    let mut world = inside();
    let pane = layout::arrange(world.view()).pane;
    let size = layout::pane_size(world.view());
    asks_for(&mut world, "\x1b[?1002h\x1b[?1006h", size);
    let left = MouseButton::Left;
    assert_eq!(world.mouse(MouseEventKind::Up(left), pane.x, pane.y), []);
    assert_eq!(world.mouse(MouseEventKind::Drag(left), pane.x, pane.y), []);
    assert_eq!(world.click(pane.x + 1, pane.y + 2), [typed(b"\x1b[<0;2;3M")]);
    assert_eq!(
        world.mouse(MouseEventKind::Drag(left), 0, pane.y + 1),
        [typed(b"\x1b[<32;1;2M")]
    );
    assert_eq!(world.mouse(MouseEventKind::Up(left), 0, 0), [typed(b"\x1b[<0;1;1m")]);
    assert_eq!(world.mouse(MouseEventKind::Up(left), pane.x, pane.y), []);
}

#[test]
fn entering_an_agent_that_ended_resumes_it_in_the_persons_environment() {
    let mut world = World::morning(120, 40);
    world.press("j j j j");
    let effects = world.press("enter");
    let [Effect::Work(_, Work::Agent(AgentWork::Start { chat, env, .. }))] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    assert_eq!(
        (chat, env.get("PATH").map(String::as_str)),
        (&id("cache"), Some("/usr/bin"))
    );
}

#[test]
fn keys_meant_for_an_agent_that_just_ended_do_nothing() {
    let mut world = World::new(120, 40);
    world.chat("auth", "Fix auth bug", 2).ran("ended", TALK);
    world.view().mode = Mode::Agent;
    world.view().chat = Some(id("auth"));
    world.look();
    assert_eq!(world.press("q x enter"), []);
    assert!(world.view().over.dialog.is_none());
    world.later(1_000);
    assert_eq!(world.press("enter").len(), 1);
}

#[test]
fn the_terminal_takes_the_size_of_the_pane_it_is_typed_in() {
    let mut world = inside();
    let wide = layout::pane_size(world.view());
    assert_eq!(world.state.domain.live.agents[&id("auth")].size, wide);
    let effects = world.press("ctrl+q b");
    let wider = Size { cols: 120, ..wide };
    assert_eq!(effects, [Effect::Pane(id("auth").into(), PaneOrder::Resize(wider))]);
}

#[test]
fn no_cards_lie_over_a_terminal_that_is_typed_in() {
    let cards = |world: &mut World| layout::arrange(world.view()).inspector.map(|panel| panel.over);
    let mut world = World::morning(80, 24);
    world.press("c");
    assert_eq!(cards(&mut world), Some(true));
    world.press("tab tab enter");
    assert_eq!((world.view().mode, cards(&mut world)), (Mode::Agent, None));
    world.press("ctrl+q esc");
    assert_eq!(cards(&mut world), None, "beside the list some of it is to be seen");
    world.press("c");
    assert_eq!(cards(&mut world), Some(true));
    // Nor where there was room beside it before.
    let mut world = World::morning(120, 40);
    world.press("c tab tab enter");
    assert_eq!((world.view().mode, cards(&mut world)), (Mode::Agent, Some(false)));
    world.view().size = Size { cols: 80, rows: 24 };
    assert_eq!(cards(&mut world), None);
}

#[test]
fn a_chat_that_was_just_made_is_shown_and_typed_in() {
    let mut world = World::morning(120, 40);
    world.press("n ctrl+s");
    world.chat("fresh", "Fresh", 0).runs(Status::Starting, "");
    world.is_made("fresh");
    assert_eq!((world.selected(), world.state.views[&ME].mode), ("Fresh", Mode::Agent));
    assert!(world.view().over.dialog.is_none());
}

#[test]
fn ctrl_c_outside_says_how_to_detach() {
    let mut world = World::morning(120, 40);
    world.press("ctrl+c");
    assert_eq!(world.view().over.toasts[0].text, "q detaches, and agents run on.");
    let words = "Detached. 4 agents run on; `parlour` brings you back.";
    assert_eq!(world.press("q")[0], Effect::Bye(ME, words.into()));
}

/// Where one was in the other chat: in its agent, at a tab, outside of all.
const WAS: [&str; 6] = ["tab", "t", "t q", "enter ctrl+q esc", "enter", "enter ctrl+q t"];

#[test]
fn behind_the_leader_one_goes_into_the_terminal_of_a_chat_wherever_one_was() {
    let is_in = |world: &mut World| (world.view().mode, world.view().tab) == (Mode::Agent, Tab::Terminal);
    for was in WAS {
        let mut world = World::morning(120, 40);
        world.press(was);
        world.later(2_000);
        world.press("ctrl+q 3");
        assert_eq!(world.selected(), "Try Redis");
        assert!(is_in(&mut world), "by its number, from {was}");
        world.later(2_000);
        world.press("ctrl+q -");
        assert_eq!(world.selected(), "Fix auth bug");
        assert!(is_in(&mut world), "to the chat before, from {was}");

        let mut world = World::morning(120, 40);
        world.press(was);
        world.later(2_000);
        assert!(
            !world
                .press("ctrl+q w")
                .iter()
                .any(|effect| matches!(effect, Effect::Pane(_, PaneOrder::Input(_))))
        );
        assert_eq!(world.selected(), "Try Redis");
        assert!(is_in(&mut world), "to what waits, from {was}");
    }
    let mut world = World::morning(120, 40);
    world.press("t ctrl+q 1");
    assert!(is_in(&mut world), "of the chat that is shown, too");
}

#[test]
fn the_same_keys_outside_of_agents_lead_into_none() {
    for keys in ["3", "w", "3 -"] {
        let mut world = World::morning(120, 40);
        world.later(2_000);
        world.press(keys);
        assert_eq!(world.view().mode, Mode::Outside, "{keys}");
    }
}

#[test]
fn behind_the_leader_a_number_starts_what_has_ended_and_the_way_to_what_waits_does_not() {
    let starts = |effects: &[Effect]| effects.iter().any(|effect| matches!(effect, Effect::Work(..)));
    let mut world = World::morning(120, 40);
    assert!(starts(&world.press("ctrl+q 5")), "as Enter does");
    assert_eq!(world.selected(), "Research caching");
    assert_eq!(world.view().mode, Mode::Agent);

    let mut world = World::new(120, 40);
    world.chat("auth", "Fix auth bug", 2).runs(Status::Idle(None), "");
    world
        .chat("flaky", "Flaky CI", 5)
        .ended("ended with exit code 1")
        .unseen();
    world.look();
    world.has_before_them("auth");
    assert!(!starts(&world.press("ctrl+q w")), "one reads why it failed");
    assert_eq!(world.selected(), "Flaky CI");
    assert_eq!(world.view().mode, Mode::Agent);
    assert!(starts(&world.press("enter")));
}
