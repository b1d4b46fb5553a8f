//! The loop of an attached screen, and how it can end.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, io};

use crossterm::event::Event;
use futures::stream::{SplitSink, SplitStream};
use futures::{SinkExt, StreamExt};
use rustix::process::Signal;
use tokio::sync::mpsc;
use tokio::time::{Duration, Instant, timeout};

use super::connect::GUARD;
use crate::wire::{self, Attach, FromTerminal, Message};

use super::connect::{self, Connection, StartEngine, Unreachable};
use super::keys::{self, Came, KeyEvents};
use super::liveness::{Liveness, LivenessDue};
use super::queries::{self, Answers, ToldColours};
use super::request;
use super::signals::Signals;
use super::terminal::{self, Keyboard};
use super::writer::TerminalWriter;

#[derive(Debug, Clone)]
pub struct ScreenOptions {
    pub home: PathBuf,
    /// The chat to open, as the person named it.
    pub chat: Option<String>,
    /// The chat of the directory that it is started in.
    pub bound: Option<String>,
    /// Its editor is to be shown, where one is open.
    pub edits: bool,
    /// Lines for a screen reader are wanted.
    pub reader: bool,
}

const ATTACH: u32 = 1;
/// Messages that may wait for an engine that reads slowly; what comes after them waits in the terminal.
const WAITING: usize = 64;

/// More than that on its way to the engine is no typing: by the time that it hears of a loan it would be over.
const TYPED_AT_ONCE: usize = 16;

/// An engine that does not read its end for so long draws nothing either.
const PARTING: Duration = Duration::from_millis(300);

/// Why a screen ended.
#[derive(Debug)]
pub(super) enum ScreenEnd {
    /// The engine's word, such as after a detach.
    Bye {
        why: String,
        exit: u8,
    },
    /// The engine would not show what was asked for.
    Refused(String),
    Signal(Signal),
    TerminalClosed,
    EngineGone,
    EngineFrozen,
    /// Something came that no engine of this protocol sends.
    Nonsense(String),
}

impl ScreenEnd {
    /// Whether an engine may be there that does not know of it.
    fn leaves_engine(&self) -> bool {
        match self {
            ScreenEnd::Refused(_) | ScreenEnd::Signal(_) | ScreenEnd::Nonsense(_) => true,
            ScreenEnd::Bye { .. } | ScreenEnd::TerminalClosed | ScreenEnd::EngineGone | ScreenEnd::EngineFrozen => {
                false
            }
        }
    }

    /// Says it to the person on the terminal as it was before, and what the program ends with.
    pub fn tell(self) -> ExitCode {
        let (why, exit) = match self {
            ScreenEnd::Bye { why, exit } => (why, exit),
            ScreenEnd::Refused(why) => (why, 1),
            ScreenEnd::Nonsense(what) => (format!("the engine's connection broke: {what}"), 1),
            // A signal from outside detaches, as a key would.
            ScreenEnd::Signal(Signal::INT) => (String::new(), 0),
            ScreenEnd::Signal(signal) => {
                let exit = u8::try_from(128 + signal.as_raw()).unwrap_or(1);
                (String::new(), exit)
            }
            ScreenEnd::TerminalClosed => (String::new(), 1),
            ScreenEnd::EngineGone => {
                let why = "the engine ended again and again; your chats are on disk. `parlour doctor` may know why";
                (why.to_owned(), 1)
            }
            ScreenEnd::EngineFrozen => {
                let frozen = Unreachable::Frozen;
                (format!("{frozen}; {}", frozen.hint()), 1)
            }
        };
        // The terminal may be gone, and then print! would panic.
        use io::Write;
        let _ = match (why.as_str(), exit) {
            ("", _) => Ok(()),
            (why, 0) => writeln!(io::stdout(), "{why}"),
            (why, _) => writeln!(io::stderr(), "parlour: {why}"),
        };
        ExitCode::from(exit)
    }
}

pub(super) struct AttachedTerminal {
    writer: TerminalWriter,
    keyboard: Keyboard,
    incoming: SplitStream<Connection>,
    /// To a task of its own, so that an engine that does not read never stops this loop.
    outgoing: mpsc::Sender<Message>,
    /// What is to go out next. While it is not empty no more keys are read.
    pending: VecDeque<Message>,
    liveness: Liveness,
    /// The terminal answers when it is asked for its colours, and they are shown.
    tells_colours: bool,
    /// When it was last asked for them because it told of a change.
    asked_again: Option<Instant>,
    told: ToldColours,
    /// The engine can read the terminal in this process's place.
    borrows: bool,
    home: PathBuf,
    /// What an engine is told to be attached to.
    attach: Attach,
    /// Frames that the terminal has not taken yet, and how many of them an engine sent that is gone.
    unwritten: usize,
    stale: usize,
    /// When the last engines ended without a word.
    lost: VecDeque<Instant>,
    /// When a key was pressed last.
    typed: Option<Instant>,
    /// Another engine has taken the place of the last, and its person may not have looked up from typing since.
    types_on: bool,
}

