//! Where one person is on the Automations screen.

use crate::model::ScheduleId;

/// What a person looks at there.
#[derive(Default)]
pub struct Automations {
    /// The schedule that is shown; the first where it is gone.
    pub at: Option<ScheduleId>,
    /// The run that is selected, newest first; absent while the keys move among the schedules.
    pub run: Option<usize>,
}

impl Automations {
    /// The schedule that is shown, and its place.
    pub fn selected(&self, order: &[ScheduleId]) -> Option<(usize, ScheduleId)> {
        let at = self.at.as_ref().and_then(|at| order.iter().position(|id| id == at));
        let at = at.unwrap_or(0);
        order.get(at).map(|id| (at, id.clone()))
    }

    /// The schedule at the top of a list of so many rows.
    pub fn first(&self, order: &[ScheduleId], rows: usize) -> usize {
        let at = self.selected(order).map_or(0, |(at, _)| at);
        (at + 1).saturating_sub(rows)
    }
}
