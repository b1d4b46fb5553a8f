//! The Transcript tab.

use parlour::config::theme::Theme;
use parlour::domain::event::Outcome;
use parlour::domain::work::{Read, ReadDone, ShownContent, ShownRead, Work};
use parlour::domain::{Effect, Event};
use parlour::model::Request;
use parlour::model::compose::{ComposerAsk, ComposerNews};
use parlour::model::request::ChatRequest;
use parlour::model::template::{PromptTemplate, TemplateFrom};

use crate::support::golden::golden;
use crate::support::paper::draw;
use crate::support::transcript::{Paper, kinds, read};
use crate::support::world::{ME, World};

fn at_four_sizes(name: &str, what: &str, build: impl Fn(u16, u16) -> World) {
    super::pictured(&format!("transcript.{name}"), what, build);
}

fn pressed(cols: u16, rows: u16, keys: &str) -> World {
    let paper = kinds();
    let mut world = read(cols, rows, &paper);
    world.press_each(keys, |world, effects| paper.answer(world, effects));
    world
}

#[test]
fn the_newest_is_shown_first() {
    at_four_sizes(
        "end",
        "The end of turn 3: a sub-agent with two calls, a message, a compaction, an error, a call that runs.",
        |cols, rows| pressed(cols, rows, ""),
    );
}

#[test]
fn it_reads_from_the_first_prompt_on() {
    at_four_sizes(
        "start",
        "The session, turn 1 with its prompt, a folded thought, an answer, three calls, a retry, a move.",
        |cols, rows| pressed(cols, rows, "g"),
    );
}

#[test]
fn an_answer_is_shown_as_its_markdown_means_it() {
    at_four_sizes(
        "answer",
        "A heading, a list in a list, a quote, code in a frame; the answer is selected.",
        |cols, rows| pressed(cols, rows, "[ k k k"),
    );
    at_four_sizes("table", "The rest of the answer: a table and a rule.", |cols, rows| {
        pressed(cols, rows, "[ k k k pagedown")
    });
}

#[test]
fn code_has_colours_and_is_scrolled_sideways() {
    let world = pressed(120, 40, "[ k k k > > >");
    let screen = draw(&world.state, ME, &Theme::dark());
    golden(
        "transcript.code.120x40",
        "The code of the answer is scrolled to the end of its longest line, the rest is where it was.",
        &screen,
    );
    let styles = format!("{:?}", screen.buffer);
    golden(
        "transcript.code-colours.120x40",
        "The same with the colours of its words.",
        styles,
    );
}

#[test]
fn what_is_selected_opens() {
    at_four_sizes(
        "opened",
        "The failed call of Bash is open: its input, what it printed, how much more there is.",
        |cols, rows| pressed(cols, rows, "g } space"),
    );
}

#[test]
fn a_sub_agent_opens_to_what_it_called() {
    at_four_sizes(
        "sub-agent",
        "Below Explore stand its two calls, one of which failed.",
        |cols, rows| pressed(cols, rows, "( ( space"),
    );
}

#[test]
fn what_was_gone_back_before_unfolds() {
    at_four_sizes(
        "hidden",
        "Turn 2, which was taken back, is unfolded below its note.",
        |cols, rows| pressed(cols, rows, "[ k k space"),
    );
}

#[test]
fn words_are_searched_for_and_marked() {
    let search = "/ e x p i r e d enter";
    at_four_sizes(
        "search",
        "Places with the word `expired` are marked; the nearest above the end is selected; the last row says what is sought.",
        |cols, rows| pressed(cols, rows, search),
    );
    let world = pressed(120, 40, search);
    let styles = format!("{:?}", draw(&world.state, ME, &Theme::dark()).buffer);
    golden("transcript.search-marks.120x40", "The same with its marks.", styles);
}

#[test]
fn times_and_thoughts_are_shown_where_somebody_wants_them() {
    at_four_sizes(
        "times",
        "Each entry has its time at the right, and the thought is shown whole.",
        |cols, rows| pressed(cols, rows, "@ v g"),
    );
}

#[test]
fn an_empty_transcript_says_so() {
    let empty = Paper {
        entries: Vec::new(),
        gap_behind: None,
        is_terminal_gone: false,
    };
    at_four_sizes(
        "empty",
        "Nothing was said yet, with a key that leads on.",
        |cols, rows| read(cols, rows, &empty),
    );
}

#[test]
fn the_terminal_is_shown_as_it_was_at_a_moment() {
    at_four_sizes(
        "moment",
        "The agent's terminal as it was at the first prompt; a line above says when, and which key leads back.",
        |cols, rows| pressed(cols, rows, "g ] m"),
    );
}

#[test]
fn a_moment_that_is_no_longer_recorded_says_so() {
    at_four_sizes("moment-gone", "The record does not go back so far.", |cols, rows| {
        let mut paper = kinds();
        paper.is_terminal_gone = true;
        let mut world = read(cols, rows, &paper);
        let effects = world.press("m");
        paper.answer(&mut world, effects);
        world
    });
}

#[test]
fn the_transcript_stands_beside_the_terminal() {
    for (cols, rows) in [(200, 50), (160, 40)] {
        for (name, keys, then) in [
            ("beside", "|", ""),
            ("beside-terminal", "| t", ""),
            ("beside-cards", "| t", "c"),
        ] {
            let mut world = pressed(cols, rows, keys);
            world.calm();
            if !then.is_empty() {
                world.press(then);
                world.reads_cards();
            }
            let screen = draw(&world.state, ME, &Theme::dark());
            let what =
                "The terminal at the left, the transcript at the right of a line; the cards give way unless wanted.";
            golden(&format!("transcript.{name}.{cols}x{rows}"), what, screen);
        }
    }
}

