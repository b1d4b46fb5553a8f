//! Programs that run what they are given as a program: by name, in their input, or in what another one puts out.

use super::program;
use super::word::ShellWord;

/// Where a command finds what it is fed.
const INPUT: [&str; 4] = ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];

pub(super) fn fetches(words: &[ShellWord]) -> bool {
    ["curl", "wget", "fetch", "http", "https", "xh", "aria2c"].contains(&program::of(words))
}

pub(super) fn is_interpreter(words: &[ShellWord]) -> bool {
    let name = program::of(words).trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    program::is_shell(words)
        || [
            "python",
            "perl",
            "ruby",
            "node",
            "php",
            "deno",
            "bun",
            "lua",
            "osascript",
        ]
        .contains(&name)
}

/// A shell reads the file it names itself.
fn sources(words: &[ShellWord]) -> bool {
    ["source", "."].contains(&program::of(words))
}

/// Whether a command runs what it is fed as a document.
pub(super) fn reads_script(words: &[ShellWord]) -> bool {
    program::is_shell(words) || sources(words)
}

/// An interpreter that is given no program but its input.
pub(super) fn runs_input(words: &[ShellWord]) -> bool {
    let reads = |word: &ShellWord| INPUT.contains(&word.text.as_str()) || word.text == "-s";
    let Some(arguments) = words.get(1..) else {
        return false;
    };
    if program::is_shell(words) {
        let named = || arguments.iter().any(|word| names_program(word, &['c']));
        let file = program::operands(arguments, SHELL_VALUED).iter();
        let has_file = || file.clone().any(|word| !word.text.starts_with('+'));
        return arguments.iter().any(reads) || (!named() && !has_file());
    }
    if sources(words) {
        return arguments.first().is_some_and(reads);
    }
    let is_told = |word: &ShellWord| word.text.starts_with('-') && !names_program(word, &['c', 'm', 'e']);
    is_interpreter(words) && (arguments.iter().any(reads) || arguments.iter().all(is_told))
}

/// Options of shells whose value is the next word.
const SHELL_VALUED: &[&str] = &["-o", "-O", "+o", "+O", "--rcfile", "--init-file"];

/// `-c`, `-m` and `-e` say what to run, and so does `--version`.
fn names_program(word: &ShellWord, letters: &[char]) -> bool {
    let short = word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains(letters);
    short || ["--eval", "--version", "--help", "--command"].contains(&word.text.as_str())
}

/// Something that runs its arguments, or the file they name, as a program.
pub(super) fn runs_arguments(words: &[ShellWord]) -> bool {
    is_interpreter(words) || sources(words) || program::of(words) == "eval"
}

/// Whether the file that is run as a program is what another command puts out: `bash <(make)`.
pub(super) fn runs_output(words: &[ShellWord]) -> bool {
    let Some(arguments) = words.get(1..).filter(|_| is_interpreter(words) || sources(words)) else {
        return false;
    };
    let named = arguments.iter().any(|word| names_program(word, &['c']));
    let file = program::operands(arguments, SHELL_VALUED).first();
    let puts_out = |word: &ShellWord| word.text.starts_with("<(");
    let begins =
        |pair: &[ShellWord]| ["--rcfile", "--init-file"].contains(&pair[0].text.as_str()) && puts_out(&pair[1]);
    (!named && file.is_some_and(puts_out)) || arguments.windows(2).any(begins)
}
