//! What helps to write a prompt: templates, commands, names of files, an editor.

use parlour::domain::event::Outcome;
use parlour::domain::script::work::{ScriptDone, ScriptWork};
use parlour::domain::work::{JournalWork, Read, ReadDone, ShownContent, ShownRead, Work};
use parlour::domain::{Effect, Event};
use parlour::model::WorkId;
use parlour::model::chat::Pending;
use parlour::model::compose::{ComposerAsk, ComposerNews};
use parlour::model::script::ScriptEnding;
use parlour::model::template::{PromptTemplate, TemplateFrom, TemplatePrompt};
use parlour::screen::surface::Surface;

use crate::support::composing::{composing, text, written};
use crate::support::events::{problem, submitted, turn_ended, typed, works};
use crate::support::world::{World, id};

/// What workers are to find out for the composer.
fn asked(effects: &[Effect]) -> Vec<(WorkId, ComposerAsk)> {
    let ask = |(work, job): (WorkId, Work)| match job {
        Work::Read(Read::Shown(ShownRead::Compose(_, ask))) => Some((work, ask)),
        _ => None,
    };
    works(effects).into_iter().filter_map(ask).collect()
}

fn tells(world: &mut World, work: WorkId, news: ComposerNews) -> Vec<Effect> {
    let shown = ShownContent::Compose(id("auth"), news);
    world.done(work, Outcome::Read(ReadDone::Shown(shown)))
}

/// The prompts that are to be written down.
fn prompts(effects: &[Effect]) -> Vec<Pending> {
    let job = |(_, job): (WorkId, Work)| match job {
        Work::Journal(JournalWork::Prompts(_, prompts, _)) => Some(prompts),
        _ => None,
    };
    works(effects).into_iter().filter_map(job).next().unwrap_or_default()
}

fn template(name: &str, arguments: &str, text: &str) -> PromptTemplate {
    PromptTemplate {
        name: name.into(),
        description: format!("what {name} does"),
        arguments: arguments.into(),
        from: TemplateFrom::Shipped,
        path: None,
        text: text.into(),
        damage: None,
    }
}

/// The palette of prompts, with two templates.
fn slash(world: &mut World) {
    let effects = world.press("/");
    let (work, _) = asked(&effects).remove(0);
    let templates = vec![
        template("fix-tests", "", "Fix the tests."),
        template("look", "<file> <why>", "Look at $1: $2"),
    ];
    tells(world, work, ComposerNews::Templates(templates));
}

#[test]
fn a_slash_lists_templates_the_clis_commands_and_parlours_actions_under_their_headings() {
    let mut world = composing();
    let effects = world.press("/");
    assert!(world.picture().contains("looking for templates"), "{}", world.picture());
    let (work, _) = asked(&effects).remove(0);
    tells(
        &mut world,
        work,
        ComposerNews::Templates(vec![template("fix-tests", "", "Fix them.")]),
    );
    let picture = world.picture();
    for words in [
        "Templates",
        "/fix-tests",
        "shipped",
        "Claude Code",
        "/compact [instructions]",
    ] {
        assert!(picture.contains(words), "{words}: {picture}");
    }
    world.press("r e s t a r t");
    let picture = world.picture();
    assert!(
        picture.contains("Restart the agent") && !picture.contains("/compact"),
        "{picture}"
    );
    world.press("esc");
    assert_eq!(world.view().surface(), Surface::Composer);
    assert_eq!(text(&mut world), "");
}

#[test]
fn a_template_becomes_the_text_of_the_field() {
    let mut world = composing();
    slash(&mut world);
    let effects = world.press("f i x enter");
    let Some((work, ComposerAsk::Fill { name, arguments, .. })) = asked(&effects).into_iter().next() else {
        panic!("{effects:?}");
    };
    assert_eq!((name.as_str(), arguments.len()), ("fix-tests", 0));
    let prompt = TemplatePrompt {
        text: "Fix the tests.".into(),
        notes: vec!["its commands are not run".into()],
    };
    tells(&mut world, work, ComposerNews::Filled(prompt));
    assert_eq!(text(&mut world), "Fix the tests.");
    assert!(world.picture().contains("its commands are not run"));
    assert_eq!(world.view().surface(), Surface::Composer);
}

#[test]
fn a_template_asks_for_arguments_that_it_cannot_do_without() {
    let mut world = composing();
    slash(&mut world);
    assert!(asked(&world.press("l o o k enter")).is_empty());
    let picture = world.picture();
    assert!(
        picture.contains("$1") && picture.contains("<file>") && picture.contains("<why>"),
        "{picture}"
    );
    world.calm();
    assert!(asked(&world.press("a . r s enter enter")).is_empty());
    assert!(world.picture().contains("it needs <why> ($2)"), "{}", world.picture());
    let effects = world.press("i t space b r o k e enter");
    let Some((_, ComposerAsk::Fill { arguments, .. })) = asked(&effects).into_iter().next() else {
        panic!("{effects:?}");
    };
    assert_eq!(arguments, ["a.rs", "it broke"]);
}

