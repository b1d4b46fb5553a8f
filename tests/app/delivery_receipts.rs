//! What is on disk of prompts, what their senders are told, and when.

use parlour::domain::agent::delivery_receipt::{queued, sent};
use parlour::domain::event::{Observed, Outcome};
use parlour::domain::work::{JournalDone, JournalWork};
use parlour::domain::{Effect, Event, Work};
use parlour::model::chat::Pending;
use parlour::model::entry::From;
use parlour::model::request::{By, ChatRequest, Request};
use parlour::model::{CallId, ClientId, Happened, Mark, PaneEvent, Problem, Reported};

use crate::support::events::{
    SHELL, asked, claude, interrupted, jobs, refusals, replies, session, shown, submitted, told, turn_ended, typed,
    works,
};
use crate::support::world::{World, id, noon};

const AGAIN: CallId = CallId(7);

/// `parlour send` of this text, as its sender names it.
fn send(text: &str, key: &str) -> Request {
    Request::Chat(ChatRequest::Send {
        chat: "auth".into(),
        text: text.into(),
        follow_up: false,
        env: Default::default(),
        sender: None,
        id: key.into(),
        wait: false,
    })
}

fn waiting(text: &str) -> Request {
    let mut request = send(text, "k1");
    if let Request::Chat(ChatRequest::Send { wait, .. }) = &mut request {
        *wait = true;
    }
    request
}

fn pending(text: &str, key: &str) -> Pending {
    let key = key.into();
    Pending {
        key,
        ..Pending::new(text.into(), From::Person, noon())
    }
}

fn begun(text: &str, key: &str) -> Pending {
    let begun = true;
    Pending {
        begun,
        ..pending(text, key)
    }
}

fn kept(effects: &[Effect]) -> Vec<Vec<Pending>> {
    let prompts = |job| match job {
        Work::Journal(JournalWork::Prompts(_, prompts, _)) => Some(prompts),
        _ => None,
    };
    jobs(effects).into_iter().filter_map(prompts).collect()
}

fn delivered(world: &World) -> Vec<String> {
    let record = world.on_disk("auth").record.clone();
    record.delivered.into_iter().map(|known| known.key).collect()
}

/// A chat with a prompt that an earlier engine took in.
fn left_over(prompt: Pending) -> World {
    let mut world = World::unwatched(&["auth"]);
    world.edits("auth", |chat| chat.record.prompts = vec![prompt]);
    world
}

fn begins(world: &mut World) -> Vec<Effect> {
    world.happens(Event::Observed(id("auth"), Observed::McpConnected));
    world.hook(session("resume"))
}

#[test]
fn a_prompt_is_typed_and_told_of_only_once_it_is_safe_on_disk() {
    let mut world = World::at_rest();
    let effects = world.happens_while_the_disk_is_slow(Event::Ask(SHELL, By::Person, send("fix it", "k1")));
    assert_eq!(kept(&effects), [vec![begun("fix it", "k1")]]);
    assert_eq!((typed(&effects), replies(&effects)), (Vec::new(), Vec::new()));
    let later = world.happens_while_the_disk_is_slow(Event::Clock(noon().plus_ms(60_000)));
    assert_eq!((typed(&later), replies(&later)), (Vec::new(), Vec::new()));
    let (work, _) = works(&effects).remove(0);
    let loaded = Outcome::Journal(JournalDone::Kept(Box::new(world.on_disk("auth"))));
    assert_eq!(typed(&world.done(work, loaded)), ["fix it"]);
}

#[test]
fn a_prompt_that_could_not_be_written_is_refused_and_never_typed() {
    let mut world = World::at_rest();
    let effects = world.happens_while_the_disk_is_slow(Event::Ask(SHELL, By::Person, send("fix it", "k1")));
    let (work, _) = works(&effects).remove(0);
    let problem = Problem::new("keeping the prompts", "no space left", "");
    let effects = world.done(work, Outcome::Failed(problem));
    assert_eq!(refusals(&effects), ["no space left"]);
    assert_eq!(typed(&world.after(60_000)), [""; 0]);
}

