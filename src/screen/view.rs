//! What one person looks at now: focus, scroll, what is open. One value a client, gone with it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::domain::event::{Attached, Colours, Size};
use crate::domain::state::ActCount;
use crate::model::{ChatId, PaneId, Timestamp, WorkId};

use super::automations::Automations;
use super::composer::data::ComposerView;
use super::dialog::{Dialog, Drafts, KeyCard};
use super::form_text::data::{DialogText, FormText};
use super::grid::data::Grid;
use super::guard::{Guard, PersonAct, QUIET_MS};
use super::inspector::Inspector;
use super::keymap::PaneSheet;
use super::marking::data::TextMark;
use super::reader::data::ReaderNews;
use super::reading::Reading;
use super::scrollbar::HeldBar;
use super::sidebar::Sidebar;
use super::start::data::StartPage;
use super::surface::{InPane, Surface};
use super::tab::changes::data::ChangesView;
use super::tab::checkpoints::data::CheckpointsView;
use super::tab::transcript::data::TranscriptView;
use super::tab::views::TabViews;

pub struct View {
    pub size: Size,
    pub client: ClientFacts,
    /// The chat that is shown; also the sidebar's selection.
    pub chat: Option<ChatId>,
    pub mode: Mode,
    /// The leader was pressed: the next key is a command.
    pub leader: bool,
    /// What plain keys work on outside.
    pub focus: Focus,
    /// What the pane shows.
    pub tab: Tab,
    pub changes: ChangesView,
    pub checkpoints: CheckpointsView,
    pub tabs: TabViews,
    pub transcript: TranscriptView,
    /// The prompt that is written below it.
    pub composer: ComposerView,
    /// How far back in the terminal, and what is selected there.
    pub reading: Reading,
    /// The terminal pane has the whole screen.
    pub zoomed: bool,
    pub attention: PersonAttention,
    pub sidebar: Sidebar,
    /// Several terminals beside each other.
    pub grid: Option<Grid>,
    pub inspector: Inspector,
    pub over: Overlays,
}

/// What a client told when it attached.
pub struct ClientFacts {
    pub colours: Option<Colours>,
    pub no_color: bool,
    /// Lines for a screen reader are wanted, whatever the settings say.
    pub reader: bool,
    pub cwd: PathBuf,
    /// The chat to which that directory is bound.
    pub bound: Option<ChatId>,
    /// Agents that this person starts run in this environment; in memory only.
    pub env: BTreeMap<String, String>,
}

/// Where a person was before they went on to a terminal beside the agent's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BesideFrom {
    /// They typed in the agent's terminal.
    Agent,
    Terminal,
    Sheet(PaneSheet),
}

/// What lies over the rest of the screen, or is told there for a while.
#[derive(Default)]
pub struct Overlays {
    pub dialog: Option<Dialog>,
    /// Its keys, over it.
    pub keys: Option<KeyCard>,
    pub drafts: Drafts,
    pub form_text: FormText,
    pub dialog_text: DialogText,
    /// The screen of schedules, over everything but dialogs.
    pub automations: Option<Automations>,
    pub toasts: Vec<Toast>,
    /// In screen-reader mode, what is told.
    pub reader: Option<ReaderNews>,
    /// Until when the last row offers to resume all that ran when the engine ended.
    pub offered: Option<Timestamp>,
    pub guard: Guard,
    /// The terminal beside the agent's to which a person went on, and from where: there they are again when it closes.
    pub came_from: Option<(WorkId, BesideFrom)>,
    /// What is offered while there is no chat.
    pub start: StartPage,
    /// From when on the menu behind the leader is shown.
    pub menu_from: Timestamp,
    /// Which page of it is seen, where it has several.
    pub menu_page: usize,
    /// The leader was pressed in the dialog.
    pub led: bool,
    /// Text of a page that the mouse marks.
    pub mark: Option<TextMark>,
    /// The thumb that the mouse holds.
    pub held_bar: Option<HeldBar>,
    /// When the engine was last asked to wake for this view, so that it is asked once.
    pub wake: Option<Timestamp>,
}

/// Whether somebody sits at this screen, and what they have before them.
pub struct PersonAttention {
    /// False while the person's terminal says that it is not the one they type in.
    pub attentive: bool,
    /// Their terminal tells of the focus.
    pub tells: bool,
    /// When they last came to it or did something there.
    pub here: Timestamp,
    /// What they have done. A key that is held down is one act.
    pub acts: ActCount,
    last: Option<(PersonAct, Timestamp)>,
    /// The chats that this person has before them: in a grid several.
    looking: Vec<Looking>,
}

/// How long a chat has to be before somebody to be seen: whoever passes over it has not read it.
const SEEN_MS: u64 = 1_000;

/// Since when somebody has a chat before them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Looking {
    chat: ChatId,
    since: Timestamp,
    /// They typed in it meanwhile.
    typed: bool,
}

