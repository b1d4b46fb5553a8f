//! What the Transcript tab shows is asked for, page by page, and kept as it comes.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::data::{RowSpot, TranscriptView};
use super::found::FoundEntries;
use super::item::{AtWork, ItemKey, TranscriptItem};
use super::items::Items;
use super::matches::WhichMatch;
use super::wants::{JumpKind, JumpWay, SeekTurn, Seeking, SoughtSpot};
use super::window::WindowChange;
use super::{copying, jump, markdown, matches, moment, place, search, sight, targets};
use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::Domain;
use crate::domain::work::ShownRead;
use crate::model::talk::HiddenEntries;
use crate::model::transcript::{CodeBlock, ColouredCode, PageAt, TranscriptPage};
use crate::model::{Capabilities, ChatId, ClientId, Problem, Status};
use crate::screen::State;
use crate::screen::call::SeenPlaces;
use crate::screen::dialog::{FoundMoment, FoundOutput, Output, Whole};
use crate::screen::keymap::PaneSheet;
use crate::screen::tab::search_line::Sought;
use crate::screen::view::{Focus, Mode, Tab, View};
use crate::screen::{dialogs, going};

/// Items beyond what is in sight: with fewer, more are read.
const AHEAD: usize = 60;
/// Answers whose colours are kept.
const COLOURED: usize = 500;

/// After each event: takes what was appended, asks workers for what the screen lacks, and finds what is in sight.
pub fn settle(state: &mut State, client: ClientId) -> Vec<Effect> {
    let view = state.views.get_mut(&client);
    let Some(view) = view.filter(|view| place::is_shown(view)) else {
        return Vec::new();
    };
    let Some(id) = view.chat.clone() else {
        return Vec::new();
    };
    if view.transcript.of.as_ref() != Some(&id) {
        view.transcript = TranscriptView::looked_at(Some(id.clone()), view.transcript.look);
    }
    let places = SeenPlaces::of(&state.domain, &id);
    if view.transcript.places != places {
        view.transcript.places = places;
        view.transcript.lay_again();
        // The paths in the calls are told from there.
        if let Some(sought) = &mut view.transcript.search.sought {
            sought.found = FoundEntries::default();
        }
    }
    view.transcript.show_at_work(at_work(&state.domain, &id));
    seek(view);
    sight::settle(view);
    search::settle(&mut view.transcript);
    let is_there = view.transcript.wants.spot.is_none() && view.transcript.selected.is_some();
    if view.transcript.wants.moment && is_there {
        view.transcript.wants.moment = false;
        return moment::show(state, client);
    }
    let uncoloured = uncoloured(&mut view.transcript);
    let wanted = wanted(&view.transcript);
    let mut effects = Vec::new();
    if let Some((key, blocks)) = uncoloured {
        view.transcript.wants.colours = Some(key);
        let colours = ShownRead::Colours(id.clone(), key.seq, blocks);
        effects.extend(chat::show(&mut state.domain, client, colours));
    }
    effects.extend(wanted.map_or_else(Vec::new, |at| ask(state, client, id, at)));
    effects
}

/// What the agent does that no entry tells yet. A call that runs tells enough.
fn at_work(domain: &Domain, chat: &ChatId) -> Option<AtWork> {
    let agent = domain.live.agents.get(chat)?;
    let Status::Running(tool) = &agent.verdict.status else {
        return None;
    };
    let words = &agent.turn.writes;
    if !words.text.trim().is_empty() {
        return Some(AtWork::Writes(words.clone()));
    }
    let is_unseen = |capabilities: &Capabilities| capabilities.transcribes && !capabilities.streams_words;
    let is_unseen = agent.capabilities.as_ref().is_some_and(is_unseen);
    (is_unseen && tool.is_none()).then_some(AtWork::WritesUnseen)
}

fn ask(state: &mut State, client: ClientId, id: ChatId, at: PageAt) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    view.transcript.wants.page = Some(at);
    if matches!(at, PageAt::End | PageAt::After(_)) {
        view.transcript.window.begin_reading();
    }
    state.domain.live.looked_at.fresh_entries.entry(id.clone()).or_default();
    chat::show(&mut state.domain, client, ShownRead::Page(id, at))
}

