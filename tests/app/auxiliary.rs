//! Terminals beside an agent's: the editor, the shell, and the project that runs.

use crossterm::event::{MouseButton, MouseEventKind};
use parlour::app::update;
use parlour::domain::event::Outcome;
use parlour::domain::work::{ChatWork, ScriptWork};
use parlour::domain::{Effect, Event, PaneOrder, Work};
use parlour::model::output::OpenedWith;
use parlour::model::request::{By, ProjectRequest, Request};
use parlour::model::script::ScriptEnding;
use parlour::model::{CallId, PaneId, Problem, ScriptKind, WorkId};
use parlour::screen::keymap::PaneSheet;
use parlour::screen::view::{Mode, Tab};
use parlour::screen::{layout, tab};
use serde_json::json;

use crate::support::auxiliary::{agreed, proposal};
use crate::support::events::{jobs, told, works};
use crate::support::world::{ME, World, id};

fn typed(number: WorkId, keys: &str) -> Effect {
    Effect::Pane(PaneId::Side(number), PaneOrder::Input(keys.into()))
}

fn to_agent(keys: &str) -> Effect {
    Effect::Pane(id("auth").into(), PaneOrder::Input(keys.into()))
}

/// With the editor open and typed in.
fn editing() -> (World, WorkId) {
    let mut world = World::morning(120, 40);
    let (number, job) = world.presses_for("E");
    let Work::Script(ScriptWork::Edit {
        chat, dir, env, size, ..
    }) = job
    else {
        panic!("{job:?}")
    };
    assert_eq!((chat, dir, env["PATH"].as_str()), (id("auth"), None, "/usr/bin"));
    assert_eq!((size.cols, size.rows), (88, 36));
    world.editor_starts(number, "~ grove");
    (world, number)
}

/// With the project of the first chat running.
fn running() -> (World, WorkId) {
    let mut world = World::morning(120, 40);
    let (number, job) = world.presses_for("e");
    assert!(matches!(job, Work::Script(ScriptWork::Run { .. })), "{job:?}");
    world.run_starts(id("auth"), number, "up");
    (world, number)
}

fn tabs(world: &World) -> Vec<String> {
    let view = &world.state.views[&ME];
    let tabs = parlour::screen::tab::tabs(&world.state, view).into_iter();
    tabs.map(|tab| tab.words.trim().to_string()).collect()
}

#[test]
fn tabs_without_room_are_behind_dots_that_lead_to_the_last_of_them() {
    let mut world = World::morning(40, 20);
    let (number, _) = world.presses_for("E");
    world.editor_starts(number, "");
    assert_eq!(world.view().tab, Tab::Side(number));
    assert_eq!(tabs(&world), ["Terminal", "…", "Changes", "Checkpoints", "Edit"]);
    let dots = tab::tabs(&world.state, &world.state.views[&ME])[1].area;
    world.click(dots.x, dots.y);
    assert_eq!(world.view().tab, Tab::Sheet(PaneSheet::Transcript));
    assert_eq!(
        tabs(&world),
        ["Terminal", "Transcript", "Changes", "Checkpoints", "Edit"]
    );
}

#[test]
fn keys_go_to_the_editor_until_it_ends_and_then_to_nobody() {
    let (mut world, number) = editing();
    assert_eq!(
        tabs(&world),
        ["Terminal", "Transcript", "Changes", "Checkpoints", "Edit"]
    );
    assert_eq!(world.view().mode, Mode::Agent);
    assert_eq!(world.press("x"), [typed(number, "x")]);
    assert_eq!(world.paste("two words"), [typed(number, "two words")]);
    // It is left as an agent is, and a second wish for it shows it again.
    world.press("ctrl+q esc");
    world.press("tab");
    assert_eq!(world.view().tab, Tab::Terminal);
    assert_eq!(world.press("E"), []);
    assert_eq!(world.press("y"), [typed(number, "y")]);
    let mut effects = world.comes_to_its_end(number, ScriptEnding::Exited(0));
    effects.retain(|effect| !matches!(effect, Effect::Work(_, Work::Chat(ChatWork::KeepLeft(_)))));
    assert_eq!(effects, [Effect::Pane(PaneId::Side(number), PaneOrder::Drop)]);
    assert!(
        tabs(&world) == ["Terminal", "Transcript", "Changes", "Checkpoints"] && world.view().over.toasts.is_empty()
    );
    assert_eq!(world.view().mode, Mode::Outside);
    let reaches = |effect: &Effect| matches!(effect, Effect::Pane(..));
    assert!(!world.paste("z").iter().any(reaches));
}

