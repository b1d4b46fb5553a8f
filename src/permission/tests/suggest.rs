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
    case(rules(&[], &[], &[]), tool, input).suggestions().rules
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
        (
            command("cd tides && ./run_tests.sh -v"),
            vec!["Bash(./run_tests.sh -v)", "Bash(cd tides && ./run_tests.sh -v)"],
        ),
        (
            command(r#"cd tides && node -e 'console.log("a"); process.exit(3)'"#),
            vec![
                r#"Bash(node -e 'console.log("a"); process.exit(3)')"#,
                r#"Bash(cd tides && node -e 'console.log("a"); process.exit(3)')"#,
            ],
        ),
        (
            command("cargo test 2>&1 | tail -20"),
            vec!["Bash(cargo test:*)", "Bash(cargo test 2>&1 | tail -20)"],
        ),
        (
            command("timeout 60 cargo test"),
            vec!["Bash(cargo test:*)", "Bash(timeout 60 cargo test)"],
        ),
        (
            command("cd calc && python3 -m unittest -v"),
            vec!["Bash(python3 -m unittest:*)", "Bash(cd calc && python3 -m unittest -v)"],
        ),
        (
            command("uv run pytest -q"),
            vec!["Bash(uv run pytest:*)", "Bash(uv run pytest -q)"],
        ),
        (
            command("gh pr view 7"),
            vec!["Bash(gh pr view:*)", "Bash(gh pr view 7)"],
        ),
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
fn what_can_run_anything_else_is_proposed_with_all_its_words_alone() {
    for line in [
        "bash build.sh",
        "sh -c 'cargo test'",
        "python3 x.py",
        "node server.js",
        "env CI=1 cargo test",
        "sudo apt install x",
        "xargs cargo test",
        "timeout 60 make",
        "find src -name x -exec cargo test {} +",
        "git -c core.pager=x commit",
        "git config core.pager x",
        "git log --output=x",
        "npx tsc",
        "npm exec tsc",
        "npm install x",
        "uv run python x.py",
        "bundle exec rake",
        "docker run x",
        "docker exec web cargo test",
        "kubectl exec web",
        "ssh host cargo test",
        "make test",
        "gradle test",
        "just test",
        "go run x.go",
        "cargo +nightly test",
        "./cargo test",
        "/tmp/cargo test",
        "rm target",
        "cp a b",
        "curl https://docs.rs",
        "sed -n 1p x",
        "awk 1 x",
        "vim x",
        "mytool build",
        "cargo fmt && cargo test",
        "cargo test; ./x",
    ] {
        let all = proposed("Bash", json!({ "command": line }));
        assert_eq!(all, [format!("Bash({line})")], "{line}");
    }
}

#[test]
fn a_beginning_that_is_proposed_allows_nothing_that_it_does_not_name() {
    let lets = |rule: &str, line: &str| {
        let case = case(rules(&[], &[], &[]), "Bash", json!({ "command": line }));
        case.is_allowed_by(rule).unwrap()
    };
    for line in [
        "cargo test",
        "cargo test a -- --nocapture",
        "cd src && cargo test",
        "cargo test | tail",
    ] {
        assert!(lets("Bash(cargo test:*)", line), "{line}");
    }
    for line in [
        "cargo tests",
        "cargo run",
        "cargo test; rm -rf /",
        "cargo test && ./x",
        "cargo test & ./x",
        "cargo test || ./x",
        "cargo test\n./x",
        "cargo test | sh",
        "cargo test $(rm x)",
        "cargo test `rm x`",
        "cargo test <(rm x)",
        "cargo test > ../x",
        "cargo test > .git/hooks/pre-commit",
        "X=1 cargo test",
        "env X=1 cargo test",
        "sudo cargo test",
        "./cargo test",
        "cargo test --config 'target.x.runner=\"rm\"'",
        "cargo --config x.toml test",
        "bash -c 'cargo test'",
    ] {
        assert!(!lets("Bash(cargo test:*)", line), "{line}");
    }
    for (rule, line) in [
        ("Bash(go test:*)", "go test -exec ./x ./..."),
        ("Bash(go test:*)", "go test -exec=./x"),
        ("Bash(go build:*)", "go build --toolexec ./x"),
        ("Bash(go vet:*)", "go vet -vettool=./x"),
        ("Bash(git push:*)", "git push --receive-pack=./x origin"),
        ("Bash(git rebase:*)", "git rebase -x ./x main"),
        ("Bash(git grep:*)", "git grep -O./x a"),
        ("Bash(uv run pytest:*)", "uv run python x.py"),
        ("Bash(npm run build:*)", "npm run build && npm run other"),
    ] {
        assert!(!lets(rule, line), "{rule} {line}");
    }
}

#[test]
fn what_a_person_asks_about_or_denies_has_none() {
    for own in [
        rules(&[], &["Bash(cargo test:*)"], &[]),
        rules(&[], &[], &["Bash(cargo test:*)"]),
    ] {
        let case = case(own, "Bash", json!({"command": "cargo test a"}));
        let found = case.suggestions();
        assert_eq!(found.rules, Vec::<String>::new());
        let why = [
            "your rule Bash(cargo test:*) asks about it",
            "your rule Bash(cargo test:*) denies it",
        ];
        assert!(why.contains(&found.why_none.as_str()), "{}", found.why_none);
        assert_eq!(case.is_allowed_by("Bash(cargo test a)"), Ok(false));
    }
}

#[test]
fn a_rule_of_a_persons_own_is_tried_too() {
    let case = case(rules(&[], &[], &[]), "Bash", json!({"command": "make all"}));
    assert_eq!(case.is_allowed_by("Bash"), Ok(true));
    assert_eq!(case.is_allowed_by("Bash(cargo:*)"), Ok(false));
    assert!(case.is_allowed_by("Bash(make").is_err());
}

#[test]
fn where_no_rule_fits_it_is_said_why() {
    let why = |own: Rules| {
        let input = json!({ "command": "cat >> notes.md <<'X'\none\nX" });
        let found = case(own, "Bash", input).suggestions();
        assert_eq!(found.rules, Vec::<String>::new());
        found.why_none
    };
    assert_eq!(
        why(rules(&[], &[], &[])),
        "it is written over several lines, and a rule is about one"
    );
    assert_eq!(
        why(rules(&[], &[], &["Bash(cat:*)"])),
        "your rule Bash(cat:*) denies it"
    );
}
