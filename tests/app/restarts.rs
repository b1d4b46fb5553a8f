//! An agent started again: in one go, with what waits for it, and not where somebody thought better of it.

use std::collections::BTreeMap;

use parlour::domain::agent::queue;
use parlour::domain::event::{DiskEvent, Observed, Outcome};
use parlour::domain::work::{AgentWork, ChatDone, ChatWork, ReviewDone, ReviewWork, TrashWork};
use parlour::domain::{Effect, Event, PaneOrder, Work};
use parlour::model::chat::{ENGINE_STOPPED, Pending};
use parlour::model::entry::From;
use parlour::model::query::QueryRequest;
use parlour::model::request::{ChatRequest, ChatsRequest, Request, Until};
use parlour::model::review::{Point, RevertOf, Reverted, ReviewAsk};
use parlour::model::{Chat, ChatId, PaneEvent, Problem, Status};
use parlour::screen::view::{Focus, Mode};

use crate::support::events::{SHELL, claude, jobs, orders, refusals, replies, session, submitted, told, typed, works};
use crate::support::review;
use crate::support::world::{ME, World, id, noon};

const ENDED: PaneEvent = PaneEvent::Exited {
    code: Some(143),
    signal: None,
};

fn restart(world: &mut World) -> Vec<Effect> {
    world.ask(Request::Chat(ChatRequest::Restart {
        chat: "auth".into(),
        env: BTreeMap::from([("LANG".to_string(), "C".to_string())]),
    }))
}

#[test]
fn a_restart_stops_the_agent_and_starts_it_at_its_end() {
    let mut world = World::at_rest();
    let effects = restart(&mut world);
    assert_eq!(orders(&effects), [PaneOrder::Stop { grace_ms: 4_000 }]);
    assert_eq!(replies(&effects), []);

    let effects = world.said("auth", ENDED);
    assert_eq!(told(&effects), ["its agent was restarted"]);
    assert_eq!(world.status(), "starting");
    let (work, job) = works(&effects)
        .into_iter()
        .find(|(_, job)| matches!(job, Work::Agent(AgentWork::Start { .. })))
        .unwrap();
    assert!(matches!(job, Work::Agent(AgentWork::Start { env, .. }) if env["LANG"] == "C"));
    let effects = world.prepared(work, "auth", claude());
    assert_eq!(replies(&effects)[0].0, SHELL);
    assert_eq!(told(&effects), ["is starting"], "the next engine can tell that it ran");
}

#[test]
fn who_waits_for_its_end_waits_on_through_a_restart() {
    let mut world = World::at_rest();
    restart(&mut world);
    let (chat, until) = ("auth".to_string(), Until::Exited);
    world.ask(Request::Chat(ChatRequest::Wait { chat, until }));
    assert_eq!(replies(&world.said("auth", ENDED)), []);
}

#[test]
fn a_prompt_that_waits_is_typed_after_the_restart() {
    let mut world = World::at_rest();
    restart(&mut world);
    assert_eq!(typed(&world.send("look again")), Vec::<String>::new());
    let effects = world.said("auth", ENDED);
    assert_eq!(replies(&effects), [], "the sender still waits");
    let (work, _) = works(&effects)
        .into_iter()
        .find(|(_, job)| matches!(job, Work::Agent(AgentWork::Start { .. })))
        .unwrap();
    world.prepared(work, "auth", claude());
    world.said("auth", PaneEvent::Started { pid: 2 });
    world.is_read_up("auth");
    world.happens(Event::Observed(id("auth"), Observed::McpConnected));
    assert_eq!(typed(&world.hook(session("resume"))), ["look again"]);
}

#[test]
fn a_stop_or_a_deletion_after_it_takes_a_restart_back() {
    let mut world = World::at_rest();
    restart(&mut world);
    world.stop("auth");
    let effects = world.said("auth", ENDED);
    assert_eq!((replies(&effects).len(), world.status()), (2, "exited: stopped".into()));

    let mut world = World::at_rest();
    let (work, _) = works(&world.rm("auth")).remove(0);
    world.done(work, parlour::domain::event::Outcome::Chat(ChatDone::ReadyToTrash));
    restart(&mut world);
    assert!(matches!(
        jobs(&world.said("auth", ENDED)).as_slice(),
        [.., Work::Chat(ChatWork::Trash(_))]
    ));
}

