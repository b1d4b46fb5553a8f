//! Goes to a file by a few letters of its path.

use super::super::dialog::{ChoiceItem, Choose};
use super::super::view::View;
use super::choice::DiffChoice;
use super::data::ChangesPart;
use super::key::FileKey;
use super::tree;

pub fn open(view: &mut View) {
    let changes = &view.changes;
    let item = |key: FileKey| {
        let change = changes.change(&key)?;
        let note = match change.binary {
            true => "binary".into(),
            false => format!("+{} −{}", change.added, change.removed),
        };
        Some(ChoiceItem {
            letter: None,
            text: format!("{}/{}", key.project, key.path.to_string_lossy()),
            note,
            choice: DiffChoice::File(key),
        })
    };
    let items = tree::all_files(changes).into_iter().filter_map(item).collect();
    let list = Choose::by_letters("Files that differ", items, "no file is called that");
    view.over.dialog = Some(list.into());
}

pub fn go(view: &mut View, key: &FileKey) {
    tree::go_to(view, key);
    view.changes.part = ChangesPart::Lines;
}
