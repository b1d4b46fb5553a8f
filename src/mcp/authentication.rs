//! Who may come in, decided from the head of a request before a byte of its body is read.
//!
//! Against web pages: the names in Host and Origin must be exactly this port's own. Against everyone else: the
//! token, and the chat it belongs to is the caller, whatever the request says.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{ALLOW, AUTHORIZATION, CONTENT_TYPE, HOST, ORIGIN, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::admission::{AdmissionFull, AdmissionTicket};
use super::{Refusal, TokenHolder, ToolHost};
use crate::model::text::one_line;

pub(super) struct Authenticator {
    hosts: [String; 3],
    origins: [String; 3],
    tool_host: Arc<dyn ToolHost>,
}

/// Puts the [`TokenHolder`] into the request, or turns it away.
pub(super) async fn admit(
    State(authenticator): State<Arc<Authenticator>>,
    mut request: Request,
    next: Next,
) -> Response {
    match authenticator.judge(&request) {
        Ok(caller) => {
            request.extensions_mut().insert(caller);
            // Nothing further in needs the token, so nothing further in can log it.
            request.headers_mut().remove(AUTHORIZATION);
            forget_query(&mut request);
            next.run(request).await
        }
        Err(mut away) => {
            if let Some(refusal) = away.refusal.take() {
                authenticator.tool_host.refused(refusal);
            }
            away.into_response()
        }
    }
}

struct TurnedAway {
    status: StatusCode,
    why: &'static str,
    refusal: Option<Refusal>,
}

impl IntoResponse for TurnedAway {
    fn into_response(self) -> Response {
        match self.status {
            StatusCode::UNAUTHORIZED => (self.status, [(WWW_AUTHENTICATE, "Bearer")], self.why).into_response(),
            StatusCode::METHOD_NOT_ALLOWED => (self.status, [(ALLOW, "POST")], self.why).into_response(),
            _ => (self.status, self.why).into_response(),
        }
    }
}

impl Authenticator {
    pub fn new(port: u16, tool_host: Arc<dyn ToolHost>) -> Authenticator {
        let hosts = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}"));
        let origins = hosts.clone().map(|host| format!("http://{host}"));
        Authenticator {
            hosts,
            origins,
            tool_host,
        }
    }

    /// The order is the point: the cheapest and most certain checks come first.
    fn judge(&self, request: &Request) -> Result<TokenHolder, TurnedAway> {
        self.judge_names(request)?;
        let caller = self.judge_token(request)?;
        judge_method(request)?;
        let ticket = request.extensions().get::<AdmissionTicket>();
        let seat = ticket.map_or(Err(AdmissionFull::Server), |ticket| ticket.claim(&caller.chat));
        match seat {
            Ok(()) => Ok(caller),
            Err(AdmissionFull::Caller) => Err(away(
                StatusCode::TOO_MANY_REQUESTS,
                "this chat has as many calls open as a chat may have; wait for one to end",
            )),
            Err(AdmissionFull::Server) => Err(away(
                StatusCode::SERVICE_UNAVAILABLE,
                "parlour has too many calls open; try again in a moment",
            )),
        }
    }

    fn judge_names(&self, request: &Request) -> Result<(), TurnedAway> {
        let headers = request.headers();
        let ours = |names: &[String], name: &str| names.iter().any(|own| own == name);
        let target = request.uri().authority().map(|authority| authority.as_str());
        let host = match only(headers, HOST) {
            Ok(Some(host)) if target.is_none_or(|target| target == host) => host,
            Ok(_) | Err(()) => "",
        };
        if !ours(&self.hosts, host) {
            return Err(TurnedAway {
                refusal: Some(Refusal::Host(one_line(host, 100))),
                ..away(StatusCode::FORBIDDEN, "this is not the host's name")
            });
        }
        let origin = match only(headers, ORIGIN) {
            Ok(None) => return Ok(()),
            Ok(Some(origin)) => origin,
            Err(()) => "",
        };
        if !ours(&self.origins, origin) {
            return Err(TurnedAway {
                refusal: Some(Refusal::Origin(one_line(origin, 100))),
                ..away(StatusCode::FORBIDDEN, "web pages may not call parlour")
            });
        }
        Ok(())
    }

    fn judge_token(&self, request: &Request) -> Result<TokenHolder, TurnedAway> {
        let query = request.uri().query().unwrap_or("");
        let caller = match only(request.headers(), AUTHORIZATION) {
            Ok(Some(credentials)) => bearer(credentials).and_then(|token| self.tool_host.caller(token)),
            Ok(None) => token_of(query).and_then(|token| self.tool_host.caller_by_url(&token)),
            Err(()) => None,
        };
        let Some(caller) = caller else {
            return Err(TurnedAway {
                refusal: Some(Refusal::Token),
                ..away(
                    StatusCode::UNAUTHORIZED,
                    "a live token is missing; it dies with the agent it was given to",
                )
            });
        };
        let mut claims = url::form_urlencoded::parse(query.as_bytes())
            .filter(|(key, _)| key == "caller")
            .map(|(_, value)| value);
        // The token alone says who calls; each claim beside it must say the same.
        match claims.find(|claimed| claimed != caller.chat.as_str()) {
            None => Ok(caller),
            Some(claimed) => Err(TurnedAway {
                refusal: Some(Refusal::Caller {
                    claimed: one_line(&claimed, 100),
                    chat: caller.chat,
                }),
                ..away(StatusCode::FORBIDDEN, "the token is another chat's")
            }),
        }
    }
}

/// Without sessions there is nothing to GET or DELETE. A JSON body is what no web form can send.
fn judge_method(request: &Request) -> Result<(), TurnedAway> {
    if request.method() != Method::POST {
        return Err(away(StatusCode::METHOD_NOT_ALLOWED, "only POST"));
    }
    let content = match only(request.headers(), CONTENT_TYPE) {
        Ok(content) => content.unwrap_or(""),
        Err(()) => "",
    };
    let kind = content.split(';').next().unwrap_or("").trim();
    match kind.eq_ignore_ascii_case("application/json") {
        true => Ok(()),
        false => Err(away(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "the body must be application/json",
        )),
    }
}

fn away(status: StatusCode, why: &'static str) -> TurnedAway {
    TurnedAway {
        status,
        why,
        refusal: None,
    }
}

/// Said twice it is not said at all, as with a header.
fn token_of(query: &str) -> Option<String> {
    let mut tokens = url::form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| key == "token");
    let (_, token) = tokens.next()?;
    tokens.next().is_none().then(|| token.into_owned())
}

fn forget_query(request: &mut Request) {
    if let Ok(path) = request.uri().path().parse() {
        *request.uri_mut() = path;
    }
}

fn bearer(credentials: &str) -> Option<&str> {
    let (scheme, token) = credentials.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// A header that decides something may not be there twice: two readers could take different ones.
fn only(headers: &HeaderMap, name: HeaderName) -> Result<Option<&str>, ()> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| ()),
        (Some(_), Some(_)) => Err(()),
    }
}
