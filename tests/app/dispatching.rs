//! Chats that agents make: one step after the other, within limits, and shared by who asks twice.

use parlour::domain::event::{Event, Outcome};
use parlour::domain::team::dispatch;
use parlour::domain::work::{AgentDone, AgentWork, ChatDone, ChatWork, Choice, ProjectDone, ProjectWork, StartedAgent};
use parlour::domain::{Effect, Work, project};
use parlour::model::tool::{Dispatch, TeamCall};
use parlour::model::{CallId, Chat, ChatId, PaneEvent, Problem, Status, ToolCall};
use serde_json::json;

use crate::support::events::{TOOL, claude, jobs, problem, refusals, replies, turn_ended, works};
use crate::support::world::{ME, World, id};

/// `auth` at rest, with a clone of grove.
fn world() -> World {
    let mut world = World::at_rest();
    world.chat("auth", "auth", 30).project("grove", "main");
    world
}

fn asked() -> Dispatch {
    Dispatch {
        prompt: "try redis".into(),
        branch: Some("try-redis".into()),
        ..Dispatch::default()
    }
}

fn ask(world: &mut World, asked: Dispatch) -> Vec<Effect> {
    world.tool("auth", ToolCall::Team(TeamCall::Dispatch(asked)))
}

/// The chat that is to be made, as it is on disk once it was.
fn born(world: &World, effects: &[Effect]) -> Chat {
    let Some(Work::Chat(ChatWork::Create(record))) = jobs(effects).into_iter().next() else {
        panic!("{effects:?}");
    };
    let mut chat = world.on_disk("auth");
    chat.projects.clear();
    chat.record.id = record.id;
    chat.record.handle = record.handle;
    chat.record.parent = record.parent;
    chat.record.created = world.state.domain.now;
    chat
}

/// The limit that a refusal names.
fn limit(effects: &[Effect]) -> String {
    let refused: Vec<Problem> = replies(effects).into_iter().filter_map(|(_, how)| how.err()).collect();
    assert_eq!(jobs(effects), [], "nothing is made");
    let limit = refused[0].limit.clone().unwrap();
    assert!(
        refused[0]
            .to_string()
            .contains(&format!("limits.{} is {}", limit.name, limit.value))
    );
    limit.name
}

fn made(world: &mut World, effects: &[Effect]) -> Vec<Effect> {
    let chat = Box::new(born(world, effects));
    world.done(works(effects)[0].0, Outcome::Chat(ChatDone::Loaded(chat)))
}

#[test]
fn a_chat_is_made_with_its_clone_and_then_its_agent_starts() {
    let mut world = world();
    let effects = ask(&mut world, asked());
    let child = born(&world, &effects);
    let Some(Work::Chat(ChatWork::Create(record))) = jobs(&effects).pop() else {
        panic!()
    };
    assert_eq!(
        (record.parent, record.prompt),
        (Some(id("auth")), Some("try redis".into()))
    );
    assert_eq!(record.llm, Choice::Usual("claude".into()), "its caller's own");

    let effects = made(&mut world, &effects);
    let Some(Work::Project(ProjectWork::OpenFrom { from, open, .. })) = jobs(&effects).pop() else {
        panic!("{effects:?}")
    };
    assert_eq!(
        (from, open.path_or_url, open.branch),
        (id("auth"), "grove".into(), Some("try-redis".into()))
    );

    let opened = parlour::model::tool::OpenDirAnswer {
        name: "grove".into(),
        path: "/x".into(),
        branch: Some("try-redis".into()),
        created: true,
        notes: vec!["stayed behind in your grove: 1 uncommitted change".into()],
    };
    let effects = world.done(
        works(&effects).last().unwrap().0,
        Outcome::Project(ProjectDone::Opened(Box::new(child.clone()), opened)),
    );
    let (work, _) = works(&effects)
        .into_iter()
        .find(|(_, job)| matches!(job, Work::Agent(AgentWork::Start { .. })))
        .unwrap();
    let effects = world.done(
        work,
        Outcome::Agent(AgentDone::Started(Box::new(StartedAgent {
            chat: child.clone(),
            capabilities: claude(),
            problems: Vec::new(),
            prompt: None,
            resumes: true,
            sandbox: parlour::model::Sandbox::NotAsked,
        }))),
    );
    let answer = replies(&effects).pop().unwrap().1.unwrap();
    assert_eq!(answer["chatId"], json!(child.id()));
    assert_eq!(
        answer["notes"],
        json!(["stayed behind in your grove: 1 uncommitted change"])
    );
}

