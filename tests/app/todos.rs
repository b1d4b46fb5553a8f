//! The todos of a chat: what is asked of workers, what an agent plans, and what waits until all are done.

use parlour::domain::Effect;
use parlour::domain::event::{DiskEvent, Event, Outcome};
use parlour::domain::work::{ChatDone, ChatWork, JournalDone, KeepWork, Read, ReadDone, Work};
use parlour::model::keep::KeepAsk;
use parlour::model::request::{By, ChatRequest, Request};
use parlour::model::todo::{Todo, TodoAt, TodoChange, Todos};
use parlour::model::tool::{InboxCall, TodoCall, UpdateTodos};
use parlour::model::{Declared, Happened, ToolCall, WorkId};
use serde_json::json;

use crate::support::events::{entry, jobs, refusals, replies, works};
use crate::support::world::{World, id};

const LIST: &str = "- [x] read\n- [ ] write\n  - [ ] below\n- [ ] tell\n";

fn world() -> World {
    let mut world = World::morning(120, 40);
    list(&mut world, LIST);
    world
}

fn list(world: &mut World, text: &str) {
    let mut chat = world.on_disk("auth");
    chat.todos = Todos::parse(text.as_bytes());
    world.happens(Event::Disk(DiskEvent::Chat(Box::new(chat))));
}

fn hold_back(world: &mut World) {
    let mut chat = world.on_disk("auth");
    chat.record.set.todos_first = true;
    world.happens(Event::Disk(DiskEvent::Chat(Box::new(chat))));
}

/// What workers are to change of the list.
fn changes(effects: &[Effect]) -> Vec<TodoChange> {
    let of = |job| match job {
        Work::Chat(ChatWork::Todos { changes, .. }) => Some(changes),
        _ => None,
    };
    jobs(effects).into_iter().filter_map(of).flatten().collect()
}

fn at(number: usize, text: &str) -> TodoAt {
    TodoAt {
        number,
        text: Some(text.into()),
    }
}

#[test]
fn keys_change_the_selected_todo_as_it_was_read() {
    let mut world = world();
    world.press("l");
    assert_eq!(
        changes(&world.press("space")),
        [TodoChange::Uncheck { at: at(1, "read") }]
    );
    assert_eq!(
        changes(&world.press("j space")),
        [TodoChange::Check { at: at(2, "write") }]
    );
    assert_eq!(changes(&world.press("x")), [TodoChange::Remove { at: at(2, "write") }]);
}

#[test]
fn a_todo_moves_past_its_neighbours_with_what_is_below_it() {
    let mut world = world();
    world.press("l j");
    let down = changes(&world.press("J"));
    let up_goes = TodoChange::Move {
        at: at(4, "tell"),
        to: 2,
    };
    assert_eq!(down, [up_goes], "the one below goes above both");
    world.press("home j");
    let up = changes(&world.press("K"));
    assert_eq!(
        up,
        [TodoChange::Move {
            at: at(2, "write"),
            to: 1
        }]
    );
    world.press("home");
    assert_eq!(changes(&world.press("K")), [], "the first stays");
    world.press("j j");
    assert_eq!(changes(&world.press("J")), [], "the only one below another stays");
}

#[test]
fn what_is_typed_is_added_and_the_dialog_closes_once_it_is_on_disk() {
    let mut world = world();
    world.press("l a");
    world.paste("test it");
    let effects = world.press("enter");
    assert_eq!(changes(&effects), [TodoChange::Add { text: "test it".into() }]);
    let (number, _) = works(&effects).remove(0);
    let chat = Box::new(world.on_disk("auth"));
    world.done(number, Outcome::Chat(ChatDone::Loaded(chat)));
    assert!(world.view().over.dialog.is_none());
}

#[test]
fn an_agent_reads_its_list_and_changes_it_by_the_numbers_that_it_read() {
    let mut world = world();
    let told = replies(&world.tool("auth", ToolCall::Todo(TodoCall::List)));
    let list = told[0].1.as_ref().unwrap();
    assert_eq!(
        list["todos"][2],
        json!({"number": 3, "text": "below", "done": false, "depth": 1})
    );
    let update = UpdateTodos {
        check: vec![2],
        remove: vec![1, 3],
        add: vec!["more".into()],
        ..UpdateTodos::default()
    };
    let asked = changes(&world.tool("auth", ToolCall::Todo(TodoCall::Update(update))));
    let at = TodoAt::number;
    let expected = [
        TodoChange::Check { at: at(2) },
        TodoChange::Remove { at: at(3) },
        TodoChange::Remove { at: at(1) },
        TodoChange::Add { text: "more".into() },
    ];
    assert_eq!(asked, expected);
}

fn declares_done(world: &mut World) -> Vec<Effect> {
    let declared = Declared {
        status: "done".into(),
        note: String::new(),
    };
    world.tool("auth", ToolCall::Inbox(InboxCall::SetStatus(declared)))
}

