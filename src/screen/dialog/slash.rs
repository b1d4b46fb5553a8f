//! What a prompt that begins with `/` may become: one list of prompt templates, commands of the agent's CLI, and parlour's
//! own actions, each under its heading.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::domain::state::Domain;
use crate::model::agent::CliCommand;
use crate::model::template::PromptTemplate;
use crate::model::{ChatId, Problem};

use super::super::filter::ranked;
use super::super::hint::Hint;
use super::super::keymap::Action;
use super::super::scrollbar::ScrollBar;
use super::palette::listed;
use super::picker::{Picker, PickerReply};
use super::place::{self, BROAD, FEWEST, ListHit, PlacedList};
use super::tables::{KeySection, PALETTE};
use super::{Around, ComposeWish, Contract, Reply, SlashChoice, Subject, Wish};

pub struct Slash {
    pub picker: Picker,
    chat: ChatId,
    about: Subject,
    /// The CLI of the chat, as people call it.
    cli: String,
    commands: Vec<CliCommand>,
    /// None until a worker has told.
    templates: Option<Result<Vec<PromptTemplate>, Problem>>,
}

/// A row of the list.
#[derive(Clone, Debug, PartialEq)]
pub enum SlashLine {
    Heading(String),
    Entry(SlashEntry),
    /// Why there are none under a heading.
    Nothing(String),
}

#[derive(Clone, Debug, PartialEq)]
pub struct SlashEntry {
    pub title: String,
    /// What it does.
    pub about: String,
    /// At the right: where it comes from, its key, or why it cannot be used.
    pub note: String,
    pub is_possible: bool,
    pub does: SlashDoes,
}

#[derive(Clone, Debug, PartialEq)]
pub enum SlashDoes {
    Choose(SlashChoice),
    Run(Action),
}

/// By which an entry is found, in small letters.
struct SlashWords {
    name: String,
    about: String,
}

/// How well an entry is called what is wanted, the best last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SlashMatch {
    /// What is said of it has all the words.
    About,
    /// Its name has all the letters, in their order.
    Scattered,
    /// Its name has all the words.
    Within,
    /// Its name begins so.
    First,
}

impl SlashWords {
    fn new(name: &str, about: &str) -> SlashWords {
        SlashWords {
            name: name.to_lowercase(),
            about: about.to_lowercase(),
        }
    }

    /// `wanted` is in small letters; `score` says how well its letters stand in the name, if they do.
    fn called(&self, wanted: &str, score: Option<u32>) -> Option<SlashMatch> {
        let has_all = |text: &str| wanted.split_whitespace().all(|word| text.contains(word));
        if self.name.starts_with(wanted) {
            Some(SlashMatch::First)
        } else if has_all(&self.name) {
            Some(SlashMatch::Within)
        } else if score.is_some() {
            Some(SlashMatch::Scattered)
        } else {
            has_all(&self.about).then_some(SlashMatch::About)
        }
    }
}

impl Slash {
    pub fn new(domain: &Domain, chat: &ChatId) -> Slash {
        let llm = domain
            .disk
            .chats
            .get(chat)
            .map_or("", |known| known.record.llm.as_str());
        let commands = domain.disk.commands.get(llm).cloned().unwrap_or_default();
        Slash {
            picker: Picker::default(),
            chat: chat.clone(),
            about: Subject::chat(domain, chat),
            cli: domain.disk.title_of(llm).to_owned(),
            commands,
            templates: None,
        }
    }

    pub fn set_templates(&mut self, chat: &ChatId, templates: Result<Vec<PromptTemplate>, Problem>) {
        if self.chat == *chat {
            self.templates = Some(templates);
        }
    }

    /// What matches: under each heading the best first, and that group first which has the best name.
    pub fn lines(&self, around: &Around) -> Vec<SlashLine> {
        let mut groups = vec![
            self.group("Templates", self.template_entries(), self.no_templates()),
            self.group(&self.cli, self.command_entries(), None),
            self.group("parlour", actions(around), None),
        ];
        groups.sort_by_key(|(called, _)| Reverse(*called));
        groups.into_iter().flat_map(|(_, lines)| lines).collect()
    }

