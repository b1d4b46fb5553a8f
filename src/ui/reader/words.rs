//! Signs as words: what shape and place say to the eye.

use crate::screen::keymap::PaneSheet;

/// What a sign says; `None` for a letter.
pub(super) fn of(sign: char, sheet: Option<PaneSheet>) -> Option<&'static str> {
    let own = if sheet == Some(PaneSheet::Changes) {
        of_changes(sign)
    } else if sheet == Some(PaneSheet::Checkpoints) {
        of_checkpoints(sign)
    } else {
        None
    };
    if own.is_some() {
        return own;
    }
    Some(match sign {
        // Lines, blocks, and the dots of braille, which such a display would show as letters.
        '\u{2500}'..='\u{259f}' | '\u{2800}'..='\u{28ff}' | '⎿' | '‹' | '›' | '»' | '∴' => "",
        '◆' => "needs you",
        '●' => "running",
        '○' => "idle",
        '◌' => "waiting",
        '◔' => "retrying",
        '✓' | '☑' => "done",
        '✗' => "failed",
        '⊘' => "denied",
        '■' => "stopped",
        '□' | '☐' => "open",
        '◇' => "hibernated",
        '‖' => "paused",
        '▸' => "folded",
        '▾' => "unfolded",
        '⏱' => "schedule",
        '⌃' => "pinned",
        '×' => "conflict",
        '✎' => "remarks",
        '✉' => "message",
        '↪' => "steers",
        '↳' => "then",
        '↶' => "back",
        '≋' => "compacted",
        '•' => "item",
        '↓' => "below",
        _ => return None,
    })
}

fn of_changes(sign: char) -> Option<&'static str> {
    Some(match sign {
        '●' => "staged",
        '◐' => "partly staged",
        '✓' => "viewed",
        _ => return None,
    })
}

fn of_checkpoints(sign: char) -> Option<&'static str> {
    Some(match sign {
        '●' => "the clones stand here",
        '◆' => "marked",
        _ => return None,
    })
}

/// A line in words alone. Columns become parts of a sentence, unless blanks are to stay as they are.
pub(super) fn spoken(line: &str, sheet: Option<PaneSheet>, blanks: Blanks) -> String {
    let mut words = String::new();
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        rest = &rest[letter.len_utf8()..];
        match of(letter, sheet) {
            Some("") => words.push(' '),
            // The word itself often stands beside its sign.
            Some(word) if rest.trim_start().starts_with(word) => {}
            Some(word) => {
                words.push_str(word);
                if rest.starts_with(|next: char| !next.is_whitespace()) {
                    words.push(' ');
                }
            }
            None => words.push(letter),
        }
    }
    match blanks {
        Blanks::Kept => words.trim_end().to_string(),
        Blanks::Joined => joined(&words),
    }
}

/// A row of the files: what became of one in place of its letter, and no columns, for which its row has no room then.
pub(super) fn file_row(line: String) -> String {
    let name = line.trim_start();
    let blanks = &line[..line.len() - name.len()];
    let kinds = [
        ("M ", "modified "),
        ("A ", "added "),
        ("D ", "deleted "),
        ("R ", "renamed "),
    ];
    let is_folder = name.starts_with("folded ") || name.starts_with("unfolded ");
    match kinds.iter().find(|(letter, _)| name.starts_with(letter)) {
        Some((letter, word)) => format!("{blanks}{word}{}", joined(&name[letter.len()..])),
        None if is_folder => format!("{blanks}{}", joined(name)),
        None => line,
    }
}

/// A line of a comparison, by its number and what became of it. `None` of what is none.
pub(super) fn code_line(line: &str) -> Option<String> {
    let (number, rest) = number(line.trim_start())?;
    let rest = rest.trim_start();
    if let Some(code) = rest.strip_prefix('+') {
        return Some(format!("line {number} added: {}", code.trim()));
    }
    if let Some(code) = rest.strip_prefix(['-', '−']) {
        return Some(format!("line {number} removed: {}", code.trim()));
    }
    let (number, code) = self::number(rest)?;
    Some(format!("line {number}: {}", code.trim()))
}

fn number(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blanks {
    /// In code and in what programs print.
    Kept,
    /// Two or more stand between columns.
    Joined,
}

fn joined(line: &str) -> String {
    let parts = line.split("  ").map(str::trim).filter(|part| !part.is_empty());
    let mut sentence = String::new();
    for part in parts {
        if !sentence.is_empty() {
            sentence.push_str(if sentence.ends_with([',', ':', ';']) { " " } else { ", " });
        }
        sentence.push_str(part);
    }
    sentence.replace(" · ", ", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_words_and_columns_a_sentence() {
        let said = |line| spoken(line, None, Blanks::Joined);
        assert_eq!(
            said("│ ◆ Try Redis        grove · cache   1m │"),
            "needs you Try Redis, grove, cache, 1m"
        );
        assert_eq!(said("◆ needs you: approval"), "needs you: approval");
        assert_eq!(said("▸ src   ⠙"), "folded src");
        assert_eq!(
            spoken("● a.rs", Some(PaneSheet::Changes), Blanks::Joined),
            "staged a.rs"
        );
        assert_eq!(spoken("  if x {   ", None, Blanks::Kept), "  if x {");
    }

    #[test]
    fn a_line_of_a_comparison_is_told_by_its_number_and_what_became_of_it() {
        let told = |line| code_line(line).unwrap_or_default();
        assert_eq!(told(" 88     -    let claims = 1;"), "line 88 removed: let claims = 1;");
        assert_eq!(told("     89 +  return;"), "line 89 added: return;");
        assert_eq!(told("120 122      if a {"), "line 122: if a {");
        assert_eq!(told(" 87  87  - an item"), "line 87: - an item");
        assert_eq!(code_line("@@ line 122 @@"), None);
        assert_eq!(file_row("  M README.md      +2".into()), "  modified README.md, +2");
        assert_eq!(file_row("unfolded src/     6".into()), "unfolded src/, 6");
        assert_eq!(file_row("    x  = 1".into()), "    x  = 1");
    }
}
