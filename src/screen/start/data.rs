//! What one person is offered while there is no chat.

use crate::model::Timestamp;

#[derive(Default)]
pub struct StartPage {
    /// It was asked what there is to open.
    pub asked: bool,
    /// The repository that parlour was started in.
    pub here: Option<String>,
    /// Projects used lately, the newest first, once they are known.
    pub recent: Option<Vec<String>>,
    /// When a chat was last begun from here: a key that is held makes one.
    pub begun: Option<Timestamp>,
}