#[test]
fn an_agent_whose_clones_are_restored_first_starts_again_behind_that() {
    let mut world = World::at_rest();
    let ask = ReviewAsk::UndoRevert {
        yes: true,
        env: BTreeMap::new(),
    };
    let chat = "auth".to_string();
    let asked = world.ask(Request::Review { chat, ask });
    assert_eq!(orders(&asked), [], "it may be refused");
    let ends = world.done(works(&asked)[0].0, Outcome::Review(ReviewDone::Checked));
    assert_eq!(orders(&ends), [PaneOrder::Stop { grace_ms: 4_000 }]);
    restart(&mut world);
    let effects = world.said("auth", ENDED);
    let starts = |effects: &[Effect]| {
        let starts = |job: &Work| matches!(job, Work::Agent(AgentWork::Start { .. }));
        jobs(effects).iter().any(starts)
    };
    assert!(!starts(&effects), "it would write into what is being restored");
    let is_it = |(_, job): &(_, Work)| matches!(job, Work::Review(_));
    let (work, _) = works(&effects).into_iter().find(is_it).unwrap();
    let refused = Problem::missing("undoing a revert", "there was none", "revert first");
    assert!(starts(&world.done(work, Outcome::Failed(refused))), "however it went");
}

/// Goes back to before the first turn, which comes to this, and leaves the chat so on disk.
fn goes_back(world: &mut World, reverted: Reverted, on_disk: impl FnOnce(&mut Chat)) -> Vec<Effect> {
    let ask = ReviewAsk::Revert {
        to: Point::Turn(1),
        project: None,
        of: RevertOf::Both,
        yes: true,
        env: BTreeMap::new(),
    };
    let chat = "auth".to_string();
    let asked = world.ask(Request::Review { chat, ask });
    world.done(works(&asked)[0].0, Outcome::Review(ReviewDone::Checked));
    let effects = world.said("auth", ENDED);
    let is_it = |(_, job): &(_, Work)| matches!(job, Work::Review(_));
    let (work, _) = works(&effects).into_iter().find(is_it).unwrap();
    let mut loaded = world.on_disk("auth");
    on_disk(&mut loaded);
    let done = ReviewDone::Reverted(reverted, Box::new(loaded));
    world.done(work, Outcome::Review(done))
}

fn drafts(effects: &[Effect]) -> Vec<String> {
    let draft = |job: &Work| match job {
        Work::Chat(ChatWork::Draft { text, .. }) => Some(text.clone()),
        _ => None,
    };
    jobs(effects).iter().filter_map(draft).collect()
}

#[test]
fn the_prompt_that_is_taken_back_is_a_draft_where_nothing_is_written() {
    let taken_back = |draft: &str, shown: &[&str]| {
        let mut world = World::at_rest();
        world.hook(submitted("by hand"));
        let mut reverted = review::plan();
        let talk = reverted.talk.as_mut().unwrap();
        talk.prompt = Some("add a docstring".into());
        talk.shown = shown.iter().map(|text| (*text).to_owned()).collect();
        let effects = goes_back(&mut world, reverted, |chat| chat.record.set.draft = draft.into());
        // A screen may be writing down what was typed just now.
        let yields = |job: &Work| match job {
            Work::Chat(ChatWork::Draft { instead_of, .. }) => instead_of.as_deref() == Some(draft),
            _ => true,
        };
        assert!(jobs(&effects).iter().all(yields));
        drafts(&effects)
    };
    assert_eq!(taken_back("", &[]), ["add a docstring"]);
    assert_eq!(taken_back("something else", &[]), [""; 0], "a person wrote it");
    // Undone, it is what was said again.
    assert_eq!(taken_back("add a docstring", &["add a docstring"]), [""]);
    assert_eq!(taken_back("add a test", &["add a docstring"]), [""; 0]);
}

