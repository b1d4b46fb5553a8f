//! Letters that somebody types to choose by.

use crate::model::Timestamp;

/// Letters that are typed within this time of each other are one word.
const PAUSE_MS: u64 = 1_000;

/// What somebody types to choose by.
#[derive(Default)]
pub(super) struct TypedLetters {
    /// In small letters.
    word: String,
    last: Timestamp,
}

impl TypedLetters {
    /// With what a value begins that is meant by one more letter: those typed before it without a pause count, and one that
    /// is typed again and again stands for itself.
    pub fn press(&mut self, letter: char, now: Timestamp) -> String {
        if now.ms_since(self.last) > PAUSE_MS {
            self.word.clear();
        }
        self.word.extend(letter.to_lowercase());
        self.last = now;
        match self.word.chars().all(|typed| self.word.starts_with(typed)) {
            true => letter.to_lowercase().collect(),
            false => self.word.clone(),
        }
    }

    /// Nothing begins with all of them: this one begins another word.
    pub fn begin(&mut self, letter: char) {
        self.word = letter.to_lowercase().collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_without_a_pause_are_one_word() {
        let mut typed = TypedLetters::default();
        let now = Timestamp(5_000);
        assert_eq!(typed.press('C', now), "c");
        assert_eq!(typed.press('o', now.plus_ms(PAUSE_MS)), "co");
        assert_eq!(typed.press('d', now.plus_ms(3 * PAUSE_MS)), "d", "it begins again");
        assert_eq!(typed.press('d', now.plus_ms(3 * PAUSE_MS)), "d", "the next one");
        typed.begin('E');
        assert_eq!(typed.press('m', now.plus_ms(3 * PAUSE_MS)), "em");
    }
}
