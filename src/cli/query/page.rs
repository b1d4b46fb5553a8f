//! An answer as a terminal shows it: Markdown laid out as the Transcript tab lays it out, in the terminal's own colours.

use crate::git::colour_code;
use crate::model::diff::Syntax;
use crate::screen::tab::transcript::markdown;
use crate::screen::tab::transcript::row::{Piece, Shade, TextInk};

use super::super::output::{ColourUse, OutputLook};

/// Longer lines are hard to read, however wide the terminal is.
const WIDEST: usize = 120;
const USUAL: usize = 80;

/// The text in lines, each ended.
pub fn drawn(text: &str, look: &OutputLook) -> String {
    let most = look.width.unwrap_or(USUAL).min(WIDEST);
    let blocks = markdown::code_blocks(text);
    let colours: Vec<_> = match look.colours {
        ColourUse::On => blocks
            .iter()
            .map(|block| colour_code(&block.language, &block.text))
            .collect(),
        ColourUse::Off => Vec::new(),
    };
    let mut page = String::new();
    for row in markdown::rows(text, most, &colours) {
        let last = row.pieces.len();
        for (at, piece) in row.pieces.iter().enumerate() {
            let text = match at + 1 == last {
                true => piece.text.trim_end(),
                false => piece.text.as_str(),
            };
            page += &painted(text, piece, look.colours);
        }
        page.push('\n');
    }
    page
}

fn painted(text: &str, piece: &Piece, colours: ColourUse) -> String {
    let codes = codes(piece.shade);
    match colours == ColourUse::Off || codes.is_empty() || text.is_empty() {
        true => text.to_owned(),
        false => format!("\x1b[{}m{text}\x1b[0m", codes.join(";")),
    }
}

/// The terminal's own colours, which its person has chosen to be read there.
fn codes(shade: Shade) -> Vec<&'static str> {
    let mut codes: Vec<&str> = match shade.ink {
        TextInk::Text => Vec::new(),
        TextInk::Dim | TextInk::Border => vec!["2"],
        TextInk::Accent => vec!["36"],
        TextInk::Heading => vec!["1"],
        TextInk::Code => vec!["36"],
        TextInk::Link => vec!["4"],
        TextInk::Failed => vec!["31"],
        TextInk::Waiting => vec!["33"],
        TextInk::Running | TextInk::Done => vec!["32"],
        TextInk::Syntax(syntax) => of_syntax(syntax),
        // What an agent says holds neither edits nor output.
        TextInk::Diff(..) | TextInk::DiffSign(_) | TextInk::Terminal(_) => Vec::new(),
    };
    codes.extend(shade.bold.then_some("1").filter(|bold| !codes.contains(bold)));
    codes.extend(shade.italic.then_some("3"));
    codes.extend(shade.struck.then_some("9"));
    codes
}

fn of_syntax(syntax: Syntax) -> Vec<&'static str> {
    match syntax {
        Syntax::Plain | Syntax::Operator => Vec::new(),
        Syntax::Comment => vec!["2"],
        Syntax::Keyword => vec!["35"],
        Syntax::String => vec!["32"],
        Syntax::Number | Syntax::Constant => vec!["33"],
        Syntax::Function => vec!["34"],
        Syntax::Type => vec!["36"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Timestamp;

    fn look(colours: ColourUse) -> OutputLook {
        OutputLook {
            colours,
            width: Some(30),
            now: Timestamp(0),
        }
    }

    #[test]
    fn an_answer_is_laid_out_and_nothing_hidden_in_it_is_obeyed() {
        let text = "# Title\n\nSay **yes** to `x`.\x1b[31m\n\n- one\n- two\n";
        insta::assert_snapshot!(drawn(text, &look(ColourUse::Off)), @r"
        Title

        Say yes to x.\u{1b}[31m

        • one
        • two
        ");
        let coloured = drawn(text, &look(ColourUse::On));
        assert!(
            coloured.contains("\x1b[1myes\x1b[0m") && coloured.contains("\x1b[36mx\x1b[0m"),
            "{coloured:?}"
        );
        assert!(!coloured.contains("\x1b[31m"));
    }
}