/// A pause after which a person has seen what stands on the screen.
const LOOKS_UP: Duration = Duration::from_millis(700);

/// A terminal answers sooner, and its colours change less often.
const ASKED_AGAIN: Duration = Duration::from_secs(1);

/// So many engines are followed within this time: one that ends at once each time has a reason of its own.
const FOLLOWED: usize = 3;
const FOLLOWED_WITHIN: Duration = Duration::from_secs(60);

/// Ends what a frame may have left in the middle, and says what happens.
const FOLLOWING: &str = "\x1b\\\x1b[?2026l\x1b[0m\x1b[?1003l\x1b[?25l\x1b[2J\x1b[H\
    The engine ended. Your chats are on disk; the next engine starts, and this window attaches to it.\r\n\
    What you type meanwhile goes nowhere. Ctrl+C leaves.";

impl AttachedTerminal {
    /// Turns the terminal's modes on and asks the engine to draw.
    pub fn enter(connection: Connection, options: ScreenOptions, answers: &Answers) -> io::Result<AttachedTerminal> {
        let writer = TerminalWriter::start()?;
        let keyboard = answers.keyboard();
        let home = options.home.clone();
        let attach = attach(options, answers)?;
        let (outgoing, incoming) = parts(connection);
        writer
            .order(None, terminal::entering(keyboard))
            .map_err(|_| io::Error::other("the terminal takes nothing"))?;
        let mut screen = AttachedTerminal {
            writer,
            keyboard,
            incoming,
            outgoing,
            pending: VecDeque::new(),
            liveness: Liveness::default(),
            tells_colours: answers.tells_colours(),
            asked_again: None,
            told: ToldColours::default(),
            borrows: false,
            home,
            attach,
            unwritten: 0,
            stale: 0,
            lost: VecDeque::new(),
            typed: None,
            types_on: false,
        };
        if answers.follows && screen.tells_colours {
            screen
                .writer
                .order(None, queries::FOLLOW.to_vec())
                .map_err(|_| io::Error::other("the terminal takes nothing"))?;
        }
        screen.ask_to_draw()?;
        Ok(screen)
    }

    fn ask_to_draw(&mut self) -> io::Result<()> {
        let body = serde_json::to_value(&self.attach)?;
        self.say(Message::Request { id: ATTACH, body });
        Ok(())
    }

    /// Passes on what was typed so far, then runs until something ends it, and leaves the terminal as it was.
    pub async fn show(mut self, typed: Vec<FromTerminal>, mut keys: KeyEvents, mut signals: Signals) -> ScreenEnd {
        self.take(typed, &mut keys);
        let end = loop {
            match self.run(&mut keys, &mut signals).await {
                ScreenEnd::EngineGone if self.note_loss() <= FOLLOWED => {
                    match self.follow(&mut keys, &mut signals).await {
                        Ok(()) => {}
                        Err(end) => break end,
                    }
                }
                end => break end,
            }
        };
        if end.leaves_engine() {
            self.part().await;
        }
        self.writer.end(terminal::leaving(self.keyboard)).await;
        end
    }

    /// Says goodbye to the engine, and waits until it has let go of the terminal.
    async fn part(&mut self) {
        let (nobody, _) = mpsc::channel(1);
        self.outgoing = nobody;
        let gone = async { while let Some(Ok(_)) = self.incoming.next().await {} };
        let _ = timeout(PARTING, gone).await;
    }

    /// How many engines were lost lately.
    fn note_loss(&mut self) -> usize {
        let now = Instant::now();
        self.lost.retain(|at| now - *at < FOLLOWED_WITHIN);
        self.lost.push_back(now);
        self.lost.len()
    }

