//! Claude Code's own transcript, line by line.
//!
//! It tells what no hook does: words, thinking, usage, interrupts, prompts that were queued while the agent worked, API
//! errors. What hooks tell too has the same id here, so that it is told once.

use std::path::PathBuf;

use serde::Deserialize;

use super::branches::{Branches, LineRole};
use super::cut_turn::{CutTurn, ESC};
use super::hooks::{self, Answered};
use super::kinds;
use super::pasted;
use super::raw::{self, Object, Raw};
use super::shell_mode;
use super::trouble::trouble;
use crate::agents::{ReadTranscript, unknown_line};
use crate::model::entry::{From, ToolStatus};
use crate::model::usage::TokenCount;
use crate::model::{Happened, Reported, Timestamp};

const INTERRUPTED: &str = "[Request interrupted by user";
/// The source of a prompt that waited for the end of a turn.
const QUEUED: &str = "queued";
/// As a tool's result: a person said no.
const REFUSED: &str = "The user doesn't want to";
/// How the result of a call begins whose output lies in a file.
const PERSISTED: &str = "<persisted-output>";
const SAVED_TO: &str = "Full output saved to: ";
/// What stands where the CLI left something out.
const CUT: &[&str] = &["characters truncated] ...", "lines truncated] ..."];
/// The model of what the CLI wrote itself.
const MADE_HERE: &str = "<synthetic>";
/// What the CLI lets its model have said, where it resumes a session whose last turn it takes for unfinished.
const FILLER: &str = "No response requested.";
/// Beginnings of `user` lines that no person typed.
const OWN_WORDS: &[&str] = &["<command-name>", "<local-command-", hooks::NOTIFICATION];

#[derive(Default)]
pub(super) struct ClaudeTranscript {
    whose: Whose,
    /// The reply whose usage was told, and what was told of it: each of its blocks is a line that repeats it, and only the
    /// last one may know all that was said.
    counted: (String, TokenCount),
    /// Of the newest compaction, whose summary stands behind it.
    sizes: CompactedSizes,
    cut: CutTurn,
    branches: Branches,
}

/// Whose lines count. Those of sub-agents lie in files of their own; in the agent's they would be taken for its own.
#[derive(Default, PartialEq, Eq)]
enum Whose {
    #[default]
    Agent,
    SubAgent,
}

/// What of a line is of use, unread.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase", bound(deserialize = "'de: 'a"))]
struct TranscriptLine<'a> {
    #[serde(rename = "type")]
    kind: Raw<'a>,
    subtype: Raw<'a>,
    uuid: Raw<'a>,
    parent_uuid: Raw<'a>,
    timestamp: Raw<'a>,
    prompt_id: Raw<'a>,
    prompt_source: Raw<'a>,
    is_sidechain: Raw<'a>,
    is_meta: Raw<'a>,
    is_compact_summary: Raw<'a>,
    is_api_error_message: Raw<'a>,
    origin: Raw<'a>,
    error: Raw<'a>,
    message: Object<ApiMessage<'a>>,
    tool_use_result: Raw<'a>,
    attachment: Raw<'a>,
    compact_metadata: Raw<'a>,
    retry_in_ms: Raw<'a>,
    retry_attempt: Raw<'a>,
    max_retries: Raw<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct ApiMessage<'a> {
    id: Raw<'a>,
    model: Raw<'a>,
    content: Raw<'a>,
    usage: Raw<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct ContentBlock<'a> {
    #[serde(rename = "type")]
    kind: Raw<'a>,
    text: Raw<'a>,
    thinking: Raw<'a>,
    id: Raw<'a>,
    name: Raw<'a>,
    input: Raw<'a>,
    tool_use_id: Raw<'a>,
    content: Raw<'a>,
    is_error: Raw<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Usage<'a> {
    input_tokens: Raw<'a>,
    output_tokens: Raw<'a>,
    cache_read_input_tokens: Raw<'a>,
    cache_creation_input_tokens: Raw<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase", bound(deserialize = "'de: 'a"))]
struct Attachment<'a> {
    #[serde(rename = "type")]
    kind: Raw<'a>,
    command_mode: Raw<'a>,
    prompt: Raw<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Failed<'a> {
    status: Raw<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Compacted<'a> {
    trigger: Raw<'a>,
    #[serde(rename = "preTokens")]
    before: Raw<'a>,
    #[serde(rename = "postTokens")]
    after: Raw<'a>,
}

