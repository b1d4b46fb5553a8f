//! The links that are marked for one person.

use crate::screen::tab::transcript::data::RowSpot;
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
    /// The rows of the transcript that were in sight, where links of it are marked: a line is the place of one among them.
    pub rows: Option<Vec<RowSpot>>,
}

/// Letters next to each other's fingers first.
const LETTERS: &str = "asdfjklghqwertyuiopzxcvbnm";

/// Where one letter is not enough, two stand in the order of the alphabet.
const ALPHABET: &str = "abcdefghijklmnopqrstuvwxyz";

/// A screen has no more that a person could name by two letters.
const MOST: usize = LETTERS.len() * LETTERS.len();

impl LinkTarget {
    /// Whether a row ends with the beginning of the whole one, and the next row goes on with the rest. The rest may need
    /// more rows than that.
    pub(in crate::screen) fn is_begun(&self, whole: &LinkTarget, next: &str) -> bool {
        let whole = whole.text();
        let rest = whole.strip_prefix(&self.text()).filter(|rest| !rest.is_empty());
        rest.is_some_and(|rest| next.starts_with(rest) || !next.is_empty() && rest.starts_with(next))
    }

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
    /// The newest, which stand lowest, have the nearest letters. If there are more than letters, two name one, from top to
    /// bottom.
    pub(super) fn new(links: Vec<Link>, rows: Option<Vec<RowSpot>>) -> MarkedLinks {
        let labelled = match links.len() > LETTERS.len() {
            true => {
                let older = links.len().saturating_sub(MOST);
                pairs().zip(links.into_iter().skip(older)).collect()
            }
            false => LETTERS.chars().map(String::from).zip(links.into_iter().rev()).collect(),
        };
        MarkedLinks {
            links: labelled,
            typed: String::new(),
            rows,
        }
    }

    /// How many letters name one.
    pub fn letters(&self) -> usize {
        self.links.first().map_or(0, |(label, _)| label.len())
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

/// `aa`, `ab` and so on.
fn pairs() -> impl Iterator<Item = String> {
    let second = |first: char| ALPHABET.chars().map(move |second| [first, second].iter().collect());
    ALPHABET.chars().flat_map(second)
}
