//! A person's rules in OpenCode's permissions, looked at as it does: the last that fits counts.

use serde_json::{Value, json};

use super::super::rules::permissions;
use crate::agents::tests::rules;
use crate::model::settings::PermissionSettings;
use crate::permission::stars;

/// As the CLI does it: `*` is anything, and ` *` at the end may be nothing.
fn fits(pattern: &str, text: &str) -> bool {
    stars(pattern, text) || pattern.strip_suffix(" *").is_some_and(|stem| stars(stem, text))
}

pub(super) fn judged(permissions: &Value, key: &str, text: &str) -> String {
    let mut last = "";
    for (name, value) in permissions
        .as_object()
        .unwrap()
        .iter()
        .filter(|(name, _)| fits(name, key))
    {
        match value {
            Value::Object(patterns) => {
                let mut fitting = patterns.iter().filter(|(pattern, _)| fits(pattern, text));
                last = fitting.next_back().map_or(last, |(_, action)| action.as_str().unwrap());
            }
            other => last = other.as_str().unwrap_or_else(|| panic!("{name}")),
        }
    }
    last.to_string()
}

#[test]
fn what_is_allowed_asked_and_denied_comes_out_as_meant_or_stricter() {
    let rules = rules(
        &[
            "Bash(cargo test:*)",
            "Bash(ls)",
            "Bash(git:*)",
            "Bash(npm:*)",
            "WebFetch(domain:docs.rs)",
            "Edit",
            "Bash(cat:*)",
        ],
        &["Bash(git commit:*)", "mcp__github__create_*", "Edit(src/**)"],
        &[
            "Bash(git reset --hard:*)",
            "Read(**/.env)",
            "Edit(~/.ssh/**)",
            "WebFetch(domain:*.evil.org)",
            "Bash(make * clean)",
            "Bash(npm i:*)",
            "mcp__db",
        ],
    );
    let (permissions, lost) = permissions(&rules, &[]);
    let in_dialogs = [
        "Bash(cargo test:*)",
        "Bash(ls)",
        "Bash(git:*)",
        "Bash(npm:*)",
        "Edit",
        "Bash(cat:*)",
    ];
    let told = lost.iter().map(|text| text.split(" opens ").next().unwrap());
    assert_eq!(told.collect::<Vec<_>>(), in_dialogs);
    let table = [
        ("bash", "cargo test", "ask"),
        ("bash", "cargo test --all", "ask"),
        ("bash", "cargo testx", "ask"),
        ("bash", "cargo test > ~/.bashrc", "ask"),
        ("bash", "cargo test $(rm x)", "ask"),
        ("bash", "ls", "ask"),
        ("bash", "ls -l", "ask"),
        ("bash", "git status", "ask"),
        ("bash", "git commit -m x", "ask"),
        ("bash", "git push --force", "ask"),
        ("bash", "git reset --hard", "deny"),
        ("bash", "git reset --hard HEAD", "deny"),
        ("bash", "sudo git reset --hard", "deny"),
        ("bash", "/usr/bin/git reset --hard x", "deny"),
        ("bash", "bash -c 'git reset --hard'", "deny"),
        ("bash", "git -C . reset --hard", "deny"),
        ("bash", "git  reset --hard", "deny"),
        ("bash", "git --no-pager reset --hard", "deny"),
        ("bash", "git reset \"--hard\" HEAD", "ask"),
        ("bash", "git reset -q --hard", "ask"),
        ("bash", "git log --grep=push", "ask"),
        ("bash", "git commit -m 'Say what reset --hard does'", "ask"),
        ("bash", "git show main:npm", "ask"),
        ("bash", "git -C . commit -m x", "ask"),
        ("bash", "npm -C . i left-pad", "deny"),
        ("bash", "npm  i", "deny"),
        ("bash", "npm run build", "ask"),
        ("bash", "make -j clean", "deny"),
        ("bash", "cat src/.env", "deny"),
        ("bash", "cat notes", "ask"),
        ("bash", "node x", "ask"),
        ("edit", "notes.md", "ask"),
        ("edit", "home/ada/.parlour/chats/x/src/a.rs", "ask"),
        ("edit", "/home/ada/.ssh/config", "deny"),
        ("read", "README.md", "allow"),
        ("read", "a/b/.env", "deny"),
        ("read", ".env", "deny"),
        ("grep", "secret", "ask"),
        ("webfetch", "https://docs.rs/serde", "allow"),
        ("webfetch", "https://docs.rs.evil.com/", "ask"),
        ("webfetch", "https://a.evil.org/docs.rs/", "deny"),
        ("github_create_issue", "*", "ask"),
        ("db_query", "*", "deny"),
        ("parlour_open_dir", "*", "allow"),
        ("unheard_of", "*", "ask"),
    ];
    for (key, text, wanted) in table {
        assert_eq!(
            judged(&permissions, key, text),
            wanted,
            "{key} {text} in {permissions:#}"
        );
    }
}

#[test]
fn what_cannot_be_said_is_asked_about_and_told() {
    let allowed = [
        "Bash",
        "Bash(make * clean)",
        "Bash(sh -c:*)",
        "Bash(echo 'a b':*)",
        "Bash(make && make install)",
        "WebFetch(domain:*.rs)",
        "Edit(src/**)",
        "mcp__github",
    ];
    let (told, lost) = permissions(&rules(&allowed, &[], &[]), &[]);
    assert_eq!(lost.len(), allowed.len(), "{lost:#?}");
    assert_eq!(told, permissions(&PermissionSettings::default(), &[]).0);
    for key in ["bash", "edit", "webfetch", "github_create"] {
        assert_eq!(judged(&told, key, "make x clean"), "ask", "{key}");
    }
}

#[test]
fn a_denial_survives_whatever_else_is_said_of_the_same() {
    for rule in [
        "Bash(rm:*)",
        "Bash",
        "Bash(rm -rf x)",
        "Bash(rm * x)",
        "Bash(a && rm -rf x)",
    ] {
        let rules = rules(&[rule, "Bash(rm:*)", "Bash(rm -rf x)"], &[rule, "Bash(rm:*)"], &[rule]);
        let (told, _) = permissions(&rules, &[]);
        assert_eq!(judged(&told, "bash", "rm -rf x"), "deny", "{rule}");
    }
    let (told, _) = permissions(&rules(&["Edit"], &["Edit"], &["Edit", "Read"]), &[]);
    for key in ["edit", "read", "glob", "grep", "list"] {
        assert_eq!(judged(&told, key, "x"), "deny", "{key}");
    }
    assert_eq!(told["parlour_**"], json!("allow"));
}
