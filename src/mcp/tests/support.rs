//! A server on a port of its own, an engine in the hand of the test, and a client that can misbehave.

use std::fmt::Write;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::mcp::{McpLimits, ProgressReports, Refusal, Token, TokenHolder, Tokens, ToolHost, listen, serve};
use crate::model::tool::{Equipped, ProjectCall};
use crate::model::{ChatId, Problem, ToolCall};

/// Longer than anything here takes on a busy machine.
pub const SOON: Duration = Duration::from_secs(60);

#[derive(Default)]
pub struct TestEngine {
    pub tokens: Tokens,
    pub refusals: Mutex<Vec<Refusal>>,
    pub connected: Mutex<Vec<ChatId>>,
    pub only: Mutex<Option<Vec<String>>>,
    pub bare: AtomicBool,
    calls: Mutex<Option<mpsc::UnboundedSender<HeardCall>>>,
}

/// A call in the hand of the test. `list_projects` is answered at once and does not come here.
pub struct HeardCall {
    pub caller: ChatId,
    pub call: ToolCall,
    pub progress: ProgressReports,
    pub cancelled: CancellationToken,
    pub answer: oneshot::Sender<Result<Value, Problem>>,
    /// The engine's own work on the call has seen the cancellation.
    pub abandoned: oneshot::Receiver<()>,
}

impl ToolHost for TestEngine {
    fn failed(&self, _caller: &ChatId, _tool: &str, _why: &str) {}

    fn caller(&self, token: &str) -> Option<TokenHolder> {
        self.tokens.owner(token).map(|chat| TokenHolder { chat })
    }

    fn caller_by_url(&self, token: &str) -> Option<TokenHolder> {
        self.tokens.owner_in_url(token).map(|chat| TokenHolder { chat })
    }

    fn withheld(&self, _: &ChatId, tool: &str) -> Option<String> {
        let only = self.only.lock();
        let offered = only.as_ref().is_none_or(|only| only.iter().any(|name| name == tool));
        (!offered).then(|| "a person switched it off for this chat".into())
    }

    fn equipped(&self, _: &ChatId) -> Equipped {
        match self.bare.load(Ordering::Relaxed) {
            true => Equipped::Bare,
            false => Equipped::WithTools,
        }
    }

    fn connected(&self, caller: &ChatId) {
        self.connected.lock().push(caller.clone());
    }

    fn refused(&self, refusal: Refusal) {
        self.refusals.lock().push(refusal);
    }

    fn call(
        &self,
        caller: ChatId,
        call: ToolCall,
        progress: ProgressReports,
        cancelled: CancellationToken,
    ) -> BoxFuture<'static, Result<Value, Problem>> {
        if call == ToolCall::Project(ProjectCall::List) {
            return async { Ok(json!({"projects": []})) }.boxed();
        }
        let (answer, answered) = oneshot::channel();
        let (abandon, abandoned) = oneshot::channel();
        let seen = cancelled.clone();
        let heard = HeardCall {
            caller,
            call,
            progress,
            cancelled,
            answer,
            abandoned,
        };
        let calls = self.calls.lock().clone().unwrap();
        calls.send(heard).ok().unwrap();
        let work = async move {
            tokio::select! {
                answer = answered => answer.unwrap(),
                () = seen.cancelled() => {
                    let _ = abandon.send(());
                    Err(Problem::new("opening grove", "taken back", ""))
                }
            }
        };
        work.boxed()
    }
}

pub struct TestServer {
    pub port: u16,
    pub engine: Arc<TestEngine>,
    pub chat: ChatId,
    pub token: Token,
    pub stop: CancellationToken,
    /// The server itself, to see it end.
    pub gone: JoinHandle<io::Result<()>>,
    calls: mpsc::UnboundedReceiver<HeardCall>,
    _stop: DropGuard,
}

impl TestServer {
    pub async fn open() -> TestServer {
        TestServer::with(McpLimits::default()).await
    }

    pub async fn with(limits: McpLimits) -> TestServer {
        let listener = listen(0).unwrap();
        let port = listener.local_addr().unwrap().port();
        let (sender, calls) = mpsc::unbounded_channel();
        let engine = Arc::new(TestEngine::default());
        *engine.calls.lock() = Some(sender);
        let chat = ChatId::from_bits(7);
        let token = engine.tokens.issue(&chat).unwrap();
        let stop = CancellationToken::new();
        let gone = tokio::spawn(serve(listener, engine.clone(), limits, stop.clone()));
        let _stop = stop.clone().drop_guard();
        TestServer {
            port,
            engine,
            chat,
            token,
            stop,
            gone,
            calls,
            _stop,
        }
    }

    pub async fn heard(&mut self) -> HeardCall {
        let call = timeout(SOON, self.calls.recv()).await;
        call.expect("a call reaches the engine").unwrap()
    }

