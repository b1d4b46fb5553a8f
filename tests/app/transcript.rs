//! Reading a transcript: what is loaded, what is followed, where one is.

use parlour::domain::effect::Effect;
use parlour::domain::event::{Event, Outcome};
use parlour::domain::work::{Read, ReadDone, ScriptWork, ShownContent, ShownRead, Work};
use parlour::model::entry::From;
use parlour::model::transcript::PageAt;
use parlour::model::{Entry, Happened};
use parlour::screen::keymap::PaneSheet;
use parlour::screen::layout;
use parlour::screen::view::Tab;

use crate::support::events::jobs;
use crate::support::transcript::{Paper, appended, numbered, prompt, read, said};
use crate::support::world::{ME, World, id};

/// A prompt every ten entries.
fn long(count: usize) -> Paper {
    let what = |at: usize| match at % 10 {
        0 => prompt(&format!("prompt {at}"), From::Person),
        _ => said(&format!("answer {at}")),
    };
    Paper {
        entries: numbered((0..count).map(what).collect()),
        gap_behind: None,
        is_terminal_gone: false,
    }
}

fn more(after: u64, words: &str) -> Vec<Entry> {
    let mut entries = numbered(vec![said(words)]);
    entries[0].seq = after + 1;
    entries
}

fn press(world: &mut World, paper: &Paper, keys: &str) -> Vec<PageAt> {
    let mut asked = Vec::new();
    for key in keys.split(' ') {
        let effects = world.press(key);
        asked.extend(paper.answer(world, effects));
    }
    asked
}

#[test]
fn it_is_read_from_the_end_and_further_back_as_one_scrolls() {
    let paper = long(1_000);
    let mut world = World::morning(120, 40);
    let effects = world.press("t");
    assert_eq!(paper.answer(&mut world, effects)[0], PageAt::End);
    assert!(world.picture().contains("answer 999"));
    let asked = press(&mut world, &paper, &["pageup"; 12].join(" "));
    press(&mut world, &paper, &["up"; 4].join(" "));
    assert!(
        asked.iter().all(|at| matches!(at, PageAt::Before(_))) && !asked.is_empty(),
        "{asked:?}"
    );
    // Turns are counted through the whole transcript.
    let picture = world.picture();
    assert!(
        picture.contains("── 81 ─") && picture.contains("> prompt 800"),
        "{picture}"
    );
    assert_eq!(press(&mut world, &paper, "g")[0], PageAt::Start);
    assert!(world.picture().contains("── 1 ─"), "{}", world.picture());
}

fn paper(told: Vec<Happened>) -> Paper {
    Paper {
        entries: numbered(told),
        gap_behind: None,
        is_terminal_gone: false,
    }
}

#[test]
fn a_prompt_that_steers_stands_within_its_turn_and_counts_for_none() {
    let mut steer = prompt("not in src", From::Person);
    if let Happened::Prompt { steer, .. } = &mut steer {
        *steer = true;
    }
    let told = vec![
        prompt("fix it", From::Person),
        said("I look."),
        steer,
        said("So not there."),
    ];
    let told = told.into_iter().chain([prompt("go on", From::Person), said("Gone.")]);
    let picture = read(120, 40, &paper(told.collect())).picture();
    assert!(
        picture.contains("↪ not in src") && picture.contains("> go on"),
        "{picture}"
    );
    assert!(picture.contains("── 2 ─") && !picture.contains("── 3 ─"), "{picture}");
}

#[test]
fn retries_that_follow_each_other_are_one_row_that_counts() {
    let retry = |attempt| Happened::Retry {
        message: "overloaded".into(),
        attempt,
        attempts: Some(10),
        until: None,
    };
    let told = [
        prompt("fix it", From::Person),
        retry(1),
        retry(2),
        retry(3),
        said("There."),
    ];
    let picture = read(120, 40, &paper(told.into())).picture();
    assert_eq!(picture.matches("overloaded").count(), 1, "{picture}");
    assert!(picture.contains("attempt 3 of 10"), "{picture}");
}

#[test]
fn the_view_sticks_to_the_end_only_when_it_is_there() {
    let paper = long(100);
    let mut world = read(120, 40, &paper);
    appended(&mut world, &id("auth"), more(100, "one more"));
    assert!(world.picture().contains("│   one more"));
    press(&mut world, &paper, "up up");
    appended(&mut world, &id("auth"), more(101, "and another"));
    // The sidebar has it.
    assert!(!world.picture().contains("│   and another"));
    assert!(world.picture().contains("1 new"), "{}", world.picture());
    press(&mut world, &paper, "G");
    assert!(world.picture().contains("│   and another"));
    assert!(!world.picture().contains(" new "));
}

