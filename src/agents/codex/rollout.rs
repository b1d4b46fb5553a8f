//! Codex's own transcript, line by line.
//!
//! It tells everything that hooks do, mostly before them, and what they don't: words, thinking, usage, interrupts,
//! errors, how a command ended. What hooks tell too has the same id here, so that it is told once.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::hooks;
use super::left_running::LeftRunning;
use crate::agents::exit_code::with_exit_code;
use crate::agents::{ReadTranscript, unknown_line};
use crate::model::entry::{From, ToolStatus};
use crate::model::{Happened, Reported, Timestamp, Trouble, TroubleKind};

/// Items that tell a person again what stands in a line for the model, or of the CLI's own doing.
const TOLD_ELSEWHERE: &[&str] = &[
    "AgentMessage",
    "CollabAgentToolCall",
    "ContextCompaction",
    "DynamicToolCall",
    "EnteredReviewMode",
    "ExitedReviewMode",
    "FunctionCallOutput",
    "HookPrompt",
    "ImageView",
    "Plan",
    "Reasoning",
    "Sleep",
    "SubAgentActivity",
    "WebSearch",
];

/// What stands where the CLI left something out, which it keeps nowhere.
const CUT: &[&str] = &[
    " tokens truncated…",
    " chars truncated…",
    "\n... command output truncated for persistence ...\n",
];

/// What the model is told of a call of a tool that it was not offered, and of one that cannot be read.
const NOT_CALLED: &[&str] = &[
    "unsupported call: ",
    "unsupported custom tool call: ",
    "failed to parse function arguments: ",
];

/// What a call's output says ahead of the number of the process that it leaves running.
const COMMAND: &str = "exec_command";

const RUNS_ON: &str = "Process running with session ID ";

const METADATA: &str = "internal_chat_message_metadata_passthrough";

#[derive(Default)]
pub(super) struct Rollout {
    /// From the newest turn's settings.
    model: String,
    /// How many tokens it holds.
    window: Option<u64>,
    /// When the limit ends that is used up.
    resets: Option<Timestamp>,
    /// Prompts of this turn, by id: a person may send the same words twice.
    prompts: HashMap<String, PromptLines>,
    /// Tools whose end was told: a line for the person tells it, then one for the model.
    ended: HashSet<String>,
    left_running: LeftRunning,
    /// The thread of a sub-agent that was given the conversation so far.
    forked: Option<String>,
    /// A copy of that conversation stands here.
    is_copy: bool,
}

/// How often a prompt was written: for the model, and a moment later for the person. A kill may come between the two lines, and
/// a resumed session has what stands there for the model.
#[derive(Default)]
struct PromptLines {
    for_model: u32,
    for_person: u32,
}

impl PromptLines {
    fn told(&self) -> u32 {
        self.for_model.max(self.for_person)
    }
}

impl ReadTranscript for Rollout {
    /// A line that is no JSON, or of a kind nobody knows, is kept as it is.
    fn line(&mut self, line: &str) -> Vec<Reported> {
        if line.trim().is_empty() {
            return Vec::new();
        }
        let Ok(Value::Object(entry)) = serde_json::from_str(line) else {
            let (at, what) = (None, odd(line));
            return vec![Reported { at, what }];
        };
        let entry = Value::Object(entry);
        let at = entry["timestamp"]
            .as_str()
            .and_then(|at| Timestamp::try_from(at.to_string()).ok());
        let told = |what| Reported { at, what };
        self.happened(line, &entry).into_iter().map(told).collect()
    }

    fn begin_process(&mut self) {
        self.left_running = LeftRunning::default();
    }
}

