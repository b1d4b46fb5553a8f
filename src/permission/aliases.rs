//! The other names of a command: `docker image push` is `docker push`, `npx npm publish` is `npm publish`.
//!
//! What is found here forbids and never allows.

use super::word::ShellWord;
use super::{option_values, program, subcommand};

/// Names of one command.
const EQUAL: [(&str, &str); 25] = [
    ("docker-compose", "docker compose"),
    ("docker container exec", "docker exec"),
    ("docker container kill", "docker kill"),
    ("docker container rm", "docker rm"),
    ("docker container run", "docker run"),
    ("docker container stop", "docker stop"),
    ("docker image push", "docker push"),
    ("docker image rm", "docker rmi"),
    ("gh release new", "gh release create"),
    ("gradlew", "gradle"),
    ("helm del", "helm uninstall"),
    ("helm delete", "helm uninstall"),
    ("helm un", "helm uninstall"),
    ("mvnw", "mvn"),
    ("npm rum", "npm run"),
    ("npm run-script", "npm run"),
    ("npm urn", "npm run"),
    ("npm x", "npm exec"),
    ("podman container exec", "podman exec"),
    ("podman container kill", "podman kill"),
    ("podman container rm", "podman rm"),
    ("podman container run", "podman run"),
    ("podman container stop", "podman stop"),
    ("podman image push", "podman push"),
    ("podman image rm", "podman rmi"),
];

/// Programs that take the options of another one, and that one. A rule that names one of them does not mean the other.
const ALIKE: [(&str, &str); 8] = [
    ("bsdtar", "tar"),
    ("fdfind", "fd"),
    ("gmake", "make"),
    ("gtar", "tar"),
    ("netcat", "nc"),
    ("nvim", "vi"),
    ("readarray", "mapfile"),
    ("vim", "vi"),
];

/// What stands in front of a command: its words, how many operands follow, and the program whose subcommand is behind them;
/// without one, what is behind them begins with its program.
const FRONTS: [(&str, usize, &str); 11] = [
    ("bun pm", 0, "bun"),
    ("bunx", 0, ""),
    ("npx", 0, ""),
    ("pipx run", 0, ""),
    ("pnpm dlx", 0, ""),
    ("pnpm recursive", 0, "pnpm"),
    ("rustup run", 1, ""),
    ("uv tool run", 0, ""),
    ("uvx", 0, ""),
    ("yarn workspace", 1, "yarn"),
    ("yarn workspaces foreach", 0, "yarn"),
];

/// What pushes an image that it builds.
const BUILDS: [&str; 4] = [
    "docker build",
    "docker buildx bake",
    "docker buildx build",
    "docker image build",
];

/// So many other names are looked at.
const MOST: usize = 16;

/// The name under which tables of options know a program.
pub(super) fn usual(program: &str) -> &str {
    let alike = ALIKE.iter().find(|(other, _)| *other == program);
    alike.map_or(program, |(_, usual)| usual)
}

/// The names of a command that a table of options knows under this one.
pub(super) fn all_of(usual: &'static str) -> impl Iterator<Item = &'static str> {
    let same = EQUAL.iter().chain(&ALIKE).filter(move |(_, known)| *known == usual);
    std::iter::once(usual).chain(same.map(|(other, _)| *other))
}

/// The words of a command under its other names.
pub(super) fn others(words: &[ShellWord]) -> Vec<Vec<ShellWord>> {
    let mut found: Vec<Vec<ShellWord>> = Vec::new();
    let mut open = vec![words.to_vec()];
    while let Some(named) = open.pop() {
        for other in renamed(&named) {
            if found.len() < MOST && other != words && !found.contains(&other) {
                found.push(other.clone());
                open.push(other);
            }
        }
    }
    found
}

fn renamed(words: &[ShellWord]) -> Vec<Vec<ShellWord>> {
    let mut found = Vec::new();
    for (one, other) in EQUAL {
        for (from, to) in [(one, other), (other, one)] {
            let ends = subcommand::ends_of(words, from).into_iter().take(2);
            found.extend(ends.map(|end| command(to, &words[end..])));
        }
    }
    for (front, operands, program) in FRONTS {
        let ends = subcommand::ends_of(words, front).into_iter().take(2);
        let starts = ends.flat_map(|end| behind(words, end, operands));
        found.extend(starts.map(|at| command(program, &words[at..])));
    }
    let pushes = || {
        words
            .iter()
            .any(|word| ["--push", "--push=true"].contains(&word.text.as_str()))
    };
    if BUILDS.iter().any(|build| subcommand::begins(words, build)) && pushes() {
        found.push(command("docker push", &[]));
    }
    found.extend(goals(words));
    found.extend(module(words));
    found
}

/// `words` behind the words of `start`, or alone, where the program may be written with its version: `npm@latest`.
fn command(start: &str, words: &[ShellWord]) -> Vec<ShellWord> {
    let mut rest = words.to_vec();
    if let Some(program) = rest.first_mut().filter(|_| start.is_empty()) {
        let end = program.text.rfind('@').filter(|at| *at > 0);
        program.text.truncate(end.unwrap_or(program.text.len()));
    }
    let start = start.split(' ').filter(|word| !word.is_empty()).map(ShellWord::plain);
    start.chain(rest).collect()
}

/// Where a command may begin behind options and so many operands.
fn behind(words: &[ShellWord], from: usize, operands: usize) -> Vec<usize> {
    let program = program::of(words);
    let operand = |at: &usize| words.get(*at).is_some_and(|word| !subcommand::is_option(&word.text));
    let past = |from: Vec<usize>| -> Vec<usize> {
        let places = subcommand::places(program, words, from).into_iter();
        places.filter(operand).collect()
    };
    (0..operands).fold(past(vec![from]), |starts, _| {
        past(starts.into_iter().map(|at| at + 1).collect())
    })
}

/// Maven works through a list of goals.
fn goals(words: &[ShellWord]) -> Vec<Vec<ShellWord>> {
    if program::of(words) != "mvn" {
        return Vec::new();
    }
    let is_value = |at: usize| option_values::takes_value("mvn", &words[at - 1].text, false) == Some(true);
    let is_goal = |at: &usize| !words[*at].text.starts_with('-') && !is_value(*at);
    let goals = (1..words.len()).filter(is_goal).take(MOST);
    goals.map(|at| command("mvn", &words[at..=at])).collect()
}

/// `python -m twine upload` runs `twine upload`.
fn module(words: &[ShellWord]) -> Option<Vec<ShellWord>> {
    let program = program::of(words);
    if !program.starts_with("python") && !["py", "pypy", "pypy3"].contains(&program) {
        return None;
    }
    let at = (1..words.len()).find(|at| words[*at].text.starts_with("-m"))?;
    match &words[at].text[2..] {
        "" => Some(words[at + 1..].to_vec()),
        name => Some(command(name, &words[at + 1..])),
    }
    .filter(|words| !words.is_empty())
}
