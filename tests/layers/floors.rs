//! The files of the domain stand on floors. Each imports from its own floor and from those below; what is above is told
//! by an `Upward`.

use super::cycles::edges;

/// The floors, the lowest first, and the modules on each. A module within one of these stands on the same floor, unless it
/// is listed itself or its name says where it stands.
const FLOORS: [(&str, &[&str]); 8] = [
    (
        "data",
        &[
            "agent::draft",
            "agent::dedup",
            "agent::open_tool",
            "agent::state",
            "agents",
            "requester",
            "attention",
            "call",
            "chats",
            "effect",
            "event",
            "approval::card",
            "approval::question",
            "approval::shown_cards",
            "journal",
            "notice",
            "read",
            "server",
            "setting",
            "size",
            "then",
            "trash",
            "write_trouble",
            "written_prompt",
        ],
    ),
    (
        "chat",
        &[
            "chat",
            "for_model",
            "opening",
            "project",
            "reply",
            "storage",
            "todo",
            "usage::stop",
        ],
    ),
    ("agent", &["agent"]),
    ("approval", &["approval"]),
    ("beside", &["auxiliary", "edit", "keep", "review", "script"]),
    ("team", &["creation", "duplicate", "query", "removal", "team", "usage"]),
    ("schedule", &["schedule"]),
    (
        "whole",
        &[
            "ask",
            "disk",
            "floors",
            "login",
            "lookup",
            "pane",
            "tool",
            "maintenance",
        ],
    ),
];

/// Modules of these names stand there in whichever folder: what a noun knows and has workers do, and what goes on with
/// finished work.
const BY_NAME: [(&str, &str); 3] = [("state", "data"), ("work", "data"), ("done", "whole")];

/// `None` for a module that is not listed.
fn floor(module: &[String]) -> Option<usize> {
    let place = |name: &str| FLOORS.iter().position(|(floor, _)| *floor == name);
    let listed = |name: &str| FLOORS.iter().position(|(_, modules)| modules.contains(&name));
    let last = module.last()?;
    if let Some((_, floor)) = BY_NAME.iter().find(|(name, _)| name == last) {
        return place(floor);
    }
    let lengths = (2..=module.len()).rev();
    lengths
        .map(|length| module[1..length].join("::"))
        .find_map(|name| listed(&name))
}

#[test]
fn no_floor_of_the_domain_imports_from_above() {
    let mut broken = Vec::new();
    let edges = edges();
    // The entry of the room only passes names on.
    let files = edges.iter().filter(|(file, _)| file[0] == "domain" && file.len() > 1);
    for (from, imported) in files {
        let name = from.join("::");
        let Some(own) = floor(from) else {
            broken.push(format!("{name} is on no floor"));
            continue;
        };
        for to in imported {
            if let Some(above) = floor(to).filter(|to| *to > own) {
                let (own, above) = (FLOORS[own].0, FLOORS[above].0);
                broken.push(format!("{name} ({own}) imports {} ({above})", to.join("::")));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
