//! What a program printed, as lines with the colours that it gave them. There is no screen: what moves the cursor to
//! another line is left out, and what goes back within a line writes over it.

use vte::{Params, Parser, Perform};

use super::screen::{Colour, Style};

/// Columns between two tab stops.
const TAB: usize = 8;
/// Characters of a line; what goes on behind them is not kept.
const LONGEST: usize = 20_000;

/// How a program wants a piece of text to look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnsiInk {
    pub foreground: Colour,
    pub background: Colour,
    pub style: Style,
    pub is_underlined: bool,
}

/// Pieces of one line.
pub type AnsiLine = Vec<(String, AnsiInk)>;

/// The lines of what was printed, at most so many.
pub fn lines(printed: &str, most: usize) -> Vec<AnsiLine> {
    let mut paper = Paper::default();
    let mut parser: Parser = Parser::new();
    for line in printed.split_inclusive('\n').take(most) {
        parser.advance(&mut paper, line.as_bytes());
    }
    if !paper.line.is_empty() {
        paper.end_line();
    }
    paper.lines
}

#[derive(Default)]
struct Paper {
    lines: Vec<AnsiLine>,
    line: Vec<(char, AnsiInk)>,
    at: usize,
    ink: AnsiInk,
}

impl Paper {
    fn put(&mut self, c: char) {
        if self.at >= LONGEST {
            return;
        }
        if self.line.len() < self.at {
            self.line.resize(self.at, (' ', AnsiInk::default()));
        }
        match self.line.get_mut(self.at) {
            Some(there) => *there = (c, self.ink),
            None => self.line.push((c, self.ink)),
        }
        self.at += 1;
    }

    fn end_line(&mut self) {
        let mut pieces: AnsiLine = Vec::new();
        for (c, ink) in self.line.drain(..) {
            match pieces.last_mut() {
                Some((text, last)) if *last == ink => text.push(c),
                Some(_) | None => pieces.push((c.into(), ink)),
            }
        }
        self.lines.push(pieces);
        self.at = 0;
    }

