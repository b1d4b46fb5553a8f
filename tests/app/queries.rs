//! `parlour query`: which turn is that of a question, whatever else goes on in its chat.

use std::collections::BTreeMap;

use parlour::domain::event::{DiskEvent, Outcome};
use parlour::domain::work::{ChatWork, JournalDone, JournalWork, ReadDone};
use parlour::domain::{Effect, Event, Work};
use parlour::model::agent::ASKS_FOR_TRUST;
use parlour::model::query::QueryRequest;
use parlour::model::request::{ChatRequest, Request};
use parlour::model::{Activity, Capabilities, Composer, Happened, Settings, Source};

use crate::support::events::{claude, custom, entry, orders, replies, shown, submitted, turn_ended, typed, works};
use crate::support::world::{ME, World, id};

/// All that was told so far is written.
fn at_rest() -> World {
    let mut world = World::at_rest();
    world.is_written();
    world
}

/// Somebody asks this under this name. What the chat's transcript has of it is written.
fn asks(world: &mut World, name: &str, text: &str) {
    let effects = world.ask(Request::Chat(ChatRequest::Send {
        chat: "auth".into(),
        text: text.into(),
        follow_up: false,
        env: BTreeMap::new(),
        sender: None,
        id: name.into(),
        wait: false,
    }));
    written(world, effects);
}

/// Waits for the end of the turn of that name: what was answered by then.
fn waits(world: &mut World, name: &str) -> Vec<String> {
    let (chat, after, prompt) = ("auth".parse().unwrap(), 0, name.to_owned());
    let effects = world.ask(Request::Query(QueryRequest::Turn { chat, after, prompt }));
    let reads = works(&effects)
        .into_iter()
        .find(|(_, job)| matches!(job, Work::Read(_)));
    let (reading, _) = reads.unwrap();
    let effects = world.done(reading, Outcome::Read(ReadDone::Streamed(Some(100))));
    statuses(&written(world, effects))
}

/// All of it with what follows once it is in the transcript.
fn written(world: &mut World, mut effects: Vec<Effect>) -> Vec<Effect> {
    let mut at = 0;
    while at < effects.len() {
        if let Effect::Work(work, Work::Journal(JournalWork::Append(chat, lines, _))) = effects[at].clone() {
            let next = world.state.domain.disk.chats[&chat].seq + 1;
            let entries = (next..).zip(lines).map(|(seq, line)| entry(seq, line.what)).collect();
            effects.extend(world.done(work, Outcome::Journal(JournalDone::Appended(chat, entries))));
        }
        at += 1;
    }
    effects
}

fn statuses(effects: &[Effect]) -> Vec<String> {
    let answers = replies(effects).into_iter().filter_map(|(_, answer)| answer.ok());
    let told = answers.filter_map(|answer| Some(answer["status"].as_str()?.to_owned()));
    told.collect()
}

/// The names under which prompts were asked that are recorded now, and whether they came into a turn.
fn prompts(effects: &[Effect]) -> Vec<(String, bool)> {
    let of_line = |what: &Happened| match what {
        Happened::Prompt { key, steer, .. } => Some((key.clone(), *steer)),
        _ => None,
    };
    let jobs = works(effects).into_iter().filter_map(|(_, job)| match job {
        Work::Journal(JournalWork::Append(_, lines, _)) => Some(lines),
        _ => None,
    });
    jobs.flatten().filter_map(|line| of_line(&line.what)).collect()
}

#[test]
fn a_prompt_is_recorded_with_the_name_that_it_was_asked_under_and_whether_a_turn_took_it_in() {
    let mut world = World::at_rest();
    asks(&mut world, "q1", "first");
    world.after(500);
    assert_eq!(prompts(&world.hook(submitted("first"))), [("q1".into(), false)]);
    asks(&mut world, "q2", "and this");
    world.after(500);
    assert_eq!(prompts(&world.hook(submitted("and this"))), [("q2".into(), true)]);
    world.hook(turn_ended(0));
    asks(&mut world, "q3", "next");
    world.after(500);
    assert_eq!(prompts(&world.hook(submitted("next"))), [("q3".into(), false)]);
    world.hook(turn_ended(0));
    let by_hand = world.hook(submitted("typed by a person"));
    assert_eq!(prompts(&by_hand), [(String::new(), false)]);
}

/// A screen shows its work before its transcript has the prompt.
#[test]
fn a_cli_that_takes_no_prompt_into_a_turn_begins_one_with_each() {
    let mut world = World::unwatched(&["auth"]);
    let confirms = true;
    world.run("auth", Capabilities { confirms, ..custom() });
    world.hears(Source::Screen, Activity::Idle);
    asks(&mut world, "q1", "first");
    world.after(500);
    world.hears(Source::Screen, Activity::Busy(None));
    assert_eq!(prompts(&world.reads(vec![shown("first")])), [("q1".into(), false)]);
}