fn pushes(world: &mut World, despite_todos: bool) -> Vec<Effect> {
    let ask = KeepAsk::Push {
        force_with_lease: false,
        despite_todos,
    };
    world.ask(Request::Keep {
        chat: "auth".into(),
        project: None,
        ask,
    })
}

#[test]
fn done_push_and_pull_request_wait_for_todos_that_come_first() {
    let mut world = world();
    assert_eq!(refusals(&declares_done(&mut world)), Vec::<String>::new());
    hold_back(&mut world);
    for effects in [declares_done(&mut world), pushes(&mut world, false)] {
        let refused = refusals(&effects);
        assert!(
            refused[0].contains("3 todos are open: write; below; tell"),
            "{refused:?}"
        );
    }
    let pushed = jobs(&pushes(&mut world, true));
    assert!(
        matches!(pushed[..], [Work::Keep(KeepWork::InClones { .. })]),
        "{pushed:?}"
    );
    list(&mut world, "- [x] read\n");
    assert_eq!(refusals(&declares_done(&mut world)), Vec::<String>::new());
    assert_eq!(refusals(&pushes(&mut world, false)), Vec::<String>::new());
}

#[test]
fn an_agent_does_not_say_whether_todos_come_first() {
    let asked = Request::Chat(ChatRequest::Todos {
        chat: "auth".into(),
        changes: Vec::new(),
        first: Some(false),
    });
    assert!(asked.is_control());
    let mut world = world();
    world.chat("other", "other", 1);
    let theirs = Request::Chat(ChatRequest::Todos {
        chat: "other".into(),
        changes: vec![TodoChange::Add { text: "x".into() }],
        first: None,
    });
    let refused = world.asked_by(By::Chat(id("auth")), theirs);
    assert_eq!((refusals(&refused).len(), changes(&refused)), (1, Vec::new()));
}

#[test]
fn the_agents_own_plan_is_read_once_and_followed() {
    let mut world = world();
    let effects = world.press("l");
    let asked: Vec<WorkId> = works(&effects)
        .into_iter()
        .filter(|(_, job)| matches!(job, Work::Read(Read::Tail(_))))
        .map(|(number, _)| number)
        .collect();
    assert_eq!(asked.len(), 1);
    let write = |seq, status: &str| {
        let input = json!({"todos": [{"content": "plan it", "status": status}]});
        entry(
            seq,
            Happened::ToolStart {
                id: format!("t{seq}"),
                name: "TodoWrite".into(),
                input,
                dir: None,
                parent: None,
            },
        )
    };
    let tail = ReadDone::Tail(id("auth"), vec![write(5, "in_progress")]);
    world.happens(Event::Done(asked[0], Outcome::Read(tail)));
    assert!(world.picture().contains("▸ plan it"), "{}", world.picture());
    let appended = JournalDone::Appended(id("auth"), vec![write(6, "completed")]);
    world.happens(Event::Done(WorkId(u64::MAX), Outcome::Journal(appended)));
    assert!(world.picture().contains("✓ plan it"), "{}", world.picture());
    assert!(!works(&world.look()).iter().any(|(_, job)| matches!(job, Work::Read(_))));
}

#[test]
fn a_key_right_behind_a_new_todo_counts() {
    let mut world = world();
    world.press("l a t h i r d enter");
    let added = world.on_disk("auth");
    world.comes(Outcome::Chat(ChatDone::Loaded(Box::new(added))));
    assert!(world.view().over.dialog.is_none());
    assert_eq!(
        changes(&world.press("j space")),
        [TodoChange::Check { at: at(2, "write") }]
    );
}

#[test]
fn the_selected_todo_stays_selected_when_an_agent_writes_another_above_it() {
    let mut world = world();
    world.press("l j");
    assert_eq!(world.view().tabs.todos.selected, 1);
    list(&mut world, &format!("- [ ] first\n{LIST}"));
    assert_eq!(world.view().tabs.todos.selected, 2);
    assert_eq!(
        changes(&world.press("space")),
        [TodoChange::Check { at: at(3, "write") }]
    );
}

#[test]
fn what_a_key_removed_another_puts_back_and_no_chat_comes_instead() {
    let mut world = world();
    world.press("l j");
    assert_eq!(changes(&world.press("x")), [TodoChange::Remove { at: at(2, "write") }]);
    list(&mut world, "- [x] read\n  - [ ] below\n- [ ] tell\n");
    let item = Todo {
        text: "write".into(),
        done: false,
        depth: 0,
    };
    let effects = world.press("u");
    assert_eq!(changes(&effects), [TodoChange::PutBack { number: 2, item }]);
    assert!(jobs(&world.press("u")).is_empty(), "no chat is brought back");
    assert_eq!(world.view().over.toasts[0].text, "Nothing was removed here.");
}