#[test]
fn what_is_appended_while_the_end_is_read_is_not_lost() {
    let paper = long(20);
    let mut world = World::morning(120, 40);
    let effects = world.press("t");
    appended(&mut world, &id("auth"), more(20, "meanwhile"));
    paper.answer(&mut world, effects);
    assert!(world.picture().contains("meanwhile"), "{}", world.picture());
}

#[test]
fn a_page_of_another_chat_changes_nothing() {
    let paper = long(20);
    let mut world = World::morning(120, 40);
    let asked = world.press("t");
    let Some(Effect::Work(number, Work::Read(Read::Shown(ShownRead::Page(chat, at))))) = asked.into_iter().next()
    else {
        panic!("its end is read");
    };
    world.press("tab");
    world.press("j");
    let done = ReadDone::Shown(ShownContent::Page(chat, paper.page(at)));
    world.happens(Event::Done(number, Outcome::Read(done)));
    assert!(!world.picture().contains("answer 19"));
}

#[test]
fn prompts_are_gone_to_by_keys_and_what_is_selected_is_copied() {
    let paper = long(100);
    let mut world = read(120, 40, &paper);
    press(&mut world, &paper, "[ [");
    let effects = world.press("y");
    assert!(
        matches!(&effects[..], [Effect::Clipboard(_, text)] if text == "prompt 80"),
        "{effects:?}"
    );
    assert!(matches!(&paper.entries[80].what, Happened::Prompt { .. }));
}

#[test]
fn a_jump_reads_on_until_it_finds_something() {
    let mut paper = long(1_000);
    paper.entries[30].what = Happened::Error {
        place: "Claude Code".into(),
        message: "it broke".into(),
        hint: String::new(),
        trouble: None,
    };
    let mut world = read(120, 40, &paper);
    press(&mut world, &paper, "{");
    assert!(world.picture().contains("it broke"), "{}", world.picture());
    press(&mut world, &paper, "{");
    assert!(
        world.picture().contains("There is no error above."),
        "{}",
        world.picture()
    );
}

#[test]
fn words_are_found_where_they_are_not_loaded() {
    let paper = long(1_000);
    let mut world = read(120, 40, &paper);
    press(&mut world, &paper, "/ a n s w e r space 1 2 1 enter");
    assert!(world.picture().contains("answer 121"), "{}", world.picture());
    assert!(world.picture().contains("/answer 121"));
    press(&mut world, &paper, "esc");
    assert!(!world.picture().contains("/answer 121"));
}

#[test]
fn a_search_counts_its_places_and_goes_around() {
    let paper = long(40);
    let mut world = read(120, 40, &paper);
    press(&mut world, &paper, "/ p r o m p t enter");
    let shown_as = |world: &World, words: &str, what: &str| {
        let picture = world.picture();
        let line = picture.lines().find(|line| line.contains(words)).unwrap_or_default();
        assert!(line.contains(what), "{what}: {picture}");
    };
    let shown = |world: &World, what: &str| shown_as(world, "/prompt", what);
    shown(&world, "4 of 4");
    press(&mut world, &paper, "N");
    shown(&world, "3 of 4");
    press(&mut world, &paper, "n n");
    shown(&world, "1 of 4");
    let told = |world: &World, what: &str| {
        let picture = world.picture();
        assert!(picture.contains(what), "{picture}");
    };
    told(&world, "From the top: below there is no more.");
    press(&mut world, &paper, "N");
    shown(&world, "4 of 4");
    told(&world, "From the end: above there is no more.");
    // What is not loaded is read first, and counts as more.
    let paper = long(1_000);
    let mut world = read(120, 40, &paper);
    press(&mut world, &paper, "/ p r o m p t enter");
    shown(&world, "+");
    let asked = press(&mut world, &paper, "n");
    assert_eq!(asked[0], PageAt::Start);
    assert!(world.picture().contains("> prompt 0"), "{}", world.picture());
    told(&world, "From the top: below there is no more.");
    let asked = press(&mut world, &paper, "N");
    assert_eq!(asked[0], PageAt::End);
    assert!(world.picture().contains("> prompt 990"), "{}", world.picture());
    press(&mut world, &paper, "/ z z enter");
    shown_as(&world, "/zz", "not found");
}

