//! Prompts that a person writes below the transcript.

use parlour::domain::chat::work::ChatWork;
use parlour::domain::event::{ClientEvent, Observed, Outcome};
use parlour::domain::work::{JournalWork, Read, ReadDone, ShownContent, ShownRead, Work};
use parlour::domain::{Effect, Event, PaneOrder};
use parlour::model::compose::{ComposerAsk, ComposerNews};
use parlour::model::{Capabilities, WorkId};
use parlour::screen::surface::Surface;

use crate::support::composing::{composing, text, written};
use crate::support::events::{claude, problem, session, submitted, typed, works};
use crate::support::world::{ME, World, id};

fn write(world: &mut World, text: &str) {
    world.paste(text);
}

/// The prompts that are to be written down, by the work that does it.
fn prompts(effects: &[Effect]) -> Vec<(WorkId, Vec<String>)> {
    let job = |(work, job): (WorkId, Work)| match job {
        Work::Journal(JournalWork::Prompts(_, prompts, _)) => {
            Some((work, prompts.into_iter().map(|prompt| prompt.text).collect()))
        }
        _ => None,
    };
    works(effects).into_iter().filter_map(job).collect()
}

/// What is written of drafts, and the work that does it.
fn drafts(effects: &[Effect]) -> Vec<(WorkId, String)> {
    let job = |(work, job): (WorkId, Work)| match job {
        Work::Chat(ChatWork::Draft { text, .. }) => Some((work, text)),
        _ => None,
    };
    works(effects).into_iter().filter_map(job).collect()
}

#[test]
fn a_prompt_goes_from_the_composer_to_the_agent() {
    let mut world = composing();
    write(&mut world, "fix the login");
    let effects = world.press("enter");
    assert_eq!(prompts(&effects)[0].1, ["fix the login"]);
    assert_eq!(text(&mut world), "");
    assert_eq!(typed(&written(&mut world, effects)), ["fix the login"]);
}

#[test]
fn alt_enter_sends_it_when_the_turn_ends() {
    let mut world = composing();
    write(&mut world, "and then the tests");
    let effects = world.press("alt+enter");
    let Some((_, Work::Journal(JournalWork::Prompts(_, prompts, _)))) = works(&effects).into_iter().next() else {
        panic!("{effects:?}");
    };
    assert!(prompts[0].follow_up);
}

#[test]
fn what_cannot_be_stored_is_told_and_stays_in_the_field() {
    let mut world = composing();
    write(&mut world, "fix the login");
    let effects = world.press("enter");
    write(&mut world, "and the tests");
    let (work, _) = prompts(&effects).remove(0);
    world.done(work, Outcome::Failed(problem("the disk is full")));
    assert_eq!(text(&mut world), "fix the login\nand the tests");
    assert!(world.picture().contains("the disk is full"), "{}", world.picture());
    assert!(world.state.domain.live.agents[&id("auth")].outbox.queue.is_empty());
    // Said until something is changed.
    world.press("x");
    assert!(!world.picture().contains("the disk is full"));
}

#[test]
fn what_is_too_long_is_told_and_stays_in_the_field() {
    let mut world = composing();
    write(&mut world, &"long line\n".repeat(60 << 10));
    assert!(prompts(&world.press("enter")).is_empty());
    assert!(text(&mut world).len() >= 600_000);
    assert!(world.picture().contains("a prompt may have 512"), "{}", world.picture());
}

#[test]
fn nothing_is_sent_where_nothing_is_written() {
    let mut world = composing();
    write(&mut world, " \n ");
    assert!(prompts(&world.press("enter")).is_empty());
    assert_eq!(text(&mut world), " \n ");
}

#[test]
fn a_draft_belongs_to_its_chat_and_is_written_down() {
    let mut world = composing();
    world.chat("docs", "docs", 2);
    world.press("f i x");
    assert!(drafts(&world.later(200)).is_empty());
    let effects = world.later(100);
    assert_eq!(drafts(&effects)[0].1, "fix");
    written(&mut world, effects);
    // Nothing changed since.
    assert!(drafts(&world.later(2_000)).is_empty());
    world.press("! esc tab j");
    assert_eq!(world.selected(), "docs");
    assert_eq!(text(&mut world), "");
    world.press("k");
    assert_eq!(text(&mut world), "fix!");
}

#[test]
fn a_chat_that_is_left_is_written_down_at_once() {
    let mut world = composing();
    world.chat("docs", "docs", 2);
    world.press("f i x");
    world.press("esc tab");
    assert_eq!(drafts(&world.press("j"))[0].1, "fix");
}

