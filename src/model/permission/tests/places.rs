//! Calls by where they are made from, where a line leads to, and whose directory that is.

use super::*;

#[test]
fn where_the_agent_has_gone_counts() {
    let own = rules(
        &["Read(notes/**)"],
        &["Bash(make:*)"],
        &["Read(~/.ssh/**)", "Edit(src/lock)"],
    );
    let ruled = |at: &str, tool: &str, input: Value| {
        let ruling = own.judge(&Call {
            tool,
            input: &input,
            cwd: Path::new(CWD),
            at: Some(Path::new(at)),
            dirs: &[],
        });
        word(&ruling)
    };
    let src = format!("{CWD}/src");
    let rows = [
        ("/home/ada/.ssh", "cat id_rsa", "deny"),
        ("/home/ada/.ssh", "ls", "-"),
        ("/home/ada", "cat x", "-"),
        ("/home/ada", "cat .ssh/id_rsa", "deny"),
        ("/home/ada", "git status", "-"),
        ("/home/ada", "touch x", "ask"),
        (CWD, "cd ~/.ssh && cat id_rsa", "deny"),
        (CWD, "cd /home/ada; cat .ssh/id_rsa", "deny"),
        (CWD, "cd src && echo x > lock", "deny"),
        (CWD, "cd /opt && touch x", "ask"),
        (CWD, "cd src && cat a", "allow"),
        // A shell of its own is left again, and so is what is pushed.
        (CWD, "(cd /usr/share/x && ls); mkdir -p out", "-"),
        (CWD, "pushd /opt/x && ls && popd && touch a", "-"),
        (CWD, "cd /opt && cd - && touch a", "-"),
        (CWD, "echo $(cd /opt && ls) && touch a", "-"),
        (CWD, "bash -c 'cd /opt'; touch a", "-"),
        (CWD, "( (cd /opt; ls); ls); touch a", "-"),
        (CWD, "pushd src && echo x && popd && echo x > lock", "deny"),
        (CWD, "(cd /opt && touch a)", "ask"),
        (CWD, "(cd /opt; ls); (cd /usr; > a)", "ask"),
        (CWD, "(> x); cd /opt && touch a", "ask"),
        (CWD, "(ls); cd /opt && touch a", "ask"),
        (
            CWD,
            "cd /opt && pushd ~/.parlour/chats/fix && cd src && popd && touch a",
            "ask",
        ),
        (CWD, "env -C /opt touch a", "ask"),
        (CWD, "(cd src; > lock)", "deny"),
        (CWD, "(cd ~/.ssh; cat id_rsa); ls", "deny"),
        (&src, "cat a", "allow"),
        (&src, "echo x > lock", "deny"),
        // From its own directory it would be so.
        (&src, "echo x > src/lock", "deny"),
        (&src, "cat ../a", "allow"),
    ];
    for (at, command, wanted) in rows {
        let said = ruled(at, "Bash", json!({ "command": command }));
        assert_eq!(said, wanted, "{command} in {at}");
    }
    let rows = [
        ("/home/ada", "Read", "x", "-"),
        ("/home/ada/.ssh", "Read", "id_rsa", "deny"),
        ("/home/ada", "Read", "notes/a", "-"),
        (CWD, "Read", "notes/a", "allow"),
        (&src, "Edit", "lock", "deny"),
    ];
    for (at, tool, path, wanted) in rows {
        let said = ruled(at, tool, json!({ "file_path": path }));
        assert_eq!(said, wanted, "{tool} {path} in {at}");
    }
}

#[test]
fn a_write_to_where_nobody_knows_is_asked_about_as_such() {
    let lost = "where the command is run is known only when it runs";
    let outside = "it writes outside of the agent's directory";
    for (command, why) in [
        ("cd \"$X\" && mkdir -p out", lost),
        ("cd $(cat where) && echo x > out", lost),
        ("cd \"$X\" && touch /opt/a", outside),
        ("cd \"$X\"; echo x > /opt/a", outside),
        ("cd /opt && touch a", outside),
    ] {
        let rule = RuleName::BuiltIn("writing elsewhere");
        let why = why.into();
        assert_eq!(bash(&Rules::default(), command), Ruling::Ask { rule, why }, "{command}");
    }
}

#[test]
fn writing_in_a_directory_that_an_agent_linked_is_asked_about() {
    let scratch = |asks| Area {
        name: "scratch".into(),
        mode: crate::model::Mode::Rw,
        asks,
        paths: vec![Path::new(CWD).join("projects/scratch"), "/srv/scratch".into()],
    };
    let ruled = |own: &Rules, asks, tool: &str| {
        own.judge(&Call {
            tool,
            input: &json!({"file_path": "projects/scratch/page"}),
            cwd: Path::new(CWD),
            at: None,
            dirs: &[scratch(asks)],
        })
    };
    let builtin = Rules::default();
    let asked = Ruling::Ask {
        rule: RuleName::BuiltIn("writing elsewhere"),
        why: "it writes in a directory of yours, which the agent opened itself".into(),
    };
    assert_eq!(ruled(&builtin, true, "Edit"), asked);
    assert_eq!(ruled(&builtin, false, "Edit"), Ruling::NoOpinion);
    assert_ne!(ruled(&builtin, true, "Read"), asked);
    let own = rules(&["Edit(projects/scratch/**)"], &[], &[]);
    assert!(matches!(ruled(&own, true, "Edit"), Ruling::Allow { .. }));
}

#[test]
fn what_reads_files_by_name_is_left_to_the_cli_but_in_what_a_person_linked() {
    let notes = Area {
        name: "notes".into(),
        mode: crate::model::Mode::Rw,
        asks: false,
        paths: vec![Path::new(CWD).join("projects/notes"), "/srv/notes".into()],
    };
    let left = |tool: &str, input: Value| {
        Rules::default().leaves_to_cli(&Call {
            tool,
            input: &input,
            cwd: Path::new(CWD),
            at: None,
            dirs: std::slice::from_ref(&notes),
        })
    };
    for (command, wanted) in [
        ("cat a", true),
        ("cd x && head -n 3 a", true),
        ("ls && grep -n x a", true),
        ("rg x a", true),
        ("grep -fa", true),
        ("cat projects/notes/a b", true),
        ("ls", false),
        ("git log | head -5", false),
        ("git log | head -n 20", false),
        ("git log | tail -q -c 5", false),
        ("git log | grep -rE -A 3 x", false),
        ("git log | rg -m 1 x", false),
        ("head -n 20 a", true),
        ("head -n a", true),
        ("head -- -n 20 a", true),
        ("grep -A 3 x a", true),
        ("grep -e -A 3 3", true),
        ("rg -r -A 3 3", true),
        ("rg --glob -A 3 3", true),
        ("cd x && git status", false),
        ("ls | grep -v x | wc -l", false),
        ("cat projects/notes/a", false),
        ("cd projects/notes && grep x a", false),
    ] {
        assert_eq!(left("Bash", json!({ "command": command })), wanted, "{command}");
    }
    assert!(left("Read", json!({ "file_path": "a" })));
    assert!(!left("Read", json!({ "file_path": "/srv/notes/a" })));
    assert!(!left("Edit", json!({ "file_path": "a" })));
}
