//! Holds back answers that the terminal gives after we stopped waiting for them, however late they come, and reads the
//! colours from them.
//!
//! Such an answer, `ESC ] 11 ; rgb:… BEL`, is read as Alt+] and a row of letters, or as Escape and the same row where a
//! slow line tore it. An agent must not get it as typing. What may be the beginning of one is held for a moment: shorter
//! than anybody types, longer than a line that is not broken takes for the rest.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use tokio::time::{Duration, Instant};

use crate::wire::TerminalColours;

/// How long an Escape waits for what would make it the beginning of an answer.
const ESCAPE: Duration = Duration::from_millis(50);
/// How long the few keys after it do.
const BEGINNING: Duration = Duration::from_millis(150);
/// What began as an answer and goes on no more by then was torn for good.
const REST: Duration = Duration::from_secs(3);
/// No answer is longer.
const LONGEST: usize = 200;

/// Colours are asked for, foreground and background; when both are told, nothing more comes.
const ASKED: usize = 2;

#[derive(Debug)]
pub(super) struct LateAnswers {
    /// How many answers may still come.
    expected: usize,
    /// Keys that may be the beginning of an answer, and are typing if they are not.
    held: Vec<Event>,
    /// What they spell, as bytes of the terminal.
    spelled: String,
    /// When the last of them came.
    since: Instant,
    /// What was told of foreground and background.
    foreground: Option<[u8; 3]>,
    background: Option<[u8; 3]>,
}

/// What a row of keys is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KeyRow {
    Typing,
    /// It may become an answer.
    Begins,
    /// Nobody types this.
    Answer,
    /// And it has come to its end.
    Whole,
}

impl LateAnswers {
    pub fn expected(late: bool) -> LateAnswers {
        LateAnswers {
            expected: if late { ASKED } else { 0 },
            held: Vec::new(),
            spelled: String::new(),
            since: Instant::now(),
            foreground: None,
            background: None,
        }
    }

    /// The terminal is asked again.
    pub fn expect(&mut self) {
        self.expected = ASKED;
    }

    /// The colours, once both were told.
    pub fn colours(&mut self) -> Option<TerminalColours> {
        let (fg, bg) = (self.foreground?, self.background?);
        (self.foreground, self.background) = (None, None);
        Some(TerminalColours { fg, bg })
    }

    /// The events to pass on now that this one came.
    pub fn filter(&mut self, event: Event, now: Instant) -> Vec<Event> {
        if self.expected == 0 {
            return vec![event];
        }
        let Event::Key(key) = &event else {
            // The mouse, the size and the focus are no part of an answer, and come between its bytes.
            return vec![event];
        };
        let before = row(&self.spelled);
        let Some(bytes) = spell(key) else {
            return self.release(before, Some(event));
        };
        self.spelled.push_str(&bytes);
        self.since = now;
        match row(&self.spelled) {
            KeyRow::Begins | KeyRow::Answer if self.spelled.len() <= LONGEST => {
                self.held.push(event);
                Vec::new()
            }
            KeyRow::Whole => {
                self.expected = self
                    .expected
                    .saturating_sub(usize::from(self.spelled.starts_with("\x1b]")));
                self.learn();
                self.forget();
                Vec::new()
            }
            KeyRow::Typing | KeyRow::Begins | KeyRow::Answer => {
                let begun = self.release(before, None);
                // This one may begin another.
                match begun.is_empty() && before == KeyRow::Typing {
                    true => vec![event],
                    false => begun.into_iter().chain(self.filter(event, now)).collect(),
                }
            }
        }
    }

    /// When what is held is passed on, unless it goes on before.
    pub fn due(&self) -> Option<Instant> {
        let patience = match row(&self.spelled) {
            KeyRow::Typing | KeyRow::Whole => return None,
            KeyRow::Begins if self.spelled == "\x1b" => ESCAPE,
            KeyRow::Begins => BEGINNING,
            KeyRow::Answer => REST,
        };
        Some(self.since + patience)
    }

    /// What was held and did not go on.
    pub fn overdue(&mut self) -> Vec<Event> {
        self.release(row(&self.spelled), None)
    }

    /// Typing is passed on; what only an answer can be is not.
    fn release(&mut self, was: KeyRow, then: Option<Event>) -> Vec<Event> {
        let mut held = match was {
            KeyRow::Typing | KeyRow::Begins => std::mem::take(&mut self.held),
            KeyRow::Answer | KeyRow::Whole => Vec::new(),
        };
        self.forget();
        held.extend(then);
        held
    }

