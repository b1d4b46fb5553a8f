//! Agents that rest are stopped after a while, and wake when they are needed.

use parlour::domain::event::{DiskEvent, Observed};
use parlour::domain::work::{AgentWork, TrashWork};
use parlour::domain::{Effect, Event, PaneOrder, Work};
use parlour::model::chat::ENGINE_STOPPED;
use parlour::model::query::QueryRequest;
use parlour::model::request::{ChatRequest, Request, Until};
use parlour::model::{PaneEvent, Status};
use parlour::screen::view::Mode;

use crate::support::events::{
    claude, jobs, orders, refusals, replies, session, shell, submitted, told, turn_ended, typed, wakes, works,
};
use crate::support::world::{ME, World, id};

const STOP: PaneOrder = PaneOrder::Stop { grace_ms: 4_000 };
const MINUTES: u64 = 10 * 60_000;
const ENDED: PaneEvent = PaneEvent::Exited {
    code: Some(143),
    signal: None,
};

/// At rest, where agents hibernate after ten minutes.
fn resting() -> World {
    let mut world = World::at_rest();
    world.state.domain.disk.settings.limits.hibernate_minutes = 10.0;
    world.after(1);
    world
}

fn asleep() -> World {
    let mut world = resting();
    world.after(MINUTES);
    world.said("auth", ENDED);
    assert_eq!(world.status(), "hibernated");
    world
}

fn looks(world: &mut World) {
    world.attach(ME, 120, 40);
    let view = world.view();
    (view.chat, view.mode) = (Some(id("auth")), Mode::Agent);
}

/// Its files are made, its process runs, its session has begun: all that was to be done at the end of that.
fn wake_up(world: &mut World, effects: &[Effect]) -> Vec<Effect> {
    let started = |(_, job): &(_, Work)| matches!(job, Work::Agent(AgentWork::Start { .. }));
    let (work, _) = works(effects).into_iter().find(started).expect("it is started");
    world.prepared(work, "auth", claude());
    world.said("auth", PaneEvent::Started { pid: 2 });
    world.is_read_up("auth");
    world.happens(Event::Observed(id("auth"), Observed::McpConnected));
    world.hook(session("resume"))
}

fn only_one_may_run(world: &mut World) {
    world.state.domain.disk.settings.limits.live_agents = 1;
}

#[test]
fn an_agent_that_rests_long_enough_is_stopped_and_counts_no_more() {
    let mut world = resting();
    assert_eq!(orders(&world.after(MINUTES - 10)), []);
    let effects = world.after(20);
    assert_eq!(
        (orders(&effects), told(&effects)),
        (vec![PaneOrder::Freeze, STOP], vec!["is hibernated".to_string()])
    );
    let effects = world.said("auth", ENDED);
    assert_eq!((told(&effects), world.status()), (vec![], "hibernated".into()));
    only_one_may_run(&mut world);
    world.chat("redis", "Try Redis", 1);
    assert!(matches!(
        jobs(&world.resume("redis")).as_slice(),
        [Work::Agent(AgentWork::Start { .. })]
    ));
}

#[test]
fn it_is_off_unless_a_person_wants_it() {
    let mut world = World::at_rest();
    assert_eq!(orders(&world.after(100 * MINUTES)), []);
}

#[test]
fn one_that_works_is_looked_into_is_written_in_or_cannot_resume_stays() {
    let mut working = resting();
    working.hook(submitted("go on"));
    let mut background = resting();
    background.hook(submitted("go on"));
    background.hook(turn_ended(2));
    let mut used = resting();
    looks(&mut used);
    let mut draft = resting();
    looks(&mut draft);
    draft.press("h");
    draft.view().mode = Mode::Outside;
    let mut sh = World::unwatched(&["auth"]);
    sh.state.domain.disk.settings.limits.hibernate_minutes = 10.0;
    sh.run("auth", shell());
    for (what, world) in [
        ("working", &mut working),
        ("background", &mut background),
        ("used", &mut used),
        ("draft", &mut draft),
        ("shell", &mut sh),
    ] {
        world.after(1);
        let stops = orders(&world.after(2 * MINUTES)).contains(&STOP);
        assert!(!stops, "{what}");
    }
}

