//! The keys of dialogs: one table a kind. They are fixed, so that nobody answers a question by a key that means
//! something else elsewhere. What is typed into a field is in no table.

mod approvals;
mod output;
mod pages;
mod settings;
mod stored;

use std::sync::OnceLock;

use crossterm::event::KeyEvent;

use crate::term::key::{normal, parse};

use super::super::hint::Hint;
use super::super::keymap::{KeyLine, bind};

pub use approvals::{ANSWER, APPROVALS, AnswerKeys, ApprovalKey};
pub use output::{OUTPUT, OutputKey};
pub use pages::{HELP, HISTORY, HelpKey, HistoryKey, KEY_CARD, KeyCardKey, TOUR, TourKey, USAGE, UsageKey};
pub use settings::{SETTING_TYPED, SETTINGS, SettingTypedKey, SettingsKey};
pub use stored::{DISK, DiskKey, SETUP, SetupKey};

/// A table of one kind of dialog.
pub struct DialogTable<C: 'static> {
    /// In the key help.
    pub heading: &'static str,
    lines: &'static [KeyLine<C>],
    keys: OnceLock<Vec<(KeyEvent, C)>>,
}

impl<C: Copy + PartialEq> DialogTable<C> {
    const fn new(heading: &'static str, lines: &'static [KeyLine<C>]) -> DialogTable<C> {
        DialogTable {
            heading,
            lines,
            keys: OnceLock::new(),
        }
    }

    fn keys(&self) -> &[(KeyEvent, C)] {
        self.keys.get_or_init(|| {
            let keys = |line: &KeyLine<C>| {
                let command = line.command;
                line.keys
                    .iter()
                    .filter_map(move |key| Some((parse(key).ok()?, command)))
            };
            self.lines.iter().flat_map(keys).collect()
        })
    }

    /// What a key does.
    pub fn command(&self, key: KeyEvent) -> Option<C> {
        let key = normal(key);
        let mut keys = self.keys().iter();
        keys.find_map(|(bound, command)| (*bound == key).then_some(*command))
    }

    /// The first keys of these commands, with a word for all of them.
    pub fn hint(&self, commands: &[C], words: &'static str) -> Hint {
        let first = |wanted: &C| self.keys().iter().find(|(_, command)| command == wanted);
        Hint::new(commands.iter().filter_map(first).map(|(key, _)| *key), words)
    }

    /// The first key of a command, as a person reads it.
    pub fn key(&self, command: C) -> String {
        self.hint(&[command], "").label
    }

    pub fn section(&self) -> KeySection {
        let lines = self.lines.iter().map(|line| line.map(|_| ()));
        (self.heading, lines.collect())
    }
}

/// A table as a person reads it, below its heading.
pub type KeySection = (&'static str, Vec<KeyLine<()>>);

/// The tables, for the key help.
pub fn all() -> Vec<KeySection> {
    vec![
        QUESTION.section(),
        APPROVALS.section(),
        ANSWER.section(),
        FORM.section(),
        PAGE.section(),
        OUTPUT.section(),
        SEARCH.section(),
        LINKS.section(),
        PALETTE.section(),
        CHOOSE.section(),
        SERVERS.section(),
        TRASH.section(),
        DISK.section(),
        SETUP.section(),
        USAGE.section(),
        HISTORY.section(),
        SETTINGS.section(),
        SETTING_TYPED.section(),
        HELP.section(),
        TOUR.section(),
        KEY_CARD.section(),
    ]
}

/// Whatever asks for a yes or a no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionKey {
    Yes,
    No,
    Answer,
    Left,
    Right,
    Close,
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
}

