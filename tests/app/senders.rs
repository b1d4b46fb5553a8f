//! Who a prompt came from: a person, or the agent of another chat.

use parlour::domain::Work;
use parlour::domain::work::AgentWork;
use parlour::model::chat::Pending;
use parlour::model::entry::From;
use parlour::model::request::{By, Request};

use serde_json::json;

use crate::support::events::{claude, jobs, refusals, replies, submitted, told};
use crate::support::world::{World, id};

/// A tree of three, beside a chat of its own; only `auth` runs.
fn forest() -> World {
    let mut world = World::unwatched(&["boss"]);
    world.chat("auth", "auth", 1).below("boss");
    world.chat("redis", "redis", 1).below("boss");
    world.chat("other", "other", 1);
    world.run("auth", claude());
    world
}

/// What waits for the agent of `chat` when that of `sender` has sent it a prompt.
fn kept(world: &mut World, sender: &str, chat: &str) -> Vec<Pending> {
    let effects = world.agent_sends(sender, chat);
    world.posted(&effects);
    let outbox = &world.state.domain.live.agents[&id(chat)].outbox;
    let typing = outbox.typing.iter().map(|typing| &typing.queued_prompt);
    typing
        .chain(&outbox.queue)
        .map(|queued_prompt| queued_prompt.prompt.clone())
        .collect()
}

#[test]
fn a_prompt_of_an_agent_says_from_which_chat_it_came() {
    let cases = [
        ("boss", "auth", From::Parent),
        ("redis", "auth", From::Inbox),
        ("auth", "boss", From::Inbox),
        ("auth", "auth", From::Inbox),
    ];
    for (sender, chat, from) in cases {
        let kept = kept(&mut forest(), sender, chat);
        assert_eq!(
            (kept[0].from, kept[0].sender.clone()),
            (from, Some(id(sender))),
            "{sender} to {chat}"
        );
    }
}

#[test]
fn an_agent_writes_to_no_chat_of_another_tree() {
    for (sender, chat) in [("other", "auth"), ("auth", "other"), ("gone", "auth")] {
        let mut world = forest();
        let effects = world.agent_sends(sender, chat);
        assert_eq!(jobs(&effects), [], "{sender} to {chat}");
        assert!(
            refusals(&effects)[0].ends_with("and that is another tree"),
            "{effects:?}"
        );
    }
}

/// What the agent of `auth` is told that cannot be, of these verbs on `chat`.
fn refused(verbs: &[&str], chat: &str) -> Vec<String> {
    let asked = |verb: &&str| {
        let noun = match *verb {
            "servers" => "server",
            "rm" => "trash",
            "open-dir" => "project",
            _ => "chat",
        };
        let asked = json!({"noun": noun, "verb": verb, "chat": chat});
        let mut body = json!({"name": "new", "path_or_url": "/srv/books", "for": "exited"});
        body.as_object_mut().unwrap().extend(asked.as_object().unwrap().clone());
        let by = By::Chat(id("auth"));
        refusals(&forest().asked_by(by, Request::parse(body).unwrap()))
    };
    verbs.iter().flat_map(asked).collect()
}

#[test]
fn an_agents_shell_verbs_reach_its_parent_to_read_and_no_chat_of_another_tree() {
    let reading = ["screen", "events", "explain", "log", "servers", "wait", "rm"];
    let changing = ["open-dir", "rename", "resume"];
    for of_another_tree in ["other", "otheraaaaa", "@main", "nowhere"] {
        let told = format!("there is no {of_another_tree} among your parent and the chats below yours");
        assert_eq!(refused(&reading, of_another_tree), vec![told; reading.len()]);
        let told = format!("there is no {of_another_tree} among the chats below yours");
        assert_eq!(refused(&changing, of_another_tree), vec![told; changing.len()]);
    }
    assert_eq!(refused(&reading, "redis").len(), reading.len());
    assert_eq!(refused(&changing, "boss").len(), changing.len());
    assert_eq!(refused(&reading, "boss"), [""; 0]);
    assert_eq!(refused(&["screen", "open-dir", "rename"], "auth"), [""; 0]);
}

#[test]
fn an_agent_wakes_none_that_a_person_stopped() {
    let mut world = forest();
    world.chat("redis", "redis", 1).below("boss").ended("stopped");
    let effects = world.agent_sends("auth", "redis");
    let effects = world.posted(&effects);
    assert!(
        !jobs(&effects)
            .iter()
            .any(|job| matches!(job, Work::Agent(AgentWork::Start { .. })))
    );
    let (_, answer) = replies(&effects).pop().unwrap();
    assert_eq!(
        answer.unwrap()["why"],
        "its agent was stopped: it gets the message when a person resumes it"
    );
}

#[test]
fn an_agent_types_into_no_shell() {
    let mut world = forest();
    world.edits("redis", |chat| chat.record.llm = "shell".into());
    let effects = world.agent_sends("auth", "redis");
    assert_eq!(
        refusals(&effects),
        ["an agent sends it, and a shell takes its commands from a person"]
    );
}

#[test]
fn an_agent_that_another_one_wakes_does_not_get_that_ones_environment() {
    let mut world = forest();
    let person = [("PATH".to_string(), "/usr/bin".to_string())];
    world.state.domain.live.agents.get_mut(&id("auth")).unwrap().env = person.clone().into();
    let effects = world.agent_sends("auth", "redis");
    let effects = world.posted(&effects);
    let env = jobs(&effects).into_iter().find_map(|job| match job {
        Work::Agent(AgentWork::Start { env, .. }) => Some(env),
        _ => None,
    });
    assert_eq!(env, Some(person.into()));
}

#[test]
fn the_sender_stands_in_the_transcript_too() {
    let mut world = World::at_rest();
    let effects = world.agent_sends("auth", "auth");
    world.posted(&effects);
    world.after(500);
    let effects = world.hook(submitted("look at this"));
    assert_eq!(told(&effects)[0], "Inbox of authaaaaaa said look at this");
}
