//! What the projects of a chat say to agents in files of their own, made fit to stand in a text of ours.
//!
//! A CLI reads such a file as it stands once it is started there, so its words are instructions; but they are a
//! repository's. They stand indented, as Markdown's literal text: that ends no section of ours, begins none, and the CLIs
//! that follow `@path` in instructions do not follow it there.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::surroundings::{Opened, Own, Surroundings, environment, opened, plain};
use super::{Error, Home, projects};
use crate::fs::{self, Dir};
use crate::model::text::is_hidden;
use crate::model::{Chat, ChatId};

/// The first of these that is a file of the project's own. `CLAUDE.md` often is a link to the first, or the other way round.
const FILES: [&str; 3] = ["AGENTS.md", "CLAUDE.md", "GEMINI.md"];
/// Bytes of one file.
const ONE: usize = 16 << 10;
/// Bytes of all that stand in one `AGENTS.md`: Codex reads 32 KiB of it and drops the rest.
const ALL: usize = 24 << 10;
/// Bytes of what a hook brings: Claude Code shows no more than the beginning of an answer over 10,000 characters.
const BY_HOOK: usize = 8 << 10;
const INDENT: &str = "    ";
/// What begins an element by which parlour or a CLI speaks to the agent.
///
/// A `>` stands for the end of the name.
const RESERVED: [&str; 9] = [
    "parlour:",
    "environment_context",
    "directories>",
    "dir>",
    "cwd>",
    "shell>",
    "system-reminder",
    "instructions>",
    "user_instructions",
];

impl Home {
    /// What an agent is told when it comes into a project: that project's instructions, those of the directories below it
    /// that it came through, and where it is now. None where it came through a project that it knows, and nothing is new.
    pub fn arrival(&self, id: &ChatId, into: &Arriving<'_>, around: &Surroundings) -> Result<Option<String>, Error> {
        let chat = self.load(id)?;
        let dir = self.chat_dir(id)?;
        let mut directories = opened(&chat);
        let is_it = |directory: &&mut Opened| directory.path.file_name().is_some_and(|name| name == into.project);
        let mut is_news = into.enters;
        for directory in directories.iter_mut().filter(is_it) {
            if into.enters {
                directory.own = read(&dir, &chat, into.project);
            }
            for own in nested(&dir, &chat, into.project, into.below) {
                if !directory.own.iter().any(|known| known.path == own.path) {
                    directory.own.push(own);
                    is_news = true;
                }
            }
        }
        if !is_news {
            return Ok(None);
        }
        let mut text = String::from(match into.enters {
            true => "You are in another project now.\n",
            false => "You are in a directory with instructions of its own now.\n",
        });
        sections(&mut text, &directories, BY_HOOK);
        text.push_str(&environment(&directories, around));
        Ok(Some(text))
    }
}

/// Where an agent comes to.
#[derive(Clone, Copy, Debug)]
pub struct Arriving<'a> {
    pub project: &'a str,
    /// It was elsewhere before.
    pub enters: bool,
    /// Directories of the project that are new to it.
    pub below: &'a [PathBuf],
}

/// The instructions that lie in directories of a project, outermost first.
pub(super) fn nested(chat: &Dir, of: &Chat, project: &str, below: &[PathBuf]) -> Vec<Own> {
    let recorded = of.record.dirs.iter().find(|dir| dir.name == project);
    let Some(dir) = projects::open(chat, project, recorded) else {
        return Vec::new();
    };
    let place = Path::new("projects").join(project);
    let found = below
        .iter()
        .filter_map(|below| first_of(&dir.dir(below).ok()?, &place.join(below)));
    found.collect()
}

/// The instructions of a project, from its own files. What cannot be read is left out: it may be anybody's.
pub(super) fn read(chat: &Dir, of: &Chat, project: &str) -> Vec<Own> {
    let recorded = of.record.dirs.iter().find(|dir| dir.name == project);
    let Some(dir) = projects::open(chat, project, recorded) else {
        return Vec::new();
    };
    let place = Path::new("projects").join(project);
    let subdir = recorded.and_then(|dir| dir.subdir.clone());
    let mut own: Vec<Own> = first_of(&dir, &place).into_iter().collect();
    if let Some(subdir) = subdir
        && let Ok(below) = dir.dir(&subdir)
    {
        own.extend(first_of(&below, &place.join(subdir)));
    }
    own
}

