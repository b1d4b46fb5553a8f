//! What clients are shown, and when.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::json;
use tokio::time::Instant;

use crate::config::theme::Theme;
use crate::domain::effect::DrawnText;
use crate::engine::client_screen::ClientScreen;
use crate::engine::inbound::ClientLink;
use crate::engine::notifier;
use crate::model::alert::{Alert, TerminalNotice};
use crate::model::preferences::ScreenPlace;
use crate::model::{ClientId, PaneId};
use crate::screen::{State, left};
use crate::wire::Message;

/// Frames are at least this far apart, but for the echo of a key.
const FRAME: Duration = Duration::from_millis(8);

/// How long after a key a change of its terminal counts as the key's echo.
const ECHO: Duration = Duration::from_millis(100);

/// Ages on screen are in minutes.
const MINUTE: Duration = Duration::from_secs(60);

/// An attached terminal.
struct Client {
    screen: ClientScreen,
    link: ClientLink,
    /// Where it was told that it is.
    place: ScreenPlace,
    /// How its terminal calls its person.
    takes: TerminalNotice,
    /// Something changed while it had not taken its last frame: it is drawn when it has.
    owed: bool,
    /// Its echo is drawn already.
    ahead: bool,
}

impl Client {
    /// Draws the echo of a key and nothing else, straight to its terminal where that is borrowed. Says whether it could.
    fn echo(&mut self, state: &State, id: ClientId, now: Instant) -> bool {
        let Some((number, bytes)) = self.screen.echo(state, id) else {
            return false;
        };
        let terminal = self.link.terminal.as_ref();
        let written = terminal.map_or(0, |terminal| terminal.write(&bytes, now));
        match written == bytes.len() {
            true => self.screen.acked(number),
            false => self.send(number, bytes[written..].to_vec()),
        }
        true
    }

    fn send(&self, number: u32, bytes: Vec<u8>) {
        // The queue is longer than the one frame a client may have to take; if it is full, it is leaving.
        let _ = self.link.messages.try_send(Message::Frame { number, bytes });
    }

    /// It keeps where it is, for the engine after this one.
    fn tell_place(&mut self, place: Option<ScreenPlace>) {
        let Some(place) = place.filter(|place| *place != self.place) else {
            return;
        };
        let told = Message::Stream {
            id: self.link.request,
            body: json!({ "place": place }),
        };
        // Where its queue is full it is told with the next frame.
        if self.link.messages.try_send(told).is_ok() {
            self.place = place;
        }
    }
}

/// The attached terminals, and what decides when they are drawn.
pub struct ClientFrames {
    clients: BTreeMap<ClientId, Client>,
    /// Something may look different from what clients were sent.
    stale: bool,
    drawn: Instant,
    /// Input just went into this terminal: what follows is its echo.
    typed: Option<(PaneId, Instant)>,
    /// The echo has come, and is drawn at once.
    echoed: bool,
}

impl ClientFrames {
    pub fn new() -> ClientFrames {
        ClientFrames {
            clients: BTreeMap::new(),
            stale: false,
            drawn: Instant::now(),
            typed: None,
            echoed: false,
        }
    }

    /// When something is to be drawn; None as long as nothing is.
    pub fn deadline(&self) -> Option<Instant> {
        let frame = self.stale && self.clients.values().any(|c| c.screen.is_ready());
        let frame = frame.then(|| self.next_frame());
        let minute = (!self.clients.is_empty()).then(|| self.drawn + MINUTE);
        frame.into_iter().chain(minute).min()
    }

    /// When a change may be drawn. Right after a key there is nothing new to see yet, and a frame drawn then would
    /// only hold up the echo, which is not held back with other frames.
    fn next_frame(&self) -> Instant {
        if self.echoed {
            return self.drawn;
        }
        // Whoever types without an end, as a mouse that moves, holds up nothing further.
        let typed = self.typed.as_ref().map_or(self.drawn, |(_, at)| *at);
        self.drawn.max(typed.min(self.drawn + FRAME)) + FRAME
    }

    pub fn mark_stale(&mut self) {
        self.stale = true;
    }

    /// A deadline has come: ages may read differently.
    pub fn age(&mut self, now: Instant) {
        self.stale |= now >= self.drawn + MINUTE;
    }

    pub fn typed_into(&mut self, pane: &PaneId) {
        self.typed = Some((pane.clone(), Instant::now()));
    }

