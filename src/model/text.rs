//! Making text from agents, files, git and peers safe to show where a decision is made.

use std::borrow::Cow;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Control, invisible and bidirectional characters become visible escapes (`\u{202e}`, `\n`); all else stays.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for (c, seen) in seen(text) {
        match seen {
            Seen::Hidden => shown.extend(c.escape_default()),
            Seen::Plain | Seen::Joiner => shown.push(c),
            // Not every terminal draws what it joins as one: without it they stand side by side in all.
            Seen::JoinsEmoji => {}
        }
    }
    shown
}

/// What a reader would see of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    Plain,
    Hidden,
    /// Between letters of a script whose spelling needs it.
    Joiner,
    /// Between two emoji.
    JoinsEmoji,
}

/// Each character, and what a reader would see of it. What joins deceives nobody where writing needs it.
pub fn seen(text: &str) -> impl Iterator<Item = (char, Seen)> {
    let mut before = None;
    let mut rest = text.chars().peekable();
    std::iter::from_fn(move || {
        let c = rest.next()?;
        let sides = (before.replace(c), rest.peek().copied());
        let is_joiner = matches!(c, '\u{200c}' | '\u{200d}');
        let seen = match sides {
            (Some(left), Some(right)) if c == '\u{200d}' && is_emoji(left) && is_emoji(right) => Seen::JoinsEmoji,
            (Some(left), Some(right)) if is_joiner && needs_joiners(left) && needs_joiners(right) => Seen::Joiner,
            _ if is_hidden(c) => Seen::Hidden,
            _ => Seen::Plain,
        };
        Some((c, seen))
    })
}

/// Or what stands behind one: a colour of skin, the sign that it is a picture.
fn is_emoji(c: char) -> bool {
    matches!(c, '\u{1f000}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{2190}'..='\u{21ff}' | '\u{fe0f}')
}

/// Arabic, Syriac, the scripts of India and Sri Lanka, Mongolian, and forms of Arabic letters.
fn needs_joiners(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{1800}'..='\u{18af}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// Whether a character would be invisible, move the cursor or reorder the text around it.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180e}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Without control sequences of terminals. An end of a line is `\n`, however others write it.
pub fn without_sequences(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\r' if rest.peek() == Some(&'\n') => {}
            '\r' => kept.push('\n'),
            '\u{1b}' => skip_sequence(&mut rest),
            c => kept.push(c),
        }
    }
    kept
}

/// What follows an escape: up to the end of the sequence.
fn skip_sequence(rest: &mut std::iter::Peekable<std::str::Chars>) {
    match rest.peek() {
        Some('[') => {
            rest.next();
            while let Some(c) = rest.next_if(|c| (' '..='~').contains(c)) {
                if ('@'..='~').contains(&c) {
                    break;
                }
            }
        }
        Some(']' | 'P' | '_' | '^' | 'X') => {
            while let Some(c) = rest.next_if(|c| *c != '\n') {
                if c == '\u{7}' {
                    break;
                }
                if c == '\u{1b}' && rest.next_if_eq(&'\\').is_some() {
                    break;
                }
            }
        }
        Some(' '..='~') => drop(rest.next()),
        Some(_) | None => {}
    }
}

/// One line for a list: whitespace folded, what is hidden left out, cut at `most` characters.
pub fn one_line(text: &str, most: usize) -> String {
    folded(text, most, |line, word| {
        let kept = seen(word).filter(|(_, seen)| matches!(seen, Seen::Plain | Seen::Joiner));
        line.extend(kept.map(|(c, _)| c));
    })
}

/// The same of what a person judges by: what is hidden is spelled out.
pub fn one_visible_line(text: &str, most: usize) -> String {
    folded(text, most, |line, word| line.push_str(&visible(word)))
}

fn folded(text: &str, most: usize, add: impl Fn(&mut String, &str)) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        add(&mut line, word);
        if line.chars().count() > most {
            let mut cut: String = line.chars().take(most.saturating_sub(1)).collect();
            cut.push('…');
            return cut;
        }
    }
    line
}

