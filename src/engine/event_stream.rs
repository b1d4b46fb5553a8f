//! Following what an agent CLI's own server tells: one task a live agent, which ends with it.
//!
//! The server is there a few seconds after its agent, and a stream may break off, so the task tries again, and
//! more rarely after a while. Whenever a stream has begun it asks for what was said before: nothing is lost between two streams, and what
//! is told twice is known by its keys. While nothing is said the task sleeps.

use std::collections::HashSet;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, ensure};
use parking_lot::Mutex;
use reqwest::{Client, Method, Response, StatusCode, header};
use serde_json::Value;
use tokio::task::{AbortHandle, spawn_blocking};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use crate::agents::{EventStream, KeptOutputs, OurTools, Passage, ReadStream, loopback};
use crate::domain::Event;
use crate::domain::event::Observed;
use crate::model::{ChatId, LiveText, ServerAnswer, Streamed};
use crate::store::ReadOffset;

use super::inbound::{Inbound, Sender};
use super::kept_outputs;

/// The longest event that is read; a longer one is skipped whole.
const LINE: usize = 8 << 20;

/// An event of more bytes is read beside the loop.
const SHORT: usize = 16 << 10;

/// The longest answer to a question about what was said before.
const ANSWER: usize = 32 << 20;

/// A server on this machine that takes longer than this hangs.
const PATIENCE: Duration = Duration::from_secs(10);

/// Between two tries: a server takes seconds to start, half a minute on a busy machine, and is wanted at once. One that
/// is not there by then may never be.
const SOON: Duration = Duration::from_millis(250);
const EAGER_FOR: Duration = Duration::from_secs(60);
const LATER: Duration = Duration::from_secs(5);

/// How often an agent is told to connect to our tools.
const TRIES: u32 = 10;
const APART: Duration = Duration::from_secs(2);

/// Between two looks at words that are still arriving: a screen shows no more.
const WORDS_APART: Duration = Duration::from_millis(50);

/// So many answers of somebody else, one after the other, are no accident.
const STRANGE: u32 = 4;

/// The task, which ends when this is dropped.
pub(super) struct FollowedStream {
    task: AbortHandle,
    heard: Arc<AtomicBool>,
    chat: ChatId,
    server: FollowedServer,
    reader: Arc<Mutex<Box<dyn ReadStream>>>,
}

impl FollowedStream {
    pub(super) fn start(
        chat: ChatId,
        mut stream: EventStream,
        read_offset: ReadOffset,
        sender: Sender,
    ) -> FollowedStream {
        stream.reader.begin(read_offset.to);
        let heard = Arc::new(AtomicBool::new(false));
        let server = FollowedServer {
            client: loopback::client(),
            address: stream.address,
            authorization: stream.authorization,
        };
        let reader = Arc::new(Mutex::new(stream.reader));
        let follower = Follower {
            heard: heard.clone(),
            chat: chat.clone(),
            server: server.clone(),
            path: stream.path,
            reader: reader.clone(),
            tools: stream.tools,
            told: read_offset.told,
            kept: stream.kept,
            words: PacedWords::default(),
            sender,
        };
        let task = tokio::spawn(follower.run()).abort_handle();
        FollowedStream {
            task,
            heard,
            chat,
            server,
            reader,
        }
    }

    /// Answers what is asked about a call. Whether that was taken the stream tells.
    pub(super) fn reply(&self, answer: ServerAnswer) {
        let (chat, server, reader) = (self.chat.clone(), self.server.clone(), self.reader.clone());
        tokio::spawn(async move {
            // A thread may be reading much text.
            let found = spawn_blocking(move || reader.lock().reply(&answer)).await;
            let Ok(Some((path, body))) = found else {
                return tracing::info!("{chat}: what is answered is not open any more");
            };
            if let Err(why) = server.send(Method::POST, &path, Some(&body)).await {
                tracing::warn!("{chat}: answering its agent's server: {why:#}");
            }
        });
    }

    /// The stream has begun: from now on evidence of what is typed will be heard.
    pub(super) fn is_heard(&self) -> bool {
        self.heard.load(Ordering::Relaxed)
    }
}

impl Drop for FollowedStream {
    fn drop(&mut self) {
        self.task.abort();
    }
}

struct Follower {
    heard: Arc<AtomicBool>,
    chat: ChatId,
    server: FollowedServer,
    path: &'static str,
    /// Locked by whoever reads, this task or a thread for it, and for the moment in which an answer is looked up.
    reader: Arc<Mutex<Box<dyn ReadStream>>>,
    tools: Option<OurTools>,
    /// What our transcript holds already of what is to come.
    told: HashSet<String>,
    kept: Option<KeptOutputs>,
    words: PacedWords,
    sender: Sender,
}

