//! The links of the rows in sight.

use super::copying::text_of;
use super::data::TranscriptView;
use super::row::TranscriptRow;
use crate::screen::links::data::{Link, LinkTarget};
use crate::screen::links::find::in_text;
use crate::screen::wrap::width;
use crate::term::TextSpot;

/// Top to bottom; a line is the place of a row among those in sight. A long link may go on in the next row: all of it is in
/// the text of its item.
pub fn links(transcript: &TranscriptView) -> Vec<Link> {
    let mut links = Vec::new();
    for (line, spot) in (0..).zip(&transcript.sight) {
        let (Some(TranscriptRow::Text(row)), Some(item)) = (transcript.row(*spot), transcript.items.get(spot.item))
        else {
            continue;
        };
        let shown: String = row.pieces.iter().map(|piece| piece.text.as_str()).collect();
        let whole = text_of(item, &transcript.places).unwrap_or_default();
        let whole: Vec<LinkTarget> = in_text(&whole).into_iter().map(|(.., target)| target).collect();
        let mut found = in_text(&shown);
        found.sort_by_key(|(from, ..)| *from);
        for (from, to, target) in found {
            let is_broken = to == shown.trim_end().len();
            let meant = whole.iter().find(|known| target.is_begun(known, is_broken));
            let column = |byte: usize| u16::try_from(width(&shown[..byte])).unwrap_or(u16::MAX);
            let spot = |col| TextSpot { line, col };
            links.push(Link {
                spans: vec![(spot(column(from)), spot(column(to).saturating_sub(1)))],
                target: meant.cloned().unwrap_or(target),
            });
        }
    }
    links
}