impl Rollout {
    fn happened(&mut self, line: &str, entry: &Value) -> Vec<Happened> {
        let payload = &entry["payload"];
        let kind = (
            word(&entry["type"]),
            word(&payload["type"]),
            word(&payload["item"]["type"]),
        );
        self.remember(kind, payload);
        if self.is_copy {
            return Vec::new();
        }
        match kind {
            ("response_item", "message", _) if payload["role"] == "assistant" => words(entry),
            ("response_item", "reasoning", _) => thinking(entry),
            ("response_item", "function_call" | "custom_tool_call" | "local_shell_call", _) => {
                if payload["name"] == COMMAND {
                    self.left_running.begins(word(&payload["call_id"]));
                }
                vec![tool_began(payload)]
            }
            ("response_item", "function_call_output" | "custom_tool_call_output", _) => {
                let output = plain(&payload["output"]);
                let shown = with_exit_code(exit_code(&output), answer(&output));
                let mut told = self.tool_ended(&payload["call_id"], ended_by_words(&output), shown, None);
                let process = measurements(&output).find_map(|line| line.strip_prefix(RUNS_ON));
                let is_cut = ended_by_words(&output) == ToolStatus::Interrupted;
                let call = word(&payload["call_id"]);
                told.extend(self.left_running.call_ended(call, process.map(str::trim), is_cut));
                told
            }
            ("response_item", "web_search_call", _) => self.web_search(entry),
            ("response_item", "message", _) if is_prompt(payload) => {
                let turn = word(&payload[METADATA]["turn_id"]);
                self.prompt(turn, plain(&payload["content"]), |lines| &mut lines.for_model)
            }
            ("event_msg", "item_completed", "UserMessage") => {
                let text = plain(&payload["item"]["content"]);
                self.prompt(word(&payload["turn_id"]), text, |lines| &mut lines.for_person)
            }
            ("event_msg", "item_completed", "CommandExecution" | "McpToolCall" | "FileChange") => {
                let item = &payload["item"];
                let mut told = self.tool_ended(
                    &item["id"],
                    ended_by_item(item),
                    shown(item),
                    milliseconds(&item["duration"]),
                );
                told.extend(self.left_running.ended(word(&item["process_id"]), word(&item["id"])));
                told
            }
            ("event_msg", "turn_aborted", _) => vec![interrupt(word(&payload["reason"]))],
            ("event_msg", "task_complete", _) => error(&payload["error"], self.resets).into_iter().collect(),
            ("compacted", ..) => compacted(payload).into_iter().collect(),
            ("token_usage_record", ..) => vec![self.usage(&payload["usage"])],
            ("event_msg", "item_completed", item) if TOLD_ELSEWHERE.contains(&item) => Vec::new(),
            ("event_msg", "task_started" | "thread_settings_applied" | "token_count" | "context_compacted", _)
            | ("response_item", "message" | "ghost_snapshot" | "compaction" | "context_compaction", _)
            | ("session_meta" | "turn_context" | "world_state", ..) => Vec::new(),
            _ => vec![odd(line)],
        }
    }

    fn remember(&mut self, kind: (&str, &str, &str), payload: &Value) {
        match kind {
            ("session_meta", ..) if self.forked.is_none() => {
                let is_forked = payload["forked_from_id"].is_string() && payload["source"]["subagent"].is_object();
                self.forked = is_forked.then(|| text_of(&payload["id"]));
            }
            ("turn_context", ..) => self.model = text_of(&payload["model"]),
            ("event_msg", "task_started", _) => {
                self.prompts.clear();
                // Both are numbered by time: what began before the sub-agent did is not its own.
                let turn = word(&payload["turn_id"]);
                self.is_copy = self.forked.as_ref().is_some_and(|thread| turn < thread.as_str());
                self.window = payload["model_context_window"].as_u64().or(self.window);
            }
            ("event_msg", "token_count", _) => {
                self.window = payload["info"]["model_context_window"].as_u64().or(self.window);
                self.resets = used_up(&payload["rate_limits"]);
            }
            _ => {}
        }
    }

    /// Whichever line comes first tells of it.
    fn prompt(&mut self, turn: &str, text: String, count: fn(&mut PromptLines) -> &mut u32) -> Vec<Happened> {
        let mut id = hooks::prompt_id(turn, &text);
        let lines = self.prompts.entry(id.clone()).or_default();
        let told = lines.told();
        *count(lines) += 1;
        if lines.told() == told {
            return Vec::new();
        }
        if told > 0 {
            id = format!("{id}-{}", told + 1);
        }
        vec![Happened::Prompt {
            sender: None,
            id,
            text,
            from: From::Person,
            checkpoint: None,
            key: String::new(),
            steer: false,
        }]
    }

    fn tool_ended(&mut self, id: &Value, status: ToolStatus, output: String, ms: Option<u64>) -> Vec<Happened> {
        let id = text_of(id);
        if !self.ended.insert(id.clone()) {
            return Vec::new();
        }
        let is_cut = CUT.iter().any(|mark| output.contains(mark));
        let ended = Happened::tool_ended(id, status, output, ms);
        vec![match is_cut {
            true => ended.cut_by_cli(None),
            false => ended,
        }]
    }

    /// The model's vendor searched, and all of it is one line.
    fn web_search(&mut self, entry: &Value) -> Vec<Happened> {
        let id = id_of(entry);
        let began = Happened::ToolStart {
            id: id.clone(),
            name: "web_search".into(),
            input: entry["payload"]["action"].clone(),
            dir: None,
            parent: None,
        };
        let ended = self.tool_ended(&id.into(), ToolStatus::Ok, String::new(), None);
        [began].into_iter().chain(ended).collect()
    }