/// How many tokens the context held before a compaction, and after it.
#[derive(Default)]
struct CompactedSizes {
    before: Option<u64>,
    after: Option<u64>,
}

impl ReadTranscript for ClaudeTranscript {
    /// A line that is no JSON, or of a kind nobody knows, is kept as it is.
    fn line(&mut self, line: &str) -> Vec<Reported> {
        let line = line.trim();
        if line.is_empty() {
            return Vec::new();
        }
        let object = Some(line).filter(|line| line.starts_with('{'));
        let Some(entry) = object.and_then(|line| serde_json::from_str::<TranscriptLine>(line).ok()) else {
            let (at, what) = (None, odd(line));
            return vec![Reported { at, what }];
        };
        let at = || Timestamp::try_from(text_of(entry.timestamp)).ok();
        let happened = self.happened(line, &entry);
        self.follow(&entry, &happened);
        happened.into_iter().map(|what| Reported { at: at(), what }).collect()
    }
}

impl ClaudeTranscript {
    pub(super) fn of_sub_agent() -> ClaudeTranscript {
        ClaudeTranscript {
            whose: Whose::SubAgent,
            ..ClaudeTranscript::default()
        }
    }

    /// The ids of lines with prompts that do not follow what was said last.
    pub(super) fn take_elsewhere(&mut self) -> Vec<String> {
        self.branches.take_elsewhere()
    }

    fn follow(&mut self, entry: &TranscriptLine, happened: &[Happened]) {
        if self.whose == Whose::SubAgent || raw::is_true(entry.is_sidechain) {
            return;
        }
        let is_prompt = happened.iter().any(|what| matches!(what, Happened::Prompt { .. }));
        let kind = match text_of(entry.kind).as_str() {
            "user" if is_prompt => LineRole::Prompt,
            _ if is_prompt => LineRole::Queued,
            _ => LineRole::Other,
        };
        self.branches.line(entry.uuid, entry.parent_uuid, kind);
    }

    fn happened(&mut self, line: &str, entry: &TranscriptLine) -> Vec<Happened> {
        if raw::is_true(entry.is_sidechain) != (self.whose == Whose::SubAgent) {
            return Vec::new();
        }
        match text_of(entry.kind).as_str() {
            "user" if raw::is_true(entry.is_compact_summary) => vec![self.summary(entry)],
            "user" => {
                let waited = raw::text(entry.prompt_source).as_deref() == Some(QUEUED);
                self.cut.tells(user(entry), waited)
            }
            "assistant" if raw::is_true(entry.is_api_error_message) => vec![api_error(entry)],
            "assistant" => {
                let happened = self.reply(entry);
                self.cut.works(&happened);
                happened
            }
            "attachment" => queued(entry).into_iter().collect(),
            "system" if raw::text(entry.subtype).as_deref() == Some("api_error") => vec![retry(entry)],
            "system" if raw::text(entry.subtype).as_deref() == Some("compact_boundary") => {
                let compacted: Compacted = raw::object(entry.compact_metadata);
                let trigger = text_of(compacted.trigger);
                self.sizes = CompactedSizes {
                    before: raw::count(compacted.before),
                    after: raw::count(compacted.after),
                };
                vec![Happened::Compaction { trigger }]
            }
            noise if kinds::is_noise(noise) => Vec::new(),
            _ => vec![odd(line)],
        }
    }

    fn summary(&mut self, entry: &TranscriptLine) -> Happened {
        let sizes = std::mem::take(&mut self.sizes);
        Happened::Summary {
            id: text_of(entry.uuid),
            text: plain(entry.message.0.content),
            before: sizes.before,
            after: sizes.after,
        }
    }

    /// One block of a reply, and with the first one what the whole of it used.
    fn reply(&mut self, entry: &TranscriptLine) -> Vec<Happened> {
        let message = &entry.message.0;
        let (id, model) = (text_of(entry.uuid), text_of(message.model));
        if model == MADE_HERE && plain(message.content) == FILLER {
            return Vec::new();
        }
        let mut happened: Vec<Happened> = blocks(message.content).filter_map(|block| said(&block, &id)).collect();
        let counts = message.usage.is_some_and(|usage| usage.get().starts_with('{'));
        if counts && model != MADE_HERE {
            happened.extend(self.usage(text_of(message.id), model, message.usage));
        }
        happened
    }