#[test]
fn a_person_who_leaves_finds_the_draft_again() {
    let mut world = composing();
    world.press("f i x");
    let effects = world.updates(Event::Client(ME, ClientEvent::Gone));
    assert_eq!(drafts(&effects)[0].1, "fix");
    written(&mut world, effects);
    world.attach_to(ME, "auth");
    world.press("ctrl+q esc t");
    assert!(world.picture().contains("› fix"), "{}", world.picture());
}

#[test]
fn what_is_sent_is_no_draft_any_more() {
    let mut world = composing();
    write(&mut world, "fix");
    let effects = world.later(1_000);
    written(&mut world, effects);
    let effects = world.press("enter");
    let effects = written(&mut world, effects);
    assert_eq!(drafts(&effects)[0].1, "");
}

/// The worker finds these.
fn found(world: &mut World, effects: &[Effect], prompts: &[&str]) {
    let (work, job) = works(effects).remove(0);
    assert_eq!(
        job,
        Work::Read(Read::Shown(ShownRead::Compose(id("auth"), ComposerAsk::Prompts)))
    );
    let prompts = prompts.iter().map(|prompt| prompt.to_string()).collect();
    let prompts = ShownContent::Compose(id("auth"), ComposerNews::Prompts(prompts));
    world.done(work, Outcome::Read(ReadDone::Shown(prompts)));
}

#[test]
fn earlier_prompts_are_gone_through_from_the_first_line() {
    let mut world = composing();
    world.press("h a l f");
    let effects = world.press("up");
    found(&mut world, &effects, &["third", "second\nwith more", "first"]);
    assert_eq!(text(&mut world), "third");
    world.press("up");
    assert_eq!(text(&mut world), "second\nwith more");
    world.press("up up");
    assert_eq!(text(&mut world), "first");
    world.press("down");
    assert_eq!(text(&mut world), "second\nwith more");
    world.press("down");
    assert_eq!(text(&mut world), "third");
    world.press("down");
    assert_eq!(text(&mut world), "half");
    // It is no history from then on.
    assert!(works(&world.press("down")).is_empty());
}

#[test]
fn an_earlier_prompt_is_sent_again_and_the_draft_is_back() {
    let mut world = composing();
    world.press("h a l f");
    let effects = world.press("up");
    found(&mut world, &effects, &["third"]);
    assert_eq!(prompts(&world.press("enter"))[0].1, ["third"]);
    assert_eq!(text(&mut world), "half");
}

#[test]
fn it_grows_to_six_lines_and_takes_a_paste_of_any_size() {
    let mut world = composing();
    let height = |world: &mut World| {
        parlour::screen::tab::transcript::place::areas(world.view())
            .composer
            .height
    };
    assert_eq!(height(&mut world), 2);
    world.press("a ctrl+j b shift+enter c");
    assert_eq!(text(&mut world), "a\nb\nc");
    assert_eq!(height(&mut world), 4);
    let lines: Vec<String> = (0..5_000).map(|line| format!("line {line}")).collect();
    write(&mut world, &lines.join("\n"));
    assert_eq!(height(&mut world), 7);
    assert!(world.picture().contains("line 4999"), "{}", world.picture());
    assert_eq!(text(&mut world).lines().count(), 5_002);
}

#[test]
fn a_click_goes_in_and_esc_or_a_click_elsewhere_goes_out() {
    let mut world = composing();
    world.press("esc");
    let composer = parlour::screen::tab::transcript::place::areas(world.view()).composer;
    world.click(composer.x + 5, composer.bottom() - 1);
    assert_eq!(world.view().surface(), Surface::Composer);
    world.click(composer.x + 5, composer.y - 3);
    assert_ne!(world.view().surface(), Surface::Composer);
    world.click(composer.x + 5, composer.bottom() - 1);
    world.press("ctrl+q b");
    assert_eq!(world.view().surface(), Surface::Composer);
}

/// The same while a turn goes on, with these prompts for its end.
fn busy(prompts: &[&str]) -> World {
    let mut world = composing();
    world.hook(submitted("by hand"));
    for prompt in prompts {
        world.paste(prompt);
        let effects = world.press("alt+enter");
        written(&mut world, effects);
        world.after(10);
    }
    world
}

fn chips(world: &mut World) -> Vec<String> {
    let chips = world.view().composer.chips.iter();
    chips
        .map(|chip| format!("{} {}", chip.kind.word(), chip.words))
        .collect()
}

#[test]
fn a_prompt_steers_an_agent_at_work_and_a_follow_up_waits_as_a_chip() {
    let mut world = busy(&["and then the tests"]);
    assert_eq!(chips(&mut world), ["follow-up and then the tests"]);
    assert!(
        world.picture().contains("sent when this turn ends"),
        "{}",
        world.picture()
    );
    world.paste("not in src");
    let effects = world.press("enter");
    assert_eq!(typed(&written(&mut world, effects)), ["not in src"]);
    assert_eq!(chips(&mut world), ["follow-up and then the tests"]);
}

