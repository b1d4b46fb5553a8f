//! What one person is offered while there is no chat.

use crate::domain::state::Requester;
use crate::model::Timestamp;

#[derive(Default)]
pub struct StartPage {
    /// It was asked what there is to open.
    pub asked: bool,
    /// The repository that parlour was started in.
    pub here: Option<String>,
    /// Projects used lately, the newest first, once they are known.
    pub recent: Option<Vec<String>>,
    /// When a chat was last begun from here, and by which request: a key that is held makes one, as do several while that
    /// is under way.
    pub begun: Option<(Timestamp, Requester)>,
}