    /// A client sent something that was typed.
    pub fn heard(&mut self, client: ClientId) {
        let terminal = self
            .clients
            .get_mut(&client)
            .and_then(|client| client.link.terminal.as_mut());
        if let Some(terminal) = terminal {
            terminal.heard(Instant::now());
        }
    }

    /// A client's terminal has another size or had one, or its person wants it.
    pub fn redraw(&mut self, client: ClientId) {
        if let Some(client) = self.clients.get_mut(&client) {
            client.screen.forget();
        }
    }

    /// A terminal shows something new.
    pub fn changed(&mut self, pane: &PaneId) {
        if let Some((typed, at)) = &self.typed {
            self.echoed |= typed == pane && at.elapsed() < ECHO;
        }
    }

    pub fn acked(&mut self, client: ClientId, number: u32) {
        if let Some(client) = self.clients.get_mut(&client) {
            client.screen.acked(number);
            self.stale |= client.owed;
        }
    }

    pub fn add(&mut self, id: ClientId, screen: ClientScreen, link: ClientLink, takes: TerminalNotice) {
        let client = Client {
            screen,
            link,
            place: ScreenPlace::default(),
            takes,
            owed: false,
            ahead: false,
        };
        self.clients.insert(id, client);
    }

    /// Draws each in the theme that it has now, where it has one.
    pub fn set_themes(&mut self, theme_of: impl Fn(ClientId) -> Option<Theme>) {
        for (id, client) in &mut self.clients {
            if let Some(theme) = theme_of(*id) {
                client.screen.theme = theme;
            }
        }
    }

    pub fn remove(&mut self, client: ClientId) {
        self.clients.remove(&client);
    }

    pub fn say_bye(&mut self, client: ClientId, why: String) {
        if let Some(client) = self.clients.remove(&client) {
            // A client that does not read its end is gone already.
            let _ = client.link.messages.try_send(Message::Bye { why, exit: 0 });
        }
    }

    /// Says bye to all.
    pub fn end(self, why: &str) {
        for client in self.clients.into_values() {
            // A client that is gone needs no word.
            let _ = client.link.messages.try_send(Message::Bye {
                why: why.to_owned(),
                exit: 0,
            });
        }
    }

    pub fn ring(&self, client: ClientId) {
        // A stalled client's queue is kept for frames, whatever rings meanwhile.
        if let Some(client) = self.clients.get(&client).filter(|c| c.screen.is_ready()) {
            let bell = Message::Frame {
                number: 0,
                bytes: b"\x07".to_vec(),
            };
            // A bell that comes too late is none.
            let _ = client.link.messages.try_send(bell);
        }
    }

    pub fn alert(&mut self, client: ClientId, alert: &Alert, set: TerminalNotice) {
        if let Some(client) = self.clients.get_mut(&client) {
            client.screen.call(notifier::sequence(alert, set, client.takes));
            self.stale = true;
        }
    }

    /// The text that stands in these cells of its screen.
    pub fn drawn(&self, client: ClientId, wanted: &DrawnText) -> String {
        let client = self.clients.get(&client);
        client.map_or_else(String::new, |client| client.screen.drawn(wanted))
    }

    pub fn set_clipboard(&mut self, client: ClientId, text: &str) {
        if let Some(client) = self.clients.get_mut(&client) {
            client.screen.set_clipboard(text);
        }
    }

    /// As soon as the state has it, the echo of a key is drawn: one row of one pane, before anything else.
    pub fn echo(&mut self, state: &State) {
        if !self.echoed {
            return;
        }
        let now = Instant::now();
        for (id, client) in &mut self.clients {
            client.ahead |= client.screen.is_ready() && client.echo(state, *id, now);
        }
    }

    /// Sends each client that has taken its last frame the next, where something changed. Says whether it looked.
    pub fn draw(&mut self, state: &State) -> bool {
        let now = Instant::now();
        if !self.stale || self.clients.is_empty() || now < self.next_frame() {
            return false;
        }
        (self.stale, self.echoed) = (false, false);
        for (id, client) in &mut self.clients {
            let ahead = std::mem::take(&mut client.ahead);
            client.owed = !client.screen.is_ready();
            if client.owed {
                continue;
            }
            // All else that a key changes is drawn with the next frame.
            if ahead {
                self.stale = true;
                continue;
            }
            client.tell_place(state.views.get(id).map(left::place));
            if let Some((number, bytes)) = client.screen.frame(state, *id) {
                client.send(number, bytes);
            }
        }
        self.drawn = now;
        true
    }
}
