//! A state as a person would have it: chats with ages, projects, agents and screens.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crossterm::event::{Event as Input, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use parlour::config::theme::Theme;
use parlour::domain::event::{Attached, ClientEvent, ColourDepth, DiskEvent, Size};
use parlour::domain::state::Facts;
use parlour::domain::{Effect, Event, PaneOrder};
use parlour::model::deleted::Deleted;
use parlour::model::preferences::ScreenPlace;
use parlour::model::{Chat, ChatId, ClientId, Composer, Handle, Installed, Login, Status, Timestamp, UnusableAgent};
use parlour::screen::view::View;
use parlour::screen::{State, kept};
use parlour::term::key;

use super::paper;

mod cards;
mod given;
mod questions;
mod screens;
mod servers;
mod sketch;

pub use screens::{TALK, screen, scrolled};
pub use servers::servers;

pub const ME: ClientId = ClientId(1);
const MINUTE: i64 = 60_000;

pub struct World {
    pub state: State,
    /// What composers show, where they can be read.
    pub composer: Option<Composer>,
    /// Programs ask for pastes to be framed.
    pub pastes: bool,
    /// What stands on the screen of a CLI whose composer nobody can read.
    pub blind: String,
}

/// A fixed noon, so that a few hours ago is still today.
pub fn noon() -> Timestamp {
    Timestamp::try_from("2026-02-15T12:00:00.000Z".to_string()).unwrap()
}

impl World {
    /// Nothing but a person at a screen of this size.
    pub fn new(cols: u16, rows: u16) -> World {
        let facts = Facts {
            started: noon(),
            version: "0.1.0".into(),
            ..Facts::default()
        };
        let mut state = State::new("/home/mia/.parlour".into(), facts, 7);
        state.domain.disk.agents = vec![
            installed("claude", "Claude Code", Some("2.1.8"), ""),
            installed(
                "shell",
                "Shell",
                None,
                "your own shell; nothing is typed into it by itself",
            ),
            installed("demo", "Demo", None, "a scripted agent that shows how parlour works"),
        ];
        let titles = state
            .domain
            .disk
            .agents
            .iter()
            .map(|agent| (agent.llm.clone(), agent.title.clone()));
        state.domain.disk.titles = titles.collect();
        // Whoever asks whether something follows need not think of what moves.
        state.domain.disk.settings.reduced_motion = true;
        let claude = parlour::agents::find("claude", &parlour::model::Settings::default()).unwrap();
        let commands = parlour::agents::commands::commands(claude.commands());
        state.domain.disk.commands = [("claude".to_string(), commands)].into();
        state.domain.disk.logins = [("claude".to_string(), "claude auth login".to_string())].into();
        let mut world = World {
            state,
            composer: None,
            pastes: true,
            blind: String::new(),
        };
        world.attach(ME, cols, rows);
        world
    }

    /// A morning's work: five trees of chats, most of their agents alive.
    pub fn morning(cols: u16, rows: u16) -> World {
        let mut world = World::new(cols, rows);
        world
            .chat("auth", "Fix auth bug", 2)
            .project("grove", "feature-auth")
            .preview("Now the session test fails for expired tokens, looking at")
            .runs(Status::Running(Some("Bash".into())), TALK);
        world
            .chat("redis", "Try Redis", 1)
            .below("auth")
            .project("grove", "cache-redis")
            .runs(Status::NeedsYou("allow Bash: redis-server".into()), "");
        world
            .chat("memcd", "Try memcached", 8)
            .below("auth")
            .project("grove", "cache-memcached")
            .preview("Both benchmarks are in bench/.")
            .runs(Status::Idle(None), "");
        world
            .chat("cache", "Research caching", 3 * 60)
            .local("engineering")
            .preview("Wrote notes/caching.md with eleven sources")
            .ended("engine stopped");
        world
            .chat("dates", "Dates in the report are off by one", 26 * 60)
            .project("ledger", "fix-dates")
            .project("ledger-web", "fix-dates")
            .preview("Pull request #41 is open.")
            .runs(Status::Idle(None), "");
        world
            .chat("hello", "日本語のドキュメントを直す", 27 * 60)
            .preview("")
            .ended("ended");
        world
            .chat("flaky", "Flaky CI", 5 * 24 * 60)
            .project("grove", "main")
            .preview("Could not reproduce in 200 runs.")
            .ended("ended with exit code 1");
        world
            .chat("rails", "Upgrade to Rails 9", 40 * 24 * 60)
            .project("shop", "rails-9")
            .preview("Done: all specs pass.")
            .ended("ended");
        let dates = id("dates");
        world.state.domain.disk.left.unseen.insert(dates.clone());
        world.state.domain.live.unseen.insert(dates);
        world.look();
        world
    }

