//! Commands that the documents and the help show are ones that parlour takes.

use std::fs;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{Command, CommandFactory};
use regex::Regex;

use super::super::args::ParlourArgs;
use super::super::run;

/// Chats that examples open by their name alone. Any other single word would be taken for one too.
const CHATS: [&str; 2] = ["fix-auth", "CHAT"];

/// What separates one command of a line from the next.
const BETWEEN: [&str; 8] = ["|", "&&", "||", ";", ">", ">>", "<", "&"];

/// Where something is said, by how much commands are indented there, and what.
type ShownText = (String, usize, String);

fn documents() -> Vec<ShownText> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = |folder: &str| fs::read_dir(root.join(folder)).unwrap().flatten();
    let in_folders = ["docs", "skills"].into_iter().flat_map(pages).map(|page| page.path());
    let named = ["README.md", "CONTRIBUTING.md"].map(|name| root.join(name));
    let pages = in_folders.filter(|path| path.extension().is_some_and(|end| end == "md"));
    let read = |path: PathBuf| {
        let name = path.strip_prefix(root).unwrap().display().to_string();
        (name, 4, fs::read_to_string(path).unwrap())
    };
    pages.chain(named).map(read).collect()
}

/// The help of all verbs.
fn help(command: &Command, all: &mut Vec<ShownText>) {
    if let Some(said) = command.get_after_help() {
        all.push((format!("--help of {}", command.get_name()), 2, said.to_string()));
    }
    command.get_subcommands().for_each(|verb| help(verb, all));
}

/// Lines of code, which are indented by so much, with what goes on in the next line.
fn lines(text: &str, least: usize) -> Vec<String> {
    let mut fenced = false;
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        }
        let inner = line.trim_start();
        let indent = line.len() - inner.len();
        if !fenced && indent < least {
            continue;
        }
        let continued = lines.last().is_some_and(|last| last.ends_with('\\'));
        match lines.last_mut() {
            Some(last) if continued || (indent >= 12 && last.starts_with("parlour ")) => {
                *last = format!("{} {inner}", last.trim_end_matches('\\'));
            }
            _ => lines.push(inner.to_owned()),
        }
    }
    lines
}

/// What stands between backticks in the text.
fn inline(text: &str) -> Vec<String> {
    let flowing: Vec<&str> = text.lines().filter(|line| !line.starts_with("    ")).collect();
    let quoted = Regex::new(r"`(parlour\s[^`]+)`").unwrap();
    let text = flowing.join("\n");
    let found = quoted.captures_iter(&text);
    found
        .map(|found| found[1].split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

/// A line that says which words a verb may have, and is none to type.
fn is_synopsis(line: &str) -> bool {
    let choice = Regex::new(r"[\w-]\|[\w-]").unwrap();
    line.contains(['[', '…', '·']) || choice.is_match(line)
}

/// What a person would type, without what a document says of it behind three blanks.
fn commands(line: &str) -> Vec<Vec<String>> {
    let typed = line.split("   ").next().unwrap_or_default();
    let words = shell_words::split(typed).unwrap_or_default();
    let commands = words.split(|word| BETWEEN.contains(&word.as_str()) || word == "#");
    let ours = commands.filter_map(|words| {
        let begin = words.iter().position(|word| !word.contains('='))?;
        let end = words
            .iter()
            .position(|word| word.starts_with('#'))
            .unwrap_or(words.len());
        (words[begin] == "parlour").then(|| words[begin..end].to_vec())
    });
    ours.collect()
}

/// With numbers where a document has a letter for one.
fn filled(words: Vec<String>) -> Vec<String> {
    let fill = |word: String| match word.as_str() {
        "N" | "ID" | "S" => "1".to_owned(),
        "SHELL" => "bash".into(),
        _ => word,
    };
    words.into_iter().map(fill).collect()
}

fn refused(words: Vec<String>) -> Option<String> {
    let single = words.get(1).filter(|word| words.len() == 2 && !word.starts_with('-'));
    let known = ParlourArgs::command();
    if let Some(word) = single
        && known.find_subcommand(word).is_none()
        && !CHATS.contains(&word.as_str())
    {
        return Some(format!("{word} is no verb"));
    }
    let wrong = run::read(words.into_iter().map(Into::into)).err()?;
    match wrong.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::MissingRequiredArgument
        | ErrorKind::MissingSubcommand
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => None,
        _ => Some(wrong.to_string()),
    }
}

/// The verbs and options of a synopsis that parlour does not have.
fn unknown(line: &str) -> Vec<String> {
    let option = Regex::new(r"(?:^|[\s\[|(])(--[a-z][a-z-]*)").unwrap();
    let all = ParlourArgs::command();
    let mut unknown = Vec::new();
    for piece in line.split(" · ") {
        let piece = piece
            .trim()
            .trim_start_matches("parlour ")
            .split("   ")
            .next()
            .unwrap_or_default();
        let verbs = piece.split(' ').next().unwrap_or_default();
        if !verbs.starts_with(|c: char| c.is_ascii_lowercase()) {
            continue;
        }
        for verb in verbs.split('|') {
            let Some(command) = all.find_subcommand(verb).or_else(|| nested(&all, verb)) else {
                unknown.push(format!("{verb} is no verb"));
                continue;
            };
            let options = option.captures_iter(piece).map(|found| found[1].to_owned());
            unknown.extend(
                options
                    .filter(|option| !has(command, option))
                    .map(|option| format!("{verb} {option}")),
            );
        }
    }
    unknown
}

/// A verb of a verb, as `schedule list · show` names it.
fn nested<'a>(all: &'a Command, name: &str) -> Option<&'a Command> {
    all.get_subcommands().find_map(|verb| verb.find_subcommand(name))
}

