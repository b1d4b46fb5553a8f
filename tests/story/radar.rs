//! Two agents commit in clones of one project, and whoever looks is told where they collide, without asking.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::parlour::{Parlour, git};

struct Rivals {
    parlour: Parlour,
    grove: PathBuf,
}

impl Rivals {
    fn new() -> Rivals {
        let parlour = Parlour::new();
        let grove = parlour.scratch().join("grove");
        fs::create_dir_all(grove.join("src")).unwrap();
        fs::write(grove.join("src/main.rs"), "fn main() {}\n").unwrap();
        git(&grove, &["init", "-q", "-b", "main"]);
        git(&grove, &["add", "-A"]);
        git(&grove, &["commit", "-q", "-m", "first"]);
        Rivals { parlour, grove }
    }

    /// A chat in a clone of its own, and where that is.
    fn chat(&self, name: &str, branch: &str) -> PathBuf {
        let dir = self.grove.to_str().unwrap();
        let words = ["new", name, "--llm", "demo", "--dir", dir, "--branch", branch];
        self.parlour.json(&words);
        let known = self.parlour.wait(name, "idle");
        known["projects"][0]["path"].as_str().unwrap().into()
    }
}

/// As an agent commits: by git itself, and parlour is not told.
fn commit(clone: &Path, file: &str, text: &str) {
    fs::write(clone.join(file), text).unwrap();
    git(clone, &["add", "-A"]);
    git(clone, &["commit", "-q", "-m", file]);
}

#[test]
fn a_conflict_shows_by_itself_and_goes_with_its_cause() {
    let rivals = Rivals::new();
    let parlour = &rivals.parlour;
    // Names with a slash lie deeper than where branches are watched.
    let work = rivals.chat("work", "try/work");
    let rival = rivals.chat("rival", "try/rival");
    let calm = rivals.chat("calm", "calm");
    let mut terminal = parlour.attach(&["--", "work"]);
    terminal.wait_for_text("○ idle");
    commit(&calm, "calm.txt", "calm\n");
    commit(&work, "src/main.rs", "fn main() { one() }\n");
    commit(&rival, "src/main.rs", "fn main() { two() }\n");
    terminal.press("\x11d");
    terminal.wait_for_text("× conflicts with rival: src/main.rs");
    terminal.press("\x1b");
    terminal.wait_for("both rows name the other", |screen| {
        let said = screen.contents();
        said.contains("× rival") && said.contains("× work") && !said.contains("× calm")
    });

    // The rival takes it back by moving its branch alone.
    git(&rival, &["reset", "-q", "--soft", "HEAD~"]);
    terminal.wait_for("nobody collides", |screen| !screen.contents().contains('×'));

    git(&rival, &["commit", "-q", "-m", "again"]);
    terminal.wait_for_text("× rival");
    parlour.say(&["rm", "rival", "--yes"]);
    terminal.wait_for("a deleted chat collides with nobody", |screen| {
        !screen.contents().contains('×')
    });
}

#[test]
fn an_engine_that_starts_again_knows_of_conflicts() {
    let rivals = Rivals::new();
    let (work, rival) = (rivals.chat("work", "work"), rivals.chat("rival", "rival"));
    rivals.parlour.kill_engine();
    commit(&work, "src/main.rs", "fn main() { one() }\n");
    commit(&rival, "src/main.rs", "fn main() { two() }\n");
    let terminal = rivals.parlour.attach(&["--", "work"]);
    terminal.wait_for_text("× rival");
    let found = rivals.parlour.json(&["radar", "work"]);
    assert_eq!(found["collisions"][0]["files"], serde_json::json!(["src/main.rs"]));
}

#[test]
fn a_branch_whose_work_the_base_has_as_one_commit_collides_with_nobody() {
    let rivals = Rivals::new();
    let parlour = &rivals.parlour;
    let (work, rival) = (rivals.chat("work", "work"), rivals.chat("rival", "rival"));
    commit(&work, "src/lib.rs", "fn lib() {}\n");
    commit(&work, "src/main.rs", "fn main() { one() }\n");
    commit(&rival, "src/main.rs", "fn main() { two() }\n");
    let conflicts = || parlour.json(&["radar"])["collisions"].as_array().unwrap().len();
    assert_eq!(conflicts(), 1);
    // As a forge merges: all of it as one commit, and the base goes on.
    let grove = &rivals.grove;
    git(grove, &["fetch", "-q", work.to_str().unwrap(), "work"]);
    git(grove, &["merge", "-q", "--squash", "FETCH_HEAD"]);
    git(grove, &["commit", "-q", "-m", "work (#7)"]);
    commit(grove, "src/main.rs", "fn main() { one(); three() }\n");
    assert_eq!(conflicts(), 1, "no clone knows of it");
    let url = grove.to_str().unwrap();
    git(&rival, &["fetch", "-q", url, "main:refs/remotes/origin/main"]);
    assert_eq!(conflicts(), 0);
}

#[test]
fn a_chat_collides_over_no_file_that_it_has_only_from_its_base() {
    let rivals = Rivals::new();
    let parlour = &rivals.parlour;
    let rival = rivals.chat("rival", "rival");
    commit(&rival, "src/main.rs", "fn main() { two() }\n");
    commit(&rivals.grove, "src/main.rs", "fn main() { three() }\n");
    let fresh = rivals.chat("fresh", "fresh");
    commit(&fresh, "README.md", "hello\n");
    let found = || parlour.json(&["radar"])["collisions"].clone();
    assert_eq!(found(), serde_json::json!([]));
    // What it changes itself counts, be it beside what its base did.
    commit(&fresh, "src/main.rs", "fn main() { four() }\n");
    assert_eq!(found()[0]["files"], serde_json::json!(["src/main.rs"]));
}