    /// What this line knows of a reply beyond the lines before.
    fn usage(&mut self, reply: String, model: String, used: Raw) -> Option<Happened> {
        let now = tokens(used);
        let is_fresh = self.counted.0 != reply;
        let told = if is_fresh {
            TokenCount::default()
        } else {
            self.counted.1
        };
        let news = TokenCount {
            input: now.input.saturating_sub(told.input),
            output: now.output.saturating_sub(told.output),
            cache_read: now.cache_read.saturating_sub(told.cache_read),
            cache_write: now.cache_write.saturating_sub(told.cache_write),
        };
        if !is_fresh && news.is_zero() {
            return None;
        }
        let mut sum = told;
        sum += news;
        self.counted = (reply, sum);
        Some(Happened::Usage {
            model,
            input: news.input,
            output: news.output,
            cache_read: news.cache_read,
            cache_write: news.cache_write,
            cost: None,
            parent: None,
            window: None,
        })
    }
}

fn said(block: &ContentBlock, id: &str) -> Option<Happened> {
    let id = id.to_string();
    match raw::text(block.kind)?.as_str() {
        "text" => Some(text_of(block.text))
            .filter(|text| !text.trim().is_empty())
            .map(|text| Happened::Text { id, text }),
        "thinking" => Some(text_of(block.thinking))
            .filter(|text| !text.trim().is_empty())
            .map(|text| Happened::Thinking { id, text }),
        "tool_use" => Some(Happened::ToolStart {
            id: text_of(block.id),
            name: text_of(block.name),
            input: raw::tree(block.input),
            dir: None,
            parent: None,
        }),
        _ => None,
    }
}

fn tokens(used: Raw) -> TokenCount {
    let used: Usage = raw::object(used);
    let count = |tokens| raw::count(tokens).unwrap_or(0);
    TokenCount {
        input: count(used.input_tokens),
        output: count(used.output_tokens),
        cache_read: count(used.cache_read_input_tokens),
        cache_write: count(used.cache_creation_input_tokens),
    }
}

/// A prompt, what tools answered, or the note of an interrupt.
fn user(entry: &TranscriptLine) -> Vec<Happened> {
    let message = &entry.message.0;
    let results: Vec<Happened> = blocks(message.content)
        .filter(|block| raw::text(block.kind).as_deref() == Some("tool_result"))
        .map(|block| tool_ended(&block, entry.tool_use_result))
        .collect();
    if !results.is_empty() {
        return results;
    }
    let said = plain(message.content);
    let told = match is_interrupt(entry, &said) {
        true => Some(Happened::Interrupt { cause: ESC.into() }),
        false => {
            let command = match raw::is_true(entry.is_meta) || entry.origin.is_some() {
                true => None,
                false => shell_mode::told(&text_of(entry.uuid), &text_of(entry.parent_uuid), &said),
            };
            command.or_else(|| prompt(entry, said))
        }
    };
    told.into_iter().collect()
}

fn tool_ended(block: &ContentBlock, answer: Raw) -> Happened {
    let failed = raw::is_true(block.is_error);
    let told: Answered = raw::object(answer);
    let output = match answer.filter(|answer| answer.get().starts_with('{')) {
        Some(answer) if !failed => hooks::output(answer, &told),
        Some(_) | None => plain(block.content),
    };
    let status = match failed {
        true if output.starts_with(REFUSED) => ToolStatus::Denied,
        true if output.starts_with(INTERRUPTED) => ToolStatus::Interrupted,
        true => ToolStatus::Error,
        false => ToolStatus::Ok,
    };
    let whole = told.whole().or_else(|| persisted(&plain(block.content)));
    let is_cut = whole.is_some() || CUT.iter().any(|mark| output.contains(mark));
    let ended = Happened::tool_ended(text_of(block.tool_use_id), status, output, told.ms());
    let ended = ended.with_changes(told.changed().filter(|_| !failed));
    match is_cut {
        true => ended.cut_by_cli(whole),
        false => ended,
    }
}

