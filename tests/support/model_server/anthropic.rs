//! Anthropic Messages: `POST /v1/messages`, streamed as server-sent events or whole.

use serde_json::{Value, json};

use super::dialect::{Beat, Dialect, Prompt, Reply};
use super::scenario::Block;

/// Small enough that a sentence arrives in several pieces, as it does from a model.
const PIECE: usize = 16;

/// Claude Code puts this beside the tool results when a person pressed Esc; what follows is a new prompt.
const INTERRUPTED: &str = "[Request interrupted by user";

pub struct Anthropic;

impl Dialect for Anthropic {
    fn generates(&self, path: &str) -> bool {
        path == "/v1/messages"
    }

    fn parse(&self, body: &Value) -> Prompt {
        let messages = list(&body["messages"]);
        let by = |role: &str| {
            messages
                .iter()
                .filter(|message| message["role"] == role)
                .collect::<Vec<_>>()
        };
        let (users, asides) = (by("user"), by("system"));
        let system = [spoken(&body["system"])]
            .into_iter()
            .chain(asides.iter().map(|message| spoken(&message["content"])));
        let newest = users.last().map_or(&Value::Null, |message| &message["content"]);
        let (last_user, tool_results) = (spoken(newest), results(newest));
        let tools: Vec<_> = list(&body["tools"]).iter().map(|tool| string(&tool["name"])).collect();
        Prompt {
            model: string(&body["model"]),
            stream: body["stream"] == true,
            system: system.collect::<Vec<_>>().join("\n"),
            first_user: users
                .first()
                .map_or_else(String::new, |message| spoken(&message["content"])),
            continues: !tool_results.is_empty() && !last_user.contains(INTERRUPTED),
            aside: aside(&last_user, tools.is_empty()),
            last_user,
            tools,
            tool_results,
            conversation: without_cache_marks(&body["messages"]).to_string(),
        }
    }

    fn whole(&self, reply: &Reply) -> Value {
        let content: Vec<_> = blocks(reply).into_iter().map(|block| block.whole).collect();
        json!({
            "id": reply.id, "type": "message", "role": "assistant", "model": reply.model, "content": content,
            "stop_reason": stop_reason(reply), "stop_sequence": null, "usage": usage(reply),
        })
    }

    fn stream(&self, reply: &Reply) -> Vec<Beat> {
        let mut message = self.whole(reply);
        message["content"] = json!([]);
        message["stop_reason"] = Value::Null;
        let mut beats = vec![event(json!({ "type": "message_start", "message": message }))];
        for (index, block) in blocks(reply).into_iter().enumerate() {
            beats.extend(block.before.into_iter().map(Beat::Gate));
            beats.push(event(
                json!({ "type": "content_block_start", "index": index, "content_block": block.empty }),
            ));
            beats.extend(block.pieces.into_iter().map(|piece| match piece {
                Piece::Gate(gate) => Beat::Gate(gate),
                Piece::Delta(delta) => event(json!({ "type": "content_block_delta", "index": index, "delta": delta })),
            }));
            beats.push(event(json!({ "type": "content_block_stop", "index": index })));
        }
        let stop = json!({ "stop_reason": stop_reason(reply), "stop_sequence": null });
        beats.push(event(
            json!({ "type": "message_delta", "delta": stop, "usage": usage(reply) }),
        ));
        beats.push(event(json!({ "type": "message_stop" })));
        beats
    }

    fn error(&self, kind: &str, message: &str) -> Value {
        json!({ "type": "error", "error": { "type": kind, "message": message } })
    }

    fn beside(&self, path: &str, body: &Value) -> Option<Value> {
        match path {
            "/v1/messages/count_tokens" => Some(json!({ "input_tokens": body.to_string().len() / 4 })),
            "/v1/models" => Some(json!({
                "data": [{ "type": "model", "id": "scripted", "display_name": "Scripted", "created_at": "2026-01-01T00:00:00Z" }],
                "has_more": false, "first_id": "scripted", "last_id": "scripted",
            })),
            _ => None,
        }
    }
}

/// One content block of the message: as it is when complete, and as it comes.
struct Content {
    before: Vec<String>,
    whole: Value,
    empty: Value,
    pieces: Vec<Piece>,
}

