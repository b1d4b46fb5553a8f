//! What a call printed, in rows, with its own colours.

use crate::domain::approval::card::{Tool, ToolState};
use crate::domain::call::CallSummary;
use crate::model::bytes::in_words;
use crate::model::entry::{Cut, ToolStatus};
use crate::permission::Sort;
use crate::term::ansi::{AnsiInk, lines};

use super::super::tab::transcript::flow::shown;
use super::super::tab::transcript::row::{Piece, TextInk, TextRow};
use super::fold::fold;
use super::rows::CallMeasure;

/// What came back of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CameBack {
    pub rows: Vec<TextRow>,
    /// What was left out of it before parlour had it, or by parlour.
    pub cut: Option<String>,
    /// How much there is, where only the beginning is shown; the whole can be opened.
    pub more: Option<String>,
}

/// The first lines of it: as many as its card keeps.
pub fn came_back(tool: &Tool, how: CallMeasure<'_>) -> CameBack {
    let mut back = CameBack {
        cut: match tool.cut {
            Some(Cut::Cli) => Some("cut by the CLI, which keeps no more of it".into()),
            Some(Cut::Parlour) => Some(format!("too long to keep: {} bytes in all", tool.bytes)),
            None => None,
        },
        more: tool.output.as_ref().map(|_| amount(tool)),
        rows: Vec::new(),
    };
    if says_nothing(tool, &tool.told) && how.has_line {
        return back;
    }
    let base = match tool.state {
        ToolState::Ended {
            status: ToolStatus::Error,
            ..
        } => TextInk::Failed,
        ToolState::Ended { .. } | ToolState::Running | ToolState::Asked => TextInk::Dim,
    };
    let preview = how.places.text(tool.preview.trim_end());
    for line in lines(&preview, how.most) {
        let mut pieces: Vec<Piece> = line
            .iter()
            .map(|(text, ink)| {
                let ink = if *ink == AnsiInk::default() {
                    base
                } else {
                    TextInk::Terminal(*ink)
                };
                Piece::new(shown(text), ink)
            })
            .collect();
        if tool.told.sort == Sort::Read {
            pieces = numbered(pieces);
        }
        back.rows.extend(fold(pieces, how.width).into_iter().map(TextRow::of));
    }
    back
}

/// What is said of an edit that succeeded is only that it did.
fn says_nothing(tool: &Tool, told: &CallSummary) -> bool {
    let is_ok = matches!(
        tool.state,
        ToolState::Ended {
            status: ToolStatus::Ok,
            ..
        }
    );
    is_ok && matches!(told.sort, Sort::Edit | Sort::Write) && told.amount.is_some()
}

/// `120 lines, 4.2 KB`
fn amount(tool: &Tool) -> String {
    let lines = match tool.lines {
        1 => "1 line".into(),
        many => format!("{many} lines"),
    };
    match tool.bytes {
        0..10_000 => format!("{lines}, {} bytes", tool.bytes),
        _ => format!("{lines}, {}", in_words(tool.bytes)),
    }
}

/// The numbers that CLIs put before lines of files stand apart.
fn numbered(pieces: Vec<Piece>) -> Vec<Piece> {
    let Some(first) = pieces.first() else { return pieces };
    let text = first.text.trim_start();
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, rest) = text.split_at(digits);
    let is_gap = rest.starts_with('→') || rest.starts_with("  ");
    if digits == 0 || !(is_gap || rest.is_empty()) {
        return pieces;
    }
    // A tab leads to the eighth column.
    let rest = match rest.strip_prefix('→') {
        Some(rest) => rest,
        None => rest.get(8usize.saturating_sub(digits)..).unwrap_or(rest.trim_start()),
    };
    let mut parts = vec![
        Piece::new(format!("{number:>4} "), TextInk::Border),
        Piece::new(rest, first.shade),
    ];
    parts.extend(pieces.into_iter().skip(1));
    parts
}
