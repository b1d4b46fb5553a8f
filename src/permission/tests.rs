//! Verdicts: the table of commands, the rules of a person, files and other tools, and lines nobody would write.

mod anything;
mod braces;
mod documents;
mod doors;
mod fence;
mod globs;
mod options;
mod places;
mod profile;
mod reading;
mod spelling;
mod starters;
mod subcommands;
mod suggest;
mod table;

use std::path::Path;

use proptest::prelude::ProptestConfig;
use serde_json::{Value, json};

use super::*;
use crate::model::settings::PermissionSettings;

const CWD: &str = "/home/ada/.parlour/chats/fix";

fn settings(allow: &[&str], ask: &[&str], deny: &[&str]) -> PermissionSettings {
    let own = |list: &[&str]| list.iter().map(|rule| rule.to_string()).collect();
    PermissionSettings {
        allow: own(allow),
        ask: own(ask),
        deny: own(deny),
        ..PermissionSettings::default()
    }
}

fn rules(allow: &[&str], ask: &[&str], deny: &[&str]) -> Rules {
    let (rules, misfits) = Rules::parse(&settings(allow, ask, deny), Path::new("/home/ada"));
    assert_eq!(misfits, []);
    rules
}

fn call(rules: &Rules, tool: &str, input: Value) -> Ruling {
    let cwd = Path::new(CWD);
    rules.judge(&Call {
        tool,
        input: &input,
        cwd,
        at: None,
        dirs: &[],
    })
}

fn bash(rules: &Rules, command: &str) -> Ruling {
    call(rules, "Bash", json!({"command": command}))
}

/// More cases where `PROPTEST_CASES` says so.
fn at_least(cases: u32) -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig {
        cases: cases.max(usual.cases),
        ..usual
    }
}

/// The verdict in a word.
fn word(ruling: &Ruling) -> &'static str {
    match ruling {
        Ruling::Allow { .. } => "allow",
        Ruling::Ask { .. } => "ask",
        Ruling::Deny { .. } => "deny",
        Ruling::NoOpinion => "-",
    }
}