#[test]
fn a_chat_whose_clone_fails_goes_to_the_trash() {
    let mut world = world();
    let effects = ask(&mut world, asked());
    let effects = made(&mut world, &effects);
    let effects = world.done(
        works(&effects).last().unwrap().0,
        Outcome::Failed(problem("no such branch")),
    );
    assert!(
        jobs(&effects)
            .iter()
            .any(|job| matches!(job, Work::Chat(ChatWork::Discard(_))))
    );
    assert_eq!(refusals(&effects), ["no such branch"]);
}

#[test]
fn each_limit_is_named_when_it_is_reached() {
    let child = |world: &mut World, number: usize, minutes: i64| {
        let short = format!("kid{}", char::from(b'b' + u8::try_from(number).unwrap()));
        world.chat(&short, &short, minutes).below("auth");
        short
    };
    let mut deep = world();
    deep.chat("boss", "boss", 30);
    deep.edits("auth", |chat| chat.record.parent = Some(id("boss")));
    deep.state.domain.disk.settings.limits.dispatch_depth = 1;
    assert_eq!(limit(&ask(&mut deep, asked())), "dispatchDepth");

    let mut many = world();
    for number in 0..8 {
        let short = child(&mut many, number, 30);
        many.run(&short, claude());
    }
    assert_eq!(limit(&ask(&mut many, asked())), "liveChildren");

    let mut live = world();
    live.state.domain.disk.settings.limits.live_agents = 1;
    assert_eq!(limit(&ask(&mut live, asked())), "liveAgents");

    let mut large = world();
    large.state.domain.disk.settings.limits.descendants = 3;
    (0..3).for_each(|number| drop(child(&mut large, number, 30)));
    assert_eq!(limit(&ask(&mut large, asked())), "descendants");

    let mut fast = world();
    for number in 0..6 {
        let mut asked = asked();
        asked.prompt = format!("try {number}");
        assert_eq!(jobs(&ask(&mut fast, asked)).len(), 1);
    }
    assert_eq!(limit(&ask(&mut fast, asked())), "spawnsPerMinute");
    fast.after(60_000);
    fast.state.domain.disk.settings.limits.live_children = 100;
    assert_eq!(
        jobs(&ask(&mut fast, asked())).len(),
        1,
        "a minute later there is room again"
    );
}

/// Nobody else can raise it, and an agent may ask again and again.
#[test]
fn a_person_is_told_once_of_a_limit_and_of_what_makes_room() {
    let mut world = world();
    world.attach(ME, 120, 40);
    world.chat("kidb", "kidb", 1);
    world.run("kidb", claude());
    world.hook(turn_ended(0));
    world.sets(|settings| settings.limits.live_agents = 2);
    let toasts = |world: &World| {
        let toasts = world.state.views[&ME].over.toasts.iter();
        toasts
            .filter(|toast| toast.text.contains("auth cannot dispatch"))
            .count()
    };
    let effects = ask(&mut world, asked());
    let refused = replies(&effects).remove(0).1.unwrap_err();
    assert!(refused.hint.contains("`parlour stop auth"), "{}", refused.hint);
    assert!(refused.hint.contains("limits.hibernateMinutes"), "{}", refused.hint);
    assert_eq!(toasts(&world), 1);
    assert_eq!(limit(&ask(&mut world, asked())), "liveAgents");
    assert_eq!(toasts(&world), 1);
    world.sets(|settings| settings.limits.live_agents = 20);
    assert_eq!(jobs(&ask(&mut world, asked())).len(), 1);
    assert!(
        world.state.domain.live.teams.refused.is_empty(),
        "the next time is news"
    );
}

#[test]
fn what_is_on_its_way_counts_too() {
    let mut world = world();
    world.state.domain.disk.settings.limits.live_children = 1;
    assert_eq!(jobs(&ask(&mut world, asked())).len(), 1);
    assert_eq!(limit(&ask(&mut world, asked())), "liveChildren");
}

#[test]
fn a_caller_that_was_told_to_call_again_shares_what_is_under_way() {
    let mut world = world();
    let effects = ask(&mut world, asked());
    dispatch::unheard(&mut world.state.domain, TOOL);
    let again = ask(&mut world, asked());
    assert_eq!(jobs(&again), [], "no second chat is made");
    // It gives up a second time, and fetches what came of it meanwhile.
    dispatch::unheard(&mut world.state.domain, TOOL);
    let failed = world.done(works(&effects)[0].0, Outcome::Failed(problem("disk full")));
    assert_eq!(refusals(&failed), ["disk full"]);
    assert_eq!(refusals(&ask(&mut world, asked())), ["disk full"]);
    assert_eq!(
        jobs(&ask(&mut world, asked())).len(),
        1,
        "from then on it is another one"
    );
}

