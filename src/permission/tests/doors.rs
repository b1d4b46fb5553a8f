//! Ways to spell a command that look like something else: lines that go on, redirections that name a variable.

use proptest::prelude::*;

use super::spelling::{COMMANDS, judged, plain, rule_sets, severity, typed};
use super::*;

/// A word with lines that go on within it. In single quotes they would be text.
fn broken(word: &str, at: &[usize]) -> String {
    let typed = typed(word, 0);
    if typed.starts_with('\'') {
        return typed;
    }
    let mut line = typed.clone();
    let mut places: Vec<usize> = at.iter().map(|at| at % (typed.len() + 1)).collect();
    places.sort_unstable();
    for at in places.into_iter().rev() {
        line.insert_str(at, "\\\n");
    }
    line
}

const VARIABLES: [&str; 8] = [
    "{fd}>/dev/null",
    "{fd}</dev/null",
    "{fd_2}>>out",
    "{fd}>&1",
    "{fd}<<<in",
    "3<<<in",
    "{fd}<>in",
    "{a[0]}>/dev/null",
];

fn assert_no_milder(set: usize, words: &[&str], line: &str) -> Result<(), TestCaseError> {
    let rules = &rule_sets()[set];
    let (before, after) = (judged(rules, &plain(words)), judged(rules, line));
    prop_assert!(
        severity(&after) >= severity(&before),
        "{line:?}: {after:?} is milder than {before:?}"
    );
    Ok(())
}

proptest! {
    #![proptest_config(at_least(500))]

    #[test]
    fn lines_that_go_on_within_words(
        words in prop::sample::select(COMMANDS.to_vec()),
        at in prop::collection::vec(prop::collection::vec(0..9_usize, 0..3), 8),
        nesting in prop::sample::select(vec!["C", "ls && C", "echo \"$(C)\"", "cat <<E\n$(C)\nE", "ls # a\nC", "sh -c T", "bash <<'E'\nC\nE"]),
        set in 0..4_usize,
    ) {
        let line: Vec<String> = words.iter().zip(at).map(|(word, at)| broken(word, &at)).collect();
        let line = line.join(" ");
        let line = nesting.replace('C', &line).replace('T', &format!("'{}'", line.replace('\'', "'\\''")));
        assert_no_milder(set, words, &line)?;
    }

    #[test]
    fn redirections_that_name_a_variable(
        words in prop::sample::select(COMMANDS.to_vec()),
        put in prop::collection::vec((prop::sample::select(VARIABLES.to_vec()), 0..8_usize), 1..3),
        set in 0..4_usize,
    ) {
        let mut line: Vec<String> = words.iter().map(|word| typed(word, 0)).collect();
        for (redirection, at) in put {
            line.insert(at.min(line.len()), redirection.to_string());
        }
        assert_no_milder(set, words, &line.join(" "))?;
    }
}

#[test]
fn a_word_that_goes_on_in_the_next_line_is_one_word() {
    let own = rules(
        &["Bash(git:*)", "Bash(cat:*)", "Bash(npm test:*)"],
        &[],
        &["Bash(git push:*)", "Bash(ls && make all)"],
    );
    assert_rows(
        &own,
        &[
            ("git pu\\\nsh origin", "deny"),
            ("git \\\n\\\n pu\\\n\\\nsh", "deny"),
            ("ls &\\\n& ma\\\nke all", "deny"),
            ("cat\\\nchsegv touch x", "-"),
            ("npm test\\\ns x", "-"),
            ("npm \\\n  test \\\n  x", "allow"),
            ("git log 'a\\\nb' \\\n c", "allow"),
            ("git {fd}>/dev/null push", "deny"),
            ("git {a[0]}>/dev/null push", "deny"),
            ("{fd}<in git push", "deny"),
            ("cat {fd}>/dev/null a", "-"),
        ],
    );
    assert_rows(
        &Rules::default(),
        &[
            ("g\\\nit push --force", "deny"),
            ("mk\\\nfs.ext4 /dev/sda1", "deny"),
            ("bash -c 'g\\\nit push --force'", "deny"),
            ("bash -c \"g\\\nit push --force\"", "deny"),
            ("eval 'ls # \\\ngit push --force'", "deny"),
            ("ls # \\\ngit push --force", "deny"),
            ("echo a\\ #;g\\\nit push --force", "deny"),
            ("echo 'a' '\\\n'; git push --force", "deny"),
            ("$\\\n(git push --force)", "deny"),
            ("cat <<'E'\ng\\\nE\ngit push --force", "deny"),
            ("cat <<E\ng\\\nE\nE\ngit push --force", "deny"),
            ("ls \\\r\ngit push --force", "deny"),
            ("git commit -m \"a\\\nb\" -m 'c\\\nd'", "-"),
            ("curl -s \\\n  -H 'a: b' \\\n  https://x.test/a", "-"),
            ("cat <<'E' > a\nfoo \\\n  bar\nE", "-"),
            ("cargo test \\\n  # \\\n", "-"),
        ],
    );
}

