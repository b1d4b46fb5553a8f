//! Markdown with front matter: roles, skills and prompt templates.

use serde::de::DeserializeOwned;

const MARK: &str = "---";

/// The head between two lines of `---` as `T`, and the text behind it. A file without a head has the head of an empty
/// one. An error says in words what is wrong, with its line.
pub fn parse<T: DeserializeOwned + Default>(file: &str) -> Result<(T, &str), String> {
    let file = file.strip_prefix('\u{feff}').unwrap_or(file);
    let Some((head, text)) = split(file) else {
        return Ok((T::default(), file));
    };
    if head.trim().is_empty() {
        return Ok((T::default(), text));
    }
    let head = serde_saphyr::from_str(head).map_err(|error| {
        let said = error.to_string();
        let first = said.lines().next().unwrap_or_default();
        format!("its head between the lines of --- cannot be read: {first}")
    })?;
    Ok((head, text))
}

/// The head and the text behind it, where there is a head.
pub fn split(file: &str) -> Option<(&str, &str)> {
    let is_mark = |line: &str| line.trim_end() == MARK;
    let first = file.split_inclusive('\n').next().filter(|line| is_mark(line))?;
    let mut at = first.len();
    for line in file[at..].split_inclusive('\n') {
        if is_mark(line) {
            return Some((&file[first.len()..at], &file[at + line.len()..]));
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct Head {
        description: String,
        deny: Vec<String>,
    }

    fn head(description: &str, deny: &[&str]) -> Head {
        Head {
            description: description.into(),
            deny: deny.iter().map(|rule| rule.to_string()).collect(),
        }
    }

    #[test]
    fn a_head_is_read_and_the_rest_is_text() {
        let file = "---\r\ndescription: \"a: b\"\r\ndeny:\r\n  - Edit(src/**)\r\n---\r\n# Text\n---\n";
        assert_eq!(parse(file), Ok((head("a: b", &["Edit(src/**)"]), "# Text\n---\n")));
        assert_eq!(parse("---\n---\ntext"), Ok((Head::default(), "text")));
    }

    #[test]
    fn a_file_without_a_whole_head_is_text() {
        for file in ["", "# Text\n", "--- \nno end", "----\nx: y\n---\n"] {
            assert_eq!(parse(file), Ok((Head::default(), file)), "{file}");
        }
    }

    #[test]
    fn a_head_that_cannot_be_read_is_said() {
        let why = parse::<Head>("---\ndeny: 3\n---\n").unwrap_err();
        assert!(
            why.starts_with("its head between the lines of --- cannot be read: "),
            "{why}"
        );
    }
}
