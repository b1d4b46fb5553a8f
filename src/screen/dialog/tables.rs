//! The keys of dialogs: one table a kind. They are fixed, so that nobody answers a question by a key that means
//! something else elsewhere. What is typed into a field is in no table.

mod approvals;
mod moves;
mod output;
mod pages;
mod settings;
mod stored;

use std::sync::OnceLock;

use crossterm::event::KeyEvent;

use crate::term::key::{normal, parse};

use super::super::hint::{Hint, HintRole};
use super::super::keymap::{KeyLine, bind};
use super::focus::FormFocus;
use moves::{MoveLines, OF_TEXT, in_list, in_text, while_typing};

pub use approvals::{ANSWER, APPROVALS, AnswerKeys, ApprovalKey};
pub use moves::MoveKey;
pub use output::{OUTPUT, OutputKey};
pub use pages::{HELP, HISTORY, HelpKey, KEY_CARD, KeyCardKey, TOUR, TourKey, USAGE, UsageKey};
pub use settings::{SETTING_TYPED, SETTINGS, SettingTypedKey, SettingsKey};
pub use stored::{DISK, DiskKey, SETUP, SetupKey};

/// Keys that move, and what such a key is called in the table of a dialog.
type WrappedMoves<C> = (fn(MoveKey) -> C, &'static MoveLines);

/// A table of one kind of dialog.
pub struct DialogTable<C: 'static> {
    /// In the key help.
    pub heading: &'static str,
    lines: &'static [KeyLine<C>],
    /// Behind them, those that move.
    moves: Option<WrappedMoves<C>>,
    keys: OnceLock<Vec<(KeyEvent, C)>>,
}

impl<C: Copy + PartialEq> DialogTable<C> {
    const fn new(heading: &'static str, lines: &'static [KeyLine<C>]) -> DialogTable<C> {
        DialogTable {
            heading,
            lines,
            moves: None,
            keys: OnceLock::new(),
        }
    }

    /// Of a dialog in which one moves.
    const fn moving(
        heading: &'static str,
        lines: &'static [KeyLine<C>],
        wrap: fn(MoveKey) -> C,
        moves: &'static MoveLines,
    ) -> DialogTable<C> {
        DialogTable {
            heading,
            lines,
            moves: Some((wrap, moves)),
            keys: OnceLock::new(),
        }
    }

    fn lines(&self) -> impl Iterator<Item = KeyLine<C>> {
        let moves = self.moves.into_iter();
        let moves = moves.flat_map(|(wrap, lines)| lines.iter().map(move |line| line.map(wrap)));
        self.lines.iter().copied().chain(moves)
    }

    fn keys(&self) -> &[(KeyEvent, C)] {
        self.keys.get_or_init(|| {
            let keys = |line: KeyLine<C>| {
                let keys = line.keys.iter();
                keys.filter_map(move |key| Some((parse(key).ok()?, line.command)))
            };
            self.lines().flat_map(keys).collect()
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
        (self.heading, self.lines().map(|line| line.map(|_| ())).collect())
    }
}

impl DialogTable<ChooseKey> {
    /// The hints of such a list, with the word for taking one of it.
    pub fn hints(&self, take: &'static str) -> Vec<Hint> {
        self.narrowed_hints(take, false)
    }

    /// The same, where something is typed that the way out takes back first.
    pub fn narrowed_hints(&self, take: &'static str, is_narrowed: bool) -> Vec<Hint> {
        vec![
            self.hint(&[ChooseKey::Choose], take),
            self.hint(&[MoveKey::Up, MoveKey::Down].map(ChooseKey::Move), "move"),
            self.hint(&[ChooseKey::Close], ends(is_narrowed)).way_out(),
        ]
    }
}

/// What the way out of a list does that is searched.
pub fn ends(is_narrowed: bool) -> &'static str {
    match is_narrowed {
        true => "all again",
        false => "close",
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
    Focus(FocusKey),
    Close,
    Move(MoveKey),
}

/// Where the focus goes: from button to button, or to whatever can have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FocusKey {
    Left,
    Right,
    Previous,
    Next,
}

impl FocusKey {
    /// So many places further.
    pub fn by(self) -> i8 {
        match self {
            FocusKey::Left | FocusKey::Previous => -1,
            FocusKey::Right | FocusKey::Next => 1,
        }
    }
}

pub static QUESTION: DialogTable<QuestionKey> = DialogTable::moving(
    "At a yes or no",
    {
        use FocusKey as F;
        use QuestionKey as K;
        &[
            bind(K::Yes, &["y"], "Yes", "yes"),
            bind(K::No, &["n"], "No", "no"),
            bind(K::Answer, &["enter"], "What the focus is on", "answer"),
            bind(
                K::Focus(F::Left),
                &["left"],
                "Button at the left, or choice before",
                "left",
            ),
            bind(
                K::Focus(F::Right),
                &["right"],
                "Button at the right, or next choice",
                "right",
            ),
            bind(K::Focus(F::Previous), &["backtab"], "Choice or button before", "before"),
            bind(K::Focus(F::Next), &["tab"], "Next choice or button", "next"),
            bind(K::Close, &["esc", "q", "ctrl+c"], "Close: no", "close"),
        ]
    },
    QuestionKey::Move,
    &in_text(OF_TEXT),
);

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
        bind(
            K::Clear,
            &["ctrl+u"],
            "Empty the field; of several lines, the line up to the cursor",
            "clear",
        ),
    ]
});