    /// The lines of a group, and how well its best entry is called so.
    fn group(
        &self,
        heading: &str,
        entries: Vec<(SlashWords, SlashEntry)>,
        nothing: Option<String>,
    ) -> (SlashMatch, Vec<SlashLine>) {
        let wanted = self.picker.field.text().trim().to_lowercase();
        let names = entries
            .iter()
            .enumerate()
            .map(|(at, (words, _))| (words.name.clone(), at));
        let scores: BTreeMap<usize, u32> = ranked(names, &wanted)
            .into_iter()
            .map(|(score, at)| (at, score))
            .collect();
        let matching = |(at, (words, entry)): (usize, (SlashWords, SlashEntry))| {
            let score = scores.get(&at).copied();
            Some((words.called(&wanted, score)?, score, entry))
        };
        let mut found: Vec<_> = entries.into_iter().enumerate().filter_map(matching).collect();
        found.sort_by_key(|(called, score, _)| Reverse((*called, *score)));
        let best = found.first().map_or(SlashMatch::About, |(called, ..)| *called);
        let mut lines: Vec<SlashLine> = found.into_iter().map(|(_, _, entry)| SlashLine::Entry(entry)).collect();
        lines.extend(nothing.filter(|_| lines.is_empty()).map(SlashLine::Nothing));
        if !lines.is_empty() {
            lines.insert(0, SlashLine::Heading(heading.into()));
        }
        (if wanted.is_empty() { SlashMatch::About } else { best }, lines)
    }

    fn template_entries(&self) -> Vec<(SlashWords, SlashEntry)> {
        let templates = match &self.templates {
            Some(Ok(templates)) => templates.as_slice(),
            Some(Err(_)) | None => &[],
        };
        let entry = |template: &PromptTemplate| {
            let words = SlashWords::new(&template.name, &template.description);
            let entry = SlashEntry {
                title: format!("/{} {}", template.name, template.arguments)
                    .trim_end()
                    .to_owned(),
                about: template.description.clone(),
                note: template.damage.clone().unwrap_or_else(|| template.from.word().into()),
                is_possible: template.damage.is_none(),
                does: SlashDoes::Choose(SlashChoice::Template(Box::new(template.clone()))),
            };
            (words, entry)
        };
        templates.iter().map(entry).collect()
    }

    fn no_templates(&self) -> Option<String> {
        match &self.templates {
            None => Some("looking for templates…".into()),
            Some(Err(problem)) => Some(problem.to_string()),
            Some(Ok(_)) => None,
        }
    }

    fn command_entries(&self) -> Vec<(SlashWords, SlashEntry)> {
        let entry = |command: &CliCommand| {
            let words = SlashWords::new(command.name.trim_start_matches('/'), &command.about);
            let entry = SlashEntry {
                title: format!("{} {}", command.name, command.arguments).trim_end().to_owned(),
                about: command.about.clone(),
                note: if command.opens {
                    "in its terminal".into()
                } else {
                    String::new()
                },
                is_possible: true,
                does: SlashDoes::Choose(SlashChoice::Command(command.clone())),
            };
            (words, entry)
        };
        self.commands.iter().map(entry).collect()
    }

    /// The entries among the lines.
    fn entries(&self, around: &Around) -> Vec<SlashEntry> {
        let entry = |line| match line {
            SlashLine::Entry(entry) => Some(entry),
            SlashLine::Heading(_) | SlashLine::Nothing(_) => None,
        };
        self.lines(around).into_iter().filter_map(entry).collect()
    }

    /// One that can't be used stays chosen: why is written beside it.
    fn choose(&mut self, entries: &[SlashEntry], at: usize) -> Reply {
        let typed = self.picker.field.text();
        let Some(entry) = entries.get(at) else {
            // What matches nothing is text.
            let text = SlashChoice::Text(format!("/{typed}"));
            return Reply::Leave(Wish::Compose(self.chat.clone(), ComposeWish::Slash(text)));
        };
        self.picker.at = at;
        match &entry.does {
            _ if !entry.is_possible => Reply::Stay,
            SlashDoes::Run(action) => Reply::Run(*action),
            SlashDoes::Choose(choice) => {
                Reply::Leave(Wish::Compose(self.chat.clone(), ComposeWish::Slash(choice.clone())))
            }
        }
    }

