//! Reading in a terminal: staying in place while it goes on, selecting, copying.

use crossterm::event::{Event as InputEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use parlour::app::update;
use parlour::domain::event::{ClientEvent, DiskEvent, Outcome, PtyEvent};
use parlour::domain::work::{ScriptDone, ScriptWork};
use parlour::domain::{Effect, Event, PaneOrder, Work};
use parlour::model::settings::CopyOnSelect;
use parlour::model::{ChatId, Problem, Settings, Status};
use parlour::screen::layout;
use parlour::screen::view::Mode;
use parlour::term::{Copied, TextShape, TextSpot};

use crate::support::events::jobs;
use crate::support::world::{ME, World, id, scrolled};

/// A terminal into which a program wrote this, on a screen of 120 by 40.
pub fn wrote(text: &str) -> World {
    let mut world = World::new(120, 40);
    world
        .chat("build", "Watch the build", 2)
        .runs(Status::Running(None), "");
    world.look();
    writes(&mut world, text);
    world
}

/// Its program has written all this by now.
fn writes(world: &mut World, text: &str) -> Vec<Effect> {
    let size = layout::pane_size(world.view());
    let screen = PtyEvent::Screen(scrolled(text, size, 0));
    update(&mut world.state, Event::Pty(build().into(), screen))
}

pub fn numbered(last: u32) -> String {
    (1..=last).map(|line| format!("line {line}\n")).collect()
}

pub fn build() -> ChatId {
    id("build")
}

pub fn spot(line: u64, col: u16) -> TextSpot {
    TextSpot { line, col }
}

pub fn copy(from: TextSpot, to: TextSpot) -> Effect {
    shaped(from, to, TextShape::Flow)
}

pub fn copy_lines(from: TextSpot, to: TextSpot) -> Effect {
    shaped(from, to, TextShape::Lines)
}

fn shaped(from: TextSpot, to: TextSpot, shape: TextShape) -> Effect {
    let order = PaneOrder::Copy {
        client: ME,
        from,
        to,
        shape,
    };
    Effect::Pane(build().into(), order)
}

pub fn shows(line: u64) -> Effect {
    Effect::Pane(build().into(), PaneOrder::View { client: ME, line })
}

fn at(world: &mut World, col: u16, row: u16) -> (u16, u16) {
    let pane = layout::arrange(world.view()).pane;
    (pane.x + col, pane.y + row)
}

fn press(world: &mut World, col: u16, row: u16) -> Vec<Effect> {
    let (x, y) = at(world, col, row);
    world.click(x, y)
}

fn drag(world: &mut World, col: u16, row: u16) -> Vec<Effect> {
    let (x, y) = at(world, col, row);
    world.mouse(MouseEventKind::Drag(MouseButton::Left), x, y)
}

fn release(world: &mut World) -> Vec<Effect> {
    world.mouse(MouseEventKind::Up(MouseButton::Left), 60, 20)
}

#[test]
fn who_has_scrolled_back_stays_on_the_same_lines() {
    let mut world = wrote(&numbered(180));
    world.press("pageup");
    let top = world.view().reading.top;
    let view = scrolled(&numbered(180), layout::pane_size(world.view()), 35);
    update(&mut world.state, Event::Pty(build().into(), PtyEvent::View(ME, view)));
    assert_eq!(writes(&mut world, &numbered(300)), [shows(110)]);
    // Nothing of what is in sight can change any more.
    assert_eq!(writes(&mut world, &numbered(400)), []);
    assert_eq!(world.view().reading.top, top);
    assert!(
        world.picture().contains("↑ 255 lines back · ↓ 220 new · End returns"),
        "{}",
        world.picture()
    );
    assert!(world.picture().contains("line 111"));
}

#[test]
fn lines_that_are_no_longer_kept_give_way_to_the_oldest() {
    let mut world = wrote(&numbered(180));
    world.press("pageup");
    assert_eq!(writes(&mut world, &numbered(2000)), [shows(965)]);
    assert_eq!(world.view().reading.top, Some(965));
}

#[test]
fn two_people_read_in_different_places() {
    let mut world = wrote(&numbered(180));
    let other = parlour::model::ClientId(2);
    world.attach(other, 100, 30);
    world.look();
    world.press("pageup");
    assert_eq!(world.view().reading.top, Some(110));
    assert_eq!(world.state.views[&other].reading.top, None);
}

#[test]
fn a_drag_selects_and_letting_go_copies() {
    let mut world = wrote("hello world\nsecond line\n");
    assert_eq!(press(&mut world, 6, 0), []);
    drag(&mut world, 5, 1);
    assert_eq!(release(&mut world), [copy(spot(0, 6), spot(1, 5))]);
    assert_eq!(world.view().mode, Mode::Outside);
}

#[test]
fn a_block_is_selected_by_keys_and_by_the_mouse_with_alt() {
    let mut world = wrote("one two\nsix ten\nend\n");
    for key in ["ctrl+v", "R"] {
        world.later(1_000);
        world.press("v g 0");
        let effects = world.press(&format!("{key} l l j y"));
        assert!(
            effects.contains(&shaped(spot(0, 0), spot(1, 2), TextShape::Block)),
            "{effects:?}"
        );
    }

    world.later(1_000);
    let (x, y) = at(&mut world, 6, 0);
    let event = MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column: x,
        row: y,
        modifiers: KeyModifiers::ALT,
    };
    world.happens(Event::Client(ME, ClientEvent::Input(InputEvent::Mouse(event))));
    drag(&mut world, 4, 1);
    let picked = world.view().reading.selection.unwrap();
    assert_eq!((picked.columns(0), picked.columns(1)), (Some((4, 6)), Some((4, 6))));
    assert_eq!(release(&mut world).len(), 1);
}

