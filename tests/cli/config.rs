//! `parlour config`, on real files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::{Value, json};

use super::engine::{parlour, stderr, stdout};
use crate::support::parlour::Parlour;

struct ConfigHome {
    folder: tempfile::TempDir,
}

impl ConfigHome {
    fn with(text: &str) -> ConfigHome {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("config.json"), text).unwrap();
        ConfigHome { folder }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn file(&self) -> PathBuf {
        self.path().join("config.json")
    }

    fn text(&self) -> String {
        fs::read_to_string(self.file()).unwrap()
    }

    fn config(&self, words: &[&str]) -> Output {
        parlour(self.path(), &[&["config"], words].concat()).output().unwrap()
    }

    fn refused(&self, words: &[&str]) -> (Option<i32>, String) {
        let output = self.config(words);
        assert_eq!(stdout(&output), "", "{words:?}");
        (output.status.code(), stderr(&output).to_string())
    }
}

const MINE: &str = "{\n  // Few: this machine is small.\n  \"limits\": {\"liveAgents\": 3},\n  \"mine\" : [1,2]\n}\n";

#[test]
fn a_value_is_read_from_the_file_and_else_from_the_defaults() {
    let home = ConfigHome::with(MINE);
    assert_eq!(stdout(&home.config(&["get", "limits.liveAgents"])), "3\n");
    assert_eq!(stdout(&home.config(&["get", "sandbox"])), "off\n");
    let told: Value = serde_json::from_str(stdout(&home.config(&["get", "limits.liveAgents", "--json"]))).unwrap();
    assert_eq!(
        [&told["value"], &told["default"], &told["source"]],
        [&json!(3), &json!(20), &json!("config.json")]
    );
    let group: Value = serde_json::from_str(stdout(&home.config(&["get", "limits"]))).unwrap();
    assert_eq!(
        [&group["liveAgents"], &group["budget"]["stop"]],
        [&json!(3), &json!(false)]
    );
    let listed = home.config(&["list", "--set"]);
    assert!(
        stdout(&listed).starts_with("limits.liveAgents  3  config.json"),
        "{listed:?}"
    );
    assert!(stdout(&listed).contains("no such setting: mine; "));
    assert_eq!(home.refused(&["get", "theme"]).0, Some(3));
    assert_eq!(
        stdout(&home.config(&["path"])).trim_end(),
        home.file().canonicalize().unwrap().to_str().unwrap()
    );
}

#[test]
fn what_is_set_leaves_all_else_as_it_is_written() {
    let home = ConfigHome::with(MINE);
    let set = home.config(&["set", "limits.liveAgents", "5"]);
    assert_eq!(stdout(&set), "limits.liveAgents is 5 now; it acts at once\n");
    assert_eq!(home.text(), MINE.replace(": 3}", ": 5}"));
    home.config(&["set", "permissions.deny", "Read(**/.env)", "Bash(rm:*)"]);
    assert!(stdout(&home.config(&["get", "permissions.deny", "--json"])).contains("Bash(rm:*)"));
    let unset = home.config(&["unset", "permissions.deny"]);
    assert_eq!(stdout(&unset), "permissions.deny has its default again: empty\n");
    assert_eq!(home.text(), MINE.replace(": 3}", ": 5}"));
}

#[test]
fn what_cannot_be_meant_is_refused_with_what_may_have_been() {
    let home = ConfigHome::with(MINE);
    let (code, said) = home.refused(&["set", "limits.liveAgnets", "5"]);
    assert_eq!(code, Some(3));
    assert!(said.contains("did you mean limits.liveAgents?"), "{said}");
    for (words, why) in [
        (&["set", "limits.liveAgents", "0"][..], "1 or more"),
        (&["set", "theme", "drak"], "did you mean dark"),
        (&["set", "keys.newChatt", "ctrl+n"], "did you mean newChat"),
        (&["set", "keys.newChat", "hyper+n"], "is not a key"),
        (&["set", "permissions.allow", "Bash(ls"], "is not a rule"),
        (&["set", "limits", "5"], "is a group of settings"),
        (&["set", "globalMcpServers.db", "{}"], "needs a command"),
    ] {
        let (code, said) = home.refused(words);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains(why), "{words:?}: {said}");
    }
    assert_eq!(home.text(), MINE);
    assert_eq!(home.config(&["set", "theme"]).status.code(), Some(2));
}

