//! What a permission profile adds to the rules: calls in a chat's own directory that need nobody's yes.
//!
//! It speaks only where neither a person's rule nor one of parlour's own forbids or asks.

use std::path::{Path, PathBuf};

use super::call::Call;
use super::command::{self, CommandLine};
use super::path::CallPlace;
use super::rules::Rules;
use super::ruling::{RuleName, Ruling};
use super::tool::{self, ToolKind};
use crate::model::{AreaMode, PermissionProfile};

impl Rules {
    /// The verdict, or what the profile makes of one that leaves the call to the CLI.
    pub(super) fn widen(&self, ruling: Ruling, call: &Call, profile: PermissionProfile) -> Ruling {
        let is_open = match &ruling {
            Ruling::NoOpinion => true,
            Ruling::Allow { rule } => matches!(rule, RuleName::BuiltIn(_)),
            Ruling::Ask { .. } | Ruling::Deny { .. } => false,
        };
        match is_open && self.is_in_profile(call, profile) {
            true => Ruling::Allow {
                rule: RuleName::Profile(profile),
            },
            false => ruling,
        }
    }

    fn is_in_profile(&self, call: &Call, profile: PermissionProfile) -> bool {
        let place = CallPlace::within(call.cwd, call.at, tool::directory(call.input), &self.home);
        let is_own = |path: &PathBuf| path.starts_with(call.cwd);
        match (profile, tool::known(call.tool).1) {
            (PermissionProfile::Ask, _) | (_, ToolKind::Fetch | ToolKind::Other) => false,
            (_, ToolKind::Read) => read(call, &place).iter().all(is_own),
            (_, ToolKind::Edit) => {
                let paths = edited(call, &place);
                !paths.is_empty() && paths.iter().all(|path| is_in_clone(call, path))
            }
            (PermissionProfile::Clones, ToolKind::Command) => matches!(
                self.judge(call),
                Ruling::Allow {
                    rule: RuleName::BuiltIn(_)
                }
            ),
            (PermissionProfile::All, ToolKind::Command) => {
                let line = CommandLine::of(call);
                let opened = line.map(|line| command::opened(&line, &place));
                let mut opened = opened.into_iter().flatten();
                is_own(&place.base().to_path_buf()) && opened.all(|(word, place)| is_own(&place.absolute(&word.text)))
            }
        }
    }
}

fn read(call: &Call, place: &CallPlace) -> Vec<PathBuf> {
    let paths = read_as_written(call);
    paths.iter().map(|path| place.absolute(path)).collect()
}

/// The files that a tool reads; a search that names no folder searches the agent's own.
pub(super) fn read_as_written(call: &Call) -> Vec<String> {
    let mut paths = tool::paths(call.input);
    paths.extend(tool::searched(call.tool, call.input));
    if paths.is_empty() {
        paths.push(".".into());
    }
    paths
}

fn edited(call: &Call, place: &CallPlace) -> Vec<PathBuf> {
    tool::paths(call.input)
        .iter()
        .map(|path| place.absolute(path))
        .collect()
}

/// In a clone that parlour made and that is open for writing.
fn is_in_clone(call: &Call, path: &Path) -> bool {
    let clones = call
        .dirs
        .iter()
        .filter(|area| area.cloned && area.mode == AreaMode::Rw && !area.asks);
    clones.flat_map(|area| &area.paths).any(|clone| path.starts_with(clone))
}
