//! Agents at work together: one makes others, with clones of what it works on, and sees how they do.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::support::parlour::{PATIENCE, Parlour, git, until};
use crate::support::team::{self, Mate};

fn repository(parlour: &Parlour) -> PathBuf {
    let grove = parlour.scratch().join("grove");
    fs::create_dir(&grove).unwrap();
    git(&grove, &["init", "-q", "-b", "main"]);
    commit(&grove, "a.txt");
    grove
}

fn commit(repository: &Path, file: &str) -> String {
    fs::write(repository.join(file), file).unwrap();
    git(repository, &["add", "."]);
    git(repository, &["commit", "-qm", file]);
    git(repository, &["rev-parse", "HEAD"])
}

/// What a repository forbids who works on it must not depend on whether the caller has it open.
#[test]
fn a_role_of_the_project_that_is_named_holds_for_who_is_dispatched_into_it() {
    let parlour = team::parlour(json!({}));
    let grove = repository(&parlour);
    fs::create_dir_all(grove.join(".parlour/roles")).unwrap();
    fs::write(
        grove.join(".parlour/roles/worker.md"),
        "Work as this repository has it.\n",
    )
    .unwrap();
    commit(&grove, "b.txt");
    let boss = Mate::new(&parlour, "Boss", &["--no-project"]);
    let asked = |name: &str, project: &str| json!({"prompt": "hi", "role": "worker", "name": name, "project": project});
    let (by_path, _) = boss.dispatch(&parlour, asked("by-path", grove.to_str().unwrap()));
    let (by_name, _) = boss.dispatch(&parlour, asked("by-name", "grove"));
    for child in [by_path, by_name] {
        let told = fs::read_to_string(child.dir.join("AGENTS.md")).unwrap();
        assert!(told.contains("Work as this repository has it."), "{told}");
    }
}

#[test]
fn an_agent_dispatches_another_on_a_branch_of_its_own_clone_and_sees_its_answer() {
    let parlour = team::parlour(json!({}));
    let grove = repository(&parlour);
    let boss = Mate::new(&parlour, "Boss", &["--dir", grove.to_str().unwrap()]);
    let own = boss.dir.join("projects/grove");
    let unpushed = commit(&own, "b.txt");
    fs::write(own.join("c.txt"), "uncommitted").unwrap();

    let asked =
        json!({"prompt": "try redis", "project": "grove", "branch": "try-redis", "name": "Redis", "role": "worker"});
    let (redis, made) = boss.dispatch(&parlour, asked);
    assert_eq!(
        (&made["handle"], &made["branch"]),
        (&json!("redis"), &json!("try-redis"))
    );
    assert_eq!(made["notes"], json!(["stayed behind in your grove: untracked c.txt"]));
    let clone = redis.dir.join("projects/grove");
    assert_eq!(git(&clone, &["rev-parse", "HEAD"]), unpushed);
    assert_eq!(git(&clone, &["branch", "--show-current"]), "try-redis");
    assert_eq!(
        git(&clone, &["remote", "get-url", "origin"]),
        grove.canonicalize().unwrap().to_str().unwrap()
    );
    assert!(!clone.join("c.txt").exists());

    let session = json!({"session_id": made["sessionId"]});
    until("its answer is told", PATIENCE, || {
        boss.call("get_status", session.clone()).unwrap()["output"] == "Done: try redis"
    });
    assert_eq!(redis.prompts(&parlour), [("parent".to_owned(), "try redis".to_owned())]);
    parlour.wait("redis", "idle");
    let children = boss.call("list_children", json!({})).unwrap();
    assert_eq!(children["children"][0]["chatId"], made["chatId"]);
    assert_eq!(children["children"][0]["status"], "idle");
    let listed = parlour.json(&["list"]);
    let chats = listed["chats"].as_array().unwrap();
    let child = chats.iter().find(|chat| chat["handle"] == "redis").unwrap();
    assert_eq!((&child["parent"], &child["role"]), (&json!(boss.id), &json!("worker")));

    until("the end of its turn is told", PATIENCE, || {
        !boss.prompts(&parlour).is_empty()
    });
    parlour.say(&["send", "boss", "what is up"]);
    until("the parent's answer is told", PATIENCE, || {
        let output = redis.call("get_parent_output", json!({})).unwrap();
        output["text"].as_str().unwrap().ends_with("Done: what is up")
    });
}

