//! Going between a shell and the chats of agents: what is shown there, and where keys go.

use parlour::domain::chat;
use parlour::domain::event::PtyEvent;
use parlour::domain::work::ChatWork;
use parlour::domain::{Effect, Event, Work};
use parlour::model::script::ScriptEnding;
use parlour::model::{PaneEvent, PaneId, Status};
use parlour::screen::keymap::PaneSheet;
use parlour::screen::left;
use parlour::screen::view::{Mode, Tab};

use crate::support::events::{jobs, told, wakes};
use crate::support::world::{World, id};

/// The chat of an agent that is shown, a shell below it, and the chat of another agent.
fn world() -> World {
    let mut world = World::new(120, 40);
    for (chat, minutes) in [("first", 1), ("shell", 2), ("third", 3)] {
        world.chat(chat, chat, minutes).runs(Status::Idle(None), "");
    }
    world.edits("shell", |chat| chat.record.llm = "shell".into());
    world.press("2 ctrl+q enter");
    assert_eq!(shown(&mut world), ("shell".into(), Tab::Terminal, Mode::Agent));
    world.press("ctrl+q 1 ctrl+q esc");
    world
}

fn shown(world: &mut World) -> (String, Tab, Mode) {
    (world.selected().to_owned(), world.view().tab, world.view().mode)
}

#[test]
fn a_shell_shows_its_terminal_though_a_sheet_was_before_one_and_the_sheet_is_back_behind_it() {
    let mut world = world();
    let sheet = Tab::Sheet(PaneSheet::Changes);
    world.press("d");
    assert_eq!(shown(&mut world), ("first".into(), sheet, Mode::Outside));
    // One typed there when one left, and keys were in the sheet: so one types on.
    world.press("ctrl+q 2");
    assert_eq!(shown(&mut world), ("shell".into(), Tab::Terminal, Mode::Agent));
    world.press("ctrl+q esc 1");
    assert_eq!(shown(&mut world), ("first".into(), sheet, Mode::Outside));
    // Where no sheet was left there is none: whoever typed in a shell did not only pass over it.
    world.press("ctrl+q 2 ctrl+q 3");
    assert_eq!(shown(&mut world), ("third".into(), Tab::Terminal, Mode::Agent));
}

#[test]
fn a_number_behind_the_leader_leads_into_the_terminal_of_a_chat_that_was_left_in_a_sheet() {
    for key in ["1", "-", "w"] {
        let mut world = world();
        // It had a terminal beside it, in which they were when they left it before.
        let (number, _) = world.presses_for("$");
        world.editor_starts(number, "$ ");
        world.press("enter ctrl+q 2 ctrl+q 1");
        assert_eq!(world.view().tab, Tab::Side(number));
        world.comes_to_its_end(number, ScriptEnding::Exited(0));
        world.press("ctrl+q d");
        world.later(5_000);
        world.press("ctrl+q 2");
        assert_eq!(shown(&mut world), ("shell".into(), Tab::Terminal, Mode::Agent));
        world.later(5_000);
        world.is_unseen("first");
        world.press(&format!("ctrl+q {key}"));
        assert_eq!(shown(&mut world), ("first".into(), Tab::Terminal, Mode::Agent), "{key}");
    }
}

#[test]
fn whoever_looks_at_the_grid_from_a_shell_beside_an_agent_is_in_it_again() {
    let mut world = world();
    let (number, _) = world.presses_for("$");
    world.editor_starts(number, "$ ");
    assert_eq!(shown(&mut world), ("first".into(), Tab::Side(number), Mode::Agent));
    // What is typed meanwhile is for no agent.
    world.press("ctrl+q Z");
    assert_eq!(shown(&mut world), ("first".into(), Tab::Terminal, Mode::Outside));
    world.press("ctrl+q Z");
    assert_eq!(shown(&mut world), ("first".into(), Tab::Side(number), Mode::Agent));
    // Also when they left the grid by another chat.
    world.press("ctrl+q Z ctrl+q 2 ctrl+q Z ctrl+q 1");
    assert_eq!(shown(&mut world), ("first".into(), Tab::Side(number), Mode::Agent));
    // Who has gone into the agent meanwhile stays there.
    world.press("ctrl+q Z enter ctrl+q Z");
    assert_eq!(shown(&mut world), ("first".into(), Tab::Terminal, Mode::Agent));
}

#[test]
fn whoever_passes_over_a_shell_keeps_the_sheet() {
    let mut world = world();
    world.press("t tab j");
    assert_eq!(shown(&mut world), ("shell".into(), Tab::Terminal, Mode::Outside));
    world.press("j");
    let sheet = Tab::Sheet(PaneSheet::Transcript);
    assert_eq!(shown(&mut world), ("third".into(), sheet, Mode::Outside));
}