impl Follower {
    async fn run(mut self) {
        let mut silent_since = Instant::now();
        let mut strange = 0;
        loop {
            match self.server.send(Method::GET, self.path, None).await {
                Ok(events) => {
                    let ended = self.follow(events).await;
                    tracing::debug!("{}: the stream of its agent broke off: {ended:?}", self.chat);
                    silent_since = Instant::now();
                }
                Err(why) => {
                    tracing::debug!("{}: its agent's server does not answer: {why:#}", self.chat);
                    strange = if is_strangers(&why) { strange + 1 } else { 0 };
                    if strange == STRANGE && !self.heard.load(Ordering::Relaxed) {
                        let stranger = Event::Observed(self.chat.clone(), Observed::Stranger);
                        return self.sender.send(Inbound::Event(stranger));
                    }
                }
            }
            let eager = silent_since.elapsed() < EAGER_FOR;
            sleep(if eager { SOON } else { LATER }).await;
        }
    }

    async fn follow(&mut self, events: Response) -> anyhow::Result<()> {
        let mut next = self.reader.lock().asks(None);
        while let Some(path) = next {
            // What one answer would have told is not worth losing what is to come.
            match self.server.ask(&path).await {
                Ok(body) => {
                    let asked = path.clone();
                    for passage in self.beside(move |reader| reader.answer(&asked, &body)).await? {
                        self.tell(passage).await;
                    }
                }
                Err(why) => {
                    tracing::warn!("{}: asking its agent's server: {why:#}", self.chat);
                    let mut reader = self.reader.lock();
                    if reader.asks(Some(&path)).as_ref() == Some(&path) {
                        reader.answer(&path, &Value::Null);
                    }
                }
            }
            next = self.reader.lock().asks(Some(&path));
            if next.as_ref() == Some(&path) {
                sleep(SOON).await;
            }
        }
        self.heard.store(true, Ordering::Relaxed);
        self.sender.send(Inbound::Followed(self.chat.clone()));
        let (server, tools) = (self.server.clone(), self.tools);
        let tended = async {
            if let Some(tools) = tools {
                server.tend(tools).await;
            }
            std::future::pending().await
        };
        tokio::select! {
            ended = self.hear(events) => ended,
            never = tended => never,
        }
    }

