//! What is offered for an `@`, and how far a person has gone through it.

/// A word that begins with `@`, before the cursor.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Behind the `@`.
    pub wanted: String,
    /// What it was looked for last.
    pub(super) sought: Option<String>,
    /// Files are on their way for these letters.
    pub(super) asked: Option<String>,
    /// What is no file and begins with what is typed.
    pub(super) own: Vec<NamedOffer>,
    pub(super) files: Vec<NamedOffer>,
    /// What is no file and only has these letters.
    pub(super) others: Vec<NamedOffer>,
    pub at: usize,
    /// The person wants none of it.
    pub is_dismissed: bool,
}

/// One thing that it may name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedOffer {
    /// In place of the word.
    pub word: String,
    /// What that is, at the right.
    pub note: &'static str,
}

impl Completion {
    /// What is offered, the best first.
    pub fn offers(&self) -> impl Iterator<Item = &NamedOffer> {
        let all = self.own.iter().chain(&self.files).chain(&self.others);
        all.take(if self.is_dismissed { 0 } else { usize::MAX })
    }

    pub fn is_open(&self) -> bool {
        self.offers().next().is_some()
    }

    /// Taking the marked one would change what is typed.
    pub fn is_unfinished(&self) -> bool {
        let marked = self.offers().nth(self.at);
        marked.is_some_and(|offer| offer.word.strip_prefix('@') != Some(&self.wanted))
    }
}
