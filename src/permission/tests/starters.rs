//! What has programs run later is asked about, whoever writes it.

use super::*;
use crate::model::{Area, AreaMode};

#[test]
fn files_that_start_programs_are_asked_about() {
    let asked = [
        "grove/.git/hooks/pre-commit",
        ".git/config",
        ".claude/settings.json",
        "grove/.claude/settings.local.json",
        ".mcp.json",
        ".codex/config.toml",
        ".gemini/settings.json",
        ".vscode/tasks.json",
        ".bashrc",
        "grove/.profile",
        ".ZSHRC",
        ".envrc",
        ".npmrc",
        ".cargo/config.toml",
        ".pre-commit-config.yaml",
        "opencode.json",
        ".cursor/mcp.json",
        ".clinerules",
    ];
    for path in asked {
        let ruling = call(&Rules::default(), "Write", json!({ "file_path": path }));
        let Ruling::Ask { rule, .. } = ruling else {
            panic!("{path}: {ruling:?}")
        };
        assert_eq!(rule.to_string(), "built in: writing what starts programs", "{path}");
        for command in [
            format!("echo x > {path}"),
            format!("echo x | tee -a {path}"),
            format!("cp a {path}"),
            format!("mv a {path}"),
            format!("ln -s /x {path}"),
            format!("sed -i s/a/b/ {path}"),
            format!("python3 -c \"open('{path}', 'w')\""),
            format!("sh -c 'cat a > {path}'"),
            format!("cd grove && touch ../{path}"),
        ] {
            let ruling = bash(&Rules::default(), &command);
            assert_eq!(word(&ruling), "ask", "{command}: {ruling:?}");
        }
    }
    for path in [
        "src/git/config",
        "git/hooks/x",
        "claude/settings.json",
        "bashrc",
        "a.npmrc",
    ] {
        let ruling = call(&Rules::default(), "Write", json!({ "file_path": path }));
        assert_eq!(ruling, Ruling::NoOpinion, "{path}");
    }
    let own = rules(&["Edit(.envrc)", "Bash(tee:*)"], &[], &[]);
    assert_eq!(word(&call(&own, "Write", json!({ "file_path": ".envrc" }))), "allow");
    assert_rows(&own, &[("tee .envrc", "allow")]);
}

#[test]
fn commands_that_set_what_runs_are_asked_about() {
    assert_rows(
        &Rules::default(),
        &[
            ("git config core.fsmonitor ./x", "ask"),
            ("git config --global core.hooksPath x", "ask"),
            ("git -C grove config alias.st '!x'", "ask"),
            ("git config set core.sshCommand x", "ask"),
            ("git config --add include.path x", "ask"),
            ("git config --unset user.name", "ask"),
            ("git config --global user.name x", "ask"),
            ("git config --edit", "ask"),
            ("git config filter.x.clean x", "ask"),
            ("git config user.name Ada", "-"),
            ("git config user.email \"ada@x.test\"", "-"),
            ("git config user.name", "-"),
            ("git config --get core.hooksPath", "-"),
            ("git config --list --show-origin", "-"),
            ("git config get user.name", "-"),
            ("git clone -c core.fsmonitor=./x a b", "ask"),
            ("git clone --template=x a b", "ask"),
            ("git clone https://x.test/a", "-"),
            ("git init --template x", "ask"),
            ("git fetch --upload-pack=./x origin", "ask"),
            ("git rebase -x make main", "ask"),
            ("git submodule foreach make", "ask"),
            ("git difftool -x ./x", "ask"),
            ("git add .vscode/settings.json", "-"),
            ("git commit -m 'Set .envrc'", "-"),
            ("git checkout main -- .claude/settings.json", "ask"),
            ("cp -r evil/.git grove", "ask"),
            ("cd .git/hooks && echo x > pre-commit", "ask"),
            ("cd grove/.git && make", "ask"),
            ("chmod +x .git/hooks/pre-commit", "ask"),
            ("cat .git/config .envrc", "allow"),
            ("grep -rn x --exclude-dir=.git .", "allow"),
            ("tree -I .git", "-"),
            ("tar --exclude=.git -cf x.tar .", "-"),
            ("tar --exclude=.git -xf x.tar .git/hooks", "ask"),
            ("cd .claude && ls", "allow"),
            ("crontab x", "ask"),
            ("claude mcp add x ./x", "ask"),
            ("direnv allow", "ask"),
            ("npm config set script-shell ./x", "ask"),
            ("at now", "ask"),
        ],
    );
}

#[test]
fn git_passes_at_the_top_of_a_clone_that_parlour_made_alone() {
    let area = |name: &str, cloned| {
        let own = Path::new(CWD).join("projects").join(name);
        Area {
            name: name.into(),
            mode: AreaMode::Rw,
            asks: false,
            cloned,
            paths: vec![own],
        }
    };
    let dirs = [area("grove", true), area("theirs", false)];
    let judged = |at: &str, command: &str| {
        let at = Path::new(CWD).join(at);
        let ruling = Rules::default().judge(&Call {
            tool: "Bash",
            input: &json!({ "command": command }),
            cwd: Path::new(CWD),
            at: Some(&at),
            dirs: &dirs,
        });
        word(&ruling)
    };
    for (at, command, wanted) in [
        ("projects/grove", "git status", "allow"),
        ("projects/grove", "git status && git diff | head", "allow"),
        ("projects/grove", "cd sub && git status", "-"),
        ("projects/grove", "cd sub; git ls-files", "-"),
        ("projects/grove", "(cd sub && ls) && git log", "allow"),
        ("projects/grove", "git -C sub status", "-"),
        ("projects/grove", "git --git-dir=sub status", "-"),
        ("projects/grove", "GIT_DIR=sub git status", "-"),
        ("projects/grove", "env -C sub git status", "-"),
        ("projects/grove/sub", "git status", "-"),
        ("projects/theirs", "git status", "-"),
        ("projects", "git status", "-"),
        ("", "git status", "-"),
        ("", "cd projects/grove && git status", "-"),
        ("projects/grove/sub", "cd .. && git status", "-"),
    ] {
        assert_eq!(judged(at, command), wanted, "{command} in {at:?}");
    }
}
