//! What a shell's terminal tells of its commands beside who has it.

use crate::model::Timestamp;

/// Names of a command line that was seen between two of its programs.
const SHELLS: [&str; 6] = ["bash", "zsh", "fish", "sh", "dash", "ksh"];

/// So soon is over what runs in no program for long.
const QUICK_MS: u64 = 1_000;

/// A command that lasted no longer took no time.
const INSTANT_MS: u64 = 500;

/// What shells call the code of a command that Ctrl+Z stopped: 128 and the number of the signal, on Linux and on macOS.
const STOPPED: [i32; 2] = [148, 146];

#[derive(Default)]
pub struct ShellCommands {
    /// Since when a shell that worked is at its prompt, until that counts.
    pub rests_since: Option<Timestamp>,
    /// With which code the command line ended last, and when, by the shell's own mark; `None` since one is at work, or where
    /// the shell sends none.
    pub code: Option<(i32, Timestamp)>,
    /// Another command line ended behind that of the program that was seen: the code is not the program's.
    pub is_passed: bool,
    /// A command line runs, by the shell's own mark; of some shells that is never heard.
    pub line: bool,
    /// A command line ran: the first mark stands before the first prompt.
    pub is_used: bool,
    /// How the last one ended that was seen at work, in words.
    pub said: Option<String>,
    /// What was seen to end before its mark came: its output is still being read.
    pub unmarked: Option<(String, Timestamp)>,
    /// A person entered something since the prompt, and the shell has begun no command: it wants more of the line, as
    /// behind an open quote.
    pub is_open: bool,
    /// A person pressed a key since its prompt was drawn.
    pub is_touched: bool,
    /// How its prompt ends while nothing stands at it.
    pub prompt: Option<String>,
    /// What was at work in it when it was told to stop.
    pub cut_off: Option<String>,
    /// It marks its ends as parlour's shell: other marks are of shells within it, as on another machine.
    pub is_marked: bool,
}

impl ShellCommands {
    /// A command is at work.
    pub fn began(&mut self) {
        (self.code, self.is_used, self.unmarked, self.is_open) = (None, true, None, false);
        self.is_passed = false;
    }

    /// Another program is at work, before the shell was seen at rest. In a line of its own it ends with another code.
    pub fn goes_on(&mut self) {
        if self.line {
            (self.code, self.is_passed) = (None, false);
        }
    }

    /// A command line begins, by the shell's mark.
    pub fn begins_line(&mut self) {
        (self.line, self.is_open) = (true, false);
    }

    /// A person pressed Enter behind something they typed at its prompt. Of a shell without marks nothing is known.
    pub fn entered(&mut self) {
        self.is_open = self.is_marked;
    }

    /// Whether a mark counts.
    pub fn hears(&mut self, is_ours: bool) -> bool {
        self.is_marked |= is_ours;
        is_ours || !self.is_marked
    }

    /// The mark that comes now is the end of a line, not of a prompt that is only drawn again.
    pub fn ends_line(&self) -> bool {
        self.line || self.is_open
    }

    /// The shell's mark. Of a command line that was too quick to be seen at work only the code is known: that is told where
    /// what was told before would be taken for its own.
    pub fn marked(&mut self, code: i32, now: Timestamp, is_idle: bool) -> Option<String> {
        let before = self.code.replace((code, now));
        let had_line = std::mem::take(&mut self.line);
        (self.is_open, self.is_touched) = (false, false);
        let is_said = self.said.as_ref().is_some_and(|said| *said == last_command(code));
        self.is_used |= before.is_some() || had_line;
        self.is_passed |= before.is_some_and(|(before, _)| had_line || before != code);
        if let Some((name, began)) = self.unmarked.take() {
            return Some(self.ended(&name, began)).filter(|_| is_idle);
        }
        let is_news = is_idle && (had_line && !is_said || before.is_some_and(|(before, _)| before != code));
        let said = is_news.then(|| last_command(code));
        self.said = said.clone().or(self.said.take());
        said
    }

    /// The command that was at work since then has ended: how, in words. The code is that of the whole command line, and
    /// another program may have ended it than the one that was seen.
    pub fn ended(&mut self, name: &str, began: Timestamp) -> String {
        let said = match self.code {
            Some((code, _)) if self.is_passed => last_command(code),
            // The shell itself, about to become one program after the other.
            Some((code, at)) if SHELLS.contains(&name) && at.ms_since(began) < QUICK_MS => last_command(code),
            Some((code, _)) if STOPPED.contains(&code) => format!("stopped · {name}"),
            // In no time.
            Some((code, at)) if at.ms_since(began) < INSTANT_MS => format!("exit {code} · {name}"),
            Some((code, at)) => format!("exit {code} · {name} · {}", lasted(at.ms_since(began))),
            None => {
                self.unmarked = self.is_marked.then(|| (name.to_owned(), began));
                format!("{name} ended")
            }
        };
        self.said = Some(said.clone());
        said
    }
}

/// What is told of a program that ended with its shell: as the store tells it of one that ended with its engine.
pub fn cut_off(name: &str) -> String {
    format!("{name} was cut off by the end of the shell")
}