fn has(command: &Command, option: &str) -> bool {
    let long = option.trim_start_matches("--");
    let own = command.get_arguments().any(|known| {
        let others = known.get_all_aliases().unwrap_or_default();
        known.get_long() == Some(long) || others.contains(&long)
    });
    own || ["json", "help"].contains(&long) || command.get_subcommands().any(|verb| has(verb, option))
}

#[test]
fn commands_that_are_shown_are_taken() {
    let mut shown = documents();
    help(&ParlourArgs::command(), &mut shown);
    let mut wrong = Vec::new();
    let mut count = 0;
    for (place, least, text) in shown {
        for line in lines(&text, least).into_iter().chain(inline(&text)) {
            if is_synopsis(&line) {
                if line.starts_with("parlour ") {
                    wrong.extend(unknown(&line).into_iter().map(|why| format!("{place}: {line}: {why}")));
                }
                continue;
            }
            for words in commands(&line) {
                count += 1;
                wrong.extend(refused(filled(words)).map(|why| format!("{place}: {line}: {why}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 300, "only {count} were found");
}

/// Its options and those of the verbs below it, by all their names.
fn options(command: &Command, all: &mut Vec<Vec<String>>) {
    let shown = command.get_arguments().filter(|known| !known.is_hide_set());
    for known in shown.filter(|known| known.get_long().is_some()) {
        let long = known.get_long().into_iter();
        let long = long.chain(known.get_visible_aliases().unwrap_or_default());
        let short = known.get_short().map(|short| format!("-{short}"));
        all.push(long.map(|name| format!("--{name}")).chain(short).collect());
    }
    command.get_subcommands().for_each(|verb| options(verb, all));
}

/// What a list of synopses says of a verb, word by word.
fn said_of<'l>(list: &'l [String], verb: &Command) -> Vec<&'l str> {
    let names = |piece: &&str| {
        let first = piece
            .trim_start_matches("parlour ")
            .split(' ')
            .next()
            .unwrap_or_default();
        first.split('|').any(|name| name == verb.get_name())
    };
    let mut said = Vec::new();
    for line in list {
        let has_verbs = verb.get_subcommands().next().is_some() && names(&line.as_str());
        let pieces = line.split(" · ").filter(|piece| has_verbs || names(piece));
        said.extend(pieces.flat_map(|piece| piece.split(|c: char| !c.is_ascii_alphanumeric() && c != '-')));
    }
    said
}

#[test]
fn the_list_of_verbs_has_every_option() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/shell.md")).unwrap();
    let list = lines(page.split("## Errors").next().unwrap(), 4);
    let all = ParlourArgs::command();
    let mut missing = Vec::new();
    // The verbs of `chat` are `new`, `rm` and others without options.
    let shown = all
        .get_subcommands()
        .filter(|verb| !verb.is_hide_set() && verb.get_name() != "chat");
    for verb in shown {
        let said = said_of(&list, verb);
        let mut wanted = Vec::new();
        options(verb, &mut wanted);
        let left_out = wanted
            .iter()
            .filter(|names| !names.iter().any(|name| said.contains(&name.as_str())));
        missing.extend(left_out.map(|names| format!("{} {}", verb.get_name(), names[0])));
    }
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn a_command_that_is_wrong_would_be_found() {
    let wrong = |line: &str| {
        commands(line)
            .into_iter()
            .filter_map(|words| refused(filled(words)))
            .count()
    };
    assert_eq!(wrong("git diff | parlour query 'Review this'"), 0);
    assert_eq!(wrong("PARLOUR_HOME=/tmp/try parlour lst"), 1);
    assert_eq!(wrong("parlour diff fix-auth --turns 2   what it led to"), 1);
    assert_eq!(
        unknown("parlour stop CHAT [--trees] · resume CHAT|--all"),
        ["stop --trees"]
    );
}
