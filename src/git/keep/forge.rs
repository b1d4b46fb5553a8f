//! Pull requests, by the forge's own program.
//!
//! `gh` runs in a directory of parlour's own that has the project's remote and the branch, so it reads nothing of the
//! clone. It finds its login where it always does.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use serde::Deserialize;

use super::error::KeepError;
use super::place::ClonePlace;
use super::scratch::{KeepTools, Scratch};
use super::target;
use crate::fs::Dir;
use crate::git::config::{self, Setting};
use crate::git::fetch::address;
use crate::git::{Error, GitLimits, GitStage, Origin, Program};
use crate::model::keep::PullChecks;

/// A forge that has not answered by then is not waited for.
const ANSWER: Duration = Duration::from_secs(30);
const FIELDS: &str = "number,url,title,state,isDraft,statusCheckRollup";
const BODY: &str = "parlour-pull-request.md";

/// What a pull request says.
pub struct PullText<'a> {
    pub title: &'a str,
    pub body: &'a str,
    pub draft: bool,
}

/// A pull request as `gh` tells of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownPull {
    pub branch: String,
    pub number: u64,
    pub url: String,
    pub title: String,
    pub state: String,
    pub checks: PullChecks,
}

/// Opens one for the branch that is checked out in the clone at `files`, which its remote has already.
pub fn open_pull(
    tools: &KeepTools<'_>,
    files: &Dir,
    origin: &Origin,
    text: &PullText<'_>,
) -> Result<KnownPull, KeepError> {
    let place = ClonePlace::open(files)?;
    let forge = Forge::new(
        tools,
        &place,
        Scratch::of_clone(tools, &place.git, &place.state)?,
        origin,
    )?;
    forge.scratch.git.write_unsynced(BODY, text.body).map_err(Error::from)?;
    let body = forge.scratch.git.path().join(BODY);
    let mut words: Vec<OsString> = ["create", "--head", &forge.branch, "--title", text.title, "--body-file"]
        .map(OsString::from)
        .into();
    words.push(body.into());
    if text.draft {
        words.push("--draft".into());
    }
    forge.gh("pr create", words)?;
    forge.view()
}

/// The one of the branch that is checked out in the clone at `files`.
pub fn view_pull(tools: &KeepTools<'_>, files: &Dir, origin: &Origin) -> Result<KnownPull, KeepError> {
    let place = ClonePlace::open(files)?;
    // It is asked often, and looks at no file: the index of a large clone is left where it is.
    let scratch = Scratch::new(tools, &[])?;
    scratch
        .git
        .write_unsynced("HEAD", &place.state.raw_head)
        .map_err(Error::from)?;
    Forge::new(tools, &place, scratch, origin)?.view()
}

/// Whether there is a `gh`, before anything is pushed for it.
pub fn check_forge(program: &Program) -> Result<(), KeepError> {
    find(program).map(drop)
}

fn find(program: &Program) -> Result<PathBuf, KeepError> {
    program.beside("gh").ok_or(KeepError::NoForge)
}

struct Forge<'a> {
    tools: &'a KeepTools<'a>,
    gh: PathBuf,
    scratch: Scratch<'a>,
    branch: String,
}

impl<'a> Forge<'a> {
    fn new(
        tools: &'a KeepTools<'a>,
        place: &ClonePlace<'_>,
        scratch: Scratch<'a>,
        origin: &Origin,
    ) -> Result<Forge<'a>, KeepError> {
        let gh = find(tools.program)?;
        let reach = target::remote(origin)?;
        let (branch, _) = place.branch()?;
        let setting = |key: &str, value: String| Setting { key: key.into(), value };
        let remote = config::text(&[
            setting("remote.origin.url", address(&reach).to_string_lossy().into_owned()),
            setting("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*".into()),
        ]);
        scratch.add_settings(&remote)?;
        Ok(Forge {
            tools,
            gh,
            branch: branch.to_owned(),
            scratch,
        })
    }

    fn view(&self) -> Result<KnownPull, KeepError> {
        let words = ["view", &self.branch, "--json", FIELDS].map(OsString::from).into();
        let output = self.gh("pr view", words)?;
        let told: Told = serde_json::from_slice(&output).map_err(|error| KeepError::Forge {
            said: format!("what it told cannot be read: {error}"),
        })?;
        Ok(told.into_pull(self.branch.clone()))
    }

    fn gh(&self, verb: &'static str, words: Vec<OsString>) -> Result<Vec<u8>, KeepError> {
        let mut command = Command::new(&self.gh);
        self.tools.program.as_a_person(&mut command);
        command
            .current_dir(self.scratch.files())
            .env("GH_PROMPT_DISABLED", "1")
            .env("GH_NO_UPDATE_NOTIFIER", "1")
            .env("NO_COLOR", "1")
            .arg("pr")
            .args(words);
        let limits = GitLimits {
            time: ANSWER,
            ..self.tools.limits
        };
        let asked = self.scratch.run_within(limits, verb, GitStage::Asking, command);
        asked.map_err(|error| match error {
            Error::Git { said, .. } if said.contains("no pull requests found") => KeepError::NoPull {
                branch: self.branch.clone(),
            },
            Error::Git { said, .. } => in_our_words(said),
            Error::Slow { .. } => KeepError::Forge {
                said: format!("it gave no answer in {} s", ANSWER.as_secs()),
            },
            other => other.into(),
        })
    }
}