/// Something to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageKey {
    Close,
    Move(MoveKey),
}

pub static PAGE: DialogTable<PageKey> = DialogTable::moving(
    "On a page",
    &[bind(PageKey::Close, &["esc", "enter", "q", "ctrl+c"], "Close", "close")],
    PageKey::Move,
    &in_text(OF_TEXT),
);

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

/// A list to choose one of, narrowed by typing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChooseKey {
    Choose,
    Close,
    Move(MoveKey),
}

pub static PALETTE: DialogTable<ChooseKey> = DialogTable::moving(
    "Among commands by name",
    &[
        bind(ChooseKey::Choose, &["enter"], "Run the command", "run"),
        bind(ChooseKey::Close, &["esc", "ctrl+c"], "Close", "close"),
    ],
    ChooseKey::Move,
    &while_typing(["Command above", "Command below", "First command", "Last command"]),
);

pub static CHOOSE: DialogTable<ChooseKey> = DialogTable::moving(
    "In a list to choose from",
    &[
        bind(ChooseKey::Choose, &["enter"], "Choose it", "choose"),
        bind(ChooseKey::Close, &["esc", "ctrl+c"], "Close", "close"),
    ],
    ChooseKey::Move,
    &while_typing(["One above", "One below", "First one", "Last one"]),
);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServersKey {
    Switch,
    Tools,
    Restart,
    Close,
    Move(MoveKey),
}

pub static SERVERS: DialogTable<ServersKey> = DialogTable::moving(
    "Among MCP servers",
    {
        use ServersKey as K;
        &[
            bind(K::Switch, &["space", "enter"], "On or off", "on or off"),
            bind(K::Tools, &["t"], "Ask each for its tools", "tools"),
            bind(K::Restart, &["S"], "Restart the agent", "restart agent"),
            bind(K::Close, &["esc", "q", "ctrl+c"], "Close", "close"),
        ]
    },
    ServersKey::Move,
    &in_list(["Server above", "Server below", "First server", "Last server"]),
);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrashKey {
    Restore,
    Purge,
    Disk,
    Close,
    Move(MoveKey),
}

pub static TRASH: DialogTable<TrashKey> = DialogTable::moving(
    "Among deleted chats",
    {
        use TrashKey as K;
        &[
            bind(K::Restore, &["enter", "u"], "Restore", "restore"),
            bind(K::Purge, &["x"], "Delete for good", "delete for good"),
            bind(K::Disk, &["d"], "What all chats and caches take on disk", "disk"),
            bind(K::Close, &["esc", "q", "ctrl+c"], "Close", "close"),
        ]
    },
    TrashKey::Move,
    &in_list(["Chat above", "Chat below", "First chat", "Last chat"]),
);

/// The hints of a form, with the word of its button.
pub fn form_hints(focus: FormFocus, submit: &'static str) -> Vec<Hint> {
    let next = FORM.hint(&[FormKey::Enter], "next").with(HintRole::NextField);
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
    let submit = FORM.hint(&[FormKey::Submit], submit).with(HintRole::Submit);
    vec![one, submit, other, FORM.hint(&[FormKey::Close], "cancel").way_out()]
}

/// The hints of a form in whose last field Enter does what its button does.
pub fn submitting(hints: Vec<Hint>) -> Vec<Hint> {
    let Some(submit) = hints.iter().find(|hint| hint.role == HintRole::Submit) else {
        return hints;
    };
    let both = FORM.hint(&[FormKey::Enter, FormKey::Submit], submit.words);
    let rest = hints
        .into_iter()
        .filter(|hint| !matches!(hint.role, HintRole::NextField | HintRole::Submit));
    [both].into_iter().chain(rest).collect()
}

/// What the focus of a question is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionFocus {
    Choice,
    Buttons,
}

/// The hints of a question in which something else is chosen too: the arrow keys and Enter do what the focus is for.
pub fn beside_choice(hints: Vec<Hint>, focus: QuestionFocus) -> Vec<Hint> {
    let next = QUESTION.hint(&[QuestionKey::Focus(FocusKey::Next)], "next");
    let buttons = |mut hint: Hint| {
        if hint.role == HintRole::Buttons {
            hint.words = "button";
        }
        hint
    };
    let hints: Vec<Hint> = match focus {
        QuestionFocus::Choice => hints.into_iter().filter(|hint| hint.role != HintRole::Answer).collect(),
        QuestionFocus::Buttons => hints.into_iter().map(buttons).collect(),
    };
    [next].into_iter().chain(hints).collect()
}

/// The hints of whatever asks for a yes or a no.
pub fn question_hints() -> Vec<Hint> {
    vec![
        QUESTION.hint(&[QuestionKey::Yes], "yes"),
        QUESTION.hint(&[QuestionKey::No], "no"),
        QUESTION
            .hint(&[FocusKey::Left, FocusKey::Right].map(QuestionKey::Focus), "choose")
            .with(HintRole::Buttons),
        QUESTION.hint(&[QuestionKey::Answer], "answer").with(HintRole::Answer),
        QUESTION.hint(&[QuestionKey::Close], "close").way_out(),
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
