//! Where others find the engine: its lock and its socket in `run`. What somebody removes there is made again, so that
//! the engine can be reached as long as it lives and stays the only one of its home.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::net::UnixListener;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::connections::Connections;
use super::inbound::{Inbound, Sender};
use super::peer::{Authors, Peer};
use super::server;
use super::services::Services;
use crate::sys::lock::EngineLock;
use crate::sys::peer;
use crate::wire::address::{self, BoundSocket};

/// How long before what failed is tried again, such as on a disk that is full.
const AGAIN: Duration = Duration::from_secs(1);

pub struct RunFiles {
    pub home: PathBuf,
    pub services: Arc<Services>,
    pub authors: Authors,
    pub sender: Sender,
    /// Held by whoever runs the engine until its very end.
    pub lock: Arc<Mutex<EngineLock>>,
    /// Told when something happens to the lock or the socket.
    pub changed: Arc<Notify>,
}

/// Lets peers in by this listener, or by its successor where the socket is gone.
pub async fn keep(place: RunFiles, listener: UnixListener, stop: CancellationToken) {
    let mut bound = address::bound(&place.home);
    let mut accepting = place.admit(listener, &stop);
    place.watch();
    // What happened before it was watched.
    place.changed.notify_one();
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = place.changed.notified() => {}
        }
        if !place.is_locked() {
            tracing::error!("another engine holds this home: this one ends");
            place.sender.send(Inbound::Stop);
            return;
        }
        match place.heal(bound) {
            Ok(None) => {}
            Ok(Some((listener, made))) => {
                tracing::warn!("the engine's socket was gone, and is made again");
                bound = made;
                stop_accepting(accepting);
                accepting = place.admit(listener, &stop);
                place.watch();
            }
            Err(error) => {
                tracing::error!("the engine's socket can't be made again: {error}");
                tokio::time::sleep(AGAIN).await;
                place.changed.notify_one();
            }
        }
    }
}

/// Peers that were let in stay.
fn stop_accepting(accepting: tokio::task::JoinHandle<()>) {
    accepting.abort();
}

impl RunFiles {
    fn watch(&self) {
        if let Ok(socket) = address::socket_path(&self.home) {
            self.services.watch_engine(&socket);
        }
    }

    /// Whether this engine still has the home, with a file that others can look at where that can be.
    fn is_locked(&self) -> bool {
        let path = address::lock_path(&self.home);
        let mut lock = self.lock.lock();
        if lock.is_at(&path) {
            return true;
        }
        let taken = address::run_directory(&self.home).and_then(|_| lock.take_again(&path));
        match taken {
            Ok(taken) => {
                tracing::warn!("the engine's lock was gone");
                taken
            }
            // The home itself is locked as well.
            Err(error) => {
                tracing::error!("the engine's lock can't be made again: {error}");
                true
            }
        }
    }

    /// A new socket where the one that was bound is no longer there.
    fn heal(&self, bound: Option<BoundSocket>) -> std::io::Result<Option<(UnixListener, Option<BoundSocket>)>> {
        if bound.is_some() && address::bound(&self.home) == bound {
            return Ok(None);
        }
        let listener = address::bind(&self.home)?;
        Ok(Some((listener, address::bound(&self.home))))
    }

    fn admit(&self, listener: UnixListener, stop: &CancellationToken) -> tokio::task::JoinHandle<()> {
        tokio::spawn(admit(listener, self.authors.clone(), self.sender.clone(), stop.clone()))
    }
}

/// Lets in who is the same user and has a connection left, and says to the log who is not.
async fn admit(listener: UnixListener, authors: Authors, sender: Sender, stop: CancellationToken) {
    let connections = Connections::default();
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!("a connection could not be taken: {error}");
                // Descriptors have run out: some time passes before there are more.
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        match peer::credentials(&stream) {
            Ok(credentials) if credentials.are_ours() => {
                let lineage = peer::lineage(&stream, credentials);
                let peer = Peer::new(lineage, authors.clone());
                let Some(place) = connections.open(peer.author()) else {
                    tracing::info!(
                        "a connection was turned away: {:?} has as many as it may",
                        peer.author()
                    );
                    continue;
                };
                let sender = sender.clone();
                tokio::spawn(server::serve(stream, peer, place, sender));
            }
            Ok(credentials) => tracing::warn!("user {} was turned away", credentials.uid),
            Err(error) => tracing::warn!("a peer that can't be known was turned away: {error}"),
        }
    }
}
