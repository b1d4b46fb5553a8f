//! The thread that reads what agents' CLIs write of themselves: session files whole, transcripts as they grow.
//!
//! A transcript is read in pieces, and the next piece only when the loop has taken the last and the disk keeps up: a huge
//! one is never held in memory. Where to begin stands in our own transcript.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::agents::{Adapter, Env, KeptOutputs};
use crate::domain::Event;
use crate::domain::event::Observed;
use crate::model::{ChatId, Mark};
use crate::store::ReadOffset;

use super::inbound::{Inbound, Sender};
use super::journals::Backlog;
use super::kept_outputs;
use super::services::Services;
use super::session_file;
use super::sub_agents::SubAgents;
use super::tail::{PIECE, Tail};

/// What may wait for the disk while more is read, and how long reading rests where there are more.
const BEHIND: usize = 8;
const REST: Duration = Duration::from_millis(5);

/// Pieces that are read of a transcript before a hook is told.
const AT_ONCE: usize = 8;

/// How long a hook waits for what its agent's sub-agents wrote: all other agents' hooks wait with it.
const SUB_AGENTS_WAIT: Duration = Duration::from_millis(250);

/// Between two readings of a file.
const APART: Duration = Duration::from_millis(40);

/// Between two readings of a transcript that grows. It is not watched meanwhile: to be told of each of a thousand lines
/// costs more than to read them.
const GROWS: Duration = Duration::from_millis(200);

/// How long behind a hook its CLI's transcript is read more often: Claude Code writes a line a tenth of a second later.
const SOON: Duration = Duration::from_millis(400);

/// How long a transcript has to rest until it is watched again.
const RESTS: Duration = Duration::from_secs(1);

/// What is read soon is read along with what is read now.
const TOGETHER: Duration = Duration::from_millis(25);

/// What the thread is told.
pub(super) enum ReaderOrder {
    Listen {
        chat: ChatId,
        path: PathBuf,
        what: ReadKind,
        adapter: Arc<dyn Adapter>,
    },
    /// Listens to the transcripts that are known before any hook names one, so far as their folders are there.
    ListenToOwn {
        chat: ChatId,
        session: String,
        env: Env,
        adapter: Arc<dyn Adapter>,
    },
    Forget(ChatId),
    Touched(PathBuf),
    /// Reads the chat's transcripts, so far as is soon done, then tells the loop.
    Then(ChatId, Event),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadKind {
    SessionFile,
    Transcript,
}

/// The thread.
pub(super) struct Reader {
    services: Arc<Services>,
    backlog: Backlog,
    sender: Sender,
    files: HashMap<PathBuf, Listened>,
    /// What transcripts are read into, one after another.
    block: Vec<u8>,
}

struct Listened {
    chat: ChatId,
    what: FollowedFile,
    /// Where its CLI keeps whole outputs.
    kept: Option<KeptOutputs>,
    /// When it was read last, and when it has to be read for what was written since.
    read: Option<Instant>,
    due: Option<Instant>,
    /// A hook told of what its CLI is about to write: until then it is read more often.
    soon: Option<Instant>,
    /// When it was found to have grown, while it is read by the clock and not watched.
    grew: Option<Instant>,
    /// Its agent runs, so that it is read by the clock or watched.
    live: bool,
}

enum FollowedFile {
    SessionFile(Arc<dyn Adapter>),
    Transcript {
        tail: Tail,
        adapter: Arc<dyn Adapter>,
        sub_agents: SubAgents,
    },
    /// The transcript of a sub-agent, and that of its session.
    SubAgent(Tail, PathBuf),
}

impl Listened {
    fn new(chat: ChatId, what: FollowedFile, kept: Option<KeptOutputs>) -> Listened {
        Listened {
            chat,
            what,
            kept,
            read: None,
            due: None,
            soon: None,
            grew: None,
            live: true,
        }
    }

    /// The last look found more of its sub-agents' transcripts than are begun with at one.
    fn has_more_sub_agents(&self) -> bool {
        matches!(&self.what, FollowedFile::Transcript { sub_agents, .. } if sub_agents.has_more)
    }
}

impl Reader {
    pub(super) fn new(services: Arc<Services>, backlog: Backlog, sender: Sender) -> Reader {
        Reader {
            services,
            backlog,
            sender,
            files: HashMap::new(),
            block: Vec::new(),
        }
    }