/// The page that is missing, if none is on its way.
fn wanted(transcript: &TranscriptView) -> Option<PageAt> {
    if transcript.wants.page.is_some() || transcript.problem.is_some() {
        return None;
    }
    let window = &transcript.window;
    match transcript.wants.spot {
        Some(SoughtSpot::Start) => return Some(PageAt::Start),
        Some(SoughtSpot::Entry(seq)) => return Some(PageAt::Around(seq)),
        None => {}
    }
    if !transcript.is_here() {
        return Some(PageAt::End);
    }
    if transcript.top.is_none() && window.is_long() {
        return Some(PageAt::End);
    }
    match transcript.wants.seeking.map(|seeking| seeking.way) {
        Some(JumpWay::Back) if !window.at_start() => return Some(PageAt::Before(window.from())),
        Some(JumpWay::On) if !window.at_end => return Some(PageAt::After(window.to())),
        Some(_) | None => {}
    }
    let (above, below) = beyond(transcript);
    let near = Near::of(transcript);
    let lacks = |items: &[TranscriptItem], end: Option<u64>| match window.is_full() {
        true => end.is_none(),
        false => items.len() < AHEAD,
    };
    if lacks(above, near.first) && !window.at_start() {
        return Some(PageAt::Before(window.from()));
    }
    (lacks(below, near.last) && !window.at_end).then(|| PageAt::After(window.to()))
}

/// The items above what is in sight, and those below it.
fn beyond(transcript: &TranscriptView) -> (&[TranscriptItem], &[TranscriptItem]) {
    let list = transcript.items.list();
    let position = |spot: &RowSpot| transcript.items.position(spot.item);
    let above = transcript.sight.first().map_or(0, position);
    let below = transcript.sight.last().map_or(list.len(), |spot| position(spot) + 1);
    (&list[..above], list.get(below..).unwrap_or_default())
}

/// What is in sight with as much again above and below it, by the numbers of its first and last entry. `None` where there
/// is less than that.
struct Near {
    first: Option<u64>,
    last: Option<u64>,
}

impl Near {
    fn of(transcript: &TranscriptView) -> Near {
        let (above, below) = beyond(transcript);
        let is_seen = |item: &&TranscriptItem| transcript.is_shown(item) && transcript.has_rows(item);
        let last_of_screen = transcript.sight.len().saturating_sub(1);
        let number = |item: &TranscriptItem| item.key.seq;
        Near {
            first: above.iter().rev().filter(is_seen).nth(last_of_screen).map(number),
            last: below.iter().filter(is_seen).nth(last_of_screen).map(number),
        }
    }
}

/// The entries that are not let go for others. While something far away is sought, that is none.
fn kept(transcript: &TranscriptView) -> RangeInclusive<u64> {
    if transcript.wants.seeking.is_some() {
        return u64::MAX..=u64::MAX;
    }
    let near = Near::of(transcript);
    near.first.unwrap_or(0)..=near.last.unwrap_or(u64::MAX)
}

/// An answer in sight whose code has no colours yet, with that code.
fn uncoloured(transcript: &mut TranscriptView) -> Option<(ItemKey, Vec<CodeBlock>)> {
    if transcript.wants.colours.is_some() {
        return None;
    }
    let is_code = |spot: &&RowSpot| transcript.row(**spot).is_some_and(|row| row.code().is_some());
    let is_plain = |spot: &&RowSpot| !transcript.colours.contains_key(&spot.item);
    let key = transcript.sight.iter().filter(is_plain).find(is_code)?.item;
    let item = transcript.items.get(key)?;
    let text = copying::text_of(item, &transcript.places)?;
    let blocks = markdown::code_blocks(&text);
    if transcript.colours.len() > COLOURED {
        transcript.colours.clear();
    }
    if blocks.iter().any(|block| !block.language.is_empty()) {
        return Some((key, blocks));
    }
    transcript.colours.insert(key, Vec::new());
    None
}

