//! Values that are known to be secret, masked by exact value wherever they stand. What stands beside them stays.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::{MASK, is_secret_field, without_secrets};

/// Shorter values stand everywhere in a text by chance.
const SHORTEST: usize = 8;

/// Names of variables that hold secrets.
const NAMES: [&str; 7] = [
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "API_KEY",
    "APIKEY",
    "CREDENTIAL",
];

/// The longest first: one may hold another.
#[derive(Clone, Debug, Default)]
pub struct KnownSecrets {
    values: Vec<String>,
}

impl KnownSecrets {
    pub fn of(values: BTreeSet<String>) -> KnownSecrets {
        let mut values: Vec<String> = values.into_iter().filter(|value| value.len() >= SHORTEST).collect();
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        KnownSecrets { values }
    }

    pub fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut masked = Cow::Borrowed(text);
        for value in self.values.iter().filter(|value| text.contains(value.as_str())) {
            masked = Cow::Owned(masked.replace(value.as_str(), MASK));
        }
        masked
    }
}

/// Whether the value of a variable is secret by the variable's name.
pub fn is_secret_variable(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    NAMES.iter().any(|secret| name.contains(secret))
}

/// The values that look secret, by their names or by their form, in the `NAME=value` lines of a file such as `.env`.
pub fn secrets_of_lines(text: &str) -> impl Iterator<Item = String> {
    text.lines().filter_map(|line| {
        let line = line.trim_start();
        let (name, value) = line.strip_prefix("export ").unwrap_or(line).split_once('=')?;
        let name = name.trim();
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let value = unquoted(value.trim());
        let is_secret = || is_secret_variable(name) || is_secret_field(name, value) || without_secrets(value) != value;
        (is_name && value.len() >= SHORTEST && is_secret()).then(|| value.to_string())
    })
}

/// Without the quotes around it, or without the comment behind it.
fn unquoted(value: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some((inside, _)) = value.strip_prefix(quote).and_then(|rest| rest.rsplit_once(quote)) {
            return inside;
        }
    }
    value.split_once(" #").map_or(value, |(value, _)| value).trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_variables_tells_what_looks_secret() {
        let text = "# API_TOKEN=of-a-comment\nNODE_ENV=production\nAPI_TOKEN=supersecretvalue12345\n\
                    export DB_PASSWORD='correct horse battery'\nSHORT_TOKEN=abc\nPORT=12345678\n\
                    MAIL_TOKEN=plain-words-here # of staging\nURL=\"postgres://ada:s3cretpw@db.example/x\"\nno line\n";
        let found: Vec<String> = secrets_of_lines(text).collect();
        let secret = [
            "supersecretvalue12345",
            "correct horse battery",
            "plain-words-here",
            "postgres://ada:s3cretpw@db.example/x",
        ];
        assert_eq!(found, secret);
    }

    #[test]
    fn the_longest_is_masked_first_and_what_stands_beside_it_stays() {
        let values = ["long-secret", "long-secret-and-more", "tiny"].map(String::from);
        let known = KnownSecrets::of(values.into());
        assert_eq!(
            known.mask("(long-secret-and-more) long-secret! tiny"),
            "(•••) •••! tiny"
        );
        assert_eq!(known.mask("nothing of it"), "nothing of it");
    }
}
