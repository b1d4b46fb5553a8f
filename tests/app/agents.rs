//! An agent's process: started within limits, stopped at any moment, and ended once.

use parlour::app::update;
use parlour::domain::agents::Agents;
use parlour::domain::event::{ClientEvent, DiskEvent, Observed, Outcome, PtyEvent, Size};
use parlour::domain::work::{AgentWork, JournalWork, ScriptWork};
use parlour::domain::{Effect, Event, PaneOrder, Work, agent};
use parlour::model::request::{ChatRequest, ProjectRequest, Request};
use parlour::model::script::{Order, ScriptAsk};
use parlour::model::{Chat, ClientId, DirectoryPlace, HookEvent, PaneEvent, ScriptKind, Status};

use crate::support::events::{
    SHELL, claude, jobs, orders, problem, refusals, replies, session, submitted, told, tool_began, turn_ended, works,
};
use crate::support::world::{ME, World, id, screen};

const STOP: PaneOrder = PaneOrder::Stop { grace_ms: 4_000 };

fn stop(world: &mut World) -> Vec<Effect> {
    let chat = "auth".to_string();
    world.ask(Request::Chat(ChatRequest::Stop { chat, tree: false }))
}

fn exited(code: i32) -> PaneEvent {
    PaneEvent::Exited {
        code: Some(code),
        signal: None,
    }
}

#[test]
fn no_more_agents_start_than_the_limit_says_and_one_that_ended_makes_room() {
    let mut world = World::unwatched(&["auth", "redis"]);
    world.state.domain.disk.settings.limits.live_agents = 1;
    world.run("auth", claude());
    assert_eq!(
        refusals(&world.resume("redis")),
        ["1 agent runs or is on its way, and limits.liveAgents is 1"]
    );
    world.said("auth", exited(0));
    assert!(matches!(
        jobs(&world.resume("redis")).as_slice(),
        [Work::Agent(AgentWork::Start { .. })]
    ));
}

#[test]
fn an_agent_that_runs_is_not_started_again() {
    let mut world = World::at_rest();
    let effects = world.resume("auth");
    assert_eq!((jobs(&effects), replies(&effects).len()), (Vec::new(), 1));
}

#[test]
fn an_agent_that_exits_at_once_points_to_its_last_words() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", claude());
    world.after(200);
    assert_eq!(told(&world.said("auth", exited(1))), ["is exited"]);
    assert_eq!(world.status(), "exited with code 1 right after start (see its screen)");
}

#[test]
fn an_end_says_how() {
    let ends = [
        (exited(0), "exited: ended"),
        (exited(3), "exited: ended with exit code 3"),
        (
            PaneEvent::Exited {
                code: None,
                signal: Some(9),
            },
            "exited: ended by signal 9",
        ),
        (
            PaneEvent::FailedToStart {
                why: "no such program".into(),
            },
            "exited: could not start: no such program",
        ),
    ];
    for (end, says) in ends {
        let mut world = World::at_rest();
        world.after(60_000);
        world.said("auth", end);
        assert_eq!(world.status(), says);
    }
}

#[test]
fn a_start_that_cannot_be_prepared_is_told_to_who_asked_and_stays_with_the_chat() {
    let mut world = World::unwatched(&["auth"]);
    let (work, _) = works(&world.resume("auth")).remove(0);
    let effects = world.done(work, Outcome::Failed(problem("the disk is full")));
    assert_eq!(refusals(&effects), ["the disk is full"]);
    let status = world.status();
    let said = "exited: could not start: opening grove: the disk is full";
    assert!(status.starts_with(said), "{status}");
}

#[test]
fn an_agent_whose_directory_is_gone_gets_no_prompt_though_it_runs() {
    let mut world = World::at_rest();
    world.edits("auth", |chat| chat.place = DirectoryPlace::Gone);
    let effects = world.send("hello");
    assert_eq!(refusals(&effects), ["its directory is gone"]);
}

