//! The files that parlour lets a call read or write where nobody says yes to it: by its own rules, or by the profile of the
//! chat. Rules look at what is written, and a link that a repository brings may lead anywhere, so whoever has the disk looks
//! there too.

use std::path::{Path, PathBuf};

use super::call::Call;
use super::command::{self, CommandLine};
use super::glob::GLOB;
use super::path::CallPlace;
use super::rules::{CallPlaces, Rules};
use super::ruling::{RuleName, Ruling};
use super::tool::{self, ToolKind};
use super::word::ShellWord;
use super::{profile, reading};
use crate::model::PermissionProfile;

/// A file as a call names it: absolute, and with each `..` that is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile {
    pub path: PathBuf,
    /// Several names may be put in its place.
    pub globs: bool,
    /// It is written, or may be.
    pub written: bool,
}

pub(super) fn files(rules: &Rules, call: &Call, ruling: &Ruling) -> Vec<NamedFile> {
    let Ruling::Allow { rule } = ruling else {
        return Vec::new();
    };
    match (tool::known(call.tool).1, rule) {
        (ToolKind::Fetch | ToolKind::Other, _) | (ToolKind::Read | ToolKind::Edit, RuleName::Persons(_)) => Vec::new(),
        (kind @ (ToolKind::Read | ToolKind::Edit), RuleName::BuiltIn(_) | RuleName::Profile(_)) => {
            of_tool(call, kind, &rules.home)
        }
        (ToolKind::Command, rule) => {
            let mut found = directory(call, &rules.home);
            if let Some(line) = CommandLine::of(call) {
                found.extend(of_line(rules, call, &line, rule));
            }
            found
        }
    }
}

fn of_tool(call: &Call, kind: ToolKind, home: &Path) -> Vec<NamedFile> {
    let mut paths = match kind {
        ToolKind::Edit => tool::paths(call.input),
        ToolKind::Read | ToolKind::Command | ToolKind::Fetch | ToolKind::Other => profile::read_as_written(call),
    };
    paths.extend(tool::sought(call.tool, call.input));
    let place = CallPlace::within(call.cwd, call.at, tool::directory(call.input), home);
    let mut found = directory(call, home);
    for path in paths {
        let word = ShellWord {
            globs: path.contains(GLOB),
            ..ShellWord::plain(path)
        };
        found.extend(named(&word, &place));
    }
    for file in &mut found {
        file.written = kind == ToolKind::Edit;
    }
    found
}

fn of_line(rules: &Rules, call: &Call, line: &CommandLine, rule: &RuleName) -> Vec<NamedFile> {
    let mut found = Vec::new();
    if let RuleName::Profile(PermissionProfile::All) = rule {
        let place = CallPlace::within(call.cwd, call.at, tool::directory(call.input), &rules.home);
        for (word, place) in command::opened(line, &place) {
            found.extend(named(&word, &place));
        }
        return found;
    }
    let places = CallPlaces::of(call, &rules.home);
    for (words, place) in command::unasked(rules, line, &places) {
        found.extend(named(&ShellWord::plain("."), &place));
        for word in reading::touches(words) {
            found.extend(named(&word, &place));
        }
    }
    found
}

/// The directory in which a call asks to be made.
fn directory(call: &Call, home: &Path) -> Vec<NamedFile> {
    let place = CallPlace::within(call.cwd, call.at, None, home);
    let named = |path: &str| named(&ShellWord::plain(path), &place).collect();
    tool::directory(call.input).map_or_else(Vec::new, named)
}

/// What a program may take the word for: it may go back from where a link leads, or from where it stands.
fn named(word: &ShellWord, place: &CallPlace) -> impl Iterator<Item = NamedFile> {
    let (path, normal) = (place.unresolved(&word.text), place.absolute(&word.text));
    let other = (path.as_os_str() != normal.as_os_str()).then_some(normal);
    let globs = word.globs;
    let file = move |path| NamedFile {
        path,
        globs,
        written: false,
    };
    std::iter::once(path).chain(other).map(file)
}