pub static QUESTION: DialogTable<QuestionKey> = DialogTable::new("At a yes or no", {
    use QuestionKey as K;
    &[
        bind(K::Yes, &["y"], "Yes", "yes"),
        bind(K::No, &["n"], "No", "no"),
        bind(K::Answer, &["enter"], "What the focus is on", "answer"),
        bind(K::Left, &["left", "backtab"], "Button at the left", "left"),
        bind(K::Right, &["right", "tab"], "Button at the right", "right"),
        bind(K::Close, &["esc", "q", "ctrl+c"], "Close: no", "close"),
        bind(K::Up, &["up", "k"], "A line up", "up"),
        bind(K::Down, &["down", "j"], "A line down", "down"),
        bind(K::PageUp, &["pageup"], "A page up", "page up"),
        bind(K::PageDown, &["space", "pagedown"], "A page down", "page"),
        bind(K::First, &["g", "home"], "To the beginning", "first"),
        bind(K::Last, &["G", "end"], "To the end", "last"),
    ]
});

impl QuestionKey {
    /// Where a text is scrolled to of which a page shows so many lines.
    pub fn scroll(self, at: usize, most: usize, page: usize) -> usize {
        match self {
            QuestionKey::Down => (at + 1).min(most),
            QuestionKey::Up => at.saturating_sub(1),
            QuestionKey::PageDown => (at + page).min(most),
            QuestionKey::PageUp => at.saturating_sub(page),
            QuestionKey::First => 0,
            QuestionKey::Last => most,
            QuestionKey::Yes
            | QuestionKey::No
            | QuestionKey::Answer
            | QuestionKey::Left
            | QuestionKey::Right
            | QuestionKey::Close => at,
        }
    }
}

/// A dialog with fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormKey {
    Enter,
    NewLine,
    Submit,
    Close,
    GiveUp,
    Next,
    Previous,
    Up,
    Down,
    Left,
    Right,
    Tick,
    Clear,
}

pub static FORM: DialogTable<FormKey> = DialogTable::new("In a form", {
    use FormKey as K;
    &[
        bind(K::Enter, &["enter"], "Next field; in the last, do it", "next"),
        bind(K::NewLine, &["alt+enter", "ctrl+j"], "New line in a prompt", "new line"),
        bind(K::Submit, &["ctrl+s"], "Do it, from any field", "do it"),
        bind(K::Close, &["esc"], "Leave a suggestion, then the form", "cancel"),
        bind(K::GiveUp, &["ctrl+c"], "Leave the form", "cancel"),
        bind(K::Next, &["tab"], "Next field; take a suggestion", "next"),
        bind(K::Previous, &["backtab"], "Field before", "before"),
        bind(K::Up, &["up"], "Suggestion or field above", "up"),
        bind(K::Down, &["down"], "Suggestion or field below", "down"),
        bind(K::Left, &["left"], "Choice before", "left"),
        bind(K::Right, &["right"], "Next choice", "right"),
        bind(K::Tick, &["space"], "Tick, or next choice", "tick"),
        bind(K::Clear, &["ctrl+u"], "Empty the field", "clear"),
    ]
});

/// Something to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageKey {
    Close,
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
}

pub static PAGE: DialogTable<PageKey> = DialogTable::new("On a page", {
    use PageKey as K;
    &[
        bind(K::Close, &["esc", "enter", "q", "ctrl+c"], "Close", "close"),
        bind(K::Up, &["up", "k"], "A line up", "up"),
        bind(K::Down, &["down", "j"], "A line down", "down"),
        bind(K::PageUp, &["pageup"], "A page up", "page up"),
        bind(K::PageDown, &["space", "pagedown"], "A page down", "page"),
        bind(K::First, &["g", "home"], "To the beginning", "first"),
        bind(K::Last, &["G", "end"], "To the end", "last"),
    ]
});

/// The words to search for are being typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchKey {
    Search,
    Cancel,
    PageUp,
    PageDown,
}

pub static SEARCH: DialogTable<SearchKey> = DialogTable::new(
    "While words to search for are typed",
    &[
        bind(SearchKey::Search, &["enter"], "Search", "search"),
        bind(SearchKey::Cancel, &["esc", "ctrl+c"], "Cancel", "cancel"),
        bind(
            SearchKey::PageUp,
            &["pageup"],
            "A page up, to search from there",
            "page up",
        ),
        bind(
            SearchKey::PageDown,
            &["pagedown"],
            "A page down, to search from there",
            "page down",
        ),
    ],
);

