//! Following what an agent CLI's own server tells: one task a live agent, which ends with it.
//!
//! The server is there a few seconds after its agent, and a stream may break off, so the task tries again, and
//! more rarely after a while. Whenever a stream has begun it asks for what was said before: nothing is lost between two streams, and what
//! is told twice is known by its keys. While nothing is said the task sleeps.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, ensure};
use http_body_util::{BodyExt, Empty, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1;
use hyper::{Request, Response, StatusCode, header};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep, timeout};

use crate::agents::{EventStream, Passage};
use crate::app::Event;
use crate::app::event::Heard;
use crate::model::ChatId;
use crate::store::SoFar;

use super::inbound::{Inbound, Sender};

/// The longest event that is read; a longer one is skipped whole.
const LINE: usize = 8 << 20;

/// The longest answer to a question about what was said before.
const ANSWER: usize = 32 << 20;

/// A server on this machine that takes longer than this hangs.
const PATIENCE: Duration = Duration::from_secs(10);

/// Between two tries: a server takes seconds to start, half a minute on a busy machine, and is wanted at once. One that
/// is not there by then may never be.
const SOON: Duration = Duration::from_millis(250);
const EAGER_FOR: Duration = Duration::from_secs(60);
const LATER: Duration = Duration::from_secs(5);

/// The task, which ends when this is dropped.
pub(super) struct Following {
    task: AbortHandle,
    heard: Arc<AtomicBool>,
}

impl Following {
    pub(super) fn start(chat: ChatId, mut stream: EventStream, so_far: SoFar, sender: Sender) -> Following {
        stream.reader.begin(so_far.to);
        let heard = Arc::new(AtomicBool::new(false));
        let follower = Follower {
            heard: heard.clone(),
            chat,
            stream,
            told: so_far.told,
            sender,
        };
        let task = tokio::spawn(follower.run()).abort_handle();
        Following { task, heard }
    }

    /// The stream has begun: from now on evidence of what is typed will be heard.
    pub(super) fn is_heard(&self) -> bool {
        self.heard.load(Ordering::Relaxed)
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        self.task.abort();
    }
}

struct Follower {
    heard: Arc<AtomicBool>,
    chat: ChatId,
    stream: EventStream,
    /// What our transcript holds already of what is to come.
    told: HashSet<String>,
    sender: Sender,
}

impl Follower {
    async fn run(mut self) {
        let mut silent_since = Instant::now();
        loop {
            match self.connect().await {
                Ok(events) => {
                    let ended = self.follow(events).await;
                    tracing::debug!("{}: the stream of its agent broke off: {ended:?}", self.chat);
                    silent_since = Instant::now();
                }
                Err(why) => tracing::debug!("{}: its agent's server does not answer: {why:#}", self.chat),
            }
            let eager = silent_since.elapsed() < EAGER_FOR;
            sleep(if eager { SOON } else { LATER }).await;
        }
    }

    async fn connect(&self) -> anyhow::Result<Incoming> {
        let response = self.get(self.stream.path).await?;
        Ok(response.into_body())
    }

    /// The body may go on for ever; its beginning may not.
    async fn get(&self, path: &str) -> anyhow::Result<Response<Incoming>> {
        let asked = async {
            let socket = TcpStream::connect(self.stream.address).await?;
            let (mut requests, connection) = http1::handshake(TokioIo::new(socket)).await?;
            // Ends when the body is read or dropped.
            tokio::spawn(connection);
            let request = Request::get(path)
                .header(header::HOST, self.stream.address.to_string())
                .header(header::AUTHORIZATION, &self.stream.authorization)
                .body(Empty::<Bytes>::new())?;
            anyhow::Ok(requests.send_request(request).await?)
        };
        let response = timeout(PATIENCE, asked).await.context("waiting for an answer")??;
        let status = response.status();
        ensure!(status == StatusCode::OK, "{path} answers {status}");
        Ok(response)
    }

    async fn follow(&mut self, mut events: Incoming) -> anyhow::Result<()> {
        let mut next = self.stream.reader.asks(None);
        while let Some(path) = next {
            // What one answer would have told is not worth losing what is to come.
            match self.ask(&path).await {
                Ok(body) => {
                    let passages = self.stream.reader.answer(&path, &body);
                    passages.into_iter().for_each(|passage| self.tell(passage));
                }
                Err(why) => tracing::warn!("{}: asking its agent's server: {why:#}", self.chat),
            }
            next = self.stream.reader.asks(Some(&path));
        }
        self.heard.store(true, Ordering::Relaxed);
        self.sender.send(Inbound::Followed(self.chat.clone()));
        let mut lines = Lines::default();
        while let Some(frame) = events.frame().await {
            if let Some(bytes) = frame?.data_ref() {
                for line in lines.take(bytes) {
                    if let Some(text) = line.strip_prefix("data:") {
                        let passage = self.stream.reader.event(text.trim_start());
                        self.tell(passage);
                    }
                }
            }
        }
        Ok(())
    }

    async fn ask(&self, path: &str) -> anyhow::Result<Value> {
        let body = Limited::new(self.get(path).await?.into_body(), ANSWER);
        let read = timeout(PATIENCE, body.collect()).await.context("reading an answer")?;
        let bytes = read
            .map_err(|error| anyhow::anyhow!(error))
            .with_context(|| format!("reading the answer to {path}"))?;
        Ok(serde_json::from_slice(&bytes.to_bytes())?)
    }

    fn tell(&mut self, mut passage: Passage) {
        passage
            .said
            .retain(|said| said.key().is_none_or(|key| !self.told.remove(&key)));
        if !passage.said.is_empty() {
            let heard = Heard::Stream(passage.said, passage.read);
            self.sender.send(Inbound::Event(Event::Heard(self.chat.clone(), heard)));
        }
    }
}

/// The unfinished line of a stream that comes in pieces.
#[derive(Default)]
struct Lines {
    line: Vec<u8>,
    overlong: bool,
}

impl Lines {
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
