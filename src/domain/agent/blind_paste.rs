//! Whether Enter would send what was pasted into a CLI of which nothing but the screen is known.
//!
//! Nobody can read its composer, so the screen before the paste is compared with the one behind it. A question may have been
//! drawn meanwhile, and Enter would answer that. A CLI may also show nothing of a paste, or fold it.

use super::same_text::visible_signs;

/// The end of a paste, in signs: so much of it is looked for.
const END: usize = 40;

/// What the screen shows of a paste.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShownPaste {
    /// Its end, and nothing below that asks.
    Stands,
    /// Nothing of it, and nothing new that asks.
    Hidden,
    /// What is new seems to ask something.
    Asks,
}

/// What the screen shows of this paste, by the text of it before and now.
pub(super) fn shown(before: &str, now: &str, pasted: &str) -> ShownPaste {
    let pasted = visible_signs(pasted);
    let end = pasted.char_indices().rev().nth(END - 1).map_or(0, |(at, _)| at);
    let end = &pasted[end..];
    let (stood, stands) = (stands(before, end), stands(now, end));
    let stands = stands.last().filter(|_| stands.len() > stood.len());
    let known: Vec<&str> = before.lines().map(str::trim).collect();
    let below = now.lines().skip(stands.map_or(0, |line| line + 1));
    let news = below.map(str::trim).filter(|line| !known.contains(line));
    let mut others = news.filter(|line| !is_part(line, &pasted));
    match (others.any(asks), stands) {
        (true, _) => ShownPaste::Asks,
        (false, Some(_)) => ShownPaste::Stands,
        (false, None) => ShownPaste::Hidden,
    }
}

/// The lines with whose end these signs end. They may have begun lines above, where the screen breaks them.
fn stands(screen: &str, end: &str) -> Vec<usize> {
    let mut above = String::new();
    let ends = screen.lines().enumerate().filter(|(_, line)| {
        let signs = visible_signs(line);
        above.push_str(&signs);
        !signs.is_empty() && !end.is_empty() && above.ends_with(end)
    });
    ends.map(|(at, _)| at).collect()
}

/// A line that shows no more than a part of what was pasted.
fn is_part(line: &str, pasted: &str) -> bool {
    let bare = line.trim_matches(|c: char| !c.is_alphanumeric());
    pasted.contains(&visible_signs(bare))
}

/// Whether a line looks like a question, a choice, or something else that Enter would answer.
fn asks(line: &str) -> bool {
    let line = line.trim_matches(|c: char| c.is_whitespace() || ('\u{2500}'..='\u{259f}').contains(&c));
    let small = line.to_lowercase();
    let is_secret = (small.contains("password") || small.contains("passphrase")) && small.ends_with(':');
    let goes_on = small.contains("press") && small.contains("continue");
    line.ends_with('?') && line.len() > 1 || has_choice(&small) || is_choice(&small) || is_secret || goes_on
}

/// `(y/n)`, `[Y/n]`, `(yes/no/always)`.
fn has_choice(line: &str) -> bool {
    line.split(['(', '[', ']', ')']).any(|inner| {
        let mut words = inner.split(['/', '|']).map(str::trim);
        let has_yes = words.clone().any(|word| matches!(word, "y" | "yes"));
        has_yes && words.any(|word| matches!(word, "n" | "no"))
    })
}

/// `❯ 1. Yes`.
fn is_choice(line: &str) -> bool {
    let line = line.trim_start_matches(|c: char| !c.is_alphanumeric());
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let word = rest
        .strip_prefix(['.', ')'])
        .unwrap_or_default()
        .split_whitespace()
        .next();
    let word = word.unwrap_or_default().trim_matches(|c: char| !c.is_alphanumeric());
    rest.len() < line.len() && ["yes", "no", "allow", "deny", "approve", "reject", "cancel", "accept"].contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_new_on_the_screen_tells_whether_enter_would_send_the_paste() {
        use ShownPaste::{Asks, Hidden, Stands};
        let table = [
            ("echoed", "done\n> ", "done\n> fix it", "fix it", Stands),
            (
                "framed",
                "│ >      │",
                "│ > fix it │\n╰──────────╯\n ⏎ send",
                "fix it",
                Stands,
            ),
            (
                "broken into lines",
                "> ",
                "> a long te\nxt to the\nend",
                "a long text to the end",
                Stands,
            ),
            (
                "a question itself",
                "> ",
                "> why does it fail?",
                "why does it fail?",
                Stands,
            ),
            (
                "its beginning shows",
                "> ",
                "> why does it fail?",
                "why does it fail?\nsay so",
                Hidden,
            ),
            ("folded", "> ", "> [Pasted text #1 +3 lines]", "a\nb\nc?\nd", Hidden),
            ("not echoed", "> ", "> ", "fix it", Hidden),
            (
                "sent before",
                "> fix it\ndone\n> ",
                "> fix it\ndone\n> ",
                "fix it",
                Hidden,
            ),
            (
                "asked before",
                "Is it fine? (y/n)\n> ",
                "Is it fine? (y/n)\n> yes",
                "yes",
                Stands,
            ),
            (
                "words of its last turn",
                "> ",
                "Shall I go on?\n> fix it",
                "fix it",
                Stands,
            ),
            ("a question", "done\n> ", "Delete all files? (y/n) ", "fix it", Asks),
            (
                "a question below",
                "done\n> ",
                "> fix it\nDelete all files? (y/n) ",
                "fix it",
                Asks,
            ),
            ("a short paste in it", "> ", "Delete? (y/n)", "n", Asks),
            ("a menu", "> ", "Allow this?\n❯ 1. Yes\n  2. No", "fix it", Asks),
            ("a choice", "> ", "│ ❯ 1. Yes, and do not ask again │", "fix it", Asks),
            ("a password", "> ", "Password for git:", "fix it", Asks),
            ("a page", "> ", "Press any key to continue", "fix it", Asks),
        ];
        for (what, before, now, pasted, expected) in table {
            assert_eq!(shown(before, now, pasted), expected, "{what}");
        }
    }
}
