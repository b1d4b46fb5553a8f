//! Answers that are more than a yes or a no: a rule for what follows, and a reason for the agent.

use crossterm::event::Event as Input;
use parlour::domain::call;
use parlour::domain::event::{ClientEvent, DiskEvent, Outcome};
use parlour::domain::work::{ApprovalDone, ApprovalWork, JournalWork};
use parlour::domain::{Effect, Event, Work};
use parlour::model::entry::ToolStatus;
use parlour::model::request::{ApprovalRequest, Request};
use parlour::model::{CallId, Happened, HookAnswer, HookEvent, Problem, Settings, WorkId};
use parlour::permission::{Case, QuestionNotes, SuggestedRules};
use parlour::screen::dialog::Dialog;
use parlour::term::key;
use serde_json::json;

use crate::support::events::{bash_asked, bash_began, ended, jobs, replies, submitted, works};
use crate::support::world::{ME, World, id};

const HOOK: CallId = CallId(21);

/// Its agent asks, and the question could be read.
fn asked() -> World {
    asked_and_sought().0
}

/// With the search for rules that would allow it.
fn asked_and_sought() -> (World, WorkId, Box<Case>) {
    let mut world = World::morning(120, 40);
    let asked = HookEvent::PermissionAsked {
        reach: Vec::new(),
        tool: "Bash".into(),
        input: json!({"command": "cargo test a"}),
    };
    world.happens(Event::Hook(HOOK, id("auth"), vec![asked]));
    let (work, sought) = approval_work(&world.press("a"));
    world.later(1_000);
    match sought {
        ApprovalWork::Suggest(case) => (world, work, case),
        other => panic!("{other:?}"),
    }
}

fn approval_work(effects: &[Effect]) -> (WorkId, ApprovalWork) {
    let found = works(effects).into_iter().find_map(|(id, work)| match work {
        Work::Approval(work) => Some((id, work)),
        _ => None,
    });
    found.expect("work on an approval")
}

fn suggested(rules: SuggestedRules) -> Outcome {
    Outcome::Approval(ApprovalDone::Suggested(QuestionNotes {
        rules,
        in_whole_lines: None,
        overwrites: false,
    }))
}

/// The rules that would allow it are proposed.
fn proposed() -> World {
    let (mut world, work, case) = asked_and_sought();
    world.done(work, suggested(case.suggestions()));
    world.press("a");
    world
}

fn answers(effects: &[Effect]) -> Vec<&HookAnswer> {
    let answer = |effect: &'_ Effect| matches!(effect, Effect::Rule(HOOK, _));
    effects
        .iter()
        .filter(|effect| answer(effect))
        .filter_map(|effect| match effect {
            Effect::Rule(_, answer) => Some(answer),
            _ => None,
        })
        .collect()
}

#[test]
fn where_no_rule_would_allow_it_the_question_says_so_and_offers_none() {
    let (mut world, work, _) = asked_and_sought();
    assert!(world.picture().contains("Always allow"), "{}", world.picture());
    let none = SuggestedRules {
        rules: Vec::new(),
        why_none: "it goes over several lines".into(),
    };
    world.done(work, suggested(none));
    let picture = world.picture();
    assert!(
        picture.contains("No rule would allow this always: it goes over several lines."),
        "{picture}"
    );
    assert!(!picture.contains("Always allow"), "{picture}");
    assert!(works(&world.press("a")).is_empty());
    let Some(Dialog::Approvals(open)) = &world.view().over.dialog else {
        panic!("it is still asked");
    };
    assert!(open.typed.is_none());
}

#[test]
fn a_rule_is_read_and_changed_before_it_is_written_and_then_it_allows() {
    let mut world = proposed();
    let picture = world.picture();
    assert!(picture.contains("┃ Bash(cargo test:*)"), "{picture}");
    world.press("down");
    assert!(world.picture().contains("┃ Bash(cargo test a)"), "{}", world.picture());
    world.press("tab");
    assert!(world.picture().contains("┃ Bash(cargo test:*)"), "{}", world.picture());
    for _ in 0..8 {
        world.press("backspace");
    }
    world.paste(":*)");
    let effects = world.press("enter");
    let (work, wanted) = approval_work(&effects);
    let ApprovalWork::AllowAlways(_, Some(rule)) = &wanted else {
        panic!("{wanted:?}")
    };
    assert_eq!(rule, "Bash(cargo:*)");
    assert_eq!(answers(&effects), Vec::<&HookAnswer>::new(), "it is not written yet");
    let mut settings = Settings::default();
    settings.permissions.allow = vec![rule.clone()];
    let done = ApprovalDone::AllowedAlways(rule.clone(), Box::new(settings));
    let effects = world.done(work, Outcome::Approval(done));
    assert_eq!(answers(&effects), [&HookAnswer::Allow]);
    assert!(world.view().over.dialog.is_none() || world.picture().contains("Try Redis asks"));
    let told = "config.json allows Bash(cargo:*) from now on.";
    assert!(world.picture().contains(told), "{}", world.picture());
    assert_eq!(world.state.domain.disk.settings.permissions.allow, ["Bash(cargo:*)"]);
}