fn last_command(code: i32) -> String {
    match STOPPED.contains(&code) {
        true => "a command is stopped".into(),
        false => format!("last command exit {code}"),
    }
}

fn lasted(ms: u64) -> String {
    let seconds = ((ms + 500) / 1_000).max(1);
    match (seconds / 3_600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_told_with_its_code_where_the_shell_tells_it() {
        let mut shell = ShellCommands::default();
        assert_eq!(shell.ended("tests.py", Timestamp(0)), "tests.py ended");
        for (ms, said) in [
            (900, "1 s"),
            (12_000, "12 s"),
            (125_000, "2 min 5 s"),
            (7_260_000, "2 h 1 min"),
        ] {
            shell.code = Some((1, Timestamp(0).plus_ms(ms)));
            assert_eq!(
                shell.ended("tests.py", Timestamp(0)),
                format!("exit 1 · tests.py · {said}")
            );
        }
        shell.code = Some((1, Timestamp(499)));
        assert_eq!(shell.ended("date", Timestamp(0)), "exit 1 · date");
        shell.code = Some((148, Timestamp(900)));
        assert_eq!(shell.ended("vim", Timestamp(0)), "stopped · vim");
        shell.code = Some((0, Timestamp(900)));
        assert_eq!(shell.ended("bash", Timestamp(0)), "last command exit 0");
        shell.code = Some((0, Timestamp(9_000)));
        assert_eq!(shell.ended("bash", Timestamp(0)), "exit 0 · bash · 9 s");
        shell.began();
        assert_eq!(shell.ended("top", Timestamp(0)), "top ended");
    }

    #[test]
    fn a_mark_that_comes_behind_much_output_tells_the_code_after_all() {
        let mut shell = ShellCommands::default();
        assert!(shell.hears(true));
        shell.began();
        assert_eq!(shell.ended("bash", Timestamp(0)), "bash ended");
        let said = Some("exit 130 · bash · 2 s".to_string());
        assert_eq!(shell.marked(130, Timestamp(2_000), true), said);
        assert_eq!(shell.said, said);
    }

    #[test]
    fn marks_of_shells_within_one_that_marks_its_own_count_for_nothing() {
        let mut fish = ShellCommands::default();
        assert!(fish.hears(false) && fish.hears(false));
        let mut bash = ShellCommands::default();
        assert!(bash.hears(true));
        assert!(!bash.hears(false), "it came over ssh");
        assert!(bash.hears(true));
    }

    #[test]
    fn a_command_too_quick_to_be_seen_is_told_by_another_code_alone() {
        let mut shell = ShellCommands::default();
        let mut marked = |code, is_idle| shell.marked(code, Timestamp(0), is_idle);
        // The first prompt, a command, an empty line, another command; one that was seen is told by its end.
        assert_eq!(marked(0, true), None);
        assert_eq!(marked(1, true).as_deref(), Some("last command exit 1"));
        assert_eq!(marked(1, true), None);
        assert_eq!(marked(0, true).as_deref(), Some("last command exit 0"));
        assert_eq!(marked(3, false), None);
        assert_eq!(shell.said.as_deref(), Some("last command exit 0"));
    }

    #[test]
    fn a_program_is_not_named_with_the_code_of_a_line_behind_it() {
        let mut shell = ShellCommands::default();
        assert!(shell.hears(true));
        shell.begins_line();
        shell.began();
        assert_eq!(shell.marked(0, Timestamp(100), false), None);
        // An empty line ends as the one before it.
        assert_eq!(shell.marked(0, Timestamp(150), false), None);
        shell.begins_line();
        assert_eq!(shell.marked(127, Timestamp(200), false), None);
        assert_eq!(shell.ended("clear", Timestamp(0)), "last command exit 127");
        // A program that is seen in the last line has its code.
        shell.begins_line();
        shell.began();
        assert_eq!(shell.marked(0, Timestamp(300), false), None);
        shell.begins_line();
        shell.goes_on();
        assert_eq!(shell.marked(2, Timestamp(2_300), false), None);
        assert_eq!(shell.ended("ls", Timestamp(300)), "exit 2 · ls · 2 s");
    }

    #[test]
    fn the_first_command_of_a_shell_that_marks_beginnings_is_told_whatever_its_code() {
        let mut shell = ShellCommands::default();
        assert_eq!(shell.marked(0, Timestamp(0), true), None, "the first prompt");
        assert_eq!(shell.marked(0, Timestamp(0), true), None, "an empty line");
        shell.begins_line();
        assert_eq!(
            shell.marked(0, Timestamp(0), true).as_deref(),
            Some("last command exit 0")
        );
        shell.begins_line();
        assert_eq!(shell.marked(0, Timestamp(0), true), None, "it says that already");
        // A program that was seen is no name for the line after it.
        shell.begins_line();
        shell.began();
        assert_eq!(shell.marked(0, Timestamp(3_100), false), None);
        assert_eq!(shell.ended("sleep", Timestamp(0)), "exit 0 · sleep · 3 s");
        shell.begins_line();
        let said = shell.marked(0, Timestamp(5_000), true);
        assert_eq!(said.as_deref(), Some("last command exit 0"));
    }
}
