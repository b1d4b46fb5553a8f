//! What stays the same of a text on its way through a paste, a composer, a screen and a CLI's transcript.
//!
//! Each of them may drop what has no width, write an accent and its letter as one sign or as two, and draw signs of some
//! scripts over each other. So texts are compared by their letters.

use icu_normalizer::DecomposingNormalizerBorrowed;
use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;

/// A composer shows no more than the end of a long text: so many signs of it are enough.
const CLIPPED: usize = 200;

/// The text without blanks, without controls and signs that only tell how others are drawn, and without the marks on its
/// letters.
pub(super) fn bare(text: &str) -> String {
    let categories = CodePointMapData::<GeneralCategory>::new();
    let is_lost = |c: &char| {
        c.is_whitespace()
            || matches!(
                categories.get(*c),
                GeneralCategory::Control
                    | GeneralCategory::Format
                    | GeneralCategory::NonspacingMark
                    | GeneralCategory::SpacingMark
                    | GeneralCategory::EnclosingMark
            )
    };
    let decomposed = DecomposingNormalizerBorrowed::new_nfd().normalize(text);
    decomposed.chars().filter(|c| !is_lost(c)).collect()
}

/// What a terminal shows of a text in any case: signs may be drawn as others.
pub(super) fn visible_signs(text: &str) -> String {
    let stays = |c: &char| c.is_alphanumeric() || c.is_ascii_graphic();
    bare(text).chars().filter(stays).collect()
}

/// Whether a composer that shows these signs may hold just this text, or the end of it where it is long.
pub(super) fn is_drawn(shown: &str, text: &str) -> bool {
    let (shown, text) = (visible_signs(shown), visible_signs(text));
    if shown.is_empty() || text.is_empty() {
        return shown == text;
    }
    let mut left = shown.chars().rev().peekable();
    for sign in text.chars().rev() {
        if left.peek().is_none() && shown.chars().count() >= CLIPPED {
            return true;
        }
        if left.next_if_eq(&sign).is_none() && !may_be_drawn_over(sign) {
            return false;
        }
    }
    left.next().is_none()
}

/// Whether nothing else shows than signs of this text, in their order.
pub(super) fn is_part(shown: &str, text: &str) -> bool {
    let (shown, text) = (visible_signs(shown), visible_signs(text));
    let mut signs = text.chars();
    shown.chars().all(|sign| signs.any(|other| other == sign))
}

/// Letters of the scripts of India and South-East Asia join to signs whose width each program counts its own way: where
/// the CLI and the terminal differ, a letter is drawn over.
fn may_be_drawn_over(sign: char) -> bool {
    matches!(
        sign,
        '\u{900}'..='\u{109f}' | '\u{1700}'..='\u{17ff}' | '\u{1900}'..='\u{1cff}' | '\u{a800}'..='\u{abff}' | '\u{11000}'..='\u{11fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_the_same_with_its_accents_composed_or_not_and_without_what_has_no_width() {
        for (one, other) in [
            ("comb e\u{301} end", "comb é end"),
            ("bidi \u{202e}rev\u{202c} \u{2067}end\u{2069}", "bidi rev end"),
            ("soft\u{ad}hyphen\u{200d}", "softhyphen"),
            ("\u{1112}\u{1161}\u{11ab}", "한"),
            ("हिन्दी", "हनद"),
        ] {
            assert_eq!(bare(one), bare(other));
        }
        assert_ne!(bare("fix it"), bare("fix at"));
    }

    #[test]
    fn a_composer_may_draw_some_scripts_short_and_holds_nothing_else() {
        let table = [
            ("comb é end", "comb e\u{301} end", true),
            ("हिन् ก้ำ ภาษ", "हिन्दी ก้ำ ภาษา", true),
            ("हिन्दी में", "हिन्दी में", true),
            ("xहिन्दी", "हिन्दी", false),
            ("हिन्दी fix", "हिन्दी", false),
            ("…", "हिन्दी", false),
            ("fix i", "fix it", false),
            ("fix it now", "fix it", false),
        ];
        for (shown, text, expected) in table {
            assert_eq!(is_drawn(shown, text), expected, "{shown} for {text}");
        }
        let long = "word ".repeat(100);
        assert!(is_drawn(&long[200..], &long) && !is_drawn(&long[400..], &long));
    }
}