#[test]
fn a_sheet_that_was_opened_in_a_shell_is_there_again() {
    let mut world = world();
    world.press("ctrl+q 2 ctrl+q t");
    let sheet = Tab::Sheet(PaneSheet::Transcript);
    assert_eq!(shown(&mut world), ("shell".into(), sheet, Mode::Outside));
    world.press("1 d 2");
    assert_eq!(shown(&mut world), ("shell".into(), sheet, Mode::Outside));
}

#[test]
fn in_a_shell_no_words_speak_of_an_agent() {
    let mut world = world();
    world.press("2 enter");
    assert!(world.picture().contains(" SHELL "), "{}", world.picture());
    assert!(world.picture().contains("out of the shell"), "{}", world.picture());
    world.press("ctrl+q s");
    let idle = world.picture();
    assert!(idle.contains("Stop the shell?"), "{idle}");
    assert!(idle.contains("What was started from it ends with it."), "{idle}");
    // Something runs in it by now.
    world.goes_to_work("shell", "vim");
    let runs = world.picture();
    assert!(runs.contains("what is not saved there"), "{runs}");
    assert!(!runs.contains("conversation"), "{runs}");
    world.press("esc ctrl+q S");
    assert!(world.picture().contains("Restart the shell?"), "{}", world.picture());
    world.press("esc ctrl+q esc : s t o p space t h e");
    let palette = world.picture();
    assert!(palette.contains("Stop the shell"), "{palette}");
    assert!(!palette.contains("Stop the agent"), "{palette}");
    world.press("esc esc 1 : s t o p space t h e");
    assert!(world.picture().contains("Stop the agent"), "{}", world.picture());
}

fn beside(effects: &[Effect]) -> Vec<Vec<String>> {
    let kept = jobs(effects).into_iter().filter_map(|job| match job {
        Work::Chat(ChatWork::KeepLeft(left)) => Some(left.beside.into_iter().map(|(_, name)| name).collect()),
        _ => None,
    });
    kept.collect()
}

/// Each would be a write that is synced.
#[test]
fn a_command_in_a_shell_is_written_down_once_it_has_run_for_a_moment() {
    let mut world = World::morning(120, 40);
    let (number, _) = world.presses_for("$");
    world.editor_starts(number, "$ ");
    world.later(5_000);
    let runs = |world: &mut World, program: Option<&str>| {
        let front = PtyEvent::Front(program.map(String::from));
        world.happens(Event::Pty(PaneId::Side(number), front))
    };
    for _ in 0..5 {
        assert_eq!(beside(&runs(&mut world, Some("ls"))), [[""; 0]; 0]);
        assert_eq!(beside(&world.later(100)), [[""; 0]; 0]);
        assert_eq!(beside(&runs(&mut world, None)), [[""; 0]; 0]);
        assert_eq!(beside(&world.later(100)), [[""; 0]; 0]);
    }
    let effects = runs(&mut world, Some("make"));
    assert!(wakes(&effects), "it is looked at again then: {effects:?}");
    assert_eq!(beside(&world.later(900)), [[""; 0]; 0]);
    assert_eq!(beside(&world.later(200)), [["make in your shell"]]);
    assert_eq!(beside(&world.later(60_000)), [[""; 0]; 0], "once");
    // The engine ends before another one was written down.
    runs(&mut world, Some("vim"));
    let left = left::last(&world.state).expect("what runs is news");
    assert_eq!(left.beside[0].1, "vim in your shell");
}

#[test]
fn each_command_in_a_shell_is_an_act_and_a_prompt_that_is_drawn_again_is_none() {
    let mut world = world();
    let age = |world: &World| {
        let chat = &world.state.domain.disk.chats[&id("shell")];
        world.state.domain.now.ms_since(chat.updated)
    };
    let ended = PaneEvent::CommandEnded { code: 0, is_ours: true };
    world.said("shell", ended.clone());
    world.said("shell", ended.clone());
    assert!(age(&world) > 60_000, "its prompt, and the same after a resize");
    world.said("shell", PaneEvent::CommandBegan { is_ours: true });
    world.said("shell", ended.clone());
    assert_eq!(age(&world), 0);
    world.later(90_000);
    world.said("shell", PaneEvent::CommandBegan { is_ours: true });
    let effects = world.said("shell", ended.clone());
    assert_eq!(told(&effects), [""; 0], "the transcript says that already");
    assert_eq!(age(&world), 0);
    world.later(90_000);
    world.said("shell", ended);
    assert!(age(&world) >= 90_000);
}

#[test]
fn a_program_that_runs_in_a_shell_has_the_age_of_its_beginning_for_the_list_too() {
    let mut world = World::new(120, 40);
    let running = Status::Running(Some("python3".into()));
    world.chat("shell", "shell", 2).runs(running, "");
    let since = world.state.domain.live.agents.get(&id("shell")).unwrap().since;
    assert!(since > world.state.domain.disk.chats[&id("shell")].updated);
    let told = chat::json(&world.state.domain, &id("shell"));
    assert_eq!(told["updated"], serde_json::to_value(since).unwrap());
}