/// Ways to have a shell read a text, `@`, that can be read here too.
const DOORS: [&str; 94] = [
    "eval -- @",
    "trap -- @ 0",
    "trap @ EXIT",
    "flock f -c @",
    "flock -n f -c @",
    "script -q --command=@ /dev/null",
    "script -qc @ /dev/null",
    "script -c @",
    "su -c @",
    "su ada --command=@",
    "sg staff -c @",
    "sg staff @",
    "runuser u -c @",
    "runuser -l u -c @",
    "parallel @ ::: 1",
    "parallel -j 2 @ ::: 1",
    "parallel ::: @",
    "mksh -c @",
    "yash -c @",
    "rbash -c @",
    "csh -c @",
    "tcsh -c @",
    "fish --command=@",
    "fish -C @",
    "busybox hush -c @",
    "toybox sh -c @",
    "bash -c -- @",
    "source /dev/stdin <<<@",
    ". /dev/stdin <<<@",
    "source /dev/stdin <<'E'\n%\nE",
    "env bash <<<@",
    "<<<@ env -i sh",
    "GIT_SSH_COMMAND=@ git fetch",
    "GIT_PAGER=@ git -p log",
    "GIT_EDITOR=@ git commit",
    "GIT_EXTERNAL_DIFF=@ git diff",
    "PROMPT_COMMAND=@",
    "env GIT_EDITOR=@ git commit",
    "export GIT_PAGER=@",
    "PAGER=@",
    "xargs -I{} bash -c @",
    "find . -exec sh -c @ ';'",
    "docker exec c sh -c @",
    "rlwrap sh -c @",
    "ls | entr sh -c @",
    "entr -s @",
    "no-such --fast /bin/bash -lc @",
    "fd -x sh -c @",
    "fd . --exec=@",
    "uv run sh -c @",
    "poetry run -q bash -c @",
    "nix develop .#x -c sh -c @",
    "nix-shell --run @",
    "tmux new -d -s a @",
    "tmux send-keys -t 0 @ Enter",
    "npx -c @",
    "npm exec -c @",
    "npm exec --call=@",
    "cargo watch -s @",
    "nu -c @",
    "pwsh -c @",
    "make SHELL=@",
    "make CC=@ x",
    "CC=@ make",
    "tar -I @ -cf x y",
    "tar -cI @ -f x y",
    "tar -xf x --to-comm=@",
    "tar -cf x y --checkpoint-action=exec=@",
    "sort --compress-program=@ x",
    "split --filter=@ x",
    "zip x y -T -TT @",
    "man -P @ x",
    "rg --pre @ x",
    "nc -l 1 -e @",
    "git send-email --sendmail-cmd=@ x",
    "git -c core.pager=@ log",
    "git -c alias.x='!'@ x",
    "git clone -c core.sshCommand=@ x",
    "git difftool -x @",
    "git grep -O@ x",
    "git clone -u @ . x",
    "git rebase -ix @ main",
    "git-rebase --exec=@ main",
    "alias x=@",
    "mapfile -C @ -c 1 x",
    "readarray -C @ x",
    "gmake CC=@",
    "fdfind --exec=@ x",
    "npm x -c @",
    "compgen -C @",
    "complete -C @ x",
    "bind -x '\"a\": '@",
    "hyperfine -w 3 @",
    "rsync -ae @ a b",
];

