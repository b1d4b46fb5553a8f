//! Moving about: selecting, filtering, scrolling, the mouse.

use std::time::Instant;

use crossterm::event::{MouseButton, MouseEventKind};
use parlour::app::update;
use parlour::domain::event::{PtyEvent, Size};
use parlour::domain::{Effect, Event, PaneOrder};
use parlour::model::{ClientId, PaneId, Status};
use parlour::screen::layout;
use parlour::screen::view::{Focus, Mode};
use parlour::term::{Setup, Terminal, TerminalPalette};

use super::sidebar::order;
use crate::support::events::{submitted, turn_failed, typed};
use crate::support::world::{ME, World, id, noon, scrolled};

#[test]
fn arrows_and_letters_move_the_selection_and_stop_at_the_ends() {
    let mut world = World::morning(120, 40);
    assert_eq!(world.selected(), "Fix auth bug");
    world.press("up");
    assert_eq!(world.selected(), "Fix auth bug");
    world.press("j j");
    assert_eq!(world.selected(), "Try Redis");
    world.press("G down");
    assert_eq!(world.selected(), "Upgrade to Rails 9");
    world.press("g");
    assert_eq!(world.selected(), "Fix auth bug");
}

#[test]
fn the_selection_is_scrolled_to_and_the_wheel_may_leave_it() {
    let mut world = World::morning(80, 16);
    for number in 0..20_u8 {
        let short = format!("more{}", char::from(b'a' + number));
        world.chat(&short, "more", 20).ended("ended");
    }
    world.press("G");
    let scroll = world.view().sidebar.scroll;
    assert!(scroll > 0);
    world.mouse(MouseEventKind::ScrollUp, 5, 5);
    assert_eq!(world.view().sidebar.scroll, scroll - 3);
    world.later(60_000);
    assert_eq!(world.view().sidebar.scroll, scroll - 3);
}

#[test]
fn when_the_selected_chat_goes_the_one_in_its_place_is_selected() {
    let mut world = World::morning(120, 40);
    world.press("j j j");
    assert_eq!(world.selected(), "Dates in the report are off by one");
    world.state.domain.disk.chats.remove(&id("dates"));
    world.look();
    assert_eq!(world.selected(), "Research caching");
}

#[test]
fn w_finds_who_waits_then_what_is_done_and_unseen() {
    let mut world = World::morning(120, 40);
    world.press("w");
    assert_eq!(world.selected(), "Try Redis");
    world
        .state
        .domain
        .live
        .agents
        .get_mut(&id("redis"))
        .unwrap()
        .verdict
        .status = Status::Idle(None);
    world.press("w");
    assert_eq!(world.selected(), "Dates in the report are off by one");
}

#[test]
fn w_steps_through_what_is_done_though_one_whose_failure_was_seen_is_shown() {
    let mut world = World::at_rest();
    world.hook(submitted("fix it"));
    world.hook(turn_failed());
    world.chat("one", "One", 2).runs(Status::Idle(None), "done").unseen();
    world.attach_to(ME, "auth");
    for next in ["One", "auth", "auth"] {
        world.press("ctrl+q w");
        assert_eq!(world.selected(), next);
        world.look();
        world.later(5_000);
    }
}

#[test]
fn looking_at_a_chat_makes_it_seen_unless_nobody_is_there() {
    let mut world = World::morning(120, 40);
    world.view().chat = Some(id("dates"));
    world.view().attention.attentive = false;
    world.look();
    world.later(5_000);
    assert!(world.state.domain.live.unseen.contains(&id("dates")));
    world.view().attention.attentive = true;
    world.look();
    world.later(1_000);
    assert!(!world.state.domain.live.unseen.contains(&id("dates")));
}

#[test]
fn a_filter_selects_its_best_match_and_esc_returns() {
    let mut world = World::morning(120, 40);
    world.press("/ r a i l s");
    assert_eq!(world.selected(), "Upgrade to Rails 9");
    world.press("esc");
    assert_eq!(world.selected(), "Fix auth bug");
    world.press("ctrl+k f l a k y enter");
    assert_eq!(world.selected(), "Flaky CI");
    assert!(world.view().sidebar.filter.is_none());
}

