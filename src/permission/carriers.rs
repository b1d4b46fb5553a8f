//! Programs that run a command of their arguments, and how each of them takes it.

pub(super) struct Carrier {
    pub name: &'static str,
    pub takes: Takes,
    /// It adds nothing to the command: who may run the one may run the other.
    pub harmless: bool,
    /// A shell reads what stands behind `-c`.
    pub scripted: bool,
    /// It puts what it reads behind the command, or in the place of a mark.
    pub fed: bool,
    /// Options that stand alone.
    pub flags: &'static [&'static str],
    /// Options whose value is the next word.
    pub valued: &'static [&'static str],
    /// Words between the options and the command.
    pub operands: usize,
}

/// What it makes of the words behind its options and operands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// They are a command.
    Words,
    /// Together they are a text that a shell reads.
    Lines,
    /// The first is one.
    Line,
    /// They are no command.
    Nothing,
}

const fn wrapper(
    name: &'static str,
    flags: &'static [&'static str],
    valued: &'static [&'static str],
    operands: usize,
) -> Carrier {
    Carrier {
        name,
        takes: Takes::Words,
        harmless: false,
        scripted: false,
        fed: false,
        flags,
        valued,
        operands,
    }
}

const fn harmless(of: Carrier) -> Carrier {
    Carrier { harmless: true, ..of }
}

const fn scripted(of: Carrier) -> Carrier {
    Carrier { scripted: true, ..of }
}

const fn fed(of: Carrier) -> Carrier {
    Carrier { fed: true, ..of }
}

const fn lines(of: Carrier) -> Carrier {
    let takes = Takes::Lines;
    Carrier { takes, ..of }
}

const fn line(of: Carrier) -> Carrier {
    let takes = Takes::Line;
    Carrier { takes, ..of }
}

const fn none(of: Carrier) -> Carrier {
    let takes = Takes::Nothing;
    Carrier { takes, ..of }
}

pub(super) const CARRIERS: [Carrier; 59] = [
    harmless(wrapper("command", &["-p"], &[], 0)),
    harmless(wrapper("nohup", &[], &[], 0)),
    harmless(wrapper("time", &["-p", "-v"], &[], 0)),
    harmless(wrapper("nice", &[], &["-n", "--adjustment"], 0)),
    harmless(wrapper(
        "timeout",
        &["--foreground", "--preserve-status", "-v", "--verbose"],
        &["-k", "--kill-after", "-s", "--signal"],
        1,
    )),
    harmless(wrapper("stdbuf", &[], &["-i", "-o", "-e"], 0)),
    wrapper("builtin", &[], &[], 0),
    wrapper("exec", &["-c", "-l"], &["-a"], 0),
    wrapper("coproc", &[], &[], 0),
    wrapper(
        "sudo",
        &["-A", "-b", "-E", "-H", "-i", "-k", "-n", "-P", "-S", "-s"],
        &["-u", "-g", "-h", "-p", "-C", "-T", "-r", "-t", "-D", "-R", "-U"],
        0,
    ),
    wrapper("doas", &["-n", "-s"], &["-u", "-C"], 0),
    wrapper("pkexec", &[], &["--user"], 0),
    wrapper("env", &["-i", "-", "-0"], &["-u", "-C", "--chdir", "--unset"], 0),
    wrapper("ionice", &["-t"], &["-c", "-n"], 0),
    wrapper("setsid", &["-c", "-f", "-w"], &[], 0),
    wrapper("chroot", &[], &[], 1),
    wrapper("busybox", &[], &[], 0),
    wrapper("unbuffer", &["-p"], &[], 0),
    wrapper("strace", &["-f", "-c", "-q"], &["-e", "-o", "-s"], 0),
    fed(wrapper(
        "xargs",
        &[
            "-0",
            "-r",
            "-t",
            "-p",
            "-x",
            "-i",
            "-o",
            "--null",
            "--no-run-if-empty",
            "--interactive",
            "--verbose",
            "--exit",
            "--open-tty",
            "--replace",
        ],
        &[
            "-I",
            "-J",
            "-n",
            "-P",
            "-L",
            "-d",
            "-E",
            "-s",
            "-a",
            "--max-args",
            "--max-procs",
            "--arg-file",
            "--delimiter",
            "--max-lines",
            "--max-chars",
        ],
        0,
    )),
    wrapper("caffeinate", &["-d", "-i", "-m", "-s", "-u"], &["-t", "-w"], 0),
    wrapper("unshare", &["-r", "-m", "-n", "-p", "-u", "-i", "-U", "-f"], &[], 0),
    wrapper("nsenter", &[], &["-t"], 0),
    wrapper("taskset", &["-a", "-c", "-p"], &[], 1),
    wrapper("chrt", &["-b", "-f", "-i", "-o", "-r"], &[], 1),
    wrapper("setpriv", &[], &[], 0),
    wrapper("setarch", &[], &[], 1),
    wrapper("linux64", &[], &[], 0),
    wrapper("prlimit", &[], &[], 0),
    wrapper("numactl", &[], &[], 0),
    wrapper(
        "systemd-run",
        &["--user", "--scope", "-q", "-t", "-G"],
        &["-p", "-u"],
        0,
    ),
    wrapper("firejail", &[], &[], 0),
    wrapper("bwrap", &[], &[], 0),
    wrapper("fakeroot", &[], &[], 0),
    wrapper("ltrace", &[], &[], 0),
    wrapper("valgrind", &[], &[], 0),
    wrapper("xvfb-run", &["-a"], &[], 0),
    wrapper("dbus-run-session", &[], &[], 0),
    wrapper("torsocks", &[], &[], 0),
    wrapper("proxychains4", &["-q"], &["-f"], 0),
    wrapper("chronic", &[], &[], 0),
    wrapper("toybox", &[], &[], 0),
    wrapper("catchsegv", &[], &[], 0),
    wrapper("corepack", &[], &[], 0),
    wrapper("dotenv", &[], &["-e", "-f", "-v", "-c"], 0),
    wrapper("entr", &["-a", "-c", "-d", "-n", "-p", "-r", "-z"], &[], 0),
    wrapper("rlwrap", &["-a", "-c", "-r"], &["-f", "-H", "-s"], 0),
    wrapper("screen", &["-d", "-m", "-dm", "-D", "-L"], &["-S", "-t", "-c", "-s"], 0),
    wrapper("ssh-agent", &["-k", "-D"], &["-a", "-t"], 0),
    wrapper("watchexec", &["-r", "-c"], &["-e", "-w", "-i", "-f"], 0),
    // What a shell reads.
    lines(wrapper("eval", &[], &[], 0)),
    lines(wrapper("watch", &[], &["-n", "-d", "-t"], 0)),
    line(wrapper("trap", &[], &[], 0)),
    scripted(lines(wrapper("sg", &[], &[], 1))),
    scripted(none(wrapper("su", &[], &[], 0))),
    scripted(none(wrapper("script", &[], &[], 0))),
    scripted(wrapper(
        "flock",
        &["-n", "-x", "-s", "-u", "-o", "-F"],
        &["-w", "-E"],
        1,
    )),
    scripted(wrapper("runuser", &["-l", "-"], &["-u", "-g", "-G", "-s"], 0)),
    lines(wrapper(
        "parallel",
        &[],
        &[
            "-j",
            "-n",
            "-N",
            "-I",
            "-P",
            "-L",
            "-S",
            "-a",
            "--jobs",
            "--delay",
            "--timeout",
            "--colsep",
            "--joblog",
            "--results",
        ],
        0,
    )),
];

