//! The search of all transcripts and outputs.

use parlour::domain::Effect;
use parlour::domain::event::Outcome;
use parlour::domain::state::Then;
use parlour::domain::work::{Read, ReadDone, ReadThen, ShownContent, ShownRead, Work};
use parlour::model::entry::From;
use parlour::model::history::{
    Excerpt, HistoryAsk, HistoryHit, HistoryPage, HistoryPlace, HistoryQuery, HitKind, IndexProgress, SEARCHED, excerpt,
};
use parlour::model::output::{LinesAt, OutputWanted};
use parlour::model::{Problem, Timestamp, Zone};

use super::pictured;
use crate::support::events::works;
use crate::support::transcript::{Paper, numbered, prompt, said};
use crate::support::world::{World, id, noon};

fn hit(number: i64, (chat, minutes): (&str, i64), kind: HitKind, text: &str) -> HistoryHit {
    let sought = HistoryQuery::parse("token expired", noon(), Zone::default())
        .unwrap()
        .sought;
    HistoryHit {
        places: 1,
        place: HistoryPlace(number),
        chat: id(chat),
        seq: number.unsigned_abs(),
        at: Timestamp(noon().0 - minutes * 60_000),
        kind,
        tool: None,
        project: None,
        call: None,
        failed: false,
        output: None,
        excerpt: excerpt(text, &sought, 280),
    }
}

fn found() -> HistoryPage {
    let long = "running 41 tests\n".repeat(12);
    let mut failed = hit(
        90,
        ("auth", 4),
        HitKind::Output,
        &format!("{long}test session::expired_token_is_denied ... FAILED"),
    );
    failed = HistoryHit {
        tool: Some("Bash".into()),
        project: Some("grove".into()),
        call: Some(89),
        failed: true,
        output: Some(("outputs/t1".into(), 0)),
        ..failed
    };
    let mut mcp = hit(
        70,
        ("dates", 26 * 60),
        HitKind::Call,
        "How is a token that has expired told to the client?",
    );
    mcp.tool = Some("mcp__github__create_issue".into());
    let hits = vec![
        failed,
        hit(
            80,
            ("auth", 9),
            HitKind::Answer,
            "`decode` fails for an expired token, and the session unwrapped it.",
        ),
        mcp,
        hit(
            60,
            ("hello", 3 * 24 * 60),
            HitKind::Prompt,
            "修复过期的 token：expired 的会话 \u{202e}evil\u{1b}[31m",
        ),
        hit(
            50,
            ("rails", 40 * 24 * 60),
            HitKind::Error,
            "token expired; log in again",
        ),
        hit(
            40,
            ("gone", 400 * 24 * 60),
            HitKind::Note,
            "renamed to token that expired",
        ),
    ];
    HistoryPage {
        hits,
        more: Some(HistoryPlace(40)),
        ..HistoryPage::default()
    }
}

/// What the search waits for has come to this.
fn answered(world: &mut World, page: HistoryPage) -> Vec<Effect> {
    let work = waiting(world).pop().expect("it waits");
    world.done(work, Outcome::Read(ReadDone::Shown(ShownContent::History(page))))
}

fn waiting(world: &World) -> Vec<parlour::model::WorkId> {
    let waiting = world.state.domain.live.waiting.iter();
    let shown =
        waiting.filter(|(_, waiting)| matches!(&waiting.then, Then::Read(ReadThen::Show(ShownRead::History(_)))));
    let mut all: Vec<_> = shown.map(|(work, _)| *work).collect();
    all.sort_by_key(|work| work.0);
    all
}

fn asked(effects: &[Effect]) -> Option<HistoryAsk> {
    works(effects).into_iter().find_map(|(_, job)| match job {
        Work::Read(Read::Shown(ShownRead::History(ask))) => Some(ask),
        _ => None,
    })
}

fn opened(cols: u16, rows: u16) -> World {
    let mut world = World::morning(cols, rows);
    world.press("ctrl+f");
    answered(&mut world, HistoryPage::default());
    world
}

fn searched(cols: u16, rows: u16) -> World {
    let mut world = opened(cols, rows);
    world.paste("token expired");
    answered(&mut world, found());
    world
}

#[test]
fn what_was_found_stands_in_its_context() {
    pictured(
        "history.found",
        "Hits, the newest first, with the words marked; the first is chosen.",
        searched,
    );
    let what = "Another hit is chosen; what stands below comes into sight.";
    pictured("history.further", what, |cols, rows| {
        let mut world = searched(cols, rows);
        world.press("down down down down down");
        world
    });
}

#[test]
fn nothing_is_looked_for_nothing_is_found_and_a_filter_is_wrong() {
    pictured(
        "history.empty",
        "Nothing is typed yet: it says what is found here, and which filters there are.",
        opened,
    );
    pictured("history.none", "Nothing has these words.", |cols, rows| {
        let mut world = opened(cols, rows);
        world.paste("zebra");
        answered(&mut world, HistoryPage::default());
        world
    });
    pictured(
        "history.wrong",
        "A filter is misspelt: what there is stands there, and what was found stays.",
        |cols, rows| {
            let mut world = searched(cols, rows);
            world.paste(" tol:bash");
            world
        },
    );
}

#[test]
fn the_index_is_still_being_made() {
    pictured(
        "history.made",
        "How far the index has come; what is in it is found already.",
        |cols, rows| {
            let mut world = opened(cols, rows);
            world.paste("token expired");
            let pending = Some(IndexProgress {
                done: 43,
                whole: 100,
                chats_done: 340,
                chats: 1_000,
            });
            answered(&mut world, HistoryPage { pending, ..found() });
            world
        },
    );
}