#[test]
fn that_a_turn_was_interrupted_is_not_said_when_it_is_taken_back() {
    for stays_cut in [false, true] {
        let mut world = World::at_rest();
        world.hook(submitted("by hand"));
        // The revert ends its agent in the middle of that turn.
        goes_back(&mut world, review::plan(), |chat| chat.interrupted = stays_cut);
        assert_eq!(world.state.domain.live.agents[&id("auth")].interrupted, stays_cut);
    }
}

/// It was written for what comes after the turn that is taken back.
#[test]
fn a_prompt_that_waits_is_a_draft_again_where_the_conversation_is_taken_back() {
    for talk in [true, false] {
        let mut world = World::at_rest();
        world.hook(submitted("by hand"));
        world.follow_up("then delete all");
        let mut reverted = review::plan();
        reverted.talk.take_if(|_| !talk);
        let drafts = drafts(&goes_back(&mut world, reverted, |_| {}));
        let waits = queue::list(&world.state.domain, &id("auth")).len();
        match talk {
            true => assert_eq!((drafts, waits), (vec!["then delete all".to_string()], 0)),
            false => assert_eq!((drafts, waits), (Vec::new(), 1)),
        }
    }
}

#[test]
fn an_agent_works_on_where_its_clones_cannot_be_restored() {
    let mut world = World::at_rest();
    let ask = ReviewAsk::UndoRevert {
        yes: true,
        env: BTreeMap::new(),
    };
    let chat = "auth".to_string();
    let asked = world.ask(Request::Review { chat, ask });
    let refused = Problem::missing("undoing a revert", "there was none", "revert first");
    let effects = world.done(works(&asked)[0].0, Outcome::Failed(refused));
    assert_eq!(orders(&effects), []);
    assert_eq!(refusals(&effects), ["there was none"]);
    assert_eq!(world.status(), "idle");
}

#[test]
fn a_second_revert_is_refused_while_the_first_restores_the_clones() {
    let mut world = World::unwatched(&["auth"]);
    let undo = || Request::Review {
        chat: "auth".into(),
        ask: ReviewAsk::UndoRevert {
            yes: true,
            env: BTreeMap::new(),
        },
    };
    assert_eq!(works(&world.ask(undo())).len(), 1);
    assert_eq!(refusals(&world.ask(undo())), ["its clones are being restored already"]);
}

#[test]
fn what_does_not_run_is_simply_started() {
    let mut world = World::unwatched(&["auth"]);
    assert!(matches!(
        jobs(&restart(&mut world)).as_slice(),
        [Work::Agent(AgentWork::Start { .. })]
    ));
}

#[test]
fn the_key_asks_where_an_agent_runs() {
    let mut world = World::at_rest();
    world.attach(ME, 120, 40);
    world.state.views.get_mut(&ME).unwrap().chat = Some(id("auth"));
    assert_eq!(orders(&world.press("S")), []);
    assert!(world.picture().contains("It goes on with the same conversation"));
    world.calm();
    assert_eq!(orders(&world.press("y")), [PaneOrder::Stop { grace_ms: 4_000 }]);

    let mut world = World::at_rest();
    world.attach(ME, 120, 40);
    world.state.views.get_mut(&ME).unwrap().chat = Some(id("auth"));
    world.hook(parlour::model::HookEvent::Prompt {
        id: "p".into(),
        text: "work".into(),
    });
    assert_eq!(orders(&world.press("S")), []);
    assert!(world.picture().contains("Restart the agent?"));
}

#[test]
fn an_agent_whose_servers_port_was_taken_is_started_again_a_few_times() {
    let mut world = World::at_rest();
    restart(&mut world);
    let stranger = || Event::Observed(id("auth"), Observed::Stranger);
    let mut effects = world.said("auth", ENDED);
    for _ in 0..3 {
        let started = works(&effects)
            .into_iter()
            .find(|(_, job)| matches!(job, Work::Agent(AgentWork::Start { .. })));
        let (work, job) = started.unwrap();
        assert!(matches!(job, Work::Agent(AgentWork::Start { env, .. }) if env["LANG"] == "C"));
        world.prepared(work, "auth", claude());
        world.said("auth", PaneEvent::Started { pid: 2 });
        assert_eq!(
            orders(&world.happens(stranger())),
            [PaneOrder::Stop { grace_ms: 4_000 }]
        );
        assert_eq!(orders(&world.happens(stranger())), [], "it is being stopped");
        effects = world.said("auth", ENDED);
    }
    let started = works(&effects)
        .into_iter()
        .find(|(_, job)| matches!(job, Work::Agent(AgentWork::Start { .. })));
    world.prepared(started.unwrap().0, "auth", claude());
    world.said("auth", PaneEvent::Started { pid: 2 });
    let effects = world.happens(stranger());
    assert_eq!(orders(&effects), []);
    assert_eq!(told(&effects), ["error in agent"]);
}