#[test]
fn a_filter_follows_what_it_looks_at() {
    let mut world = World::morning(120, 40);
    world.press("/ q u o k k a");
    assert_eq!(order(&world), Vec::<String>::new());
    world.edits("flaky", |chat| chat.projects[0].branch = Some("quokka".into()));
    world.look();
    assert_eq!(order(&world), ["Flaky CI"]);
    world.edits("flaky", |chat| chat.projects[0].branch = Some("wombat".into()));
    world.look();
    assert_eq!(order(&world), Vec::<String>::new());
}

#[test]
fn a_filter_finds_a_chat_by_its_name_before_others_by_their_project() {
    let mut world = World::morning(120, 40);
    world.chat("copy", "Runner copy", 1).project("grove", "main");
    world.chat("more", "The grove, main part", 1);
    world.chat("named", "grove main", 90 * 24 * 60);
    world.press("/ g r o v e space m a i n");
    let mut found = order(&world);
    found.truncate(3);
    assert_eq!(found, ["grove main", "The grove, main part", "Runner copy"]);
    assert_eq!(world.selected(), "grove main");
}

#[test]
fn a_filter_finds_by_agent_and_by_status_and_what_begins_so_stands_first() {
    let mut world = World::new(120, 40);
    let statuses = [
        ("asks", Status::NeedsYou("go on?".into())),
        ("busy", Status::Running(None)),
        ("rests", Status::Idle(None)),
    ];
    for (short, status) in statuses {
        world.chat(short, short, 2).runs(status, "");
    }
    world.chat("over", "over", 3).ended("stopped");
    world.chat("done", "done", 4).runs(Status::Idle(None), "").unseen();
    world.edits("over", |chat| chat.record.llm = "codex".into());
    world.look();
    let mut found = |words: &str| {
        world.press("/");
        world.paste(words);
        let found = order(&world);
        world.press("esc");
        found
    };
    assert_eq!(found("waiting"), ["asks"]);
    assert_eq!(found("run"), ["busy"]);
    assert_eq!(found("idle"), ["rests", "done"]);
    assert_eq!(found("unseen"), ["done"]);
    assert_eq!(found("ended"), ["over"]);
    assert_eq!(found("codex"), ["over"]);
    assert_eq!(found("claude idle"), ["rests", "done"]);
    assert_eq!(found("codex run"), Vec::<String>::new());
    // Letters that are scattered find a chat only where nothing else does.
    assert_eq!(found("rst"), ["rests"]);
    world.chat("barest", "a barest minimum", 1);
    world.chat("first", "restart first", 9);
    world.look();
    world.press("/ r e s t");
    assert_eq!(order(&world), ["rests", "restart first", "a barest minimum"]);
}

#[test]
fn a_click_selects_and_a_click_on_the_terminal_goes_in() {
    let mut world = World::morning(120, 40);
    world.click(8, 4);
    assert_eq!(world.selected(), "Try Redis");
    // The sign before the name folds away what is below.
    world.click(2, 1);
    assert_eq!(world.selected(), "Fix auth bug");
    assert!(!world.picture().contains("Try Redis"));
    world.click(2, 1);
    world.click(8, 4);
    assert_eq!(world.selected(), "Try Redis");
    world.click(60, 20);
    world.mouse(MouseEventKind::Up(MouseButton::Left), 60, 20);
    assert_eq!(world.view().mode, Mode::Agent);
    world.click(8, 1);
    let there = (world.selected(), world.state.views[&ME].mode);
    assert_eq!(there, ("Fix auth bug", Mode::Agent), "one types on");
    world.press("ctrl+q esc");
    world.click(8, 4);
    assert_eq!(world.view().mode, Mode::Outside);
    world.click(8, 4);
    assert_eq!(world.view().mode, Mode::Agent, "once more goes in");
}

#[test]
fn a_click_starts_no_agent() {
    let mut world = World::morning(120, 40);
    world.press("G");
    assert_eq!(world.click(60, 20), []);
    assert_eq!(world.mouse(MouseEventKind::Up(MouseButton::Left), 60, 20), []);
    assert_eq!((world.view().mode, world.view().focus), (Mode::Outside, Focus::Pane));
}