    /// Attaches to the next engine, which is started where none runs.
    async fn follow(&mut self, keys: &mut KeyEvents, signals: &mut Signals) -> Result<(), ScreenEnd> {
        self.stale += std::mem::take(&mut self.unwritten);
        // A terminal that takes nothing just now shows it later, or the next frame.
        let _ = self.writer.order(None, FOLLOWING.into());
        self.borrows = false;
        keys.take_back();
        let home = self.home.clone();
        let connecting = connect::engine(&home, StartEngine::IfMissing);
        tokio::pin!(connecting);
        let connected = loop {
            tokio::select! {
                connected = &mut connecting => break connected,
                signal = signals.next() => return Err(ScreenEnd::Signal(signal)),
                came = keys.next() => match came {
                    Some(Came::Typed(typed)) if typed.iter().any(keys::interrupts) => {
                        return Err(ScreenEnd::Signal(Signal::INT));
                    }
                    Some(Came::Typed(_)) => self.typed = Some(Instant::now()),
                    Some(Came::Overdue) => {}
                    None => return Err(ScreenEnd::TerminalClosed),
                },
            }
        };
        let connection = connected.map_err(|error| {
            let hint = error.hint();
            ScreenEnd::Refused(format!(
                "the engine ended, and no other can be reached: {error}; {hint}"
            ))
        })?;
        (self.outgoing, self.incoming) = parts(connection);
        (self.pending, self.liveness) = (VecDeque::new(), Liveness::default());
        if let Ok(size) = crossterm::terminal::size() {
            (self.attach.cols, self.attach.rows) = keys::known_size(size);
        }
        self.attach.edits = false;
        self.types_on = true;
        self.ask_to_draw()
            .map_err(|error| ScreenEnd::Nonsense(error.to_string()))
    }

    async fn run(&mut self, keys: &mut KeyEvents, signals: &mut Signals) -> ScreenEnd {
        loop {
            tokio::select! {
                biased;
                signal = signals.next() => return ScreenEnd::Signal(signal),
                message = self.incoming.next() => {
                    if let Some(end) = self.hear(message, keys) {
                        return end;
                    }
                }
                written = self.writer.written() => match written {
                    // No engine waits to hear of it.
                    Some(_) if self.stale > 0 => self.stale -= 1,
                    Some(number) => {
                        self.unwritten = self.unwritten.saturating_sub(1);
                        self.pending.push_back(Message::Ack { number });
                    }
                    None => return ScreenEnd::TerminalClosed,
                },
                () = send_next(&self.outgoing, &mut self.pending), if !self.pending.is_empty() => {}
                came = keys.next(), if self.pending.is_empty() => match came {
                    Some(Came::Typed(typed)) => self.take(typed, keys),
                    // It is asked whether it still lives.
                    Some(Came::Overdue) => self.liveness.expect(),
                    None => return ScreenEnd::TerminalClosed,
                },
                due = self.liveness.due() => match due {
                    LivenessDue::Ask => self.pending.push_back(Liveness::question()),
                    LivenessDue::Frozen => return ScreenEnd::EngineFrozen,
                },
            }
        }
    }

    /// Hands on what came, and lends the keyboard to the engine where somebody types.
    fn take(&mut self, typed: Vec<FromTerminal>, keys: &mut KeyEvents) {
        let is_typing = typed
            .iter()
            .any(|typed| matches!(typed, FromTerminal::Event(Event::Key(_))));
        self.hand_on(typed, keys);
        let is_flooded = self.pending.len() > TYPED_AT_ONCE;
        if is_typing && !is_flooded && self.borrows && !self.types_on && keys.is_between() {
            self.lend(keys);
        }
    }

    fn hand_on(&mut self, typed: Vec<FromTerminal>, keys: &mut KeyEvents) {
        for typed in typed {
            match typed {
                FromTerminal::Event(Event::Key(_) | Event::Paste(_)) if self.passes_over() => {}
                FromTerminal::Event(event) => {
                    if event == Event::FocusGained {
                        self.ask_colours(keys);
                    }
                    self.say(Message::Input(event));
                }
                FromTerminal::Foreground(_) | FromTerminal::Background(_) => {
                    self.told.hear(&typed);
                    self.pending.extend(self.told.take().map(Message::Colours));
                }
                FromTerminal::Scheme if self.asked_again.is_none_or(|asked| asked.elapsed() > ASKED_AGAIN) => {
                    self.asked_again = Some(Instant::now());
                    self.ask_colours(keys);
                }
                FromTerminal::Scheme | FromTerminal::Kitty | FromTerminal::Kind => {}
            }
        }
    }

    /// Whoever types on while one engine takes the place of another does not mean what stands on the screen by then.
    fn passes_over(&mut self) -> bool {
        let before = self.typed.replace(Instant::now());
        self.types_on &= before.is_some_and(|at| at.elapsed() < LOOKS_UP);
        self.types_on
    }