enum Piece {
    Delta(Value),
    Gate(String),
}

fn blocks(reply: &Reply) -> Vec<Content> {
    let mut contents: Vec<Content> = Vec::new();
    let mut gates = Vec::new();
    for block in &reply.step.says {
        match block {
            Block::Gate { gate } => gates.push(gate.clone()),
            Block::Text { text } => match contents.last_mut() {
                Some(held) if !gates.is_empty() && held.whole["type"] == "text" => {
                    held.whole["text"] = json!(string(&held.whole["text"]) + text);
                    held.pieces.extend(gates.drain(..).map(Piece::Gate));
                    held.pieces.extend(deltas("text_delta", "text", text));
                }
                Some(_) | None => contents.push(Content {
                    before: std::mem::take(&mut gates),
                    whole: json!({ "type": "text", "text": text }),
                    empty: json!({ "type": "text", "text": "" }),
                    pieces: deltas("text_delta", "text", text).collect(),
                }),
            },
            Block::Thinking { thinking } => {
                let signature = json!({ "type": "signature_delta", "signature": "c2NyaXB0ZWQ=" });
                contents.push(Content {
                    before: std::mem::take(&mut gates),
                    whole: json!({ "type": "thinking", "thinking": thinking, "signature": signature["signature"] }),
                    empty: json!({ "type": "thinking", "thinking": "", "signature": "" }),
                    pieces: deltas("thinking_delta", "thinking", thinking)
                        .chain([Piece::Delta(signature)])
                        .collect(),
                });
            }
            Block::ToolUse { name, input } => {
                let id = format!("toolu_{}_{}", reply.id, contents.len());
                contents.push(Content {
                    before: std::mem::take(&mut gates),
                    whole: json!({ "type": "tool_use", "id": id, "name": name, "input": input }),
                    empty: json!({ "type": "tool_use", "id": id, "name": name, "input": {} }),
                    pieces: deltas("input_json_delta", "partial_json", &input.to_string()).collect(),
                });
            }
        }
    }
    contents
}

fn deltas(kind: &'static str, field: &'static str, said: &str) -> impl Iterator<Item = Piece> {
    let letters: Vec<char> = said.chars().collect();
    let pieces: Vec<String> = letters.chunks(PIECE).map(|piece| piece.iter().collect()).collect();
    pieces
        .into_iter()
        .map(move |piece| Piece::Delta(json!({ "type": kind, field: piece })))
}

fn stop_reason(reply: &Reply) -> &'static str {
    let calls = reply
        .step
        .says
        .iter()
        .any(|block| matches!(block, Block::ToolUse { .. }));
    if calls { "tool_use" } else { "end_turn" }
}

fn usage(reply: &Reply) -> Value {
    json!({
        "input_tokens": reply.step.input_tokens.unwrap_or(100), "output_tokens": 20,
        "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
    })
}

fn event(body: Value) -> Beat {
    Beat::Event(format!("event: {}\ndata: {body}\n\n", string(&body["type"])))
}

/// Claude Code asks for titles without offering tools, and for suggestions and summaries in these words.
fn aside(last_user: &str, no_tools: bool) -> Option<&'static str> {
    if last_user.contains("[SUGGESTION MODE") {
        Some("")
    } else if last_user.contains("Your task is to create a detailed summary") {
        Some("<summary>What was said so far.</summary>")
    } else {
        no_tools.then_some(r#"{"title": "A scripted title"}"#)
    }
}

/// The text of a message's or the system prompt's content, which is a string or blocks.
fn spoken(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        _ => list(content)
            .iter()
            .filter_map(|block| block["text"].as_str())
            .collect::<Vec<_>>()
            .join("\n"),
    }
}

fn results(content: &Value) -> Vec<String> {
    let results = list(content).iter().filter(|block| block["type"] == "tool_result");
    results.map(|block| spoken(&block["content"])).collect()
}

/// The marks move from message to message between two tries of one request.
fn without_cache_marks(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(without_cache_marks).collect(),
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(name, _)| *name != "cache_control");
            Value::Object(
                fields
                    .map(|(name, value)| (name.clone(), without_cache_marks(value)))
                    .collect(),
            )
        }
        _ => value.clone(),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn string(value: &Value) -> String {
    value.as_str().unwrap_or_default().into()
}
