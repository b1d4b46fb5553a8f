//! The lines of a transcript: the same on every machine and in every run.
//!
//! Their kinds, fields and sizes are those that Claude Code 2.1 writes; see `tests/fixtures/agents/claude`. A turn is a
//! prompt, some twenty calls of tools with what came of them, and an answer.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// What the last line says.
pub const LAST: &str = "That was all of it.";

const CALLS: usize = 20;

const WORDS: [&str; 24] = [
    "the",
    "clock",
    "is",
    "read",
    "twice",
    "so",
    "a",
    "retry",
    "looks",
    "like",
    "new",
    "work",
    "until",
    "it",
    "has",
    "been",
    "seen",
    "once",
    "größe",
    "`take_in`",
    "fails",
    "—",
    "and",
    "\"again\"",
];

/// How many lines of each kind make an entry of ours, and so what has to arrive.
#[derive(Clone, Copy, Default)]
pub struct Expected {
    pub tools: u64,
    pub texts: u64,
}

/// The file with `megabytes` of turns, made where it is missing, and what is in it.
pub fn file(folder: &Path, megabytes: usize) -> anyhow::Result<(PathBuf, Expected)> {
    // The number is that of this file's recipe: another recipe must not find the old bytes.
    let path = folder.join(format!("transcript-1-{megabytes}MB"));
    let known = path.exists();
    let partial = path.with_extension("partial");
    let mut out = match known {
        true => None,
        false => Some(BufWriter::new(File::create(&partial)?)),
    };
    let (mut recipe, mut written) = (Recipe::default(), 0);
    while written < megabytes * 1_000_000 {
        for line in recipe.turn() {
            written += line.len();
            if let Some(out) = &mut out {
                out.write_all(line.as_bytes())?;
            }
        }
    }
    if let Some(mut out) = out {
        out.write_all(recipe.last().as_bytes())?;
        out.flush()?;
        fs::rename(&partial, &path)?;
    } else {
        recipe.last();
    }
    Ok((path, recipe.told))
}

#[derive(Default)]
pub struct Recipe {
    number: u64,
    chance: u64,
    pub told: Expected,
}

impl Recipe {
    /// The lines of one turn.
    pub fn turn(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        let prompt = self.words(300);
        lines.push(self.user(json!(prompt), None));
        lines.push(self.noise("skill_listing"));
        for call in 0..CALLS {
            if call % 3 == 0 {
                let (thinking, signature) = (self.words(900), "EqQBCkYIBxgCKkBx".repeat(40));
                lines.push(self.reply(json!({"type": "thinking", "thinking": thinking, "signature": signature})));
                let text = self.words(250);
                lines.push(self.reply(json!({"type": "text", "text": text})));
                self.told.texts += 2;
            }
            self.call(&mut lines);
            if call % 4 == 0 {
                lines.push(self.noise("hook_success"));
            }
        }
        let text = self.words(1_500);
        lines.push(self.reply(json!({"type": "text", "text": text})));
        self.told.texts += 1;
        lines
    }

    pub fn last(&mut self) -> String {
        self.told.texts += 1;
        self.reply(json!({"type": "text", "text": LAST}))
    }

