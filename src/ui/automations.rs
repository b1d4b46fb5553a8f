//! All schedules, and the history of the one that is selected, on the whole screen.

use std::path::Path;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::config::theme;
use crate::domain::chat;
use crate::domain::schedule::{self, run};
use crate::model::schedule::{How, Missed, Overlap, Rule, Run, Verdict};
use crate::model::text::one_line;
use crate::model::{Schedule, ScheduleId};
use crate::screen::automations::{Automations, bar, next_in_words, order, place};
use crate::screen::day::day_and_time;
use crate::screen::keymap::{Action, SchedulesAction};
use crate::screen::wrap::{width, wrap};

use super::scene::Scene;
use super::scrollbar;
use super::text::{after, below, but_last, clear, inset, put, put_right, row, shown, up_to};

/// What a name keeps in the list.
const NAME: u16 = 22;

/// Of a narrower page the list has no room for the next run; it stands below, then.
const NEXT_IN_LIST: u16 = 74;

/// Columns of a run.
const RESULT: u16 = 16;
const TIME: u16 = 26;
/// How far what became of a run is set in, where it stands below it.
const BELOW: u16 = 2;

/// Lines of a prompt that are shown.
const PROMPT: usize = 2;

pub fn draw(scene: &Scene, page: &Automations, whole: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    clear(buf, whole, theme.background.patch(theme.text));
    let placed = place(scene.state, whole);
    let order = order(scene.state);
    let title = inset(placed.title, 1);
    let used = put(buf, title, "Schedules", theme.header);
    let running = scene.state.domain.live.agenda.runs.len();
    let counts = match (order.len(), running) {
        (0, _) => String::new(),
        (count, 0) => count.to_string(),
        (count, running) => format!("{count} · {running} running"),
    };
    put(buf, after(title, used + 2), &counts, theme.dim);
    if order.is_empty() {
        let key = scene.state.keymap.key(Action::Schedules(SchedulesAction::New));
        let words = format!("No schedules yet: {key} makes one, and so can agents.");
        put(buf, inset(placed.list, 1), &words, theme.dim);
        let words = "In the shell, `parlour schedule add` makes one.";
        put(buf, inset(placed.details, 1), words, theme.dim);
    }
    let selected = page.selected(&order).map(|(at, _)| at);
    let rows = usize::from(placed.list.height);
    let first = page.first(&order, rows);
    let wide = list_columns(scene, &order, placed.list.width);
    for (line, (at, id)) in order.iter().enumerate().skip(first).take(rows).enumerate() {
        let area = row(placed.list, line);
        let chosen = selected == Some(at);
        draw_line(scene, (id, wide), area, chosen && page.run.is_none(), chosen, buf);
    }
    for x in placed.rule.left()..placed.rule.right() {
        if let Some(cell) = buf.cell_mut((x, placed.rule.y)) {
            cell.set_symbol("─").set_style(theme.border);
        }
    }
    scrollbar::draw(scene, &bar(scene.state, scene.view, page), buf);
    if let Some((_, id)) = page.selected(&order) {
        draw_details(scene, page, &id, inset(placed.details, 1), buf);
    }
}

/// How wide names and rules are in the list: as wide as the widest, as far as what stands behind them leaves room.
fn list_columns(scene: &Scene, order: &[ScheduleId], room: u16) -> (u16, u16) {
    let known = || {
        order
            .iter()
            .filter_map(|id| scene.state.domain.disk.schedules[id].as_ref().ok())
    };
    let widest = |of: &dyn Fn(&Schedule) -> String| {
        let widths = known().map(|known| width(&shown(&of(known))));
        u16::try_from(widths.max().unwrap_or(0)).unwrap_or(u16::MAX)
    };
    let name = widest(&|known| known.terms.name.clone());
    let rule = widest(&|known| when(scene, known));
    let result = widest(&|known| known.runs.last().map_or(String::new(), |last| result(scene, last).0));
    let next = match room < NEXT_IN_LIST {
        true => 0,
        false => widest(&|known| next_in_words(scene.state, known)) + 1,
    };
    // The sign, and what stands between.
    let room = room.saturating_sub(6 + result + next);
    let rule = rule.min(room.saturating_sub(name.min(NAME)));
    (name.min(room - rule), rule)
}

