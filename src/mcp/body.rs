//! The body of a request: read within bounds of size and time, and believed to be JSON-RPC before anything is built from it.
//!
//! Cancellations are carried out here. Without sessions the protocol library answers them and does nothing.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_LENGTH;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures::{StreamExt, stream};
use rmcp::model::RequestId;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::error::Category;
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::calls::CallsInProgress;
use super::json_bounds::Measure;
use super::{McpLimits, TokenHolder};
use crate::model::ChatId;

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;

pub(super) struct BodyReading {
    most_bytes: usize,
    measure: Measure,
    small: usize,
    time: Duration,
    /// One large body at a time in each lane, so memory is bounded. A chat always has the same lane, so it
    /// cannot fill the others.
    lanes: Vec<Arc<Semaphore>>,
    calls: CallsInProgress,
}

/// Passes a request on with its body read, or answers what is wrong with it.
pub(super) async fn read(State(reading): State<Arc<BodyReading>>, request: Request, next: Next) -> Response {
    let Some(TokenHolder { chat }) = request.extensions().get().cloned() else {
        return StatusCode::UNAUTHORIZED.into_response();
    };
    let (head, body) = request.into_parts();
    let announced = head.headers.get(CONTENT_LENGTH);
    let announced = announced.and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: usize| length > reading.most_bytes) {
        return too_large();
    }
    let whole = tokio::time::timeout(reading.time, reading.collect(&chat, body)).await;
    let (bytes, lane) = match whole {
        Ok(Ok(whole)) => whole,
        Ok(Err(response)) => return response,
        Err(_) => {
            return (StatusCode::REQUEST_TIMEOUT, "the body took too long").into_response();
        }
    };
    let id = match BodyReading::judge(&bytes) {
        Ok(BodyMessage::Cancelled(request)) => {
            reading.calls.cancel(&chat, &request);
            None
        }
        // parlour asks its callers nothing.
        Ok(BodyMessage::Response) => return StatusCode::ACCEPTED.into_response(),
        Ok(BodyMessage::Other(id)) => id,
        Err((code, why)) => return rpc_error(None, code, &why),
    };
    let response = next.run(Request::from_parts(head, handed_on(bytes, lane))).await;
    match response.status() {
        // The content type was right: what the library could not read is the message.
        StatusCode::UNSUPPORTED_MEDIA_TYPE => rpc_error(id, INVALID_REQUEST, "not a JSON-RPC message"),
        _ => response,
    }
}

/// What this check makes of a message.
enum BodyMessage {
    Cancelled(RequestId),
    Response,
    /// With its id, if it has one.
    Other(Option<RequestId>),
}

impl BodyReading {
    pub fn new(limits: &McpLimits, calls: CallsInProgress) -> BodyReading {
        let lane = || Arc::new(Semaphore::new(1));
        BodyReading {
            most_bytes: limits.body_bytes,
            measure: Measure::new(limits),
            small: limits.small_body,
            time: limits.read_time,
            lanes: std::iter::repeat_with(lane).take(limits.lanes.max(1)).collect(),
            calls,
        }
    }

    /// The whole body, and the lane it was read in when it is large.
    async fn collect(&self, chat: &ChatId, body: Body) -> Result<(Bytes, Option<OwnedSemaphorePermit>), Response> {
        let mut pieces = body.into_data_stream();
        let mut whole = Vec::new();
        let mut lane = None;
        let mut measure = self.measure.clone();
        while let Some(piece) = pieces.next().await {
            let Ok(piece) = piece else {
                return Err((StatusCode::BAD_REQUEST, "the body broke off").into_response());
            };
            let length = whole.len() + piece.len();
            if length > self.most_bytes {
                return Err(too_large());
            }
            if length > self.small && lane.is_none() {
                // Lanes are never closed; without one the body is only read sooner.
                lane = self.lane(chat).acquire_owned().await.ok();
            }
            measure
                .add(&piece)
                .map_err(|why| rpc_error(None, INVALID_REQUEST, &why))?;
            whole.extend_from_slice(&piece);
        }
        Ok((whole.into(), lane))
    }

