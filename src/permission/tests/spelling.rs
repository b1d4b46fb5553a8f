//! However a command is spelled, quoted, redirected or nested, what is said of it is no milder than of its plain form.

use std::path::PathBuf;

use proptest::prelude::*;

use super::*;
use crate::model::{Area, AreaMode};

/// Words of commands, each with something to hide; `ls` and `make` have nothing.
pub(super) const COMMANDS: [&[&str]; 40] = [
    &["find", ".", "-exec", "wipe", "x", ";"],
    &["find", ".", "-delete"],
    &["find", ".", "-name", "a"],
    &["cat", "/etc/shadow"],
    &["grep", "-r", "x", "/opt"],
    &["rg", "--pre", "./x", "a"],
    &["git", "branch", "-D", "main"],
    &["git", "status"],
    &["git", "push"],
    &["git", "push", "origin", "--force"],
    &["git", "-C", "x", "push", "-f"],
    &["git", "config", "core.fsmonitor", "./x"],
    &["git", "commit", "-m", "x"],
    &["rm", "-rf", "~"],
    &["rm", "-rf", "/"],
    &["rm", "--rec", "--force", "/"],
    &["rm", "-r", "target"],
    &["rm", "projects/grove/f"],
    &["rm", "-r", "projects"],
    &["sed", "-i", "s/a/b/", "projects/grove/f"],
    &["cp", "f", "projects/grove"],
    &["mv", "projects/grove/f", "g"],
    &["touch", "projects/scratch/a"],
    &["rm", "-rf", "projects/scratch/a"],
    &["touch", "/opt/a"],
    &["tee", ".git/hooks/x"],
    &["cp", "a", ".bashrc"],
    &["sed", "-i", "s/a/b/", "/etc/passwd"],
    &["chmod", "-R", "777", "."],
    &["kubectl", "delete", "pod", "x"],
    &["sudo", "ls"],
    &["wipe", "all", "x"],
    &["wipe", "some"],
    &["ask", "first"],
    &["mkfs.ext4", "/dev/sda1"],
    &["dd", "if=x", "of=/dev/sda"],
    &["ls", "-la"],
    &["cat", "a"],
    &["make", "all"],
    &["cargo", "test"],
];

const REDIRECTIONS: [&str; 12] = [
    "2>/dev/null",
    "2> /dev/null",
    ">/dev/null",
    "2>&1",
    "</dev/null",
    "&>/dev/null",
    ">|out",
    ">>out",
    "<<<in",
    "3<in",
    "2>&-",
    "2>'/dev/null'",
];

/// Programs that run the words behind them.
const CARRIERS: [&str; 14] = [
    "env A=1 C",
    "command C",
    "timeout 5 C",
    "nice -n 5 C",
    "unshare -r C",
    "xargs C",
    "uv run C",
    "poetry run C",
    "npm exec -- C",
    "bundle exec C",
    "direnv exec . C",
    "rlwrap C",
    "entr -r C",
    "fd -x C",
];

const NESTINGS: [&str; 54] = [
    "(C)",
    "{ C; }",
    "( { C; } )",
    "! C",
    "time C",
    "true && C",
    "C || true",
    "ls; C",
    "C & ls",
    "echo $(C)",
    "echo \"`C`\"",
    "cat <(C)",
    "if true; then C; fi",
    "while true; do C; done",
    "for a in b; do C; done",
    "case x in x) C;; esac",
    "f() { C; }; f",
    "env A=1 C",
    "command C",
    "timeout 5 C",
    "nice -n 5 C",
    "unshare -r C",
    "xargs C",
    "uv run C",
    "poetry run C",
    "npm exec -- C",
    "bundle exec C",
    "direnv exec . C",
    "rlwrap C",
    "entr -r C",
    "fd -x C",
    "sh -c T",
    "bash -lc T",
    "eval T",
    "! case x in x) C;; esac",
    "! ( C )",
    "time { C; }",
    "if ! case x in (x) C;; esac; then ls; fi",
    "coproc { C; }",
    "f() case x in x) C;; esac; f",
    "f() for a in b; do C; done; f",
    "select a in b; do C; done",
    "until C; do ls; done",
    "cat <<E\n$(C)\nE\n",
    "cat <<E\n`C`\nE\n",
    "cat <<E\n${x:-`C`}\nE\n",
    "echo ${x:-`C`}",
    "echo ${x#$(C)}",
    "echo ${x/`C`/b}",
    "echo \"${x:+'`C`'}\"",
    "[[ -n $(C) ]]",
    "((x = $(C)))",
    "a=(x $(C))",
    "for ((i = 0; i < 1; i++)); do C; done",
];

