//! Asks an MCP server of somebody else which tools it has: a program that is started for this alone, or an address.
//!
//! What it says is not believed to be short, to come in time, or to end.

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::model::PaginatedRequestParams;
use rmcp::service::{ClientInitializeError, RoleClient, RunningService, ServiceError};
use rmcp::transport::streamable_http_client::{StreamableHttpClientTransportConfig, StreamableHttpError};
use rmcp::transport::{DynamicTransportError, StreamableHttpClientTransport};
use tokio::io::AsyncReadExt;
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};

use crate::model::Server;
use crate::model::server::filled;
use crate::model::text::one_line;
use crate::sys::spawn::conversation;

/// For all of it: the start, the greeting and the list.
const PATIENCE: Duration = Duration::from_secs(10);
/// Of what a program may write meanwhile.
const MOST_BYTES: u64 = 8 << 20;
const MOST_TOOLS: usize = 500;
const MOST_PAGES: usize = 50;
const LONGEST: usize = 200;

type Session = RunningService<RoleClient, ()>;

/// The names of its tools, or why they are not known. A program starts in `dir` with `env`, which also fills references
/// to variables; with the answer it is ended, with all that it started.
pub async fn tools_of(server: &Server, dir: &Path, env: &BTreeMap<String, String>) -> Result<Vec<String>, String> {
    let asking = async {
        match server {
            Server::Stdio { .. } => of_program(server, dir, env).await,
            Server::Http { url, headers } => of_address(&filled(url, env), headers, env).await,
        }
    };
    match tokio::time::timeout(PATIENCE, asking).await {
        Ok(answer) => answer.map_err(|why| one_line(&why, LONGEST)),
        Err(_) => Err(format!("it did not answer within {} s", PATIENCE.as_secs())),
    }
}

async fn of_program(server: &Server, dir: &Path, env: &BTreeMap<String, String>) -> Result<Vec<String>, String> {
    let Server::Stdio {
        command,
        args,
        env: own,
    } = server
    else {
        return Err("it is no program".into());
    };
    let program = filled(command, env);
    let search_path = env.get("PATH").map(String::as_str).unwrap_or_default();
    if !is_there(&program, dir, search_path) {
        return Err(match program.contains('/') {
            true => format!("there is no program at {program}"),
            false => format!("the program {program} is not on the PATH"),
        });
    }
    let mut asked = Command::new(program);
    asked
        .args(args.iter().map(|arg| filled(arg, env)))
        .env_clear()
        .envs(env)
        .envs(own.iter().map(|(name, value)| (name, filled(value, env))))
        .current_dir(dir);
    // Dropped at the end, it is ended with all that it started.
    let (_helper, socket) = conversation(asked).map_err(|error| format!("{command}: {error}"))?;
    let (reads, writes) = both_ways(socket).map_err(|error| error.to_string())?;
    let session = ().serve((reads.take(MOST_BYTES), writes)).await;
    names(session.map_err(|error| not_begun(&error))?).await
}

/// Asked before it is started: a helper starts it, and of that one only hears that the conversation has ended.
fn is_there(program: &str, dir: &Path, search_path: &str) -> bool {
    match program.contains('/') {
        true => dir.join(program).is_file(),
        false => std::env::split_paths(search_path).any(|folder| folder.join(program).is_file()),
    }
}

async fn of_address(
    url: &str,
    headers: &BTreeMap<String, String>,
    env: &BTreeMap<String, String>,
) -> Result<Vec<String>, String> {
    // Whoever was first has installed it; there is no other.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut sent = HashMap::new();
    for (name, value) in headers {
        let key = name.parse().map_err(|_| format!("{name} cannot be a header"))?;
        let value = filled(value, env).parse();
        sent.insert(key, value.map_err(|_| format!("the value of {name} cannot be sent"))?);
    }
    let config = StreamableHttpClientTransportConfig::with_uri(url).custom_headers(sent);
    let session = ().serve(StreamableHttpClientTransport::from_config(config)).await;
    names(session.map_err(|error| not_begun(&error))?).await
}