#[test]
fn a_hook_is_enough_for_the_sender_and_the_record_keeps_the_prompt_until_the_transcript_has_it() {
    let mut world = World::at_rest();
    world.ask(send("fix it", "k1"));
    world.after(500);
    let effects = world.hook(submitted("fix it"));
    assert_eq!(replies(&effects), [(SHELL, Ok(sent("auth", "k1")))]);
    let told = true;
    assert_eq!(
        kept(&effects),
        [vec![Pending {
            told,
            ..begun("fix it", "k1")
        }]]
    );
    let effects = world.reads(vec![shown("fix it")]);
    assert_eq!(kept(&effects), [Vec::new(), Vec::new()]);
    assert_eq!(delivered(&world), ["k1"]);
}

#[test]
fn its_event_is_handed_to_the_disk_before_the_writing_that_the_answer_waits_for() {
    let mut world = World::at_rest();
    world.ask(send("fix it", "k1"));
    world.after(500);
    let effects = world.hook(submitted("fix it"));
    let place = |is: fn(&Work) -> bool| jobs(&effects).iter().position(is).unwrap();
    let event = place(|job| matches!(job, Work::Journal(JournalWork::Append(..))));
    assert!(
        event < place(|job| matches!(job, Work::Journal(JournalWork::Prompts(..)))),
        "{effects:?}"
    );
}

#[test]
fn the_record_lets_go_of_a_prompt_before_our_transcript_says_that_the_clis_has_it() {
    let mut world = World::at_rest();
    world.ask(send("fix it", "k1"));
    world.after(500);
    let effects = world.reads(vec![shown("fix it")]);
    let place = |is: fn(&Work) -> bool| jobs(&effects).iter().position(is).unwrap();
    let read = place(|job| matches!(job, Work::Journal(JournalWork::Append(_, _, Some(_)))));
    assert!(
        place(|job| matches!(job, Work::Journal(JournalWork::Prompts(..)))) < read,
        "{effects:?}"
    );
    assert_eq!(replies(&effects), [(SHELL, Ok(sent("auth", "k1")))]);
}

#[test]
fn what_only_a_hook_told_of_is_typed_again_where_the_transcript_lacks_it_and_told_once() {
    let told_before = Pending {
        told: true,
        ..begun("fix it", "k1")
    };
    let mut world = left_over(told_before);
    world.run_unread("auth", claude());
    assert_eq!(typed(&begins(&mut world)), [""; 0]);
    assert_eq!(typed(&world.is_read_up("auth")), ["fix it"]);
    world.after(500);
    let effects = world.hook(submitted("fix it"));
    assert_eq!(told(&effects), ["is running"], "its event is there already");
    assert_eq!(told(&world.reads(vec![shown("fix it")])), [""; 0]);
    assert_eq!(world.on_disk("auth").record.prompts, []);
}

#[test]
fn what_only_a_hook_told_of_is_not_typed_again_where_the_transcript_has_it() {
    let told_before = Pending {
        told: true,
        ..begun("fix it", "k1")
    };
    let mut world = left_over(told_before);
    world.run_unread("auth", claude());
    let known = Observed::Known(vec!["prompt prompt-fix it".into()]);
    world.happens(Event::Observed(id("auth"), known));
    assert_eq!(told(&world.reads(vec![shown("fix it")])), [""; 0]);
    begins(&mut world);
    assert_eq!(typed(&world.is_read_up("auth")), [""; 0]);
    assert_eq!(typed(&world.after(60_000)), [""; 0]);
    assert_eq!(delivered(&world), ["k1"]);
}

#[test]
fn what_a_cli_writes_in_other_words_is_its_own_once_it_has_answered_or_the_turn_has_ended() {
    for answers in [true, false] {
        let mut world = World::at_rest();
        world.ask(send("fix it", "k1"));
        world.after(500);
        world.hook(submitted("fix it"));
        world.after(100);
        let text = Happened::Text {
            id: "t1".into(),
            text: "Done.".into(),
        };
        match answers {
            true => world.reads(vec![text]),
            false => world.hook(turn_ended(0)),
        };
        assert_eq!(world.on_disk("auth").record.prompts, []);
    }
}

