//! Commands in backticks where the grammar sees text alone: in documents, in what stands in for a variable, in each other.

/// What a text may hold beside them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Quotes {
    /// They quote.
    Mean,
    /// As in a document, they are letters.
    Nothing,
}

/// The commands in backticks in a text, as a shell reads them. `None` where they cannot be told, or a command stands
/// there otherwise.
pub(super) fn commands(raw: &str, quotes: Quotes) -> Option<Vec<String>> {
    let mut found = Vec::new();
    let mut inner: Option<String> = None;
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        match (&mut inner, c, chars.peek()) {
            (None, '\\', _) => drop(chars.next()),
            (None, '`', _) => inner = Some(String::new()),
            (None, '$', Some('(')) => return None,
            (None, '<' | '>', Some('(')) | (None, '\'' | '"', _) if quotes == Quotes::Mean => return None,
            (None, ..) => {}
            // In quotes this means another thing than elsewhere.
            (Some(_), '\\', Some('"') | None) => return None,
            (Some(text), '\\', Some('`' | '\\' | '$')) => text.extend(chars.next()),
            (Some(_), '`', _) => found.extend(inner.take()),
            (Some(text), ..) => text.push(c),
        }
    }
    inner.is_none().then_some(found)
}
