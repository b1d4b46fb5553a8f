//! Calls in a chat that has `grove` and, as a link to `/srv/notes`, `notes` open read-only, and `own` to write to.

use std::path::PathBuf;

use super::*;
use crate::model::{Area, AreaMode};

fn area(name: &str, mode: AreaMode, link: Option<&str>) -> Area {
    let own = Path::new(CWD).join("projects").join(name);
    Area {
        name: name.into(),
        mode,
        asks: false,
        cloned: link.is_none(),
        paths: std::iter::once(own).chain(link.map(PathBuf::from)).collect(),
    }
}

fn judged(rules: &Rules, tool: &str, input: &Value, at: Option<&str>) -> Ruling {
    let dirs = [
        area("grove", AreaMode::Ro, None),
        area("notes", AreaMode::Ro, Some("/srv/notes")),
        area("own", AreaMode::Rw, None),
        area("drafts", AreaMode::Rw, Some("/srv/notes/drafts")),
    ];
    rules.judge(&Call {
        tool,
        input,
        cwd: Path::new(CWD),
        at: at.map(Path::new),
        dirs: &dirs,
    })
}

fn assert_commands(rules: &Rules, at: Option<&str>, rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .map(|(command, wanted)| {
            (
                command,
                wanted,
                judged(rules, "Bash", &json!({ "command": command }), at),
            )
        })
        .filter(|(_, wanted, ruling)| word(ruling) != **wanted)
        .map(|(command, wanted, ruling)| format!("{command:?}: wanted {wanted}, got {ruling:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_command_that_writes_to_a_read_only_directory_is_denied() {
    assert_commands(
        &rules(&["Bash"], &[], &[]),
        None,
        &[
            ("echo x > projects/grove/a", "deny"),
            ("echo x >> ./projects/own/../grove/a", "deny"),
            ("cd projects/grove && echo x > a", "deny"),
            ("(cd /opt); touch projects/grove/a", "deny"),
            ("cd projects && cd grove && touch a", "deny"),
            ("(cd projects/grove; > a)", "deny"),
            ("pushd projects/grove && pushd ../own && ls && popd && touch a", "deny"),
            ("echo `cd /opt` && touch projects/grove/a", "deny"),
            ("rm projects/grove/a", "deny"),
            ("rm -rf projects", "deny"),
            ("rm -rf projects/*", "deny"),
            ("rm projects/gr?ve/a", "deny"),
            ("mv projects/grove projects/own/g", "deny"),
            ("mv projects/own/a projects/grove/", "deny"),
            ("cp projects/own/a projects/grove/a", "deny"),
            ("cp -t projects/grove a b", "deny"),
            ("ln -s /tmp/x projects/grove/x", "deny"),
            ("sed -i s/a/b/ projects/grove/a", "deny"),
            ("perl -pi -e s/a/b/ projects/grove/a", "deny"),
            ("ls | tee projects/grove/list", "deny"),
            ("mkdir -p projects/grove/new", "deny"),
            ("dd if=/dev/zero of=projects/grove/a", "deny"),
            ("chmod -R u+w projects/grove", "deny"),
            ("chmod -R u+w .", "deny"),
            ("find projects/grove -name '*.o' -delete", "deny"),
            ("find projects/grove -exec rm {} \\;", "deny"),
            ("find projects/grove -name x | xargs rm", "deny"),
            ("bash -c 'cd projects/grove; touch a'", "deny"),
            ("bash -lc 'rm projects/grove/a'", "deny"),
            ("timeout 5 touch projects/grove/a", "deny"),
            ("git -C projects/grove commit -m x", "deny"),
            ("cd projects/grove && git checkout -b y", "deny"),
            ("cd projects/grove && git branch new", "deny"),
            ("cd projects/grove && git fetch", "deny"),
            ("git --git-dir=projects/grove/.git gc", "deny"),
            ("git -C projects/own push ../grove main", "deny"),
            ("git clone https://x/y projects/grove/y", "deny"),
            ("cd projects/grove && npm install", "deny"),
            ("cd projects/grove && cargo build", "deny"),
            ("touch /srv/notes/today", "deny"),
            ("touch projects/notes/today", "deny"),
            ("rm -r /srv", "deny"),
            ("cd -P projects/grove && touch a", "deny"),
            ("cd -L -- projects/grove && touch a", "deny"),
            ("env -C projects/grove touch a", "deny"),
            ("env -iCprojects/grove touch a", "deny"),
            ("env --chdir=projects/grove A=1 git commit -m x", "deny"),
            ("env --c=projects/grove touch a", "deny"),
            ("sudo -D projects/grove touch a", "deny"),
            ("env -Cprojects/grove -S'touch a'", "deny"),
            ("cp -tprojects/grove x", "deny"),
            ("cp -rtprojects/grove x", "deny"),
            ("cd projects && cp -tgrove x", "deny"),
            ("cp --target-dir=projects/grove x", "deny"),
            ("install -m644 -t projects/grove x", "deny"),
            ("mv -tprojects/grove x", "deny"),
            ("mv --target-directory projects/grove x", "deny"),
            ("rsync --log-file projects/grove/log a b", "deny"),
            ("sed --in-pl s/a/b/ projects/grove/a", "deny"),
        ],
    );
}

#[test]
fn what_lists_or_reads_unless_an_option_says_otherwise() {
    let git = |words: &str| format!("cd projects/grove && git {words}");
    let writes = [
        "branch -r -d origin/main",
        "branch -v -D x",
        "branch -v new",
        "branch --list -m x y",
        "tag -l -d v1",
        "tag v2",
        "remote -v set-url origin x",
        "remote -v remove origin",
        "apply --stat --apply x.patch",
    ];
    let reads = [
        "branch",
        "branch -r",
        "branch -a -vv --sort=-committerdate",
        "branch --list 'x*'",
        "branch --contains abc",
        "branch --show-current",
        "tag",
        "tag -n3",
        "tag -l 'v*' --sort=refname",
        "remote -v",
        "remote -v show origin",
        "remote get-url origin",
        "apply --check x.patch",
        "stash list",
    ];
    let all: Vec<(String, &str)> = writes
        .iter()
        .map(|words| (git(words), "deny"))
        .chain(reads.iter().map(|words| (git(words), "-")))
        .collect();
    let rows: Vec<(&str, &str)> = all.iter().map(|(line, wanted)| (line.as_str(), *wanted)).collect();
    assert_commands(&Rules::default(), None, &rows);
    assert_commands(
        &Rules::default(),
        None,
        &[
            ("cd projects/grove && git stash show --output=x", "ask"),
            ("cloc --out=projects/grove/x .", "ask"),
            ("cd projects/grove && cloc --extract-with=./x a.zip", "ask"),
            ("cd projects/grove && less -o f a", "ask"),
            ("cd projects/grove && less '+!make' a", "ask"),
            ("cd projects/grove && bat --pager ./x a", "ask"),
            ("cd projects/grove && ag --pager ./x a", "ask"),
            ("cd projects/grove && file -C -m m", "ask"),
            ("cd projects/grove && ln -s /tmp/x", "deny"),
            ("install -d projects/grove/a projects/own/b", "deny"),
            ("cd projects/grove && cloc --json --exclude-dir=x .", "-"),
            ("cd projects/grove && less -RN a", "-"),
            ("cd projects/grove && bat -p a", "-"),
            ("cd projects/grove && ag -l x", "-"),
            ("cd projects/grove && file -bi a", "-"),
            ("cd projects/own && ln -s a", "-"),
        ],
    );
}

#[test]
fn what_reads_there_or_writes_elsewhere_is_judged_as_ever() {
    assert_commands(
        &Rules::default(),
        None,
        &[
            ("cat projects/grove/a", "allow"),
            ("cd projects/grove && git log -3", "-"),
            ("cd projects/grove && git diff | head", "-"),
            ("grep -rn x projects/grove > found.txt", "-"),
            ("diff projects/grove/a projects/own/a", "-"),
            ("git -C projects/grove status", "-"),
            ("git -C projects/grove tag", "-"),
            ("git -C projects/own commit -m x", "-"),
            ("git -C projects/own pull ../grove", "-"),
            ("git clone projects/grove projects/mine", "-"),
            ("cp -r projects/grove projects/mine", "-"),
            ("touch projects/own/a", "-"),
            ("touch projects/grove-2/a", "-"),
            ("rm -f *.tmp", "-"),
            ("cd projects/own && npm install", "-"),
            ("cd projects/grove && cd - && touch a", "-"),
            ("pushd projects/grove && ls && popd && touch a", "-"),
            ("(cd projects/grove && ls); mkdir -p src/x", "-"),
            ("sed -n 1,5p projects/grove/a", "-"),
            ("sed 's/a/b/; $d' projects/grove/a", "-"),
            ("env -C projects/grove ls && touch a", "-"),
            ("cd ~/x && make", "-"),
            ("cd \"$HOME/x\" && make", "-"),
            ("cd \"$X\" && ls", "-"),
            ("cd \"$X\" && cd /opt && make", "-"),
            ("GIT_TERMINAL_PROMPT=0 git -C projects/grove log", "-"),
            ("GIT_OPTIONAL_LOCKS=0 git -C projects/grove status", "-"),
            ("GIT_PAGER=cat git -C projects/grove log", "-"),
            ("GIT_DIR=projects/own/.git git commit -m x", "-"),
            ("bash -lc 'ls projects/grove'", "-"),
            // Opened by itself, within a directory that is read-only.
            ("touch projects/drafts/a", "-"),
            ("touch /srv/notes/drafts/a", "-"),
        ],
    );
}

#[test]
fn what_is_unknown_and_works_there_is_asked_unless_a_rule_allows_it() {
    let rows = |verdict| {
        [
            ("cd projects/grove && make", verdict),
            ("cd projects/grove && python3 tool.py", verdict),
            ("python3 projects/grove/tool.py", verdict),
            ("cd projects/grove && git frobnicate", verdict),
            ("rm \"$x\" && cat projects/grove/a", verdict),
            ("install --backup=projects/grove a b", verdict),
            ("sed -n 'w projects/grove/f' x", verdict),
            ("sed 's/a/b/w projects/grove/f' x", verdict),
            ("awk '{print > \"projects/grove/f\"}' x", verdict),
            ("git log --output=projects/grove/f", verdict),
            ("GIT_DIR=projects/grove/.git git gc", verdict),
            ("export GIT_WORK_TREE=\"projects/grove\"; git checkout .", verdict),
            ("env GIT_DIR=projects/grove/.git git gc", verdict),
            ("GIT_DIR=$X git gc", verdict),
            ("GIT_EXTERNAL_DIFF=./x git -C projects/grove diff", verdict),
            ("cd \"$X\" && make", verdict),
            ("cd projects/gr* && npm install", verdict),
            ("cd $HOMEX && npm install", verdict),
            ("env -C \"$X\" make", verdict),
        ]
    };
    assert_commands(&Rules::default(), None, &rows("ask"));
    assert_commands(&rules(&["Bash"], &[], &[]), None, &rows("allow"));
    assert_commands(&Rules::default(), None, &[("make", "-"), ("python3 x.py", "-")]);
    let writes = [
        "cd \"$X\" && touch a",
        "cd $(cat where) && cp /a b",
        "cd \"$X\" && echo x > f",
        "(cd /opt; cd x && touch projects/grove/a); ls",
        "true || cd /opt; touch projects/grove/a",
    ];
    let allowing = rules(&["Bash(touch:*)"], &[], &[]);
    let left = "ls && (cd projects/grove; > a)";
    assert_commands(&Rules::default(), None, &[(left, "ask")]);
    for command in writes {
        assert_commands(&allowing, None, &[(command, "ask")]);
    }
}

#[test]
fn an_agent_that_has_gone_into_a_read_only_directory_writes_there() {
    let at = format!("{CWD}/projects/grove");
    let rows = [
        ("touch a", "deny"),
        ("git commit -am x", "deny"),
        ("ls", "allow"),
        ("make", "ask"),
        ("git ls-files | sed 's/[^/]*$//'", "-"),
        // Its own clone.
        ("cd ../own && mkdir -p src/new 2>&1", "-"),
        ("cd ../own && mkdir -p src/new &> log", "-"),
        (&format!("cd {CWD}/projects/own && cp a src/b | cat"), "-"),
        ("cd ../own && cat a | tee src/b >&2 && touch src/c", "-"),
        // It may not have gone there, or in a shell of its own.
        ("cd ../own || touch src/a", "ask"),
        ("cd ../own && ls || touch src/a", "ask"),
        ("cd ../own & touch src/a", "ask"),
        ("cd ../own; touch src/a", "ask"),
        ("cd ../own | cat && touch src/a", "ask"),
        ("cat a | cd ../own && touch src/a", "ask"),
        ("cd ../own && cd x | cat && touch src/a", "ask"),
        ("! cd ../own && touch src/a", "ask"),
    ];
    assert_commands(&Rules::default(), Some(&at), &rows);
}

#[test]
fn files_are_written_by_no_tool_and_by_no_rule() {
    let allowing = rules(&["Edit", "Write", "Bash"], &[], &[]);
    let patch = "*** Begin Patch\n*** Update File: projects/grove/a.rs\n@@\n-a\n+b\n*** End Patch";
    let rows = [
        ("Edit", json!({ "file_path": "projects/grove/a.rs" }), "deny"),
        (
            "Write",
            json!({ "file_path": format!("{CWD}/projects/grove/b") }),
            "deny",
        ),
        ("Write", json!({ "file_path": "/srv/notes/x" }), "deny"),
        ("Write", json!({ "file_path": "/srv/notes/drafts/x" }), "allow"),
        ("Write", json!({ "file_path": "projects/own/../grove/b" }), "deny"),
        (
            "NotebookEdit",
            json!({ "notebook_path": "projects/grove/n.ipynb" }),
            "deny",
        ),
        ("apply_patch", json!({ "input": patch }), "deny"),
        ("write_file", json!({ "file_path": "projects/own/a" }), "allow"),
        ("Read", json!({ "file_path": "projects/grove/a.rs" }), "allow"),
        ("mcp__fs__write_file", json!({ "path": "projects/grove/a.rs" }), "ask"),
        ("mcp__fs__read_file", json!({ "path": "projects/grove/a.rs" }), "-"),
    ];
    for (tool, input, wanted) in rows {
        let ruling = judged(&allowing, tool, &input, None);
        assert_eq!(word(&ruling), wanted, "{tool} {input}: {ruling:?}");
    }
}

#[test]
fn a_denial_says_which_directory_and_what_to_do() {
    let input = json!({ "file_path": "projects/grove/a.rs" });
    let Ruling::Deny { rule, why } = judged(&Rules::default(), "Edit", &input, None) else {
        panic!("it is not denied");
    };
    assert_eq!(rule.to_string(), "built in: read-only directory");
    assert_eq!(
        why,
        "read-only directory grove (ro): projects/grove/a.rs would be written; ask the person to open grove rw, or open \
         a clone of it of your own"
    );
}

#[test]
fn a_directory_that_git_is_told_by_an_option_is_seen() {
    assert_commands(
        &Rules::default(),
        None,
        &[
            ("git format-patch -oprojects/grove HEAD~1", "deny"),
            ("git format-patch -o projects/grove HEAD~1", "deny"),
            ("git format-patch --output-directory=projects/grove HEAD~1", "deny"),
            ("git format-patch --output-d projects/grove HEAD~1", "deny"),
            ("cd projects && git format-patch -ogrove HEAD~1", "deny"),
            ("git apply --directory=projects/grove a.patch", "deny"),
            ("git apply --dir projects/grove a.patch", "deny"),
            ("git clone --separate-git-dir=projects/grove/x a b", "deny"),
            ("git clone --sep projects/grove/x a b", "deny"),
            ("git init --separate-git-dir projects/grove/x b", "deny"),
            ("git worktree add projects/grove/x", "deny"),
            ("git worktree add -b y projects/grove/x HEAD", "deny"),
            ("git archive -oprojects/grove/a.tar HEAD", "ask"),
            ("git archive --output=projects/grove/a.tar HEAD", "ask"),
            ("git archive --outp projects/grove/a.tar HEAD", "ask"),
            ("git bundle create projects/grove/a.bundle HEAD", "ask"),
            ("git checkout-index --prefix=projects/grove/ -a", "ask"),
            ("git -C projects/own archive -o ../grove/a.tar HEAD", "ask"),
            ("git log --output=projects/grove/a", "ask"),
            ("sort --o=projects/grove/a b", "deny"),
            ("git format-patch -oprojects/own/x HEAD~1", "-"),
            ("git archive -o projects/own/a.tar HEAD", "-"),
        ],
    );
}

#[test]
fn an_edit_that_names_no_file_is_denied_whatever_a_rule_allows() {
    let rules = rules(&["Edit"], &[], &[]);
    let named = json!({"filepath": "projects/grove/a", "diff": "+x"});
    assert_eq!(word(&judged(&rules, "Edit", &named, None)), "deny");
    assert_eq!(word(&judged(&rules, "Edit", &json!({"diff": "+x"}), None)), "deny");
}
