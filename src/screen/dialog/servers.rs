//! The MCP servers of a chat: listed, switched, and what one of a clone's would run before it is agreed to.

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::domain::notice::Done;
use crate::domain::state::Domain;
use crate::model::request::Switch;
use crate::model::server_entry::{ServerEntry, Tools, Whence};
use crate::model::text::visible;
use crate::model::{ChatId, Problem, RequestId, Timestamp};

use super::super::hint::Hint;
use super::super::keymap::{Action, ChatAction};
use super::super::scrollbar::{Extent, ScrollBar};
use super::super::wrap::wrap;
use super::place::{self, AGREE};
use super::read_question::{ReadAnswer, ReadQuestion};
use super::tables::{self, KeySection, MoveKey, QUESTION, SERVERS, ServersKey};
use super::{Around, Contract, Form, Question, Reply, Stop, Subject, Wish};

pub struct Servers {
    chat: ChatId,
    about: Subject,
    /// `None` until they are read.
    pub list: Option<Vec<ServerEntry>>,
    pub at: usize,
    /// A clone's server that is to be agreed to.
    pub confirm: Option<Confirm>,
    /// What is being done: one thing at a time.
    pub busy: Option<&'static str>,
    /// The request by which that is done.
    request: Option<RequestId>,
    pub problem: Option<Problem>,
    /// Something was switched here.
    pub changed: bool,
}

/// What would run, to be read whole before it is agreed to.
pub struct Confirm {
    pub server: ServerEntry,
    pub form: Form,
}

const READING: &str = "reading…";
const ASKING: &str = "asking each that is on for its tools, 10 s at most…";
const SWITCHING: &str = "switching…";

impl Servers {
    pub fn new(domain: &Domain, chat: &ChatId) -> Servers {
        Servers {
            about: Subject::chat(domain, chat),
            chat: chat.clone(),
            list: None,
            at: 0,
            confirm: None,
            busy: None,
            request: None,
            problem: None,
            changed: false,
        }
    }

    /// The chat whose servers they are, as it is called.
    pub fn name(&self) -> &str {
        self.about.name()
    }

    pub fn chosen(&self) -> Option<&ServerEntry> {
        self.list.as_ref()?.get(self.at)
    }

    /// The first row that is seen of a list with room for so many.
    pub fn first(&self, rows: usize) -> usize {
        (self.at + 1).saturating_sub(rows)
    }