    pub fn refusals(&self) -> Vec<Refusal> {
        self.engine.refusals.lock().drain(..).collect()
    }

    /// A request as an agent CLI sends it; each test bends what it is about.
    pub fn post(&self, message: Value) -> HttpAsk {
        self.post_as(&self.chat, &self.token, message)
    }

    pub fn post_as(&self, chat: &ChatId, token: &Token, message: Value) -> HttpAsk {
        let host = format!("127.0.0.1:{}", self.port);
        HttpAsk {
            port: self.port,
            method: "POST",
            target: format!("/mcp?caller={chat}"),
            headers: vec![
                ("Host", host),
                ("Authorization", format!("Bearer {}", token.reveal())),
                ("Content-Type", "application/json".into()),
                ("Accept", "application/json, text/event-stream".into()),
            ],
            body: message.to_string().into_bytes(),
        }
    }
}

pub struct HttpAsk {
    port: u16,
    pub method: &'static str,
    pub target: String,
    headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

impl HttpAsk {
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> HttpAsk {
        self = self.without(name);
        self.also(name, value)
    }

    pub fn also(mut self, name: &'static str, value: impl Into<String>) -> HttpAsk {
        self.headers.push((name, value.into()));
        self
    }

    pub fn without(mut self, name: &'static str) -> HttpAsk {
        self.headers.retain(|(header, _)| *header != name);
        self
    }

    pub fn target(mut self, target: impl Into<String>) -> HttpAsk {
        self.target = target.into();
        self
    }

    pub fn method(mut self, method: &'static str) -> HttpAsk {
        self.method = method;
        self
    }

    pub fn body(mut self, body: impl Into<Vec<u8>>) -> HttpAsk {
        self.body = body.into();
        self
    }

    pub fn head(&self) -> String {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.target);
        for (name, value) in &self.headers {
            write!(head, "{name}: {value}\r\n").unwrap();
        }
        if !head.contains("Transfer-Encoding") && !head.contains("Content-Length") {
            write!(head, "Content-Length: {}\r\n", self.body.len()).unwrap();
        }
        head + "\r\n"
    }

    /// The request sent, the answer not waited for.
    pub async fn start(&self) -> TcpStream {
        let mut stream = connect(self.port).await;
        stream.write_all(self.head().as_bytes()).await.unwrap();
        // A server that refuses the head may have stopped listening.
        let _ = stream.write_all(&self.body).await;
        stream
    }

    pub async fn send(&self) -> HttpAnswer {
        answer(self.start().await).await
    }

    pub async fn status(&self) -> u16 {
        self.send().await.status
    }
}

#[derive(Debug)]
pub struct HttpAnswer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl HttpAnswer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    pub fn error_code(&self) -> i64 {
        self.json()["error"]["code"]
            .as_i64()
            .unwrap_or_else(|| panic!("no error: {self:?}"))
    }
}

pub async fn connect(port: u16) -> TcpStream {
    TcpStream::connect(("127.0.0.1", port)).await.unwrap()
}

/// Read on until the server has said something.
pub async fn says(stream: &mut TcpStream, said: &mut String, words: &str) {
    let reading = async {
        while !said.contains(words) {
            let mut piece = [0; 4096];
            let length = stream.read(&mut piece).await.unwrap();
            assert_ne!(length, 0, "ended without {words:?}: {said}");
            said.push_str(&String::from_utf8_lossy(&piece[..length]));
        }
    };
    timeout(SOON, reading)
        .await
        .unwrap_or_else(|_| panic!("{words:?} is not said"));
}

/// The messages of an event stream.
pub fn events(said: &str) -> Vec<Value> {
    let datas = said.lines().filter_map(|line| line.strip_prefix("data: "));
    datas.map(|text| serde_json::from_str(text).unwrap()).collect()
}

/// Everything up to the end of the connection.
pub async fn answer(mut stream: TcpStream) -> HttpAnswer {
    let mut bytes = Vec::new();
    let read = timeout(SOON, stream.read_to_end(&mut bytes)).await;
    let read = read.expect("the server ends the connection");
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text
        .split_once("\r\n\r\n")
        .unwrap_or_else(|| panic!("no answer: {text:?} {read:?}"));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    HttpAnswer {
        status,
        head: head.to_lowercase(),
        body: body.to_string(),
    }
}

pub fn list_tools() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}})
}

pub fn call(id: i64, name: &str, arguments: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
        "params": {"name": name, "arguments": arguments}})
}

pub fn open_dir(id: i64) -> Value {
    call(id, "open_dir", json!({"path_or_url": "grove"}))
}

pub fn opened() -> Value {
    json!({"name": "grove", "path": "/c/projects/grove", "branch": "main", "created": false})
}