/// Where keys go. The screen always says which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Everything typed goes to the agent, except the leader.
    Agent,
    Outside,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    Sidebar,
    Pane,
    Inspector,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    Terminal,
    /// What parlour itself draws.
    Sheet(PaneSheet),
    /// A terminal beside the agent's.
    Side(WorkId),
}

/// Tells something and goes away by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toast {
    pub text: String,
    pub tone: Tone,
    pub since: Timestamp,
    pub until: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Told,
    Failed,
}

impl PersonAttention {
    /// Greater where they rather are. A terminal that tells nothing of the focus may have it, but what was done last is a
    /// better sign of where somebody looks.
    pub(in crate::screen) fn nearness(&self) -> (bool, Option<Timestamp>, bool, Timestamp) {
        let acted = self.last.map(|(_, at)| at);
        (self.tells && self.attentive, acted, self.attentive, self.here)
    }

    fn count(&mut self, act: PersonAct, now: Timestamp) {
        let is_same = |(last, at): (PersonAct, Timestamp)| last == act && now.ms_since(at) < QUIET_MS;
        let is_held = matches!(act, PersonAct::Key(..)) && self.last.is_some_and(is_same);
        self.last = Some((act, now));
        if !is_held {
            self.acts.0 += 1;
        }
    }
}

impl PersonAttention {
    fn looks_at(&mut self, chat: &ChatId, now: Timestamp) {
        if self.looking.iter().all(|looking| looking.chat != *chat) {
            self.looking.push(Looking {
                chat: chat.clone(),
                since: now,
                typed: false,
            });
        }
    }
}

impl Tab {
    /// A terminal is in the pane.
    pub fn is_terminal(self) -> bool {
        match self {
            Tab::Terminal | Tab::Side(_) => true,
            Tab::Sheet(_) => false,
        }
    }
}

impl View {
    /// The terminal that is shown, or was before another tab.
    pub fn pane(&self) -> Option<PaneId> {
        match (&self.chat, self.tab) {
            (Some(_), Tab::Side(number)) => Some(PaneId::Side(number)),
            (Some(chat), Tab::Terminal | Tab::Sheet(_)) => Some(PaneId::Agent(chat.clone())),
            (None, _) => None,
        }
    }

    /// Follows what is before the person; when that will count as seen, where it has just come there. Of a grid that is the
    /// tile that is selected: the others are glanced at.
    pub fn look(&mut self, now: Timestamp) -> Option<Timestamp> {
        let (chat, is_there) = (self.chat.as_ref(), self.attention.attentive);
        let before = chat.into_iter().filter(|_| is_there);
        let attention = &mut self.attention;
        attention
            .looking
            .retain(|looking| before.clone().any(|chat| *chat == looking.chat));
        let known = attention.looking.len();
        before.for_each(|chat| attention.looks_at(chat, now));
        (attention.looking.len() > known).then(|| now.plus_ms(SEEN_MS))
    }

    /// The filter closes: the person is where it led, and was where they opened it.
    pub fn end_filter(&mut self) {
        if self.sidebar.filter.is_some() {
            // The rows that were found are no places in the whole list.
            self.sidebar.held = None;
        }
        let before = self.sidebar.filter.take().and_then(|filter| filter.before);
        if before.is_some() && before != self.chat {
            self.sidebar.last = before;
        }
    }

    /// Only who has the focus types, whatever was said of it before.
    pub fn act(&mut self, act: PersonAct, now: Timestamp) {
        self.attention.count(act, now);
        self.attention.attentive = true;
        self.attention.here = now;
        if let Some(chat) = &self.chat {
            self.attention.looks_at(chat, now);
        }
        let typed_in = self.chat.as_ref().filter(|_| self.mode == Mode::Agent);
        let mut looking = self.attention.looking.iter_mut();
        if let Some(looking) = looking.find(|looking| Some(&looking.chat) == typed_in) {
            looking.typed = true;
        }
    }

    /// What a chat shows is seen by this person.
    pub fn sees(&self, chat: &ChatId, now: Timestamp) -> bool {
        let mut looking = self.attention.looking.iter();
        let looking = looking.find(|looking| looking.chat == *chat);
        looking.is_some_and(|looking| looking.typed || now.ms_since(looking.since) >= SEEN_MS)
    }

    /// Another terminal is read from its newest line.
    pub fn show(&mut self, tab: Tab) {
        let before = self.pane();
        self.tab = tab;
        if self.pane() != before {
            self.reading = Reading::default();
        }
    }

    /// Screen-reader mode is on where the settings or this person want it.
    pub fn set_reader(&mut self, by_settings: bool) {
        match by_settings || self.client.reader {
            true => _ = self.over.reader.get_or_insert_default(),
            false => self.over.reader = None,
        }
    }