#[test]
fn a_rule_that_is_written_answers_what_others_ask_already() {
    let mut world = asked();
    let same = HookEvent::PermissionAsked {
        reach: Vec::new(),
        tool: "Bash".into(),
        input: json!({"command": "cargo test b"}),
    };
    world.happens(Event::Hook(CallId(22), id("dates"), vec![same]));
    let mut settings = Settings::default();
    settings.permissions.allow = vec!["Bash(cargo test:*)".into()];
    // What rules say of it is found out at once here.
    let effects = world.happens(Event::Disk(DiskEvent::Settings(Box::new(Ok(settings)))));
    let effects = world.with_decisions_safe(effects);
    let allowed = |hook: CallId| effects.contains(&Effect::Rule(hook, HookAnswer::Allow));
    assert!(allowed(HOOK) && allowed(CallId(22)), "{effects:?}");
}

#[test]
fn what_cannot_be_written_is_said_below_the_rule_and_nothing_is_answered() {
    let mut world = proposed();
    let effects = world.press("enter");
    let (work, _) = approval_work(&effects);
    let problem = Problem::new("allowing it always", "config.json:2:19: no value", "mend config.json");
    let effects = world.done(work, Outcome::Failed(problem));
    assert_eq!(answers(&effects), Vec::<&HookAnswer>::new());
    let picture = world.picture();
    assert!(
        picture.contains("┃ Bash(cargo test:*)") && picture.contains("config.json:2:19"),
        "{picture}"
    );
    // It is let be, and the question is there still.
    world.press("esc");
    world.calm();
    assert_eq!(answers(&world.press("y")), [&HookAnswer::Allow]);
}

#[test]
fn rules_that_are_found_late_are_proposed_to_who_waits_for_them() {
    let (mut world, work, case) = asked_and_sought();
    world.press("a");
    assert!(world.picture().contains("Looking for rules"), "{}", world.picture());
    world.done(work, suggested(case.suggestions()));
    assert!(world.picture().contains("┃ Bash(cargo test:*)"), "{}", world.picture());
}

#[test]
fn a_reason_is_kept_while_its_question_is_read_again() {
    let mut world = asked();
    world.press("r");
    world.paste("use the staging machine");
    world.press("esc");
    assert!(!world.picture().contains("staging"), "{}", world.picture());
    world.calm();
    world.press("r");
    assert!(
        world.picture().contains("┃ use the staging machine"),
        "{}",
        world.picture()
    );
}

#[test]
fn a_reason_goes_with_the_no() {
    let mut world = asked();
    world.press("r");
    world.paste("use the staging machine");
    let effects = world.press("enter");
    let why = "The person refused this call: use the staging machine";
    assert_eq!(answers(&effects), [&HookAnswer::Deny(why.into())]);
    let recorded = jobs(&effects).into_iter().find_map(|job| match job {
        Work::Journal(JournalWork::Append(_, lines, _)) => match &lines[0].what {
            Happened::Permission { answer, reason, .. } => Some((answer.clone(), reason.clone())),
            _ => None,
        },
        _ => None,
    });
    assert_eq!(
        recorded,
        Some(("denied".into(), Some("use the staging machine".into())))
    );
}

/// So it is found at the call, wherever that is read.
#[test]
fn the_reason_of_a_no_is_what_the_refused_call_ends_with() {
    let mut world = World::at_rest();
    world.hook(submitted("go on"));
    world.hook(bash_began("t1", "make"));
    world.happens(Event::Hook(HOOK, id("auth"), vec![bash_asked("make")]));
    world.ask(Request::Approval(ApprovalRequest::Deny {
        request: "t1".into(),
        reason: "it would break the build".into(),
    }));
    let effects = world.reads(vec![ended("t1", ToolStatus::Interrupted)]);
    let said = jobs(&effects).into_iter().find_map(|job| match job {
        Work::Journal(JournalWork::Append(_, lines, _)) => lines.into_iter().find_map(|line| match line.what {
            Happened::ToolEnd { status, preview, .. } => Some((status, preview)),
            _ => None,
        }),
        _ => None,
    });
    let (status, preview) = said.expect("its end");
    assert_eq!(status, ToolStatus::Denied);
    assert!(preview.contains("it would break the build"), "{preview}");
}

