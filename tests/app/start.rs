//! The page that is there while there is no chat: each thing it offers is one key or click away.

use parlour::domain::event::{DiskEvent, Event, Outcome, PlaceHint};
use parlour::domain::state::Then;
use parlour::domain::work::{AgentDone, AgentWork, ChatThen, ChatWork};
use parlour::domain::{Effect, Work};
use parlour::model::open_dir::OpenDir;
use parlour::model::{AreaMode, Installed, Login, Settings};
use parlour::screen::dialog::{Dialog, HERE};

use crate::support::events::works;
use crate::support::world::{World, claude_and_codex};

fn hint(text: &str, what: &str) -> PlaceHint {
    PlaceHint {
        text: text.into(),
        what: what.into(),
    }
}

/// Nobody made a chat yet, in a repository.
fn first() -> World {
    let mut world = World::new(120, 40);
    let hints = vec![
        hint("/home/mia/grove", HERE),
        hint("/home/mia/ledger", "recent"),
        hint("/home/mia/shop", "recent"),
    ];
    world.suggests(hints, Vec::new());
    world
}

/// What the chats being made open first.
fn opened(world: &World) -> Vec<OpenDir> {
    let waiting = world.state.domain.live.waiting.values();
    let made = waiting.filter_map(|waiting| match &waiting.then {
        Then::Chat(ChatThen::SetUp(new)) => new.dirs.first().cloned(),
        _ => None,
    });
    made.collect()
}

fn jobs(effects: &[Effect]) -> Vec<Work> {
    works(effects).into_iter().map(|(_, job)| job).collect()
}

/// Clicks on the line that says this.
fn click(world: &mut World, words: &str) -> Vec<Effect> {
    let picture = world.picture();
    let (row, line) = picture
        .lines()
        .enumerate()
        .find(|(_, line)| line.contains(words))
        .unwrap();
    let column = line.chars().collect::<String>().find(words).unwrap();
    world.click(
        u16::try_from(line[..column].chars().count()).unwrap(),
        u16::try_from(row).unwrap(),
    )
}

#[test]
fn enter_starts_an_agent_on_the_repository_once() {
    let mut world = first();
    world.press("enter enter");
    let all = opened(&world);
    assert_eq!(all.len(), 1);
    assert_eq!(
        (all[0].path_or_url.as_str(), all[0].in_place),
        ("/home/mia/grove", false)
    );
}

#[test]
fn while_it_starts_the_page_says_so_and_makes_no_second_chat() {
    let mut world = first();
    world.finds_agents(Vec::new());
    assert!(
        world.picture().contains("start your agent on grove"),
        "{}",
        world.picture()
    );
    world.press("enter");
    world.later(5_000);
    assert!(
        world.picture().contains("starting your agent on grove…"),
        "{}",
        world.picture()
    );
    world.press("enter");
    assert_eq!(opened(&world).len(), 1);
}

#[test]
fn it_can_be_worked_in_place_instead() {
    let mut world = first();
    world.press("i");
    let all = opened(&world);
    assert_eq!((all[0].in_place, all[0].mode), (true, Some(AreaMode::Rw)));
}

#[test]
fn recent_projects_have_numbers_and_can_be_clicked() {
    let mut world = first();
    world.press("2");
    assert!(world.picture().contains("┃") && world.picture().contains("/home/mia/shop"));
    world.press("ctrl+s");
    assert_eq!(opened(&world)[0].path_or_url, "/home/mia/shop");
    let mut world = first();
    click(&mut world, "/home/mia/ledger");
    world.press("ctrl+s");
    assert_eq!(opened(&world)[0].path_or_url, "/home/mia/ledger");
    let mut world = first();
    assert_eq!(world.press("7"), []);
    assert!(world.view().over.dialog.is_none());
}

#[test]
fn each_offer_is_a_click_too() {
    for (words, is) in [
        ("new chat, with", "new"),
        ("open a folder", "new"),
        ("take the tour", "tour"),
        ("all keys", "help"),
    ] {
        let mut world = first();
        click(&mut world, words);
        let open = match &world.view().over.dialog {
            Some(Dialog::NewChat(_)) => "new",
            Some(Dialog::Tour(_)) => "tour",
            Some(Dialog::Help(_)) => "help",
            _ => "",
        };
        assert_eq!(open, is, "{words}");
    }
    let mut world = first();
    let effects = click(&mut world, "Claude Code on grove");
    assert!(!effects.is_empty());
    assert_eq!(opened(&world).len(), 1);
}

#[test]
fn trust_is_agreed_to_by_one_key_and_not_asked_for_again() {
    let mut world = first();
    let effects = world.press("y");
    let asked = jobs(&effects);
    assert!(
        matches!(&asked[..], [Work::Agent(AgentWork::Trust { llm, .. })] if llm == "claude"),
        "{asked:?}"
    );
    let number = effects.iter().find_map(|effect| match effect {
        Effect::Work(number, _) => Some(*number),
        _ => None,
    });
    world.happens(Event::Done(number.unwrap(), Outcome::Agent(AgentDone::Trusted)));
    assert!(
        world.picture().contains("lets Claude Code trust"),
        "{}",
        world.picture()
    );
    let mut settings = world.state.domain.disk.settings.clone();
    settings.trust.insert("claude".into(), true);
    world.state.domain.disk.follow(settings);
    assert!(!world.picture().contains("let Claude Code trust"));
    assert_eq!(world.press("y"), []);
}