#[test]
fn an_agent_whose_session_began_is_left_alone_by_strangers() {
    let mut world = World::at_rest();
    assert_eq!(world.happens(Event::Observed(id("auth"), Observed::Stranger)), []);
}

#[test]
fn a_chat_that_lacks_what_it_was_made_for_goes_when_its_engine_was_killed() {
    let begins = |opened: bool, started: bool| {
        let mut world = World::at_rest();
        let made = world.chat("half", "Half", 1);
        if opened {
            made.project("grove", "main");
        }
        world.edits("half", |chat| {
            chat.record.to_open = 1;
            chat.record.port = started.then_some(20_000);
        });
        let began = jobs(&world.happens(Event::Disk(DiskEvent::Began(Default::default()))));
        let is_upkeep = |job: &Work| {
            matches!(
                job,
                Work::Trash(TrashWork::LetGo) | Work::Review(ReviewWork::Thin(_)) | Work::Usage(_)
            )
        };
        began.into_iter().filter(|job| !is_upkeep(job)).collect::<Vec<_>>()
    };
    assert_eq!(begins(false, false), [Work::Chat(ChatWork::Discard(id("half")))]);
    assert_eq!(begins(true, false), []);
    assert_eq!(begins(false, true), []);
}

fn stopped_by_the_engine_s_end() -> World {
    let mut world = World::unwatched(&["auth", "redis", "cache"]);
    for (short, why) in [
        ("auth", ENGINE_STOPPED),
        ("redis", "stopped"),
        ("cache", ENGINE_STOPPED),
    ] {
        world.edits(short, |chat| chat.ended = Some(Status::Exited(why.into())));
    }
    world
}

fn started(effects: &[Effect]) -> Vec<ChatId> {
    let mut started: Vec<ChatId> = jobs(effects)
        .into_iter()
        .filter_map(|job| match job {
            Work::Agent(AgentWork::Start { chat, .. }) => Some(chat),
            _ => None,
        })
        .collect();
    started.sort();
    started
}

#[test]
fn one_verb_resumes_all_that_ran_when_the_engine_ended() {
    let mut world = stopped_by_the_engine_s_end();
    let all = |world: &mut World| world.ask(Request::Chats(ChatsRequest::ResumeAll { env: BTreeMap::new() }));
    let effects = all(&mut world);
    assert_eq!(started(&effects), [id("auth"), id("cache")]);
    let answer = replies(&effects).remove(0).1.unwrap();
    assert_eq!(
        (answer["chats"].as_array().unwrap().len(), &answer["left"]),
        (2, &0.into())
    );
    assert_eq!(started(&all(&mut world)), []);
}

#[test]
fn who_was_asked_from_a_shell_and_has_answered_is_resumed_only_if_somebody_looked_there() {
    let resumed = |on_disk: fn(&mut Chat), is_looked_at: bool| {
        let mut world = stopped_by_the_engine_s_end();
        world.edits("cache", |chat| {
            chat.record.set.unnumbered = true;
            on_disk(chat);
        });
        if !is_looked_at {
            let (chat, after, prompt) = ("cache".parse().unwrap(), 0, String::new());
            world.ask(Request::Query(QueryRequest::Turn { chat, after, prompt }));
        }
        let effects = world.ask(Request::Chats(ChatsRequest::ResumeAll { env: BTreeMap::new() }));
        started(&effects).contains(&id("cache"))
    };
    assert!(!resumed(|_| (), false));
    assert!(resumed(|_| (), true));
    assert!(resumed(|chat| chat.interrupted = true, false), "its turn went on");
    let waiting = |chat: &mut Chat| {
        let prompt = Pending::new("and the tests?".into(), From::Person, noon());
        chat.record.prompts.push(prompt);
    };
    assert!(resumed(waiting, false), "a question waits for it");
    let by_hand = |chat: &mut Chat| chat.record.set.unnumbered = false;
    assert!(resumed(by_hand, false), "it is a person's own chat");
}

