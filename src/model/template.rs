//! A prompt template: Markdown with front matter, of which a prompt is made with arguments and facts of the chat.
//!
//! A template of a repository is text of a stranger: it only ever becomes a prompt. Nothing in it is run, neither the
//! `!` lines of Claude Code's format nor anything that an argument or a diff brings along, so each text is gone over
//! once and what was put in is never looked at again.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// A template as it was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptTemplate {
    pub name: String,
    /// One line, for lists.
    pub description: String,
    /// What its arguments are, in its own words: `<file> [why]`.
    pub arguments: String,
    pub from: TemplateFrom,
    /// Its file; a shipped one has none.
    pub path: Option<PathBuf>,
    pub text: String,
    /// Why it cannot be used, in words.
    pub damage: Option<String>,
}

/// Where a template comes from; the first of these goes before those behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TemplateFrom {
    /// `.parlour/commands` of a project.
    Repository,
    /// `.claude/commands` of a project.
    RepositoryClaude,
    /// `commands` of the home.
    User,
    /// `~/.claude/commands`.
    UserClaude,
    Shipped,
}

/// What of a chat a template can name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateValues {
    pub project: String,
    pub branch: String,
    pub diff: String,
    pub date: String,
}

/// A prompt that was made of a template.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemplatePrompt {
    pub text: String,
    /// What a person should know of it, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// What is asked about the templates of a chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum TemplateAsk {
    List,
    /// Make a prompt of this one.
    Fill {
        name: String,
        #[serde(default)]
        arguments: Vec<String>,
    },
}

/// What a template needs and was not given: its place, and what the template calls it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingArgument {
    pub place: String,
    pub called: Option<String>,
}

/// One piece of a template's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TemplatePiece<'t> {
    Text(&'t str),
    /// `$1` to `$9`.
    Argument(usize),
    /// `$ARGUMENTS`.
    All,
    /// `{{name}}`, with the braces.
    Value(&'t str),
}

const ALL: &str = "$ARGUMENTS";

impl TemplateFrom {
    pub fn word(self) -> &'static str {
        match self {
            TemplateFrom::Repository => "repository",
            TemplateFrom::RepositoryClaude => "repository (.claude)",
            TemplateFrom::User => "user",
            TemplateFrom::UserClaude => "user (.claude)",
            TemplateFrom::Shipped => "shipped",
        }
    }

    /// It came with a repository: whoever wrote it may be a stranger.
    pub fn is_foreign(self) -> bool {
        match self {
            TemplateFrom::Repository | TemplateFrom::RepositoryClaude => true,
            TemplateFrom::User | TemplateFrom::UserClaude | TemplateFrom::Shipped => false,
        }
    }
}

impl PromptTemplate {
    /// Whether its text names this value: `diff` costs something to find out.
    pub fn names(&self, value: &str) -> bool {
        pieces(&self.text).any(|piece| matches!(piece, TemplatePiece::Value(named) if bare(named) == value))
    }

    /// What each of its arguments is called, where it has several and each has a place of its own in it.
    pub fn numbered(&self) -> Vec<String> {
        let mut most = 0;
        for piece in pieces(&self.text) {
            match piece {
                TemplatePiece::Argument(number) => most = most.max(number),
                TemplatePiece::All => return Vec::new(),
                TemplatePiece::Text(_) | TemplatePiece::Value(_) => {}
            }
        }
        if most < 2 {
            return Vec::new();
        }
        let called: Vec<String> = self.calls().collect();
        let name = |at: usize| called.get(at).cloned().unwrap_or_default();
        (0..most).map(name).collect()
    }

    /// Whether it can take an argument at all.
    pub fn takes_arguments(&self) -> bool {
        pieces(&self.text).any(|piece| matches!(piece, TemplatePiece::Argument(_) | TemplatePiece::All))
    }

    /// The first argument that it needs and was not given. `$ARGUMENTS` may stay empty if the template says so, by
    /// brackets around all that it calls its arguments.
    pub fn missing(&self, arguments: &[String]) -> Option<MissingArgument> {
        let optional = self.calls().next().is_some_and(|called| called.starts_with('['));
        pieces(&self.text).find_map(|piece| match piece {
            TemplatePiece::Argument(number) if number > arguments.len() => Some(MissingArgument {
                place: format!("${number}"),
                called: self.calls().nth(number - 1),
            }),
            TemplatePiece::All if arguments.is_empty() && !optional => Some(MissingArgument {
                place: ALL.into(),
                called: Some(self.arguments.clone()).filter(|called| !called.is_empty()),
            }),
            TemplatePiece::Text(_) | TemplatePiece::Argument(_) | TemplatePiece::All | TemplatePiece::Value(_) => None,
        })
    }

