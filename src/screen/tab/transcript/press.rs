//! Keys and the mouse in the Transcript tab.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use super::data::{PannedBlock, Thoughts, TranscriptView};
use super::item::{ItemKey, ItemKind, TranscriptItem};
use super::row::TranscriptRow;
use super::wants::{JumpKind, JumpWay, SoughtSpot};
use super::{call, copying, jump, moment, place, search, sight};
use crate::domain::effect::Effect;
use crate::model::ClientId;
use crate::screen::State;
use crate::screen::dialog::{Output, Whole};
use crate::screen::hint::Hint;
use crate::screen::keymap::{
    Action, CallAction, ChatAction, MoveAction, PaneSheet, ScreenAction, SheetAction, TabAction, TranscriptAction,
    WriteAction,
};
use crate::screen::layout::{ROOMY, holds};
use crate::screen::surface::Surface;
use crate::screen::view::{Focus, Mode, Tab, Tone, View};
use crate::screen::way::PageTurn;
use crate::screen::wrap::width;
use crate::screen::{dialogs, mending, toast};

/// Rows a notch of the wheel scrolls.
const NOTCH: isize = 3;
/// Columns that wide code is scrolled by.
const SIDEWAYS: usize = 8;

/// Carries out a command of the tab.
pub fn run(state: &mut State, client: ClientId, action: TranscriptAction) -> Vec<Effect> {
    use TranscriptAction as A;
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    match action {
        A::Open => open(view),
        A::Next => return jump::step(state, client, JumpKind::Any, JumpWay::On),
        A::Previous => return jump::step(state, client, JumpKind::Any, JumpWay::Back),
        A::NextPrompt => return jump::step(state, client, JumpKind::Prompt, JumpWay::On),
        A::PreviousPrompt => return jump::step(state, client, JumpKind::Prompt, JumpWay::Back),
        A::NextError => return jump::step(state, client, JumpKind::Error, JumpWay::On),
        A::PreviousError => return jump::step(state, client, JumpKind::Error, JumpWay::Back),
        A::NextTool => return jump::step(state, client, JumpKind::Tool, JumpWay::On),
        A::PreviousTool => return jump::step(state, client, JumpKind::Tool, JumpWay::Back),
        A::NextFile => return jump::step(state, client, JumpKind::File, JumpWay::On),
        A::PreviousFile => return jump::step(state, client, JumpKind::File, JumpWay::Back),
        A::Search => search::begin(view),
        A::NextMatch => return jump::step(state, client, JumpKind::Match, JumpWay::On),
        A::PreviousMatch => return jump::step(state, client, JumpKind::Match, JumpWay::Back),
        A::Down => sight::scroll(view, 1),
        A::Up => sight::scroll(view, -1),
        A::PageDown => page(view, PageTurn::Down),
        A::PageUp => page(view, PageTurn::Up),
        A::First => view.transcript.wants.spot = Some(SoughtSpot::Start),
        A::Last => follow(view),
        A::Copy => return copying::entry(state, client),
        A::CopyTurn => return copying::turn(state, client),
        A::CopyCode => return copying::code(state, client),
        A::ScrollLeft => pan(view, |left, _| left.saturating_sub(SIDEWAYS)),
        A::ScrollRight => pan(view, |left, most| (left + SIDEWAYS).min(most)),
        A::Thoughts => {
            let look = &mut view.transcript.look;
            look.thoughts = match look.thoughts {
                Thoughts::Folded => Thoughts::Shown,
                Thoughts::Shown => Thoughts::Hidden,
                Thoughts::Hidden => Thoughts::Folded,
            };
            view.transcript.lay_again();
        }
        A::Times => {
            view.transcript.look.times = !view.transcript.look.times;
            view.transcript.lay_again();
        }
        A::Moment => return moment::toggle(state, client),
        A::Refresh => view.transcript = TranscriptView::looked_at(None, view.transcript.look),
        A::Close => close(view),
    }
    Vec::new()
}

