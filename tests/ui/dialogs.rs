//! What asks a person something.

use parlour::domain::event::PlaceHint;
use parlour::model::deleted::Deleted;
use parlour::model::{Losses, Problem, RoleEntry, RoleFrom};

use super::{ALL_SIZES, pictured};
use parlour::config::theme::Theme;

use crate::support::dialog::disk_use;
use crate::support::events::submitted;
use crate::support::golden::golden;
use crate::support::paper::draw;
use crate::support::review::listed;
use crate::support::world::{ME, World, deleted, servers};

#[test]
fn a_new_chat_asks_for_little() {
    pictured(
        "new-chat.first",
        "Prompt, name, agent, project, and consent for Claude Code; the cursor is in the prompt.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("n");
            world
        },
    );
}

#[test]
fn a_prompt_may_have_many_lines_and_wide_characters() {
    pictured(
        "new-chat.prompt",
        "A prompt broken at the field's edge, the cursor behind its last line.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("n");
            world.paste("Find out why the session test fails for expired tokens, and mend it without touching the public API.\nレビューも\u{202e}お願いします");
            world
        },
    );
}

#[test]
fn a_project_is_suggested_while_it_is_typed() {
    pictured(
        "new-chat.suggestions",
        "Projects opened before and places on disk, what each is at the right; one is chosen.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("n tab tab tab g r o");
            world.suggests(hints(), Vec::new());
            world.press("down down");
            world
        },
    );
}

#[test]
fn a_new_chat_may_have_a_role() {
    pictured(
        "new-chat.role",
        "The role below the project, with what it is and where it comes from; the agent is the one that it wants.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("n");
            let role = |name: &str, from, llm: Option<&str>, description: &str| RoleEntry {
                name: name.into(),
                description: description.into(),
                llm: llm.map(str::to_string),
                model: None,
                from,
                path: None,
                damage: None,
            };
            let roles = vec![
                role(
                    "releaser",
                    RoleFrom::Repository,
                    Some("codex"),
                    "Cuts a release and writes its notes",
                ),
                role("worker", RoleFrom::Shipped, None, "Does one piece of work"),
            ];
            world.suggests(Vec::new(), roles);
            world.press("tab tab tab tab tab tab tab tab right");
            world
        },
    );
}

#[test]
fn a_new_chat_may_have_several_projects() {
    pictured(
        "new-chat.projects",
        "Two projects above the one that is typed; one is taken out again, and the third is opened in place.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("n tab tab tab");
            world.paste("orchard");
            world.press("tab tab");
            world.paste("fix-login");
            world.press("tab");
            world.paste("release-2");
            world.press("tab space");
            world.paste("meadow");
            world.press("tab tab tab tab space shift+tab space");
            world.press("tab");
            world.paste("~/notes");
            world.press("tab right");
            world
        },
    );
}

#[test]
fn how_much_is_allowed_unasked_is_a_choice_of_a_new_chat() {
    pictured(
        "new-chat.allowed",
        "All in its directory unasked, which needs the sandbox: so says the note, and so says the try.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("n tab tab tab tab tab tab tab tab tab right right ctrl+s");
            world
        },
    );
}

#[test]
fn what_cannot_be_meant_is_said_before_anything_is_made() {
    pictured(
        "new-chat.wrong",
        "One line: a branch without a project; all that was typed is there.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("n F i x tab tab tab tab tab f i x ctrl+s");
            world
        },
    );
}

#[test]
fn what_failed_is_said_in_the_dialog_that_asked() {
    pictured(
        "new-chat.failed",
        "Why it failed and what to try, above the buttons; what was typed is still there.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("n F i x tab tab tab ~ / x ctrl+s");
            let problem = Problem::new(
                "opening ~/x",
                "there is no such directory",
                "type a path, a URL or the name of a project",
            );
            world.fails(problem);
            world
        },
    );
}

#[test]
fn a_project_can_be_opened_in_a_chat() {
    pictured(
        "project.suggestions",
        "Project, branch and base; suggestions below the field.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("o");
            world.suggests(hints(), Vec::new());
            world
        },
    );
}