#[test]
fn its_rest_begins_anew_when_somebody_leaves_it() {
    let mut world = resting();
    looks(&mut world);
    world.after(2 * MINUTES);
    world.view().mode = Mode::Outside;
    assert!(wakes(&world.after(1)), "the clock is asked for");
    assert_eq!(orders(&world.after(MINUTES - 10)), []);
    assert_eq!(orders(&world.after(20)), [PaneOrder::Freeze, STOP]);
}

#[test]
fn a_message_wakes_it_and_is_typed() {
    let mut world = asleep();
    let effects = world.send("look again");
    assert_eq!(typed(&wake_up(&mut world, &effects)), ["look again"]);
}

#[test]
fn a_message_while_it_falls_asleep_wakes_it_at_its_end() {
    let mut world = resting();
    world.after(MINUTES);
    assert_eq!(typed(&world.send("look again")), Vec::<String>::new());
    let effects = world.said("auth", ENDED);
    assert_eq!((replies(&effects), told(&effects)), (vec![], vec![]));
    assert_eq!(typed(&wake_up(&mut world, &effects)), ["look again"]);
}

#[test]
fn what_is_typed_into_it_wakes_it_and_is_a_prompt_when_it_is_awake() {
    let mut world = asleep();
    looks(&mut world);
    let effects = world.press("l");
    assert_eq!(typed(&effects), Vec::<String>::new());
    assert_eq!(
        typed(&world.press("o x backspace o k enter a n d")),
        Vec::<String>::new()
    );
    assert_eq!(typed(&wake_up(&mut world, &effects)), ["look"]);
    assert_eq!(typed(&world.after(500)), ["\r"]);
    let then = typed(&world.hook(submitted("look")));
    assert_eq!(then, ["and"], "what was not entered follows the line that was");
}

#[test]
fn it_looks_as_it_did_asleep_and_while_it_wakes() {
    let mut world = resting();
    let size = parlour::domain::event::Size { cols: 89, rows: 36 };
    let last = crate::support::world::screen("its last words", size);
    world.happens(Event::Pty(
        id("auth").into(),
        parlour::domain::event::PtyEvent::Screen(last),
    ));
    world.after(MINUTES);
    world.said("auth", ENDED);
    looks(&mut world);
    let picture = world.picture();
    assert!(picture.contains("its last words") && picture.contains("hibernated") && !picture.contains("resumes"));
    world.press("enter");
    assert!(world.picture().contains("its last words"));
}

#[test]
fn who_waits_for_rest_has_it_and_who_waits_for_its_end_does_not() {
    let mut world = asleep();
    let wait = |world: &mut World, until| {
        let chat = "auth".to_string();
        replies(&world.ask(Request::Chat(ChatRequest::Wait { chat, until }))).len()
    };
    assert_eq!((wait(&mut world, Until::Idle), wait(&mut world, Until::Exited)), (1, 0));
    world.stop("auth");
    assert_eq!(world.status(), "exited: stopped");
}

#[test]
fn one_that_slept_when_the_engine_ended_sleeps_on() {
    let mut world = World::unwatched(&["auth"]);
    world.edits("auth", |chat| chat.ended = Some(Status::Hibernated));
    assert_eq!(world.status(), "hibernated");
    let effects = world.send("look again");
    assert_eq!(typed(&wake_up(&mut world, &effects)), ["look again"]);
}