/// Links are marked, and letters name one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKey {
    Leave,
}

pub static LINKS: DialogTable<LinkKey> = DialogTable::new(
    "While links are marked: a letter opens one, with Shift copies it",
    &[bind(LinkKey::Leave, &["esc", "ctrl+c"], "Leave", "leave")],
);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaletteKey {
    Run,
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
    Close,
}

impl PaletteKey {
    /// Which entry of `count` is chosen after it, if the one at `at` was and `page` are seen at once.
    pub fn moved(self, at: usize, count: usize, page: usize) -> usize {
        let last = count.saturating_sub(1);
        match self {
            PaletteKey::Up => at.saturating_sub(1),
            PaletteKey::Down => (at + 1).min(last),
            PaletteKey::PageUp => at.saturating_sub(page),
            PaletteKey::PageDown => (at + page).min(last),
            PaletteKey::First => 0,
            PaletteKey::Last => last,
            PaletteKey::Run | PaletteKey::Close => at,
        }
    }
}

pub static PALETTE: DialogTable<PaletteKey> = DialogTable::new("Among commands by name", {
    use PaletteKey as K;
    &[
        bind(K::Run, &["enter"], "Run the command", "run"),
        bind(K::Up, &["up", "backtab", "ctrl+p"], "Command above", "up"),
        bind(K::Down, &["down", "tab", "ctrl+n"], "Command below", "down"),
        bind(K::PageUp, &["pageup"], "A page up", "page up"),
        bind(K::PageDown, &["pagedown"], "A page down", "page down"),
        bind(K::First, &["ctrl+home"], "First command", "first"),
        bind(K::Last, &["ctrl+end"], "Last command", "last"),
        bind(K::Close, &["esc", "ctrl+c"], "Close", "close"),
    ]
});

/// A list to choose one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChooseKey {
    Choose,
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
    Close,
}

pub static CHOOSE: DialogTable<ChooseKey> = DialogTable::new("In a list to choose from", {
    use ChooseKey as K;
    &[
        bind(K::Choose, &["enter"], "Choose it", "choose"),
        bind(K::Up, &["up", "backtab", "ctrl+p"], "One above", "up"),
        bind(K::Down, &["down", "tab", "ctrl+n"], "One below", "down"),
        bind(K::PageUp, &["pageup"], "A page up", "page up"),
        bind(K::PageDown, &["pagedown"], "A page down", "page down"),
        bind(K::First, &["ctrl+home"], "First one", "first"),
        bind(K::Last, &["ctrl+end"], "Last one", "last"),
        bind(K::Close, &["esc", "ctrl+c"], "Close", "close"),
    ]
});

/// What moves in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListKey {
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServersKey {
    Switch,
    Tools,
    Restart,
    Close,
    Move(ListKey),
}

pub static SERVERS: DialogTable<ServersKey> = DialogTable::new("Among MCP servers", {
    use ServersKey as K;
    &[
        bind(K::Switch, &["space", "enter"], "On or off", "on or off"),
        bind(K::Tools, &["t"], "Ask each for its tools", "tools"),
        bind(K::Restart, &["S"], "Restart the agent", "restart agent"),
        bind(K::Close, &["esc", "q", "ctrl+c"], "Close", "close"),
        bind(K::Move(ListKey::Up), &["up", "k", "backtab"], "Server above", "up"),
        bind(K::Move(ListKey::Down), &["down", "j", "tab"], "Server below", "down"),
        bind(K::Move(ListKey::PageUp), &["pageup"], "A page up", "page up"),
        bind(K::Move(ListKey::PageDown), &["pagedown"], "A page down", "page down"),
        bind(K::Move(ListKey::First), &["g", "home"], "First server", "first"),
        bind(K::Move(ListKey::Last), &["G", "end"], "Last server", "last"),
    ]
});

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrashKey {
    Restore,
    Purge,
    Disk,
    Close,
    Move(ListKey),
}

