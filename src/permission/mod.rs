//! What an agent may do without a person: the rules of `config.json` over parlour's own, and the verdict on one call.
//!
//! Rules are read once by [`Rules::parse`]; [`Rules::judge`] looks at a call and at nothing else: not at the disk, so
//! a symbolic link counts as the path it is written as, and not at what was answered before. Where links lead is for whoever
//! has the disk ([`Case::unasked`]). Start at [`Rules::judge`].

mod aliases;
mod backtick;
mod beginnings;
mod braces;
mod builtin;
mod call;
mod call_cwd;
mod carriers;
mod case;
mod command;
mod command_names;
mod cwd;
mod documents;
mod fence;
mod file_effects;
mod git;
mod glob;
mod interpreter;
mod judge;
mod leaf;
mod line_continuation;
mod option_values;
mod option_words;
mod options;
mod parse;
mod path;
mod pattern;
mod plain;
mod profile;
mod program;
mod reading;
mod redirect;
mod rule_parts;
mod rules;
mod ruling;
mod script;
mod sed;
mod shell;
mod starters;
mod subcommand;
mod suggest;
mod tool;
mod touched_files;
mod unasked;
mod unknown_words;
mod unparsed;
mod variable;
mod word;
mod wrapper;
mod xargs;

pub use call::Call;
pub use call_cwd::call_cwd;
pub use case::{AskedCall, Case};
pub use glob::stars;
pub use judge::AT_ONCE;
pub use pattern::{Misfit, check};
pub use rule_parts::{RulePart, RuleSubject, rule_parts};
pub use rules::Rules;
pub use ruling::{RuleName, Ruling};
pub use suggest::{QuestionNotes, SuggestedRules, WholeLines};
pub use tool::{Sort, command as command_of, edited, paths as paths_of, sort_of};
pub use unasked::NamedFile;

#[cfg(test)]
mod tests;