#[test]
fn keys_go_back_to_the_agent_from_which_the_editor_was_opened() {
    let mut world = World::morning(120, 40);
    world.press("enter");
    let (number, _) = world.presses_for("ctrl+q E");
    world.editor_starts(number, "");
    world.press(": q");
    assert_eq!(world.press("enter"), [typed(number, "\r")]);
    world.comes_to_its_end(number, ScriptEnding::Exited(0));
    assert_eq!(world.view().mode, Mode::Agent);
    assert_eq!(world.press("enter"), [], "the same key was meant for the editor");
    assert_eq!(world.press("a"), [to_agent("a")]);
    // From outside it is for nobody, and for no command either.
    world.calm();
    world.press("ctrl+q esc");
    world.calm();
    let (number, _) = world.presses_for("E");
    world.editor_starts(number, "");
    world.press(": q enter");
    world.comes_to_its_end(number, ScriptEnding::Exited(0));
    assert_eq!(world.view().mode, Mode::Outside);
    world.press("a");
    assert!(world.view().over.dialog.is_none());
}

#[test]
fn what_was_asked_for_does_not_take_the_keys_of_who_types_in_the_agent_meanwhile() {
    let mut world = World::morning(120, 40);
    world.press("enter");
    let (number, _) = world.presses_for("ctrl+q E");
    assert_eq!(world.press("a"), [to_agent("a")]);
    world.editor_starts(number, "");
    assert_eq!(world.press("b"), [to_agent("b")]);
    assert_eq!(
        world.view().over.toasts[0].text,
        "Your editor in fix-auth-bug is there: Ctrl+Q E shows it."
    );
    world.press("ctrl+q E");
    assert_eq!(world.press("c"), [typed(number, "c")]);
    // A command that is to be agreed to does not come up either; who waits for it is asked.
    world.press("ctrl+q esc tab enter");
    for (typed, asked) in [("x", false), ("", true)] {
        let (number, _) = world.presses_for("ctrl+q e");
        world.paste(typed);
        world.comes_to_its_end(number, ScriptEnding::Unapproved(Box::new(proposal())));
        assert_eq!(world.view().over.dialog.is_some(), asked, "{typed}");
    }
}

#[test]
fn an_editor_that_fails_is_said_and_so_is_one_that_is_not_there() {
    let (mut world, number) = editing();
    world.comes_to_its_end(number, ScriptEnding::Exited(3));
    assert_eq!(world.view().over.toasts[0].text, "The editor exited with 3.");
    let (number, _) = world.presses_for("ctrl+q E");
    let problem = Problem::new("opening your editor", "$EDITOR names none", "set it");
    update(&mut world.state, Event::Done(number, Outcome::Failed(problem)));
    assert!(world.view().over.toasts[1].text.contains("$EDITOR names none"));
    assert!(world.state.domain.live.sides.is_empty());
}

#[test]
fn a_shell_hears_when_the_editor_is_open_and_a_second_time_at_once() {
    let mut world = World::morning(120, 40);
    let ask = |world: &mut World, call: u64| {
        let request = Request::Project(ProjectRequest::Edit {
            chat: "fix-auth-bug".into(),
            dir: Some("grove".into()),
            env: Default::default(),
        });
        assert!(request.is_control());
        update(&mut world.state, Event::Ask(CallId(call), By::Person, request))
    };
    let (number, job) = works(&ask(&mut world, 1)).remove(0);
    assert!(matches!(job, Work::Script(ScriptWork::Edit { dir: Some(dir), .. }) if dir == "grove"));
    assert!(matches!(&ask(&mut world, 2)[..], [Effect::Reply(CallId(2), Err(_))]));
    world.editor_starts(number, "");
    let told = |call| Effect::Reply(CallId(call), Ok(json!({"id": id("auth"), "handle": "fix-auth-bug"})));
    assert_eq!(ask(&mut world, 3), [told(3)]);
    // Nobody at a screen asked for it, so nobody is taken there.
    assert_eq!((world.view().tab, world.view().mode), (Tab::Terminal, Mode::Outside));
}