/// What `gh` says where nothing is wrong with the pull request itself.
fn in_our_words(said: String) -> KeepError {
    let has = |words: &str| said.contains(words);
    if has("none of the git remotes") || has("no git remotes found") {
        return KeepError::NoForgeHost;
    }
    if has("gh auth login") || has("HTTP 401") {
        return KeepError::NotLoggedIn;
    }
    if let Some((_, rest)) = said.split_once("error connecting to ") {
        let host = rest.split([';', ' ']).next().unwrap_or_default();
        return KeepError::ForgeUnreachable { host: host.to_owned() };
    }
    KeepError::Forge { said }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Told {
    number: u64,
    #[serde(default)]
    url: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    state: String,
    #[serde(default)]
    is_draft: bool,
    #[serde(default)]
    status_check_rollup: Option<Vec<Check>>,
}

/// A check run has a status and then a conclusion; a commit status has a state.
#[derive(Deserialize)]
struct Check {
    #[serde(default)]
    conclusion: Option<String>,
    #[serde(default)]
    state: Option<String>,
}

impl Told {
    fn into_pull(self, branch: String) -> KnownPull {
        let mut checks = PullChecks::default();
        for check in self.status_check_rollup.iter().flatten() {
            let word = check.conclusion.as_deref().filter(|word| !word.is_empty());
            match word.or(check.state.as_deref()).unwrap_or_default() {
                "SUCCESS" | "NEUTRAL" | "SKIPPED" => checks.passed += 1,
                "" | "PENDING" | "EXPECTED" => checks.pending += 1,
                _ => checks.failed += 1,
            }
        }
        let state = match (self.state.as_str(), self.is_draft) {
            ("OPEN", true) => "draft".to_owned(),
            (state, _) => state.to_ascii_lowercase(),
        };
        KnownPull {
            branch,
            number: self.number,
            url: self.url,
            title: self.title,
            state,
            checks,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As version 2.23 says them.
    #[test]
    fn what_gh_says_of_itself_becomes_one_line() {
        let words = |said: &str| in_our_words(said.into()).to_string();
        let login = "To get started with GitHub CLI, please run:  gh auth login; Alternatively, populate the GH_TOKEN";
        assert_eq!(words(login), "`gh` is not logged in");
        let host = "none of the git remotes configured for this repository point to a known GitHub host. To tell gh \
                    about a new GitHub host, please use `gh auth login`";
        assert_eq!(words(host), "its remote is on no forge that `gh` knows");
        let network = "error connecting to api.github.com; check your internet connection or https://githubstatus.com";
        assert_eq!(words(network), "`gh` cannot reach api.github.com");
        let other = "pull request create failed: GraphQL: No commits between main and w2 (createPullRequest)";
        assert_eq!(words(other), format!("gh: {other}"));
    }

    #[test]
    fn checks_of_both_kinds_are_counted() {
        let told: Told = serde_json::from_str(
            r#"{"number": 7, "url": "u", "title": "t", "state": "OPEN", "isDraft": true, "statusCheckRollup": [
                {"status": "COMPLETED", "conclusion": "SUCCESS"}, {"status": "IN_PROGRESS", "conclusion": ""},
                {"state": "PENDING"}, {"state": "ERROR"}, {"conclusion": "SKIPPED"}]}"#,
        )
        .unwrap();
        let pull = told.into_pull("fix".into());
        let checks = PullChecks {
            passed: 2,
            failed: 1,
            pending: 2,
        };
        assert_eq!((pull.state.as_str(), pull.checks), ("draft", checks));
    }
}
