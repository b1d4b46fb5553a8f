//! Errors lead to what can be done about them.

use std::collections::BTreeMap;

use parlour::domain::agent::queue;
use parlour::domain::event::{DiskEvent, Outcome};
use parlour::domain::login::{self, WantedLogin};
use parlour::domain::requester::Requester;
use parlour::domain::work::{AgentWork, JournalDone, JournalWork, ScriptWork, Work};
use parlour::domain::{Effect, Event};
use parlour::model::entry::From;
use parlour::model::hook::HookEvent;
use parlour::model::script::ScriptEnding;
use parlour::model::{CallId, Happened, Timestamp, Trouble, TroubleKind, WorkId};
use parlour::screen::dialog::Dialog;
use parlour::screen::foot;
use parlour::screen::keymap::PaneSheet;
use parlour::screen::surface::Surface;
use parlour::screen::view::Tab;

use crate::support::events::{submitted, turn_ended, typed, works};
use crate::support::told::show_cards_of;
use crate::support::transcript::{Paper, numbered, prompt, read, said};
use crate::support::world::{ME, World, id, noon};

fn error(message: &str, trouble: Option<Trouble>) -> Happened {
    Happened::Error {
        place: "Claude Code".into(),
        message: message.into(),
        hint: "send another prompt to try again".into(),
        trouble,
    }
}

fn limit(resets: Timestamp) -> Option<Trouble> {
    Some(Trouble {
        kind: TroubleKind::Limit,
        resets: Some(resets),
    })
}

fn paper(error: Happened) -> Paper {
    let entries = vec![
        prompt("count the gulls", From::Person),
        said("Counting."),
        error,
        said("That was it."),
    ];
    Paper {
        entries: numbered(entries),
        gap_behind: None,
        is_terminal_gone: false,
    }
}

/// The error is selected, and opened.
fn opened(error: Happened) -> World {
    let paper = paper(error);
    let mut world = read(120, 40, &paper);
    let effects = world.press("{");
    paper.answer(&mut world, effects);
    world.press("enter");
    assert!(matches!(world.view().over.dialog, Some(Dialog::Mend(_))));
    world
}

#[test]
fn enter_at_an_error_says_what_can_be_done() {
    let world = opened(error("API error: 529", None));
    let picture = world.picture();
    for words in [
        "API error: 529",
        "Send the prompt again",
        "Restart the agent",
        "Copy a diagnostic",
        "Open the log",
    ] {
        assert!(picture.contains(words), "{words}: {picture}");
    }
    assert!(
        !picture.contains("Log in") && !picture.contains("Go on at"),
        "{picture}"
    );
}

#[test]
fn enter_elsewhere_writes_a_prompt() {
    let paper = paper(error("it broke", None));
    let mut world = read(120, 40, &paper);
    world.press("k enter");
    assert_eq!(world.view().surface(), Surface::Composer);
}

#[test]
fn the_prompt_of_its_turn_is_sent_again() {
    let mut world = opened(error("it broke", None));
    world.press("p");
    let queue = queue::list(&world.state.domain, &id("auth"));
    assert_eq!(queue.last().unwrap().text, "count the gulls");
}

#[test]
fn a_diagnostic_has_no_secrets() {
    let key = ["sk-", "ant-api03-0123456789abcdef"].concat();
    let mut world = opened(error(&format!("401: {key}"), Some(Trouble::of(TroubleKind::Login))));
    let effects = world.press("c");
    let [Effect::Clipboard(_, text)] = &effects[..] else {
        panic!("{effects:?}");
    };
    assert!(text.contains("401: •••") && text.contains("Not logged in"), "{text}");
}

/// The login of its CLI is open beside the agent, which stands still for want of it.
fn logging_in() -> (World, WorkId) {
    let mut world = opened(error("401", Some(Trouble::of(TroubleKind::Login))));
    let failed = HookEvent::TurnFailed {
        error: "authentication_error".into(),
        message: "401".into(),
        trouble: Trouble::of(TroubleKind::Login),
    };
    world.happens(Event::Hook(CallId(91), id("auth"), vec![failed]));
    assert!(world.picture().contains("claude auth login"), "{}", world.picture());
    let (number, job) = world.presses_for("l");
    assert!(matches!(job, Work::Script(ScriptWork::LogIn { .. })), "{job:?}");
    world.editor_starts(number, "Paste code here");
    assert_eq!(world.view().surface(), Surface::Terminal);
    assert!(world.picture().contains("LOGIN"), "{}", world.picture());
    (world, number)
}

