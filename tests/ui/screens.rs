//! What is always there: sidebar, header, terminal, foot; and what takes their place.

use parlour::domain::event::{Level, LogLine, Size};
use parlour::model::request::{ChatsRequest, Request};
use parlour::model::{Problem, Sandbox, ScheduleId, Status};
use parlour::screen::view::Tone;
use parlour::screen::{layout, toast};

use super::{automations, pictured};
use crate::support::events::replies;
use crate::support::world::{ME, TALK, World, id, noon, scrolled};

#[test]
fn a_morning_of_chats() {
    let what = "Chats by need, children below their parent, and the selected chat's terminal beside them.";
    pictured("sidebar.morning", what, World::morning);
}

/// Forty-two chats: two wait, two are done, nine run, one is pinned.
fn many(cols: u16, rows: u16) -> World {
    const NAMES: [&str; 14] = [
        "Fix auth bug",
        "Upgrade to Rails 9",
        "Flaky CI",
        "Cache the catalogue",
        "Dates in the report are off by one",
        "Docs: first hour",
        "Invoice totals",
        "Rename tenants",
        "Search by tag",
        "Dark theme",
        "Export as CSV",
        "Retry webhooks",
        "Rate limits",
        "日本語のドキュメントを直す",
    ];
    let mut world = World::new(cols, rows);
    for number in 0..42_u8 {
        let short = format!(
            "many{}{}",
            char::from(b'a' + number / 20),
            char::from(b'a' + number % 20)
        );
        let name = format!("{} {}", NAMES[usize::from(number) % NAMES.len()], number / 14 + 1);
        let project = ["grove", "ledger", "shop"][usize::from(number) % 3];
        let minutes = i64::from(number) * i64::from(number) * 3 + 1;
        let sketch = world
            .chat(&short, &name, minutes)
            .project(project, &format!("branch-{number}"))
            .preview("All specs pass; the rest is in notes/next.md.");
        let tool = ["Bash", "Edit", "Read"][usize::from(number) % 3];
        match number {
            3 => sketch.runs(Status::NeedsYou("Write: src/store/journal/segments.rs".into()), ""),
            9 => sketch.runs(Status::NeedsYou("allow Bash: git push origin main".into()), ""),
            4 | 12 => sketch.runs(Status::Idle(None), "").unseen(),
            13..22 => sketch.runs(Status::Running(Some(tool.into())), ""),
            22..34 => sketch.runs(Status::Idle(None), ""),
            _ => sketch.ended("stopped"),
        };
    }
    world.look();
    world
}

#[test]
fn forty_chats_are_seen_at_a_glance() {
    let what =
        "What waits is first, with its question; then what is done, runs, rests and has ended, each with its age.";
    pictured("sidebar.many", what, many);
}

#[test]
fn an_agent_that_runs_without_the_sandbox_it_was_to_have() {
    let what = "The header says beside the agent's name that there is no sandbox.";
    pictured("header.no-sandbox", what, |cols, rows| {
        let mut world = World::morning(cols, rows);
        let agent = world.state.domain.live.agents.get_mut(&id("auth")).unwrap();
        agent.sandbox = Sandbox::Missing {
            why: "the kernel has no Landlock".into(),
        };
        world
    });
}

/// An orchestrator with a team two levels deep.
fn team(cols: u16, rows: u16) -> World {
    let mut world = World::new(cols, rows);
    world
        .chat("auth", "Cache the catalogue", 4)
        .project("grove", "main")
        .preview("Three are at it; I wait for their reports.")
        .runs(Status::Running(Some("wait_for".into())), TALK);
    world
        .chat("redis", "Try Redis", 3)
        .below("auth")
        .project("grove", "try-redis")
        .preview("The benchmark runs.")
        .runs(Status::Running(Some("Bash".into())), "");
    world
        .chat("bench", "Benchmark Redis", 2)
        .below("redis")
        .project("grove", "try-redis")
        .runs(Status::NeedsYou("allow Bash: redis-server".into()), "");
    world
        .chat("memcd", "Try memcached", 1)
        .below("auth")
        .project("grove", "try-memcached")
        .preview("Both benchmarks are in bench/.")
        .runs(Status::Idle(None), "");
    world.look();
    world
}

#[test]
fn a_team_stands_below_who_made_it() {
    let what = "Chats stand below the one that made them; who waits has its question in a second row, and the tint of waiting.";
    pictured("sidebar.team", what, team);
    let what =
        "What is below the second chat is folded away; its row says what is there, and waits as what is there does.";
    pictured("sidebar.team-folded", what, |cols, rows| {
        let mut world = team(cols, rows);
        world.press("j space");
        world
    });
    let mut alone = team(80, 24);
    alone.press("G T");
    assert!(
        alone.picture().contains("It has dispatched no agents"),
        "{}",
        alone.picture()
    );
    let what = "All agents below are named by what they do, before they are ended.";
    pictured("dialog.stop-tree", what, |cols, rows| {
        let mut world = team(cols, rows);
        world.press("T");
        world
    });
}

