//! What of a fresh clone is not as a person's own git would have made it: parlour fetches no submodules and runs no filters.

use std::collections::BTreeSet;
use std::path::Path;

use git2::{Index, Repository};

use super::read;
use super::unsaved::SUBMODULE;
use crate::model::text::one_line;

const ATTRIBUTES: &[u8] = b".gitattributes";
/// Bytes of a file of attributes.
const LARGEST: usize = 1 << 20;
/// So many submodules and filters are named.
const NAMED: usize = 5;
/// So many files of attributes are read.
const READ: usize = 50;
/// Letters of a name.
const LONGEST: usize = 60;

/// A sentence for each, with what makes it whole. A clone of which that cannot be read has none.
pub fn incomplete(clone: &Path) -> Vec<String> {
    let Ok(repository) = read::open(clone) else {
        return Vec::new();
    };
    let Ok(index) = repository.index() else {
        return Vec::new();
    };
    let filters = filters(&repository, &index);
    submodules(&index).into_iter().chain(filters).collect()
}

fn submodules(index: &Index) -> Option<String> {
    let all = index.iter().filter(|entry| entry.mode == SUBMODULE);
    let all: Vec<String> = all.map(|entry| quoted(&String::from_utf8_lossy(&entry.path))).collect();
    let more = match all.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let named = all.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    let (are, they) = match all.len() {
        0 => return None,
        1 => ("the submodule is", "it"),
        _ => ("submodules are", "them"),
    };
    Some(format!(
        "{are} empty: {named}{more}; `git submodule update --init` in the clone fetches {they}"
    ))
}

/// By the attributes of all directories: which files they are for is not looked at.
fn filters(repository: &Repository, index: &Index) -> Vec<String> {
    let is_attributes = |path: &[u8]| path == ATTRIBUTES || path.ends_with(b"/.gitattributes");
    let mut names = BTreeSet::new();
    for entry in index.iter().filter(|entry| is_attributes(&entry.path)).take(READ) {
        let Ok(blob) = repository.find_blob(entry.id) else {
            continue;
        };
        if blob.size() <= LARGEST {
            names.extend(named_in(&String::from_utf8_lossy(blob.content())));
        }
    }
    let told = |name: String| {
        let mend = match name.as_str() {
            "`lfs`" => "`git lfs pull` in the clone fetches them".to_owned(),
            _ => "deleted and checked out again in the clone, they go through it".to_owned(),
        };
        format!("files of the filter {name} are as git stores them; {mend}")
    };
    names.into_iter().take(NAMED).map(told).collect()
}

fn named_in(attributes: &str) -> Vec<String> {
    let lines = attributes.lines().filter(|line| !line.trim_start().starts_with('#'));
    let words = lines.flat_map(|line| line.split_whitespace().skip(1));
    words
        .filter_map(|word| word.strip_prefix("filter="))
        .map(quoted)
        .collect()
}

/// A repository may call things by whole sentences: none of them is to read as parlour's own.
fn quoted(name: &str) -> String {
    format!("`{}`", one_line(name, LONGEST).replace('`', "'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_named_where_attributes_set_them() {
        let text =
            "*.psd filter=lfs diff=lfs merge=lfs -text\n# *.x filter=no\n*.txt text\n*.y -filter\n*.z filter=rot";
        assert_eq!(named_in(text), ["`lfs`", "`rot`"]);
    }
}