#[test]
fn what_could_not_be_read_yet_is_not_allowed_always() {
    let mut world = World::morning(120, 40);
    let asked = HookEvent::PermissionAsked {
        reach: Vec::new(),
        tool: "Bash".into(),
        input: json!({"command": "cargo test a"}),
    };
    world.happens(Event::Hook(HOOK, id("auth"), vec![asked]));
    world.press("a");
    assert_eq!(world.press("a"), []);
    world.later(100);
    assert_eq!(world.press("r"), []);
    assert!(!world.picture().contains("┃"), "{}", world.picture());
}

#[test]
fn a_yes_to_a_question_that_closed_meanwhile_does_nothing() {
    let mut world = asked();
    world.press("esc");
    world.later(1_000);
    assert_eq!(world.press("y"), []);
}

#[test]
fn after_an_answer_the_question_below_is_next() {
    let mut world = World::morning(120, 40);
    for (chat, call) in [("auth", 21), ("dates", 22)] {
        let asked = HookEvent::PermissionAsked {
            reach: Vec::new(),
            tool: "Bash".into(),
            input: json!({"command": format!("echo {chat}")}),
        };
        world.happens(Event::Hook(CallId(call), id(chat), vec![asked]));
    }
    let shown = |world: &World| match &world.state.views[&ME].over.dialog {
        Some(Dialog::Approvals(open)) => open.at.clone().expect("a question").0,
        _ => panic!("the questions are open"),
    };
    world.press("esc a home down");
    assert_eq!(shown(&world), id("dates"));
    world.later(1_000);
    world.press("y");
    assert_eq!(shown(&world), id("redis"), "the first is left for later");
}

#[test]
fn an_edit_is_shown_in_whole_lines_once_these_are_known() {
    let mut world = World::morning(120, 40);
    let input = json!({"file_path": "a.js", "old_string": "1;", "new_string": "2;"});
    let asked = HookEvent::PermissionAsked {
        reach: Vec::new(),
        tool: "Edit".into(),
        input: input.clone(),
    };
    world.happens(Event::Hook(HOOK, id("auth"), vec![asked]));
    let (work, _) = approval_work(&world.press("a"));
    assert!(!world.picture().contains("total"), "{}", world.picture());
    let file = "function total() {\n    return 1;\n}\n";
    let notes = QuestionNotes {
        in_whole_lines: call::in_whole_lines(&input, file),
        ..QuestionNotes::default()
    };
    world.done(work, Outcome::Approval(ApprovalDone::Suggested(notes)));
    let picture = world.picture();
    for line in ["1  function total() {", "2 -    return 1;", "2 +    return 2;", "3  }"] {
        assert!(picture.contains(line), "{line}\n{picture}");
    }
}

#[test]
fn what_is_written_over_a_file_is_shown_beside_what_it_has() {
    let mut world = World::morning(120, 40);
    let input = json!({"file_path": "src/discount.js", "content": "one\ntwo\n"});
    let asked = HookEvent::PermissionAsked {
        reach: Vec::new(),
        tool: "Write".into(),
        input: input.clone(),
    };
    world.happens(Event::Hook(HOOK, id("auth"), vec![asked]));
    let (work, _) = approval_work(&world.press("a"));
    assert!(!world.picture().contains("overwrites"), "{}", world.picture());
    let notes = |in_whole_lines| {
        let notes = QuestionNotes {
            in_whole_lines,
            overwrites: true,
            ..QuestionNotes::default()
        };
        Outcome::Approval(ApprovalDone::Suggested(notes))
    };
    world.done(work, notes(call::over_file(&input, "one\nlost\n")));
    let picture = world.picture();
    for line in ["overwrites discount.js", "-lost", "+two"] {
        assert!(picture.contains(line), "{line}\n{picture}");
    }
}

/// The one question of one agent, in whose terminal the person types.
fn asked_within() -> World {
    let mut world = World::at_rest();
    world.attach_to(ME, "auth");
    world.hook(submitted("go on"));
    asks_of(&mut world, HOOK, "t1", "make");
    world.press("ctrl+q a");
    world.later(1_000);
    world
}

fn asks_of(world: &mut World, hook: CallId, call: &str, command: &str) {
    world.hook(bash_began(call, command));
    world.happens(Event::Hook(hook, id("auth"), vec![bash_asked(command)]));
}

fn is_open(world: &World) -> bool {
    matches!(world.state.views[&ME].over.dialog, Some(Dialog::Approvals(_)))
}