#[test]
fn who_deletes_a_chat_is_told_what_runs_beside_its_agent() {
    let (mut world, _) = editing();
    world.press("ctrl+q esc x");
    let picture = world.picture();
    assert!(picture.contains("Its editor tab is open"), "{picture}");
}

#[test]
fn an_editor_is_ended_only_after_a_question() {
    let (mut world, number) = editing();
    assert_eq!(world.press("ctrl+q s"), []);
    world.later(600);
    assert_eq!(
        jobs(&world.press("right enter")),
        [Work::Script(ScriptWork::Stop(number))]
    );
}

#[test]
fn a_shell_opens_beside_the_editor_and_its_last_exit_code_is_no_failure() {
    let (mut world, editor) = editing();
    let (shell, job) = world.presses_for("ctrl+q $");
    assert!(
        matches!(
            &job,
            Work::Script(ScriptWork::Edit {
                with: OpenedWith::Shell,
                file: None,
                ..
            })
        ),
        "{job:?}"
    );
    world.editor_starts(shell, "~ grove $");
    assert_eq!(
        tabs(&world),
        ["Terminal", "Transcript", "Changes", "Checkpoints", "Edit", "Shell"]
    );
    assert_eq!(world.press("l"), [typed(shell, "l")]);
    // Each key leads to its own.
    world.press("ctrl+q E");
    assert_eq!(world.press("x"), [typed(editor, "x")]);
    world.press("ctrl+q $");
    assert_eq!(world.press("s"), [typed(shell, "s")]);
    // What runs in it ends with it, so that is asked first.
    assert_eq!(world.press("ctrl+q s"), []);
    world.later(600);
    assert_eq!(
        jobs(&world.press("right enter")),
        [Work::Script(ScriptWork::Stop(shell))]
    );
    world.comes_to_its_end(shell, ScriptEnding::Exited(130));
    assert!(!tabs(&world).contains(&"Shell".to_string()));
    assert!(world.view().over.toasts.is_empty());
}

#[test]
fn a_run_is_seen_typed_in_and_stays_to_be_read() {
    let (mut world, number) = running();
    assert_eq!(
        tabs(&world),
        ["Terminal", "Transcript", "Changes", "Checkpoints", "▶ run"]
    );
    assert_eq!(
        (world.view().tab, world.view().mode),
        (Tab::Side(number), Mode::Outside)
    );
    world.press("enter");
    assert_eq!(world.press("h"), [typed(number, "h")]);
    world.comes_to_its_end(number, ScriptEnding::Exited(1));
    assert_eq!(
        tabs(&world),
        ["Terminal", "Transcript", "Changes", "Checkpoints", "✗ run 1"]
    );
    assert_eq!(world.press("h"), []);
    // An Enter that was on its way is not an answer to that.
    assert_eq!(world.press("enter"), []);
    world.later(600);
    let (again, job) = works(&world.press("enter")).remove(0);
    assert!(matches!(job, Work::Script(ScriptWork::Run { order, .. }) if order.project.as_deref() == Some("grove")));
    assert_eq!(
        tabs(&world),
        ["Terminal", "Transcript", "Changes", "Checkpoints", "✗ run 1"]
    );
    world.run_starts(id("auth"), again, "up again");
    assert_eq!(
        tabs(&world),
        ["Terminal", "Transcript", "Changes", "Checkpoints", "▶ run"]
    );
    assert_eq!(world.view().tab, Tab::Side(again));
}

#[test]
fn a_run_is_stopped_and_restarted_where_it_is_looked_at() {
    let (mut world, number) = running();
    assert_eq!(jobs(&world.press("S")), [Work::Script(ScriptWork::Stop(number))]);
    let begun = works(&world.comes_to_its_end(number, ScriptEnding::Stopped));
    let is_run = |(_, job): &(WorkId, Work)| matches!(job, Work::Script(ScriptWork::Run { .. }));
    let (again, _) = begun.into_iter().find(is_run).unwrap();
    world.run_starts(id("auth"), again, "up again");
    assert_eq!(jobs(&world.press("s")), [Work::Script(ScriptWork::Stop(again))]);
    world.comes_to_its_end(again, ScriptEnding::Stopped);
    assert_eq!(
        tabs(&world),
        ["Terminal", "Transcript", "Changes", "Checkpoints", "□ run"]
    );
    // Elsewhere the same key is about the agent.
    world.press("tab tab s");
    assert!(world.view().over.dialog.is_some());
}