/// `1 turn`, `3 turns`.
pub fn count(count: usize, of: &str) -> String {
    match count {
        1 => format!("1 {of}"),
        many => format!("{many} {of}s"),
    }
}

/// A reason as a sentence of its own.
pub fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).chain(['.']).collect()
}

/// Bytes of a text that are looked at to make a line of it.
const LOOKED_AT: usize = 16 << 10;

/// As [`one_line`], of words in Markdown: what a page shows of them, the cells of a table with dots between.
pub fn one_plain_line(text: &str, most: usize) -> String {
    let text = &text[..text.floor_char_boundary(text.len().min(LOOKED_AT))];
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut said = String::new();
    // Of each list that is open, the number of the next item, if it has any.
    let mut lists: Vec<Option<u64>> = Vec::new();
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(Tag::List(first)) => lists.push(first),
            Event::Start(Tag::Item) => {
                said.push(' ');
                if let Some(Some(number)) = lists.last_mut() {
                    said.push_str(&format!("{number}. "));
                    *number += 1;
                }
            }
            Event::End(TagEnd::List(_)) => drop(lists.pop()),
            Event::Text(words) | Event::Code(words) | Event::Html(words) | Event::InlineHtml(words) => {
                said.push_str(&words);
            }
            Event::End(TagEnd::TableCell) => said.push_str(" · "),
            Event::End(TagEnd::TableHead | TagEnd::TableRow) => {
                let row = said.trim_end_matches(" · ").len();
                said.truncate(row);
                said.push(' ');
            }
            Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image) => {}
            Event::End(_) | Event::SoftBreak | Event::HardBreak => said.push(' '),
            _ => {}
        }
    }
    one_line(&said, most)
}

/// Words that end with a path, in so many characters: the path's beginning is left out, which is mostly the same.
pub fn fit_path(words: &str, most: usize) -> Cow<'_, str> {
    let (before, path) = words.split_at(words.rfind(": ").map_or(0, |at| at + 2));
    let is_path = path.contains('/') && !path.contains("://") && !path.contains(char::is_whitespace);
    let room = most.saturating_sub(before.chars().count());
    match words.chars().count() > most && is_path && room > 3 {
        true => format!("{before}{}", end_of(path, room)).into(),
        false => words.into(),
    }
}

/// By whole names where they fit.
fn end_of(path: &str, room: usize) -> String {
    let mut ends = path.match_indices('/').map(|(at, _)| &path[at..]);
    let fits = |end: &&str| end.len() > 1 && end.chars().count() < room;
    let named = ends.find(fits).map(String::from);
    let cut = || {
        path.chars()
            .skip((path.chars().count() + 1).saturating_sub(room))
            .collect()
    };
    format!("…{}", named.unwrap_or_else(cut))
}

/// Words that are secret are left out. A word is what a token can consist of: letters and digits of ASCII, `-`, `_`.
pub fn mask_words(text: &str, is_secret: impl Fn(&str) -> bool) -> String {
    let is_in_word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let (word, tail) = rest.split_at(rest.find(|c| !is_in_word(c)).unwrap_or(rest.len()));
        masked.push_str(if is_secret(word) { "•••" } else { word });
        let next = tail.chars().next().map_or(0, char::len_utf8);
        masked.push_str(&tail[..next]);
        rest = &tail[next..];
    }
    masked
}

/// A slip of the hand in so many letters: one wrong, left out or too many, or two of them in the other order.
const LETTERS_A_SLIP: usize = 4;