#[test]
fn what_the_agent_may_have_lost_with_its_end_is_looked_for_at_the_next_start() {
    let mut world = World::at_rest();
    world.ask(send("fix it", "k1"));
    world.after(500);
    world.hook(submitted("fix it"));
    let end = PaneEvent::Exited {
        code: None,
        signal: Some(9),
    };
    world.said("auth", end);
    world.run_unread("auth", claude());
    assert_eq!(typed(&begins(&mut world)), [""; 0]);
    assert_eq!(typed(&world.is_read_up("auth")), ["fix it"]);
}

#[test]
fn the_same_key_is_the_same_prompt_while_it_waits_and_after_it_was_delivered() {
    let mut world = World::at_rest();
    world.hook(submitted("by hand"));
    world.hook(asked("Bash"));
    let why = "the agent is waiting for your answer";
    for _ in 0..2 {
        let effects = world.ask(send("fix it", "k1"));
        assert_eq!(replies(&effects), [(SHELL, Ok(queued("auth", why, "k1")))]);
    }
    assert_eq!(typed(&world.hook(turn_ended(0))), ["fix it"]);
    world.after(500);
    world.hook(submitted("fix it"));
    world.reads(vec![shown("fix it")]);
    world.hook(turn_ended(0));
    let effects = world.happens(Event::Ask(AGAIN, By::Person, send("fix it", "k1")));
    assert_eq!(replies(&effects), [(AGAIN, Ok(sent("auth", "k1")))]);
    let effects = world.happens(Event::Ask(AGAIN, By::Person, send("leave it", "k1")));
    assert_eq!(
        refusals(&effects),
        ["a prompt with other words was sent under the id k1, and an id belongs to one prompt"]
    );
    assert_eq!(typed(&world.after(60_000)), [""; 0]);
}

#[test]
fn an_equal_prompt_that_an_earlier_engine_took_in_is_taken_for_it_and_said_to_be() {
    let mut world = left_over(pending("fix it", "k1"));
    world.run("auth", claude());
    let effects = world.ask(send("fix it", "k2"));
    let mut answer = queued("auth", "agent still starting", "k1");
    answer["already"] = true.into();
    assert_eq!(replies(&effects), [(SHELL, Ok(answer))]);
    assert_eq!(world.on_disk("auth").record.prompts, [pending("fix it", "k1")]);
    let effects = world.ask(send("and this", "k3"));
    assert_eq!(
        replies(&effects),
        [(SHELL, Ok(queued("auth", "sent after the prompts before it", "k3")))]
    );
}

#[test]
fn other_words_under_the_key_of_a_prompt_that_waits_are_refused() {
    let mut world = World::at_rest();
    world.hook(submitted("by hand"));
    world.hook(asked("Bash"));
    world.ask(send("fix it", "k1"));
    let effects = world.ask(send("leave it", "k1"));
    assert_eq!(
        refusals(&effects),
        ["a prompt with other words waits under the id k1, and an id belongs to one prompt"]
    );
    let waiting = &world.state.domain.live.agents[&id("auth")].outbox;
    let words: Vec<_> = waiting
        .queued_prompts()
        .map(|queued_prompt| queued_prompt.prompt.text.as_str())
        .collect();
    assert_eq!(words, ["fix it"]);
}

#[test]
fn a_key_that_is_no_word_is_refused() {
    let effects = World::at_rest().ask(send("fix it", "k 1"));
    assert_eq!(
        refusals(&effects),
        ["its id is not up to 64 letters, digits, dots, dashes and underscores"]
    );
}

#[test]
fn a_sender_hears_at_once_what_keeps_its_prompt() {
    let why = |busy: &dyn Fn(&mut World)| {
        let mut world = World::at_rest();
        busy(&mut world);
        let mut request = send("fix it", "k1");
        if let Request::Chat(ChatRequest::Send { follow_up, .. }) = &mut request {
            *follow_up = true;
        }
        let answers = replies(&world.ask(request));
        answers[0].1.clone().unwrap()["why"].as_str().unwrap().to_owned()
    };
    let works = |world: &mut World| drop(world.hook(submitted("by hand")));
    let asks = |world: &mut World| {
        world.hook(submitted("by hand"));
        world.hook(asked("Bash"));
    };
    let drafts = |world: &mut World| {
        parlour::domain::agent::input(&mut world.state.domain, &id("auth"), ClientId(9), b"h".to_vec());
    };
    assert_eq!(why(&works), "sent when this turn ends");
    assert_eq!(why(&asks), "the agent is waiting for your answer");
    assert_eq!(why(&drafts), "there is an unsent draft in the agent's composer");
}

