//! A person's rules as Codex's own.

use std::fs;

use insta::assert_snapshot;

use super::super::rules::{lost, text};
use super::files::place;
use crate::agents::codex::Codex;
use crate::agents::tests::rules;
use crate::model::settings::PermissionSettings;

#[test]
fn what_is_asked_about_or_denied_is_said_by_its_first_words_and_nothing_is_allowed() {
    let rules = rules(
        &["Bash(cargo test:*)"],
        &[
            "Bash(git commit:*)",
            "Bash(make * clean)",
            "Bash(ls)",
            "Edit(src/**)",
            "Bash(rm:*)",
            "Bash(a && b)",
        ],
        &["Bash(rm:*)", "Bash(make * all)", "Bash(say \"x\\y\":*)"],
    );
    assert_snapshot!(text(&rules), @r#"
    prefix_rule(pattern=["git","commit"], decision="prompt", justification="a rule of config.json: Bash(git commit:*)")
    prefix_rule(pattern=["ls"], decision="prompt", justification="a rule of config.json: Bash(ls)")
    prefix_rule(pattern=["make"], decision="prompt", justification="a rule of config.json: Bash(make * clean)")
    prefix_rule(pattern=["rm"], decision="forbidden", justification="a rule of config.json: Bash(rm:*)")
    prefix_rule(pattern=["say","x\\y"], decision="forbidden", justification="a rule of config.json: Bash(say \"x\\y\":*)")
    "#);
    assert_snapshot!(lost(&rules).join("\n"), @r"
    Bash(cargo test:*) holds in Codex CLI's sandbox alone: what goes beyond it is asked about
    Edit(src/**) is not asked about where Codex CLI's sandbox allows it
    Bash(a && b) is not asked about where Codex CLI's sandbox allows it
    ");
}

#[test]
fn the_file_is_there_while_there_are_rules() {
    let mut place = place();
    place.prepare(&Codex);
    let file = place.at("chats/c/.codex/rules/parlour.rules");
    assert!(!file.exists());
    place.settings.permissions = rules(&[], &["Bash(git commit:*)"], &[]);
    place.prepare(&Codex);
    assert!(fs::read_to_string(&file).unwrap().contains("prompt"));
    place.settings.permissions = PermissionSettings::default();
    place.prepare(&Codex);
    assert_eq!(fs::read_to_string(&file).unwrap(), "");
}
