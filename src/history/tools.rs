//! Which tools of the index a filter means: by their names, as a CLI or a person calls them, or by what they do.

use std::collections::BTreeSet;

use rusqlite::params;

use super::Error;
use super::database::{Database, PROJECT, TOOL};
use crate::model::called;
use crate::model::history::no_tool;
use crate::permission::{Sort, sort_of};

/// The numbers that each file has for the tools that one of these means. Each has to mean one.
pub(super) fn meant(shards: &[Database], wanted: &[String]) -> Result<Vec<Vec<i64>>, Error> {
    if wanted.is_empty() {
        return Ok(vec![Vec::new(); shards.len()]);
    }
    let known = shards.iter().map(|database| names(database, TOOL));
    let known: Vec<Vec<(i64, String)>> = known.collect::<Result<_, Error>>()?;
    let all: BTreeSet<&str> = known.iter().flatten().map(|(_, name)| name.as_str()).collect();
    if let Some(unknown) = wanted
        .iter()
        .find(|wanted| !all.iter().any(|name| is_meant(name, wanted)))
    {
        return Err(Error::Asked(Box::new(no_tool(unknown, all.into_iter()))));
    }
    let is_wanted = |name: &str| wanted.iter().any(|wanted| is_meant(name, wanted));
    let numbers = |known: &Vec<(i64, String)>| {
        let meant = known.iter().filter(|(_, name)| is_wanted(name));
        meant.map(|(number, _)| *number).collect()
    };
    Ok(known.iter().map(numbers).collect())
}

/// The numbers of those projects that are in the index.
pub(super) fn projects(database: &Database, wanted: &[String]) -> Result<Vec<i64>, Error> {
    let known = names(database, PROJECT)?;
    let is_wanted = |name: &str| wanted.iter().any(|wanted| wanted.eq_ignore_ascii_case(name));
    Ok(known
        .into_iter()
        .filter(|(_, name)| is_wanted(name))
        .map(|(number, _)| number)
        .collect())
}

fn is_meant(name: &str, wanted: &str) -> bool {
    let known = called(name);
    let (tool, server) = known.split_once(" · ").unwrap_or((&known, ""));
    name.eq_ignore_ascii_case(wanted)
        || tool.eq_ignore_ascii_case(wanted)
        || server.eq_ignore_ascii_case(wanted)
        || sort(wanted).is_some_and(|sort| sort == sort_of(name))
}

fn sort(word: &str) -> Option<Sort> {
    let sorts = [
        ("read", Sort::Read),
        ("write", Sort::Write),
        ("edit", Sort::Edit),
        ("bash", Sort::Bash),
        ("search", Sort::Search),
        ("fetch", Sort::Fetch),
        ("task", Sort::Task),
        ("mcp", Sort::Mcp),
    ];
    let found = sorts.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
    found.map(|(_, sort)| *sort)
}

fn names(database: &Database, kind: i64) -> Result<Vec<(i64, String)>, Error> {
    let read = || -> rusqlite::Result<Vec<(i64, String)>> {
        let mut statement = database
            .connection
            .prepare_cached("SELECT n, name FROM names WHERE kind = ?")?;
        let rows = statement.query_map(params![kind], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.collect()
    };
    read().map_err(|source| database.failed(source))
}
