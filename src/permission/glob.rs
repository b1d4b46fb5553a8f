//! Patterns with stars.

/// What makes a glob of a name.
pub(super) const GLOB: [char; 4] = ['*', '?', '[', '{'];

/// Whether `text` fits a pattern in which `*` stands for any characters.
pub fn stars(pattern: &str, text: &str) -> bool {
    let Some((head, mut tail)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut rest) = text.strip_prefix(head) else {
        return false;
    };
    while let Some((part, behind)) = tail.split_once('*') {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
        tail = behind;
    }
    rest.ends_with(tail)
}

/// A glob in which `*` stands for all that it leaves open.
pub(super) fn as_stars(part: &str) -> String {
    let mut out = String::new();
    let mut rest = part;
    while let Some(at) = rest.find(['?', '[']) {
        out.push_str(&rest[..at]);
        out.push('*');
        let end = rest[at..]
            .strip_prefix('[')
            .and_then(|set| set.find(']'))
            .map_or(1, |end| end + 2);
        rest = rest.get(at + end..).unwrap_or_default();
    }
    out + rest
}
