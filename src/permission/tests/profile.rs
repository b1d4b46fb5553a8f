//! What a permission profile adds to the rules, and what it leaves as it is.

use std::path::PathBuf;
use std::sync::Arc;

use super::*;
use crate::model::{Area, AreaMode, PermissionProfile};

fn area(name: &str, mode: AreaMode, cloned: bool, path: &str) -> Area {
    Area {
        name: name.into(),
        mode,
        asks: false,
        cloned,
        paths: vec![PathBuf::from(path)],
    }
}

/// The verdict on a call of a CLI that asks, in a chat with a clone, a clone to read, and a link.
fn verdict(rules: &Rules, profile: PermissionProfile, tool: &str, input: Value) -> String {
    let case = Case {
        rules: Arc::new(rules.clone()),
        role: None,
        cwd: CWD.into(),
        dirs: vec![
            area("web", AreaMode::Rw, true, &format!("{CWD}/projects/web")),
            area("docs", AreaMode::Ro, true, &format!("{CWD}/projects/docs")),
            area("notes", AreaMode::Rw, false, "/home/ada/notes"),
        ],
        calls: vec![AskedCall {
            tool: tool.into(),
            input,
            at: None,
            by_cli: true,
        }],
        profile,
    };
    word(&case.judge()[0]).to_string()
}

#[test]
fn each_profile_lets_through_what_it_says_and_no_more() {
    use PermissionProfile as P;
    let own = rules(&[], &[], &["Read(**/.env)", "Bash(cargo publish:*)"]);
    let run = |command: &str| ("Bash", json!({ "command": command }));
    let edit = |path: &str| ("Edit", json!({ "file_path": path }));
    let read = |path: &str| ("Read", json!({ "file_path": path }));
    let rows = [
        (edit("projects/web/src/a.rs"), ["-", "allow", "allow"]),
        (edit("AGENTS.md"), ["-", "-", "-"]),
        (edit("projects/web/.git/hooks/pre-commit"), ["ask", "ask", "ask"]),
        (edit("projects/web/../../../x"), ["ask", "ask", "ask"]),
        (edit("projects/docs/a.md"), ["deny", "deny", "deny"]),
        (edit("/home/ada/.bashrc"), ["ask", "ask", "ask"]),
        (read("projects/web/a.rs"), ["-", "allow", "allow"]),
        (read("projects/web/.env"), ["deny", "deny", "deny"]),
        (read("/etc/passwd"), ["-", "-", "-"]),
        (run("cat projects/web/a.rs"), ["-", "allow", "allow"]),
        (run("cd projects/web && cargo test"), ["-", "-", "allow"]),
        (run("cat /home/ada/.ssh/id_rsa"), ["-", "-", "-"]),
        (run("git push"), ["ask", "ask", "ask"]),
        (run("cargo publish"), ["deny", "deny", "deny"]),
        (run("cd /opt && touch a"), ["ask", "ask", "ask"]),
        (("WebFetch", json!({"url": "https://example.org"})), ["-", "-", "-"]),
        (("mcp__github__create_issue", json!({})), ["-", "-", "-"]),
    ];
    for ((tool, input), expected) in rows {
        let said = [P::Ask, P::Clones, P::All].map(|profile| verdict(&own, profile, tool, input.clone()));
        assert_eq!(said.each_ref().map(String::as_str), expected, "{tool} {input}");
    }
}