    /// What came from the cache counts as input here, and beside it with us.
    fn usage(&self, usage: &Value) -> Happened {
        let count = |key: &str| usage[key].as_u64().unwrap_or(0);
        let cached = count("cached_input_tokens");
        Happened::Usage {
            model: self.model.clone(),
            input: count("input_tokens").saturating_sub(cached),
            output: count("output_tokens"),
            cache_read: cached,
            cache_write: count("cache_write_input_tokens"),
            cost: None,
            parent: None,
            window: self.window,
        }
    }
}

/// A message that a person or parlour sent, of words alone. What Codex itself puts before the model has the same role.
fn is_prompt(payload: &Value) -> bool {
    let metadata = &payload[METADATA];
    let kinds = metadata["content_item_kinds"].as_array();
    let is_typed = kinds.is_some_and(|kinds| !kinds.is_empty() && kinds.iter().all(|kind| kind == "user.text"));
    payload["role"] == "user" && is_typed && metadata["turn_id"].is_string()
}

/// What it said. A summary that it wrote for itself is none of it.
fn words(entry: &Value) -> Vec<Happened> {
    let text = plain(&entry["payload"]["content"]);
    if text.trim().is_empty() || entry["metadata"]["compaction_output"] == true {
        return Vec::new();
    }
    vec![Happened::Text { id: id_of(entry), text }]
}

/// What the model goes on with. Where the provider made it, it cannot be read.
fn compacted(payload: &Value) -> Option<Happened> {
    let text = text_of(&payload["message"]);
    (!text.trim().is_empty()).then(|| Happened::Summary {
        id: text_of(&payload["window_id"]),
        text,
        before: None,
        after: None,
    })
}

fn thinking(entry: &Value) -> Vec<Happened> {
    let text = plain(&entry["payload"]["summary"]);
    if text.trim().is_empty() {
        return Vec::new();
    }
    vec![Happened::Thinking { id: id_of(entry), text }]
}

/// Under the names and with the inputs that hooks give.
fn tool_began(payload: &Value) -> Happened {
    let (name, input) = match (word(&payload["type"]), word(&payload["name"])) {
        ("local_shell_call", _) => (
            "Bash".into(),
            json!({"command": shell_words(&payload["action"]["command"])}),
        ),
        ("custom_tool_call", name) => (name.into(), json!({"command": payload["input"]})),
        (_, COMMAND) => ("Bash".into(), command(arguments(payload))),
        (_, name) => match payload["namespace"].as_str().filter(|space| space.starts_with("mcp__")) {
            Some(server) => (format!("{server}__{name}"), arguments(payload)),
            None => (name.into(), arguments(payload)),
        },
    };
    Happened::ToolStart {
        id: text_of(&payload["call_id"]),
        name,
        input,
        dir: None,
        parent: None,
    }
}

