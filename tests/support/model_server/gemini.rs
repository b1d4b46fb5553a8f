//! Gemini: `POST /v1beta/models/NAME:streamGenerateContent`, streamed as server-sent events, and `:generateContent`.

use serde_json::{Value, json};

use super::dialect::{Beat, Dialect, Prompt, Reply};
use super::scenario::Block;

/// Small enough that a sentence arrives in several pieces, as it does from a model.
const PIECE: usize = 16;

/// Which of the two ways is asked for stands in the path alone.
pub struct Gemini {
    pub streams: bool,
}

impl Dialect for Gemini {
    fn generates(&self, path: &str) -> bool {
        let verb = path
            .strip_prefix("/v1beta/models/")
            .and_then(|rest| rest.split_once(':'));
        let asked = match self.streams {
            true => "streamGenerateContent",
            false => "generateContent",
        };
        verb.is_some_and(|(_, verb)| verb == asked)
    }

    fn parse(&self, body: &Value) -> Prompt {
        let contents = list(&body["contents"]);
        let users: Vec<&Value> = contents.iter().filter(|content| content["role"] == "user").collect();
        let spoken_by = |content: Option<&&Value>| content.map_or_else(String::new, |content| spoken(content));
        let (first_user, last_user) = (spoken_by(users.first()), spoken_by(users.last()));
        let tool_results = users.last().map_or_else(Vec::new, |content| results(content));
        let tools = list(&body["tools"])
            .iter()
            .flat_map(|group| list(&group["functionDeclarations"]));
        let tools: Vec<String> = tools.map(|tool| string(&tool["name"])).collect();
        Prompt {
            model: "gemini-scripted".into(),
            stream: self.streams,
            system: format!(
                "{}{}",
                working_directory(&first_user),
                spoken(&body["systemInstruction"])
            ),
            continues: !tool_results.is_empty(),
            aside: tools.is_empty().then(|| aside(body)),
            first_user,
            last_user,
            tools,
            tool_results,
            conversation: body["contents"].to_string(),
        }
    }

    fn whole(&self, reply: &Reply) -> Value {
        let parts = pieces(reply).into_iter().filter_map(|piece| match piece {
            Piece::Part(part) => Some(part),
            Piece::Gate(_) => None,
        });
        chunk(reply, &parts.collect::<Vec<_>>(), Some("STOP"))
    }

    fn stream(&self, reply: &Reply) -> Vec<Beat> {
        let beats = pieces(reply).into_iter().map(|piece| match piece {
            Piece::Part(part) => event(&chunk(reply, &[part], None)),
            Piece::Gate(gate) => Beat::Gate(gate),
        });
        let last = event(&chunk(reply, &[json!({ "text": "" })], Some("STOP")));
        beats.chain([last]).collect()
    }

    fn error(&self, kind: &str, message: &str) -> Value {
        json!({ "error": { "message": message, "status": kind } })
    }

    fn beside(&self, path: &str, body: &Value) -> Option<Value> {
        let counts = path.ends_with(":countTokens");
        counts.then(|| json!({ "totalTokens": body.to_string().len() / 4 }))
    }
}

enum Piece {
    Part(Value),
    Gate(String),
}

fn pieces(reply: &Reply) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (number, block) in reply.step.says.iter().enumerate() {
        match block {
            Block::Gate { gate } => pieces.push(Piece::Gate(gate.clone())),
            Block::Text { text } => {
                let letters: Vec<char> = text.chars().collect();
                let said = letters.chunks(PIECE).map(|piece| piece.iter().collect::<String>());
                pieces.extend(said.map(|piece| Piece::Part(json!({ "text": piece }))));
            }
            Block::Thinking { thinking } => pieces.push(Piece::Part(json!({ "text": thinking, "thought": true }))),
            Block::ToolUse { name, input } => {
                let id = format!("call_{}_{number}", reply.id);
                pieces.push(Piece::Part(json!({
                    "functionCall": { "name": name, "args": input, "id": id }, "thoughtSignature": "c2NyaXB0ZWQ=",
                })));
            }
        }
    }
    pieces
}

fn chunk(reply: &Reply, parts: &[Value], finished: Option<&str>) -> Value {
    let input = reply.step.input_tokens.unwrap_or(100);
    let mut candidate = json!({ "content": { "role": "model", "parts": parts }, "index": 0 });
    if let Some(why) = finished {
        candidate["finishReason"] = json!(why);
    }
    json!({
        "candidates": [candidate], "modelVersion": reply.model, "responseId": reply.id,
        "usageMetadata": { "promptTokenCount": input, "candidatesTokenCount": 20, "totalTokenCount": input + 20 },
    })
}

fn event(body: &Value) -> Beat {
    Beat::Event(format!("data: {body}\n\n"))
}

/// Requests without tools ask which model to take, in JSON, or for a summary of what was said.
fn aside(body: &Value) -> &'static str {
    match body["generationConfig"]["responseMimeType"] == "application/json" {
        true => r#"{"complexity_reasoning": "scripted", "complexity_score": 50}"#,
        false => "<state_snapshot>What was said so far.</state_snapshot>",
    }
}

/// Gemini CLI tells its directories as a list in the first prompt; the other rules want a line.
fn working_directory(first_user: &str) -> String {
    let listed = first_user.split_once("Workspace Directories:**").map(|(_, rest)| rest);
    let path = listed.and_then(|rest| rest.lines().find_map(|line| line.trim().strip_prefix("- ")));
    path.map_or_else(String::new, |path| format!("Working directory: {path}\n"))
}

fn spoken(content: &Value) -> String {
    let texts = list(&content["parts"]).iter().filter_map(|part| part["text"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}

fn results(content: &Value) -> Vec<String> {
    let answers = list(&content["parts"])
        .iter()
        .filter(|part| part["functionResponse"].is_object());
    let said = |part: &Value| {
        let answer = &part["functionResponse"]["response"];
        string(&answer["output"]) + &string(&answer["error"])
    };
    answers.map(said).collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn string(value: &Value) -> String {
    value.as_str().unwrap_or_default().into()
}