    fn learn(&mut self) {
        let told = |number: &str| {
            self.spelled
                .strip_prefix("\x1b]")?
                .strip_prefix(number)?
                .strip_prefix(';')
        };
        match (told("10").and_then(colour), told("11").and_then(colour)) {
            (Some(fg), _) => self.foreground = Some(fg),
            (_, Some(bg)) => self.background = Some(bg),
            (None, None) => {}
        }
    }

    fn forget(&mut self) {
        self.held.clear();
        self.spelled.clear();
    }
}

/// `rgb:ffff/8080/0000`, of one to four digits each, with what ends the answer.
fn colour(text: &str) -> Option<[u8; 3]> {
    let text = text.trim_end_matches(['\x07', '\x1b', '\\']);
    let mut channels = text.strip_prefix("rgb:")?.split('/').map(|digits| {
        let most = 16_u32.checked_pow(u32::try_from(digits.len()).ok()?)?.checked_sub(1)?;
        let value = u32::from_str_radix(digits, 16).ok()?;
        u8::try_from((value * 255 + most / 2).checked_div(most)?).ok()
    });
    let three = [channels.next()??, channels.next()??, channels.next()??];
    channels.next().is_none().then_some(three)
}

/// The bytes that are read as this key; None where an answer holds no such key.
fn spell(key: &KeyEvent) -> Option<String> {
    let plain = key.modifiers.difference(KeyModifiers::SHIFT | KeyModifiers::ALT);
    let escape = if key.modifiers.contains(KeyModifiers::ALT) {
        "\x1b"
    } else {
        ""
    };
    match key.code {
        _ if key.kind != KeyEventKind::Press => None,
        KeyCode::Esc if key.modifiers.is_empty() => Some("\x1b".into()),
        KeyCode::Char('g') if key.modifiers == KeyModifiers::CONTROL => Some("\x07".into()),
        KeyCode::Char(typed) if plain.is_empty() && (typed.is_ascii_graphic() || typed == ' ') => {
            Some(format!("{escape}{typed}"))
        }
        _ => None,
    }
}

fn row(spelled: &str) -> KeyRow {
    let Some(rest) = spelled.strip_prefix('\x1b') else {
        return KeyRow::Typing;
    };
    match rest.chars().next() {
        None => KeyRow::Begins,
        // Colours: OSC 10 and 11.
        Some(']') => string(&rest[1..], &["10;rgb", "11;rgb"]),
        // The name of the terminal: XTVERSION.
        Some('P') => string(&rest[1..], &[">|"]),
        // What it can do, its keyboard, a mode, or where its cursor is.
        Some('[') => sequence(&rest[1..]),
        Some(_) => KeyRow::Typing,
    }
}

/// A string that begins in one of these ways and ends with BEL or `ESC \`.
fn string(text: &str, beginnings: &[&str]) -> KeyRow {
    if beginnings.iter().any(|beginning| text.starts_with(beginning)) {
        return match text.ends_with('\x07') || text.ends_with("\x1b\\") {
            true => KeyRow::Whole,
            false => KeyRow::Answer,
        };
    }
    match beginnings.iter().any(|beginning| beginning.starts_with(text)) {
        true => KeyRow::Begins,
        false => KeyRow::Typing,
    }
}

