//! A subcommand is found whatever stands in front of it, and what pushes is a push by whichever name.

use proptest::prelude::*;

use super::spelling::{COMMANDS, judged, plain, rule_sets, severity, typed};
use super::*;

const SUBCOMMANDS: [&[&str]; 16] = [
    &["cargo", "publish"],
    &["cargo", "test", "x"],
    &["npm", "publish"],
    &["npm", "run", "build"],
    &["pnpm", "publish", "."],
    &["yarn", "npm", "publish"],
    &["docker", "push", "y"],
    &["docker", "compose", "down"],
    &["docker", "system", "prune", "-f"],
    &["kubectl", "delete", "pod", "x"],
    &["git", "push"],
    &["git", "push", "--force"],
    &["git", "commit", "--amend"],
    &["git", "status"],
    &["gh", "release", "create", "v1"],
    &["deploy", "site", "now"],
];

const OPTIONS: [&str; 14] = [
    "-q",
    "-ws",
    "-w a",
    "-H x",
    "-C d",
    "--locked",
    "--prefix d",
    "--filter x",
    "--config a=b",
    "--foo=bar",
    "--context 'a b'",
    "+nightly",
    "--new /x/y",
    "-j 4",
];

fn own_rules() -> [Rules; 3] {
    [
        Rules::default(),
        rules(
            &["Bash(cargo:*)", "Bash(npm:*)", "Bash(git:*)", "Bash(docker:*)"],
            &["Bash(docker compose down)", "Bash(cargo test:*)"],
            &[
                "Bash(cargo publish:*)",
                "Bash(npm publish)",
                "Bash(git push:*)",
                "Bash(deploy site *)",
            ],
        ),
        rules(
            &["Bash"],
            &["Bash(git * --amend)"],
            &["Bash(npm run build)", "Bash(pnpm pub*:*)"],
        ),
    ]
}

/// How many words of a command say what it does.
fn named(words: &[&str]) -> usize {
    words.iter().take_while(|word| !word.starts_with('-')).count()
}

proptest! {
    #![proptest_config(at_least(500))]

    #[test]
    fn options_in_front_of_a_subcommand(
        words in prop::sample::select(SUBCOMMANDS.to_vec()),
        put in prop::collection::vec((prop::sample::select(OPTIONS.to_vec()), 1..4_usize), 1..4),
        set in 0..3_usize,
    ) {
        let last = named(words).min(3) - 1;
        let mut line: Vec<String> = words.iter().map(|word| word.to_string()).collect();
        let mut places: Vec<(usize, &str)> = put.into_iter().map(|(option, at)| (at.min(last), option)).collect();
        places.sort_unstable();
        for (at, option) in places.into_iter().rev() {
            line.insert(at, option.to_string());
        }
        let rules = &own_rules()[set];
        let line = line.join(" ");
        let (before, after) = (bash(rules, &words.join(" ")), bash(rules, &line));
        prop_assert!(severity(&after) >= severity(&before), "{line:?}: {after:?} is milder than {before:?}");
    }

    #[test]
    fn options_of_git_in_front_of_its_verb(
        words in prop::sample::select(COMMANDS.into_iter().filter(|words| words[0] == "git").collect::<Vec<_>>()),
        option in prop::sample::select(vec!["-C x", "--git-dir=x", "--no-pager", "-p", "--some-new x", "-c a.b=c"]),
        set in 0..4_usize,
    ) {
        let mut line: Vec<String> = words.iter().map(|word| typed(word, 0)).collect();
        line.insert(1, option.to_string());
        let rules = &rule_sets()[set];
        let (before, after) = (judged(rules, &plain(words)), judged(rules, &line.join(" ")));
        prop_assert!(severity(&after) >= severity(&before), "{line:?}: {after:?} is milder than {before:?}");
    }
}

