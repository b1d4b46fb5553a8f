//! Holds back answers that the terminal gives after we stopped waiting for them.
//!
//! Such an answer, `ESC ] 11 ; rgb:… BEL`, is read as Alt+] and a row of letters. An agent must not get it as typing.

use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};

/// How long after the question an answer may still come.
const WATCH: Duration = Duration::from_secs(3);
/// What an answer has in common with no typing: the row of keys it begins with. The second digit is 0 or 1.
const BEGIN: [char; 5] = [']', '1', '1', ';', 'r'];

#[derive(Debug)]
pub(super) struct LateAnswers {
    until: Option<Instant>,
    /// Keys that may be the beginning of an answer, and are typing if they are not.
    held: Vec<Event>,
    inside: bool,
}

impl LateAnswers {
    pub fn expected(late: bool) -> LateAnswers {
        LateAnswers {
            until: late.then(|| Instant::now() + WATCH),
            held: Vec::new(),
            inside: false,
        }
    }

    /// The events to pass on now that this one came.
    pub fn filter(&mut self, event: Event) -> Vec<Event> {
        if self.inside {
            self.inside = !ends_answer(&event);
            return Vec::new();
        }
        if self.until.is_none_or(|until| Instant::now() > until) && self.held.is_empty() {
            return vec![event];
        }
        let goes_on = begins_answer(self.held.len(), &event);
        self.held.push(event);
        if !goes_on {
            return std::mem::take(&mut self.held);
        }
        if self.held.len() == BEGIN.len() {
            self.held.clear();
            self.inside = true;
        }
        Vec::new()
    }
}

fn begins_answer(position: usize, event: &Event) -> bool {
    let Event::Key(KeyEvent {
        code: KeyCode::Char(typed),
        modifiers,
        ..
    }) = event
    else {
        return false;
    };
    let due = BEGIN[position];
    match position {
        0 => *typed == due && *modifiers == KeyModifiers::ALT,
        2 => *typed == due || *typed == '0',
        _ => *typed == due,
    }
}

/// BEL is read as Ctrl+G, `ESC \` as Alt+\.
fn ends_answer(event: &Event) -> bool {
    let ends = |code, modifiers| *event == Event::Key(KeyEvent::new(KeyCode::Char(code), modifiers));
    ends('g', KeyModifiers::CONTROL) || ends('\\', KeyModifiers::ALT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Vec<Event> {
        text.chars().map(|typed| key(typed, KeyModifiers::NONE)).collect()
    }

    fn key(code: char, modifiers: KeyModifiers) -> Event {
        Event::Key(KeyEvent::new(KeyCode::Char(code), modifiers))
    }

    fn passed(late: bool, events: Vec<Event>) -> Vec<Event> {
        let mut answers = LateAnswers::expected(late);
        events.into_iter().flat_map(|event| answers.filter(event)).collect()
    }

    #[test]
    fn a_late_answer_is_no_typing() {
        let mut events = typed("a");
        for (answer, end) in [
            ("10;rgb:ff/ff/ff", key('g', KeyModifiers::CONTROL)),
            ("11;rgb:00/00/00", key('\\', KeyModifiers::ALT)),
        ] {
            events.push(key(']', KeyModifiers::ALT));
            events.extend(typed(answer));
            events.push(end);
        }
        events.extend(typed("b"));
        assert_eq!(passed(true, events), typed("ab"));
    }

    #[test]
    fn typing_that_only_begins_like_an_answer_is_passed_on() {
        let mut events = vec![key(']', KeyModifiers::ALT)];
        events.extend(typed("1 ]11;r"));
        assert_eq!(passed(true, events.clone()), events);
        assert_eq!(passed(false, events.clone()), events);
    }
}
