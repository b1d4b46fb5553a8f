//! Keeping what an agent did: a commit, a push, a pull request, the way home, a rebase. Says where, and what with.

mod words;

use crate::domain::notice::{Done, KeptNews};
use crate::domain::state::Domain;
use crate::domain::todo;
use crate::model::keep::{CloneToKeep, CommitHow, EndWay, KeepAsk, KeepDraft, PullWish, of_way_home};
use crate::model::preferences::LeftWords;
use crate::model::text::visible;
use crate::model::{ChatId, Kind, Problem, Timestamp};

use super::super::hint::Hint;
use super::super::keymap::KeepWay;
use super::field::filled;
use super::focus::FormFocus;
use super::tables::{MoveKey, QUESTION, QuestionKey, form_hints, question_hints};
use super::{Around, Ask, ComposeWish, Field, Form, Part, Question, Room, Stop, Subject, Wish, Work};
use words::in_words;

/// What a person does whose last commit a remote has.
const REPLACES: &str = "commit instead, or tick that it is replaced";

/// What a person does where only the message would stay.
const MENDS: &str = "write another message, or tick that what is changed is taken in";

pub struct KeepForm {
    chat: ChatId,
    about: Subject,
    way: KeepWay,
    form: Form,
    /// The chat's clones by name.
    clones: Vec<String>,
    /// The one that is meant; all where there is none.
    one: Option<usize>,
    /// What is in them; `None` while that is being found out.
    draft: Option<KeepDraft>,
    looked: bool,
    title: Field,
    /// Of a commit the message, of a pull request the text.
    words: Field,
    ticked: bool,
    /// It is done even if todos are open that come first.
    despite_todos: bool,
    /// A commit that is replaced takes in what is not staged.
    all: bool,
    /// A rebase goes on top of what others pushed to the branch.
    upstream: bool,
    /// What was typed before and not sent, and stands there.
    again: Option<LeftWords>,
}

impl KeepForm {
    pub fn new(domain: &Domain, chat: &ChatId, way: KeepWay) -> KeepForm {
        let known = domain.disk.chats.get(chat);
        let dirs = known.map(|known| known.record.dirs.as_slice()).unwrap_or_default();
        let of_git = dirs.iter().filter(|dir| dir.kind == Kind::Git);
        KeepForm {
            chat: chat.clone(),
            about: Subject::chat(domain, chat),
            way,
            form: Form::new(way.begins_at(), domain.now),
            clones: of_git.map(|dir| dir.name.clone()).collect(),
            one: None,
            draft: None,
            looked: false,
            title: Field::new("", Room::Line),
            words: Field::new("", Room::Lines),
            ticked: false,
            despite_todos: false,
            all: false,
            upstream: false,
            again: None,
        }
    }

    fn place(&self) -> Part {
        let value = self.one.map_or("all clones".into(), |at| visible(&self.clones[at]));
        let at = self.one.map_or(1, |at| at + 2);
        Part::Choice {
            stop: Stop::Place,
            label: "In",
            value,
            at: format!("{at} of {}", self.clones.len() + 1),
            note: String::new(),
        }
    }

    fn meant(&self) -> &[String] {
        match self.one {
            Some(at) => &self.clones[at..=at],
            None => &self.clones,
        }
    }

    /// It would replace a commit that a remote has.
    fn replaces_pushed(&self) -> bool {
        let found = self.draft.iter().flat_map(|draft| &draft.clones);
        let mut meant = found.filter(|clone| self.meant().contains(&clone.project));
        self.way == KeepWay::Amend && meant.any(|clone| clone.is_pushed)
    }

    /// What is in the clones that are meant, a line each.
    fn found(&self) -> Vec<Part> {
        let meant = self.meant();
        let line = |name: &String| {
            let Some(draft) = &self.draft else {
                return format!("{}: looking…", visible(name));
            };
            match draft.clones.iter().find(|clone| clone.project == *name) {
                Some(clone) => format!(
                    "{}: {}{}",
                    in_words(clone),
                    self.way.told(clone, self.all),
                    self.hooks(clone)
                ),
                None => format!("{}: it is not there", visible(name)),
            }
        };
        let lines = meant.iter().map(|name| Part::Note(line(name))).collect::<Vec<_>>();
        match lines.is_empty() {
            true => vec![Part::Note(
                "This chat has no clones, and what is open in place is yours to keep.".into(),
            )],
            false => lines,
        }
    }

