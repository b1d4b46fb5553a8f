//! A command line as it is read: a line for each command, the words told apart. It is shown, never judged by this.

/// What a word of a command line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandShade {
    Plain,
    Program,
    Operator,
    Quoted,
    Comment,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadLine {
    /// How far in it stands: it goes on with what stands above it, or belongs to a command that does.
    pub indent: usize,
    pub words: Vec<(CommandShade, String)>,
}

/// Words behind which another command begins.
const KEYWORDS: [&str; 13] = [
    "if", "then", "else", "elif", "fi", "while", "until", "do", "done", "time", "!", "{", "}",
];

/// What begins and ends a command that holds others.
const BEGINS: [&str; 6] = ["if", "for", "while", "until", "case", "select"];
const ENDS: [&str; 3] = ["fi", "done", "esac"];

/// The lines of a command line: broken before `&&`, `||` and `|`, behind `;` and `&`, and where it has breaks itself.
pub fn lines(command: &str) -> Vec<ReadLine> {
    let mut scanner = Scanner {
        rest: command,
        lines: Vec::new(),
        line: ReadLine::default(),
        word: String::new(),
        awaits_program: true,
        depth: 0,
        here: Vec::new(),
        open: Vec::new(),
    };
    while scanner.step() {}
    scanner.end_line(false);
    scanner.lines
}

struct Scanner<'c> {
    rest: &'c str,
    lines: Vec<ReadLine>,
    line: ReadLine,
    /// A word without quotes so far.
    word: String,
    awaits_program: bool,
    /// Within so many brackets nothing is broken.
    depth: usize,
    /// What ends the texts that follow the line: `<<EOF`.
    here: Vec<String>,
    /// How far in the commands stand that hold others and have not ended.
    open: Vec<usize>,
}

impl<'c> Scanner<'c> {
    fn step(&mut self) -> bool {
        let Some(c) = self.rest.chars().next() else {
            return false;
        };
        match c {
            '\\' => self.escaped(),
            '\'' => self.quoted(self.rest[1..].find('\'').map(|at| at + 2)),
            '"' | '`' => self.quoted(end_of_quote(self.rest)),
            '\n' => self.newline(),
            '#' if self.word.is_empty() => self.comment(),
            _ if c.is_whitespace() => {
                self.end_word();
                if !self.line.words.is_empty() {
                    self.push(CommandShade::Plain, &self.rest[..c.len_utf8()]);
                }
                self.rest = &self.rest[c.len_utf8()..];
            }
            '(' => {
                let taken = if self.word.ends_with('$') { "" } else { "(" };
                self.depth += 1;
                self.bracket(taken, 1);
                self.awaits_program = true;
            }
            ')' => {
                self.depth = self.depth.saturating_sub(1);
                self.bracket(")", 1);
            }
            '>' | '<' => self.redirect(),
            '&' | '|' | ';' => self.operator(),
            _ => {
                self.word.push(c);
                self.rest = &self.rest[c.len_utf8()..];
            }
        }
        true
    }

    fn escaped(&mut self) {
        let mut chars = self.rest.chars();
        chars.next();
        match chars.next() {
            Some('\n') => {
                self.end_word();
                self.push(CommandShade::Plain, "\\");
                self.rest = chars.as_str();
                self.end_line(true);
            }
            Some(c) => {
                self.word.extend(['\\', c]);
                self.rest = chars.as_str();
            }
            None => {
                self.word.push('\\');
                self.rest = "";
            }
        }
    }