#[test]
fn a_prompt_is_written_below_it() {
    at_four_sizes(
        "composer",
        "The composer has the keys and two lines; the last row says what its keys do.",
        |cols, rows| pressed(cols, rows, "enter F i x ctrl+j t h e space l o g i n"),
    );
    at_four_sizes(
        "composer-long",
        "A paste of a hundred lines: the last of them, as many as there is room for.",
        |cols, rows| {
            let mut world = pressed(cols, rows, "enter");
            let lines: Vec<String> = (1..=100)
                .map(|line| format!("line {line} of what was pasted"))
                .collect();
            world.paste(&lines.join("\n"));
            world
        },
    );
    at_four_sizes(
        "composer-problem",
        "The prompt is too long: that is said above the field, which keeps it.",
        |cols, rows| {
            let mut world = pressed(cols, rows, "enter");
            world.paste(&"a long line\n".repeat(50_000));
            world.press("enter");
            world
        },
    );
}

#[test]
fn prompts_that_wait_are_chips_above_the_field() {
    let waiting = |cols, rows, keys: &str| {
        let mut world = pressed(cols, rows, "enter");
        for (text, follow_up) in [
            ("Only in src/auth, please.", true),
            ("Then run all tests and tell me what failed.", true),
        ] {
            world.ask(Request::Chat(ChatRequest::Send {
                chat: "fix-auth-bug".into(),
                text: text.into(),
                follow_up,
                env: Default::default(),
                sender: None,
                id: String::new(),
                wait: false,
            }));
        }
        if !keys.is_empty() {
            world.press(keys);
        }
        world
    };
    at_four_sizes(
        "chips",
        "Two prompts wait above the field, each with its kind and what it waits for.",
        |cols, rows| waiting(cols, rows, ""),
    );
    at_four_sizes(
        "chip-chosen",
        "The first of the two has the keys; the last row says what they do to it.",
        |cols, rows| waiting(cols, rows, "up k"),
    );
}

/// The palette of prompts, with a template of each kind.
fn slash(cols: u16, rows: u16, keys: &str) -> World {
    let mut world = pressed(cols, rows, "enter");
    let effects = world.press("/");
    let template = |name: &str, arguments: &str, description: &str, from| PromptTemplate {
        name: name.into(),
        description: description.into(),
        arguments: arguments.into(),
        from,
        path: None,
        text: if arguments.is_empty() {
            "Do it.".into()
        } else {
            "Do $1.".into()
        },
        damage: None,
    };
    let templates = vec![
        template("deploy", "<where>", "Bring it to a server", TemplateFrom::Repository),
        template(
            "fix-tests",
            "",
            "Run the tests and fix what fails",
            TemplateFrom::Shipped,
        ),
    ];
    let asked = effects.into_iter().find_map(|effect| match effect {
        Effect::Work(work, Work::Read(Read::Shown(ShownRead::Compose(chat, ComposerAsk::Templates(_))))) => {
            Some((work, chat))
        }
        _ => None,
    });
    let (work, chat) = asked.unwrap();
    let shown = ShownContent::Compose(chat, ComposerNews::Templates(templates));
    world.happens(Event::Done(work, Outcome::Read(ReadDone::Shown(shown))));
    if !keys.is_empty() {
        world.press(keys);
    }
    world
}

#[test]
fn a_slash_lists_what_a_prompt_may_become() {
    at_four_sizes(
        "slash",
        "Templates, the CLI's own commands and parlour's actions, each under its heading.",
        |cols, rows| slash(cols, rows, ""),
    );
    at_four_sizes("slash-typed", "The same, narrowed by a word.", |cols, rows| {
        slash(cols, rows, "c o m p")
    });
    at_four_sizes(
        "template",
        "A template that needs an argument asks for it.",
        |cols, rows| slash(cols, rows, "d e p enter"),
    );
    at_four_sizes(
        "command",
        "A command of the CLI in the field: the line above it says how it is sent.",
        |cols, rows| slash(cols, rows, "c o m p a c t enter"),
    );
}

#[test]
fn an_at_offers_what_a_prompt_can_name() {
    at_four_sizes(
        "offers",
        "What an @ may name stands above the field; the first is chosen.",
        |cols, rows| {
            let mut world = pressed(cols, rows, "enter");
            let effects = world.press("s e e space @");
            let asked = effects.into_iter().find_map(|effect| match effect {
                Effect::Work(work, Work::Read(Read::Shown(ShownRead::Compose(chat, ComposerAsk::Files(wanted))))) => {
                    Some((work, chat, wanted))
                }
                _ => None,
            });
            let (work, chat, wanted) = asked.unwrap();
            let files = ["projects/grove/src/session.rs", "projects/grove/README.md"].map(String::from);
            let shown = ShownContent::Compose(chat, ComposerNews::Files(wanted, files.to_vec()));
            world.happens(Event::Done(work, Outcome::Read(ReadDone::Shown(shown))));
            world
        },
    );
}

#[test]
fn an_error_opens_to_what_can_be_done() {
    at_four_sizes(
        "mend",
        "Below the words of the error stands what can be done about it, each with its letter.",
        |cols, rows| pressed(cols, rows, "{ enter"),
    );
}

#[test]
fn a_call_that_is_selected_opens_beside() {
    at_four_sizes(
        "call-in-full",
        "The command that is selected in the transcript stands in full in the inspector: at the right, or over the \
         transcript where there is no room for both.",
        |cols, rows| pressed(cols, rows, "g ) ) ) enter"),
    );
}