#[test]
fn after_the_last_answer_it_stays_for_a_moment_and_closes_by_itself() {
    let mut world = asked_within();
    let wakes = world.happens(Event::Client(
        ME,
        ClientEvent::Input(Input::Key(key::parse("y").unwrap())),
    ));
    let closes = world.state.domain.now.plus_ms(1_500);
    assert!(wakes.contains(&Effect::WakeAt(closes)), "{wakes:?}");
    let picture = world.picture();
    assert!(picture.contains("Allowed: auth: Bash: make"), "{picture}");
    assert!(picture.contains("Nothing more is asked."), "{picture}");
    assert!(!picture.contains("read it first"), "{picture}");
    for key in ["x", "y", "a", "j"] {
        assert_eq!(world.press(key), [], "{key}");
        assert!(is_open(&world), "{key}");
    }
    world.later(1_499);
    assert!(is_open(&world));
    world.later(1);
    assert!(!is_open(&world));
    // What was on its way to the dialog.
    for key in ["y", "esc"] {
        assert_eq!(world.press(key), [], "{key}");
    }
}

#[test]
fn what_the_same_turn_asks_next_is_shown_in_it_and_to_be_read_first() {
    let mut world = asked_within();
    world.press("y");
    world.later(100);
    asks_of(&mut world, CallId(22), "t2", "make test");
    assert!(is_open(&world));
    assert!(!world.picture().contains("Nothing more"), "{}", world.picture());
    assert_eq!(
        answers(&world.press("y")),
        Vec::<&HookAnswer>::new(),
        "it came too soon"
    );
    world.later(2_000);
    assert!(is_open(&world), "it is asked");
    let effects = world.press("y");
    assert!(
        effects.contains(&Effect::Rule(CallId(22), HookAnswer::Allow)),
        "{effects:?}"
    );
}

#[test]
fn what_was_answered_last_is_closed_by_the_keys_that_close() {
    for key in ["esc", "q", "enter"] {
        let mut world = asked_within();
        world.press("n");
        assert!(
            world.picture().contains("Refused: auth: Bash: make"),
            "{}",
            world.picture()
        );
        assert_eq!(world.press(key), [], "{key}");
        assert!(!is_open(&world), "{key}");
        assert_eq!(world.press(key), [], "{key} again is not for the agent");
    }
}

#[test]
fn what_is_written_over_a_file_and_is_what_it_has_changes_nothing() {
    let mut world = World::morning(120, 40);
    let input = json!({"file_path": "src/discount.js", "content": "one\ntwo\n"});
    let asked = HookEvent::PermissionAsked {
        reach: Vec::new(),
        tool: "Write".into(),
        input: input.clone(),
    };
    world.happens(Event::Hook(HOOK, id("auth"), vec![asked]));
    let (work, _) = approval_work(&world.press("a"));
    let notes = QuestionNotes {
        in_whole_lines: call::over_file(&input, "one\ntwo\n"),
        overwrites: true,
        ..QuestionNotes::default()
    };
    world.done(work, Outcome::Approval(ApprovalDone::Suggested(notes)));
    let picture = world.picture();
    assert!(
        picture.contains("overwrites discount.js, and changes nothing"),
        "{picture}"
    );
}

/// The shell says what the dialog says, before its y/N.
#[test]
fn a_shell_is_told_what_a_write_changes_in_a_file_that_is_there() {
    for (file, over, lines) in [
        (
            Some("one\nlost\n"),
            true,
            &["overwrites a.js", "a.js", "1   one", "2 - lost", "2 + two"][..],
        ),
        (
            Some("one\ntwo\n"),
            true,
            &["overwrites a.js, and changes nothing", "a.js"],
        ),
        (None, false, &["a.js", "+ one", "+ two"]),
    ] {
        let mut world = World::morning(120, 40);
        let input = json!({"file_path": "a.js", "content": "one\ntwo\n"});
        let asked = HookEvent::PermissionAsked {
            reach: Vec::new(),
            tool: "Write".into(),
            input: input.clone(),
        };
        world.happens(Event::Hook(HOOK, id("auth"), vec![asked]));
        let effects = world.ask(Request::Approval(ApprovalRequest::Meant { request: None }));
        assert_eq!(replies(&effects), [], "the file is looked into first");
        let (work, wanted) = approval_work(&effects);
        assert!(
            matches!(&wanted, ApprovalWork::InFiles(cases) if cases.len() == 1),
            "{wanted:?}"
        );
        let notes = QuestionNotes {
            in_whole_lines: file.and_then(|file| call::over_file(&input, file)),
            overwrites: file.is_some(),
            ..QuestionNotes::default()
        };
        let effects = world.done(work, Outcome::Approval(ApprovalDone::InFiles(vec![notes])));
        let told = replies(&effects).remove(0).1.unwrap();
        let question = &told["question"];
        assert_eq!(question["overwrites"], json!(over), "{question}");
        assert_eq!(question["shown"], json!(lines), "{question}");
        assert_eq!(question["input"], input, "what programs read is whole");
    }
}