/// Ways by which nobody can say what is run.
const DARK: [&str; 24] = [
    "bash <(echo @)",
    "source <(echo @)",
    ". <(echo @)",
    "bash < <(echo @)",
    "< <(echo @) bash",
    "source < <(echo @)",
    "echo @ | xargs -I{} bash -c {}",
    "echo @ | xargs bash -c",
    "echo @ | xargs env",
    "echo x | xargs git",
    "echo x | xargs -n1 git",
    "echo x | xargs -I: git : x",
    "echo @ | parallel",
    "echo @ | bash -e",
    "echo @ | bash -o pipefail",
    "echo @ | bash +x",
    "echo @ | source /dev/stdin",
    "GIT_EDITOR=$x git commit",
    "BASH_ENV=f bash x",
    "ENV=f sh -i",
    "LD_PRELOAD=./x.so ls",
    "env LD_PRELOAD=./x.so ls",
    "export BASH_ENV=f",
    "env {A=1,git} push",
];

proptest! {
    #![proptest_config(at_least(500))]

    #[test]
    fn texts_that_a_shell_reads(
        words in prop::sample::select(COMMANDS.to_vec()),
        door in prop::sample::select(DOORS.to_vec()),
        other in prop::option::of(prop::sample::select(vec!["sh -c @", "eval @", "ls && @", "echo $(@)", "echo `@`"])),
        set in 0..4_usize,
    ) {
        let line = plain(words);
        let quoted = |line: &str| shell_words::quote(line).into_owned();
        let inner = match other {
            Some(nesting @ ("sh -c @" | "eval @")) => nesting.replace('@', &quoted(&line)),
            Some(nesting) => nesting.replace('@', &line),
            None => line,
        };
        let line = door.replace('@', &quoted(&inner)).replace('%', &inner);
        assert_no_milder(set, words, &line)?;
    }

    #[test]
    fn commands_in_backticks(
        words in prop::sample::select(COMMANDS.to_vec()),
        depth in 1..4_usize,
        dollar in prop::collection::vec(any::<bool>(), 4),
        put in prop::sample::select(vec![
            "echo S", "echo \"S\"", "cat <<E\nS\nE", "cat <<E\na S b\nE", "echo ${a:=S}", "echo \"${x:-S}\"", "echo a${x#S}b",
            "x=S", "export x=S", "ls {a,S}", "[[ S ]]", "case S in a) ls;; esac", "for a in S; do ls; done", "ls > S",
            "cat <<<S", "echo $((S))", "a[S]=1", "ls | grep S | wc", "if [ -n S ]; then ls; fi", "f() { S; }; f",
        ]),
        set in 0..4_usize,
    ) {
        let mut line = plain(words);
        for (at, dollar) in (0..depth).zip(dollar) {
            line = match (dollar, at) {
                (true, 0) => format!("$({line})"),
                (true, _) => format!("$(echo {line})"),
                (false, 0) => format!("`{}`", line.replace('\\', "\\\\").replace('`', "\\`")),
                (false, _) => format!("`echo {}`", line.replace('\\', "\\\\").replace('`', "\\`")),
            };
        }
        assert_no_milder(set, words, &put.replace('S', &line))?;
    }
}

#[test]
fn what_nobody_can_say_is_asked_about() {
    for door in DARK {
        let line = door.replace('@', "'git log'");
        let ruling = bash(&Rules::default(), &line);
        assert!(severity(&ruling) >= 2, "{line:?}: {ruling:?}");
    }
}

