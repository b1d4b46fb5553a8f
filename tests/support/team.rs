//! Agents that the test plays: a script keeps their terminal, and their tools are called as their CLI would.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::mcp::Server;
use super::parlour::{PATIENCE, Parlour, until};

/// Answers each line with itself, and logs both. A paste comes framed.
const SCRIPT: &str = r#"#!/bin/sh
mkdir -p log
echo "$PARLOUR_MCP_URL" > url.new && mv url.new url
echo "$PARLOUR_TOKEN" > token.new && mv token.new token
while printf '> ' && read -r line; do
  line=$(printf '%s' "$line" | tr -d '\033"' | sed 's/\[20[01]~//g')
  printf '{"role":"user","text":"%s"}\n{"role":"assistant","text":"Done: %s"}\n' "$line" "$line" >> log/talk.jsonl
done
"#;

/// A person with `mate` on their PATH, which takes prompts and keeps a transcript, and `mute`, into which nothing is
/// typed.
pub fn parlour(limits: Value) -> Parlour {
    let parlour = Parlour::new().with_program("mate", SCRIPT);
    let settings = json!({
        "defaultLlm": "mate",
        "limits": limits,
        "customLlms": {
            "mate": {
                "command": "mate",
                "ready": "^> $",
                "transcript": {"format": "jsonl", "file": "log/talk.jsonl", "fields": {}},
            },
            "mute": {"command": "mate"},
        },
    });
    parlour.configure(&settings.to_string());
    parlour
}

/// One of them, by its chat.
pub struct Mate {
    pub dir: PathBuf,
    pub id: String,
}

impl Mate {
    /// A chat that a person makes.
    pub fn new(parlour: &Parlour, name: &str, words: &[&str]) -> Mate {
        let chat = parlour.json(&[&["new", name], words].concat());
        Mate::of(parlour, chat["id"].as_str().unwrap())
    }

    pub fn of(parlour: &Parlour, id: &str) -> Mate {
        let dir = parlour.home().join("chats").join(id);
        Mate { dir, id: id.into() }
    }

    /// Waits until it could call.
    pub fn begins(&self) {
        self.told("token");
    }

    fn told(&self, file: &str) -> String {
        until("it was told where its tools are", PATIENCE, || {
            self.dir.join(file).exists()
        });
        fs::read_to_string(self.dir.join(file)).unwrap().trim().to_owned()
    }

    /// Forgets its last start, so that the next call is one of the next start.
    pub fn forget(&self) {
        fs::remove_file(self.dir.join("token")).unwrap();
    }

    /// What a tool answers, or what it says in refusing.
    pub fn call(&self, tool: &str, arguments: Value) -> Result<Value, String> {
        self.try_call(tool, arguments).expect("the engine answers")
    }

    /// `None` where nobody answers.
    pub fn try_call(&self, tool: &str, arguments: Value) -> Option<Result<Value, String>> {
        self.server().call(tool, &arguments)
    }

    /// Parlour's tools, as its last start was told of them.
    pub fn server(&self) -> Server {
        Server {
            token: Some(self.told("token")),
            url: self.told("url"),
        }
    }

    pub fn dispatch(&self, parlour: &Parlour, arguments: Value) -> (Mate, Value) {
        let made = self.call("dispatch", arguments).unwrap();
        (Mate::of(parlour, made["chatId"].as_str().unwrap()), made)
    }

    /// The prompts in its transcript, with where they came from.
    pub fn prompts(&self, parlour: &Parlour) -> Vec<(String, String)> {
        let events = parlour.events(&self.id).into_iter();
        let text = |event: &Value, key: &str| event[key].as_str().unwrap_or_default().to_owned();
        let prompts = events.filter(|event| event["kind"] == "prompt");
        prompts
            .map(|event| (text(&event, "from"), text(&event, "text")))
            .collect()
    }
}