#[test]
fn links_in_sight_are_opened_and_copied_by_their_letters() {
    let long = format!("https://example.org/{}", "a/".repeat(80));
    let text = format!("It is [told](https://example.org/told) there.\n\n{long}\n\nSee src/lib.rs:12.");
    let paper = Paper {
        entries: numbered(vec![prompt("where", From::Person), said(&text)]),
        gap_behind: None,
        is_terminal_gone: false,
    };
    let mut world = read(120, 40, &paper);
    world.press(";");
    let picture = world.picture();
    assert!(
        picture.contains(" LINKS ") && picture.contains("arc/lib.rs:12"),
        "{picture}"
    );
    let Some(Work::Script(ScriptWork::Edit { file, .. })) = jobs(&world.press("a")).pop() else {
        panic!("an editor opens it");
    };
    assert!(file.is_some_and(|(path, line)| path.ends_with("src/lib.rs") && line == 12));
    let mut world = read(120, 40, &paper);
    // One that goes on in the next row is whole.
    assert_eq!(world.press("; S"), [Effect::Clipboard(ME, long)]);
    let told = Effect::Clipboard(ME, "https://example.org/told".into());
    world.press(": l i n k s enter");
    world.calm();
    assert_eq!(world.press("D"), [told]);
}

#[test]
fn the_blocks_of_code_in_sight_are_copied_one_after_another() {
    let text = "```sh\nls\n```\n\nthen\n\n```rust\nlet x = 1;\n```";
    let paper = Paper {
        entries: numbered(vec![prompt("how", From::Person), said(text)]),
        gap_behind: None,
        is_terminal_gone: false,
    };
    let mut world = read(120, 40, &paper);
    for expected in ["ls\n", "let x = 1;\n", "ls\n"] {
        let effects = world.press("c");
        assert!(
            matches!(&effects[..], [Effect::Clipboard(_, text)] if text == expected),
            "{effects:?}"
        );
    }
    let effects = world.press("Y");
    assert!(
        matches!(&effects[..], [Effect::Clipboard(_, copied)] if copied.starts_with("> how") && copied.contains(text))
    );
}

#[test]
fn a_bare_enter_in_the_search_ends_it() {
    let paper = long(20);
    let mut world = read(120, 40, &paper);
    press(&mut world, &paper, "/ enter");
    assert!(world.picture().contains("answer 19"));
}

#[test]
fn a_moment_of_the_terminal_follows_what_is_selected() {
    let paper = long(20);
    let mut world = read(120, 40, &paper);
    let moment = |effects: &[Effect]| match effects {
        [Effect::Work(_, Work::Read(Read::Shown(ShownRead::Moment(_, at))))] => Some(*at),
        _ => None,
    };
    press(&mut world, &paper, "k");
    let effects = world.press("m");
    assert_eq!(moment(&effects), Some(paper.entries[19].ts));
    paper.answer(&mut world, effects);
    assert!(world.picture().contains("Terminal as it was"), "{}", world.picture());
    let effects = world.press("k");
    assert_eq!(moment(&effects), Some(paper.entries[18].ts));
    paper.answer(&mut world, effects);
    press(&mut world, &paper, "esc");
    assert!(!world.picture().contains("Terminal as it was"));
    assert!(world.picture().contains("answer 18"));
}

#[test]
fn both_faces_have_a_place_where_the_screen_is_wide() {
    let paper = long(20);
    let mut world = read(120, 40, &paper);
    press(&mut world, &paper, "|");
    assert!(world.picture().contains("side by side from 160"), "{}", world.picture());
    let mut world = read(180, 40, &paper);
    let whole = layout::pane_size(world.view()).cols;
    press(&mut world, &paper, "|");
    assert!(layout::pane_size(world.view()).cols < whole);
    let both = world.picture();
    assert!(both.contains("Denied::Expired") && both.contains("answer 19"), "{both}");
    // The terminal has the keys, and the transcript goes on beside it.
    press(&mut world, &paper, "t");
    assert_eq!(world.view().tab, Tab::Terminal);
    appended(&mut world, &id("auth"), more(20, "one more"));
    assert!(world.picture().contains("   one more"), "{}", world.picture());
    // A click on the transcript selects there.
    let beside = layout::arrange(world.view()).beside.unwrap();
    world.later(500);
    world.click(beside.x + 5, beside.y + 3);
    assert_eq!(world.view().sheet_with_keys(), Some(PaneSheet::Transcript));
    assert!(world.view().transcript.selected.is_some());
}

