//! Where the parts of the settings screen lie. Clicks and drawing both ask here.

use ratatui::layout::Rect;
use strum::VariantArray;

use crate::model::setting::SettingSection;

/// Columns of the sections, with the gap behind them.
const SECTIONS: u16 = 17;
/// Rows of what is said of the chosen setting.
const DETAIL: u16 = 7;
const DETAIL_LOW: u16 = 5;
/// From so many rows on there is room for the higher one.
const HIGH: u16 = 24;

pub struct SettingsPlace {
    pub sections: Rect,
    pub search: Rect,
    pub list: Rect,
    pub rule: Rect,
    pub detail: Rect,
}

impl SettingsPlace {
    pub fn of(whole: Rect) -> SettingsPlace {
        let inside = Rect {
            x: whole.x + 2.min(whole.width / 2),
            y: whole.y + 1.min(whole.height),
            width: whole.width.saturating_sub(4),
            height: whole.height.saturating_sub(2),
        };
        let sections = SECTIONS.min(inside.width / 3);
        let right = Rect {
            x: inside.x + sections,
            width: inside.width - sections,
            ..inside
        };
        let detail = if inside.height >= HIGH { DETAIL } else { DETAIL_LOW };
        let detail = detail.min(inside.height / 2);
        let part = |top: u16, height: u16| Rect {
            y: right.y + top.min(right.height),
            height: height.min(right.height.saturating_sub(top)),
            ..right
        };
        let list = right.height.saturating_sub(detail + 3);
        SettingsPlace {
            sections: Rect {
                width: sections.saturating_sub(2),
                ..inside
            },
            search: part(0, 1),
            list: part(2, list),
            rule: part(2 + list, 1),
            detail: part(3 + list, detail),
        }
    }

    /// Where a list of so many rows is short, what is said of the chosen one has the room that it leaves.
    pub fn with_detail(self, rows: usize, lines: usize) -> SettingsPlace {
        let count = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
        let spare = self.list.height.saturating_sub(count(rows));
        let more = count(lines).saturating_sub(self.detail.height).min(spare);
        SettingsPlace {
            list: Rect {
                height: self.list.height - more,
                ..self.list
            },
            rule: Rect {
                y: self.rule.y - more,
                ..self.rule
            },
            detail: Rect {
                y: self.detail.y - more,
                height: self.detail.height + more,
                ..self.detail
            },
            ..self
        }
    }

    /// The section at this place.
    pub fn section_at(&self, (x, y): (u16, u16)) -> Option<SettingSection> {
        let at = self
            .sections
            .contains((x, y).into())
            .then(|| usize::from(y - self.sections.y))?;
        SettingSection::VARIANTS.get(at).copied()
    }
}