#[test]
fn a_chat_can_be_renamed() {
    pictured(
        "rename.typing",
        "The name as it is, the cursor behind it.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("r");
            world
        },
    );
}

#[test]
fn stopping_says_what_stays() {
    pictured(
        "stop.asking",
        "Which agent, what it does now, and that the chat stays; the focus is on letting it run.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("s");
            world
        },
    );
}

#[test]
fn deleting_says_what_would_be_lost() {
    pictured(
        "delete.looking",
        "What would be lost is still being found out.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("x");
            world
        },
    );
    pictured(
        "delete.losses",
        "What would be lost, line by line, and that the agent is running; the focus is on keeping.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("x");
            let mut lost = vec![
                "grove: 3 files changed and not committed on feature-auth".to_string(),
                "grove: 2 commits on feature-auth that are not pushed".to_string(),
            ];
            lost.extend((1..=9).map(|number| format!("grove: src/auth/fi\u{202e}le{number}.rs")));
            let notes = vec!["2 chats below it stay, without a parent: redis, memcached".to_string()];
            world.loses(Losses { lost, notes, clones: 1 });
            world
        },
    );
    pictured(
        "delete.nothing-lost",
        "Nothing would be lost, and that is said.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("G x");
            world.loses(Losses {
                clones: 1,
                ..Losses::default()
            });
            world
        },
    );
}

#[test]
fn commands_are_found_by_their_names() {
    pictured(
        "palette.all",
        "All commands with their keys at the right; what can't be run now is dim and says why.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("G :");
            world
        },
    );
    pictured(
        "palette.found",
        "Commands that match a few letters, the best chosen, the cursor behind them.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("ctrl+p s c r o l");
            world
        },
    );
    pictured(
        "palette.nothing",
        "No command matches, and that is said.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press(": x q z");
            world
        },
    );
}

fn hints() -> Vec<PlaceHint> {
    let hint = |text: &str, what: &str| PlaceHint {
        text: text.into(),
        what: what.into(),
    };
    vec![
        hint("grove", "cached"),
        hint("https://github.com/mia/grove-docs", "cached"),
        hint("/home/mia/groceries/", "directory"),
        hint("/home/mia/grovel/", "git"),
    ]
}

#[test]
fn keys_that_do_not_count_are_told_of() {
    for (cols, rows) in ALL_SIZES {
        let mut world = World::morning(cols, rows);
        world.press("s");
        let what = "The buttons are dim and the last row says to read first: they do not count yet.";
        golden(
            &format!("dialog.too-soon.{cols}x{rows}"),
            what,
            draw(&world.state, ME, &Theme::dark()),
        );
        world.press("y o");
        let what = "A key came too soon, and another one behind it: the last row says so.";
        golden(
            &format!("dialog.too-soon-key.{cols}x{rows}"),
            what,
            draw(&world.state, ME, &Theme::dark()),
        );
        world.later(1_500);
        world.press("n y");
        let what = "The dialog is closed, and a key that came right after it is said to have been ignored.";
        golden(
            &format!("dialog.closed-key.{cols}x{rows}"),
            what,
            draw(&world.state, ME, &Theme::dark()),
        );
    }
}

#[test]
fn the_servers_of_a_chat_are_listed_with_what_is_known_of_them() {
    pictured(
        "servers",
        "Each server with where it comes from and why it is off; what is said of the chosen one below.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("m");
            world.lists_servers("auth", servers());
            world.press("down space");
            world.lists_servers("auth", servers());
            world
        },
    );
    pictured(
        "servers.agree",
        "All that a project's server would run, what is hidden in it spelled out, before anybody agrees.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("m");
            world.lists_servers("auth", servers());
            world.press("G space");
            world
        },
    );
}

#[test]
fn the_disk_page_lists_what_takes_most_and_what_can_go() {
    let filled = |cols, rows| {
        let mut world = World::morning(cols, rows);
        world.press(": D i s k enter");
        world.measures(disk_use());
        world.later(1_000);
        world
    };
    let what = "Chats, repositories, caches and the trash, the largest first; what the chosen one is stands below.";
    pictured("disk", what, filled);
    let what = "Which repositories go, and how much that frees; the first answer is to keep them.";
    pictured("disk.prune", what, |cols, rows| {
        let mut world = filled(cols, rows);
        world.press("p");
        world
    });
}

