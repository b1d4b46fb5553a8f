//! The cards of the chats that somebody looks at, as if their transcripts had been read.

use parlour::domain::approval::shown_cards;
use parlour::model::entry::{From, ToolStatus};
use parlour::model::{ChatId, Entry, Happened};
use serde_json::json;

use super::super::transcript::{end, prompt, start};
use super::{World, id, noon};

impl World {
    /// What their agents were asked and did: what the screen of [`super::TALK`] shows, and nothing in other chats.
    pub fn reads_cards(&mut self) {
        let shelves = &mut self.state.domain.live.looked_at.shelves;
        let chats: Vec<ChatId> = shelves.keys().cloned().collect();
        for chat in chats {
            let told = if chat == id("auth") { talk() } else { Vec::new() };
            let entries: Vec<Entry> = (1..).zip(told).map(|(seq, what)| entry(seq, what)).collect();
            shown_cards::read(shelves, &chat, &entries);
        }
    }
}

fn entry(seq: u64, what: Happened) -> Entry {
    Entry {
        v: 1,
        seq,
        ts: noon(),
        read: None,
        what,
    }
}

fn talk() -> Vec<Happened> {
    let session = "/home/mia/.parlour/chats/authaaaaaa/projects/grove/src/auth/session.rs";
    let edit = json!({
        "file_path": session,
        "old_string": "    let claims = decode(token).unwrap();\n",
        "new_string": "    let Ok(claims) = decode(token) else {\n        return Err(Denied::Expired);\n    };\n",
    });
    vec![
        prompt(
            "The login of expired sessions answers 500. Find out why and fix it.",
            From::Person,
        ),
        start("t1", "Read", json!({ "file_path": session }), None),
        end("t1", ToolStatus::Ok, "pub fn session() {}\n", 12),
        start("t2", "Edit", edit, None),
        end("t2", ToolStatus::Ok, "", 40),
        start("t3", "Bash", json!({ "command": "cargo test auth" }), None),
    ]
}
