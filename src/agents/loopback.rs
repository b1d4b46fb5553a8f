//! HTTP to servers on this machine: no proxy stands before them, no redirect leads away, and each request has a
//! connection of its own, which ends with its answer.

use std::time::Duration;

use anyhow::Context;
use http_body_util::{BodyExt, Limited};
use reqwest::redirect::Policy;
use reqwest::{Body, Client, Response, StatusCode};

/// The longest answer that [`post`] reads.
const LONGEST: usize = 10 << 20;

pub fn client() -> Client {
    // `reqwest` wants one even where nothing is encrypted. If another was first, that one serves.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder()
        .no_proxy()
        .redirect(Policy::none())
        .pool_max_idle_per_host(0)
        // Nothing here is encrypted, and reading the system's certificates takes a while.
        .tls_certs_only([])
        .build();
    client.expect("a client without certificates needs nothing of the system")
}

/// The whole body of an answer.
pub async fn body(answer: Response, most: usize) -> anyhow::Result<Vec<u8>> {
    let read = Limited::new(Body::from(answer), most).collect().await;
    Ok(read.map_err(|error| anyhow::anyhow!(error))?.to_bytes().into())
}

/// Posts JSON as an MCP client does, and blocks until the whole answer is there.
pub fn post(
    url: &str,
    headers: &[(&str, &str)],
    json: String,
    within: Duration,
) -> anyhow::Result<(StatusCode, String)> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut request = client()
            .post(url)
            .timeout(within)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .body(json);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        // An address may carry a token.
        let answer = request.send().await.map_err(reqwest::Error::without_url)?;
        let status = answer.status();
        let text = body(answer, LONGEST).await.context("reading the answer")?;
        Ok((status, String::from_utf8_lossy(&text).into_owned()))
    })
}
