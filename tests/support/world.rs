//! A state as a person would have it: chats with ages, projects, agents and screens.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use crossterm::event::{Event as Input, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use parlour::config::theme::Theme;
use parlour::domain::agent::state::{Agent, Process, Verdict};
use parlour::domain::event::{Attached, ClientEvent, Size};
use parlour::domain::state::Facts;
use parlour::domain::{Effect, PaneOrder};
use parlour::model::chat::Directory;
use parlour::model::deleted::Deleted;
use parlour::model::listed::{Listed, Offer, Tools, Whence};
use parlour::model::{
    Brought, Chat, ChatId, ClientId, Composer, Declared, Handle, Installed, Kind, Mode, Place, Project, Record, Status,
    Timestamp,
};
use parlour::screen::view::View;
use parlour::screen::{State, client, kept, notice, settle};
use parlour::term::{Effects, Palette, Setup, Terminal, key};
use serde_json::Map;

use super::paper;

pub const ME: ClientId = ClientId(1);
const MINUTE: i64 = 60_000;

pub struct World {
    pub state: State,
    /// What composers show, where they can be read.
    pub composer: Option<Composer>,
    /// Programs ask for pastes to be framed.
    pub pastes: bool,
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
        let mut world = World {
            state,
            composer: None,
            pastes: true,
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
        world.state.domain.live.unseen.insert(dates);
        world.look();
        world
    }

    pub fn attach(&mut self, client: ClientId, cols: u16, rows: u16) {
        self.attach_with(client, Size { cols, rows }, None);
    }

    /// As `parlour CHAT` does.
    pub fn attach_to(&mut self, client: ClientId, chat: &str) {
        self.attach_with(client, Size { cols: 120, rows: 40 }, Some(chat.into()));
    }

    fn attach_with(&mut self, client: ClientId, size: Size, chat: Option<String>) {
        let attached = Attached {
            size,
            colours: None,
            no_color: false,
            chat,
            edits: false,
            cwd: "/home/mia/grove".into(),
            env: BTreeMap::from([("PATH".to_string(), "/usr/bin".to_string())]),
        };
        client::update(&mut self.state, client, ClientEvent::Attached(attached));
    }

    /// Everything that follows from an event, as the loop does it.
    pub fn look(&mut self) -> Vec<Effect> {
        settle::settle(&mut self.state)
    }

    pub fn view(&mut self) -> &mut View {
        self.state.views.get_mut(&ME).unwrap()
    }

    /// Presses keys, written as in `config.json`, one after another; what was to be done at last.
    pub fn press(&mut self, keys: &str) -> Vec<Effect> {
        let mut effects = Vec::new();
        for key in keys.split(' ') {
            effects = self.input(Input::Key(key::parse(key).unwrap()));
        }
        // When the screen next changes by itself is no work that a key leads to, nor is how what has ended is wrapped.
        effects.retain(|effect| match effect {
            Effect::WakeAt(_) => false,
            Effect::Pane(pane, PaneOrder::Resize(_)) => !kept::is_kept(&self.state, pane),
            _ => true,
        });
        effects
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
        let mut effects = client::update(&mut self.state, ME, ClientEvent::Input(input));
        for told in std::mem::take(&mut self.state.domain.notices) {
            effects.extend(notice::on(&mut self.state, told));
        }
        effects.extend(self.look());
        effects
    }

    /// Lets so much time pass that a dialog that has just closed swallows nothing any more, and one that opened counts.
    pub fn calm(&mut self) -> Vec<Effect> {
        self.later(600)
    }