#[test]
fn a_template_that_cannot_be_filled_says_why() {
    let mut world = composing();
    slash(&mut world);
    let effects = world.press("f i x enter");
    let (work, _) = asked(&effects).remove(0);
    world.done(work, Outcome::Failed(problem("the clone is gone")));
    assert!(world.picture().contains("the clone is gone"), "{}", world.picture());
}

#[test]
fn what_is_no_command_is_text() {
    let mut world = composing();
    slash(&mut world);
    world.press("e t c / h o s t s enter");
    assert_eq!(text(&mut world), "/etc/hosts");
}

#[test]
fn a_command_of_the_cli_is_typed_as_it_is() {
    let mut world = composing();
    slash(&mut world);
    let effects = world.press("c o n t e x t enter");
    assert_eq!(typed(&written(&mut world, effects)), ["/context"]);
    // What it shows is in the CLI's terminal.
    assert_eq!(world.view().sheet(), None);
}

#[test]
fn a_command_with_words_is_finished_in_the_field_and_waits_for_the_end_of_the_turn() {
    let mut world = composing();
    world.hook(submitted("by hand"));
    slash(&mut world);
    world.press("c o m p a c t enter");
    assert_eq!(text(&mut world), "/compact ");
    world.calm();
    assert!(
        world.picture().contains("typed into its CLI as it is"),
        "{}",
        world.picture()
    );
    world.press("s h o r t");
    let effects = world.press("enter");
    assert!(typed(&written(&mut world, effects)).is_empty());
    assert_eq!(typed(&world.hook(turn_ended(0))), ["/compact short"]);
}

#[test]
fn a_text_of_several_lines_is_no_command() {
    let mut world = composing();
    world.paste("/compact\nis what I would say");
    let effects = world.press("enter");
    assert!(!prompts(&effects)[0].command);
    assert_eq!(typed(&written(&mut world, effects)), [" /compact\nis what I would say"]);
}

#[test]
fn an_at_completes_files() {
    let mut world = composing();
    let effects = world.press("s e e space @");
    let Some((work, ComposerAsk::Files(wanted))) = asked(&effects).into_iter().next() else {
        panic!("{effects:?}");
    };
    assert_eq!(wanted, "");
    // One question at a time.
    assert!(asked(&world.press("s e s")).is_empty());
    let effects = tells(
        &mut world,
        work,
        ComposerNews::Files("".into(), vec!["projects/grove/a.rs".into()]),
    );
    let Some((work, ComposerAsk::Files(wanted))) = asked(&effects).into_iter().next() else {
        panic!("{effects:?}");
    };
    assert_eq!(wanted, "ses");
    let files = vec![
        "projects/grove/src/session.rs".into(),
        "projects/grove/sessions.md".into(),
    ];
    tells(&mut world, work, ComposerNews::Files("ses".into(), files));
    assert!(
        world.picture().contains("@projects/grove/sessions.md"),
        "{}",
        world.picture()
    );
    world.press("down tab");
    assert_eq!(text(&mut world), "see @projects/grove/sessions.md ");
    assert!(!world.view().composer.is_completing());
}

#[test]
fn an_at_leads_to_other_chats() {
    let mut world = World::morning(120, 40);
    world.press("t enter @");
    assert!(
        world.picture().contains("another chat's last words"),
        "{}",
        world.picture()
    );
    world.press("c h a tab");
    let picture = world.picture();
    assert!(
        picture.contains("@chat:try-redis") && !picture.contains("@chat:fix-auth-bug"),
        "{picture}"
    );
    world.press("r e d i s tab");
    assert_eq!(text(&mut world), "@chat:try-redis ");
}

#[test]
fn enter_takes_the_marked_offer_and_sends_a_word_that_is_whole() {
    let mut world = composing();
    let (work, _) = asked(&world.press("@")).remove(0);
    world.press("c a");
    let effects = tells(&mut world, work, ComposerNews::Files("".into(), Vec::new()));
    let (work, _) = asked(&effects).remove(0);
    let files = vec!["projects/grove/calendar.py".into()];
    tells(&mut world, work, ComposerNews::Files("ca".into(), files));
    let offers = world.view().composer.completion.as_ref().unwrap().offers();
    let offers: Vec<String> = offers.map(|offer| offer.word.clone()).collect();
    assert_eq!(
        offers,
        ["@projects/grove/calendar.py", "@chat:"],
        "a word that begins so comes first"
    );
    assert!(prompts(&world.press("enter")).is_empty());
    assert_eq!(text(&mut world), "@projects/grove/calendar.py ");
    world.press("ctrl+u");
    world.paste("see @diff");
    assert!(world.picture().contains("Enter send"), "{}", world.picture());
    world.press("enter");
    assert_eq!(text(&mut world), "");
}

#[test]
fn earlier_prompts_are_gone_through_from_any_line() {
    let mut world = composing();
    world.paste("one\ntwo\nthree");
    world.press("up");
    let (work, _) = asked(&world.press("ctrl+p")).remove(0);
    tells(&mut world, work, ComposerNews::Prompts(vec!["a\nb".into(), "c".into()]));
    assert_eq!(text(&mut world), "a\nb");
    world.press("ctrl+p");
    assert_eq!(text(&mut world), "c");
    world.press("ctrl+n ctrl+n");
    assert_eq!(text(&mut world), "one\ntwo\nthree");
}

