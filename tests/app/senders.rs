//! Who a prompt came from: a person, or the agent of another chat.

use std::collections::BTreeSet;

use parlour::domain::Work;
use parlour::domain::team::reach;
use parlour::domain::work::AgentWork;
use parlour::model::chat::Pending;
use parlour::model::entry::From;
use parlour::model::request::{By, ChatsRequest, NewChat, Request};

use serde_json::{Value, json};

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
        let told = format!(
            "there is no {of_another_tree} among your parent, the chats below yours and the runs of your schedules"
        );
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
fn an_agent_makes_no_shell_and_resumes_none() {
    let mut world = forest();
    let caller = || By::Chat(id("boss"));
    let new = NewChat {
        llm: Some("shell".into()),
        sender: Some(id("boss")),
        ..NewChat::default()
    };
    let makes = world.asked_by(caller(), Request::Chats(ChatsRequest::New(new)));
    world.edits("redis", |chat| chat.record.llm = "shell".into());
    let asked = json!({"noun": "chat", "verb": "resume", "chat": "redis"});
    let resumes = world.asked_by(caller(), Request::parse(asked).unwrap());
    let told = "an agent asks for it, and a shell takes its commands from a person";
    for effects in [makes, resumes] {
        assert_eq!(
            (refusals(&effects), jobs(&effects)),
            (vec![told.to_string()], Vec::new())
        );
    }
}

/// A request of each verb that there is, as the errors of the parser name them, and of what is asked without one.
fn each_request(env: &Value) -> Vec<Request> {
    let whole = |noun: &str, verb: &str| {
        let body = json!({
            "noun": noun, "verb": verb, "env": env, "ask": {"do": "list"}, "chat": "auth", "text": "go on", "for": "idle",
            "name": "new", "path_or_url": "/srv/books", "dir": "/srv", "changes": [], "mark": "pinned", "on": true,
            "to": "off", "request": "1", "from": {"checkout": "/srv"}, "files": [], "project": "books", "token": "",
            "payload": {}, "agent": "", "event": "",
        });
        serde_json::from_value::<Request>(body).map_err(|error| format!("{noun} {verb}: {error}"))
    };
    let named = |told: Result<Request, String>| -> Vec<String> {
        let told = told.err().filter(|told| told.contains("unknown variant `?`"));
        let words = told.iter().flat_map(|told| told.split('`').skip(3).step_by(2));
        words.map(str::to_string).collect()
    };
    let review = |ask: Value| json!({"noun": "review", "chat": "auth", "ask": ask});
    let without_verb = [
        json!({"noun": "schedule", "do": "list", "env": env}),
        json!({"noun": "schedule", "do": "show", "schedule": "nightly", "env": env}),
        review(json!({"do": "checkpoints"})),
        review(json!({"do": "attempts"})),
        review(json!({"do": "diff", "set": "base"})),
        review(json!({"do": "revert", "to": {"turn": 1}, "env": env})),
        review(json!({"do": "undo-revert", "env": env})),
        json!({"noun": "keep", "chat": "auth", "ask": {"do": "pull-status"}}),
        json!({"noun": "work", "chat": "auth", "ask": {"list": {}}}),
        json!({"noun": "usage"}),
        json!({"noun": "radar"}),
        json!({"noun": "attach"}),
    ];
    let nouns = named(whole("?", ""));
    let verbs = |noun: &String| -> Vec<Request> {
        let verbs = named(whole(noun, "?"));
        verbs.iter().map(|verb| whole(noun, verb).unwrap()).collect()
    };
    let mut all: Vec<Request> = nouns.iter().flat_map(verbs).collect();
    let has_verbs = |noun: &&String| !named(whole(noun, "?")).is_empty();
    let without: BTreeSet<&str> = nouns
        .iter()
        .filter(|noun| !has_verbs(noun))
        .map(String::as_str)
        .collect();
    let listed: BTreeSet<&str> = without_verb.iter().filter_map(|body| body["noun"].as_str()).collect();
    assert_eq!(without, listed);
    all.extend(
        without_verb
            .into_iter()
            .map(|body| serde_json::from_value(body).unwrap()),
    );
    all
}

#[test]
fn no_request_of_an_agent_brings_an_environment_of_its_own() {
    let requests = each_request(&json!({"TMPDIR": "its own"}));
    let says = |request: &Request| serde_json::to_string(request).unwrap().contains("its own");
    let mut brought = 0;
    for request in requests.into_iter().filter(|request| !request.is_control()) {
        brought += usize::from(says(&request));
        let name = serde_json::to_string(&request).unwrap();
        let admitted = reach::within(&forest().state.domain, &By::Chat(id("boss")), request);
        assert!(!admitted.is_ok_and(|request| says(&request)), "{name}");
    }
    // A new chat, a prompt, a resume, both ways back without a yes, the servers, and schedules.
    assert_eq!(brought, 8);
}

#[test]
fn an_agent_that_is_resumed_by_another_has_its_persons_environment() {
    let mut world = forest();
    let person = [("PATH".to_string(), "/usr/bin".to_string())];
    let resume = |chat: &str, env: Value| {
        let asked = json!({"noun": "chat", "verb": "resume", "chat": chat, "env": env});
        Request::parse(asked).unwrap()
    };
    world.ask(resume("boss", json!({"PATH": "/usr/bin"})));
    let effects = world.asked_by(By::Chat(id("boss")), resume("redis", json!({"TMPDIR": "/home"})));
    let env = jobs(&effects).into_iter().find_map(|job| match job {
        Work::Agent(AgentWork::Start { env, .. }) => Some(env),
        _ => None,
    });
    assert_eq!(env, Some(person.into()));
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
