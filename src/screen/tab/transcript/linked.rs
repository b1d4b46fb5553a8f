//! The links of the rows in sight.

use super::copying::text_of;
use super::data::{RowSpot, TranscriptView};
use super::item::ItemKey;
use super::row::TranscriptRow;
use crate::screen::links::data::{Link, LinkTarget};
use crate::screen::links::find::in_text;
use crate::screen::wrap::width;
use crate::term::TextSpot;

/// Top to bottom; a line is the place of a row among those in sight. A long link may go on in the next row: all of it is in
/// the text of its item.
pub fn links(transcript: &TranscriptView) -> Vec<Link> {
    let mut links = Vec::new();
    // The links in the text of an item, whose rows stand together.
    let mut whole: Vec<LinkTarget> = Vec::new();
    let mut of: Option<ItemKey> = None;
    for (line, at) in (0..).zip(&transcript.sight) {
        let (Some(shown), Some(item)) = (text(transcript, *at), transcript.items.get(at.item)) else {
            continue;
        };
        let mut found = in_text(&shown);
        found.sort_by_key(|(from, ..)| *from);
        for (from, to, target) in found {
            let is_last = to == shown.trim_end().len();
            if is_last && of != Some(at.item) {
                let text = text_of(item, &transcript.places).unwrap_or_default();
                whole = in_text(&text).into_iter().map(|(.., target)| target).collect();
                of = Some(at.item);
            }
            // What a person sees is opened, and not another link that begins with the same words.
            let meant = match is_last && !whole.contains(&target) {
                true => broken(transcript, *at, &target, &whole),
                false => None,
            };
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

fn text(transcript: &TranscriptView, spot: RowSpot) -> Option<String> {
    let Some(TranscriptRow::Text(row)) = transcript.row(spot) else {
        return None;
    };
    Some(row.pieces.iter().map(|piece| piece.text.as_str()).collect())
}

/// The link that a row ends with the beginning of, if the next row has the rest.
fn broken<'l>(
    transcript: &TranscriptView,
    at: RowSpot,
    target: &LinkTarget,
    whole: &'l [LinkTarget],
) -> Option<&'l LinkTarget> {
    let next = text(transcript, RowSpot { row: at.row + 1, ..at })?;
    // Bars stand before it, and the other cells of a table.
    let next = next.rsplit('│').next()?.trim_matches([' ', '▎']);
    whole.iter().find(|known| target.is_begun(known, next))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::data::{LaidItem, TranscriptLook};
    use super::super::laid::{self, ItemMeasure};
    use super::*;
    use crate::model::{Entry, Happened, Timestamp};

    fn found(text: &str) -> Vec<LinkTarget> {
        let mut transcript = TranscriptView::default();
        transcript.window.at_end = true;
        let entry = Entry {
            v: 1,
            seq: 1,
            ts: Timestamp(0),
            read: None,
            what: Happened::Text {
                id: "said".into(),
                text: text.into(),
            },
        };
        transcript.append(&[Arc::new(entry)]);
        let key = ItemKey::entry(1);
        let how = ItemMeasure {
            width: 40,
            is_open: false,
            look: TranscriptLook::default(),
            is_close: false,
        };
        let item = transcript.items.get(key).expect("it was appended");
        let rows = laid::rows(item, how, &transcript.places, &[]);
        transcript.sight = (0..rows.len()).map(|row| RowSpot { item: key, row }).collect();
        let laid = LaidItem {
            width: how.width,
            revision: 0,
            rows,
        };
        transcript.laid.insert(key, laid);
        links(&transcript).into_iter().map(|link| link.target).collect()
    }

    fn urls(urls: &[&str]) -> Vec<LinkTarget> {
        urls.iter().map(|url| LinkTarget::Url((*url).into())).collect()
    }

    #[test]
    fn the_link_that_is_seen_is_opened_and_no_longer_one() {
        let (other, seen) = ("https://good.com.evil.example/", "https://good.com");
        assert_eq!(found(&format!("Not {other} but\n\n{seen}")), urls(&[other, seen]));
        // It is not in the text as it is shown.
        let said = format!("Not {other} but\n\nhttps://good\\.com\n\nat all");
        assert_eq!(found(&said), urls(&[other, seen]));
    }

    #[test]
    fn a_broken_link_is_the_one_that_the_next_row_goes_on_with() {
        let same = format!("https://example.org/{}", "a".repeat(30));
        let (one, other) = (format!("{same}/one"), format!("{same}/other"));
        let long = format!("https://example.org/{}", "b".repeat(90));
        let all = [one.as_str(), other.as_str(), long.as_str()];
        assert_eq!(found(&all.join("\n\n")), urls(&all));
        assert_eq!(found(&format!("> {}", all.join("\n>\n> "))), urls(&all));
    }
}
