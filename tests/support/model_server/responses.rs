//! OpenAI Responses: `POST …/v1/responses`, streamed as server-sent events or whole.

use serde_json::{Value, json};

use super::dialect::{Beat, Dialect, Prompt, Reply};
use super::scenario::Block;

/// Small enough that a sentence arrives in several pieces, as it does from a model.
const PIECE: usize = 16;

/// Beginnings of what Codex says in the person's name.
const NOT_TYPED: [&str; 3] = ["# AGENTS.md instructions", "<environment_context>", "<turn_aborted>"];

pub struct Responses;

impl Dialect for Responses {
    fn generates(&self, path: &str) -> bool {
        path.ends_with("/v1/responses")
    }

    fn parse(&self, body: &Value) -> Prompt {
        let input = list(&body["input"]);
        let typed =
            |item: &&Value| item["role"] == "user" && !NOT_TYPED.iter().any(|own| spoken(item).starts_with(own));
        let told = input.iter().filter(|item| item["role"] != "assistant" && !typed(item));
        let typed: Vec<String> = input.iter().filter(typed).map(spoken).collect();
        let newest = input.iter().rposition(|item| item["role"] == "user");
        let results = input.iter().skip(newest.map_or(0, |at| at + 1)).filter(is_result);
        let last_user = typed.last().cloned().unwrap_or_default();
        let tools = tools(body);
        Prompt {
            model: string(&body["model"]),
            stream: body["stream"] == true,
            system: told.map(spoken).map(|said| directory(&said)).collect(),
            first_user: typed.first().cloned().unwrap_or_default(),
            continues: input.last().is_some_and(|item| is_result(&item)),
            tool_results: latest(results.collect()),
            aside: tools.is_empty().then_some(r#"{"title": "A scripted title"}"#),
            last_user,
            tools,
            conversation: body["input"].to_string(),
        }
    }

    fn whole(&self, reply: &Reply) -> Value {
        let output: Vec<Value> = items(reply).into_iter().map(|item| item.whole).collect();
        json!({
            "id": format!("resp_{}", reply.id), "object": "response", "model": reply.model, "status": "completed",
            "output": output, "usage": usage(reply),
        })
    }

    fn stream(&self, reply: &Reply) -> Vec<Beat> {
        let mut response = self.whole(reply);
        let completed = json!({ "type": "response.completed", "response": response });
        response["status"] = json!("in_progress");
        response["output"] = json!([]);
        response["usage"] = Value::Null;
        let mut beats = vec![event(json!({ "type": "response.created", "response": response }))];
        for (index, item) in items(reply).into_iter().enumerate() {
            beats.extend(item.before.into_iter().map(Beat::Gate));
            beats.push(event(
                json!({ "type": "response.output_item.added", "output_index": index, "item": item.empty }),
            ));
            beats.extend(item.pieces.into_iter().map(|piece| match piece {
                Piece::Gate(gate) => Beat::Gate(gate),
                Piece::Delta(mut delta) => {
                    delta["output_index"] = json!(index);
                    event(delta)
                }
            }));
            beats.push(event(
                json!({ "type": "response.output_item.done", "output_index": index, "item": item.whole }),
            ));
        }
        beats.push(event(completed));
        beats
    }

    fn error(&self, kind: &str, message: &str) -> Value {
        json!({ "error": { "type": kind, "message": message, "code": null } })
    }

    fn beside(&self, _path: &str, _body: &Value) -> Option<Value> {
        None
    }
}

/// One item of the output: as it is when complete, and as it comes.
struct Item {
    before: Vec<String>,
    whole: Value,
    empty: Value,
    pieces: Vec<Piece>,
}

enum Piece {
    Delta(Value),
    Gate(String),
}

fn items(reply: &Reply) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut gates = Vec::new();
    for block in &reply.step.says {
        let id = format!("{}_{}", reply.id, items.len());
        match block {
            Block::Gate { gate } => gates.push(gate.clone()),
            Block::Text { text } => match items.last_mut() {
                Some(held) if !gates.is_empty() && held.whole["type"] == "message" => {
                    let said = string(&held.whole["content"][0]["text"]) + text;
                    held.whole["content"][0]["text"] = json!(said);
                    held.pieces.extend(gates.drain(..).map(Piece::Gate));
                    held.pieces.extend(deltas("response.output_text.delta", text));
                }
                Some(_) | None => items.push(message(std::mem::take(&mut gates), &id, text)),
            },
            Block::Thinking { thinking } => items.push(reasoning(std::mem::take(&mut gates), &id, thinking)),
            Block::ToolUse { name, input } => items.push(call(std::mem::take(&mut gates), &id, name, input)),
        }
    }
    items
}

