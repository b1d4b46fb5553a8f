//! The MCP servers of a chat: listed, switched, and what one of a clone's would run before it is agreed to.

use crossterm::event::KeyEvent;

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::Requester;
use crate::domain::work::{ServerThen, ServerWork};
use crate::model::request::Switch;
use crate::model::server_entry::{ServerEntry, Tools, Whence};
use crate::model::text::visible;
use crate::model::{ChatId, ClientId, Problem};
use crate::screen::State;

use super::super::wrap::wrap;
use super::buttons::{self, Pressed};
use super::place::AGREE;
use super::tables::{QUESTION, QuestionKey, SERVERS, ServersKey};
use super::{Dialog, Form, Stop};

pub struct Servers {
    pub chat: ChatId,
    /// `None` until they are read.
    pub list: Option<Vec<ServerEntry>>,
    pub at: usize,
    /// A clone's server that is to be agreed to.
    pub confirm: Option<Confirm>,
    /// What is being done: one thing at a time.
    pub busy: Option<&'static str>,
    pub problem: Option<Problem>,
    /// Something was switched here.
    pub changed: bool,
}

/// What would run, to be read whole before it is agreed to.
pub struct Confirm {
    pub server: ServerEntry,
    pub form: Form,
}

/// What a key or click comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Stay,
    Close,
    Early,
    Switch(String, Switch),
    AskTools,
    Restart,
}

const READING: &str = "reading…";
const ASKING: &str = "asking each that is on for its tools, 10 s at most…";
const SWITCHING: &str = "switching…";

impl Servers {
    pub fn new(chat: ChatId) -> Servers {
        Servers {
            chat,
            list: None,
            at: 0,
            confirm: None,
            busy: Some(READING),
            problem: None,
            changed: false,
        }
    }

    pub fn chosen(&self) -> Option<&ServerEntry> {
        self.list.as_ref()?.get(self.at)
    }

    /// The first row that is seen of a list with room for so many.
    pub fn first(&self, rows: usize) -> usize {
        (self.at + 1).saturating_sub(rows)
    }

    /// What is said of the chosen one below the list.
    pub fn detail(&self, state: &State, width: usize) -> Vec<String> {
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
        if self.changed && state.domain.status(&self.chat).is_live() {
            lines.push("Its agent runs on without the change, until it is started anew: S restarts it.".into());
        }
        lines.iter().flat_map(|line| wrap(line, width)).collect()
    }

    pub fn press(&mut self, state: &State, key: KeyEvent, room: usize, text: (usize, usize)) -> Reply {
        if self.confirm.is_some() {
            return self.press_confirm(state, key, text);
        }
        let last = self.list.as_ref().map_or(0, |list| list.len().saturating_sub(1));
        match SERVERS.command(key) {
            Some(ServersKey::Close) => return Reply::Close,
            Some(ServersKey::Move(key)) => self.at = key.go(self.at, last, room),
            Some(ServersKey::Switch) => return self.toggle(state, self.at),
            Some(ServersKey::Tools) if self.busy.is_none() => {
                self.begin(ASKING);
                return Reply::AskTools;
            }
            Some(ServersKey::Restart) => return Reply::Restart,
            Some(ServersKey::Tools) | None => {}
        }
        Reply::Stay
    }

    /// Switches the one at `at`; a clone's is shown whole first.
    pub fn toggle(&mut self, state: &State, at: usize) -> Reply {
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
                    form: Form::new(Stop::No, state.domain.now),
                });
                return Reply::Stay;
            }
        };
        self.begin(SWITCHING);
        Reply::Switch(one.full_name(), to)
    }

    /// A button is pressed: a yes counts once what is shown can have been read to its end.
    pub fn choose(&mut self, state: &State, stop: Stop, (width, rows): (usize, usize)) -> Reply {
        let Some(confirm) = &mut self.confirm else {
            return Reply::Stay;
        };
        let most = confirm.lines(width).len().saturating_sub(rows);
        let form = &mut confirm.form;
        if form.is_unread(state.domain.now) {
            return Reply::Early;
        }
        if stop != Stop::Yes {
            self.confirm = None;
            return Reply::Stay;
        }
        if form.scroll < most {
            form.scroll = (form.scroll + rows).min(most);
            form.shown = state.domain.now;
            return Reply::Stay;
        }
        let reply = confirm.server.offer.as_ref().map(|offer| {
            let agreed = Switch::Agreed(offer.definition.clone());
            Reply::Switch(confirm.server.full_name(), agreed)
        });
        self.confirm = None;
        self.begin(SWITCHING);
        reply.unwrap_or(Reply::Stay)
    }

    fn press_confirm(&mut self, state: &State, key: KeyEvent, (width, rows): (usize, usize)) -> Reply {
        let Some(confirm) = &mut self.confirm else {
            return Reply::Stay;
        };
        let key = QUESTION.command(key);
        match buttons::press(&mut confirm.form.at, &AGREE, key) {
            Pressed::Chosen(stop) => return self.choose(state, stop, (width, rows)),
            Pressed::Moved => return Reply::Stay,
            Pressed::Other => {}
        }
        let most = confirm.lines(width).len().saturating_sub(rows);
        let form = &mut confirm.form;
        match key {
            Some(QuestionKey::Close) => self.confirm = None,
            Some(key) => form.scroll = key.scroll(form.scroll, most, rows),
            None => {}
        }
        Reply::Stay
    }

    fn begin(&mut self, what: &'static str) {
        self.busy = Some(what);
        self.problem = None;
        self.changed |= what == SWITCHING;
    }

    pub fn failed(&mut self, problem: Problem) {
        self.busy = None;
        self.problem = Some(problem);
    }

    /// What was asked of each before stays known while it stays on.
    fn take(&mut self, mut list: Vec<ServerEntry>) {
        let before = self.list.take().unwrap_or_default();
        for one in list.iter_mut().filter(|one| one.on && one.tools == Tools::Unknown) {
            let known = before.iter().find(|old| old.on && old.full_name() == one.full_name());
            if let Some(known) = known {
                one.tools.clone_from(&known.tools);
            }
        }
        self.at = self.at.min(list.len().saturating_sub(1));
        self.list = Some(list);
        self.busy = None;
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

/// The list as it is now, for the dialog that asked.
pub fn servers(state: &mut State, client: ClientId, chat: &ChatId, list: Vec<ServerEntry>) {
    let open = state.views.get_mut(&client).and_then(|view| view.dialog.as_mut());
    if let Some(Dialog::Servers(dialog)) = open
        && dialog.chat == *chat
    {
        dialog.take(list);
    }
}

/// Reads them for the dialog that was opened.
pub fn read_servers(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    let job = ServerWork::List { chat, ask: None };
    chat::work(&mut state.domain, Requester::screen(client), ServerThen::Answer, job)
}

/// Asks each for its tools, in the person's environment.
pub(super) fn ask_tools(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    let ask = state.views.get(&client).map(|view| view.env.clone());
    chat::work(
        &mut state.domain,
        Requester::screen(client),
        ServerThen::Answer,
        ServerWork::List { chat, ask },
    )
}

pub(super) fn switch(
    state: &mut State,
    client: ClientId,
    chat: ChatId,
    (name, switch): (String, Switch),
) -> Vec<Effect> {
    let job = ServerWork::Switch { chat, name, switch };
    chat::work(&mut state.domain, Requester::screen(client), ServerThen::Answer, job)
}
