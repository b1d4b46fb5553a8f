//! Any bytes to the port that agents call: they get an answer or are shown out, nothing panics, and whoever comes next is
//! served.
//!
//! `TOKEN`, `HOST` and `LENGTH` stand for an agent's token, the server's address and how long the body is.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Once};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use parlour::mcp::{self, McpLimits, ProgressReports, Refusal, Token, TokenHolder, Tokens, ToolHost};
use parlour::model::tool::Equipped;
use parlour::model::{ChatId, Problem, ToolCall};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::transcript::replaced;

/// Longer than a server may take that is to be told from one that is stuck.
const PATIENCE: Duration = Duration::from_secs(30);

/// Threads of the server are known by it.
const THREAD: &str = "fuzzed-server";

const HARMLESS: &[u8] = b"POST /mcp HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\nContent-Type: \
application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: LENGTH\r\n\r\n\
{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{}}";

static PANICS: AtomicUsize = AtomicUsize::new(0);
static COUNTED: Once = Once::new();
static SERVER: LazyLock<Server> = LazyLock::new(Server::start);

struct Server {
    address: SocketAddr,
    token: Token,
    _runtime: tokio::runtime::Runtime,
}

/// Takes every call and answers with nothing.
struct Answers {
    tokens: Tokens,
}

impl ToolHost for Answers {
    fn failed(&self, _caller: &ChatId, _tool: &str, _why: &str) {}

    fn caller(&self, token: &str) -> Option<TokenHolder> {
        self.tokens.owner(token).map(|chat| TokenHolder { chat })
    }

    fn caller_by_url(&self, token: &str) -> Option<TokenHolder> {
        self.tokens.owner_in_url(token).map(|chat| TokenHolder { chat })
    }

    fn withheld(&self, _: &ChatId, _: &str) -> Option<String> {
        None
    }

    fn equipped(&self, _: &ChatId) -> Equipped {
        Equipped::Bare
    }

    fn connected(&self, _: &ChatId) {}

    fn refused(&self, _: Refusal) {}

    fn call(
        &self,
        _: ChatId,
        _: ToolCall,
        _: ProgressReports,
        _: CancellationToken,
    ) -> BoxFuture<'static, Result<Value, Problem>> {
        async { Ok(json!({})) }.boxed()
    }
}

impl Server {
    fn start() -> Server {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name(THREAD)
            .enable_all()
            .build()
            .expect("a runtime");
        let tokens = Tokens::default();
        let token = tokens.issue(&ChatId::from_bits(1)).expect("a token");
        let limits = McpLimits {
            read_time: Duration::from_millis(50),
            ..McpLimits::default()
        };
        let address = runtime.block_on(async {
            let listener = mcp::listen(0).expect("a port");
            let address = listener.local_addr().expect("its number");
            tokio::spawn(mcp::serve(
                listener,
                Arc::new(Answers { tokens }),
                limits,
                CancellationToken::new(),
            ));
            address
        });
        Server {
            address,
            token,
            _runtime: runtime,
        }
    }

    fn answer(&self, said: &[u8]) -> Vec<u8> {
        let body = said.windows(4).position(|piece| piece == b"\r\n\r\n");
        let length = body.map_or(0, |at| said.len() - at - 4).to_string();
        let said = replaced(said, b"TOKEN", self.token.reveal().as_bytes());
        let said = replaced(&said, b"HOST", self.address.to_string().as_bytes());
        let said = replaced(&said, b"LENGTH", length.as_bytes());
        let mut caller = TcpStream::connect(self.address).expect("it listens");
        caller.set_read_timeout(Some(PATIENCE)).expect("a time");
        // It may be shown out before it has said all.
        let _ = caller.write_all(&said);
        let mut answer = Vec::new();
        match caller.read_to_end(&mut answer) {
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                panic!("it is neither answered nor shown out")
            }
            Ok(_) | Err(_) => answer,
        }
    }
}

pub fn run(bytes: &[u8]) {
    COUNTED.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if std::thread::current().name() == Some(THREAD) {
                PANICS.fetch_add(1, Ordering::SeqCst);
            }
            before(panic);
        }));
    });
    let answer = SERVER.answer(bytes);
    let text = String::from_utf8_lossy(&answer);
    assert!(!text.starts_with("HTTP/1.1 5"), "{text}");
    assert!(!text.to_lowercase().contains("access-control-allow"), "{text}");
    assert!(
        !text.contains(SERVER.token.reveal()) || bytes.windows(5).any(|piece| piece == b"TOKEN"),
        "{text}"
    );
    assert_eq!(PANICS.load(Ordering::SeqCst), 0, "the server panicked");
    let next = SERVER.answer(HARMLESS);
    assert!(next.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&next));
}
