//! Reads the settings of a person and of a source, and writes the few that a clone is given.

use std::path::Path;
use std::time::Duration;

use super::program::Program;
use super::run::{CancelFlag, GitLimits, GitProgress, GitRun, GitStage};
use super::{Error, Origin};

/// One line of git configuration, `section.name` or `section.subsection.name`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GitSetting {
    pub key: String,
    pub value: String,
}

impl GitSetting {
    pub(super) fn new(key: &str, value: &str) -> GitSetting {
        GitSetting {
            key: key.to_string(),
            value: value.to_string(),
        }
    }
}

/// What may come from the source's own file: who the person is. Not programs: a source that was unpacked from somewhere
/// could name any, and the agent's first commit would run it.
const PERSON: [&str; 6] = [
    "user.name",
    "user.email",
    "user.signingkey",
    "commit.gpgsign",
    "tag.gpgsign",
    "gpg.format",
];
/// What comes only from the person's own files.
const SIGNING: [&str; 5] = [
    "gpg.program",
    "gpg.ssh.program",
    "gpg.ssh.defaultkeycommand",
    "gpg.ssh.allowedsignersfile",
    "gpg.x509.program",
];

/// The settings in force at a place, each with where it comes from.
#[derive(Debug, Default)]
pub(super) struct GitSettings(Vec<(ConfigScope, GitSetting)>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ConfigScope {
    Person,
    Source,
}

/// The settings in force in a local source.
pub(super) fn read_source(program: &Program, root: &Path) -> Result<GitSettings, Error> {
    read(program, root)
}

/// What a clone is told about its remote.
pub(super) fn remote(url: &str) -> Vec<GitSetting> {
    vec![
        GitSetting::new("remote.origin.url", url),
        GitSetting::new("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"),
    ]
}

/// What a clone of `origin`, or of what is not there any more, is told about the person.
pub(super) fn identity(program: &Program, origin: Option<&Origin>) -> Result<Vec<GitSetting>, Error> {
    let place = match origin.map(|origin| &origin.reach) {
        Some(super::origin::Reach::Local { root, .. }) => root,
        Some(super::origin::Reach::Remote { .. }) | None => Path::new("/"),
    };
    Ok(read(program, place)?.identity())
}

/// The person's own ssh command, made one that never asks: nobody sees its question.
pub(super) fn ssh_command(program: &Program) -> String {
    let settings = read(program, Path::new("/")).unwrap_or_default();
    let own = settings
        .last("core.sshcommand", Some(ConfigScope::Person))
        .unwrap_or("ssh");
    let is_ssh = shell_words::split(own).is_ok_and(|words| words.first().is_some_and(|w| w.ends_with("ssh")));
    if is_ssh {
        format!("{own} -oBatchMode=yes -oConnectTimeout=20")
    } else {
        own.to_string()
    }
}

fn read(program: &Program, place: &Path) -> Result<GitSettings, Error> {
    let mut command = program.personal();
    command
        .current_dir(place)
        // A source may be one, and to list its settings runs none of them.
        .args(["-c", "safe.bareRepository=all"])
        .args(["config", "--list", "-z", "--show-scope", "--includes"]);
    let limits = GitLimits {
        time: Duration::from_secs(20),
        ..GitLimits::default()
    };
    let (progress, cancel) = (|_: GitProgress| {}, CancelFlag::default());
    let run = GitRun {
        verb: "config",
        stage: GitStage::Copying,
        limits,
        growing: None,
        progress: &progress,
        cancel: &cancel,
    };
    Ok(GitSettings::parse(&String::from_utf8_lossy(&run.output(command)?)))
}

impl GitSettings {
    /// `scope NUL key LF value NUL`, over and over.
    fn parse(text: &str) -> GitSettings {
        let mut parts = text.split('\0');
        let mut settings = Vec::new();
        while let (Some(scope), Some(line)) = (parts.next(), parts.next()) {
            let scope = match scope {
                "system" | "global" => ConfigScope::Person,
                "local" | "worktree" => ConfigScope::Source,
                _ => continue, // `command`: what we set ourselves.
            };
            // A key without a value is true.
            let (key, value) = line.split_once('\n').unwrap_or((line, "true"));
            settings.push((
                scope,
                GitSetting {
                    key: key.to_string(),
                    value: value.to_string(),
                },
            ));
        }
        GitSettings(settings)
    }

    fn last(&self, key: &str, scope: Option<ConfigScope>) -> Option<&str> {
        let mut found = self
            .0
            .iter()
            .rev()
            .filter(|(s, setting)| setting.key == key && scope.is_none_or(|want| want == *s));
        found.next().map(|(_, setting)| setting.value.as_str())
    }

    fn identity(&self) -> Vec<GitSetting> {
        let person = PERSON.iter().map(|key| (key, None));
        let signing = SIGNING.iter().map(|key| (key, Some(ConfigScope::Person)));
        person
            .chain(signing)
            .filter_map(|(key, scope)| {
                Some(GitSetting {
                    key: key.to_string(),
                    value: self.last(key, scope)?.to_string(),
                })
            })
            .collect()
    }

    pub(super) fn origin_url(&self) -> Option<&str> {
        self.last("remote.origin.url", Some(ConfigScope::Source))
    }

    /// The format is the source's own: SHA-1 where it names none.
    pub(super) fn has_long_names(&self) -> bool {
        let format = self.last("extensions.objectformat", Some(ConfigScope::Source));
        format.is_some_and(|format| format != "sha1")
    }

    pub(super) fn is_partial(&self) -> bool {
        self.0.iter().any(|(_, setting)| {
            setting.key == "extensions.partialclone"
                || (setting.key.starts_with("remote.") && setting.key.ends_with(".promisor") && setting.value == "true")
        })
    }
}

/// The settings as text of a configuration file. Values are quoted, so none can add a key or a section.
pub(super) fn text(settings: &[GitSetting]) -> String {
    let mut text = String::new();
    for GitSetting { key, value } in settings {
        let (Some((section, rest)), Some((_, name))) = (key.split_once('.'), key.rsplit_once('.')) else {
            continue;
        };
        let header = match rest.strip_suffix(name).and_then(|sub| sub.strip_suffix('.')) {
            Some(subsection) => format!("[{section} \"{}\"]", escaped(subsection)),
            None => format!("[{section}]"),
        };
        text.push_str(&format!("{header}\n\t{name} = \"{}\"\n", escaped(value)));
    }
    text
}

fn escaped(value: &str) -> String {
    value
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
        .replace(['\0', '\r'], "")
}