fn draw_line(
    scene: &Scene,
    (id, (names, rules)): (&ScheduleId, (u16, u16)),
    area: Rect,
    focused: bool,
    chosen: bool,
    buf: &mut Buffer,
) {
    let theme = scene.theme;
    let ground = if focused { theme.selection } else { Style::new() };
    buf.set_style(area.intersection(buf.area), ground);
    let on = |style: Style| theme::over(style, ground.bg);
    if chosen {
        put(buf, area, "▌", on(if focused { theme.accent } else { theme.dim }));
    }
    let area = inset(area, 1);
    let known = match &scene.state.domain.disk.schedules[id] {
        Ok(known) => known,
        Err(why) => {
            let used = put(buf, area, &format!("✗ {id}  damaged: "), on(theme.failed));
            put(buf, after(area, used), &one_line(why, 200), on(theme.dim));
            return;
        }
    };
    let (sign, style) = match (
        schedule::word(&scene.state.domain, id),
        scene.state.domain.live.agenda.runs_of(id).next(),
    ) {
        (_, Some(_)) => ("●", theme.running),
        ("held", None) => ("◌", theme.waiting),
        ("paused", None) => ("‖", theme.dim),
        ("over", None) => ("□", theme.exited),
        _ => ("⏱", theme.accent),
    };
    put(buf, area, sign, on(style));
    let column = |from: u16, width: u16| up_to(after(area, from), width);
    let name = column(2, names);
    put(buf, name, &known.terms.name, if focused { ground } else { theme.text });
    put(buf, column(2 + names + 1, rules), &when(scene, known), on(theme.dim));
    let rest = after(area, 2 + names + 1 + rules + 1);
    let last = known.runs.last();
    let rest = match last {
        Some(last) => put_right(buf, rest, &result(scene, last).0, on(result(scene, last).1)),
        None => rest,
    };
    let next = but_last(rest, 1);
    put(buf, next, &next_in_words(scene.state, known), on(theme.text));
}

/// The rule, with its zone where that is not the machine's.
fn when(scene: &Scene, known: &Schedule) -> String {
    let zone = known.terms.when.zone;
    let rule = match &known.terms.when.rule {
        Rule::Cron(cron) => cron.as_str().to_string(),
        // When that is stands behind it.
        Rule::At(at) if known.next() == Some(*at) => "once".into(),
        Rule::At(at) => format!("once {}", day_and_time(*at, scene.state.domain.now, zone)),
    };
    match zone == scene.state.domain.live.facts.zone {
        true => rule,
        false => format!("{rule} {zone}"),
    }
}

fn result(scene: &Scene, run: &Run) -> (String, Style) {
    let theme = scene.theme;
    let count = match run.count {
        1 => String::new(),
        count => format!(" × {count}"),
    };
    let (sign, word, style) = match (run.result, &run.chat) {
        (Some(Verdict::Success), _) => ("✓", "success", theme.unseen),
        (Some(Verdict::Failed), _) => ("✗", "failed", theme.failed),
        (Some(Verdict::TimedOut), _) => ("✗", "timed out", theme.failed),
        (Some(Verdict::NeedsYou), _) => ("◆", "needs you", theme.waiting),
        (Some(Verdict::Skipped), _) => ("·", "skipped", theme.dim),
        (Some(Verdict::Missed), _) => ("·", "missed", theme.dim),
        (None, Some(chat)) if run::word(&scene.state.domain, chat) == "needs-you" => ("◆", "needs you", theme.waiting),
        (None, _) => ("●", "running", theme.running),
    };
    (format!("{sign} {word}{count}"), style)
}

fn draw_details(scene: &Scene, page: &Automations, id: &ScheduleId, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let Ok(known) = &scene.state.domain.disk.schedules[id] else {
        let file = scene
            .state
            .domain
            .disk
            .home
            .join("schedules")
            .join(format!("{id}.json"));
        let words = format!("{} cannot be read and is left as it is.", file.display());
        put(buf, area, &words, theme.dim);
        return;
    };
    let terms = &known.terms;
    let mut line = 0;
    let mut say = |words: &str, style: Style, buf: &mut Buffer| {
        put(buf, row(area, line), words, style);
        line += 1;
    };
    let prompt = wrap(&one_line(&terms.prompt, 600), area.width.into());
    for (at, words) in prompt.iter().take(PROMPT).enumerate() {
        let is_cut = at + 1 == PROMPT && prompt.len() > PROMPT;
        let words = if is_cut { format!("{words} …") } else { words.clone() };
        say(&words, theme.text, buf);
    }
    let next = Some(next_in_words(scene.state, known)).filter(|_| area.width < NEXT_IN_LIST);
    let mut facts: Vec<String> = next.filter(|words| !words.is_empty()).into_iter().collect();
    facts.push(terms.llm.clone().unwrap_or_else(|| "the default agent".into()));
    if let Some(project) = &terms.project {
        let branch = project
            .branch
            .as_ref()
            .map(|branch| format!(" · {branch}"))
            .unwrap_or_default();
        facts.push(format!("{}{branch}", from_home(scene, &project.path_or_url)));
    }
    facts.push(format!("at most {} min", terms.timeout_s.div_ceil(60)));
    facts.extend(match terms.overlap {
        Overlap::Skip => None,
        Overlap::Wait => Some("waits for its last run".to_string()),
        Overlap::Allow => Some("runs may overlap".to_string()),
    });
    facts.extend((terms.missed == Missed::Skip).then(|| "makes up for nothing".to_string()));
    facts.extend(
        known
            .chat
            .as_ref()
            .map(|made| format!("made by {}", chat::handle(&scene.state.domain, made))),
    );
    say(&facts.join("   "), theme.dim, buf);
    if let Some(check) = &terms.check {
        // Before the command, which may be longer than there is room.
        let by = if terms.check_by_agent {
            " (an agent's, runs where your rules allow it)"
        } else {
            ""
        };
        say(&format!("check{by}: {}", one_line(check, 300)), theme.dim, buf);
    }
    draw_history(scene, page.run, known, below(area, line + 1), buf);
}

