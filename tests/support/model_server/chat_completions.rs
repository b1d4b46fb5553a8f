//! OpenAI chat completions: `POST /v1/chat/completions`, streamed as server-sent events or whole.

use serde_json::{Value, json};

use super::dialect::{Beat, Dialect, Prompt, Reply};
use super::scenario::Block;

/// Small enough that a sentence arrives in several pieces, as it does from a model.
const PIECE: usize = 16;

pub struct ChatCompletions;

impl Dialect for ChatCompletions {
    fn generates(&self, path: &str) -> bool {
        path == "/v1/chat/completions"
    }

    fn parse(&self, body: &Value) -> Prompt {
        let messages = body["messages"].as_array().map_or(&[][..], Vec::as_slice);
        let of = |roles: &[&str]| {
            let by = messages
                .iter()
                .filter(|message| roles.iter().any(|role| message["role"] == *role));
            by.map(|message| spoken(&message["content"])).collect::<Vec<_>>()
        };
        let users = of(&["user"]);
        let answered = messages.iter().rev().take_while(|message| message["role"] == "tool");
        let mut tool_results: Vec<_> = answered.map(|message| spoken(&message["content"])).collect();
        tool_results.reverse();
        let offered = body["tools"].as_array().map_or(&[][..], Vec::as_slice);
        let name = |tool: &Value| tool["function"]["name"].as_str().unwrap_or_default().to_owned();
        let tools: Vec<_> = offered.iter().map(name).collect();
        Prompt {
            model: body["model"].as_str().unwrap_or_default().into(),
            stream: body["stream"] == true,
            system: of(&["system", "developer"]).join("\n"),
            first_user: users.first().cloned().unwrap_or_default(),
            last_user: users.last().cloned().unwrap_or_default(),
            continues: !tool_results.is_empty(),
            // Titles are asked for without tools.
            aside: tools.is_empty().then_some("A scripted title"),
            tools,
            tool_results,
            conversation: body["messages"].to_string(),
        }
    }

    fn whole(&self, reply: &Reply) -> Value {
        let mut message = json!({ "role": "assistant", "content": null });
        let mut calls = Vec::new();
        for block in &reply.step.says {
            match block {
                Block::Gate { .. } => {}
                Block::Text { text } => add(&mut message["content"], text),
                Block::Thinking { thinking } => add(&mut message["reasoning_content"], thinking),
                Block::ToolUse { name, input } => {
                    let id = format!("call_{}_{}", reply.id, calls.len());
                    let function = json!({ "name": name, "arguments": input.to_string() });
                    calls.push(json!({ "id": id, "type": "function", "function": function }));
                }
            }
        }
        let reason = finish_reason(!calls.is_empty());
        if !calls.is_empty() {
            message["tool_calls"] = calls.into();
        }
        let choice = json!({ "index": 0, "message": message, "finish_reason": reason });
        json!({
            "id": reply.id, "object": "chat.completion", "created": 0, "model": reply.model,
            "choices": [choice], "usage": usage(reply),
        })
    }

    fn stream(&self, reply: &Reply) -> Vec<Beat> {
        let mut beats = vec![delta(reply, json!({ "role": "assistant", "content": "" }))];
        let mut calls = 0;
        for block in &reply.step.says {
            match block {
                Block::Gate { gate } => beats.push(Beat::Gate(gate.clone())),
                Block::Text { text } => beats.extend(pieces(text).map(|text| delta(reply, json!({ "content": text })))),
                Block::Thinking { thinking } => {
                    beats.extend(pieces(thinking).map(|text| delta(reply, json!({ "reasoning_content": text }))));
                }
                Block::ToolUse { name, input } => {
                    let id = format!("call_{}_{calls}", reply.id);
                    let function = json!({ "name": name, "arguments": "" });
                    let begun = json!({ "index": calls, "id": id, "type": "function", "function": function });
                    beats.push(delta(reply, json!({ "tool_calls": [begun] })));
                    beats.extend(pieces(&input.to_string()).map(|text| {
                        let more = json!({ "index": calls, "function": { "arguments": text } });
                        delta(reply, json!({ "tool_calls": [more] }))
                    }));
                    calls += 1;
                }
            }
        }
        let mut last = chunk(reply, json!({}), json!(finish_reason(calls > 0)));
        last["usage"] = usage(reply);
        beats.push(event(&last));
        beats.push(Beat::Event("data: [DONE]\n\n".into()));
        beats
    }

    fn error(&self, kind: &str, message: &str) -> Value {
        json!({ "error": { "type": kind, "message": message, "param": null, "code": null } })
    }

    fn beside(&self, _path: &str, _body: &Value) -> Option<Value> {
        None
    }
}

fn delta(reply: &Reply, delta: Value) -> Beat {
    event(&chunk(reply, delta, Value::Null))
}

fn chunk(reply: &Reply, delta: Value, reason: Value) -> Value {
    json!({
        "id": reply.id, "object": "chat.completion.chunk", "created": 0, "model": reply.model,
        "choices": [{ "index": 0, "delta": delta, "finish_reason": reason }],
    })
}

fn event(chunk: &Value) -> Beat {
    Beat::Event(format!("data: {chunk}\n\n"))
}

fn finish_reason(calls: bool) -> &'static str {
    if calls { "tool_calls" } else { "stop" }
}

fn usage(reply: &Reply) -> Value {
    let input = reply.step.input_tokens.unwrap_or(100);
    json!({ "prompt_tokens": input, "completion_tokens": 20, "total_tokens": input + 20 })
}

fn pieces(said: &str) -> impl Iterator<Item = String> {
    let letters: Vec<char> = said.chars().collect();
    let pieces: Vec<String> = letters.chunks(PIECE).map(|piece| piece.iter().collect()).collect();
    pieces.into_iter()
}

fn add(said: &mut Value, more: &str) {
    *said = json!(said.as_str().unwrap_or_default().to_owned() + more);
}

/// The text of a message's content, which is a string or parts.
fn spoken(content: &Value) -> String {
    match content.as_array() {
        None => content.as_str().unwrap_or_default().into(),
        Some(parts) => parts
            .iter()
            .filter_map(|part| part["text"].as_str())
            .collect::<Vec<_>>()
            .join("\n"),
    }
}
