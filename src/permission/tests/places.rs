//! Calls by where they are made from, where a line leads to, and whose directory that is.

use super::*;
use crate::model::{Area, AreaMode};
use crate::permission::command::CommandLine;

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
        let rule = RuleName::built_in("writing elsewhere");
        let why = why.into();
        assert_eq!(bash(&Rules::default(), command), Ruling::Ask { rule, why }, "{command}");
    }
}

#[test]
fn writing_in_a_directory_that_an_agent_linked_is_asked_about() {
    let scratch = |asks| Area {
        name: "scratch".into(),
        mode: AreaMode::Rw,
        asks,
        cloned: false,
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
        rule: RuleName::built_in("writing elsewhere"),
        why: "it writes in a directory of yours, which the agent opened itself".into(),
    };
    assert_eq!(ruled(&builtin, true, "Edit"), asked);
    for (command, wanted) in [
        ("touch projects/scratch/a", true),
        ("rm -rf projects/scratch/a", true),
        ("rm -rf /srv/scratch/a", true),
        ("rm -r projects", true),
        ("echo x > projects/scratch/a", true),
        ("cd projects/scratch && echo x >> a", true),
        ("mv projects/scratch/a b", true),
        ("sed -i s/a/b/ projects/scratch/a", true),
        ("cd projects/scratch && make", true),
        ("cp projects/scratch/a b", false),
        ("cat projects/scratch/a", false),
        ("ls projects/scratch", false),
    ] {
        let ruling = |asks| {
            builtin.judge(&Call {
                tool: "Bash",
                input: &json!({ "command": command }),
                cwd: Path::new(CWD),
                at: None,
                dirs: &[scratch(asks)],
            })
        };
        assert_eq!(word(&ruling(true)) == "ask", wanted, "{command}");
        assert!(wanted || ruling(true) == ruling(false), "{command}");
    }
    assert_eq!(ruled(&builtin, false, "Edit"), Ruling::NoOpinion);
    assert_ne!(ruled(&builtin, true, "Read"), asked);
    let own = rules(&["Edit(projects/scratch/**)"], &[], &[]);
    assert!(matches!(ruled(&own, true, "Edit"), Ruling::Allow { .. }));
}

#[test]
fn what_a_person_linked_is_not_elsewhere_under_its_own_path() {
    let linked = |mode, asks| Area {
        name: "scratch".into(),
        mode,
        asks,
        cloned: false,
        paths: vec![Path::new(CWD).join("projects/scratch"), "/srv/scratch".into()],
    };
    let ruled = |area: Area, tool: &str, input: Value| {
        let call = Call {
            tool,
            input: &input,
            cwd: Path::new(CWD),
            at: None,
            dirs: &[area],
        };
        word(&Rules::default().judge(&call))
    };
    for (tool, what, wanted) in [
        ("Edit", "/srv/scratch/page", "-"),
        ("Edit", "/srv/scratch/../other/page", "ask"),
        ("Edit", "/srv/scratchy/page", "ask"),
        ("Edit", "/srv/scratch/.git/hooks/pre-commit", "ask"),
        ("Bash", "echo x > /srv/scratch/page", "-"),
        ("Bash", "echo x > /srv/page", "ask"),
        ("Bash", "rm -r /srv/scratch/out", "-"),
        ("Bash", "rm -r /srv/scratch", "ask"),
        ("Bash", "rm -rf /srv/scratch/*", "ask"),
        ("Bash", "chmod -R 000 /srv/scratch/.*", "ask"),
        ("Bash", "mv /srv/scratch/page /srv/page", "ask"),
        ("Bash", "cp page --target-directory=/srv/scratch/out", "-"),
        ("Bash", "cp hook /srv/scratch/.git/hooks/pre-commit", "ask"),
    ] {
        let input = match tool {
            "Edit" => json!({ "file_path": what }),
            _ => json!({ "command": what }),
        };
        let said = |mode, asks| ruled(linked(mode, asks), tool, input.clone());
        assert_eq!(said(AreaMode::Rw, false), wanted, "{what}");
        assert_ne!(said(AreaMode::Rw, true), "-", "{what}, opened by the agent itself");
        assert_ne!(said(AreaMode::Ro, false), "-", "{what}, read-only");
    }
}

#[test]
fn a_cli_is_spoken_for_where_it_reads_what_a_person_linked_alone() {
    let linked = |asks| Area {
        name: "notes".into(),
        mode: AreaMode::Rw,
        asks,
        cloned: false,
        paths: vec![Path::new(CWD).join("projects/notes"), "/srv/notes".into()],
    };
    let speaks = |tool: &str, input: Value, asks| {
        let call = Call {
            tool,
            input: &input,
            cwd: Path::new(CWD),
            at: None,
            dirs: &[linked(asks)],
        };
        Rules::default().speaks_for_cli(&call, CommandLine::of(&call).as_ref())
    };
    for (command, wanted) in [
        ("cat projects/notes/a", true),
        ("cat /srv/notes/a | grep -v x | head -n 3", true),
        ("cd projects/notes && grep x a", true),
        ("ls projects/notes", true),
        ("find projects/notes -name x", true),
        ("cd projects/notes && ls", true),
        ("cd projects/notes; rg x", true),
        ("cat a", false),
        ("cat projects/notes/a b", false),
        ("ls", false),
        ("ls . projects/notes", false),
        ("find . projects/notes", false),
        ("cat projects/notes/a; ls", false),
        ("grep -fa x projects/notes/a", false),
        ("head -n 20 a", false),
        ("head -n projects/notes/a", true),
        ("head -- -n 20 projects/notes/a", false),
        ("grep -e -A 3 projects/notes/a", false),
        ("rg --glob -A 3 3 projects/notes/a", false),
        ("git status", false),
        ("echo x", false),
    ] {
        assert_eq!(
            speaks("Bash", json!({ "command": command }), false),
            wanted,
            "{command}"
        );
        assert!(!speaks("Bash", json!({ "command": command }), true), "{command}");
    }
    for (path, wanted) in [("a", false), ("/srv/notes/a", true), ("/srv/notes/../x", false)] {
        assert_eq!(speaks("Read", json!({ "file_path": path }), false), wanted, "{path}");
        assert!(!speaks("Read", json!({ "file_path": path }), true), "{path}");
    }
    assert!(!speaks("Grep", json!({ "pattern": "x" }), false));
    assert!(!speaks("Edit", json!({ "file_path": "/srv/notes/a" }), false));
    assert!(speaks("mcp__parlour__set_status", json!({}), true));
}