/// A path below the person's home directory begins with `~`.
fn from_home(scene: &Scene, place: &str) -> String {
    let person = &scene.state.domain.disk.person;
    let below = Path::new(place).strip_prefix(person).ok();
    match below.filter(|below| person.is_absolute() && !below.as_os_str().is_empty()) {
        Some(below) => format!("~/{}", below.display()),
        None => place.into(),
    }
}

/// The runs, newest first. What there is to say of the selected one stands below it where its line is too short.
fn draw_history(scene: &Scene, selected: Option<usize>, known: &Schedule, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    if known.runs.is_empty() {
        put(buf, area, "It has not run yet.", theme.dim);
    }
    let rows = usize::from(area.height);
    let below = selected
        .and_then(|selected| known.runs.iter().rev().nth(selected))
        .map_or_else(Vec::new, |run| Columns::of(scene, run).below(&run.why, area.width));
    let first = selected.map_or(0, |at| (at + 1 + below.len()).saturating_sub(rows).min(at));
    let mut line = 0;
    for (at, run) in known.runs.iter().rev().enumerate().skip(first).take(rows) {
        let chosen = selected == Some(at);
        let below: &[String] = if chosen { &below } else { &[] };
        let why = if below.is_empty() { run.why.as_str() } else { "" };
        draw_run(scene, (run, why), chosen, row(area, line), buf);
        for words in below {
            line += 1;
            put(buf, after(row(area, line), BELOW), words, theme.text);
        }
        line += 1;
    }
}

/// What stands between the time of a run and what became of it.
struct Columns {
    took: String,
    /// Of its chat.
    name: String,
}

impl Columns {
    fn of(scene: &Scene, run: &Run) -> Columns {
        let took = run
            .ended
            .filter(|_| run.chat.is_some())
            .map(|ended| ended.ms_since(run.at));
        let took = took.map_or(String::new(), |ms| match ms / 60_000 {
            0 => format!("{} s  ", ms / 1000),
            minutes => format!("{minutes} min  "),
        });
        let chat = run.chat.as_ref();
        let name = chat.map_or(String::new(), |chat| chat::handle(&scene.state.domain, chat));
        Columns { took, name }
    }

    /// Behind the name.
    fn gap(&self) -> u16 {
        if self.name.is_empty() { 0 } else { 2 }
    }

    /// The lines of what became of a run, where its own line has no room for it.
    fn below(&self, why: &str, wide: u16) -> Vec<String> {
        let before = usize::from(RESULT + TIME + self.gap()) + width(&shown(&self.took)) + width(&shown(&self.name));
        match before + width(&shown(why)) > usize::from(wide) {
            true => wrap(&shown(why), wide.saturating_sub(BELOW).into()),
            false => Vec::new(),
        }
    }
}

fn draw_run(scene: &Scene, (run, why): (&Run, &str), chosen: bool, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    if chosen {
        buf.set_style(area.intersection(buf.area), theme.selection);
        let edge = Rect {
            x: area.x.saturating_sub(1),
            width: 1,
            ..area
        };
        put(buf, edge, "▌", theme.accent);
    }
    let on = |style: Style| theme::over(style, theme.selection.bg.filter(|_| chosen));
    let (words, style) = result(scene, run);
    put(buf, area, &words, on(style));
    let area = after(area, RESULT);
    let domain = &scene.state.domain;
    let at = day_and_time(run.due.unwrap_or(run.at), domain.now, domain.live.facts.zone);
    let how = match run.how {
        How::OnTime => "",
        How::Late => " late",
        How::ByHand => " by hand",
    };
    put(buf, area, &format!("{at}{how}"), on(theme.text));
    let area = after(area, TIME);
    let columns = Columns::of(scene, run);
    let used = put(buf, area, &columns.took, on(theme.dim));
    let used = used + put(buf, after(area, used), &columns.name, on(theme.accent));
    put(buf, after(area, used + columns.gap()), why, on(theme.dim));
}