/// JSON in a string; what is none stays the string that it is.
fn arguments(payload: &Value) -> Value {
    let text = word(&payload["arguments"]);
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

fn command(arguments: Value) -> Value {
    let Value::Object(fields) = arguments else {
        return arguments;
    };
    let named = fields.into_iter().map(|(name, value)| match name.as_str() {
        "cmd" => ("command".into(), value),
        _ => (name, value),
    });
    Value::Object(named.collect())
}

fn shell_words(command: &Value) -> String {
    let words = command.as_array().map_or(&[][..], Vec::as_slice);
    ::shell_words::join(words.iter().filter_map(Value::as_str))
}

/// How a tool ended, by what the model is told.
fn ended_by_words(output: &str) -> ToolStatus {
    match exit_code(output) {
        _ if output.starts_with("Tool call blocked by") => ToolStatus::Denied,
        _ if NOT_CALLED.iter().any(|start| output.starts_with(start)) => ToolStatus::Error,
        _ if output.ends_with("aborted by user") => ToolStatus::Interrupted,
        Some(0) | None => ToolStatus::Ok,
        Some(_) => ToolStatus::Error,
    }
}

/// What stands ahead of what a command printed, which may hold the same words.
fn measurements(output: &str) -> impl Iterator<Item = &str> {
    let printed = |line: &&str| *line != "Output:";
    output.lines().take_while(printed)
}

fn exit_code(output: &str) -> Option<i64> {
    let code = measurements(output).find_map(|line| line.strip_prefix("Process exited with code "))?;
    // What it cannot read is no zero.
    Some(code.trim().parse().unwrap_or(-1))
}

fn ended_by_item(item: &Value) -> ToolStatus {
    match word(&item["status"]) {
        "declined" => ToolStatus::Denied,
        "failed" => ToolStatus::Error,
        _ if item["result"]["isError"] == true => ToolStatus::Error,
        _ => ToolStatus::Ok,
    }
}

/// What the model is told, without the measurements ahead of it.
fn answer(output: &str) -> String {
    let measured = ["Chunk ID: ", "Wall time: "]
        .iter()
        .any(|start| output.starts_with(start));
    let rest = output.split_once("\nOutput:\n").filter(|_| measured);
    rest.map_or(output, |(_, rest)| rest).to_string()
}

/// What a person is shown of a tool that has ended.
fn shown(item: &Value) -> String {
    let said = |key: &str| word(&item[key]);
    match word(&item["type"]) {
        "CommandExecution" => with_exit_code(item["exit_code"].as_i64(), said("aggregated_output").into()),
        "FileChange" => format!("{}{}", said("stdout"), said("stderr")),
        _ if item["error"].is_null() => hooks::output(&item["result"]),
        _ => item["error"]["message"]
            .as_str()
            .map_or_else(|| item["error"].to_string(), String::from),
    }
}

fn milliseconds(duration: &Value) -> Option<u64> {
    Some(duration["secs"].as_u64()? * 1000 + duration["nanos"].as_u64()? / 1_000_000)
}

fn interrupt(reason: &str) -> Happened {
    let cause = match reason {
        "interrupted" => "a person pressed Esc".into(),
        other => other.replace('_', " "),
    };
    Happened::Interrupt { cause }
}

/// When the last of the limits ends that are used up whole.
fn used_up(limits: &Value) -> Option<Timestamp> {
    let of = |name: &str| {
        let limit = &limits[name];
        let is_full = limit["used_percent"].as_f64().is_some_and(|percent| percent >= 100.0);
        let seconds = limit["resets_at"].as_i64().filter(|_| is_full)?;
        Some(Timestamp(seconds.checked_mul(1000)?))
    };
    of("primary").max(of("secondary"))
}

fn trouble(error: &Value, message: &str, resets: Option<Timestamp>) -> Trouble {
    let info = &error["codex_error_info"];
    // Some of its names hold more: `{"response_stream_disconnected": {..}}`.
    let named = info.as_object().and_then(|fields| fields.keys().next());
    let name = named.map_or(word(info), String::as_str);
    let kind = match (name, info[name]["http_status_code"].as_u64()) {
        ("unauthorized", _) | (_, Some(401 | 403)) => TroubleKind::Login,
        ("usage_limit_exceeded", _) | (_, Some(429)) => TroubleKind::Limit,
        ("context_window_exceeded", _) => TroubleKind::ContextFull,
        ("server_overloaded", _) | (_, Some(503 | 529)) => TroubleKind::Overloaded,
        (_, Some(402)) => TroubleKind::Credit,
        ("http_connection_failed" | "response_stream_connection_failed" | "response_stream_disconnected", None) => {
            TroubleKind::Network
        }
        _ => TroubleKind::by_words(message),
    };
    Trouble {
        kind,
        resets: resets.filter(|_| kind == TroubleKind::Limit),
    }
}

fn error(error: &Value, resets: Option<Timestamp>) -> Option<Happened> {
    let message = text_of(error.get("message")?);
    let trouble = trouble(error, &message, resets);
    let hint = match (trouble.kind, word(&error["codex_error_info"])) {
        (TroubleKind::Login, _) => "log in again: `codex login`",
        (_, "usage_limit_exceeded") => "look at your plan or credit",
        (TroubleKind::ContextFull, _) => "type /compact in its terminal",
        _ => "send the prompt again later",
    };
    Some(Happened::Error {
        place: "Codex CLI".into(),
        trouble: Some(trouble),
        message,
        hint: hint.into(),
    })
}

/// Text, or the texts of a list, joined.
fn plain(content: &Value) -> String {
    let Some(blocks) = content.as_array() else {
        return text_of(content);
    };
    let texts: Vec<_> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
    texts.join("\n")
}

/// An item's own id; its place in the session, and its time, where its model's vendor gave it none: after somebody went back
/// another line stands in the same place.
fn id_of(entry: &Value) -> String {
    match entry["payload"]["id"].as_str() {
        Some(id) => id.into(),
        None => format!("line-{}-{}", entry["ordinal"], word(&entry["timestamp"])),
    }
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn text_of(value: &Value) -> String {
    word(value).to_string()
}

fn odd(line: &str) -> Happened {
    unknown_line::unknown("Codex's transcript", line)
}
