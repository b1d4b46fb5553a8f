//! What keeps parlour from writing, while it does: said at every screen.

use crate::model::ChatId;
use crate::model::text::visible;

/// Why what happens is not on disk.
#[derive(Clone, Debug, Default)]
pub struct WriteTrouble {
    /// The file below the home whose writing does not end.
    pub stalled: Option<String>,
    /// Chats of which something could not be written, and why the first could not. It is tried again every second.
    pub failed: Option<(Vec<ChatId>, String)>,
}

impl WriteTrouble {
    /// In words, for the last row of every screen.
    pub fn banner(&self) -> Option<String> {
        if let Some(file) = &self.stalled {
            return Some(format!("The disk gives no answer: {}", visible(file)));
        }
        let (chats, cause) = self.failed.as_ref()?;
        let of = match chats.len() {
            0 | 1 => String::new(),
            count => format!(", {count} chats"),
        };
        Some(format!("Not on disk: {}{of}", visible(cause)))
    }
}
