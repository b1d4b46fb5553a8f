//! A glob stands for the files that a shell may put in its place, and a name is not yet what the file holds.

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

#[test]
fn a_name_is_not_what_the_file_holds() {
    let own = rules(&["Bash"], &[], &["Read(**/.env)", "Read(secret/**)", "Edit(src/**)"]);
    for line in [
        "ls -la .env",
        "find . -name .env -type f",
        "git ls-files .env",
        "git status .env",
        "git branch secret/x",
        "git rev-parse secret/x",
        "docker pull secret/x",
        "gh pr view secret/x",
        "git checkout -b src/x",
    ] {
        assert_rows(&own, &[(line, "allow")]);
    }
    for line in [
        "find . -name .env -exec cat {} +",
        "find . -name .env | xargs cat",
        "find .env -name x",
        "cat $(ls .env)",
        "git ls-files .env | xargs cat",
        "git status -vv .env",
        "gh gist create .env",
        "docker run --env-file .env i",
        "git checkout src/x",
    ] {
        assert_rows(&own, &[(line, "deny")]);
    }
}
