//! An MCP server that a person names once, in `globalMcpServers`, for every agent CLI.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// The name of parlour's own server, which no other may have.
pub const OURS: &str = "parlour";

const LONGEST_NAME: usize = 40;

/// One of parlour's own tools where servers are named, which a chat can leave out like one: `parlour/dispatch`.
pub fn own_tool(tool: &str) -> String {
    format!("{OURS}/{tool}")
}

pub fn is_own_tool(name: &str) -> bool {
    name.strip_prefix(OURS).is_some_and(|rest| rest.starts_with('/'))
}

/// How it is reached. Values may refer to a variable of the agent's environment, `${NAME}`.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Server {
    Stdio {
        command: String,
        args: Vec<String>,
        env: BTreeMap<String, String>,
    },
    Http {
        url: String,
        headers: BTreeMap<String, String>,
    },
}

/// As it stands in `config.json`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Spelled {
    #[serde(rename = "type")]
    transport: Option<String>,
    command: Option<String>,
    args: Vec<String>,
    env: BTreeMap<String, String>,
    url: Option<String>,
    headers: BTreeMap<String, String>,
}

impl Server {
    /// Why it cannot be used is said in words that go on after its key.
    pub fn parse(name: &str, value: &Value) -> Result<Server, String> {
        check_name(name)?;
        let spelled = Spelled::deserialize(value).map_err(|e| e.to_string())?;
        let transport = spelled.transport.as_deref();
        match (spelled.command, spelled.url) {
            (Some(_), Some(_)) => Err("it has both a command and a url; leave one of them".into()),
            (None, None) => Err("it needs a command, or a url".into()),
            (Some(command), None) => match transport {
                None | Some("stdio") => stdio(command, spelled.args, spelled.env),
                Some(other) => Err(format!("its type is {other:?}, and with a command that is \"stdio\"")),
            },
            (None, Some(url)) => match transport {
                None | Some("http") => http(url, spelled.headers),
                Some(other) => Err(format!("its type is {other:?}, and with a url only \"http\" is known")),
            },
        }
    }

    /// Its transport, and what a person knows it by; arguments, variables and headers may be secrets.
    pub fn told(&self) -> (&'static str, String) {
        match self {
            Server::Stdio { command, .. } => ("stdio", command.clone()),
            Server::Http { url, .. } => ("http", public(url)),
        }
    }
}

/// Its arguments, variables and headers may be secrets, so it is never printed whole.
impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (transport, place) = self.told();
        write!(f, "Server({transport} {place} …)")
    }
}

/// The servers that can be used; what cannot is left out, and `doctor` says why.
pub(super) fn usable<'de, D: Deserializer<'de>>(json: D) -> Result<BTreeMap<String, Server>, D::Error> {
    let written = BTreeMap::<String, Value>::deserialize(json)?;
    let usable = |(name, value): (String, Value)| Some((name.clone(), Server::parse(&name, &value).ok()?));
    Ok(written.into_iter().filter_map(usable).collect())
}

/// `text` with each `${NAME}` in it spelled as an agent CLI expects it.
pub fn spell(text: &str, reference: impl Fn(&str) -> String) -> String {
    let mut spelled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let name = after.split_once('}').filter(|(name, _)| is_variable(name));
        spelled.push_str(before);
        match name {
            Some((name, behind)) => {
                spelled.push_str(&reference(name));
                rest = behind;
            }
            None => {
                spelled.push_str("${");
                rest = after;
            }
        }
    }
    spelled + rest
}

/// `text` with each `${NAME}` in it replaced by that variable; one that is not set is empty.
pub fn filled(text: &str, env: &BTreeMap<String, String>) -> String {
    spell(text, |name| env.get(name).cloned().unwrap_or_default())
}