fn drag_border(world: &mut World, to: u16) {
    let border = layout::arrange(world.view()).sidebar.unwrap().border.x;
    world.click(border, 10);
    world.mouse(MouseEventKind::Drag(MouseButton::Left), to, 10);
    world.mouse(MouseEventKind::Up(MouseButton::Left), to, 10);
}

#[test]
fn the_sidebars_border_can_be_dragged() {
    let mut world = World::morning(120, 40);
    drag_border(&mut world, 49);
    world.mouse(MouseEventKind::Drag(MouseButton::Left), 20, 10);
    assert_eq!(layout::arrange(world.view()).sidebar.unwrap().border.x, 49);
}

#[test]
fn scrolling_back_ends_at_the_oldest_line_and_end_returns() {
    let mut world = with_history();
    let view = |line| Effect::Pane(id("build").into(), PaneOrder::View { client: ME, line });
    // Line 180 is followed by an empty one, at the bottom of 36 rows.
    assert_eq!(world.mouse(MouseEventKind::ScrollUp, 60, 20), [view(145 - 3)]);
    assert_eq!(world.press("end"), []);
    assert_eq!(world.press("pageup"), [view(145 - 35)]);
    world.press("pageup pageup pageup pageup");
    assert_eq!(world.view().reading.top, Some(0));
    assert_eq!(world.press("pageup"), []);
}

#[test]
fn esc_and_the_key_after_it_leave_the_agent_though_they_come_as_one() {
    let mut world = World::morning(120, 40);
    world.press("enter ctrl+q alt+j");
    assert_eq!((world.view().mode, world.selected()), (Mode::Outside, "Try memcached"));
    world.press("ctrl+q f12");
    assert_eq!(
        world.view().over.toasts[0].text,
        "Ctrl+Q F12 is no command. The menu behind Ctrl+Q has all."
    );
}

#[test]
fn whoever_has_scrolled_back_scrolls_on_in_the_agent() {
    let mut world = with_history();
    let view = |line| Effect::Pane(id("build").into(), PaneOrder::View { client: ME, line });
    world.press("enter");
    assert_eq!(typed(&world.press("pageup")), ["\x1b[5~"]);
    assert_eq!(world.press("ctrl+q pageup"), [view(145 - 35)]);
    assert_eq!(world.press("pageup"), [view(145 - 70)]);
    assert_eq!(world.press("pagedown"), [view(145 - 35)]);
    assert_eq!(typed(&world.press("a")), ["a"]);
    assert_eq!(world.view().reading.top, None);
}

#[test]
fn a_terminal_that_is_left_is_left_at_its_newest_line() {
    let mut world = with_history();
    world.chat("other", "Other", 9);
    world.look();
    world.press("pageup");
    world.press("j");
    assert_eq!(world.view().reading.top, None);
}

#[test]
fn a_narrow_screen_has_the_sidebar_over_the_terminal() {
    let mut world = World::morning(60, 20);
    let bar = layout::arrange(world.view()).sidebar.unwrap();
    assert!(bar.over);
    assert_eq!(layout::pane_size(world.view()), Size { cols: 60, rows: 16 });
    world.press("enter");
    assert_eq!(layout::arrange(world.view()).sidebar, None);
}

#[test]
fn esc_shuts_the_list_where_it_lies_over_the_terminal() {
    for (cols, shuts) in [(60, true), (100, true), (120, false)] {
        let mut world = World::morning(cols, 20);
        let last = world.picture().lines().nth(19).unwrap_or_default().to_owned();
        assert_eq!(last.contains("Esc close"), shuts, "{cols}: {last}");
        world.press("esc");
        assert_eq!(world.view().focus == Focus::Pane, shuts, "{cols}");
    }
}