#[test]
fn entries_of_kinds_that_nobody_knows_are_one_row_a_turn_which_opens() {
    let unknown = |kind: &str| {
        let line = format!("{{\"type\":\"{kind}\"}}");
        let fields = [("from", "Claude Code's transcript".to_string()), ("line", line)];
        let fields = fields.map(|(name, value)| (name.to_string(), value.into()));
        Happened::Unknown {
            fields: fields.into_iter().collect(),
        }
    };
    let paper = Paper {
        entries: numbered(vec![
            prompt("fix it", From::Person),
            unknown("api-request"),
            said("Looking."),
            unknown("tools-used"),
            unknown("atis-latch"),
            prompt("and this", From::Person),
            unknown("cost-state"),
            said("Done."),
        ]),
        gap_behind: None,
        is_terminal_gone: false,
    };
    let mut world = World::morning(120, 40);
    press(&mut world, &paper, "t");
    let picture = world.picture();
    assert!(
        picture.contains("▸ 3 entries that this parlour does not know"),
        "{picture}"
    );
    assert!(
        picture.contains("▸ 1 entry that this parlour does not know"),
        "{picture}"
    );
    assert!(!picture.contains("tools-used"), "{picture}");
    press(&mut world, &paper, "k k k k k space");
    let picture = world.picture();
    assert!(picture.contains("▾ 3 entries"), "{picture}");
    assert!(picture.contains("{\"type\":\"tools-used\"}"), "{picture}");
}

#[test]
fn words_that_are_only_below_are_found_too_and_that_is_said() {
    let paper = long(1_000);
    let mut world = read(120, 40, &paper);
    press(&mut world, &paper, "g");
    press(&mut world, &paper, "/ a n s w e r space 7 2 1 enter");
    let picture = world.picture();
    assert!(picture.contains("answer 721"), "{picture}");
    assert!(picture.contains("These words are not above"), "{picture}");
    press(&mut world, &paper, "/ x enter");
    assert!(
        world.picture().contains("There is no place with these words."),
        "{}",
        world.picture()
    );
}

#[test]
fn what_has_the_words_is_unfolded() {
    let thought = Happened::Thinking {
        id: "k".into(),
        text: "First this.\n\nThen about the login.".into(),
    };
    let paper = Paper {
        entries: numbered(vec![prompt("how", From::Person), thought, said("done")]),
        gap_behind: None,
        is_terminal_gone: false,
    };
    let mut world = read(120, 40, &paper);
    assert!(!world.picture().contains("about the login"));
    press(&mut world, &paper, "/ l o g i n enter");
    assert!(world.picture().contains("Then about the login."), "{}", world.picture());
}

#[test]
fn a_summary_is_folded_under_what_it_saved() {
    let summary = Happened::Summary {
        id: "s".into(),
        text: "We **keep** the zebra.".into(),
        before: Some(120_000),
        after: Some(740),
    };
    let paper = Paper {
        entries: numbered(vec![prompt("/compact", From::Person), summary]),
        gap_behind: None,
        is_terminal_gone: false,
    };
    let mut world = read(120, 40, &paper);
    let picture = world.picture();
    assert!(
        picture.contains("The summary that it goes on with · 120k → 740 tokens ▸"),
        "{picture}"
    );
    assert!(!picture.contains("zebra"), "{picture}");
    press(&mut world, &paper, "k space");
    assert!(world.picture().contains("We keep the zebra."), "{}", world.picture());
}

#[test]
fn one_wide_block_is_scrolled_and_the_others_stay() {
    let wide = format!("let wide = \"{}END\";", "x".repeat(200));
    let text = format!("```rust\n{wide}\nshort();\n```\n\nthen\n\n```python\nprint(1)\n```");
    let paper = Paper {
        entries: numbered(vec![prompt("how", From::Person), said(&text)]),
        gap_behind: None,
        is_terminal_gone: false,
    };
    let mut world = read(120, 40, &paper);
    press(&mut world, &paper, ["> "; 40].concat().trim_end());
    let picture = world.picture();
    assert!(picture.contains("END\";") && picture.contains("print(1)"), "{picture}");
    assert_eq!(picture.matches('‹').count(), 2, "{picture}");
    press(&mut world, &paper, ["< "; 40].concat().trim_end());
    let picture = world.picture();
    assert!(
        picture.contains("let wide") && picture.contains("short();") && !picture.contains('‹'),
        "{picture}"
    );
}

#[test]
fn a_prompt_of_many_lines_is_folded_until_it_is_opened() {
    let pasted: String = (0..3_000).map(|line| format!("pasted {line}\n")).collect();
    let paper = Paper {
        entries: numbered(vec![prompt(&pasted, From::Person), said("read")]),
        gap_behind: None,
        is_terminal_gone: false,
    };
    let mut world = read(120, 40, &paper);
    assert!(world.picture().contains("… 2940 more lines ▸"), "{}", world.picture());
    press(&mut world, &paper, "[ space");
    press(&mut world, &paper, "G");
    assert!(world.picture().contains("pasted 2999"), "{}", world.picture());
}
