//! Calls in a chat whose clone brings links, judged with the disk at hand.

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::model::settings::PermissionSettings;
use crate::model::{Area, AreaMode, PermissionProfile};
use crate::permission::{AskedCall, RuleName, Rules};

/// A home with a chat in it: a clone that brings links, and notes of the person.
struct LinkedHome {
    root: tempfile::TempDir,
    rules: Rules,
    profile: PermissionProfile,
    by_cli: bool,
}

impl LinkedHome {
    fn new() -> LinkedHome {
        let root = tempfile::tempdir().unwrap();
        let chat = root.path().join("chat");
        let web = chat.join("projects/web");
        fs::create_dir_all(web.join("src/deep")).unwrap();
        fs::create_dir_all(root.path().join("home/.ssh")).unwrap();
        fs::create_dir_all(root.path().join("notes")).unwrap();
        for file in [
            "home/.ssh/id_rsa",
            "home/page.rs",
            "notes/a.md",
            "chat/projects/web/src/a.rs",
        ] {
            fs::write(root.path().join(file), "KEY").unwrap();
        }
        symlink("../../../home", web.join("x")).unwrap();
        symlink("../../../home/page.rs", web.join("page.rs")).unwrap();
        symlink("../../../nothing", web.join("dangles")).unwrap();
        symlink("src", web.join("inner")).unwrap();
        symlink("../../../../../home/page.rs", web.join("src/deep/z.md")).unwrap();
        symlink(root.path().join("notes"), chat.join("projects/notes")).unwrap();
        symlink(root.path().join("home"), root.path().join("notes/x")).unwrap();
        LinkedHome {
            root,
            rules: Rules::default(),
            profile: PermissionProfile::Ask,
            by_cli: false,
        }
    }

    fn chat(&self) -> PathBuf {
        self.root.path().join("chat")
    }

    fn ruled(&self, tool: &str, input: Value) -> Ruling {
        let chat = self.chat();
        let area = |name: &str, cloned, paths| Area {
            name: name.into(),
            mode: AreaMode::Rw,
            asks: false,
            cloned,
            paths,
        };
        let case = Case {
            rules: Arc::new(self.rules.clone()),
            role: None,
            cwd: chat.clone(),
            dirs: vec![
                area("web", true, vec![chat.join("projects/web")]),
                area(
                    "notes",
                    false,
                    vec![chat.join("projects/notes"), self.root.path().join("notes")],
                ),
            ],
            calls: vec![AskedCall {
                tool: tool.into(),
                input,
                at: None,
                by_cli: self.by_cli,
            }],
            profile: self.profile,
        };
        judge(&case).remove(0)
    }

