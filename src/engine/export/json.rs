//! The entries as they are in the transcript, with what is known of the chat. `text` of the end of a call is its whole
//! output, where `preview` is only the beginning.

use serde_json::json;

use super::talk::ExportedTalk;

pub fn write(talk: &ExportedTalk) -> String {
    let record = &talk.chat.record;
    let projects: Vec<_> = talk
        .chat
        .projects
        .iter()
        .map(|project| json!({"name": project.name, "branch": project.branch}))
        .collect();
    let told = json!({
        "v": 1,
        "chat": {
            "id": record.id, "handle": talk.handle, "name": record.name, "llm": record.llm,
            "created": record.created, "projects": projects,
        },
        "unread": talk.unread,
        "entries": talk.entries,
    });
    format!("{told:#}\n")
}