/// `? 62 ; 4 c`, `? 1 u`, `? 2026 ; 2 $ y` and `12 ; 5 R`. Whole ones are read as what they are before they get here; torn
/// ones are not.
fn sequence(text: &str) -> KeyRow {
    let (asked, numbers) = match text.strip_prefix('?') {
        Some(numbers) => (true, numbers),
        None => (false, text),
    };
    let rest = numbers.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
    let has_numbers = rest.len() < numbers.len();
    match (asked, rest) {
        (true, "") if has_numbers => KeyRow::Answer,
        (_, "") => KeyRow::Begins,
        (true, "$") if has_numbers => KeyRow::Answer,
        (true, "c" | "u" | "$y") if has_numbers => KeyRow::Whole,
        (false, "R") if numbers.contains(';') => KeyRow::Whole,
        (true | false, _) => KeyRow::Typing,
    }
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

    fn escape() -> Event {
        Event::Key(KeyCode::Esc.into())
    }

    fn bell() -> Event {
        key('g', KeyModifiers::CONTROL)
    }

    fn passed(answers: &mut LateAnswers, events: Vec<Event>) -> Vec<Event> {
        let now = Instant::now();
        events
            .into_iter()
            .flat_map(|event| answers.filter(event, now))
            .collect()
    }

    /// As a terminal at the other end of a line sends them; torn, the Escape comes alone.
    fn answer(torn: bool, begins: char, text: &str, end: &[Event]) -> Vec<Event> {
        let mut events = match torn {
            true => vec![escape(), key(begins, KeyModifiers::NONE)],
            false => vec![key(begins, KeyModifiers::ALT)],
        };
        events.extend(typed(text));
        events.extend_from_slice(end);
        events
    }

    #[test]
    fn an_answer_is_no_typing_however_late_and_torn_it_comes() {
        for torn in [false, true] {
            let tilted = match torn {
                true => vec![escape(), key('\\', KeyModifiers::NONE)],
                false => vec![key('\\', KeyModifiers::ALT)],
            };
            let mut answers = LateAnswers::expected(true);
            answers.since -= Duration::from_secs(3600);
            let mut events = typed("a");
            events.extend(answer(torn, ']', "10;rgb:ffff/ffff/ffff", &[bell()]));
            events.extend(typed("b"));
            events.extend(answer(torn, 'P', ">|XTerm(370) g", &tilted));
            events.extend(answer(true, '[', "?62;4c", &[]));
            events.extend(answer(true, '[', "?1u", &[]));
            events.extend(answer(true, '[', "12;5R", &[]));
            events.extend(answer(torn, ']', "11;rgb:0000/0000/0000", &tilted));
            events.extend(typed("c"));
            assert_eq!(passed(&mut answers, events), typed("abc"), "torn: {torn}");
        }
    }

    #[test]
    fn what_a_late_answer_says_counts() {
        let mut answers = LateAnswers::expected(true);
        passed(&mut answers, answer(false, ']', "10;rgb:ffff/8080/0000", &[bell()]));
        assert_eq!(answers.colours(), None, "one of two");
        let tilted = [key('\\', KeyModifiers::ALT)];
        passed(&mut answers, answer(true, ']', "11;rgb:00/7/fff", &tilted));
        let (fg, bg) = ([255, 128, 0], [0, 119, 255]);
        assert_eq!(answers.colours(), Some(TerminalColours { fg, bg }));
        assert_eq!(answers.colours(), None, "told once");
        answers.expect();
        passed(&mut answers, answer(false, ']', "11;rgb:zz/00/00", &[bell()]));
        assert_eq!(answers.background, None);
    }

    #[test]
    fn once_all_is_answered_no_key_is_held() {
        let mut answers = LateAnswers::expected(true);
        for number in ["10", "11"] {
            let text = format!("{number};rgb:00/00/00");
            passed(&mut answers, answer(false, ']', &text, &[bell()]));
        }
        assert_eq!(passed(&mut answers, vec![escape()]), [escape()]);
    }

    #[test]
    fn typing_that_only_begins_like_an_answer_is_passed_on() {
        let mut events = vec![key(']', KeyModifiers::ALT)];
        events.extend(typed("1 ]11;r"));
        events.extend([escape(), escape(), key('[', KeyModifiers::ALT)]);
        events.extend(typed("x"));
        events.push(Event::Key(KeyCode::Enter.into()));
        for late in [true, false] {
            let mut answers = LateAnswers::expected(late);
            assert_eq!(passed(&mut answers, events.clone()), events);
        }
    }

    #[test]
    fn an_escape_waits_for_a_moment_and_no_longer() {
        let mut answers = LateAnswers::expected(true);
        let now = Instant::now();
        assert_eq!(answers.filter(escape(), now), []);
        assert_eq!(answers.due(), Some(now + ESCAPE));
        assert_eq!(answers.overdue(), [escape()]);
        assert_eq!(answers.due(), None);
        assert_eq!(answers.filter(key('x', KeyModifiers::NONE), now), typed("x"));
    }

    #[test]
    fn an_answer_that_breaks_off_swallows_nothing_after_it() {
        let mut answers = LateAnswers::expected(true);
        let begun = answer(false, ']', "11;rgb:00/0", &[]);
        assert_eq!(passed(&mut answers, begun.clone()), []);
        assert_eq!(answers.overdue(), []);
        assert_eq!(passed(&mut answers, typed("yes")), typed("yes"));
        passed(&mut answers, begun);
        let enter = Event::Key(KeyCode::Enter.into());
        assert_eq!(passed(&mut answers, vec![enter.clone()]), [enter]);
    }
}
