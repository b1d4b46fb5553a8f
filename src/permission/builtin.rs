//! parlour's own rules, below a person's: what is safe to read, what is worth a question, what nobody means.
//!
//! Building and testing are not here: they run code of the project, so whether they may is the CLI's question.

use super::file_effects::{self, CommandEffect};
use super::option_words::{has_option, is_short};
use super::path::CallPlace;
use super::reading::stays_writable;
use super::redirect::QUIET;
use super::word::ShellWord;
use super::{git, interpreter, program, starters, subcommand, unknown_words, variable, wrapper};

pub(super) struct Builtin {
    pub name: &'static str,
    pub why: &'static str,
    when: BuiltinWhen,
}

enum BuiltinWhen {
    /// The command begins with one of these.
    Begins(&'static [&'static str]),
    Is(fn(&[ShellWord], &CallPlace) -> bool),
}

impl Builtin {
    /// Whether the words may turn out to be meant when they run.
    pub fn may_fit(&self, words: &[ShellWord]) -> bool {
        match self.when {
            BuiltinWhen::Begins(starts) => starts
                .iter()
                .any(|start| unknown_words::may_begin(words, start.split(' '))),
            BuiltinWhen::Is(_) => false,
        }
    }

    pub fn fits(&self, words: &[ShellWord], place: &CallPlace) -> bool {
        match self.when {
            BuiltinWhen::Begins(starts) => starts.iter().any(|start| subcommand::begins(words, start)),
            BuiltinWhen::Is(is) => is(words, place),
        }
    }
}

const fn rule(name: &'static str, why: &'static str, when: BuiltinWhen) -> Builtin {
    Builtin { name, why, when }
}

pub(super) const DENY: [Builtin; 4] = [
    rule(
        "rm -r of everything",
        "it removes the disk, the home or the whole of the agent's directory",
        BuiltinWhen::Is(removes_everything),
    ),
    rule(
        "git push --force",
        "it overwrites what others pushed; --force-with-lease asks",
        BuiltinWhen::Is(|words, _| git::pushed(words).into_iter().flatten().any(forces)),
    ),
    rule(
        "mkfs",
        "it makes a disk empty",
        BuiltinWhen::Is(|words, _| program::of(words).starts_with("mkfs")),
    ),
    rule(
        "dd to a disk",
        "it overwrites a disk",
        BuiltinWhen::Is(|words, _| {
            let target = |word: &ShellWord| {
                word.text
                    .strip_prefix("of=")
                    .is_some_and(|to| to.starts_with("/dev/") && !is_quiet(to))
            };
            program::begins(words, "dd") && words.iter().any(target)
        }),
    ),
];

pub(super) const LOADS: (&str, &str) = (
    "variables that start programs",
    "a variable that it sets can run any program",
);

pub(super) const PIPED: (&str, &str) = (
    "input for an interpreter",
    "an interpreter runs what a pipe or a here-document brings",
);

pub(super) const ASK: [Builtin; 14] = [
    rule(
        "git push",
        "it changes a repository that others see",
        BuiltinWhen::Begins(&git::PUSHES),
    ),
    rule(
        "git with settings of its own",
        "such a setting can run any program",
        BuiltinWhen::Is(|words, _| {
            let sets = |word: &ShellWord| {
                ["-c", "--exec-path", "--config-env"]
                    .iter()
                    .any(|set| word.text.starts_with(set))
            };
            program::begins(words, "git")
                && words[1..]
                    .iter()
                    .take_while(|word| word.text.starts_with('-'))
                    .any(sets)
        }),
    ),
    rule(
        "git with programs of its own",
        "such a setting, or such an option, can run any program",
        BuiltinWhen::Is(|words, _| starters::leads_git(words)),
    ),
    rule(
        LOADS.0,
        LOADS.1,
        BuiltinWhen::Is(|words, _| variable::settings(words).any(|word| variable::loads(word, false))),
    ),
    rule(
        PIPED.0,
        PIPED.1,
        BuiltinWhen::Is(|words, _| interpreter::runs_output(words)),
    ),
    rule(starters::NAME, starters::WHY, BuiltinWhen::Is(starters::writes)),
    rule(
        "what runs later",
        "it has something run later, without a question",
        BuiltinWhen::Begins(&starters::SETTERS),
    ),
    rule(
        "publishing",
        "what is published cannot be taken back",
        BuiltinWhen::Begins(&[
            "npm publish",
            "npm unpublish",
            "pnpm publish",
            "yarn publish",
            "yarn npm publish",
            "bun publish",
            "cargo publish",
            "cargo yank",
            "twine upload",
            "poetry publish",
            "uv publish",
            "gem push",
            "gh release create",
            "docker push",
            "docker compose push",
            "docker manifest push",
            "podman push",
            "podman manifest push",
            "dotnet nuget push",
            "mvn deploy",
        ]),
    ),
    rule(
        "other rights",
        "it runs with the rights of somebody else",
        BuiltinWhen::Begins(&["sudo", "doas", "su", "pkexec", "run0"]),
    ),
    rule(
        "another machine",
        "it acts on another machine",
        BuiltinWhen::Is(|words, _| {
            let far = |word: &ShellWord| word.text.contains(':');
            ["ssh", "scp", "sftp", "mosh"]
                .iter()
                .any(|name| program::begins(words, name))
                || (program::begins(words, "rsync") && words.iter().any(far))
        }),
    ),
    rule(
        "ending programs",
        "it ends programs that it may not have started",
        BuiltinWhen::Begins(&[
            "kill",
            "pkill",
            "killall",
            "shutdown",
            "reboot",
            "poweroff",
            "halt",
            "systemctl",
        ]),
    ),
    rule(
        "owners and rights",
        "it changes whose files are and who may use them",
        BuiltinWhen::Is(|words, _| {
            ["chown", "chgrp"].iter().any(|name| program::begins(words, name))
                || (program::begins(words, "chmod") && has_option(words, &['R'], "--recursive"))
        }),
    ),
    rule(
        "what runs elsewhere",
        "it changes what runs in containers or in a cloud",
        BuiltinWhen::Begins(&[
            "docker rm",
            "docker rmi",
            "docker kill",
            "docker stop",
            "docker system prune",
            "docker volume rm",
            "docker volume prune",
            "docker image prune",
            "docker container prune",
            "docker compose down",
            "docker-compose down",
            "podman rm",
            "podman rmi",
            "podman system prune",
            "kubectl delete",
            "kubectl apply",
            "kubectl drain",
            "kubectl scale",
            "kubectl replace",
            "kubectl patch",
            "kubectl exec",
            "helm install",
            "helm upgrade",
            "helm uninstall",
            "helm rollback",
            "terraform apply",
            "terraform destroy",
            "tofu apply",
            "tofu destroy",
            "pulumi up",
            "pulumi destroy",
        ]),
    ),
    rule(
        "writing elsewhere",
        "it writes outside of the agent's directory",
        BuiltinWhen::Is(writes_outside),
    ),
];

