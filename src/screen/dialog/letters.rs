//! Letters on a choice of a dialog: they choose what begins with them.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Around, Ask, Part, Stop};

/// No choice has more.
const MOST_CHOICES: usize = 200;

/// Something is chosen there, or ticked.
pub(super) fn is_choice(ask: &dyn Ask, around: &Around, at: Stop) -> bool {
    let parts = ask.parts(around);
    parts
        .iter()
        .any(|part| matches!(part, Part::Choice { stop, .. } | Part::Tick { stop, .. } if *stop == at))
}

/// The choice that has the focus, or that of a question with one alone.
pub(super) fn meant(ask: &dyn Ask, around: &Around) -> Option<Stop> {
    let at = ask.form().at;
    if is_choice(ask, around, at) {
        return Some(at);
    }
    let parts = ask.parts(around).into_iter();
    let mut choices = parts.filter_map(|part| match part {
        Part::Choice { stop, .. } => Some(stop),
        _ => None,
    });
    choices.next().filter(|_| choices.next().is_none())
}

/// On a choice a letter goes to the next one that begins with it, and letters one after another to what begins with them
/// all. Says whether there is one.
pub(super) fn choose(ask: &mut dyn Ask, around: &Around, at: Stop, key: KeyEvent) -> bool {
    let is_plain = (key.modifiers - KeyModifiers::SHIFT).is_empty();
    let KeyCode::Char(letter) = key.code else {
        return false;
    };
    let typed = ask.form_mut().letters(at).press(letter, around.domain.now);
    let value = |ask: &dyn Ask| {
        let mut parts = ask.parts(around).into_iter();
        parts.find_map(|part| {
            let Part::Choice {
                stop, value, at: place, ..
            } = part
            else {
                return None;
            };
            (stop == at).then_some((value, place))
        })
    };
    let Some(before) = value(ask).filter(|_| is_plain) else {
        return false;
    };
    let begins = |(value, _): &(String, String), wanted: &str| {
        let words = value.trim_start_matches(|c: char| !c.is_alphanumeric());
        words.to_lowercase().starts_with(wanted)
    };
    let mut goes_to = |wanted: &str| {
        for _ in 0..MOST_CHOICES {
            ask.turn(around, at, 1);
            let Some(now) = value(ask) else {
                return false;
            };
            if begins(&now, wanted) || now == before {
                return begins(&now, wanted);
            }
        }
        false
    };
    // With another letter the same value may still be meant.
    let is_there = typed.chars().count() > 1 && begins(&before, &typed);
    if is_there || goes_to(&typed) {
        return true;
    }
    let found = goes_to(&letter.to_lowercase().collect::<String>());
    ask.form_mut().letters(at).begin(letter);
    found
}