#[test]
fn a_sender_is_never_left_without_an_answer_for_long() {
    let mut world = World::at_rest();
    assert_eq!(replies(&world.ask(send("fix it", "k1"))), []);
    assert_eq!(replies(&world.after(2_900)), []);
    let why = "typed, and the agent has yet to confirm it";
    assert_eq!(replies(&world.after(100)), [(SHELL, Ok(queued("auth", why, "k1")))]);
}

#[test]
fn a_sender_that_waits_is_told_each_reason_once_and_then_that_it_was_sent() {
    let mut world = World::at_rest();
    world.hook(submitted("by hand"));
    world.hook(asked("Bash"));
    let reasons = |effects: &[Effect]| -> Vec<String> {
        let line = |effect: &Effect| match effect {
            Effect::Stream(SHELL, line) => Some(line["waiting"].as_str().unwrap().to_owned()),
            _ => None,
        };
        effects.iter().filter_map(line).collect()
    };
    assert_eq!(reasons(&world.ask(waiting("fix it"))), [""; 0]);
    assert_eq!(reasons(&world.after(1_000)), ["the agent is waiting for your answer"]);
    assert_eq!(reasons(&world.after(60_000)), [""; 0]);
    world.reads(vec![interrupted()]);
    world.hook(turn_ended(0));
    world.after(500);
    let effects = world.hook(submitted("fix it"));
    assert_eq!(replies(&effects), [(SHELL, Ok(sent("auth", "k1")))]);
}

#[test]
fn that_a_prompt_comes_to_wait_for_a_person_is_told_in_the_chat_once() {
    let mut world = World::at_rest();
    world.hook(submitted("by hand"));
    world.follow_up("fix it");
    let note = "a prompt is queued: the agent is waiting for your answer";
    let said = told(&world.hook(asked("Bash")));
    assert!(said.contains(&note.to_owned()), "{said:?}");
    assert_eq!(told(&world.after(60_000)), [""; 0]);
}

#[test]
fn what_a_clis_transcript_has_is_not_typed_again_though_it_was_killed_before_it_answered() {
    let told_before = Pending {
        told: true,
        ..begun("fix it", "k1")
    };
    let mut world = left_over(told_before);
    world.run_unread("auth", claude());
    world.is_read_up("auth");
    world.after(10);
    world.reads(vec![shown("fix it")]);
    assert_eq!(typed(&begins(&mut world)), [""; 0]);
}

#[test]
fn a_prompt_that_is_sent_again_while_its_delivery_is_written_down_is_the_same_prompt() {
    let mut world = World::at_rest();
    world.ask(send("fix it", "k1"));
    world.after(500);
    world.hook(submitted("fix it"));
    let said = Reported {
        at: Some(world.state.domain.now),
        what: shown("fix it"),
    };
    let mark = Mark {
        file: "session.jsonl".into(),
        to: 1,
    };
    let read = Event::Observed(id("auth"), Observed::Transcript(vec![said], mark));
    let delivered = world.happens_while_the_disk_is_slow(read);
    let again = world.happens_while_the_disk_is_slow(Event::Ask(AGAIN, By::Person, send("fix it", "k1")));
    assert_eq!((kept(&again), replies(&again)), (Vec::new(), Vec::new()));
    let mut told = Vec::new();
    for (work, job) in works(&delivered) {
        if let Work::Journal(JournalWork::Prompts(..)) = job {
            let loaded = JournalDone::Kept(Box::new(world.on_disk("auth")));
            told.extend(replies(&world.done(work, Outcome::Journal(loaded))));
        }
    }
    assert_eq!(told, [(AGAIN, Ok(sent("auth", "k1")))]);
    assert_eq!(typed(&world.after(60_000)), [""; 0]);
}