fn is_quiet(path: &str) -> bool {
    QUIET.contains(&path)
}

pub(super) fn is_disk(path: &str) -> bool {
    const DISKS: [&str; 7] = ["sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk"];
    let device = path.strip_prefix("/dev/").map(|name| name.trim_start_matches('r'));
    device.is_some_and(|name| DISKS.iter().any(|disk| name.starts_with(disk)))
}

/// `--force`, an `f` among short options, or a `+` before what is pushed.
fn forces(word: &ShellWord) -> bool {
    word.text == "--force" || (is_short(word) && word.text.contains('f')) || word.text.starts_with('+')
}

fn removes_everything(words: &[ShellWord], place: &CallPlace) -> bool {
    let deep = || has_option(words, &['r', 'R'], "--recursive") || has_option(words, &[], "--no-preserve-root");
    let operands = words.iter().skip(1).filter(|word| !word.text.starts_with('-'));
    let is_too_much = |word: ShellWord| place.is_too_much(&word.text);
    program::begins(words, "rm") && deep() && operands.flat_map(ShellWord::expanded).any(is_too_much)
}

fn writes_outside(words: &[ShellWord], place: &CallPlace) -> bool {
    const WRITERS: [&str; 14] = [
        "rm", "rmdir", "mv", "cp", "ln", "install", "mkdir", "touch", "tee", "truncate", "shred", "unlink", "chmod",
        "dd",
    ];
    let outside = |word: ShellWord| !word.known || !stays_writable(&word.text, place);
    match file_effects::effect(words) {
        _ if WRITERS.contains(&program::of(words)) => words.iter().skip(1).flat_map(ShellWord::expanded).any(outside),
        CommandEffect::WritesTo(targets) => targets.iter().any(|word| !stays_writable(&word.text, place)),
        CommandEffect::Reads | CommandEffect::WritesHere | CommandEffect::Git | CommandEffect::Unknown => false,
    }
}

/// The rule by which these words are denied, whatever path leads to their program.
pub(super) fn is_denied(words: &[ShellWord], place: &CallPlace) -> Option<&'static Builtin> {
    let name = program::of(words);
    let fits = |words: &[ShellWord]| DENY.iter().find(|builtin| builtin.fits(words, place));
    // This is asked from each of many words on, so they are copied where they must be alone.
    if words.first()?.text == name && !name.starts_with("git-") {
        return fits(words);
    }
    if let Some(apart) = git::apart(words) {
        return fits(&apart);
    }
    let mut named = words.to_vec();
    named[0].text = name.to_string();
    fits(&named)
}

/// The rule by which words behind the first of a program that nobody knows are denied: it may run its arguments.
pub(super) fn hides_denied(words: &[ShellWord], place: &CallPlace) -> Option<&'static Builtin> {
    const LONGEST: usize = 64;
    let is_unknown =
        matches!(file_effects::effect(words), CommandEffect::Unknown) && wrapper::carried(words).is_empty();
    let starts = 1..words.len().min(LONGEST);
    starts
        .filter(|_| is_unknown)
        .find_map(|at| is_denied(&words[at..], place))
}