    /// Lets time pass.
    pub fn later(&mut self, ms: u64) -> Vec<Effect> {
        self.state.domain.now = self.state.domain.now.plus_ms(ms);
        self.look()
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

    pub fn chat(&mut self, short: &str, name: &str, minutes_ago: i64) -> Sketch<'_> {
        let moved = Timestamp(noon().0 - minutes_ago * MINUTE);
        let record = Record {
            v: 1,
            id: id(short),
            name: name.into(),
            handle: Handle::from_name(name).or_else(|| Handle::parse(short)).unwrap(),
            llm: "claude".into(),
            role: None,
            created: Timestamp(moved.0 - 5 * MINUTE),
            parent: None,
            schedule: None,
            sessions: Vec::new(),
            forked: None,
            dirs: Vec::new(),
            to_open: 0,
            disabled_servers: Vec::new(),
            agreed_servers: Vec::new(),
            prompts: Vec::new(),
            delivered: Vec::new(),
            port: None,
            other: Map::new(),
        };
        let chat = Chat {
            record,
            role: None,
            place: Place::Here,
            projects: Vec::new(),
            declared: None,
            work: None,
            preview: String::new(),
            updated: moved,
            seq: 12,
            ended: None,
            damage: None,
            inbox: 0,
            interrupted: false,
            unreadable: None,
        };
        self.state.domain.disk.chats.insert(id(short), chat);
        Sketch {
            world: self,
            chat: id(short),
        }
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
    }
}

/// A chat id that begins with a short word.
pub fn id(short: &str) -> ChatId {
    ChatId::parse(&format!("{short:a<10}")).unwrap()
}

fn installed(llm: &str, title: &str, version: Option<&str>, remark: &str) -> Installed {
    Installed {
        llm: llm.into(),
        title: title.into(),
        program: PathBuf::from("/usr/bin").join(llm),
        version: version.map(str::to_string),
        remark: remark.into(),
    }
}

/// A chat being described.
pub struct Sketch<'a> {
    world: &'a mut World,
    chat: ChatId,
}

impl Sketch<'_> {
    fn edit(self, change: impl FnOnce(&mut Chat)) -> Self {
        change(self.world.state.domain.disk.chats.get_mut(&self.chat).unwrap());
        self
    }

    pub fn below(self, parent: &str) -> Self {
        self.edit(|chat| chat.record.parent = Some(id(parent)))
    }

    pub fn preview(self, words: &str) -> Self {
        self.edit(|chat| chat.preview = words.into())
    }

    pub fn project(self, name: &str, branch: &str) -> Self {
        self.open(name, Some(branch), Kind::Git)
    }

    pub fn local(self, name: &str) -> Self {
        self.open(name, None, Kind::Local)
    }

    fn open(self, name: &str, branch: Option<&str>, kind: Kind) -> Self {
        let origin = format!("/home/mia/{name}");
        let dir = Directory {
            name: name.into(),
            label: None,
            mode: Mode::Rw,
            kind,
            origin,
            key: None,
            subdir: None,
            asks: false,
        };
        self.edit(|chat| {
            let path = PathBuf::from("projects").join(name);
            let branch = branch.map(str::to_string);
            chat.projects.push(Project {
                name: name.into(),
                path,
                branch,
                kind,
                mode: Mode::Rw,
                pr: None,
            });
            chat.record.dirs.push(dir);
        })
    }

    pub fn says(self, status: &str, note: &str) -> Self {
        self.edit(|chat| {
            chat.declared = Some(Declared {
                status: status.into(),
                note: note.into(),
            })
        })
    }

    pub fn damaged(self, why: &str) -> Self {
        self.edit(|chat| chat.damage = Some(why.into()))
    }

    pub fn ended(self, why: &str) -> Self {
        self.edit(|chat| chat.ended = Some(Status::Exited(why.into())))
    }

    pub fn unreadable(self, why: &str) -> Self {
        self.edit(|chat| chat.unreadable = Some(why.into()))
    }

    pub fn gone(self) -> Self {
        self.edit(|chat| chat.place = Place::Gone)
    }

    /// An agent with this status, whose program wrote `said`.
    pub fn runs(self, status: Status, said: &str) -> Self {
        let size = Size { cols: 89, rows: 36 };
        let mut agent = agent(status, size);
        agent.screen = Some(screen(said, size));
        self.world.state.domain.live.agents.insert(self.chat.clone(), agent);
        self
    }

    /// Its agent ended, and left its last words on the screen.
    pub fn ran(self, why: &str, said: &str) -> Self {
        let chat = self.chat.clone();
        let sketch = self.runs(Status::Exited(why.into()), said);
        let agent = sketch.world.state.domain.live.agents.get_mut(&chat).unwrap();
        agent.process = Process::Ended { why: why.into() };
        sketch
    }
}