    pub fn attach(&mut self, client: ClientId, cols: u16, rows: u16) {
        self.attach_with(client, Size { cols, rows }, [None; 2]);
    }

    /// As `parlour CHAT` does.
    pub fn attach_to(&mut self, client: ClientId, chat: &str) {
        self.attach_with(client, Size { cols: 120, rows: 40 }, [Some(chat), None]);
    }

    /// As `parlour` does in a directory that is bound to a chat.
    pub fn attach_where_bound(&mut self, client: ClientId, chat: &str) {
        self.attach_with(client, Size { cols: 120, rows: 40 }, [None, Some(chat)]);
    }

    /// As a screen does that outlived its engine.
    pub fn come_back(&mut self, client: ClientId, place: ScreenPlace) {
        let attached = Attached {
            place: Some(place),
            ..attached(Size { cols: 120, rows: 40 })
        };
        self.updates(Event::Client(client, ClientEvent::Attached(attached)));
    }

    fn attach_with(&mut self, client: ClientId, size: Size, [chat, bound]: [Option<&str>; 2]) {
        let attached = Attached {
            chat: chat.map(String::from),
            bound: bound.map(id),
            ..attached(size)
        };
        self.updates(Event::Client(client, ClientEvent::Attached(attached)));
    }

    /// No time passes, and what follows from the last events follows.
    pub fn look(&mut self) -> Vec<Effect> {
        self.later(0)
    }

    /// These agent CLIs are on this machine, and no others.
    pub fn finds_agents(&mut self, agents: Vec<Installed>) {
        self.state.domain.disk.agents = agents;
    }

    pub fn finds_unusable(&mut self, agents: Vec<UnusableAgent>) {
        self.state.domain.disk.unusable_agents = agents;
    }

    pub fn view(&mut self) -> &mut View {
        self.state.views.get_mut(&ME).unwrap()
    }

    /// Presses keys, written as in `config.json`, one after another; what was to be done at last.
    pub fn press(&mut self, keys: &str) -> Vec<Effect> {
        let mut effects = Vec::new();
        for key in keys.split(' ') {
            let done = self.input(Input::Key(key::parse(key).unwrap()));
            effects = self.with_decisions_safe(done);
        }
        // When the screen next changes by itself is no work that a key leads to, nor is how what has ended is wrapped.
        effects.retain(|effect| match effect {
            Effect::WakeAt(_) => false,
            Effect::Pane(pane, PaneOrder::Resize(_)) => !kept::is_kept(&self.state, pane),
            _ => true,
        });
        effects
    }

    /// Somebody changed a chat's files: it is loaded again.
    pub fn edits(&mut self, chat: &str, edit: impl FnOnce(&mut Chat)) {
        let mut changed = self.on_disk(chat);
        edit(&mut changed);
        self.happens(Event::Disk(DiskEvent::Chat(Box::new(changed))));
    }

    /// Presses keys one after another; what each asks of workers is answered before the next.
    pub fn press_each<T>(&mut self, keys: &str, mut answer: impl FnMut(&mut World, Vec<Effect>) -> Vec<T>) -> Vec<T> {
        let mut asked = Vec::new();
        for key in keys.split_whitespace() {
            let effects = self.press(key);
            asked.extend(answer(self, effects));
        }
        asked
    }

