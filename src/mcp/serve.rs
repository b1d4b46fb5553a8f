//! The port: connections in, each with one request.
//!
//! A connection is closed after its answer. On loopback a new one costs nothing, and so none idles in a place that another
//! needs, and nothing a caller leaves behind is read as the next request.

use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::middleware::from_fn_with_state;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::admission::{Admission, AdmittedConnection};
use super::authentication::Authenticator;
use super::body::BodyReading;
use super::calls::CallsInProgress;
use super::handler::Handler;
use super::{McpLimits, ToolHost, authentication, body};

/// Time for the last answers when the engine stops, and for a caller to read its answer before the connection is gone.
const PARTING: Duration = Duration::from_secs(1);

/// The kernel keeps this many callers waiting; past it, they try again only after a second.
const QUEUE: u32 = 4096;

/// A port of this machine alone; 0 is any that is free.
pub fn listen(port: u16) -> io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    // Connections that ended lately do not keep the engine from its port when it starts again.
    socket.set_reuseaddr(true)?;
    socket.bind((Ipv4Addr::LOCALHOST, port).into())?;
    socket.listen(QUEUE)
}

/// Answer callers until `stop`; then running calls are cancelled.
pub async fn serve(
    listener: TcpListener,
    tool_host: Arc<dyn ToolHost>,
    limits: McpLimits,
    stop: CancellationToken,
) -> io::Result<()> {
    let port = listener.local_addr()?.port();
    let router = router(port, tool_host, &limits, &stop);
    let admission = Admission::new(&limits);
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            Some(_) = connections.join_next() => continue,
            accepted = accept(&listener, &admission) => accepted,
        };
        match accepted {
            Ok(stream) => {
                connections.spawn(answer_one(stream, router.clone(), admission.enter(), limits.clone()));
                // In a flood, whoever has just come in is heard before the next is let in.
                tokio::task::yield_now().await;
            }
            Err(error) => {
                // Mostly out of descriptors: the connections that end meanwhile give some back.
                tracing::warn!(%error, "accepting an agent's connection");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
    drop(listener);
    let all_gone = async { while connections.join_next().await.is_some() {} };
    // Whoever is left is dropped with the set.
    let _ = tokio::time::timeout(PARTING, all_gone).await;
    Ok(())
}

async fn accept(listener: &TcpListener, admission: &Admission) -> io::Result<TcpStream> {
    admission.room().await;
    listener.accept().await.map(|(stream, _)| stream)
}

fn router(port: u16, tool_host: Arc<dyn ToolHost>, limits: &McpLimits, stop: &CancellationToken) -> Router {
    let calls = CallsInProgress::default();
    let handler = Handler::new(tool_host.clone(), calls.clone(), limits);
    // The authentication looks at Host and Origin, and is stricter.
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(limits.body_bytes)
        .with_cancellation_token(stop.child_token());
    let sessions = Arc::new(NeverSessionManager::default());
    let protocol = StreamableHttpService::new(move || Ok(handler.clone()), sessions, config);
    let reading = Arc::new(BodyReading::new(limits, calls));
    let authenticator = Arc::new(Authenticator::new(port, tool_host));
    Router::new()
        .route_service("/mcp", protocol)
        .route_layer(from_fn_with_state(reading, body::read))
        .route_layer(from_fn_with_state(authenticator, authentication::admit))
}

async fn answer_one(stream: TcpStream, router: Router, place: AdmittedConnection, limits: McpLimits) {
    // Answers are small and written whole; where this fails they are only later.
    let _ = stream.set_nodelay(true);
    let ticket = place.ticket();
    let service = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ticket.clone());
        router.clone().oneshot(request)
    });
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.read_time)
        .max_header_size(limits.header_bytes)
        .max_buf_size(limits.header_bytes + (16 << 10))
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), service);
    let answered = std::future::poll_fn(|context| connection.poll_without_shutdown(context));
    tokio::select! {
        // An error is the caller's: it went away, sent no HTTP, or was too slow.
        _ = answered => {}
        () = place.closed() => return,
    }
    place.release();
    let stream = connection.into_parts().io.into_inner();
    tokio::select! {
        () = part(stream) => {}
        () = place.closed() => {}
    }
}

/// Closing while bytes wait unread resets the connection, and the caller may lose the answer that says why
/// they were not read. So its side is read out first, for a moment.
async fn part(mut stream: TcpStream) {
    let farewell = async {
        stream.shutdown().await?;
        let mut unread = [0; 8 << 10];
        while stream.read(&mut unread).await? > 0 {}
        io::Result::Ok(())
    };
    let _ = tokio::time::timeout(PARTING, farewell).await;
}
