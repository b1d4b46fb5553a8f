//! The engine, played by a test over a real socket.

use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use futures::{SinkExt, StreamExt};
use parlour::wire::{self, Attach, Codec, Hello, Message, address};
use tokio::net::{UnixListener, UnixStream};
use tokio::time::timeout;
use tokio_util::codec::Framed;

pub struct Engine {
    listener: UnixListener,
}

impl Engine {
    pub fn listen(home: &Path) -> Engine {
        Engine {
            listener: address::bind(home).unwrap(),
        }
    }

    /// The next connection, before any hello.
    pub async fn accept(&self) -> UnixStream {
        let accepted = timeout(Duration::from_secs(60), self.listener.accept());
        accepted.await.expect("nobody came").unwrap().0
    }

    pub async fn client(&self) -> Client {
        let mut stream = self.accept().await;
        assert_eq!(wire::exchange(&mut stream).await.unwrap(), Hello::OURS);
        Client {
            wire: Framed::new(stream, Codec::default()),
        }
    }

    /// A screen that has attached and been answered.
    pub async fn screen(&self) -> (Client, Attach) {
        self.answered(serde_json::json!({})).await
    }

    /// The same, with an engine that reads terminals.
    pub async fn borrowing_screen(&self) -> (Client, Attach) {
        self.answered(serde_json::json!({"borrows": true})).await
    }

    async fn answered(&self, answer: serde_json::Value) -> (Client, Attach) {
        let mut client = self.client().await;
        let Some(Message::Request { id, body }) = client.hear().await else {
            panic!("a screen begins with a request");
        };
        client.say(Message::Reply { id, body: Ok(answer) }).await;
        assert_eq!(body["verb"], "attach");
        (client, serde_json::from_value(body).unwrap())
    }
}

pub struct Client {
    wire: Framed<UnixStream, Codec>,
}

impl Client {
    pub async fn hear(&mut self) -> Option<Message> {
        let heard = timeout(Duration::from_secs(60), self.wire.next());
        heard.await.expect("the client says nothing").map(Result::unwrap)
    }

    pub async fn say(&mut self, message: Message) {
        self.wire.send(message).await.unwrap();
    }

    /// Sends a frame that a client which is just ending may no longer take, as the engine does.
    pub async fn draw_on_one_that_ends(&mut self, number: u32, bytes: &str) {
        let bytes = bytes.as_bytes().to_vec();
        if let Err(error) = self.wire.send(Message::Frame { number, bytes }).await {
            assert!(is_hung_up(&error), "{error}");
        }
    }

    /// Sends a frame and waits until the terminal has taken it.
    pub async fn draw(&mut self, number: u32, bytes: &str) {
        let bytes = bytes.as_bytes().to_vec();
        self.say(Message::Frame { number, bytes }).await;
        assert_eq!(self.hear().await, Some(Message::Ack { number }));
    }

    pub async fn bye(&mut self, why: &str, exit: u8) {
        let why = why.to_owned();
        self.say(Message::Bye { why, exit }).await;
    }

    /// Reads until the client is gone, with what was last said to it read or not.
    pub async fn ended(mut self) {
        loop {
            let heard = timeout(Duration::from_secs(60), self.wire.next());
            match heard.await.expect("the client stays") {
                Some(Ok(_)) => {}
                Some(Err(error)) => return assert!(is_hung_up(&error), "{error}"),
                None => return,
            }
        }
    }

    pub fn pid(&self) -> i32 {
        self.wire.get_ref().peer_cred().unwrap().pid().unwrap()
    }
}

fn is_hung_up(error: &wire::Error) -> bool {
    matches!(error, wire::Error::Io(error) if matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset))
}
