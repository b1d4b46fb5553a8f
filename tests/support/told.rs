//! What a transcript tells of two turns, made by hand: calls that edit, fail, run a command and read.

use parlour::domain::effect::Effect;
use parlour::domain::event::{Event, Outcome};
use parlour::domain::work::{Read, ReadDone, Work};
use parlour::model::entry::{From, ToolStatus};
use parlour::model::{Entry, Happened};
use parlour::screen::layout::arrange;
use serde_json::{Value, json};

use super::world::{World, noon};

fn prompt(text: &str) -> Happened {
    Happened::Prompt {
        id: text.into(),
        text: text.into(),
        from: From::Person,
        sender: None,
        checkpoint: None,
        key: String::new(),
        steer: false,
    }
}

fn call(id: &str, name: &str, input: Value, status: ToolStatus) -> [Happened; 2] {
    let begins = Happened::ToolStart {
        id: id.into(),
        name: name.into(),
        input,
        dir: Some("grove".into()),
        parent: None,
    };
    [begins, Happened::tool_ended(id, status, String::new(), Some(40))]
}

/// The prompts are the entries 1 and 4; the calls begin with 2, 5, 7, 9, 11 and 13.
fn entries() -> Vec<Entry> {
    let readme = json!({
        "file_path": "README.md",
        "old_string": "    let claims = decode(token).unwrap();",
        "new_string": "        return Err(Denied::Expired);\n    };",
    });
    let elsewhere = json!({"file_path": "/etc/hosts", "content": "127.0.0.1 grove"});
    let same = json!({"file_path": "src/same.rs", "content": "fn same() {}"});
    let told = [
        vec![prompt("The login of expired sessions answers 500. Find out why.")],
        call("a", "Read", json!({"file_path": "README.md"}), ToolStatus::Ok).to_vec(),
        vec![prompt("Now fix it, with a test.")],
        call("b", "Edit", readme.clone(), ToolStatus::Ok).to_vec(),
        call("c", "Edit", readme, ToolStatus::Denied).to_vec(),
        call("d", "Write", elsewhere, ToolStatus::Ok).to_vec(),
        call("e", "Bash", json!({"command": "cargo test"}), ToolStatus::Ok).to_vec(),
        call("f", "Write", same, ToolStatus::Ok).to_vec(),
    ];
    let numbered = (1..).zip(told.concat());
    let entry = |(seq, what)| Entry {
        v: 1,
        seq,
        ts: noon(),
        read: None,
        what,
    };
    numbered.map(entry).collect()
}

/// Shows the cards of the chat, as they are once its transcript is read.
pub fn show_cards(world: &mut World) {
    show_cards_of(world, &entries());
}

/// The same of a transcript with these entries.
pub fn show_cards_of(world: &mut World, entries: &[Entry]) {
    let is_shown = arrange(world.view()).inspector.is_some();
    // What is shown already is hidden first.
    let keys = if is_shown { "c c" } else { "c" };
    for effect in world.press(keys) {
        if let Effect::Work(number, Work::Read(Read::Tail(chat))) = effect {
            let done = ReadDone::Tail(chat, entries.to_vec());
            world.happens(Event::Done(number, Outcome::Read(done)));
        }
    }
}
