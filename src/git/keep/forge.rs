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
use crate::git::config::{self, GitSetting};
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
        let setting = |key: &str, value: String| GitSetting { key: key.into(), value };
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
    let is_on_no_host = [
        "none of the git remotes",
        "no git remotes found",
        "could not find any host configurations",
        "set the GH_HOST environment variable",
    ];
    if is_on_no_host.into_iter().any(has) {
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

/// A check run has a status, and a conclusion once that is `COMPLETED`; a commit status has a state.
#[derive(Deserialize)]
struct Check {
    #[serde(default)]
    status: Option<String>,
    #[serde(default)]
    conclusion: Option<String>,
    #[serde(default)]
    state: Option<String>,
}

impl Told {
    fn into_pull(self, branch: String) -> KnownPull {
        let mut checks = PullChecks::default();
        for check in self.status_check_rollup.iter().flatten() {
            let goes_on = check.status.as_deref().is_some_and(|status| status != "COMPLETED");
            let word = check.conclusion.as_deref().filter(|word| !word.is_empty());
            match word.or(check.state.as_deref()).unwrap_or_default() {
                _ if goes_on => checks.pending += 1,
                "SUCCESS" | "NEUTRAL" | "SKIPPED" => checks.passed += 1,
                "" | "PENDING" | "EXPECTED" | "STALE" => checks.pending += 1,
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

    /// `tests/fixtures/gh/README.md` says where these come from.
    macro_rules! fixture {
        ($name:literal) => {
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/gh/", $name))
        };
    }

    /// The lines of what it says as one, as a failed command is told.
    #[test]
    fn what_gh_says_of_itself_becomes_one_line() {
        let words = |said: &str| {
            let lines: Vec<&str> = said.lines().collect();
            in_our_words(lines.join("; ")).to_string()
        };
        let logs_in = "`gh` is not logged in";
        assert_eq!(words(fixture!("said/no-login.txt")), logs_in);
        assert_eq!(words(fixture!("said/unauthorized.txt")), logs_in);
        let elsewhere = "its remote is on no forge that `gh` knows";
        assert_eq!(words(fixture!("said/other-host.txt")), elsewhere);
        assert_eq!(words(fixture!("said/no-remote.txt")), elsewhere);
        assert_eq!(words(fixture!("said/elsewhere-by-variable.txt")), elsewhere);
        assert_eq!(
            words(fixture!("said/no-network.txt")),
            "`gh` cannot reach api.github.com"
        );
        let other = "pull request create failed: GraphQL: No commits between main and w2 (createPullRequest)";
        assert_eq!(words(other), format!("gh: {other}"));
    }

    #[test]
    fn what_gh_tells_of_a_pull_request_is_read_with_its_checks() {
        let read = |told: &str| {
            let told: Told = serde_json::from_str(told).unwrap();
            let pull = told.into_pull("fix".into());
            let PullChecks {
                passed,
                failed,
                pending,
            } = pull.checks;
            (pull.number, pull.state, (passed, failed, pending))
        };
        let running = read(fixture!("checks-running.json"));
        assert_eq!(running, (412, "open".into(), (2, 0, 3)));
        assert_eq!(read(fixture!("checks-failed.json")), (413, "draft".into(), (1, 3, 0)));
        assert_eq!(
            read(fixture!("merged-without-checks.json")),
            (398, "merged".into(), (0, 0, 0))
        );
        let bare = r#"{"number": 7, "state": "CLOSED", "statusCheckRollup": null}"#;
        assert_eq!(read(bare), (7, "closed".into(), (0, 0, 0)));
    }
}