fn first_of(dir: &Dir, place: &Path) -> Option<Own> {
    FILES.iter().find_map(|file| {
        let (text, longer) = beginning(dir, file).ok()??;
        let text = tamed(&text);
        let shown = whole_lines(&text, ONE);
        let longer = longer || shown.len() < text.len();
        let own = Own {
            path: place.join(file),
            text: shown.to_string(),
            longer,
        };
        (longer || !own.text.is_empty()).then_some(own)
    })
}

/// So many whole lines of a file as are of use, and whether there is more.
fn beginning(dir: &Dir, file: &str) -> Result<Option<(String, bool)>, fs::Error> {
    let Some(open) = dir.open_file(file)? else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    // What cannot be read to its end counts as far as it was read.
    let longer = open.take(ONE as u64 + 1).read_to_end(&mut bytes).is_err() || bytes.len() > ONE;
    let text = String::from_utf8_lossy(&bytes);
    let end = match longer {
        true => text.rfind('\n').unwrap_or_default(),
        false => text.len(),
    };
    Ok(Some((text[..end].to_string(), longer)))
}

/// Without what is hidden or would speak in another's name.
fn tamed(text: &str) -> String {
    let plain: String = text
        .chars()
        .filter(|c| matches!(c, '\n' | '\t') || !is_hidden(*c))
        .collect();
    let mut tamed = String::with_capacity(plain.len());
    for (at, c) in plain.char_indices() {
        match c {
            '<' if is_reserved(&plain[at + 1..]) => tamed.push_str("&lt;"),
            c => tamed.push(c),
        }
    }
    tamed.truncate(tamed.trim_end().len());
    tamed
}

fn is_reserved(rest: &str) -> bool {
    let name = rest.trim_start_matches(|c: char| matches!(c, '/' | '!' | '-') || c.is_whitespace());
    let begins = |word: &&str| {
        let stem = word.trim_end_matches('>');
        let same = name
            .get(..stem.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(stem));
        let ends = |c: char| matches!(c, '>' | '/') || c.is_whitespace();
        same && (stem == *word || name[stem.len()..].chars().next().is_none_or(ends))
    };
    RESERVED.iter().any(begins)
}

/// The whole lines of a text that fit into so many bytes, as they are written: indented.
fn whole_lines(text: &str, most: usize) -> &str {
    let (mut end, mut cost) = (0, 0);
    for line in text.split_inclusive('\n') {
        cost += INDENT.len() + line.len();
        if cost > most {
            return text[..end].trim_end_matches('\n');
        }
        end += line.len();
    }
    text
}

/// Sections for the instructions of all these directories, in one file.
pub(super) fn in_file(text: &mut String, directories: &[Opened]) {
    sections(text, directories, ALL);
}

fn sections(text: &mut String, directories: &[Opened], most: usize) {
    let mut left = most;
    for directory in directories {
        section(text, directory, &mut left);
    }
}

fn section(text: &mut String, directory: &Opened, left: &mut usize) {
    for own in &directory.own {
        let label = match &directory.label {
            Some(label) => format!("label {}, ", plain(label)),
            None => String::new(),
        };
        let path = |path: &Path| plain(&path.display().to_string());
        text.push_str(&format!(
            "\n## Instructions of {} ({label}mode {})\n\nFrom {}, for work in that directory alone:\n\n",
            path(&directory.path),
            directory.mode.word(),
            path(&own.path),
        ));
        let shown = whole_lines(&own.text, *left);
        *left = left.saturating_sub(shown.len() + INDENT.len() * shown.lines().count());
        for line in shown.lines() {
            text.push_str(&format!("{INDENT}{line}\n"));
        }
        if own.longer || shown.len() < own.text.len() {
            text.push_str(&format!(
                "\nIt is longer than this: read {} from line {} on before you work there.\n",
                path(&own.path),
                shown.lines().count() + 1
            ));
        }
    }
}
