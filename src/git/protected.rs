//! Which files of a clone may not be saved for others, or only when the person says so.
//!
//! What is saved comes into each later clone, so nothing that starts a program or tells one what to do may be among it
//! unasked. What does that is without end: it is said what does not, and all else is asked about. File systems take several
//! spellings for one name, so names are compared as the most forgiving of them would.

use crate::fs;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Protection {
    /// A plain file of values: nothing runs it, or what it names.
    None,
    /// Inside a git directory, by any spelling.
    Git,
    /// Unreadable for the person who would have to judge it.
    Hidden,
    /// It may tell agents, editors, shells or build tools what to run.
    Asked,
}

/// Names of files that hold values alone end in these: keys, certificates, tables, databases.
const PLAIN: [&str; 18] = [
    "cer", "crt", "csv", "db", "der", "jks", "key", "keystore", "lic", "license", "p12", "pem", "pfx", "pub", "sqlite",
    "sqlite3", "tfvars", "tsv",
];
/// So do those of a program's settings, but for [`MANIFESTS`].
const SETTINGS: [&str; 6] = ["env", "ini", "json", "properties", "yaml", "yml"];
/// What build tools, test runners and agents read: the names of such files begin with these. In a project's own settings
/// they name programs, scripts or plugins.
const MANIFESTS: [&str; 48] = [
    "action",
    "agent",
    "angular",
    "ansible",
    "app.json",
    "babel",
    "biome",
    "bower",
    "build",
    "bunfig",
    "claude",
    "cloudbuild",
    "codecept",
    "composer",
    "compose",
    "conda",
    "cypress",
    "deno",
    "devcontainer",
    "docker",
    "environment.y",
    "gradle",
    "jest",
    "jsconfig",
    "karma",
    "launch",
    "lefthook",
    "lerna",
    "mcp",
    "mkdocs",
    "mypy",
    "nodemon",
    "nx",
    "opencode",
    "package",
    "playbook",
    "pnpm",
    "project",
    "pubspec",
    "pytest",
    "rush",
    "setup",
    "task",
    "tox",
    "tsconfig",
    "turbo",
    "vercel",
    "workspace",
];
/// Directories in which programs look for others, or for what they load.
const FOLDERS: [&str; 6] = ["bin", "hooks", "node_modules", "scripts", "site-packages", "vendor"];

pub(super) fn protection(path: &str) -> Protection {
    let parts: Vec<String> = path.split(['/', '\\']).map(plain).collect();
    // Before what is merely hidden: an invisible character within `.git` is an attack, not an accident.
    if parts.iter().any(|part| is_git(part)) {
        return Protection::Git;
    }
    if path.chars().any(fs::is_hidden_char) {
        return Protection::Hidden;
    }
    let (name, folders) = parts
        .split_last()
        .map_or(("", &[][..]), |(name, folders)| (name, folders));
    let is_special = |folder: &String| folder.starts_with('.') || FOLDERS.contains(&folder.as_str());
    // Empty parts are those of `.` and `..`.
    match is_plain(name) && !folders.iter().any(is_special) {
        true => Protection::None,
        false => Protection::Asked,
    }
}

fn is_plain(name: &str) -> bool {
    if name.starts_with(".env") {
        return !name.starts_with(".envrc");
    }
    let Some((stem, ending)) = name
        .rsplit_once('.')
        .filter(|(stem, _)| !stem.is_empty() && !name.starts_with('.'))
    else {
        return false;
    };
    let is_of_a_tool = || stem.ends_with("config") || MANIFESTS.iter().any(|manifest| name.starts_with(manifest));
    PLAIN.contains(&ending) || SETTINGS.contains(&ending) && !is_of_a_tool()
}

/// As a file system that ignores case, invisible characters, streams and trailing dots or spaces would take it.
fn plain(part: &str) -> String {
    let visible: String = part.chars().filter(|c| !fs::is_hidden_char(*c)).collect();
    let name = visible.split(':').next().unwrap_or_default();
    name.trim_end_matches(['.', ' ']).to_lowercase()
}

fn is_git(part: &str) -> bool {
    let short = part
        .strip_prefix("git~")
        .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    part == ".git" || short
}