async fn names(session: Session) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    let mut cursor = None;
    // A page may be empty and lead to the next for ever.
    for _ in 0..MOST_PAGES {
        let asked = PaginatedRequestParams::default().with_cursor(cursor);
        let page = session.list_tools(Some(asked)).await.map_err(|error| {
            let unreached = match &error {
                ServiceError::TransportSend(error) => unreached(error),
                _ => None,
            };
            unreached.unwrap_or_else(|| innermost(&error))
        })?;
        let left = MOST_TOOLS - names.len();
        names.extend(page.tools.iter().take(left).map(|tool| one_line(&tool.name, LONGEST)));
        cursor = page.next_cursor;
        if cursor.is_none() || names.len() == MOST_TOOLS {
            break;
        }
    }
    // It need not hear of our leaving.
    let _ = session.cancel().await;
    Ok(names)
}

fn not_begun(error: &ClientInitializeError) -> String {
    let unreached = match error {
        ClientInitializeError::TransportError { error, .. } => unreached(error),
        _ => None,
    };
    unreached.unwrap_or_else(|| innermost(error))
}

/// Why no connection came about, if that is what went wrong. What it says of itself names only the address.
fn unreached(error: &DynamicTransportError) -> Option<String> {
    let error = match error.error.downcast_ref::<StreamableHttpError<reqwest::Error>>()? {
        StreamableHttpError::Client(error) => error,
        _ => return None,
    };
    let mut below = error.source()?;
    while let Some(error) = below.source() {
        below = error;
    }
    let said = below.to_string();
    let said = said.split(" (os error").next().unwrap_or(&said);
    let mut letters = said.chars();
    let first = letters.next()?.to_ascii_lowercase();
    Some(format!("it cannot be reached: {first}{}", letters.as_str()))
}

/// The last part of what it says: what stands before are names of types.
fn innermost(error: &impl Error) -> String {
    let said = error.to_string();
    said.rsplit("error: ").next().unwrap_or(&said).to_owned()
}

fn both_ways(socket: std::os::unix::net::UnixStream) -> std::io::Result<(OwnedReadHalf, OwnedWriteHalf)> {
    socket.set_nonblocking(true)?;
    Ok(UnixStream::from_std(socket)?.into_split())
}

#[cfg(test)]
mod tests {
    use rmcp::model::{JsonObject, ListToolsResult, ServerCapabilities, ServerConfig, Tool};
    use rmcp::service::RequestContext;
    use rmcp::{ErrorData, RoleServer, ServerHandler};

    use super::*;

    /// Each page has so many tools and leads to one more.
    struct Endless(usize);

    impl ServerHandler for Endless {
        fn get_info(&self) -> ServerConfig {
            ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
        }

        async fn list_tools(
            &self,
            _: Option<PaginatedRequestParams>,
            _: RequestContext<RoleServer>,
        ) -> Result<ListToolsResult, ErrorData> {
            let tool = Tool::new("more", "", JsonObject::new());
            let mut page = ListToolsResult::with_all_items(vec![tool; self.0]);
            page.next_cursor = Some("on".into());
            Ok(page)
        }
    }

    #[tokio::test]
    async fn a_list_without_end_is_read_so_far() {
        for (a_page, known) in [(30, MOST_TOOLS), (0, 0)] {
            let (ours, theirs) = tokio::io::duplex(1 << 16);
            let serving = tokio::spawn(async move { Endless(a_page).serve(theirs).await.unwrap().waiting().await });
            let names = names(().serve(ours).await.unwrap()).await.unwrap();
            assert_eq!(names.len(), known);
            serving.abort();
        }
    }

    #[tokio::test]
    async fn why_a_server_is_not_reached_is_told_without_the_names_of_layers() {
        let port = std::net::TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let server = Server::Http {
            url: format!("http://127.0.0.1:{port}/mcp"),
            headers: BTreeMap::new(),
        };
        let why = tools_of(&server, Path::new("/"), &BTreeMap::new()).await.unwrap_err();
        assert_eq!(why, "it cannot be reached: connection refused");
    }
}