#[test]
fn who_gives_up_a_shared_call_gives_up_the_work() {
    let mut world = world();
    let work = works(&ask(&mut world, asked()))[0].0;
    dispatch::unheard(&mut world.state.domain, TOOL);
    let again = CallId(77);
    world.happens(Event::Tool(
        again,
        id("auth"),
        ToolCall::Team(TeamCall::Dispatch(asked())),
    ));
    assert_eq!(project::abandoned(&world.state.domain, TOOL), []);
    assert_eq!(project::abandoned(&world.state.domain, again), [Effect::Cancel(work)]);
}

#[test]
fn a_shell_is_not_dispatched_and_a_branch_needs_a_project() {
    let mut world = world();
    let llm = Some("shell".to_string());
    let shell = ask(&mut world, Dispatch { llm, ..asked() });
    assert!(refusals(&shell)[0].contains("a shell takes its commands from a person"));
    world.chat("auth", "auth", 30);
    assert_eq!(
        refusals(&ask(&mut world, asked())),
        ["a branch was named, but no project"]
    );
}

#[test]
fn what_is_being_made_in_a_tree_that_is_stopped_is_made_no_further() {
    let mut world = world();
    let effects = ask(&mut world, asked());
    let child: ChatId = born(&world, &effects).record.id;
    world.stop_tree("auth");
    // The one who stops it is not told that it is still before that is so.
    let exited = PaneEvent::Exited {
        code: None,
        signal: Some(15),
    };
    assert_eq!(replies(&world.said("auth", exited)), []);
    let effects = made(&mut world, &effects);
    assert_eq!(jobs(&effects), [Work::Chat(ChatWork::Discard(child))]);
    assert_eq!(refusals(&effects), ["a person stopped this tree of chats"]);
    assert_eq!(replies(&effects).len(), 2);
}

#[test]
fn forks_fold_below_what_they_were_made_of_and_are_counted_there() {
    let mut world = World::new(120, 40);
    world.chat("first", "Original", 5);
    world
        .chat("fork", "Its fork", 3)
        .forked_from("first", 2)
        .ended("stopped");
    world.look();
    let count = |world: &mut World| world.view().sidebar.chats().count();
    assert!(world.picture().contains("▾ Original"), "{}", world.picture());
    world.press("g space");
    assert_eq!((count(&mut world), world.selected()), (1, "Original"));
    let folded = world.picture();
    assert!(folded.contains("▸ Original") && folded.contains("1 ended"), "{folded}");
    world.press("space");
    assert_eq!(count(&mut world), 2);
}

#[test]
fn a_folded_tree_opens_for_a_chat_that_is_gone_to() {
    let mut world = World::morning(120, 40);
    let count = |world: &World| world.state.views.values().next().unwrap().sidebar.chats().count();
    let all = count(&world);
    world.press("j space");
    assert_eq!(
        (count(&world), world.selected()),
        (all - 2, "Fix auth bug"),
        "on a child, its parent folds"
    );
    world.press("w");
    assert_eq!((count(&world), world.selected()), (all, "Try Redis"));
    world.press("k");
    let status = world.state.domain.status(&id("memcd"));
    assert_eq!(status, Status::Idle(None));
}

#[test]
fn a_folded_parent_has_the_sign_of_the_neediest_below_it() {
    let mut world = World::new(120, 40);
    world.chat("lead", "Lead", 5).rests(5);
    world.chat("one", "One", 3).below("lead").rests(3);
    let asks = Status::NeedsYou("Bash: make all".into());
    world.chat("two", "Two", 2).below("lead").runs(asks, "Allow?");
    world.look();
    let row = |world: &World| {
        let picture = world.picture();
        picture
            .lines()
            .find(|line| ["▾ Lead", "▸ Lead"].iter().any(|row| line.contains(row)))
            .unwrap()
            .to_owned()
    };
    assert!(row(&world).contains("○▾ Lead"), "{}", world.picture());
    world.press("g space");
    let folded = row(&world);
    assert!(folded.contains("◆▸ Lead"), "{}", world.picture());
}