fn message(before: Vec<String>, id: &str, text: &str) -> Item {
    let part = json!({ "type": "output_text", "text": text, "annotations": [] });
    let of = |status: &str, content: Value| json!({ "type": "message", "id": id, "role": "assistant", "status": status, "content": content });
    Item {
        before,
        whole: of("completed", json!([part])),
        empty: of("in_progress", json!([])),
        pieces: deltas("response.output_text.delta", text).collect(),
    }
}

fn reasoning(before: Vec<String>, id: &str, text: &str) -> Item {
    let of = |summary: Value| json!({ "type": "reasoning", "id": id, "summary": summary, "encrypted_content": "c2NyaXB0ZWQ=" });
    let added = json!({ "type": "response.reasoning_summary_part.added", "summary_index": 0, "part": { "type": "summary_text", "text": "" } });
    let thought = deltas("response.reasoning_summary_text.delta", text).map(|mut piece| {
        if let Piece::Delta(delta) = &mut piece {
            delta["summary_index"] = json!(0);
        }
        piece
    });
    Item {
        before,
        whole: of(json!([{ "type": "summary_text", "text": text }])),
        empty: of(json!([])),
        pieces: [Piece::Delta(added)].into_iter().chain(thought).collect(),
    }
}

/// Codex offers the tools of an MCP server, and its own for sub-agents, under a name of their own for all of them.
fn call(before: Vec<String>, id: &str, name: &str, input: &Value) -> Item {
    let of = |status: &str, arguments: &str| {
        let mut call = json!({ "type": "function_call", "id": format!("fc_{id}"), "call_id": format!("call_{id}"),
            "name": name, "arguments": arguments, "status": status });
        if let Some((space, tool)) = name.rsplit_once("__") {
            call["namespace"] = json!(space);
            call["name"] = json!(tool);
        }
        call
    };
    let arguments = input.to_string();
    Item {
        before,
        whole: of("completed", &arguments),
        empty: of("in_progress", ""),
        pieces: deltas("response.function_call_arguments.delta", &arguments).collect(),
    }
}

fn deltas(kind: &'static str, said: &str) -> impl Iterator<Item = Piece> {
    let letters: Vec<char> = said.chars().collect();
    let pieces: Vec<String> = letters.chunks(PIECE).map(|piece| piece.iter().collect()).collect();
    pieces
        .into_iter()
        .map(move |piece| Piece::Delta(json!({ "type": kind, "content_index": 0, "delta": piece })))
}

fn usage(reply: &Reply) -> Value {
    let input = reply.step.input_tokens.unwrap_or(100);
    json!({
        "input_tokens": input, "input_tokens_details": { "cached_tokens": 0 },
        "output_tokens": 20, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": input + 20,
    })
}

fn event(body: Value) -> Beat {
    Beat::Event(format!("event: {}\ndata: {body}\n\n", string(&body["type"])))
}

fn tools(body: &Value) -> Vec<String> {
    let named = |tool: &Value| match tool["type"] == "namespace" {
        true => list(&tool["tools"])
            .iter()
            .map(|inner| format!("{}__{}", string(&tool["name"]), string(&inner["name"])))
            .collect(),
        false => vec![string(&tool["name"])],
    };
    list(&body["tools"]).iter().flat_map(named).collect()
}

/// The results behind the newest call, which stand together at the end.
fn latest(results: Vec<&Value>) -> Vec<String> {
    results.into_iter().map(|item| spoken(&item["output"])).collect()
}

fn is_result(item: &&Value) -> bool {
    string(&item["type"]).ends_with("_call_output")
}

/// Codex tells where it works in a tag; the scenario knows it by words.
fn directory(said: &str) -> String {
    let path = said.split_once("<cwd>").and_then(|(_, rest)| rest.split_once("</cwd>"));
    path.map_or_else(String::new, |(path, _)| format!("Working directory: {path}\n"))
}

/// The text of an item, of its content, or of an output, which are strings or parts.
fn spoken(item: &Value) -> String {
    if let Value::String(text) = item {
        return text.clone();
    }
    let parts = item.as_array().or_else(|| item["content"].as_array());
    let texts = parts
        .map_or(&[][..], Vec::as_slice)
        .iter()
        .filter_map(|part| part["text"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn string(value: &Value) -> String {
    value.as_str().unwrap_or_default().into()
}
