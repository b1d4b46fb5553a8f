//! Goes to a file by a few letters of its path.

use super::choice::{DiffChoice, DiffList};
use super::data::{ChangesPart, ChangesView};
use super::file_key::FileKey;
use super::tree;
use crate::screen::dialog::{ChoiceItem, Choose, Dialog};
use crate::screen::view::View;

pub fn open(view: &mut View) {
    let list = Choose::new(DiffList::Files, items(&view.changes));
    view.over.dialog = Some(list.into());
}

/// Other files differ now: an open list offers those.
pub fn renew(view: &mut View) {
    if let Some(Dialog::Choose(list)) = &mut view.over.dialog
        && list.list == DiffList::Files
    {
        list.set_items(items(&view.changes));
    }
}

fn items(changes: &ChangesView) -> Vec<ChoiceItem> {
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
    tree::all_files(changes).into_iter().filter_map(item).collect()
}

pub fn go(view: &mut View, key: &FileKey) {
    tree::go_to(view, key);
    view.changes.part = ChangesPart::Lines;
}
