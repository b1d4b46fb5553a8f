//! What is read of a question before a yes to it.

use parlour::domain::approval;
use serde_json::json;

use crate::support::events::submitted;
use crate::support::world::{ME, World, id};

/// `auth` asks for this command, which names the clone `web` in its directory.
fn asks(tail: &str) -> World {
    let mut world = World::at_rest();
    world.hook(submitted("go on"));
    let dir = world.state.domain.disk.home.join("chats").join(id("auth").as_str());
    let command = format!("cd {}/projects/web && {tail}", dir.display());
    let now = world.state.domain.now;
    let agent = world.answered_by_keys("y", "Would you like to");
    agent.asked("Bash".into(), json!({ "command": command }), "own-1".into(), None, now);
    world
}

#[test]
fn a_command_is_told_from_the_directory_of_its_agent_on() {
    let mut world = asks("node /srv/app.js");
    let listed = approval::json(&world.state.domain, None);
    let told = &listed["approvals"][0];
    assert_eq!(told["shown"], json!(["cd projects/web && node /srv/app.js"]), "{told}");
    world.attach(ME, 120, 40);
    world.look();
    world.press("a");
    let picture = world.picture();
    assert!(picture.contains("cd projects/web"), "{picture}");
    assert!(picture.contains("node /srv/app.js"), "{picture}");
}