    /// Offers to take in what is not staged.
    fn tick_all(&self) -> Option<Part> {
        let found = self.draft.iter().flat_map(|draft| &draft.clones);
        let mut meant = found.filter(|clone| self.meant().contains(&clone.project));
        let is_offered = self.way == KeepWay::Amend && meant.any(|clone| clone.changed > clone.staged);
        is_offered.then(|| Part::Tick {
            stop: Stop::Of,
            on: self.all,
            text: "take in all that is changed".into(),
        })
    }

    /// Offers what others pushed in place of the base branch.
    fn tick_upstream(&self) -> Option<Part> {
        (self.way == KeepWay::Rebase).then(|| Part::Tick {
            stop: Stop::Of,
            on: self.upstream,
            text: "onto what others pushed to this branch, not the base branch".into(),
        })
    }

    /// Those of the repository to which it comes that git would run.
    fn hooks(&self, clone: &CloneToKeep) -> String {
        let skipped = of_way_home(&clone.home_hooks, self.ticked);
        match self.way == KeepWay::Home && !skipped.is_empty() {
            true => format!("; hooks there that do not run: {}", visible(&skipped.join(", "))),
            false => String::new(),
        }
    }

    fn tick(&self) -> Option<Part> {
        let text = match self.way {
            KeepWay::Push => "force: replace the branch there, if nobody has pushed to it since",
            KeepWay::Pull => "as a draft",
            KeepWay::Home => "check it out there too, if nothing is uncommitted there",
            KeepWay::Rebase => "if commits conflict, leave the rebase under way",
            KeepWay::Amend if self.replaces_pushed() => {
                "replace a commit that a remote has: pushing it needs force then"
            }
            KeepWay::Commit | KeepWay::Amend | KeepWay::Continue | KeepWay::Abort => return None,
        };
        Some(Part::Tick {
            stop: Stop::Consent,
            on: self.ticked,
            text: text.into(),
        })
    }

    /// Todos that hold it back, and a way past them.
    fn todos(&self, around: &Around) -> Option<Part> {
        self.ask().waits_for_todos().or(self.despite_todos.then_some(""))?;
        let refusal = todo::refusal(around.domain, &self.chat, "")?;
        Some(Part::Tick {
            stop: Stop::Of,
            on: self.despite_todos,
            text: format!("although {}", visible(&refusal.cause)),
        })
    }

    /// What was typed as a message and is not being sent.
    pub fn words_left(&self) -> Option<LeftWords> {
        let is_drafted = self.draft.as_ref().is_some_and(|draft| draft.body == self.words.text());
        let is_typed = self.way.is_written() && !self.words.is_proposed() && !is_drafted;
        let is_left = is_typed && !self.words.is_empty() && !self.form.is_busy();
        is_left.then(|| LeftWords {
            chat: self.chat.clone(),
            about: self.way.title().into(),
            words: self.words.text(),
            behind: self.draft.as_ref().map_or_else(String::new, |draft| draft.last.clone()),
        })
    }

    /// The chat and the title by which its message is kept, where it is left.
    pub fn about_words(&self) -> (&ChatId, &str) {
        (&self.chat, self.way.title())
    }

    pub fn goes_on(&mut self, left: LeftWords) {
        self.words.set(&left.words);
        self.again = Some(left);
    }

    /// What stands there is from before, and no proposal.
    fn told_draft(&self) -> Option<Part> {
        let is_draft = self.again.is_some() && !self.words.is_empty() && !self.form.is_busy();
        is_draft.then(|| Part::Note("You typed this before: Ctrl+U clears the line.".into()))
    }

    /// Why it failed. What the shell calls by its flags has fields here.
    fn warning(&self) -> Vec<Part> {
        let Work::Failed(problem) = &self.form.work else {
            return Vec::new();
        };
        let hint = match self.way {
            KeepWay::Home => "give another name above, or tick that it is checked out there too",
            KeepWay::Push => "rebase onto what others pushed, with its tick; force replaces what you saw there last",
            KeepWay::Pull => "rebase onto what others pushed first, with its tick, or push with force",
            KeepWay::Rebase if problem.prompt.is_some() => {
                "ask the agent, or tick that the rebase is left under way and end it in the clone"
            }
            KeepWay::Rebase => "tick that the rebase is left under way, and end it in the clone",
            KeepWay::Amend if self.replaces_pushed() => REPLACES,
            KeepWay::Amend => MENDS,
            KeepWay::Continue => "abort it in the same menu",
            KeepWay::Commit | KeepWay::Abort => "",
        };
        let is_of_shell = problem.hint.contains("`--") && !hint.is_empty();
        let told = match is_of_shell {
            true => problem.clone().hinted(hint),
            false => problem.clone(),
        };
        vec![Part::Warning(told.to_string()), Part::Gap]
    }

