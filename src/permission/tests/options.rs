//! What a program is told to run by its options is judged as that command, whatever is said of the program.

use super::*;

#[test]
fn an_allowed_program_does_not_lift_what_its_options_run() {
    let own = rules(
        &[
            "Bash(git:*)",
            "Bash(npm:*)",
            "Bash(tar:*)",
            "Bash(entr:*)",
            "Bash(make:*)",
        ],
        &[],
        &["Bash(git push:*)", "Bash(build:*)"],
    );
    for line in [
        "git -c alias.x=push x",
        "git -c alias.x='!build all' x",
        "git -c core.pager='build all' log",
        "git -C d -c Diff.External=build diff",
        "git difftool -x build",
        "git difftool --extcmd=build",
        "git grep -Obuild x",
        "git clone -u build . x",
        "git clone --config core.sshCommand=build . x",
        "git clone -ccore.sshCommand=build . x",
        "git fetch --upload-pack=build o",
        "git submodule foreach build",
        "git rebase -x build",
        "git bisect run build",
        "npm exec build",
        "npm exec -- build",
        "npm exec -c \"build all\"",
        "npm x build",
        "tar -I \"build all\" -cf x y",
        "tar -xf x --to-command build",
        "tar -cf x y --checkpoint-action=exec=build",
        "make SHELL=build",
        "ls | entr build",
        "entr sh -c build",
    ] {
        assert_rows(&own, &[(line, "deny")]);
    }
    // What is not known there is not allowed with the program.
    for (line, wanted) in [
        ("git -c alias.x=\"$y\" x", "deny"),
        ("git -c core.hooksPath=x commit", "ask"),
        ("git --config-env=core.pager=X log", "ask"),
        ("git -c core.pager=less log", "ask"),
        ("git clone -u other . x", "ask"),
        ("git difftool -x \"$y\"", "ask"),
        ("npm exec other", "-"),
        ("npm exec -c \"$y\"", "ask"),
        ("tar -I other -cf x y", "-"),
        ("git -c user.name=Ada commit", "allow"),
        ("git -c color.ui=never -c core.quotePath=false log", "allow"),
        ("git commit -c HEAD", "allow"),
        ("git rebase -i main", "allow"),
        ("npm run build", "allow"),
        ("tar -czf x y", "allow"),
        ("make V=1 all", "allow"),
    ] {
        assert_rows(&own, &[(line, wanted)]);
    }
}

#[test]
fn a_rule_may_name_a_subcommand_that_runs_others() {
    let own = rules(
        &[
            "Bash(uv run:*)",
            "Bash(bundle exec rspec:*)",
            "Bash(poetry:*)",
            "Bash(npm exec -- tsc:*)",
        ],
        &[],
        &["Bash(wipe:*)"],
    );
    assert_rows(
        &own,
        &[
            ("uv run pytest -x", "allow"),
            ("uv run touch /etc/x", "ask"),
            ("uv run wipe x", "deny"),
            ("uv run sudo ls", "ask"),
            ("uv run sh -c 'ls'", "-"),
            ("uv --quiet run pytest", "-"),
            ("bundle exec rspec a", "allow"),
            ("bundle exec wipe", "deny"),
            ("bundle exec rake", "-"),
            ("poetry run pytest", "-"),
            ("poetry install", "allow"),
            ("npm exec -- tsc -p .", "allow"),
        ],
    );
    for line in [
        "poetry run touch /etc/x",
        "uv run --with a touch /etc/x",
        "pipenv run touch /etc/x",
        "npm exec -- touch /etc/x",
        "pnpm exec touch /etc/x",
        "bundle exec touch /etc/x",
        "direnv exec . touch /etc/x",
        "mise x -- touch /etc/x",
        "nix develop -c touch /etc/x",
        "screen -dm touch /etc/x",
        "fd a -x touch /etc/x",
        "rlwrap touch /etc/x",
        "bash --init-file <(echo ls)",
        "hash -p /bin/sh x; x -c ls",
    ] {
        assert_rows(&Rules::default(), &[(line, "ask")]);
    }
}

#[test]
fn what_only_looks_like_a_command_is_none() {
    let lines = [
        "docker run -it --rm image bash",
        "docker exec -it c bash",
        "apt-get install -y zsh",
        "alias ll='ls -la'",
        "CC=clang make",
        "CC=$(which clang) make",
        "make -j4 PREFIX=/usr",
        "tar -xzf a.tgz -C out",
        "tar --exclude=x -czf a.tgz src",
        "tmux ls",
        "fd -e rs",
        "npx tsc --noEmit",
        "uv run pytest",
        "poetry run python -m x",
        "git log --oneline --to=x",
        "rsync -av a b",
        "sort -t, -k1 x",
        "man git",
        "vim -c 'set nu' x",
        "cargo watch -x test",
        "hyperfine 'cargo build'",
    ];
    let rows: Vec<(&str, &str)> = lines.iter().map(|line| (*line, "-")).collect();
    assert_rows(&Rules::default(), &rows);
}