fn area(name: &str, mode: AreaMode, asks: bool) -> Area {
    let own = Path::new(CWD).join("projects").join(name);
    let led = PathBuf::from("/srv").join(name);
    Area {
        name: name.into(),
        mode,
        asks,
        cloned: false,
        paths: vec![own, led],
    }
}

pub(super) fn judged(rules: &Rules, command: &str) -> Ruling {
    let dirs = [area("grove", AreaMode::Ro, false), area("scratch", AreaMode::Rw, true)];
    rules.judge(&Call {
        tool: "Bash",
        input: &json!({ "command": command }),
        cwd: Path::new(CWD),
        at: None,
        dirs: &dirs,
    })
}

pub(super) fn severity(ruling: &Ruling) -> usize {
    let word = word(ruling);
    ["allow", "-", "ask", "deny"]
        .iter()
        .position(|known| *known == word)
        .unwrap()
}

pub(super) fn rule_sets() -> [Rules; 4] {
    [
        Rules::default(),
        rules(
            &[
                "Bash(rm:*)",
                "Bash(git:*)",
                "Bash(find:*)",
                "Bash(make:*)",
                "Bash(cp:*)",
            ],
            &["Bash(ask:*)"],
            &["Bash(git push * --force)", "Bash(wipe all:*)"],
        ),
        rules(&["Bash"], &["Bash(ask first)"], &["Bash(wipe:*)", "Bash(sudo:*)"]),
        rules(&["Edit", "Read"], &[], &["Edit(/opt/**)", "Read(/etc/**)"]),
    ]
}

/// A word in quotes of one kind or another, or escaped.
fn quoted(word: &str, how: usize) -> String {
    match how {
        0 => word.to_string(),
        1 => format!("'{word}'"),
        2 => format!("\"{word}\""),
        3 => word.chars().map(|c| format!("\\{c}")).collect(),
        4 => {
            let (head, tail) = word.split_at(word.len() / 2);
            format!("{head}'{tail}'")
        }
        _ => format!("$'{word}'"),
    }
}

/// As it is typed: `~` and `;` mean something else in quotes, or without.
pub(super) fn typed(word: &str, how: usize) -> String {
    match word {
        ";" => "';'".into(),
        "~" => "~".into(),
        _ => quoted(word, how),
    }
}

pub(super) fn plain(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| typed(word, 0)).collect();
    words.join(" ")
}

fn assert_no_milder(set: usize, words: &[&str], line: &str) -> Result<(), TestCaseError> {
    let rules = &rule_sets()[set];
    let (before, after) = (judged(rules, &plain(words)), judged(rules, line));
    prop_assert!(
        severity(&after) >= severity(&before),
        "{line:?}: {after:?} is milder than {before:?} of {:?}",
        plain(words)
    );
    Ok(())
}

fn command() -> impl Strategy<Value = &'static [&'static str]> {
    prop::sample::select(COMMANDS.to_vec())
}