    fn ask(&self) -> KeepAsk {
        match self.way {
            KeepWay::Commit | KeepWay::Amend => KeepAsk::Commit(CommitHow {
                message: filled(&self.words),
                amend: self.way == KeepWay::Amend,
                all: self.all,
                despite_remote: self.ticked && self.replaces_pushed(),
            }),
            KeepWay::Push => KeepAsk::Push {
                force_with_lease: self.ticked,
                despite_todos: self.despite_todos,
            },
            KeepWay::Pull => KeepAsk::OpenPull(PullWish {
                title: filled(&self.title),
                body: filled(&self.words),
                draft: self.ticked,
                despite_todos: self.despite_todos,
            }),
            KeepWay::Home => KeepAsk::Home {
                checkout: self.ticked,
                name: filled(&self.title),
            },
            KeepWay::Rebase => KeepAsk::Rebase {
                upstream: self.upstream,
                keep_conflicts: self.ticked,
            },
            KeepWay::Continue => KeepAsk::End { way: EndWay::Continue },
            KeepWay::Abort => KeepAsk::End { way: EndWay::Abort },
        }
    }
}

impl Ask for KeepForm {
    fn form(&self) -> &Form {
        &self.form
    }

    fn form_mut(&mut self) -> &mut Form {
        &mut self.form
    }

    fn is_destructive(&self) -> bool {
        self.way == KeepWay::Abort
    }

    fn title(&self) -> String {
        self.way.title().into()
    }

    fn parts(&self, around: &Around) -> Vec<Part> {
        let mut parts = Vec::new();
        let field = |stop, label, rows, placeholder: &str| Part::Field {
            stop,
            label,
            rows,
            placeholder: placeholder.into(),
        };
        match self.way {
            // It is drafted from a prompt, and a shell has none.
            KeepWay::Commit if around.is_shell => parts.push(field(Stop::Prompt, "Message", 4, "")),
            KeepWay::Commit => parts.push(field(Stop::Prompt, "Message", 4, "from the last prompt")),
            KeepWay::Amend => parts.push(field(Stop::Prompt, "Message", 4, "as it is")),
            KeepWay::Pull => parts.extend([
                field(Stop::Name, "Title", 1, "from the first prompt"),
                field(Stop::Prompt, "Text", 6, "the prompts, and how each turn ended"),
            ]),
            KeepWay::Home => parts.push(field(Stop::Name, "Branch", 1, "the same name as here")),
            KeepWay::Push | KeepWay::Rebase | KeepWay::Continue | KeepWay::Abort => {}
        }
        if self.clones.len() > 1 {
            parts.push(self.place());
        }
        parts.extend(self.told_draft());
        parts.extend(self.tick_upstream());
        parts.extend(self.tick());
        parts.extend(self.tick_all());
        parts.extend(self.todos(around));
        if !parts.is_empty() {
            parts.push(Part::Gap);
        }
        parts.extend(self.found());
        parts.extend([Part::Gap, Part::Note(self.way.note().into()), Part::Gap]);
        parts.extend(self.form.progress(self.way.button(true), around.domain.now));
        parts.extend(self.warning());
        let yes = self.way.button(self.form.is_busy());
        let ask_agent = self.elsewhere().map(|_| (Stop::Go, "Ask the agent"));
        let before = [(Stop::No, "Cancel")].into_iter().chain(ask_agent);
        parts.push(Part::Buttons(before.chain([(Stop::Yes, yes)]).collect()));
        parts
    }

    fn hints(&self) -> Vec<Hint> {
        if self.fields().is_empty() {
            let tick = QUESTION.hint(&[QuestionKey::Move(MoveKey::PageDown)], "tick");
            let is_tick = matches!(self.form.at, Stop::Consent | Stop::Of);
            return Some(tick)
                .filter(|_| is_tick)
                .into_iter()
                .chain(question_hints())
                .collect();
        }
        let focus = match self.form.at {
            Stop::Place => FormFocus::Choice,
            Stop::Of => FormFocus::Tick,
            other => FormFocus::of(other),
        };
        form_hints(
            focus,
            match self.way {
                KeepWay::Pull => "open",
                KeepWay::Home => "bring it home",
                KeepWay::Commit => "commit",
                KeepWay::Amend => "amend",
                KeepWay::Push => "push",
                KeepWay::Rebase => "rebase",
                KeepWay::Continue => "continue",
                KeepWay::Abort => "abort",
            },
        )
    }