#[test]
fn that_it_could_not_start_without_its_directory_is_over_once_that_is_back() {
    for engine_started_again in [false, true] {
        let mut world = World::unwatched(&["auth"]);
        let here = world.on_disk("auth");
        let mut gone = here.clone();
        gone.place = DirectoryPlace::Gone;
        let (work, _) = works(&world.resume("auth")).remove(0);
        world.done(work, Outcome::Failed(problem("its directory is gone")));
        if engine_started_again {
            world.state.domain.live.agents = Agents::default();
            gone.ended = Some(Status::Exited(
                "could not start: opening grove: its directory is gone".into(),
            ));
        }
        let changed = |chat: &Chat| Event::Disk(DiskEvent::Chat(Box::new(chat.clone())));
        world.happens(changed(&gone));
        assert_eq!(world.status(), "exited: directory gone");
        let effects = world.happens(changed(&Chat {
            ended: gone.ended.clone(),
            ..here
        }));
        assert_eq!(world.status(), "exited: its directory is back");
        assert!(
            jobs(&effects)
                .iter()
                .any(|job| matches!(job, Work::Journal(JournalWork::Append(..)))),
            "{effects:?}"
        );
    }
}

#[test]
fn stopping_ends_the_process_and_answers_when_it_has_ended() {
    let mut world = World::at_rest();
    let stopped = [Effect::CancelFor(id("auth")), Effect::Pane(id("auth").into(), STOP)];
    assert_eq!(stop(&mut world), stopped);
    let effects = world.said("auth", exited(143));
    assert_eq!(replies(&effects)[0].0, SHELL);
    assert_eq!(world.status(), "exited: stopped");
}

#[test]
fn what_does_not_run_is_stopped_already() {
    let mut world = World::unwatched(&["auth"]);
    assert_eq!(replies(&stop(&mut world)).len(), 1);
}

#[test]
fn an_agent_that_is_being_prepared_is_stopped_as_soon_as_it_runs() {
    let mut world = World::unwatched(&["auth"]);
    let (work, _) = works(&world.resume("auth")).remove(0);
    assert_eq!(replies(&stop(&mut world)), []);
    world.prepared(work, "auth", claude());
    let effects = world.said("auth", PaneEvent::Started { pid: 1 });
    assert_eq!(orders(&effects), [STOP]);
    assert_eq!(world.status(), "running: stopping");
    assert_eq!(replies(&world.said("auth", exited(143))).len(), 1);
    assert_eq!(world.status(), "exited: stopped");
}

#[test]
fn a_whole_tree_is_stopped() {
    let mut world = World::unwatched(&["auth"]);
    world.chat("redis", "redis", 1).below("auth");
    world.chat("bench", "bench", 1).below("redis");
    for chat in ["auth", "redis", "bench"] {
        world.run(chat, claude());
    }
    let effects = world.stop_tree("auth");
    let soon = PaneOrder::Stop { grace_ms: 1_200 };
    let stopped = ["redis", "bench", "auth"].map(|chat| {
        let stop = Effect::Pane(id(chat).into(), soon.clone());
        [Effect::CancelFor(id(chat)), stop]
    });
    assert_eq!(effects, stopped.concat());
}

#[test]
fn a_tree_is_stopped_in_time_with_those_on_their_way_and_what_runs_beside_them() {
    let mut world = World::unwatched(&["auth"]);
    world.chat("redis", "redis", 1).below("auth");
    let (work, _) = works(&world.resume("redis")).remove(0);
    let (kind, project) = (ScriptKind::Setup, None);
    let order = Order { kind, project };
    let chat = "redis".to_string();
    let env = Default::default();
    let ask = ScriptAsk::Start { order, env };
    let begun = world.ask(Request::Project(ProjectRequest::Script { chat, ask }));
    let (number, _) = works(&begun).remove(0);
    let effects = world.stop_tree("auth");
    assert_eq!(jobs(&effects), [Work::Script(ScriptWork::Stop(number))]);
    world.prepared(work, "redis", claude());
    let effects = world.said("redis", PaneEvent::Started { pid: 1 });
    assert_eq!(orders(&effects), [PaneOrder::Stop { grace_ms: 1_200 }]);
    assert_eq!(replies(&world.said("redis", exited(143))).len(), 1);
}

#[test]
fn what_comes_late_of_an_agent_that_has_ended_changes_nothing() {
    let mut world = World::at_rest();
    world.said("auth", exited(3));
    let before = world.status();
    let stale = [PaneEvent::Started { pid: 1 }, exited(0), PaneEvent::Bell];
    for said in stale {
        assert_eq!(world.said("auth", said), []);
        assert_eq!(world.status(), before);
    }
}

