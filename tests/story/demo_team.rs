//! A team of demo agents, for a newcomer who has no agent CLI: a plan, three others, their reports, the sum.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::parlour::{PATIENCE, Parlour, git, let_it_be_read, until};

const MEMBERS: [&str; 3] = ["count-sentences", "count-paragraphs", "count-letters"];

fn last_words(parlour: &Parlour) -> String {
    let events = parlour.events("demo-team");
    let mut texts = events.iter().filter(|event| event["kind"] == "text");
    texts
        .next_back()
        .map(|event| event["text"].as_str().unwrap_or_default().to_owned())
        .unwrap_or_default()
}

/// How its calls ended, by name.
fn calls(parlour: &Parlour, chat: &str) -> Vec<(String, String)> {
    let events = parlour.events(chat);
    let word = |event: &Value, key: &str| event[key].as_str().unwrap_or_default().to_owned();
    let end = |id: &Value| {
        let mut ends = events.iter().filter(|event| event["kind"] == "tool.end");
        ends.find(|end| end["id"] == *id)
            .map_or("open".into(), |end| word(end, "status"))
    };
    let starts = events.iter().filter(|event| event["kind"] == "tool.start");
    starts
        .map(|start| (word(start, "name").replace("mcp__parlour__", ""), end(&start["id"])))
        .collect()
}

#[test]
fn a_demo_agent_leads_three_others_which_report_and_it_sums_up() {
    let parlour = Parlour::new();
    let made = parlour.json(&["demo", "team"]);
    assert_eq!((&made["handle"], &made["llm"]), (&json!("demo-team"), &json!("demo")));
    let screen = parlour.attach(&["demo-team"]);
    for member in MEMBERS {
        screen.wait_for_text(member);
    }
    until("it sums up", 3 * PATIENCE, || {
        last_words(&parlour).starts_with("All have reported:")
    });
    screen.wait_for_text("nothing was merged or pushed");
    let rested = parlour.wait("demo-team", "idle");
    let own = Path::new(rested["projects"][0]["path"].as_str().unwrap());
    assert_eq!(git(own, &["log", "-1", "--format=%s"]), "Say what may come next");

    let sum = last_words(&parlour);
    for member in MEMBERS {
        let chat = parlour.wait(member, "idle");
        assert_eq!(
            (&chat["llm"], &chat["parent"], &chat["declared"]["status"]),
            (&json!("demo"), &rested["id"], &json!("done"))
        );
        assert!(sum.contains(&format!("- {member}: Done: I added a function")), "{sum}");
        let clone = Path::new(chat["projects"][0]["path"].as_str().unwrap());
        assert_eq!(
            git(clone, &["branch", "--show-current"]),
            format!("demo/{}", member.trim_start_matches("count-"))
        );
        assert_eq!(git(clone, &["rev-parse", "HEAD^"]), git(own, &["rev-parse", "HEAD"]));
        let did = calls(&parlour, member);
        assert!(did.iter().all(|(_, how)| how == "ok"), "{did:?}");
        let names: Vec<_> = did.iter().map(|(name, _)| name.as_str()).collect();
        let wanted = [
            "claim_atom",
            "Read",
            "Edit",
            "Bash",
            "Bash",
            "update_atom",
            "set_status",
            "report_to_parent",
        ];
        assert_eq!(names, wanted);
    }
    let led = calls(&parlour, "demo-team");
    assert!(led.iter().all(|(_, how)| how == "ok"), "{led:?}");
    assert_eq!(led.iter().filter(|(name, _)| name == "dispatch").count(), 3);
    let plan = parlour.json(&["work", "list", "demo-team"]);
    let atoms = plan["atoms"].as_array().unwrap();
    assert_eq!(
        atoms.iter().filter(|atom| atom["status"] == "done").count(),
        3,
        "{plan}"
    );
    for chat in MEMBERS.iter().chain(&["demo-team"]) {
        assert!(
            parlour
                .say(&["screen", chat, "--scrollback", "500"])
                .contains("scripted, no model behind it")
        );
    }
    let reports = parlour
        .events("demo-team")
        .into_iter()
        .filter(|event| event["from"] == "inbox")
        .count();
    assert_eq!(reports, 3);
}

#[test]
fn a_team_is_stopped_with_all_below_it_from_the_screen() {
    let parlour = Parlour::new();
    parlour.json(&["demo", "team"]);
    for member in MEMBERS {
        until("it is made", PATIENCE, || {
            let chats = parlour.json(&["list"])["chats"].clone();
            chats.as_array().unwrap().iter().any(|chat| chat["handle"] == member)
        });
    }
    let mut screen = parlour.attach(&["demo-team"]);
    screen.wait_for_text("demo agent");
    screen.press("\x11T");
    screen.wait_for_text("Stop the agents of this tree?");
    let_it_be_read();
    screen.press("\x1b[C\r");
    until("nobody runs", PATIENCE, || {
        parlour.status()["agents"] == json!([]) && parlour.agents().is_empty()
    });
}