    fn lane(&self, chat: &ChatId) -> Arc<Semaphore> {
        let mut hasher = DefaultHasher::new();
        chat.hash(&mut hasher);
        self.lanes[hasher.finish() as usize % self.lanes.len()].clone()
    }

    fn judge(bytes: &[u8]) -> Result<BodyMessage, (i32, String)> {
        let text = std::str::from_utf8(bytes).map_err(|_| (PARSE_ERROR, "the message is not UTF-8".to_string()))?;
        let broken = |error: serde_json::Error| match error.classify() {
            Category::Syntax | Category::Eof | Category::Io => (PARSE_ERROR, error.to_string()),
            Category::Data => (INVALID_REQUEST, error.to_string()),
        };
        if text.trim_start().starts_with('[') {
            serde_json::from_str::<IgnoredAny>(text).map_err(broken)?;
            let why = "no batches are taken: send each message in a request of its own";
            return Err((INVALID_REQUEST, why.into()));
        }
        let envelope: Envelope = serde_json::from_str(text).map_err(broken)?;
        match envelope.method.as_deref() {
            Some("notifications/cancelled") => {}
            None if envelope.result.is_some() || envelope.error.is_some() => return Ok(BodyMessage::Response),
            Some(_) | None => return Ok(BodyMessage::Other(envelope.id)),
        }
        let cancellation: Cancellation = serde_json::from_str(text).map_err(broken)?;
        Ok(BodyMessage::Cancelled(cancellation.params.request_id))
    }
}

/// As little as tells a message's kind. Reading it checks the syntax of the rest.
#[derive(Deserialize)]
struct Envelope {
    method: Option<String>,
    #[serde(default, deserialize_with = "readable")]
    id: Option<RequestId>,
    result: Option<IgnoredAny>,
    error: Option<IgnoredAny>,
}

/// What is no id is left to the library to refuse.
fn readable<'de, D: Deserializer<'de>>(from: D) -> Result<Option<RequestId>, D::Error> {
    let id = serde_json::Value::deserialize(from)?;
    Ok(serde_json::from_value(id).ok())
}

#[derive(Deserialize)]
struct Cancellation {
    params: CancelledRequest,
}

#[derive(Deserialize)]
struct CancelledRequest {
    #[serde(rename = "requestId")]
    request_id: RequestId,
}

/// A body that keeps its lane until the library has parsed and dropped it.
fn handed_on(bytes: Bytes, lane: Option<OwnedSemaphorePermit>) -> Body {
    let whole = stream::iter([Ok::<_, std::convert::Infallible>(bytes)]);
    Body::from_stream(whole.inspect(move |_| {
        let _kept = &lane;
    }))
}

fn too_large() -> Response {
    (
        StatusCode::PAYLOAD_TOO_LARGE,
        "the message is too large; send less at once",
    )
        .into_response()
}

fn rpc_error(id: Option<RequestId>, code: i32, why: &str) -> Response {
    let error = json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": why}});
    (StatusCode::BAD_REQUEST, axum::Json(error)).into_response()
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[test]
    fn a_large_body_waits_for_the_one_before_it_and_a_small_one_does_not() {
        let limits = McpLimits {
            small_body: 10,
            lanes: 1,
            ..McpLimits::default()
        };
        let (reading, chat) = (
            BodyReading::new(&limits, CallsInProgress::default()),
            ChatId::from_bits(1),
        );
        let piece = || stream::iter([Ok::<_, std::convert::Infallible>(vec![b' '; 100])]);
        let endless = Body::from_stream(piece().chain(stream::pending()));
        let mut first = Box::pin(reading.collect(&chat, endless));
        assert!(first.as_mut().now_or_never().is_none());

        let mut second = Box::pin(reading.collect(&chat, Body::from_stream(piece())));
        assert!(second.as_mut().now_or_never().is_none());
        let small = reading.collect(&chat, Body::from("{}"));
        assert!(small.now_or_never().is_some_and(|read| read.is_ok()));
        drop(first);
        assert!(second.now_or_never().is_some_and(|read| read.is_ok()));
    }
}