pub static TRASH: DialogTable<TrashKey> = DialogTable::new("Among deleted chats", {
    use TrashKey as K;
    &[
        bind(K::Restore, &["enter", "u"], "Restore", "restore"),
        bind(K::Purge, &["x"], "Delete for good", "delete for good"),
        bind(K::Disk, &["d"], "What all chats and caches take on disk", "disk"),
        bind(K::Close, &["esc", "q", "ctrl+c"], "Close", "close"),
        bind(K::Move(ListKey::Up), &["up", "k", "backtab"], "Chat above", "up"),
        bind(K::Move(ListKey::Down), &["down", "j", "tab"], "Chat below", "down"),
        bind(K::Move(ListKey::PageUp), &["pageup"], "A page up", "page up"),
        bind(K::Move(ListKey::PageDown), &["pagedown"], "A page down", "page down"),
        bind(K::Move(ListKey::First), &["g", "home"], "First chat", "first"),
        bind(K::Move(ListKey::Last), &["G", "end"], "Last chat", "last"),
    ]
});

impl ListKey {
    /// Where the cursor goes in a list with this last row, of which a page shows so many.
    pub fn go(self, at: usize, last: usize, page: usize) -> usize {
        match self {
            ListKey::Up => at.saturating_sub(1),
            ListKey::Down => (at + 1).min(last),
            ListKey::PageUp => at.saturating_sub(page),
            ListKey::PageDown => (at + page).min(last),
            ListKey::First => 0,
            ListKey::Last => last,
        }
    }
}

/// What the focus of a form is on: the keys that matter there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormFocus {
    Prompt,
    Choice,
    Place,
    Tick,
    Line,
}

/// The hints of a form, with the word of its button.
pub fn form_hints(focus: FormFocus, submit: &'static str) -> Vec<Hint> {
    let next = FORM.hint(&[FormKey::Enter], "next");
    let first = match focus {
        FormFocus::Prompt => [next, FORM.hint(&[FormKey::NewLine], "new line")],
        FormFocus::Choice => [FORM.hint(&[FormKey::Left, FormKey::Right], "choose"), next],
        FormFocus::Place => [FORM.hint(&[FormKey::Down], "suggestions"), next],
        FormFocus::Tick => [FORM.hint(&[FormKey::Tick], "tick"), next],
        FormFocus::Line => [
            FORM.hint(&[FormKey::Next], "next"),
            FORM.hint(&[FormKey::Clear], "clear"),
        ],
    };
    let [one, other] = first;
    let submit = FORM.hint(&[FormKey::Submit], submit);
    vec![one, submit, other, FORM.hint(&[FormKey::Close], "cancel")]
}

/// The hints of a form in whose last field Enter does what its button does.
pub fn submitting(hints: Vec<Hint>) -> Vec<Hint> {
    let (enter, submit) = (FORM.key(FormKey::Enter), FORM.key(FormKey::Submit));
    let Some(words) = hints.iter().find(|hint| hint.label == submit).map(|hint| hint.words) else {
        return hints;
    };
    let both = FORM.hint(&[FormKey::Enter, FormKey::Submit], words);
    let rest = hints
        .into_iter()
        .filter(|hint| hint.label != enter && hint.label != submit);
    [both].into_iter().chain(rest).collect()
}

/// The hints of whatever asks for a yes or a no.
pub fn question_hints() -> Vec<Hint> {
    vec![
        QUESTION.hint(&[QuestionKey::Yes], "yes"),
        QUESTION.hint(&[QuestionKey::No], "no"),
        QUESTION.hint(&[QuestionKey::Left, QuestionKey::Right], "choose"),
        QUESTION.hint(&[QuestionKey::Answer], "answer"),
        QUESTION.hint(&[QuestionKey::Close], "close"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_commands_of_one_dialog_share_a_key() {
        for (heading, lines) in all() {
            let mut keys: Vec<KeyEvent> = lines
                .iter()
                .flat_map(|line| line.keys.iter().map(|key| parse(key).expect("a key")))
                .collect();
            let count = keys.len();
            keys.sort_by_key(|key| (format!("{:?}", key.code), key.modifiers.bits()));
            keys.dedup();
            assert_eq!(keys.len(), count, "{heading}");
        }
    }
}