#[test]
fn while_it_is_made_it_is_asked_again_and_what_is_chosen_stays() {
    let mut world = opened(120, 40);
    world.paste("token");
    let pending = Some(IndexProgress::default());
    let more = None;
    answered(
        &mut world,
        HistoryPage {
            pending,
            more,
            ..found()
        },
    );
    world.press("down");
    assert!(asked(&world.later(500)).is_none());
    assert!(asked(&world.later(600)).is_some());
    let mut more = found();
    more.hits.insert(0, hit(95, ("auth", 1), HitKind::Note, "a new token"));
    answered(&mut world, more);
    assert!(world.picture().contains(" 3 of 7+ "), "{}", world.picture());
    assert!(asked(&world.later(2_000)).is_none(), "it is made");
}

#[test]
fn an_older_query_is_given_up_and_its_answer_is_not_shown() {
    let mut world = opened(120, 40);
    world.paste("tok");
    let older = waiting(&world).pop().unwrap();
    let effects = world.paste("en");
    assert!(effects.contains(&Effect::Cancel(older)), "{effects:?}");
    assert_eq!(asked(&effects).unwrap().sought[0].words, ["token"]);
    world.done(older, Outcome::Read(ReadDone::Shown(ShownContent::History(found()))));
    assert!(world.picture().contains("searching…"), "{}", world.picture());
    answered(&mut world, found());
    assert!(world.picture().contains("expired_token"));
}

#[test]
fn enter_goes_to_the_call_in_its_transcript_and_the_search_is_there_again() {
    let mut world = searched(120, 40);
    world.press("down up");
    let effects = world.press("enter");
    let page = works(&effects).into_iter().find_map(|(_, job)| match job {
        Work::Read(Read::Shown(ShownRead::Page(chat, at))) => Some((chat, at)),
        _ => None,
    });
    assert_eq!(page, Some((id("auth"), parlour::model::transcript::PageAt::Around(89))));
    assert_eq!(world.selected(), "Fix auth bug");
    // The words stand in a whole output: that is open over its transcript.
    assert!(world.picture().contains("Output of Bash"), "{}", world.picture());
    world.calm();
    world.press("esc");
    assert!(world.picture().contains("Transcript"), "{}", world.picture());
    world.calm();
    let again = world.press("ctrl+f");
    assert_eq!(asked(&again).unwrap_or_else(|| panic!("{}", world.picture())).limit, 50);
    assert!(world.picture().contains("token expired"), "{}", world.picture());
}

#[test]
fn enter_lands_on_the_line_that_has_the_words_and_all_of_them_are_looked_for() {
    let filler = "Nothing is here.\n\n".repeat(80);
    let text = format!("A token.\n\n{filler}The token that has expired is denied.\n\n{filler}");
    let entries = numbered(vec![prompt("why?", From::Person), said(&text), said(&filler)]);
    let paper = Paper {
        entries,
        gap_behind: None,
        is_terminal_gone: false,
    };
    let mut world = opened(120, 40);
    world.paste("Token tool:bash expired");
    let page = HistoryPage {
        hits: vec![hit(2, ("auth", 4), HitKind::Answer, &text)],
        ..HistoryPage::default()
    };
    answered(&mut world, page);
    let shown = world.picture();
    assert!(shown.contains("The token that has expired"), "{shown}");
    let effects = world.press("enter");
    paper.answer(&mut world, effects);
    let picture = world.picture();
    assert!(picture.contains("The token that has expired is denied."), "{picture}");
    let row = picture
        .lines()
        .find(|row| row.contains("/Token expired"))
        .unwrap_or_default();
    assert!(row.contains("2 of 3"), "{picture}");
}

#[test]
fn what_was_not_searched_to_its_end_stands_behind_the_last_hit_and_is_looked_through_from_there() {
    let mut world = opened(120, 40);
    world.paste("the expired");
    let text = "only its first 64 MB of 456 MB were searched";
    let longer = HistoryHit {
        tool: Some("Bash".into()),
        output: Some(("outputs/t9".into(), SEARCHED)),
        excerpt: Excerpt {
            text: text.into(),
            marks: Vec::new(),
        },
        ..hit(95, ("auth", 2), HitKind::Output, "")
    };
    let page = HistoryPage {
        more: None,
        longer: vec![longer],
        ..found()
    };
    answered(&mut world, page);
    let picture = world.picture();
    assert!(
        picture.contains(text) && picture.contains("1 of 7 · 1 output not searched to its end"),
        "{picture}"
    );
    world.press("down down down down down down");
    let effects = world.press("enter");
    let asked = works(&effects).into_iter().find_map(|(_, job)| match job {
        Work::Read(Read::Shown(ShownRead::Output(ask))) => Some((ask.file, ask.wanted)),
        _ => None,
    });
    let from_there = OutputWanted::Page(LinesAt::Next("expired".into(), SEARCHED));
    assert_eq!(asked, Some(("outputs/t9".into(), from_there)));
}

#[test]
fn near_the_end_more_is_read() {
    let mut world = opened(80, 24);
    world.paste("token expired");
    let work = waiting(&world).pop().unwrap();
    let first = Outcome::Read(ReadDone::Shown(ShownContent::History(found())));
    let effects = world.done(work, first);
    let ask = asked(&effects).unwrap_or_else(|| panic!("{effects:?}"));
    assert_eq!(ask.from, Some(HistoryPlace(40)));
}

#[test]
fn what_goes_wrong_is_said_there() {
    let mut world = opened(120, 40);
    world.paste("token");
    let work = waiting(&world).pop().unwrap();
    world.done(work, Outcome::Failed(Problem::fault("searching", "the disk is gone")));
    assert!(world.picture().contains("the disk is gone"), "{}", world.picture());
    world.press("esc");
    assert!(!world.picture().contains("the disk is gone"));
}