#[test]
fn what_has_the_keys_does_not_change_the_size_of_a_terminal_beside_a_drawer() {
    let mut world = World::morning(80, 24);
    let size = layout::pane_size(world.view());
    assert_eq!(size, Size { cols: 77, rows: 20 });
    let shown = |world: &mut World| {
        let layout = layout::arrange(world.view());
        assert_eq!(layout.pane.width, size.cols);
        (layout.sidebar.map(|bar| bar.over), layout.rail.map(|rail| rail.width))
    };
    assert_eq!(shown(&mut world), (Some(true), None), "it lies over the terminal");
    world.press("tab");
    assert_eq!(shown(&mut world), (None, Some(3)));
    world.press("enter");
    assert_eq!(shown(&mut world), (None, Some(3)));
    // A click on the sign of the third chat opens it there.
    world.click(1, 3);
    assert_eq!(shown(&mut world), (Some(true), None));
    assert_eq!((world.view().mode, world.view().focus), (Mode::Outside, Focus::Sidebar));
    assert_eq!(world.selected(), "Try Redis");
    // Who hides it gets the columns of the rail too, and shows both again.
    world.press("b");
    assert_eq!(layout::pane_size(world.view()).cols, 80);
    assert_eq!(layout::arrange(world.view()).rail, None);
    world.press("b");
    assert_eq!(shown(&mut world), (Some(true), None));
    world.press("z");
    assert_eq!(layout::pane_size(world.view()), Size { cols: 80, rows: 23 });
}

#[test]
fn a_sidebar_is_a_drawer_only_where_the_terminal_would_have_less_than_eighty_columns() {
    for (cols, over) in [(69, true), (70, true), (107, true), (108, false), (120, false)] {
        let mut world = World::morning(cols, 40);
        let bar = layout::arrange(world.view()).sidebar.unwrap();
        assert_eq!(bar.over, over, "{cols}");
    }
    // Who drags it so narrow that there is room has it beside.
    let mut world = World::morning(100, 40);
    drag_border(&mut world, 19);
    assert!(!layout::arrange(world.view()).sidebar.unwrap().over);
    // Who drags it wide wants it so.
    let mut world = World::morning(120, 40);
    drag_border(&mut world, 59);
    assert!(!layout::arrange(world.view()).sidebar.unwrap().over);
}

#[test]
fn only_what_is_on_a_screen_is_watched() {
    let mut world = World::morning(120, 40);
    world.press("j");
    assert_eq!(
        world.state.watched().into_iter().collect::<Vec<_>>(),
        [PaneId::Agent(id("memcd"))]
    );
}

#[test]
fn toasts_go_by_themselves_and_ask_once_to_be_woken() {
    let mut world = World::new(80, 24);
    let effects = world.press("r");
    assert_eq!(effects, []);
    assert_eq!(world.view().over.wake, Some(noon().plus_ms(5_000)));
    assert_eq!(world.look(), []);
    world.later(5_000);
    assert!(world.view().over.toasts.is_empty());
}

fn with_history() -> World {
    let mut world = World::new(120, 40);
    world
        .chat("build", "Watch the build", 2)
        .runs(Status::Running(None), "");
    world.look();
    let lines: String = (1..=180).map(|line| format!("line {line}\n")).collect();
    let size = layout::pane_size(world.view());
    world.state.domain.live.agents.get_mut(&id("build")).unwrap().screen = Some(scrolled(&lines, size, 0));
    world
}

#[test]
fn passing_over_a_chat_leaves_it_unseen_and_typing_in_it_does_not() {
    let mut world = World::morning(120, 40);
    world.view().chat = Some(id("dates"));
    world.look();
    world.later(200);
    world.press("j");
    world.later(5_000);
    assert!(
        world.state.domain.live.unseen.contains(&id("dates")),
        "somebody passed over it"
    );
    world.view().chat = Some(id("dates"));
    world.view().mode = parlour::screen::view::Mode::Agent;
    // A terminal may say that it lost the focus, and be typed in.
    world.view().attention.attentive = false;
    world.press("x");
    assert!(!world.state.domain.live.unseen.contains(&id("dates")));
}