    /// The person has written these keys into `config.json`.
    pub fn keys(&mut self, keys: &[(&str, &str)]) -> Vec<Effect> {
        let mut settings = self.state.domain.disk.settings.clone();
        settings.keys = keys
            .iter()
            .map(|(name, key)| (name.to_string(), key.to_string()))
            .collect();
        self.updates(Event::Disk(DiskEvent::Settings(Box::new(Ok(settings)))))
    }

    pub fn paste(&mut self, text: &str) -> Vec<Effect> {
        self.input(Input::Paste(text.into()))
    }

    pub fn mouse(&mut self, kind: MouseEventKind, column: u16, row: u16) -> Vec<Effect> {
        self.input(Input::Mouse(MouseEvent {
            kind,
            column,
            row,
            modifiers: KeyModifiers::NONE,
        }))
    }

    pub fn click(&mut self, column: u16, row: u16) -> Vec<Effect> {
        self.mouse(MouseEventKind::Down(MouseButton::Left), column, row)
    }

    pub fn shift_click(&mut self, column: u16, row: u16) -> Vec<Effect> {
        self.input(Input::Mouse(MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column,
            row,
            modifiers: KeyModifiers::SHIFT,
        }))
    }

    fn input(&mut self, input: Input) -> Vec<Effect> {
        self.updates(Event::Client(ME, ClientEvent::Input(input)))
    }

    /// Lets so much time pass that a dialog that has just closed swallows nothing any more, and one that opened counts.
    pub fn calm(&mut self) -> Vec<Effect> {
        self.later(600)
    }

    /// As if every screen had been looked at for long enough.
    pub fn forget_toasts(&mut self) {
        self.state.views.values_mut().for_each(|view| view.over.toasts.clear());
    }

    /// Lets time pass.
    pub fn later(&mut self, ms: u64) -> Vec<Effect> {
        self.updates(Event::Clock(self.state.domain.now.plus_ms(ms)))
    }

    /// What the person sees.
    pub fn picture(&self) -> String {
        paper::draw(&self.state, ME, &Theme::dark()).to_string()
    }

    /// The name of the chat that is selected.
    pub fn selected(&self) -> &str {
        let chat = self.state.views[&ME].chat.as_ref();
        chat.map_or("", |chat| self.state.domain.disk.chats[chat].record.name.as_str())
    }
}

/// A chat that was deleted so many hours ago.
pub fn deleted(short: &str, hours: i64) -> Deleted {
    let at = Timestamp(noon().0 - hours * 60 * MINUTE);
    Deleted {
        id: id(short),
        handle: Handle::from_name(short),
        name: Some(short.into()),
        projects: Some(vec!["grove".into()]),
        deleted: Some(at),
        until: Some(at.plus_ms(7 * 86_400_000)),
        bytes: 3_400_000,
    }
}

/// A chat id that begins with a short word.
pub fn id(short: &str) -> ChatId {
    ChatId::parse(&format!("{short:a<10}")).unwrap()
}

/// Among the agents that are found on this machine are these two.
pub fn claude_and_codex() -> Vec<Installed> {
    vec![
        installed("claude", "Claude Code", Some("2.1.8"), ""),
        installed("codex", "Codex", Some("0.40.0"), ""),
        installed("shell", "Shell", None, ""),
    ]
}

fn installed(llm: &str, title: &str, version: Option<&str>, remark: &str) -> Installed {
    Installed {
        llm: llm.into(),
        title: title.into(),
        program: PathBuf::from("/usr/bin").join(llm),
        version: version.map(str::to_string),
        remark: remark.into(),
        login: Login::Unknown,
    }
}

/// A person comes, and asks for nothing.
fn attached(size: Size) -> Attached {
    Attached {
        size,
        colours: None,
        no_color: false,
        reader: false,
        depth: ColourDepth::True,
        chat: None,
        bound: None,
        place: None,
        edits: false,
        cwd: "/home/mia/grove".into(),
        env: BTreeMap::from([("PATH".to_string(), "/usr/bin".to_string())]),
    }
}
