//! `parlour roles`: what a chat can be started with, read from disk without an engine.

use std::env;
use std::path::Path;

use anyhow::Context;
use serde_json::json;

use super::output::{Form, Look, Tone, show};
use super::table::{Cell, cell, table};
use crate::config;
use crate::fs::Dir;
use crate::git;
use crate::model::RoleEntry;

pub fn run(home: &Path, form: Form) -> anyhow::Result<()> {
    let here = env::current_dir().context("looking where you are")?;
    let root = git::root(&here);
    let roots: Vec<&Path> = root.iter().map(|root| root.as_path()).collect();
    let home = match Dir::open(home) {
        Err(error) if error.is_missing() => None,
        home => Some(home.context("opening your home")?),
    };
    let roles = config::roles(&roots, home.as_ref());
    show(form, &json!({ "roles": roles }), |look| words(&roles, look))
}

fn words(roles: &[RoleEntry], look: &Look) -> String {
    let heading = ["ROLE", "FROM", "AGENT", "MODEL", "DESCRIPTION"];
    let mut rows = vec![heading.map(|word| cell(Tone::Quiet, word)).into()];
    rows.extend(roles.iter().map(row));
    table(look, &rows)
}

fn row(role: &RoleEntry) -> Vec<Cell> {
    let wanted = |what: &Option<String>| what.clone().unwrap_or_else(|| "any".into());
    let last = match &role.damage {
        Some(why) => cell(Tone::Bad, &format!("cannot be read: {why}")),
        None => cell(Tone::Plain, &role.description),
    };
    vec![
        cell(Tone::Heading, &role.name),
        cell(Tone::Quiet, role.from.word()),
        cell(Tone::Plain, &wanted(&role.llm)),
        cell(Tone::Plain, &wanted(&role.model)),
        last,
    ]
}
