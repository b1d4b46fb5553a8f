//! Which links a screen shows.

use std::sync::LazyLock;

use linkify::{LinkFinder, LinkKind};
use regex::Regex;

use super::data::{Link, LinkTarget};
use crate::term::{Row, Screen, Style, TextSpot};

/// A path with a line, or one with a folder and an ending: `src/lib.rs:12:5`, `README.md:3`, `./docs/screen.md`, and as
/// Python's tracebacks have it `File "sums.py", line 12`.
static FILE: LazyLock<Regex> = LazyLock::new(|| {
    let path = r"(?:~|\.{1,2})?/?(?:[\w.+@-]+/)*[\w.+@-]*\w";
    let line = r#"(?:", line (?P<of_python>\d{1,7})|(?::(?P<line>\d{1,7}))?(?::\d{1,5})?)"#;
    Regex::new(&format!("(?P<path>{path}){line}")).expect("it is a pattern")
});

/// Top to bottom, from left to right.
pub fn links(screen: &Screen) -> Vec<Link> {
    let mut links = Vec::new();
    let mut line = LogicalLine::default();
    for (at, row) in screen.rows.iter().enumerate() {
        let number = screen.first + at as u64;
        line.push(number, row);
        if !row.wrapped || at + 1 == screen.rows.len() {
            links.extend(std::mem::take(&mut line).links());
        }
    }
    links.sort_by_key(|link| link.spans.first().map(|(from, _)| *from));
    links
}

/// URLs, then files, each from one byte up to another.
pub fn in_text(text: &str) -> Vec<(usize, usize, LinkTarget)> {
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url]);
    let urls = finder.links(text);
    let mut found: Vec<_> = urls.map(|url| (url.start(), url.end(), target(url.as_str()))).collect();
    for file in FILE.captures_iter(text) {
        let (Some(whole), Some(path)) = (file.get(0), file.name("path")) else {
            continue;
        };
        let line = file.name("line").or_else(|| file.name("of_python"));
        let line = line.and_then(|line| line.as_str().parse().ok());
        let path = path.as_str();
        let is_within = |(from, to, _): &(usize, usize, LinkTarget)| *from < whole.end() && whole.start() < *to;
        if is_file(path, line) && !found.iter().any(is_within) {
            let target = LinkTarget::File(path.to_owned(), line);
            found.push((whole.start(), whole.end(), target));
        }
    }
    found
}

/// A line as the program wrote it, which the terminal may have broken.
#[derive(Default)]
struct LogicalLine {
    text: String,
    /// Where each byte of the text stands.
    spots: Vec<TextSpot>,
    /// What the program made links of.
    marked: Vec<(TextSpot, TextSpot, String)>,
}

impl LogicalLine {
    fn push(&mut self, line: u64, row: &Row) {
        for (col, cell) in (0..).zip(&row.cells) {
            if cell.style.has(Style::SPACER) {
                continue;
            }
            self.text.push(cell.symbol);
            self.spots.resize(self.text.len(), TextSpot { line, col });
        }
        for (first, last, to) in row.links() {
            let at = |col| TextSpot { line, col };
            self.marked.push((at(first), at(last), to.to_owned()));
        }
    }

    fn links(self) -> Vec<Link> {
        let mut links: Vec<Link> = Vec::new();
        for (from, to, url) in &self.marked {
            let target = target(url);
            // It goes on from the line above.
            match links
                .last_mut()
                .filter(|before| before.target == target && from.col == 0)
            {
                Some(before) => before.spans.push((*from, *to)),
                None => links.push(Link {
                    spans: vec![(*from, *to)],
                    target,
                }),
            }
        }
        for (from, to, target) in in_text(&self.text) {
            self.add(&mut links, (from, to), target);
        }
        links
    }

    /// Unless something else stands there already.
    fn add(&self, links: &mut Vec<Link>, (from, to): (usize, usize), target: LinkTarget) {
        let spots = &self.spots[from..to];
        let mut spans: Vec<(TextSpot, TextSpot)> = Vec::new();
        for spot in spots {
            match spans.last_mut().filter(|(_, last)| last.line == spot.line) {
                Some((_, last)) => *last = *spot,
                None => spans.push((*spot, *spot)),
            }
        }
        let is_taken = |link: &Link| {
            link.spans
                .iter()
                .any(|span| spans.iter().any(|own| overlap(*span, *own)))
        };
        if !spans.is_empty() && !links.iter().any(is_taken) {
            links.push(Link { spans, target });
        }
    }
}

fn overlap(one: (TextSpot, TextSpot), other: (TextSpot, TextSpot)) -> bool {
    one.0 <= other.1 && other.0 <= one.1
}

/// A word with a dot is no file, and a number behind a colon may be a time.
fn is_file(path: &str, line: Option<u32>) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    let is_ending = |ending: &str| (1..=8).contains(&ending.len()) && ending.chars().any(|c| c.is_ascii_alphabetic());
    let has_folder = path.contains('/');
    match line {
        Some(_) => has_folder || ending.is_some_and(is_ending),
        None => has_folder && ending.is_some_and(is_ending),
    }
}

/// A `file:` URL is a path on this machine.
fn target(url: &str) -> LinkTarget {
    let path = url::Url::parse(url).ok().filter(|url| url.scheme() == "file");
    match path.and_then(|url| url.to_file_path().ok()) {
        Some(path) => LinkTarget::File(path.to_string_lossy().into_owned(), None),
        None => LinkTarget::Url(url.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Effects, Setup, Terminal, TerminalPalette, TerminalSize};

    fn found(said: &str) -> Vec<(String, usize)> {
        let mut terminal = Terminal::new(Setup {
            size: TerminalSize::new(40, 6),
            palette: TerminalPalette::default(),
            history_lines: 100,
        });
        let mut out = Effects::default();
        terminal.advance(said.as_bytes(), std::time::Instant::now(), &mut out);
        let screen = terminal.screen(&mut out);
        let links = links(&screen).into_iter();
        links.map(|link| (link.target.text(), link.spans.len())).collect()
    }

    #[test]
    fn urls_files_and_what_a_program_links_are_found() {
        let said = "see https://example.org/a(b), or\r\nsrc/lib.rs:12:5: error\r\n\x1b]8;;https://hidden.example/\x1b\\here\x1b]8;;\x1b\\ ok";
        let links: Vec<String> = found(said).into_iter().map(|(text, _)| text).collect();
        assert_eq!(
            links,
            ["https://example.org/a(b)", "src/lib.rs:12", "https://hidden.example/"]
        );
    }

    #[test]
    fn one_that_the_terminal_broke_is_one() {
        let url = format!("https://example.org/{}", "x".repeat(40));
        assert_eq!(found(&format!("go {url} now")), [(url, 2)]);
    }

    #[test]
    fn times_versions_and_plain_words_are_none() {
        assert_eq!(found("at 12:30:45, v1.2.3, e.g. 3/4 and/or README.md"), []);
        assert_eq!(found("README.md:3")[0].0, "README.md:3");
        assert_eq!(found("file:///etc/hosts")[0].0, "/etc/hosts");
    }

    #[test]
    fn a_line_of_a_python_traceback_is_the_one_that_is_opened() {
        assert_eq!(found("  File \"src/sums.py\", line 12, in x")[0].0, "src/sums.py:12");
        assert_eq!(found("  File \"sums.py\", line 3")[0].0, "sums.py:3");
    }
}