/// The colours of an answer's code, which were asked for.
pub fn coloured(state: &mut State, client: ClientId, chat: &ChatId, (seq, colours): (u64, Vec<ColouredCode>)) {
    let view = state.views.get_mut(&client);
    let Some(view) = view.filter(|view| view.transcript.of.as_ref() == Some(chat)) else {
        return;
    };
    let key = ItemKey::entry(seq);
    view.transcript.wants.colours = None;
    view.transcript.colours.insert(key, colours);
    view.transcript.laid.remove(&key);
    view.transcript.changed();
}

/// Goes to what is sought, if it is loaded.
fn seek(view: &mut View) {
    let transcript = &mut view.transcript;
    let list = transcript.items.list();
    let key = match transcript.wants.spot {
        Some(SoughtSpot::Start) if transcript.window.at_start() => list.first().map(|item| item.key),
        // What is no item by itself, as the end of a call, is sought at the one before.
        Some(SoughtSpot::Entry(seq)) if transcript.holds(seq) => {
            let behind = list.partition_point(|item| item.key <= ItemKey::entry(seq));
            list.get(behind.saturating_sub(1)).map(|item| item.key)
        }
        Some(_) | None => return,
    };
    let is_entry = transcript.wants.spot != Some(SoughtSpot::Start);
    transcript.wants.spot = None;
    if let Some(key) = key {
        transcript.selected = Some(key).filter(|_| is_entry);
        targets::bring_out(transcript, key);
        let to_words = std::mem::take(&mut transcript.wants.words) && is_entry;
        sight::show_at_top(view, key);
        if to_words {
            matches::go(view, key, WhichMatch::Fullest);
        }
    }
}

/// Shows the transcript at this entry.
pub fn go_to(state: &mut State, client: ClientId, seq: u64) {
    if let Some(view) = state.views.get_mut(&client).filter(|view| view.chat.is_some()) {
        show_tab(view);
        view.transcript.wants.spot = Some(SoughtSpot::Entry(seq));
        view.transcript.wants.words = false;
    }
}

/// The same, and in its place what the terminal showed then.
pub fn go_to_moment(state: &mut State, client: ClientId, seq: u64) {
    go_to(state, client, seq);
    if let Some(view) = state.views.get_mut(&client) {
        view.transcript.wants.moment = true;
    }
}

/// Shows the transcript at the newest error.
pub fn go_to_last_error(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client).filter(|view| view.chat.is_some()) else {
        return Vec::new();
    };
    show_tab(view);
    let from = ItemKey::entry(u64::MAX);
    view.transcript.wants.seeking = Some(Seeking {
        kind: JumpKind::Error,
        way: JumpWay::Back,
        from,
        with_from: true,
        turn: SeekTurn::Never,
    });
    match view.transcript.is_here() {
        true => jump::go_on(state, client),
        false => Vec::new(),
    }
}

fn show_tab(view: &mut View) {
    view.show(Tab::Sheet(PaneSheet::Transcript));
    (view.mode, view.focus, view.zoomed) = (Mode::Outside, Focus::Pane, false);
    if view.transcript.of != view.chat {
        view.transcript = TranscriptView::looked_at(view.chat.clone(), view.transcript.look);
    }
}

/// Shows the moment of a chat in which something was found, with the words of it marked; in a whole output that is the
/// place there.
pub fn show_found(state: &mut State, client: ClientId, found: FoundMoment) -> Vec<Effect> {
    let mut effects = going::select(state, client, Some(found.chat.clone()));
    go_to(state, client, found.seq);
    if let Some(view) = state.views.get_mut(&client) {
        // What was found may stand in what is folded.
        view.transcript.open.insert(ItemKey::entry(found.seq));
        view.transcript.search.sought = Sought::of_any(&found.typed, &found.marked, FoundEntries::default());
        view.transcript.wants.words = true;
        view.transcript.changed();
    }
    if let Some(FoundOutput { tool, file, from }) = found.output {
        let whole = Whole { tool, file, cut: None };
        let words = found.marked.first().or(found.typed.first());
        let words = words.map(String::as_str).unwrap_or_default();
        let output = Output::new(&state.domain, &found.chat, whole).at(words, from);
        effects.extend(dialogs::open(state, client, output));
    }
    effects
}