pub fn agent(status: Status, size: Size) -> Agent {
    let mut agent = Agent::new(noon(), size, BTreeMap::new());
    agent.process = Process::Running { pid: 4711 };
    agent.verdict = Verdict {
        status,
        because: "a test says so".into(),
    };
    agent.session_began = true;
    agent
}

/// What a real emulator shows after these bytes.
pub fn screen(said: &str, size: Size) -> std::sync::Arc<parlour::term::Screen> {
    scrolled(said, size, 0)
}

pub fn scrolled(said: &str, size: Size, back: usize) -> std::sync::Arc<parlour::term::Screen> {
    let size = parlour::term::Size::new(size.cols, size.rows);
    let mut terminal = Terminal::new(Setup {
        size,
        palette: Palette::default(),
        history_lines: 1000,
    });
    let mut out = Effects::default();
    terminal.advance(said.replace('\n', "\r\n").as_bytes(), Instant::now(), &mut out);
    match back {
        0 => terminal.screen(&mut out),
        back => terminal.view(back, &mut out),
    }
}

/// The screen of a coding agent in the middle of a turn.
pub const TALK: &str = "\x1b[2m────────────────────────────────────────────────────────────────────\x1b[0m\n\
\x1b[1m> The login of expired sessions answers 500. Find out why and fix it.\x1b[0m\n\
\n\
\x1b[32m●\x1b[0m I'll look at how expired tokens are handled.\n\
\n\
\x1b[32m●\x1b[0m \x1b[1mRead\x1b[0m(src/auth/session.rs)\n\
  \x1b[2m⎿  Read 214 lines\x1b[0m\n\
\n\
\x1b[32m●\x1b[0m \x1b[1mUpdate\x1b[0m(src/auth/session.rs)\n\
  \x1b[2m⎿  Updated with 3 additions and 1 removal\x1b[0m\n\
     \x1b[41m 88 -    let claims = decode(token).unwrap();\x1b[0m\n\
     \x1b[42m 88 +    let Ok(claims) = decode(token) else {\x1b[0m\n\
     \x1b[42m 89 +        return Err(Denied::Expired);\x1b[0m\n\
     \x1b[42m 90 +    };\x1b[0m\n\
\n\
\x1b[36m●\x1b[0m \x1b[1mBash\x1b[0m(cargo test auth)\n\
  \x1b[2m⎿  Running…\x1b[0m\n\
\n\
\x1b[4:3mexpired_token_is_denied\x1b[0m … \x1b[31mfailed\x1b[0m 🙁 期限切れ\n\
\n\
\x1b[2m────────────────────────────────────────────────────────────────────\x1b[0m\n\
> ";

/// A server of each kind, as a chat on grove could have them.
pub fn servers() -> Vec<Listed> {
    let listed = |name: &str, source, from: &str, on| Listed {
        name: name.into(),
        source,
        from: from.into(),
        on,
        transport: "stdio".into(),
        place: format!("{name}-mcp"),
        because: None,
        tools: Tools::Unknown,
        offer: None,
    };
    let brought = Brought {
        name: "lint".into(),
        project: "grove".into(),
        origin: "/src/grove".into(),
        file: "projects/grove/.mcp.json".into(),
        definition:
            r#"{"command":"npx","args":["-y","lint\u202emcp","--rules","src/a b"],"env":{"KEY":"${LINT_KEY}"}}"#.into(),
    };
    vec![
        Listed {
            tools: Tools::Known(vec!["open_dir".into(), "list_projects".into()]),
            ..listed("parlour", Whence::Parlour, "parlour", true)
        },
        listed("db", Whence::Config, "config.json", true),
        Listed {
            because: Some("left out of this chat".into()),
            ..listed("docs", Whence::Config, "config.json", false)
        },
        listed("mine", Whence::Own, ".mcp.json", true),
        Listed {
            because: Some("not agreed to".into()),
            offer: Some(Offer::of(&brought)),
            ..listed("lint", Whence::Clone, "projects/grove/.mcp.json", false)
        },
    ]
}
