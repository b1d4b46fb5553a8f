//! `parlour man`: the manual pages, made from the words that `--help` has.

use std::fs;
use std::io;
use std::path::Path;

use clap::{Command, CommandFactory};
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
    fs::create_dir_all(dir).map_err(|error| Problem::fault(doing(), error))?;
    let pages = pages().doing(doing())?;
    for (name, page) in &pages {
        fs::write(dir.join(name), page).map_err(|error| Problem::fault(doing(), error))?;
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
    let mut all = ParlourArgs::command().disable_help_subcommand(true);
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
    man.render_synopsis_section(&mut page)?;
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
