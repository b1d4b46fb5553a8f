//! A server of tools with answers made up beforehand.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::thread::{self, JoinHandle};

use serde_json::Value;

/// Answers one request a connection, as parlour does, and returns the requests.
pub(super) fn serve(answers: Vec<String>) -> (String, JoinHandle<Vec<Value>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let served = thread::spawn(move || {
        let mut asked = Vec::new();
        for answer in answers {
            let (mut stream, _) = listener.accept().unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap());
            let mut length = 0;
            loop {
                let mut line = String::new();
                lines.read_line(&mut line).unwrap();
                let line = line.trim().to_lowercase();
                if let Some(value) = line.strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                if let Some(value) = line.strip_prefix("authorization:") {
                    assert_eq!(value.trim(), "bearer s3cret");
                }
                if line.is_empty() {
                    break;
                }
            }
            let mut body = vec![0; length];
            lines.read_exact(&mut body).unwrap();
            asked.push(serde_json::from_slice(&body).unwrap());
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                answer.len()
            );
            stream.write_all((head + &answer).as_bytes()).unwrap();
        }
        asked
    });
    (url, served)
}