#[test]
fn a_login_is_the_clis_own_beside_the_agent_which_goes_on_after_it() {
    let (mut world, number) = logging_in();
    world.comes_to_its_end(number, ScriptEnding::Exited(0));
    assert_eq!(
        world.view().tab,
        Tab::Sheet(PaneSheet::Transcript),
        "it was opened from there"
    );
    let queue = queue::list(&world.state.domain, &id("auth"));
    assert_eq!(queue.last().unwrap().text, "count the gulls");
}

#[test]
fn a_login_that_is_open_already_goes_on_with_the_prompt_that_failed_last() {
    let (mut world, number) = logging_in();
    let wanted = WantedLogin {
        again: Some("count the terns".into()),
        env: BTreeMap::new(),
        size: world.state.domain.live.sides[&number].size,
    };
    let person = Requester::screen(ME);
    login::begin(&mut world.state.domain, &id("auth"), wanted, person);
    world.comes_to_its_end(number, ScriptEnding::Exited(0));
    let queue = queue::list(&world.state.domain, &id("auth"));
    assert_eq!(queue.last().unwrap().text, "count the terns");
}

#[test]
fn a_login_that_goes_wrong_stays_to_be_read_and_is_tried_again() {
    let (mut world, number) = logging_in();
    world.comes_to_its_end(number, ScriptEnding::Exited(1));
    assert_eq!(world.view().tab, Tab::Side(number));
    assert!(world.picture().contains("✗ Login"), "{}", world.picture());
    assert!(queue::list(&world.state.domain, &id("auth")).is_empty());
    world.later(500);
    let effects = world.press("enter");
    let begun = works(&effects);
    assert!(
        begun
            .iter()
            .any(|(_, job)| matches!(job, Work::Script(ScriptWork::LogIn { .. }))),
        "{begun:?}"
    );
}

/// An agent that a limit has stopped goes on in two hours.
fn goes_on() -> World {
    let mut world = opened(error("usage limit reached", limit(noon().plus_ms(2 * 3_600_000))));
    assert!(world.picture().contains("Go on at 14:00"), "{}", world.picture());
    assert!(world.picture().contains("in 2h"), "{}", world.picture());
    let effects = world.press("g");
    stored(&mut world, &effects);
    world.calm();
    world
}

fn stored(world: &mut World, effects: &[Effect]) {
    for (work, job) in works(effects) {
        let Work::Journal(JournalWork::Prompts(chat, prompts, removed)) = job else {
            continue;
        };
        let mut kept = world.state.domain.disk.chats[&chat].clone();
        kept.record.keep(prompts, &removed);
        world.done(work, Outcome::Journal(JournalDone::Kept(Box::new(kept))));
    }
}

#[test]
fn an_agent_goes_on_when_its_limit_ends_and_the_wait_is_counted_down() {
    let mut world = goes_on();
    world.press("enter");
    assert!(world.picture().contains("14:00 · in 2h"), "{}", world.picture());
    world.later(30 * 60_000);
    assert!(world.picture().contains("14:00 · in 1h 30m"), "{}", world.picture());
}

#[test]
fn the_other_key_says_what_it_makes_of_a_prompt_that_waited_for_a_moment() {
    let mut world = goes_on();
    world.press("esc enter up");
    let effects = world.press("enter");
    stored(&mut world, &effects);
    let picture = world.picture();
    let row = picture.lines().find(|line| line.contains(" PROMPT ")).expect(&picture);
    // A turn runs: the other way is to steer that.
    assert!(
        row.contains("Enter keep its time") && row.contains("Alt+Enter steer"),
        "{row}"
    );
}

#[test]
fn what_waits_for_a_moment_holds_up_nothing() {
    let mut world = World::at_rest();
    world.attach_to(ME, "auth");
    world.hook(submitted("by hand"));
    world.hook(turn_ended(0));
    let timed = |world: &mut World| queue::list(&world.state.domain, &id("auth"));
    assert!(timed(&mut world).is_empty());
    assert_eq!(typed(&world.send("now")), ["now"]);
}

