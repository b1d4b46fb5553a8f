//! The links that are marked for one person.

use crate::term::TextSpot;

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkTarget {
    Url(String),
    /// A path as it is written, and a line in it.
    File(String, Option<u32>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its cells, the first and the last of each line.
    pub spans: Vec<(TextSpot, TextSpot)>,
    pub target: LinkTarget,
}

/// The links that are marked now, and what of the letters was typed.
pub struct MarkedLinks {
    pub links: Vec<(String, Link)>,
    pub typed: String,
}

/// Letters next to each other's fingers first.
const LETTERS: &str = "asdfjklghqwertyuiopzxcvbnm";

/// A screen has no more that a person could name by two letters.
const MOST: usize = LETTERS.len() * LETTERS.len();

impl LinkTarget {
    /// As it is copied.
    pub(super) fn text(&self) -> String {
        match self {
            LinkTarget::Url(url) => url.clone(),
            LinkTarget::File(path, Some(line)) => format!("{path}:{line}"),
            LinkTarget::File(path, None) => path.clone(),
        }
    }
}

impl MarkedLinks {
    /// The newest, which stand lowest, have the nearest letters.
    pub(super) fn new(links: Vec<Link>) -> MarkedLinks {
        let newest = links.into_iter().rev().take(MOST).collect::<Vec<_>>();
        let letters: Vec<char> = LETTERS.chars().collect();
        let label = |at: usize| match newest.len() > letters.len() {
            true => [letters[at / letters.len()], letters[at % letters.len()]]
                .iter()
                .collect(),
            false => letters[at].to_string(),
        };
        let labels: Vec<String> = (0..newest.len()).map(label).collect();
        MarkedLinks {
            links: labels.into_iter().zip(newest).collect(),
            typed: String::new(),
        }
    }

    /// Those that what was typed may still mean, each with the letters that are missing.
    pub fn meant(&self) -> impl Iterator<Item = (&str, &Link)> {
        let missing = |(label, link)| Some((str::strip_prefix(label, &self.typed)?, link));
        self.links
            .iter()
            .map(|(label, link)| (label.as_str(), link))
            .filter_map(missing)
    }
}
