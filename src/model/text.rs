//! Making text from agents, files, git and peers safe to show where a decision is made.

/// Control, invisible and bidirectional characters become visible escapes (`\u{202e}`, `\n`); all else stays.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match is_hidden(c) {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    shown
}

/// Whether a character would be invisible, move the cursor or reorder the text around it.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180e}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// One line for a list: whitespace folded, what is hidden left out, cut at `most` characters.
pub fn one_line(text: &str, most: usize) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().filter(|c| !is_hidden(*c)));
        if line.chars().count() > most {
            let mut cut: String = line.chars().take(most.saturating_sub(1)).collect();
            cut.push('…');
            return cut;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_deceive_is_spelled_out() {
        assert_eq!(visible("a\u{202e}b\x1b[31m\nc"), "a\\u{202e}b\\u{1b}[31m\\nc");
        assert_eq!(visible("größe 修 👍"), "größe 修 👍");
    }

    #[test]
    fn one_line_folds_and_cuts() {
        assert_eq!(one_line(" a\n\tb\u{200b}c ", 80), "a bc");
        assert_eq!(one_line("abcdef", 4), "abc…");
    }
}
