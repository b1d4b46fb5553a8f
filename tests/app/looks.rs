//! What only the screen of an agent tells: retries, and dialogs in the middle of a session.

use parlour::domain::event::{Observed, PtyEvent, Size};
use parlour::domain::team::wait;
use parlour::domain::{Effect, Event, PaneOrder};
use parlour::model::request::{ChatRequest, Request, Until};
use parlour::model::{Activity, Capabilities, Happened, Source};

use super::status::at_work;
use crate::support::events::{SHELL, claude, session, shell, submitted, told, turn_ended};
use crate::support::world::{World, id, screen};

#[test]
fn what_only_a_screen_asks_behind_a_turn_is_found_and_gone_when_it_is() {
    let mut world = World::unwatched(&["auth"]);
    let asks = Capabilities {
        asks_on_screen: true,
        ..claude()
    };
    world.run("auth", asks);
    world.hook(session("startup"));
    world.hook(submitted("fix it"));
    world.after(500);
    world.hook(turn_ended(0));
    let look = Effect::Pane(id("auth").into(), PaneOrder::Look);
    assert!(world.after(1_700).contains(&look));
    world.hears(Source::Screen, Activity::Waiting("asks whether to go on".into()));
    assert_eq!(world.status(), "needs-you: asks whether to go on");
    assert!(world.after(1_000).contains(&look), "a person may have answered");
    world.hears(Source::Screen, Activity::Idle);
    assert_eq!(world.status(), "idle");
    assert!(world.after(2_000).contains(&look));
    assert!(!world.after(60_000).contains(&look), "it rests");
}

#[test]
fn an_attempt_that_waits_as_long_as_the_one_before_is_told_too() {
    let mut world = at_work();
    world.after(100);
    let until = world.state.domain.now.plus_ms(4_000);
    let retry = |attempt, ms| {
        Event::Observed(
            id("auth"),
            Observed::Retry(Happened::Retry {
                message: "API error".into(),
                attempt,
                attempts: Some(10),
                until: Some(until.plus_ms(ms)),
            }),
        )
    };
    world.happens(retry(1, 0));
    assert!(
        told(&world.happens(retry(1, 1_000))).is_empty(),
        "its screen counts in seconds"
    );
    assert_eq!(told(&world.happens(retry(2, 1_500)))[0], "retry");
    assert!(world.status().ends_with("attempt 2 of 10"), "{}", world.status());
}

/// Only at the moments that were asked for, as the engine's loop does.
#[test]
fn what_stirred_as_somebody_waited_is_looked_at_though_nobody_does_any_more() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", shell());
    world.hears(Source::Process, Activity::Idle);
    world.after(6_000);
    let chat = "auth".into();
    world.ask(Request::Chat(ChatRequest::Wait {
        chat,
        until: Until::NeedsYou,
    }));
    let began = world.state.domain.now;
    let size = Size { cols: 80, rows: 24 };
    let drawn = PtyEvent::Screen(screen("$ make", size));
    let mut effects = world.happens(Event::Pty(id("auth").into(), drawn));
    wait::abandoned(&mut world.state.domain, SHELL);
    let look = Effect::Pane(id("auth").into(), PaneOrder::Look);
    while !effects.contains(&look) {
        let now = world.state.domain.now;
        assert!(now.ms_since(began) <= 500, "it is looked at in time");
        let next = effects.iter().filter_map(|effect| match effect {
            Effect::WakeAt(at) if *at > now => Some(*at),
            _ => None,
        });
        let next = next.min().expect("another moment is asked for");
        effects.extend(world.after(next.ms_since(now)));
    }
}