#[test]
fn of_more_than_may_run_the_rest_is_left_and_that_is_said() {
    let mut world = stopped_by_the_engine_s_end();
    world.state.domain.disk.settings.limits.live_agents = 1;
    let effects = world.ask(Request::Chats(ChatsRequest::ResumeAll { env: BTreeMap::new() }));
    assert_eq!(started(&effects).len(), 1);
    let answer = replies(&effects).remove(0).1.unwrap();
    assert_eq!(answer["left"], 1);
    assert!(
        answer["why"].as_str().unwrap().contains("limits.liveAgents"),
        "{answer}"
    );
}

#[test]
fn one_key_resumes_all_that_ran_when_the_engine_ended() {
    let mut world = stopped_by_the_engine_s_end();
    world.attach(ME, 120, 40);
    let foot = |world: &World| world.picture().lines().nth(39).unwrap_or_default().to_owned();
    let offer = "2 chats ran when the engine ended: C resumes all";
    assert!(foot(&world).contains(offer), "{}", foot(&world));
    // Where keys go to the agent it is behind the leader.
    (world.view().mode, world.view().focus) = (Mode::Agent, Focus::Pane);
    let inside = "2 chats ran when the engine ended: Ctrl+Q C resumes all";
    assert!(foot(&world).contains(inside), "{}", foot(&world));
    assert!(
        foot(&world).contains("Ctrl+Q menu"),
        "other keys are told too: {}",
        foot(&world)
    );
    let effects = world.press("ctrl+q C");
    assert_eq!(started(&effects), [id("auth"), id("cache")]);
    assert!(world.picture().contains("Resumed 2 chats."));
    assert!(!foot(&world).contains("resumes all"), "{}", foot(&world));
}

#[test]
fn a_session_that_begins_again_is_no_activity_and_a_prompt_is() {
    let mut world = World::at_rest();
    let last = |world: &World| world.state.domain.disk.chats[&id("auth")].updated;
    let before = last(&world);
    world.after(3_600_000);
    world.hooked(session("resume"));
    assert_eq!(last(&world), before);
    world.hooked(submitted("fix it"));
    assert!(last(&world) > before);
}

#[test]
fn the_chat_that_one_opens_is_not_among_those_that_a_key_resumes() {
    let mut world = stopped_by_the_engine_s_end();
    world.attach_to(ME, "auth");
    assert!(!world.picture().contains("resumes all"));
}

/// What its person is told when it was gone back.
#[test]
fn what_went_back_is_told_by_what_it_was() {
    for (talk, files, told) in [
        (
            true,
            0,
            "Went back in the conversation; no file changed. u in Changes undoes it.",
        ),
        (false, 0, "Went back: 0 files changed. u in Changes undoes it."),
        (true, 1, "Went back: 1 file changed. u in Changes undoes it."),
    ] {
        let mut world = review::reviewed(120, 40);
        let effects = world.press("R");
        review::answer(&mut world, effects);
        world.later(1_000);
        let (work, _) = works(&world.press("y")).remove(0);
        world.done(work, Outcome::Review(ReviewDone::Checked));
        let effects = world.said("auth", ENDED);
        let is_it = |(_, job): &(_, Work)| matches!(job, Work::Review(_));
        let (work, _) = works(&effects).into_iter().find(is_it).unwrap();
        let mut reverted = review::plan();
        reverted.talk.take_if(|_| !talk);
        reverted.projects.truncate(files);
        for project in &mut reverted.projects {
            project.changes.truncate(1);
        }
        let loaded = world.on_disk("auth");
        world.done(work, Outcome::Review(ReviewDone::Reverted(reverted, Box::new(loaded))));
        let toasts: Vec<&str> = world
            .view()
            .over
            .toasts
            .iter()
            .map(|toast| toast.text.as_str())
            .collect();
        assert!(toasts.contains(&told), "{toasts:?}");
    }
}