#[test]
fn options_do_not_hide_a_subcommand() {
    for line in [
        "cargo --locked publish",
        "cargo -q publish",
        "cargo +nightly publish",
        "cargo --config a=b publish",
        "pnpm -r publish",
        "pnpm --filter x publish",
        "npm --prefix d publish",
        "npm -w a publish",
        "npm -ws publish",
        "npm --foo=bar publish",
        "docker --context x push y",
        "docker -H x push y",
        "docker compose -f a.yml down",
        "docker -D push x",
        "kubectl -n dev apply -f x",
        "mvn -q -pl a deploy",
        "npm --workspaces true publish",
        "npm -s publish",
        "npm pub",
        "npm publis",
        "npm -C d pub",
        "npm unpub x",
        "cargo --locked $x",
        "npm --prefix \"$dir\" $x",
    ] {
        assert_rows(&Rules::default(), &[(line, "ask")]);
    }
    let own = rules(
        &["Bash(cargo:*)", "Bash(npm:*)"],
        &[],
        &["Bash(cargo publish:*)", "Bash(npm publish)", "Bash(make * clean)"],
    );
    assert_rows(
        &own,
        &[
            ("cargo --locked publish", "deny"),
            ("cargo +nightly publish --dry-run", "deny"),
            ("npm --prefix d publish", "deny"),
            ("npm -w a publish", "deny"),
            ("npm -w a publish x", "allow"),
            ("npm -w a test", "allow"),
            ("cargo --locked test publish", "allow"),
            // Nobody knows whether `--new` takes a value.
            ("cargo --new test publish", "deny"),
            ("cargo test --locked publish", "allow"),
            ("echo 'open; cargo --locked publish", "deny"),
        ],
    );
    // An allow needs the words where they stand.
    let own = rules(&["Bash(cargo test:*)"], &[], &[]);
    assert_rows(
        &own,
        &[
            ("cargo --config build.rustc-wrapper='./x' test", "-"),
            ("cargo test -q", "allow"),
        ],
    );
}

#[test]
fn a_command_is_known_by_its_other_names() {
    for line in [
        "docker image push x",
        "docker container rm x",
        "docker container kill x",
        "docker image rm x",
        "podman image push x",
        "docker compose push",
        "docker-compose push",
        "docker manifest push x",
        "docker buildx build --push .",
        "docker build -t x --push .",
        "gh release new v1",
        "helm delete x",
        "mvn clean deploy",
        "mvn -q clean install deploy",
        "./mvnw deploy",
        "python -m twine upload x",
        "python3.11 -mtwine upload x",
        "yarn workspace a publish",
        "yarn workspace a npm publish",
        "yarn workspaces foreach -A npm publish",
        "pnpm recursive publish",
        "bun pm publish",
        "rustup run nightly cargo publish",
        "npx npm publish",
        "npx npm@latest publish",
        "npx --yes pnpm publish",
        "npx yarn workspace a publish",
        "uvx twine upload x",
        "uv tool run twine upload x",
        "pipx run twine upload x",
    ] {
        assert_rows(&Rules::default(), &[(line, "ask")]);
    }
    let own = rules(
        &[
            "Bash(docker:*)",
            "Bash(npx:*)",
            "Bash(npm:*)",
            "Bash(mvn:*)",
            "Bash(./mvnw:*)",
        ],
        &["Bash(npm run deploy:*)"],
        &[
            "Bash(docker push:*)",
            "Bash(docker container stop:*)",
            "Bash(npm publish:*)",
            "Bash(mvn deploy:*)",
            "Bash(wipe:*)",
        ],
    );
    assert_rows(
        &own,
        &[
            ("docker image push y", "deny"),
            ("docker --debug image push y", "deny"),
            ("docker stop y", "deny"),
            ("docker build --push .", "deny"),
            ("npx npm publish", "deny"),
            ("npx -y wipe", "deny"),
            ("npm urn deploy", "ask"),
            ("./mvnw -B deploy", "deny"),
            ("npx git push --force", "deny"),
            // An allow needs the words as they are written.
            ("docker build .", "allow"),
            ("docker image ls", "allow"),
            ("docker run push", "allow"),
            ("npx prettier publish", "allow"),
            ("mvn -pl deploy test", "allow"),
            ("mvn clean install", "allow"),
            ("uvx npm test", "-"),
        ],
    );
}