#[test]
fn the_end_of_the_turn_before_is_not_that_of_a_question_that_waits() {
    let mut world = at_rest();
    let effects = world.hook(submitted("what a person asked"));
    written(&mut world, effects);
    asks(&mut world, "q1", "and I?");
    assert_eq!(waits(&mut world, "q1"), [""; 0]);
    let effects = world.hook(turn_ended(0));
    assert_eq!(statuses(&written(&mut world, effects)), [""; 0]);
    for _ in 0..3 {
        let effects = world.after(500);
        assert_eq!(statuses(&written(&mut world, effects)), [""; 0]);
    }
    let effects = world.hook(submitted("and I?"));
    assert_eq!(statuses(&written(&mut world, effects)), [""; 0]);
    let says = Happened::Text {
        id: "t".into(),
        text: "You too.".into(),
    };
    let effects = world.reads(vec![says]);
    written(&mut world, effects);
    let effects = world.hook(turn_ended(0));
    assert_eq!(statuses(&written(&mut world, effects)), ["idle"]);
}

fn is_unseen(world: &World) -> bool {
    world.state.domain.live.unseen.contains(&id("auth"))
}

#[test]
fn who_ends_a_query_at_its_own_terminal_knows_of_its_end() {
    let mut world = at_rest();
    asks(&mut world, "q1", "first");
    world.after(500);
    world.hook(submitted("first"));
    let chat = "auth".parse().unwrap();
    world.ask(Request::Query(QueryRequest::Interrupt { chat }));
    world.hook(turn_ended(0));
    assert_eq!((world.status().as_str(), is_unseen(&world)), ("idle", false));
    asks(&mut world, "q2", "and now?");
    world.after(500);
    world.hook(submitted("and now?"));
    world.hook(turn_ended(0));
    assert!(is_unseen(&world), "nobody ended this one");
}

#[test]
fn an_answer_that_was_printed_is_seen_and_not_what_came_to_rest_behind_it() {
    let mut world = at_rest();
    let turn = |world: &mut World, said: &str| {
        let effects = world.hook(submitted(said));
        written(world, effects);
        let effects = world.hook(turn_ended(0));
        written(world, effects);
        world.state.domain.disk.chats[&id("auth")].seq
    };
    let seen = |world: &mut World, seq: u64| {
        let chat = "auth".parse().unwrap();
        world.ask(Request::Query(QueryRequest::Seen { chat, seq }));
        !is_unseen(world)
    };
    let first = turn(&mut world, "what is asked");
    assert!(is_unseen(&world));
    let second = turn(&mut world, "what a person typed meanwhile");
    assert!(second > first);
    assert!(!seen(&mut world, first));
    assert!(seen(&mut world, second));
}

#[test]
fn a_turn_is_over_though_another_prompt_waits_behind_it() {
    let mut world = at_rest();
    asks(&mut world, "q1", "first");
    let effects = world.after(500);
    written(&mut world, effects);
    let effects = world.hook(submitted("first"));
    written(&mut world, effects);
    assert_eq!(waits(&mut world, "q1"), [""; 0]);
    // A menu is open, so that the next prompt has to wait.
    world.shows(Composer::Absent);
    asks(&mut world, "q2", "second");
    let effects = world.hook(turn_ended(0));
    written(&mut world, effects);
    let effects = world.after(500);
    assert_eq!(statuses(&written(&mut world, effects)), ["idle"]);
}

#[test]
fn an_agent_that_asks_for_trust_is_started_again_once_there_is_consent() {
    let consent = |llm: &str| {
        let trust = BTreeMap::from([(llm.to_owned(), true)]);
        let settings = Settings {
            trust,
            ..Settings::default()
        };
        Event::Disk(DiskEvent::Settings(Box::new(Ok(settings))))
    };
    let asking = || {
        let mut world = World::unwatched(&["auth"]);
        world.run("auth", claude());
        world.hears(Source::Screen, Activity::Waiting(ASKS_FOR_TRUST.into()));
        assert_eq!(world.status(), format!("needs-you: {ASKS_FOR_TRUST}"));
        world
    };
    let llm = asking().state.domain.disk.chats[&id("auth")].record.llm.clone();
    let mut world = asking();
    assert_eq!(orders(&world.happens(consent("another"))), []);
    assert_eq!(
        orders(&world.happens(consent(&llm))).len(),
        1,
        "it is stopped, to be started"
    );
    assert_eq!(orders(&world.happens(consent(&llm))), [], "once");

    let mut world = World::at_rest();
    assert_eq!(orders(&world.happens(consent(&llm))), []);
    assert_eq!(typed(&world.send("fix it")), ["fix it"]);
}

/// Whoever looks at it needs its agent from then on, also after the engine's end.
#[test]
fn that_a_chat_was_asked_from_a_shell_outlives_the_engine_until_somebody_looks() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", claude());
    let (chat, after, prompt) = ("auth".parse().unwrap(), 0, "q1".to_owned());
    let effects = world.ask(Request::Query(QueryRequest::Turn { chat, after, prompt }));
    let kept = |effects: &[Effect]| {
        let left = works(effects).into_iter().filter_map(|(_, job)| match job {
            Work::Chat(ChatWork::KeepLeft(left)) => Some(left.queried),
            _ => None,
        });
        left.last()
    };
    assert_eq!(kept(&effects), Some([id("auth")].into()));
    world.attach_to(ME, "auth");
    world.after(0);
    world.after(1_000);
    world.after(100);
    assert_eq!(world.state.domain.disk.left.queried, [].into());
}