    /// The prompt. Arguments that it has no place for follow in a paragraph of their own: nothing that was said is lost.
    pub fn prompt(&self, arguments: &[String], values: &TemplateValues) -> TemplatePrompt {
        let mut text = String::with_capacity(self.text.len());
        let mut unknown: Vec<&str> = Vec::new();
        for piece in pieces(&self.text) {
            match piece {
                TemplatePiece::Text(plain) => text.push_str(plain),
                TemplatePiece::Argument(number) => text.push_str(arguments.get(number - 1).map_or("", String::as_str)),
                TemplatePiece::All => text.push_str(&arguments.join(" ")),
                TemplatePiece::Value(named) => match values.get(bare(named)) {
                    Some(value) => text.push_str(value),
                    None => {
                        text.push_str(named);
                        unknown.push(named);
                    }
                },
            }
        }
        let mut text = without_gaps(&text);
        if !arguments.is_empty() && !self.takes_arguments() {
            text = format!("{text}\n\n{}", arguments.join(" "));
        }
        let mut notes = Vec::new();
        if !unknown.is_empty() {
            unknown.dedup();
            notes.push(format!(
                "{} stays as it is: a template knows {{{{project}}}}, {{{{branch}}}}, {{{{diff}}}} and {{{{date}}}}",
                unknown.join(", ")
            ));
        }
        if self.has_commands() {
            notes.push("its commands (`!`) are not run: they stay in the prompt as text".into());
        }
        TemplatePrompt { text, notes }
    }

    /// Claude Code would run something of it: a line that begins with `!`, or a command in backticks behind one.
    pub fn has_commands(&self) -> bool {
        let runs = |line: &str| line.trim_start().starts_with('!') || line.contains("!`");
        self.text.lines().any(runs)
    }

    /// What it calls each of its arguments.
    fn calls(&self) -> impl Iterator<Item = String> {
        let mut words = Vec::new();
        let mut rest = self.arguments.trim();
        while let Some(first) = rest.chars().next() {
            let end = match first {
                '[' => rest.find(']').map(|at| at + 1),
                '<' => rest.find('>').map(|at| at + 1),
                _ => rest.find(char::is_whitespace),
            };
            let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
            words.push(word.to_string());
            rest = behind.trim_start();
        }
        words.into_iter()
    }
}

impl TemplateValues {
    fn get(&self, name: &str) -> Option<&str> {
        match name {
            "project" => Some(&self.project),
            "branch" => Some(&self.branch),
            "diff" => Some(&self.diff),
            "date" => Some(&self.date),
            _ => None,
        }
    }
}

impl MissingArgument {
    /// As a person is asked for it.
    pub fn words(&self) -> String {
        match &self.called {
            Some(called) => format!("it needs {called} ({})", self.place),
            None => format!("it needs an argument for {}", self.place),
        }
    }
}

fn bare(value: &str) -> &str {
    value.trim_start_matches('{').trim_end_matches('}').trim()
}

/// What stays empty leaves no hole: no more than one blank line in a row.
fn without_gaps(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut blank = 0;
    for line in text.trim().lines() {
        blank = if line.trim().is_empty() { blank + 1 } else { 0 };
        if blank < 2 {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept.truncate(kept.trim_end().len());
    kept
}

/// The text in pieces, each looked at once.
fn pieces(text: &str) -> impl Iterator<Item = TemplatePiece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let at = rest.char_indices().find_map(|(at, _)| Some((at, place(&rest[at..])?)));
        let (piece, used) = match at {
            Some((0, (piece, length))) => (piece, length),
            Some((at, _)) => (TemplatePiece::Text(&rest[..at]), at),
            None => (TemplatePiece::Text(rest), rest.len()),
        };
        rest = &rest[used..];
        Some(piece)
    })
}

