//! The server of one start: its port, and the password without which anybody on this machine could run commands
//! through it.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use data_encoding::BASE64;
use uuid::Uuid;

use crate::agents::adapter::Env;
use crate::model::{Launch, Problem};

const PORT_FLAG: &str = "--port";
const NAME: &str = "OPENCODE_SERVER_USERNAME";
const PASSWORD: &str = "OPENCODE_SERVER_PASSWORD";
const USER: &str = "parlour";

/// Below the ports that systems give to outgoing connections: one of those may be taken by anybody while the CLI
/// starts.
const PORTS: std::ops::Range<u16> = 20_100..29_900;
const TRIES: u32 = 50;

/// The arguments that open the server, with its password in the environment: arguments can be read by all.
pub(super) fn open(env: &mut Env) -> Result<[String; 2], Problem> {
    let port = free_port().ok_or_else(|| {
        let hint = "is something holding thousands of ports?";
        Problem::fault("starting OpenCode", "no free port was found for its server").hinted(hint)
    })?;
    env.insert(NAME.into(), USER.into());
    env.insert(PASSWORD.into(), Uuid::new_v4().simple().to_string());
    Ok([PORT_FLAG.into(), port.to_string()])
}

/// Where the server of this start is, and the header that opens it.
pub(super) fn address(launch: &Launch) -> Option<(SocketAddr, String)> {
    let flag = launch.args.iter().position(|arg| arg == PORT_FLAG)?;
    let port = launch.args.get(flag + 1)?.parse().ok()?;
    let password = launch.env.get(PASSWORD)?;
    let word = BASE64.encode(format!("{USER}:{password}").as_bytes());
    Some(((Ipv4Addr::LOCALHOST, port).into(), format!("Basic {word}")))
}

/// Somewhere at random, so that several agents that start together do not meet.
fn free_port() -> Option<u16> {
    let is_free = |port: &u16| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok();
    (0..TRIES).map(|_| anywhere()).find(is_free)
}

fn anywhere() -> u16 {
    let (high, low) = Uuid::new_v4().as_u64_pair();
    let spread = u64::from(PORTS.end - PORTS.start);
    PORTS.start + u16::try_from((high ^ low) % spread).expect("less than the number of ports")
}