#[test]
fn the_end_of_a_process_ends_its_tools() {
    let mut world = World::at_rest();
    world.hook(tool_began("t1", "Bash"));
    assert_eq!(
        told(&world.said("auth", exited(0))),
        ["t1 Interrupted", "interrupt", "is exited"]
    );
}

#[test]
fn a_screen_is_looked_at_until_the_session_begins_and_then_no_more() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", claude());
    assert_eq!(orders(&world.after(700)), [PaneOrder::Look]);
    assert_eq!(orders(&world.after(700)), [PaneOrder::Look]);
    world.hook(session("startup"));
    assert_eq!(world.after(700), []);
}

#[test]
fn one_whose_session_does_not_begin_is_looked_at_less_and_less() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", claude());
    let mut looks = |seconds: u64| {
        let look = |_: &u64| orders(&world.after(100)).contains(&PaneOrder::Look);
        (0..10 * seconds).filter(look).count()
    };
    let (first, then, last) = (looks(8), looks(52), looks(60));
    assert!((14..=17).contains(&first), "{first} looks in 8 seconds");
    assert!((25..=45).contains(&then), "{then} looks in the next 52");
    assert!((8..=20).contains(&last), "{last} looks in the last minute");
    assert_eq!(looks(30), 0);
}

#[test]
fn one_that_a_prompt_waits_for_is_looked_at_sooner() {
    let looks = |is_awaited: bool| {
        let mut world = World::unwatched(&["auth"]);
        world.run("auth", claude());
        if is_awaited {
            world.send("fix it");
        }
        let look = |_: &u64| orders(&world.after(20)).contains(&PaneOrder::Look);
        (0..50_u64).filter(look).count()
    };
    assert!((1..=2).contains(&looks(false)), "{} looks in a second", looks(false));
    assert!((10..=17).contains(&looks(true)), "{} looks in a second", looks(true));
}

fn shows(world: &mut World, words: &str) {
    let size = Size { cols: 80, rows: 24 };
    world.happens(Event::Pty(id("auth").into(), PtyEvent::Screen(screen(words, size))));
}

#[test]
fn a_dialog_that_nobody_knows_is_found_within_two_seconds_wherever_between_two_looks_it_opens() {
    for opens in [0, 100, 250, 499, 501, 700, 999] {
        let mut world = World::unwatched(&["auth"]);
        world.run("auth", claude());
        let mut ms = 0;
        while world.status() == "starting" && ms < 10_000 {
            ms += 1;
            if orders(&world.after(1)).contains(&PaneOrder::Look) {
                shows(&mut world, if ms < opens { "" } else { "Do you accept the terms?" });
            }
        }
        assert_eq!(
            world.status(),
            "needs-you: it shows something before its session begins"
        );
        let found = ms - opens;
        assert!((700..=2_000).contains(&found), "opened at {opens}, found after {found}");
    }
}

/// Resumed all at once, they share the machine.
#[test]
fn agents_that_start_together_may_take_longer_before_one_is_said_to_need_somebody() {
    let others = ["kidb", "kidc", "kidd", "kide", "kidf"];
    let mut world = World::unwatched(&["auth"]);
    for other in others {
        world.chat(other, other, 1);
    }
    for chat in ["auth"].iter().chain(&others) {
        world.run(chat, claude());
    }
    let status_after = |world: &mut World, ms: i64, words: &str| {
        for _ in 0..ms / 100 {
            if orders(&world.after(100)).contains(&PaneOrder::Look) {
                shows(world, words);
            }
        }
        world.status()
    };
    assert_eq!(
        status_after(&mut world, 4_000, "Loading"),
        "starting",
        "it stands still"
    );
    shows(&mut world, "");
    assert_eq!(status_after(&mut world, 40_000, ""), "starting");
    let unknown = "unknown: its session has not begun: look at its screen";
    assert_eq!(status_after(&mut world, 10_000, ""), unknown);
}

#[test]
fn a_screen_that_is_drawn_twice_within_a_moment_is_no_dialog() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", claude());
    for _ in 0..5 {
        world.after(100);
        shows(&mut world, "Loading");
        shows(&mut world, "Loading");
        assert_eq!(world.status(), "starting");
    }
}

#[test]
fn a_session_that_never_begins_is_not_looked_for_for_ever() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", claude());
    world.after(121_000);
    assert_eq!(world.after(700), []);
}

