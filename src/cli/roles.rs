//! `parlour roles`: what a chat can be started with, shown and copied, from disk and without an engine.

use std::env;
use std::path::Path;

use anyhow::Context;
use serde_json::json;

use super::args::{Roles, RolesVerb};
use super::output::{OutputForm, OutputLook, OutputTone, show};
use super::person_only;
use super::table::{TableCell, cell, table};
use crate::fs::Dir;
use crate::model::text::visible;
use crate::model::{Problem, RoleEntry};
use crate::{config, git};

pub fn run(home: &Path, form: OutputForm, of: Roles) -> anyhow::Result<()> {
    let here = env::current_dir().context("looking where you are")?;
    let root = git::root(&here);
    let roots: Vec<&Path> = root.iter().map(|root| root.as_path()).collect();
    let own = match Dir::open(home) {
        Err(error) if error.is_missing() => None,
        own => Some(own.context("opening your home")?),
    };
    match of.verb {
        None => {
            let roles = config::roles(&roots, own.as_ref());
            show(form, &json!({ "roles": roles }), |look| words(&roles, look))
        }
        Some(RolesVerb::Show { name }) => {
            let (text, path) = config::role_source(&name, &roots, own.as_ref())?;
            let told = json!({"name": name, "path": path, "text": text});
            show(form, &told, |_| text_of(&text))
        }
        Some(RolesVerb::Copy { name, repository }) => {
            if !repository {
                // As a role of a person it may allow what it asks for now.
                person_only::under_an_agent(&copying(&name))?;
            }
            let (text, _) = config::role_source(&name, &roots, own.as_ref())?;
            let into = match (repository, &root) {
                (false, _) => Dir::open_or_create(home)?.create_dir("roles")?,
                (true, Some(root)) => Dir::open(root)?.create_dir(".parlour/roles")?,
                (true, None) => {
                    let cause = format!("{} lies in no git repository", here.display());
                    return Err(
                        Problem::missing(copying(&name), cause, "go into one, or leave --repository out").into(),
                    );
                }
            };
            copy(&name, &text, &into)?;
            let path = into.path().join(format!("{name}.md"));
            let allows = match repository {
                true => Vec::new(),
                false => config::role(&name, &[], &Dir::open(home)?)?.permissions.allow,
            };
            let told = json!({"name": name, "path": path, "allows": allows});
            show(form, &told, |_| copied_words(&path, &allows))
        }
    }
}

fn copying(name: &str) -> String {
    format!("copying the role {}", visible(name))
}

/// Never over a file that is there: it may hold a person's own words.
fn copy(name: &str, text: &str, into: &Dir) -> anyhow::Result<()> {
    let file = format!("{name}.md");
    let path = into.path().join(&file);
    if into.metadata(&file)?.is_some() {
        let cause = format!("{} is there already", path.display());
        return Err(Problem::new(copying(name), cause, "edit that file").into());
    }
    into.write_atomic(&file, text)?;
    Ok(())
}

fn copied_words(path: &Path, allows: &[String]) -> String {
    let path = visible(&path.to_string_lossy());
    let mut words = format!("{path}\nIt goes before the one that it is a copy of, for chats made from now on.\n");
    if !allows.is_empty() {
        let rules = visible(&allows.join(", "));
        words.push_str(&format!(
            "As a role of your own it allows {rules}: edit it if you do not want that.\n"
        ));
    }
    words
}

/// Markdown is many lines, each made visible.
fn text_of(text: &str) -> String {
    text.lines().map(|line| visible(line) + "\n").collect()
}

fn words(roles: &[RoleEntry], look: &OutputLook) -> String {
    let heading = ["ROLE", "FROM", "AGENT", "MODEL", "DESCRIPTION"];
    let mut rows = vec![heading.map(|word| cell(OutputTone::Quiet, word)).into()];
    rows.extend(roles.iter().map(row));
    table(look, &rows)
}

fn row(role: &RoleEntry) -> Vec<TableCell> {
    let wanted = |what: &Option<String>| what.clone().unwrap_or_else(|| "any".into());
    let last = match &role.damage {
        Some(why) => cell(OutputTone::Bad, &format!("cannot be read: {why}")),
        None => cell(OutputTone::Plain, &role.description),
    };
    vec![
        cell(OutputTone::Heading, &role.name),
        cell(OutputTone::Quiet, role.from.word()),
        cell(OutputTone::Plain, &wanted(&role.llm)),
        cell(OutputTone::Plain, &wanted(&role.model)),
        last,
    ]
}
