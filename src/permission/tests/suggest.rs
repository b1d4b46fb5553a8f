//! Rules that are proposed for a call.

use std::sync::Arc;

use super::*;
use crate::model::PermissionProfile;

fn case(rules: Rules, tool: &str, input: Value) -> Case {
    Case {
        rules: Arc::new(rules),
        role: None,
        cwd: CWD.into(),
        dirs: Vec::new(),
        calls: vec![AskedCall {
            tool: tool.into(),
            input,
            at: None,
            by_cli: true,
        }],
        profile: PermissionProfile::Ask,
    }
}

fn proposed(tool: &str, input: Value) -> Vec<String> {
    case(rules(&[], &[], &[]), tool, input).suggestions()
}

#[test]
fn each_call_has_rules_that_would_allow_it_the_fitting_one_first() {
    let command = |text: &str| ("Bash", json!({ "command": text }));
    for ((tool, input), expected) in [
        (
            command("cargo test --workspace"),
            vec!["Bash(cargo test:*)", "Bash(cargo test --workspace)"],
        ),
        (
            command("git push origin main"),
            vec!["Bash(git push:*)", "Bash(git push origin main)"],
        ),
        (
            command("npm run build -- --watch"),
            vec!["Bash(npm run build:*)", "Bash(npm run build -- --watch)"],
        ),
        (
            command("cd src && cargo test a"),
            vec!["Bash(cargo test:*)", "Bash(cd src && cargo test a)"],
        ),
        (command("make -j8"), vec!["Bash(make -j8)", "Bash(make:*)"]),
        (command("rm -rf target"), vec!["Bash(rm -rf target)"]),
        (command("python3 x.py"), vec!["Bash(python3 x.py)"]),
        (command("make | tee log"), vec!["Bash(make | tee log)"]),
        (
            ("Edit", json!({"file_path": format!("{CWD}/projects/grove/src/a.rs")})),
            vec![
                "Edit(projects/grove/**)",
                "Edit(projects/grove/src/**)",
                "Edit(projects/grove/src/a.rs)",
                "Edit",
            ],
        ),
        (
            ("Write", json!({"file_path": "/srv/x/[a].txt"})),
            vec!["Edit(/srv/x/**)", "Edit(/srv/x/[[]a[]].txt)", "Edit"],
        ),
        (
            ("WebFetch", json!({"url": "https://docs.rs/x"})),
            vec!["WebFetch(domain:docs.rs)", "WebFetch"],
        ),
        (
            ("mcp__github__create_issue", json!({})),
            vec!["mcp__github__create_issue", "mcp__github"],
        ),
        (("Task", json!({})), vec!["Task"]),
    ] {
        assert_eq!(proposed(tool, input.clone()), expected, "{tool} {input}");
    }
}

#[test]
fn what_a_person_asks_about_or_denies_has_none() {
    for own in [rules(&[], &["Bash(make:*)"], &[]), rules(&[], &[], &["Bash(make:*)"])] {
        let case = case(own, "Bash", json!({"command": "make all"}));
        assert_eq!(case.suggestions(), Vec::<String>::new());
        assert_eq!(case.is_allowed_by("Bash(make all)"), Ok(false));
    }
}

#[test]
fn a_rule_of_a_persons_own_is_tried_too() {
    let case = case(rules(&[], &[], &[]), "Bash", json!({"command": "make all"}));
    assert_eq!(case.is_allowed_by("Bash"), Ok(true));
    assert_eq!(case.is_allowed_by("Bash(cargo:*)"), Ok(false));
    assert!(case.is_allowed_by("Bash(make").is_err());
}
