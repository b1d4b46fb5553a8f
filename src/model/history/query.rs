//! What somebody writes to find something: words, phrases in quotation marks, and filters like `tool:bash`.

use serde::{Deserialize, Serialize};

use super::words;
use crate::model::text::visible;
use crate::model::{Problem, Timestamp, Zone};

/// The filters that may stand among the words, with what may follow them.
pub const FILTERS: [(&str, &str); 6] = [
    ("chat:", "a handle or name"),
    ("project:", "a project's name"),
    ("tool:", "a tool, or read, write, edit, bash, search, fetch, task, mcp"),
    ("after:", "a day, a time, or 3d for three days ago"),
    ("before:", "the same"),
    ("failed:", "yes or no"),
];

const DOING: &str = "searching the transcripts";

/// As it was written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryQuery {
    pub sought: Vec<SoughtPhrase>,
    pub chats: Vec<String>,
    pub projects: Vec<String>,
    pub tools: Vec<String>,
    pub after: Option<Timestamp>,
    pub before: Option<Timestamp>,
    pub failed: bool,
}

/// Words that stand one behind the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SoughtPhrase {
    /// As in the index.
    pub words: Vec<String>,
    /// The last one may go on.
    pub is_open: bool,
}

impl HistoryQuery {
    /// The last word may go on, and each that has a `*` behind it; one in quotation marks may not.
    pub fn parse(text: &str, now: Timestamp, zone: Zone) -> Result<HistoryQuery, Problem> {
        let mut query = HistoryQuery::default();
        let parts = parts(text);
        let last = parts.len().saturating_sub(1);
        for (at, part) in parts.iter().enumerate() {
            match part {
                QueryPart::Filter(key, value) => query.filter(key, value, now, zone)?,
                QueryPart::Words(text) => {
                    let words = words::of(text);
                    // One letter begins too much to be of use.
                    let may_go_on = words.last().is_some_and(|word| word.len() > 1);
                    let ends = text.chars().next_back().is_some_and(|c| !c.is_alphanumeric());
                    let is_open = may_go_on && (text.ends_with('*') || at == last && !ends);
                    query.seek(words, is_open);
                }
                QueryPart::Phrase(text) => query.seek(words::of(text), false),
            }
        }
        Ok(query)
    }

    fn seek(&mut self, words: Vec<String>, is_open: bool) {
        if !words.is_empty() {
            self.sought.push(SoughtPhrase { words, is_open });
        }
    }

    /// Adds a filter, by its name without the colon.
    pub fn filter(&mut self, key: &str, value: &str, now: Timestamp, zone: Zone) -> Result<(), Problem> {
        if value.is_empty() && key != "failed" {
            // Somebody is about to write it.
            return Ok(());
        }
        match key {
            "chat" => self.chats.push(value.into()),
            "project" => self.projects.push(value.into()),
            "tool" => self.tools.push(value.into()),
            "after" => self.after = Some(moment(key, value, now, zone)?),
            "before" => self.before = Some(moment(key, value, now, zone)?),
            "failed" => {
                self.failed = match value {
                    "" | "yes" | "true" => true,
                    "no" | "false" => false,
                    other => {
                        let cause = format!("failed:{} is no filter", visible(other));
                        return Err(Problem::new(DOING, cause, "write failed:yes, or leave it out"));
                    }
                }
            }
            other => return Err(unknown(other)),
        }
        Ok(())
    }

    /// Nothing is looked for.
    pub fn is_empty(&self) -> bool {
        *self == HistoryQuery::default()
    }
}

/// The words and phrases that are looked for, as they were written.
pub fn typed(text: &str) -> Vec<String> {
    let typed = parts(text).into_iter().filter_map(|part| match part {
        QueryPart::Filter(..) => None,
        QueryPart::Words(words) => Some(words.trim_end_matches('*').to_owned()),
        QueryPart::Phrase(words) => Some(words),
    });
    typed.filter(|words| !words::of(words).is_empty()).collect()
}

enum QueryPart {
    Filter(String, String),
    Words(String),
    Phrase(String),
}

/// A word with a colon that is no filter is looked for as it stands, but for one that is nearly a filter.
fn parts(text: &str) -> Vec<QueryPart> {
    let mut parts = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        if let Some(quoted) = rest.strip_prefix('"') {
            let (phrase, after) = quoted.split_once('"').unwrap_or((quoted, ""));
            parts.push(QueryPart::Phrase(phrase.into()));
            rest = after.trim_start();
            continue;
        }
        let key = rest.split_once(':').map(|(key, _)| key).filter(|key| {
            let after = &rest[key.len() + 1..];
            is_filter(key) || is_nearly_filter(key) && !after.starts_with([':', '/'])
        });
        let Some(key) = key else {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            parts.push(QueryPart::Words(rest[..end].into()));
            rest = rest[end..].trim_start();
            continue;
        };
        let value = &rest[key.len() + 1..];
        let (value, after) = match value.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => value.split_at(value.find(char::is_whitespace).unwrap_or(value.len())),
        };
        parts.push(QueryPart::Filter(key.into(), value.into()));
        rest = after.trim_start();
    }
    parts
}

fn names() -> impl Iterator<Item = &'static str> {
    FILTERS.iter().map(|(name, _)| name.trim_end_matches(':'))
}

