//! To the next line without text, or the one before, as far as lines are kept: what is not in sight is asked for.

use crate::domain::effect::Effect;
use crate::model::ClientId;
use crate::screen::State;
use crate::term::{Screen, TextSpot};

use super::super::reading::{self, Copy};
use super::super::selection::{Class, SelectionStep, class, row};
use super::super::way::StepWay;
use super::cursor::go;
use super::motion::edge;

/// Where a paragraph ends.
enum ParagraphEnd {
    Blank(u64),
    /// Nowhere in what is shown: its last line on the way.
    Beyond(u64),
}

pub(super) fn run(state: &mut State, client: ClientId, way: StepWay, count: u32) -> Vec<Effect> {
    let mut effects = Vec::new();
    let mut left = count;
    while let Some(copy) = state.views.get(&client).and_then(|view| view.reading.copy)
        && left > 0
    {
        let copy = Copy { seeks: None, ..copy };
        let Some((screen, lines)) = shown(state, client) else {
            break;
        };
        match end(screen, copy.cursor.line, way) {
            Some(ParagraphEnd::Blank(line)) => {
                let cursor = TextSpot { line, col: 0 };
                effects.extend(go(state, client, Copy { cursor, ..copy }));
                left -= 1;
            }
            Some(ParagraphEnd::Beyond(line)) if line == lines.0 || line == lines.1 => {
                let start = TextSpot { line, col: 0 };
                let col = match way {
                    StepWay::Forward => edge(screen, start, SelectionStep::Back),
                    StepWay::Back => 0,
                };
                let cursor = TextSpot { line, col };
                effects.extend(go(state, client, Copy { cursor, ..copy }));
                left = 0;
            }
            Some(ParagraphEnd::Beyond(line)) => {
                let page = (screen.rows.len() as u64).saturating_sub(1);
                let top = match way {
                    StepWay::Forward => line,
                    StepWay::Back => line.saturating_sub(page),
                };
                let cursor = TextSpot { line, col: 0 };
                let seeks = Some((way, left));
                effects.extend(go(state, client, Copy { cursor, seeks, ..copy }));
                let before = reading::top(state, client);
                let asked = reading::show_from(state, client, top);
                // What the program shows now needs not be asked for.
                let is_there = asked.is_empty() && reading::top(state, client) != before;
                effects.extend(asked);
                if !is_there {
                    break;
                }
            }
            None => break,
        }
    }
    effects
}

/// More lines have come.
pub(super) fn go_on(state: &mut State, client: ClientId, copy: Copy) -> Vec<Effect> {
    match copy.seeks {
        Some((way, left)) => run(state, client, way, left),
        None => Vec::new(),
    }
}

/// The screen that is seen, and the oldest and the newest line.
fn shown(state: &State, client: ClientId) -> Option<(&Screen, (u64, u64))> {
    let view = state.views.get(&client)?;
    let live = reading::live(state, view)?;
    let newest = live.live() + (live.rows.len() as u64).saturating_sub(1);
    Some((view.reading.shown(live), (live.oldest(), newest)))
}

/// Behind the lines without text that the cursor may be among; `None` where it is not in what is shown.
fn end(screen: &Screen, from: u64, way: StepWay) -> Option<ParagraphEnd> {
    row(screen, from)?;
    let on = |line: u64| match way {
        StepWay::Forward => Some(line + 1),
        StepWay::Back => line.checked_sub(1),
    };
    let lines = std::iter::successors(Some(from), |line| on(*line)).take_while(|line| row(screen, *line).is_some());
    let text = lines.clone().skip_while(|line| is_blank(screen, *line));
    let found = text.clone().find(|line| is_blank(screen, *line));
    let last = lines.last().unwrap_or(from);
    Some(found.map_or(ParagraphEnd::Beyond(last), ParagraphEnd::Blank))
}

fn is_blank(screen: &Screen, line: u64) -> bool {
    (0..screen.cols).all(|col| class(screen, TextSpot { line, col }) == Some(Class::Blank))
}
