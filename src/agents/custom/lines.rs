//! The transcript of a custom CLI: JSON lines, with the fields that its entry names.

use data_encoding::HEXLOWER;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::agents::ReadTranscript;
use crate::model::agent::Fields;
use crate::model::entry::{From, ToolStatus};
use crate::model::text::one_line;
use crate::model::{Happened, Reported, Timestamp};

const ODD_CHARS: usize = 2000;
const PEOPLE: [&str; 3] = ["user", "human", "person"];
const AGENTS: [&str; 5] = ["assistant", "agent", "ai", "bot", "model"];

/// A line without an id of its own is known by its text and that of the line before it, which it is rarely twice.
pub(super) struct CustomLines {
    fields: Fields,
    before: String,
    /// The tool that was begun last: a result without an id is its.
    tool: Option<String>,
}

impl CustomLines {
    pub fn new(fields: Fields) -> CustomLines {
        CustomLines {
            fields,
            before: String::new(),
            tool: None,
        }
    }

    fn happened(&mut self, entry: &Value, fallback: &str) -> Vec<Happened> {
        let fields = self.fields.clone();
        let text_at = |path: &str| at(entry, path).map(words).unwrap_or_default();
        let own = text_at(&fields.id);
        let id = match own.is_empty() {
            true => fallback.to_string(),
            false => own.clone(),
        };
        let (name, result) = (text_at(&fields.tool), at(entry, &fields.result));
        if !name.is_empty() {
            let input = at(entry, &fields.input).cloned().unwrap_or_default();
            self.tool = Some(id.clone());
            let start = Happened::ToolStart {
                id: id.clone(),
                name,
                input,
                dir: None,
                parent: None,
            };
            return std::iter::once(start)
                .chain(result.map(|result| end(id, result)))
                .collect();
        }
        if let Some(result) = result {
            let of = if own.is_empty() {
                self.tool.take().unwrap_or(id)
            } else {
                id
            };
            return vec![end(of, result)];
        }
        let (role, text) = (text_at(&fields.role).to_lowercase(), text_at(&fields.text));
        match text.trim().is_empty() {
            true => Vec::new(),
            false if PEOPLE.contains(&role.as_str()) => vec![Happened::Prompt {
                id,
                text,
                from: From::Person,
                sender: None,
                checkpoint: None,
                key: String::new(),
                steer: false,
            }],
            false if AGENTS.contains(&role.as_str()) => vec![Happened::Text { id, text }],
            false => Vec::new(),
        }
    }
}

impl ReadTranscript for CustomLines {
    fn line(&mut self, line: &str) -> Vec<Reported> {
        if line.trim().is_empty() {
            return Vec::new();
        }
        let hash = HEXLOWER.encode(&Sha256::digest(format!("{}\n{line}", self.before))[..12]);
        self.before = line.into();
        let Ok(entry @ Value::Object(_)) = serde_json::from_str::<Value>(line) else {
            let fields = Map::from_iter([("line".to_string(), Value::from(one_line(line, ODD_CHARS)))]);
            let what = Happened::Unknown { fields };
            return vec![Reported { at: None, what }];
        };
        let at = at(&entry, &self.fields.time).and_then(Value::as_str);
        let at = at.and_then(|at| Timestamp::try_from(at.to_string()).ok());
        let told = |what| Reported { at, what };
        self.happened(&entry, &hash).into_iter().map(told).collect()
    }
}

/// What stands at `a.b.0`.
fn at<'v>(entry: &'v Value, path: &str) -> Option<&'v Value> {
    let mut place = entry;
    for step in path.split('.').filter(|step| !step.is_empty()) {
        place = match place {
            Value::Array(items) => items.get(step.parse::<usize>().ok()?)?,
            other => other.get(step)?,
        };
    }
    (!path.is_empty() && !place.is_null()).then_some(place)
}

fn words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), String::from)
}

fn end(id: String, result: &Value) -> Happened {
    Happened::tool_ended(id, ToolStatus::Ok, words(result), None)
}
