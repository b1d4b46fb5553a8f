//! A type name has one meaning in the whole crate. A name that several files define makes a reader ask which one is meant.

use std::collections::{BTreeMap, BTreeSet};

use syn::Item;

use super::source::files;

/// How many names are defined in more than one file. This number may only shrink: the two types are
/// in different modules for a reason.
const MOST_SHARED: usize = 10;

/// The struct, enum, trait or alias that an item at the top level of a file defines.
fn type_name(item: &Item) -> Option<String> {
    match item {
        Item::Struct(item) => Some(item.ident.to_string()),
        Item::Enum(item) => Some(item.ident.to_string()),
        Item::Trait(item) => Some(item.ident.to_string()),
        Item::Type(item) => Some(item.ident.to_string()),
        _ => None,
    }
}

#[test]
fn a_type_name_has_one_meaning() {
    let mut defined: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (file, _, text) in files() {
        let parsed = syn::parse_file(&text).expect("a source file is Rust");
        for name in parsed.items.iter().filter_map(type_name) {
            defined.entry(name).or_default().insert(file.clone());
        }
    }
    defined.retain(|_, files| files.len() > 1);
    let listed: Vec<String> = defined
        .iter()
        .map(|(name, files)| format!("{name}: {}", Vec::from_iter(files.iter().cloned()).join(", ")))
        .collect();
    let shared = defined.len();
    assert!(
        shared <= MOST_SHARED,
        "{shared} type names are defined in more than one file, {MOST_SHARED} are allowed:\n{}",
        listed.join("\n")
    );
}