/// What a text begins with, if that is to be replaced, and its length.
fn place(text: &str) -> Option<(TemplatePiece<'_>, usize)> {
    let word = |behind: &str| behind.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    if let Some(behind) = text.strip_prefix(ALL) {
        return (!word(behind)).then_some((TemplatePiece::All, ALL.len()));
    }
    if let Some(behind) = text.strip_prefix('$') {
        let digit = behind.chars().next()?.to_digit(10).filter(|digit| *digit > 0)?;
        // `$100` is money.
        return (!word(&behind[1..])).then_some((TemplatePiece::Argument(digit as usize), 2));
    }
    let inner = text.strip_prefix("{{")?;
    let end = inner.find("}}").filter(|end| *end <= LONGEST_NAME)?;
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name(inner[..end].trim()).then(|| (TemplatePiece::Value(&text[..end + 4]), end + 4))
}

/// No value has a longer one.
const LONGEST_NAME: usize = 40;

#[cfg(test)]
mod tests {
    use super::*;

    fn template(arguments: &str, text: &str) -> PromptTemplate {
        PromptTemplate {
            name: "it".into(),
            description: String::new(),
            arguments: arguments.into(),
            from: TemplateFrom::Repository,
            path: None,
            text: text.into(),
            damage: None,
        }
    }

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| word.to_string()).collect()
    }

    fn values() -> TemplateValues {
        TemplateValues {
            project: "grove".into(),
            branch: "main".into(),
            diff: "+ costs $1 in {{project}}".into(),
            date: "2026-02-15".into(),
        }
    }

    fn made(text: &str, arguments: &[&str]) -> String {
        template("", text).prompt(&words(arguments), &values()).text
    }

    #[test]
    fn arguments_and_facts_of_the_chat_take_their_places() {
        let text = "In {{project}} on {{ branch }}, {{date}}: $2 before $1 ($ARGUMENTS)";
        assert_eq!(
            made(text, &["a", "b c"]),
            "In grove on main, 2026-02-15: b c before a (a b c)"
        );
    }

    #[test]
    fn what_was_put_in_is_not_looked_at_again() {
        assert_eq!(
            made("$1\n{{diff}}", &["{{diff}} $1"]),
            "{{diff}} $1\n+ costs $1 in {{project}}"
        );
    }

    #[test]
    fn money_variables_of_a_shell_and_unknown_names_stay() {
        let text = "$100, $HOME, $ARGUMENTSX, $0, {{mood}}, {{ }}, {{a b}}, $ and {{";
        let made = template("", text).prompt(&[], &values());
        assert_eq!(made.text, text);
        assert_eq!(made.notes.len(), 1, "{:?}", made.notes);
        assert!(made.notes[0].starts_with("{{mood}} stays as it is"), "{:?}", made.notes);
    }

    #[test]
    fn what_a_template_has_no_place_for_is_not_lost() {
        assert_eq!(made("Fix it.", &["now", "please"]), "Fix it.\n\nnow please");
    }

    #[test]
    fn what_stays_empty_leaves_no_hole() {
        assert_eq!(made("One\n\n$ARGUMENTS\n\nTwo\n", &[""]), "One\n\nTwo");
    }

    #[test]
    fn a_missing_argument_is_named_as_the_template_calls_it() {
        let asked = |arguments: &str, text: &str, given: &[&str]| {
            let missing = template(arguments, text).missing(&words(given));
            missing.map(|missing| missing.words())
        };
        let named = "<file> [why it matters]";
        assert_eq!(asked(named, "$1 $2", &[]).unwrap(), "it needs <file> ($1)");
        assert_eq!(asked(named, "$1 $2", &["a"]).unwrap(), "it needs [why it matters] ($2)");
        assert_eq!(asked(named, "$1 $2", &["a", ""]), None);
        assert_eq!(asked("", "x $3", &["a"]).unwrap(), "it needs an argument for $3");
        assert_eq!(
            asked("<what>", "$ARGUMENTS", &[]).unwrap(),
            "it needs <what> ($ARGUMENTS)"
        );
        assert_eq!(asked("[what]", "$ARGUMENTS", &[]), None);
        assert_eq!(asked("", "nothing", &[]), None);
    }

    #[test]
    fn what_another_program_would_run_is_text_and_that_is_said() {
        let made = template("", "Look:\n!`rm -rf /`").prompt(&[], &values());
        assert_eq!(made.text, "Look:\n!`rm -rf /`");
        assert!(made.notes[0].contains("not run"), "{:?}", made.notes);
        assert!(!template("", "Careful! It works.").has_commands());
    }
}