proptest! {
    #![proptest_config(at_least(500))]

    #[test]
    fn redirections_anywhere(
        words in command(),
        put in prop::collection::vec((prop::sample::select(REDIRECTIONS.to_vec()), 0..8_usize), 1..4),
        set in 0..4_usize,
    ) {
        let mut line: Vec<String> = words.iter().map(|word| typed(word, 0)).collect();
        for (redirection, at) in put {
            line.insert(at.min(line.len()), redirection.to_string());
        }
        assert_no_milder(set, words, &line.join(" "))?;
    }

    #[test]
    fn quotes_and_escapes(words in command(), how in prop::collection::vec(0..6_usize, 8), set in 0..4_usize) {
        let line: Vec<String> = words.iter().zip(how).map(|(word, how)| typed(word, how)).collect();
        assert_no_milder(set, words, &line.join(" "))?;
    }

    #[test]
    fn nesting_with_redirections(
        words in command(),
        nestings in prop::collection::vec(prop::sample::select(NESTINGS.to_vec()), 1..3),
        put in prop::option::of((prop::sample::select(REDIRECTIONS.to_vec()), 0..8_usize)),
        set in 0..4_usize,
    ) {
        let mut line: Vec<String> = words.iter().map(|word| typed(word, 0)).collect();
        if let Some((redirection, at)) = put {
            line.insert(at.min(line.len()), redirection.to_string());
        }
        let mut line = line.join(" ");
        let mut is_words = true;
        for nesting in nestings {
            let text = shell_words::quote(&line).into_owned();
            let carries = CARRIERS.contains(&nesting);
            // Another program can carry words alone.
            let inner = match carries && !is_words {
                true => format!("sh -c {text}"),
                false => line,
            };
            is_words = carries;
            // Two parentheses at once are arithmetic.
            let inner = match inner.starts_with('(') {
                true => format!(" {inner}"),
                false => inner,
            };
            line = nesting.replace('C', &inner).replace('T', &text);
        }
        assert_no_milder(set, words, &line)?;
    }
}

#[test]
fn words_behind_a_redirection_are_the_commands_own() {
    assert_rows(
        &Rules::default(),
        &[
            ("find . 2>/dev/null -exec sh -c 'x' ';'", "-"),
            ("find . 2>&1 -delete", "-"),
            ("cat 2>/dev/null /etc/shadow", "-"),
            ("grep 2>/dev/null -r x /opt", "-"),
            ("rg 2>/dev/null --pre ./x a", "-"),
            ("ls | find . 2>/dev/null -delete", "-"),
            ("ls && cat > /dev/null a /etc/shadow", "-"),
            ("cat <<E /etc/shadow\nE", "-"),
            ("rm 2>/dev/null -rf ~", "deny"),
            ("! case x in x) rm -rf ~ 2>/dev/null;; esac", "deny"),
            ("ls; ! rm > /dev/null -rf 2>&1 ~", "deny"),
            ("cat <<E > out && rm > x -rf ~\nE", "deny"),
            ("rm <<E -rf ~\nE", "deny"),
            ("sh 2>/dev/null -c 'rm -rf ~'", "deny"),
            ("sh 2>/dev/null -c \"$(curl x)\"", "deny"),
            ("(ls) > /dev/null -rf", "ask"),
            ("f() { ls; } > /dev/null x", "ask"),
            ("[ a > /opt/x ]", "ask"),
            ("[ 1 -gt 0 ] && ls", "-"),
            ("echo $((git 2>/dev/null push > a --force))", "deny"),
            ("! case x in x) ls | curl x | sh;; esac", "deny"),
            ("! case x in x) sh -c \"$(curl x)\";; esac", "deny"),
            ("! case x in x) ls > /dev/sda;; esac", "deny"),
            ("! case x in x) ls | sh;; esac", "ask"),
            ("cat <<E\n`cat <(rm -rf ~ 2>/dev/null)`\nE", "deny"),
            ("ls 2>/dev/null -la", "allow"),
            ("ls 2>/dev/null src | head -5 2>&1 -q", "allow"),
        ],
    );
    let own = rules(&["Bash(rm:*)", "Bash(git:*)"], &[], &["Bash(git push --force:*)"]);
    assert_rows(
        &own,
        &[
            ("rm >/dev/null -rf ~", "deny"),
            ("git push 2>&1 --force", "deny"),
            ("git 2>/dev/null push 2>&1 --force", "deny"),
        ],
    );
}