#[test]
fn the_tour_is_offered_until_it_was_begun_and_can_be_played_again() {
    let mut world = first();
    assert!(world.picture().contains("take the tour"));
    assert_eq!(jobs(&world.press("t")), [Work::Chat(ChatWork::TourSeen)]);
    assert!(world.picture().contains("Tour · 1 of 6"), "{}", world.picture());
    world.calm();
    world.press("enter right");
    assert!(world.picture().contains("Tour · 3 of 6"));
    world.press("left");
    assert!(world.picture().contains("Tour · 2 of 6"));
    world.press("esc");
    assert!(world.view().over.dialog.is_none());
    assert!(!world.picture().contains("take the tour"));
    world.calm();
    assert_eq!(jobs(&world.press(": t o u r enter")), []);
    assert!(world.picture().contains("Tour · 1 of 6"));
}

#[test]
fn where_parlour_was_started_in_no_repository_enter_asks_for_all_of_it() {
    let mut world = World::new(120, 40);
    world.suggests(Vec::new(), Vec::new());
    assert!(!world.picture().contains("in place"));
    world.press("enter");
    assert!(matches!(world.view().over.dialog, Some(Dialog::NewChat(_))));
}

#[test]
fn the_tour_points_at_nothing_that_is_not_on_the_screen() {
    let mut world = World::new(80, 24);
    world.press("t");
    for step in 1..=6 {
        let picture = world.picture();
        assert!(picture.contains(&format!("Tour · {step} of 6")), "{picture}");
        let points = picture.contains(['◀', '▶', '▲', '▼']);
        assert_eq!(points, step == 6, "{picture}");
        assert!(!picture.contains(" here"), "{picture}");
        world.press("enter");
    }
    // With a chat and cards beside it all six are there.
    let mut world = World::morning(200, 50);
    world.press(": t o u r enter");
    for step in 1..=6 {
        let points = world.picture().contains("Tour") && world.picture().contains(['◀', '▶', '▲', '▼']);
        assert!(points || step == 2, "{step}\n{}", world.picture());
        world.press("enter");
    }
}

/// Claude Code, Codex and Gemini CLI, of which nobody is logged in to the first.
fn with_one_logged_out() -> World {
    let mut world = first();
    let mut agents = claude_and_codex();
    agents.insert(
        2,
        Installed {
            llm: "gemini".into(),
            title: "Gemini CLI".into(),
            ..agents[1].clone()
        },
    );
    agents[0].login = Login::Missing;
    agents[1].login = Login::Found;
    world.finds_agents(agents);
    world
}

/// The agent of the chats being made.
fn chosen(world: &World) -> Vec<Option<String>> {
    let waiting = world.state.domain.live.waiting.values();
    let made = waiting.filter_map(|waiting| match &waiting.then {
        Then::Chat(ChatThen::SetUp(new)) => Some(new.llm.clone()),
        _ => None,
    });
    made.collect()
}

#[test]
fn an_agent_that_nobody_is_logged_in_to_is_not_proposed_where_there_is_another() {
    let mut world = with_one_logged_out();
    let picture = world.picture();
    assert!(picture.contains("start codex on grove"), "{picture}");
    world.press("enter");
    assert_eq!(chosen(&world), [Some("codex".to_string())]);
    let mut world = with_one_logged_out();
    world.press("n");
    assert!(world.picture().contains("‹ Codex 0.40.0 ›"), "{}", world.picture());
    let mut world = with_one_logged_out();
    world.press("A n");
    assert!(world.picture().contains("default: Codex"), "{}", world.picture());
    // What is set goes before.
    let mut world = with_one_logged_out();
    let settings = Settings {
        default_llm: Some("claude".into()),
        ..Settings::default()
    };
    world.happens(Event::Disk(DiskEvent::Settings(Box::new(Ok(settings)))));
    world.press("n");
    assert!(world.picture().contains("‹ Claude Code 2.1.8 ›"), "{}", world.picture());
}

#[test]
fn the_agent_that_was_used_last_is_proposed_next() {
    let mut world = with_one_logged_out();
    world.press("n tab tab right");
    let effects = world.press("ctrl+s");
    assert_eq!(chosen(&world), [Some("gemini".to_string())]);
    let kept = jobs(&effects).into_iter().find_map(|job| match job {
        Work::Chat(ChatWork::KeepLeft(left)) => left.llm,
        _ => None,
    });
    assert_eq!(kept.as_deref(), Some("gemini"), "for the next screen too");
    world.press("esc esc");
    world.calm();
    world.press("n");
    assert!(world.picture().contains("‹ Gemini CLI 0.40.0 ›"), "{}", world.picture());
    world.press("esc");
    world.calm();
    world.press("A n");
    assert!(world.picture().contains("‹ Gemini CLI ›"), "{}", world.picture());
    // A shell is no agent.
    world.press("esc esc");
    world.calm();
    world.press("n tab tab right");
    world.press("ctrl+s");
    assert_eq!(world.state.domain.disk.left.llm.as_deref(), Some("gemini"));
}

#[test]
fn a_new_schedule_has_the_repository_that_one_is_in_as_its_project() {
    let mut world = first();
    world.press("A n");
    world.suggests(vec![hint("/home/mia/grove", HERE)], Vec::new());
    assert!(world.picture().contains("/home/mia/grove"), "{}", world.picture());
    let Some(Dialog::Schedule(form)) = &world.view().over.dialog else {
        panic!("no form is open");
    };
    assert!(!form.is_typed(), "nobody typed it");
}