#[test]
fn what_became_of_the_last_run_is_not_said_of_a_chat_whose_project_runs_again() {
    let (mut world, number) = running();
    let notes = |effects: &[Effect]| -> Vec<String> {
        let notes = told(effects).into_iter();
        notes.filter(|text| text.starts_with("run of")).collect()
    };
    assert_eq!(
        notes(&world.comes_to_its_end(number, ScriptEnding::Stopped)),
        ["run of grove was stopped"]
    );
    let (again, _) = world.presses_for("S");
    assert_eq!(
        notes(&world.run_starts(id("auth"), again, "up again")),
        ["run of grove has begun"]
    );
}

#[test]
fn the_foot_says_where_tab_leads() {
    let (mut world, _) = running();
    let leads = |world: &World, to: &str| assert!(world.picture().contains(to), "{to}:\n{}", world.picture());
    leads(&world, "Tab sidebar");
    world.press("tab tab");
    leads(&world, "Tab run");
    let (edit, _) = world.presses_for("E");
    world.editor_starts(edit, "");
    world.press("ctrl+q esc tab tab");
    leads(&world, "Tab editor");
    world.press("tab");
    leads(&world, "Tab sidebar");
    world.press("c tab tab tab tab");
    leads(&world, "Tab cards");
}

#[test]
fn tabs_are_gone_through_and_left_with_the_chat() {
    let (mut world, number) = running();
    let (edit, _) = world.presses_for("E");
    world.editor_starts(edit, "");
    assert_eq!(
        tabs(&world),
        ["Terminal", "Transcript", "Changes", "Checkpoints", "▶ run", "Edit"]
    );
    let mut seen = Vec::new();
    for _ in 0..5 {
        world.press("ctrl+q tab");
        seen.push(world.view().tab);
    }
    let (run, edit) = (Tab::Side(number), Tab::Side(edit));
    assert_eq!(seen, [edit, Tab::Terminal, run, edit, edit]);
    world.press("w");
    assert_eq!(world.selected(), "Try Redis");
    assert_eq!(world.view().tab, Tab::Terminal);
}

#[test]
fn what_a_repository_brings_runs_once_it_was_read_and_agreed_to() {
    let mut world = World::morning(120, 40);
    let (number, _) = world.presses_for("e");
    world.comes_to_its_end(number, ScriptEnding::Unapproved(Box::new(proposal())));
    assert!(world.state.domain.live.sides.is_empty());
    assert_eq!(world.press("y"), []);
    world.later(600);
    let (work, job) = works(&world.press("y")).remove(0);
    let Work::Script(ScriptWork::Approve {
        chat,
        order,
        definition,
    }) = job
    else {
        panic!("{job:?}")
    };
    assert_eq!(
        (chat, order.kind, order.project.as_deref()),
        (id("auth"), ScriptKind::Run, Some("grove"))
    );
    assert_eq!(definition, proposal().definition);
    assert_eq!(world.press("y"), []);
    let effects = update(&mut world.state, Event::Done(work, agreed(ScriptKind::Run)));
    assert!(matches!(&jobs(&effects)[..], [Work::Script(ScriptWork::Run { .. })]));
    assert!(world.view().over.dialog.is_none());
}

#[test]
fn what_a_repository_brings_does_not_run_for_less_than_a_yes() {
    let mut world = World::morning(120, 40);
    let (number, _) = world.presses_for("e");
    world.comes_to_its_end(number, ScriptEnding::Unapproved(Box::new(proposal())));
    world.later(600);
    assert_eq!(world.press("esc"), []);
    assert!(world.view().over.dialog.is_none() && world.state.domain.live.scripts.is_empty());
    // What it says by then is not what was read: nothing runs, and it is said.
    let (number, _) = world.presses_for("e");
    world.comes_to_its_end(number, ScriptEnding::Unapproved(Box::new(proposal())));
    world.later(600);
    assert_eq!(world.press("enter"), []);
    assert!(world.view().over.dialog.is_none());
    world.calm();
    let (number, _) = world.presses_for("e");
    world.comes_to_its_end(number, ScriptEnding::Unapproved(Box::new(proposal())));
    world.later(600);
    let (agreed, _) = works(&world.press("y")).remove(0);
    let problem = Problem::new(
        "running run",
        "the repository does not say any more what you approved",
        "",
    );
    let effects = update(&mut world.state, Event::Done(agreed, Outcome::Failed(problem)));
    assert_eq!(jobs(&effects), []);
    assert!(world.picture().contains("does not say any more what you approved"));
}