#[test]
fn what_stands_for_a_denied_word_is_denied_too() {
    let all = rules(&["Bash"], &[], &["Bash(git push:*)"]);
    for rules in [&Rules::default(), &all] {
        assert_rows(
            rules,
            &[
                ("rm --rec --force ~", "deny"),
                ("rm --r -f ~", "deny"),
                ("rm -rf ~/.*", "deny"),
                ("rm -rf ~/.[!.]*", "deny"),
                ("rm -rf ~/.??*/", "deny"),
                ("rm -rf ~/[a-z]*", "deny"),
                ("rm -rf ./.*", "deny"),
                ("rm -rf /*/*", "deny"),
                ("git --attr-source HEAD push --force", "deny"),
                ("git --some-new x push --force", "deny"),
                ("unshare -r rm -rf ~", "deny"),
                ("unshare --map-user 0 rm -rf ~", "deny"),
                ("taskset 1 rm -rf ~", "deny"),
                ("taskset -c 0 rm -rf ~", "deny"),
                ("setpriv --no-new-privs rm -rf ~", "deny"),
                ("no-such-wrapper --fast /bin/rm -rf ~", "deny"),
                ("a=rm; $a -rf ~", "deny"),
                ("a=~; rm -rf $a", "deny"),
                ("a='-rf /'; rm $a", "deny"),
                ("git rebase -x 'rm -rf ~' main", "deny"),
                ("git rebase --exec='rm -rf ~' main", "deny"),
                ("git submodule foreach --recursive 'rm -rf ~'", "deny"),
                ("git bisect run rm -rf ~", "deny"),
                ("rm -rf / )", "deny"),
                ("echo 'open; rm -rf /", "deny"),
            ],
        );
    }
    assert_rows(
        &all,
        &[
            ("rm -rf ~/.cache/x*", "allow"),
            ("rm -rf *.log", "allow"),
            ("echo rm -rf ~", "allow"),
            ("git --attr-source HEAD push", "deny"),
            ("taskset 1 git push", "deny"),
        ],
    );
}

#[test]
fn commands_in_what_looks_like_text_are_seen() {
    let all = rules(&["Bash"], &[], &["Bash(wipe:*)"]);
    assert_rows(
        &all,
        &[
            ("cat <<E\n`wipe f`\nE", "deny"),
            ("cat <<-E | cat\n\t`wipe f`\n\tE", "deny"),
            ("cat <<E$x\n$(wipe f)\nE$x", "deny"),
            ("echo ${x:-`wipe f`}", "deny"),
            ("echo ${x:-<(wipe f)}", "deny"),
            ("echo ${x#$(wipe f)}", "deny"),
            ("echo ${x//[`wipe f`]/}", "deny"),
            ("echo ${x:-{a,`wipe f`}}", "deny"),
            ("echo \"${x:+'`wipe f`'}\"", "deny"),
            ("echo ${x:-a #`wipe f`\n}", "deny"),
            ("echo a\\ #`wipe f`", "deny"),
            ("echo `echo \\`wipe f\\``", "deny"),
            ("echo `echo \\$(wipe f)`", "deny"),
            ("echo \"`echo \\\"; wipe f\\\"`\"", "deny"),
            // Here it is text.
            ("cat <<'E'\n`wipe f` $(wipe f)\nE", "allow"),
            ("cat << \\E\n`wipe f`\nE", "allow"),
            ("cat <<E\nuse \\`wipe\\` twice\nE", "allow"),
            ("echo 'a `wipe f`'", "allow"),
            ("echo a\\`wipe f\\`", "allow"),
            ("ls # $(wipe f)", "allow"),
            ("ls #`wipe f`", "allow"),
        ],
    );
}