    async fn hear(&mut self, mut events: Response) -> anyhow::Result<()> {
        let mut lines = FollowedLines::default();
        loop {
            let due = self.words.due();
            let bytes = tokio::select! {
                bytes = events.chunk() => bytes?,
                () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {
                    self.tell_words();
                    continue;
                }
            };
            let Some(bytes) = bytes else { return Ok(()) };
            for line in lines.take(&bytes) {
                if let Some(text) = line.strip_prefix("data:") {
                    let passage = self.read(text.trim_start()).await?;
                    let torn = passage.torn;
                    self.tell(passage).await;
                    if torn {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// What is still being said, as far as it was heard.
    fn tell_words(&mut self) {
        if let Some(words) = self.words.take() {
            let heard = Event::Observed(self.chat.clone(), Observed::Writes(words));
            self.sender.send(Inbound::Event(heard));
        }
    }

    /// Most events are a few words, and a thread would take longer than to read them.
    async fn read(&mut self, text: &str) -> anyhow::Result<Passage> {
        if text.len() <= SHORT {
            return Ok(self.reader.lock().event(text));
        }
        let text = text.to_owned();
        self.beside(move |reader| reader.event(&text)).await
    }

    /// What is read of much text, on a thread of its own: the loop does not wait for it.
    async fn beside<T: Send + 'static>(
        &mut self,
        read: impl FnOnce(&mut dyn ReadStream) -> T + Send + 'static,
    ) -> anyhow::Result<T> {
        let reader = self.reader.clone();
        let read = spawn_blocking(move || read(&mut **reader.lock())).await;
        read.context("reading what its server said")
    }

    /// What is said next waits until this is told.
    async fn tell(&mut self, mut passage: Passage) {
        passage
            .said
            .retain(|said| said.key().is_none_or(|key| !self.told.remove(&key)));
        // Few calls have a file of this machine, and it may be large: the loop does not read it.
        if self.kept.is_some() && kept_outputs::is_any_kept(&passage.said) {
            let (kept, mut said) = (self.kept.clone(), passage.said);
            let completed = spawn_blocking(move || {
                for said in &mut said {
                    if let Streamed::Reported(told) = said {
                        kept_outputs::complete(std::slice::from_mut(told), kept.as_ref(), |text| text);
                    }
                }
                said
            });
            passage.said = completed.await.unwrap_or_else(|stopped| {
                tracing::warn!("{}: reading whole outputs: {stopped}", self.chat);
                Vec::new()
            });
        }
        self.words.hold(passage.writes.take());
        if !passage.said.is_empty() {
            let heard = Observed::Stream(passage.said, passage.read);
            self.sender
                .send(Inbound::Event(Event::Observed(self.chat.clone(), heard)));
        }
    }
}

/// Words that are still arriving come in many pieces. They are told on so often as they can be seen.
#[derive(Default)]
struct PacedWords {
    held: Option<LiveText>,
    told: Option<Instant>,
}

impl PacedWords {
    fn hold(&mut self, words: Option<LiveText>) {
        self.held = words.or_else(|| self.held.take());
    }

    /// When what is held is to be told on.
    fn due(&self) -> Option<Instant> {
        self.held.as_ref()?;
        Some(self.told.map_or_else(Instant::now, |told| told + WORDS_APART))
    }

    fn take(&mut self) -> Option<LiveText> {
        let words = self.held.take()?;
        self.told = Some(Instant::now());
        Some(words)
    }
}

/// Where questions go.
#[derive(Clone)]
struct FollowedServer {
    client: Client,
    address: SocketAddr,
    authorization: String,
}

impl FollowedServer {
    /// The body may go on for ever; its beginning may not.
    async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> anyhow::Result<Response> {
        let mut asked = self
            .client
            .request(method, format!("http://{}{path}", self.address))
            .header(header::AUTHORIZATION, &self.authorization);
        if let Some(body) = body {
            asked = asked.header(header::CONTENT_TYPE, "application/json");
            asked = asked.body(body.to_string());
        }
        let response = timeout(PATIENCE, asked.send())
            .await
            .context("waiting for an answer")??;
        let status = response.status();
        ensure!(status == StatusCode::OK, Refused(status));
        Ok(response)
    }

    async fn ask(&self, path: &str) -> anyhow::Result<Value> {
        let body = loopback::body(self.send(Method::GET, path, None).await?, ANSWER);
        let read = timeout(PATIENCE, body).await.context("reading an answer")?;
        let bytes = read.with_context(|| format!("reading the answer to {path}"))?;
        // It may be as long as `ANSWER`, and this task runs beside the loop, on its thread.
        Ok(spawn_blocking(move || serde_json::from_slice(&bytes)).await??)
    }

    /// Returns when the CLI is connected to our tools, or after as many tries as may help.
    async fn tend(&self, tools: OurTools) {
        for _ in 0..TRIES {
            match self.ask(tools.status).await {
                Ok(status) if (tools.is_connected)(&status) => return,
                Ok(status) => {
                    tracing::info!("an agent is told to connect to parlour's tools: it says {status}");
                    if let Err(why) = self.send(Method::POST, tools.connect, None).await {
                        tracing::info!("it does not: {why:#}");
                    }
                }
                Err(why) => tracing::debug!("whether an agent has parlour's tools is not known: {why:#}"),
            }
            sleep(APART).await;
        }
    }
}

/// What its own server says to nobody who has the password.
#[derive(Debug, thiserror::Error)]
#[error("it answers {0}")]
struct Refused(StatusCode);

/// Whether it was another program that answered.
fn is_strangers(why: &anyhow::Error) -> bool {
    let refused = why
        .downcast_ref::<Refused>()
        .is_some_and(|refused| refused.0.is_client_error());
    let mut below = why.chain().filter_map(|error| error.downcast_ref::<hyper::Error>());
    refused || below.any(hyper::Error::is_parse)
}

/// The unfinished line of a stream that comes in pieces.
#[derive(Default)]
struct FollowedLines {
    line: Vec<u8>,
    overlong: bool,
}

impl FollowedLines {
    /// The lines that end in these bytes.
    fn take(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut finished = Vec::new();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (text, ends) = match piece.strip_suffix(b"\n") {
                Some(text) => (text, true),
                None => (piece, false),
            };
            self.overlong |= self.line.len() + text.len() > LINE;
            match self.overlong {
                true => self.line.clear(),
                false => self.line.extend_from_slice(text),
            }
            if ends {
                let line = std::mem::take(&mut self.line);
                if !std::mem::take(&mut self.overlong) {
                    finished.push(String::from_utf8_lossy(line.trim_ascii_end()).into_owned());
                }
            }
        }
        finished
    }
}

#[cfg(test)]
mod tests;