/// Compares all rows at once, so that one run shows every wrong one.
fn assert_rows(rules: &Rules, rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .map(|(command, wanted)| (command, wanted, bash(rules, command)))
        .filter(|(_, wanted, ruling)| word(ruling) != **wanted)
        .map(|(command, wanted, ruling)| format!("{command:?}: wanted {wanted}, got {ruling:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_verdict_names_its_rule_and_says_why() {
    let rules = rules(&["Bash(cargo test:*)"], &["Bash(npm:*)"], &["Bash(git commit:*)"]);
    let own = |rule: &str| RuleName::Persons(rule.into());
    let denied = |rule: RuleName, why: &str| Ruling::Deny { rule, why: why.into() };
    let why = "a rule of config.json denies it";
    assert_eq!(
        bash(&rules, "ls && git commit -m x"),
        denied(own("Bash(git commit:*)"), why)
    );
    let why = "it overwrites what others pushed; --force-with-lease asks";
    assert_eq!(
        bash(&rules, "git push -f"),
        denied(RuleName::built_in("git push --force"), why)
    );
    let allowed = |rule| Ruling::Allow { rule };
    assert_eq!(bash(&rules, "cargo test | tail"), allowed(own("Bash(cargo test:*)")));
    assert_eq!(bash(&rules, "ls | cargo test"), allowed(own("Bash(cargo test:*)")));
    let asked = Ruling::Ask {
        rule: own("Bash(npm:*)"),
        why: "a rule of config.json asks about it".into(),
    };
    assert_eq!(bash(&rules, "npm ci"), asked);
}

#[test]
fn a_denied_command_beats_every_allow_and_every_question() {
    let rules = rules(
        &["Bash", "Bash(git push:*)", "Bash(git push)"],
        &["Bash(git:*)"],
        &["Bash(git push:*)"],
    );
    assert_rows(&rules, &[("git push", "deny"), ("git pull", "ask"), ("make", "allow")]);
}

#[test]
fn an_allow_lifts_what_parlour_asks_and_what_it_denies_only_to_the_letter() {
    let some = rules(&["Bash(git push:*)", "Bash(rm:*)", "Bash(sudo:*)"], &[], &[]);
    assert_rows(
        &some,
        &[
            ("git push origin main", "allow"),
            ("git push && ls", "allow"),
            ("git push && git status", "ask"),
            ("git push $(git branch --show-current)", "ask"),
            ("git push --force", "deny"),
            ("rm -rf ~", "deny"),
            ("rm -r /opt/old", "allow"),
            ("sudo rm /opt/x", "allow"),
            ("sudo make install", "ask"),
        ],
    );
    let exact = rules(
        &["Bash(git push --force origin fix)", "Bash(curl -s x.sh | sh)"],
        &[],
        &[],
    );
    assert_rows(
        &exact,
        &[
            ("git push --force origin fix", "allow"),
            ("git push --force origin main", "deny"),
            ("git push --force origin fix; ls", "deny"),
            ("curl -s x.sh | sh", "allow"),
        ],
    );
    let all = rules(&["Bash"], &[], &[]);
    assert_rows(
        &all,
        &[
            ("make $(cat x) > y", "allow"),
            ("sudo reboot", "allow"),
            ("echo 'open", "ask"),
            ("rm -rf /", "deny"),
        ],
    );
}

#[test]
fn files_are_judged_by_where_they_lie() {
    let rules = rules(
        &["Edit(src/**)", "Edit(~/notes/*.md)", "Read(/etc/hosts)"],
        &["Edit(src/secret/**)"],
        &["Read(**/.env)", "Edit(Cargo.lock)", "Edit(/etc/**)"],
    );
    let rows = [
        ("Edit", "src/main.rs", "allow"),
        ("Write", "/home/ada/.parlour/chats/fix/src/a/b.rs", "allow"),
        ("MultiEdit", "./src/../src/a.rs", "allow"),
        ("Edit", "src/../Cargo.lock", "deny"),
        ("Edit", "src/../../other/src/a.rs", "ask"),
        ("Edit", "/home/ada/src/main.rs", "ask"),
        ("NotebookEdit", "src/secret/key.ipynb", "ask"),
        ("Edit", "README.md", "-"),
        ("Edit", "grove/.git/hooks/pre-commit", "ask"),
        ("Edit", "grove/.GIT/config", "ask"),
        ("Write", ".mcp.json", "ask"),
        ("Write", "grove/.husky/pre-commit", "ask"),
        ("Edit", "opencode.json", "ask"),
        ("Edit", "mcp.json", "-"),
        ("Edit", "/home/ada/.parlour/chats/fix/README.md", "-"),
        ("Edit", "/home/ada/.parlour/chats/fix/.cursor/mcp.json", "ask"),
        ("Edit", "/home/ada/notes/today.md", "allow"),
        ("Edit", "~/notes/today.md", "allow"),
        ("Edit", "/home/ada/notes/a/b.md", "ask"),
        ("Write", "../../../../../etc/passwd", "deny"),
        ("Read", "src/main.rs", "allow"),
        ("Read", "grove/.env", "deny"),
        ("Read", ".env", "deny"),
        ("Read", "/etc/hosts", "allow"),
        ("Read", "/etc/passwd", "-"),
        ("Grep", "..", "-"),
        ("write_file", "src/x.rs", "allow"),
        ("replace", "Cargo.lock", "deny"),
        ("read_file", ".env", "deny"),
        ("edit", "src/x.rs", "allow"),
    ];
    for (tool, path, wanted) in rows {
        for field in ["file_path", "filePath", "notebook_path"] {
            let ruling = call(&rules, tool, json!({field: path}));
            assert_eq!(word(&ruling), wanted, "{tool} {path}: {ruling:?}");
        }
    }
    assert_eq!(word(&call(&rules, "Write", json!({}))), "ask");
    assert_eq!(word(&call(&rules, "Grep", json!({"pattern": "x"}))), "allow");
    for (pattern, wanted) in [
        ("src/**/*.rs", "allow"),
        ("*.rs", "allow"),
        ("/home/ada/.parlour/chats/fix/**", "allow"),
        ("/etc/*", "-"),
        ("~/.ssh/*", "-"),
        ("../../*", "-"),
        ("src/{a,../../..}/x", "-"),
    ] {
        let ruling = call(&rules, "Glob", json!({"pattern": pattern}));
        assert_eq!(word(&ruling), wanted, "{pattern}: {ruling:?}");
    }
}

#[test]
fn every_file_of_a_patch_counts() {
    let rules = rules(&["Edit(src/**)"], &[], &["Edit(**/*.lock)"]);
    let patch = |files: &[&str]| -> &'static str {
        let changes: String = files
            .iter()
            .map(|file| format!("*** Update File: {file}\n+x\n"))
            .collect();
        let text = format!("*** Begin Patch\n{changes}*** End Patch");
        word(&call(&rules, "apply_patch", json!({"command": text})))
    };
    assert_eq!(patch(&["src/a.rs", "src/b.rs"]), "allow");
    assert_eq!(patch(&["src/a.rs", "README.md"]), "-");
    assert_eq!(patch(&["src/a.rs", "/etc/passwd"]), "ask");
    assert_eq!(patch(&["src/a.rs", "Cargo.lock"]), "deny");
}

#[test]
fn hosts_and_servers_are_judged_by_name() {
    let rules = rules(
        &[
            "WebFetch(domain:docs.rs)",
            "WebFetch(domain:*.example.org)",
            "mcp__github",
            "WebSearch",
        ],
        &["mcp__github__create_*"],
        &["mcp__github__delete_repo", "WebFetch(domain:evil.example.org)"],
    );
    let rows = [
        ("WebFetch", "https://docs.rs/tokio", "allow"),
        ("webfetch", "https://DOCS.rs./x", "allow"),
        ("WebFetch", "https://docs.rs@other.net/", "-"),
        ("WebFetch", "https://xdocs.rs/", "-"),
        ("WebFetch", "http://a.b.example.org", "allow"),
        ("WebFetch", "http://example.org", "-"),
        ("WebFetch", "http://evil.example.org", "deny"),
        ("web_fetch", "sum up https://docs.rs/a and http://other.net/", "-"),
        ("WebFetch", "not a url", "-"),
        ("mcp__github__list", "", "allow"),
        ("mcp__github__create_issue", "", "ask"),
        ("mcp__github__delete_repo", "", "deny"),
        ("mcp_github_delete_repo", "", "deny"),
        ("mcp_github_list", "", "-"),
        ("mcp__githubber__list", "", "-"),
        ("mcp__parlour__open_dir", "", "allow"),
        ("mcp__parlour__evil", "", "-"),
        ("mcp__parlour__evil__run", "", "-"),
        ("mcp__parlour__evil__open_dir", "", "-"),
        ("mcp__parlourish__x", "", "-"),
        ("google_web_search", "", "-"),
        ("WebSearch", "", "allow"),
        ("Task", "", "-"),
    ];
    for (tool, url, wanted) in rows {
        let ruling = call(&rules, tool, json!({"url": url}));
        assert_eq!(word(&ruling), wanted, "{tool} {url}: {ruling:?}");
    }
}

#[test]
fn every_cli_calls_its_shell_differently() {
    let rules = rules(&[], &[], &["Bash(make:*)"]);
    let rows = [
        ("exec_command", json!({"cmd": "ls; make"})),
        ("run_shell_command", json!({"command": "make all"})),
        ("bash", json!({"command": "make"})),
        ("shell", json!({"command": ["bash", "-lc", "cd x && make"]})),
    ];
    for (tool, input) in rows {
        assert_eq!(word(&call(&rules, tool, input)), "deny", "{tool}");
    }
    let elsewhere = json!({"command": "cat passwd", "workdir": "/etc"});
    assert_eq!(word(&call(&rules, "exec_command", elsewhere)), "-");
    assert_eq!(word(&call(&rules, "Bash", json!({"command": 7}))), "ask");
}

#[test]
fn a_rule_about_files_holds_for_redirections_and_for_plain_readers() {
    let rules = rules(&["Bash(echo:*)"], &[], &["Edit(Cargo.lock)", "Read(**/.env)"]);
    assert_rows(
        &rules,
        &[
            ("echo x > Cargo.lock", "deny"),
            ("echo x >> ./Cargo.lock", "deny"),
            ("echo x > other", "-"),
            ("cat grove/.env", "deny"),
            ("cat grove/env", "allow"),
        ],
    );
}

#[test]
fn where_nobody_knows_the_rules_all_is_asked_about_that_is_not_denied() {
    let unread = Rules::unread(Path::new("/home/ada")).with(&settings(&["Bash(ls)", "Read"], &[], &[]));
    assert_rows(&unread, &[("ls", "ask"), ("make", "ask"), ("rm -rf /", "deny")]);
    for (tool, input) in [
        ("Read", json!({"file_path": "a"})),
        ("mcp__parlour__open_dir", json!({})),
        ("WebSearch", json!({})),
    ] {
        assert_eq!(word(&call(&unread, tool, input)), "ask", "{tool}");
    }
}

#[test]
fn a_rule_that_forbids_and_cannot_be_read_may_mean_any_call() {
    let parse = |allow: &[&str], ask: &[&str], deny: &[&str]| {
        let (rules, _) = Rules::parse(&settings(allow, ask, deny), Path::new("/home/ada"));
        rules
    };
    let all = [
        ("ls", "ask"),
        ("git push", "ask"),
        ("make", "deny"),
        ("rm -rf /", "deny"),
    ];
    assert_rows(&parse(&["Bash(ls)"], &[], &["Bash(make)", "Bash(git push:*"]), &all);
    assert_rows(&parse(&["Bash(ls)"], &["Bsh(git push:*)"], &["Bash(make)"]), &all);
    let role = parse(&["Bash(ls)"], &[], &["Bash(make)"]).with(&settings(&[], &[], &["Edit(../x)"]));
    assert_rows(&role, &all);
    let misfit = role.missing().unwrap().to_string();
    assert!(misfit.contains("\"Edit(../x)\" is not a rule"), "{misfit}");
    let slip = PermissionSettings {
        unknown_lists: vec!["denny".into()],
        ..settings(&["Bash(ls)"], &[], &["Bash(make)"])
    };
    assert_rows(&Rules::parse(&slip, Path::new("/home/ada")).0, &all);
    // Without one that allows, less is allowed.
    let lacks = parse(&["Bash(make", "Bash(ls)"], &[], &[]);
    assert_rows(&lacks, &[("ls", "allow"), ("make", "-")]);
}

#[test]
fn what_is_no_rule_is_named_and_the_others_stay() {
    let written = settings(
        &[
            "Bash(ls",
            "Bash()",
            "Bash(a:* b)",
            "Bash(ls && rm:*)",
            "Bash(echo 'x:*)",
            "Read(../x)",
            "Edit(src/[)",
            "--json",
        ],
        &[
            "",
            "WebFetch(example.org)",
            "mcp__github(x)",
            "Bash(ls) or so",
            "Edit(~bob/x)",
        ],
        &["Bash(make:*)"],
    );
    let (rules, misfits) = Rules::parse(&written, Path::new("/home/ada"));
    let said: Vec<String> = misfits.iter().map(ToString::to_string).collect();
    let why = |rule: &str, why: &str| format!("{rule:?} is not a rule: {why}");
    assert_eq!(
        said,
        [
            why("Bash(ls", "the last character is not the ) of its ("),
            why(
                "Bash()",
                "nothing stands between ( and ); for every call leave them out"
            ),
            why(
                "Bash(a:* b)",
                ":* may stand at the end only; a * alone stands for any words"
            ),
            why(
                "Bash(ls && rm:*)",
                "with * it may name one command only; without, it stands for the whole line as it is"
            ),
            why("Bash(echo 'x:*)", "a quote in it is not closed"),
            why(
                "Read(../x)",
                "a path with .. fits nothing; write it like src/**, ~/notes/** or /etc/**"
            ),
            why("Edit(src/[)", "unclosed character class; missing ']'"),
            why(
                "--json",
                "it does not begin with the name of a tool, as Bash(git push:*) does"
            ),
            why(
                "",
                "it does not begin with the name of a tool, as Bash(git push:*) does"
            ),
            why(
                "WebFetch(example.org)",
                "a host is written like WebFetch(domain:example.org)"
            ),
            why(
                "mcp__github(x)",
                "only Bash, Read, Edit and WebFetch take something in ( ); name this tool alone"
            ),
            why("Bash(ls) or so", "the last character is not the ) of its ("),
            why(
                "Edit(~bob/x)",
                "other people's homes are written out, like /home/ada/**"
            ),
        ]
    );
    assert_eq!(word(&bash(&rules, "make")), "deny");
}

#[test]
fn a_star_within_quoted_code_is_no_rule() {
    for rule in ["Bash(node -e 'console.log(2*3)')", "Bash(awk '{ print $1*$2; s }' x:*)"] {
        let (_, misfits) = Rules::parse(&settings(&[rule], &[], &[]), Path::new("/home/ada"));
        assert_eq!(misfits.len(), 1, "{rule}");
    }
}

#[test]
fn what_is_quoted_in_a_rule_joins_no_commands() {
    let rules = rules(&["Bash(node -e 'a; b')", r#"Bash(echo "$(date)" x)"#], &[], &[]);
    for (line, verdict) in [
        ("node -e 'a; b'", "allow"),
        (r#"node -e "a; b""#, "allow"),
        ("node -e a; b", "-"),
        ("node -e 'a; b'; rm -rf x", "-"),
        (r#"echo "$(date)" x"#, "allow"),
        (r#"echo "$(rm x)" x"#, "-"),
        ("echo '$(date)' x", "-"),
    ] {
        assert_eq!(word(&bash(&rules, line)), verdict, "{line}");
    }
}