#[test]
fn a_terminal_of_the_size_of_a_smaller_window_says_so() {
    let mut world = World::morning(120, 40);
    let other = ClientId(2);
    let says_so = |world: &World| world.picture().contains("97×26, the size of another window");
    let set = |world: &mut World, size: Size| {
        let shown = world.state.views[&ME].chat.clone().unwrap();
        let agent = world.state.domain.live.agents.get_mut(&shown).unwrap();
        (agent.driver, agent.size) = (Some(other), size);
    };
    set(&mut world, Size { cols: 60, rows: 20 });
    assert!(!says_so(&world), "there is no other window");
    world.attach(other, 100, 30);
    assert!(says_so(&world), "{}", world.picture());
    set(&mut world, Size { cols: 200, rows: 60 });
    let picture = world.picture();
    assert!(
        picture.contains("200×60, the size of another window · = takes it"),
        "{picture}"
    );
    world.press("=");
    assert!(!world.picture().contains("another window"), "{}", world.picture());
}

/// What an ended agent left: a screen of this size.
fn left(world: &mut World, text: &[u8], cols: u16, rows: u16) {
    let setup = Setup {
        size: parlour::term::TerminalSize::new(cols, rows),
        palette: TerminalPalette::default(),
        history_lines: 100,
    };
    let mut terminal = Terminal::new(setup);
    let mut out = parlour::term::Effects::default();
    terminal.advance(text, Instant::now(), &mut out);
    let screen = terminal.screen(&mut out);
    let cache: PaneId = id("cache").into();
    update(&mut world.state, Event::Pty(cache, PtyEvent::Screen(screen)));
}

fn resizes(effects: &[Effect]) -> Vec<Size> {
    let size = |effect: &Effect| match effect {
        Effect::Pane(_, PaneOrder::Resize(size)) => Some(*size),
        _ => None,
    };
    effects.iter().filter_map(size).collect()
}

#[test]
fn what_an_ended_agent_left_is_wrapped_for_the_window_that_shows_it() {
    let mut world = World::morning(80, 24);
    world.view().chat = Some(id("cache"));
    world.look();
    left(&mut world, b"a long line", 120, 40);
    let own = layout::pane_size(world.view());
    assert_eq!(resizes(&world.look()), [own]);
    // Of two windows one decides, and the other says that it is cut.
    let other = ClientId(2);
    world.attach(other, 40, 10);
    world.state.views.get_mut(&other).unwrap().chat = Some(id("cache"));
    assert_eq!(resizes(&world.look()), [own]);
    left(&mut world, b"a long line", own.cols, own.rows);
    assert_eq!(resizes(&world.look()), []);
    // A full-screen program's picture stays as it is.
    left(&mut world, b"\x1b[?1049hmenu", 120, 40);
    assert_eq!(resizes(&world.look()), []);
    let note = format!("120×40 kept, window is {}×{}", own.cols, own.rows);
    assert!(world.picture().contains(&note), "{}", world.picture());
}

#[test]
fn f_without_a_selected_card_says_why_nothing_opens() {
    let mut world = World::morning(160, 40);
    assert_eq!(world.press("f"), []);
    assert_eq!(world.view().over.toasts[0].text, "No card with output yet.");
    let mut world = World::morning(80, 24);
    assert_eq!(world.press("f"), []);
    assert!(world.view().over.toasts[0].text.contains("No cards are shown"));
}

#[test]
fn hiding_and_showing_the_sidebar_leaves_the_keys_where_they_were() {
    for (keys, focus) in [("", Focus::Sidebar), ("tab", Focus::Pane)] {
        let mut world = World::morning(120, 40);
        if !keys.is_empty() {
            world.press(keys);
        }
        assert_eq!(world.view().focus, focus);
        world.press("b");
        assert!(layout::arrange(world.view()).sidebar.is_none());
        assert_eq!(world.view().focus, Focus::Pane);
        world.press("b");
        assert!(layout::arrange(world.view()).sidebar.is_some());
        assert_eq!(world.view().focus, focus);
    }
    // A narrow screen has it only while one chooses in it.
    let mut world = World::morning(60, 20);
    world.press("b");
    assert!(layout::arrange(world.view()).sidebar.is_none());
    world.press("b");
    assert!(layout::arrange(world.view()).sidebar.is_some());
}