#[test]
fn it_goes_on_though_the_engine_was_started_again_meanwhile() {
    let world = goes_on();
    let kept = world.on_disk("auth");
    assert!(kept.record.prompts.iter().any(|prompt| prompt.not_before.is_some()));
    let mut later = World::unwatched(&["auth"]);
    let mut chat = later.on_disk("auth");
    chat.record.prompts = kept.record.prompts.clone();
    later.updates(Event::Disk(DiskEvent::Chat(Box::new(chat))));
    let early = later.later(60_000);
    assert!(works(&early).is_empty(), "{early:?}");
    let effects = later.later(2 * 3_600_000);
    let starts = works(&effects)
        .into_iter()
        .any(|(_, job)| matches!(job, Work::Agent(AgentWork::Start { .. })));
    assert!(starts, "{effects:?}");
}

#[test]
fn its_moment_is_one_of_the_wall_however_long_the_clock_was_wrong_or_the_machine_slept() {
    let mut world = World::unwatched(&["auth"]);
    let env = BTreeMap::from([("PATH".to_string(), "/usr/bin".to_string())]);
    world.happens(Event::Disk(DiskEvent::Began(env)));
    let mut chat = world.on_disk("auth");
    chat.record.prompts = goes_on().on_disk("auth").record.prompts;
    let reset = noon().plus_ms(2 * 3_600_000);
    let effects = world.updates(Event::Disk(DiskEvent::Chat(Box::new(chat))));
    assert!(effects.contains(&Effect::Alarm(Some(reset))), "{effects:?}");
}

#[test]
fn it_goes_on_as_soon_as_there_is_room_where_its_time_came_without() {
    let kept = goes_on().on_disk("auth").record.prompts;
    let mut world = World::unwatched(&["auth"]);
    world.edits("auth", |chat| chat.record.prompts = kept);
    let limit = |world: &mut World, live| {
        let mut settings = world.state.domain.disk.settings.clone();
        settings.limits.live_agents = live;
        world.state.domain.disk.follow(settings);
    };
    let starts = |effects: &[Effect]| {
        let mut jobs = works(effects).into_iter();
        jobs.any(|(_, job)| matches!(job, Work::Agent(AgentWork::Start { .. })))
    };
    limit(&mut world, 0);
    for minutes in [120, 1, 1] {
        assert!(!starts(&world.later(minutes * 60_000)));
    }
    limit(&mut world, 1);
    assert!(!starts(&world.later(1_000)), "it is looked at once a minute");
    assert!(starts(&world.later(60_000)));
    assert!(!starts(&world.later(60_000)));
}

#[test]
fn trouble_of_several_chats_is_told_in_the_last_row() {
    let mut world = World::morning(120, 40);
    let banner = |world: &World| world.picture().contains("chats are not logged in");
    assert!(!banner(&world));
    for short in ["auth", "redis"] {
        let failed = HookEvent::TurnFailed {
            error: "authentication_error".into(),
            message: "401".into(),
            trouble: Trouble::of(TroubleKind::Login),
        };
        world.happens(Event::Hook(CallId(90), id(short), vec![failed]));
    }
    assert!(banner(&world), "{}", world.picture());
    // It leads to them, one after the other, each at its error.
    world.press("!");
    let first = world.view().chat.clone();
    assert_eq!(world.view().surface(), Surface::Sheet(PaneSheet::Transcript));
    let view = &world.state.views[&ME];
    let place = foot::arrange(&world.state, view).problem.unwrap().1;
    world.later(500);
    world.click(place.x + 1, place.y);
    let both = [first, world.view().chat.clone()];
    assert!(
        both.contains(&Some(id("auth"))) && both.contains(&Some(id("redis"))),
        "{both:?}"
    );
}

/// Whoever reads "2 failed" looks for calls that did.
#[test]
fn an_error_among_the_cards_is_no_failed_call() {
    let mut world = World::morning(200, 50);
    let entries = numbered(vec![
        prompt("Go on.", From::Person),
        error("429", None),
        prompt("Go on.", From::Person),
        error("429", None),
    ]);
    show_cards_of(&mut world, &entries);
    world.press("esc");
    let picture = world.picture();
    assert!(picture.contains("0 calls · 2 errors"), "{picture}");
}