/// A page that was asked for.
pub fn arrived(
    state: &mut State,
    client: ClientId,
    chat: &ChatId,
    page: Result<TranscriptPage, Problem>,
) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let transcript = &mut view.transcript;
    if transcript.of.as_ref() != Some(chat) {
        return Vec::new();
    }
    transcript.wants.page = None;
    let page = match page {
        Ok(page) => page,
        Err(problem) => {
            transcript.problem = Some(problem);
            return Vec::new();
        }
    };
    let at = page.at;
    let lines = page.lines.clone();
    let kept = kept(transcript);
    match transcript.window.take(page, &kept) {
        WindowChange::Longer => {
            lines.iter().for_each(|line| transcript.items.take(line));
            for entry in transcript.window.fresh().to_vec() {
                transcript.items.take_entry(&entry);
            }
        }
        WindowChange::Other => {
            read_anew(transcript, hidden(&state.domain, chat).to_vec());
            if at == PageAt::End && transcript.top.is_none() {
                transcript.since = transcript.items.last;
            }
        }
        WindowChange::Nothing => {}
    }
    transcript.changed();
    give_up(transcript, at);
    seek(view);
    sight::settle(view);
    jump::go_on(state, client)
}

fn read_anew(transcript: &mut TranscriptView, hidden: Vec<HiddenEntries>) {
    let mut items = Items::new(transcript.window.prompts_before, hidden);
    transcript.window.lines().for_each(|line| items.take(&line));
    transcript.items = items;
    transcript.laid.clear();
    transcript.changed();
}

/// What going back has hidden of a chat.
fn hidden<'a>(domain: &'a Domain, chat: &ChatId) -> &'a [HiddenEntries] {
    let known = domain.disk.chats.get(chat);
    known.map_or(&[], |chat| &chat.record.origin.went_back.hidden)
}

/// What is not there though its page came is not sought any longer.
fn give_up(transcript: &mut TranscriptView, at: PageAt) {
    if let (PageAt::Around(_), Some(SoughtSpot::Entry(seq))) = (at, transcript.wants.spot)
        && !transcript.holds(seq)
    {
        transcript.wants.spot = None;
    }
}

/// What was appended to the transcripts that people read goes to each of them; what nobody reads is let go.
pub fn share(state: &mut State) {
    for view in state.views.values_mut() {
        let is_left = view.transcript.of != view.chat;
        let is_long = !place::is_shown(view) && view.transcript.window.is_long();
        if view.transcript.of.is_some() && (is_left || is_long) {
            view.transcript = TranscriptView::looked_at(None, view.transcript.look);
        }
    }
    let read: BTreeSet<&ChatId> = state
        .views
        .values()
        .filter_map(|view| view.transcript.of.as_ref())
        .collect();
    state
        .domain
        .live
        .looked_at
        .fresh_entries
        .retain(|chat, _| read.contains(chat));
    for (chat, entries) in &mut state.domain.live.looked_at.fresh_entries {
        if entries.is_empty() {
            continue;
        }
        let entries = std::mem::take(entries);
        let readers = state.views.values_mut().map(|view| &mut view.transcript);
        for transcript in readers.filter(|transcript| transcript.of.as_ref() == Some(chat)) {
            transcript.append(&entries);
        }
    }
    // A revert, or its undo.
    for transcript in state.views.values_mut().map(|view| &mut view.transcript) {
        let hidden = transcript.of.as_ref().map(|chat| hidden(&state.domain, chat));
        if let Some(hidden) = hidden.filter(|hidden| *hidden != transcript.items.hidden()) {
            read_anew(transcript, hidden.to_vec());
        }
    }
}
