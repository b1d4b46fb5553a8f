//! One line of a table of keys.

/// A command with its default keys and its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyLine<C> {
    pub command: C,
    /// As [`crate::term::key::parse`] reads them; the first is the one that hints show.
    pub keys: &'static [&'static str],
    pub title: &'static str,
    /// One or two words, where there is no room for more.
    pub short: &'static str,
}

pub const fn bind<C: Copy>(
    command: C,
    keys: &'static [&'static str],
    title: &'static str,
    short: &'static str,
) -> KeyLine<C> {
    KeyLine {
        command,
        keys,
        title,
        short,
    }
}

impl<C> KeyLine<C> {
    /// The same line of a table that holds more kinds of commands.
    pub fn map<D>(self, wrap: impl FnOnce(C) -> D) -> KeyLine<D> {
        KeyLine {
            command: wrap(self.command),
            keys: self.keys,
            title: self.title,
            short: self.short,
        }
    }
}