    /// What takes the next key. Whoever asks where keys go asks here.
    pub fn surface(&self) -> Surface {
        match self.over.dialog {
            Some(_) => Surface::Dialog,
            None => self.behind(),
        }
    }

    /// What would take it if no dialog were open.
    pub fn behind(&self) -> Surface {
        match (self.mode, self.focus) {
            _ if self.over.automations.is_some() => Surface::Schedules,
            _ if self.leader => Surface::Leader,
            _ if self.reading.search.typing.is_some() => Surface::Search,
            _ if self.reading.links.is_some() => Surface::Links,
            _ if self.reading.copy.is_some() => Surface::Copy,
            (Mode::Agent, _) => Surface::Terminal,
            (Mode::Outside, _) if self.sidebar.filter.is_some() => Surface::Filter,
            (Mode::Outside, _) if self.chat.is_none() => Surface::Start,
            (Mode::Outside, Focus::Pane) if self.is_searching() => Surface::Search,
            (Mode::Outside, Focus::Pane) if self.is_composing() => match self.composer.chosen {
                Some(_) => Surface::Queued,
                None => Surface::Composer,
            },
            (Mode::Outside, Focus::Pane) => match self.sheet() {
                Some(sheet) => Surface::Sheet(sheet),
                None => Surface::Pane(self.in_pane()),
            },
            (Mode::Outside, Focus::Inspector) => Surface::Inspector,
            (Mode::Outside, Focus::Sidebar) => Surface::Sidebar(self.in_pane()),
        }
    }

    fn in_pane(&self) -> InPane {
        match self.tab {
            Tab::Terminal if self.shown_grid().is_none() => InPane::Agent,
            Tab::Terminal | Tab::Sheet(_) | Tab::Side(_) => InPane::Other,
        }
    }

    /// The grid, where that is what is shown.
    pub fn shown_grid(&self) -> Option<&Grid> {
        let grid = self.grid.as_ref()?;
        let is_there = self.chat.as_ref().is_some_and(|chat| grid.chats.contains(chat));
        let covered = self.zoomed || self.sidebar.filter.is_some() || self.tab != Tab::Terminal;
        (is_there && !covered).then_some(grid)
    }

    fn is_searching(&self) -> bool {
        let of_changes = self.sheet() == Some(PaneSheet::Changes) && self.changes.search.typing.is_some();
        let of_transcript = self.sheet() == Some(PaneSheet::Transcript) && self.transcript.search.typing.is_some();
        of_changes || of_transcript
    }

    fn is_composing(&self) -> bool {
        self.composer.is_entered && self.sheet() == Some(PaneSheet::Transcript)
    }

    /// Keys go to no agent and to no prompt from now on.
    pub fn stop_typing(&mut self) {
        (self.mode, self.leader, self.composer.is_entered) = (Mode::Outside, false, false);
    }

    /// What is typed is for the agent of the chat that is shown, or for a terminal beside it.
    pub fn types_in_chat(&self) -> bool {
        self.mode == Mode::Agent || self.focus == Focus::Pane && self.is_composing()
    }

    /// The tab that is shown, where it is no terminal.
    pub fn sheet(&self) -> Option<PaneSheet> {
        match self.tab {
            Tab::Sheet(sheet) => Some(sheet),
            Tab::Terminal | Tab::Side(_) => None,
        }
    }

    /// The same, where plain keys are for it.
    pub fn sheet_with_keys(&self) -> Option<PaneSheet> {
        let has_keys = self.focus == Focus::Pane && self.mode == Mode::Outside;
        self.sheet().filter(|_| has_keys)
    }

    /// The transcript, where plain keys are for it.
    pub fn transcript_with_keys(&self) -> Option<&TranscriptView> {
        let has_keys = self.sheet_with_keys() == Some(PaneSheet::Transcript);
        has_keys.then_some(&self.transcript)
    }

    pub fn new(attached: Attached) -> View {
        View {
            size: attached.size,
            client: ClientFacts {
                colours: attached.colours,
                no_color: attached.no_color,
                reader: attached.reader,
                cwd: attached.cwd,
                bound: attached.bound,
                env: attached.env,
            },
            chat: None,
            mode: Mode::Outside,
            leader: false,
            focus: Focus::Sidebar,
            tab: Tab::Terminal,
            changes: ChangesView::default(),
            checkpoints: CheckpointsView::default(),
            tabs: TabViews::default(),
            transcript: TranscriptView::default(),
            composer: ComposerView::default(),
            reading: Reading::default(),
            zoomed: false,
            attention: PersonAttention {
                attentive: true,
                tells: false,
                here: Timestamp::default(),
                acts: ActCount::default(),
                last: None,
                looking: Vec::new(),
            },
            sidebar: Sidebar::default(),
            grid: None,
            inspector: Inspector::default(),
            over: Overlays::default(),
        }
    }
}
