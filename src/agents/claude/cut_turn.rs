//! A turn that a person breaks off while prompts wait for its end: a newer Claude Code (2.1.332) writes down the next
//! prompt, and only then what came of the calls before it and that the turn was interrupted.

use std::collections::BTreeSet;

use crate::model::Happened;

/// Why a turn was interrupted.
pub(super) const ESC: &str = "a person pressed Esc";

/// Tells of such an interrupt where it belongs: before the prompt that came next.
#[derive(Default)]
pub(super) struct CutTurn {
    /// Calls that have begun and not ended.
    open: BTreeSet<String>,
    /// The interrupt was told, and its own line is to come.
    told: bool,
}

impl CutTurn {
    /// What the agent says and calls.
    pub(super) fn works(&mut self, happened: &[Happened]) {
        self.told = false;
        for what in happened {
            if let Happened::ToolStart { id, .. } = what {
                self.open.insert(id.clone());
            }
        }
    }

    /// What else its transcript tells. A prompt that waited is taken up with calls open only where they were cut off.
    pub(super) fn tells(&mut self, happened: Vec<Happened>, waited: bool) -> Vec<Happened> {
        let mut all = Vec::new();
        for what in happened {
            if let Happened::ToolEnd { id, .. } = &what {
                self.open.remove(id);
            }
            if matches!(what, Happened::Prompt { .. }) {
                let was_open = !std::mem::take(&mut self.open).is_empty();
                self.told = waited && was_open;
                all.extend(self.told.then(|| Happened::Interrupt { cause: ESC.into() }));
            }
            let is_told = matches!(what, Happened::Interrupt { .. }) && std::mem::take(&mut self.told);
            all.extend((!is_told).then_some(what));
        }
        all
    }
}
