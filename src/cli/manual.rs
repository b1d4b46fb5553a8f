//! `parlour man`: the manual pages, made from the words that `--help` has.

use std::fs;
use std::io;
use std::path::Path;

use clap::{Arg, Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use serde_json::json;

use super::args::ParlourArgs;
use super::output::{OutputForm, show};
use crate::model::text::visible;
use crate::model::{Problem, ResultExt};

const MANUAL: &str = "Manual of parlour";
const EXAMPLES: &str = "Examples:\n";

pub fn run(form: OutputForm, dir: &Path) -> anyhow::Result<()> {
    let doing = || format!("writing the manual into {}", visible(&dir.to_string_lossy()));
    fs::create_dir_all(dir).map_err(|error| Problem::unwritten(doing(), dir, &error))?;
    let pages = pages().doing(doing())?;
    for (name, page) in &pages {
        let path = dir.join(name);
        fs::write(&path, page).map_err(|error| Problem::unwritten(doing(), &path, &error))?;
    }
    let told = json!({ "path": dir, "pages": pages.len() });
    show(form, &told, |_| {
        format!(
            "wrote {} pages into {}; `man parlour` begins, where MANPATH has it\n",
            pages.len(),
            visible(&dir.to_string_lossy())
        )
    })
}

/// File names and pages: parlour's own, and one for each verb that help shows.
pub(super) fn pages() -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut all = with_aliases(ParlourArgs::command().disable_help_subcommand(true));
    all.build();
    let mut pages = Vec::new();
    add(&all, &mut pages)?;
    Ok(pages)
}

fn add(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    let man = Man::new(command.clone()).manual(MANUAL);
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    synopsis(command).to_writer(&mut page)?;
    man.render_options_section(&mut page)?;
    let mut shown = command.get_subcommands().filter(|verb| !verb.is_hide_set()).peekable();
    if shown.peek().is_some() {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(said) = command.get_after_help() {
        examples(&said.to_string()).to_writer(&mut page)?;
    }
    pages.push((man.get_filename(), page));
    shown.try_for_each(|verb| add(verb, pages))
}

/// The pages have no place for the other names of options: each is said with what it does, as `--help` says it.
fn with_aliases(command: Command) -> Command {
    let named = |arg: Arg| {
        let aliases = arg.get_visible_aliases().unwrap_or_default();
        let names: Vec<String> = aliases.iter().map(|alias| format!("--{alias}")).collect();
        match arg.get_help().filter(|_| !names.is_empty()) {
            Some(help) => {
                let help = format!("{help} [also: {}]", names.join(", "));
                arg.help(help)
            }
            None => arg,
        }
    };
    command.mut_args(named).mut_subcommands(with_aliases)
}

/// As `--help` has it: which options take values is said with each.
fn synopsis(command: &Command) -> Roff {
    let usage = command.clone().render_usage().to_string();
    let mut section = Roff::new();
    section.control("SH", ["SYNOPSIS"]);
    section.control("nf", []);
    for line in usage.trim_start_matches("Usage:").trim().lines() {
        section.text([roman(line.trim())]);
    }
    let aliases: Vec<&str> = command.get_visible_aliases().collect();
    if !aliases.is_empty() {
        section.text([roman(format!("also: parlour {}", aliases.join(", ")))]);
    }
    section.control("fi", []);
    section
}

/// Line by line as they are: filled into paragraphs, commands could not be read.
fn examples(said: &str) -> Roff {
    let (heading, lines) = match said.strip_prefix(EXAMPLES) {
        Some(lines) => ("EXAMPLES", lines),
        None => ("NOTES", said),
    };
    let mut section = Roff::new();
    section.control("SH", [heading]);
    section.control("nf", []);
    for line in lines.lines() {
        section.text([roman(line)]);
    }
    section.control("fi", []);
    section
}
