//! The words that were found, as they stand in what was said.

use std::collections::VecDeque;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::SoughtPhrase;
use super::words;
use crate::model::text::{is_hidden, without_sequences};

/// Bytes behind an excerpt that are read too: a word that is cut at its end must not pass for another one.
const BEHIND: usize = 256;

/// A stretch of a text on one line, with the places of what was looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpt {
    /// Blanks are folded, and what is hidden is left out.
    pub text: String,
    /// In bytes of the text.
    pub marks: Vec<(usize, usize)>,
}

impl Excerpt {
    /// The text as stretches that are marked or not.
    pub fn pieces(&self) -> Vec<(&str, bool)> {
        let mut pieces = Vec::new();
        let mut at = 0;
        for (from, to) in &self.marks {
            let (Some(plain), Some(marked)) = (self.text.get(at..*from), self.text.get(*from..*to)) else {
                continue;
            };
            pieces.push((plain, false));
            pieces.push((marked, true));
            at = *to;
        }
        pieces.push((self.text.get(at..).unwrap_or_default(), false));
        pieces.retain(|(text, _)| !text.is_empty());
        pieces
    }
}

/// Of a text, about as many bytes: where most of what is looked for stands together.
pub fn excerpt(text: &str, sought: &[SoughtPhrase], most: usize) -> Excerpt {
    let text = &without_sequences(text);
    let before = most / 4;
    let start = match best(text, sought, most - before) {
        Some(at) => after_word(text, text.floor_char_boundary(at.saturating_sub(before)), at),
        None => 0,
    };
    let end = text.floor_char_boundary(text.len().min(start + most));
    let mut excerpt = Excerpt::default();
    if start > 0 {
        excerpt.text.push('…');
    }
    let mut at = start;
    let read = text.floor_char_boundary(text.len().min(end + BEHIND));
    for place in places(&text[start..read], sought) {
        let place = place.start + start..place.end + start;
        if place.start < at || place.end > end {
            continue;
        }
        fold(&text[at..place.start], &mut excerpt.text);
        let from = excerpt.text.len();
        fold(&text[place.clone()], &mut excerpt.text);
        excerpt.marks.push((from, excerpt.text.len()));
        at = place.end;
    }
    fold(&text[at..end], &mut excerpt.text);
    let kept = excerpt.text.trim_end().len();
    excerpt.text.truncate(kept);
    if end < text.len() {
        excerpt.text.push('…');
    }
    excerpt
}

/// The next beginning of a word, if that is before the match.
fn after_word(text: &str, start: usize, place: usize) -> usize {
    let mut letters = text[start..place].char_indices().filter(|_| start > 0);
    let blank = letters.find(|(_, letter)| letter.is_whitespace());
    blank.map_or(start, |(at, letter)| start + at + letter.len_utf8())
}

fn fold(text: &str, to: &mut String) {
    for c in text.chars() {
        match c.is_whitespace() {
            true if to.is_empty() || to.ends_with(' ') => {}
            true => to.push(' '),
            false if is_hidden(c) => {}
            false => to.push(c),
        }
    }
}

/// The first place from which on most of what is sought stands within so many bytes.
fn best(text: &str, sought: &[SoughtPhrase], within: usize) -> Option<usize> {
    let mut near: VecDeque<(usize, Range<usize>)> = VecDeque::new();
    let mut counts = vec![0_usize; sought.len()];
    let (mut most, mut best) = (0, None);
    each(text, sought, |kind, place| {
        let end = place.end;
        near.push_back((kind, place));
        counts[kind] += 1;
        while let Some((kind, _)) = near.front().filter(|(_, first)| first.start + within < end) {
            counts[*kind] -= 1;
            near.pop_front();
        }
        let kinds = counts.iter().filter(|count| **count > 0).count();
        if kinds > most {
            most = kinds;
            best = near.iter().map(|(_, place)| place.start).min();
        }
    });
    best
}

/// In order.
fn places(text: &str, sought: &[SoughtPhrase]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    each(text, sought, |_, place| found.push(place));
    found.sort_by_key(|place: &Range<usize>| place.start);
    found
}

/// Each match by its end, with which of those sought it is.
fn each(text: &str, sought: &[SoughtPhrase], mut take: impl FnMut(usize, Range<usize>)) {
    let longest = sought.iter().map(|one| one.words.len()).max().unwrap_or(0);
    if longest == 0 {
        return;
    }
    // The last words that were read, as many as the longest phrase has.
    let mut window: VecDeque<(String, Range<usize>)> = VecDeque::new();
    words::each(text, |range, word| {
        if window.len() == longest {
            window.pop_front();
        }
        window.push_back((word.to_string(), range));
        for (at, one) in sought.iter().enumerate() {
            let Some(first) = window.len().checked_sub(one.words.len()) else {
                continue;
            };
            let stands = window.iter().skip(first).map(|(word, _)| word.as_str());
            if matches(one, stands) {
                take(at, window[first].1.start..window[window.len() - 1].1.end);
            }
        }
    });
}

fn matches<'w>(one: &SoughtPhrase, stands: impl Iterator<Item = &'w str>) -> bool {
    let last = one.words.len().saturating_sub(1);
    one.words
        .iter()
        .zip(stands)
        .enumerate()
        .all(|(at, (word, there))| match one.is_open && at == last {
            true => there.starts_with(word.as_str()),
            false => there == word,
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::history::HistoryQuery;
    use crate::model::{Timestamp, Zone};

    fn shown(text: &str, query: &str, most: usize) -> String {
        let sought = HistoryQuery::parse(query, Timestamp(0), Zone::default())
            .unwrap()
            .sought;
        let excerpt = excerpt(text, &sought, most);
        let piece = |(text, marked): (&str, bool)| if marked { format!("[{text}]") } else { text.into() };
        excerpt.pieces().into_iter().map(piece).collect()
    }

    #[test]
    fn an_excerpt_shows_what_was_found_with_what_stands_around_it() {
        assert_eq!(shown("The Token expired.", "token exp", 80), "The [Token] [expired].");
        assert_eq!(
            shown("call open_dir()\n\n  now", "open_dir", 80),
            "call [open_dir]() now"
        );
        assert_eq!(shown("a \u{202e}b\u{1b}[31m c", "c", 80), "a b [c]");
        assert_eq!(shown("修复登录页", "登录", 80), "修复[登录]页");
        assert_eq!(shown("nothing of it", "zzz", 80), "nothing of it");
    }

    #[test]
    fn a_rare_word_is_found_behind_a_common_one() {
        let text = format!(
            "{} the needle is here {}",
            "the hay ".repeat(500),
            "the hay ".repeat(500)
        );
        let shown = shown(&text, "the needle", 60);
        assert!(shown.contains("[the] [needle]"), "{shown}");
    }

    #[test]
    fn a_long_text_is_cut_around_the_place_with_most_of_it() {
        let text = format!("token {} the token that expired {}", "x ".repeat(300), "y ".repeat(300));
        let shown = shown(&text, "token expired", 60);
        assert!(shown.starts_with('…') && shown.ends_with('…'), "{shown}");
        assert!(shown.contains("the [token] that [expired]"), "{shown}");
    }
}
