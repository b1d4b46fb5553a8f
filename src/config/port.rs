//! The port a home's MCP server asks for first.

use std::path::Path;

use sha2::{Digest, Sha256};

const FIRST: u16 = 20_000;
const COUNT: u64 = 10_000;

/// The same for the same home, in 20000-29999, so that files written for agents stay true over restarts.
pub fn port_of(home: &Path) -> u16 {
    let hash = Sha256::digest(home.as_os_str().as_encoded_bytes());
    let mut number = [0; 8];
    number.copy_from_slice(&hash[..8]);
    let offset = u64::from_be_bytes(number) % COUNT;
    FIRST + u16::try_from(offset).expect("an offset below 10000 fits")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_keeps_its_port_and_another_has_another() {
        let port = port_of(Path::new("/home/ada/.parlour"));
        assert_eq!(port, port_of(Path::new("/home/ada/.parlour")));
        assert_ne!(port, port_of(Path::new("/home/bob/.parlour")));
        assert!((20_000..30_000).contains(&port));
    }
}