/// What its model is told in place of an output that is too long: where the whole of it is.
fn persisted(told: &str) -> Option<PathBuf> {
    let rest = told.strip_prefix(PERSISTED)?;
    let (_, path) = rest.split_once(SAVED_TO)?;
    path.lines().next().map(|path| path.trim().into())
}

/// What a person typed. Commands of the CLI and its own notes stand in the same kind of line.
fn prompt(entry: &TranscriptLine, text: String) -> Option<Happened> {
    let own = raw::is_true(entry.is_meta) || OWN_WORDS.iter().any(|w| text.starts_with(w));
    if own || text.trim().is_empty() {
        return None;
    }
    // A sub-agent's line has the id of the prompt that its agent works on.
    let id = match raw::is_true(entry.is_sidechain) {
        true => entry.uuid,
        false => entry.prompt_id,
    };
    Some(Happened::Prompt {
        id: text_of(id),
        text: pasted::bare(text),
        from: From::Person,
        sender: None,
        checkpoint: None,
        key: String::new(),
        steer: false,
    })
}

/// A person may type these very words; typed prompts say where they come from.
fn is_interrupt(entry: &TranscriptLine, said: &str) -> bool {
    !raw::is_true(entry.is_meta) && entry.origin.is_none() && said.starts_with(INTERRUPTED)
}

/// A request failed and is made again. Its delay is a number with a fraction.
fn retry(entry: &TranscriptLine) -> Happened {
    let failed: Failed = raw::object(entry.error);
    let message = match raw::count(failed.status) {
        Some(429) => "rate limit".into(),
        Some(529) => "overloaded".into(),
        Some(status) => format!("API error {status}"),
        None => "no connection".into(),
    };
    let delay = entry.retry_in_ms.and_then(|ms| ms.get().parse::<f64>().ok());
    let wrote = Timestamp::try_from(text_of(entry.timestamp)).ok();
    let until = wrote.zip(delay).map(|(at, ms)| at.plus_ms(ms.max(0.0) as u64));
    Happened::Retry {
        message,
        attempt: raw::count(entry.retry_attempt).unwrap_or(1),
        attempts: raw::count(entry.max_retries),
        until,
    }
}

fn api_error(entry: &TranscriptLine) -> Happened {
    let (error, message) = (text_of(entry.error), plain(entry.message.0.content));
    let hint = match error.as_str() {
        "authentication_failed" | "oauth_org_not_allowed" => "type /login in its terminal",
        "billing_error" => "look at your plan or credit",
        "rate_limit" | "overloaded" | "server_error" => "send the prompt again later",
        "model_not_found" => "choose another model with /model in its terminal",
        _ => "",
    };
    Happened::Error {
        place: "Claude Code".into(),
        trouble: Some(trouble(&error, &message)),
        message,
        hint: hint.into(),
    }
}

/// A prompt typed while the agent worked. It never becomes a `user` line, and no hook tells of it. A notice that
/// the CLI queued for itself has another mode.
fn queued(entry: &TranscriptLine) -> Option<Happened> {
    let attachment: Attachment = raw::object(entry.attachment);
    let is = |raw, word: &str| raw::text(raw).as_deref() == Some(word);
    if !is(attachment.kind, "queued_command") || !is(attachment.command_mode, "prompt") {
        return None;
    }
    Some(Happened::Prompt {
        id: text_of(entry.uuid),
        text: pasted::bare(plain(attachment.prompt)),
        from: From::Person,
        sender: None,
        checkpoint: None,
        key: String::new(),
        steer: false,
    })
}

/// Text, or the text blocks of a list, joined.
fn plain(content: Raw) -> String {
    raw::text(content).unwrap_or_else(|| {
        let texts = blocks(content).filter(|block| raw::text(block.kind).as_deref() == Some("text"));
        let texts: Vec<_> = texts.filter_map(|block| raw::text(block.text)).collect();
        texts.join("\n")
    })
}

fn blocks<'a>(content: Raw<'a>) -> impl Iterator<Item = ContentBlock<'a>> {
    let blocks: Vec<Object<ContentBlock>> = raw::list(content).unwrap_or_default();
    blocks.into_iter().map(|block| block.0)
}

fn text_of(raw: Raw) -> String {
    raw::text(raw).unwrap_or_default()
}

fn odd(line: &str) -> Happened {
    unknown_line::unknown("Claude Code's transcript", line)
}
