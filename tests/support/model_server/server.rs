//! The HTTP around a scenario: loopback, a free port, and a record of everything asked.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures::stream;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio::time;

use super::cursor::Cursors;
use super::dialect::{Beat, DIALECTS, Dialect, Prompt, Reply};
use super::gates::Gates;
use super::scenario::{Fault, Scenario};

/// How long a test waits for what it expects. The agent CLIs start slowly on a busy machine.
const PATIENCE: Duration = Duration::from_secs(180);

pub struct ModelServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    serving: JoinHandle<()>,
}

/// One request, as the test reads it.
#[derive(Clone, Debug)]
pub struct Asked {
    pub method: Method,
    pub path: String,
    pub headers: HeaderMap,
    pub body: Value,
    /// Outside the conversation, or not for a reply at all.
    pub aside: bool,
    pub tools: Vec<String>,
    pub tool_results: Vec<String>,
    pub last_user: String,
}

struct Shared {
    cursors: Mutex<Cursors>,
    asked: Mutex<Vec<Asked>>,
    gates: Gates,
    replies: AtomicUsize,
    /// In every id: a CLI that resumes a conversation drops messages whose id it has seen.
    run: uuid::Uuid,
}

impl ModelServer {
    /// Serves on the test's runtime; a test that blocks its thread needs one with several.
    pub async fn start(scenario: Scenario) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free loopback port");
        let address = listener.local_addr().expect("a bound listener has an address");
        let shared = Arc::new(Shared {
            cursors: Mutex::new(Cursors::new(scenario)),
            asked: Mutex::default(),
            gates: Gates::default(),
            replies: AtomicUsize::new(0),
            run: uuid::Uuid::new_v4(),
        });
        let routes = Router::new().fallback(serve).with_state(shared.clone());
        let serving = tokio::spawn(async move { axum::serve(listener, routes).await.expect("serving never ends") });
        Self {
            address,
            shared,
            serving,
        }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn requests(&self) -> Vec<Asked> {
        self.shared.asked.lock().clone()
    }

    /// The requests of the conversation itself.
    pub fn conversation(&self) -> Vec<Asked> {
        self.requests().into_iter().filter(|asked| !asked.aside).collect()
    }

    pub fn release(&self, gate: &str) {
        self.shared.gates.open(gate);
    }

    /// Waits until a reply stands before the gate.
    pub async fn reached(&self, gate: &str) {
        if time::timeout(PATIENCE, self.shared.gates.reached(gate)).await.is_err() {
            panic!("no reply came to the gate {gate:?}; asked: {:#?}", self.prompts());
        }
    }

    fn prompts(&self) -> Vec<String> {
        self.requests()
            .iter()
            .map(|asked| format!("{} {}: {}", asked.method, asked.path, asked.last_user))
            .collect()
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn serve(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    let path = head.uri.path().to_owned();
    let dialect = DIALECTS
        .iter()
        .copied()
        .find(|dialect| head.method == Method::POST && dialect.generates(&path));
    let prompt = dialect.map(|dialect| dialect.parse(&body));
    let aside = prompt
        .as_ref()
        .is_none_or(|prompt| shared.cursors.lock().aside(prompt).is_some());
    let said = prompt.clone().unwrap_or_default();
    let asked = Asked {
        method: head.method,
        path: path.clone(),
        headers: head.headers,
        body: body.clone(),
        aside,
        tools: said.tools,
        tool_results: said.tool_results,
        last_user: said.last_user,
    };
    shared.asked.lock().push(asked);
    match dialect.zip(prompt) {
        Some((dialect, prompt)) => reply(&shared, dialect, prompt).await,
        None => {
            let beside = DIALECTS.iter().find_map(|dialect| dialect.beside(&path, &body));
            axum::Json(beside.unwrap_or_else(|| json!({}))).into_response()
        }
    }
}

async fn reply(shared: &Arc<Shared>, dialect: &'static (dyn Dialect + Sync), prompt: Prompt) -> Response {
    let step = shared.cursors.lock().answer(&prompt);
    let number = shared.replies.fetch_add(1, Ordering::Relaxed);
    let reply = Reply {
        id: format!("msg_{}_{number}", shared.run.simple()),
        model: prompt.model,
        step,
    };
    for gate in reply.leading_gates() {
        shared.gates.pass(gate).await;
    }
    let cut = match &reply.step.fault {
        Some(Fault::Error {
            status,
            kind,
            message,
            retry_after,
            ..
        }) => {
            let status = StatusCode::from_u16(*status).expect("the scenario names an HTTP status");
            let after = retry_after.map(|seconds| [(header::RETRY_AFTER, seconds.to_string())]);
            return (status, after, axum::Json(dialect.error(kind, message))).into_response();
        }
        Some(Fault::Drop { after, .. }) => Some(*after),
        None => None,
    };
    if !prompt.stream {
        return axum::Json(dialect.whole(&reply)).into_response();
    }
    let mut beats = dialect.stream(&reply);
    if let Some(after) = cut {
        beats.truncate(after);
        beats.push(Beat::Cut);
    }
    let body = Body::from_stream(paced(beats, Duration::from_millis(reply.step.pace), shared.clone()));
    (
        [
            (header::CONTENT_TYPE, "text/event-stream"),
            (header::CACHE_CONTROL, "no-cache"),
        ],
        body,
    )
        .into_response()
}

fn paced(beats: Vec<Beat>, pace: Duration, shared: Arc<Shared>) -> impl stream::Stream<Item = io::Result<Bytes>> {
    stream::unfold((beats.into_iter(), shared), move |(mut beats, shared)| async move {
        loop {
            match beats.next()? {
                Beat::Gate(gate) => shared.gates.pass(&gate).await,
                Beat::Cut => {
                    // Waiting once makes hyper send what it holds; an error would throw that away.
                    tokio::task::yield_now().await;
                    return Some((Err(io::ErrorKind::ConnectionReset.into()), (beats, shared)));
                }
                Beat::Event(event) => {
                    time::sleep(pace).await;
                    return Some((Ok(event.into()), (beats, shared)));
                }
            }
        }
    })
}
