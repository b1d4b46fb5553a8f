//! Which chat a name means: one rule for every verb, for agents, and for the trash.
//!
//! A name is a chat's exact handle, its exact id, the handle from before it had a name, the name that is shown, in letters
//! of any case, the number by which the screen lists it, or a beginning of handle or id of at least four characters; the
//! first of these that fits any chat counts.
//! `@main:project` is the chat that orchestrates the work on that project, `@main` the only one that orchestrates any.

use std::collections::BTreeMap;

use super::role::ORCHESTRATOR;
use super::text::{nearest, visible};
use super::{Chat, ChatId, Problem, ProblemKind, Record};

/// What the orchestrator of a repository is called where a chat is named.
pub const MAIN: &str = "@main";

/// A shorter beginning fits by chance.
const LEAST_BEGINNING: usize = 4;

/// What a chat answers to.
#[derive(Clone, Copy)]
pub struct AnswersTo<'c> {
    pub id: &'c str,
    /// Where it can be read.
    pub record: Option<&'c Record>,
    /// By which the screen lists it.
    pub number: Option<u8>,
}

impl<'c> From<&'c Chat> for AnswersTo<'c> {
    fn from(chat: &'c Chat) -> AnswersTo<'c> {
        AnswersTo {
            id: chat.id().as_str(),
            record: Some(&chat.record),
            number: None,
        }
    }
}

impl AnswersTo<'_> {
    fn handle(&self) -> Option<&str> {
        self.record.map(|record| record.handle.as_str())
    }

    fn begins(&self, name: &str) -> bool {
        let begins = |whole: &str| whole.starts_with(name);
        name.len() >= LEAST_BEGINNING && (begins(self.id) || self.handle().is_some_and(begins))
    }

    fn is_numbered(&self, name: &str) -> bool {
        self.number.is_some_and(|number| number.to_string() == name)
    }

    /// Whether this name is only the beginning of its handle: whoever deletes twice what another is called like means the
    /// first one twice.
    pub fn is_only_begun(&self, name: &str) -> bool {
        self.handle()
            .is_some_and(|handle| handle != name && handle.starts_with(name))
    }
}

/// All that a name means.
pub fn meant<T>(all: impl IntoIterator<Item = T>, of: impl Fn(&T) -> AnswersTo<'_>, name: &str) -> Vec<T> {
    let wanted = name.to_lowercase();
    // From the surest way to be meant to the least.
    let ways: [&dyn Fn(&AnswersTo) -> bool; 6] = [
        &|chat| chat.handle() == Some(name),
        &|chat| chat.id == name,
        &|chat| {
            chat.record
                .is_some_and(|record| record.handles().any(|handle| handle.as_str() == name))
        },
        &|chat| chat.record.is_some_and(|record| record.name.to_lowercase() == wanted),
        &|chat| chat.is_numbered(name),
        &|chat| chat.begins(name),
    ];
    let way_of = |one: &T| {
        let chat = of(one);
        ways.iter().position(|is_meant| is_meant(&chat))
    };
    let found: Vec<(usize, T)> = all.into_iter().filter_map(|one| Some((way_of(&one)?, one))).collect();
    let best = found.iter().map(|(way, _)| *way).min();
    found
        .into_iter()
        .filter(|(way, _)| Some(*way) == best)
        .map(|(_, one)| one)
        .collect()
}

/// The one chat that a name means among these, of which some have numbers.
pub fn find<'c>(
    chats: impl Iterator<Item = &'c Chat> + Clone,
    numbers: &BTreeMap<ChatId, u8>,
    name: &str,
) -> Result<&'c Chat, Problem> {
    if let Some(project) = name.strip_prefix(MAIN) {
        return main_of(chats, project.strip_prefix(':'));
    }
    let found = meant(
        chats.clone(),
        |chat| AnswersTo {
            number: numbers.get(chat.id()).copied(),
            ..AnswersTo::from(*chat)
        },
        name,
    );
    match found.as_slice() {
        [chat] => Ok(chat),
        [] if is_number(name) && !numbers.is_empty() => {
            let cause = format!("no chat has number {name}");
            Err(Problem::missing(doing(name), cause, "`parlour list` shows them"))
        }
        [] => {
            let handles = chats.map(|chat| chat.record.handle.as_str());
            let hint = match nearest(name, handles).filter(|_| !is_number(name)) {
                Some(handle) => format!("did you mean {handle}? `parlour list` shows all of them"),
                None => "`parlour list` shows all of them".into(),
            };
            Err(Problem::missing(doing(name), "there is no such chat", hint))
        }
        many => {
            let handles = many.iter().map(|chat| chat.record.handle.as_str());
            Err(several(doing(name), handles))
        }
    }
}

/// As [`find`], where no number means a chat: those stand on a person's screen, and may be another chat's by the time an
/// agent is heard.
pub fn find_unnumbered<'c>(chats: impl Iterator<Item = &'c Chat> + Clone, name: &str) -> Result<&'c Chat, Problem> {
    find(chats, &BTreeMap::new(), name)
}

/// Not a misspelt name.
pub fn is_number(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
}

const LOOKING: &str = "looking for chat ";

fn doing(name: &str) -> String {
    format!("{LOOKING}{}", visible(name))
}

/// The name that no chat has, if that is the problem.
pub fn looked_for(problem: &Problem) -> Option<&str> {
    let name = problem.doing.strip_prefix(LOOKING)?;
    (problem.kind == ProblemKind::Missing).then_some(name)
}

/// That a name means more than one.
pub fn several<'h>(doing: String, handles: impl Iterator<Item = &'h str>) -> Problem {
    let handles: Vec<&str> = handles.collect();
    let (count, listed) = (handles.len(), handles.join(", "));
    let cause = format!("{count} chats begin like that, or have that name: {listed}");
    Problem::new(doing, cause, "give one of these")
}

/// The chat that orchestrates the work on a project, or on the only one that is.
fn main_of<'c>(chats: impl Iterator<Item = &'c Chat>, project: Option<&str>) -> Result<&'c Chat, Problem> {
    let orchestrates = |chat: &&Chat| chat.record.role.as_deref() == Some(ORCHESTRATOR) && chat.record.parent.is_none();
    let on = |chat: &&Chat| project.is_none_or(|name| chat.record.dirs.iter().any(|dir| dir.name == name));
    let found: Vec<&Chat> = chats.filter(orchestrates).filter(on).collect();
    let doing = "looking for @main";
    match found.as_slice() {
        [main] => Ok(main),
        [] => {
            let hint = "`parlour init` in a repository makes it";
            Err(Problem::missing(doing, "there is none here", hint))
        }
        many => {
            let names: Vec<&str> = many.iter().map(|chat| chat.record.handle.as_str()).collect();
            let cause = format!("there are {}: {}", many.len(), names.join(", "));
            let hint = "say which by its handle, or go into its repository";
            Err(Problem::missing(doing, cause, hint))
        }
    }
}

/// A name as it can be pasted into a shell: one with blanks is quoted.
pub fn pasted(name: &str) -> String {
    shell_words::quote(&visible(name)).into_owned()
}