/// Which of the known words somebody meant who typed this one: the nearest, where few slips of the hand lie between them.
/// Words of about its length alone are compared, so that a long one costs no more than a short one.
pub fn nearest<'w>(typed: &str, known: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let letters = typed.chars().count();
    let most = (letters / LETTERS_A_SLIP).max(1);
    let like = known.filter(|word| word.chars().count().abs_diff(letters) <= most);
    let slips = like.map(|word| (strsim::damerau_levenshtein(typed, word), word));
    let near = slips.filter(|(slips, _)| *slips <= most);
    near.min_by_key(|(slips, _)| *slips).map(|(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_that_was_meant_is_near() {
        let near = |typed: &str| nearest(typed, ["list", "fix-auth", "fix-auto"].into_iter());
        assert_eq!(near("lst"), Some("list"));
        assert_eq!(near("fix-atuh"), Some("fix-auth"));
        assert_eq!(near("ls"), None);
        assert_eq!(near(&"x".repeat(1 << 20)), None);
    }

    #[test]
    fn sequences_go_and_lines_end_in_one_way() {
        let text = "a\u{1b}[31mred\u{1b}[0m\u{1b}]0;title\u{7}c\r\nd\re\u{1b}(Bf\u{1b}";
        assert_eq!(without_sequences(text), "aredc\nd\neBf");
    }

    #[test]
    fn what_could_deceive_is_spelled_out() {
        assert_eq!(visible("a\u{202e}b\x1b[31m\nc"), "a\\u{202e}b\\u{1b}[31m\\nc");
        assert_eq!(visible("größe 修 👍"), "größe 修 👍");
        assert_eq!(
            one_visible_line("printf '\x1b[31m' \n rm \u{202e}/", 80),
            "printf '\\u{1b}[31m' rm \\u{202e}/"
        );
    }

    #[test]
    fn what_joins_is_spelled_out_only_where_nothing_needs_it() {
        assert_eq!(visible("👩\u{200d}👩\u{200d}👧"), "👩👩👧");
        assert_eq!(visible("می\u{200c}خواهم क्\u{200d}ष"), "می\u{200c}خواهم क्\u{200d}ष");
        assert_eq!(visible("pay\u{200d}pal \u{200d}👧"), "pay\\u{200d}pal \\u{200d}👧");
        assert_eq!(one_line("👩\u{200d}👧 می\u{200c}خ", 80), "👩👧 می\u{200c}خ");
    }

    #[test]
    fn markdown_is_read_as_words_and_a_long_path_by_its_end() {
        let text = "## Done\n\n- **All** tests in `src/a_b.rs` pass, 2 * 3 = 6\n---\n```\nx = 1\n```\n> #41";
        assert_eq!(
            one_plain_line(text, 80),
            "Done All tests in src/a_b.rs pass, 2 * 3 = 6 x = 1 #41"
        );
        let table = "Three fail:\n\n| Spec | Why |\n|:---|---:|\n| `login` | **401** |\n\nSee [the log](notes/log.md) and ![a graph](g.png).";
        assert_eq!(
            one_plain_line(table, 120),
            "Three fail: Spec · Why login · 401 See the log and a graph."
        );
        assert_eq!(
            one_plain_line("- item one\n  - nested\n- item two", 80),
            "item one nested item two"
        );
        let odd = "- [ ] a[0](1) is [1] ~~not~~ done\ncat x\n| grep y";
        assert_eq!(one_plain_line(odd, 80), "a0 is [1] not done cat x | grep y");
        let inline = "Use *one* `Vec<T>` of Vec<T>, not a_b_c \\*; so:\n1. first\n2. second";
        assert_eq!(
            one_plain_line(inline, 80),
            "Use one Vec<T> of Vec<T>, not a_b_c *; so: 1. first 2. second"
        );
        let path = "/home/somebody/.parlour/chats/abcdefghij/projects/grove/src/lib.rs";
        assert_eq!(fit_path(path, 40), "…/abcdefghij/projects/grove/src/lib.rs");
        assert_eq!(fit_path("/etc/hosts", 40), "/etc/hosts");
        assert_eq!(
            fit_path("needs you: Write: src/store/lines.rs", 30),
            "needs you: Write: …/lines.rs"
        );
        assert_eq!(
            fit_path("Write: a-long-directory/another-long-name.rs", 18),
            "Write: …ng-name.rs"
        );
        let command = "ls /home/somebody/a/long/way/to/go/to/there";
        assert_eq!(fit_path(command, 20), command);
        let url = "WebFetch: https://example.com/a/long/way";
        assert_eq!(fit_path(url, 20), url, "its beginning is what tells");
    }

    #[test]
    fn one_line_folds_and_cuts() {
        assert_eq!(one_line(" a\n\tb\u{200b}c ", 80), "a bc");
        assert_eq!(one_line("abcdef", 4), "abc…");
    }
}