#[test]
fn runs_stand_below_their_schedule() {
    let nightly = |cols, rows| {
        let mut world = World::morning(cols, rows);
        automations::add(&mut world, 1, "Nightly update", "@daily", |_| {});
        for (short, minutes) in [("runa", 60 * 26), ("runb", 60 * 2), ("runc", 6)] {
            world
                .chat(short, "Update dependencies", minutes)
                .project("grove", "main")
                .preview("Nothing to update.")
                .ended("ended");
            world.edits(short, |chat| {
                chat.record.schedule = Some(ScheduleId::from_bits(1).to_string());
            });
        }
        world.look();
        world
    };
    let what = "Runs of one schedule stand together below its name and their number, newest first.";
    pictured("sidebar.runs", what, nightly);
    let what = "Folded, only the newest run is shown.";
    pictured("sidebar.runs-folded", what, |cols, rows| {
        let mut world = nightly(cols, rows);
        world.view().chat = Some(id("runc"));
        world.look();
        world.press("space");
        world
    });
}

#[test]
fn typing_in_the_agent() {
    pictured(
        "agent.typing",
        "The foot says AGENT, the line above the terminal is heavy, the cursor is in it.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("enter");
            world
        },
    );
}

#[test]
fn what_an_agent_reports_gives_way_to_name_and_status() {
    pictured(
        "header.reports",
        "The name, what the agent reports as far as it is worth its room, and the status.",
        |cols, rows| {
            let mut world = World::new(cols, rows);
            world
                .chat("auth", "Fix the login", 2)
                .project("grove", "feature-auth")
                .says("blocked", "waits for the review of the other branch")
                .runs(Status::Idle(None), "Done so far.");
            world.look();
            world
        },
    );
}

#[test]
fn the_menu_has_another_page_where_not_all_commands_have_room() {
    pictured(
        "leader.next-page",
        "Right leads on to the commands that had no room; where all have, nothing turns.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("enter ctrl+q");
            world.later(200);
            if cols == 60 {
                world.press("right");
            }
            world
        },
    );
}

#[test]
fn after_the_leader_there_is_a_menu() {
    pictured(
        "leader.menu",
        "All commands and their keys, in columns, above the foot.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("enter ctrl+q");
            world.later(200);
            world
        },
    );
}

#[test]
fn scrolled_back_says_how_far() {
    pictured(
        "agent.scrolled-back",
        "Older lines, and above them how many lines back they are and how to return.",
        |cols, rows| {
            let mut world = World::new(cols, rows);
            world
                .chat("build", "Watch the build", 2)
                .project("grove", "main")
                .runs(Status::Running(None), "");
            world.look();
            let pane = layout::pane_size(world.view());
            let lines: String = (1..=400)
                .map(|line| format!("[{line:>3}/400] compiling crate number {line}\n"))
                .collect();
            let agent = world.state.domain.live.agents.get_mut(&id("build")).unwrap();
            let live = scrolled(&lines, pane, 0);
            agent.screen = Some(live.clone());
            let reading = &mut world.view().reading;
            reading.screen = Some(scrolled(&lines, pane, 120));
            reading.top = Some(live.first - 120);
            reading.since = live.first - 37;
            world
        },
    );
}

#[test]
fn zoomed_and_scrolled_back_says_how_far() {
    pictured(
        "agent.zoomed-back",
        "The whole screen is the terminal's, but for how far back it is, at the top right.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("enter ctrl+q z");
            let lines: String = (1..=400).map(|line| format!("line {line}\n")).collect();
            let size = layout::pane_size(world.view());
            let live = scrolled(&lines, size, 0);
            let reading = &mut world.view().reading;
            reading.screen = Some(scrolled(&lines, size, 120));
            (reading.top, reading.since) = (Some(live.first - 120), live.first);
            world.state.domain.live.agents.get_mut(&id("auth")).unwrap().screen = Some(live);
            world
        },
    );
}

#[test]
fn zoomed_the_terminal_has_the_whole_screen() {
    pictured(
        "agent.zoomed",
        "The agent's own screen; the last row says how to get out, and that somebody asks.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("enter ctrl+q z");
            world
        },
    );
    pictured("leader.zoomed", "The menu over the zoomed terminal.", |cols, rows| {
        let mut world = World::morning(cols, rows);
        world.press("enter ctrl+q z ctrl+q");
        world.later(200);
        world
    });
}

