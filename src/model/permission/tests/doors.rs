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