    /// Colours may be others when a person comes back to their terminal, and where it tells of a change: day and night
    /// change them.
    fn ask_colours(&mut self, keys: &mut KeyEvents) {
        if self.tells_colours {
            // A terminal that takes nothing tells nothing.
            let _ = self.writer.order(None, queries::for_colours());
            keys.expect_colours();
        }
    }

    fn lend(&mut self, keys: &mut KeyEvents) {
        self.pending.push_back(Message::LendKeyboard);
        keys.lend();
    }

    /// For what the engine answers in some way: a frame, a reply.
    fn say(&mut self, message: Message) {
        self.pending.push_back(message);
        self.liveness.expect();
    }

    fn hear(&mut self, message: Option<Result<Message, wire::Error>>, keys: &mut KeyEvents) -> Option<ScreenEnd> {
        self.liveness.heard();
        match message {
            Some(Ok(Message::Frame { number, bytes })) => {
                self.unwritten += 1;
                let ordered = self.writer.order(Some(number), bytes);
                let flooded = || ScreenEnd::Nonsense("frames came faster than they were asked for".into());
                ordered.err().map(|_| flooded())
            }
            Some(Ok(Message::Bye { why, exit })) => Some(ScreenEnd::Bye { why, exit }),
            Some(Ok(Message::Reply { id: ATTACH, body })) => match body {
                Ok(told) => {
                    self.borrows = told["borrows"] == true;
                    None
                }
                Err(problem) => Some(ScreenEnd::Refused(request::told(&problem))),
            },
            Some(Ok(Message::Stream { id: ATTACH, mut body })) => {
                self.attach.place = Some(body["place"].take()).filter(|place| !place.is_null());
                None
            }
            Some(Ok(Message::RenewKeyboard)) => {
                if keys.is_lent() {
                    self.pending.push_back(Message::RenewKeyboard);
                    keys.lend();
                }
                None
            }
            Some(Ok(Message::ReturnKeyboard(bytes))) => {
                keys.take_back();
                let typed = keys.read_elsewhere(&bytes);
                // It is not lent again at once: what the engine could not use goes on.
                self.hand_on(typed, keys);
                None
            }
            // The answer to a ping, and what is meant for shell verbs.
            Some(Ok(
                Message::Reply { .. }
                | Message::Stream { .. }
                | Message::Input(_)
                | Message::LendKeyboard
                | Message::Colours(_)
                | Message::Ack { .. }
                | Message::Request { .. },
            )) => None,
            Some(Err(wire::Error::Io(_))) | None => Some(ScreenEnd::EngineGone),
            Some(Err(error)) => Some(ScreenEnd::Nonsense(error.to_string())),
        }
    }
}

/// Hands on one message once there is room. When the engine is gone there never is; `incoming` tells of it.
async fn send_next(outgoing: &mpsc::Sender<Message>, pending: &mut VecDeque<Message>) {
    match outgoing.reserve().await {
        Ok(permit) => {
            if let Some(message) = pending.pop_front() {
                permit.send(message);
            }
        }
        Err(_) => std::future::pending().await,
    }
}

async fn send_all(mut sink: SplitSink<Connection, Message>, mut waiting: mpsc::Receiver<Message>) {
    while let Some(message) = waiting.recv().await {
        if sink.send(message).await.is_err() {
            return;
        }
    }
    // The other side then reads that nothing more comes.
    let _ = sink.close().await;
}

/// The two ways of a connection. What goes out has a task of its own.
fn parts(connection: Connection) -> (mpsc::Sender<Message>, SplitStream<Connection>) {
    let (sink, incoming) = connection.split();
    let (outgoing, waiting) = mpsc::channel(WAITING);
    tokio::spawn(send_all(sink, waiting));
    (outgoing, incoming)
}

fn attach(options: ScreenOptions, answers: &Answers) -> io::Result<Attach> {
    let (cols, rows) = keys::known_size(crossterm::terminal::size()?);
    let env: BTreeMap<String, String> = env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| name != GUARD)
        .collect();
    Ok(Attach {
        cols,
        rows,
        chat: options.chat,
        bound: options.bound,
        place: None,
        edits: options.edits,
        reader: options.reader,
        // A directory that was removed under the shell has no name; the engine then has its own opinion.
        cwd: env::current_dir().unwrap_or_else(|_| PathBuf::from("/")),
        env,
        term: answers.term(),
        terminal: terminal::file(),
    })
}
