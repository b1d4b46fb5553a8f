//! Braces, which stand for several words: `src/{a,b}`, `x{1..3}`.

/// One word may stand for no more: as many names as a person would type.
const MOST: usize = 64;

/// The words that a text stands for, unless they are too many.
pub(super) fn expand(text: &str) -> Option<Vec<String>> {
    let mut open = vec![text.to_string()];
    let mut found = Vec::new();
    while let Some(text) = open.pop() {
        match group(&text) {
            Some((before, parts, behind)) => {
                let words = parts.iter().rev().map(|part| format!("{before}{part}{behind}"));
                open.extend(words);
            }
            // A range that nobody here reads, or of too many.
            None if text.contains('{') && text.contains("..") => return None,
            None => found.push(text),
        }
        if open.len() + found.len() > MOST {
            return None;
        }
    }
    Some(found)
}

/// The first braces that stand for something, with what is before and behind them.
fn group(text: &str) -> Option<(&str, Vec<String>, &str)> {
    text.match_indices('{').find_map(|(open, _)| {
        let (parts, end) = parts(&text[open + 1..])?;
        let parts = match parts.as_slice() {
            [range] => range_of(range)?,
            parts => parts.iter().map(|part| part.to_string()).collect(),
        };
        Some((&text[..open], parts, &text[open + 1 + end + 1..]))
    })
}

/// What stands between the commas up to the brace that ends it, and where that is.
fn parts(text: &str) -> Option<(Vec<&str>, usize)> {
    let (mut depth, mut from) = (0, 0);
    let mut parts = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                parts.push(&text[from..at]);
                return Some((parts, at));
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    None
}

/// `1..3`, `a..c`.
fn range_of(range: &str) -> Option<Vec<String>> {
    let (first, last) = range.split_once("..")?;
    if let (Ok(first), Ok(last)) = (first.parse::<i32>(), last.parse::<i32>()) {
        let (low, high) = (first.min(last), first.max(last));
        let count = usize::try_from(i64::from(high) - i64::from(low)).ok()?;
        return (count < MOST).then(|| (low..=high).map(|number| number.to_string()).collect());
    }
    let letter = |text: &str| {
        text.chars()
            .next()
            .filter(|c| c.is_ascii_lowercase() && text.len() == 1)
    };
    let (first, last) = (letter(first)?, letter(last)?);
    Some((first.min(last)..=first.max(last)).map(String::from).collect())
}
