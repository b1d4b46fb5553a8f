//! What a word is to the index: letters and digits that stand together, in small letters. Where a script has no blanks between
//! words, each sign is one.

use std::ops::Range;

/// Longer ones are no words of any language, and cannot be looked for.
const LONGEST: usize = 128;

/// Each word with its place in the text.
pub fn each(text: &str, mut take: impl FnMut(Range<usize>, &str)) {
    let mut word = String::new();
    let mut start = 0;
    let mut end = |word: &mut String, range: Range<usize>| {
        if !word.is_empty() && word.len() <= LONGEST {
            take(range, word);
        }
        word.clear();
    };
    for (at, c) in text.char_indices() {
        if c.is_ascii_alphanumeric() {
            if word.is_empty() {
                start = at;
            }
            word.push(c.to_ascii_lowercase());
        } else if c.is_ascii() || !c.is_alphanumeric() {
            end(&mut word, start..at);
        } else if is_word_alone(c) {
            end(&mut word, start..at);
            word.push(c);
            end(&mut word, at..at + c.len_utf8());
        } else {
            if word.is_empty() {
                start = at;
            }
            word.extend(c.to_lowercase());
        }
    }
    end(&mut word, start..text.len());
}

/// The same, with a blank between each two, behind what is there.
pub fn append(text: &str, to: &mut String) {
    let blank = |to: &mut String| {
        if !to.is_empty() {
            to.push(' ');
        }
    };
    // No word goes on in the next line, and most lines are ASCII, which needs no look at each sign.
    for line in text.split('\n') {
        if !line.is_ascii() {
            each(line, |_, word| {
                blank(to);
                to.push_str(word);
            });
            continue;
        }
        let from = to.len();
        for word in line.split(|c: char| !c.is_ascii_alphanumeric()) {
            if !word.is_empty() && word.len() <= LONGEST {
                blank(to);
                to.push_str(word);
            }
        }
        to[from..].make_ascii_lowercase();
    }
}

pub fn of(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    each(text, |_, word| all.push(word.to_string()));
    all
}

/// Han, Hiragana, Katakana, Thai and the like.
fn is_word_alone(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{2e80}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_letters_and_digits_in_small_letters() {
        let cases = [
            ("fn open_dir(&self)", "fn open dir self"),
            ("src/Main.rs:12", "src main rs 12"),
            ("Größe ÉTÉ Ωmega", "größe été ωmega"),
            ("修复 登录", "修 复 登 录"),
            ("fix修b", "fix 修 b"),
            ("  \u{202e}\u{1b}[31m", "31m"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(of(text).join(" "), expected, "{text:?}");
        }
        assert!(of(&"x".repeat(129)).is_empty());
    }

    #[test]
    fn places_are_those_of_the_text() {
        let text = "Ä b修-cd";
        let mut places = Vec::new();
        each(text, |range, _| places.push(&text[range]));
        assert_eq!(places, ["Ä", "b", "修", "cd"]);
    }

    #[test]
    fn appended_words_are_those_that_each_finds() {
        let long = "a".repeat(LONGEST + 1);
        let texts = [
            "Fn open_dir(&self)\nGröße ÉTÉ\r\n\n修复 Fix修B\n tail",
            "",
            "\n",
            "-",
            "one",
            &long,
            &format!("é{long}\nOK"),
        ];
        let mut all = String::from("before");
        let mut expected = vec!["before".to_string()];
        for text in texts {
            append(text, &mut all);
            expected.extend(of(text));
        }
        assert_eq!(all, expected.join(" "));
    }
}
