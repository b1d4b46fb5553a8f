//! Markdown in rows: headings, lists, quotes, tables, links and code, each line as it is shown.
//!
//! The text is an agent's: nothing of it is obeyed. What is hidden in it is spelled out, and what nests without end is
//! indented no further than half of the width.

use pulldown_cmark::{Alignment, CodeBlockKind, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd};

use crate::model::diff::Syntax;
use crate::model::transcript::{CodeBlock, ColouredCode};
use crate::screen::wrap::width;

use super::flow::{flow, shown};
use super::row::{Piece, Shade, TextInk, TextRow};
use super::table::TextTable;

/// The text in rows of this width. Blocks of code are coloured as far as their colours are known.
pub fn rows(text: &str, most: usize, colours: &[ColouredCode]) -> Vec<TextRow> {
    let mut page = MarkdownPage {
        most: most.max(8),
        colours,
        ..MarkdownPage::default()
    };
    for event in Parser::new_ext(text, options()) {
        page.take(event);
    }
    page.end_block();
    page.rows
}

/// All blocks of code, in order.
pub fn code_blocks(text: &str) -> Vec<CodeBlock> {
    let mut blocks: Vec<CodeBlock> = Vec::new();
    let mut is_within = false;
    for event in Parser::new_ext(text, options()) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                is_within = true;
                blocks.push(CodeBlock {
                    language: language(&kind),
                    text: String::new(),
                });
            }
            Event::End(TagEnd::CodeBlock) => is_within = false,
            Event::Text(text) if is_within => {
                if let Some(block) = blocks.last_mut() {
                    block.text.push_str(&text);
                }
            }
            _ => {}
        }
    }
    blocks
}

fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS
}

/// The first word of what stands behind the fence.
fn language(kind: &CodeBlockKind) -> String {
    match kind {
        CodeBlockKind::Fenced(words) => {
            let end = |c: char| c.is_whitespace() || matches!(c, ',' | '{');
            words.split(end).next().unwrap_or_default().to_owned()
        }
        CodeBlockKind::Indented => String::new(),
    }
}

#[derive(Default)]
struct MarkdownPage<'c> {
    most: usize,
    rows: Vec<TextRow>,
    colours: &'c [ColouredCode],
    /// What stands before each line, from the outside in.
    margins: Vec<Margin>,
    /// The line that is being put together.
    line: Vec<Piece>,
    shade: Vec<Shade>,
    /// The block of code that one is in, and how many there were before it.
    code: Option<String>,
    blocks: usize,
    table: Option<TextTable>,
    /// The address of the link that one is in, if it is to be shown.
    links: Vec<Option<String>>,
    /// A free row is due before the next block.
    is_apart: bool,
}

enum Margin {
    Quote,
    /// A list, with the number of its next item where it has numbers.
    List(Option<u64>),
    /// An item, with its mark, which stands before its first line alone.
    Item {
        mark: String,
        is_new: bool,
    },
}

