//! A message for an agent that a person stopped waits in the inbox, and is shown to whoever may resume it.

use parlour::domain::Event;
use parlour::domain::agent::{explain, queue};
use parlour::domain::event::{DiskEvent, Outcome};
use parlour::domain::work::JournalDone;
use parlour::model::ToolCall;
use parlour::model::inbox::InboxMessage;
use parlour::model::queue::{QueueAsk, QueueChange};
use parlour::model::request::{ChatRequest, Request};
use parlour::model::tool::InboxCall;

use crate::support::events::{refusals, works};
use crate::support::world::{ME, World, id, noon};

fn message(name: &str) -> InboxMessage {
    InboxMessage {
        id: name.into(),
        from: "auth".into(),
        sender: Some(id("auth")),
        unverified: false,
        bare: false,
        notice: false,
        message: name.into(),
        read: false,
        ts: noon(),
        written: None,
    }
}

#[test]
fn a_message_that_waits_for_a_stopped_agent_is_in_its_queue() {
    let mut world = World::at_rest();
    world.attach(ME, 120, 40);
    world.chat("boss", "boss", 1).ended("stopped");
    world.edits("auth", |chat| chat.record.parent = Some(id("boss")));
    let report = |world: &mut World, text: &str| {
        let effects = world.tool("auth", ToolCall::Inbox(InboxCall::ReportToParent(text.into())));
        world.posted(&effects);
    };
    report(&mut world, "done");
    let waits = |world: &World| {
        let waits = queue::list(&world.state.domain, &id("boss")).into_iter();
        waits
            .map(|waits| (waits.text, waits.why, waits.fixed.is_some()))
            .collect::<Vec<_>>()
    };
    let sent = (
        "Message from auth (your child): done".to_string(),
        "sent when the agent runs again".to_string(),
        true,
    );
    assert_eq!(waits(&world), [sent]);
    let explained = explain::json(&world.state.domain, &id("boss"));
    assert_eq!(explained["prompts"]["waiting"], 1, "{explained}");
    assert!(world.picture().contains("1 prompt queued"), "{}", world.picture());

    let prompt = queue::list(&world.state.domain, &id("boss"))[0].id.clone();
    let ask = QueueAsk::Change {
        prompt,
        change: QueueChange::Remove,
    };
    let effects = world.ask(Request::Chat(ChatRequest::Queue {
        chat: "boss".into(),
        ask,
    }));
    assert!(
        refusals(&effects)[0].contains("it is a message of another chat"),
        "{effects:?}"
    );

    // Another engine reads it from the inbox.
    let again = |world: &mut World, messages| {
        let mut chat = world.on_disk("boss");
        chat.inbox += 1;
        let effects = world.happens(Event::Disk(DiskEvent::Chat(Box::new(chat))));
        let work = works(&effects).pop().unwrap().0;
        let (chat, broken) = (id("boss"), None);
        world.done(work, Outcome::Journal(JournalDone::Unread { chat, messages, broken }));
    };
    again(&mut world, vec![message("one"), message("two")]);
    assert_eq!(waits(&world).len(), 2);
    again(&mut world, Vec::new());
    assert_eq!(waits(&world), []);
}