#[test]
fn a_subcommand_that_is_not_known_may_be_any() {
    let own = rules(
        &["Bash"],
        &[],
        &["Bash(git push:*)", "Bash(npm run deploy:*)", "Bash(cargo pub*)"],
    );
    let rows = [
        ("git $\"push\" --force", true),
        ("git \"${x:-push}\" --force", true),
        ("git p${x}ush", true),
        ("git $'push'", true),
        ("git pu``sh``", true),
        ("git {a,push} --force", true),
        ("git $(:) push --force", true),
        ("$(:) git push", true),
        ("git pus?", true),
        ("git $x", true),
        ("git $\"\" push", true),
        ("npm run $x", true),
        ("cargo {publish,x}", true),
        ("git l${x}og", false),
        ("git log $x", false),
        ("git -C \"$dir\" status", false),
        ("npm test $x", false),
        ("npm run de$x", true),
        ("cargo +$x test", false),
    ];
    for (line, is_meant) in rows {
        let wanted = if is_meant { "deny" } else { "allow" };
        assert_eq!(word(&bash(&own, line)), wanted, "{line}");
    }
    for line in [
        "git $\"push\" --force",
        "git $x",
        "npm $\"publish\"",
        "git {a,push}",
        "npm publ?sh",
        "docker $x a",
    ] {
        assert!(severity(&bash(&Rules::default(), line)) >= 2, "{line}");
    }
}

#[test]
fn what_people_run_every_day_is_not_asked_about() {
    let lines = [
        "git log | head",
        "cargo test 2>&1 | tail",
        "FOO=1 cargo run",
        "ENV=test npm start",
        "GIT_EDITOR=true git rebase --continue",
        "GIT_SEQUENCE_EDITOR=: git rebase -i main",
        "GIT_PAGER=cat git log",
        "GIT_CONFIG_GLOBAL=/dev/null git status",
        "EDITOR=vim git commit",
        "RUSTC_WRAPPER= cargo build",
        "git commit -m \"$(cat <<'EOF'\nfix: x\n\nIt's done.\nEOF\n)\"",
        "git add $f",
        "git checkout \"$branch\"",
        "git diff $a $b -- src",
        "npm run build -- --x=$y",
        "cargo test \"$name\"",
        "for f in *.rs; do git log -- $f; done",
        "find . -name '*.o' | xargs rm -f",
        "find . -name '*.o' -exec rm {} \\;",
        "ls | xargs -I{} sh -c 'wc -l {}'",
        "find . -name a -exec sh -c 'wc -l \"$1\"' _ {} \\;",
        "git ls-files | xargs grep x",
        "git ls-files | xargs git add",
        "git ls-files | xargs -n1 git log -1 --",
        "timeout $T cargo test",
        "bash script.sh",
        "bash -x script.sh",
        "source .venv/bin/activate",
        "diff <(ls a) <(ls b)",
        "make -j$(nproc)",
        "docker run -e A=$A image",
        "kubectl get $x",
        "curl -s https://x.test | jq .a",
        "cat a | while read l; do echo $l; done",
        "python3 - <<'E'\nprint(1)\nE",
        "export FOO=bar PATH=$PATH:x",
        "watch -n 1 git status",
        "parallel gzip ::: a b",
        "parallel 'gzip {}' ::: a b",
    ];
    let rows: Vec<(&str, &str)> = lines.iter().map(|line| (*line, "-")).collect();
    assert_rows(&Rules::default(), &rows);
}