    /// What is said of the chosen one below the list.
    pub fn detail(&self, around: &Around, width: usize) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(problem) = &self.problem {
            lines.push(visible(&problem.to_string()));
        }
        if let Some(busy) = self.busy {
            lines.push(busy.into());
        }
        if let Some(one) = self.chosen() {
            lines.push(visible(format!("{} {}", one.transport, one.place).trim()));
            lines.extend(one.because.iter().map(|why| format!("Off: {}", visible(why))));
            lines.push(match &one.tools {
                Tools::Known(_) if one.source == Whence::Tool => "It is one of parlour's own tools.".into(),
                Tools::Known(tools) if tools.is_empty() => "It has no tools.".into(),
                Tools::Known(tools) => format!("Tools: {}", visible(&tools.join(", "))),
                Tools::Failed(why) => format!("Its tools are not known: {}", visible(why)),
                Tools::Unknown if one.source == Whence::Own => "Its tools are asked for by its agent alone.".into(),
                Tools::Unknown if one.on => "Its tools are not known; t starts it and asks.".into(),
                Tools::Unknown => "Its tools are not known.".into(),
            });
        }
        if self.changed && around.domain.status(&self.chat).is_live() {
            lines.push("Its agent runs on without the change, until it is restarted: S does that.".into());
        }
        lines.iter().flat_map(|line| wrap(line, width)).collect()
    }

    /// Switches the one at `at`; a clone's is shown whole first.
    fn toggle(&mut self, around: &Around, at: usize) -> Reply {
        let Some(one) = self.list.as_ref().and_then(|list| list.get(at)).cloned() else {
            return Reply::Stay;
        };
        self.at = at;
        if self.busy.is_some() {
            return Reply::Stay;
        }
        let to = match (one.on, &one.offer) {
            (true, _) => Switch::Off,
            (false, None) => Switch::On,
            (false, Some(_)) => {
                self.confirm = Some(Confirm {
                    server: one,
                    form: Form::new(Stop::No, around.domain.now),
                });
                return Reply::Stay;
            }
        };
        self.switch(one.full_name(), to)
    }

    /// What is to be agreed to.
    pub fn question(&self, whole: Rect) -> Option<ReadQuestion> {
        let confirm = self.confirm.as_ref()?;
        let rows = confirm.lines(place::read_width(whole)).len();
        Some(ReadQuestion::new(whole, &AGREE, rows))
    }

    /// What comes of an answer to it.
    fn decide(&mut self, answer: ReadAnswer) -> Reply {
        if matches!(answer, ReadAnswer::Open | ReadAnswer::TooSoon) {
            return answer.reply();
        }
        let server = self.confirm.take().map(|confirm| confirm.server);
        match server.map(|server| (server.full_name(), server.offer)) {
            Some((name, Some(offer))) if answer == ReadAnswer::Yes => {
                self.switch(name, Switch::Agreed(offer.definition.clone()))
            }
            Some(_) | None => Reply::Stay,
        }
    }

    fn switch(&self, name: String, to: Switch) -> Reply {
        Reply::Submit(Wish::SwitchServer(self.chat.clone(), name, to))
    }

    /// What was asked of each before stays known while it stays on, and the cursor stays at its server.
    fn take(&mut self, list: &[ServerEntry]) {
        let mut list = list.to_vec();
        let chosen = self.chosen().map(ServerEntry::full_name);
        let at = chosen.and_then(|chosen| list.iter().position(|one| one.full_name() == chosen));
        let before = self.list.take().unwrap_or_default();
        for one in list.iter_mut().filter(|one| one.on && one.tools == Tools::Unknown) {
            let known = before.iter().find(|old| old.on && old.full_name() == one.full_name());
            if let Some(known) = known {
                one.tools.clone_from(&known.tools);
            }
        }
        self.at = at.unwrap_or(self.at).min(list.len().saturating_sub(1));
        self.list = Some(list);
    }
}

impl Confirm {
    /// All that is agreed to, in a column this wide.
    pub fn lines(&self, width: usize) -> Vec<String> {
        let runs = self
            .server
            .offer
            .as_ref()
            .map(|offer| &offer.runs[..])
            .unwrap_or_default();
        let from = format!("{} wants this server:", visible(&self.server.from));
        let mut lines = wrap(&from, width);
        lines.push(String::new());
        lines.extend(runs.iter().flat_map(|line| wrap(line, width)));
        lines.push(String::new());
        let what = "It would be started with each start of this chat's agent and could do what you can. If its \
                    definition changes, you are asked again; what the program itself does may change without that.";
        lines.extend(wrap(what, width));
        lines
    }
}