/// The keys that matter now.
pub fn hints(state: &State, view: &View) -> Vec<Hint> {
    use TranscriptAction as A;
    let surface = Surface::Sheet(PaneSheet::Transcript);
    let act = |action| Action::Sheet(SheetAction::Transcript(action));
    let key = |action, words| state.keymap.hint(surface, &[act(action)], words);
    let two = |first, second, words| state.keymap.hint(surface, &[act(first), act(second)], words);
    let write = Action::Sheet(SheetAction::Write(WriteAction::Write));
    let words = match meant_by_enter(view) {
        MeantByEnter::Mend => "what can be done",
        MeantByEnter::InFull => "in full",
        MeantByEnter::Open => "open",
        MeantByEnter::Write => "write a prompt",
    };
    let write = state.keymap.hint(surface, &[write], words);
    let close = state
        .keymap
        .hint(surface, &[TabAction::CloseTab.into()], "close")
        .way_out();
    if view.transcript.moment.is_some() {
        return vec![
            key(A::Moment, "the transcript"),
            two(A::Next, A::Previous, "another moment"),
            two(A::PreviousPrompt, A::NextPrompt, "prompt"),
            two(A::PreviousError, A::NextError, "error"),
            close,
        ];
    }
    let mut hints = vec![write];
    if view.transcript.top.is_some() {
        hints.push(key(A::Last, "newest"));
    }
    if view.transcript.search.sought.is_some() {
        hints.push(two(A::NextMatch, A::PreviousMatch, "place"));
        hints.push(key(A::Close, "end search"));
    }
    hints.push(two(A::Next, A::Previous, "select"));
    if view.transcript.held().is_some() {
        hints.push(key(A::Open, "open"));
        hints.push(key(A::Copy, "copy"));
    }
    if is_prompt(view) {
        let of_chat = |action: ChatAction, words| state.keymap.hint(surface, &[action.into()], words);
        hints.push(of_chat(ChatAction::Recreate, "go back to before it"));
        hints.push(of_chat(ChatAction::Fork, "fork from it"));
    }
    if let Some((_, tool)) = call::selected(view) {
        let of_call = |action| Action::Sheet(SheetAction::Call(action));
        let key = |action, words| state.keymap.hint(surface, &[action], words);
        hints.push(key(act(A::CopyTurn), "copy output"));
        if tool.output.is_some() {
            hints.push(key(ScreenAction::Output.into(), "whole output"));
        }
        if call::is_possible(view, CallAction::OpenFile).0 {
            hints.push(key(of_call(CallAction::OpenFile), "its file"));
        }
        hints.push(key(act(A::Moment), "terminal then"));
        hints.push(key(of_call(CallAction::Again), "again"));
        hints.extend([key(act(A::Close), "let go"), close]);
        return hints;
    }
    hints.push(two(A::PreviousPrompt, A::NextPrompt, "prompt"));
    hints.push(two(A::PreviousError, A::NextError, "error"));
    hints.push(key(A::Search, "search"));
    hints.push(key(A::Moment, "terminal then"));
    hints.push(key(A::CopyCode, "copy code"));
    hints.push(state.keymap.hint(surface, &[MoveAction::Links.into()], "links"));
    hints.push(key(A::Thoughts, "thinking"));
    hints.push(key(A::Times, "times"));
    hints.push(match view.transcript.search.sought {
        Some(_) => close,
        None => state
            .keymap
            .hint(surface, &[act(A::Close), TabAction::CloseTab.into()], "close")
            .way_out(),
    });
    hints
}

/// Whether there is something to work on, and else why not.
pub fn is_possible(view: &View, action: TranscriptAction) -> (bool, &'static str) {
    use TranscriptAction as A;
    let is_shown = view.sheet() == Some(PaneSheet::Transcript);
    match action {
        A::Open | A::Copy => (is_shown && view.transcript.held().is_some(), "nothing is selected"),
        A::NextMatch | A::PreviousMatch => (
            is_shown && view.transcript.search.sought.is_some(),
            "nothing is searched for",
        ),
        A::Next
        | A::Previous
        | A::Down
        | A::Up
        | A::PageDown
        | A::PageUp
        | A::First
        | A::Last
        | A::NextPrompt
        | A::PreviousPrompt
        | A::NextError
        | A::PreviousError
        | A::NextTool
        | A::PreviousTool
        | A::NextFile
        | A::PreviousFile
        | A::Search
        | A::CopyTurn
        | A::CopyCode
        | A::ScrollLeft
        | A::ScrollRight
        | A::Thoughts
        | A::Times
        | A::Moment
        | A::Refresh
        | A::Close => (is_shown, "the transcript is not shown"),
    }
}