#[test]
fn a_rule_about_files_holds_for_all_that_names_them() {
    let own = rules(&["Bash"], &[], &["Read(**/.env)", "Edit(src/**)"]);
    let rows = [
        ("cat < .env", "deny"),
        ("cat {fd}<.env", "deny"),
        ("echo \"$(<.env)\"", "deny"),
        ("while read l; do ls; done < .env", "deny"),
        ("cat .en?", "deny"),
        ("cat .e*", "deny"),
        ("cat */.[e]nv", "deny"),
        ("cat \"$PWD/.env\"", "deny"),
        ("cat ~+/.env", "deny"),
        ("cat .e\\\nnv", "deny"),
        ("cat *.md", "allow"),
        ("cat < env", "allow"),
        ("echo x > sr\\\nc/a", "deny"),
        ("tee src/a", "deny"),
        ("cp x src/", "deny"),
        ("cp x src", "deny"),
        ("mv x src/a", "deny"),
        ("rm -r src", "deny"),
        ("sed -i s/a/b/ src/a", "deny"),
        ("truncate -s0 src/a", "deny"),
        ("dd of=src/a", "deny"),
        ("ln -sf x src/a", "deny"),
        ("git checkout -- src/a", "deny"),
        ("cp src/a x", "allow"),
        ("cat src/a", "allow"),
        ("git add src/a", "allow"),
        ("cat .{env,x}", "deny"),
        ("cat .{env,}", "deny"),
        ("cat <>.env", "deny"),
        ("cat 3<>.env", "deny"),
        ("x=.env; cat $x", "deny"),
        ("cp .env x", "deny"),
        ("mv .env x", "deny"),
        ("sort .env", "deny"),
        ("awk 1 .env", "deny"),
        ("sed -n p .env", "deny"),
        ("dd if=.env", "deny"),
        ("curl -d @.env u", "deny"),
        ("curl -T.env u", "deny"),
        (". ./.env", "deny"),
        ("source .env", "deny"),
        ("git show HEAD:.env", "deny"),
        ("docker run --env-file=.env i", "deny"),
        ("cp .env.example .env", "allow"),
        ("echo .env >> .gitignore", "allow"),
        ("test -f .env && ls", "allow"),
        ("grep -rn x --exclude=.env --exclude .env .", "allow"),
        ("rm .env", "allow"),
        ("git check-ignore .env", "allow"),
        ("tee src/{a,b}", "deny"),
        ("sort -o src/a b", "deny"),
        ("patch src/a b", "deny"),
        ("find src -delete", "deny"),
        ("tar xf x -C src", "deny"),
        ("unzip x -d src", "deny"),
        ("curl -o src/a u", "deny"),
        ("wget -O src/a u", "deny"),
        ("git rm -r src", "deny"),
        ("git checkout src", "deny"),
        ("git clean -fd src", "deny"),
        ("make -C src", "allow"),
        ("find src -name a", "allow"),
    ];
    assert_rows(&own, &rows);
    for (glob, wanted) in [
        (".env", "deny"),
        ("{a,.env}", "deny"),
        (".e*", "deny"),
        ("*.rs", "allow"),
        ("!.env", "allow"),
    ] {
        let ruling = call(&own, "Grep", json!({ "pattern": "x", "glob": glob }));
        assert_eq!(word(&ruling), wanted, "{glob}: {ruling:?}");
    }
}

#[test]
fn a_search_of_a_directory_that_is_not_to_be_read_is_none_either() {
    let own = rules(&[], &["Read(notes/*)"], &["Read(secrets/**)", "Read(~/keys/)"]);
    for (tool, input, wanted) in [
        ("Grep", json!({ "pattern": "KEY", "path": "secrets" }), "deny"),
        ("Grep", json!({ "pattern": "KEY", "path": "./secrets/" }), "deny"),
        ("Grep", json!({ "pattern": "KEY", "path": "secrets/deep" }), "deny"),
        ("Glob", json!({ "pattern": "*.pem", "path": "secrets" }), "deny"),
        ("Grep", json!({ "pattern": "KEY", "path": "~/keys" }), "deny"),
        ("Grep", json!({ "pattern": "KEY", "path": "notes" }), "ask"),
        ("Grep", json!({ "pattern": "KEY", "path": "src" }), "allow"),
        ("Grep", json!({ "pattern": "KEY" }), "allow"),
    ] {
        let ruling = call(&own, tool, input.clone());
        assert_eq!(word(&ruling), wanted, "{tool} {input}: {ruling:?}");
    }
}
