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

/// As [`one_line`], of words in Markdown: without the marks that only a page would show as what they mean.
pub fn one_plain_line(text: &str, most: usize) -> String {
    let lines = text.lines().map(str::trim);
    let said = lines.filter(|line| !line.starts_with("```") && !is_rule(line));
    let plain: Vec<String> = said.map(without_marks).collect();
    one_line(&plain.join("\n"), most)
}

fn is_rule(line: &str) -> bool {
    line.len() >= 3 && line.chars().all(|c| matches!(c, '-' | '*' | '_' | '='))
}

fn without_marks(line: &str) -> String {
    let heading = line.trim_start_matches('#');
    let line = heading.strip_prefix(' ').filter(|_| heading != line).unwrap_or(line);
    let line = ["> ", "- ", "* "]
        .iter()
        .find_map(|mark| line.strip_prefix(mark))
        .unwrap_or(line);
    line.replace("**", "").replace('`', "")
}

/// A path as its end where it is long: its beginning is mostly the same.
pub fn short_path(path: &str, most: usize) -> String {
    if !path.starts_with('/') || path.chars().count() <= most || path.contains(char::is_whitespace) {
        return path.into();
    }
    let mut kept = String::new();
    for part in path.rsplit('/').filter(|part| !part.is_empty()) {
        if !kept.is_empty() && kept.chars().count() + part.chars().count() + 3 > most {
            break;
        }
        kept = match kept.is_empty() {
            true => part.into(),
            false => format!("{part}/{kept}"),
        };
    }
    format!("…/{kept}")
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
    fn markdown_is_read_as_words_and_a_long_path_by_its_end() {
        let text = "## Done\n\n- **All** tests in `src/a_b.rs` pass, 2 * 3 = 6\n---\n```\nx = 1\n```\n> #41";
        assert_eq!(
            one_plain_line(text, 80),
            "Done All tests in src/a_b.rs pass, 2 * 3 = 6 x = 1 #41"
        );
        let path = "/home/somebody/.parlour/chats/abcdefghij/projects/grove/src/lib.rs";
        assert_eq!(short_path(path, 40), "…/abcdefghij/projects/grove/src/lib.rs");
        assert_eq!(short_path("/etc/hosts", 40), "/etc/hosts");
        assert_eq!(short_path("ls /home/somebody/a/long/way/to/go/to/there", 20).len(), 43);
    }

    #[test]
    fn one_line_folds_and_cuts() {
        assert_eq!(one_line(" a\n\tb\u{200b}c ", 80), "a bc");
        assert_eq!(one_line("abcdef", 4), "abc…");
    }
}
