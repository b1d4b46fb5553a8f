//! One rule as it is written, `Bash(git push:*)`, and what it fits.

use std::path::Path;

use globset::{GlobBuilder, GlobMatcher};

use super::glob::{GLOB, as_stars, stars};
use super::path::CallPlace;
use super::subcommand::{self, Between};
use super::tool::{self, ToolKind};
use super::unknown_words;
use super::word::ShellWord;

/// A rule that cannot be meant. It is left out; the others stay in force.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{rule:?} is not a rule: {why}")]
pub struct Misfit {
    pub rule: String,
    pub why: String,
}

#[derive(Clone, Debug)]
pub(super) enum Pattern {
    /// Every call of the tools with this name; `*` stands for any part of it.
    Tool(String),
    Command(RuleLine),
    /// A file of the tools of this kind.
    File(ToolKind, Glob),
    /// A host; `*.` in front stands for all below it.
    Host(String),
}

/// A command line in a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RuleLine {
    /// The whole line as it stands, or one command with exactly these words.
    Exact { text: String, words: Vec<String> },
    /// A command that begins with these words. `*` within a word stands for any part of it, alone for any words.
    Begins(Vec<String>),
}

#[derive(Clone, Debug)]
pub(super) struct Glob {
    matcher: GlobMatcher,
    /// Against the path below the agent's directory, or against the absolute one.
    relative: bool,
    /// The names in it that stand for themselves.
    names: Vec<String>,
}

/// Whether `rule` is one, wherever the home is.
pub fn check(rule: &str) -> Result<(), Misfit> {
    parse(rule, Path::new("/")).map(|_| ())
}

/// Reads a rule. `home` is what `~` stands for.
pub(super) fn parse(rule: &str, home: &Path) -> Result<Pattern, Misfit> {
    let bad = |why: &str| Misfit {
        rule: rule.to_string(),
        why: why.to_string(),
    };
    let written = rule.trim();
    let (name, argument) = match written.split_once('(') {
        Some((name, rest)) => match rest.strip_suffix(')') {
            Some(argument) => (name.trim(), Some(argument.trim())),
            None => return Err(bad("the last character is not the ) of its (")),
        },
        None => (written, None),
    };
    let is_name = |c: char| c.is_alphanumeric() || "_-*.".contains(c);
    if name.is_empty() || name.starts_with('-') || !name.chars().all(is_name) {
        return Err(bad(
            "it does not begin with the name of a tool, as Bash(git push:*) does",
        ));
    }
    let (name, kind) = tool::known(name);
    match (kind, argument) {
        (_, None) => Ok(Pattern::Tool(server_too(name))),
        (_, Some("")) => Err(bad("nothing stands between ( and ); for every call leave them out")),
        (ToolKind::Command, Some("*" | ":*")) => Ok(Pattern::Tool(name.into())),
        (ToolKind::Command, Some(line)) => command(line).map(Pattern::Command).map_err(|why| bad(&why)),
        (ToolKind::Read | ToolKind::Edit, Some(path)) => Glob::parse(path, home)
            .map(|glob| Pattern::File(kind, glob))
            .map_err(|why| bad(&why)),
        (ToolKind::Fetch, Some(host)) => match host.strip_prefix("domain:") {
            Some(host) if !host.is_empty() && !host.contains(['/', ' ']) => Ok(Pattern::Host(host.to_lowercase())),
            _ => Err(bad("a host is written like WebFetch(domain:example.org)")),
        },
        (ToolKind::Other, Some(_)) => Err(bad(
            "only Bash, Read, Edit and WebFetch take something in ( ); name this tool alone",
        )),
    }
}

/// `mcp__github` means every tool of that server.
fn server_too(name: &str) -> String {
    match name.strip_prefix("mcp__") {
        Some(server) if !server.contains("__") && !server.contains('*') => format!("{name}__*"),
        _ => name.to_string(),
    }
}

fn command(line: &str) -> Result<RuleLine, String> {
    let split = |text: &str| shell_words::split(text).map_err(|_| "a quote in it is not closed".to_string());
    let begins = line.strip_suffix(":*");
    let stem = begins.unwrap_or(line);
    if stem.contains(":*") {
        return Err(":* may stand at the end only; a * alone stands for any words".into());
    }
    if begins.is_none() && !line.contains('*') {
        let words = match joins(line) {
            true => Vec::new(),
            false => split(line)?,
        };
        return Ok(RuleLine::Exact {
            text: line.to_string(),
            words,
        });
    }
    // A * in the midst of quoted code would stand for other code.
    let is_inside = stem.contains('*');
    if is_inside && stem.contains(OPERATORS) || joins(stem) {
        return Err("with * it may name one command only; without, it stands for the whole line as it is".into());
    }
    let mut words = split(stem)?;
    if begins.is_some() {
        words.push("*".into());
    }
    Ok(RuleLine::Begins(words))
}

/// What joins commands, or puts one in another.
const OPERATORS: [char; 9] = ['|', '&', ';', '<', '>', '`', '\n', '(', ')'];

/// Those of them that count within double quotes.
const IN_DOUBLE_QUOTES: [char; 3] = ['`', '\n', '('];

/// Whether several commands stand there, or one in another: what is quoted is text.
fn joins(line: &str) -> bool {
    let (mut quote, mut is_escaped) = (None, false);
    line.chars().any(|c| {
        let counts = match quote {
            None => OPERATORS.contains(&c),
            Some('"') => IN_DOUBLE_QUOTES.contains(&c),
            Some(_) => c == '\n',
        };
        if std::mem::take(&mut is_escaped) {
            return c == '\n';
        }
        match (quote, c) {
            (None | Some('"'), '\\') => is_escaped = true,
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None | Some(_), _) => {}
        }
        counts
    })
}