/// What Enter does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MeantByEnter {
    Write,
    /// The selected error leads to what can be done.
    Mend,
    /// The selected call opens beside.
    InFull,
    /// What is selected is unfolded, as a sub-agent.
    Open,
}

/// Whether Enter leads to the composer: nothing is selected that it is for.
pub fn writes_by_enter(view: &View) -> bool {
    meant_by_enter(view) == MeantByEnter::Write
}

fn meant_by_enter(view: &View) -> MeantByEnter {
    match mending::selected(view) {
        Some(_) => MeantByEnter::Mend,
        None if call::selected(view).is_some() => MeantByEnter::InFull,
        None if is_folding(view) => MeantByEnter::Open,
        None => MeantByEnter::Write,
    }
}

/// Whether Enter unfolds what is selected.
pub fn opens_by_enter(view: &View) -> bool {
    meant_by_enter(view) == MeantByEnter::Open
}

/// A prompt is selected: one can go back to what was before it.
fn is_prompt(view: &View) -> bool {
    let transcript = &view.transcript;
    let item = transcript.held().and_then(|key| transcript.items.get(key));
    item.is_some_and(|item| matches!(item.what, ItemKind::Prompt(_)))
}

/// A sub-agent is selected, or what going back has hidden.
fn is_folding(view: &View) -> bool {
    let transcript = &view.transcript;
    let item = transcript.held().and_then(|key| transcript.items.get(key));
    item.is_some_and(|item| matches!(item.what, ItemKind::SubAgent(_) | ItemKind::Hidden { .. }))
}

/// Lets go of what Enter would act on.
fn let_go(view: &mut View) -> bool {
    let is_held = meant_by_enter(view) != MeantByEnter::Write;
    if is_held {
        view.transcript.selected = None;
    }
    is_held
}

/// Back from a moment of the terminal, ends the search, or lets go of a call; else back to the terminal.
fn close(view: &mut View) {
    if view.transcript.moment.take().is_none() && !search::end(view) && !let_go(view) {
        leave(view);
        view.show(Tab::Terminal);
    }
}

/// It is the transcript that is shown when one comes back, and nothing is looked for meanwhile.
pub fn leave(view: &mut View) {
    view.transcript.moment = None;
    view.transcript.wants.seeking = None;
}

/// Scrolls one wide block sideways, as far as its widest line in sight goes: the one that is scrolled already, else one of
/// what is selected, else the first in sight.
fn pan(view: &mut View, to: impl Fn(usize, usize) -> usize) {
    let room = place::text_width(view);
    let transcript = &view.transcript;
    let mut blocks: Vec<(PannedBlock, usize)> = Vec::new();
    for spot in &transcript.sight {
        let Some(TranscriptRow::Text(text)) = transcript.row(*spot) else {
            continue;
        };
        let wide: usize = text.pieces.iter().map(|piece| width(&piece.text)).sum();
        let beyond = wide.saturating_sub(room).next_multiple_of(SIDEWAYS);
        if text.held.is_none() || beyond == 0 {
            continue;
        }
        let block = PannedBlock {
            item: spot.item,
            code: text.code,
            left: transcript.left_of(*spot, text.code),
        };
        match blocks.iter_mut().find(|(known, _)| *known == block) {
            Some((_, most)) => *most = (*most).max(beyond),
            None => blocks.push((block, beyond)),
        }
    }
    let by = |is_meant: &dyn Fn(&PannedBlock) -> bool| blocks.iter().find(|(block, _)| is_meant(block));
    let found = by(&|block| block.left > 0)
        .or_else(|| by(&|block| Some(block.item) == transcript.selected))
        .or_else(|| blocks.first())
        .copied();
    if let Some((block, most)) = found {
        let left = to(block.left, most);
        view.transcript.panned = Some(PannedBlock { left, ..block }).filter(|block| block.left > 0);
    }
}

/// Follows the newest again.
fn follow(view: &mut View) {
    let transcript = &mut view.transcript;
    transcript.selected = None;
    transcript.follow();
    sight::settle(view);
}

