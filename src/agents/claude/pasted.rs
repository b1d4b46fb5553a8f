//! What a newer Claude Code puts around the part of a prompt that was pasted: `<pasted_content id="e270">` in a line before
//! it, the same with a slash in a line behind it, and a free line between them and what was typed. To the person none of
//! that is a part of the prompt.

const OPENS: &str = "<pasted_content id=\"";
const CLOSES: &str = "\n</pasted_content id=\"";
const END: &str = "\">";
/// Stands between a part that is marked and what was typed. It is missing where the CLI kept the prompt for later.
const BETWEEN: &str = "\n\n";
/// An id is a few letters and digits: what has another form was typed by somebody.
const LONGEST_ID: usize = 16;

/// The prompt as it was sent.
pub(super) fn bare(text: String) -> String {
    if !text.contains(OPENS) {
        return text;
    }
    let mut rest = text.as_str();
    let mut bare = String::new();
    while let Some([before, pasted, behind]) = next(rest) {
        bare.push_str(before.strip_suffix(BETWEEN).unwrap_or(before));
        bare.push_str(pasted);
        rest = behind.strip_prefix(BETWEEN).unwrap_or(behind.trim_start_matches('\n'));
    }
    bare + rest
}

/// What stands before the first part that is marked, that part, and what stands behind it.
fn next(text: &str) -> Option<[&str; 3]> {
    let (before, rest) = text.split_once(OPENS)?;
    let (id, rest) = rest.split_once(END)?;
    let is_id = id.len() <= LONGEST_ID && id.chars().all(|c| c.is_ascii_alphanumeric());
    let (pasted, behind) = rest.split_once(&format!("{CLOSES}{id}{END}")).filter(|_| is_id)?;
    Some([before, pasted.strip_prefix('\n').unwrap_or(pasted), behind])
}

#[cfg(test)]
mod tests {
    use super::bare;

    #[test]
    fn a_pasted_part_stands_where_it_was_pasted() {
        for (told, sent) in [
            ("fix it", "fix it"),
            (
                "\n\n<pasted_content id=\"2c0a\">\none\n  two\n</pasted_content id=\"2c0a\">\n",
                "one\n  two",
            ),
            (
                "see: \n\n<pasted_content id=\"2c0a\">\none\ntwo\n</pasted_content id=\"2c0a\">\n\n and so on",
                "see: one\ntwo and so on",
            ),
            (
                "<pasted_content id=\"345d\">\none\n  two\n</pasted_content id=\"345d\">",
                "one\n  two",
            ),
            (
                "\n\n<pasted_content id=\"a\">\none\n</pasted_content id=\"a\">\n\n, \n\n<pasted_content id=\"b\">\ntwo\n</pasted_content id=\"b\">\n",
                "one, two",
            ),
            (
                "what is\n\n<pasted_content id=\"…\">\nx",
                "what is\n\n<pasted_content id=\"…\">\nx",
            ),
            (
                "\n\n<pasted_content id=\"a\">\none\n</pasted_content id=\"b\">\n",
                "\n\n<pasted_content id=\"a\">\none\n</pasted_content id=\"b\">\n",
            ),
        ] {
            assert_eq!(bare(told.into()), sent);
        }
    }
}
