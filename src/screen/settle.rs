//! After every event: what each person looks at stays possible, and what they look at counts as seen.

use crate::domain::agent;
use crate::domain::agent::state::Process;
use crate::domain::attention::Attention;
use crate::domain::auxiliary::{Side, resize};
use crate::domain::effect::Effect;
use crate::model::preferences::ListOrder;
use crate::model::{Chat, ClientId, Timestamp};

use super::dialog::Dialog;
use super::grid::tiles;
use super::state::State;
use super::surface::Surface;
use super::tab::transcript;
use super::view::{Mode, Tab, View};
use super::{
    ahead, composer, dialogs, figures, form_text, grid, guard, inspector, kept, layout, left, numbers, reader,
    resuming, side, sidebar, spinner, start, tab, within,
};

pub fn settle(state: &mut State) -> Vec<Effect> {
    let mut effects = Vec::new();
    transcript::share(state);
    let clients: Vec<ClientId> = state.views.keys().copied().collect();
    for client in &clients {
        sidebar::settle(state, *client);
    }
    let have_changed = numbers::settle(state);
    for client in &clients {
        if have_changed && is_by_number(state, *client) {
            sidebar::settle(state, *client);
        }
    }
    for client in clients {
        settle_inspector(state, client);
        grid::settle(state, client);
        effects.extend(figures::settle(state, client));
        side::settle(state, client);
        effects.extend(start::settle(state, client));
        effects.extend(dialogs::input::settle(state, client));
        effects.extend(within::settle(state, client));
        guard::settle(state, client);
        effects.extend(settle_pane(state, client));
        effects.extend(composer::settle(state, client));
        effects.extend(left::settle_form(state, client));
        effects.extend(left::settle_words(state, client));
        effects.extend(tab::settle(state, client));
        effects.extend(ahead::settle(state, client));
        reader::settle(state, client);
        effects.extend(expire(state, client));
    }
    effects.extend(inspector::settle(state));
    effects.extend(left::settle(state));
    state.domain.live.attention = attention(state);
    if let Some((_, view)) = state.views.last_key_value() {
        state.domain.live.looked_at.first_sizes = Some(layout::first::first_sizes(view));
    }
    effects
}

fn is_by_number(state: &State, client: ClientId) -> bool {
    let view = state.views.get(&client);
    view.is_some_and(|view| view.sidebar.look.order == ListOrder::Number)
}

/// What is laid out for a chat depends on its agent, and what is chosen is chosen among its cards.
fn settle_inspector(state: &mut State, client: ClientId) {
    if let Some(view) = state.views.get_mut(&client) {
        view.inspector.turn_to(view.chat.as_ref());
        let chat = view.chat.as_ref().and_then(|chat| state.domain.disk.chats.get(chat));
        view.inspector.turn_to_kind(chat.is_some_and(Chat::is_shell));
    }
}

fn attention(state: &State) -> Attention {
    let mut attention = Attention::default();
    for view in state.views.values() {
        let Some(chat) = &view.chat else { continue };
        let tiles = tiles::others(view).into_iter().map(|(tile, _)| tile);
        for shown in tiles.chain([chat.clone()]) {
            if view.attention.attentive {
                attention.watched.insert(shown.clone());
            }
            if view.sees(&shown, state.domain.now) {
                attention.seen.insert(shown.clone());
            }
            attention.shown.insert(shown);
        }
        if view.mode == Mode::Agent {
            attention.used.insert(chat.clone());
        }
    }
    attention
}

fn settle_pane(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let others = tiles::others(view);
    let seen_at = view.look(state.domain.now);
    let mut effects: Vec<Effect> = seen_at.map(Effect::WakeAt).into_iter().collect();
    let Some(chat) = view.chat.clone() else {
        view.mode = Mode::Outside;
        view.zoomed = false;
        return Vec::new();
    };
    let is_kept = |view: &View| view.pane().is_some_and(|pane| kept::is_kept(state, &pane));
    let is_kept = state.views.get(&client).is_some_and(is_kept);
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    view.reading.is_kept = is_kept;
    let size = layout::pane_size(view);
    let shown = others.iter().map(|(other, _)| other).chain([&chat]);
    for seen in shown.filter(|shown| view.sees(shown, state.domain.now)) {
        state.domain.live.unseen.remove(seen);
    }
    // A terminal of one column is of no use to its program, and not what a person wants who drags a window small.
    let fits = size.cols >= 2 && size.rows >= 2;
    let beside = match view.tab {
        Tab::Side(number) => Some(number),
        Tab::Terminal | Tab::Sheet(_) => None,
    };
    for (other, size) in others {
        let agent = state.domain.live.agents.get(&other);
        if agent.is_some_and(|agent| matches!(agent.process, Process::Running { .. })) {
            effects.extend(agent::resize(&mut state.domain, &other, client, size));
        }
    }
    effects.extend(kept::fit(state, client));
    if let Some(number) = beside {
        let live = state.domain.live.sides.get(&number).is_some_and(Side::is_live);
        if fits && live {
            effects.extend(resize(&mut state.domain, number, client, size));
        }
        return effects;
    }
    let agent = state.domain.live.agents.get(&chat);
    let runs = agent.is_some_and(|agent| matches!(agent.process, Process::Running { .. }));
    if fits && runs {
        effects.extend(agent::resize(&mut state.domain, &chat, client, size));
    }
    effects
}

/// Ends toasts that are over, and asks once to be woken for what changes next by itself.
fn expire(state: &mut State, client: ClientId) -> Vec<Effect> {
    let now = state.domain.now;
    let offered = state.views.get(&client).and_then(|view| {
        let until = view.over.offered?;
        (until > now && resuming::is_possible(state)).then_some(until)
    });
    let spins = state.views.get(&client).and_then(|view| spinner::wakes(state, view));
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    view.over.offered = offered;
    view.over.toasts.retain(|toast| toast.until > now);
    let toasts = view.over.toasts.iter().map(|toast| toast.until);
    let live = view.over.dialog.as_ref().and_then(Dialog::is_live_from);
    let held = view
        .sidebar
        .held
        .filter(|_| matches!(view.behind(), Surface::Sidebar(_)));
    let others = [
        view.over.guard.wakes(now),
        live,
        offered,
        held,
        composer::wakes(view, now),
        form_text::wakes(view),
        spins,
    ];
    let next: Option<Timestamp> = toasts.chain(others.into_iter().flatten()).filter(|at| *at > now).min();
    if next == view.over.wake {
        return Vec::new();
    }
    view.over.wake = next;
    next.map(Effect::WakeAt).into_iter().collect()
}