#[test]
fn agents_that_ran_when_the_engine_ended_run_again_where_that_is_wanted() {
    let ended = [
        ("auth", Status::Exited(ENGINE_STOPPED.into())),
        ("redis", Status::Exited("stopped".into())),
        ("cache", Status::Hibernated),
    ];
    for wanted in [true, false] {
        let mut world = World::unwatched(&["auth", "redis", "cache"]);
        world.state.domain.disk.settings.resume_on_start = wanted;
        for (short, status) in ended.clone() {
            world.edits(short, |chat| chat.ended = Some(status));
        }
        let started = jobs(&world.happens(Event::Disk(DiskEvent::Began(Default::default()))));
        let chats: Vec<_> = started
            .into_iter()
            .filter(|job| !matches!(job, Work::Trash(TrashWork::LetGo) | Work::Usage(_)))
            .map(|job| match job {
                Work::Agent(AgentWork::Start { chat, .. }) => chat,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(chats, if wanted { vec![id("auth")] } else { Vec::new() });
    }
}

/// `parlour query` leaves a chat behind that nobody may ever look at.
#[test]
fn an_agent_that_was_asked_from_a_shell_rests_unless_somebody_looks() {
    let asked = || {
        let mut world = World::at_rest();
        let (chat, after, prompt) = ("auth".parse().unwrap(), 0, String::new());
        world.ask(Request::Query(QueryRequest::Turn { chat, after, prompt }));
        world.after(1);
        world
    };
    let mut world = asked();
    assert_eq!(orders(&world.after(5 * 60_000 - 10)), []);
    let effects = world.after(20);
    assert_eq!(orders(&effects), [PaneOrder::Freeze, STOP]);

    let mut world = asked();
    looks(&mut world);
    world.after(2_000);
    world.press("ctrl+q");
    assert_eq!(orders(&world.after(MINUTES)), []);
}

#[test]
fn an_agent_that_has_answered_a_shell_gives_its_place_to_the_next() {
    let mut world = World::at_rest();
    let (chat, after, prompt) = ("auth".parse().unwrap(), 0, String::new());
    world.ask(Request::Query(QueryRequest::Turn { chat, after, prompt }));
    world.after(1);
    only_one_may_run(&mut world);
    world.chat("redis", "Try Redis", 1);
    let effects = world.resume("redis");
    assert_eq!(orders(&effects), [PaneOrder::Freeze, STOP]);
    let starts = |job: &Work| matches!(job, Work::Agent(AgentWork::Start { .. }));
    assert!(jobs(&effects).iter().any(starts));
}

/// Whatever `hibernateMinutes` says.
#[test]
fn the_agent_that_is_idle_longest_gives_its_place_to_one_that_starts() {
    let mut world = World::at_rest();
    for (chat, minutes) in [("late", 1), ("old", 60)] {
        world.chat(chat, chat, minutes).rests(minutes);
    }
    world.sets(|settings| settings.limits.live_agents = 3);
    assert_eq!(orders(&world.after(1)), [], "nobody needs a place");
    world.chat("redis", "Try Redis", 1);
    let effects = world.resume("redis");
    let starts = |job: &Work| matches!(job, Work::Agent(AgentWork::Start { .. }));
    assert!(jobs(&effects).iter().any(starts));
    let stopped = effects.iter().filter_map(|effect| match effect {
        Effect::Pane(pane, PaneOrder::Stop { .. }) => Some(pane.clone()),
        _ => None,
    });
    assert_eq!(stopped.collect::<Vec<_>>(), [id("old").into()]);
}

#[test]
fn an_agent_that_works_or_is_typed_to_gives_its_place_to_nobody() {
    let mut busy = World::at_rest();
    busy.hook(submitted("fix it"));
    let mut used = World::at_rest();
    looks(&mut used);
    for mut world in [busy, used] {
        world.after(1);
        only_one_may_run(&mut world);
        world.chat("redis", "Try Redis", 1);
        let refused = refusals(&world.resume("redis"));
        assert_eq!(refused, ["1 agent runs or is on its way, and limits.liveAgents is 1"]);
        assert!(!world.status().contains("hibernated"));
    }
}