    pub(super) fn run(mut self, inbox: &Receiver<ReaderOrder>) {
        loop {
            let next = self.files.values().filter_map(|file| file.due).min();
            let order = match next {
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(due) => inbox.recv_timeout(due.saturating_duration_since(Instant::now())),
            };
            let order = match order {
                Ok(order) => order,
                Err(RecvTimeoutError::Timeout) => {
                    self.read_due();
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => return,
            };
            match order {
                ReaderOrder::Listen {
                    chat,
                    path,
                    what,
                    adapter,
                } => self.begin(chat, &path, what, adapter),
                ReaderOrder::ListenToOwn {
                    chat,
                    session,
                    env,
                    adapter,
                } => self.begin_own(&chat, &session, &env, &adapter),
                ReaderOrder::Forget(chat) => self.forget(&chat),
                ReaderOrder::Touched(path) => self.touched(&path),
                ReaderOrder::Then(chat, event) => {
                    self.read_transcripts(&chat);
                    self.sender.send(Inbound::Event(event));
                }
            }
        }
    }

    fn begin_own(&mut self, chat: &ChatId, session: &str, env: &Env, adapter: &Arc<dyn Adapter>) {
        let dir = self.services.home.chat_path(chat);
        for path in adapter.own_transcripts(&dir, session, env) {
            let follows = |file: &Listened| file.chat == *chat && file.live;
            let is_followed = self.files.get(&path).is_some_and(follows);
            if !is_followed && path.parent().is_some_and(Path::is_dir) {
                self.begin(chat.clone(), &path, ReadKind::Transcript, adapter.clone());
            }
        }
    }

    fn begin(&mut self, chat: ChatId, path: &Path, what: ReadKind, adapter: Arc<dyn Adapter>) {
        self.listen(chat, path, what, adapter);
        // What was written before it is watched is read below.
        self.services.watch_file(path);
        self.read(path);
        self.take_up_sub_agents(path);
        self.follow_sub_agents(path);
    }

    fn listen(&mut self, chat: ChatId, path: &Path, what: ReadKind, adapter: Arc<dyn Adapter>) {
        // Nobody tells this thread of a chat that is deleted.
        let home = &self.services.home;
        self.files
            .retain(|_, file| file.live || home.record_path(&file.chat).is_dir());
        if let Some(known) = self.files.get_mut(path).filter(|known| known.chat == chat) {
            if let (false, FollowedFile::Transcript { tail, .. }) = (known.live, &mut known.what) {
                tail.begin_process();
            }
            (known.grew, known.live) = (None, true);
            return;
        }
        let kept = adapter.kept_outputs(path);
        let what = match what {
            ReadKind::SessionFile => FollowedFile::SessionFile(adapter),
            ReadKind::Transcript => {
                let mut read_offset = self.read_offset(&chat, path);
                let known = Observed::Known(read_offset.take_prompts());
                self.tell(Some(Event::Observed(chat.clone(), known)));
                let went_back = adapter.went_back(path).map(Observed::WentBack);
                self.tell(went_back.map(|went_back| Event::Observed(chat.clone(), went_back)));
                FollowedFile::Transcript {
                    sub_agents: SubAgents::new(read_offset.at),
                    tail: Tail::new(path, read_offset, adapter.transcript_reader()),
                    adapter,
                }
            }
        };
        self.files.insert(path.into(), Listened::new(chat, what, kept));
    }

    fn read_offset(&self, chat: &ChatId, path: &Path) -> ReadOffset {
        self.services
            .home
            .read_offset(chat, &name_of(path))
            .unwrap_or_else(|error| {
                tracing::warn!("what was read of {chat}'s agent before is not known: {error}");
                ReadOffset::default()
            })
    }

    /// A transcript is there after its agent; the next agent of the chat may go on in it.
    fn forget(&mut self, chat: &ChatId) {
        let services = &self.services;
        self.files.retain(|path, file| {
            let stays = file.chat != *chat || !matches!(file.what, FollowedFile::SessionFile(_));
            if file.chat == *chat {
                // What was written last is read when it is due.
                (file.grew, file.live) = (None, false);
                services.forget_file(path);
            }
            stays
        });
    }

    /// A file that grows line by line is read a few times a second, not once a line.
    fn touched(&mut self, path: &Path) {
        let now = Instant::now();
        let Some(file) = self.files.get_mut(path) else {
            return;
        };
        let has_more = file.has_more_sub_agents();
        match file.read {
            Some(read) if now < read + APART => {
                file.due.get_or_insert(read + APART);
            }
            Some(_) | None => self.read(path),
        }
        if has_more {
            self.follow_sub_agents(path);
        }
    }

    fn read_due(&mut self) {
        let soon = Instant::now() + TOGETHER;
        let due = self
            .files
            .iter()
            .filter(|(_, file)| file.due.is_some_and(|due| due <= soon));
        let paths: Vec<PathBuf> = due.map(|(path, _)| path.clone()).collect();
        for path in paths {
            self.watch_if_it_rests(&path);
            self.read(&path);
        }
    }

    /// What is written from now on is told again, and what was written before is read after this.
    fn watch_if_it_rests(&mut self, path: &Path) {
        let Some(file) = self.files.get_mut(path) else {
            return;
        };
        if file.grew.is_some_and(|grew| grew.elapsed() >= RESTS) {
            file.grew = None;
            self.services.watch_file(path);
        }
    }

    fn read_transcripts(&mut self, chat: &ChatId) {
        let is_one = |file: &&Listened| file.chat == *chat;
        let of = |sub_agents: bool| {
            let ours = self.files.iter().filter(|(_, file)| is_one(file));
            let ours = ours.filter(move |(_, file)| match file.what {
                FollowedFile::SessionFile(_) => false,
                FollowedFile::Transcript { .. } => !sub_agents,
                FollowedFile::SubAgent(..) => sub_agents,
            });
            ours.map(|(path, _)| path.clone()).collect::<Vec<_>>()
        };
        // What a sub-agent does stands behind the call that made it.
        let (agents, sub_agents) = (of(false), of(true));
        for path in &agents {
            self.read_up(path);
            self.read_soon(path);
        }
        let began = Instant::now();
        for path in &sub_agents {
            match began.elapsed() < SUB_AGENTS_WAIT {
                true => self.read_up(path),
                false => self.read_later(path),
            }
            self.read_soon(path);
        }
        for path in agents {
            self.follow_sub_agents(&path);
        }
    }

    /// What a hook tells is written just behind it, as are the last words of a turn.
    fn read_soon(&mut self, path: &Path) {
        if let Some(file) = self.files.get_mut(path) {
            let now = Instant::now();
            file.soon = Some(now + SOON);
            file.due = file.due.map(|due| due.min(now + APART));
        }
    }

    /// Behind what waits for this thread now.
    fn read_later(&mut self, path: &Path) {
        if let Some(file) = self.files.get_mut(path) {
            file.due = Some(Instant::now());
        }
    }

    fn read(&mut self, path: &Path) {
        let (more, heard) = self.take(path);
        if more {
            self.read_on(path);
        }
        self.tell(heard);
    }

    /// As [`Reader::read`], up to where the file ends now, if that is not far.
    fn read_up(&mut self, path: &Path) {
        for _ in 1..AT_ONCE {
            let (more, heard) = self.take(path);
            self.tell(heard);
            if !more {
                return;
            }
        }
        self.read(path);
    }

    /// What the file says that was not read yet, up to a piece of it, and whether there is more.
    fn take(&mut self, path: &Path) -> (bool, Vec<Event>) {
        let Some(file) = self.files.get_mut(path) else {
            return (false, Vec::new());
        };
        let now = Instant::now();
        file.due = None;
        // It stays where it is: what is read now could not be written.
        if !matches!(file.what, FollowedFile::SessionFile(_)) && self.backlog.is_stuck(&file.chat) {
            file.due = Some(now + RESTS);
            return (false, Vec::new());
        }
        let again = file.read.replace(now).is_some();
        let mut more = false;
        let heard = match &mut file.what {
            FollowedFile::SessionFile(adapter) => session_file::read(adapter.as_ref(), path).into_iter().collect(),
            FollowedFile::Transcript { tail, .. } | FollowedFile::SubAgent(tail, _) => {
                let mut before = tail.offset;
                let mut happened = tail.read_piece(path, &mut self.block);
                if tail.is_cut {
                    let told = self.services.home.told_of(&file.chat, &name_of(path));
                    tail.begin_again(told.unwrap_or_else(|error| {
                        tracing::warn!("what was told of {}'s agent is not known: {error}", file.chat);
                        HashSet::new()
                    }));
                    before = 0;
                    happened = tail.read_piece(path, &mut self.block);
                }
                let mut happened = happened.unwrap_or_default();
                if tail.take_resumed() {
                    let taken_up = Event::Observed(file.chat.clone(), Observed::TakenUp);
                    self.sender.send(Inbound::Event(taken_up));
                }
                kept_outputs::complete(&mut happened, file.kept.as_ref(), |text| tail.kept_output(text));
                // A line of some megabytes is rare.
                self.block.shrink_to(2 * PIECE as usize);
                more = tail.offset >= before + PIECE;
                // It goes on to grow: not what was there already.
                if again && file.live && tail.offset > before && file.grew.replace(now).is_none() {
                    self.services.forget_file(path);
                }
                let mark = Mark {
                    file: name_of(path),
                    to: tail.offset,
                };
                let told = (!happened.is_empty()).then_some(Observed::Transcript(happened, mark));
                // Behind what was said since, so that it is known where that begins.
                let rewinds = tail.take_rewinds(path).into_iter().map(Observed::WentBack);
                let silence = tail.take_silence().then_some(Observed::AnsweredNothing);
                told.into_iter()
                    .chain(rewinds)
                    .chain(silence)
                    .collect::<Vec<Observed>>()
            }
        };
        let is_awaited = file.soon.take_if(|soon| *soon <= now).is_none() && file.soon.is_some();
        file.due = file.grew.map(|_| now + if is_awaited { APART } else { GROWS });
        if more {
            // What comes next was there already.
            file.read = None;
        }
        let told = heard.into_iter().map(|heard| Event::Observed(file.chat.clone(), heard));
        (more, told.collect())
    }

    /// The next piece is read as soon as the loop and the disk have taken what was.
    fn read_on(&mut self, path: &Path) {
        let Some(file) = self.files.get_mut(path) else {
            return;
        };
        match self.backlog.len() > BEHIND {
            true => file.due = Some(Instant::now() + REST),
            // The loop asks for the next piece before it works on this one, and both work at once.
            false => self.sender.send(Inbound::Touched(path.into())),
        }
    }

    fn tell(&self, heard: impl IntoIterator<Item = Event>) {
        for event in heard {
            self.sender.send(Inbound::Event(event));
        }
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

mod following;

#[cfg(test)]
mod tests;
