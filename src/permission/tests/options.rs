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

#[test]
fn an_option_that_is_cut_short_or_written_otherwise_runs_what_it_says_all_the_same() {
    let own = rules(
        &[
            "Bash(git push:*)",
            "Bash(git clone:*)",
            "Bash(git ls-remote:*)",
            "Bash(git archive:*)",
            "Bash(git rebase:*)",
            "Bash(split:*)",
            "Bash(sort:*)",
            "Bash(tar:*)",
            "Bash(gtar:*)",
            "Bash(ssh build1:*)",
            "Bash(scp:*)",
            "Bash(sftp:*)",
            "Bash(mosh:*)",
            "Bash(make test:*)",
            "Bash(su:*)",
        ],
        &[],
        &["Bash(evil:*)"],
    );
    for line in [
        "git push --e=evil . HEAD:x",
        "git push --e evil . HEAD:x",
        "git push --rec=evil . HEAD:x",
        "git clone --u=evil a b",
        "git clone -qu evil a b",
        "git clone --c=core.sshCommand=evil a b",
        "git clone -qc core.sshCommand=evil a b",
        "git clone -qccore.sshCommand=evil a b",
        "git ls-remote --u=evil a",
        "git ls-remote --up evil a",
        "git archive --e=evil --remote=x HEAD",
        "git rebase --e=evil main",
        "git rebase -ix evil main",
        "split --f=evil a",
        "split --fi evil a",
        "sort --co=evil a",
        "sort --c=evil a",
        "tar cIf evil a.tar x",
        "tar cfI a.tar evil x",
        "tar xFf evil a.tar",
        "gtar cIf evil a.tar x",
        "tar --us=evil -cf a.tar x",
        "tar --u=evil -cf a.tar x",
        "ssh build1 -o proxycommand=evil",
        "ssh build1 -oPROXYCOMMAND=evil",
        "ssh build1 -vo 'ProxyCommand  evil'",
        "ssh build1 -o 'proxyCommand = evil'",
        "ssh build1 -o \"localcommand evil\"",
        "ssh build1 -o KnownHostsCommand=evil",
        "scp -oProxyCommand=evil a b:c",
        "scp -o ProxyCommand=evil a b:c",
        "scp -rS evil a b:c",
        "scp -D evil a b:c",
        "sftp -S evil b",
        "sftp -D evil",
        "sftp -oproxycommand=evil b",
        "mosh --ssh=evil b",
        "make test X!=evil",
        "make test 'X != evil all'",
        "su --c=evil",
    ] {
        assert_rows(&own, &[(line, "deny")]);
    }
    // What cannot be told is asked about, whatever is said of the program.
    for line in [
        "make test --eval='$(shell other)'",
        "make test --ev '$(info x)'",
        "make test -E '$(shell other)'",
        "make test X='$(shell other)'",
        "make test \"X=\\$(shell other)\"",
        "make test X='${shell other}'",
        "make test MAKEFLAGS=--eval=x",
        "make test GNUMAKEFLAGS=--eval=x",
        "ssh build1 -o include=x",
        "ssh build1 -o PKCS11Provider=x.so",
    ] {
        assert_rows(&own, &[(line, "ask")]);
    }
    for line in [
        "git push --follow-tags origin main",
        "git clone --depth 1 a b",
        "split -l 5 a",
        "sort -u a",
        "sort --check a",
        "tar xf a.tar",
        "tar czf a.tgz src",
        "tar cvfC a.tar src .",
        "ssh build1 -o BatchMode=yes uptime",
        "scp -o StrictHostKeyChecking=no a b:c",
        "make test V=1",
        "make test X='a b' -k",
    ] {
        assert_rows(&own, &[(line, "allow")]);
    }
    assert_rows(&Rules::default(), &[("make -j$(nproc)", "-"), ("make V=$X", "-")]);
}

#[test]
fn what_an_option_names_is_written_however_it_is_cut_short() {
    let own = rules(
        &["Bash(sort:*)", "Bash(git archive:*)", "Bash(tar:*)"],
        &[],
        &["Edit(secret/**)", "Read(**/.env)"],
    );
    assert_rows(
        &own,
        &[
            ("sort a", "allow"),
            ("sort -o b a", "allow"),
            ("sort -o secret/a b", "deny"),
            ("sort --output=secret/a b", "deny"),
            ("sort --out=secret/a b", "deny"),
            ("sort --o=secret/a b", "deny"),
            ("sort --o secret/a b", "deny"),
            ("sort -uosecret/a b", "deny"),
            ("sort -o x .env", "deny"),
            ("sort .env -o x", "deny"),
            ("git archive -o secret/a HEAD", "deny"),
            ("git archive --outp=secret/a HEAD", "deny"),
            ("git archive -osecret/a HEAD", "deny"),
            ("git format-patch -osecret HEAD~1", "deny"),
            ("git format-patch --output-dir=secret HEAD~1", "deny"),
            ("git apply --directory=secret a.patch", "deny"),
            ("git log --output=secret/a", "deny"),
            ("tar xfC a.tar secret", "deny"),
            ("git grep -o secret/a", "-"),
            ("git ls-files -o secret", "-"),
            ("git ls-files --directory secret", "-"),
        ],
    );
    let none = Rules::default();
    assert_rows(
        &none,
        &[
            ("sort -o b a", "-"),
            ("sort --o=/etc/x a", "ask"),
            ("sort --o=.git/config a", "ask"),
            ("rsync --log-file=/etc/x a b", "ask"),
            ("rsync --partial a b", "-"),
        ],
    );
}
