//! Files of one room that import each other in a circle cannot be understood one by one. A name that a module passes on
//! counts as an import of the file that it comes from.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;
use syn::visit::Visit;
use syn::{ItemMod, ItemUse, UseTree, Visibility};

use super::source::{files, is_test};

/// How many files of a room stand in circles. These numbers may only become smaller.
const IN_CIRCLES: [(&str, usize); 0] = [];

pub type Path = Vec<String>;

static NAMED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b(?:crate|super|self)(?:::\w+)+").expect("it is a pattern"));

/// What one file imports, and which names it passes on from where.
#[derive(Default)]
pub struct Imports {
    module: Path,
    used: BTreeSet<Path>,
    passed_on: BTreeMap<String, Path>,
    /// What a name stands for that a `use` brings in.
    named: BTreeMap<String, Path>,
}

impl Imports {
    pub fn of(name: &str, text: &str) -> Imports {
        let stem = name.strip_suffix(".rs").unwrap_or(name);
        let stem = stem.strip_suffix("/mod").unwrap_or(stem);
        let mut imports = Imports {
            module: stem.split('/').map(str::to_string).collect(),
            ..Imports::default()
        };
        imports.visit_file(&syn::parse_file(text).expect("a source file is Rust"));
        imports.follow_names();
        imports
    }

    /// The rooms, or other things at the crate's root, that this file names.
    pub fn rooms(&self) -> BTreeSet<String> {
        let named = self.used.iter().chain(self.passed_on.values());
        named.filter_map(|path| path.first().cloned()).collect()
    }

    /// A path from the root of the crate; `None` where it leads out of it, or may.
    fn absolute(&self, path: &[String]) -> Option<Path> {
        let ups = path.iter().take_while(|part| *part == "super").count();
        match path.first()?.as_str() {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([&self.module, &path[1..]].concat()),
            "super" => {
                let above = self.module.len().checked_sub(ups)?;
                Some([&self.module[..above], &path[ups..]].concat())
            }
            _ => Some([&self.module, path].concat()),
        }
    }

    /// `changes::run` with `use super::changes` is a path that begins there.
    fn follow_names(&mut self) {
        let followed = |path: &Path| {
            let (name, rest) = path.strip_prefix(self.module.as_slice())?.split_first()?;
            let stands_for = self.named.get(name).filter(|_| !rest.is_empty())?;
            Some([stands_for, rest].concat())
        };
        let followed: Vec<Path> = self.used.iter().filter_map(followed).collect();
        self.used.extend(followed);
    }

    fn flatten(&mut self, tree: &UseTree, before: &[String], passes_on: bool) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        let (path, name) = match tree {
            UseTree::Path(path) => return self.flatten(&path.tree, &with(&path.ident), passes_on),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.flatten(tree, before, passes_on);
                }
                return;
            }
            UseTree::Name(name) if name.ident == "self" => (before.to_vec(), None),
            UseTree::Name(name) => (with(&name.ident), Some(name.ident.to_string())),
            UseTree::Rename(name) => (with(&name.ident), Some(name.rename.to_string())),
            UseTree::Glob(_) => (before.to_vec(), None),
        };
        let Some(path) = self.absolute(&path) else { return };
        let called = name.as_ref().or(path.last());
        self.named.extend(called.map(|name| (name.clone(), path.clone())));
        match name.filter(|_| passes_on) {
            Some(name) => drop(self.passed_on.insert(name, path)),
            None => drop(self.used.insert(path)),
        }
    }
}

impl<'ast> Visit<'ast> for Imports {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.flatten(&item.tree, &[], !matches!(item.vis, Visibility::Inherited));
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if item.ident != "tests" {
            syn::visit::visit_item_mod(self, item);
        }
    }

    /// What a macro is given is no syntax yet.
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let text = call.tokens.to_string().replace(" :: ", "::");
        for path in NAMED.find_iter(&text) {
            let parts: Path = path.as_str().split("::").map(str::to_string).collect();
            self.used.extend(self.absolute(&parts));
        }
    }

    /// Who may see a thing is no import.
    fn visit_vis_restricted(&mut self, _: &'ast syn::VisRestricted) {}

    /// A path that begins with a name may begin with that of a module within this one.
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts: Path = path.segments.iter().map(|part| part.ident.to_string()).collect();
        if parts.len() > 1 {
            self.used.extend(self.absolute(&parts));
        }
        syn::visit::visit_path(self, path);
    }
}

/// The file that a path leads to, through what modules pass on.
fn file_of(all: &BTreeMap<Path, Imports>, path: &[String]) -> Option<Path> {
    let (module, rest) = (1..=path.len())
        .rev()
        .map(|at| path.split_at(at))
        .find(|(module, _)| all.contains_key(*module))?;
    let passed_on = rest.first().and_then(|name| all[module].passed_on.get(name));
    match passed_on {
        Some(from) if from.as_slice() != path => file_of(all, &[from, &rest[1..]].concat()),
        Some(_) | None => Some(module.to_vec()),
    }
}

/// All files that this one needs, at whatever distance.
fn reached<'a>(edges: &'a BTreeMap<Path, BTreeSet<Path>>, from: &'a Path) -> BTreeSet<&'a Path> {
    let mut reached = BTreeSet::new();
    let mut next = vec![from];
    while let Some(file) = next.pop() {
        next.extend(edges[file].iter().filter(|to| reached.insert(*to)));
    }
    reached
}

/// Which files of its own room each file imports.
pub fn edges() -> BTreeMap<Path, BTreeSet<Path>> {
    let sources = files().into_iter().filter(|(name, ..)| !is_test(name));
    edges_among(sources.map(|(name, _, text)| Imports::of(&name, &text)))
}

fn edges_among(files: impl Iterator<Item = Imports>) -> BTreeMap<Path, BTreeSet<Path>> {
    let all: BTreeMap<Path, Imports> = files.map(|imports| (imports.module.clone(), imports)).collect();
    all.iter()
        .map(|(file, imports)| {
            let used = imports.used.iter().filter_map(|path| file_of(&all, path));
            let near = used.filter(|to| to != file && to[0] == file[0]);
            (file.clone(), near.collect())
        })
        .collect()
}

#[test]
fn a_path_through_an_imported_module_leads_to_its_file() {
    let files = [
        ("screen/tab.rs", "pub mod changes; fn f() { changes::run() }"),
        ("screen/tab/changes/mod.rs", "mod press; pub use press::run;"),
        ("screen/tab/changes/press.rs", "pub fn run() {}"),
    ];
    let edges = edges_among(files.iter().map(|(name, text)| Imports::of(name, text)));
    let path = |name: &str| -> Path { name.split("::").map(str::to_string).collect() };
    assert!(edges[&path("screen::tab")].contains(&path("screen::tab::changes::press")));
}

#[test]
fn files_of_a_room_form_no_circle() {
    let edges = edges();
    let mut circles: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for file in edges.keys().filter(|file| reached(&edges, file).contains(file)) {
        circles.entry(file[0].as_str()).or_default().push(file.join("::"));
    }
    let found: BTreeMap<&str, usize> = circles.iter().map(|(room, files)| (*room, files.len())).collect();
    let listed = BTreeMap::from(IN_CIRCLES);
    assert_eq!(found, listed, "in circles: {circles:#?}");
}
