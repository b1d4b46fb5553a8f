//! Text that is piped into a verb: a prompt is its words, and what standard input has behind them.
//!
//! A script may run a verb with a pipe that nobody writes to or closes. Where that text is not asked for by `-`, it is
//! waited for only until the first of it should have come.

use std::io::{self, IsTerminal, Read};
use std::os::fd::AsFd;
use std::time::Duration;

use anyhow::{Context, bail};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{FileType, SeekFrom, fstat, seek};
use rustix::time::Timespec;

use super::output;

/// Far above the longest prompt that is taken, so that the engine can say how long it was.
const LONGEST_INPUT: u64 = 8 << 20;

/// How long a pipe has for its first byte: a program that is found and started on a busy machine writes within that.
const FIRST_BYTE: Duration = Duration::from_secs(5);

/// How long a program that has something to say may take to say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PipeWait {
    /// As long as it takes.
    ToItsEnd,
    /// Without a first byte in good time, the words go alone, and that is told.
    ForItsBeginning,
}

/// The words, and what standard input has where it is a pipe or a file. `-` stands for that alone.
pub fn behind(words: &str, wait: PipeWait) -> anyhow::Result<String> {
    if words == "-" {
        return from_stdin("-".into());
    }
    let piped = match is_fed(wait) {
        true => from_stdin("-".into())?,
        false => String::new(),
    };
    Ok(joined(words, &piped))
}

/// `-` is standard input without its last line ends, as the shell's `$(…)` has it.
pub fn from_stdin(given: String) -> anyhow::Result<String> {
    if given != "-" {
        return Ok(given);
    }
    let mut bytes = Vec::new();
    let mut stdin = io::stdin().lock().take(LONGEST_INPUT + 1);
    stdin.read_to_end(&mut bytes).context("reading standard input")?;
    if bytes.len() as u64 > LONGEST_INPUT {
        bail!("reading standard input: it is longer than 8 MB; name a file in your prompt instead");
    }
    let mut read = String::from_utf8(bytes).context("reading standard input")?;
    read.truncate(read.trim_end_matches(['\n', '\r']).len());
    Ok(read)
}

/// A pipe or a file. Of anything else nobody knows whether it ever ends.
fn is_fed(wait: PipeWait) -> bool {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        return false;
    }
    let Ok(stat) = fstat(stdin.as_fd()) else {
        return false;
    };
    match (FileType::from_raw_mode(stat.st_mode), wait) {
        (FileType::RegularFile | FileType::Fifo, PipeWait::ToItsEnd) => true,
        // What a loop of the shell reads line by line (`while read …; done < FILE`) is that loop's.
        (FileType::RegularFile, PipeWait::ForItsBeginning) => {
            seek(stdin.as_fd(), SeekFrom::Current(0)).is_ok_and(|at| at == 0)
        }
        (FileType::Fifo, PipeWait::ForItsBeginning) => {
            let began = begins(&stdin);
            if !began {
                let seconds = FIRST_BYTE.as_secs();
                output::tell(&format!(
                    "nothing was piped in within {seconds} s, so the words go alone; `< /dev/null` spares the wait, and \
                     `-` in place of the words waits for as long as it takes"
                ));
            }
            began
        }
        _ => false,
    }
}

/// Whether something or the end comes in good time.
fn begins(stdin: &io::Stdin) -> bool {
    let wait = Timespec::try_from(FIRST_BYTE).ok();
    poll(&mut [PollFd::new(stdin, PollFlags::IN)], wait.as_ref()).is_ok_and(|ready| ready > 0)
}

fn joined(words: &str, piped: &str) -> String {
    match (words.trim().is_empty(), piped.trim().is_empty()) {
        (_, true) => words.to_owned(),
        (true, false) => piped.to_owned(),
        (false, false) => format!("{words}\n\n{piped}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_piped_in_stands_behind_the_words() {
        assert_eq!(joined("review this", "+ a\n- b"), "review this\n\n+ a\n- b");
        assert_eq!(joined("", "+ a"), "+ a");
        assert_eq!(joined("hello", " \n"), "hello");
    }
}
