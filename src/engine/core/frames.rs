//! What clients are shown, and when.

use std::time::Duration;

use tokio::sync::mpsc::Sender as Queue;
use tokio::time::Instant;

use super::{Client, Core};
use crate::domain::Event;
use crate::domain::event::{Attached, ClientEvent};
use crate::engine::panes;
use crate::engine::picture::Picture;
use crate::model::ClientId;
use crate::screen::view;
use crate::wire::Message;

/// Frames are at least this far apart, but for the echo of a key.
const FRAME: Duration = Duration::from_millis(8);

impl Core {
    pub(super) fn attach(&mut self, client: ClientId, attached: Attached, messages: Queue<Message>) {
        let size = ratatui::layout::Size::new(attached.size.cols, attached.size.rows);
        let theme = self
            .hands
            .theme(&self.state.domain.disk.settings, attached.colours, attached.no_color);
        if let Some(colours) = attached.colours {
            self.panes.set_palette(panes::palette(colours));
        }
        let picture = Picture::new(size, theme);
        let joined = Client {
            picture,
            messages,
            owed: false,
        };
        self.clients.insert(client, joined);
        self.update(Event::Client(client, ClientEvent::Attached(attached)));
    }

    pub(super) fn choose_themes(&mut self) {
        for (id, client) in &mut self.clients {
            if let Some(view) = self.state.views.get(id) {
                client.picture.theme = self
                    .hands
                    .theme(&self.state.domain.disk.settings, view.colours, view.no_color);
            }
        }
    }

    /// When a change may be drawn. Right after a key there is nothing new to see yet, and a frame drawn then would
    /// only hold up the echo, which is not held back with other frames.
    pub(super) fn next_frame(&self) -> Instant {
        if self.echoed {
            return self.drawn;
        }
        let typed = self.typed.as_ref().map_or(self.drawn, |(_, at)| *at);
        self.drawn.max(typed) + FRAME
    }

    /// Sends each client that has taken its last frame the next, where something changed.
    pub(super) fn draw(&mut self) {
        let now = Instant::now();
        if !self.stale || self.clients.is_empty() || now < self.next_frame() {
            return;
        }
        let echoed = std::mem::take(&mut self.echoed);
        self.stale = false;
        for (id, client) in &mut self.clients {
            client.owed = !client.picture.is_ready();
            if client.owed {
                continue;
            }
            // An echo is one row of one pane. All else that a key changes is drawn with the next frame.
            let echo = echoed.then(|| client.picture.echo(&self.state, *id)).flatten();
            self.stale |= echo.is_some();
            let frame = echo.or_else(|| client.picture.frame(&self.state, *id));
            if let Some((number, bytes)) = frame {
                // The queue is longer than the one frame a client may have to take; if it is full, it is leaving.
                let _ = client.messages.try_send(Message::Frame { number, bytes });
            }
        }
        self.drawn = now;
        let watched = view::watched(&self.state);
        self.show_records(&watched);
        self.panes.want(&watched);
    }
}
