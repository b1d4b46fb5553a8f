//! What of a transcript's line can be looked for. Lines are read as far as that needs, which is much faster than to make
//! entries of them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, BufRead, Read};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::model::Timestamp;
use crate::model::history::HitKind;
use crate::store::LONGEST;

/// Calls that are under way; more are never at once.
const OPEN: usize = 256;

/// A line, as far as it is of use.
#[derive(Deserialize)]
pub(super) struct IndexedLine<'l> {
    pub seq: u64,
    #[serde(borrow)]
    ts: Cow<'l, str>,
    #[serde(borrow)]
    kind: Cow<'l, str>,
    #[serde(default, borrow)]
    id: Cow<'l, str>,
    #[serde(default, borrow)]
    text: Cow<'l, str>,
    #[serde(default, borrow)]
    name: Cow<'l, str>,
    #[serde(default, borrow)]
    message: Cow<'l, str>,
    #[serde(default, borrow)]
    hint: Cow<'l, str>,
    #[serde(default, borrow)]
    preview: Cow<'l, str>,
    #[serde(default, borrow)]
    status: Cow<'l, str>,
    #[serde(default)]
    dir: Option<String>,
    #[serde(default, borrow)]
    input: Option<&'l RawValue>,
    /// A file; of what was used it is a number.
    #[serde(default, borrow)]
    output: Option<&'l RawValue>,
}

/// What a line says.
pub(super) struct SaidText<'l> {
    pub kind: HitKind,
    pub text: Cow<'l, str>,
    pub failed: bool,
    /// The call that it is of.
    pub call: Option<&'l str>,
    /// What begins with it.
    pub begins: Option<IndexedCall>,
    /// The file of the whole output, of which the text is the beginning.
    pub output: Option<String>,
}

/// A call whose end is still to come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct IndexedCall {
    /// Of the entry that it began with.
    pub seq: u64,
    pub tool: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
}

/// By id.
pub(super) type IndexedCalls = BTreeMap<String, IndexedCall>;

impl IndexedLine<'_> {
    pub fn parse(line: &[u8]) -> Option<IndexedLine<'_>> {
        serde_json::from_slice(line).ok()
    }

    pub fn at(&self) -> Option<Timestamp> {
        Timestamp::try_from(self.ts.to_string()).ok()
    }

    /// None for what says nothing.
    pub fn said(&self) -> Option<SaidText<'_>> {
        let plain = |kind, text| SaidText {
            kind,
            text: Cow::Borrowed(text),
            failed: false,
            call: None,
            begins: None,
            output: None,
        };
        let said = match &*self.kind {
            "prompt" => plain(HitKind::Prompt, &*self.text),
            "text" => plain(HitKind::Answer, &self.text),
            "thinking" => plain(HitKind::Thinking, &self.text),
            "summary" => plain(HitKind::Summary, &self.text),
            "subagent.text" => plain(HitKind::SubAgent, &self.text),
            "message" => plain(HitKind::Message, &self.text),
            "note" => plain(HitKind::Note, &self.text),
            "error" => SaidText {
                text: format!("{}\n{}", self.message, self.hint).into(),
                failed: true,
                ..plain(HitKind::Error, "")
            },
            "tool.start" => SaidText {
                text: self.input.map(strings).unwrap_or_default().into(),
                call: Some(&*self.id),
                begins: Some(IndexedCall {
                    seq: self.seq,
                    tool: self.name.to_string(),
                    project: self.dir.clone(),
                }),
                ..plain(HitKind::Call, "")
            },
            "tool.end" => SaidText {
                failed: self.status == "error",
                call: Some(&*self.id),
                output: self.output.and_then(|file| serde_json::from_str(file.get()).ok()),
                ..plain(HitKind::Output, &self.preview)
            },
            _ => return None,
        };
        Some(said)
    }
}

/// The call is known until it has ended.
pub(super) fn take(open: &mut IndexedCalls, said: &SaidText) -> Option<IndexedCall> {
    let id = said.call?;
    match &said.begins {
        Some(call) => {
            if open.len() >= OPEN {
                open.pop_first();
            }
            open.insert(id.into(), call.clone());
            Some(call.clone())
        }
        None => open.remove(id),
    }
}

/// The words in an input, without the names of its fields.
fn strings(input: &RawValue) -> String {
    fn add(value: &Value, to: &mut String) {
        match value {
            Value::String(text) => {
                to.push_str(text);
                to.push('\n');
            }
            Value::Array(values) => values.iter().for_each(|value| add(value, to)),
            Value::Object(fields) => fields.values().for_each(|value| add(value, to)),
            Value::Number(number) => to.push_str(&format!("{number}\n")),
            Value::Null | Value::Bool(_) => {}
        }
    }
    let mut text = String::new();
    if let Ok(value) = serde_json::from_str(input.get()) {
        add(&value, &mut text);
    }
    text
}

/// The next finished line, and how many bytes it takes. One that is longer than a line may be is handed out empty.
pub(super) fn next_line(file: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<u64>> {
    line.clear();
    let mut taken = file.take(LONGEST as u64 + 1).read_until(b'\n', line)? as u64;
    if line.last() == Some(&b'\n') {
        line.pop();
        return Ok(Some(taken));
    }
    if taken <= LONGEST as u64 {
        // Its end is not written yet.
        return Ok(None);
    }
    line.clear();
    loop {
        let block = file.fill_buf()?;
        if block.is_empty() {
            return Ok(None);
        }
        let newline = memchr::memchr(b'\n', block);
        let length = newline.map_or(block.len(), |at| at + 1);
        file.consume(length);
        taken += length as u64;
        if newline.is_some() {
            return Ok(Some(taken));
        }
    }
}