    fn sgr(&mut self, params: &Params) {
        let mut params = params.iter();
        let mut is_first = true;
        loop {
            let Some(param) = params.next() else {
                // `ESC [ m` is a reset.
                if is_first {
                    self.ink = AnsiInk::default();
                }
                return;
            };
            is_first = false;
            let code = param.first().copied().unwrap_or(0);
            match code {
                0 => self.ink = AnsiInk::default(),
                1 => self.with(Style::BOLD),
                2 => self.with(Style::DIM),
                3 => self.with(Style::ITALIC),
                4 => self.ink.is_underlined = param.get(1) != Some(&0),
                7 => self.with(Style::INVERSE),
                9 => self.with(Style::STRIKE),
                22 => self.without(&[Style::BOLD, Style::DIM]),
                23 => self.without(&[Style::ITALIC]),
                24 => self.ink.is_underlined = false,
                27 => self.without(&[Style::INVERSE]),
                29 => self.without(&[Style::STRIKE]),
                30..=37 => self.ink.foreground = indexed(code - 30),
                39 => self.ink.foreground = Colour::Default,
                40..=47 => self.ink.background = indexed(code - 40),
                49 => self.ink.background = Colour::Default,
                90..=97 => self.ink.foreground = indexed(code - 90 + 8),
                100..=107 => self.ink.background = indexed(code - 100 + 8),
                38 | 48 => {
                    let numbers: Vec<u16> = match param.len() {
                        1 => {
                            let kind = params.next().and_then(|kind| kind.first().copied());
                            let count = if kind == Some(2) { 3 } else { 1 };
                            let rest = params.by_ref().take(count).filter_map(|number| number.first().copied());
                            kind.into_iter().chain(rest).collect()
                        }
                        _ => param[1..].to_vec(),
                    };
                    if let Some(colour) = colour(&numbers) {
                        match code {
                            38 => self.ink.foreground = colour,
                            _ => self.ink.background = colour,
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn with(&mut self, style: Style) {
        self.ink.style = self.ink.style.with(style);
    }

    fn without(&mut self, styles: &[Style]) {
        let all = [Style::BOLD, Style::DIM, Style::ITALIC, Style::INVERSE, Style::STRIKE];
        let kept = all
            .into_iter()
            .filter(|style| self.ink.style.has(*style) && !styles.contains(style));
        self.ink.style = kept.fold(Style::NONE, Style::with);
    }
}

fn indexed(number: u16) -> Colour {
    Colour::Indexed(u8::try_from(number).unwrap_or(0))
}

/// What follows 38 and 48: `5;n`, `2;r;g;b`, and with colons `2::r:g:b` too.
fn colour(numbers: &[u16]) -> Option<Colour> {
    let byte = |number: &u16| u8::try_from(*number).ok();
    match numbers {
        [5, number] => Some(Colour::Indexed(byte(number)?)),
        [2, r, g, b] | [2, _, r, g, b] => Some(Colour::Rgb(byte(r)?, byte(g)?, byte(b)?)),
        _ => None,
    }
}

impl Perform for Paper {
    fn print(&mut self, c: char) {
        self.put(c);
    }

    fn execute(&mut self, byte: u8) {
        match byte {
            b'\n' => self.end_line(),
            b'\r' => self.at = 0,
            b'\t' => self.at = (self.at / TAB + 1) * TAB,
            8 => self.at = self.at.saturating_sub(1),
            _ => {}
        }
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], _: bool, action: char) {
        if !intermediates.is_empty() {
            return;
        }
        let first = params.iter().next().and_then(|param| param.first().copied());
        match action {
            'm' => self.sgr(params),
            'K' => match first.unwrap_or(0) {
                0 => self.line.truncate(self.at),
                2 => self.line.clear(),
                _ => {}
            },
            'G' => self.at = usize::from(first.unwrap_or(1).max(1) - 1),
            'C' => self.at += usize::from(first.unwrap_or(1).max(1)),
            'D' => self.at = self.at.saturating_sub(usize::from(first.unwrap_or(1).max(1))),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(printed: &str) -> Vec<String> {
        let piece = |(text, ink): &(String, AnsiInk)| match *ink == AnsiInk::default() {
            true => text.clone(),
            false => format!("[{text}]"),
        };
        lines(printed, 60)
            .iter()
            .map(|line| line.iter().map(piece).collect())
            .collect()
    }

    #[test]
    fn colours_stay_and_what_moves_about_is_left_out() {
        assert_eq!(told("\u{1b}[32mok\u{1b}[0m 3\nplain\n"), ["[ok] 3", "plain"]);
        assert_eq!(told("a\u{1b}[2Jb\u{1b}[5Ac\u{1b}]0;title\u{7}d"), ["abcd"]);
        assert_eq!(told("a\tb\n\n"), ["a       b", ""]);
        assert_eq!(told("10%\r20%\r100%\n"), ["100%"]);
        assert_eq!(told("long line\rshort\u{1b}[K\n"), ["short"]);
        assert_eq!(told("ab\u{8}c"), ["ac"]);
    }

    #[test]
    fn every_form_of_a_colour_is_read() {
        let ink = |codes: &str| lines(&format!("\u{1b}[{codes}mx"), 1)[0][0].1;
        assert_eq!(ink("31").foreground, Colour::Indexed(1));
        assert_eq!(ink("97").foreground, Colour::Indexed(15));
        assert_eq!(ink("48;5;200").background, Colour::Indexed(200));
        assert_eq!(ink("38;2;1;2;3").foreground, Colour::Rgb(1, 2, 3));
        assert_eq!(ink("38:2::1:2:3").foreground, Colour::Rgb(1, 2, 3));
        assert_eq!(ink("1;31;22").style, Style::NONE);
        assert!(ink("1;4;7").style.has(Style::INVERSE) && ink("4").is_underlined);
        assert_eq!(ink("31;"), AnsiInk::default());
        assert_eq!(ink("38;2;999;1;1"), AnsiInk::default());
    }

    #[test]
    fn only_the_first_lines_are_read_and_nothing_brings_it_down() {
        assert_eq!(lines("a\nb\nc\n", 2).len(), 2);
        let far = lines("\u{1b}[65535Cx\u{1b}[65535G\u{1b}[65535Cy", 1);
        assert!(far.iter().flatten().map(|(text, _)| text.len()).sum::<usize>() <= LONGEST + 1);
    }
}