impl RuleLine {
    /// Whether the line means a command with these words.
    pub fn fits(&self, words: &[&str]) -> bool {
        self.spells(words, Between::Nothing)
    }

    /// The same where options, each perhaps with a value, may stand in front of a subcommand.
    pub fn forbids(&self, words: &[&str]) -> bool {
        self.spells(words, Between::Options)
    }

    fn spells(&self, words: &[&str], between: Between) -> bool {
        let (RuleLine::Exact { words: pattern, .. } | RuleLine::Begins(pattern)) = self;
        !pattern.is_empty() && subcommand::ends(pattern, words, 0..=0, between).contains(&words.len())
    }

    /// How many words of a command it names from the first on.
    pub fn named(&self) -> usize {
        let (RuleLine::Exact { words: pattern, .. } | RuleLine::Begins(pattern)) = self;
        pattern.iter().take_while(|word| !word.contains('*')).count()
    }

    /// Whether a command with these words may turn out to be meant when it runs.
    pub fn may_fit(&self, words: &[ShellWord]) -> bool {
        let (RuleLine::Exact { words: start, .. } | RuleLine::Begins(start)) = self;
        unknown_words::may_begin(words, start.iter().map(String::as_str))
    }

    /// Whether its words occur, in this order, in a text that nobody could take apart.
    pub fn occurs_in(&self, tokens: &[&str]) -> bool {
        let (RuleLine::Exact { words: pattern, .. } | RuleLine::Begins(pattern)) = self;
        !pattern.is_empty() && !subcommand::ends(pattern, tokens, 0..=tokens.len(), Between::Options).is_empty()
    }
}

impl Glob {
    fn parse(written: &str, home: &Path) -> Result<Glob, String> {
        if written.split('/').any(|part| part == "..") {
            return Err("a path with .. fits nothing; write it like src/**, ~/notes/** or /etc/**".into());
        }
        let (start, rest) = match written.strip_prefix('~') {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => {
                (globset::escape(&home.to_string_lossy()), rest.to_string())
            }
            Some(_) => return Err("other people's homes are written out, like /home/ada/**".into()),
            None if written.starts_with('/') => (String::new(), format!("/{}", written.trim_start_matches('/'))),
            None => (String::new(), written.trim_start_matches("./").to_string()),
        };
        let mut glob = start + &rest;
        if glob.ends_with('/') {
            glob.push_str("**");
        }
        let built = GlobBuilder::new(&glob).literal_separator(true).build();
        Ok(Glob {
            relative: !glob.starts_with('/'),
            names: glob
                .split('/')
                .filter(|name| !name.contains(GLOB))
                .map(str::to_string)
                .collect(),
            matcher: built.map_err(|e| e.kind().to_string())?.compile_matcher(),
        })
    }

    /// A path with the names of this rule in the place of globs that may stand for them.
    pub fn met_by(&self, path: &str, dots: Dots) -> String {
        let leads = |part: &str, name: &str| match dots {
            Dots::Met => true,
            Dots::Written => !name.starts_with('.') || !part.starts_with(['*', '?', '[']),
        };
        let meets = |part: &str, name: &&String| leads(part, name) && stars(&as_stars(part), name);
        let meet = |part: &'_ str| -> String {
            let name = self.names.iter().find(|name| meets(part, name));
            name.filter(|_| part.contains(GLOB))
                .map_or(part, String::as_str)
                .to_string()
        };
        let parts: Vec<String> = path.split('/').map(meet).collect();
        parts.join("/")
    }

    pub fn fits(&self, path: &str, place: &CallPlace) -> bool {
        match self.relative {
            true => place.relative(path).is_some_and(|path| self.matcher.is_match(path)),
            false => self.matcher.is_match(place.absolute(path)),
        }
    }
}

/// Whether a glob at the beginning of a name stands for the dot of a hidden file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dots {
    /// As in a shell: only a dot that is written stands for it.
    Written,
    Met,
}

impl Dots {
    /// In a command line: a shell can be told that a glob stands for hidden files too.
    pub fn of_line(line: &str) -> Dots {
        let told = ["dotglob", "globdots", "glob_dots", "GLOBIGNORE"];
        match told.iter().any(|name| line.contains(name)) {
            true => Dots::Met,
            false => Dots::Written,
        }
    }
}

/// A host of a rule, and one that is asked for.
pub(super) fn is_host(rule: &str, host: &str) -> bool {
    match rule.strip_prefix("*.") {
        Some(parent) => host.strip_suffix(parent).is_some_and(|below| below.ends_with('.')),
        None => rule == host,
    }
}

/// The words of a command as texts.
pub(super) fn texts(words: &[ShellWord]) -> Vec<&str> {
    words.iter().map(|word| word.text.as_str()).collect()
}

impl Pattern {
    /// Whether every call of the tool `name` is meant.
    pub(super) fn names(&self, name: &str) -> bool {
        match self {
            Pattern::Tool(pattern) => stars(pattern, name),
            Pattern::Command(_) | Pattern::File(..) | Pattern::Host(_) => false,
        }
    }
}

pub(super) fn fits_file(pattern: &Pattern, name: &str, kind: ToolKind, path: &str, place: &CallPlace) -> bool {
    match pattern {
        Pattern::File(of, glob) => *of == kind && glob.fits(path, place),
        Pattern::Tool(_) | Pattern::Command(_) | Pattern::Host(_) => pattern.names(name),
    }
}