#[test]
fn setup_files_are_listed_with_their_projects() {
    let opened = |cols, rows| {
        let mut world = World::morning(cols, rows);
        world.press(": s e t u p space f enter");
        world.later(1_000);
        world
    };
    let what = "The files that new clones get, with project and size; whose clones stands below.";
    pictured("setup-files", what, |cols, rows| {
        let mut world = opened(cols, rows);
        world.lists_setups(&[("grove", &[".env", "config/local.yml"]), ("ledger", &[".npmrc"])]);
        world.press("j");
        world
    });
    pictured(
        "setup-files.empty",
        "What setup files are, and how one is added.",
        |cols, rows| {
            let mut world = opened(cols, rows);
            world.lists_setups(&[]);
            world
        },
    );
    let what = "Files of this chat's clone are typed, with blanks between.";
    pictured("setup-files.add", what, |cols, rows| {
        let mut world = opened(cols, rows);
        world.lists_setups(&[]);
        world.press("a");
        world.later(1_000);
        world.press(". e n v");
        world
    });
}

#[test]
fn the_trash_lists_deleted_chats_with_what_each_would_lose() {
    let filled = |cols, rows| {
        let mut world = World::morning(cols, rows);
        world.press("X");
        let names = [
            ("fixed", "Fix the 修 login", 1),
            ("bench", "Bench", 30),
            ("rails", "Upgrade to Rails 8", 150),
        ];
        let list = names.map(|(short, name, hours)| Deleted {
            name: Some(name.into()),
            ..deleted(short, hours)
        });
        world.lists_trash(list.to_vec());
        let lost = vec![
            "grove: 2 commits on main that no remote has".into(),
            "grove: untracked notes.md".into(),
        ];
        let losses = Losses {
            lost,
            ..Losses::default()
        };
        world.loses(losses);
        world
    };
    let what = "Name, project and age of each; when the chosen one was deleted and what only it has stand below.";
    pictured("trash", what, filled);
    let what = "What is lost for good, with two buttons; the first answer is to keep it.";
    pictured("trash.for-good", what, |cols, rows| {
        let mut world = filled(cols, rows);
        world.press("x");
        world
    });
    pictured(
        "trash.long",
        "Names that collide are handles; what does not fit below is counted.",
        |cols, rows| {
            let mut world = World::new(cols, rows);
            world.press("X");
            let twin = |short: &str, hours| Deleted {
                name: Some("Count letters".into()),
                ..deleted(short, hours)
            };
            let list = vec![twin("count", 1), twin("counttwo", 2), deleted("other", 3)];
            world.lists_trash(list);
            let losses = Losses {
                lost: (1..=9)
                    .map(|number| format!("grove: untracked notes{number}.md"))
                    .collect(),
                ..Losses::default()
            };
            world.loses(losses);
            world
        },
    );
    pictured("trash.empty", "How a chat comes into the trash.", |cols, rows| {
        let mut world = World::new(cols, rows);
        world.press("X");
        world.lists_trash(Vec::new());
        world
    });
}

#[test]
fn a_turn_is_interrupted_and_an_agent_restarted_after_a_question() {
    for (name, key, what) in [
        (
            "interrupt",
            "i",
            "Whether to interrupt the turn, with what that leaves; the safe answer is chosen.",
        ),
        (
            "restart",
            "S",
            "Whether to restart the agent, whose turn that breaks off; the safe answer is chosen.",
        ),
    ] {
        pictured(name, what, |cols, rows| {
            let mut world = World::at_rest();
            world.attach(ME, cols, rows);
            world.press("esc");
            world.hook(submitted("go on"));
            world.press(key);
            world
        });
    }
}

#[test]
fn a_fork_is_asked_about() {
    let what = "Whether to fork from the chosen checkpoint, and what the new chat begins with.";
    pictured("fork", what, |cols, rows| {
        let mut world = listed(cols, rows);
        world.press("F");
        world
    });
}