#[test]
fn a_larger_terminal_is_cropped_to_its_cursor() {
    pictured(
        "agent.cropped",
        "The lower right part of a terminal that is larger than its pane: the cursor is in sight.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("enter");
            let said = format!("{}\x1b[60;160Hhere", "far up left");
            let agent = world.state.domain.live.agents.get_mut(&id("auth")).unwrap();
            agent.screen = Some(scrolled(&said, Size { cols: 170, rows: 60 }, 0));
            world
        },
    );
}

#[test]
fn a_filter_finds_by_name_project_branch_or_last_words() {
    pictured(
        "filter.found",
        "Only the chats that match, the best first and selected.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("/ c a c h e");
            world
        },
    );
    pictured(
        "filter.nothing",
        "Nothing matches; the chat from before is still shown.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("/ z z z");
            world
        },
    );
}

#[test]
fn all_keys_are_listed() {
    pictured(
        "help.keys",
        "Each command with its key, by what it is about.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("?");
            world
        },
    );
}

#[test]
fn a_key_is_found_by_what_it_does() {
    pictured(
        "help.found",
        "What was typed, and the keys that do it; the best is chosen, with its name.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("? f o r k");
            world
        },
    );
    pictured(
        "help.changes",
        "From the Changes tab: its own keys first.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("d ? down down");
            world
        },
    );
}

#[test]
fn the_log_has_the_whole_screen() {
    pictured(
        "log.lines",
        "Times, levels and lines of the engine's log, the newest last.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            for number in 0..60 {
                let (level, text) = match number % 9 {
                    4 => (
                        Level::Warn,
                        "config.json: keys.fly: no such command; ? lists the names of all".to_string(),
                    ),
                    7 => (
                        Level::Error,
                        "opening grove: the cache is locked by another git; it is tried again".to_string(),
                    ),
                    _ => (Level::Info, format!("chat auth: hook {number} answered in 2 ms")),
                };
                world.state.domain.live.log.push_back(LogLine {
                    at: noon().plus_ms(number * 1_234),
                    level,
                    text,
                });
            }
            world.press("L");
            world
        },
    );
}

#[test]
fn toasts_stand_in_the_corner() {
    pictured(
        "toast.two",
        "Two toasts at the top right: one that tells, one that failed, with different signs.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            toast::tell(
                &mut world.state,
                ME,
                "Deleted Flaky CI. u restores it, X shows the trash.",
                Tone::Told,
            );
            let problem = Problem::new(
                "opening grove",
                "the branch feature-x is not there",
                "nearest is feature-auth",
            );
            toast::tell(&mut world.state, ME, problem.to_string(), Tone::Failed);
            world
        },
    );
}

#[test]
fn settings_that_are_not_in_force_are_said_at_the_foot() {
    pictured(
        "foot.settings-broken",
        "The foot says at the right why config.json is not in force.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            let cause = "config.json:4:3: expected a comma";
            world.state.domain.disk.settings_problem = Some(Problem::new("loading config.json", cause, "mend it"));
            world
        },
    );
    for (cols, words) in [
        (
            200,
            "limits.liveAgents: expected a number; the last good settings stay active",
        ),
        (120, "config.json:14:23 is broken: correct it"),
        (80, "correct config.json:14:23"),
        (60, "correct config.json:14:23"),
    ] {
        let mut world = World::morning(cols, 24);
        let problem = Problem::new(
            "loading config.json",
            "config.json:14:23: limits.liveAgents: expected a number",
            "mend it",
        );
        world.state.domain.disk.tell_broken_settings(problem);
        let foot = world.picture().lines().nth(23).unwrap_or_default().to_owned();
        assert!(foot.trim_end().ends_with(words), "{foot}");
    }
}

#[test]
fn hostile_names_are_spelled_out() {
    pictured(
        "sidebar.hostile-names",
        "Escapes and reordering characters are spelled out; nothing is out of line.",
        |cols, rows| {
            let mut world = World::new(cols, rows);
            world
                .chat("evil", "\x1b[31mred\u{202e}dlo\u{200b}\n👩‍👩‍👧‍👦 family 🇩🇪", 2)
                .project("gro\u{202e}ve", "a\tb")
                .preview("tab\there \u{7}bell")
                .says("blocked", "waits for \u{202e}review")
                .runs(Status::NeedsYou("allow \x1b]0;x\x07rm".into()), "");
            world
        },
    );
}

#[test]
fn what_an_agent_says_of_itself_and_cannot_be_read_is_shown_as_such() {
    let why = "status.json: weird is no status";
    let mut world = World::new(120, 40);
    world.chat("auth", "auth", 1).damaged(why).runs(Status::Idle(None), "");
    world.later(0);
    let header = world.picture();
    assert!(header.contains(why), "{header}");
    let listed = replies(&world.ask(Request::Chats(ChatsRequest::List)))
        .remove(0)
        .1
        .unwrap();
    assert_eq!(listed["chats"][0]["damage"], why);
}