fn is_filter(key: &str) -> bool {
    names().any(|name| name == key)
}

fn is_nearly_filter(key: &str) -> bool {
    let is_word = key.chars().all(|c| c.is_ascii_alphabetic());
    // Its beginning is one too: `fail:yes`.
    let begins = |name: &str| key.len() > 2 && name.starts_with(key);
    is_word && names().any(|name| begins(name) || strsim::damerau_levenshtein(name, key) == 1)
}

fn unknown(key: &str) -> Problem {
    let known = FILTERS.map(|(name, _)| name).join(" ");
    let cause = format!("there is no filter {}:", visible(key));
    let hint = format!("filters are {known}; \" \" quotes words");
    Problem::new(DOING, cause, hint)
}

/// A day begins at midnight, in the person's own time zone.
fn moment(key: &str, value: &str, now: Timestamp, zone: Zone) -> Result<Timestamp, Problem> {
    const DAY_MS: i64 = 86_400_000;
    let midnight = |moment: Timestamp| zone.read(&zone.wall(moment).format("%Y-%m-%d").to_string());
    let ago = value
        .split_at_checked(value.len().saturating_sub(1))
        .and_then(|(count, unit)| {
            let unit = match unit {
                "m" => 60_000,
                "h" => 3_600_000,
                "d" => DAY_MS,
                "w" => 7 * DAY_MS,
                _ => return None,
            };
            count
                .parse::<u32>()
                .ok()
                .map(|count| i64::from(count).saturating_mul(unit))
        });
    let read = match (value, ago) {
        (_, Some(ago)) => Ok(Timestamp(now.0.saturating_sub(ago))),
        ("now", None) => Ok(now),
        ("today", None) => midnight(now),
        ("yesterday", None) => midnight(Timestamp(now.0.saturating_sub(DAY_MS))),
        (day, None) => zone.read(day),
    };
    read.map_err(|_| {
        let cause = format!("{key}:{} is no day and no time", visible(value));
        let hint = format!("write {key}:2026-03-29, {key}:2026-03-29T09:00, {key}:yesterday or {key}:3d (minutes m, hours h, days d, weeks w)");
        Problem::new(DOING, cause, hint)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-02-15, a Sunday, 10:00 in Berlin.
    const NOW: Timestamp = Timestamp(1_771_146_000_000);

    fn parsed(text: &str) -> Result<HistoryQuery, Problem> {
        HistoryQuery::parse(text, NOW, Zone::parse("Europe/Berlin").unwrap())
    }

    fn shown(text: &str) -> String {
        let sought = parsed(text).unwrap().sought;
        let one =
            |sought: &SoughtPhrase| format!("{}{}", sought.words.join("+"), if sought.is_open { "*" } else { "" });
        sought.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_last_word_may_go_on_and_a_phrase_stands_as_it_is() {
        assert_eq!(shown("Token expi"), "token expi*");
        assert_eq!(shown("tok* expired "), "tok* expired*");
        assert_eq!(shown("open_dir"), "open+dir*");
        assert_eq!(shown("\"Log in\" x"), "log+in x");
        assert_eq!(shown("std::vec::Vec http://a.b/c"), "std+vec+vec http+a+b+c");
        assert_eq!(shown("login("), "login");
        assert_eq!(shown("\"not closed"), "not+closed");
        assert_eq!(shown(" - \"\" "), "");
        assert_eq!(shown("login tool:bash"), "login");
        assert_eq!(
            typed("Log* tool:bash \"not now\" - open_dir"),
            ["Log", "not now", "open_dir"]
        );
    }

    #[test]
    fn filters_stand_among_the_words() {
        let query = parsed("chat:fix-auth error project:\"my grove\" tool:bash failed: chat:x").unwrap();
        assert_eq!(query.chats, ["fix-auth", "x"]);
        assert_eq!(
            (query.projects, query.tools),
            (vec!["my grove".into()], vec!["bash".into()])
        );
        assert!(query.failed && query.sought.len() == 1);
        assert!(parsed("chat: ").unwrap().is_empty(), "it is about to be written");
        let at = |text: &str| parsed(text).unwrap().before.unwrap().to_string();
        assert_eq!(at("before:2026-02-15"), "2026-02-14T23:00:00.000Z");
        assert_eq!(at("before:today"), "2026-02-14T23:00:00.000Z");
        assert_eq!(at("before:yesterday"), "2026-02-13T23:00:00.000Z");
        assert_eq!(at("before:2h"), "2026-02-15T07:00:00.000Z");
        assert_eq!(at("before:2026-02-15T09:30"), "2026-02-15T08:30:00.000Z");
    }

    #[test]
    fn what_is_no_filter_is_said_with_those_there_are() {
        let said = |text: &str| parsed(text).unwrap_err().to_string();
        assert!(said("tol:bash").contains("there is no filter tol:"));
        assert!(said("tol:bash").contains("chat: project: tool: after: before: failed:"));
        assert!(said("fail:yes").contains("there is no filter fail:"));
        assert!(said("failed:maybe").contains("failed:yes"));
        assert!(said("before:soon").contains("before:2026-03-29"));
        assert_eq!(shown("Chat::new error:x"), "chat+new error+x");
    }
}