#[test]
fn what_is_not_ones_own_is_answered_as_if_it_were_not_there() {
    let parlour = team::parlour(json!({}));
    let (boss, other) = (Mate::new(&parlour, "Boss", &[]), Mate::new(&parlour, "Other", &[]));
    let (first, _) = boss.dispatch(&parlour, json!({"prompt": "one", "name": "First"}));
    let (second, _) = boss.dispatch(&parlour, json!({"prompt": "two", "name": "Second"}));
    let status = |of: &Mate, named: &str| of.call("get_status", json!({"session_id": named}));
    assert!(status(&boss, &first.id).is_ok() && status(&first, &boss.id).is_ok());
    let refused = |of: &Mate, named: &str| status(of, named).unwrap_err().replace(named, "X");
    let unknown = refused(&first, "nobody");
    for (of, named) in [
        (&first, &second.id),
        (&first, &other.id),
        (&other, &boss.id),
        (&other, &first.id),
    ] {
        assert_eq!(refused(of, named), unknown);
    }
    assert_eq!(refused(&first, "second"), unknown);
    let listed = |of: &Mate, named: &str| of.call("list_children", json!({"chat": named}));
    assert_eq!(listed(&boss, "first").unwrap(), json!({"children": []}));
    assert!(listed(&first, "boss").is_err());
    assert!(
        boss.call("get_parent_output", json!({}))
            .unwrap_err()
            .contains("no parent")
    );
}

pub fn a_dispatch_beyond_a_limit_names_it_and_makes_nothing() {
    let parlour = team::parlour(json!({"liveChildren": 1, "dispatchDepth": 1}));
    let boss = Mate::new(&parlour, "Boss", &[]);
    let ask = json!({"prompt": "work"});
    let (child, _) = boss.dispatch(&parlour, ask.clone());
    assert_eq!(
        boss.call("dispatch", ask.clone()).unwrap_err(),
        "dispatching: boss has 1 child at work, and limits.liveChildren is 1; a person can raise limits.liveChildren \
         in config.json"
    );
    let deeper = child.call("dispatch", ask).unwrap_err();
    assert!(deeper.contains("limits.dispatchDepth is 1"), "{deeper}");
    let limits = &parlour.status()["limits"];
    assert_eq!(
        (&limits["liveChildren"], &limits["spawnsPerMinute"]),
        (&json!(1), &json!(6))
    );
    assert_eq!(parlour.json(&["list"])["chats"].as_array().unwrap().len(), 2);
}

#[test]
fn an_atom_is_claimed_for_the_chat_that_is_made_for_it_and_by_no_second_one() {
    let parlour = team::parlour(json!({}));
    let boss = Mate::new(&parlour, "Boss", &[]);
    let atoms = json!({"molecule": "plan", "atoms": [{"id": "redis", "title": "Try Redis"}]});
    boss.call("add_atoms", atoms).unwrap();
    let asked = json!({"prompt": "try redis", "name": "Redis", "atom": "plan/redis"});
    let (redis, _) = boss.dispatch(&parlour, asked.clone());
    let listed = boss.call("list_atoms", json!({})).unwrap();
    let atom = &listed["atoms"][0];
    assert_eq!(
        (&atom["status"], &atom["owner"]),
        (&json!("in_progress"), &json!("redis")),
        "{listed}"
    );
    assert_eq!(redis.dir.file_name().unwrap().to_str(), Some(redis.id.as_str()));

    let refused = boss.call("dispatch", asked).unwrap_err();
    assert!(refused.contains("redis"), "{refused}");
    until("the second chat is gone again", PATIENCE, || {
        parlour.json(&["list"])["chats"].as_array().unwrap().len() == 2
    });
    let wrong = boss
        .call("dispatch", json!({"prompt": "x", "atom": "redis"}))
        .unwrap_err();
    assert!(wrong.contains("MOLECULE/ID"), "{wrong}");
}

#[test]
fn the_roles_of_a_repository_that_the_caller_has_not_open_count_too() {
    let parlour = team::parlour(json!({}));
    let web = parlour.scratch().join("web");
    fs::create_dir_all(web.join(".parlour/roles")).unwrap();
    git(&web, &["init", "-q", "-b", "main"]);
    let role = "---\npermissions:\n  deny: [\"Bash(rm:*)\"]\n---\nThe words of the repository.\n";
    fs::write(web.join(".parlour/roles/worker.md"), role).unwrap();
    git(&web, &["add", "-A"]);
    git(&web, &["commit", "-qm", "Begin"]);
    let boss = Mate::new(&parlour, "Boss", &["--no-project"]);
    let asked = json!({"prompt": "hi", "role": "worker", "project": web, "name": "Helper"});
    let (helper, _) = boss.dispatch(&parlour, asked);
    let told = fs::read_to_string(helper.dir.join("AGENTS.md")).unwrap();
    assert!(told.contains("The words of the repository."), "{told}");
}
