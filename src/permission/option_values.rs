//! Which options of programs take the next word as their value, and which stand alone, so far as they may stand in front of
//! a subcommand.

struct ValuedOptions {
    program: &'static str,
    valued: &'static [&'static str],
    flags: &'static [&'static str],
}

const fn options(
    program: &'static str,
    valued: &'static [&'static str],
    flags: &'static [&'static str],
) -> ValuedOptions {
    ValuedOptions { program, valued, flags }
}

const KNOWN: [ValuedOptions; 13] = [
    options(
        "cargo",
        &[
            "-C",
            "-Z",
            "-p",
            "--package",
            "--color",
            "--config",
            "--manifest-path",
            "--target",
            "--target-dir",
        ],
        &[
            "-q",
            "--quiet",
            "-v",
            "-vv",
            "--verbose",
            "--locked",
            "--offline",
            "--frozen",
        ],
    ),
    options(
        "npm",
        &[
            "-C",
            "-w",
            "--prefix",
            "--workspace",
            "--loglevel",
            "--registry",
            "--userconfig",
            "--cache",
        ],
        &[
            "-s",
            "-q",
            "-d",
            "-f",
            "-g",
            "-y",
            "-ws",
            "--silent",
            "--quiet",
            "--verbose",
            "--workspaces",
            "--force",
            "--global",
            "--yes",
            "--offline",
            "--json",
            "--ignore-scripts",
            "--if-present",
            "--include-workspace-root",
            "-iwr",
        ],
    ),
    options(
        "pnpm",
        &[
            "-C",
            "-F",
            "--dir",
            "--filter",
            "--filter-prod",
            "--loglevel",
            "--reporter",
            "--workspace-concurrency",
        ],
        &[
            "-r",
            "-s",
            "--recursive",
            "--silent",
            "--workspace-root",
            "--offline",
            "--parallel",
            "--stream",
        ],
    ),
    options(
        "yarn",
        &["--cwd"],
        &[
            "-s",
            "--silent",
            "--verbose",
            "--offline",
            "--frozen-lockfile",
            "--json",
        ],
    ),
    options("docker", DOCKER, &["-D", "--debug", "--tls", "--tlsverify"]),
    options("docker-compose", DOCKER, &["--verbose", "--compatibility"]),
    options(
        "podman",
        &["-c", "--connection", "--log-level", "--root", "--url"],
        &["-r", "--remote"],
    ),
    options(
        "kubectl",
        CLUSTER,
        &[
            "--insecure-skip-tls-verify",
            "--match-server-version",
            "--warnings-as-errors",
        ],
    ),
    options("helm", CLUSTER, &["--debug"]),
    options("mvn", MAVEN, MAVEN_FLAGS),
    options("poetry", &["-C", "-P", "--directory", "--project"], QUIET),
    options(
        "uv",
        &["--directory", "--project", "--config-file", "--cache-dir", "--color"],
        QUIET,
    ),
    options("gh", &["-R", "--repo"], &[]),
];

const DOCKER: &[&str] = &[
    "-H",
    "-c",
    "-f",
    "-l",
    "-p",
    "--config",
    "--context",
    "--env-file",
    "--file",
    "--host",
    "--log-level",
    "--profile",
    "--project-directory",
    "--project-name",
];

const CLUSTER: &[&str] = &[
    "-n",
    "-s",
    "--as",
    "--cluster",
    "--context",
    "--kube-context",
    "--kubeconfig",
    "--namespace",
    "--server",
    "--token",
    "--user",
];

const MAVEN: &[&str] = &[
    "-D",
    "-P",
    "-T",
    "-f",
    "-gs",
    "-l",
    "-pl",
    "-rf",
    "-s",
    "-t",
    "--activate-profiles",
    "--define",
    "--file",
    "--log-file",
    "--projects",
    "--resume-from",
    "--settings",
    "--threads",
];

const MAVEN_FLAGS: &[&str] = &[
    "-B",
    "-N",
    "-U",
    "-X",
    "-am",
    "-amd",
    "-e",
    "-ntp",
    "-o",
    "-q",
    "--also-make",
    "--batch-mode",
    "--no-transfer-progress",
    "--offline",
    "--quiet",
    "--update-snapshots",
];

const QUIET: &[&str] = &["-q", "--quiet", "-v", "--verbose", "-n", "--offline", "--no-cache"];

/// Whether an option takes the next word as its value, where that is known. `is_first` says that it stands in front of the
/// first subcommand: the verbs of git have options of their own.
pub(super) fn takes_value(program: &str, option: &str, is_first: bool) -> Option<bool> {
    match program {
        // `+nightly` names a toolchain.
        _ if option.contains('=') || option.starts_with('+') => Some(false),
        "git" if is_first && GIT.contains(&option) => Some(true),
        "git" if is_first && GIT_FLAGS.contains(&option) => Some(false),
        "git" if is_first => None,
        _ => {
            let known = KNOWN.iter().find(|known| known.program == program)?;
            let valued = known.valued.contains(&option);
            (valued || known.flags.contains(&option)).then_some(valued)
        }
    }
}

/// Options of git before its verb whose value is the next word.
pub(super) const GIT: [&str; 9] = [
    "-C",
    "-c",
    "--git-dir",
    "--work-tree",
    "--namespace",
    "--exec-path",
    "--config-env",
    "--attr-source",
    "--super-prefix",
];

/// And those that stand alone.
const GIT_FLAGS: [&str; 19] = [
    "-p",
    "-P",
    "-v",
    "-h",
    "--paginate",
    "--no-pager",
    "--no-replace-objects",
    "--no-lazy-fetch",
    "--no-optional-locks",
    "--no-advice",
    "--bare",
    "--literal-pathspecs",
    "--glob-pathspecs",
    "--noglob-pathspecs",
    "--icase-pathspecs",
    "--html-path",
    "--man-path",
    "--info-path",
    "--version",
];
