//! The rules in force: a person's, as they were read.

use std::path::{Path, PathBuf};

use super::call::Call;
use super::path::CallPlace;
use super::pattern::{self, Misfit, Pattern};
use super::ruling::RuleName;
use super::tool;
use crate::model::settings::PermissionSettings;

/// A person's rules over parlour's own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rules {
    pub(super) allow: Vec<ParsedRule>,
    pub(super) ask: Vec<ParsedRule>,
    pub(super) deny: Vec<ParsedRule>,
    pub(super) home: PathBuf,
    /// Why it is not known all that is denied or asked about.
    pub(super) doubt: Option<Doubt>,
}

/// What of the person's rules cannot be read.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Doubt {
    File,
    /// One that denies or asks: it may mean any call.
    Rule(Misfit),
    /// A list under a name that is none of ours: it may be one of those that deny.
    List(String),
}

impl Doubt {
    pub(super) fn cause(&self) -> String {
        match self {
            Doubt::File => "config.json cannot be read, and so your rules are not known".into(),
            Doubt::Rule(misfit) => misfit.to_string(),
            Doubt::List(name) => format!("the list {name:?} of your permissions is none of allow, ask and deny"),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct ParsedRule {
    pub text: String,
    pub pattern: Pattern,
}

/// Written alike they mean the same.
impl PartialEq for ParsedRule {
    fn eq(&self, other: &ParsedRule) -> bool {
        self.text == other.text
    }
}

impl ParsedRule {
    pub(super) fn name(&self) -> RuleName {
        RuleName::Persons(self.text.clone())
    }

    /// Whether it names so many words of a command, from the first on.
    pub(super) fn names_words(&self, count: usize) -> bool {
        matches!(&self.pattern, Pattern::Command(line) if line.named() >= count)
    }
}

impl Rules {
    /// The rules of `settings`, and those that are none, each with its reason. `home` is what `~` stands for.
    pub fn parse(settings: &PermissionSettings, home: &Path) -> (Rules, Vec<Misfit>) {
        let (mut misfits, mut doubt) = (Vec::new(), None);
        let mut read = |list: &[String]| {
            let mut rules = Vec::new();
            let before = misfits.len();
            for text in list {
                match pattern::parse(text, home) {
                    Ok(pattern) => rules.push(ParsedRule {
                        text: text.clone(),
                        pattern,
                    }),
                    Err(misfit) => misfits.push(misfit),
                }
            }
            (rules, misfits.get(before).cloned().map(Doubt::Rule))
        };
        // Of what is allowed less is allowed without it, which opens nothing.
        let (allow, _) = read(&settings.allow);
        let mut strict = |list| {
            let (rules, unknown) = read(list);
            doubt = doubt.take().or(unknown);
            rules
        };
        let (ask, deny) = (strict(&settings.ask), strict(&settings.deny));
        let doubt = doubt.or(settings.unknown_lists.first().cloned().map(Doubt::List));
        let rules = Rules {
            allow,
            ask,
            deny,
            home: home.to_path_buf(),
            doubt,
        };
        (rules, misfits)
    }

    /// Those of a file that nobody can read: whatever is not denied anyhow may be what it denies, and is asked about.
    pub fn unread(home: &Path) -> Rules {
        Rules {
            home: home.to_path_buf(),
            doubt: Some(Doubt::File),
            ..Rules::default()
        }
    }

    /// Whether the file that they should come of cannot be read.
    pub fn are_unread(&self) -> bool {
        self.doubt == Some(Doubt::File)
    }

    /// What among them may deny and cannot be read, for which agents ask about every call.
    pub fn missing(&self) -> Option<String> {
        let doubt = self.doubt.as_ref().filter(|doubt| **doubt != Doubt::File);
        doubt.map(Doubt::cause)
    }

    /// These and others. Those among them that allow and are none are left out.
    pub fn with(&self, others: &PermissionSettings) -> Rules {
        let (others, _) = Rules::parse(others, &self.home);
        Rules {
            allow: [&self.allow[..], &others.allow].concat(),
            ask: [&self.ask[..], &others.ask].concat(),
            deny: [&self.deny[..], &others.deny].concat(),
            home: self.home.clone(),
            doubt: self.doubt.clone().or(others.doubt),
        }
    }
}

/// From where the paths of a call are looked at.
pub(super) struct CallPlaces<'a> {
    /// For a person's rules: where the agent is, and its own directory.
    pub theirs: [CallPlace<'a>; 2],
    /// For parlour's: where it is, beneath what is open in its chat.
    pub own: CallPlace<'a>,
    /// The tops of the clones that parlour made.
    pub clones: Vec<&'a PathBuf>,
}

impl<'a> CallPlaces<'a> {
    pub(super) fn of(call: &Call<'a>, home: &'a Path) -> CallPlaces<'a> {
        let named = tool::directory(call.input);
        CallPlaces {
            // A CLI may say wrongly where it is: what is forbidden is so from its own directory too.
            theirs: [
                CallPlace::within(call.cwd, call.at, named, home).beside(call.dirs),
                CallPlace::new(call.cwd, named, home),
            ],
            own: CallPlace::gone(call, named, home).beside(call.dirs),
            clones: call
                .dirs
                .iter()
                .filter(|area| area.cloned)
                .flat_map(|area| &area.paths)
                .collect(),
        }
    }
}

pub(super) const DENIED: &str = "a rule of config.json denies it";
pub(super) const ASKED: &str = "a rule of config.json asks about it";