#[test]
fn the_pane_of_who_typed_last_decides_the_size_until_they_go() {
    let mut world = World::at_rest();
    let other = ClientId(2);
    world.attach(ME, 120, 40);
    world.attach(other, 100, 30);
    let size = |cols| Size { cols, rows: 20 };
    agent::input(&mut world.state.domain, &id("auth"), ME, b"h".to_vec());
    let mine = agent::resize(&mut world.state.domain, &id("auth"), ME, size(80));
    assert_eq!(orders(&mine), [PaneOrder::Resize(size(80))]);
    assert_eq!(agent::resize(&mut world.state.domain, &id("auth"), other, size(60)), []);
    update(&mut world.state, Event::Client(ME, ClientEvent::Gone));
    let theirs = agent::resize(&mut world.state.domain, &id("auth"), other, size(60));
    assert_eq!(orders(&theirs), [PaneOrder::Resize(size(60))]);
}

#[test]
fn an_agent_that_would_hang_keeps_its_size_until_it_has_taken_up_its_session() {
    let mut world = World::at_rest();
    let size = |cols| Size { cols, rows: 20 };
    let agent = world.state.domain.live.agents.get_mut(&id("auth")).unwrap();
    agent.capabilities.as_mut().unwrap().steady = true;
    (agent.rest.resumes, agent.session_began) = (true, false);
    assert_eq!(agent::resize(&mut world.state.domain, &id("auth"), ME, size(80)), []);
    world.hook(HookEvent::SessionStarted {
        session: "s".into(),
        source: "resuming".into(),
        model: None,
        cwd: "/".into(),
    });
    assert_eq!(agent::resize(&mut world.state.domain, &id("auth"), ME, size(90)), []);
    assert_eq!(orders(&world.after(2_000)), []);
    world.happens(Event::Observed(id("auth"), Observed::TakenUp));
    assert_eq!(orders(&world.after(1_000)), [PaneOrder::Resize(size(90))]);
    let later = agent::resize(&mut world.state.domain, &id("auth"), ME, size(70));
    assert_eq!(orders(&later), [PaneOrder::Resize(size(70))]);
}

#[test]
fn an_interrupt_is_sent_in_the_agents_own_way() {
    let mut world = World::at_rest();
    let effects = agent::interrupt(&mut world.state.domain, &id("auth"));
    assert_eq!(orders(&effects), [PaneOrder::Input(b"\x1b".to_vec())]);
    world.hook(turn_ended(0));
}

#[test]
fn a_turn_is_interrupted_after_a_question_alone() {
    let mut world = World::at_rest();
    world.attach(ME, 120, 40);
    world.press("esc");
    world.hook(submitted("go on"));
    assert_eq!(orders(&world.press("i")), []);
    assert!(world.picture().contains("Interrupt the turn?"));
    world.press("n");
    world.press("i");
    world.after(2_000);
    assert_eq!(orders(&world.press("y")), [PaneOrder::Input(b"\x1b".to_vec())]);
    world.calm();
    world.press("enter");
    assert_eq!(
        orders(&world.press("ctrl+q i")),
        [PaneOrder::Input(b"\x1b".to_vec())],
        "it was meant"
    );
    world.press("ctrl+q esc");
    world.hook(turn_ended(0));
    world.calm();
    assert_eq!(orders(&world.press("i")), [], "nothing would be cut off");
    let told = world.view().over.toasts.last().map(|toast| toast.text.clone());
    assert_eq!(told.as_deref(), Some("Nothing runs that could be interrupted."));
}

#[test]
fn what_an_earlier_agent_left_is_shown_while_somebody_looks_and_gives_way_to_a_new_one() {
    let mut world = World::new(120, 40);
    world.chat("auth", "Fix auth bug", 2);
    world.chat("redis", "Try Redis", 5);
    world.look();
    let size = Size { cols: 80, rows: 24 };
    let left = |chat: &str, words: &str| Event::Pty(id(chat).into(), PtyEvent::Screen(screen(words, size)));
    let kept = |world: &World| -> Vec<_> { world.state.domain.live.looked_at.left.keys().cloned().collect() };

    world.happens(left("auth", "its last words"));
    assert!(world.picture().contains("its last words"));
    world.press("j");
    world.happens(left("redis", "other words"));
    assert_eq!(kept(&world), [id("redis")]);
    world.resume("redis");
    assert_eq!(kept(&world), []);
    assert!(!world.picture().contains("other words"));
}
