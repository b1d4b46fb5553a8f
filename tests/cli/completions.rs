//! What a shell is told beside the chats that it may complete.

use std::fs;

use serde_json::json;

use super::engine::{Engine, parlour, stdout};

#[test]
fn a_chat_is_offered_with_the_number_that_the_screen_shows() {
    let engine = Engine::answering(json!({"chats": [{"id": "aaaaaaaaaa", "number": 2}, {"id": "bbbbbbbbbb"}]}));
    for (id, handle, name) in [("aaaaaaaaaa", "fix-auth", "Fix auth"), ("bbbbbbbbbb", "notes", "Notes")] {
        let record = engine.home().join("records").join(id);
        fs::create_dir_all(&record).unwrap();
        let written = json!({"id": id, "handle": handle, "name": name});
        fs::write(record.join("chat.json"), written.to_string()).unwrap();
    }
    let mut command = parlour(&engine.home(), &["--", "parlour", "send", ""]);
    command.env("PARLOUR_COMPLETE", "fish").env("_CLAP_IFS", "\n");
    let told = command.output().unwrap();
    let told = stdout(&told).lines().take(2).collect::<Vec<_>>();
    assert_eq!(told, ["fix-auth\t2 Fix auth", "notes\tNotes"]);
}
