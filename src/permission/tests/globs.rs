//! A glob stands for the files that a shell may put in its place.

use super::*;

#[test]
fn a_glob_stands_for_no_hidden_file() {
    let own = rules(&["Bash"], &[], &["Read(**/.env)", "Read(secret/**)", "Edit(.git/**)"]);
    for line in [
        "ls *",
        "wc -l src/*",
        "cat src/*",
        "grep -n x src/*/*",
        "head -5 docs/?*",
        "cat [a-z.]env",
        "cat ?env",
        "prettier --check src/**",
        "rm */config",
    ] {
        assert_rows(&own, &[(line, "allow")]);
    }
    for line in [
        "cat .*",
        "cat .e*",
        "cat src/.??v",
        "cat */.env",
        "cat sec*/a",
        "rm .g*/config",
        "shopt -s dotglob; cat *",
        "GLOBIGNORE=x; cat *",
        "setopt glob_dots; cat *",
    ] {
        assert_rows(&own, &[(line, "deny")]);
    }
}

#[test]
fn a_glob_may_lead_to_what_starts_programs() {
    assert_rows(
        &Rules::default(),
        &[
            ("cp x .gi?/config", "ask"),
            ("cp x .g*/config", "ask"),
            ("cp x .[g]it/config", "ask"),
            ("git config edit", "ask"),
            ("git hook run x", "ask"),
            ("touch lefthook.toml", "ask"),
            ("cp x p/lefthook.y?ml", "ask"),
            ("cp x .{git,y}/config", "ask"),
            ("echo x > .github/workflows/a.yml", "ask"),
            ("touch p/.gitattributes", "ask"),
            ("touch .github/CODEOWNERS", "-"),
            ("git remote add o ext::x", "ask"),
            ("git remote set-url origin x", "ask"),
            ("git submodule add x", "ask"),
            ("git remote -v", "-"),
            ("rm *.toml", "-"),
            ("cp x src/*.rs y", "-"),
            ("rm *.log", "-"),
            ("ls .g*", "allow"),
        ],
    );
}
