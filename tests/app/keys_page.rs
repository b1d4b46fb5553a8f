//! `docs/keys.md` and the keys in README say what the tables say.

use std::fs;

use parlour::model::Settings;
use parlour::screen::dialog::tables;
use parlour::screen::keymap::{Keymap, Table, shown};
use parlour::screen::surface::{InPane, Surface};
use parlour::term::key::parse;

use crate::support::page::{document, holds};

/// The end of what is written by hand.
const MARK: &str = "keys_page -->\n";

fn row(keys: &str, title: &str, name: &str) -> String {
    let name = match name {
        "" => String::new(),
        name => format!("`{name}`"),
    };
    // A bar would end the cell, also between backticks.
    format!("| {} | {title} | {name} |\n", keys.replace('|', "\\|"))
}

/// The tables as the page has them, behind links to each.
fn page() -> String {
    let tables = tables_of_keys();
    let headings = tables.lines().filter_map(|line| line.strip_prefix("## "));
    let links = headings.map(|heading| format!("- [{heading}](#{})\n", anchor(heading)));
    format!("\n{}{tables}", links.collect::<String>())
}

/// As hosts of repositories make one of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || *c == ' ');
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

fn tables_of_keys() -> String {
    let map = Keymap::of(&Settings::default());
    let (mut page, mut heading) = (String::new(), "");
    let mut begin = |page: &mut String, new: &'static str| {
        if heading != new {
            heading = new;
            page.push_str(&format!("\n## {new}\n\n| key | does | name |\n|---|---|---|\n"));
        }
    };
    for table in Table::all() {
        for command in table.own() {
            begin(&mut page, command.command.heading());
            let keys = map.keys(command.command);
            let keys: Vec<String> = keys.split_whitespace().map(|key| format!("`{key}`")).collect();
            let keys = match table {
                Table::AfterLeader => format!("`{}` {}", map.leader(), keys.join(" ")),
                _ => keys.join(" "),
            };
            page.push_str(&row(&keys, command.title, command.command.name().unwrap_or_default()));
        }
    }
    for (heading, lines) in tables::all() {
        begin(&mut page, heading);
        for line in lines {
            let keys = line.keys.iter().map(|key| format!("`{}`", shown(parse(key).unwrap())));
            page.push_str(&row(&keys.collect::<Vec<_>>().join(" "), line.title, ""));
        }
    }
    page
}

#[test]
fn the_page_of_keys_is_made_from_the_tables() {
    holds("docs/keys.md", MARK, &page());
}

/// The keys of the tables that show the most wanted ones.
#[test]
fn the_keys_that_other_documents_show_are_in_the_tables() {
    let map = Keymap::of(&Settings::default());
    let outside = [Surface::Sidebar(InPane::Agent), Surface::Leader];
    let known: Vec<String> = outside
        .iter()
        .flat_map(|surface| surface.tables())
        .flat_map(|table| table.own())
        .flat_map(|command| {
            map.keys(command.command)
                .split(' ')
                .map(String::from)
                .collect::<Vec<_>>()
        })
        .collect();
    for name in ["README.md", "docs/screen.md"] {
        let text = fs::read_to_string(document(name)).unwrap();
        let table = text.lines().skip_while(|line| !line.starts_with("| key |")).skip(2);
        let mut count = 0;
        for line in table.take_while(|line| line.starts_with('|')) {
            let cells: Vec<&str> = line.split(" | ").collect();
            for cell in cells.iter().step_by(2) {
                for key in cell.split('`').skip(1).step_by(2) {
                    assert!(known.iter().any(|known| known == key), "{name}: {key}");
                    count += 1;
                }
            }
        }
        assert!(count > 9, "{name}: {count}");
    }
}
