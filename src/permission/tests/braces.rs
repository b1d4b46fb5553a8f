//! Braces and backticks: each word and each command of them is judged for itself.

use super::*;
use crate::permission::braces;

#[test]
fn braces_stand_for_words() {
    let cases = [
        ("src/{a,b}", Some(vec!["src/a", "src/b"])),
        ("f{,.bak}", Some(vec!["f", "f.bak"])),
        ("{a,{b,c}d}e", Some(vec!["ae", "bde", "cde"])),
        ("{a,b}{1..2}", Some(vec!["a1", "a2", "b1", "b2"])),
        ("x{c..a}", Some(vec!["xa", "xb", "xc"])),
        ("{a}{", Some(vec!["{a}{"])),
        ("{{a,b}", Some(vec!["{a", "{b"])),
        ("{1..9999999999}", None),
        ("{-../}x", None),
        ("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", None),
    ];
    for (text, expected) in cases {
        let expected = expected.map(|words| words.into_iter().map(String::from).collect());
        assert_eq!(braces::expand(text), expected, "{text}");
    }
}

#[test]
fn files_in_braces_are_judged_each() {
    assert_rows(
        &Rules::default(),
        &[
            ("mkdir -p src/{a,b,c}", "-"),
            ("touch src/{a,b}.rs", "-"),
            ("cp f{,.bak}", "-"),
            ("mv {a,b}.txt dir/", "-"),
            ("rm src/{a,b}.rs", "-"),
            ("rm -f *.{o,a}", "-"),
            ("cp src/{a,b} d", "-"),
            ("echo x > a{1,2}", "-"),
            ("touch x{1..3}", "-"),
            ("touch {a,../b}", "ask"),
            ("touch {a,/etc/b}", "ask"),
            ("touch {a,~}/b", "ask"),
            ("touch {a,\"$x\"}", "ask"),
            ("touch \"$x\"/{a,b}", "ask"),
            ("touch x{1..1000}", "ask"),
            ("echo x > {a,../b}", "ask"),
            ("touch a{,/.git/hooks/x}", "ask"),
            ("rm -rf {a,~}", "deny"),
            ("{rm,-rf,x}", "ask"),
        ],
    );
}

#[test]
fn backticks_are_judged_as_other_substitutions() {
    assert_rows(
        &Rules::default(),
        &[
            ("cat <<EOF\n`date`\nEOF", "-"),
            ("cat <<EOF\n`date -d $x` and `date` of \"$y's\"\nEOF", "-"),
            ("cat <<EOF > a.md\nrun `cargo` or\n`make all`\nEOF", "-"),
            ("git commit -m \"$(cat <<EOF\nx `y`\nEOF\n)\"", "-"),
            ("echo ${x:-`date`}", "-"),
            ("echo \"${x:-`date`}\"", "-"),
            ("echo `echo \\`date\\``", "-"),
            ("cat <<EOF\n`git push`\nEOF", "ask"),
            ("cat <<EOF\n`a` `git push` ${x:-`b`}\nEOF", "ask"),
            (
                "cat <<EOF\n$(echo '`' ) ' `git push --force` ' $(echo '`' )\nEOF",
                "deny",
            ),
            ("cat <<EOF\n`date\nEOF", "ask"),
            ("cat <<EOF\n`a\\`b`\nEOF", "ask"),
            ("echo ${x:-'`'` git push --force`'`'}", "deny"),
            ("echo ${x:-`git push --force`}", "deny"),
            ("echo `echo \\`git push --force\\``", "deny"),
            ("echo `echo \\`echo \\\\\\`git push --force\\\\\\`\\``", "deny"),
        ],
    );
    let own = rules(&["Bash(cat:*)", "Bash(echo:*)", "Bash(date)"], &[], &["Bash(make:*)"]);
    assert_rows(
        &own,
        &[
            ("cat <<EOF\n`date`\nEOF", "-"),
            ("cat <<EOF\n`make`\nEOF", "deny"),
            ("echo ${x:-`make`}", "deny"),
            ("echo ${x:-`date`}", "-"),
        ],
    );
}