/// The same of subcommands.
pub(super) const RUNNERS: [Carrier; 29] = [
    runner("asdf exec"),
    runner("bundle exec"),
    runner("conda run"),
    runner("hatch run"),
    runner("lerna exec"),
    runner("mamba run"),
    runner("mise exec"),
    runner("mise x"),
    runner("npm exec"),
    runner("npm x"),
    runner("op run"),
    runner("pdm run"),
    runner("pipenv run"),
    runner("pnpm exec"),
    runner("poetry run"),
    runner("pyenv exec"),
    runner("rbenv exec"),
    runner("rye run"),
    runner("uv run"),
    runner("yarn exec"),
    wrapper("direnv exec", &[], &[], 1),
    tmux("tmux display-p*"),
    tmux("tmux if*"),
    tmux("tmux new*"),
    tmux("tmux pipe*"),
    tmux("tmux popup"),
    tmux("tmux respawn*"),
    tmux("tmux run*"),
    tmux("tmux split*"),
];

const fn runner(name: &'static str) -> Carrier {
    wrapper(
        name,
        &[
            "-y",
            "--yes",
            "-q",
            "--quiet",
            "--frozen",
            "--locked",
            "-c",
            "--command",
        ],
        &[
            "-n",
            "-p",
            "-w",
            "--package",
            "--workspace",
            "--with",
            "--python",
            "--project",
            "--directory",
            "--env-file",
        ],
        0,
    )
}

/// It makes one text of its words.
const fn tmux(name: &'static str) -> Carrier {
    lines(wrapper(
        name,
        &[],
        &["-c", "-e", "-F", "-h", "-l", "-n", "-s", "-t", "-w", "-x", "-y"],
        0,
    ))
}

/// Shells, with the letters of the options behind which they take a text.
pub(super) const SHELLS: [(&str, &[char]); 23] = [
    ("sh", &['c']),
    ("bash", &['c']),
    ("rbash", &['c']),
    ("zsh", &['c']),
    ("rzsh", &['c']),
    ("dash", &['c']),
    ("ash", &['c']),
    ("hush", &['c']),
    ("ksh", &['c']),
    ("ksh93", &['c']),
    ("rksh", &['c']),
    ("mksh", &['c']),
    ("lksh", &['c']),
    ("oksh", &['c']),
    ("pdksh", &['c']),
    ("yash", &['c']),
    ("csh", &['c']),
    ("tcsh", &['c']),
    ("fish", &['c', 'C']),
    ("elvish", &['c']),
    ("nu", &['c']),
    ("pwsh", &['c', 'C']),
    ("xonsh", &['c']),
];

/// The same as words.
pub(super) const SCRIPTS: [&str; 3] = ["--command", "--session-command", "--init-command"];
