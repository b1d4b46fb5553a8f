//! Which clone a shell means where it names none: the only one, or where there is none, the only place that is open.

use crate::domain::state::Domain;
use crate::model::text::visible;
use crate::model::{ChatId, Kind, Problem};

/// Puts the name of the only clone, or place, in where there is none. A chat without clones is told of by whoever needs one.
///
/// # Errors
///
/// The chat has several.
pub fn name(state: &Domain, chat: &ChatId, project: &mut String, doing: &str) -> Result<(), Problem> {
    if !project.is_empty() {
        return Ok(());
    }
    let dirs = state
        .disk
        .chats
        .get(chat)
        .into_iter()
        .flat_map(|chat| &chat.record.dirs);
    let (clones, places): (Vec<_>, Vec<_>) = dirs.partition(|dir| dir.kind == Kind::Git);
    let meant = if clones.is_empty() { places } else { clones };
    let clones: Vec<&str> = meant.into_iter().map(|dir| dir.name.as_str()).collect();
    match clones.as_slice() {
        [] => Ok(()),
        [only] => {
            *project = (*only).to_owned();
            Ok(())
        }
        many => {
            let names: Vec<String> = many.iter().map(|name| visible(name)).collect();
            let cause = format!("the chat has {} clones: {}", many.len(), names.join(", "));
            Err(Problem::new(doing, cause, "say which: `--project NAME`"))
        }
    }
}