impl MarkdownPage<'_> {
    fn take(&mut self, event: Event) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => match &mut self.code {
                Some(code) => code.push_str(&text),
                None => self.put(&text, TextInk::Text),
            },
            Event::Code(text) => self.put(&text, TextInk::Code),
            Event::Html(text) | Event::InlineHtml(text) => {
                for (at, line) in text.lines().enumerate() {
                    if at > 0 {
                        self.end_line();
                    }
                    self.put(line, TextInk::Dim);
                }
            }
            Event::InlineMath(text) | Event::DisplayMath(text) => self.put(&text, TextInk::Code),
            Event::FootnoteReference(name) => self.put(&format!("[{name}]"), TextInk::Dim),
            // As people read it who write to each other: a line that ends has ended.
            Event::SoftBreak | Event::HardBreak => match &self.table {
                Some(_) => self.put(" ", TextInk::Text),
                None => self.end_line(),
            },
            Event::Rule => {
                self.begin_block();
                let wide = self.room().min(40);
                self.line.push(Piece::new("─".repeat(wide), TextInk::Border));
                self.end_block();
            }
            Event::TaskListMarker(is_done) => {
                let (mark, ink) = match is_done {
                    true => ("☑ ", TextInk::Done),
                    false => ("☐ ", TextInk::Dim),
                };
                self.line.push(Piece::new(mark, ink));
            }
        }
    }

    fn start(&mut self, tag: Tag) {
        match tag {
            Tag::Paragraph => self.begin_block(),
            Tag::Heading { level, .. } => {
                self.begin_block();
                self.shade.push(Shade {
                    bold: true,
                    ..TextInk::Heading.shade()
                });
                if level > HeadingLevel::H2 {
                    self.shade.push(Shade {
                        italic: true,
                        ..TextInk::Heading.shade()
                    });
                }
            }
            Tag::BlockQuote(_) => {
                self.begin_block();
                self.margins.push(Margin::Quote);
            }
            Tag::CodeBlock(kind) => {
                self.begin_block();
                let language = shown(&language(&kind));
                if !language.is_empty() {
                    let row = vec![Piece::new("┌ ", TextInk::Border), Piece::new(language, TextInk::Dim)];
                    self.push_row(row, None);
                }
                self.code = Some(String::new());
            }
            Tag::List(first) => {
                // A list within a list stands close to it.
                match self.margins.is_empty() {
                    true => self.begin_block(),
                    false => self.end_line(),
                }
                self.margins.push(Margin::List(first));
            }
            Tag::Item => {
                self.end_line();
                let number = match self.margins.last_mut() {
                    Some(Margin::List(Some(next))) => {
                        *next += 1;
                        Some(*next - 1)
                    }
                    _ => None,
                };
                let mark = number.map_or("• ".into(), |number| format!("{number}. "));
                self.is_apart = false;
                self.margins.push(Margin::Item { mark, is_new: true });
            }
            Tag::Table(aligned) => {
                self.begin_block();
                let is_right = |aligned: &Alignment| *aligned == Alignment::Right;
                let is_middle = |aligned: &Alignment| *aligned == Alignment::Center;
                self.table = Some(TextTable::new(
                    aligned.iter().map(is_right).collect(),
                    aligned.iter().map(is_middle).collect(),
                ));
            }
            Tag::TableHead => self.shade.push(Shade {
                bold: true,
                ..Shade::default()
            }),
            Tag::Emphasis => self.shaded(|shade| shade.italic = true),
            Tag::Strong => self.shaded(|shade| shade.bold = true),
            Tag::Strikethrough => self.shaded(|shade| shade.struck = true),
            Tag::Link {
                link_type, dest_url, ..
            } => {
                let is_plain = matches!(link_type, LinkType::Autolink | LinkType::Email);
                self.links
                    .push((!is_plain && !dest_url.starts_with('#')).then(|| dest_url.to_string()));
                self.shaded(|shade| shade.ink = TextInk::Link);
            }
            Tag::Image { dest_url, .. } => {
                self.links.push(Some(dest_url.to_string()));
                self.put("image: ", TextInk::Dim);
                self.shaded(|shade| shade.ink = TextInk::Link);
            }
            Tag::TableRow
            | Tag::TableCell
            | Tag::HtmlBlock
            | Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph => self.end_block(),
            TagEnd::Heading(level) => {
                self.shade.pop();
                if level > HeadingLevel::H2 {
                    self.shade.pop();
                }
                self.end_block();
            }
            TagEnd::BlockQuote(_) => {
                self.end_line();
                self.margins.pop();
                self.is_apart = true;
            }
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::List(_) => {
                self.end_line();
                self.margins.pop();
                self.is_apart = self.margins.is_empty();
            }
            TagEnd::Item => {
                self.end_line();
                if let Some(Margin::Item { is_new: true, .. }) = self.margins.last() {
                    self.push_row(Vec::new(), None);
                }
                self.margins.pop();
            }
            TagEnd::Table => self.end_table(),
            TagEnd::TableHead => {
                self.shade.pop();
                self.end_cells();
            }
            TagEnd::TableRow => self.end_cells(),
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.line);
                if let Some(table) = &mut self.table {
                    table.cell(cell);
                }
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.shade.pop();
            }
            TagEnd::Link | TagEnd::Image => {
                self.shade.pop();
                let said: String = self.line.last().map(|piece| piece.text.clone()).unwrap_or_default();
                if let Some(Some(address)) = self.links.pop().filter(|address| address.as_deref() != Some(&*said)) {
                    self.put(&format!(" ({address})"), TextInk::Dim);
                }
            }
            TagEnd::HtmlBlock => self.end_block(),
            TagEnd::FootnoteDefinition
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::MetadataBlock(_) => {}
        }
    }

    fn shaded(&mut self, change: impl FnOnce(&mut Shade)) {
        let mut shade = self.shade.last().copied().unwrap_or_default();
        change(&mut shade);
        self.shade.push(shade);
    }

    fn put(&mut self, text: &str, ink: TextInk) {
        let mut shade = self.shade.last().copied().unwrap_or_default();
        if ink != TextInk::Text {
            shade.ink = ink;
        }
        self.line.push(Piece::new(shown(text), shade));
    }

    /// Between two blocks stands a free row.
    fn begin_block(&mut self) {
        self.end_line();
        let is_first_of_item = matches!(self.margins.last(), Some(Margin::Item { is_new: true, .. }));
        if std::mem::take(&mut self.is_apart) && !self.rows.is_empty() && !is_first_of_item {
            self.push_row(Vec::new(), None);
        }
    }

    fn end_block(&mut self) {
        self.end_line();
        self.is_apart = true;
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            return;
        }
        for row in flow(&line, self.room()) {
            self.push_row(row, None);
        }
    }

    /// Columns that the margins leave.
    fn room(&self) -> usize {
        self.most - self.margin().iter().map(|piece| width(&piece.text)).sum::<usize>()
    }

    /// What stands before the next line.
    fn margin(&self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut used = 0;
        for margin in &self.margins {
            let piece = match margin {
                Margin::Quote => Piece::new("▎ ", TextInk::Border),
                Margin::Item { mark, is_new: true } => Piece::new(mark.clone(), TextInk::Accent),
                Margin::Item { mark, is_new: false } => Piece::new(" ".repeat(width(mark)), TextInk::Text),
                Margin::List(_) => continue,
            };
            used += width(&piece.text);
            if used > self.most / 2 {
                break;
            }
            pieces.push(piece);
        }
        pieces
    }

    fn push_row(&mut self, row: Vec<Piece>, code: Option<usize>) {
        let mut pieces = self.margin();
        let held = pieces.len() + 1;
        for margin in &mut self.margins {
            if let Margin::Item { is_new, .. } = margin {
                *is_new = false;
            }
        }
        pieces.extend(row);
        self.rows.push(TextRow {
            pieces,
            held: code.map(|_| held),
            code,
            ground: None,
        });
    }

    fn end_code(&mut self) {
        let code = self.code.take().unwrap_or_default();
        let number = self.blocks;
        self.blocks += 1;
        let colours = self.colours.get(number).cloned().unwrap_or_default();
        for (at, line) in code.lines().enumerate() {
            let mut row = vec![Piece::new("│ ", TextInk::Border)];
            row.extend(coloured(line, colours.get(at).map_or(&[][..], Vec::as_slice)));
            self.push_row(row, Some(number));
        }
        self.is_apart = true;
    }

    fn end_cells(&mut self) {
        if let Some(table) = &mut self.table {
            table.end_row();
        }
    }

    fn end_table(&mut self) {
        if let Some(table) = self.table.take() {
            for row in table.rows(self.room()) {
                self.push_row(row, None);
            }
        }
        self.is_apart = true;
    }
}