    /// A small generator of our own: its numbers must never change.
    fn roll(&mut self, sides: usize) -> usize {
        self.chance = self
            .chance
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.chance >> 33) as usize % sides
    }

    fn words(&mut self, about: usize) -> String {
        let mut text = String::new();
        let wanted = about / 2 + self.roll(about);
        while text.len() < wanted {
            text.push_str(WORDS[self.roll(WORDS.len())]);
            text.push(if self.roll(12) == 0 { '\n' } else { ' ' });
        }
        text
    }

    fn code(&mut self, lines: usize) -> String {
        let mut text = String::new();
        for line in 0..lines {
            let (name, number) = (WORDS[self.roll(8)], self.roll(10_000));
            let _ = writeln!(text, "    let {name}_{line} = step(\"{name}\", {number})?;");
        }
        text
    }

    /// A tool is called, and answers.
    fn call(&mut self, lines: &mut Vec<String>) {
        self.told.tools += 1;
        let file = format!("/home/u/chat/projects/grove/src/part_{}.rs", self.roll(400));
        let (name, input, said, answer) = match self.roll(10) {
            0..=3 => {
                let most = if self.roll(4) == 0 { 400 } else { 60 };
                let lines = 5 + self.roll(most);
                let text = self.code(lines);
                let mut numbered = String::new();
                for (number, line) in text.lines().enumerate() {
                    let _ = writeln!(numbered, "{:>6}\t{line}", number + 1);
                }
                let answer = json!({"type": "text", "file": {
                    "filePath": file, "content": text, "numLines": lines, "startLine": 1, "totalLines": lines,
                }});
                ("Read", json!({"file_path": file}), numbered, answer)
            }
            4..=5 => {
                let size = 20 + self.roll(300);
                let (old, new, original) = (self.code(3), self.code(4), self.code(size));
                let minus = old.lines().map(|line| format!("-{line}"));
                let plus = new.lines().map(|line| format!("+{line}"));
                let hunk: Vec<String> = minus.chain(plus).collect();
                let answer = json!({
                    "filePath": file, "oldString": old, "newString": new, "originalFile": original,
                    "structuredPatch": [{"oldStart": 9, "oldLines": 3, "newStart": 9, "newLines": 4, "lines": hunk}],
                    "userModified": false, "replaceAll": false,
                });
                let input = json!({"replace_all": false, "file_path": file, "old_string": old, "new_string": new});
                let said = format!("The file {file} has been updated successfully.");
                ("Edit", input, said, answer)
            }
            _ => {
                let size = if self.roll(12) == 0 { 12_000 } else { 900 };
                let out = self.words(size);
                let answer = json!({"stdout": out, "stderr": "", "interrupted": false, "isImage": false});
                let input = json!({"command": "cargo test --quiet 2>&1 | tail -50", "description": "Run the tests"});
                ("Bash", input, out.clone(), answer)
            }
        };
        let id = format!("toolu_{:08}", self.number);
        lines.push(self.reply(json!({"type": "tool_use", "id": id, "name": name, "input": input})));
        let result = json!([{"tool_use_id": id, "type": "tool_result", "content": said, "is_error": false}]);
        lines.push(self.user(result, Some(answer)));
    }

    fn reply(&mut self, block: Value) -> String {
        let message = json!({
            "id": format!("msg_{:06}", self.number / 3), "type": "message", "role": "assistant",
            "model": "claude-opus-4-8", "content": [block], "stop_reason": null, "stop_sequence": null,
            "usage": {
                "input_tokens": 100, "cache_creation_input_tokens": 311, "cache_read_input_tokens": 40_211,
                "output_tokens": 20, "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0},
                "service_tier": "standard",
                "cache_creation": {"ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": 311},
                "inference_geo": "", "iterations": [], "speed": "standard",
            },
            "stop_details": null,
        });
        self.line(json!({"message": message, "type": "assistant", "requestId": "req_011CQ"}))
    }

    fn user(&mut self, content: Value, answer: Option<Value>) -> String {
        let mut entry = json!({
            "promptId": format!("prompt-{:08}", self.number), "type": "user",
            "message": {"role": "user", "content": content},
        });
        match answer {
            Some(answer) => entry["toolUseResult"] = answer,
            None => entry["origin"] = json!({"kind": "human"}),
        }
        self.line(entry)
    }

    fn noise(&mut self, kind: &str) -> String {
        let attachment = json!({
            "type": kind, "hookName": "PostToolUse:Bash", "hookEvent": "PostToolUse", "content": "", "stdout": "{}",
            "stderr": "", "exitCode": 0, "command": "parlour hook claude PostToolUse",
        });
        self.line(json!({"attachment": attachment, "type": "attachment"}))
    }

    /// What stands around every entry.
    fn line(&mut self, entry: Value) -> String {
        let uuid = |number: u64| format!("00000000-0000-4000-8000-{number:012}");
        self.number += 1;
        let mut line = json!({"parentUuid": uuid(self.number - 1), "isSidechain": false});
        let behind = json!({
            "uuid": uuid(self.number), "timestamp": "2026-03-01T13:16:41.837Z", "userType": "external",
            "entrypoint": "cli", "cwd": "/home/u/chat", "sessionId": "11111111-2222-4333-8444-555555555555",
            "version": "2.1.197", "gitBranch": "HEAD",
        });
        for fields in [entry, behind] {
            if let (Value::Object(line), Value::Object(fields)) = (&mut line, fields) {
                line.extend(fields);
            }
        }
        format!("{line}\n")
    }
}
