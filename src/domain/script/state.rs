//! Scripts of projects that run.

use crate::domain::requester::{Requester, ScreenRequest};
use crate::model::ChatId;
use crate::model::script::Order;

/// A script on its way or at work.
pub struct Running {
    pub chat: ChatId,
    /// Its project is known from its start on, where nobody named one.
    pub order: Order,
    pub pid: Option<u32>,
    /// Who waits for its start.
    pub requester: Requester,
    /// Who waits for its end.
    pub(in crate::domain::script) stops: Vec<Requester>,
    /// At its end it is started again, for this person.
    pub(in crate::domain::script) again: Option<ScreenRequest>,
}
