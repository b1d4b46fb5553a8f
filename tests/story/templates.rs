//! Prompts that are made of templates: shipped ones, a person's own, and those of a repository, which are only ever text.

use std::fs;
use std::path::Path;

use crate::support::parlour::{Parlour, git};

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A chat of the demo agent in a clone of a repository that brings templates along.
fn chat_with_templates() -> Parlour {
    let parlour = Parlour::new();
    let grove = parlour.scratch().join("grove");
    write(
        &grove.join(".claude/commands/look.md"),
        "---\ndescription: Look at it\nargument-hint: <file> <why>\n---\nnoask Look at $1 in {{project}} on {{branch}}: $2\n!`touch ran`",
    );
    write(
        &grove.join(".parlour/commands/review.md"),
        "noask Review ours:\n{{diff}}",
    );
    git(&grove, &["init", "-q", "-b", "main"]);
    git(&grove, &["add", "-A"]);
    git(&grove, &["commit", "-q", "-m", "first"]);
    parlour.json(&["new", "work", "--llm", "demo", "--dir", grove.to_str().unwrap()]);
    parlour.wait("work", "idle");
    write(&parlour.home().join("commands/mine.md"), "noask mine");
    parlour
}

fn prompts(parlour: &Parlour) -> Vec<String> {
    let events = parlour.events("work").into_iter().filter(|e| e["kind"] == "prompt");
    events.map(|e| e["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_prompt_is_made_of_a_template_with_its_arguments_and_nothing_of_it_is_run() {
    let parlour = chat_with_templates();
    let missing = parlour.refusal(&["send", "work", "--template", "look", "src/a b.rs"]);
    assert!(missing.contains("it needs <why> ($2)"), "{missing}");
    let words = ["send", "work", "--template", "look", "src/a b.rs", "it is {{diff}}"];
    let said = parlour.run(&words);
    assert!(
        String::from_utf8_lossy(&said.stderr).contains("are not run"),
        "{said:?}"
    );
    parlour.wait("work", "idle");
    assert_eq!(
        prompts(&parlour),
        ["noask Look at src/a b.rs in grove on main: it is {{diff}}\n!`touch ran`"]
    );
    assert!(!parlour.scratch().join("grove/ran").exists());
}

#[test]
fn templates_are_listed_with_where_they_come_from_and_a_projects_own_goes_first() {
    let parlour = chat_with_templates();
    let listed = parlour.json(&["templates", "--chat", "work"]);
    let all = listed["templates"].as_array().unwrap().iter();
    let named: Vec<String> = all.map(|one| format!("{} {}", one["name"], one["from"])).collect();
    assert_eq!(
        named.join("\n").replace('"', ""),
        "commit shipped\nexplain shipped\nfix-tests shipped\nlook repository-claude\nmine user\nreview repository"
    );
    let shown = parlour.say(&["templates", "show", "mine"]);
    assert_eq!(shown, "noask mine\n");
    let clone = fs::read_dir(parlour.home().join("chats"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    fs::write(clone.path().join("projects/grove/new.txt"), "```\n").unwrap();
    parlour.json(&["send", "work", "--template", "review"]);
    parlour.wait("work", "idle");
    let prompt = prompts(&parlour).remove(0);
    assert!(
        prompt.starts_with("noask Review ours:\n````diff\n") && prompt.contains("+```"),
        "{prompt}"
    );
}

#[test]
fn queued_prompts_are_shown_and_changed_and_stay_so_across_a_restart_of_the_engine() {
    let parlour = Parlour::new();
    parlour.json(&["demo"]);
    parlour.wait("demo", "needs-you");
    for text in ["noask one", "noask two", "noask three"] {
        parlour.json(&["send", "demo", text, "--follow-up"]);
    }
    parlour.say(&["queue", "demo", "--move", "3", "1"]);
    parlour.say(&["queue", "demo", "--edit", "2", "noask uno"]);
    parlour.say(&["queue", "demo", "--remove", "3"]);
    let texts = || {
        let queue = parlour.json(&["queue", "demo"]);
        let all = queue["queue"].as_array().unwrap().iter();
        all.map(|one| one["text"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(texts(), ["noask three", "noask uno"]);
    parlour.kill_engine();
    assert_eq!(texts(), ["noask three", "noask uno"]);
    parlour.say(&["queue", "demo", "--remove", "1"]);
    parlour.json(&["resume", "demo"]);
    parlour.wait("demo", "idle");
    let events = parlour.events("demo").into_iter();
    let sent = events.filter(|event| event["kind"] == "prompt" && event["text"].as_str().unwrap().starts_with("noask"));
    assert_eq!(
        sent.map(|event| event["text"].clone()).collect::<Vec<_>>(),
        ["noask uno"]
    );
}
