//! A prompt as it goes into a composer, which takes some beginnings and ends for something else than text.

/// What a composer takes for a command of the CLI, or of a shell, when a text begins with it.
const COMMANDS: [char; 3] = ['/', '!', '#'];

/// Prompts of one word that end a CLI.
const LEAVING: [&str; 7] = ["exit", "quit", "logout", ":q", ":q!", ":wq", ":x"];

/// Makes text of what begins like a command, where blanks before it do not.
const SPOKEN: &str = "Prompt: ";

/// `drops_blanks`: the CLI leaves out what is blank before a text.
pub fn composed(text: &str, drops_blanks: bool) -> String {
    let word = text.trim().to_ascii_lowercase();
    let before = match (text.starts_with(COMMANDS), LEAVING.contains(&word.as_str())) {
        (_, true) => SPOKEN,
        (true, _) if drops_blanks && !text.starts_with('#') => SPOKEN,
        (true, _) => " ",
        (false, false) => "",
    };
    let last = text.split(char::is_whitespace).next_back().unwrap_or_default();
    // Enter would take what a list offers for the name, and a backslash makes it a new line.
    let after = match last.starts_with(['@', '$']) || last.ends_with('\\') {
        true => " ",
        false => "",
    };
    format!("{before}{text}{after}")
}

/// Whether the CLI, which may drop blanks and control characters, says that it has this prompt; both are bare.
pub fn is_said(prompt: &str, said: &str) -> bool {
    said == prompt || said.strip_prefix(SPOKEN.trim_end()) == Some(prompt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_composer_would_not_take_for_text_is_made_text() {
        for (text, typed) in [
            ("fix it", "fix it"),
            ("/clear the cache", " /clear the cache"),
            ("!ls", " !ls"),
            (" Exit\n", "Prompt:  Exit\n"),
            ("exit the loop early", "exit the loop early"),
            ("look at @AG", "look at @AG "),
            ("look at @AG first", "look at @AG first"),
            ("in C:\\dir\\", "in C:\\dir\\ "),
        ] {
            assert_eq!(composed(text, false), typed);
        }
        assert_eq!(composed("/clear the cache", true), "Prompt: /clear the cache");
        assert!(is_said("/clearthecache", "Prompt:/clearthecache") && !is_said("clear", "/clear"));
    }
}