    fn fields(&self) -> Vec<(Stop, &Field)> {
        match self.way {
            KeepWay::Pull => vec![(Stop::Name, &self.title), (Stop::Prompt, &self.words)],
            KeepWay::Commit | KeepWay::Amend => vec![(Stop::Prompt, &self.words)],
            KeepWay::Home => vec![(Stop::Name, &self.title)],
            KeepWay::Push | KeepWay::Rebase | KeepWay::Continue | KeepWay::Abort => Vec::new(),
        }
    }

    fn fields_mut(&mut self) -> Vec<(Stop, &mut Field)> {
        match self.way {
            KeepWay::Pull => vec![(Stop::Name, &mut self.title), (Stop::Prompt, &mut self.words)],
            KeepWay::Commit | KeepWay::Amend => vec![(Stop::Prompt, &mut self.words)],
            KeepWay::Home => vec![(Stop::Name, &mut self.title)],
            KeepWay::Push | KeepWay::Rebase | KeepWay::Continue | KeepWay::Abort => Vec::new(),
        }
    }

    fn turn(&mut self, _: &Around, stop: Stop, by: i8) {
        if stop == Stop::Consent {
            self.ticked = !self.ticked;
        } else if stop == Stop::Of && self.way == KeepWay::Amend {
            self.all = !self.all;
        } else if stop == Stop::Of && self.way == KeepWay::Rebase {
            self.upstream = !self.upstream;
        } else if stop == Stop::Of {
            self.despite_todos = !self.despite_todos;
        } else {
            let count = self.clones.len() + 1;
            let at = self.one.map_or(0, |at| at + 1);
            self.one = ((at + count).saturating_add_signed(by.into()) % count).checked_sub(1);
        }
    }

    fn about(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    fn wish(&self, _: &Around) -> Result<Wish, Problem> {
        let project = self.one.map(|at| self.clones[at].clone());
        if self.replaces_pushed() && !self.ticked {
            let cause = "a remote has the last commit already";
            return Err(Problem::new("amending", cause, REPLACES));
        }
        Ok(Wish::Keep(self.chat.clone(), project, self.ask()))
    }

    /// A prompt is written for the agent, and not sent.
    fn elsewhere(&self) -> Option<Wish> {
        let Work::Failed(problem) = &self.form.work else {
            return None;
        };
        let prompt = problem.prompt.as_ref()?;
        let propose = ComposeWish::Propose(prompt.0.clone());
        Some(Wish::Compose(self.chat.clone(), propose))
    }

    fn question(&self) -> Option<Question> {
        (!self.looked).then(|| Question::KeepDraft(self.chat.clone()))
    }

    fn looks(&mut self, _: &Question) {
        self.looked = true;
    }

    /// What was typed meanwhile stays.
    fn learned(&mut self, done: &Done, _: Timestamp) {
        let Done::Kept(KeptNews::Draft(draft)) = done else {
            return;
        };
        let (title, words) = match self.way {
            KeepWay::Commit => ("", draft.message.as_str()),
            KeepWay::Pull => (draft.title.as_str(), draft.body.as_str()),
            KeepWay::Home => (draft.name.as_str(), ""),
            KeepWay::Amend => ("", draft.last.as_str()),
            KeepWay::Push | KeepWay::Rebase | KeepWay::Continue | KeepWay::Abort => ("", ""),
        };
        // What was typed for a commit is not for the one after it.
        let is_past = |left: &LeftWords| !left.behind.is_empty() && !draft.last.is_empty() && left.behind != draft.last;
        if self
            .again
            .as_ref()
            .is_some_and(|left| is_past(left) && left.words == self.words.text())
        {
            (self.again, self.words) = (None, Field::new("", Room::Lines));
        }
        if self.title.is_empty() && self.words.is_empty() {
            match self.way {
                KeepWay::Commit | KeepWay::Amend => self.words.propose(words),
                // What is being typed as it comes does not mix with it.
                KeepWay::Home => self.title.propose(title),
                // Others will see the text: it is there to be read and mended.
                KeepWay::Pull | KeepWay::Push | KeepWay::Rebase | KeepWay::Continue | KeepWay::Abort => {
                    self.title.set(title);
                    self.words.set(words);
                    self.words.to_first_line();
                }
            }
        }
        self.draft = Some(draft.clone());
    }
}