/// A prompt is written for an agent at work whose CLI takes none meanwhile.
fn without_steering() -> World {
    let mut world = World::unwatched(&["auth"]);
    let capabilities = Capabilities {
        queues: false,
        ..claude()
    };
    world.run("auth", capabilities);
    world.happens(Event::Observed(id("auth"), Observed::McpConnected));
    world.hook(session("startup"));
    world.hook(submitted("by hand"));
    world.attach_to(ME, "auth");
    world.press("ctrl+q esc t enter");
    world.paste("not in src");
    world
}

#[test]
fn where_the_cli_takes_no_prompt_into_a_turn_that_is_said() {
    let mut world = without_steering();
    let effects = world.press("enter");
    assert!(typed(&written(&mut world, effects)).is_empty());
    assert_eq!(chips(&mut world), ["steer not in src"]);
    let why = "its CLI takes no prompt while it works: sent when this turn ends";
    assert_eq!(world.view().composer.chips[0].why, why);
}

#[test]
fn a_prompt_for_an_agent_without_a_turn_begins_one() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", claude());
    world.attach_to(ME, "auth");
    world.press("ctrl+q esc t enter");
    world.paste("not in src");
    let effects = world.press("enter");
    assert!(typed(&written(&mut world, effects)).is_empty());
    assert!(world.picture().contains("> next not in src"), "{}", world.picture());
    world.happens(Event::Observed(id("auth"), Observed::McpConnected));
    world.hook(session("startup"));
    world.hook(submitted("by hand"));
    world.look();
    assert!(!world.picture().contains("> next"), "{}", world.picture());
}

#[test]
fn a_chip_is_taken_back_into_the_field_before_what_stands_there() {
    let mut world = busy(&["one", "two"]);
    world.paste("more");
    world.press("up");
    assert_eq!(world.view().surface(), Surface::Queued);
    let effects = world.press("enter");
    assert_eq!(prompts(&effects)[0].1, ["one"]);
    assert_eq!(text(&mut world), "two\nmore");
    assert_eq!(world.view().surface(), Surface::Composer);
    // It stands nowhere else.
    assert_eq!(drafts(&effects)[0].1, "two\nmore");
    written(&mut world, effects);
    assert_eq!(chips(&mut world), ["follow-up one"]);
}

#[test]
fn a_chip_that_is_written_anew_keeps_its_kind_and_its_place() {
    let mut world = busy(&["one", "two", "three"]);
    world.press("up up");
    let effects = world.press("enter");
    written(&mut world, effects);
    assert_eq!(chips(&mut world), ["follow-up one", "follow-up three"]);
    world.paste(" and more");
    let effects = world.press("enter");
    assert_eq!(typed(&written(&mut world, effects)), [""; 0], "it is no steer now");
    let anew = ["follow-up one", "follow-up two and more", "follow-up three"];
    assert_eq!(chips(&mut world), anew);
    assert_eq!(world.on_disk("auth").record.prompts[1].text, "two and more");
}

#[test]
fn the_other_key_sends_what_was_taken_back_in_the_other_way_and_the_last_row_says_so() {
    let mut world = busy(&["one", "two"]);
    world.press("up");
    let effects = world.press("enter");
    written(&mut world, effects);
    let says = |world: &World| {
        let picture = world.picture();
        let row = picture.lines().find(|line| line.contains(" PROMPT "));
        row.unwrap_or_default().to_owned()
    };
    let row = says(&world);
    assert!(row.contains("Enter keep it after the turn"), "{row}");
    assert!(row.contains("Alt+Enter steer"), "{row}");
    let effects = world.press("alt+enter");
    assert_eq!(typed(&written(&mut world, effects)), ["two"]);
    assert_eq!(chips(&mut world), ["follow-up one"]);
    assert!(says(&world).contains("Enter steer"), "{}", says(&world));
    // One that waits as a steer is made a follow-up.
    let mut world = without_steering();
    for keys in ["enter", "up enter", "alt+enter"] {
        let effects = world.press(keys);
        written(&mut world, effects);
    }
    assert_eq!(chips(&mut world), ["follow-up not in src"]);
}

#[test]
fn what_is_written_in_a_field_that_was_emptied_is_another_prompt() {
    let mut world = busy(&["one", "two"]);
    world.press("up");
    let effects = world.press("enter");
    written(&mut world, effects);
    world.press("backspace backspace backspace");
    world.paste("steer");
    let effects = world.press("enter");
    assert_eq!(typed(&written(&mut world, effects)), ["steer"]);
}