#[test]
fn what_is_offered_can_be_left_and_the_word_sent_as_it_is() {
    let mut world = composing();
    world.press("@ d i");
    assert!(world.picture().contains("@diff"), "{}", world.picture());
    world.press("esc");
    assert!(!world.view().composer.is_completing());
    assert_eq!(world.view().surface(), Surface::Composer);
    let effects = world.press("enter");
    assert_eq!(prompts(&effects)[0].text, "@di");
}

#[test]
fn what_a_prompt_names_is_put_below_it() {
    let mut world = composing();
    world.paste("Review @diff and @todos");
    let effects = world.press("enter");
    let Some((
        work,
        ComposerAsk::Attach {
            number,
            kind,
            text: sent,
            ..
        },
    )) = asked(&effects).into_iter().next()
    else {
        panic!("{effects:?}");
    };
    assert_eq!(
        (sent.as_str(), text(&mut world).as_str()),
        ("Review @diff and @todos", "")
    );
    let whole = "Review @diff and @todos\n\n@diff:\n+ 1".to_string();
    let news = ComposerNews::Attached {
        number,
        kind,
        text: whole.clone(),
    };
    let effects = tells(&mut world, work, news);
    assert_eq!(prompts(&effects)[0].text, whole);
}

#[test]
fn what_cannot_be_put_below_it_is_told_and_the_prompt_stays() {
    let mut world = composing();
    world.paste("Review @diff");
    let effects = world.press("enter");
    let (work, _) = asked(&effects).remove(0);
    world.done(work, Outcome::Failed(problem("git says no")));
    assert_eq!(text(&mut world), "Review @diff");
    assert!(world.picture().contains("git says no"), "{}", world.picture());
    world.press("ctrl+u");
    world.paste("Ask @chat:nobody");
    assert!(asked(&world.press("enter")).is_empty());
    assert_eq!(text(&mut world), "Ask @chat:nobody");
}

#[test]
fn a_file_that_is_dropped_is_named() {
    let mut world = composing();
    world.press("s e e space");
    world.paste("/home/mia/shot.png");
    assert_eq!(text(&mut world), "see @/home/mia/shot.png ");
}

#[test]
fn a_long_prompt_is_written_in_the_persons_own_editor() {
    let mut world = composing();
    world.press("h a l f");
    let effects = world.press("ctrl+g");
    let (number, job) = works(&effects).remove(0);
    assert!(matches!(job, Work::Script(ScriptWork::Edit { prompt: Some(text), .. }) if text == "half"));
    world.editor_starts(number, "half");
    assert_eq!(world.view().surface(), Surface::Terminal);
    let ended = ScriptDone::Written {
        how: ScriptEnding::Exited(0),
        text: "half of it\nand the rest\n".into(),
    };
    world.updates(Event::Done(number, Outcome::Script(ended)));
    assert_eq!(text(&mut world), "half of it\nand the rest");
    assert_eq!(world.view().surface(), Surface::Composer);
}

#[test]
fn a_command_that_was_typed_is_not_typed_again_after_a_kill() {
    let mut world = composing();
    slash(&mut world);
    let effects = world.press("c o n t e x t enter");
    written(&mut world, effects);
    let kept = &world.state.domain.disk.chats[&id("auth")].record.prompts;
    assert!(kept.is_empty(), "{kept:?}");
}

#[test]
fn an_agent_is_told_to_sum_up_by_its_clis_own_command_once_its_turn_has_ended() {
    let mut world = composing();
    world.press("esc");
    world.hook(submitted("by hand"));
    let effects = world.press(": c o m p a c t enter");
    assert!(typed(&written(&mut world, effects)).is_empty());
    assert_eq!(typed(&world.hook(turn_ended(0))), ["/compact"]);
}

#[test]
fn files_are_offered_though_the_answer_to_an_earlier_at_comes_first() {
    let mut world = composing();
    let (stale, _) = asked(&world.press("@")).remove(0);
    world.press("backspace");
    let (work, _) = asked(&world.paste("@b")).remove(0);
    tells(&mut world, stale, ComposerNews::Files("".into(), vec!["a.rs".into()]));
    let files = vec!["projects/b.rs".into()];
    tells(&mut world, work, ComposerNews::Files("b".into(), files));
    assert!(world.picture().contains("@projects/b.rs"), "{}", world.picture());
}

#[test]
fn a_draft_that_comes_by_itself_is_seen_before_one_goes_in() {
    let mut world = World::morning(120, 40);
    world.press("t");
    for draft in ["add docs", ""] {
        world.edits("auth", |chat| chat.record.set.draft = draft.into());
        let foot = world
            .picture()
            .lines()
            .filter(|line| line.contains('›'))
            .collect::<String>();
        assert_eq!(foot.contains("› add docs"), !draft.is_empty(), "{foot}");
    }
}
