//! Variables by which programs are told what to run: their values are commands too.

use super::program;
use super::redirect::QUIET;
use super::word::ShellWord;

/// What is done with the value of a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Runs {
    /// A shell reads it as a command line, or it names a program.
    Line,
    /// The same, and people fill it from elsewhere: `CC=$(which clang)`.
    Names,
    /// A shell puts it in quotes and runs what is in `$(…)`.
    Quoted,
    /// It leads to what is run, or says so in a way of its own.
    Loads,
}

const VARIABLES: [(&str, Runs); 55] = [
    ("BASH_ENV", Runs::Loads),
    ("BAT_PAGER", Runs::Line),
    ("BROWSER", Runs::Line),
    ("CARGO_BUILD_RUSTC_WRAPPER", Runs::Line),
    ("CC", Runs::Names),
    ("CVS_RSH", Runs::Line),
    ("CXX", Runs::Names),
    ("DYLD_INSERT_LIBRARIES", Runs::Loads),
    ("EDITOR", Runs::Line),
    ("FCEDIT", Runs::Line),
    ("GH_BROWSER", Runs::Line),
    ("GH_EDITOR", Runs::Line),
    ("GH_PAGER", Runs::Line),
    ("GIT_ASKPASS", Runs::Line),
    ("GIT_CONFIG", Runs::Loads),
    ("GIT_CONFIG_COUNT", Runs::Loads),
    ("GIT_CONFIG_GLOBAL", Runs::Loads),
    ("GIT_CONFIG_PARAMETERS", Runs::Loads),
    ("GIT_CONFIG_SYSTEM", Runs::Loads),
    ("GIT_EDITOR", Runs::Line),
    ("GIT_EXEC_PATH", Runs::Loads),
    ("GIT_EXTERNAL_DIFF", Runs::Line),
    ("GIT_PAGER", Runs::Line),
    ("GIT_PROXY_COMMAND", Runs::Line),
    ("GIT_SEQUENCE_EDITOR", Runs::Line),
    ("GIT_SSH", Runs::Line),
    ("GIT_SSH_COMMAND", Runs::Line),
    ("GIT_TEMPLATE_DIR", Runs::Loads),
    ("HGEDITOR", Runs::Line),
    ("LD_AUDIT", Runs::Loads),
    ("LD_PRELOAD", Runs::Loads),
    ("LESSCLOSE", Runs::Loads),
    ("LESSOPEN", Runs::Loads),
    ("MANPAGER", Runs::Line),
    ("PAGER", Runs::Line),
    ("PERL5DB", Runs::Loads),
    ("PROMPT_COMMAND", Runs::Line),
    ("PS0", Runs::Quoted),
    ("PS1", Runs::Quoted),
    ("PS2", Runs::Quoted),
    ("PS4", Runs::Quoted),
    ("PYTHONSTARTUP", Runs::Loads),
    ("RSYNC_RSH", Runs::Line),
    ("RUSTC_WORKSPACE_WRAPPER", Runs::Line),
    ("RUSTC_WRAPPER", Runs::Line),
    ("SSH_ASKPASS", Runs::Line),
    ("SUDO_ASKPASS", Runs::Line),
    ("SUDO_EDITOR", Runs::Line),
    ("SVN_EDITOR", Runs::Line),
    ("SVN_SSH", Runs::Line),
    ("SYSTEMD_EDITOR", Runs::Line),
    ("SYSTEMD_PAGER", Runs::Line),
    ("VISUAL", Runs::Line),
    ("XINITRC", Runs::Loads),
    ("ZDOTDIR", Runs::Loads),
];

/// Programs that set variables by their arguments.
const SETTERS: [&str; 9] = [
    "env",
    "sudo",
    "doas",
    "export",
    "declare",
    "typeset",
    "readonly",
    "local",
    "systemd-run",
];

fn runs(name: &str) -> Option<Runs> {
    let is = |(known, _): &&(&str, Runs)| *known == name;
    VARIABLES.iter().find(is).map(|(_, runs)| *runs)
}

/// The command line that is in `NAME=value`, and whether all of it is known.
pub(super) fn line(word: &ShellWord) -> Option<(String, bool)> {
    let (name, value) = word.text.split_once('=')?;
    let text = match runs(name.trim_end_matches('+'))? {
        Runs::Line => value.to_string(),
        Runs::Names if word.known || !is_filled(value) => value.to_string(),
        Runs::Quoted => format!(": \"{value}\""),
        Runs::Names | Runs::Loads => return None,
    };
    Some((text, word.known || runs(name) == Some(Runs::Quoted)))
}

/// Whether a value is what one variable holds, or what one command puts out, which is judged where it stands.
fn is_filled(value: &str) -> bool {
    match value.strip_prefix("$(").and_then(|rest| rest.strip_suffix(')')) {
        Some(command) => !command.contains(['(', ')']),
        None => {
            value.starts_with('$')
                && value
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "$_{}/.-".contains(c))
        }
    }
}

/// Whether `NAME=value` has something run that is not in it. Of a shell's own file that is so only where one is started.
pub(super) fn loads(word: &ShellWord, starts_shell: bool) -> bool {
    let Some((name, value)) = word.text.split_once('=') else {
        return false;
    };
    let loads = runs(name) == Some(Runs::Loads) || (name == "ENV" && (starts_shell || value.contains(['$', '`'])));
    loads && !value.is_empty() && !QUIET.contains(&value)
}

/// The arguments by which a command sets variables for what it runs.
pub(super) fn settings(words: &[ShellWord]) -> impl Iterator<Item = &ShellWord> {
    let sets = SETTERS.contains(&program::of(words));
    let set = |word: &&ShellWord| word.text.contains('=') && !word.text.starts_with('-');
    words.iter().skip(1).filter(set).filter(move |_| sets)
}
