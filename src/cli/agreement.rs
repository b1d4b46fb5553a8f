//! What a person agrees to: at a terminal by a yes, and without one by the hash of exactly the text that a refusal has shown.

use std::io::{self, BufRead, Write};
use std::thread;
use std::time::Duration;

use data_encoding::BASE32_NOPAD;
use rustix::termios::{QueueSelector, tcflush};
use sha2::{Digest, Sha256};

/// How long a question is there before it can be answered, as on the screen.
const READ: Duration = Duration::from_millis(500);

/// Of 16 bytes: whoever writes the text may look for another one of the same hash.
const BYTES: usize = 16;

/// Asks at the terminal. No is what anything but a clear yes means.
pub fn is_asked(question: &str) -> io::Result<bool> {
    let mut stderr = io::stderr();
    write!(stderr, "{question} [y/N] ")?;
    stderr.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// Shows what is asked about, and asks once it could be read: what was typed before is no answer.
pub fn is_asked_afresh(shown: &str, question: &str) -> io::Result<bool> {
    write!(io::stderr(), "{shown}")?;
    thread::sleep(READ);
    tcflush(io::stdin(), QueueSelector::IFlush)?;
    is_asked(question)
}

/// The word that stands for this text, of that place.
pub fn word(place: &str, definition: &str) -> String {
    let digest = Sha256::digest(format!("{place}\0{definition}"));
    BASE32_NOPAD.encode(&digest[..BYTES]).to_lowercase()
}

/// Whether `--yes` names it; alone it names nothing.
pub fn is_given(yes: Option<&str>, word: &str) -> bool {
    yes == Some(word)
}

/// What is to be done after a refusal that showed the text.
pub fn hint(yes: Option<&str>, word: &str) -> String {
    let before = match yes {
        Some(yes) if !yes.is_empty() => "it is not what your `--yes` was for; ",
        Some(_) | None => "",
    };
    format!("{before}say `--yes={word}` to agree to exactly that")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_for_one_text_of_one_place() {
        let all = [word("grove", "a"), word("grove", "b"), word("ledger", "a")];
        assert_eq!(all[0], word("grove", "a"));
        assert!(all[0] != all[1] && all[0] != all[2] && all[0].len() == 26);
        assert!(is_given(Some(&all[0]), &all[0]));
        assert!(!is_given(Some(""), &all[0]) && !is_given(None, &all[0]) && !is_given(Some(&all[1]), &all[0]));
        assert!(hint(Some(&all[1]), &all[0]).starts_with("it is not what"));
    }
}