impl Contract for Servers {
    fn subject(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    fn press(&mut self, key: KeyEvent, around: &Around) -> Reply {
        if let (Some(question), Some(confirm)) = (self.question(around.whole), &mut self.confirm) {
            let answer = question.press(&mut confirm.form, key, around.domain.now);
            return self.decide(answer);
        }
        let room = place::servers(around.whole).list.height.into();
        let last = self.list.as_ref().map_or(0, |list| list.len().saturating_sub(1));
        match SERVERS.command(key) {
            Some(ServersKey::Close) => return Reply::Close,
            Some(ServersKey::Move(key)) => self.at = key.go(self.at, last, room),
            Some(ServersKey::Switch) => return self.toggle(around, self.at),
            Some(ServersKey::Tools) if self.busy.is_none() => {
                return Reply::Submit(Wish::AskTools(self.chat.clone()));
            }
            Some(ServersKey::Restart) => return Reply::Run(Action::Chat(ChatAction::Restart)),
            Some(ServersKey::Tools) | None => {}
        }
        Reply::Stay
    }

    /// A click on a server switches it; what is to be agreed to has buttons.
    fn click(&mut self, (x, y): (u16, u16), around: &Around) -> Reply {
        if let (Some(question), Some(confirm)) = (self.question(around.whole), &mut self.confirm) {
            let answer = question.click(&mut confirm.form, (x, y), around.domain.now);
            return self.decide(answer);
        }
        let placed = place::servers(around.whole);
        match placed.list.contains((x, y).into()) {
            true => self.toggle(
                around,
                self.first(placed.list.height.into()) + usize::from(y - placed.list.y),
            ),
            false => Reply::Stay,
        }
    }

    fn bars(&self, around: &Around) -> Vec<ScrollBar> {
        if let (Some(question), Some(confirm)) = (self.question(around.whole), &self.confirm) {
            return vec![question.bar(&confirm.form)];
        }
        let placed = place::servers(around.whole);
        let first = self.first(placed.list.height.into());
        let extent = Extent::of_rows(placed.list, first, self.list.as_ref().map_or(0, Vec::len));
        vec![ScrollBar::on_frame(placed.area, placed.list, extent)]
    }

    fn scroll_to(&mut self, bar: &ScrollBar, first: usize, _: &Around) {
        match &mut self.confirm {
            Some(confirm) => confirm.form.scroll = first,
            None => self.at = bar.selection(first, self.at),
        }
    }

    fn keys(&self) -> Vec<KeySection> {
        match self.confirm.is_some() {
            true => vec![QUESTION.section()],
            false => vec![SERVERS.section()],
        }
    }

    fn hints(&self, _: &Around) -> Vec<Hint> {
        if self.confirm.is_some() {
            return tables::question_hints();
        }
        vec![
            SERVERS.hint(&[ServersKey::Switch], "on or off"),
            SERVERS.hint(&[ServersKey::Close], "close").way_out(),
            SERVERS.hint(&[ServersKey::Tools], "tools"),
            SERVERS.hint(&[ServersKey::Restart], "restart agent"),
            SERVERS.hint(&[MoveKey::Up, MoveKey::Down].map(ServersKey::Move), "move"),
        ]
    }

    fn shown(&self) -> Option<Timestamp> {
        self.confirm.as_ref().map(|confirm| confirm.form.shown)
    }

    fn asks_within(&self) -> bool {
        self.confirm.is_some()
    }

    fn settle(&mut self, _: &Around) -> Reply {
        match self.list.is_none() && self.busy.is_none() && self.problem.is_none() {
            true => Reply::Submit(Wish::Know(Question::Servers(self.chat.clone()))),
            false => Reply::Stay,
        }
    }

    fn begun(&mut self, wish: &Wish, request: RequestId, _: Timestamp) {
        let switches = matches!(wish, Wish::SwitchServer(..));
        let what = match (switches, matches!(wish, Wish::AskTools(_))) {
            (true, _) => SWITCHING,
            (false, true) => ASKING,
            (false, false) => READING,
        };
        (self.busy, self.request) = (Some(what), Some(request));
        self.problem = None;
        self.changed |= switches;
    }

    fn awaits(&self, request: RequestId) -> bool {
        self.request == Some(request)
    }

    fn is_busy(&self) -> bool {
        self.busy.is_some()
    }

    fn answered(&mut self, _: RequestId, done: &Done, _: &Around) -> Reply {
        if let Done::Servers(_, list) = done {
            (self.busy, self.request) = (None, None);
            self.take(list);
        }
        Reply::Stay
    }

    fn failed(&mut self, _: RequestId, problem: Problem) {
        (self.busy, self.request) = (None, None);
        self.problem = Some(problem);
    }
}