#[test]
fn a_chat_takes_what_is_beside_its_terminal_along() {
    let (mut world, number) = running();
    let effects = update(
        &mut world.state,
        Event::Disk(parlour::domain::event::DiskEvent::ChatGone(id("auth"))),
    );
    assert!(effects.contains(&Effect::Pane(PaneId::Side(number), PaneOrder::Drop)));
    assert!(world.state.domain.live.sides.is_empty());
}

#[test]
fn whoever_comes_back_to_a_chat_types_on_where_they_did_there() {
    let (mut world, editor) = editing();
    assert_eq!(world.press("x"), [typed(editor, "x")]);
    world.press("ctrl+q w");
    assert_eq!(world.selected(), "Try Redis");
    assert_eq!(world.view().tab, Tab::Terminal);
    world.press("ctrl+q -");
    assert_eq!(world.view().tab, Tab::Side(editor));
    assert_eq!(world.press("y"), [typed(editor, "y")]);
    // By a click too.
    world.press("ctrl+q w");
    world.click(8, 1);
    assert_eq!((world.view().tab, world.view().mode), (Tab::Side(editor), Mode::Agent));
    // From there to a chat of their own making too.
    world.press("ctrl+q n ctrl+s");
    world.is_made("dates");
    world.press("ctrl+q -");
    assert_eq!(world.view().tab, Tab::Side(editor));
    // It ends meanwhile: what is typed for it is not for the agent.
    world.press("ctrl+q w");
    world.comes_to_its_end(editor, ScriptEnding::Exited(0));
    world.press("ctrl+q -");
    assert_eq!((world.view().tab, world.view().mode), (Tab::Terminal, Mode::Outside));
}

#[test]
fn a_terminal_beside_is_scrolled_selected_and_sized_as_the_agents() {
    let (mut world, number) = running();
    let lines: String = (0..100).map(|line| format!("line {line}\n")).collect();
    world.draws(number, &lines);
    let asked = |effects: Vec<Effect>| match &effects[..] {
        [Effect::Pane(PaneId::Side(of), order)] if *of == number => order.clone(),
        other => panic!("{other:?}"),
    };
    assert!(matches!(
        asked(world.press("pageup")),
        PaneOrder::View { client: ME, .. }
    ));
    world.press("end");
    let pane = layout::arrange(world.view()).pane;
    let button = MouseButton::Left;
    world.mouse(MouseEventKind::Down(button), pane.x, pane.y);
    world.mouse(MouseEventKind::Drag(button), pane.x + 4, pane.y + 1);
    let copied = world.mouse(MouseEventKind::Up(button), pane.x + 4, pane.y + 1);
    assert!(matches!(asked(copied), PaneOrder::Copy { client: ME, .. }));
    // Only what is shown is sized.
    world.view().size.cols = 110;
    let PaneOrder::Resize(size) = asked(world.look()) else {
        panic!("it keeps its size")
    };
    assert_eq!(size, layout::pane_size(world.view()));
    // A click on its tab leads there from the agent's.
    world.press("tab tab");
    let view = &world.state.views[&ME];
    let tabs = tab::tabs(&world.state, view);
    assert_eq!(view.tab, Tab::Terminal);
    let place = tabs.last().unwrap().area;
    world.click(place.x, place.y);
    assert_eq!(world.view().tab, Tab::Side(number));
}

#[test]
fn who_came_from_a_tab_is_back_in_it_when_the_editor_ends() {
    let mut world = World::morning(120, 40);
    world.press("l");
    let (number, _) = world.presses_for("E");
    world.editor_starts(number, "");
    assert_eq!(world.view().tab, Tab::Side(number));
    world.comes_to_its_end(number, ScriptEnding::Exited(0));
    assert_eq!(world.view().tab, Tab::Sheet(PaneSheet::Todos));
    assert_eq!(world.view().mode, Mode::Outside);
}