#[test]
fn npm_takes_the_beginning_of_a_subcommand() {
    let own = rules(
        &["Bash(npm:*)", "Bash(pnpm:*)"],
        &["Bash(npm exec:*)"],
        &["Bash(npm publish:*)", "Bash(npm run build)", "Bash(pnpm publish:*)"],
    );
    assert_rows(
        &own,
        &[
            ("npm pub", "deny"),
            ("npm -C d publis x", "deny"),
            ("npm exe x", "ask"),
            ("npm pu", "allow"),
            ("npm run bui", "allow"),
            ("npm publisher", "allow"),
            ("npm run pub", "allow"),
            ("pnpm pub", "allow"),
        ],
    );
}

#[test]
fn a_value_is_no_subcommand() {
    let lines = [
        "cargo --manifest-path \"$dir/Cargo.toml\" test",
        "docker --context $c ps",
        "npm --prefix \"$dir\" test",
        "kubectl -n $ns get pods",
        "git -C push status",
        "git --git-dir push log",
        "git --no-pager log push",
        "npm test -- publish",
        "cargo --locked test $x",
        "cargo -q test publish",
        "cargo --quiet test publish",
        "cargo --offline test -p publish",
        "cargo +nightly test publish",
        "cargo +nightly -v run publish",
        "cargo --locked test yank",
        "npm --silent run publish",
        "npm -s run publish",
        "npm --prefix publish run build",
        "npm -w publish run test",
        "npm --workspace publish test",
        "pnpm --filter publish test",
        "pnpm -F publish dev",
        "pnpm -r run publish",
        "yarn --silent test publish",
        "docker -D run push",
        "docker --context push ps",
        "docker compose --profile down up",
        "docker compose --project-name down ps",
        "docker-compose -p down ps",
        "kubectl -n apply get pods",
        "kubectl --context dev -n exec get pods",
        "mvn -pl deploy test",
        "mvn -q test -Dx=deploy",
    ];
    let rows: Vec<(&str, &str)> = lines.iter().map(|line| (*line, "-")).collect();
    assert_rows(&Rules::default(), &rows);
}

#[test]
fn what_pushes_is_a_push_by_whichever_name() {
    for line in [
        "git send-pack . x",
        "git http-push x",
        "git subtree push --prefix=x o m",
        "git subtree --prefix=x push o m",
        "git subtree -P x push o m",
        "git -P subtree -P x push o m",
        "git lfs push o",
        "git svn dcommit",
        "git svn -q dcommit",
        "git-push",
        "/usr/lib/git-core/git-push o",
        "git-lfs push o",
        "git -C x send-pack . y",
    ] {
        assert_rows(&Rules::default(), &[(line, "ask")]);
        let own = rules(&["Bash(git:*)", "Bash"], &[], &["Bash(git push:*)"]);
        assert_rows(&own, &[(line, "deny")]);
    }
    assert_rows(
        &Rules::default(),
        &[
            ("git-push --force", "deny"),
            ("/usr/lib/git-core/git-push -f", "deny"),
            ("git send-pack --force . x", "deny"),
            ("rlwrap git-push --force", "deny"),
            ("rlwrap git -C x push --force", "deny"),
            ("git-status", "-"),
            ("git lfs pull", "-"),
            ("git subtree pull --prefix=x o m", "-"),
            ("git-cliff --bump", "-"),
        ],
    );
    let own = rules(&[], &[], &["Bash(git rebase:*)"]);
    assert_rows(
        &own,
        &[
            ("git-rebase main", "deny"),
            ("/usr/lib/git-core/git-rebase main", "deny"),
        ],
    );
}
