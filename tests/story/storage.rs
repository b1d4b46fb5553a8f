//! What lies on disk: caches that no chat uses are removed, and files that new clones get are kept by a person.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::parlour::{PATIENCE, Parlour, git, until};

/// A repository of the person's own, with something in it that git ignores.
fn checkout(parlour: &Parlour, name: &str) -> PathBuf {
    let grove = parlour.scratch().join(name);
    git(parlour.scratch(), &["init", "-q", "-b", "main", name]);
    fs::create_dir(grove.join("web")).unwrap();
    fs::write(grove.join(".gitignore"), ".env\n").unwrap();
    fs::write(grove.join("web/.env"), "KEY=1\n").unwrap();
    git(&grove, &["add", "."]);
    git(&grove, &["commit", "-qm", "Begin"]);
    grove
}

fn clone_of(parlour: &Parlour, name: &str, source: &Path) -> PathBuf {
    let chat = parlour.json(&["new", name, "--llm", "shell", "--dir", source.to_str().unwrap()]);
    let dir = chat["dir"].as_str().unwrap();
    Path::new(dir).join("projects").join(source.file_name().unwrap())
}

fn of_kind<'v>(listed: &'v Value, kind: &str) -> Vec<&'v Value> {
    let items = listed["items"].as_array().unwrap().iter();
    items.filter(|item| item["kind"] == kind).collect()
}

#[test]
fn a_persons_setup_files_are_in_each_new_clone_until_they_are_removed() {
    let parlour = Parlour::new();
    let grove = checkout(&parlour, "grove");
    let said = parlour.say(&["setup", "list"]);
    assert!(said.contains("no setup files"), "{said}");
    let added = parlour
        .command(&["setup", "add", ".env"])
        .current_dir(grove.join("web"))
        .output()
        .unwrap();
    assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
    let listed = parlour.json(&["setup", "list"]);
    assert_eq!(listed["projects"][0]["files"][0]["path"], "web/.env", "{listed}");
    let clone = clone_of(&parlour, "One", &grove);
    assert_eq!(fs::read_to_string(clone.join("web/.env")).unwrap(), "KEY=1\n");

    fs::write(clone.join("web/.env"), "KEY=2\n").unwrap();
    parlour.say(&["setup", "add", "web/.env", "--chat", "one"]);
    let clone = clone_of(&parlour, "Two", &grove);
    assert_eq!(fs::read_to_string(clone.join("web/.env")).unwrap(), "KEY=2\n");

    let refused = parlour.refusal(&["setup", "rm", "grove", "nothing"]);
    assert!(
        refused.contains("setup files of grove: \"nothing\" is not kept"),
        "{refused}"
    );
    parlour.say(&["setup", "rm", "grove", "web/.env"]);
    let clone = clone_of(&parlour, "Three", &grove);
    assert!(!clone.join("web/.env").exists());
}

#[test]
fn only_caches_that_no_chat_uses_are_pruned_and_a_pruned_one_is_made_again() {
    let parlour = Parlour::new();
    let (grove, ledger) = (checkout(&parlour, "grove"), checkout(&parlour, "ledger"));
    clone_of(&parlour, "One", &grove);
    clone_of(&parlour, "Two", &ledger);
    fs::create_dir_all(parlour.home().join("cache")).unwrap();
    fs::write(parlour.home().join("cache/agents.json"), "{}").unwrap();
    let listed = parlour.json(&["cache", "list"]);
    let caches = of_kind(&listed, "cache");
    assert!(
        caches.iter().any(|item| item["name"] == "versions of agent CLIs"),
        "{listed}"
    );
    assert_eq!(of_kind(&listed, "chat").len(), 2, "{listed}");
    assert_eq!(of_kind(&listed, "repository").len(), 2, "{listed}");
    let said = parlour.say(&["cache", "prune"]);
    assert!(said.contains("every cached repository is used"), "{said}");

    // In the trash it could come back, and would want its cache.
    parlour.json(&["rm", "two", "--yes"]);
    let said = parlour.say(&["cache", "prune"]);
    assert!(said.contains("every cached repository is used"), "{said}");
    let listed = parlour.json(&["cache", "list"]);
    assert_eq!(of_kind(&listed, "trash").len(), 1, "{listed}");
    parlour.json(&["trash", "purge", "--yes"]);

    let refused = parlour.refusal(&["cache", "prune"]);
    assert!(
        refused.contains("nothing was removed") && refused.contains("ledger"),
        "{refused}"
    );
    let pruned = parlour.json(&["cache", "prune", "--yes"]);
    assert!(pruned["freed"].as_u64().unwrap() > 0, "{pruned}");
    let listed = parlour.json(&["cache", "list"]);
    assert_eq!(of_kind(&listed, "repository").len(), 1, "{listed}");
    let clone = clone_of(&parlour, "Again", &ledger);
    assert!(clone.join(".gitignore").exists());

    let mut terminal = parlour.attach(&[]);
    terminal.wait_for_text("SIDEBAR");
    terminal.press("X");
    terminal.wait_for_text("The trash is empty");
    terminal.press("d");
    terminal.wait_for_text("in all");
    terminal.wait_for_text("grove");
}

#[test]
fn the_search_index_is_listed_by_name_and_made_again_after_it_was_pruned() {
    let parlour = Parlour::new();
    parlour.json(&["new", "One", "--llm", "demo", "-p", "Count the pomegranates"]);
    let is_found = || {
        let found = parlour.found("pomegranates");
        found.as_array().is_some_and(|hits| !hits.is_empty())
    };
    until("it is found", PATIENCE, is_found);
    let nothing = parlour.run(&["search", "persimmons"]);
    assert_eq!(nothing.status.code(), Some(1), "as grep ends");
    assert_eq!(String::from_utf8_lossy(&nothing.stdout), "nothing was found\n");
    assert!(nothing.stderr.is_empty(), "{nothing:?}");
    assert_eq!(parlour.found("persimmons"), serde_json::json!([]));
    let listed = parlour.json(&["cache", "list"]);
    let index = of_kind(&listed, "search-index");
    assert_eq!(index.len(), 1, "{listed}");
    assert!(index[0]["bytes"].as_u64().unwrap() > 4_000, "{listed}");
    assert!(!listed.to_string().contains("history.db"), "{listed}");

    let said = parlour.say(&["cache", "prune"]);
    assert!(said.contains("`--index` removes the search index"), "{said}");
    let pruned = parlour.json(&["cache", "prune", "--index", "--yes"]);
    assert_eq!(pruned["removed"][0]["kind"], "search-index", "{pruned}");
    assert!(pruned["freed"].as_u64().unwrap() > 4_000, "{pruned}");
    until("it is found again", PATIENCE, is_found);
}