#[test]
fn what_is_selected_waits_for_a_key_where_that_is_wanted() {
    let mut world = wrote("hello world\nsecond line\n");
    let settings = Settings {
        copy_on_select: CopyOnSelect(false),
        ..Settings::default()
    };
    world.happens(Event::Disk(DiskEvent::Settings(Box::new(Ok(settings)))));
    press(&mut world, 6, 0);
    drag(&mut world, 5, 1);
    assert_eq!(release(&mut world), []);
    let effects = world.press("y");
    assert!(effects.contains(&copy(spot(0, 6), spot(1, 5))), "{effects:?}");
    assert!(world.view().reading.copy.is_none());
}

#[test]
fn links_are_named_by_letters_the_lowest_first() {
    let mut world = wrote("see https://example.org/a and\nsrc/lib.rs:12 or https://example.org/b\n");
    world.press("K");
    assert!(world.picture().contains("LINKS"));
    let labels: Vec<String> = {
        let links = world.view().reading.links.as_ref().unwrap();
        links.links.iter().map(|(label, _)| label.clone()).collect()
    };
    assert_eq!(labels, ["a", "s", "d"]);
    assert_eq!(
        world.press("D"),
        [Effect::Clipboard(ME, "https://example.org/a".into())]
    );
    let opens = |effects: &[Effect]| {
        let job = jobs(effects).pop();
        match job {
            Some(Work::Script(ScriptWork::Browse { url, .. })) => url,
            Some(Work::Script(ScriptWork::Edit { file, .. })) => format!("{file:?}"),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(opens(&world.press("K a")), "https://example.org/b");
    let file = opens(&world.press("K s"));
    assert!(file.contains("src/lib.rs") && file.contains("12"), "{file}");
    world.press("K esc");
    assert!(world.view().reading.links.is_none());
    // A letter that names none leaves, and does nothing else.
    assert_eq!(world.press("K n"), []);
    assert!(world.view().over.dialog.is_none());
}

#[test]
fn two_letters_name_one_of_many_links_in_the_order_in_which_they_stand() {
    let many: String = (1..=30).map(|at| format!("https://example.org/{at}\n")).collect();
    let mut world = wrote(&many);
    world.press("K");
    let labels: Vec<(String, String)> = {
        let links = world.view().reading.links.as_ref().unwrap();
        let named = links.links.iter();
        let named = named.map(|(label, link)| (label.clone(), format!("{:?}", link.target)));
        named.collect()
    };
    assert_eq!((labels[0].0.as_str(), labels[27].0.as_str()), ("aa", "bb"));
    assert!(labels[0].1.contains("example.org/1\""), "{labels:?}");
    let picture = world.picture();
    let foot = picture.lines().nth(39).unwrap_or_default();
    assert!(
        foot.contains("two letters open  the second with Shift copies"),
        "{foot}"
    );
    assert_eq!(
        world.press("b B"),
        [Effect::Clipboard(ME, "https://example.org/28".into())]
    );
}

#[test]
fn it_is_said_that_a_link_opens_once_a_browser_has_it_and_else_it_is_copied() {
    let mut world = wrote("see https://example.org/a\n");
    let toasts = |world: &mut World| {
        let toasts = world.view().over.toasts.drain(..);
        toasts.map(|toast| toast.text).collect::<Vec<_>>()
    };
    world.press("K a");
    assert_eq!(toasts(&mut world), Vec::<String>::new());
    world.comes(Outcome::Script(ScriptDone::Browsed));
    assert_eq!(toasts(&mut world), ["Opens https://example.org/a"]);
    world.press("K a");
    let problem = Problem::new("opening a link", "no browser could be started here", "set $BROWSER");
    let effects = world.comes(Outcome::Failed(problem));
    assert!(
        effects.contains(&Effect::Clipboard(ME, "https://example.org/a".into())),
        "{effects:?}"
    );
    let told = "No browser could be started here. Copied https://example.org/a.";
    assert_eq!(toasts(&mut world), [told]);
}

#[test]
fn a_screen_without_links_says_so() {
    let mut world = wrote("nothing here\n");
    world.press("K");
    assert!(world.picture().contains("There is no link on this screen."));
}

#[test]
fn a_drag_backwards_selects_the_same() {
    let mut world = wrote("hello world\nsecond line\n");
    press(&mut world, 5, 1);
    drag(&mut world, 6, 0);
    assert_eq!(release(&mut world), [copy(spot(0, 6), spot(1, 5))]);
}

#[test]
fn a_second_click_takes_the_word_and_a_third_the_line() {
    let mut world = wrote("see src/app/mouse.rs:12, then\n");
    let click = |world: &mut World| {
        press(world, 10, 0);
        release(world)
    };
    click(&mut world);
    assert_eq!(click(&mut world), [copy(spot(0, 4), spot(0, 22))]);
    let last = layout::pane_size(world.view()).cols - 1;
    assert_eq!(click(&mut world), [copy_lines(spot(0, 0), spot(0, last))]);
    world.later(1_000);
    assert_eq!(click(&mut world), []);
}

#[test]
fn a_word_that_the_terminal_broke_is_one_word() {
    let mut world = wrote("");
    let cols = layout::pane_size(world.view()).cols;
    let long = format!("{} tail", "x".repeat(usize::from(cols) + 10));
    writes(&mut world, &long);
    press(&mut world, 3, 1);
    release(&mut world);
    press(&mut world, 3, 1);
    assert_eq!(release(&mut world), [copy(spot(0, 0), spot(1, 9))]);
}

#[test]
fn the_half_of_a_wide_character_is_the_whole_of_it() {
    let mut world = wrote("修复登录\n");
    press(&mut world, 3, 0);
    drag(&mut world, 5, 0);
    assert_eq!(release(&mut world), [copy(spot(0, 2), spot(0, 4))]);
}

#[test]
fn dragging_beyond_the_edge_scrolls_on_while_the_button_is_held() {
    let mut world = wrote(&numbered(180));
    press(&mut world, 4, 2);
    world.later(100);
    let (x, y) = at(&mut world, 0, 0);
    let effects = world.mouse(MouseEventKind::Drag(MouseButton::Left), x, y - 1);
    let again = Effect::WakeAt(world.state.domain.now.plus_ms(50));
    assert_eq!(effects, [shows(144), again]);
    let later = world.state.domain.now.plus_ms(60);
    let effects = update(&mut world.state, Event::Clock(later));
    assert!(effects.contains(&shows(143)), "{effects:?}");
    assert_eq!(release(&mut world), [copy(spot(143, 0), spot(147, 4))]);
    let later = later.plus_ms(60);
    assert_eq!(update(&mut world.state, Event::Clock(later)), []);
}

#[test]
fn what_is_selected_stays_so_until_it_changes_or_somebody_types() {
    let mut world = wrote("hello world\nsecond line\n");
    let select = |world: &mut World| {
        press(world, 0, 0);
        drag(world, 4, 0);
        release(world);
    };
    select(&mut world);
    writes(&mut world, "hello world\nsecond line\nthird\n");
    assert!(world.view().reading.selection.is_some());
    writes(&mut world, "jello world\nsecond line\nthird\n");
    assert!(world.view().reading.selection.is_none());
    select(&mut world);
    world.press("j");
    assert!(world.view().reading.selection.is_none());
    select(&mut world);
    press(&mut world, 9, 9);
    assert!(world.view().reading.selection.is_none());
}

#[test]
fn what_was_copied_goes_to_the_clipboard_without_control_characters() {
    let mut world = wrote("");
    let copied = |text: &str, cut| {
        let text = text.to_string();
        Event::Pty(build().into(), PtyEvent::Copied(ME, Copied { text, cut }))
    };
    let effects = update(&mut world.state, copied("one\n\x1b[31mtwo\u{9b}\tx", false));
    assert_eq!(effects[0], Effect::Clipboard(ME, "one\n[31mtwo\tx".into()));
    assert_eq!(world.view().over.toasts[0].text, "Copied 2 lines.");
    update(&mut world.state, copied("a\nb\nc", true));
    assert_eq!(
        world.view().over.toasts[1].text,
        "Copied 3 lines, the first 1 MiB of what is selected."
    );
    world.forget_toasts();
    assert_eq!(update(&mut world.state, copied("", false)), []);
}

#[test]
fn whoever_comes_back_to_a_terminal_reads_on_where_they_were() {
    let mut world = wrote(&numbered(180));
    world.chat("docs", "Docs", 3).runs(Status::Running(None), "");
    world.look();
    world.press("pageup");
    let top = world.view().reading.top.unwrap();
    world.press("ctrl+q 2");
    assert_eq!(world.view().reading.top, None);
    let view = Effect::Pane(build().into(), PaneOrder::View { client: ME, line: top });
    assert!(world.press("ctrl+q 1").contains(&view));
    assert_eq!(world.view().reading.top, Some(top));
    // The newest lines are where one is by oneself.
    world.press("end ctrl+q 2 ctrl+q 1");
    assert_eq!(world.view().reading.top, None);
    // The leader ends copy mode, and not the place.
    world.press("v ctrl+b ctrl+b");
    let top = world.view().reading.top;
    world.press("ctrl+q 2 ctrl+q 1");
    let reading = &world.view().reading;
    assert_eq!((reading.top, reading.copy), (top, None));
    world.press("G v ctrl+q z");
    assert_eq!(world.view().reading.top, None);
}

#[test]
fn a_program_that_asks_for_the_mouse_gets_it_unless_shift_is_held() {
    let mut world = wrote("\x1b[?1002h\x1b[?1006hmenu\n");
    world.press("enter");
    let (x, y) = at(&mut world, 1, 0);
    let told = Effect::Pane(build().into(), PaneOrder::Input(b"\x1b[<0;2;1M".to_vec()));
    assert_eq!(world.click(x, y), [told]);
    assert_eq!(world.shift_click(x, y), []);
    drag(&mut world, 3, 0);
    assert_eq!(release(&mut world), [copy(spot(0, 1), spot(0, 3))]);
}

#[test]
fn text_is_selected_by_keys() {
    let mut world = wrote("one two-three four\nsecond line\n");
    world.press("v g 0 w v e j");
    assert_eq!(world.press("y"), [copy(spot(0, 4), spot(1, 12))]);
    assert!(world.view().reading.copy.is_none());
    world.calm();
    world.press("v g w b $ v b");
    assert_eq!(world.press("enter"), [copy(spot(0, 14), spot(0, 17))]);
    let last = layout::pane_size(world.view()).cols - 1;
    world.calm();
    world.press("[ g j V k");
    assert_eq!(world.press("y"), [copy_lines(spot(0, 0), spot(1, last))]);
}

#[test]
fn what_an_agent_left_before_the_engine_started_is_read_as_any_other_until_a_new_one_starts() {
    let mut world = World::new(120, 40);
    world.chat("build", "Watch the build", 2);
    world.look();
    writes(&mut world, &numbered(100));
    let live = parlour::screen::reading::live(&world.state, &world.state.views[&ME])
        .unwrap()
        .live();
    assert_eq!(
        world.press("tab pgup"),
        [shows(live - u64::from(layout::pane_size(world.view()).rows) + 1)]
    );
    let seen = scrolled(&numbered(100), layout::pane_size(world.view()), 35);
    update(&mut world.state, Event::Pty(build().into(), PtyEvent::View(ME, seen)));
    assert!(world.picture().contains("lines back"), "{}", world.picture());
    world.press("v g 0 v l");
    assert_eq!(world.press("y"), [copy(spot(0, 0), spot(0, 1))]);
    world.calm();
    world.press("pgup");
    assert!(world.view().reading.top.is_some());
    world.press("enter");
    assert!(world.view().reading.top.is_none());
}

#[test]
fn copy_mode_takes_every_key_and_esc_leaves_it() {
    let mut world = wrote("one\n");
    world.press("enter ctrl+q v");
    assert_eq!(world.press("x"), []);
    assert_eq!(world.press("esc"), []);
    let typed = Effect::Pane(build().into(), PaneOrder::Input(b"x".to_vec()));
    assert_eq!(world.press("x"), [typed]);
}

#[test]
fn the_cursor_of_copy_mode_scrolls_what_it_leaves_and_the_text_stays_under_it() {
    let mut world = wrote(&numbered(180));
    world.press("v");
    assert_eq!(world.press("pageup"), []);
    assert_eq!(world.press("k"), [shows(144)]);
    assert_eq!(world.press("g"), [shows(0)]);
    assert_eq!(world.press("G"), []);
    assert_eq!(world.view().reading.top, Some(145));
    assert_eq!(writes(&mut world, &numbered(190)), [shows(145)]);
    assert_eq!(world.view().reading.copy.unwrap().cursor.line, 180);
}

#[test]
fn nothing_selected_copies_nothing() {
    let mut world = wrote("one\n");
    world.press("v");
    world.press("y");
    assert_eq!(world.view().over.toasts[0].text, "Nothing was selected: v begins.");
}

#[test]
fn a_line_that_comes_into_sight_late_is_selected_whole() {
    let mut world = wrote("");
    let cols = usize::from(layout::pane_size(world.view()).cols);
    let text = format!("{}\n{}", "x".repeat(cols + 10), numbered(180));
    writes(&mut world, &text);
    world.press("v g V");
    let top = scrolled(&text, layout::pane_size(world.view()), 1000);
    update(&mut world.state, Event::Pty(build().into(), PtyEvent::View(ME, top)));
    let last = layout::pane_size(world.view()).cols - 1;
    assert_eq!(world.press("y"), [copy_lines(spot(0, 0), spot(1, last))]);
}