/// A line of code in its colours; plain where they are not known.
fn coloured(line: &str, parts: &[(usize, Syntax)]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut from = 0;
    for (end, syntax) in parts {
        let end = (*end).min(line.len());
        if let Some(part) = line.get(from..end).filter(|part| !part.is_empty()) {
            pieces.push(Piece::new(shown(part), TextInk::Syntax(*syntax)));
            from = end;
        }
    }
    let rest = line.get(from..).unwrap_or_default();
    if !rest.is_empty() {
        pieces.push(Piece::new(shown(rest), TextInk::Syntax(Syntax::Plain)));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str, most: usize) -> String {
        let rows = rows(text, most, &[]);
        let text = |row: &TextRow| row.pieces.iter().map(|piece| piece.text.as_str()).collect::<String>();
        rows.iter().map(text).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn lists_nest_and_number() {
        let text =
            "Do:\n\n3. one\n   - a very long line that is broken\n   - b\n4. two\n\nThen [x](https://x.example).";
        insta::assert_snapshot!(drawn(text, 24), @"
        Do:

        3. one
           • a very long line
             that is broken
           • b
        4. two

        Then x
        (https://x.example).
        ");
    }

    #[test]
    fn quotes_code_and_tasks_keep_their_margins() {
        let text = "> said\n>\n> ```sh\n> ls\t-l\n> ```\n\n- [x] done\n- [ ] open\n\n# Title\n<b>raw</b>";
        insta::assert_snapshot!(drawn(text, 30), @"
        ▎ said
        ▎ 
        ▎ ┌ sh
        ▎ │ ls    -l

        • ☑ done
        • ☐ open

        Title

        <b>raw</b>
        ");
    }

    #[test]
    fn a_table_fits_into_its_width() {
        let text = "| name | words |\n|---|--:|\n| a | one two three four |\n| 期限 | x |";
        insta::assert_snapshot!(drawn(text, 20), @"
        name │         words
        ─────┼──────────────
        a    │ one two three
             │          four
        期限 │             x
        ");
    }

    #[test]
    fn what_nests_without_end_leaves_room_for_its_words() {
        let text = format!("{} deep", ">".repeat(400));
        assert!(drawn(&text, 40).lines().all(|line| width(line) <= 40));
        assert!(drawn(&text, 40).contains("deep"));
        assert_eq!(code_blocks("a\n\n```rust,ignore\nx\n```\n")[0].language, "rust");
    }

    #[test]
    fn nothing_hidden_in_it_is_obeyed() {
        assert_eq!(drawn("a\u{202e}b `c\x1bd`", 40), "a\\u{202e}b c\\u{1b}d");
    }
}