/// A URL without what may be secret in it: its user, its query and its fragment.
pub fn public(url: &str) -> String {
    let plain = url.split(['?', '#']).next().unwrap_or_default();
    match plain.split_once("://") {
        Some((scheme, rest)) => {
            let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
            format!("{scheme}://{host}{path}")
        }
        None => plain.into(),
    }
}

/// What every CLI takes as a key: one of them makes names of variables and tools from it.
fn check_name(name: &str) -> Result<(), String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if name.eq_ignore_ascii_case(OURS) {
        return Err("this name is parlour's own".into());
    }
    match (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(plain) {
        true => Ok(()),
        false => Err(format!("a name is 1 to {LONGEST_NAME} letters, digits, - and _")),
    }
}

fn stdio(command: String, args: Vec<String>, env: BTreeMap<String, String>) -> Result<Server, String> {
    if command.trim().is_empty() {
        return Err("its command is empty".into());
    }
    let has_nul = |text: &String| text.contains('\0');
    if has_nul(&command) || args.iter().chain(env.values()).any(has_nul) {
        return Err("it holds a NUL character".into());
    }
    match env.keys().find(|name| !is_variable(name)) {
        Some(name) => Err(format!("{name:?} cannot be the name of a variable")),
        None => Ok(Server::Stdio { command, args, env }),
    }
}

fn http(url: String, headers: BTreeMap<String, String>) -> Result<Server, String> {
    let scheme = url.starts_with("http://") || url.starts_with("https://");
    if !scheme || url.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err("its url must begin with http:// or https:// and hold no space".into());
    }
    let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    for (name, value) in &headers {
        if name.is_empty() || !name.chars().all(is_token) {
            return Err(format!("{name:?} cannot be the name of a header"));
        }
        if value.chars().any(char::is_control) {
            return Err(format!("the header {name} holds a control character"));
        }
    }
    Ok(Server::Http { url, headers })
}

fn is_variable(name: &str) -> bool {
    let begins = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(begins) && name.chars().all(|c| begins(c) || c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_cannot_be_a_server_says_why() {
        let why = |name: &str, value: Value| Server::parse(name, &value).unwrap_err();
        assert_eq!(why("parlour", json!({"command": "x"})), "this name is parlour's own");
        assert_eq!(why("Parlour", json!({"command": "x"})), "this name is parlour's own");
        assert!(why("a b", json!({"command": "x"})).starts_with("a name is"));
        assert!(why("a", json!({})).contains("needs a command"));
        assert!(why("a", json!({"command": "x", "url": "http://h"})).contains("both"));
        assert!(why("a", json!({"url": "ftp://h"})).contains("http://"));
        assert!(why("a", json!({"url": "http://h", "type": "sse"})).contains("\"sse\""));
        assert!(why("a", json!({"url": "http://h", "headers": {"X": "a\r\nY: b"}})).contains("control"));
        assert!(why("a", json!({"command": "x", "args": "y"})).contains("invalid type"));
        assert!(why("a", json!({"command": "x", "env": {"A=B": "y"}})).contains("variable"));
        assert!(why("a", json!("x")).contains("invalid type"));
    }

    #[test]
    fn a_reference_is_spelled_as_the_cli_expects_it_and_all_else_stays() {
        let cursor = |text: &str| spell(text, |name| format!("${{env:{name}}}"));
        assert_eq!(cursor("Bearer ${TOKEN}, ${A_1}"), "Bearer ${env:TOKEN}, ${env:A_1}");
        for plain in ["", "$HOME", "${", "${a b}", "${}", "${X:-y}", "}${"] {
            assert_eq!(cursor(plain), plain);
        }
    }

    #[test]
    fn secrets_are_not_told() {
        let secret = json!({"url": "https://me:pw@h:8/x?key=s#t", "headers": {"A": "s3cret"}});
        let server = Server::parse("a", &secret).unwrap();
        assert_eq!(server.told(), ("http", "https://h:8/x".to_string()));
        assert_eq!(format!("{server:?}"), "Server(http https://h:8/x …)");
    }
}
