//! A person at a screen of one chat, and the workers that read its files for them.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use crossterm::event::Event as Input;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use parlour::app::update;
use parlour::config::theme::Theme;
use parlour::domain::event::{Attached, ClientEvent, ColourDepth, Outcome, Size};
use parlour::domain::state::{Facts, Requester};
use parlour::domain::work::{JournalDone, JournalThen, JournalWork, Read, ReadDone, ShownContent, ShownRead, Work};
use parlour::domain::{Effect, Event, chat as chats};
use parlour::git::colour_code;
use parlour::model::{ChatId, ClientId, Entry, Timestamp};
use parlour::screen::State;
use parlour::store::{ChatCreation, Home, Surroundings};
use parlour::term::key;
use parlour::ui;

const ME: ClientId = ClientId(1);
const SIZE: (u16, u16) = (120, 40);

pub struct Seat {
    pub home: Home,
    pub chat: ChatId,
    state: State,
    theme: Theme,
    pub buffer: Buffer,
}

impl Seat {
    /// A chat in a new home in this folder.
    pub fn new(folder: &Path) -> anyhow::Result<Seat> {
        let home = Home::open(folder)?;
        let chat = ChatId::parse("benchaaaaa").context("it is an id")?;
        let made = home.create(ChatCreation {
            id: chat.clone(),
            name: "Fix auth bug".into(),
            handle: None,
            llm: "claude".into(),
            role: None,
            parent: None,
            schedule: None,
            disabled_servers: Vec::new(),
            to_open: 0,
            created: Timestamp(0),
            templates: Vec::new(),
            around: Surroundings::default(),
            skills: Vec::new(),
        })?;
        let mut state = State::new(folder.into(), Facts::default(), 7);
        state.domain.disk.chats.insert(chat.clone(), made);
        let (cols, rows) = SIZE;
        let mut seat = Seat {
            home,
            chat,
            state,
            theme: Theme::dark(),
            buffer: Buffer::empty(Rect::new(0, 0, cols, rows)),
        };
        seat.happens(Event::Client(
            ME,
            ClientEvent::Attached(Attached {
                size: Size { cols, rows },
                colours: None,
                reader: false,
                no_color: false,
                depth: ColourDepth::True,
                chat: None,
                bound: None,
                place: None,
                edits: false,
                cwd: folder.into(),
                env: BTreeMap::new(),
            }),
        ));
        Ok(seat)
    }

    /// More chats like the first, with these names.
    pub fn add_chats(&mut self, names: impl Iterator<Item = String>) {
        let first = self.state.domain.disk.chats[&self.chat].clone();
        for (number, name) in (1..).zip(names) {
            let id = ChatId::from_bits(number);
            let mut chat = first.clone();
            (chat.record.id, chat.record.name) = (id.clone(), name);
            self.state.domain.disk.chats.insert(id, chat);
        }
    }

    /// An event, and all that workers read because of it.
    pub fn happens(&mut self, event: Event) {
        let mut due = update(&mut self.state, event);
        while let Some(effect) = due.pop() {
            let Effect::Work(number, Work::Read(Read::Shown(read))) = effect else {
                continue;
            };
            if let Some(shown) = self.read(read) {
                let done = Outcome::Read(ReadDone::Shown(shown));
                due.extend(update(&mut self.state, Event::Done(number, done)));
            }
        }
    }

    fn read(&self, read: ShownRead) -> Option<ShownContent> {
        match read {
            ShownRead::Page(chat, at) => {
                let page = self.home.page(&chat, at).expect("the transcript can be read");
                Some(ShownContent::Page(chat, page))
            }
            ShownRead::Colours(chat, seq, blocks) => {
                let colours = blocks.iter().map(|block| colour_code(&block.language, &block.text));
                Some(ShownContent::Colours(chat, seq, colours.collect()))
            }
            _ => None,
        }
    }

    pub fn press(&mut self, name: &str) {
        let key = key::parse(name).expect("it is a key");
        self.happens(Event::Client(ME, ClientEvent::Input(Input::Key(key))));
    }

    /// Entries are in the transcript.
    pub fn appended(&mut self, entries: Vec<Entry>) {
        let work = JournalWork::Append(self.chat.clone(), Vec::new(), None);
        let asked = chats::work(&mut self.state.domain, Requester::Nobody, JournalThen::Nothing, work);
        for effect in asked {
            if let Effect::Work(number, _) = effect {
                let done = JournalDone::Appended(self.chat.clone(), entries.clone());
                self.happens(Event::Done(number, Outcome::Journal(done)));
            }
        }
    }

    pub fn draw(&mut self) {
        self.buffer.reset();
        ui::render(&self.state, ME, &self.theme, self.buffer.area, &mut self.buffer);
    }

    /// How long it takes from a key to the screen that shows what follows.
    pub fn frame(&mut self, key: &str) -> Duration {
        let begun = Instant::now();
        self.press(key);
        self.draw();
        begun.elapsed()
    }

    pub fn shows(&self, words: &str) -> bool {
        let cells = self.buffer.content().iter().map(|cell| cell.symbol());
        cells.collect::<String>().contains(words)
    }
}