#[test]
fn a_broken_file_is_said_with_its_place_and_never_written() {
    let home = ConfigHome::with("{\n  \"theme\": \"nord\"\n  \"v\": 1\n}\n");
    for words in [
        &["get", "theme"][..],
        &["set", "theme", "dark"],
        &["unset", "theme"],
        &["list"],
    ] {
        let (code, said) = home.refused(words);
        assert_eq!(code, Some(1), "{said}");
        assert!(
            said.contains("config.json:3:3: expected `,` or `}`"),
            "{words:?}: {said}"
        );
    }
    assert_eq!(home.text(), "{\n  \"theme\": \"nord\"\n  \"v\": 1\n}\n");
}

#[test]
fn an_editor_gets_a_file_that_names_its_schema_and_what_it_leaves_is_checked() {
    let home = tempfile::tempdir().unwrap();
    let edit = |editor: &str| {
        let mut parlour = parlour(home.path(), &["config", "edit"]);
        parlour.env_remove("VISUAL").env("EDITOR", editor).output().unwrap()
    };
    let good = edit("sed -i 's/\"v\": 1/\"v\": 1, \"theme\": \"nord\"/'");
    assert!(good.status.success(), "{good:?}");
    let text = fs::read_to_string(home.path().join("config.json")).unwrap();
    assert!(
        text.contains("\"theme\": \"nord\"") && text.contains("\"$schema\": \"config.schema.json\""),
        "{text}"
    );
    assert!(home.path().join("config.schema.json").exists());
    let bad = edit("sed -i 's/\"theme\":/\"theme\"/'");
    assert_eq!(bad.status.code(), Some(1));
    assert!(stderr(&bad).contains("config.json:3:"), "{bad:?}");
}

#[test]
fn an_agent_reads_settings_and_changes_none() {
    let home = ConfigHome::with(MINE);
    let as_agent = |words: &[&str]| {
        let mut parlour = parlour(home.path(), &[&["config"], words].concat());
        parlour.env("PARLOUR_CHAT", "aaaaaaaaaa").output().unwrap()
    };
    assert_eq!(stdout(&as_agent(&["get", "limits.liveAgents"])), "3\n");
    for words in [
        &["set", "theme", "dark"][..],
        &["unset", "limits.liveAgents"],
        &["edit"],
    ] {
        let refused = as_agent(words);
        assert_eq!(refused.status.code(), Some(1));
        assert!(stderr(&refused).contains("for a person to decide"), "{refused:?}");
    }
    assert_eq!(home.text(), MINE);
}

#[test]
fn a_key_that_another_command_has_is_said_to_be_taken_from_it() {
    let home = ConfigHome::with("{}");
    let set = home.config(&["set", "keys.newChat", "q"]);
    assert!(
        stdout(&set).contains("keys.newChat takes q from detach (“Detach; agents run on”)\n"),
        "{set:?}"
    );
    let told: Value = serde_json::from_str(stdout(&home.config(&["set", "--json", "keys.newChat", "q"]))).unwrap();
    assert_eq!(told["taken"], json!(["takes q from detach (“Detach; agents run on”)"]));
    let set = home.config(&["set", "keys.newChat", "ctrl+n"]);
    assert!(!stdout(&set).contains("takes"), "{set:?}");
}

#[test]
fn what_was_set_holds_for_the_verb_behind_it() {
    let parlour = Parlour::new();
    for (number, llm) in ["demo", "shell", "demo", "shell"].into_iter().enumerate() {
        parlour.say(&["config", "set", "defaultLlm", llm]);
        let made = parlour.json(&["new", &format!("chat {number}"), "--no-project"]);
        assert_eq!(made["llm"], llm, "{made}");
    }
}
