//! The buttons of whatever asks for a yes or a no: they are pressed in the same ways everywhere.

use super::focus::Stop;
use super::tables::QuestionKey;

/// A button, and what stands on it.
pub type Button = (Stop, &'static str);

/// What a key does to a row of buttons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pressed {
    Chosen(Stop),
    Moved,
    /// It is no key of theirs.
    Other,
}

/// Yes and No choose, Enter chooses what the focus is on, arrows and Tab move the focus.
pub fn press(at: &mut Stop, buttons: &[Button], key: Option<QuestionKey>) -> Pressed {
    let has = |wanted| buttons.iter().any(|(stop, _)| *stop == wanted);
    match key {
        Some(QuestionKey::Yes) if has(Stop::Yes) => Pressed::Chosen(Stop::Yes),
        Some(QuestionKey::No) if has(Stop::No) => Pressed::Chosen(Stop::No),
        Some(QuestionKey::Answer) if has(*at) => Pressed::Chosen(*at),
        Some(QuestionKey::Focus(key)) => step(at, buttons, isize::from(key.by())),
        Some(QuestionKey::Yes | QuestionKey::No | QuestionKey::Answer | QuestionKey::Close | QuestionKey::Move(_))
        | None => Pressed::Other,
    }
}

/// Moves the focus, round and round.
pub fn step(at: &mut Stop, buttons: &[Button], by: isize) -> Pressed {
    let place = buttons.iter().position(|(stop, _)| stop == at);
    let count = buttons.len();
    let next = match place {
        Some(place) => (place + count).saturating_add_signed(by) % count.max(1),
        None => 0,
    };
    match buttons.get(next) {
        Some((stop, _)) => {
            *at = *stop;
            Pressed::Moved
        }
        None => Pressed::Other,
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    use super::super::tables::QUESTION;
    use super::*;

    const ROW: [Button; 2] = [(Stop::No, "Keep"), (Stop::Yes, "Delete")];

    fn after(at: Stop, code: KeyCode) -> (Stop, Pressed) {
        let mut at = at;
        let pressed = press(&mut at, &ROW, QUESTION.command(KeyEvent::new(code, KeyModifiers::NONE)));
        (at, pressed)
    }

    #[test]
    fn letters_choose_and_arrows_move() {
        assert_eq!(after(Stop::No, KeyCode::Char('y')).1, Pressed::Chosen(Stop::Yes));
        assert_eq!(after(Stop::Yes, KeyCode::Char('n')).1, Pressed::Chosen(Stop::No));
        assert_eq!(after(Stop::No, KeyCode::Enter).1, Pressed::Chosen(Stop::No));
        assert_eq!(after(Stop::No, KeyCode::Right), (Stop::Yes, Pressed::Moved));
        assert_eq!(after(Stop::Yes, KeyCode::Tab), (Stop::No, Pressed::Moved));
        assert_eq!(after(Stop::No, KeyCode::Left), (Stop::Yes, Pressed::Moved));
        assert_eq!(after(Stop::No, KeyCode::Char('x')), (Stop::No, Pressed::Other));
    }
}