#[test]
fn chips_are_moved_turned_and_removed() {
    let mut world = busy(&["one", "two", "three"]);
    let mut press = |keys: &str| {
        let effects = world.press(keys);
        written(&mut world, effects);
        chips(&mut world)
    };
    press("up");
    assert_eq!(press("K"), ["follow-up one", "follow-up three", "follow-up two"]);
    assert_eq!(press("J"), ["follow-up one", "follow-up two", "follow-up three"]);
    press("k");
    assert_eq!(press("x"), ["follow-up one", "follow-up three"]);
    // What is turned into a steer goes at once.
    press("k");
    assert_eq!(press("f"), ["follow-up three"]);
}

#[test]
fn behind_the_chips_is_the_field_and_before_them_what_was_sent() {
    let mut world = busy(&["one", "two"]);
    world.press("up k");
    assert_eq!(world.view().composer.chosen_chip().unwrap().words, "one");
    world.press("j j");
    assert_eq!(world.view().surface(), Surface::Composer);
    world.press("up k");
    let effects = world.press("k");
    found(&mut world, &effects, &["earlier"]);
    assert_eq!(text(&mut world), "earlier");
    // What is typed at a chip goes into the field.
    world.press("ctrl+u");
    world.press("up");
    world.paste("typed");
    assert_eq!(text(&mut world), "typed");
}

#[test]
fn a_change_that_cannot_be_stored_is_told() {
    let mut world = busy(&["one"]);
    let effects = world.press("up x");
    let (work, _) = prompts(&effects).remove(0);
    world.done(work, Outcome::Failed(problem("the disk is full")));
    assert!(world.picture().contains("the disk is full"), "{}", world.picture());
}

#[test]
fn a_click_chooses_a_chip() {
    let mut world = busy(&["one", "two"]);
    let composer = parlour::screen::tab::transcript::place::areas(world.view()).composer;
    world.click(composer.x + 3, composer.y + 1);
    assert_eq!(world.view().composer.chosen_chip().unwrap().words, "one");
}

#[test]
fn the_last_prompt_is_sent_again_by_a_key() {
    let mut world = composing();
    world.press("h a l f esc");
    let effects = world.press(".");
    let (work, _) = works(&effects).remove(0);
    let prompts = ShownContent::Compose(id("auth"), ComposerNews::Prompts(vec!["last".into(), "first".into()]));
    let effects = world.done(work, Outcome::Read(ReadDone::Shown(prompts)));
    assert_eq!(typed(&written(&mut world, effects)), ["last"]);
    assert_eq!(text(&mut world), "half");
}

#[test]
fn the_turn_is_interrupted_from_the_composer() {
    let mut world = busy(&[]);
    let effects = world.press("ctrl+c");
    assert!(
        effects
            .iter()
            .any(|effect| matches!(effect, Effect::Pane(_, PaneOrder::Input(_)))),
        "{effects:?}"
    );
}

#[test]
fn what_is_written_is_taken_back_before_anybody_is_interrupted() {
    let mut world = busy(&[]);
    let interrupts = |effects: &[Effect]| {
        let types = |effect: &Effect| matches!(effect, Effect::Pane(_, PaneOrder::Input(_)));
        effects.iter().any(types)
    };
    assert!(!interrupts(&world.press("h a l f ctrl+c")));
    assert_eq!(text(&mut world), "");
    world.press("up");
    assert_eq!(text(&mut world), "half");
    assert!(!interrupts(&world.press("ctrl+c")));
    assert!(interrupts(&world.press("ctrl+c")));
}

/// Prompts that were sent before are gone through, with a draft in the field.
fn browsing(world: &mut World) {
    let effects = world.press("home up");
    let (work, _) = works(&effects)
        .into_iter()
        .find(|(_, job)| matches!(job, Work::Read(Read::Shown(ShownRead::Compose(..)))))
        .expect("they are looked up");
    let news = ComposerNews::Prompts(vec!["an old prompt".into()]);
    let shown = ShownContent::Compose(id("auth"), news);
    world.done(work, Outcome::Read(ReadDone::Shown(shown)));
    assert_eq!(text(world), "an old prompt");
}

#[test]
fn what_cannot_be_stored_comes_back_before_the_draft_and_not_before_a_prompt_that_is_browsed() {
    let mut world = composing();
    write(&mut world, "fix the login");
    let effects = world.press("enter");
    let (work, _) = prompts(&effects).remove(0);
    write(&mut world, "my draft");
    browsing(&mut world);
    world.done(work, Outcome::Failed(problem("the disk is full")));
    assert_eq!(text(&mut world), "fix the login\nmy draft");
}