    fn quoted(&mut self, end: Option<usize>) {
        self.end_word();
        let (quoted, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        self.awaits_program = false;
        for (at, line) in quoted.split('\n').enumerate() {
            if at > 0 {
                self.break_line();
            }
            self.push(CommandShade::Quoted, line);
        }
    }

    fn comment(&mut self) {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        let (comment, rest) = self.rest.split_at(end);
        self.push(CommandShade::Comment, comment);
        self.rest = rest;
    }

    fn newline(&mut self) {
        self.rest = &self.rest[1..];
        self.end_word();
        let is_open = self.depth > 0;
        match is_open {
            true => self.break_line(),
            false => self.end_line(false),
        }
        for end in std::mem::take(&mut self.here) {
            while !self.rest.is_empty() {
                let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
                self.rest = rest;
                self.push(CommandShade::Quoted, line);
                self.break_line();
                if line.trim_start_matches('\t') == end {
                    break;
                }
            }
        }
    }

    fn bracket(&mut self, bracket: &str, taken: usize) {
        if bracket.is_empty() {
            self.word.push('(');
        }
        self.end_word();
        self.push(CommandShade::Operator, bracket);
        self.rest = &self.rest[taken..];
    }

    fn redirect(&mut self) {
        // A number before it is part of it.
        let number = self.word.bytes().all(|b| b.is_ascii_digit());
        if !number {
            self.end_word();
        }
        let sign = ["<<<", "<<-", "<<", ">>", ">|", ">&", "<&", "<>", ">", "<"];
        let sign = sign.iter().find(|sign| self.rest.starts_with(**sign)).unwrap_or(&">");
        let word = std::mem::take(&mut self.word);
        self.push(CommandShade::Operator, &format!("{word}{sign}"));
        self.rest = &self.rest[sign.len()..];
        if matches!(*sign, "<<" | "<<-") {
            let line = self.rest.lines().next().unwrap_or_default().trim_start();
            let end: String = line
                .chars()
                .take_while(|c| !c.is_whitespace() && !";|&)<>".contains(*c))
                .filter(|c| !"'\"\\".contains(*c))
                .collect();
            if !end.is_empty() {
                self.here.push(end);
            }
        }
    }

    fn operator(&mut self) {
        self.end_word();
        let signs = ["&&", "||", "|&", "&>>", "&>", ";;", ";", "|", "&"];
        let sign = signs.iter().find(|sign| self.rest.starts_with(**sign)).unwrap_or(&";");
        self.rest = &self.rest[sign.len()..];
        let is_redirect = sign.starts_with("&>");
        let ends = matches!(*sign, ";" | ";;" | "&");
        if self.depth == 0 && !ends && !is_redirect {
            self.end_line(true);
        }
        self.push(CommandShade::Operator, sign);
        self.awaits_program = !is_redirect;
        if self.depth == 0 && ends {
            // What only ends the line needs no other.
            let next = self.rest.trim_start_matches([' ', '\t']);
            if !next.is_empty() && !next.starts_with(['\n', '#']) {
                self.rest = next;
                self.end_line(false);
            }
        }
    }

    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.word);
        if word.is_empty() {
            return;
        }
        match word.as_str() {
            "[[" | "((" => self.depth += 1,
            "]]" | "))" => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        let is_set = word
            .split_once('=')
            .is_some_and(|(name, _)| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_'));
        match word.as_str() {
            word if self.awaits_program && BEGINS.contains(&word) => self.open.push(self.line.indent),
            word if self.awaits_program && ENDS.contains(&word) => _ = self.open.pop(),
            _ => {}
        }
        let shade = match self.awaits_program {
            true if KEYWORDS.contains(&word.as_str()) => CommandShade::Operator,
            true if is_set => CommandShade::Plain,
            true => {
                self.awaits_program = word.ends_with("$(");
                CommandShade::Program
            }
            false => CommandShade::Plain,
        };
        self.push(shade, &word);
    }

    fn push(&mut self, shade: CommandShade, text: &str) {
        match self.line.words.last_mut() {
            _ if text.is_empty() => {}
            Some((last, words)) if *last == shade => words.push_str(text),
            Some(_) | None => self.line.words.push((shade, text.into())),
        }
    }

    /// Ends what is read so far; the next line goes on with it where it is further.
    fn end_line(&mut self, is_further: bool) {
        self.end_word();
        let mut line = std::mem::take(&mut self.line);
        if let Some((CommandShade::Plain, last)) = line.words.last_mut() {
            last.truncate(last.trim_end().len());
        }
        line.words.retain(|(_, text)| !text.is_empty());
        if !line.words.is_empty() {
            self.lines.push(line);
        }
        let within = match self.open.last() {
            Some(indent @ 1..) => indent + 1,
            Some(0) | None => 0,
        };
        self.line.indent = within + usize::from(is_further && !self.lines.is_empty());
        self.awaits_program = !is_further || self.awaits_program;
    }

    /// Breaks where the text itself does: what follows stands as it is.
    fn break_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        self.lines.push(line);
    }
}

/// The end of what is quoted from the text's first character on.
fn end_of_quote(text: &str) -> Option<usize> {
    let quote = text.chars().next()?;
    let mut is_escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let is_end = *c == quote && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        is_end
    });
    end.map(|(at, c)| at + c.len_utf8())
}
