//! The life of an agent in the real parlour: restarted, and what is left of it on the machine.

use crate::support::parlour::{PATIENCE, Parlour, until};

#[test]
fn a_restarted_agent_goes_on_with_its_session_and_its_files_are_made_anew() {
    let parlour = Parlour::new();
    let made = parlour.json(&["new", "Talk", "--llm", "demo", "-p", "noask hello"]);
    parlour.wait("talk", "idle");
    let before = parlour.agents();
    let token = parlour
        .home()
        .join("records")
        .join(made["id"].as_str().unwrap())
        .join("hook-token");
    let old = std::fs::read_to_string(&token).unwrap();
    assert_eq!(parlour.json(&["restart", "talk"])["status"], "starting");
    parlour.wait("talk", "idle");
    assert_ne!(std::fs::read_to_string(&token).unwrap(), old);
    until("the old one is gone", PATIENCE, || {
        parlour.agents().iter().all(|pid| !before.contains(pid))
    });
    let events = parlour.events("talk");
    let sessions: Vec<_> = events.iter().filter(|e| e["kind"] == "session").collect();
    assert_eq!(sessions.len(), 2);
    assert_eq!(sessions[0]["session"], sessions[1]["session"]);
    assert!(parlour.say(&["screen", "talk"]).contains("noask hello"));
    parlour.json(&["stop", "talk"]);
    assert!(parlour.agents().is_empty());
}