fn open(view: &mut View) {
    let transcript = &mut view.transcript;
    let Some(key) = transcript.held() else { return };
    if !transcript.open.remove(&key) {
        transcript.open.insert(key);
    }
    transcript.lay_again();
    sight::settle(view);
    sight::reveal(view, key);
}

/// Whether a call is selected of whose output nothing lies elsewhere; it is open then.
fn unfold_complete(view: &mut View) -> bool {
    let Some(key) = view.transcript.held() else {
        return false;
    };
    let tool = view.transcript.items.get(key).and_then(TranscriptItem::tool);
    let is_complete = tool.is_some_and(|(_, tool)| tool.output.is_none());
    if is_complete && !view.transcript.open.contains(&key) {
        open(view);
    }
    is_complete
}

fn page(view: &mut View, turn: PageTurn) {
    let height = place::areas(view).list.height;
    // A row or two stay, to read on from.
    sight::scroll(view, turn.rows(height, 2));
}

/// A page or half of one, by the keys that scroll a terminal.
pub fn scroll_page(state: &mut State, client: ClientId, turn: PageTurn) {
    if let Some(view) = state.views.get_mut(&client) {
        page(view, turn);
    }
}

/// Opens the whole output of the selected call in a window of its own. Where the transcript has all of it, it is unfolded
/// there.
pub fn open_output(state: &mut State, client: ClientId) -> Vec<Effect> {
    if let Some(view) = state.views.get_mut(&client)
        && unfold_complete(view)
    {
        return Vec::new();
    }
    let whole = state.views.get(&client).and_then(|view| {
        let item = view.transcript.items.get(view.transcript.held()?)?;
        let (_, tool) = item.tool()?;
        let whole = Whole {
            tool: tool.name.clone(),
            file: tool.output.clone()?,
            cut: tool.cut,
        };
        Some((view.chat.clone()?, whole))
    });
    let Some((chat, whole)) = whole else {
        let text = "Select a call: this shows the whole of its output.";
        toast::tell(state, client, text, Tone::Told);
        return Vec::new();
    };
    let output = Output::new(&state.domain, &chat, whole);
    dialogs::open(state, client, output)
}

/// A click selects; the wheel scrolls.
pub fn mouse(state: &mut State, client: ClientId, event: MouseEvent) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let list = place::areas(view).list;
    match event.kind {
        MouseEventKind::ScrollUp => sight::scroll(view, -NOTCH),
        MouseEventKind::ScrollDown => sight::scroll(view, NOTCH),
        MouseEventKind::Down(MouseButton::Left) => {
            (view.mode, view.focus) = (Mode::Outside, Focus::Pane);
            if holds(list, event.column, event.row) {
                let row = usize::from(event.row - list.y);
                let clicked = view.transcript.sight.get(row).map(|spot| spot.item);
                let clicked = clicked.filter(|key| *key != ItemKey::AT_WORK);
                let again = clicked.is_some() && clicked == view.transcript.selected;
                view.tabs.pressed = clicked.filter(|_| again);
                view.transcript.selected = clicked;
            }
        }
        // What is dragged over is marked, and stays as it is.
        MouseEventKind::Up(MouseButton::Left) => {
            let pressed = view.tabs.pressed.take();
            if pressed.is_some() && pressed == view.transcript.selected {
                open(view);
            }
        }
        _ => {}
    }
    Vec::new()
}

/// Beside the terminal, or in its place, from the width on at which there is room for both.
pub fn toggle_beside(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    if view.size.cols < ROOMY {
        let text = format!("Terminal and transcript stand side by side from {ROOMY} columns on.");
        toast::tell(state, client, text, Tone::Told);
        return Vec::new();
    }
    if view.inspector.of_shell {
        let text = "A shell is a terminal alone: terminal and transcript stand side by side in the chats of agents.";
        toast::tell(state, client, text, Tone::Told);
        return Vec::new();
    }
    let beside = !view.transcript.look.beside;
    view.transcript.look.beside = beside;
    view.transcript.changed();
    view.zoomed = false;
    if beside && !matches!(view.tab, Tab::Terminal) {
        view.show(Tab::Sheet(PaneSheet::Transcript));
    }
    Vec::new()
}