    fn assert_rows(&self, tool: &str, key: &str, rows: &[(&str, bool)]) {
        let wrong: Vec<String> = rows
            .iter()
            .map(|(text, wanted)| (text, wanted, self.ruled(tool, json!({ key: text }))))
            .filter(|(_, wanted, ruling)| matches!(ruling, Ruling::Allow { .. }) != **wanted)
            .map(|(text, wanted, ruling)| format!("{text}: wanted {wanted}, got {ruling:?}"))
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

const LINES: [(&str, bool); 54] = [
    ("cat src/a.rs", true),
    ("cat nothing.rs", true),
    ("cat inner/a.rs", true),
    ("cat inner/../src/a.rs", true),
    ("grep -rn x src", true),
    ("grep -rn KEY .", true),
    ("rg x src", true),
    ("grep -rn src x", false),
    ("grep -- -- x/.ssh/id_rsa", false),
    ("grep ?/.ssh/*", false),
    ("grep -e KEY x/.ssh/id_rsa", false),
    ("grep -A 3 KEY x/.ssh/id_rsa", false),
    ("grep -n '^KEY' src/a.rs", true),
    ("git diff", true),
    ("git log --oneline HEAD~3", true),
    ("git show HEAD^", true),
    ("ls", true),
    ("ls -la", true),
    ("ls -L", true),
    ("rg foo", true),
    ("find . -name a.rs", true),
    ("cat src/*.rs", true),
    ("head -n 3 s*/*.rs", true),
    ("cat src/**/*.rs", true),
    ("cd src && cat a.rs | head -n 1", true),
    ("echo x/y '*'", true),
    ("wc -l src/a.rs && pwd", true),
    ("timeout 5 cat src/a.rs", true),
    ("cat x/.ssh/id_rsa", false),
    ("cat page.rs", false),
    ("cat dangles", false),
    ("ls x", false),
    ("ls x/", false),
    ("cat */.ssh/id_rsa", false),
    ("cat ?/.ssh/id_rsa", false),
    ("cat [[:alpha:]]/.ssh/id_rsa", false),
    ("cat [!a]/.ssh/id_rsa", false),
    ("cat *.rs", false),
    ("cat p*", false),
    ("cat src/**/*.md", false),
    ("cat ^src", false),
    ("echo */.ssh/*", false),
    ("cat src/../x/.ssh/id_rsa", false),
    ("cat x/../home/page.rs", false),
    ("cat none/../x/.ssh/id_rsa", false),
    ("cd x && cat .ssh/id_rsa", false),
    ("cd x; ls", false),
    ("cd x/.. && cat home/page.rs", false),
    ("grep -f x/.ssh/id_rsa src/a.rs", false),
    ("grep -nfx/.ssh/id_rsa src/a.rs", false),
    ("grep --file=x/.ssh/id_rsa src/a.rs", false),
    ("git diff /dev/null x/.ssh/id_rsa", false),
    ("timeout 5 cat x/.ssh/id_rsa", false),
    ("find x/ -name id_rsa", false),
];

#[test]
fn what_a_link_leads_to_is_not_read_unasked() {
    let mut home = LinkedHome::new();
    let chat = home.chat();
    let in_clone: Vec<(String, bool)> = LINES.iter().map(|(line, wanted)| (line.to_string(), *wanted)).collect();
    for profile in [PermissionProfile::Ask, PermissionProfile::Clones] {
        home.profile = profile;
        for (line, wanted) in &in_clone {
            let ruling = home.ruled(
                "Bash",
                json!({ "command": line, "workdir": chat.join("projects/web").to_string_lossy() }),
            );
            let is_allowed = matches!(ruling, Ruling::Allow { .. });
            assert_eq!(is_allowed, *wanted, "{line}: {ruling:?}");
            assert!(is_allowed || ruling == Ruling::NoOpinion, "{line}: {ruling:?}");
        }
    }
}

#[test]
fn what_a_person_linked_is_read_as_before_and_no_link_in_it_is_followed() {
    let mut home = LinkedHome::new();
    let rows = [
        ("projects/notes/a.md", true),
        ("projects/web/src/a.rs", true),
        ("projects/web/src/new.rs", true),
        ("projects/notes/x/.ssh/id_rsa", false),
        ("projects/web/x/.ssh/id_rsa", false),
        ("projects/web/x/../notes/a.md", true),
        ("projects/web/x/../home/page.rs", false),
        ("projects/web/page.rs", false),
        ("projects/web/dangles", false),
    ];
    home.assert_rows("Read", "file_path", &rows);
    home.assert_rows("Bash", "command", &[("cat projects/notes/a.md", true)]);
    home.assert_rows("Bash", "command", &[("cat projects/notes/x/.ssh/id_rsa", false)]);
    home.assert_rows("Bash", "command", &[("cat projects/notes/*/page.rs", false)]);
    home.assert_rows(
        "Glob",
        "pattern",
        &[
            ("projects/web/src/*", true),
            ("projects/*/x/*", false),
            ("**/*.rs", false),
        ],
    );
    home.profile = PermissionProfile::Clones;
    home.assert_rows("Read", "file_path", &rows);
    home.assert_rows(
        "Edit",
        "file_path",
        &[
            ("projects/web/src/a.rs", true),
            ("projects/web/src/new/b.rs", true),
            ("projects/web/page.rs", false),
            ("projects/web/x/new.rs", false),
            ("projects/web/x/../notes/a.md", false),
        ],
    );
    home.profile = PermissionProfile::Ask;
    home.by_cli = true;
    home.assert_rows(
        "Read",
        "file_path",
        &[("projects/notes/a.md", true), ("projects/notes/x/.ssh/id_rsa", false)],
    );
}

#[test]
fn of_a_line_with_a_persons_rule_what_parlour_lets_pass_is_looked_at_alone() {
    let mut home = LinkedHome::new();
    let settings = PermissionSettings {
        allow: vec!["Bash(cargo test:*)".into(), "Bash(head:*)".into()],
        ..PermissionSettings::default()
    };
    home.rules = Rules::parse(&settings, Path::new("/home/ada")).0;
    let rows = [
        ("cargo test && cat projects/web/src/a.rs", true),
        ("cargo test projects/web/x", true),
        ("head projects/web/x/.ssh/id_rsa", true),
        ("cargo test && cat projects/web/x/.ssh/id_rsa", false),
        ("head projects/web/src/a.rs; grep KEY projects/web/page.rs", false),
    ];
    home.assert_rows("Bash", "command", &rows);
    let ruling = home.ruled("Bash", json!({ "command": rows[0].0 }));
    let rule = RuleName::Persons("Bash(cargo test:*)".into());
    assert_eq!(ruling, Ruling::Allow { rule });
}

#[test]
fn names_that_are_too_many_or_too_long_or_look_like_options_are_not_taken_for_harmless() {
    let home = LinkedHome::new();
    let many = home.chat().join("many");
    fs::create_dir(&many).unwrap();
    for number in 0..=MOST_NAMES {
        fs::write(many.join(number.to_string()), "").unwrap();
    }
    let options = home.chat().join("options");
    fs::create_dir(&options).unwrap();
    fs::write(options.join("-Re.md"), "").unwrap();
    let long = format!("cat {}x/.ssh/id_rsa", "projects/../".repeat(400));
    let rows = [
        ("cat many/1*", false),
        ("cat many/1", true),
        ("ls options", true),
        ("grep x options/*.md", false),
        (long.as_str(), false),
    ];
    home.assert_rows("Bash", "command", &rows);
    let name = "y".repeat(300);
    home.assert_rows(
        "Bash",
        "command",
        &[(&format!("grep {name} projects/web/src/a.rs"), true)],
    );
}

#[test]
fn a_link_that_leads_out_of_the_chat_is_not_in_it() {
    let home = LinkedHome::new();
    let own = home.chat().canonicalize().unwrap();
    let lies = |path: &str| lies_in(&home.chat().join("projects/web").join(path), std::slice::from_ref(&own));
    assert!(lies("new/file.rs"));
    assert!(lies(""));
    assert!(!lies("page.rs"));
    assert!(!lies("dangles"));
    assert!(!lies("x/new"));
}