    /// The first line that is seen of a list of so many rows; with the first entry its heading is.
    pub fn first(&self, lines: &[SlashLine], rows: usize) -> usize {
        match self.picker.at {
            0 => 0,
            at => (line_of(lines, at) + 1).saturating_sub(rows),
        }
    }
}

/// How many of the lines are entries.
pub fn entries_in(lines: &[SlashLine]) -> usize {
    lines.iter().filter(|line| matches!(line, SlashLine::Entry(_))).count()
}

/// The line of an entry.
fn line_of(lines: &[SlashLine], at: usize) -> usize {
    let entries = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| matches!(line, SlashLine::Entry(_)));
    entries.map(|(line, _)| line).nth(at).unwrap_or(0)
}

fn actions(around: &Around) -> Vec<(SlashWords, SlashEntry)> {
    let entry = |command: super::super::keymap::Command| {
        let why_not = (around.why_not)(command.command);
        let name = command.command.name().unwrap_or_default();
        let entry = SlashEntry {
            title: command.title.into(),
            about: String::new(),
            note: why_not.map_or_else(|| around.keymap.keys(command.command), str::to_owned),
            is_possible: why_not.is_none(),
            does: SlashDoes::Run(command.command),
        };
        (SlashWords::new(command.title, name), entry)
    };
    listed(around.behind).map(entry).collect()
}

impl Contract for Slash {
    fn subject(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    fn press(&mut self, key: KeyEvent, around: &Around) -> Reply {
        let entries = self.entries(around);
        let page = place(around.whole).rows();
        match self.picker.press(key, entries.len(), page) {
            PickerReply::Close => Reply::Close,
            PickerReply::Run(at) => self.choose(&entries, at),
            PickerReply::Stay => Reply::Stay,
        }
    }

    fn paste(&mut self, text: &str, _: &Around) {
        self.picker.paste(text);
    }

    fn click(&mut self, at: (u16, u16), around: &Around) -> Reply {
        let placed = place(around.whole);
        let lines = self.lines(around);
        let line = match placed.hit(at, self.first(&lines, placed.rows())) {
            ListHit::Row(line) => line,
            ListHit::Frame => return Reply::Stay,
            ListHit::Outside => return Reply::Close,
        };
        match lines.get(line) {
            Some(SlashLine::Entry(_)) => {
                let at = entries_in(&lines[..line]);
                self.choose(&self.entries(around), at)
            }
            Some(SlashLine::Heading(_) | SlashLine::Nothing(_)) | None => Reply::Stay,
        }
    }

    fn bars(&self, around: &Around) -> Vec<ScrollBar> {
        let placed = place(around.whole);
        let lines = self.lines(around);
        vec![placed.bar(self.first(&lines, placed.rows()), lines.len())]
    }

    /// Headings are lines too, and none of them is selected.
    fn scroll_to(&mut self, bar: &ScrollBar, first: usize, around: &Around) {
        let lines = self.lines(around);
        let before = line_of(&lines, self.picker.at);
        let until = (bar.selection(first, before) + 1).min(lines.len());
        self.picker.at = entries_in(&lines[..until]).saturating_sub(1);
    }

    fn keys(&self) -> Vec<KeySection> {
        vec![PALETTE.section()]
    }

    fn is_typed_in(&self) -> bool {
        true
    }

    fn hints(&self, _: &Around) -> Vec<Hint> {
        PALETTE.hints("choose")
    }
}

/// As high as there is room for, whatever matches: it does not jump while one types.
pub fn place(whole: Rect) -> PlacedList {
    let high = (whole.height * 3 / 4).max(FEWEST).min(whole.height);
    place::list(
        place::middle(whole, whole.width.saturating_sub(4).min(BROAD), high),
        true,
    )
}
